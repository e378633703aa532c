//! `matchbook export`: a match as a file.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, ValueEnum};

use super::DatabasePlace;
use super::open::OpenApp;

/// Write a match to a file.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The match: its short name, as in /m/NAME, or its id.
    #[arg(value_name = "MATCH")]
    name: String,
    /// What to write.
    #[arg(long, value_enum, default_value_t = Format::Bundle)]
    format: Format,
    /// The same as --format html.
    #[arg(long, conflicts_with = "format")]
    html: bool,
    /// The file; the standard output without it.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What a match can be written as.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// Everything that a verifier needs: entries verbatim, and the texts that exist.
    Bundle,
    /// One page that shows the match and checks it, from a disk and without any network.
    Html,
    /// Death Match Notation.
    Dmn,
    /// The entries, verbatim, one a line.
    Ndjson,
}

impl Arguments {
    pub(crate) async fn run(self, place: &DatabasePlace) -> anyhow::Result<ExitCode> {
        let open_app = OpenApp::open(place, None).await?;
        let app = &open_app.app;
        app.index.follow().await?;
        let match_id = match self.name.parse() {
            Ok(match_id) => match_id,
            Err(_) => app.matches.recorded_match_of(&self.name).await?,
        };
        let bytes = match if self.html { Format::Html } else { self.format } {
            Format::Bundle => app.public_log.bundle(match_id).await?.write(),
            Format::Html => {
                web::verify::file(&app.public_log.bundle(match_id).await?, app.public_log.policy_text())?.into_bytes()
            }
            Format::Dmn => record::dmn(&*app.matches.history(match_id).await?).into_bytes(),
            Format::Ndjson => {
                let mut lines = app.public_log.bundle(match_id).await?.lines;
                lines.iter_mut().for_each(|line| line.push(b'\n'));
                lines.concat()
            }
        };
        match &self.output {
            Some(file) => std::fs::write(file, bytes).with_context(|| format!("cannot write {}", file.display()))?,
            None => std::io::stdout().lock().write_all(&bytes)?,
        }
        open_app.close().await?;
        Ok(ExitCode::SUCCESS)
    }
}
