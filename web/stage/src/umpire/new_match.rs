//! The form of a new match, read: the match that it describes, and its errors by field.

use std::collections::BTreeMap;

use app::archive::parse_day;
use app::text::{check_distinct, check_event, check_player};
use engine::{BySeat, Setup, SetupError};
use record::WAIT_SECONDS;
use record::body::DrawSource;
use record::words::sentence;
use record::write::{Clocks, NewMatch, Pace};

use super::form_data::FormData;

pub(super) type Errors = BTreeMap<&'static str, String>;

pub(super) struct Setting {
    pub(super) name: &'static str,
    pub(super) ruleset: &'static str,
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
            Setting { name, ruleset: card.id, hosting: card.hosting, values: first, chosen }
        })
    });
    settings.collect()
}

pub(super) fn is_practice(sent: &FormData) -> bool {
    sent.text("practice") == "on"
}

/// True if the links to both seats are made at once. The form offers it ticked, as `if-live`, which means nothing where the
/// umpire types both moves; `on` was chosen.
pub(super) fn makes_links(sent: &FormData) -> bool {
    is_live(sent) && !sent.text("invites").is_empty()
}

fn is_live(sent: &FormData) -> bool {
    sent.text("live") == "on"
}

pub(super) fn has_beacon(sent: &FormData) -> bool {
    sent.text("beacon") == "on"
}

fn has_typed_draws(sent: &FormData) -> bool {
    sent.text("draws") == "umpire"
}

pub(super) fn read(sent: &FormData) -> (NewMatch, Errors) {
    let mut errors = Errors::new();
    check_texts(sent, &mut errors);
    let setup = setup(sent, &mut errors);
    if let Err(error) = engine::Duel::open(&setup) {
        errors.entry(field_of(&error)).or_insert_with(|| explain(&error));
    }
    check_live_ticks(sent, &mut errors);
    let some = |name: &str| Some(sent.text(name).to_owned()).filter(|text| !text.is_empty());
    let new = NewMatch {
        setup,
        names: BySeat { p1: sent.text("p1").to_owned(), p2: sent.text("p2").to_owned() },
        event: some("event"),
        date: some("date"),
        host_key: String::new(),
        pace: pace(sent),
        draws: (!has_typed_draws(sent)).then_some(DrawSource::Host),
        looks: sent.text("looks") == "on",
        wait: wait(sent, &mut errors),
        // The network is the site's.
        beacon: None,
    };
    (new, errors)
}

/// Refuses what only the players' own moves can have, where the umpire types, and what only clocks can have, where there are
/// none: it would be left out without a word.
fn check_live_ticks(sent: &FormData, errors: &mut Errors) {
    if sent.text("early") == "on" && !(is_live(sent) && sent.text("clocks") == "on") {
        let how = "Tick “A clock closes each round”, or untick “A round closes early”.";
        errors.insert("early", format!("A round closes early only where a clock closes it. {how}"));
    }
    if is_live(sent) {
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

fn wait(sent: &FormData, errors: &mut Errors) -> Option<u32> {
    let text = sent.text("wait");
    if text.is_empty() {
        return None;
    }
    let seconds = text.parse().ok().filter(|seconds| WAIT_SECONDS.contains(seconds));
    if seconds.is_none() {
        errors.insert("wait", "Enter 1 to 600 seconds, or leave it empty.".into());
    }
    seconds
}

fn check_texts(sent: &FormData, errors: &mut Errors) {
    let (p1, p2) = (sent.text("p1"), sent.text("p2"));
    let (event, date) = (sent.text("event"), sent.text("date"));
    let checked = [("p1", check_player(p1)), ("p2", check_player(p2)), ("event", check_event(event))];
    errors.extend(checked.into_iter().filter_map(|(field, checked)| Some((field, checked.err()?.to_string()))));
    if let (false, Err(same)) = (p1.is_empty(), check_distinct(p1, p2)) {
        errors.insert("p2", same.to_string());
    }
    if !date.is_empty() && (date.len() != 10 || parse_day(date).is_none()) {
        errors.insert(
            "date",
            "This is no date. Write year, month and day, such as 2026-11-20, or leave it empty.".into(),
        );
    }
}

fn setup(sent: &FormData, errors: &mut Errors) -> Setup {
    let dmo = match (sent.text("dmo"), sent.text("dmo").parse()) {
        ("", _) => None,
        (_, Ok(seat)) => Some(seat),
        _ => {
            errors.insert("dmo", "The DMO sits in seat 1 or in seat 2.".into());
            None
        }
    };
    let mut given: BySeat<Vec<String>> = BySeat::default();
    for item in items(sent).into_iter().filter(|item| !item.held.is_empty()) {
        match item.held.parse() {
            Ok(seat) => given[seat].push(item.word.to_owned()),
            Err(_) => {
                errors.insert("items", "An item is received by seat 1, by seat 2 or by nobody.".into());
            }
        }
    }
    let ruleset = sent.text("ruleset").to_owned();
    // A chosen value that equals the ruleset's default is not set.
    let set = settings(sent).into_iter().filter(|setting| setting.ruleset == ruleset && setting.is_changed());
    let options = set.map(|setting| (setting.name.to_owned(), setting.chosen)).collect();
    Setup { ruleset, options, dmo, items: given }
}

impl Setting {
    fn is_changed(&self) -> bool {
        !self.chosen.is_empty() && self.values.first() != Some(&self.chosen.as_str())
    }
}

fn pace(sent: &FormData) -> Pace {
    if !is_live(sent) {
        return Pace::Recorded;
    }
    let clocks = match (sent.text("clocks"), sent.text("starts")) {
        ("on", "at-once") => Clocks::AtOnce,
        ("on", _) => Clocks::Posted,
        _ => Clocks::Off,
    };
    Pace::Live { clocks, early: clocks != Clocks::Off && sent.text("early") == "on" }
}

pub(super) const fn field_of(error: &SetupError) -> &'static str {
    match error {
        SetupError::UnknownRuleset { .. } | SetupError::UnknownOption { .. } => "ruleset",
        SetupError::NoDmo(_) => "dmo",
        SetupError::NoItems(_) | SetupError::UnknownItem { .. } | SetupError::ItemTwice { .. } => "items",
    }
}

pub(super) fn explain(error: &SetupError) -> String {
    let hosting = |id| engine::ruleset(id).map_or(id, |ruleset| ruleset.card().hosting);
    match error {
        SetupError::UnknownRuleset { id, .. } if id.is_empty() => "Pick the rules that the match is played by.".into(),
        SetupError::NoDmo(id) => {
            format!("{} gives the DMO an advantage. Say which seat is the DMO.", hosting(id))
        }
        SetupError::NoItems(id) => format!("There are no items in {}: leave them with nobody.", hosting(id)),
        error => sentence(&error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_said_at_once_beside_its_field() {
        let sent = |fields: &[(&str, &str)]| {
            let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            read(&FormData::of(fields)).1
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
