//! What was understood of a source, line by line.

use engine::dmn::Error;
use record::write::Import;

use super::facts::Facts;
use super::fix::Fix;

#[derive(Clone, Debug)]
pub struct Row {
    /// From 1.
    pub line: usize,
    pub source: String,
    pub taken: Taken,
    pub words: String,
    /// How the match stands after it; empty where nothing moved.
    pub standing: String,
    /// What is wrong with it.
    pub wrong: Option<Wrong>,
    pub fixes: Vec<Fix>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It says something of the match: names, rules, a date.
    Fact,
    Step,
    /// One seat's part of a step that waits for the other's.
    Half,
    /// It goes with a line before it.
    With(usize),
    /// It names a round, or whose words follow.
    Heading,
    /// It is no part of the match: talk, or what is said of the match a second time.
    LeftOut,
    /// A word of the game is in it, and it counts for nothing: somebody should look whether that is right.
    Passed,
    /// It is not understood, or not allowed.
    Wrong,
    /// A line before it has to be put right first.
    Later,
}

/// What is wrong with a line, with its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wrong {
    /// From 1, in characters; 0 where all of the line is meant.
    pub column: usize,
    /// What stands before the words at fault.
    pub before: String,
    /// The words at fault; empty where something is missing.
    pub found: String,
    /// What stands after them.
    pub after: String,
    pub expected: String,
}

/// A source as far as it was understood.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Its lines that say something.
    pub rows: Vec<Row>,
    /// The lines of a chat in the order in which they are read: that of their times.
    pub order: Vec<usize>,
    /// What is wrong with all of it.
    pub problems: Vec<String>,
    /// What somebody should know of how all of it was read, such as times that cannot be.
    pub notes: Vec<String>,
    /// What was understood of names, rules and date.
    pub facts: Facts,
    /// The buttons by which somebody shows how a message of a chat begins, line by line.
    pub layout: Vec<Vec<Fix>>,
    /// True if no layout of a known program fits it well.
    pub(crate) is_unknown: bool,
    /// Names in a chat of whom it is not known who they are.
    pub strangers: Vec<String>,
    /// The steps that were understood of a chat as it stands, without a question, each with the line that completes it.
    pub understood: Vec<(usize, String)>,
    /// The match, where nothing is wrong.
    pub import: Option<Import>,
    pub dmn: String,
}

impl Taken {
    pub fn phrase(self) -> String {
        match self {
            Self::Fact => "about the match".to_owned(),
            Self::Step => "step".to_owned(),
            Self::Half => "one player’s move".to_owned(),
            Self::With(line) => format!("with line {line}"),
            Self::Heading => "heading".to_owned(),
            Self::LeftOut => "talk".to_owned(),
            Self::Passed => "chat that may be a move".to_owned(),
            Self::Wrong => "not understood".to_owned(),
            Self::Later => "not looked at yet".to_owned(),
        }
    }
}

impl Row {
    pub fn new(line: usize, source: &str, taken: Taken, words: impl Into<String>) -> Self {
        let (standing, wrong) = (String::new(), None);
        Self { line, source: source.to_owned(), taken, words: words.into(), standing, wrong, fixes: Vec::new() }
    }

    /// What it was taken for, as the page marks it.
    pub const fn kind(&self) -> &'static str {
        match self.taken {
            _ if self.wrong.is_some() => "wrong",
            Taken::Fact | Taken::Heading | Taken::LeftOut | Taken::Later => "aside",
            Taken::Passed => "passed",
            Taken::Step | Taken::Half | Taken::With(_) | Taken::Wrong => "taken",
        }
    }

    /// The same, of which nothing is part of the match.
    pub fn is_talk(&mut self) {
        self.taken = if self.words.contains(": ") { Taken::Fact } else { Taken::LeftOut };
    }

    /// The same, wrong because another match begins with it.
    pub fn begins_another(&mut self) {
        self.refuse("another match begins here, and one is read at a time");
        self.fixes = Fix::one_match(self.line, &self.source).into();
    }

    /// The same, asked about for this reason, while what was taken of it remains.
    pub fn asks(&mut self, why: &str) {
        let taken = self.taken;
        self.refuse(why);
        self.taken = taken;
    }

    /// Other lines can stand in its place.
    pub fn offer(&mut self, label: impl Into<String>, now: Vec<String>) {
        self.fixes.push(Fix::line(label, self.line, &self.source, now));
    }

    /// It can count for nothing.
    pub fn offer_ignore(&mut self) {
        let ignore = Fix::ignore(self.line, &self.source);
        if !self.fixes.contains(&ignore) {
            self.fixes.push(ignore);
        }
    }

    /// The same, wrong in all of it for this reason.
    pub fn refuse(&mut self, expected: &str) {
        let found = self.source.clone();
        self.taken = Taken::Wrong;
        self.wrong = Some(Wrong { found, expected: record::words::sentence(expected), ..Wrong::default() });
    }
}

impl Wrong {
    /// An error with its place in a text of many lines.
    pub fn of(text: &str, error: &Error) -> Self {
        let line = text.lines().nth(error.line.saturating_sub(1)).unwrap_or_default();
        Self::in_line(line, error)
    }

    pub fn in_line(line: &str, error: &Error) -> Self {
        let at = line.char_indices().nth(error.column.saturating_sub(1)).map_or(line.len(), |(at, _)| at);
        let (before, from) = line.split_at_checked(at).unwrap_or((line, ""));
        let after = from.strip_prefix(error.found.as_str());
        Self {
            column: error.column,
            before: before.to_owned(),
            found: if after.is_some() { error.found.clone() } else { String::new() },
            after: after.unwrap_or(from).to_owned(),
            expected: record::words::sentence(&error.expected),
        }
    }
}

impl Reading {
    /// How many steps are understood: of a chat those without a question, of other texts the lines that complete one.
    pub fn steps_understood(&self) -> usize {
        let completes = |row: &&Row| row.taken == Taken::Step && row.wrong.is_none();
        if self.understood.is_empty() { self.rows.iter().filter(completes).count() } else { self.understood.len() }
    }

    /// How many things are wrong.
    pub fn wrong(&self) -> usize {
        self.problems.len() + self.rows.iter().filter(|row| row.wrong.is_some()).count()
    }
}
