//! Submissions of players: checked by the rules, stored privately, and answered with a receipt.

mod late;
mod objections;
mod openings;

use std::sync::Arc;

use engine::Word;
use ledger::{
    Commitment, DecisionId, Field, Hash, MatchId, Moment, PlayerKey, Seq, Share, SignedReceipt, SubmissionSignature,
    SubmitId, SubmitMessage, Tree,
};
use record::body::{Closing, SeatWord};
use record::share::{self, SHARE};
use record::write::{self, WriteError};
use record::{History, OpenDecision, Secret};
use store::{Counts, StoredSubmission, Submission, SubmissionError, Submit};
use thiserror::Error;

pub use crate::stored_submissions::last_of;
pub use openings::SentOpening;

use crate::account::player::{SeatAccess, SeatRef};
use crate::arrivals::with_retries;
use crate::error::AppError;
use crate::protocol_trace;
use crate::receipts::Receipts;
use crate::recorder::{Recorder, by};
use crate::scope::Scope;
use crate::vault::Vault;

#[derive(Debug)]
pub struct PlayerSubmission {
    pub access: SeatAccess,
    pub decision: DecisionId,
    /// The client's id for it: sent twice, it counts once.
    pub submit: SubmitId,
    pub came: Moment,
    pub answer: Answer,
    pub signed: Option<SubmissionSignature>,
    pub is_final: bool,
}

#[derive(Debug)]
pub enum Answer {
    Text(String),
    Sealed {
        /// One for every field, in order.
        commitments: Vec<Commitment>,
        /// The openings, in the same order; none of a share that the player keeps.
        openings: Vec<(Field, Secret)>,
    },
}

#[derive(Debug, Error)]
pub enum SubmissionRefusal {
    #[error("Your move came too late and does not count. Nobody will see it.")]
    Late,
    #[error(
        "Your move came too late and does not count. The umpire has it and can admit it. Write to the umpire if there was \
         a reason."
    )]
    KeptLate,
    /// It arrived in time, and the decision was closed before it was stored. It is kept for the umpire.
    #[error(
        "Your move arrived in time, but was stored only after the close, so it does not count. The umpire has it, sees \
         when it arrived, and can admit it. Write to the umpire."
    )]
    ClosedFirst,
    #[error(
        "Your move came too late and does not count. The umpire has your first late move. Write to the umpire if another \
         should count."
    )]
    LateAgain,
    #[error(
        "This was closed before, so nothing was stored. If the move was sent in time, correct the step, or strike back to \
         it."
    )]
    Closed,
    #[error("A move of this seat was received before this one, and the first counts. This one was not stored.")]
    Answered,
    #[error("This question is not for you, so nothing was stored. Open the page again to see yours.")]
    NotAsked,
    #[error(
        "Nothing is final before the close of this question, so nothing was stored. Send it again without that mark."
    )]
    NeverFinal,
    #[error("{0}")]
    Refused(#[from] WriteError),
    /// It is not signed with the seat's key, and what was sent before it is; or only one browser uses the seat.
    #[error(
        "Not sent: what your seat\u{2019}s key signed is replaced only by what it signs. Send from the browser that has the key, \
         or enter its code on your seat\u{2019}s page here. If that browser is lost, ask the umpire for a new link: moves from \
         there are unsigned."
    )]
    Unsigned,
    #[error("The signature does not fit this move, so nothing was stored. Open the page again and send it again.")]
    BadSignature,
    #[error("This form was sent before with something else in it. Open the page again and send it again.")]
    Reused,
    /// The signature names a tree that the log never signed. In the record it would look like a second history.
    #[error(
        "This was signed over a state of the log that the log never signed, so nothing was stored. Open the page again \
         and send it again."
    )]
    NeverSigned,
    #[error(
        "This was signed over a state of the log from before the question, so nothing was stored. Send it again: the log \
         has the question within a second."
    )]
    QuestionNotSeen,
    #[error(
        "This was sealed with a key that was used before, so nothing was stored. Open the page again and send it again."
    )]
    SealReused,
    #[error(
        "This came too late: the shares are open, or given up. Yours counts as none, and finding 5 of the match names it. \
         Tell the umpire, who may rule a new start."
    )]
    OpenedLate,
    #[error(
        "Only a seat with a key keeps its share until all are listed. Send the openings along, or register a key first."
    )]
    KeptWithoutKey,
    #[error("This was replaced 32 times already. What was received last counts.")]
    TooMany,
    #[error(transparent)]
    App(#[from] AppError),
}

impl From<SubmissionError> for SubmissionRefusal {
    fn from(error: SubmissionError) -> Self {
        match error {
            SubmissionError::Late => Self::Late,
            SubmissionError::Answered => Self::Answered,
            SubmissionError::TooMany => Self::TooMany,
            SubmissionError::SubmitReused => Self::Reused,
            SubmissionError::SealReused => Self::SealReused,
            SubmissionError::Stopped | SubmissionError::Unknown => Self::App(AppError::Stopped),
            SubmissionError::Store(error) => Self::App(AppError::Store(error)),
        }
    }
}

#[derive(Debug)]
pub struct Submissions {
    recorder: Arc<Recorder>,
    receipts: Arc<Receipts>,
}

impl Submissions {
    pub(crate) const fn new(recorder: Arc<Recorder>, receipts: Arc<Receipts>) -> Self {
        Self { recorder, receipts }
    }

    /// Stores a player's submission for a match whose history was just read. Its receipt comes when it is durable, and
    /// again for a repetition, even after the close. After [`SubmissionRefusal::App`] it can be sent again.
    pub async fn submit(&self, history: &History, sent: PlayerSubmission) -> Result<SignedReceipt, SubmissionRefusal> {
        let open = history.open.iter().find(|open| open.asked.decision == sent.decision);
        if open.is_some_and(|open| open.sealed.is_empty() && is_over(history, open, sent.came)) {
            // Only a node that knows of every outage calls it late.
            self.recorder.accepts()?;
            self.recorder.fit().map_err(|_| AppError::Returning)?;
            if self.recorder.is_owed_time(history).await? {
                let made_up = self.recorder.settle(history.match_id).await?;
                return self.submit_to(&made_up, sent).await;
            }
        }
        self.submit_to(history, sent).await
    }

    async fn submit_to(&self, history: &History, sent: PlayerSubmission) -> Result<SignedReceipt, SubmissionRefusal> {
        let SeatRef { match_id, seat } = sent.access.seat_ref;
        if !history.is_live() || !history.questions.contains_key(&sent.decision) {
            return Err(SubmissionRefusal::NotAsked);
        }
        let open = history.open.iter().find(|open| open.asked.decision == sent.decision);
        let late = open.is_none_or(|open| !open.sealed.is_empty() || is_over(history, open, sent.came));
        if sent.is_final && open.is_some_and(|open| !late && open.asked.closes != Closing::AllIn) {
            return Err(SubmissionRefusal::NeverFinal);
        }
        let (commitments, escrow) = match open {
            Some(open) if !late => {
                let keys = self.keys_of(history, &sent).await?;
                self.seals(history, open, &sent, &keys)?
            }
            _ => (Vec::new(), None),
        };
        if let (Some(signed), Some(open)) = (sent.signed, open.filter(|_| !late)) {
            self.check_seen(match_id, signed, open.entry).await?;
        }
        let row = Submission {
            log_id: Scope::of(match_id).log_id(),
            match_id,
            decision: sent.decision.clone(),
            seat: SeatWord(seat).sealer(),
            at: open.map_or(sent.came, |open| arrival(open, sent.came)),
            commitments,
            escrow,
            submit: Some(Submit { id: sent.submit, digest: digest(&self.recorder.vault, &sent) }),
            sent_by: by(sent.access.seat_ref),
            signed: sent.signed,
            is_final: sent.is_final,
            counts: open.map_or(Counts::Last, counts),
        };
        let received = if late {
            // A repetition of a submission that was acknowledged before the close gets the same answer.
            let store = self.recorder.logs.store(match_id);
            let repeated = match row.submit {
                Some(submit) => store.repeated(match_id, &row.decision, row.seat, submit).await?,
                None => None,
            };
            match repeated {
                Some(received) => received,
                None => return Err(self.keep_late_of_player(history, &sent).await?),
            }
        } else {
            match self.recorder.submit(row, open.map_or(Hash::ZERO, |open| open.leaf)).await? {
                // The decision was closed after the check above.
                Err(SubmissionError::Late) => return Err(self.closed_first(history, &sent).await?),
                stored => stored?,
            }
        };
        // A crash from here on leaves a row that counts. The player gets its receipt when sending it again.
        let receipt = self.receipts.receipt_of(history, &sent.decision, seat, &received).await?;
        if received.is_final || open.is_some_and(|open| open.asked.closes == Closing::FirstValid) {
            self.recorder.due.close_soon(match_id, &sent.decision);
        }
        protocol_trace::of_submission("acknowledge", match_id, &sent.decision, received.seat, received.ordinal.0);
        Ok(receipt)
    }

    /// The keys that may sign a submission. One without a signature is refused where the seat's key alone speaks: where no
    /// second browser or program uses the seat, and where it signed what would be replaced.
    async fn keys_of(&self, history: &History, sent: &PlayerSubmission) -> Result<Vec<PlayerKey>, SubmissionRefusal> {
        let SeatRef { match_id, seat } = sent.access.seat_ref;
        if sent.signed.is_some() {
            return Ok(with_retries(|| self.recorder.keys_of(history, sent.access)).await??);
        }
        if history.keys[seat].is_some() {
            let rows = with_retries(|| self.received(match_id, &sent.decision)).await?;
            let is_signed = last_of(&rows, seat).is_some_and(|row| row.signed.is_some());
            if is_signed || !history.has_several_senders(seat) {
                return Err(SubmissionRefusal::Unsigned);
            }
        }
        Ok(Vec::new())
    }

    /// Refuses a signature over a tree that the log never signed, or that does not hold the entry that asks.
    pub(crate) async fn check_seen(
        &self,
        match_id: MatchId,
        SubmissionSignature { seen: (size, root), .. }: SubmissionSignature,
        asks: Seq,
    ) -> Result<(), SubmissionRefusal> {
        if !with_retries(|| self.recorder.public_log.has_signed(Tree { size, root })).await? {
            return Err(SubmissionRefusal::NeverSigned);
        }
        let place = with_retries(|| self.recorder.public_log.place(match_id, asks)).await?;
        if place.is_some_and(|place| size < place.covered_by()) {
            return Err(SubmissionRefusal::QuestionNotSeen);
        }
        Ok(())
    }

    fn seals(
        &self,
        history: &History,
        open: &OpenDecision,
        sent: &PlayerSubmission,
        keys: &[PlayerKey],
    ) -> Result<(Vec<Commitment>, Option<Vec<u8>>), SubmissionRefusal> {
        let SeatRef { match_id, seat } = sent.access.seat_ref;
        let (decision, sealer) = (&sent.decision, SeatWord(seat).sealer());
        if !open.asked.seats.contains(&SeatWord(seat)) {
            return Err(SubmissionRefusal::NotAsked);
        }
        match &sent.answer {
            Answer::Text(text) => {
                let prepared = self.recorder.compose(match_id, &by(sent.access.seat_ref), |context| {
                    write::prepare(context, history, decision, seat, text)
                })?;
                let nothing = WriteError::Missing("say what you play; if you send nothing, the default counts");
                let prepared = prepared.ok_or(nothing)?;
                let escrow = self
                    .recorder
                    .vault
                    .lock_openings(match_id, decision, sealer, &prepared.secrets)
                    .map_err(AppError::from)?;
                Ok((prepared.commitments, Some(escrow)))
            }
            Answer::Sealed { commitments, openings } if openings.is_empty() => {
                signature(history, open, sent, commitments, keys)?;
                if sent.signed.is_none() {
                    return Err(SubmissionRefusal::KeptWithoutKey);
                }
                write::receive_kept(history, decision, seat, commitments)?;
                Ok((commitments.clone(), None))
            }
            Answer::Sealed { commitments, openings } => {
                signature(history, open, sent, commitments, keys)?;
                write::receive(history, decision, seat, commitments, openings)?;
                let escrow =
                    self.recorder.vault.lock_openings(match_id, decision, sealer, openings).map_err(AppError::from)?;
                Ok((commitments.clone(), Some(escrow)))
            }
        }
    }

    pub async fn values(
        &self,
        seat_ref: SeatRef,
        decision: &DecisionId,
        text: &str,
    ) -> Result<Vec<(Word, String)>, SubmissionRefusal> {
        let history = self.recorder.matches.history(seat_ref.match_id).await?;
        let open = history.open.iter().find(|open| open.asked.decision == *decision);
        let open = open.filter(|open| open.sealed.is_empty()).ok_or(SubmissionRefusal::Late)?;
        if !open.asked.seats.contains(&SeatWord(seat_ref.seat)) {
            return Err(SubmissionRefusal::NotAsked);
        }
        if text.trim() == "-" {
            return Err(WriteError::Missing("say what you play; if you send nothing, the default counts").into());
        }
        if open.asked.what == SHARE {
            share::read(text).map_err(WriteError::from)?;
            return Ok(vec![(SHARE.into(), Share::of_line(text.trim()).to_hex())]);
        }
        let values = history.duel().split(seat_ref.seat, &open.asked.what, text.trim());
        Ok(values.map_err(WriteError::from)?)
    }
}

fn is_over(history: &History, open: &OpenDecision, came: Moment) -> bool {
    history.in_time_until(open).is_some_and(|until| came > until)
}

fn signature(
    history: &History,
    open: &OpenDecision,
    sent: &PlayerSubmission,
    commitments: &[Commitment],
    keys: &[PlayerKey],
) -> Result<(), SubmissionRefusal> {
    let Some(signed) = sent.signed else { return Ok(()) };
    let seat = sent.access.seat_ref.seat;
    let message = SubmitMessage {
        origin: &history.origin,
        match_id: history.match_id,
        decision: &sent.decision,
        seat: SeatWord(seat).sealer(),
        commitments,
        submit: sent.submit,
        asked: open.leaf,
        seen: signed.seen,
        is_final: sent.is_final,
    };
    let signs = |key: &PlayerKey| message.check(key, &signed.signature).is_ok();
    if keys.iter().any(signs) { Ok(()) } else { Err(SubmissionRefusal::BadSignature) }
}

/// The time of arrival of an answer: never before the decision was asked, even if this node's clock is behind or was set
/// back.
pub(crate) fn arrival(open: &OpenDecision, at: Moment) -> Moment {
    at.max(open.at)
}

pub(crate) fn counts(open: &OpenDecision) -> Counts {
    match open.asked.closes {
        Closing::FirstValid => Counts::First,
        Closing::Umpire | Closing::Deadline | Closing::AllIn => Counts::Last,
    }
}

/// The digest of a submission: a repeated submit id must have the same.
fn digest(vault: &Vault, sent: &PlayerSubmission) -> Hash {
    let mut parts: Vec<&[u8]> = vec![sent.decision.as_str().as_bytes(), sent.access.seat_ref.seat.word().as_bytes()];
    match &sent.answer {
        Answer::Text(text) => parts.extend([b"text".as_slice(), text.trim().as_bytes()]),
        Answer::Sealed { commitments, openings } => {
            parts.push(b"sealed");
            parts.extend(commitments.iter().map(|commitment| commitment.bytes().as_slice()));
            for (field, secret) in openings {
                parts.extend([field.as_str().as_bytes(), secret.key.bytes().as_slice(), secret.value.as_bytes()]);
            }
        }
    }
    parts.extend(sent.signed.iter().map(|signed| signed.signature.bytes().as_slice()));
    if sent.is_final {
        parts.push(b"final");
    }
    vault.digest(&parts)
}

impl Submissions {
    /// The stored submissions for a decision, by seat and number. Only for a seat's own page, and for the umpire.
    pub async fn received(&self, match_id: MatchId, decision: &DecisionId) -> Result<Vec<StoredSubmission>, AppError> {
        Ok(self.recorder.logs.store(match_id).submissions(match_id, decision).await?)
    }
}
