//! The table at the end of a match, above its score sheet: the hands and the boards with which it ended.

use app::views::{VisibleMatch, shown_hands};
use engine::{CardFace, CardGroup, Duel, Panel, Seat};

use page::Board;

pub(super) fn last_table(visible: &VisibleMatch<'_>) -> Option<Board> {
    let board = Board::of(visible, "The table at the end", visible.history.duel(), None);
    let board = board.with_panels(visible, &last_hands(visible)).without_large();
    Some(board).filter(Board::has_cards)
}

/// The hands with which it ended, which are in no state: those of the last showdown, or the cards that the end took off the
/// table.
fn last_hands(visible: &VisibleMatch<'_>) -> Vec<Panel> {
    let history = visible.history;
    let Some(last) = history.steps.last() else { return Vec::new() };
    let shown = shown_hands(last);
    if !shown.is_empty() {
        return shown;
    }
    let panels = |duel: Option<&Duel>| duel.map(|duel| visible.view(duel).panels).unwrap_or_default();
    let left = panels(Some(history.duel()));
    let is_left = |card: &CardFace| left.iter().flat_map(cards).any(|other| other.card == card.card);
    let is_place_left = |panel: &Panel| left.iter().any(|other| place(other) == place(panel));
    let before = panels(history.before(last.number)).into_iter();
    before.filter(|panel| !is_place_left(panel) && cards(panel).any(|card| !is_left(card))).collect()
}

fn place(panel: &Panel) -> Option<(&str, Option<Seat>)> {
    match panel {
        Panel::Cards { title, seat, .. } => Some((&**title, *seat)),
        _ => None,
    }
}

fn cards(panel: &Panel) -> impl Iterator<Item = &CardFace> {
    let groups: &[CardGroup] = match panel {
        Panel::Cards { groups, .. } => groups,
        _ => &[],
    };
    groups.iter().flat_map(|group| &group.cards)
}
