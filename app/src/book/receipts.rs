//! Receipts: made again from the rows they were given for, so that the same submission always has the same receipt.

use std::collections::HashMap;
use std::sync::PoisonError;

use engine::Seat;
use ledger::{Commitment, DecisionId, Field, Hash, MatchId, Receipt, SealKey, Seq, SignedReceipt};
use record::body::SeatWord;
use record::{History, Secret};
use store::{Escrow, Ordinal, Received};

use super::secrets::Kept;
use super::{Book, BookError};
use crate::account::player::Chair;
use crate::keys::EscrowError;

/// A receipt of a seat, with what became of it.
#[derive(Clone, Debug)]
pub struct KeptReceipt {
    /// The receipt.
    pub receipt: SignedReceipt,
    /// Whether the umpire typed it.
    pub typed: bool,
    /// Whether the seat signed it.
    pub signed: bool,
    /// What became of it.
    pub fate: ReceiptFate,
}

/// What became of a submission that has a receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiptFate {
    /// Its decision is open, and it counts as it stands.
    Counts,
    /// A later one of the seat stands in its place; both become public when the match ends.
    Replaced,
    /// Its decision closed without needing it, or is just closing; it becomes public when the match ends.
    Waits,
    /// It is in the record.
    Entered(Seq),
    /// It should be in the record, and is not.
    Missing,
}

/// The last receipt of a seat for a decision that was made here: the next one names its hash.
#[derive(Debug)]
pub(super) struct Last {
    ordinal: Ordinal,
    hash: Hash,
}

impl Book {
    /// The receipt of a row.
    pub(super) async fn receipt_of(
        &self,
        history: &History,
        decision: &DecisionId,
        seat: Seat,
        row: &Received,
    ) -> Result<SignedReceipt, BookError> {
        let place = (history.match_id, decision.clone(), seat);
        if let Some(previous) = self.previous(&place, row.ordinal) {
            let receipt = self.sign_receipt(history, decision, row, previous)?;
            let last = Last { ordinal: row.ordinal, hash: receipt.hash() };
            self.last_receipts.lock().unwrap_or_else(PoisonError::into_inner).put(place, last);
            return Ok(receipt);
        }
        let sealer = SeatWord(seat).sealer();
        let rows = self.store.submissions_of(history.match_id, sealer, std::slice::from_ref(decision)).await?;
        let rows: Vec<Received> = rows.into_iter().map(|(_, row)| row).collect();
        let receipts = self.chain(history, decision, seat, &rows)?;
        let found = receipts.into_iter().nth(row.ordinal.0.into()).map(|(receipt, _)| receipt);
        found.ok_or_else(|| BookError::Unreadable("a submission has no place among its seat's".to_owned()))
    }

    /// The hash of the receipt before one, where it is known without making all of them again: a number stands for one
    /// row for ever, and its receipt is always the same.
    fn previous(&self, place: &(MatchId, DecisionId, Seat), ordinal: Ordinal) -> Option<Hash> {
        let Some(before) = ordinal.0.checked_sub(1) else { return Some(Hash::ZERO) };
        let mut kept = self.last_receipts.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(place).filter(|last| last.ordinal.0 == before).map(|last| last.hash)
    }

    /// All receipts of a seat for a decision, each with its row.
    fn chain(
        &self,
        history: &History,
        decision: &DecisionId,
        seat: Seat,
        rows: &[Received],
    ) -> Result<Vec<(SignedReceipt, Received)>, BookError> {
        let mut previous = Hash::ZERO;
        let mut receipts = Vec::new();
        for row in rows.iter().filter(|row| row.seat == SeatWord(seat).sealer() && !row.closes()) {
            let receipt = self.sign_receipt(history, decision, row, previous)?;
            previous = receipt.hash();
            receipts.push((receipt, row.clone()));
        }
        Ok(receipts)
    }

    fn sign_receipt(
        &self,
        history: &History,
        decision: &DecisionId,
        row: &Received,
        previous: Hash,
    ) -> Result<SignedReceipt, BookError> {
        let unreadable = |what: &str| BookError::Unreadable(what.to_owned());
        let question = history.questions.get(decision).ok_or_else(|| unreadable("a submission answers no question"))?;
        let receipt = Receipt {
            origin: self.origin().clone(),
            match_id: history.match_id,
            decision: decision.clone(),
            asked: question.leaf,
            seat: row.seat,
            ordinal: row.ordinal.0.into(),
            at: row.at,
            previous,
            commitments: row.commitments.clone(),
        };
        receipt.sign(&self.host).map_err(|error| unreadable(&error.to_string()))
    }

    /// Every receipt of a seat, decision by decision, with what became of it.
    ///
    /// # Errors
    /// The database, or the match cannot be read.
    pub async fn receipts(&self, chair: Chair) -> Result<Vec<KeptReceipt>, BookError> {
        let history = self.history(chair.match_id).await?;
        let mut questions: Vec<_> = history.questions.iter().collect();
        questions.sort_by_key(|(_, question)| question.entry);
        let mut receipts = Vec::new();
        let decisions: Vec<DecisionId> = questions.iter().map(|(decision, _)| (*decision).clone()).collect();
        let rows = self.store.submissions_of(chair.match_id, SeatWord(chair.seat).sealer(), &decisions).await?;
        let mut sent: HashMap<DecisionId, Vec<Received>> = HashMap::new();
        for (decision, row) in rows {
            sent.entry(decision).or_default().push(row);
        }
        for (decision, rows) in decisions.iter().filter_map(|decision| sent.remove_entry(decision)) {
            let chain = self.chain(&history, &decision, chair.seat, &rows)?;
            let last = chain.len();
            for (n, (receipt, row)) in chain.into_iter().enumerate() {
                let fate = fate(&history, &receipt.receipt, n + 1 == last);
                let (typed, signed) =
                    (row.sent_by.is_none_or(|by| matches!(by, ledger::By::Umpire(_))), row.signed.is_some());
                receipts.push(KeptReceipt { receipt, typed, signed, fate });
            }
        }
        Ok(receipts)
    }

    /// How many submissions of a seat for a decision there are so far.
    ///
    /// # Errors
    /// The database.
    pub async fn sent_by_seat(&self, chair: Chair, decision: &DecisionId) -> Result<usize, BookError> {
        let seat = SeatWord(chair.seat).sealer();
        let rows = self.store.submissions_of(chair.match_id, seat, std::slice::from_ref(decision)).await?;
        Ok(rows.iter().filter(|(_, row)| !row.closes()).count())
    }

    /// What opens a seat's own submissions, for each of these receipts of one seat, while the server holds it.
    ///
    /// # Errors
    /// The database, or the escrow cannot be read.
    pub async fn own_secrets(
        &self,
        match_id: MatchId,
        receipts: &[KeptReceipt],
    ) -> Result<Vec<Vec<(Field, Secret)>>, BookError> {
        let Some(seat) = receipts.first().map(|kept| kept.receipt.receipt.seat) else { return Ok(Vec::new()) };
        let escrows = self.store.escrows_of(match_id, seat).await?;
        let place = |kept: &Escrow| (kept.decision.clone(), kept.seat, u32::from(kept.ordinal.0));
        let escrows: HashMap<_, _> = escrows.iter().map(|kept| (place(kept), kept)).collect();
        let of = |kept: &KeptReceipt| {
            let Receipt { decision, seat, ordinal, .. } = &kept.receipt.receipt;
            match escrows.get(&(decision.clone(), *seat, *ordinal)) {
                Some(kept) => self.unlocked(match_id, decision, *seat, &kept.ciphertext),
                None => Ok(Vec::new()),
            }
        };
        receipts.iter().map(of).collect()
    }

    /// Every submission of a match that no entry holds, with what opens it: for its end.
    pub(super) async fn unentered(&self, history: &History) -> Result<Vec<record::body::Replaced>, BookError> {
        let escrows = self.store.escrows(history.match_id).await?;
        let mut questions: Vec<_> = history.questions.iter().collect();
        questions.sort_by_key(|(_, question)| question.entry);
        let mut replaced = Vec::new();
        for (decision, question) in questions {
            let rows = self.store.submissions(history.match_id, decision).await?;
            for row in rows.iter().filter(|row| !row.closes()) {
                let seat = match row.seat {
                    ledger::Sealer::P1 => SeatWord(Seat::P1),
                    ledger::Sealer::P2 => SeatWord(Seat::P2),
                    ledger::Sealer::Host => continue,
                };
                if entered(history, &row.commitments).is_some() || row.commitments.len() != question.fields.len() {
                    continue;
                }
                let kept = escrows
                    .iter()
                    .find(|kept| (&kept.decision, kept.seat, kept.ordinal) == (decision, row.seat, row.ordinal));
                let openings = match kept {
                    Some(kept) => self.unlocked(history.match_id, decision, row.seat, &kept.ciphertext)?,
                    None => Vec::new(),
                };
                replaced.push(record::body::Replaced {
                    decision: decision.clone(),
                    seat,
                    ordinal: row.ordinal.0.into(),
                    came: row.at,
                    commitments: row.commitments.clone(),
                    signature: super::recording::signature(row),
                    openings: openings.into_iter().map(|(field, secret)| opening(field, &secret)).collect(),
                });
            }
        }
        Ok(replaced)
    }

    fn unlocked(
        &self,
        match_id: MatchId,
        decision: &DecisionId,
        seat: ledger::Sealer,
        ciphertext: &[u8],
    ) -> Result<Vec<(Field, Secret)>, BookError> {
        let opening = self.keys.unlock(&super::secrets::place(match_id, decision, seat), ciphertext)?;
        let kept: Vec<Kept> = serde_json::from_slice(&opening).map_err(|_| EscrowError)?;
        let secret = |kept: Kept| {
            let key = SealKey::from_hex(&kept.key).map_err(|_| EscrowError)?;
            Ok((kept.field, Secret { key, value: kept.value }))
        };
        kept.into_iter().map(secret).collect()
    }
}

fn opening(field: Field, secret: &Secret) -> record::body::ReplacedOpening {
    record::body::ReplacedOpening { field, key: secret.key.to_hex(), value: secret.value.clone() }
}

/// The entry that holds these commitments.
fn entered(history: &History, commitments: &[Commitment]) -> Option<Seq> {
    let sealed = history.seals.iter().find(|seal| seal.commitments == commitments).map(|seal| seal.entry);
    let replaced = || history.replaced.iter().find(|(_, one)| one.commitments == commitments).map(|(entry, _)| *entry);
    sealed.or_else(replaced)
}

fn fate(history: &History, receipt: &Receipt, last: bool) -> ReceiptFate {
    if let Some(entry) = entered(history, &receipt.commitments) {
        return ReceiptFate::Entered(entry);
    }
    let open = history.open.iter().find(|open| open.asked.decision == receipt.decision);
    let counted = history.seals.iter().any(|seal| {
        seal.decision == receipt.decision
            && seal.asked.is_some()
            && super::recording::sealer_of(seal.whose) == Some(receipt.seat)
    });
    match open {
        Some(open) if last && open.sealed.is_empty() => ReceiptFate::Counts,
        // Once the seal that counts for the seat stands there, and it is another one than the last that was received.
        _ if last && counted => ReceiptFate::Missing,
        _ if history.is_ended() => ReceiptFate::Missing,
        _ if !last => ReceiptFate::Replaced,
        _ => ReceiptFate::Waits,
    }
}
