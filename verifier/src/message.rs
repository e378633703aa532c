//! What the module says, message by message.

use record::verify::{Detail, Finding, Status, Verdict};
use serde::Serialize;

use crate::moment::Moment;

/// A message. As JSON an object whose `say` names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "say", rename_all = "kebab-case")]
pub enum Message {
    /// The file is no bundle, or the policy no policy: nothing else follows.
    Unreadable {
        /// Why, in a sentence.
        why: String,
    },
    /// What was handed in. Always the first where it reads.
    Match(Box<Opening>),
    /// A round, as the engine replayed it.
    Round {
        /// Its row in the score sheet, from 0.
        row: usize,
        /// The row's label, such as `7b`.
        label: String,
        /// Whether its state is known: it is not from the first value on that is still sealed.
        replayed: bool,
    },
    /// A finding.
    Finding(Told),
    /// What the findings come to. Always the last.
    Verdict {
        /// In a line.
        text: String,
        /// `verified`, `rulings`, `pending`, `unknown` or `failed`.
        state: &'static str,
        /// Whether nothing is wrong.
        good: bool,
        /// The first entry at fault.
        entry: Option<u32>,
        /// The last round that a fault leaves alone.
        unaffected: Option<u32>,
    },
    /// A moment of the match, where it was asked for.
    Moment(Box<Moment>),
}

/// What match it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Opening {
    /// The log.
    pub origin: String,
    /// The match.
    #[serde(rename = "match")]
    pub match_id: String,
    /// How many entries came along.
    pub entries: usize,
    /// The leaf hash of the last, as the bundle claims it.
    pub head: String,
    /// The players, first seat first; empty where the opening cannot be read.
    pub names: Vec<String>,
    /// The ruleset; empty where the opening cannot be read.
    pub ruleset: String,
    /// The tournament, where one is named.
    pub event: Option<String>,
    /// How it ended or stands, in a sentence with `{p1}` and `{p2}` put in.
    pub result: String,
    /// How many rows the score sheet has.
    pub rows: usize,
    /// Whether the result was entered.
    pub ended: bool,
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Told {
    /// From 1.
    pub number: u8,
    /// Its name.
    pub title: &'static str,
    /// `verified`, `rulings`, `pending`, `unknown` or `failed`, as pages mark it.
    pub state: &'static str,
    /// The status in a word or two.
    pub status: &'static str,
    /// In a sentence or two.
    pub summary: String,
    /// Place by place.
    pub places: Vec<Place>,
}

/// A place of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// What, in a sentence.
    pub text: String,
    /// What was expected.
    pub expected: Option<String>,
    /// What was found.
    pub found: Option<String>,
    /// The entry.
    pub entry: Option<u32>,
    /// The round.
    pub round: Option<u32>,
    /// Whether it is wrong, rather than worth knowing.
    pub wrong: bool,
}

impl Message {
    /// The message as JSON, in one line.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Strings, numbers and lists of them: nothing in here can fail to become JSON.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The message of a verdict.
    #[must_use]
    pub fn verdict(verdict: &Verdict) -> Self {
        let (state, entry, unaffected) = match verdict {
            Verdict::Verified { interventions: 0, .. } => ("verified", None, None),
            Verdict::Verified { .. } => ("rulings", None, None),
            Verdict::NotYet { .. } => ("pending", None, None),
            Verdict::CannotCheck { .. } | Verdict::Practice => ("unknown", None, None),
            Verdict::Failed { entry, unaffected } => ("failed", Some(entry.0), Some(*unaffected)),
        };
        Self::Verdict { text: verdict.to_string(), state, good: verdict.is_good(), entry, unaffected }
    }
}

impl From<&Finding> for Told {
    fn from(finding: &Finding) -> Self {
        let state = match finding.status {
            Status::Holds => "verified",
            Status::Told => "rulings",
            Status::NotYet => "pending",
            Status::NotShown => "unknown",
            Status::Failed => "failed",
        };
        Self {
            number: finding.number,
            title: finding.title,
            state,
            status: finding.status.word(),
            summary: finding.summary.clone(),
            places: finding.details.iter().map(Place::from).collect(),
        }
    }
}

impl From<&Detail> for Place {
    fn from(detail: &Detail) -> Self {
        Self {
            text: detail.text.clone(),
            expected: detail.expected.clone(),
            found: detail.found.clone(),
            entry: detail.entry.map(|entry| entry.0),
            round: detail.round,
            wrong: detail.wrong,
        }
    }
}
