//! The items that a text says each player has: "Ada's items: Overload, Limit Reset".

use engine::Seat;

use super::about::last_player;
use super::facts::Facts;
use super::fix::Who;
use super::speaker::Speakers;

/// The items that a line gives to the player whom it names before them, and whether it says nothing else: "Ada's items: Overload".
pub(super) fn items_of(line: &str, facts: &Facts, speakers: &Speakers) -> Option<(Seat, Vec<&'static str>, bool)> {
    let ruleset = engine::rulesets().map(engine::Ruleset::card).find(|card| card.id == facts.ruleset)?;
    let mut all = speakers.clone();
    for (seat, name) in facts.names.each() {
        all.add(name, Who::of(seat));
    }
    let lower = line.to_lowercase();
    let at = |item: &str| lower.find(&item.replace('-', " ")).or_else(|| lower.find(item));
    let mut found: Vec<(usize, &'static str)> =
        ruleset.items.iter().filter_map(|item| Some((at(item)?, *item))).collect();
    found.sort_unstable();
    let before = line.get(..found.first()?.0)?;
    let seat = last_player(before, &all).filter(|seat| facts.items[*seat].is_empty())?;
    let alone = before.trim_end().ends_with(':');
    before.to_lowercase().contains("item").then(|| (seat, found.into_iter().map(|(_, item)| item).collect(), alone))
}

/// A player's name, or the word for the seat.
pub(super) fn called(facts: &Facts, seat: Seat) -> &str {
    if facts.names[seat].is_empty() { seat.word() } else { &facts.names[seat] }
}
