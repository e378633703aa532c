//! A second resolver for Five-Card Trick, made of tables and written from the rule posts alone, compared with the
//! engine: all joint moves of a round, in every ruleset.
//!
//! It shares nothing with the engine, and stores only what a referee would write down. A round depends on the actions
//! that count for each seat and on the bars among them. The actions that count for a seat depend only on its own last
//! two rounds, and its lights on those actions. So each part is tried completely, one after the other, with all that it
//! depends on: every course of two rounds with everything that can be sent after it, every bar with all joint moves,
//! every row of lights with all that can be sent. All joint moves after some random courses would show a dependence
//! that was missed.

mod comparison;
mod resolver;
mod stages;
mod submissions;

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
