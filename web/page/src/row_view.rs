//! The events in a row of the score sheet: both seats side by side if they moved together, one after the other if they
//! took turns.

use app::views::{Action, VisibleMatch};
use askama::Template;
use engine::{Duel, Party, Seat};
use record::StepRecord;

use super::card_text::CardText;
use super::{PartyMark, PartyMove, sheet_moves};

#[derive(Clone, Debug, Template)]
#[template(path = "row_view.html")]
pub(super) struct RowView {
    beside: bool,
    turns: Vec<Turn>,
    told: String,
}

#[derive(Clone, Debug)]
struct Turn {
    party: Party,
    name: String,
    actions: Vec<SheetAction>,
    placeholder: Option<String>,
    caution: &'static str,
}

#[derive(Clone, Debug)]
struct SheetAction {
    action: Action,
    name: CardText,
}

impl SheetAction {
    fn of(visible: &VisibleMatch<'_>, action: Action) -> Self {
        let name = match &action.card {
            Some(card) => CardText::of_card(&action.name, card),
            None if action.is_notation => CardText::of_notation(visible, &action.name),
            None => CardText::plain(&action.name),
        };
        Self { action, name }
    }
}

impl RowView {
    pub(super) fn has_outcomes(&self) -> bool {
        self.turns.iter().flat_map(|turn| &turn.actions).any(|it| it.action.outcome_word().is_some())
    }

    pub(super) fn of<'h>(
        visible: &VisibleMatch<'_>,
        steps: &[&'h StepRecord],
        mut before: Option<&'h Duel>,
        told: String,
    ) -> Option<Self> {
        let mut turns: Vec<Turn> = Vec::new();
        let (mut together, mut alone) = (false, Vec::new());
        for step in steps {
            let moves = sheet_moves(visible, step, before);
            match moves.as_slice() {
                [one] => alone.push(one.seat.as_ref().map(|seat| seat.seat)),
                several => together |= !several.is_empty(),
            }
            turns.extend(moves.into_iter().map(|party_move| Turn::of(visible, party_move)));
            before = step.after.as_ref();
        }
        let beside = keeps_order(together, &alone);
        let turns = if beside { by_seat(&turns) } else { in_turn(turns) };
        (!turns.is_empty()).then_some(Self { beside, turns, told })
    }
}

impl Turn {
    fn of(visible: &VisibleMatch<'_>, party_move: PartyMove) -> Self {
        let name = party_move.name().to_owned();
        let party = party_move.seat.map_or(Party::Host, |seat| Party::Seat(seat.seat));
        Self {
            party,
            name,
            actions: party_move.text.actions.into_iter().map(|action| SheetAction::of(visible, action)).collect(),
            placeholder: party_move.text.placeholder,
            caution: party_move.caution,
        }
    }

    const fn mark(&self) -> PartyMark {
        PartyMark(self.party)
    }

    fn append(&mut self, mut next: Self) {
        for turn in [&mut *self, &mut next] {
            if let Some(name) = turn.placeholder.take() {
                turn.actions.push(SheetAction { name: CardText::plain(&name), action: Action::default() });
            }
        }
        self.actions.extend(next.actions);
    }
}

/// True if each seat's part can have its own column without losing the order: the host drew nothing, and the order of
/// the moves made alone is clear, because only one seat made them or because there was only one. `alone` lists who made
/// them, none for the host.
fn keeps_order(together: bool, alone: &[Option<Seat>]) -> bool {
    let one_seat = alone.iter().all(|mover| mover.is_some() && Some(mover) == alone.first());
    one_seat && (!together || alone.len() <= 1)
}

fn by_seat(turns: &[Turn]) -> Vec<Turn> {
    let mut sorted: Vec<Turn> = Vec::new();
    for seat in Seat::BOTH.map(Party::Seat) {
        let own = turns.iter().filter(|turn| turn.party == seat).cloned();
        sorted.extend(own.reduce(|mut all, next| {
            all.append(next);
            all
        }));
    }
    sorted
}

fn in_turn(turns: Vec<Turn>) -> Vec<Turn> {
    let mut merged: Vec<Turn> = Vec::new();
    for turn in turns {
        match merged.last_mut() {
            Some(last) if last.party == turn.party => last.append(turn),
            _ => merged.push(turn),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_side_by_side_if_the_order_stays_clear() {
        let [p1, p2] = Seat::BOTH.map(Some);
        assert!(keeps_order(true, &[]), "a joint round");
        assert!(keeps_order(true, &[p2]), "and an item used after it");
        assert!(keeps_order(false, &[p1, p1, p1]), "one seat's turn");
        assert!(!keeps_order(false, &[p1, p2]), "bets");
        assert!(!keeps_order(true, &[p1, p1]), "something before, between or after?");
        assert!(!keeps_order(true, &[None]) && !keeps_order(false, &[None]), "a draw");
    }
}
