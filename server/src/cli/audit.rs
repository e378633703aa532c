//! `matchbook audit`: checks a whole log.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use app::LOG;
use app::audit::{Source, audit};
use clap::Args;
use ledger::VerifierKey;
use store::Store;
use store::database::{Choice, Database};

use super::DatabasePlace;

/// Check a whole log: every line, every hash, every match, and every tree that was signed.
///
/// Reads the log in its order, hashes it up to the root, compares that with what was signed and served, and checks every
/// match for gaps, for its chain and against its rules. Trusts nothing that the log says of itself, changes nothing, and
/// takes the same memory however long the log is. The exit code is 0 where nothing is wrong, else 1.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The log: a site (https://...), or a database (postgres://...). Without it, the database of this installation.
    #[arg(value_name = "URL|DATABASE")]
    log: Option<String>,
    /// The key that must have signed the checkpoint of a site: a verifier key, as the log's page shows it.
    #[arg(long, value_name = "NAME+ID+KEY")]
    log_key: Option<VerifierKey>,
    /// The folder for scratch files: about one and a half times the log's size, without names, gone when this ends.
    #[arg(long, value_name = "FOLDER")]
    scratch: Option<PathBuf>,
}

impl Arguments {
    pub(crate) async fn run(self, place: &DatabasePlace) -> anyhow::Result<ExitCode> {
        let scratch = self.scratch.unwrap_or_else(std::env::temp_dir);
        if let Some(url) = self.log.as_deref().filter(|url| url.starts_with("http://") || url.starts_with("https://")) {
            let report = audit(Source::site(url, self.log_key.as_ref()).await?, &scratch).await?;
            say!("{report}")?;
            return Ok(if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        let choice = match self.log.as_deref() {
            Some(url) if url.starts_with("postgres://") || url.starts_with("postgresql://") => {
                Choice::Url(url.to_owned())
            }
            Some(other) => bail!("{other} is no address of a log: https://... or postgres://..."),
            None => place.choice()?,
        };
        let database = Database::open(&choice).await?;
        let store = Store::existing(database.serving().clone(), LOG).await.context("cannot read the log")?;
        let store = store.context("there is no log in this database")?;
        let report = audit(Source::database(store).await?, &scratch).await?;
        say!("{report}")?;
        database.close().await?;
        Ok(if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}
