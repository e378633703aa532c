//! `matchbook import`: enters matches of the past.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use record::write::Import;

use super::DatabasePlace;
use super::open::Opened;
use crate::account;
use crate::book::{Act, by_umpire, form_of, slug};

/// Enter finished matches in Death Match Notation into the record.
///
/// A file that was entered before is not entered twice, so that a run that was cut short can be repeated. Files with
/// errors are skipped and named, with line and column; the exit code is 1 then.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// DMN files, folders of them (searched for *.dmn), or - for the standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The umpire who enters them, by name (matchbook umpire list).
    #[arg(long, value_name = "NAME")]
    umpire: String,
    /// Where they come from, such as the address of a post.
    #[arg(long, value_name = "TEXT")]
    source: Option<String>,
}

impl Arguments {
    pub(crate) async fn run(self, place: &DatabasePlace) -> anyhow::Result<ExitCode> {
        let files = super::dmn_files(&self.files)?;
        let opened = Opened::open(place, None).await?;
        let umpire = account::named(opened.book.pool(), &self.umpire).await?;
        let (mut entered, mut skipped) = (0, 0);
        for file in &files {
            let text = super::replay::read(file)?;
            match Import::read(&text) {
                Ok(import) => {
                    let source = self.source.as_deref();
                    let form = form_of(&["import", &text, source.unwrap_or_default()]);
                    let act = Act { by: by_umpire(&umpire.id), form };
                    let match_id = opened.book.import(&act, &import, source).await?;
                    say!("{}: /m/{}", file.display(), slug(match_id))?;
                    entered += 1;
                }
                Err(errors) => {
                    skipped += 1;
                    for error in errors {
                        eprintln!("{}: {error}", file.display());
                    }
                }
            }
        }
        say!("{entered} entered, {skipped} skipped")?;
        opened.close().await?;
        Ok(if skipped == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}
