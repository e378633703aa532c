//! The form of a new match: its choices, and what it says, read.

use app::new_match::{ClocksWord, FieldErrors, MatchFields, ModeWord};
use engine::games::declared::Declaration;
use ledger::NetworkHash;
use record::words::sentence;
use record::write::NewMatch;

use super::form_data::FormData;

pub(super) struct Setting {
    pub(super) name: &'static str,
    pub(super) hosting: &'static str,
    pub(super) values: Vec<&'static str>,
    pub(super) chosen: String,
}

pub(super) struct Item {
    pub(super) word: &'static str,
    pub(super) name: String,
    pub(super) held: String,
}

pub(super) fn items(sent: &FormData) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    for word in engine::rulesets().flat_map(|ruleset| ruleset.card().items) {
        if !items.iter().any(|item| item.word == *word) {
            let held = sent.text(&format!("item-{word}")).to_owned();
            let name = sentence(&word.replace('-', " ")).trim_end_matches('.').to_owned();
            items.push(Item { word, name, held });
        }
    }
    items
}

pub(super) fn settings(sent: &FormData) -> Vec<Setting> {
    let settings = engine::rulesets().flat_map(|ruleset| {
        let own = ruleset.options();
        ruleset.choices().iter().map(move |(name, values)| {
            let is_own = |value: &&str| own.contains(&(*name, *value));
            let (mut first, others): (Vec<&str>, Vec<&str>) = values.iter().copied().partition(is_own);
            first.extend(others);
            let card = ruleset.card();
            let chosen = sent.text(&format!("option-{name}")).to_owned();
            Setting { name, hosting: card.hosting, values: first, chosen }
        })
    });
    settings.collect()
}

/// True if the links to both seats are made at once. The form offers it ticked, as `if-live`, which means nothing where the
/// umpire types both moves; `on` was chosen.
pub(super) fn makes_links(sent: &FormData) -> bool {
    sent.text("live") == "on" && !sent.text("invites").is_empty()
}

pub(super) fn is_practice(sent: &FormData) -> bool {
    sent.text("practice") == "on"
}

pub(super) fn read(sent: &FormData, network: NetworkHash) -> Result<NewMatch, FieldErrors> {
    let (fields, mut errors) = MatchFields::of_form(sent.fields());
    let new = fields.parse(network);
    for (field, error) in new.as_ref().err().into_iter().flatten() {
        errors.entry(*field).or_insert_with(|| error.clone());
    }
    check_live_ticks(sent, &fields, &mut errors);
    if errors.is_empty() { new } else { Err(errors) }
}

/// What is wrong with a declared game; nothing where none is declared yet.
pub(super) fn game_error(sent: &FormData) -> FieldErrors {
    let fault = Declaration::read(sent.text("game").lines()).err().filter(|_| !sent.text("game").is_empty());
    fault.map(|fault| ("game", sentence(&fault.to_string()))).into_iter().collect()
}

/// Refuses what only the players' own moves can have, where the umpire types, and what only clocks can have, where there are
/// none: it would be left out without a word.
fn check_live_ticks(sent: &FormData, fields: &MatchFields, errors: &mut FieldErrors) {
    let is_live = fields.mode == ModeWord::Live;
    if fields.early && !(is_live && fields.clocks != ClocksWord::Off) {
        let how = "Tick “A clock closes each round”, or untick “A round closes early”.";
        errors.insert("early", format!("A round closes early only where a clock closes it. {how}"));
    }
    if is_live {
        return;
    }
    for (field, label, what) in [
        ("clocks", "A clock closes each round", "A clock is only for moves that the players send"),
        (
            "looks",
            "You may read the moves before the close",
            "Only moves that the players send can be read before the close",
        ),
        ("invites", "Make both links at once", "Links to play by are only for players who send their own moves"),
    ] {
        if sent.text(field) == "on" {
            let how = format!("Tick “The players send their own moves”, or untick “{label}”.");
            errors.insert(field, format!("{what}. {how}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use ledger::Hash;

    use super::*;

    #[test]
    fn every_fault_is_said_at_once_beside_its_field() {
        let sent = |fields: &[(&str, &str)]| {
            let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            read(&FormData::of(fields), NetworkHash(Hash::ZERO)).err().unwrap_or_default()
        };
        let errors = sent(&[
            ("ruleset", "five-card-trick/genius-puzzler"),
            ("p1", " "),
            ("p2", &"x".repeat(81)),
            ("date", "2026-13-01"),
        ]);
        assert_eq!(errors.keys().copied().collect::<Vec<_>>(), ["date", "dmo", "p1", "p2"]);
        assert_eq!(errors["dmo"], "The Genius Puzzler gives the DMO an advantage. Say which seat is the DMO.");
        let good = [("ruleset", "five-card-trick/zeros-gauntlet-final"), ("p1", "Ada"), ("p2", "Bo")];
        assert!(sent(&good).is_empty());
        let dropped = [&good[..], &[("clocks", "on"), ("looks", "on"), ("invites", "on")]].concat();
        assert_eq!(sent(&dropped).keys().copied().collect::<Vec<_>>(), ["clocks", "invites", "looks"]);
        assert!(sent(&[&dropped[..], &[("live", "on")]].concat()).is_empty());
        assert!(sent(&[&good[..], &[("invites", "if-live")]].concat()).is_empty(), "the form offers it ticked");
        let early = [&good[..], &[("live", "on"), ("early", "on")]].concat();
        assert_eq!(sent(&early).keys().copied().collect::<Vec<_>>(), ["early"]);
        assert!(sent(&[&early[..], &[("clocks", "on")]].concat()).is_empty());
        let items = [&good[..], &[("item-overload", "p1"), ("item-limit-reset", "p2"), ("item-claim-priority", "p3")]];
        assert_eq!(sent(&items.concat()).keys().copied().collect::<Vec<_>>(), ["items"]);
        assert_eq!(
            sent(&[("p1", "Ada"), ("p2", "ada")])["p2"],
            "Both seats have the same name. Nobody could tell them apart."
        );
    }
}
