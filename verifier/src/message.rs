//! The messages of the module.

use record::History;
use record::verify::{Detail, Finding, Grade, LogProof, Status, Verdict};
use serde::Serialize;

use crate::moment::MomentView;

/// A message. As JSON, an object whose `say` names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "say", rename_all = "kebab-case")]
pub enum Message {
    /// The file is not a bundle, or the policy not a policy. No other message follows.
    Unreadable {
        /// The reason, in a sentence.
        why: String,
    },
    /// The input. Always the first message, if the input reads.
    Match(Box<MatchView>),
    /// A round, as the engine replayed it.
    Round {
        /// Its row in the score sheet, from 0.
        row: usize,
        /// The row's label, such as `7b`.
        label: String,
        /// Its state is known. From the first sealed value on, it is not.
        replayed: bool,
    },
    /// A finding.
    Finding(FindingView),
    /// The verdict. Always the last message.
    Verdict {
        /// The verdict, in a line.
        text: String,
        /// `verified`, `rulings`, `pending`, `unknown` or `failed`.
        state: &'static str,
        /// Nothing is wrong.
        good: bool,
        /// The first entry at fault.
        entry: Option<u32>,
        /// The last round before the fault.
        unaffected: Option<u32>,
    },
    /// A moment of the match, on request.
    Moment(Box<MomentView>),
}

/// The match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MatchView {
    /// The log.
    pub origin: String,
    /// The match.
    #[serde(rename = "match")]
    pub match_id: String,
    /// The number of entries in the bundle.
    pub entries: usize,
    /// The leaf hash of the last, as the bundle claims.
    pub head: String,
    /// The players, first seat first; empty if the opening cannot be read.
    pub names: Vec<String>,
    /// The ruleset; empty if the opening cannot be read.
    pub ruleset: String,
    /// The tournament, if one is named.
    pub event: Option<String>,
    /// The result or the state of the match, in a sentence that contains the names.
    pub result: String,
    /// The number of rows of the score sheet.
    pub rows: usize,
    /// The result was entered.
    pub ended: bool,
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FindingView {
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
    /// The numbers of the rules that the summary speaks of.
    pub rules: Vec<String>,
    /// Place by place.
    pub places: Vec<DetailView>,
}

/// A place of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DetailView {
    /// The number of its rule, such as `3.7`.
    pub rule: String,
    /// The result, in a sentence.
    pub text: String,
    /// The expected value.
    pub expected: Option<String>,
    /// The value found.
    pub found: Option<String>,
    /// The entry.
    pub entry: Option<u32>,
    /// The round.
    pub round: Option<u32>,
    /// It is wrong, and not just worth knowing.
    pub wrong: bool,
}

impl Message {
    /// The message as JSON, in one line.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Strings, numbers and lists of them: all of it can become JSON.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The message with a verdict on a match, which says so if it is not shown that the match is in the log. The players are
    /// named where the match could be read.
    #[must_use]
    pub fn verdict(verdict: &Verdict, proof: LogProof, history: Option<&History>) -> Self {
        let (state, entry, unaffected) = match verdict {
            verdict if verdict.is_good() && proof != LogProof::Shown => ("pending", None, None),
            Verdict::Verified { ended: false, .. } => ("pending", None, None),
            Verdict::Verified { grade: Grade::Imported, .. } => ("imported", None, None),
            Verdict::Verified { declared: true, .. } => ("sealed", None, None),
            Verdict::Verified { interventions, .. } if interventions.total() == 0 => ("verified", None, None),
            Verdict::Verified { .. } => ("rulings", None, None),
            Verdict::NotYet { .. } => ("pending", None, None),
            Verdict::CannotCheck { .. } | Verdict::Practice => ("unknown", None, None),
            Verdict::Failed { entry, unaffected } => ("failed", Some(entry.0), Some(*unaffected)),
        };
        let good = verdict.is_good() && proof == LogProof::Shown;
        Self::Verdict { text: verdict.words_by(proof, history), state, good, entry, unaffected }
    }
}

impl From<&Finding> for FindingView {
    fn from(finding: &Finding) -> Self {
        let state = match finding.status {
            Status::Holds => "verified",
            Status::Reported => "rulings",
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
            rules: finding.rules.iter().map(ToString::to_string).collect(),
            places: finding.details.iter().map(DetailView::from).collect(),
        }
    }
}

impl From<&Detail> for DetailView {
    fn from(detail: &Detail) -> Self {
        Self {
            rule: detail.rule.to_string(),
            text: detail.text.clone(),
            expected: detail.expected.clone(),
            found: detail.found.clone(),
            entry: detail.entry.map(|entry| entry.0),
            round: detail.round,
            wrong: detail.wrong,
        }
    }
}
