//! `matchbook verify`: checks bundles, without a database.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use record::Bundle;
use record::verify::{Finding, Report, verify};

/// Check matches, each from its bundle alone.
///
/// Prints the verdict and the eight findings. Needs no database and no network. The exit code is 0 where nothing is
/// wrong, and 1 where a bundle fails or cannot be checked.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Bundles (from the match's page, or matchbook export), or - for the standard input.
    #[arg(required = true, value_name = "BUNDLE")]
    bundles: Vec<PathBuf>,
    /// Print the verdict alone.
    #[arg(long)]
    quiet: bool,
}

impl Arguments {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let mut good = true;
        for path in &self.bundles {
            let bytes = read(path).with_context(|| format!("cannot read {}", path.display()))?;
            let bundle = Bundle::read(&bytes).with_context(|| format!("{} is no bundle", path.display()))?;
            let report = verify(&bundle);
            good &= report.is_good();
            if self.quiet {
                say!("{}: {}", path.display(), plain(&report.verdict.to_string()))?;
            } else {
                say!("match {} of {}", bundle.match_id, bundle.origin)?;
                print(&report)?;
            }
        }
        Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

pub(super) fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    if path != Path::new("-") {
        return std::fs::read(path);
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn print(report: &Report) -> std::io::Result<()> {
    say!("{}\n", plain(&report.verdict.to_string()))?;
    for Finding { number, title, status, summary, details } in &report.findings {
        say!("{number} {title}: {}", status.word())?;
        say!("  {}", plain(summary))?;
        for detail in details {
            let place = detail.entry.map(|entry| format!("entry {entry}: ")).unwrap_or_default();
            say!("  - {place}{}", plain(&detail.text))?;
            for (what, value) in [("expected", &detail.expected), ("found", &detail.found)] {
                if let Some(value) = value {
                    say!("    {what}: {}", plain(value))?;
                }
            }
        }
    }
    Ok(())
}

/// A text of a bundle without what a terminal would take for a command: a bundle can come from anybody.
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
    fn a_hostile_bundle_commands_no_terminal() {
        assert_eq!(super::plain("\u{1b}[2J Ada\u{202e}"), "\\u{1b}[2J Ada\\u{202e}");
        assert_eq!(super::plain("Ada – Bo: pot 3"), "Ada – Bo: pot 3");
    }
}
