//! Messages of the players, and of those of whom nobody knows who they are.

use engine::{Party, Refusal, Seat};

use super::fix::Fix;
use super::match_builder::Sent;
use super::messages::Message;
use super::preview::Taken;
use super::questions::{BLANK, ask_speaker, ask_which, ask_written};
use super::round_numbers;
use super::rounds::Rounds;
use super::typed_move::Typed;

impl Rounds<'_> {
    /// A player speaks: all of the message is a move, or each of its lines is read alone.
    pub(crate) fn player(&mut self, seat: Seat, message: &Message) {
        if message.parts.len() > 1 && self.stop.is_none() {
            for between in [" ", " | "] {
                let words: Vec<&str> = message.parts.iter().map(|(_, words)| words.as_str()).collect();
                if let (Typed::Answer(answer), Some((first, _))) =
                    (self.builder.read(seat, &words.join(between)), message.parts.first())
                {
                    let line = self.line(*first);
                    message.parts.iter().skip(1).for_each(|(at, _)| self.take(*at, Taken::With(line)));
                    return self.play(*first, seat, answer, &[]);
                }
            }
        }
        for (at, words) in &message.parts {
            match round_numbers::read(words, self.short) {
                Some(named) if !self.heading(*at, named.number, named.rest.is_empty()) => {}
                Some(named) if named.rest.is_empty() => {}
                named => self.player_line(seat, *at, named.map_or(words.as_str(), |named| named.rest), message.is_own),
            }
            if message.is_own {
                self.own_line(*at, seat.into(), words);
            }
        }
    }

    /// A line in the site's own words that may be a move is one, or a question.
    pub(crate) fn own_line(&mut self, at: usize, party: Party, words: &str) {
        let builder = self.builder.clone();
        if self.stop.is_some() || builder.awaited().is_empty() {
            return;
        }
        let row = self.row(at).filter(|row| row.taken == Taken::Passed || words == BLANK);
        let Some(row) = row else { return };
        ask_written(row, &builder, party, words);
        self.asked(at, true);
    }

    fn player_line(&mut self, seat: Seat, at: usize, words: &str, is_own: bool) {
        if self.stop.is_some() {
            return;
        }
        if self.builder.duel().outcome().is_over() && self.builder.game.is_all_of(words) {
            let last = self.builder.steps().last().map_or(0, |step| step.line);
            if let Some(row) = self.row(at) {
                row.refuse(&format!("the match was over on line {last}, and this may be a move"));
                row.offer_ignore();
                row.fixes.push(Fix::ignore_rest(row.line, &row.source));
            }
            return;
        }
        match self.builder.read(seat, words) {
            Typed::Answer(answer) if answer.joint && self.told > 1 && !is_own => {
                // The host tells the moves of this match: what the players say themselves is compared with that.
                self.said[seat] = Some(Sent { text: answer.text, line: self.line(at) });
                self.take(at, Taken::Passed);
            }
            Typed::Answer(answer) => self.play(at, seat, answer, &[]),
            Typed::Several(moves) => {
                let name = self.builder.names()[seat].to_owned();
                let Some(row) = self.row(at) else { return };
                ask_which(row, &name, seat, &moves, &[]);
                self.asked(at, true);
            }
            Typed::Refused(why) => self.player_talk(seat, at, words, &why),
        }
    }

    fn player_talk(&mut self, seat: Seat, at: usize, words: &str, why: &Refusal) {
        if let Some((answer, rest)) = self.builder.read_in_turn(seat, words) {
            self.rests[seat] = Some((at, rest));
            return self.play(at, seat, answer, &[]);
        }
        let may_be = words.contains(char::is_alphabetic) && self.builder.game.may_be_in(words);
        if may_be { self.doubt(at, seat, words, why, &[]) } else { self.talk(at, words) }
    }

    /// Somebody of whom nobody knows who it is: asked about where it may be a move.
    pub(crate) fn stranger(&mut self, message: &Message) {
        for (at, words) in &message.parts {
            let moves = |seat: Seat| !matches!(self.builder.read(seat, words), Typed::Refused(_));
            let sounds = self.stop.is_none() && Seat::BOTH.into_iter().any(moves);
            if self.claim_win(*at, words) {
                continue;
            }
            if !sounds {
                self.talk(*at, words);
                continue;
            }
            if !self.strangers.contains(&message.name) {
                self.strangers.push(message.name.clone());
            }
            let players = self.players.clone();
            if let Some(row) = self.row(*at) {
                ask_speaker(row, &message.name, words, players.as_ref().map(String::as_str));
                self.asked(*at, false);
            }
        }
    }
}
