//! What is asked of whoever looks at the preview: a line that may be a move, with the moves that it may be.

use engine::{Party, Refusal, Seat, name_seats};

use super::fix::Fix;
use super::hearing::refusal;
use super::line::may_speak;
use super::nearest::nearest;
use super::reader::Reader;
use super::row::Taken;
use super::sense::{self, Sense};
use super::stranger::who_is;

impl Reader<'_> {
    /// Something of the game that reads as no move of this player: it is asked about.
    pub(super) fn doubt(&mut self, seat: Seat, at: usize, words: &str, why: &Refusal) {
        let (over, last) = (self.hearing.duel().outcome().is_over(), self.last_line);
        if over || !self.hearing.is_asked(seat.into()) {
            let expected = name_seats(&why.expected, self.hearing.names());
            let Some(row) = self.row(at) else { return };
            if over {
                row.refuse(&format!("the match was over on line {last}, and this sounds like a move"));
            } else {
                row.refuse(&expected);
            }
            let source = row.source.clone();
            row.fixes.push(Fix::ignore(row.line, &source));
            if over {
                row.fixes.push(Fix::ignore_rest(row.line, &source));
            }
            return;
        }
        let near = self.asks(at, seat, words, why);
        match near.filter(|_| self.hearing.sounds(seat, words)) {
            Some(near) => {
                let line = self.line(at);
                let _ = self.hearing.seat(seat, &near, line);
            }
            None => self.doubts[seat].push(at),
        }
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
        let source = row.source.clone();
        if let Some(wrong) = row.wrong.as_mut().filter(|_| !why.found.is_empty())
            && let Some((before, after)) = source.split_once(why.found.as_str())
        {
            (wrong.before, wrong.after) = (before.to_owned(), after.to_owned());
            wrong.found.clone_from(&why.found);
        }
        let now = |said: &str| head.iter().cloned().chain([format!("{name}: {said}")]).collect::<Vec<_>>();
        for near in &near {
            row.fixes.push(Fix::line(format!("{name}: {near}"), row.line, &source, now(near)));
        }
        row.fixes.push(Fix::line(format!("Nothing came from {name}"), row.line, &source, now("-")));
        row.fixes.push(Fix::ignore(row.line, &source));
        near.into_iter().next()
    }

    /// Words of the game that are no move: talk, with the move that may be in it as a button.
    pub(super) fn remark(&mut self, seat: Option<Seat>, at: usize, words: &str) {
        let moves = seat.filter(|seat| self.hearing.is_asked((*seat).into())).map(|seat| {
            let near = nearest(self.hearing.duel(), seat.into(), words);
            (self.hearing.names()[seat].to_owned(), near)
        });
        let Some(row) = self.row(at).filter(|row| matches!(row.taken, Taken::Later | Taken::LeftOut)) else { return };
        row.taken = Taken::Passed;
        let source = row.source.clone();
        if let Some((name, near)) = moves {
            for near in near.iter().take(3) {
                let now = format!("{name}: {near}");
                row.fixes.push(Fix::line(now.clone(), row.line, &source, vec![now]));
            }
        }
    }

    pub(super) fn is_asked_alone(&self, seat: Seat) -> bool {
        !self.hearing.steps().is_empty()
            && self.hearing.is_asked(seat.into())
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
            row.fixes.push(Fix::ignore(row.line, &row.source.clone()));
        }
        let _ = self.hearing.told(seat, &text, line);
        true
    }
}
