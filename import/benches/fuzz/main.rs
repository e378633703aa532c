//! Altered inputs for every parser: none may panic, and what is accepted keeps the laws.
//!
//! `MATCHBOOK_FUZZ_CASES` is the number of cases for each parser (20,000), of which whole bundles and imports get a hundredth;
//! `MATCHBOOK_FUZZ_SEED` begins them (1). A name after `--` chooses a parser:
//!
//! `MATCHBOOK_FUZZ_CASES=10000000 cargo bench -p matchbook-import --bench fuzz -- policy`

mod mutation;
mod parsers;
mod run;

use std::env;
use std::process::ExitCode;
use std::time::Duration;

use crate::parsers::parsers;
use crate::run::{Outcome, run};

const CASES: u64 = 20_000;
/// A case that takes longer is a fault.
const CASE_MAX: Duration = Duration::from_secs(2);

fn number(name: &str, otherwise: u64) -> u64 {
    env::var(name).ok().and_then(|text| text.replace('_', "").parse().ok()).unwrap_or(otherwise)
}

fn main() -> ExitCode {
    let chosen: Vec<String> = env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let (cases, seed) = (number("MATCHBOOK_FUZZ_CASES", CASES), number("MATCHBOOK_FUZZ_SEED", 1));
    println!(
        "{:>10} {:>12} {:>12} {:>12} {:>12} {:>12}",
        "parser", "cases", "accepted", "refused", "in a second", "slowest"
    );
    let mut faulty = false;
    for parser in parsers().iter().filter(|parser| chosen.is_empty() || chosen.iter().any(|name| name == parser.name)) {
        let cases = if parser.whole { (cases / 100).max(1) } else { cases };
        let Outcome { accepted, refused, panics, took, slowest: (slowest, slow) } = run(parser, seed, cases);
        let rate = cases as f64 / took.as_secs_f64().max(1e-9);
        println!(
            "{:>10} {cases:>12} {accepted:>12} {refused:>12} {rate:>12.0} {:>12}",
            parser.name,
            format!("{slowest:.1?}")
        );
        for (case, said) in panics {
            println!("    case {case} of seed {seed} panicked: {said}");
            faulty = true;
        }
        if slowest > CASE_MAX {
            println!("    case {slow} of seed {seed} took {slowest:?}");
            faulty = true;
        }
    }
    if faulty { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
