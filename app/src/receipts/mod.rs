//! Receipts: they are made from the stored rows each time, so the same submission always has the same receipt.

mod file;

use std::collections::HashMap;
use std::sync::Arc;

use engine::Seat;
use ledger::{DecisionId, Field, Hash, KeyName, MatchId, Receipt, Seq, SignedReceipt};
use record::body::SeatWord;
use record::{History, Secret, SeedRecord, ShareOpeningsRecord};
use store::{Escrow, Ordinal, StoredSubmission};

use crate::account::player::SeatRef;
use crate::caches::LastReceipt;
use crate::due::awaited_openings;
use crate::error::AppError;
use crate::logs::Logs;
use crate::matches::Matches;
use crate::protocol_trace;
use crate::public_log::PublicLog;
use crate::recorder::{Recorder, entered, is_opening, openings_of, sealer_of, signature};
use crate::scope::Scope;
use crate::submission_journal::{Journal, Place};

#[derive(Clone, Debug)]
pub struct SeatReceipt {
    pub receipt: SignedReceipt,
    pub typed: bool,
    pub signed: bool,
    pub fate: ReceiptFate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiptFate {
    Counts,
    /// A later one of the seat replaced it. It becomes public when the match ends.
    Replaced,
    /// Its decision is just being closed. It becomes public when the match ends.
    Waits,
    Entered(Seq),
    /// Its decision closed without needing it or was taken back, or it opened a share and the shares were given up. It does
    /// not count.
    GivenUp,
    Missing,
}

#[derive(Debug)]
pub struct Receipts {
    logs: Arc<Logs>,
    matches: Arc<Matches>,
    public_log: Arc<PublicLog>,
    journal: Arc<Journal>,
}

impl Receipts {
    pub(crate) fn new(recorder: &Recorder) -> Self {
        Self {
            logs: recorder.logs.clone(),
            matches: recorder.matches.clone(),
            public_log: recorder.public_log.clone(),
            journal: recorder.journal.clone(),
        }
    }
}

impl Receipts {
    pub(crate) async fn receipt_of(
        &self,
        history: &History,
        decision: &DecisionId,
        seat: Seat,
        row: &StoredSubmission,
    ) -> Result<SignedReceipt, AppError> {
        self.keep(history, decision, std::slice::from_ref(row)).await?;
        let place = (history.match_id, decision.clone(), seat);
        if let Some(previous) = self.previous(&place, row.ordinal) {
            let receipt = self.sign_receipt(history, decision, row, previous)?;
            let last = LastReceipt { ordinal: row.ordinal, hash: receipt.hash() };
            self.matches.caches.keep_receipt(place, last);
            return Ok(receipt);
        }
        let sealer = SeatWord(seat).sealer();
        let rows = self
            .logs
            .store(history.match_id)
            .submissions_of(history.match_id, sealer, std::slice::from_ref(decision))
            .await?;
        let rows: Vec<StoredSubmission> = rows.into_iter().map(|(_, row)| row).collect();
        let receipts = self.chain(history, decision, seat, &rows)?;
        let found = receipts.into_iter().nth(row.ordinal.0.into()).map(|(receipt, _)| receipt);
        found.ok_or_else(|| AppError::Unreadable("a submission has no place among its seat's".to_owned()))
    }

    /// Keeps rows of a seat in the journal, unless they are in it: a receipt is given out for what is in both places alone. A
    /// crash may have come between, or another machine may have stored them. What is opened already is in a signed tree.
    async fn keep(&self, history: &History, decision: &DecisionId, rows: &[StoredSubmission]) -> Result<(), AppError> {
        let match_id = history.match_id;
        let is_open = history.open.iter().any(|open| open.asked.decision == *decision)
            || awaited_openings(history).is_some_and(|(name, _)| name == *decision);
        let Some(asked) = asked_leaf(history, decision).filter(|_| is_open && Scope::of(match_id) == Scope::Record)
        else {
            return Ok(());
        };
        let place = |row: &StoredSubmission| Place {
            match_id,
            decision: decision.clone(),
            seat: row.seat.to_string(),
            ordinal: row.ordinal.0,
            at: row.at,
        };
        let is_missing = |row: &&StoredSubmission| !row.closes() && !self.journal.has(&place(row));
        let Some(seat) = rows.iter().find(is_missing).map(|row| row.seat) else { return Ok(()) };
        let compared = self.journal.comparisons();
        for (stored, row) in self.logs.store(match_id).acknowledged(match_id, decision, seat).await? {
            protocol_trace::of_submission("store", match_id, decision, seat, stored.ordinal.0);
            if !self.journal.has(&place(&stored)) && !self.journal.keep(&row, asked, compared).await? {
                return Err(AppError::Returning);
            }
            protocol_trace::of_submission("keep", match_id, decision, seat, stored.ordinal.0);
        }
        // One that the database has forgotten since is not acknowledged.
        if rows.iter().any(|row| is_missing(&row)) { Err(AppError::Returning) } else { Ok(()) }
    }

    /// The hash of the receipt before a number, if it is cached. A row and its receipt never change, so the cache is always
    /// right.
    fn previous(&self, place: &(MatchId, DecisionId, Seat), ordinal: Ordinal) -> Option<Hash> {
        let Some(before) = ordinal.0.checked_sub(1) else { return Some(Hash::ZERO) };
        let last = self.matches.caches.receipt(place);
        last.filter(|last| last.ordinal.0 == before).map(|last| last.hash)
    }

    fn chain(
        &self,
        history: &History,
        decision: &DecisionId,
        seat: Seat,
        rows: &[StoredSubmission],
    ) -> Result<Vec<(SignedReceipt, StoredSubmission)>, AppError> {
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
        row: &StoredSubmission,
        previous: Hash,
    ) -> Result<SignedReceipt, AppError> {
        let unreadable = |what: &str| AppError::Unreadable(what.to_owned());
        let asked = asked_leaf(history, decision).ok_or_else(|| unreadable("a submission answers no question"))?;
        let keys = self.matches.vault.keys();
        let host = keys.host_signer(&history.opened.host_key, KeyName::from(&history.origin));
        let receipt = Receipt {
            origin: history.origin.clone(),
            match_id: history.match_id,
            decision: decision.clone(),
            asked,
            seat: row.seat,
            ordinal: row.ordinal.0.into(),
            at: row.at,
            previous,
            commitments: row.commitments.clone(),
            is_final: row.is_final,
        };
        receipt.sign(&host).map_err(|error| unreadable(&error.to_string()))
    }

    pub async fn receipts(&self, seat_ref: SeatRef) -> Result<Vec<SeatReceipt>, AppError> {
        let history = self.matches.history(seat_ref.match_id).await?;
        let mut questions: Vec<(Seq, DecisionId)> =
            history.questions.iter().map(|(decision, question)| (question.entry, decision.clone())).collect();
        questions.extend(openings_of(&history).map(|(list, name)| (list.entry, name)));
        questions.sort();
        let mut receipts = Vec::new();
        let decisions: Vec<DecisionId> = questions.into_iter().map(|(_, decision)| decision).collect();
        let rows = self
            .logs
            .store(seat_ref.match_id)
            .submissions_of(seat_ref.match_id, SeatWord(seat_ref.seat).sealer(), &decisions)
            .await?;
        let mut sent: HashMap<DecisionId, Vec<StoredSubmission>> = HashMap::new();
        for (decision, row) in rows {
            sent.entry(decision).or_default().push(row);
        }
        for (decision, rows) in decisions.iter().filter_map(|decision| sent.remove_entry(decision)) {
            self.keep(&history, &decision, &rows).await?;
            let chain = self.chain(&history, &decision, seat_ref.seat, &rows)?;
            let last = chain.len();
            for (n, (receipt, row)) in chain.into_iter().enumerate() {
                let fate = fate(&history, &receipt.receipt, n + 1 == last);
                let (typed, signed) =
                    (row.sent_by.is_none_or(|by| matches!(by, ledger::Author::Umpire(_))), row.signed.is_some());
                protocol_trace::of_submission("acknowledge", history.match_id, &decision, row.seat, row.ordinal.0);
                receipts.push(SeatReceipt { receipt, typed, signed, fate });
            }
        }
        Ok(receipts)
    }

    pub async fn sent_by_seat(&self, seat_ref: SeatRef, decision: &DecisionId) -> Result<usize, AppError> {
        let seat = SeatWord(seat_ref.seat).sealer();
        let rows = self
            .logs
            .store(seat_ref.match_id)
            .submissions_of(seat_ref.match_id, seat, std::slice::from_ref(decision))
            .await?;
        Ok(rows.iter().filter(|(_, row)| !row.closes()).count())
    }

    pub async fn own_secrets(
        &self,
        match_id: MatchId,
        receipts: &[SeatReceipt],
    ) -> Result<Vec<Vec<(Field, Secret)>>, AppError> {
        let Some(seat) = receipts.first().map(|kept| kept.receipt.receipt.seat) else { return Ok(Vec::new()) };
        let escrows = self.logs.store(match_id).escrows_of(match_id, seat).await?;
        let place = |kept: &Escrow| (kept.decision.clone(), kept.seat, u32::from(kept.ordinal.0));
        let escrows: HashMap<_, _> = escrows.iter().map(|kept| (place(kept), kept)).collect();
        let of = |kept: &SeatReceipt| {
            let Receipt { decision, seat, ordinal, at, .. } = &kept.receipt.receipt;
            if is_opening(decision) {
                // It is itself an opening: what it opens is sealed for the decision that asked.
                return Ok(Vec::new());
            }
            match escrows.get(&(decision.clone(), *seat, *ordinal)) {
                Some(kept) => {
                    let opened = self.matches.vault.unlock_openings(match_id, decision, *seat, &kept.ciphertext);
                    Ok(self.matches.vault.unless_lost(*at, opened)?.unwrap_or_default())
                }
                None => Ok(Vec::new()),
            }
        };
        receipts.iter().map(of).collect()
    }

    pub(crate) async fn unentered(&self, history: &History) -> Result<Vec<record::body::ReplacedSubmission>, AppError> {
        let escrows = self.logs.store(history.match_id).escrows(history.match_id).await?;
        let mut questions: Vec<_> = history.questions.iter().collect();
        questions.sort_by_key(|(_, question)| question.entry);
        let mut replaced = Vec::new();
        for (decision, question) in questions {
            let rows = self.logs.store(history.match_id).submissions(history.match_id, decision).await?;
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
                    Some(kept) => {
                        let vault = &self.matches.vault;
                        let opened = vault.unlock_openings(history.match_id, decision, row.seat, &kept.ciphertext);
                        vault.unless_lost(row.at, opened)?.unwrap_or_default()
                    }
                    None => Vec::new(),
                };
                replaced.push(record::body::ReplacedSubmission {
                    decision: decision.clone(),
                    seat,
                    ordinal: row.ordinal.0.into(),
                    came: row.at,
                    commitments: row.commitments.clone(),
                    is_final: row.is_final,
                    signature: signature(row),
                    openings: openings.into_iter().map(|(field, secret)| opening(field, &secret)).collect(),
                });
            }
        }
        Ok(replaced)
    }
}

fn opening(field: Field, secret: &Secret) -> record::body::ReplacedOpening {
    record::body::ReplacedOpening { field, key: secret.key.to_hex(), value: secret.value.clone() }
}

fn asked_leaf(history: &History, decision: &DecisionId) -> Option<Hash> {
    let question = history.questions.get(decision).map(|question| question.leaf);
    question.or_else(|| openings_of(history).find(|(_, name)| name == decision).map(|(list, _)| list.leaf))
}

fn opening_fate(history: &History, receipt: &Receipt) -> ReceiptFate {
    let of = |seed: &&SeedRecord| seed.list.as_ref().is_some_and(|list| list.leaf == receipt.asked);
    let Some(seed) = history.seeds.iter().find(of) else { return ReceiptFate::Missing };
    let came = |opened: &ShareOpeningsRecord| {
        let mut each = opened.came.each().into_iter();
        each.any(|(seat, came)| sealer_of(seat.into()) == Some(receipt.seat) && *came == Some(receipt.at))
    };
    match &seed.opened {
        Some(opened) if came(opened) => ReceiptFate::Entered(opened.entry),
        Some(_) => ReceiptFate::Missing,
        None if history.awaited_openings().is_some_and(|list| list.leaf == receipt.asked) => ReceiptFate::Counts,
        None => ReceiptFate::GivenUp,
    }
}

fn fate(history: &History, receipt: &Receipt, last: bool) -> ReceiptFate {
    if is_opening(&receipt.decision) {
        return opening_fate(history, receipt);
    }
    if let Some(entry) = entered(history, &receipt.commitments) {
        return ReceiptFate::Entered(entry);
    }
    let open = history.open.iter().find(|open| open.asked.decision == receipt.decision);
    let counted = history.seals.iter().any(|seal| {
        seal.decision == receipt.decision && seal.asked.is_some() && sealer_of(seal.whose) == Some(receipt.seat)
    });
    match open {
        Some(open) if last && open.sealed.is_empty() => ReceiptFate::Counts,
        // The seat has a seal that counts, and it is not the last one that was received.
        _ if last && counted => ReceiptFate::Missing,
        _ if history.is_ended() => ReceiptFate::Missing,
        _ if !last => ReceiptFate::Replaced,
        Some(_) => ReceiptFate::Waits,
        None => ReceiptFate::GivenUp,
    }
}
