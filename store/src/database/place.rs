//! The folder of the private PostgreSQL: `postgres/` in the data folder, with mode 0700. It and all of its contents
//! belong to the account that the server runs as.
//!
//! It contains two locks. `holders.lock` is held shared by every process that uses the server, and exclusively by the
//! guardian once no process holds it. `guardian.lock` is held by the only guardian as long as it lives.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, chown, fchown, symlink};
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;
use nix::unistd::Uid;
use thiserror::Error;

use super::account::{Account, AccountError};

/// The parent of the folder if root's server account cannot enter the data folder (for example below /root). A link in
/// the data folder leads to it.
const ELSEWHERE: &str = "/var/lib/matchbook/clusters";

#[derive(Debug, Clone)]
pub(super) struct Place {
    /// Absolute, without links.
    folder: PathBuf,
    pub(super) account: Account,
}

#[derive(Debug, Error)]
pub enum PlaceError {
    /// An error of the file system.
    #[error("the folder {path} cannot be used: {said}", path = path.display())]
    Folder {
        /// The folder or file.
        path: PathBuf,
        /// The system's message.
        said: io::Error,
    },
    /// The server belongs to another user.
    #[error(
        "{path} belongs to the user {owner}: run matchbook as {owner}, or choose another folder with --data-dir",
        path = path.display()
    )]
    Foreign {
        /// The folder.
        path: PathBuf,
        /// Its owner.
        owner: String,
    },
    /// PostgreSQL refuses to run as root, so root cannot own its files.
    #[error(
        "{path} belongs to root, as which PostgreSQL does not run: give it with all its files to the user who is to \
         run it (chown -R)",
        path = path.display()
    )]
    OwnedByRoot {
        /// The folder.
        path: PathBuf,
    },
    /// There was a database, or one was to be restored.
    #[error(
        "{what}, and there is no database in {}. None is made in its place: it would know nothing of what was recorded. Restore \
         the database. To begin anew, name an empty data folder",
        folder.display()
    )]
    Gone {
        /// What shows that there was one.
        what: String,
        /// The folder of the cluster.
        folder: PathBuf,
    },
    /// There is no usable account.
    #[error(transparent)]
    Account(#[from] AccountError),
}

impl Place {
    pub(super) fn prepare(data: &Path) -> Result<Self, PlaceError> {
        let refused = |said| PlaceError::Folder { path: data.to_owned(), said };
        fs::create_dir_all(data).map_err(refused)?;
        // Two simultaneous first starts must not both make and move the folder.
        let turn = File::open(data).map_err(refused)?;
        turn.lock().map_err(refused)?;
        let path = data.join("postgres");
        if fs::symlink_metadata(&path).is_err() {
            make(data, &path)?;
        }
        Self::existing(data)
    }

    pub(super) fn existing(data: &Path) -> Result<Self, PlaceError> {
        let path = data.join("postgres");
        let refused = |said| PlaceError::Folder { path: path.clone(), said };
        let folder = path.canonicalize().map_err(refused)?;
        let owner = Uid::from_raw(fs::metadata(&folder).map_err(refused)?.uid());
        let me = Uid::effective();
        if owner.is_root() && me.is_root() {
            return Err(PlaceError::OwnedByRoot { path: folder });
        }
        let account = Account::of(owner)?;
        if me != owner && !me.is_root() {
            return Err(PlaceError::Foreign { path: folder, owner: account.name });
        }
        Ok(Self { folder, account })
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The cluster: PostgreSQL's own data directory, complete once it has this name.
    pub(super) fn cluster(&self) -> PathBuf {
        self.folder.join("cluster")
    }

    /// Refuses to make a cluster where there was one. After a restore that failed, an empty one would be taken for what was
    /// restored, and would archive into the same place.
    pub(super) fn refuse_gone(&self, data: &Path) -> Result<(), PlaceError> {
        let folder = self.cluster();
        let key = ["host.key", "log.key", "escrow.key"].into_iter().find(|key| data.join("keys").join(key).exists());
        let what = match key {
            _ if folder.join("PG_VERSION").exists() => return Ok(()),
            Some(key) => format!("{} has the {key} of a log", data.display()),
            None if folder.exists() => format!("{} is not the folder of a database", folder.display()),
            None => return Ok(()),
        };
        Err(PlaceError::Gone { what, folder })
    }

    /// A cluster that is being made; an existing one is left over from an interrupted first start.
    pub(super) fn unfinished_cluster(&self) -> PathBuf {
        self.folder.join("cluster.new")
    }

    pub(super) fn log(&self) -> PathBuf {
        self.folder.join("server.log")
    }

    pub(super) fn settings(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(super) fn is_guarded(&self) -> Result<bool, PlaceError> {
        let (path, lock) = self.open_lock("guardian.lock")?;
        match lock.try_lock_shared() {
            Ok(()) => Ok(false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(said)) => Err(PlaceError::Folder { path, said }),
        }
    }

    /// The file on which every process that uses the server holds a shared lock.
    pub(super) fn holders(&self) -> Result<File, PlaceError> {
        self.open_lock("holders.lock").map(|(_, lock)| lock)
    }

    pub(super) fn guardian(&self) -> Result<File, PlaceError> {
        self.open_lock("guardian.lock").map(|(_, lock)| lock)
    }

    fn open_lock(&self, name: &str) -> Result<(PathBuf, File), PlaceError> {
        let path = self.folder.join(name);
        let open = || {
            // Root must not follow a link out of a folder that belongs to another user.
            let mut options = OpenOptions::new();
            options.read(true).append(true).create(true).mode(0o600).custom_flags(OFlag::O_NOFOLLOW.bits());
            let file = options.open(&path)?;
            if file.metadata()?.uid() != self.account.uid.as_raw() {
                fchown(&file, Some(self.account.uid.as_raw()), Some(self.account.gid.as_raw()))?;
            }
            Ok(file)
        };
        match open() {
            Ok(file) => Ok((path, file)),
            Err(said) => Err(PlaceError::Folder { path, said }),
        }
    }
}

fn make(data: &Path, path: &Path) -> Result<(), PlaceError> {
    if !Uid::effective().is_root() {
        return make_private(path);
    }
    let account = Account::system()?;
    let data = data.canonicalize().map_err(|said| PlaceError::Folder { path: data.to_owned(), said })?;
    if account.can_enter(&data) {
        // It is complete before it gets its name, so that no process sees it while it still belongs to root.
        let unfinished = path.with_extension("new");
        let _ = fs::remove_dir(&unfinished);
        make_private(&unfinished)?;
        give(&unfinished, &account)?;
        return fs::rename(&unfinished, path).map_err(|said| PlaceError::Folder { path: path.to_owned(), said });
    }
    let elsewhere = make_elsewhere(&data)?;
    give(&elsewhere, &account)?;
    tracing::warn!(
        "the user {} cannot enter {}: the database's files go to {}",
        account.name,
        data.display(),
        elsewhere.display()
    );
    symlink(&elsewhere, path).map_err(|said| PlaceError::Folder { path: path.to_owned(), said })
}

/// A new folder named after the data folder, in a place that every account can enter.
fn make_elsewhere(data: &Path) -> Result<PathBuf, PlaceError> {
    let parent = Path::new(ELSEWHERE);
    DirBuilder::new()
        .recursive(true)
        .mode(0o755)
        .create(parent)
        .map_err(|said| PlaceError::Folder { path: parent.to_owned(), said })?;
    let name = data.to_string_lossy().trim_matches('/').replace('/', "-");
    let mut path = parent.join(&name);
    for n in 2.. {
        match make_private(&path) {
            Err(PlaceError::Folder { said, .. }) if said.kind() == io::ErrorKind::AlreadyExists => {
                path = parent.join(format!("{name}-{n}"));
            }
            made => return made.map(|()| path),
        }
    }
    Ok(path)
}

fn make_private(path: &Path) -> Result<(), PlaceError> {
    DirBuilder::new().mode(0o700).create(path).map_err(|said| PlaceError::Folder { path: path.to_owned(), said })
}

fn give(path: &Path, account: &Account) -> Result<(), PlaceError> {
    chown(path, Some(account.uid.as_raw()), Some(account.gid.as_raw()))
        .map_err(|said| PlaceError::Folder { path: path.to_owned(), said })
}
