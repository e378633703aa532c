//! The first cases of `benches/fuzz`, in every run of the tests.

#[path = "../benches/fuzz/mutation.rs"]
mod mutation;
#[path = "../benches/fuzz/parsers.rs"]
mod parsers;
#[path = "../benches/fuzz/run.rs"]
mod run;

use crate::parsers::parsers;
use crate::run::{Outcome, run};

/// Cases for each parser: about two seconds of them all.
const CASES: u64 = 2_000;
/// Cases of what is read as a whole.
const WHOLE: u64 = 200;

#[test]
fn no_altered_input_panics_and_some_are_accepted() {
    for parser in parsers() {
        assert!(parser.inputs.iter().any(|input| (parser.accepts)(input)), "{}: no input is valid", parser.name);
        let cases = if parser.whole { WHOLE } else { CASES };
        let Outcome { accepted, refused, panics, took, .. } = run(&parser, 1, cases);
        println!("{}: {accepted} accepted and {refused} refused in {took:?}", parser.name);
        assert_eq!(panics, [], "{}", parser.name);
        assert!(refused > 0, "{}: everything is accepted", parser.name);
    }
}
