//! What the host says, or somebody of whom nobody knows: draws, moves of the players, scores, decisions.

use engine::{Figure, Party, Sight, name_seats};

use super::ending;
use super::message::Message;
use super::naming::{self, Named};
use super::reader::{Reader, sentences};
use super::row::Taken;
use super::score::Score;
use super::statement::Statement;
use super::timeline::piles;

impl Reader<'_> {
    /// The host, or somebody of whom nobody knows, speaks.
    pub(super) fn report(&mut self, message: &Message) {
        let mut draws = std::mem::take(&mut self.draws);
        let drawing = self.hearing.is_asked(Party::Host) && !draws.is_empty();
        if !drawing {
            draws.drain(..).for_each(|(at, _)| self.is_no_draw(at));
        }
        self.draws = draws;
        let parts = match self.asked_seat() {
            Some(seat) => self.takes_groups(seat, &message.parts, true),
            None => message.parts.clone(),
        };
        for (at, words) in &parts {
            let before = self.hearing.steps().len();
            let taken = self.rows.get(*at).is_some_and(|row| matches!(row.taken, Taken::Step | Taken::With(_)));
            if self.rounds.shown.contains(at) {
                let _ = self.notes(*at, words);
                self.says_more(*at, words);
            } else if !taken && !self.boards.iter().any(|(rows, _)| rows.contains(at)) {
                self.report_line(*at, words);
            }
            self.states(*at, &message.name, words, before);
        }
    }

    /// Whether a sentence says who won a part of the match, or what lies in a pile that nobody is asked for now.
    fn is_stated(&self, said: &str) -> bool {
        let duel = self.hearing.duel();
        let counted = |figure: &Figure, noun: &str| figure.seat.is_some() && figure.name.trim_end_matches('s') == noun;
        let states = |statement: &Statement| match statement {
            Statement::Win { thing, .. } => {
                let noun = thing.split(' ').next().unwrap_or_default();
                duel.figures().iter().any(|figure| counted(figure, noun))
            }
            // "Ada has 17 chips" says no number that Ada plays.
            Statement::Figure { noun, seat: Some(_), .. } => {
                duel.figures().iter().any(|figure| counted(figure, noun.trim_end_matches('s')))
            }
            Statement::Value { seat: Some(seat), name, .. } => {
                let asked = self.hearing.vocabulary((*seat).into()).words.contains(name);
                !asked && piles(&duel.panels(Sight::Everything)).any(|pile| pile.seat == *seat && pile.name == *name)
            }
            _ => false,
        };
        Statement::of_parts(said, &self.speakers).iter().any(states)
    }

    /// Keeps what a line states beside its moves, but of a round that was over before.
    pub(super) fn states(&mut self, at: usize, by: &str, words: &str, before: usize) {
        let named = self.rounds.head.or_else(|| Some(Named::read(words, true)?.0.round));
        let coming = self.hearing.duel().coming_round();
        if named.zip(coming).is_some_and(|(named, coming)| named + 1 < coming) {
            return;
        }
        for statement in Statement::of_parts(words, &self.speakers) {
            self.keeps(at, by, statement, before);
        }
    }

    fn report_line(&mut self, at: usize, words: &str) {
        if words.to_lowercase().starts_with("result ") {
            self.decides(at, words);
            return;
        }
        // What says by which rules or who played says no move.
        if self.rows.get(at).is_some_and(|row| row.taken == Taken::Later && row.words.contains(": ")) {
            let _ = self.tells_beside(at, words);
            return;
        }
        if self.hearing.is_asked(Party::Host) && self.draws_from(at, words) {
            return;
        }
        if naming::is_replay(words) && self.is_replayed(at, words) {
            return;
        }
        if self.takes_back(at, words) {
            return;
        }
        // "1. B score  W grow  = 1-0", "Ada score, Bo grow (1-0)"
        let scored = words.rsplit_once(" = ").or_else(|| in_brackets(words));
        let scored = scored.and_then(|(said, score)| Some((said, Score::read(score, &self.speakers)?)));
        if let Some((said, score)) = scored
            && self.tells(at, said, false)
        {
            self.keeps(at, "", Statement::Score(score), self.hearing.steps().len());
            return;
        }
        // A score or a result in a sentence of its own is no move of whoever is named there, nor is another statement.
        let (stated, others): (Vec<&str>, Vec<&str>) =
            sentences(words).partition(|said| Statement::of_all(said, &self.speakers).is_some());
        let rest: String = others.into_iter().filter(|said| !self.is_stated(said)).collect();
        let more = rest.chars().any(char::is_alphanumeric);
        let told = more && self.tells(at, rest.trim(), false);
        let stated = stated.concat();
        let noted = if told { self.notes_behind(at, &stated) } else { self.notes(at, &stated) };
        if told || noted {
            return;
        }
        if naming::is_replay(words) && self.is_void(at, words) {
            return;
        }
        if more && (self.is_of_somebody(at, words) || self.is_out_of_turn(at, words)) {
            return;
        }
        if self.hearing.is_of_the_game(words) {
            self.remark(at);
        }
    }

    fn decides(&mut self, at: usize, words: &str) {
        // What is wrong before it may be the other half.
        let right = self.rows.iter().all(|row| row.wrong.is_none());
        if let Some((seat, line)) = self.hearing.missing().filter(|_| right) {
            ending::is_half(self.rows, self.hearing.names()[seat], line);
        }
        match self.hearing.play(&format!("umpire: {words}")) {
            Ok(heard) => self.heard(&[at], heard),
            Err(why) => {
                let expected = name_seats(&why.expected, self.hearing.names());
                let Some(row) = self.row(at) else { return };
                row.refuse(&expected);
                let reason = words.get("result ".len()..).unwrap_or_default().trim();
                row.fixes.clear();
                for verdict in ["p1", "p2", "undecided", "void"] {
                    let now = format!("umpire: result {verdict} {reason}");
                    row.offer(now.clone(), vec![now]);
                }
                row.offer_ignore();
            }
        }
    }
}

/// A score in brackets at the end of a line, and what is before it.
fn in_brackets(words: &str) -> Option<(&str, &str)> {
    let (said, score) = words.trim_end_matches(['.', '!', ' ']).strip_suffix(')')?.rsplit_once(" (")?;
    score.starts_with(|first: char| first.is_ascii_digit()).then_some((said, score))
}
