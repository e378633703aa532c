//! Talk that may hide a move. A line that names a player, or holds a word of the game, counts for nothing only in sight: beside it
//! stand the moves that it may be, and a button that leaves it out.

use engine::Seat;

use super::clause::players_named;
use super::fix::Who;
use super::message::Message;
use super::nearest::nearest;
use super::reader::{Reader, sentences};
use super::row::{Row, Taken};
use super::score::Score;
use super::statement::Statement;

/// Moves that are offered for one seat, where both are asked.
const OFFERED: usize = 2;

impl Reader<'_> {
    /// Puts buttons beside the lines of a message that are talk and may hide a move.
    pub(super) fn offers_moves(&mut self, message: &Message) {
        let who = self.speakers.who(&message.name);
        if who == Some(Who::Nobody) {
            return;
        }
        let by = who.and_then(Who::seat);
        for (at, words) in &message.parts {
            if self.rows.get(*at).is_some_and(is_open) {
                self.offers_moves_of(*at, words, by);
            }
        }
    }

    fn offers_moves_of(&mut self, at: usize, words: &str, by: Option<Seat>) {
        let is_talk = |said: &&str| Statement::of_all(said, &self.speakers).is_none();
        let talk: String = sentences(words).filter(is_talk).collect();
        let named = players_named(&talk, &self.speakers);
        let of_game =
            self.hearing.is_of_the_game(&talk) || self.rows.get(at).is_some_and(|row| row.taken == Taken::Passed);
        if named.is_empty() && !of_game {
            return;
        }
        let mut seats: Vec<Seat> = by.map_or(named, |seat| vec![seat]);
        if seats.is_empty() {
            seats.extend(Seat::BOTH);
        }
        seats.retain(|seat| self.hearing.is_asked((*seat).into()));
        let mut offered = Vec::new();
        for seat in &seats {
            let name = self.hearing.names()[*seat];
            let near = if of_game { nearest(self.hearing.duel(), (*seat).into(), &talk) } else { Vec::new() };
            let most = if seats.len() > 1 { OFFERED } else { near.len() };
            offered
                .extend(near.into_iter().take(most).map(|near| (format!("{name}: {near}"), format!("{name}: {near}"))));
            if !of_game && by.is_none() && self.hearing.reads(*seat, "-") {
                offered.push((format!("Nothing came from {name}"), format!("{name}: -")));
            }
        }
        let head = self.rounds.headed.get(&self.line(at)).map(|round| format!("Round {round}"));
        let Some(row) = self.row(at) else { return };
        if of_game && row.taken == Taken::Later {
            row.taken = Taken::Passed;
        }
        for (label, now) in offered {
            row.offer(label, head.iter().cloned().chain([now]).collect());
        }
        row.offer_ignore();
    }
}

/// Whether a row is talk of which nothing was understood.
fn is_open(row: &Row) -> bool {
    let talk = matches!(row.taken, Taken::Later | Taken::LeftOut | Taken::Passed);
    talk && row.wrong.is_none() && row.fixes.is_empty() && (row.words.is_empty() || row.words == Score::UNCOMPARED)
}
