//! `matchbook replay`: plays DMN files through the engine and prints the results described in the notation's page.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use engine::dmn::{Error, Replay};
use engine::{Duel, Outcome, Sight};
use serde_json::json;

/// Play matches in Death Match Notation, and print what comes of them.
///
/// Prints one JSON object a line: with --states every state, then the result. A file that does not read or play ends
/// with its errors (line, column, what stood there, what was expected) and exit code 1.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// DMN files, folders of them (searched for *.dmn), or - for the standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Print the state after every step.
    #[arg(long)]
    states: bool,

    /// Print with each state what a search of it finds, where the game has such a question: in Thwart 13, whether each
    /// seat could still complete a valid set, with one such set.
    #[arg(long, requires = "states")]
    analyse: bool,

    /// Print one line a file: its name and its result.
    #[arg(long, conflicts_with = "states")]
    quiet: bool,
}

impl Arguments {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let mut out = BufWriter::new(io::stdout().lock());
        let files = super::files::of_kinds(&self.files, &["dmn"])?.found;
        let several = files.len() > 1;
        let mut good = true;
        for file in &files {
            let text = read(file)?;
            if let Err(errors) = self.replay(file, &text, &mut out)? {
                good = false;
                out.flush()?;
                for error in errors {
                    if several || self.quiet {
                        eprint!("{}: ", super::files::shown(file));
                    }
                    eprintln!("{error}");
                }
            }
        }
        out.flush()?;
        Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn replay(&self, file: &Path, text: &str, out: &mut impl Write) -> io::Result<Result<(), Vec<Error>>> {
        let mut replay = match Replay::open(text) {
            Ok(replay) => replay,
            Err(errors) => return Ok(Err(errors)),
        };
        while let Some(played) = replay.play(None) {
            match played {
                Ok(line) if self.states => {
                    let (text, state) = (json!(line.played.text), replay.duel().state(Sight::Everything));
                    write!(out, r#"{{"step":{},"line":{},"text":{text},"state":{state}"#, line.step, line.line)?;
                    if self.analyse {
                        write!(out, r#","insights":{}"#, insights(replay.duel()))?;
                    }
                    writeln!(out, "}}")?;
                }
                Ok(_) => {}
                Err(errors) => return Ok(Err(errors)),
            }
        }
        match replay.finish() {
            Ok(outcome) if self.quiet => writeln!(out, "{}: {}", super::files::shown(file), sentence(outcome))?,
            Ok(outcome) => {
                let winner = json!(outcome.winner().map(engine::Seat::word));
                let (status, reason) = (outcome.status(), outcome.reason());
                writeln!(out, r#"{{"result":{{"status":"{status}","winner":{winner},"reason":"{reason}"}}}}"#)?;
            }
            Err(error) => return Ok(Err(vec![error])),
        }
        Ok(Ok(()))
    }
}

fn insights(duel: &Duel) -> serde_json::Value {
    let insight = |insight: engine::Insight| json!({ "seat": insight.seat.word(), "what": insight.what, "holds": insight.holds, "witness": insight.witness });
    duel.analyse().into_iter().map(insight).collect()
}

fn sentence(outcome: Outcome) -> String {
    match outcome.winner() {
        Some(seat) => format!("{} {seat} {}", outcome.status(), outcome.reason()),
        None => format!("{} {}", outcome.status(), outcome.reason()).trim_end().to_owned(),
    }
}

fn read(file: &Path) -> anyhow::Result<String> {
    let bytes = super::files::bytes(file).with_context(|| format!("cannot read {}", super::files::shown(file)))?;
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        anyhow::anyhow!("{}: line {line}: expected UTF-8", super::files::shown(file))
    })
}
