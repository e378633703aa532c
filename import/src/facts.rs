//! What is said of a match before its first step, wherever it stands: in tags, in the first rows of a table, or in the
//! fields of a form.

use engine::dmn::Tags;
use engine::{BySeat, Seat, Setup};

/// What is known of a match beside its steps. What is empty is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub ruleset: String,
    pub options: String,
    pub names: BySeat<String>,
    pub event: String,
    /// When it was played.
    pub date: String,
    /// `p1` or `p2`.
    pub dmo: String,
    pub items: BySeat<String>,
    pub result: String,
    /// Other tags, as they came.
    pub others: Vec<(String, String)>,
}

impl Facts {
    /// Takes a fact by its tag's name, in any case; false where there is no such tag.
    pub fn take(&mut self, name: &str, value: &str) -> bool {
        let place = match name.trim().to_ascii_lowercase().as_str() {
            "ruleset" | "rules" => &mut self.ruleset,
            "options" => &mut self.options,
            "p1" => &mut self.names.p1,
            "p2" => &mut self.names.p2,
            "event" => &mut self.event,
            "date" => &mut self.date,
            "dmo" => &mut self.dmo,
            "p1items" => &mut self.items.p1,
            "p2items" => &mut self.items.p2,
            "result" => &mut self.result,
            _ => return false,
        };
        value.trim().clone_into(place);
        true
    }

    pub fn or(mut self, others: &Self) -> Self {
        let fill = |mine: &mut String, other: &String| {
            if mine.is_empty() {
                mine.clone_from(other);
            }
        };
        fill(&mut self.ruleset, &others.ruleset);
        fill(&mut self.options, &others.options);
        fill(&mut self.event, &others.event);
        fill(&mut self.date, &others.date);
        fill(&mut self.dmo, &others.dmo);
        fill(&mut self.result, &others.result);
        for seat in Seat::BOTH {
            fill(&mut self.names[seat], &others.names[seat]);
            fill(&mut self.items[seat], &others.items[seat]);
        }
        self
    }

    pub fn setup(&self) -> Setup {
        let list = |text: &String| text.split_ascii_whitespace().map(str::to_owned).collect();
        let options = self.options.split_ascii_whitespace().map(|option| {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            (name.to_owned(), value.to_owned())
        });
        Setup {
            ruleset: self.ruleset.clone(),
            options: options.collect(),
            dmo: self.dmo.parse().ok(),
            items: self.items.as_ref().map(list),
            declared: None,
        }
    }

    /// The facts as tags of the notation, with the result that the steps came to.
    pub fn tags(&self, result: &str) -> Tags {
        let some = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        Tags {
            setup: self.setup(),
            event: some(&self.event),
            date: some(&self.date),
            names: self.names.clone(),
            result: Some(result.to_owned()),
            others: self.others.clone(),
        }
    }
}

/// A tag's name and value, where a line of any source is one: `[P1 "Black"]`.
pub(crate) fn tag(line: &str) -> Option<(&str, String)> {
    let inside = line.trim().strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = inside.split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    let mut out = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        out.push(if letter == '\\' { letters.next()? } else { letter });
    }
    name.chars().all(|letter| letter.is_ascii_alphanumeric()).then_some((name, out))
}
