//! A match to open, as a form, a program, a plan and a chat describe it: read once, with its errors by field.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::games::declared::{DECLARED, Declaration};
use engine::{BySeat, Seat, Setup, SetupError};
use ledger::NetworkHash;
use record::WAIT_SECONDS;
use record::body::DrawSource;
use record::words::sentence;
use record::write::{Clocks, NewMatch, Pace};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::day::parse_day;
use crate::text::{check_distinct, check_event, check_player};
use crate::views::SeatWord;
use crate::views::integer::integer_or_none;

/// Errors by the names of the form's fields.
pub type FieldErrors = BTreeMap<&'static str, String>;

/// A match to open.
#[derive(Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewMatch, example = json!({
    "ruleset": "five-card-trick/dm-colosseum-2", "players": { "p1": "Ada", "p2": "Bo" }, "mode": "recorded"
}))]
pub struct MatchFields {
    /// The ruleset's id.
    #[schema(max_length = 100)]
    pub ruleset: String,
    /// Who sits where.
    pub players: Names,
    /// For the ruleset `declared/1`, the game as you declare it: one thing a line, as in the tags `Game` of the notation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 8000, example = "title Colour Wheel\nask letter both pick 1 of (a b c d)")]
    pub game: Option<String>,
    /// Options that are set otherwise than the ruleset has them.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// The Death Match Opponent, where the rules give one a right.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub dmo: Option<SeatWord>,
    /// The items that each seat has received.
    #[serde(default)]
    pub items: Items,
    /// The tournament.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 80)]
    pub event: Option<String>,
    /// The day it is played.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, format = Date, example = "2026-11-20")]
    pub date: Option<String>,
    /// Whether you type for both seats, or the players submit by themselves.
    #[serde(default)]
    pub mode: ModeWord,
    /// In a live match, whether clocks close the questions, and from when they run.
    #[serde(default)]
    pub clocks: ClocksWord,
    /// In a live match with clocks, whether a question to both players closes before its deadline once both call their answer
    /// final. That shows that both were done by then, and so tells each player about when the other was.
    #[serde(default)]
    #[schema(example = false)]
    pub early: bool,
    /// Who draws, in a game in which something is drawn.
    #[serde(default)]
    pub draws: DrawsWord,
    /// In a live match, whether you may read what the players send before it closes. Their pages say so.
    #[serde(default)]
    pub looks: bool,
    /// How many seconds, at most, everything sealed waits for the log's witnesses before it opens; without it nothing waits.
    /// Only where the site asks witnesses, and not in practice.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "integer_or_none")]
    #[schema(nullable = false, minimum = 1, maximum = 600, example = 30)]
    pub wait: Option<u32>,
    /// Whether each draw waits for a round of the public beacon, so that nobody can know or choose it before. Only where
    /// Matchbook draws, and not in practice.
    #[serde(default)]
    #[schema(example = false)]
    pub beacon: bool,
    /// Not for the record: everything works as in a match that counts, every answer says that it is practice, it is in no
    /// log and no list, and you can delete it whole. It cannot become part of the record later.
    #[serde(default)]
    #[schema(example = false)]
    pub practice: bool,
}

/// The players' names.
#[derive(Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Names {
    #[schema(min_length = 1, max_length = 80, pattern = "\\S", example = "Ada")]
    pub p1: String,
    #[schema(min_length = 1, max_length = 80, pattern = "\\S", example = "Bo")]
    pub p2: String,
}

/// The items of each seat.
#[derive(Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Items {
    #[serde(default)]
    #[schema(max_items = 10)]
    pub p1: Vec<String>,
    #[serde(default)]
    #[schema(max_items = 10)]
    pub p2: Vec<String>,
}

/// How a match is run.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ModeWord {
    /// The umpire types what the players sent elsewhere.
    #[default]
    Recorded,
    /// The players submit here.
    Live,
}

/// What closes the questions of a live match.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ClocksWord {
    /// You do.
    #[default]
    Off,
    /// Clocks do, from when you start them.
    Posted,
    /// Clocks do, from when the question is asked; the first one of a match waits for you all the same.
    AtOnce,
}

/// Who draws.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DrawsWord {
    /// Matchbook, so that everybody can check it.
    #[default]
    Host,
    /// Somebody elsewhere, and you type it in.
    Umpire,
}

impl MatchFields {
    /// The fields of a form, as the dashboard sends them and plans keep them.
    #[must_use]
    pub fn to_form(&self) -> Vec<(String, String)> {
        let mut fields: Vec<(String, String)> = Vec::new();
        let mut add = |name: &str, value: &str| fields.push((name.to_owned(), value.trim().to_owned()));
        add("ruleset", &self.ruleset);
        add("p1", &self.players.p1);
        add("p2", &self.players.p2);
        if let Some(game) = &self.game {
            add("game", game);
        }
        for (name, value) in [("event", &self.event), ("date", &self.date)] {
            add(name, value.as_deref().unwrap_or_default());
        }
        add("dmo", self.dmo.map(Seat::from).map_or("", Seat::word));
        for (name, value) in &self.options {
            add(&format!("option-{name}"), value);
        }
        for (seat, items) in [(Seat::P1, &self.items.p1), (Seat::P2, &self.items.p2)] {
            for item in items {
                add(&format!("item-{item}"), seat.word());
            }
        }
        let flag = |set: bool| if set { "on" } else { "" };
        add("live", flag(self.mode == ModeWord::Live));
        add("clocks", flag(self.clocks != ClocksWord::Off));
        add("starts", if self.clocks == ClocksWord::AtOnce { "at-once" } else { "posted" });
        add("draws", if self.draws == DrawsWord::Umpire { "umpire" } else { "host" });
        add("early", flag(self.early));
        add("looks", flag(self.looks));
        add("beacon", flag(self.beacon));
        add("wait", &self.wait.map(|seconds| seconds.to_string()).unwrap_or_default());
        fields
    }

    /// Reads the fields of a form. What is no value of its field is an error, and left out.
    #[must_use]
    pub fn of_form(fields: &[(String, String)]) -> (Self, FieldErrors) {
        let mut errors = FieldErrors::new();
        let text = |name: &str| fields.iter().find(|(sent, _)| sent == name).map_or("", |(_, value)| value.trim());
        let some = |name: &str| Some(text(name)).filter(|text| !text.is_empty());
        let is_on = |name: &str| text(name) == "on";
        let with = |prefix: &'static str| {
            let named = fields.iter().filter_map(move |(name, value)| Some((name.strip_prefix(prefix)?, value.trim())));
            named.filter(|(_, value)| !value.is_empty())
        };
        let ruleset = text("ruleset").to_owned();
        // The form holds the options of every ruleset, and default values beside those that were set.
        let own = engine::ruleset(&ruleset).map(|rules| (rules.options(), rules.choices())).ok();
        let is_set = |(name, value): &(&str, &str)| {
            own.as_ref().is_some_and(|(own, choices)| {
                choices.iter().any(|choice| choice.0 == *name) && !own.contains(&(*name, *value))
            })
        };
        let mut items = Items::default();
        for (item, seat) in with("item-") {
            match seat.parse() {
                Ok(Seat::P1) => items.p1.push(item.to_owned()),
                Ok(Seat::P2) => items.p2.push(item.to_owned()),
                Err(_) => {
                    errors.insert("items", "An item is received by seat 1, by seat 2 or by nobody.".into());
                }
            }
        }
        let dmo = some("dmo").map(str::parse::<Seat>);
        if let Some(Err(_)) = dmo {
            errors.insert("dmo", "The DMO sits in seat 1 or in seat 2.".into());
        }
        let wait = some("wait").map(str::parse);
        if let Some(Err(_)) = wait {
            errors.insert("wait", NO_WAIT.into());
        }
        let fields = Self {
            players: Names { p1: text("p1").to_owned(), p2: text("p2").to_owned() },
            game: some("game").filter(|_| ruleset == DECLARED).map(str::to_owned),
            options: with("option-").filter(is_set).map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            dmo: dmo.and_then(Result::ok).map(Into::into),
            items,
            event: some("event").map(str::to_owned),
            date: some("date").map(str::to_owned),
            mode: if is_on("live") { ModeWord::Live } else { ModeWord::Recorded },
            clocks: match (is_on("clocks"), text("starts")) {
                (false, _) => ClocksWord::Off,
                (true, "at-once") => ClocksWord::AtOnce,
                (true, _) => ClocksWord::Posted,
            },
            draws: if text("draws") == "umpire" { DrawsWord::Umpire } else { DrawsWord::Host },
            early: is_on("early"),
            looks: is_on("looks"),
            wait: wait.and_then(Result::ok),
            beacon: is_on("beacon"),
            practice: is_on("practice"),
            ruleset,
        };
        (fields, errors)
    }

    /// The match that is opened, or each of its errors. `network` is the beacon of the site.
    pub fn parse(&self, network: NetworkHash) -> Result<NewMatch, FieldErrors> {
        let text = |text: &Option<String>| {
            let text = text.as_deref().map(str::trim).filter(|text| !text.is_empty());
            text.map(str::to_owned)
        };
        let declared = self.game.as_deref().map(|game| Declaration::read(game.lines()).map(Arc::new)).transpose();
        let (declared, fault) = declared.map_or_else(|fault| (None, Some(fault)), |game| (game, None));
        let new = NewMatch {
            setup: Setup {
                declared,
                ruleset: self.ruleset.trim().to_owned(),
                options: self.options.clone().into_iter().collect(),
                dmo: self.dmo.map(Into::into),
                items: BySeat { p1: self.items.p1.clone(), p2: self.items.p2.clone() },
            },
            names: BySeat { p1: self.players.p1.trim().to_owned(), p2: self.players.p2.trim().to_owned() },
            event: text(&self.event),
            date: text(&self.date),
            host_key: String::new(),
            pace: self.pace(),
            draws: (self.draws == DrawsWord::Host).then_some(DrawSource::Host),
            looks: self.looks,
            wait: self.wait,
            beacon: self.beacon.then_some(network),
        };
        let mut errors = errors_of(&new);
        if let Some(fault) = fault {
            errors.insert("game", sentence(&fault.to_string()));
        }
        if errors.is_empty() { Ok(new) } else { Err(errors) }
    }

    const fn pace(&self) -> Pace {
        let clocks = match (self.mode, self.clocks) {
            (ModeWord::Recorded, _) => return Pace::Recorded,
            (ModeWord::Live, ClocksWord::Off) => Clocks::Off,
            (ModeWord::Live, ClocksWord::Posted) => Clocks::Posted,
            (ModeWord::Live, ClocksWord::AtOnce) => Clocks::AtOnce,
        };
        Pace::Live { clocks, early: self.early }
    }
}

const NO_WAIT: &str = "Enter 1 to 600 seconds, or leave it empty.";

fn errors_of(new: &NewMatch) -> FieldErrors {
    let (BySeat { p1, p2 }, event) = (&new.names, new.event.as_deref().unwrap_or_default());
    let checked = [("p1", check_player(p1)), ("p2", check_player(p2)), ("event", check_event(event))];
    let mut errors: FieldErrors =
        checked.into_iter().filter_map(|(field, checked)| Some((field, checked.err()?.to_string()))).collect();
    if let (false, Err(same)) = (p1.is_empty(), check_distinct(p1, p2)) {
        errors.insert("p2", same.to_string());
    }
    if new.date.as_ref().is_some_and(|date| date.len() != 10 || parse_day(date).is_none()) {
        let why = "This is no date. Write year, month and day, such as 2026-11-20, or leave it empty.";
        errors.insert("date", why.into());
    }
    if new.wait.is_some_and(|seconds| !WAIT_SECONDS.contains(&seconds)) {
        errors.insert("wait", NO_WAIT.into());
    }
    if let Err(error) = engine::Duel::open(&new.setup) {
        errors.insert(field_of(&error), explain(&error));
    }
    errors
}

const fn field_of(error: &SetupError) -> &'static str {
    match error {
        SetupError::UnknownRuleset { .. } | SetupError::UnknownOption { .. } => "ruleset",
        SetupError::NoDeclaration(_) | SetupError::Declared(_) => "game",
        SetupError::NoDmo(_) => "dmo",
        SetupError::NoItems(_) | SetupError::UnknownItem { .. } | SetupError::ItemTwice { .. } => "items",
    }
}

fn explain(error: &SetupError) -> String {
    let hosting = |id| engine::ruleset(id).map_or(id, |ruleset| ruleset.card().hosting);
    match error {
        SetupError::UnknownRuleset { id, .. } if id.is_empty() => "Pick the rules that the match is played by.".into(),
        SetupError::NoDmo(id) => {
            format!("{} gives the DMO an advantage. Say which seat is the DMO.", hosting(id))
        }
        SetupError::NoDeclaration(_) => "Say what is asked, such as: ask answer both yes-no".into(),
        SetupError::NoItems(id) => format!("There are no items in {}: leave them with nobody.", hosting(id)),
        error => sentence(&error.to_string()),
    }
}

/// The contents of a form that opens a match, for its digest. The text must be the same in every version of this program.
pub(crate) fn contents_of(new: &NewMatch) -> String {
    let setup = &new.setup;
    let pace = match new.pace {
        Pace::Recorded => "recorded",
        Pace::Live { clocks: Clocks::Off, .. } => "live",
        Pace::Live { clocks: Clocks::Posted, .. } => "live, clocks from the post",
        Pace::Live { clocks: Clocks::AtOnce, .. } => "live, clocks at once",
    };
    let draws = match new.draws {
        None => "",
        Some(DrawSource::Umpire) => "umpire",
        Some(DrawSource::Host) => "host",
    };
    let options = setup.options.iter().map(|(name, value)| format!("{name}={value}"));
    let lines = [
        setup.ruleset.clone(),
        options.collect::<Vec<_>>().join(" "),
        setup.dmo.map_or("", Seat::word).to_owned(),
        setup.items.p1.join(" "),
        setup.items.p2.join(" "),
        new.names.p1.clone(),
        new.names.p2.clone(),
        new.event.clone().unwrap_or_default(),
        new.date.clone().unwrap_or_default(),
        pace.to_owned(),
        draws.to_owned(),
    ];
    // A later choice adds a line only where it is taken.
    let looks = if new.looks { "\nthe umpire looks" } else { "" };
    let wait = new.wait.map(|seconds| format!("\nit waits {seconds} s for witnesses")).unwrap_or_default();
    let beacon = new.beacon.map(|network| format!("\nits draws wait for the beacon {network}")).unwrap_or_default();
    let early = if matches!(new.pace, Pace::Live { early: true, .. }) { "\nit closes early" } else { "" };
    let game = setup.declared.as_ref().map(|game| format!("\n{}", game.lines().join("\n"))).unwrap_or_default();
    lines.join("\n") + looks + &wait + &beacon + early + &game
}

#[cfg(test)]
mod tests {
    use engine::Setup;

    use super::*;

    /// The digest of a form is of these lines. If they changed, a form that was sent before an update and is sent again
    /// after it would be refused as another one.
    #[test]
    fn the_contents_of_a_form_are_the_same_in_every_version() {
        let names = BySeat { p1: "Ada \"A\"".to_owned(), p2: "Bo".to_owned() };
        let new = NewMatch { names: names.clone(), ..NewMatch::default() };
        assert_eq!(contents_of(&new), "\n\n\n\n\nAda \"A\"\nBo\n\n\nrecorded\n");
        let setup = Setup {
            ruleset: "five-card-trick/zeros-gauntlet-final".to_owned(),
            dmo: Some(Seat::P2),
            items: BySeat { p1: vec!["overload".to_owned(), "limit-reset".to_owned()], p2: Vec::new() },
            options: vec![("chips".to_owned(), "20".to_owned()), ("tie".to_owned(), "last-taker".to_owned())],
            declared: None,
        };
        for (clocks, draws, pace, drawn) in [
            (Clocks::Off, None, "live", ""),
            (Clocks::Posted, Some(DrawSource::Umpire), "live, clocks from the post", "umpire"),
            (Clocks::AtOnce, Some(DrawSource::Host), "live, clocks at once", "host"),
        ] {
            let new = NewMatch {
                setup: setup.clone(),
                names: names.clone(),
                event: Some("Cup".to_owned()),
                date: Some("2026-11-20".to_owned()),
                host_key: "not part of the form".to_owned(),
                pace: Pace::Live { clocks, early: false },
                draws,
                looks: false,
                wait: None,
                beacon: None,
            };
            let expected = format!(
                "five-card-trick/zeros-gauntlet-final\nchips=20 tie=last-taker\np2\noverload limit-reset\n\n\
                 Ada \"A\"\nBo\nCup\n2026-11-20\n{pace}\n{drawn}"
            );
            assert_eq!(contents_of(&new), expected);
        }
    }
}
