//! What is asked of whoever looks at the preview: a line that may be a move, with the moves that it may be.

use engine::{Party, Refusal, Seat, name_seats};

use super::clause::{How, clauses};
use super::fix::Fix;
use super::hearing::refusal;
use super::line::may_speak;
use super::nearest::nearest;
use super::reader::Reader;
use super::row::Taken;
use super::sense::{self, Sense};
use super::stranger::who_is;
use super::wording;

impl Reader<'_> {
    /// Something of the game that reads as no move of this player: it is asked about.
    pub(super) fn doubt(&mut self, seat: Seat, at: usize, words: &str, why: &Refusal) {
        let (over, last) = (self.hearing.duel().outcome().is_over(), self.last_line);
        if !over && self.is_behind_silence(seat, at, words) {
            return;
        }
        if over || !self.hearing.is_asked(seat.into()) {
            let expected = name_seats(&why.expected, self.hearing.names());
            let Some(row) = self.row(at) else { return };
            if over {
                row.refuse(&format!("the match was over on line {last}, and this sounds like a move"));
            } else {
                row.refuse(&expected);
            }
            row.offer_ignore();
            if over {
                row.fixes.push(Fix::ignore_rest(row.line, &row.source));
            }
            return;
        }
        let near = self.asks(at, seat, words, why);
        match near.filter(|_| self.hearing.sounds(seat, words)) {
            Some(near) => {
                let line = self.line(at);
                let _ = self.hearing.seat(seat, &near, line);
            }
            None => self.doubts[seat].push((at, self.statements.len())),
        }
    }

    /// Whether a line reads as this seat's move once nothing came from the other, who is asked alone: then that is asked, and
    /// taken for granted below.
    pub(super) fn is_behind_silence(&mut self, seat: Seat, at: usize, words: &str) -> bool {
        let other = seat.other();
        if self.hearing.is_asked(seat.into()) || !self.is_asked_alone(other) {
            return false;
        }
        let mut trial = self.hearing.trial();
        if trial.seat(other, "-", 0).is_err() || !trial.is_asked(seat.into()) {
            return false;
        }
        let Some(text) = trial.answer(trial.duel(), seat, words) else { return false };
        let name = self.hearing.names()[other].to_owned();
        let prompt = self.hearing.duel().asks().last().map_or_else(String::new, |ask| ask.prompt.clone());
        let line = self.line(at);
        let fits = |answer: &String| {
            let mut trial = self.hearing.trial();
            trial.seat(other, answer, 0).is_ok() && trial.reads(seat, words)
        };
        let near: Vec<String> = nearest(self.hearing.duel(), other.into(), words).into_iter().filter(fits).collect();
        let _ = self.hearing.told(other, "-", line);
        let heard = self.hearing.seat(seat, &text, line);
        if let Ok(heard) = heard {
            self.heard(&[at], heard);
        }
        let Some(row) = self.row(at) else { return true };
        row.asks(&format!("{name} was asked before this, and nothing of {name} is above: {prompt}"));
        row.fixes.clear();
        row.offer(format!("Nothing came from {name}"), vec![format!("{name}: -"), row.source.clone()]);
        for near in near {
            row.offer(format!("{name}: {near}"), vec![format!("{name}: {near}"), row.source.clone()]);
        }
        row.offer_ignore();
        true
    }

    /// A line of a player that a program cut where it was copied.
    pub(super) fn is_cut(&mut self, seat: Seat, at: usize, begun: &str) {
        if sense::is_of_the_game(&self.hearing, begun) {
            let name = self.hearing.names()[seat];
            let why = refusal("", &format!("this was cut off where it was copied: what did {name} send?"));
            self.doubt(seat, at, begun, &why);
        } else if let Some(row) = self.row(at) {
            let words = "It was cut off where it was copied: a move may be in the rest";
            (row.taken, row.words) = (Taken::Passed, words.to_owned());
            row.offer_ignore();
        }
    }

    /// Asks what a player meant; the likeliest of the moves that are offered.
    pub(super) fn asks(&mut self, at: usize, seat: Seat, words: &str, why: &Refusal) -> Option<String> {
        let near = nearest(self.hearing.duel(), seat.into(), words);
        let expected = name_seats(&why.expected, self.hearing.names());
        let rule = why.rule.map_or_else(String::new, |rule| format!(" (rule {rule})"));
        let sounds = self.hearing.sounds(seat, words);
        let name = self.hearing.names()[seat].to_owned();
        let head = self.rounds.headed.get(&self.line(at)).map(|round| format!("Round {round}"));
        let row = self.row(at)?;
        if sounds || why.rule.is_some() {
            row.refuse(&format!("{expected}{rule}"));
        } else {
            row.refuse(&format!("a word of the game is in this: is it a move of {name}?"));
        }
        if let Some(wrong) = row.wrong.as_mut().filter(|_| !why.found.is_empty())
            && let Some((before, after)) = row.source.split_once(why.found.as_str())
        {
            (wrong.before, wrong.after) = (before.to_owned(), after.to_owned());
            wrong.found.clone_from(&why.found);
        }
        let now = |said: &str| head.iter().cloned().chain([format!("{name}: {said}")]).collect::<Vec<_>>();
        for near in &near {
            row.offer(format!("{name}: {near}"), now(near));
        }
        row.offer(format!("Nothing came from {name}"), now("-"));
        row.offer_ignore();
        near.into_iter().next()
    }

    /// Words of the game that are no move: talk that somebody should look at.
    pub(super) fn remark(&mut self, at: usize) {
        if let Some(row) = self.row(at).filter(|row| matches!(row.taken, Taken::Later | Taken::LeftOut)) {
            row.taken = Taken::Passed;
        }
    }

    /// Asks about a line that tells nothing but moves of a player who is not asked now: something is missing before it.
    pub(super) fn is_out_of_turn(&mut self, at: usize, words: &str) -> bool {
        let Some((How::Named, told)) = clauses(words, &self.speakers) else { return false };
        let [clause] = told.as_slice() else { return false };
        let (seat, waits) = (clause.seat, self.hearing.duel().asks());
        let begins = clause.words.split([';', '.', '(', ':']).next().unwrap_or_default();
        let moves = self.hearing.is_of_the_game(begins) && sense::is_clean(&self.hearing, begins);
        let joint = Seat::BOTH.into_iter().all(|seat| self.hearing.is_asked(seat.into()));
        if !moves || joint || words.contains('?') || self.hearing.is_asked(seat.into()) || self.agrees(at, words) {
            return false;
        }
        let waits = waits.last().map(|ask| name_seats(&ask.prompt, self.hearing.names()));
        let name = self.hearing.names()[seat].to_owned();
        let (Some(row), Some(waits)) = (self.row(at), waits) else { return false };
        row.refuse(&format!("{name} is not asked now; the match waits for this: {waits}"));
        row.fixes.clear();
        row.offer_ignore();
        true
    }

    /// Whether a player who is asked alone names one card or cell that is on offer, and asks nothing.
    pub(super) fn names_a_choice(&self, seat: Seat, words: &str) -> bool {
        if !self.is_asked_alone(seat) || words.contains('?') {
            return false;
        }
        let can_say = self.hearing.vocabulary(seat.into());
        let on_offer = |word: &str| {
            let is = |choice: &engine::Choice| {
                choice.word.rsplit(' ').next().is_some_and(|known| known.eq_ignore_ascii_case(word))
            };
            self.hearing.is_code(&word.to_lowercase()) && can_say.choices.iter().any(is)
        };
        wording::words(words).filter(|word| on_offer(word)).count() == 1
    }

    pub(super) fn is_asked_alone(&self, seat: Seat) -> bool {
        !self.hearing.steps().is_empty() && self.is_alone(seat)
    }

    /// Whether this seat is asked and nobody else.
    pub(super) fn is_alone(&self, seat: Seat) -> bool {
        self.hearing.is_asked(seat.into())
            && !self.hearing.is_asked(seat.other().into())
            && !self.hearing.is_asked(Party::Host)
    }

    /// Asks about a move that somebody tells of a name that nobody knows.
    pub(super) fn is_of_somebody(&mut self, at: usize, words: &str) -> bool {
        let Some((name, said)) =
            words.split_once(':').filter(|(name, _)| may_speak(name) && !self.hearing.is_of_the_game(name))
        else {
            return false;
        };
        let moves = |seat: Seat| {
            let asked = self.hearing.is_asked(seat.into());
            match sense::of_player(&self.hearing, self.hearing.duel(), seat, said) {
                Sense::Move { text, .. } if asked => Some(text),
                _ => None,
            }
        };
        let found: Vec<(Seat, String)> = Seat::BOTH.into_iter().filter_map(|seat| Some((seat, moves(seat)?))).collect();
        let missing = self.hearing.missing().map(|(seat, _)| seat);
        let Some((seat, text)) = found.iter().find(|(seat, _)| Some(*seat) == missing).or(found.first()).cloned()
        else {
            return false;
        };
        let name = name.trim().to_owned();
        if self.met.insert(name.clone()) {
            self.strangers.push(name.clone());
        }
        let (names, line) = (self.names.clone(), self.line(at));
        if let Some(row) = self.row(at) {
            row.refuse(&format!("who is {name}?"));
            row.fixes = who_is(&name, names.as_ref().map(String::as_str));
            row.offer_ignore();
        }
        let _ = self.hearing.told(seat, &text, line);
        true
    }
}
