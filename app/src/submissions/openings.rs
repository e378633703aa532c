//! Openings of shares: a player's browser kept its share until the list of all was under a checkpoint, and now opens it.

use engine::Seat;
use ledger::{DecisionId, Field, Moment, SignedReceipt, SubmissionSignature, SubmitId};
use record::body::{OpenSignature, SeatWord};
use record::share::SHARE;
use record::write::{self, ShareOpening};
use record::{History, Secret, SeedRecord};
use store::{Counts, Submission, Submit};

use super::{SubmissionRefusal, Submissions};
use crate::account::player::{SeatAccess, SeatRef};
use crate::due::awaited_openings;
use crate::error::AppError;
use crate::recorder::by;
use crate::scope::Scope;

#[derive(Debug)]
pub struct SentOpening {
    pub access: SeatAccess,
    pub decision: DecisionId,
    pub submit: SubmitId,
    pub came: Moment,
    pub secret: Secret,
    /// The seat's signature over the list of shares. Without one the share is graded as known to the server.
    pub signed: Option<SubmissionSignature>,
}

impl Submissions {
    /// Stores the opening of a listed share. Its receipt comes when it is durable. After [`SubmissionRefusal::App`] it
    /// can be sent again.
    pub async fn open_share(&self, history: &History, sent: SentOpening) -> Result<SignedReceipt, SubmissionRefusal> {
        let SeatRef { match_id, seat } = sent.access.seat_ref;
        let asked = history.gathering().is_some_and(|seed| seed.asked.as_ref() == Some(&sent.decision));
        let Some((name, list)) = awaited_openings(history).filter(|_| asked && history.is_live()) else {
            return self.opened_before(history, &sent).await;
        };
        if sent.came > list.deadline() || !self.awaits_opening(history, sent.access.seat_ref).await? {
            return self.opened_before(history, &sent).await;
        }
        let signature = sent.signed.map(|signed| OpenSignature {
            tree: record::body::Tree { size: signed.seen.0.0, root: signed.seen.1 },
            signature: signed.signature,
        });
        let opening = ShareOpening { seat, came: sent.came, secret: sent.secret.clone(), signature };
        write::receive_opening(history, &opening)?;
        if let Some(signed) = sent.signed {
            self.check_seen(match_id, signed, list.entry).await?;
        }
        let mut row = self.row(&sent, name.clone());
        row.at = sent.came.max(list.at);
        let seal = history.seals.iter().find(|seal| Some(seal.entry) == list.sealed[seat]);
        row.commitments = seal.map(|seal| seal.commitments.clone()).unwrap_or_default();
        let field: Field = SHARE.parse().map_err(|_| AppError::Unreadable("a share has a field".to_owned()))?;
        let (sealer, secrets) = (SeatWord(seat).sealer(), [(field, sent.secret)]);
        row.escrow =
            Some(self.recorder.vault.lock_openings(match_id, &name, sealer, &secrets).map_err(AppError::from)?);
        let stored = self.recorder.submit(row, list.leaf).await??;
        // A crash from here on leaves a row that counts. The player gets its receipt when sending it again.
        let receipt = self.receipts.receipt_of(history, &name, seat, &stored).await?;
        self.recorder.due.close_soon(match_id, &name);
        Ok(receipt)
    }

    pub async fn awaits_opening(&self, history: &History, seat_ref: SeatRef) -> Result<bool, AppError> {
        let Some((name, list)) = awaited_openings(history).filter(|_| history.is_live()) else { return Ok(false) };
        let sealed = history.seals.iter().find(|seal| Some(seal.entry) == list.sealed[seat_ref.seat]);
        let Some(sealed) = sealed else { return Ok(false) };
        let (store, sealer) = (self.recorder.logs.store(seat_ref.match_id), SeatWord(seat_ref.seat).sealer());
        let decisions = [sealed.decision.clone(), name.clone()];
        let rows = store.submissions_of(seat_ref.match_id, sealer, &decisions).await?;
        let opened = rows.iter().any(|(decision, row)| *decision == name && !row.closes());
        let row = rows.iter().find(|(_, row)| row.commitments == sealed.commitments);
        let escrows = store.escrows_of(seat_ref.match_id, sealer).await?;
        let known = escrows
            .iter()
            .any(|kept| row.is_some_and(|(decision, row)| (&kept.decision, kept.ordinal) == (decision, row.ordinal)));
        Ok(!opened && !known)
    }

    pub async fn awaited_seats(&self, history: &History) -> Result<Vec<Seat>, AppError> {
        let mut awaited = Vec::new();
        for seat in Seat::BOTH {
            if self.awaits_opening(history, SeatRef { match_id: history.match_id, seat }).await? {
                awaited.push(seat);
            }
        }
        Ok(awaited)
    }

    async fn opened_before(&self, history: &History, sent: &SentOpening) -> Result<SignedReceipt, SubmissionRefusal> {
        let SeatRef { match_id, seat } = sent.access.seat_ref;
        let name = record::share::opening_id(&sent.decision).map_err(|_| SubmissionRefusal::NotAsked)?;
        let (store, submit) = (self.recorder.logs.store(match_id), self.submit_of(sent, &name));
        if let Some(stored) = store.repeated(match_id, &name, SeatWord(seat).sealer(), submit).await? {
            return Ok(self.receipts.receipt_of(history, &name, seat, &stored).await?);
        }
        if self.receipts.sent_by_seat(sent.access.seat_ref, &name).await? > 0 {
            return Err(SubmissionRefusal::Answered);
        }
        let of = |seed: &&SeedRecord| seed.asked.as_ref() == Some(&sent.decision);
        let seed = history.seeds.iter().find(of).ok_or(SubmissionRefusal::NotAsked)?;
        // What the server sealed it opens by itself.
        let kept = seed.list.as_ref().is_some_and(|list| list.sealed[seat].is_some() && sent.came > list.deadline());
        Err(if kept || seed.opened.is_some() { SubmissionRefusal::OpenedLate } else { SubmissionRefusal::NotAsked })
    }

    fn submit_of(&self, sent: &SentOpening, name: &DecisionId) -> Submit {
        let seat = sent.access.seat_ref.seat;
        let mut parts: Vec<&[u8]> = vec![b"open", name.as_str().as_bytes(), seat.word().as_bytes()];
        parts.extend([sent.secret.key.bytes().as_slice(), sent.secret.value.as_bytes()]);
        parts.extend(sent.signed.iter().map(|signed| signed.signature.bytes().as_slice()));
        Submit { id: sent.submit, digest: self.recorder.vault.digest(&parts) }
    }

    fn row(&self, sent: &SentOpening, name: DecisionId) -> Submission {
        let SeatRef { match_id, seat } = sent.access.seat_ref;
        let submit = Some(self.submit_of(sent, &name));
        Submission {
            log_id: Scope::of(match_id).log_id(),
            match_id,
            decision: name,
            seat: SeatWord(seat).sealer(),
            at: sent.came,
            commitments: Vec::new(),
            escrow: None,
            submit,
            sent_by: by(sent.access.seat_ref),
            signed: sent.signed,
            is_final: false,
            counts: Counts::First,
        }
    }
}
