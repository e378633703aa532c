//! One hash and one seal of this match, as commands for any shell.

use ledger::{Entry, leaf_hash};
use record::body::Body;
use record::{Bundle, History};

#[derive(Debug)]
pub(super) struct ByHand {
    pub(super) leaf: (String, String),
    pub(super) seal: Option<Seal>,
}

#[derive(Debug)]
pub(super) struct Seal {
    pub(super) command: String,
    pub(super) commitment: String,
    pub(super) entry: u32,
    pub(super) opened_by: u32,
}

impl ByHand {
    pub(super) fn of(bundle: &Bundle, history: Option<&History>, slug: &str) -> Self {
        let count = bundle.lines.len();
        let command = format!("(printf '\\0'; sed -n {count}p {slug}.ndjson | tr -d '\\n') | sha256sum");
        let leaf = bundle.lines.last().map(|line| leaf_hash(line).to_string()).unwrap_or_default();
        Self { leaf: (command, leaf), seal: history.and_then(|history| seal(bundle, history)) }
    }
}

fn seal(bundle: &Bundle, history: &History) -> Option<Seal> {
    let entries: Vec<Entry> = bundle.lines.iter().map_while(|line| Entry::read(line).ok()).collect();
    let bodies = Body::read_all(&entries);
    let opened = record::openings(bodies.iter().flatten());
    history.seals.iter().find_map(|seal| {
        let parts = seal.fields.iter().zip(&seal.commitments).zip(&seal.opened_by);
        parts.into_iter().find_map(|((field, commitment), opened_by)| {
            let secret = opened.get(&(seal.entry, field.clone()))?;
            // Only characters that every shell prints unchanged.
            let plain = |c: char| c.is_ascii_alphanumeric() || " :-+?".contains(c);
            if !secret.value.chars().all(plain) {
                return None;
            }
            let lines = [
                "matchbook/seal/1".to_owned(),
                bundle.origin.to_string(),
                bundle.match_id.to_string(),
                seal.decision.to_string(),
                seal.whose.word().to_owned(),
                field.to_string(),
                seal.leaf.to_string(),
                secret.value.clone(),
            ];
            let command = format!(
                "printf '{}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:{}",
                lines.join("\\n"),
                secret.key.to_hex()
            );
            let opened_by = (*opened_by)?.0;
            Some(Seal { command, commitment: commitment.to_string(), entry: seal.entry.0, opened_by })
        })
    })
}
