//! The openings that the server keeps until they are public, encrypted.

use std::collections::{BTreeSet, HashMap};

use ledger::{Commitment, DecisionId, Entry, Field, MatchId, Sealer};
use record::Secrets;
use record::body::Body;
use store::{Ordinal, StoredSubmission};

use super::Matches;
use crate::error::AppError;

impl Matches {
    pub(crate) async fn secrets(&self, match_id: MatchId) -> Result<Secrets, AppError> {
        let entries = self.entries(match_id).await?;
        let bodies = Body::read_all(&entries);
        let mut secrets = self.escrowed(match_id, &entries, &bodies).await?;
        secrets.extend(record::openings(bodies.iter().flatten()));
        Ok(secrets)
    }

    pub(crate) async fn escrowed(
        &self,
        match_id: MatchId,
        entries: &[Entry],
        bodies: &[Result<Body, String>],
    ) -> Result<Secrets, AppError> {
        let mut secrets = Secrets::new();
        let public = bodies.iter().flatten().flat_map(Body::openings);
        let public: BTreeSet<(u32, &Field)> = public.map(|opening| (opening.entry, &opening.field)).collect();
        let mut open: HashMap<u32, usize> = HashMap::new();
        for (entry, _) in public {
            *open.entry(entry).or_default() += 1;
        }
        // Most of what was sealed was opened with its step, and of a match that ended nothing is left.
        let bodies = entries.iter().zip(bodies).filter_map(|(entry, body)| Some((entry, body.as_ref().ok()?)));
        let closed = bodies.filter(|(entry, body)| open.get(&entry.seq.0).copied().unwrap_or(0) < sealed(body));
        let closed: Vec<(&Entry, &Body)> = closed.collect();
        if closed.is_empty() {
            return Ok(secrets);
        }
        let store = self.logs.store(match_id);
        let escrows = store.escrows(match_id).await?;
        let places: Vec<Option<DecisionId>> = closed.iter().map(|(entry, body)| place_of_host(entry, body)).collect();
        let of_host: Vec<DecisionId> = places.iter().flatten().cloned().collect();
        let rows = match of_host.is_empty() {
            true => Vec::new(),
            false => store.submissions_of(match_id, Sealer::Host, &of_host).await?,
        };
        for ((entry, body), of_host) in closed.into_iter().zip(places) {
            let (decision, seat, ordinal) = match (body, of_host) {
                (Body::Sealed(sealed), _) => {
                    let ordinal = Ordinal(u8::try_from(sealed.ordinal).unwrap_or(u8::MAX));
                    (sealed.decision.clone(), sealed.seat.sealer(), ordinal)
                }
                (_, Some(decision)) => match ordinal_of(&rows, &decision, &unasked(body)) {
                    Some(ordinal) => (decision, Sealer::Host, ordinal),
                    None => continue,
                },
                (_, None) => continue,
            };
            // Everything of an ended match is in its entries, and its escrow is empty.
            let kept =
                escrows.iter().find(|kept| (&kept.decision, kept.seat, kept.ordinal) == (&decision, seat, ordinal));
            let Some(kept) = kept else { continue };
            let at = if let Body::Sealed(sealed) = body { sealed.came } else { entry.at };
            let opened = self.vault.unlock_openings(match_id, &decision, seat, &kept.ciphertext);
            // What nobody can open any more stays sealed: the rest is as true as before.
            let Some(opened) = self.vault.unless_lost(at, opened)? else { continue };
            secrets.extend(opened.into_iter().map(|(field, secret)| ((entry.seq, field), secret)));
        }
        Ok(secrets)
    }
}

fn place_of_host(entry: &Entry, body: &Body) -> Option<DecisionId> {
    match body {
        Body::Sealed(_) => None,
        body => format!("{}-{}", body.kind().as_str(), entry.seq.0).parse().ok(),
    }
}

/// The row with these seals: an attempt that was overtaken may have left others beside it.
fn ordinal_of(rows: &[(DecisionId, StoredSubmission)], decision: &DecisionId, seals: &[Commitment]) -> Option<Ordinal> {
    rows.iter().find(|(of, row)| of == decision && row.commitments == seals).map(|(_, row)| row.ordinal)
}

fn sealed(body: &Body) -> usize {
    match body {
        Body::Sealed(sealed) => sealed.commitments.len(),
        other => unasked(other).len(),
    }
}

fn unasked(body: &Body) -> Vec<Commitment> {
    match body {
        Body::Struck(body) => {
            body.steps.iter().flat_map(|step| &step.seals).filter_map(|seal| seal.commitment).collect()
        }
        Body::Drawn(body) => body.seals.iter().map(|seal| seal.commitment).collect(),
        Body::HostShare(body) => body.seals.iter().map(|seal| seal.commitment).collect(),
        _ => Vec::new(),
    }
}
