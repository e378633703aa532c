//! A match as one reader may see it: the only place that reads a step's secret part.
//!
//! A history contains what is still sealed, because states need it. While the match runs, lines and states must be read
//! through this module; only the match's umpire may see more.

use engine::dmn::quotes::split_outside_quotes;
use engine::{BySeat, Duel, Effect, Insight, Panel, Party, Seat, Sight, View, name_seats};
use ledger::Author;
use record::{History, StepRecord};

use crate::umpires::UmpireNames;

/// The clause of a declared game under which each answer is told.
const ANSWERED: &str = "1";

#[derive(Clone, Copy, Debug)]
pub struct VisibleMatch<'h> {
    pub history: &'h History,
    sight: Sight,
    umpires: &'h UmpireNames,
}

impl<'h> VisibleMatch<'h> {
    #[must_use]
    pub const fn public(history: &'h History) -> Self {
        Self::with(history, if history.is_ended() { Sight::Everything } else { Sight::Public })
    }

    #[must_use]
    pub const fn umpire(history: &'h History) -> Self {
        Self::with(history, Sight::Everything)
    }

    #[must_use]
    pub const fn seat(history: &'h History, seat: Seat) -> Self {
        Self::with(history, if history.is_ended() { Sight::Everything } else { Sight::Seat(seat) })
    }

    #[must_use]
    pub fn with_sight(history: &'h History, sight: Sight) -> Option<Self> {
        (history.is_ended() || sight == Sight::Public).then_some(Self::with(history, sight))
    }

    const fn with(history: &'h History, sight: Sight) -> Self {
        Self { history, sight, umpires: UmpireNames::NONE }
    }

    #[must_use]
    pub const fn with_umpire_names(self, umpires: &'h UmpireNames) -> Self {
        Self { umpires, ..self }
    }

    #[must_use]
    pub fn by(&self, by: &Author) -> String {
        self.umpires.by(by)
    }

    #[must_use]
    pub const fn sight(&self) -> Sight {
        self.sight
    }

    #[must_use]
    pub fn line<'s>(&self, step: &'s StepRecord) -> &'s str {
        step.text.as_deref().filter(|_| self.sight == Sight::Everything).unwrap_or(&step.public)
    }

    /// The line that a seat sent in a step; none if it was not asked. A seat sees its own line even while a part of it
    /// is sealed to everybody else.
    #[must_use]
    pub fn seat_line<'s>(&self, step: &'s StepRecord, seat: Seat) -> Option<&'s str> {
        let public = step.moves[seat].as_deref()?;
        let own = step.text.as_deref().filter(|_| self.sight == Sight::Seat(seat));
        Some(part(own.unwrap_or_else(|| self.line(step)), seat).unwrap_or(public))
    }

    #[must_use]
    pub fn draw<'s>(&self, step: &'s StepRecord) -> Option<&'s str> {
        self.line(step).strip_prefix("host: ")
    }

    #[must_use]
    pub fn party_line<'s>(&self, step: &'s StepRecord, party: Party) -> Option<&'s str> {
        match party {
            Party::Seat(seat) => self.seat_line(step, seat),
            Party::Host => self.draw(step),
        }
    }

    #[must_use]
    pub fn view(&self, duel: &Duel) -> View {
        duel.view(self.sight)
    }

    #[must_use]
    pub fn panels(&self, duel: &Duel) -> Vec<Panel> {
        duel.panels(self.sight)
    }

    #[must_use]
    pub fn state(&self, duel: &Duel) -> String {
        duel.state(self.sight)
    }

    /// The findings of a search of the state. Before the result is entered there are none, because they may suggest a
    /// move and may depend on sealed parts. The umpire sees them while judging that very question.
    #[must_use]
    pub fn insights(&self, duel: &Duel) -> Vec<Insight> {
        let judges = self.sight == Sight::Everything && duel.judged();
        let over = self.history.is_ended() && self.sight == Sight::Everything;
        if over || judges { duel.analyse() } else { Vec::new() }
    }

    #[must_use]
    pub fn names(&self) -> BySeat<&'h str> {
        self.history.both_names()
    }

    /// What a step did, without what its answers say themselves: in a declared game each of them is an effect, too.
    pub fn told<'s>(&self, step: &'s StepRecord) -> impl Iterator<Item = &'s Effect> {
        let declared = self.history.ruleset().declaration().is_some();
        let is_said = move |effect: &&Effect| {
            let open = |seat| step.moves[seat].as_deref().is_some_and(|sent| sent.split("; ").all(|part| part != "?"));
            declared && effect.rule == ANSWERED && effect.seat.is_some_and(open)
        };
        step.effects.iter().filter(move |effect| !is_said(effect))
    }

    pub fn effects<'s>(&self, steps: impl IntoIterator<Item = &'s StepRecord>) -> Vec<String> {
        steps.into_iter().flat_map(|step| self.told(step)).map(|effect| self.name_in(&effect.text)).collect()
    }

    #[must_use]
    pub fn name_in(&self, text: &str) -> String {
        name_seats(text, self.names())
    }
}

/// A seat's part of a canonical line: `7. A / B`, `A / B` or `p1: A`.
fn part(line: &str, seat: Seat) -> Option<&str> {
    if let Some((word, sent)) = line.split_once(": ")
        && let Ok(asked) = word.parse::<Seat>()
    {
        return (asked == seat).then_some(sent);
    }
    let mut parts = split_outside_quotes(line, b'/').map(|(_, part)| part.trim());
    let (p1, p2) = parts.next().zip(parts.next())?;
    match seat {
        Seat::P1 => Some(p1.split_once(". ").map_or(p1, |(_, sent)| sent)),
        Seat::P2 => Some(p2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_split_by_seats() {
        let both = |line| Seat::BOTH.map(|seat| part(line, seat));
        assert_eq!(both(r#"2. "a / b" / "c""#), [Some(r#""a / b""#), Some(r#""c""#)]);
        assert_eq!(both("7. score claim / grow block:?"), [Some("score claim"), Some("grow block:?")]);
        assert_eq!(both("score / -"), [Some("score"), Some("-")]);
        assert_eq!(both("p2: use claim-priority"), [None, Some("use claim-priority")]);
    }
}
