//! What the seats have done so far, and what of it can be taken back or told again.

use std::sync::Arc;

use engine::{BySeat, Duel, Seat};

use super::hearing::Hearing;
use super::vocabulary::{Vocabulary, stems};

/// What a seat did, and how it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sent {
    pub(super) text: String,
    pub(super) line: usize,
    /// Whether somebody else told it.
    pub(super) told: bool,
}

/// A step of one seat, or of both together.
#[derive(Clone, Debug)]
pub(super) struct Past {
    pub(super) before: Duel,
    pub(super) can_say: BySeat<Arc<Vocabulary>>,
    /// How many steps stand before it.
    pub(super) at: usize,
    /// The round that it belongs to, where the game counts them.
    pub(super) round: Option<u32>,
    pub(super) sent: BySeat<Option<Sent>>,
}

impl Hearing {
    /// Takes the last step of both back, to be played again: the steps that go, and the lines that said them.
    pub(super) fn strike(&mut self) -> Option<(Vec<String>, Vec<usize>)> {
        let at = self.past.iter().rposition(Past::is_joint)?;
        let gone = self.past.split_off(at);
        let first = gone.first()?;
        self.duel = first.before.clone();
        let steps = self.steps.split_off(first.at);
        self.lines.truncate(first.at);
        self.waiting = BySeat::default();
        self.listen();
        let lines = gone.iter().flat_map(|past| past.sent.each().map(|(_, sent)| sent.as_ref().map(|sent| sent.line)));
        Some((steps, lines.flatten().collect()))
    }

    /// Takes the last step back, where it is one of this seat alone: the line that said it.
    pub(super) fn take_back(&mut self, seat: Seat) -> Option<usize> {
        let last = self.past.last().filter(|last| !last.is_joint() && last.at + 1 == self.steps.len())?;
        let line = last.sent[seat].as_ref()?.line;
        let last = self.past.pop()?;
        self.duel = last.before;
        self.steps.truncate(last.at);
        self.lines.truncate(last.at);
        self.waiting = BySeat::default();
        self.listen();
        Some(line)
    }

    /// Whether this word of the game was said by either in the last step, or is waiting to be.
    pub(super) fn was_said(&self, word: &str) -> bool {
        Seat::BOTH.into_iter().any(|seat| self.has_said(seat, word, None))
    }

    /// Whether this seat made such a move since the last step of both: the same word, with this number if there is one.
    pub(super) fn has_said(&self, seat: Seat, word: &str, number: Option<&str>) -> bool {
        let from = self.past.iter().rposition(Past::is_joint).unwrap_or(0);
        let sent = self.past.get(from..).unwrap_or_default().iter().filter_map(|past| past.sent[seat].as_ref());
        sent.chain(self.waiting(seat)).any(|sent| {
            let said: Vec<&str> = sent.text.split([' ', ':']).collect();
            let is = |said: &&str| said.eq_ignore_ascii_case(word) || stems(word).any(|stem| *said == stem);
            said.iter().any(is) && number.is_none_or(|number| said.contains(&number))
        })
    }

    /// Whether the last step was made by both.
    pub(super) fn is_joint(&self) -> bool {
        self.past.last().is_none_or(Past::is_joint)
    }

    /// Whether this card or cell of the game was named in any move so far.
    pub(super) fn was_named(&self, code: &str) -> bool {
        // What the host dealt is nobody's move; a single card is on the table.
        let played = self.steps.iter().filter(|step| !step.starts_with("host:") || step.split(' ').count() < 4);
        played.into_iter().any(|step| step.split([' ', '/', '|']).any(|said| said.eq_ignore_ascii_case(code)))
    }

    /// Whether this seat said the same in the last step that both made together.
    pub(super) fn said_before(&self, seat: Seat, text: &str) -> bool {
        let Some(last) = self.last_joint() else { return false };
        let said = self.answer(&last.before, seat, text);
        said.is_some() && said.as_deref() == last.sent[seat].as_ref().map(|sent| sent.text.as_str())
    }

    pub(super) fn last_move(&self, seat: Seat) -> Option<&Sent> {
        self.last_joint()?.sent[seat].as_ref()
    }

    fn last_joint(&self) -> Option<&Past> {
        self.past.iter().rev().find(|past| past.is_joint())
    }

    /// What the seats have done, in order.
    pub(super) fn past(&self) -> &[Past] {
        &self.past
    }
}

impl Past {
    /// The match before it.
    pub(super) const fn before(&self) -> &Duel {
        &self.before
    }

    /// Whether both seats made it together.
    pub(super) const fn is_joint(&self) -> bool {
        self.sent.p1.is_some() && self.sent.p2.is_some()
    }
}
