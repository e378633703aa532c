//! The folder of the server's socket: with mode 0700, and a path short enough for a socket's address.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::{env, iter};

use nix::unistd::Uid;
use sha2::{Digest, Sha256};

use super::place::Place;
use super::settings::PORT;

/// `sockaddr_un` holds 108 bytes on Linux and 104 elsewhere, the last one zero.
const LONGEST: usize = if cfg!(target_os = "linux") { 107 } else { 103 };

pub(super) fn make_folder(place: &Place) -> io::Result<PathBuf> {
    let own = place.folder().join("socket");
    if fits(&own) {
        return make_private(&own).map(|()| own);
    }
    // The same cluster always gets the same name; an existing folder that is not only ours is skipped.
    let digest = Sha256::digest(place.folder().as_os_str().as_bytes());
    let mark: String = digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    let runtime = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let parents = runtime.into_iter().chain([env::temp_dir(), PathBuf::from("/tmp")]);
    let mut last = io::Error::other("no folder has a path short enough for a socket");
    for parent in parents {
        for n in iter::once(String::new()).chain((2..10).map(|n| format!("-{n}"))) {
            let folder = parent.join(format!("matchbook-{mark}{n}"));
            if fits(&folder) {
                match make_private(&folder) {
                    Ok(()) => return Ok(folder),
                    Err(error) => last = error,
                }
            }
        }
    }
    Err(last)
}

fn file_name() -> String {
    format!(".s.PGSQL.{PORT}")
}

fn fits(folder: &Path) -> bool {
    folder.join(file_name()).as_os_str().len() <= LONGEST
}

/// A folder that only we can enter: a new one, or an existing one with the same owner and mode.
fn make_private(folder: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let found = fs::symlink_metadata(folder)?;
            let ours = found.is_dir() && found.uid() == Uid::effective().as_raw() && found.mode() & 0o7777 == 0o700;
            if ours { Ok(()) } else { Err(error) }
        }
        made => made,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn the_limit_counts_the_sockets_name() {
        let room = LONGEST - "/.s.PGSQL.5432".len();
        assert!(fits(Path::new(&format!("/{}", "d".repeat(room - 1)))));
        assert!(!fits(Path::new(&format!("/{}", "d".repeat(room)))));
    }

    #[test]
    fn a_folder_that_others_can_enter_is_not_ours() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("socket");
        make_private(&folder).unwrap();
        make_private(&folder).expect("the second start finds it");
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        make_private(&folder).unwrap_err();
        let link = parent.path().join("link");
        std::os::unix::fs::symlink(parent.path(), &link).unwrap();
        make_private(&link).unwrap_err();
    }
}
