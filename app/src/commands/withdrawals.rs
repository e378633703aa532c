//! Withdrawing names and texts.
//!
//! The record keeps a commitment to each, so it can be verified as before. The words are erased, and every page, list and
//! search of this installation forgets them. Copies that were downloaded before are out of reach.

use ledger::{Commitment, Entry, Kind, MatchId, Seq};
use record::name_key;
use serde_json::Value;
use store::matches::notes;
use store::matches::withdrawals::{self, Withdrawal};

use super::Commands;
use crate::account::{Role, Umpire};
use crate::act::by_umpire;
use crate::error::AppError;
use crate::scope::{LOG, Scope};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithdrawableText {
    pub seq: Seq,
    pub kind: Kind,
    pub field: String,
    pub commitment: Commitment,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WithdrawalOutcome {
    pub erased: usize,
}

impl WithdrawableText {
    #[must_use]
    pub fn what(&self) -> String {
        let at = self.seq.0;
        match (self.kind, self.field.as_str()) {
            (_, "names.p1") => "Name of seat 1".to_owned(),
            (_, "names.p2") => "Name of seat 2".to_owned(),
            (Kind::Opened, "event") => "Event".to_owned(),
            (Kind::Imported, "source") => "Source".to_owned(),
            (Kind::Opened, field) if field.starts_with("tags.") => "Tag".to_owned(),
            (Kind::Opened, field) if field.starts_with("game.") => "Words of the declared game".to_owned(),
            (Kind::Announced, _) => format!("What the umpire said, entry {at}"),
            (Kind::Sealed, _) => format!("An answer, entry {at}"),
            (Kind::Ruled, _) => format!("Ruling, entry {at}"),
            (Kind::Noted, _) => format!("Remark, entry {at}"),
            (Kind::Key, _) => format!("Registered player of a seat, entry {at}"),
            (Kind::Struck, field) if field.starts_with("steps.") => format!("A text of a corrected step, entry {at}"),
            (Kind::Struck, _) => format!("Reason of a correction, entry {at}"),
            (kind, _) => format!("Words of entry {at} ({kind})"),
        }
    }
}

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

fn as_word(name: &str) -> String {
    let literal = |sign: char| if sign.is_ascii_punctuation() { format!("\\{sign}") } else { sign.to_string() };
    format!("(?<!\\w){}(?!\\w)", name.trim().chars().map(literal).collect::<String>())
}

impl Commands {
    /// The names and texts of a match that were not withdrawn, in the order of their entries. They are found by their
    /// commitments in any field of any entry, so none is missed in a new kind of entry.
    pub async fn words(&self, match_id: MatchId) -> Result<Vec<WithdrawableText>, AppError> {
        let texts = self.recorder.logs.store(match_id).texts(match_id).await?;
        let mut words = Vec::new();
        for stored in self.recorder.logs.store(match_id).match_entries(match_id).await? {
            let entry = Entry::read(&stored.bytes).map_err(|error| AppError::Unreadable(error.to_string()))?;
            let body: Value = serde_json::from_str(&entry.body).unwrap_or_default();
            let mut found = Vec::new();
            commitments(&body, "", &mut found);
            for (field, commitment) in found {
                let text = texts.iter().find(|text| text.commitment == commitment);
                words.extend(text.map(|text| WithdrawableText {
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

    pub async fn may_withdraw(&self, umpire: &Umpire, match_id: MatchId) -> Result<(), AppError> {
        if umpire.role == Role::Admin {
            return Ok(());
        }
        let history = self.recorder.matches.history(match_id).await?;
        self.recorder.permissions.check(&history, &by_umpire(&umpire.id)).await
    }

    /// Withdraws names and texts of a match permanently. The umpire, the time and the fields are stored. A name leaves the
    /// private notes of the match as well, and plans if no match has it any more.
    pub async fn withdraw(
        &self,
        umpire: &Umpire,
        match_id: MatchId,
        words: &[WithdrawableText],
    ) -> Result<WithdrawalOutcome, AppError> {
        self.may_withdraw(umpire, match_id).await?;
        let withdrawals = words.iter().map(|word| Withdrawal {
            id: self.recorder.system.uuid(),
            seq: word.seq,
            field: &word.field,
            commitment: &word.commitment,
        });
        let (withdrawals, store): (Vec<_>, _) = (withdrawals.collect(), self.recorder.logs.store(match_id));
        let erased = withdrawals::withdraw(store, LOG, &umpire.id, match_id, &withdrawals).await?;
        self.recorder.matches.forget(match_id);
        self.recorder.index.update(match_id).await?;
        for name in words.iter().filter(|word| word.field.starts_with("names.")) {
            self.recorder.index.forget_name(&name_key(&name.text)).await?;
            let pool = self.recorder.logs.pool();
            notes::replace(pool, Scope::of(match_id).log_id(), match_id, &as_word(&name.text), "(name withdrawn)")
                .await?;
        }
        Ok(WithdrawalOutcome { erased })
    }
}
