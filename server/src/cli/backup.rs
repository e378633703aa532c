//! `matchbook backup`: all data that a new machine needs to continue, in one folder.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use app::keys::Keys;
use app::last_backup::note_backup;
use app::system::System;
use app::{LOG, check_keys};
use clap::Args;
use ledger::{Hash, Moment, Origin, TreeSize};
use serde::{Deserialize, Serialize};
use store::Store;
use store::database::{Choice, Database, latest_migration, refuse_old};

use super::DatabasePlace;
use super::backup_key::{IdentityArguments, RecipientArguments, Recipients, encrypted, ended};
use super::db::{postgres_output, postgres_program};

pub(super) const DUMP: &str = "database.dump";
pub(super) const KEYS: &str = "keys";
/// The description of the backup, written last: a folder without it is not a backup.
pub(super) const MANIFEST: &str = "backup.json";
const FORMAT: &str = "backup/1";

/// Write the database and the keys to a new folder.
///
/// The folder has everything that must not be lost: the log, the private tables (sealed submissions, texts, sign-ins), and
/// the key files. Whoever has it can sign as this log and read what is still sealed: keep it as you keep the keys. It can
/// be made while the site serves. Without the keys of this database it is not made.
///
/// With a recipient, everything in it but the description is encrypted by the program age before it is written. Without,
/// the folder is as secret as the keys.
///
/// It does not have the checkpoint file, on purpose: that file remembers what was signed last, wherever a backup leads
/// back to. A log that goes on from a backup which is older than its last signed checkpoint would tell two histories, so
/// it stops signing; `matchbook restore` says what to do then.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The folder to make. It must not be there yet.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    #[command(flatten)]
    recipients: RecipientArguments,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    matchbook: String,
    pub(super) origin: Origin,
    pub(super) entries: u64,
    pub(super) root: Hash,
    pub(super) at: Moment,
    program: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) encrypted: Option<Encryption>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Encryption {
    /// age-encryption.org/v1
    Age,
}

impl Manifest {
    pub(super) fn read(folder: &Path) -> anyhow::Result<Self> {
        let path = folder.join(MANIFEST);
        let bytes =
            fs::read(&path).with_context(|| format!("{} is no backup: {MANIFEST} cannot be read", folder.display()))?;
        let manifest: Self = serde_json::from_slice(&bytes).with_context(|| format!("{}", path.display()))?;
        ensure!(manifest.matchbook == FORMAT, "this program reads {FORMAT}, and this is {:?}", manifest.matchbook);
        Ok(manifest)
    }
}

impl Arguments {
    pub(crate) async fn run(self, place: &DatabasePlace) -> anyhow::Result<ExitCode> {
        let folder = &self.folder;
        if folder.exists() {
            bail!("{} is there already: a backup goes into a folder of its own", folder.display());
        }
        let recipients = self.recipients.read().await?;
        let choice = place.choice()?;
        let database = Database::open(&choice).await?;
        let store = Store::existing(database.serving().clone(), LOG).await.context("cannot read the log")?;
        let store = store.context("there is no log in this database, so there is nothing to back up")?;
        // No program could restore it.
        let versions = database.versions().await?;
        refuse_old(&versions)?;
        let data = place.data()?;
        let mut keys = Keys::existing(&data)?;
        // A database from before an upgrade may have no place for what they are compared with.
        if versions.contains(&latest_migration()) {
            check_keys(&store, &mut keys, System::real().now()).await?;
        }
        let mut snapshot = database.snapshot().await.context("cannot read the database")?;
        let head = snapshot.tree_head(&store).await?;
        DirBuilder::new().mode(0o700).create(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let keys = copy_keys(&data.join(KEYS), &folder.join(KEYS), recipients.as_ref()).await?;
        let snapshot = format!("--snapshot={}", snapshot.id());
        let arguments = [OsString::from("--format=custom"), snapshot.into()];
        dump(&choice, &database, &arguments, &folder.join(DUMP), recipients.as_ref()).await?;
        let manifest = Manifest {
            matchbook: FORMAT.to_owned(),
            origin: store.log().origin.clone(),
            entries: head.size.0,
            root: head.root,
            at: System::real().now(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            encrypted: recipients.as_ref().map(|_| Encryption::Age),
        };
        let mut last = private(&folder.join(MANIFEST))?;
        last.write_all(&serde_json::to_vec_pretty(&manifest)?)?;
        last.sync_all()?;
        note_backup(&place.checkpoint_file()?).context("the backup is made, and its time could not be noted")?;
        database.close().await?;
        let TreeSize(entries) = head.size;
        say!("{}: the log {} with {entries} entries, and {keys} key files.", folder.display(), manifest.origin)?;
        if recipients.is_some() {
            say!("It is encrypted. Try matchbook restore with the key now, and keep the key elsewhere.")?;
            say!("Keep the checkpoint file elsewhere: it is not in here.")?;
        } else {
            say!(
                "Whoever has this folder can sign as this log. Keep the checkpoint file elsewhere: it is not in here."
            )?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Writes the database to a file that only this user can read. If it is to be encrypted, nothing is written in plain.
async fn dump(
    choice: &Choice,
    database: &Database,
    arguments: &[OsString],
    file: &Path,
    recipients: Option<&Recipients>,
) -> anyhow::Result<()> {
    let Some(recipients) = recipients else {
        // Created before pg_dump writes to it, so that other users can never read it.
        private(file)?;
        let arguments = [arguments, &[OsString::from("--file"), file.into(), "--dbname".into()]].concat();
        return postgres_program(choice, "pg_dump", &arguments, database.url()).await;
    };
    let arguments = [arguments, &[OsString::from("--dbname")]].concat();
    let encrypted = private(&encrypted(file))?;
    let (reader, writer) = io::pipe()?;
    let age = recipients.encrypt(reader, encrypted.try_clone()?)?;
    // Before it, age does not end.
    postgres_output(choice, "pg_dump", &arguments, database.url(), writer).await?;
    ended(age).await?;
    Ok(encrypted.sync_all()?)
}

/// Copies the key files, each readable only by this user, and encrypts them if there are recipients; returns their
/// number.
pub(super) async fn copy_keys(from: &Path, to: &Path, recipients: Option<&Recipients>) -> anyhow::Result<usize> {
    let listed = fs::read_dir(from).with_context(|| format!("cannot list the keys in {}", from.display()))?;
    DirBuilder::new()
        .mode(0o700)
        .recursive(true)
        .create(to)
        .with_context(|| format!("cannot make {}", to.display()))?;
    let mut copied = 0;
    for entry in listed {
        let path = entry?.path();
        let Some(name) = path.file_name().filter(|_| path.extension().is_some_and(|extension| extension == "key"))
        else {
            continue;
        };
        let to = to.join(name);
        let mut key = fs::File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let file = match recipients {
            None => {
                let mut file = private(&to)?;
                io::copy(&mut key, &mut file)?;
                file
            }
            Some(recipients) => {
                let file = private(&encrypted(&to))?;
                ended(recipients.encrypt(key, file.try_clone()?)?).await?;
                file
            }
        };
        file.sync_all()?;
        copied += 1;
    }
    ensure!(
        copied > 0,
        "there are no key files in {}: without them nothing that is sealed can be opened",
        from.display()
    );
    Ok(copied)
}

pub(super) async fn decrypt(folder: &Path, to: &Path, identities: &IdentityArguments) -> anyhow::Result<()> {
    let keys = folder.join(KEYS);
    DirBuilder::new().mode(0o700).create(to.join(KEYS))?;
    for entry in fs::read_dir(&keys).with_context(|| format!("cannot list the keys in {}", keys.display()))? {
        let path = entry?.path();
        if let Some(name) = path.file_stem().filter(|name| Path::new(name).extension().is_some_and(|end| end == "key"))
        {
            identities.decrypt(&path, private(&to.join(KEYS).join(name))?).await?;
        }
    }
    identities.decrypt(&encrypted(&folder.join(DUMP)), private(&to.join(DUMP))?).await
}

fn private(path: &Path) -> anyhow::Result<fs::File> {
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    made.with_context(|| format!("cannot make {}", path.display()))
}
