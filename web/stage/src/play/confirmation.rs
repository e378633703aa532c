//! The confirmation of a submission: shown while its question is open, and not above the next one.

use app::receipts::{ReceiptFate, SeatReceipt};
use app::views::{quoted, received_words};
use engine::Closes;
use ledger::DecisionId;
use record::{History, StepSource};

#[derive(Debug)]
pub(super) struct Confirmation {
    pub(super) decision: String,
    pub(super) ordinal: u32,
    pub(super) what: String,
}

#[derive(Debug)]
pub(super) struct SubmissionName {
    decision: String,
    ordinal: u32,
    again: bool,
}

impl SubmissionName {
    pub(super) fn read(query: &str) -> Option<Self> {
        let (kind, named) = query.split_once('=')?;
        let again = match kind {
            "received" => false,
            "again" => true,
            _ => return None,
        };
        let (decision, ordinal) = named.split_once('.')?;
        Some(Self { decision: decision.to_owned(), ordinal: ordinal.parse().ok()?, again })
    }

    pub(super) fn query(history: &History, decision: &DecisionId, ordinal: u32) -> String {
        let open = history.open.iter().any(|open| open.asked.decision == *decision);
        format!("{}={decision}.{ordinal}", if open { "received" } else { "again" })
    }
}

impl Confirmation {
    /// The confirmation of one of the seat's receipts. None if its question is closed, except if this answer closed it
    /// and nothing was played since, or if it was sent again after the close.
    pub(super) fn of(history: &History, receipts: &[SeatReceipt], named: &SubmissionName) -> Option<Self> {
        let SubmissionName { decision, ordinal, again } = named;
        let is = |seat_receipt: &&SeatReceipt| {
            let receipt = &seat_receipt.receipt.receipt;
            receipt.decision.as_str() == decision && receipt.ordinal == *ordinal
        };
        let found = receipts.iter().find(is)?;
        let id = &found.receipt.receipt.decision;
        let what = match (open(history, id), *again) {
            // Its form was sent again, such as after going back in the browser.
            (Some(_), _) if found.fate == ReceiptFate::Replaced => {
                "This move was received before. A later one of yours counts.".to_owned()
            }
            (Some(received), _) => received,
            (None, true) => "This move was received before, and its question is closed.".to_owned(),
            (None, false) => format!("{}: move received. It closed the question.", closed_with(history, id)?),
        };
        Some(Self { decision: decision.clone(), ordinal: *ordinal, what })
    }
}

fn open(history: &History, decision: &DecisionId) -> Option<String> {
    let open = history.open.iter().find(|open| open.asked.decision == *decision)?;
    let ask = history.asks().into_iter().find(|ask| open.puts(ask))?;
    Some(received_words(history, &ask))
}

fn closed_with(history: &History, decision: &DecisionId) -> Option<String> {
    let step = history.steps.last().filter(|step| step.source == StepSource::Decision(decision.clone()))?;
    let asks = history.before(step.number)?.asks();
    let ask = asks.into_iter().find(|ask| ask.what == *step.what && ask.closes == Closes::FirstValid)?;
    Some(quoted(history, &ask))
}
