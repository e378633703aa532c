//! Five-Card Trick a second time, by tables and written from the rule posts alone, against the engine: all joint moves
//! of a round, in every ruleset.
//!
//! It shares nothing with the engine, and nothing is kept that a referee would not write down. What a round does hangs on
//! what counts for each seat, and on which of it is barred; what counts for a seat hangs on its own two last rounds and on
//! nothing else; the lights of a seat hang on what counts for it. So these are gone through to the end one after the
//! other, each time with all that it hangs on: every course of two rounds with everything that can be sent after it,
//! every bar with all joint moves, every row of lights with all that can be sent. All joint moves after some random
//! courses would show it if these hung together after all.

extern crate matchbook_engine as engine;

mod course;
mod resolver;
mod sent;
mod stages;

use resolver::Hosting;
use stages::compare;

const fn word(action: char) -> &'static str {
    match action {
        's' => "score",
        'g' => "grow",
        'c' => "claim",
        't' => "steal",
        _ => "block",
    }
}

#[test]
fn zeros_gauntlet() {
    compare("five-card-trick/zeros-gauntlet", Hosting::Exact, &word);
}

#[test]
fn the_final() {
    compare("five-card-trick/zeros-gauntlet-final", Hosting::Doubles, &word);
}

#[test]
fn dm_colosseum_2() {
    compare("five-card-trick/dm-colosseum-2", Hosting::Free, &word);
}

#[test]
fn legends_untold() {
    compare("five-card-trick/legends-untold", Hosting::Free, &|action| {
        if action == 'g' { "raise" } else { word(action) }
    });
}

#[test]
fn genius_puzzler() {
    compare("five-card-trick/genius-puzzler", Hosting::Free, &word);
}
