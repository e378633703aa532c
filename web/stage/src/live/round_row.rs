//! A round in the list beside the table: both scores after it, what was played, and what was left between the seats.

use app::views::{Beat, VisibleMatch};
use engine::{BySeat, Seat};
use page::{ActionCard, PartyMove, party_moves};
use record::SheetRow;

#[derive(Debug)]
pub(super) struct RoundRow {
    pub(super) label: String,
    pub(super) address: String,
    pub(super) sides: BySeat<Side>,
    /// The shared figure after it, such as the pot.
    pub(super) shared: Option<i32>,
}

#[derive(Debug)]
pub(super) struct Side {
    pub(super) score: Option<i32>,
    pub(super) cards: Vec<ActionCard>,
    /// Where there are no cards for it.
    pub(super) words: Vec<String>,
}

impl RoundRow {
    pub(super) fn of(shown: &VisibleMatch<'_>, row: &SheetRow<'_>) -> Self {
        let history = shown.history;
        let figures = row.after().map(|duel| duel.figures()).unwrap_or_default();
        let figure = |seat: Option<Seat>| figures.iter().find(|figure| figure.seat == seat).map(|figure| figure.value);
        let done = row.steps.iter().flat_map(|step| party_moves(shown, step, history.before(step.number)));
        let done: Vec<PartyMove> = done.collect();
        let side = |seat: Seat| {
            let own = done.iter().filter(|one| one.seat.as_ref().is_some_and(|name| name.seat == seat));
            let (with_cards, without): (Vec<_>, Vec<_>) = own.partition(|one| !one.cards().is_empty());
            Side {
                score: figure(Some(seat)),
                cards: with_cards.iter().flat_map(|one| one.cards()).collect(),
                words: without.iter().map(|one| one.words().trim_end_matches('.').to_owned()).collect(),
            }
        };
        Self {
            label: row.label.clone(),
            address: Beat::After.address(history.match_id, &row.label),
            sides: BySeat::from_fn(side),
            shared: figure(None),
        }
    }
}
