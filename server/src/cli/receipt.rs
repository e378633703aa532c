//! `matchbook receipt`: checks a player's receipts, without a database.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use ledger::Policy;
use record::Bundle;
use record::receipts::{ReceiptCheck, ReceiptFile, ReceiptStatus};

use super::verify::{self, BundleVerdict, plain, read};

/// Check a player's receipts, from their file alone or against the match.
///
/// Needs no database and no network. The file names the keys of host and log: compare them with those that the log's
/// pages show, or give a policy. The exit code is 0 where every receipt is proven, and 1 where one is not.
///
/// With the match's bundle, every receipt is looked up in it: it counted, it was replaced, it is not entered yet, or it is
/// evidence against the server. The exit code is then 0 where each receipt is whole, the bundle verifies and nothing in it
/// contradicts them, also where one is not entered yet; else 1.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The file (from the seat's page, or a receipt's), or - for the standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The match, from its page or matchbook export.
    #[arg(value_name = "BUNDLE")]
    bundle: Option<PathBuf>,
    /// Which logs and witnesses you trust, as a C2SP tlog-policy file.
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
}

impl Arguments {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let bytes = read(&self.file).with_context(|| format!("cannot read {}", self.file.display()))?;
        let file = ReceiptFile::read(&bytes).with_context(|| format!("{} holds no receipts", self.file.display()))?;
        let policy = self.policy.as_deref().map(verify::policy).transpose()?;
        let bundle = self.bundle.as_deref().map(bundle).transpose()?;
        let header = &file.header;
        say!("{} of match {} of {}", header.seat.0, header.match_id, header.origin)?;
        say!("host's key: {}", plain(&header.host_key))?;
        if let Some(log) = &header.log {
            say!("log's key:  {}", plain(&log.to_string()))?;
        }
        let none = Policy::read(b"quorum none\n").context("the policy does not read")?;
        let trusted = policy.as_ref().unwrap_or(&none);
        if !file.shows_host(trusted) && bundle.as_ref().is_none_or(|bundle| bundle.logged.is_none()) {
            say!(
                "Nothing here shows that this is the host's key: compare it with the one in the match's first entry. \
                 Under another key these receipts are nobody's word."
            )?;
        }
        let checked = file.check(trusted);
        let good = match &bundle {
            Some(bundle) => held_against(&file, &checked, bundle, policy.as_ref())?,
            None => {
                for one in &checked {
                    say!("{}: {}", plain(&one.name), plain(&one.status.to_string()))?;
                }
                checked.iter().all(|one| matches!(one.status, ReceiptStatus::Proven { .. }))
            }
        };
        Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

fn bundle(path: &Path) -> anyhow::Result<Bundle> {
    let bytes = read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Bundle::read(&bytes).with_context(|| format!("{} is no bundle", path.display()))
}

fn held_against(
    file: &ReceiptFile,
    checked: &[ReceiptCheck],
    bundle: &Bundle,
    policy: Option<&Policy>,
) -> anyhow::Result<bool> {
    let places = match file.find_in(bundle) {
        Ok(places) => places,
        Err(why) => {
            say!("{}", plain(&why.to_string()))?;
            return Ok(false);
        }
    };
    let judged = BundleVerdict::of(bundle, policy, &[]);
    say!("the bundle: {}", plain(&judged.verdict))?;
    let mut good = judged.good;
    for (one, place) in checked.iter().zip(places) {
        let broken = matches!(one.status, ReceiptStatus::Broken { .. });
        good &= !broken && place.as_ref().is_some_and(|place| !place.is_evidence());
        // Where the file has no proof of an entry, the bundle says more.
        if broken || matches!(one.status, ReceiptStatus::Proven { .. }) {
            say!("{}: {}", plain(&one.name), plain(&one.status.to_string()))?;
        }
        if let Some(place) = place {
            say!("{}: in the bundle: {}", plain(&one.name), plain(&place.to_string()))?;
        }
    }
    Ok(good)
}
