//! Talk that may hide a move. A line that names a player, or holds a word of the game, counts for nothing only in sight: beside it
//! stand the moves that it may be, and a button that leaves it out.

use engine::Seat;

use super::clause::players_named;
use super::clean::clean;
use super::fix::Who;
use super::message::Message;
use super::nearest::nearest;
use super::reader::{Reader, sentences};
use super::row::{Row, Taken};
use super::score::Score;
use super::statement::{Statement, UNCHECKED};
use super::times::without_time;
use super::wording::{self, is_in};

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
                self.claims(*at, words, by);
            }
        }
    }

    /// Keeps a result or a score that talk states in any words. What is not understood of it is shown as not checked.
    fn claims(&mut self, at: usize, words: &str, by: Option<Seat>) {
        // "Black goes home" may be taken for Black's own words. To whom a player says "you" is not known.
        // The time at which a line was written is no score.
        let untimed = |source| if without_time(words).0 { source } else { without_time(source).1 };
        let source = self.rows.get(at).map_or_else(String::new, |row| clean(untimed(&row.source)));
        let to_other = wording::words(words).any(|word| is_in("you your u ur", &word.to_lowercase()));
        let said = if by.is_some() && !to_other { source.as_str() } else { words };
        // What the words state is kept already; what only the whole line states is not.
        let is_kept = |said: &str| Statement::of_all(said, &self.speakers).is_some();
        let whole = said != words && !sentences(words).any(is_kept);
        let is_free = |said: &&str| {
            let of_part = |part: &Statement| !matches!(part, Statement::Value { .. });
            let parts = Statement::of_parts(said, &self.speakers);
            !parts.iter().any(of_part) && (whole || !is_kept(said))
        };
        let free: Vec<&str> = sentences(said).filter(is_free).collect();
        let claimed = free.iter().any(|said| Statement::is_claimed(said, &self.speakers));
        let states = |said: &&str| {
            let all = if whole { Statement::of_all(said, &self.speakers) } else { None };
            all.or_else(|| Statement::loosely(said, &self.speakers))
        };
        let stated: Vec<Statement> = free.iter().filter_map(states).collect();
        if !claimed && stated.is_empty() {
            return;
        }
        stated.into_iter().for_each(|stated| self.keeps(at, "", stated, self.hearing.steps().len()));
        if let Some(row) = self.row(at).filter(|row| row.words.is_empty()) {
            UNCHECKED.clone_into(&mut row.words);
            row.offer_ignore();
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

#[cfg(test)]
mod tests {
    use crate::{Facts, Form, Speakers, read};

    #[test]
    fn the_time_of_a_line_is_no_score() {
        let fixture = include_str!("../../fixtures/imports/chat-flipped-on-irc.txt");
        let log = fixture.split_once("== source\n").map(|(_, log)| log).unwrap_or_default();
        let (before, after) = ("20:01 <@perch> Wren, your turn on B\n", "20:03 <Quill> so\n");
        let said = log.replacen(before, &format!("{before}{after}"), 1);
        assert!(said.len() > log.len(), "the line is not there");
        let rows = |log: &str| read(log, Form::Chat, &Facts::default(), &Speakers::everywhere()).rows;
        let row = rows(&said).into_iter().find(|row| row.source == after.trim_end());
        assert!(row.is_some_and(|row| row.wrong.is_none() && row.words.is_empty()), "{:?}", rows(&said));
    }
}
