//! Seals the seats' submissions: first privately, then, when the decision has closed, in the record.

use engine::{BySeat, Seat};
use ledger::{Author, Commitment, DecisionId, Draft, Field, Moment, OpenMessage, SealMessage, Share, TreeSize};

use super::share::ShareOpening;
use super::{NewEntries, WriteContext, WriteError, check_replayed};
use crate::body::{Body, Sealed, SeatWord, SubmitSignature};
use crate::decision::OpenDecision;
use crate::history::History;
use crate::private_openings::Secret;
use crate::seal::SignedSubmission;
use crate::share::{self, SHARE};

/// A seat's submission, ready to be stored secretly.
#[derive(Debug)]
pub struct PreparedSubmission {
    /// The seat.
    pub seat: Seat,
    /// One for every field, in order.
    pub commitments: Vec<Commitment>,
    /// Their openings, in the same order.
    pub secrets: Vec<(Field, Secret)>,
}

/// A submission that counts, once its decision has closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seal {
    /// The seat.
    pub seat: Seat,
    /// Its number among the seat's submissions.
    pub ordinal: u32,
    /// The time of arrival.
    pub came: Moment,
    /// One for every field, in order.
    pub commitments: Vec<Commitment>,
    /// The sender, if known: the seat itself, or the umpire who typed it. Otherwise, the author of the entry counts as
    /// the sender.
    pub sent_by: Option<Author>,
    /// True if the seat called it final.
    pub is_final: bool,
    /// The seat's signature, if it has a key.
    pub signature: Option<SubmitSignature>,
}

fn open_decision<'h>(history: &'h History, decision: &DecisionId) -> Result<&'h OpenDecision, WriteError> {
    check_replayed(history)?;
    let open = history.open.iter().find(|open| open.asked.decision == *decision);
    open.ok_or(WriteError::NotNow("this decision is not open any more"))
}

/// Checks a seat's move and makes its commitments. A move of `-` is no move, and is not sealed.
pub fn prepare(
    context: &mut WriteContext<'_>,
    history: &History,
    decision: &DecisionId,
    seat: Seat,
    text: &str,
) -> Result<Option<PreparedSubmission>, WriteError> {
    let open = open_decision(history, decision)?;
    if !open.asked.seats.contains(&SeatWord(seat)) {
        return Err(WriteError::NotNow("this seat is not asked"));
    }
    if !open.sealed.is_empty() {
        return Err(WriteError::NotNow("this decision is sealed already, and waits to be resolved"));
    }
    let values = if open.asked.what == SHARE {
        share::read(text)?;
        vec![(SHARE.into(), share::value(text))]
    } else {
        history.duel().split(seat, &open.asked.what, text.trim())?
    };
    if text.trim() == "-" {
        return Ok(None);
    }
    let mut submission = PreparedSubmission { seat, commitments: Vec::new(), secrets: Vec::new() };
    for ((_, value), field) in values.into_iter().zip(&open.asked.fields) {
        let key = context.key();
        let message = SealMessage {
            origin: context.origin,
            match_id: context.match_id,
            decision,
            seat: SeatWord(seat).sealer(),
            field,
            asked: open.leaf,
            value: &value,
        };
        submission.commitments.push(message.seal(&key)?);
        submission.secrets.push((field.clone(), Secret { key, value }));
    }
    Ok(Some(submission))
}

/// Checks that a decision can close with these answers, before anything of it is stored. A seat without one sent nothing.
///
/// # Errors
/// The decision is not open, the rules refuse the step, or the question needs no answer and has none.
pub fn check_answers(history: &History, decision: &DecisionId, sent: &BySeat<Option<&str>>) -> Result<(), WriteError> {
    let asked = &open_decision(history, decision)?.asked;
    if asked.what == SHARE {
        return Ok(());
    }
    let text = |seat: Seat| asked.seats.contains(&SeatWord(seat)).then(|| sent[seat].unwrap_or("-").to_owned());
    let moves = BySeat::from_fn(text);
    let is_answered = moves.each().into_iter().any(|(_, text)| text.as_deref().is_some_and(|text| text != "-"));
    let mut duel = history.duel().clone();
    match duel.play(&duel.line(&moves), None) {
        Err(_) if !is_answered => Err(WriteError::NotNow(
            "nobody has answered this, and nobody needs to: it closes by itself with the question beside it",
        )),
        played => Ok(played.map(drop)?),
    }
}

/// Checks a submission that the player's browser sealed: its openings open its commitments, and give a move that the
/// rules allow, in the canonical spelling.
///
/// # Errors
/// The decision is not open to this seat, an opening does not fit, or the move is refused.
pub fn receive(
    history: &History,
    decision: &DecisionId,
    seat: Seat,
    commitments: &[Commitment],
    openings: &[(Field, Secret)],
) -> Result<(), WriteError> {
    let open = open_decision(history, decision)?;
    if !open.asked.seats.contains(&SeatWord(seat)) {
        return Err(WriteError::NotNow("this seat is not asked"));
    }
    let fields = openings.iter().map(|(field, _)| field);
    if !fields.eq(open.asked.fields.iter()) || commitments.len() != openings.len() {
        return Err(WriteError::Missing("a submission has a seal and an opening for every field, in their order"));
    }
    for ((field, secret), commitment) in openings.iter().zip(commitments) {
        let message = SealMessage {
            origin: &history.origin,
            match_id: history.match_id,
            decision,
            seat: SeatWord(seat).sealer(),
            field,
            asked: open.leaf,
            value: &secret.value,
        };
        message.open(&secret.key, commitment)?;
    }
    let known = history.seals.iter().flat_map(|seal| &seal.commitments);
    if known.clone().any(|known| commitments.contains(known)) {
        return Err(WriteError::NotNow("this seal is already in the record; make new ones"));
    }
    let values: Vec<&str> = openings.iter().map(|(_, secret)| secret.value.as_str()).collect();
    if let (SHARE, [value]) = (open.asked.what.as_str(), values.as_slice()) {
        return Share::from_hex(value)
            .map(|_| ())
            .map_err(|_| WriteError::Missing("a share is 64 lower-case hex digits"));
    }
    let duel = history.duel();
    let text = duel.join(&open.asked.what, &values);
    if text == "-" {
        return Err(WriteError::NotNow("a move says something; nothing is sent by sending nothing"));
    }
    let split = duel.split(seat, &open.asked.what, &text)?;
    if split.iter().map(|(_, value)| value.as_str()).ne(values) {
        return Err(WriteError::NotNow("the values that were sealed are not written as the rules write this move"));
    }
    Ok(())
}

/// Checks the commitment to a share that its player keeps until the list of shares is under a checkpoint.
///
/// # Errors
/// The decision does not ask this seat for such a share, or the commitment is in the record already.
pub fn receive_kept(
    history: &History,
    decision: &DecisionId,
    seat: Seat,
    commitments: &[Commitment],
) -> Result<(), WriteError> {
    let open = open_decision(history, decision)?;
    if !open.asked.seats.contains(&SeatWord(seat)) {
        return Err(WriteError::NotNow("this seat is not asked"));
    }
    if open.asked.what != SHARE {
        return Err(WriteError::Missing("only a share of coming draws is sealed without its opening"));
    }
    if commitments.len() != open.asked.fields.len() {
        return Err(WriteError::Missing("a share is one seal"));
    }
    if history.seals.iter().flat_map(|seal| &seal.commitments).any(|known| commitments.contains(known)) {
        return Err(WriteError::NotNow("this seal is already in the record; make new ones"));
    }
    Ok(())
}

/// Checks an opening of a listed share that its seat sent.
///
/// # Errors
/// No opening of this seat is awaited, or it does not open the listed seal, to a share.
pub fn receive_opening(history: &History, opening: &ShareOpening) -> Result<(), WriteError> {
    let ShareOpening { seat, secret, signature, .. } = opening;
    let not_awaited = || WriteError::NotNow("no opening of this seat's share is awaited now");
    let list = history.awaited_openings().ok_or_else(not_awaited)?;
    let seal = history.seals.iter().find(|seal| Some(seal.entry) == list.sealed[*seat]).ok_or_else(not_awaited)?;
    let (field, commitment) = seal.fields.first().zip(seal.commitments.first()).ok_or_else(not_awaited)?;
    let (origin, match_id, sealer) = (&history.origin, history.match_id, SeatWord(*seat).sealer());
    let (decision, asked, value) = (&seal.decision, seal.leaf, secret.value.as_str());
    SealMessage { origin, match_id, decision, seat: sealer, field, asked, value }.open(&secret.key, commitment)?;
    Share::from_hex(value).map_err(|_| WriteError::Missing("a share is 64 lower-case hex digits"))?;
    let Some(signature) = signature else { return Ok(()) };
    let key = history.keys[*seat].ok_or(WriteError::NotNow("this seat has no key in the record"))?;
    if signature.tree.size <= u64::from(list.entry.0) {
        return Err(WriteError::NotNow("an opening is signed together with a tree that covers the list of shares"));
    }
    let seen = (TreeSize(signature.tree.size), signature.tree.root);
    let message = OpenMessage { origin, match_id, decision, seat: sealer, listed: list.leaf, value, seen };
    message
        .check(&key.key, &signature.signature)
        .map_err(|_| WriteError::NotNow("the signature does not fit this opening of the listed share"))
}

/// Enters the seals that count for a decision that has closed, behind the keys that waited for that.
pub fn seal(
    context: &mut WriteContext<'_>,
    history: &History,
    decision: &DecisionId,
    seals: &[Seal],
) -> Result<NewEntries, WriteError> {
    if !open_decision(history, decision)?.sealed.is_empty() {
        return Err(WriteError::NotNow("this decision is sealed already, and waits to be resolved"));
    }
    let asked = open_decision(history, decision)?.leaf;
    let mut written = NewEntries::default();
    let keys = context.enter_keys(&mut written, history)?;
    let drafts = seals.iter().map(|seal| {
        let Seal { seat, is_final, commitments, .. } = seal;
        let (seat, is_final) = (*seat, *is_final);
        let holds = |signature: &SubmitSignature| {
            let sent = SignedSubmission { seat, decision, asked, commitments, is_final, signature: *signature };
            sent.is_by(history, keys[seat])
        };
        let draft = context.draft(&Body::Sealed(Sealed {
            decision: decision.clone(),
            seat: SeatWord(seat),
            ordinal: seal.ordinal,
            came: seal.came,
            commitments: seal.commitments.clone(),
            is_final,
            // Another key of the seat never entered, and signs nothing.
            signature: seal.signature.filter(holds),
        }));
        // It came before it is entered, even if the clock was set back since, or another machine's clock is used.
        Draft { by: seal.sent_by.clone().unwrap_or(draft.by), at: draft.at.max(seal.came), ..draft }
    });
    written.drafts.extend(drafts);
    Ok(written)
}
