//! What can be done about a tag of the notation that is wrong or missing.

use engine::dmn::Error;
use engine::{Ruleset, Seat};

use super::facts::{Facts, tag};
use super::fix::{Change, Fix};
use super::nearest_moves::nearest_word;

/// The tags that mean something.
const NAMES: [&str; 11] =
    ["DMN", "Ruleset", "Options", "Event", "Date", "P1", "P2", "DMO", "P1Items", "P2Items", "Result"];
/// The tags without which there is no match.
const REQUIRED: [&str; 4] = ["DMN", "Ruleset", "P1", "P2"];

/// The buttons for an error of the tags. What the form says of the match stands in `given`.
pub(crate) fn fixes(text: &str, error: &Error, given: &Facts) -> Vec<Fix> {
    let line = text.lines().nth(error.line.saturating_sub(1)).unwrap_or_default();
    let place = Place { at: error.line, line };
    if let Some(name) = missing(error) {
        return place.missing(name, given);
    }
    if error.expected.contains("gives the DMO a right") {
        return place.dmo();
    }
    if let Some(first) = error.expected.rsplit_once(" is already on line ").and_then(|(_, first)| first.parse().ok()) {
        return place.twice(text, first);
    }
    match tag(line) {
        Some(("DMN", _)) => vec![place.takes("DMN", "1")],
        Some(("Ruleset", said)) => rulesets(&said).map(|id| place.takes("Ruleset", id)).collect(),
        Some(("Options", said)) => place.options(text, &said),
        Some(("DMO", _)) => {
            let seat =
                |seat: Seat| Fix::line(format!("The DMO is {seat}"), place.at, line, vec![format!("[DMO \"{seat}\"]")]);
            Seat::BOTH.map(seat).into_iter().chain([Fix::ignore(place.at, line)]).collect()
        }
        Some((name @ ("P1Items" | "P2Items"), said)) => place.items(text, name, &said, error),
        Some(("Result", said)) => {
            let near = nearest_word(&said, ["p1", "p2", "undecided", "void"].into_iter());
            near.map(|near| place.takes("Result", near)).into_iter().chain([Fix::ignore(place.at, line)]).collect()
        }
        Some(_) => vec![Fix::ignore(place.at, line)],
        None => place.shaped(),
    }
}

/// The seat whose name an error misses.
pub(crate) fn unnamed(error: &Error) -> Option<Seat> {
    match missing(error)? {
        "P1" => Some(Seat::P1),
        "P2" => Some(Seat::P2),
        _ => None,
    }
}

/// The tag that an error misses.
fn missing(error: &Error) -> Option<&str> {
    let named = error.expected.strip_prefix("expected a tag [").filter(|_| error.found.is_empty())?;
    named.split(' ').next()
}

/// The line of a tag.
#[derive(Clone, Copy)]
struct Place<'t> {
    at: usize,
    line: &'t str,
}

impl Place<'_> {
    /// The tag with this value instead.
    fn takes(self, name: &str, value: &str) -> Fix {
        Fix::line(format!("Take {value}"), self.at, self.line, vec![written(name, value)])
    }

    /// A tag that stands nowhere.
    fn missing(self, name: &str, given: &Facts) -> Vec<Fix> {
        let added = |label: String, value: &str| {
            Fix::line(label, self.at, self.line, vec![written(name, value), self.line.to_owned()])
        };
        let named = |who: &str, value: &str| (!value.is_empty()).then(|| added(format!("{who} is {value}"), value));
        match name {
            "DMN" => vec![added("Add the version of the notation".to_owned(), "1")],
            "Ruleset" => rulesets(&given.ruleset).map(|id| added(format!("Played by {id}"), id)).collect(),
            "P1" => named("Player 1", &given.names.p1).into_iter().collect(),
            "P2" => named("Player 2", &given.names.p2).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Who the DMO is, where the rules ask for it.
    fn dmo(self) -> Vec<Fix> {
        let now = |seat: Seat| vec![self.line.to_owned(), written("DMO", seat.word())];
        Seat::BOTH.map(|seat| Fix::line(format!("The DMO is {seat}"), self.at, self.line, now(seat))).into()
    }

    /// A tag that stands already on another line.
    fn twice(self, text: &str, first: usize) -> Vec<Fix> {
        let mut fixes = Vec::new();
        if let Some(("P1", name)) = tag(self.line)
            && value(text, "P2").is_none()
        {
            fixes.push(Fix::line(format!("{name} is player 2"), self.at, self.line, vec![written("P2", &name)]));
        }
        let before = text.lines().nth(first.saturating_sub(1)).unwrap_or_default();
        fixes.push(Fix::ignore(self.at, self.line));
        let change = Change { at: first, was: before.to_owned(), now: vec![format!("# {before}")] };
        fixes.push(Fix::lines(format!("Leave line {first} out instead"), vec![change]));
        fixes
    }

    /// Options that the ruleset does not have, or not with this value.
    fn options(self, text: &str, said: &str) -> Vec<Fix> {
        let ruleset = value(text, "Ruleset").and_then(|id| engine::ruleset(&id).ok());
        let options: Vec<&str> = said.split_ascii_whitespace().collect();
        let is_wrong = |at: usize, option: &str| {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            let pair = [(name.to_owned(), value.to_owned())];
            let before = options.get(..at).unwrap_or_default();
            let twice = before.iter().any(|before| before.split('=').next() == Some(name));
            twice || ruleset.is_none_or(|ruleset| ruleset.options_with(&pair).is_err())
        };
        let mut fixes = Vec::new();
        if let Some((at, wrong)) = options.iter().enumerate().find(|(at, option)| is_wrong(*at, option)) {
            let with = |now: Option<&str>| {
                let all =
                    options.iter().enumerate().filter_map(|(n, option)| if n == at { now } else { Some(*option) });
                all.collect::<Vec<_>>().join(" ")
            };
            for near in ruleset.map(|ruleset| near_options(ruleset, wrong)).unwrap_or_default() {
                let tag = written("Options", &with(Some(&near)));
                fixes.push(Fix::line(format!("Take {near}"), self.at, self.line, vec![tag]));
            }
            let rest = with(None);
            if !rest.is_empty() {
                let tag = written("Options", &rest);
                fixes.push(Fix::line(format!("Leave {wrong} out"), self.at, self.line, vec![tag]));
            }
        }
        fixes.push(Fix::line("Leave the options out", self.at, self.line, vec![format!("# {}", self.line)]));
        fixes
    }

    /// Items that the ruleset does not have, or that stand there twice.
    fn items(self, text: &str, name: &str, said: &str, error: &Error) -> Vec<Fix> {
        let known = value(text, "Ruleset").and_then(|id| engine::ruleset(&id).ok());
        let known = known.map_or(&[][..], |ruleset| ruleset.card().items);
        let mut fixes = Vec::new();
        let mut items: Vec<&str> = Vec::new();
        for item in said.split_ascii_whitespace() {
            let near = nearest_word(item, known.iter().copied()).unwrap_or_default();
            if !near.is_empty() && !items.contains(&near) {
                items.push(near);
            }
        }
        let mended = items.join(" ");
        if !mended.is_empty() && mended != said && !error.expected.contains("has no items") {
            fixes.push(self.takes(name, &mended));
        }
        fixes.push(Fix::ignore(self.at, self.line));
        fixes
    }

    /// A tag that is written otherwise: `[P1 Black]`, `P1: "Black"`.
    fn shaped(self) -> Vec<Fix> {
        let inside = self.line.trim().trim_matches(['[', ']', '{', '}']).trim();
        let (name, value) = inside.split_once([' ', ':', '=', '"', '\t']).unwrap_or((inside, ""));
        let value = value.trim().trim_matches([':', '=', '"', '“', '”', '\'']).trim();
        let known = NAMES.into_iter().find(|known| known.eq_ignore_ascii_case(name.trim()));
        let shaped = known.filter(|_| !value.is_empty()).map(|name| {
            let tag = written(name, value);
            Fix::line(format!("Write {tag}"), self.at, self.line, vec![tag])
        });
        let is_needed = known.is_some_and(|known| REQUIRED.contains(&known)) && shaped.is_some();
        shaped.into_iter().chain((!is_needed).then(|| Fix::ignore(self.at, self.line))).collect()
    }
}

/// A tag as the notation writes it.
pub(crate) fn written(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// What a tag says.
fn value(text: &str, name: &str) -> Option<String> {
    text.lines().find_map(|line| tag(line).filter(|(known, _)| *known == name).map(|(_, value)| value))
}

/// The ruleset that was meant, or all of them where none is near.
pub(crate) fn rulesets(said: &str) -> impl Iterator<Item = &'static str> {
    let ids = || engine::rulesets().map(|ruleset| ruleset.card().id);
    let near = if said.is_empty() { None } else { nearest_word(said, ids()) };
    ids().filter(move |id| near.is_none_or(|near| near == *id))
}

/// What may have been meant by an option: the nearest by name, with each value that it can have.
fn near_options(ruleset: &dyn Ruleset, said: &str) -> Vec<String> {
    let (name, _) = said.split_once('=').unwrap_or((said, ""));
    let Some(near) = nearest_word(name, ruleset.choices().iter().map(|(name, _)| *name)) else { return Vec::new() };
    let values = ruleset.choices().iter().filter(|(name, _)| *name == near).flat_map(|(_, values)| values.iter());
    values.map(|value| format!("{near}={value}")).collect()
}
