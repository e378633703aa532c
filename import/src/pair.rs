//! Two moves in the order of the seats, on a line that also says more: of what came of them, or with a name among them.

use engine::Seat;

use super::clause::{Clause, How, clauses, players_named};
use super::reader::{Reader, sentences};

impl Reader<'_> {
    /// Two moves in a first sentence without names, where the next ones name the players: "Steal / Grow. Ada gets the pot."
    pub(super) fn pair_before(&self, words: &str) -> Option<Vec<Clause>> {
        let first = sentences(words).next().filter(|first| first.len() < words.len())?;
        let (How::Pair, pair) = clauses(first, &self.speakers)? else { return None };
        let told = self.told(&pair);
        (told.doubt.is_none() && told.seats().count() == 2).then_some(pair)
    }

    /// Two moves in the order of the seats, where something of the game is before a name among them: "Score, and here Ada used
    /// Limit Reset / Grow".
    pub(super) fn pair_with_name(&self, words: &str) -> Option<Vec<Clause>> {
        let parts: Vec<&str> = words.split(" / ").collect();
        let [one, other] = parts.as_slice() else { return None };
        let own = |seat: Seat, part: &str| players_named(part, &self.speakers).iter().all(|named| *named == seat);
        let name = self.hearing.names()[Seat::P1];
        let before = one.find(name).and_then(|at| one.get(..at)).filter(|_| !name.is_empty())?;
        let of_game = self.hearing.is_of_the_game(before) && self.hearing.is_of_the_game(other);
        (of_game && own(Seat::P1, one) && own(Seat::P2, other)).then(|| {
            let clause = |seat: Seat, said: &str| Clause { marked: true, ..Clause::of(seat, said) };
            vec![clause(Seat::P1, &one.replacen(name, "", 1)), clause(Seat::P2, other)]
        })
    }
}
