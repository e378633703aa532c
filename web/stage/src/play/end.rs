//! The end of a match on a seat's page: who won, why, and what happens now.

use engine::{Outcome, Seat, Verdict};
use record::History;
use record::words::{result_sentence, sentence};

#[derive(Debug)]
pub(super) struct MatchEnd {
    pub(super) kind: &'static str,
    pub(super) title: String,
    pub(super) why: String,
    pub(super) now: &'static str,
}

const SHORT_MAX_CHARS: usize = 120;

impl MatchEnd {
    pub(super) fn of(history: &History, seat: Seat) -> Option<Self> {
        let outcome = history.outcome();
        if !outcome.is_over() {
            return None;
        }
        let is_void = matches!(outcome, Outcome::Over(ending) if ending.verdict == Verdict::Void);
        let (kind, who) = match outcome.winner() {
            Some(winner) if winner == seat => ("won", "You won".to_owned()),
            Some(winner) => ("lost", format!("{} won", history.name(winner))),
            None if is_void => ("drawn", "The match does not count".to_owned()),
            None => ("drawn", "Nobody won".to_owned()),
        };
        let score = outcome.winner().and_then(|winner| score(history, winner));
        let title = score.map_or_else(|| who.clone(), |[won, lost]| format!("{who}, {won} to {lost}"));
        // The title says who won; why is what the umpire says, where a ruling ended it.
        let names = history.both_names();
        let why = history.ending_ruling().map_or_else(|| result_sentence(outcome, names), sentence);
        let now = if history.is_ended() { "" } else { "Waiting for the umpire to confirm." };
        Some(Self { kind, title, why, now })
    }

    /// True if the reason comes after the buttons, because a phone has no room for it above them.
    pub(super) fn is_long(&self) -> bool {
        self.why.chars().count() > SHORT_MAX_CHARS
    }
}

/// The winner's first figure and the other seat's; none if the winner has no more of it, because it did not decide.
fn score(history: &History, winner: Seat) -> Option<[u32; 2]> {
    let figures = history.duel().figures();
    let first = figures.iter().find(|figure| figure.seat.is_some())?.name.clone();
    let of = |seat| figures.iter().find(|figure| figure.name == first && figure.seat == Some(seat));
    let (won, lost) = (of(winner)?.value, of(winner.other())?.value);
    (won > lost).then_some([won, lost])
}
