//! `matchbook watch`: follows a log for good.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use app::system::System;
use audit::watch::{Alarm, Watch, WatchError, WatchOptions, WatchedKey};
use clap::Args;

use super::verify::{plain, policy};

const DAY: u64 = 24 * 60 * 60;

/// Follow a log for good, and say what contradicts what was seen before.
///
/// Looks at the log again and again, reads what is new, and keeps what it saw. Says, in one line each: a checkpoint that
/// does not extend the kept one (fork, kept beside it as proof), or is smaller; one that does not satisfy the policy, or
/// is late; entries that do not follow from each other, two chains with one match id, a root that the log never had,
/// tiles and host keys that differ; matches that never end; and the use of keys that you name. It does not replay
/// matches: matchbook audit does. After any end, kill -9 too, it goes on where it was, and says nothing less.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The address of the site.
    #[arg(value_name = "URL")]
    url: String,
    /// Which log it is, and which witnesses must have cosigned, as a C2SP tlog-policy file.
    #[arg(long, value_name = "FILE")]
    policy: PathBuf,
    /// The folder for what was seen: one for each log. Its file checkpoint is the last one that was accepted.
    #[arg(long, value_name = "FOLDER")]
    keep: PathBuf,
    /// Look once. The exit code is 0 where there is nothing to say, 1 where there is, and 2 where the log cannot be read.
    #[arg(long)]
    once: bool,
    /// The time between two looks. After an error: 1, 2, 4, up to 60 seconds.
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    interval: u64,
    /// Say when the newest tree is older than this, by its witnesses' clocks, or without witnesses since it was first seen.
    #[arg(long, value_name = "SECONDS")]
    late: Option<u64>,
    /// Say which matches were opened longer ago than this and have not ended, those whose draws were fixed by themselves.
    #[arg(long, default_value_t = 30, value_name = "DAYS", value_parser = clap::value_parser!(u64).range(1..=36_500))]
    stale: u64,
    /// Say when this key is registered for a seat: a public key in base64, with a name for it before = if you like. May
    /// come several times.
    #[arg(long = "key", value_name = "NAME=KEY", value_parser = watched)]
    keys: Vec<WatchedKey>,
}

impl Arguments {
    pub(crate) async fn run(self) -> anyhow::Result<ExitCode> {
        let policy = policy(&self.policy)?;
        anyhow::ensure!(
            !policy.logs().is_empty(),
            "the policy names no log: add its line, as the site's page /log shows it"
        );
        let options = WatchOptions {
            policy,
            late: self.late.map(Duration::from_secs),
            stale: Duration::from_secs(self.stale * DAY),
            keys: self.keys,
        };
        let mut watch = Watch::open(&self.url, options, &self.keep, Arc::new(System::real()))?;
        let mut say = |alarm: &Alarm| spoken(&alarm.to_string());
        if !self.once {
            let mut failed = |error: &WatchError| drop(spoken(&format!("unread: {error}")));
            watch.follow(Duration::from_secs(self.interval), &mut say, &mut failed).await?;
            return Ok(ExitCode::FAILURE);
        }
        match watch.look(&mut say).await {
            Ok(look) => {
                let size = look.tree.map_or(0, |tree| tree.size.0);
                let said = match look.alarms {
                    0 => "nothing to say".to_owned(),
                    1 => "1 thing to look at".to_owned(),
                    more => format!("{more} things to look at"),
                };
                spoken(&format!("seen: {size} entries of {} matches; {said}", look.matches)).context("the output")?;
                Ok(if look.alarms == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
            }
            Err(error) if error.may_pass() => {
                spoken(&format!("unread: {error}")).context("the output")?;
                Ok(ExitCode::from(2))
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// A line of the output, at once. What is in it comes from the log, and may command no terminal.
fn spoken(line: &str) -> io::Result<()> {
    say!("{}", plain(line))?;
    io::stdout().flush()
}

fn watched(text: &str) -> Result<WatchedKey, String> {
    // A key's base64 ends with the only = in it.
    let (name, key) = match text.split_once('=') {
        Some((name, key)) if !key.is_empty() => (name, key),
        _ => (text, text),
    };
    let key = key.parse().map_err(|why| format!("{key} is no key: {why}"))?;
    Ok(WatchedKey { name: name.to_owned(), key })
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_key_may_have_a_name() {
        let key = "A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=";
        assert_eq!(super::watched(key).unwrap().name, key);
        let named = super::watched(&format!("Ada={key}")).unwrap();
        assert_eq!((named.name.as_str(), named.key.to_string().as_str()), ("Ada", key));
        assert!(super::watched("Ada=x").unwrap_err().starts_with("x is no key: "));
    }
}
