//! A ruleset's text: numbered clauses, and the rulings with the readings that were possible.

use alloc::string::String;
use alloc::vec::Vec;

/// One numbered clause of a ruleset, in our own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The number that effects, refusals and rulings cite, such as `1.5`.
    pub number: &'static str,
    /// A heading of a word or two.
    pub title: &'static str,
    /// Its text, in plain sentences.
    pub text: String,
    /// The ruling, if the rule post leaves something open.
    pub ruling: Option<RulingNote>,
}

/// A place where a rule post is silent or contradicts itself, with the decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RulingNote {
    /// The issue's number, such as `T13-4`: the game's letters, and a count that is never used again.
    pub issue: &'static str,
    /// The question that the post leaves open.
    pub question: &'static str,
    /// The possible readings.
    pub readings: &'static [&'static str],
    /// The reading that is used here, and why.
    pub chosen: &'static str,
    /// The option that selects this reading, as `name=value`; none if the rulesets have no other reading.
    pub option: Option<&'static str>,
}

/// The clauses of a ruleset, in their order.
#[derive(Default)]
pub(crate) struct ClauseList {
    pub(crate) clauses: Vec<Clause>,
}

impl ClauseList {
    /// Adds a clause that leaves nothing open.
    pub(crate) fn clause(&mut self, number: &'static str, title: &'static str, text: impl Into<String>) {
        self.clauses.push(Clause { number, title, text: text.into(), ruling: None });
    }

    /// Adds a clause that needs a ruling.
    pub(crate) fn ruled(
        &mut self,
        number: &'static str,
        title: &'static str,
        text: impl Into<String>,
        ruling: RulingNote,
    ) {
        self.clauses.push(Clause { number, title, text: text.into(), ruling: Some(ruling) });
    }
}
