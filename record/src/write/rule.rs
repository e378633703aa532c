//! Rulings, remarks, and handovers.

use engine::{Seat, Verdict};
use ledger::{Author, Commitment, DecisionId, UmpireId};

use super::{NewEntries, Pace, WriteContext, WriteError, check_replayed, place};
use crate::body::{AdmittedAnswer, Body, DecidedResult, Ended, Handed, Mode, Noted, Ruled, RulingEffect, SeatWord};
use crate::digest::state_digest;
use crate::fold::decision_line;
use crate::history::History;
use crate::share::SHARE;
use crate::text::one_line;

/// Records a ruling, and its result if it decides one. The only ruling on a match of the past is that it is void,
/// because it was entered by mistake; the ruling ends it, as the import did.
///
/// # Errors
/// The text is missing, it is another ruling on a match of the past, or a value of a step cannot be opened here.
pub fn rule(
    context: &mut WriteContext<'_>,
    history: &History,
    clause: Option<&str>,
    text: &str,
    verdict: Option<Verdict>,
) -> Result<NewEntries, WriteError> {
    let Some(verdict) = verdict else { return ruling(context, history, clause, text, None) };
    let past = history.opened.mode == Mode::Imported;
    if past && (verdict != Verdict::Void || history.outcome().tag() == verdict.word()) {
        return Err(WriteError::NotNow(
            "a match of the past is made void where it was entered by mistake, and ruled on no further",
        ));
    }
    check_replayed(history)?;
    let mut duel = history.duel().clone();
    duel.play(&decision_line(verdict, &one_line(text)), None)?;
    let step = history.next_step();
    let decided = DecidedResult { step, verdict: verdict.word().to_owned(), digest: state_digest(&duel) };
    let mut written = ruled(context, history, text, |text| Ruled {
        rule: clause_of(clause),
        text,
        result: Some(decided),
        does: None,
    })?;
    context.enter_keys(&mut written, history)?;
    if past {
        let outcome = duel.outcome();
        let ended = Ended { result: outcome.tag().to_owned(), reason: outcome.reason().to_owned(), steps: step };
        written.drafts.push(context.draft(&Body::Ended(ended)));
    }
    Ok(written)
}

/// Warns a seat. A warning is a ruling; they are counted by seat.
pub fn warn(
    context: &mut WriteContext<'_>,
    history: &History,
    seat: Seat,
    clause: Option<&str>,
    text: &str,
) -> Result<NewEntries, WriteError> {
    ruling(context, history, clause, text, Some(RulingEffect::Warns(SeatWord(seat))))
}

/// Admits a seat's late answer to a decision that is still open.
pub fn admit(
    context: &mut WriteContext<'_>,
    history: &History,
    decision: &DecisionId,
    seat: Seat,
    clause: Option<&str>,
    text: &str,
) -> Result<NewEntries, WriteError> {
    let open = history.open.iter().find(|open| open.asked.decision == *decision && open.sealed.is_empty());
    if !open.is_some_and(|open| open.asked.seats.contains(&SeatWord(seat))) {
        return Err(WriteError::NotNow("this decision is closed; a correction or a strike can still change its step"));
    }
    if history.admitted(decision, seat).is_some() {
        return Err(WriteError::NotNow("this was admitted already"));
    }
    let admitted = AdmittedAnswer { decision: decision.clone(), seat: SeatWord(seat) };
    ruling(context, history, clause, text, Some(RulingEffect::Admits(admitted)))
}

/// Continues a live match as a recorded one: the umpire types for both seats from here on. Open questions are asked
/// again, without a clock.
///
/// # Errors
/// The text is missing, the players do not submit by themselves, their shares of the draws are being gathered, or a value
/// of a step cannot be opened here.
pub fn go_on_recorded(
    context: &mut WriteContext<'_>,
    history: &History,
    clause: Option<&str>,
    text: &str,
) -> Result<NewEntries, WriteError> {
    if !history.is_live() {
        return Err(WriteError::NotNow("the umpire types for both seats of this match already"));
    }
    if history.is_ended() {
        return Err(WriteError::NotNow("the match is ended"));
    }
    if history.host_act().is_some() || history.open.iter().any(|open| open.asked.what == SHARE) {
        return Err(WriteError::NotNow(
            "the shares of the draws are being gathered: type for the seats and close that first, or wait for the openings",
        ));
    }
    check_replayed(history)?;
    let mut written = ruling(context, history, clause, text, Some(RulingEffect::Records))?;
    context.enter_keys(&mut written, history)?;
    written.drafts.extend(context.asks_again(Pace::Recorded, history.duel(), history));
    Ok(written)
}

/// Gathers the shares of the draws anew. Nothing that was drawn changes: a draw keeps its key.
///
/// # Errors
/// The text is missing, the match does not run, or a draw from the last shares is hidden.
pub fn begin_shares(
    context: &mut WriteContext<'_>,
    history: &History,
    clause: Option<&str>,
    text: &str,
) -> Result<NewEntries, WriteError> {
    if !history.may_begin_shares() {
        return Err(WriteError::NotNow(
            "new shares are gathered while the match runs, once for a ruling, and never while a draw of the last ones is hidden",
        ));
    }
    let mut written = ruling(context, history, clause, text, Some(RulingEffect::Shares))?;
    // Another open question would show by the key when a seat begins to answer it.
    if history.open.iter().all(|open| open.asked.what == SHARE) {
        context.enter_keys(&mut written, history)?;
    }
    Ok(written)
}

pub(super) fn ruling(
    context: &mut WriteContext<'_>,
    history: &History,
    clause: Option<&str>,
    text: &str,
    does: Option<RulingEffect>,
) -> Result<NewEntries, WriteError> {
    if history.opened.mode == Mode::Imported {
        return Err(WriteError::NotNow("a match of the past is not ruled on here"));
    }
    ruled(context, history, text, |text| Ruled { rule: clause_of(clause), text, result: None, does })
}

fn ruled(
    context: &mut WriteContext<'_>,
    history: &History,
    text: &str,
    ruled: impl FnOnce(Commitment) -> Ruled,
) -> Result<NewEntries, WriteError> {
    if text.trim().is_empty() {
        return Err(WriteError::Missing("a ruling says what was decided, and why"));
    }
    let mut written = NewEntries::default();
    let text = context.word(&mut written, place(history, 0), "text", text)?;
    written.drafts.push(context.draft(&Body::Ruled(ruled(text))));
    Ok(written)
}

fn clause_of(clause: Option<&str>) -> Option<String> {
    clause.map(str::trim).filter(|clause| !clause.is_empty()).map(one_line)
}

/// Hands the match to another umpire.
pub fn hand(
    context: &mut WriteContext<'_>,
    history: &History,
    to: &UmpireId,
    reason: &str,
) -> Result<NewEntries, WriteError> {
    if reason.trim().is_empty() {
        return Err(WriteError::Missing("say why the match is handed over"));
    }
    if *history.umpire_now() == Author::Umpire(to.clone()) {
        return Err(WriteError::NotNow("it is this umpire's match already"));
    }
    let mut written = NewEntries::default();
    let reason = context.word(&mut written, place(history, 0), "reason", reason)?;
    written.drafts.push(context.draft(&Body::Handed(Handed { to: to.clone(), reason })));
    Ok(written)
}

/// Records a public remark.
pub fn note(context: &mut WriteContext<'_>, history: &History, text: &str) -> Result<NewEntries, WriteError> {
    if text.trim().is_empty() {
        return Err(WriteError::Missing("a remark says something"));
    }
    let mut written = NewEntries::default();
    let text = context.word(&mut written, place(history, 0), "text", text)?;
    written.drafts.push(context.draft(&Body::Noted(Noted { text })));
    Ok(written)
}
