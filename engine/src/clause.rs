//! A ruleset's text: numbered clauses, and the rulings with the readings that were possible.

use alloc::string::String;

/// One numbered clause of a ruleset, in our own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The number that effects, refusals and rulings cite, such as `1.5`.
    pub number: &'static str,
    /// A heading of a word or two.
    pub title: &'static str,
    /// What it says, in plain sentences.
    pub text: String,
    /// What the rule post leaves open, where it does.
    pub ruling: Option<RulingNote>,
}

/// A place where a rule post is silent or contradicts itself, and what was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RulingNote {
    /// The issue's number, such as `T13-4`: the game's letters, and a count that is never used again.
    pub issue: &'static str,
    /// What the post leaves open.
    pub question: &'static str,
    /// The readings that were possible.
    pub readings: &'static [&'static str],
    /// The reading that holds here, and why.
    pub chosen: &'static str,
    /// The option that selects this reading, as `name=value`; none where the rulesets have no other reading.
    pub option: Option<&'static str>,
}
