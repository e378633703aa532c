//! `matchbook restore`: restores a backup in an empty place.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, ensure};
use app::keys::Keys;
use app::system::System;
use app::{LOG, check_keys};
use audit::{Kept, Source, audit};
use clap::Args;
use store::Store;
use store::database::{Database, refuse_old};

use super::DatabasePlace;
use super::backup::{DUMP, KEYS, Manifest, copy_keys, decrypt};
use super::backup_key::IdentityArguments;
use super::db::{postgres_program, versions_in};

/// Bring a backup back, into an empty database and a data folder without keys.
///
/// Checks the whole log afterwards, as `matchbook audit` does. What was recorded after the backup was made is not in it.
/// If any of that was under a signed checkpoint, the log must not go on as if it had never been: `matchbook serve` finds
/// that out from the checkpoint file and from the witnesses, signs nothing, and says so; `matchbook log succeed` then
/// begins a new log that names the last common tree.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The folder that `matchbook backup` made.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    #[command(flatten)]
    identities: IdentityArguments,
}

impl Arguments {
    pub(crate) async fn run(self, place: &DatabasePlace) -> anyhow::Result<ExitCode> {
        let manifest = Manifest::read(&self.folder)?;
        let keys = place.data()?.join(KEYS);
        ensure!(!keys.exists(), "{} is there already: restoring would replace keys", keys.display());
        ensure!(
            manifest.encrypted.is_none() || !self.identities.identity.is_empty(),
            "{} is encrypted: name what opens it with --identity",
            self.folder.display()
        );
        // In plain on this machine until the end, where the data will be anyway.
        let plain = manifest.encrypted.map(|_| tempfile::tempdir()).transpose().context("cannot make a folder")?;
        let folder = match &plain {
            Some(plain) => {
                decrypt(&self.folder, plain.path(), &self.identities).await?;
                plain.path()
            }
            None => &self.folder,
        };
        let choice = place.choice()?;
        // Once it is restored, the database would have to be emptied again.
        let dump = folder.join(DUMP);
        let versions = versions_in(&choice, &dump).await?;
        refuse_old(&versions).with_context(|| format!("{} cannot be restored", self.folder.display()))?;
        let database = Database::open(&choice).await?;
        database.prepare_restore().await?;
        let arguments = ["--no-owner", "--exit-on-error", "--single-transaction"].map(OsString::from);
        let arguments = [arguments.to_vec(), vec![dump.into(), "--dbname".into()]].concat();
        postgres_program(&choice, "pg_restore", &arguments, database.url()).await?;
        database.migrate().await?;
        copy_keys(&folder.join(KEYS), &keys, None).await?;
        let restored_keys = Keys::existing(&place.data()?);
        let store = Store::existing(database.serving().clone(), LOG).await?.context("there is no log in the backup")?;
        ensure!(
            store.log().origin == manifest.origin,
            "the backup holds another log than it says: {}",
            store.log().origin
        );
        let keys_fit = match restored_keys {
            Ok(mut keys) => check_keys(&store, &mut keys, System::real().now()).await.map_err(anyhow::Error::from),
            Err(error) => Err(error.into()),
        };
        let report = audit(Source::database(store).await?, Kept::default(), &std::env::temp_dir()).await?;
        database.close().await?;
        say!("{report}\n")?;
        say!(
            "The log is as it was on {}: {} entries. What was recorded later is not in it.",
            manifest.at,
            report.size
        )?;
        say!(
            "If a later checkpoint was signed, matchbook serve finds that out from its checkpoint file or a witness, signs \
             nothing and accepts nothing new. Pages and downloads go on, and running clocks get the time back. If the \
             database with the later entries still exists, use it. If they are lost for good, matchbook log succeed begins \
             a new log. Put the checkpoint file where serve looks for it before you start it."
        )?;
        keys_fit.context("the data is restored, and the keys in the backup are not those of its log")?;
        Ok(if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}
