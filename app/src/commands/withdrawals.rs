//! Words that people want withdrawn: which there are, and how they go.
//!
//! The record keeps a commitment to each, so that it can be verified as before; the words themselves are erased, and every
//! page, list and search of this installation forgets them. What was downloaded before is out of anybody's reach.

use ledger::{Commitment, Entry, Kind, MatchId, Seq};
use serde_json::Value;
use store::matches::withdrawals::{self, Withdrawal};

use super::Commands;
use crate::error::AppError;
use crate::scope::LOG;

/// Words of a match that still exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The entry that commits to them.
    pub seq: Seq,
    /// The entry's kind.
    pub kind: Kind,
    /// Where in the entry, such as `names.p1` or `text`.
    pub field: String,
    /// What stands there for them.
    pub commitment: Commitment,
    /// The words.
    pub text: String,
}

/// What a withdrawal did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Withdrawn {
    /// How many of the words were still there.
    pub erased: usize,
}

impl Word {
    /// What they are, for people.
    #[must_use]
    pub fn what(&self) -> String {
        let at = self.seq.0;
        match (self.kind, self.field.as_str()) {
            (_, "names.p1") => "Name of seat 1".to_owned(),
            (_, "names.p2") => "Name of seat 2".to_owned(),
            (Kind::Opened, "event") => "Event".to_owned(),
            (Kind::Imported, "source") => "Source".to_owned(),
            (Kind::Opened, field) if field.starts_with("tags.") => "Tag".to_owned(),
            (Kind::Ruled, _) => format!("Ruling, entry {at}"),
            (Kind::Noted, _) => format!("Remark, entry {at}"),
            (Kind::Struck, _) => format!("Reason of a correction, entry {at}"),
            (kind, _) => format!("Words of entry {at} ({kind})"),
        }
    }
}

/// Every commitment that stands somewhere in a body, with its place.
fn commitments(value: &Value, place: &str, found: &mut Vec<(String, Commitment)>) {
    let below = |name: &str| if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
    match value {
        Value::String(text) => found.extend(text.parse().ok().map(|commitment| (place.to_owned(), commitment))),
        Value::Array(values) => {
            for (n, value) in values.iter().enumerate() {
                commitments(value, &below(&n.to_string()), found);
            }
        }
        Value::Object(values) => {
            for (name, value) in values {
                commitments(value, &below(name), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

impl Commands {
    /// The words of a match that still exist, in the order of their entries. They are found by their commitments, wherever
    /// an entry has one: whatever kinds of entries there will be, no words are forgotten here.
    ///
    /// # Errors
    /// The database, or an entry that cannot be read.
    pub async fn words(&self, match_id: MatchId) -> Result<Vec<Word>, AppError> {
        let texts = self.recorder.logs.store(match_id).texts(match_id).await?;
        let mut words = Vec::new();
        for stored in self.recorder.logs.store(match_id).match_entries(match_id).await? {
            let entry = Entry::read(&stored.bytes).map_err(|error| AppError::Unreadable(error.to_string()))?;
            let body: Value = serde_json::from_str(&entry.body).unwrap_or_default();
            let mut found = Vec::new();
            commitments(&body, "", &mut found);
            for (field, commitment) in found {
                let text = texts.iter().find(|text| text.commitment == commitment);
                words.extend(text.map(|text| Word {
                    seq: entry.seq,
                    kind: entry.kind,
                    field,
                    commitment,
                    text: text.text.clone(),
                }));
            }
        }
        Ok(words)
    }

    /// Withdraws words of a match for good. Who did so, when and where they stood is kept; the words are not.
    ///
    /// # Errors
    /// The database.
    pub async fn withdraw(&self, umpire_id: &str, match_id: MatchId, words: &[Word]) -> Result<Withdrawn, AppError> {
        let withdrawals = words.iter().map(|word| Withdrawal {
            id: self.recorder.system.uuid(),
            seq: word.seq,
            field: &word.field,
            commitment: &word.commitment,
        });
        let (withdrawals, store): (Vec<_>, _) = (withdrawals.collect(), self.recorder.logs.store(match_id));
        let erased = withdrawals::withdraw(store, LOG, umpire_id, match_id, &withdrawals).await?;
        self.recorder.matches.forget(match_id);
        self.recorder.index.update(match_id).await?;
        Ok(Withdrawn { erased })
    }
}
