//! The events in a row of the score sheet: both seats side by side if they moved together, one after the other if they
//! took turns.

use app::views::{Action, VisibleMatch};
use askama::Template;
use engine::{Duel, Party, Seat};
use record::StepRecord;

use super::{PartyMark, PartyMove, sheet_moves};

/// The events in a row.
#[derive(Clone, Debug, Template)]
#[template(path = "page/turns.html")]
pub(super) struct Turns {
    /// True if the seats are side by side: each once, in its own column.
    beside: bool,
    turns: Vec<Turn>,
}

/// The actions of one party before another party acted.
#[derive(Clone, Debug)]
struct Turn {
    party: Party,
    name: String,
    actions: Vec<Action>,
    placeholder: Option<String>,
    caution: &'static str,
}

impl Turns {
    /// True if a word follows something that did not act.
    pub(super) fn has_fates(&self) -> bool {
        self.turns.iter().flat_map(|turn| &turn.actions).any(|action| action.outcome_word().is_some())
    }

    /// The events in these steps; none if they hold only an umpire's decision.
    pub(super) fn of<'h>(
        visible: &VisibleMatch<'_>,
        steps: &[&'h StepRecord],
        mut before: Option<&'h Duel>,
    ) -> Option<Self> {
        let mut turns: Vec<Turn> = Vec::new();
        let (mut together, mut alone) = (false, Vec::new());
        for step in steps {
            let done = sheet_moves(visible, step, before);
            match done.as_slice() {
                [one] => alone.push(one.seat.as_ref().map(|seat| seat.seat)),
                several => together |= !several.is_empty(),
            }
            turns.extend(done.into_iter().map(Turn::of));
            before = step.after.as_ref();
        }
        let beside = no_order_is_lost(together, &alone);
        let turns = if beside { by_seat(&turns) } else { in_turn(turns) };
        (!turns.is_empty()).then_some(Self { beside, turns })
    }
}

impl Turn {
    fn of(party_move: PartyMove) -> Self {
        let name = party_move.name().to_owned();
        let party = party_move.seat.map_or(Party::Host, |seat| Party::Seat(seat.seat));
        Self {
            party,
            name,
            actions: party_move.text.actions,
            placeholder: party_move.text.placeholder,
            caution: party_move.caution,
        }
    }

    const fn mark(&self) -> PartyMark {
        PartyMark(self.party)
    }

    /// Adds the next actions of the same party.
    fn goes_on(&mut self, mut next: Self) {
        for turn in [&mut *self, &mut next] {
            if let Some(name) = turn.placeholder.take() {
                turn.actions.push(Action { name, sealed: false, fate: None, why: String::new(), rule: None });
            }
        }
        self.actions.extend(next.actions);
    }
}

/// True if each seat's part can have its own column without losing the order: the host drew nothing, and the order of
/// the moves made alone is clear, because only one seat made them or because there was only one. `alone` lists who made
/// them, none for the host.
fn no_order_is_lost(together: bool, alone: &[Option<Seat>]) -> bool {
    let one_seat = alone.iter().all(|mover| mover.is_some() && Some(mover) == alone.first());
    one_seat && (!together || alone.len() <= 1)
}

/// One entry for each seat.
fn by_seat(turns: &[Turn]) -> Vec<Turn> {
    let mut sorted: Vec<Turn> = Vec::new();
    for seat in Seat::BOTH.map(Party::Seat) {
        let own = turns.iter().filter(|turn| turn.party == seat).cloned();
        sorted.extend(own.reduce(|mut all, next| {
            all.goes_on(next);
            all
        }));
    }
    sorted
}

/// An entry for each change of who moves.
fn in_turn(turns: Vec<Turn>) -> Vec<Turn> {
    let mut merged: Vec<Turn> = Vec::new();
    for turn in turns {
        match merged.last_mut() {
            Some(last) if last.party == turn.party => last.goes_on(turn),
            _ => merged.push(turn),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_stand_side_by_side_where_no_order_is_lost() {
        let [p1, p2] = Seat::BOTH.map(Some);
        assert!(no_order_is_lost(true, &[]), "a joint round");
        assert!(no_order_is_lost(true, &[p2]), "and an item used after it");
        assert!(no_order_is_lost(false, &[p1, p1, p1]), "one seat's turn");
        assert!(!no_order_is_lost(false, &[p1, p2]), "bets");
        assert!(!no_order_is_lost(true, &[p1, p1]), "something before, between or after?");
        assert!(!no_order_is_lost(true, &[None]) && !no_order_is_lost(false, &[None]), "a draw");
    }
}
