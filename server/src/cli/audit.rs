//! `matchbook audit`: checks a whole log.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use app::LOG;
use audit::{Kept, LogTrust, Source, audit};
use clap::Args;
use ledger::{Note, Tree, VerifierKey};
use record::Bundle;
use record::audit::ShownChain;
use store::database::{Choice, Database};
use store::{NotedList, NotedSubmission, Store};

use super::DatabasePlace;
use super::verify::policy;

/// Check a whole log: every line, every hash, every match, and every tree that was signed.
///
/// Reads the log in its order, hashes it up to the root, compares that with what was signed and served, and checks every
/// match for gaps, for its chain and against its rules. The log of this installation must also have the tree in its
/// checkpoint file. Of a database it also checks the words beside the log, and compares the lists with it. Trusts nothing
/// that the log says of itself, changes nothing, and takes the same memory however long the log is. The exit code is 0 where nothing is wrong, else 1.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The log: a site (https://...), or a database (postgres://...). Without it, the database of this installation.
    #[arg(value_name = "URL|DATABASE")]
    log: Option<String>,
    /// The key that must have signed the checkpoint of a site: a verifier key, as the log's page shows it.
    #[arg(long, value_name = "NAME+ID+KEY")]
    log_key: Option<VerifierKey>,
    /// The policy (C2SP tlog-policy) that the checkpoint of a site must satisfy: which logs are known, and which
    /// witnesses must have cosigned.
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// A checkpoint of this log that somebody kept, as a file: the log must still have its tree. Of a site it needs
    /// --log-key or --policy, because it proves nothing without its signature. May come several times.
    #[arg(long, value_name = "FILE")]
    checkpoint: Vec<PathBuf>,
    /// A match's bundle: the log must have its checkpoint's tree, and no entry of a player's chain before the opening
    /// that the bundle leaves out, such as the end of the chain. May come several times.
    #[arg(long, value_name = "FILE")]
    bundle: Vec<PathBuf>,
    /// The folder for scratch files: about one and a half times the log's size, without names, gone when this ends.
    #[arg(long, value_name = "FOLDER")]
    scratch: Option<PathBuf>,
}

impl Arguments {
    pub(crate) async fn run(self, place: &DatabasePlace) -> anyhow::Result<ExitCode> {
        let mut kept = self.checkpoint.iter().map(|file| kept(file)).collect::<anyhow::Result<Vec<KeptNote>>>()?;
        let mut chains = Vec::new();
        for file in &self.bundle {
            let bundle = bundle(file)?;
            chains.extend(ShownChain::of(&bundle));
            if let Some(logged) = &bundle.logged {
                kept.push((file.clone(), logged.checkpoint.clone()));
            }
        }
        let scratch = self.scratch.unwrap_or_else(std::env::temp_dir);
        if let Some(url) = self.log.as_deref().filter(|url| url.starts_with("http://") || url.starts_with("https://")) {
            let policy = self.policy.as_deref().map(policy).transpose()?;
            let source = Source::site(url, &LogTrust { key: self.log_key, policy }).await?;
            let kept = Kept { trees: trees_of(&kept, &source)?, chains };
            let report = audit(source, kept, &scratch).await?;
            say!("{report}")?;
            return Ok(if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        anyhow::ensure!(
            self.policy.is_none(),
            "a policy judges the checkpoint that a site serves: name its https://..."
        );
        let own = self.log.is_none().then(|| place.checkpoint_file()).transpose()?;
        let missing_file = own.as_ref().filter(|file| !file.exists());
        if let Some(file) = own.as_ref().filter(|file| file.exists()) {
            kept.push(self::kept(file)?);
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
        let signed = store.signed_head().await.context("cannot read what was signed")?;
        let restored = store.restored(None).await.context("cannot read which submissions were put back")?;
        let missing = store.missing_submissions(None).await.context("cannot read which submissions are missing")?;
        let missing_file = missing_file.filter(|_| signed.is_some() && self.checkpoint.is_empty());
        let source = Source::database(store).await?;
        let kept = Kept { trees: trees_of(&kept, &source)?, chains };
        let mut report = audit(source, kept, &scratch).await?;
        if let Some(file) = missing_file {
            report.last_unknown = Some(format!(
                "{} is not there, so nothing outside the database says what was signed last. Name the file with \
                 --checkpoint-file, or any newer checkpoint that somebody kept with --checkpoint",
                file.display()
            ));
        }
        say!("{report}")?;
        say_lost(&restored, &missing)?;
        database.close().await?;
        Ok(if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// What the database had lost, by its own notes: no journal is read for this.
fn say_lost(restored: &NotedList, missing: &NotedList) -> anyhow::Result<()> {
    for (list, what) in [(restored, "put back"), (missing, "missing")] {
        if let Some(part) = list.part() {
            say!("{what}: {part} are listed")?;
        }
    }
    for NotedSubmission { match_id, decision, at } in &restored.newest {
        say!(
            "put back: a submission of match {match_id}, {decision}, which the database had lost, came back from a journal at \
             {at}"
        )?;
    }
    for NotedSubmission { match_id, decision, at } in &missing.newest {
        say!(
            "missing: a submission of match {match_id}, {decision}, was acknowledged, and is not in the record; a journal had \
             it at {at}"
        )?;
    }
    Ok(())
}

fn bundle(file: &Path) -> anyhow::Result<Bundle> {
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    Bundle::read(&bytes).with_context(|| format!("{} is no bundle", file.display()))
}

type KeptNote = (PathBuf, Note);

fn kept(file: &Path) -> anyhow::Result<KeptNote> {
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    let note = Note::read(&bytes).with_context(|| format!("{} is no checkpoint", file.display()))?;
    Ok((file.to_owned(), note))
}

/// The trees of kept checkpoints, each of which this log must have signed.
fn trees_of(kept: &[KeptNote], source: &Source) -> anyhow::Result<Vec<Tree>> {
    let tree =
        |(file, note): &KeptNote| source.tree_of(note).with_context(|| format!("the checkpoint in {}", file.display()));
    kept.iter().map(tree).collect()
}
