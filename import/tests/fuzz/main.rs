//! Altered inputs for every parser: none may panic, and what is accepted keeps the laws. A case follows from its seed and its number,
//! so that one that panicked comes again.
//!
//! `MATCHBOOK_FUZZ_CASES` is the number of cases for each parser, of which whole bundles and imports get a hundredth, and
//! `MATCHBOOK_FUZZ_SEED` begins them (1). Without them it is a few, in every run of the tests:
//!
//! `MATCHBOOK_FUZZ_CASES=10000000 cargo test --release -p matchbook-import --test fuzz -- --nocapture`

mod mutation;
mod parsers;

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use engine::{SplitMix64, Stream};

use crate::mutation::altered;
use crate::parsers::parsers;

/// About two seconds of them all.
const CASES: u64 = 2_000;
/// Cases of what is read as a whole.
const WHOLE: u64 = 200;
/// A case of a campaign that takes longer is a fault.
const CASE_MAX: Duration = Duration::from_secs(2);
/// The panics that are reported.
const PANICS_MAX: usize = 5;

fn number(name: &str) -> Option<u64> {
    env::var(name).ok().map(|text| text.replace('_', "").parse().expect("a number"))
}

#[test]
#[expect(clippy::disallowed_methods, reason = "what is measured is time")]
fn no_altered_input_panics_and_some_are_accepted() {
    let (campaign, seed) = (number("MATCHBOOK_FUZZ_CASES"), number("MATCHBOOK_FUZZ_SEED").unwrap_or(1));
    for parser in parsers() {
        assert!(parser.inputs.iter().any(|input| (parser.accepts)(input)), "{}: no input is valid", parser.name);
        let cases = match campaign {
            Some(cases) if parser.whole => (cases / 100).max(1),
            Some(cases) => cases,
            None if parser.whole => WHOLE,
            None => CASES,
        };
        let (mut accepted, mut panics, mut slowest, began) = (0, Vec::new(), (Duration::ZERO, 0), Instant::now());
        for case in 0..cases {
            let mut chance = SplitMix64(SplitMix64(seed ^ case.wrapping_mul(0x9e37_79b9)).word());
            let input = altered(&parser.inputs, &mut chance);
            let before = began.elapsed();
            match catch_unwind(AssertUnwindSafe(|| (parser.accepts)(&input))) {
                Ok(is_accepted) => accepted += u64::from(is_accepted),
                Err(_) => panics.push((case, String::from_utf8_lossy(&input).into_owned())),
            }
            slowest = slowest.max((began.elapsed() - before, case));
            if panics.len() == PANICS_MAX {
                break;
            }
        }
        println!("{}: {accepted} of {cases} accepted in {:.1?}; slowest {slowest:?}", parser.name, began.elapsed());
        assert_eq!(panics, [], "{}", parser.name);
        assert!(accepted < cases, "{}: everything is accepted", parser.name);
        assert!(campaign.is_none() || slowest.0 <= CASE_MAX, "{}: {slowest:?}", parser.name);
    }
}
