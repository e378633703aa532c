//! The tags at the head of a file.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use winnow::Parser;
use winnow::ascii::{multispace0, multispace1};
use winnow::combinator::{delimited, eof, repeat, terminated};
use winnow::error::ContextError;
use winnow::token::{any, none_of, one_of, take_while};

use super::Error;
use crate::games::declared::Declaration;
use crate::{BySeat, Duel, Seat, Setup, SetupError};

/// The values of the tags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    /// Ruleset, options, DMO, items.
    pub setup: Setup,
    /// The tournament.
    pub event: Option<String>,
    /// The date on which it was played, as written.
    pub date: Option<String>,
    /// The players' names.
    pub names: BySeat<String>,
    /// `p1`, `p2`, `undecided`, `void` or `*`.
    pub result: Option<String>,
    /// Any other tags, as they came.
    pub others: Vec<(String, String)>,
}

/// A line of a declared game; a file has as many as the game has.
const GAME: &str = "Game";
const RESULTS: [&str; 5] = ["p1", "p2", "undecided", "void", "*"];

struct Tag<'t> {
    line: usize,
    text: &'t str,
    name: &'t str,
    value: String,
    at: usize,
}

pub(super) struct Reader<'t> {
    tags: Vec<Tag<'t>>,
    errors: Vec<Error>,
}

pub(super) struct Opened {
    pub(super) tags: Tags,
    pub(super) duel: Duel,
    pub(super) stated: Option<Error>,
}

impl<'t> Reader<'t> {
    pub(super) const fn new() -> Self {
        Self { tags: Vec::new(), errors: Vec::new() }
    }

    pub(super) fn line(&mut self, line: usize, text: &'t str, whole: &'t str) {
        let offset = text.as_ptr() as usize - whole.as_ptr() as usize;
        let Ok((name, value, at)) = read(text) else {
            let expected = "expected a tag such as [P1 \"Black\"]";
            self.errors.push(Error::at(line, whole, offset, text, expected));
            return;
        };
        let known = ["DMN", "Ruleset", "Options", "Event", "Date", "P1", "P2", "DMO", "P1Items", "P2Items", "Result"];
        if let Some(first) = self.find(name).filter(|_| known.contains(&name)) {
            let expected = alloc::format!("the tag {name} is already on line {}", first.line);
            self.errors.push(Error::at(line, whole, offset, name, expected));
            return;
        }
        self.tags.push(Tag { line, text: whole, name, value, at: offset + at });
    }

    fn find(&self, name: &str) -> Option<&Tag<'t>> {
        self.tags.iter().find(|tag| tag.name == name)
    }

    fn value(&self, name: &str) -> Option<String> {
        self.find(name).map(|tag| tag.value.clone())
    }

    fn required(&mut self, name: &str) -> String {
        self.value(name).unwrap_or_else(|| {
            self.errors.push(Error::at(1, "", 0, "", alloc::format!("expected a tag [{name} \"...\"]")));
            String::new()
        })
    }

    /// A place for an error in a tag's value, or the top of the file where the tag is missing.
    fn error(&mut self, name: &str, expected: impl Into<String>) {
        let error = match self.find(name) {
            Some(tag) => Error::at(tag.line, tag.text, tag.at, &tag.value, expected),
            None => Error::at(1, "", 0, "", expected),
        };
        self.errors.push(error);
    }

    pub(super) fn finish(mut self) -> Result<Opened, (Vec<Error>, Option<Duel>)> {
        if self.required("DMN") != "1" && self.find("DMN").is_some() {
            self.error("DMN", "expected version 1 of the notation");
        }
        let ruleset = self.required("Ruleset");
        let names = BySeat { p1: self.required("P1"), p2: self.required("P2") };
        let mut setup = Setup { ruleset, ..Setup::default() };
        for option in self.value("Options").unwrap_or_default().split_ascii_whitespace() {
            match option.split_once('=') {
                Some((name, _)) if setup.options.iter().any(|(known, _)| known == name) => {
                    self.error("Options", alloc::format!("expected the option {name} once"));
                }
                Some((name, value)) => setup.options.push((name.into(), value.into())),
                None => self.error("Options", "expected options such as community=before-refill"),
            }
        }
        if let Some(dmo) = self.value("DMO") {
            setup.dmo = dmo.parse().ok();
            if setup.dmo.is_none() {
                self.error("DMO", "expected p1 or p2");
            }
        }
        let list = |value: Option<String>| {
            value.unwrap_or_default().split_ascii_whitespace().map(ToString::to_string).collect::<Vec<_>>()
        };
        setup.items = BySeat { p1: list(self.value("P1Items")), p2: list(self.value("P2Items")) };
        let result = self.value("Result");
        if result.as_ref().is_some_and(|result| !RESULTS.contains(&result.as_str())) {
            self.error("Result", "expected p1, p2, undecided, void or *");
        }
        for items in ["P1Items", "P2Items"] {
            if self.find(items).is_some() && setup.rules().is_ok_and(|known| known.card().items.is_empty()) {
                self.error(items, alloc::format!("{} has no items", setup.ruleset));
            }
        }
        setup.declared = self.declared();
        let duel = self.open(&setup);
        if !self.errors.is_empty() {
            self.errors.sort_by_key(|error| (error.line, error.column));
            return Err((self.errors, duel.or_else(|| any_match_of(setup.ruleset))));
        }
        let standard =
            ["DMN", "Ruleset", GAME, "Options", "Event", "Date", "P1", "P2", "DMO", "P1Items", "P2Items", "Result"];
        let others = self.tags.iter().filter(|tag| !standard.contains(&tag.name));
        let others = others.map(|tag| (tag.name.to_string(), tag.value.clone())).collect();
        let tags = Tags { setup, event: self.value("Event"), date: self.value("Date"), names, result, others };
        match duel {
            Some(duel) => {
                let stated = self.find("Result").map(|tag| Error::at(tag.line, tag.text, tag.at, &tag.value, ""));
                Ok(Opened { tags, duel, stated })
            }
            None => Err((self.errors, None)),
        }
    }

    /// The game that the tags `Game` declare, a line each.
    fn declared(&mut self) -> Option<Arc<Declaration>> {
        let lines: Vec<&Tag<'_>> = self.tags.iter().filter(|tag| tag.name == GAME).collect();
        if lines.is_empty() {
            return None;
        }
        match Declaration::read(lines.iter().map(|tag| tag.value.as_str())) {
            Ok(game) => Some(Arc::new(game)),
            Err(fault) => {
                let tag = lines.get(fault.line - 1);
                let error = tag.map(|tag| Error::refused(tag.line, tag.text, tag.at, &fault.refusal));
                self.errors.extend(error);
                None
            }
        }
    }

    fn open(&mut self, setup: &Setup) -> Option<Duel> {
        let error = match Duel::open(setup) {
            Ok(duel) => return Some(duel),
            Err(error) => error,
        };
        let tag = match &error {
            SetupError::UnknownRuleset { .. } if self.find("Ruleset").is_none() => return None,
            SetupError::NoDmo(_) if self.find("DMO").is_some() => return None,
            SetupError::NoDeclaration(_) if self.find(GAME).is_some() => return None,
            SetupError::NoDeclaration(_) | SetupError::Declared(_) => GAME,
            SetupError::NoItems(_) => return None,
            SetupError::UnknownRuleset { .. } => "Ruleset",
            SetupError::UnknownOption { .. } => "Options",
            SetupError::NoDmo(_) => "DMO",
            SetupError::UnknownItem { seat, .. } | SetupError::ItemTwice { seat, .. } => match seat {
                Seat::P1 => "P1Items",
                Seat::P2 => "P2Items",
            },
        };
        self.error(tag, error.to_string());
        None
    }
}

/// Any match of the ruleset, so that the spelling of the steps can be checked although other tags are wrong.
fn any_match_of(ruleset: String) -> Option<Duel> {
    Duel::open(&Setup { ruleset, dmo: Some(Seat::P1), ..Setup::default() }).ok()
}

/// `[Name "value"]`: the name, the value without its escapes, and the value's byte offset.
fn read(text: &str) -> Result<(&str, String, usize), ContextError> {
    let mut input = text;
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let word = (one_of(|c: char| c.is_ascii_alphabetic()), take_while(0.., letters)).take();
    let name = delimited(('[', multispace0), word, multispace1).parse_next(&mut input)?;
    let at = input.as_ptr() as usize - text.as_ptr() as usize + 1;
    let value = delimited('"', repeat(0.., character), '"').parse_next(&mut input)?;
    terminated((multispace0, ']', multispace0), eof).parse_next(&mut input)?;
    Ok((name, value, at))
}

fn character(input: &mut &str) -> Result<char, ContextError> {
    let first = none_of('"').parse_next(input)?;
    if first != '\\' || !input.starts_with(['"', '\\']) {
        return Ok(first);
    }
    any.parse_next(input)
}

impl Tags {
    /// The tags canonically, a line each.
    #[must_use]
    pub fn write(&self) -> String {
        let mut out = String::with_capacity(256);
        let mut tag = |name: &str, value: Option<&str>| {
            let Some(value) = value else { return };
            out.push('[');
            out.push_str(name);
            out.push_str(" \"");
            for c in value.chars() {
                if c == '"' || c == '\\' {
                    out.push('\\');
                }
                out.push(c);
            }
            out.push_str("\"]\n");
        };
        let options: Vec<String> =
            self.setup.options.iter().map(|(name, value)| alloc::format!("{name}={value}")).collect();
        let (options, items) = (options.join(" "), self.setup.items.as_ref().map(|items| items.join(" ")));
        let some = |text: &'static str| Some(text);
        tag("DMN", some("1"));
        tag("Ruleset", Some(&self.setup.ruleset));
        let game = self.setup.declared.as_ref().map(|game| game.lines()).unwrap_or_default();
        game.iter().for_each(|line| tag(GAME, Some(line)));
        tag("Options", Some(options.as_str()).filter(|options| !options.is_empty()));
        tag("Event", self.event.as_deref());
        tag("Date", self.date.as_deref());
        tag("P1", Some(&self.names.p1));
        tag("P2", Some(&self.names.p2));
        tag("DMO", self.setup.dmo.map(Seat::word));
        tag("P1Items", Some(items.p1.as_str()).filter(|items| !items.is_empty()));
        tag("P2Items", Some(items.p2.as_str()).filter(|items| !items.is_empty()));
        tag("Result", self.result.as_deref());
        for (name, value) in &self.others {
            tag(name, Some(value));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_reads_as_it_is_written() {
        let tags = Tags {
            names: BySeat { p1: r#"the "Fox" \ #1"#.into(), p2: "]".into() },
            others: alloc::vec![("Source".into(), "a post".into())],
            ..Tags::default()
        };
        let written = tags.write();
        assert!(written.contains("[P1 \"the \\\"Fox\\\" \\\\ #1\"]\n"), "{written}");
        let line = written.lines().find(|line| line.starts_with("[P1 ")).unwrap();
        assert_eq!(read(line).unwrap(), ("P1", tags.names.p1, 5));
    }

    #[test]
    fn what_is_no_tag_is_refused() {
        for text in [
            "[P1]",
            "[P1 Black]",
            "[P1 \"Black]",
            "[P1 \"Black\"] x",
            "[ \"Black\"]",
            "[P1\"Black\"]",
            "[1 \"Black\"]",
            "[P1 \"Black\"",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        assert_eq!(read(r#"[ P1  "a\b" ]"#).unwrap(), ("P1", r"a\b".into(), 7));
    }
}
