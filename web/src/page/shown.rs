//! A match as one reader may see it: the only place of the pages that looks at what a step holds beside its public part.
//!
//! A history knows what is still sealed, so that states can be shown. While the match runs, nobody but its umpire may
//! read a line or a state otherwise than through here.

use app::book::UmpireNames;
use engine::{BySeat, Duel, Insight, Panel, Party, Seat, Sight, View, name_seats};
use ledger::By;
use record::{History, StepRecord};

/// A match, and whose knowledge it is shown with.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'h> {
    /// The match.
    pub history: &'h History,
    sight: Sight,
    umpires: &'h UmpireNames,
}

impl<'h> Shown<'h> {
    /// For everybody: what is public while the match runs, and everything once its result was entered.
    #[must_use]
    pub const fn public(history: &'h History) -> Self {
        Self::with(history, if history.is_ended() { Sight::Everything } else { Sight::Public })
    }

    /// For the umpire who typed it.
    #[must_use]
    pub const fn umpire(history: &'h History) -> Self {
        Self::with(history, Sight::Everything)
    }

    /// For a player: what this seat may know while the match runs.
    #[must_use]
    pub const fn seat(history: &'h History, seat: Seat) -> Self {
        Self::with(history, if history.is_ended() { Sight::Everything } else { Sight::Seat(seat) })
    }

    /// With this knowledge; none where the public may not have it yet.
    #[must_use]
    pub fn known(history: &'h History, sight: Sight) -> Option<Self> {
        (history.is_ended() || sight == Sight::Public).then_some(Self::with(history, sight))
    }

    const fn with(history: &'h History, sight: Sight) -> Self {
        Self { history, sight, umpires: UmpireNames::NONE }
    }

    /// With the names under which umpires want to be known.
    #[must_use]
    pub const fn naming(self, umpires: &'h UmpireNames) -> Self {
        Self { umpires, ..self }
    }

    /// Who did something, in words.
    #[must_use]
    pub fn by(&self, by: &By) -> String {
        self.umpires.by(by)
    }

    /// Whose knowledge it is shown with.
    #[must_use]
    pub const fn sight(&self) -> Sight {
        self.sight
    }

    /// A step's line, `?` for what this reader may not see.
    #[must_use]
    pub fn line<'s>(&self, step: &'s StepRecord) -> &'s str {
        step.text.as_deref().filter(|_| self.sight == Sight::Everything).unwrap_or(&step.public)
    }

    /// What a seat sent in a step; none where it was not asked. A seat knows what it sent itself, also where a part of it
    /// is still sealed to everybody else.
    #[must_use]
    pub fn sent<'s>(&self, step: &'s StepRecord, seat: Seat) -> Option<&'s str> {
        let public = step.moves[seat].as_deref()?;
        let own = step.text.as_deref().filter(|_| self.sight == Sight::Seat(seat));
        Some(part(own.unwrap_or_else(|| self.line(step)), seat).unwrap_or(public))
    }

    /// What the host drew in a step; none where it was no draw.
    #[must_use]
    pub fn drawn<'s>(&self, step: &'s StepRecord) -> Option<&'s str> {
        self.line(step).strip_prefix("host: ")
    }

    /// What a party said in a step; none where it was not asked.
    #[must_use]
    pub fn said<'s>(&self, step: &'s StepRecord, party: Party) -> Option<&'s str> {
        match party {
            Party::Seat(seat) => self.sent(step, seat),
            Party::Host => self.drawn(step),
        }
    }

    /// A state for a page.
    #[must_use]
    pub fn view(&self, duel: &Duel) -> View {
        duel.view(self.sight)
    }

    /// What of a state is more than a number.
    #[must_use]
    pub fn panels(&self, duel: &Duel) -> Vec<Panel> {
        duel.panels(self.sight)
    }

    /// The state object of the notation.
    #[must_use]
    pub fn state(&self, duel: &Duel) -> String {
        duel.state(self.sight)
    }

    /// What a search of the state finds. Before the result was entered nothing, because it may tell what to play, and
    /// may rest on what is still sealed; but the umpire sees it while that very question is being judged.
    #[must_use]
    pub fn insights(&self, duel: &Duel) -> Vec<Insight> {
        let judges = self.sight == Sight::Everything && duel.judged();
        let over = self.history.is_ended() && self.sight == Sight::Everything;
        if over || judges { duel.analyse() } else { Vec::new() }
    }

    /// The players' names.
    #[must_use]
    pub fn names(&self) -> BySeat<&'h str> {
        self.history.both_names()
    }

    /// A sentence of the engine with the players' names in it.
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
    let (p1, p2) = line.split_once(" / ")?;
    match seat {
        Seat::P1 => Some(p1.split_once(". ").map_or(p1, |(_, sent)| sent)),
        Seat::P2 => Some(p2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_falls_into_its_seats_parts() {
        let both = |line| Seat::BOTH.map(|seat| part(line, seat));
        assert_eq!(both("7. score claim / grow block:?"), [Some("score claim"), Some("grow block:?")]);
        assert_eq!(both("score / -"), [Some("score"), Some("-")]);
        assert_eq!(both("p2: use claim-priority"), [None, Some("use claim-priority")]);
    }
}
