//! `matchbook backup`: all data that a new machine needs to continue, in one folder.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use app::LOG;
use app::system::System;
use clap::Args;
use ledger::{Hash, Moment, Origin, TreeSize};
use serde::{Deserialize, Serialize};
use store::Store;
use store::database::{Database, refuse_old};

use super::DatabasePlace;
use super::db::postgres_program;

/// The database, in pg_dump's custom format.
pub(super) const DUMP: &str = "database.dump";
/// The key files.
pub(super) const KEYS: &str = "keys";
/// The description of the backup, written last: a folder without it is not a backup.
pub(super) const MANIFEST: &str = "backup.json";
const FORMAT: &str = "backup/1";

/// Write the database and the keys to a new folder.
///
/// The folder has everything that must not be lost: the log, the private tables (sealed submissions, texts, sign-ins), and
/// the key files. Whoever has it can sign as this log and read what is still sealed: keep it as you keep the keys. It can
/// be made while the site serves.
///
/// It does not have the checkpoint file, on purpose: that file remembers what was signed last, wherever a backup leads
/// back to. A log that goes on from a backup which is older than its last signed checkpoint would tell two histories, so
/// it stops signing; `matchbook restore` says what to do then.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The folder to make. It must not be there yet.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// The description of a backup.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    matchbook: String,
    /// The log's name.
    pub(super) origin: Origin,
    /// The number of entries when the backup began; it may contain a few more.
    pub(super) entries: u64,
    /// The root over them, as stored by the writer.
    pub(super) root: Hash,
    /// The time of the backup.
    pub(super) at: Moment,
    /// The version of the program.
    program: String,
}

impl Manifest {
    /// Reads the description of a backup.
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
        let choice = place.choice()?;
        let database = Database::open(&choice).await?;
        let store = Store::existing(database.serving().clone(), LOG).await.context("cannot read the log")?;
        let store = store.context("there is no log in this database, so there is nothing to back up")?;
        // No program could restore it.
        refuse_old(&database.versions().await?)?;
        let head = store.tree_head().await?;
        DirBuilder::new().mode(0o700).create(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let keys = copy_keys(&place.data()?.join(KEYS), &folder.join(KEYS))?;
        let file = folder.join(DUMP);
        // Created before pg_dump writes to it, so that other users can never read it.
        private(&file)?;
        let arguments = [OsString::from("--format=custom"), "--file".into(), file.into(), "--dbname".into()];
        postgres_program(&choice, "pg_dump", &arguments, database.url()).await?;
        let manifest = Manifest {
            matchbook: FORMAT.to_owned(),
            origin: store.log().origin.clone(),
            entries: head.size.0,
            root: head.root,
            at: System::real().now(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
        };
        let mut last = private(&folder.join(MANIFEST))?;
        last.write_all(&serde_json::to_vec_pretty(&manifest)?)?;
        last.sync_all()?;
        database.close().await?;
        let TreeSize(entries) = head.size;
        say!("{}: the log {} with {entries} entries, and {keys} key files.", folder.display(), manifest.origin)?;
        say!("Whoever has this folder can sign as this log. Keep the checkpoint file elsewhere: it is not in here.")?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Copies the key files, each readable only by this user; returns their number.
pub(super) fn copy_keys(from: &Path, to: &Path) -> anyhow::Result<usize> {
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
        let key = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut file = private(&to.join(name))?;
        file.write_all(&key)?;
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

/// A new file that only this user can read.
fn private(path: &Path) -> anyhow::Result<fs::File> {
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    made.with_context(|| format!("cannot make {}", path.display()))
}
