//! Runs a parser on altered inputs. A case follows from its seed and its number, so that one that panicked comes again.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use engine::{SplitMix64, Stream};

use crate::mutation::altered;
use crate::parsers::Parser;

/// The panics that are reported.
const PANICS_MAX: usize = 5;

/// The outcome of a run.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) accepted: u64,
    pub(crate) refused: u64,
    /// The number of the case, and the message with the input.
    pub(crate) panics: Vec<(u64, String)>,
    pub(crate) took: Duration,
    /// The time of the slowest case, and its number.
    pub(crate) slowest: (Duration, u64),
}

/// Runs so many cases; it stops early after some panics.
#[expect(clippy::disallowed_methods, reason = "what is measured is time")]
pub(crate) fn run(parser: &Parser, seed: u64, cases: u64) -> Outcome {
    let (mut outcome, began) = (Outcome::default(), Instant::now());
    for case in 0..cases {
        let mut chance = SplitMix64(SplitMix64(seed ^ case.wrapping_mul(0x9e37_79b9)).word());
        let input = altered(&parser.inputs, &mut chance);
        let before = began.elapsed();
        let accepted = catch_unwind(AssertUnwindSafe(|| (parser.accepts)(&input)));
        outcome.slowest = outcome.slowest.max((began.elapsed() - before, case));
        match accepted {
            Ok(true) => outcome.accepted += 1,
            Ok(false) => outcome.refused += 1,
            Err(panic) => {
                let said = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
                let input = String::from_utf8_lossy(&input).into_owned();
                outcome.panics.push((case, format!("{}: {input:?}", said.unwrap_or_default())));
                if outcome.panics.len() == PANICS_MAX {
                    break;
                }
            }
        }
    }
    outcome.took = began.elapsed();
    outcome
}
