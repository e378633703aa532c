//! `matchbook receipt`: checks a player's receipts, without a database.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use ledger::Policy;
use record::receipts::{ReceiptFile, ReceiptStatus};

use super::verify::{plain, read};

/// Check a player's receipts, from their file alone.
///
/// Needs no database and no network. The file names the keys of host and log: compare them with those that the log's
/// pages show, or give a policy. The exit code is 0 where every receipt is proven, and 1 where one is not.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The file (from the seat's page, or a receipt's), or - for the standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Which logs and witnesses you trust, as a C2SP tlog-policy file.
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
}

impl Arguments {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let bytes = read(&self.file).with_context(|| format!("cannot read {}", self.file.display()))?;
        let file = ReceiptFile::read(&bytes).with_context(|| format!("{} holds no receipts", self.file.display()))?;
        let policy = match &self.policy {
            Some(path) => std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?,
            None => b"quorum none\n".to_vec(),
        };
        let policy = Policy::read(&policy).context("the policy does not read")?;
        let header = &file.header;
        say!("{} of match {} of {}", header.seat.0, header.match_id, header.origin)?;
        say!("host's key: {}", plain(&header.host_key))?;
        if let Some(log) = &header.log {
            say!("log's key:  {}", plain(&log.to_string()))?;
        }
        if !file.shows_host(&policy) {
            say!(
                "Nothing in the file shows that this is the host's key: compare it with the one in the match's first entry. \
                 Under another key these receipts are nobody's word."
            )?;
        }
        let mut good = true;
        for checked in file.check(&policy) {
            good &= matches!(checked.status, ReceiptStatus::Proven { .. });
            say!("{}: {}", plain(&checked.name), plain(&checked.status.to_string()))?;
        }
        Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}
