//! Answers that the umpire typed for a seat, and that were sent after the deadline: admitted by a ruling, or without
//! one.

use super::finding::Detail;
use crate::history::History;
use crate::rule::Rule;

pub(super) fn details(history: &History) -> Vec<Detail> {
    let late = history.seals.iter().filter_map(|seal| Some((seal, seal.whose.seat()?, seal.missed?)));
    let told = late.map(|(seal, seat, missed)| {
        let admitted = match history.admitted(&seal.decision, seat) {
            Some(ruling) => format!("admitted by the ruling of entry {ruling}"),
            None => "which no ruling admits".to_owned(),
        };
        let whose = history.seat_words(seat, &seal.decision);
        let text = format!("{whose}: typed by the umpire, due at {missed} and sent later, {admitted}");
        Detail::note(Rule::TypedLate, text, Some(seal.entry), None)
    });
    told.collect()
}
