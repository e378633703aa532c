//! The fate of every choice, in one sentence with its cause and its rule.

use alloc::string::String;
use alloc::vec::Vec;

use crate::{BySeat, CardGroup, Seat};

/// One thing that a step did, or failed to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The seat that caused it; none if it happened by itself.
    pub seat: Option<Seat>,
    /// The choice, as the game names it ("Steal"); empty if it happened by itself.
    pub subject: String,
    /// The fate of the choice.
    pub fate: Fate,
    /// The clause that says so, such as `1.5`.
    pub rule: &'static str,
    /// One sentence. Players are named `{p1}` and `{p2}`; see [`name_seats`].
    pub text: String,
    /// The hand that it shows, under the name of its worth; none if it shows none.
    pub hand: Option<CardGroup>,
}

/// The fate of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was played with that part left out.
    LeftOut,
    /// Both seats chose it.
    Cancelled,
    /// The opponent barred it.
    Blocked,
    /// It acted and found nothing to act on.
    Failed,
    /// It did what it is for.
    Resolved,
    /// Nothing was chosen in time; the default applied.
    Defaulted,
    /// Something that no single choice caused: lights, a new pot, a replayed round, the end.
    Event,
}

impl Fate {
    /// The fates of a choice that was made.
    pub const OF_CHOICES: [Self; 5] = [Self::Resolved, Self::Cancelled, Self::Blocked, Self::Failed, Self::LeftOut];

    /// The fate in one or two words, as a score sheet prints it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::LeftOut => "left out",
            Self::Cancelled => "cancelled",
            Self::Blocked => "blocked",
            Self::Failed => "failed",
            Self::Resolved => "resolved",
            Self::Defaulted => "default",
            Self::Event => "event",
        }
    }
}

pub(crate) fn event(seat: Option<Seat>, rule: &'static str, text: String) -> Effect {
    Effect { seat, subject: String::new(), fate: Fate::Event, rule, text, hand: None }
}

/// The destination of a fold's effects: nowhere (`()`), or a list.
pub trait EffectLog {
    /// Takes one effect. Its sentence is made only if it is kept.
    fn note(&mut self, effect: impl FnOnce() -> Effect);
}

impl EffectLog for () {
    fn note(&mut self, _: impl FnOnce() -> Effect) {}
}

impl EffectLog for Vec<Effect> {
    fn note(&mut self, effect: impl FnOnce() -> Effect) {
        self.push(effect());
    }
}

impl<L: EffectLog> EffectLog for Option<&mut L> {
    fn note(&mut self, effect: impl FnOnce() -> Effect) {
        if let Some(log) = self {
            log.note(effect);
        }
    }
}

/// Replaces `{p1}` and `{p2}` in a sentence of the engine with the players' names.
#[must_use]
pub fn name_seats(text: &str, names: BySeat<&str>) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let (name, after) = if let Some(after) = from.strip_prefix("{p1}") {
            (names.p1, after)
        } else if let Some(after) = from.strip_prefix("{p2}") {
            (names.p2, after)
        } else {
            from.split_at(1)
        };
        out.push_str(name);
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_put_in_once_and_never_read_again() {
        let names = BySeat { p1: "{p2}", p2: "White" };
        assert_eq!(name_seats("{p1} v {p2} {x", names), "{p2} v White {x");
    }
}
