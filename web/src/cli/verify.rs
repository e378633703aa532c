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
                say!("{}: {}", path.display(), report.verdict)?;
            } else {
                say!("match {} of {}", bundle.match_id, bundle.origin)?;
                print(&report)?;
            }
        }
        Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    if path != Path::new("-") {
        return std::fs::read(path);
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn print(report: &Report) -> std::io::Result<()> {
    say!("{}\n", report.verdict)?;
    for Finding { number, title, status, summary, details } in &report.findings {
        say!("{number} {title}: {}", status.word())?;
        say!("  {summary}")?;
        for detail in details {
            let place = detail.entry.map(|entry| format!("entry {entry}: ")).unwrap_or_default();
            say!("  - {place}{}", detail.text)?;
            for (what, value) in [("expected", &detail.expected), ("found", &detail.found)] {
                if let Some(value) = value {
                    say!("    {what}: {value}")?;
                }
            }
        }
    }
    Ok(())
}
