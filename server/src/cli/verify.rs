//! `matchbook verify`: checks bundles without a database, and without trusting their source.

mod comparison;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use app::beacon_rounds;
use app::fetch::{Fetch, Limits};
use clap::Args;
use ledger::Policy;
use record::verify::{Check, Finding, Report};
use record::{Bundle, KnownPlayer, KnownPlayerError};

use comparison::Comparison;

/// Check matches, each from its bundle alone.
///
/// Prints the verdict and the eight findings. Needs no database, and no network for files. The exit code is 0 where
/// nothing is wrong, and 1 where a bundle fails, cannot be checked, or does not show that its match is in the log; with a
/// policy also where the log's checkpoint does not satisfy it. Several bundles of one log are held against each other: it
/// has one history and one host key, and each match one chain.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Bundles (from the match's page, or matchbook export), the addresses of matches, or - for the standard input.
    #[arg(required = true, value_name = "BUNDLE|URL")]
    bundles: Vec<String>,
    /// Judge the log's checkpoints by this policy (C2SP tlog-policy): which logs are known, and which witnesses must have
    /// cosigned. Without one, the log's key is only what the bundle says.
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Fail unless this player has a seat, and vouched for its key as a registered player: the name as in the match, and
    /// any key that ever was the player's, from the player and not from the site. May come several times.
    #[arg(long = "player", value_name = "NAME=KEY", value_parser = asked)]
    asked: Vec<KnownPlayer>,
    /// The players that you know, one NAME=KEY a line: where a seat of a live match has such a name, that player must
    /// have vouched for its key. In a match that an umpire recorded it is said that nothing shows it.
    #[arg(long, value_name = "FILE")]
    players: Option<PathBuf>,
    /// Print the verdict alone.
    #[arg(long)]
    quiet: bool,
}

/// The largest bundle that is downloaded: entries of 64 kB are rare, and a match has some hundreds of small ones.
const LIMITS: Limits = Limits { time: Duration::from_secs(30), bytes: 64 << 20 };

impl Arguments {
    pub(crate) async fn run(&self) -> anyhow::Result<ExitCode> {
        let policy = self.policy.as_deref().map(policy).transpose()?;
        let mut known = self.players.as_deref().map(players).transpose()?.unwrap_or_default();
        known.extend(self.asked.iter().cloned());
        let (mut good, mut together) = (true, Comparison::default());
        for place in &self.bundles {
            let bundle = match bundle(place).await {
                Ok(bundle) => bundle,
                Err(error) if self.bundles.len() > 1 => {
                    // The others are checked all the same.
                    eprintln!("matchbook: {error:#}");
                    good = false;
                    continue;
                }
                Err(error) => return Err(error),
            };
            let BundleVerdict { report, host_key, good: is_good, verdict } =
                BundleVerdict::of(&bundle, policy.as_ref(), &known);
            good &= is_good;
            let verdict = plain(&verdict);
            if self.quiet {
                say!("{place}: {verdict}")?;
            } else {
                say!("match {} of {}", bundle.match_id, bundle.origin)?;
                say!("{verdict}\n")?;
                print(&report)?;
            }
            let holds = report.is_good();
            for contradiction in together.contradictions(place, bundle, host_key, holds) {
                say!("{place}: {}", plain(&contradiction))?;
                good = false;
            }
        }
        Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

async fn bundle(place: &str) -> anyhow::Result<Bundle> {
    let bytes = bytes(place).await.with_context(|| format!("cannot read {place}"))?;
    Bundle::read(&bytes).with_context(|| format!("{place} is no bundle"))
}

pub(super) struct BundleVerdict {
    report: Report,
    host_key: Option<String>,
    pub(super) good: bool,
    pub(super) verdict: String,
}

impl BundleVerdict {
    pub(super) fn of(bundle: &Bundle, policy: Option<&Policy>, known: &[KnownPlayer]) -> Self {
        let check = Check::of(bundle, policy).with_players(known).with_rounds(beacon_rounds::is_signed);
        let report = check.report();
        let verdict = report.words(check.history());
        let host_key = check.history().map(|history| history.opened.host_key.clone());
        // The checkpoint names the later ones.
        let host_key = host_key.filter(|key| !check.later_host_keys().contains(key));
        Self { good: report.is_accepted(), verdict, host_key, report }
    }
}

pub(super) fn policy(path: &Path) -> anyhow::Result<Policy> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Policy::read(&bytes).with_context(|| format!("{} is no policy", path.display()))
}

fn asked(text: &str) -> Result<KnownPlayer, String> {
    let known: KnownPlayer = text.parse().map_err(|error: KnownPlayerError| error.to_string())?;
    Ok(KnownPlayer { asked: true, ..known })
}

fn players(path: &Path) -> anyhow::Result<Vec<KnownPlayer>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    KnownPlayer::read_all(&text).with_context(|| format!("{} is no file of players", path.display()))
}

async fn bytes(place: &str) -> anyhow::Result<Vec<u8>> {
    if place.starts_with("http://") || place.starts_with("https://") {
        let fetched = Fetch::new(LIMITS).get(&bundle_address(place)).await?;
        anyhow::ensure!(fetched.status.is_success(), "the site answered {}", fetched.status);
        return Ok(fetched.body.to_vec());
    }
    Ok(read(Path::new(place))?)
}

pub(super) fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    if path != Path::new("-") {
        return std::fs::read(path);
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The address of a match's bundle, from the address of any of its pages: `/m/NAME`, and the rest is ignored.
fn bundle_address(address: &str) -> String {
    let page = address.split(['?', '#']).next().unwrap_or(address);
    match page.split_once("/m/") {
        Some((site, rest)) => {
            let name = rest.split(['/', '.']).next().unwrap_or(rest);
            format!("{site}/m/{name}.bundle")
        }
        None => page.to_owned(),
    }
}

fn print(report: &Report) -> std::io::Result<()> {
    for Finding { number, title, status, summary, rules, details } in &report.findings {
        say!("{number} {title}: {}", status.word())?;
        let rules: String = rules.iter().map(|rule| format!(" [{rule}]")).collect();
        say!("  {}{rules}", plain(summary))?;
        for detail in details {
            let place = detail.entry.map(|entry| format!("entry {entry}: ")).unwrap_or_default();
            say!("  - {place}{} [{}]", plain(&detail.text), detail.rule)?;
            for (what, value) in [("expected", &detail.expected), ("found", &detail.found)] {
                if let Some(value) = value {
                    say!("    {what}: {}", plain(value))?;
                }
            }
        }
    }
    Ok(())
}

/// A text of a bundle with control characters made harmless: a bundle can come from anybody.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_bundle_of_any_page_of_a_match() {
        for page in ["", "/", ".bundle", ".dmn", "/verify", "/verify#e7", "/r/7b/after?x=1", "#r7"] {
            let address = format!("https://matchbook.example/m/eqpa33a7jn{page}");
            assert_eq!(super::bundle_address(&address), "https://matchbook.example/m/eqpa33a7jn.bundle");
        }
    }

    #[test]
    fn a_hostile_bundle_commands_no_terminal() {
        assert_eq!(super::plain("\u{1b}[2J Ada\u{202e}"), "\\u{1b}[2J Ada\\u{202e}");
        assert_eq!(super::plain("Ada – Bo: pot 3"), "Ada – Bo: pot 3");
    }
}
