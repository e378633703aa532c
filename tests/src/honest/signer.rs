//! The key of a seat's browser or program, and what it makes of an answer.

use anyhow::{Context, Result};
use engine::Seat;
use ledger::ed25519::SecretKey;
use ledger::{
    Checkpoint, DecisionId, Note, OpenMessage, PlayerKey, SealKey, SealMessage, Share, SubmitId, SubmitMessage, Tree,
};
use record::body::SeatWord;
use record::share::SHARE;
use record::{History, OpenDecision};
use serde_json::{Value, json};

use super::hall::Hall;

/// A seat's key, with the shares that it keeps.
pub(super) struct Signer {
    secret: SecretKey,
    seat: Seat,
    /// The number of seals, each of which has a key of its own.
    seals: u64,
    kept: Vec<(DecisionId, SealKey, String)>,
}

/// The newest tree that the log signed, once it holds every question and list of a match.
pub(super) async fn seen(hall: &Hall, history: &History) -> Result<Tree> {
    let app = &hall.site.app;
    let listed = history.awaited_openings().map(|list| list.entry);
    for entry in history.open.iter().map(|open| open.entry).chain(listed) {
        if let Some(place) = app.public_log.place(history.match_id, entry).await? {
            app.signer().covering(place.covered_by()).await?;
        }
    }
    let note = hall.get("/checkpoint").await?.text;
    Ok(Checkpoint::read(Note::read(note.as_bytes())?.text())?.tree())
}

impl Signer {
    pub(super) fn new(seat: Seat, seed: [u8; 32]) -> Self {
        Self { secret: SecretKey::from_seed(&seed), seat, seals: 0, kept: Vec::new() }
    }

    pub(super) fn key(&self) -> Result<String> {
        Ok(PlayerKey::new(self.secret.public().bytes())?.to_string())
    }

    /// An answer in the words of the API: sealed, and signed over this tree.
    pub(super) fn sealed(
        &mut self,
        history: &History,
        open: &OpenDecision,
        tree: Tree,
        submit: SubmitId,
        (text, is_final): (&str, bool),
    ) -> Result<Value> {
        let is_share = open.asked.what == SHARE;
        let values = if is_share {
            vec![(SHARE.into(), Share::of_line(text).to_hex())]
        } else {
            history.duel().split(self.seat, &open.asked.what, text)?
        };
        let (decision, seat) = (&open.asked.decision, SeatWord(self.seat).sealer());
        let (mut commitments, mut openings) = (Vec::new(), Vec::new());
        for ((_, value), field) in values.into_iter().zip(&open.asked.fields) {
            self.seals += 1;
            let mut key = *open.leaf.bytes();
            key[..8].copy_from_slice(&self.seals.to_be_bytes());
            key[8] ^= self.seat as u8;
            let key = SealKey::new(key);
            let message = SealMessage {
                origin: &history.origin,
                match_id: history.match_id,
                decision,
                seat,
                field,
                asked: open.leaf,
                value: &value,
            };
            commitments.push(message.seal(&key)?);
            if is_share {
                self.kept.push((decision.clone(), key, value));
            } else {
                openings.push(json!({ "field": field, "key": key.to_hex(), "value": value }));
            }
        }
        let message = SubmitMessage {
            origin: &history.origin,
            match_id: history.match_id,
            decision,
            seat,
            commitments: &commitments,
            submit,
            asked: open.leaf,
            seen: (tree.size, tree.root),
            is_final,
        };
        let signed = json!({ "signature": message.sign(&self.secret), "size": tree.size.0, "root": tree.root });
        Ok(json!({ "commitments": commitments, "openings": openings, "signed": signed }))
    }

    /// The opening of the listed share, in the words of the API; none if this key keeps no share that is listed.
    pub(super) fn opening(&self, history: &History, tree: Tree) -> Result<Option<Value>> {
        let Some(list) = history.awaited_openings() else { return Ok(None) };
        let decision = history.gathering().and_then(|seed| seed.asked.clone()).context("it was asked")?;
        let Some((_, key, value)) = self.kept.iter().rfind(|(asked, ..)| *asked == decision) else { return Ok(None) };
        let message = OpenMessage {
            origin: &history.origin,
            match_id: history.match_id,
            decision: &decision,
            seat: SeatWord(self.seat).sealer(),
            listed: list.leaf,
            value,
            seen: (tree.size, tree.root),
        };
        let signed = json!({ "signature": message.sign(&self.secret), "size": tree.size.0, "root": tree.root });
        Ok(Some(json!({ "decision": decision, "key": key.to_hex(), "value": value, "signed": signed })))
    }
}

/// The same as the scripts of the seat's page post it, without a `signed` of its own.
pub(super) fn of_page(mut sent: Value) -> Value {
    if let Some(object) = sent.as_object_mut() {
        object.remove("decision");
        if let Some(Value::Object(signed)) = object.remove("signed") {
            object.extend(signed);
        }
    }
    sent
}
