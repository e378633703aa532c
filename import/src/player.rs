//! What a player says: a move, several in turn, a correction, or talk.

use engine::{BySeat, Refusal, Seat};

use super::clause::{Clause, How, clauses};
use super::message::Message;
use super::reader::{Reader, sentences};
use super::report::numbered;
use super::same;
use super::sense::{self, Sense};

impl Reader<'_> {
    pub(super) fn player(&mut self, seat: Seat, message: &Message) {
        if message.timed {
            self.rounds.again = BySeat::default();
        }
        let message = &Message { parts: self.takes_groups(seat, &message.parts, false), ..message.clone() };
        if self.is_told_already(seat, message) || self.takes_lines_together(seat, message) {
            return;
        }
        for (at, words) in &message.parts {
            self.player_line(seat, message, *at, words);
        }
    }

    /// All lines of a message are one move, or all of them that sound like one, where nothing of the game is in the rest.
    pub(super) fn takes_lines_together(&mut self, seat: Seat, message: &Message) -> bool {
        if message.parts.len() < 2
            || self.rounds.again[seat]
            || message.parts.iter().any(|(_, words)| sense::is_correction(words))
        {
            return false;
        }
        let (sounding, rest): (Vec<_>, Vec<_>) =
            message.parts.iter().partition(|(_, words)| self.hearing.sounds(seat, words));
        let some = if rest.iter().any(|(_, words)| self.hearing.is_of_the_game(words)) { Vec::new() } else { sounding };
        for parts in [message.parts.iter().collect(), some] {
            let joined = parts.iter().map(|(_, words)| words.as_str()).collect::<Vec<_>>().join(" ");
            let rows: Vec<usize> = parts.iter().map(|(at, _)| *at).collect();
            let reads = !rows.is_empty() && self.hearing.reads(seat, &joined);
            if reads && self.plays(seat, &joined, &rows, false).is_ok() {
                return true;
            }
        }
        false
    }

    pub(super) fn player_line(&mut self, seat: Seat, message: &Message, at: usize, words: &str) {
        if self.rounds.again[seat] && self.again(seat, at, words) {
            return;
        }
        if let Some(begun) = sense::cut(&self.hearing, words) {
            self.is_cut(seat, at, begun);
            return;
        }
        if self.says_same(seat, at, words) {
            return;
        }
        if sense::is_correction(words) && sense::is_of_the_game(&self.hearing, words) {
            self.corrects(seat, at, words);
            return;
        }
        let mut said = sense::of_player(&self.hearing, self.hearing.duel(), seat, words);
        if let Some((How::Named, told)) = clauses(words, &self.speakers)
            && told.iter().any(|clause| clause.seat != seat)
        {
            if self.says_of_both(seat, at, words, &told) {
                return;
            }
            // What a player says of another is no move.
            if said == Sense::Doubt {
                said = Sense::Remark;
            }
        }
        // A line of a copy without times may be told by nobody, below its heading.
        let unsure = message.carried && !message.timed && self.rounds.head.is_some();
        if unsure && !matches!(said, Sense::Move { .. }) && self.tells(at, words, false) {
            return;
        }
        let whole = matches!(&said, Sense::Move { rest, .. } if rest.is_empty());
        if !whole && self.is_alone(seat) && self.says_in_turn(seat, at, words) {
            return;
        }
        self.is_said(seat, at, words, said);
    }

    /// Both on one line: "Black: Score / White: Steal".
    fn says_of_both(&mut self, seat: Seat, at: usize, words: &str, told: &[Clause]) -> bool {
        let both = match numbered(words) {
            // "3 a: Score b: Steal" names both, and its round.
            (Some(_), _) if told.iter().any(|clause| clause.seat == seat) => words.to_owned(),
            (Some(number), bare) => format!("{number}. {}: {bare}", self.hearing.names()[seat]),
            (None, _) => format!("{}: {words}", self.hearing.names()[seat]),
        };
        let parted = [" / ", " | ", "; ", " vs "].iter().any(|between| words.contains(between));
        // "Black: Scroe, White: Steal" is of both, too, though one of them does not read.
        let named = |clause: &&Clause| {
            words.to_lowercase().contains(&format!("{}:", self.hearing.names()[clause.seat].to_lowercase()))
        };
        let colons = told.iter().filter(named).any(|clause| clause.seat != seat);
        let of_game = |said: &str| sense::is_of_the_game(&self.hearing, said) || same::is_said(said);
        let listed = || {
            let first = sentences(numbered(&both).1).next().unwrap_or_default();
            let clauses = clauses(first, &self.speakers).map(|(_, told)| told).unwrap_or_default();
            clauses.len() == 2 && clauses.iter().all(|clause| of_game(&clause.words))
        };
        let of_both = parted || self.tells_of_both(&both) || (colons && listed());
        let told = of_both && self.tells(at, &both, true);
        if told {
            self.notes_behind(at, words);
        }
        told
    }

    /// Takes what a line of a player comes to.
    fn is_said(&mut self, seat: Seat, at: usize, words: &str, said: Sense) {
        let said = if said == Sense::Remark && self.names_a_choice(seat, words) { Sense::Doubt } else { said };
        match said {
            Sense::Move { text, rest, .. } => {
                if let Err(refusal) = self.plays(seat, &text, &[at], false) {
                    self.doubt(seat, at, words, &refusal);
                } else if !rest.is_empty() {
                    self.follows(seat, at, rest, false);
                }
            }
            _ if self.notes(at, words) => {}
            Sense::Doubt => {
                let refusal = self.refusal(seat, words);
                self.doubt(seat, at, words, &refusal);
            }
            Sense::Remark => self.remark(at),
            // A short word may be the answer to a question that is asked of this player alone: "me", "no".
            Sense::Talk if words.split_whitespace().count() < 4 && self.is_asked_alone(seat) => {
                // Of words on offer, one may be said shortly; of cards, "no" would mean none.
                let offered = !self.hearing.vocabulary(seat.into()).choices.is_empty() && !words.contains('?');
                let bare = sense::without_remark(&self.hearing, words);
                let said = bare.as_deref().unwrap_or(words);
                match self.hearing.answer(self.hearing.duel(), seat, said).filter(|_| offered) {
                    Some(text) => {
                        let _ = self.plays(seat, &text, &[at], false);
                    }
                    None => self.remark(at),
                }
            }
            Sense::Talk => {
                if words.split_whitespace().count() < 4 {
                    let _ = self.is_behind_silence(seat, at, words);
                }
            }
        }
    }

    /// Why a text is no move of a seat now.
    pub(super) fn refusal(&self, seat: Seat, words: &str) -> Refusal {
        let mut trial = self.hearing.trial();
        let refused = trial.seat(seat, words, 0).err();
        refused.unwrap_or_else(|| {
            super::hearing::refusal(words, &format!("is this a move of {}?", self.hearing.names()[seat]))
        })
    }
}
