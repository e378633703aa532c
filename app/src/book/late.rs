//! What a player sent elsewhere, typed by the umpire with the time it was sent. In time, it is a submission like any other;
//! late, it is kept and counts for nothing, until a ruling admits it. What a player sent too late is kept likewise.

use std::sync::Arc;
use std::time::Duration;

use engine::Seat;
use ledger::{By, DecisionId, Head, MatchId, Moment};
use record::body::SeatWord;
use record::write::{self, WriteError};
use record::{History, OpenDecision};
use store::{Counts, Submission as Private, Submit, SubmitId};

use super::recording::seat_submit;
use super::submitting::{by, came, counts};
use super::{Act, Answer, Book, BookError, Sent, SubmissionRefusal};
use crate::account::player::Chair;

/// How long an umpire waits for the database.
const PATIENCE: Duration = Duration::from_secs(15);
/// The longest late answer that is kept.
const LATE_MAX_CHARS: usize = 600;

/// What became of a line that was typed for a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypedFor {
    /// It stands in the place of what the seat sent so far.
    Stored,
    /// It was sent too late: it is kept, and only a ruling makes it count.
    Late,
}

/// A line that was sent too late.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LateInput {
    /// The form that brought it names it.
    pub form: SubmitId,
    /// The decision.
    pub decision: DecisionId,
    /// Whose it is.
    pub seat: Seat,
    /// When it was sent, as the umpire says.
    pub sent: Moment,
    /// When it was typed.
    pub typed: Moment,
    /// Who typed it.
    by: By,
    /// What it says. Secret until the decision closes.
    text: String,
}

/// Whether something that was sent then came too late for an open decision.
#[must_use]
pub fn is_late(history: &History, open: &OpenDecision, sent: Moment) -> bool {
    history.in_time_until(open).is_some_and(|until| sent > until)
}

/// When something was sent that answers an open decision: between the asking and now. People give whole seconds, and one
/// may have begun before the asking.
///
/// # Errors
/// It cannot have been sent then.
pub(super) fn sent_at(open: &OpenDecision, sent: Moment, now: Moment) -> Result<Moment, WriteError> {
    const SECOND_MICROS: i64 = 1_000_000;
    if sent > now {
        return Err(WriteError::NotNow("that time has not come yet; leave it empty for now"));
    }
    if sent.micros().saturating_add(SECOND_MICROS) <= open.at.micros() {
        return Err(WriteError::NotNow("it was asked later than that; leave the time empty for now"));
    }
    Ok(sent.max(open.at))
}

/// What binds a late line to its place.
fn place(match_id: MatchId, decision: &DecisionId, seat: Seat) -> String {
    format!("late/{match_id}/{decision}/{seat}")
}

impl Book {
    /// Stores what the umpire types for a seat of a live match, in the place of what the seat sent so far; `sent` is when
    /// the player sent it, now where it is none. What was sent after the deadline is kept apart. The decision stays open.
    ///
    /// # Errors
    /// The move is refused, the time cannot be, or the decision is closed.
    pub async fn type_sent(
        &self,
        act: &Act,
        match_id: MatchId,
        decision: &DecisionId,
        seat: Seat,
        text: &str,
        sent: Option<Moment>,
    ) -> Result<TypedFor, SubmissionRefusal> {
        let history = self.settle(match_id).await?;
        let name = sent.map_or_else(String::new, |sent| sent.to_string());
        let submit = act.submit(&self.keys, &["type", decision.as_str(), seat.word(), text.trim(), &name]);
        let submit = seat_submit(&submit, seat);
        let open = history.open.iter().find(|open| open.asked.decision == *decision);
        let Some(open) = open.filter(|_| history.is_live()) else {
            // The same form again, after it did its work.
            let typed = self.is_typed(match_id, decision, seat, submit).await?;
            return if typed { Ok(TypedFor::Stored) } else { Err(SubmissionRefusal::Closed) };
        };
        let now = self.mint.now();
        let at = sent.map_or(Ok(now), |sent| sent_at(open, sent, now))?;
        if is_late(&history, open, at) && history.admitted(decision, seat).is_none() {
            // The rules are asked before it is kept: what is no move is not admitted later.
            let prepared =
                self.at_desk(match_id, &act.by, |desk| write::prepare(desk, &history, decision, seat, text))?;
            prepared.ok_or(WriteError::Missing("where nothing came, leave the line empty"))?;
            self.keep_late(&act.by, match_id, decision, seat, text.trim(), (submit, at, now)).await?;
            return Ok(TypedFor::Late);
        }
        self.store_typed(&act.by, &history, decision, seat, text, (submit, at)).await?;
        Ok(TypedFor::Stored)
    }

    /// Keeps apart what a player sent elsewhere and cannot prove to have sent so, such as a message that was changed since:
    /// only a ruling makes it count.
    ///
    /// # Errors
    /// The move is refused, the time cannot be, or the decision is closed.
    pub async fn keep_apart(
        &self,
        act: &Act,
        match_id: MatchId,
        decision: &DecisionId,
        seat: Seat,
        text: &str,
        sent: Moment,
    ) -> Result<(), SubmissionRefusal> {
        let history = self.settle(match_id).await?;
        let open = history.open.iter().find(|open| open.asked.decision == *decision);
        let open = open.filter(|_| history.is_live()).ok_or(SubmissionRefusal::Closed)?;
        let now = self.mint.now();
        let at = sent_at(open, sent, now)?;
        let submit = act.submit(&self.keys, &["apart", decision.as_str(), seat.word(), text.trim()]);
        let prepared = self.at_desk(match_id, &act.by, |desk| write::prepare(desk, &history, decision, seat, text))?;
        prepared.ok_or(WriteError::Missing("where nothing came, leave the line empty"))?;
        let submit = seat_submit(&submit, seat);
        Ok(self.keep_late(&act.by, match_id, decision, seat, text.trim(), (submit, at, now)).await?)
    }

    /// Keeps what a player sent too late, and gives the refusal that says so. Of a seat and a question the first is kept:
    /// an umpire who reads it and rules shall find that it counts, and no other. What the rules refuse is not kept.
    pub(super) async fn keep_late_of_player(
        &self,
        history: &History,
        sent: &Sent,
    ) -> Result<SubmissionRefusal, SubmissionRefusal> {
        let (Chair { match_id, seat }, decision) = (sent.chair, &sent.decision);
        let what = history.open.iter().find(|open| open.asked.decision == *decision).map(|open| &open.asked.what);
        let what = what.or_else(|| history.clock(decision).map(|clock| &clock.what));
        let text = match (&sent.answer, what) {
            (Answer::Text(text), _) => text.trim().to_owned(),
            (Answer::Sealed { openings, .. }, Some(what)) => {
                let values: Vec<&str> = openings.iter().map(|(_, secret)| secret.value.as_str()).collect();
                history.duel().join(what, &values)
            }
            (Answer::Sealed { .. }, None) => return Ok(SubmissionRefusal::Late),
        };
        if text.is_empty() || text == "-" || text.chars().count() > LATE_MAX_CHARS || history.is_ended() {
            return Ok(SubmissionRefusal::Late);
        }
        let known = self.late_inputs(match_id, decision).await?;
        if let Some(kept) = known.iter().find(|late| late.seat == seat && late.is_of_player()) {
            return Ok(if kept.form == sent.submit {
                SubmissionRefusal::KeptLate
            } else {
                SubmissionRefusal::LateAgain
            });
        }
        if history.open.iter().any(|open| open.asked.decision == *decision && open.sealed.is_empty()) {
            self.at_desk(match_id, &by(seat), |desk| write::prepare(desk, history, decision, seat, &text))?;
        }
        let submit = Submit { id: sent.submit, digest: self.keys.digest([text.as_bytes()]) };
        self.keep_late(&by(seat), match_id, decision, seat, &text, (submit, sent.came, self.mint.now())).await?;
        Ok(SubmissionRefusal::KeptLate)
    }

    /// Whether this form stored a line for the seat before.
    async fn is_typed(
        &self,
        match_id: MatchId,
        decision: &DecisionId,
        seat: Seat,
        submit: Submit,
    ) -> Result<bool, SubmissionRefusal> {
        let row = Private {
            log_id: self.log(),
            match_id,
            decision: decision.clone(),
            seat: SeatWord(seat).sealer(),
            at: self.mint.now(),
            commitments: Vec::new(),
            escrow: None,
            submit: Some(submit),
            sent_by: By::Server,
            signed: None,
            counts: Counts::Last,
        };
        Ok(self.store.repeated(&row).await?.is_some())
    }

    async fn store_typed(
        &self,
        by: &By,
        history: &History,
        decision: &DecisionId,
        seat: Seat,
        text: &str,
        (submit, at): (Submit, Moment),
    ) -> Result<(), SubmissionRefusal> {
        let (match_id, sealer) = (history.match_id, SeatWord(seat).sealer());
        let prepared = self.at_desk(match_id, by, |desk| write::prepare(desk, history, decision, seat, text))?;
        let prepared = prepared.ok_or(WriteError::Missing("where nothing came, leave the line empty"))?;
        let open = history.open.iter().find(|open| open.asked.decision == *decision);
        let row = Private {
            log_id: self.log(),
            match_id,
            decision: decision.clone(),
            seat: sealer,
            at: open.map_or(at, |open| came(open, at)),
            commitments: prepared.commitments,
            escrow: Some(self.lock_away(match_id, decision, sealer, &prepared.secrets)?),
            submit: Some(submit),
            sent_by: by.clone(),
            signed: None,
            counts: open.map_or(Counts::Last, counts),
        };
        let stored = tokio::time::timeout(PATIENCE, self.letters.submit(row)).await;
        stored.map_err(|_| BookError::Stopped)??;
        if open.is_some_and(|open| counts(open) == Counts::First) {
            self.close_soon(match_id, decision);
        }
        Ok(())
    }

    async fn keep_late(
        &self,
        by: &By,
        match_id: MatchId,
        decision: &DecisionId,
        seat: Seat,
        text: &str,
        (submit, sent, typed): (Submit, Moment, Moment),
    ) -> Result<(), BookError> {
        let place = place(match_id, decision, seat);
        let ciphertext = self.keys.lock(&self.mint, &place, text.as_bytes())?;
        sqlx::query!(
            "insert into late_inputs (log_id, match_id, decision, seat, form, sent_at, typed_at, typed_by, ciphertext) \
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing",
            self.log().0,
            match_id.0,
            decision.as_str(),
            seat.word(),
            submit.id.0.as_slice(),
            sent.to_utc(),
            typed.to_utc(),
            by.to_string(),
            ciphertext
        )
        .execute(self.pool())
        .await?;
        Ok(())
    }

    /// What was sent too late for a decision, in the order in which it was typed.
    ///
    /// # Errors
    /// The database, or what is kept cannot be read.
    pub async fn late_inputs(&self, match_id: MatchId, decision: &DecisionId) -> Result<Vec<LateInput>, BookError> {
        self.read_late(match_id, Some(decision)).await
    }

    /// What was sent too late for any decision of a match, also for those that are closed.
    ///
    /// # Errors
    /// The database, or what is kept cannot be read.
    pub async fn all_late_inputs(&self, match_id: MatchId) -> Result<Vec<LateInput>, BookError> {
        self.read_late(match_id, None).await
    }

    async fn read_late(&self, match_id: MatchId, decision: Option<&DecisionId>) -> Result<Vec<LateInput>, BookError> {
        let rows = sqlx::query!(
            "select decision, seat, form, sent_at, typed_at, typed_by, ciphertext from late_inputs \
             where log_id = $1 and match_id = $2 and ($3::text is null or decision = $3) order by typed_at, form",
            self.log().0,
            match_id.0,
            decision.map(DecisionId::as_str)
        );
        let mut late = Vec::new();
        for row in rows.fetch_all(self.pool()).await? {
            let unreadable = || BookError::Unreadable("a late answer is not kept as it should be".to_owned());
            let seat: Seat = row.seat.parse().map_err(|_| unreadable())?;
            let decision: DecisionId = row.decision.parse().map_err(|_| unreadable())?;
            let text = self.keys.unlock(&place(match_id, &decision, seat), &row.ciphertext)?;
            let moment = |at: chrono::DateTime<chrono::Utc>| Moment::from_micros(at.timestamp_micros());
            late.push(LateInput {
                form: SubmitId(row.form.try_into().map_err(|_| unreadable())?),
                decision,
                seat,
                sent: moment(row.sent_at).map_err(|_| unreadable())?,
                typed: moment(row.typed_at).map_err(|_| unreadable())?,
                by: row.typed_by.parse().map_err(|_| unreadable())?,
                text: String::from_utf8(text).map_err(|_| unreadable())?,
            });
        }
        Ok(late)
    }

    /// Admits what a seat sent too late: a ruling that says why, and then the line counts that was typed last for the
    /// seat, or the first that it sent late.
    ///
    /// # Errors
    /// Nothing is kept for the seat, the decision is closed, or somebody else was first.
    #[expect(clippy::too_many_arguments, reason = "an act, a place, and the words of a ruling")]
    pub async fn admit(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        decision: &DecisionId,
        seat: Seat,
        clause: Option<&str>,
        text: &str,
    ) -> Result<Arc<History>, BookError> {
        if !self.late_inputs(match_id, decision).await?.iter().any(|late| late.seat == seat) {
            return Err(WriteError::NotNow("nothing late is kept for this seat").into());
        }
        let what = ["admit", decision.as_str(), seat.word(), clause.unwrap_or(""), text];
        let submit = act.submit(&self.keys, &what);
        let write = |desk: &mut write::WriteContext<'_>, history: &History, _: &record::Secrets| {
            write::admit(desk, history, decision, seat, clause, text)
        };
        let history = self.act(act, match_id, seen, submit, write).await?;
        // A crash before this leaves a ruling without its answer: the same form again, or the close, brings it.
        self.take_in(&history).await?;
        Ok(history)
    }

    /// Stores the late answers to open decisions that a ruling admits. Done again, it changes nothing.
    ///
    /// # Errors
    /// The database.
    pub async fn take_in(&self, history: &History) -> Result<(), BookError> {
        for open in history.open.iter().filter(|open| open.sealed.is_empty()) {
            let decision = &open.asked.decision;
            let seats = Seat::BOTH.into_iter().filter(|seat| history.admitted(decision, *seat).is_some());
            let seats: Vec<Seat> = seats.collect();
            if seats.is_empty() {
                continue;
            }
            let late = self.late_inputs(history.match_id, decision).await?;
            for seat in seats {
                let Some(meant) = meant(&late, seat) else { continue };
                let parts = ["late", decision.as_str(), seat.word(), &meant.text];
                let digest = self.keys.digest(parts.iter().map(|part| part.as_bytes()));
                let submit = Submit { id: meant.form, digest };
                // What a player sent late counts because the umpire lets it, and so stands as typed by the umpire.
                let by = if meant.is_of_player() { history.umpire_now() } else { &meant.by };
                match self.store_typed(by, history, decision, seat, &meant.text, (submit, meant.sent)).await {
                    // It closed meanwhile, or stands there already.
                    Ok(()) | Err(SubmissionRefusal::Late | SubmissionRefusal::Answered | SubmissionRefusal::Reused) => {
                    }
                    Err(SubmissionRefusal::Book(error)) => return Err(error),
                    Err(refusal) => tracing::error!(%refusal, "an admitted answer could not be stored"),
                }
            }
        }
        Ok(())
    }
}

/// The late answer of a seat that a ruling admits: the last that was typed for it, or else the first that it sent, which
/// no later one takes the place of.
fn meant(late: &[LateInput], seat: Seat) -> Option<&LateInput> {
    let typed = late.iter().rfind(|late| late.seat == seat && !late.is_of_player());
    typed.or_else(|| late.iter().find(|late| late.seat == seat))
}

impl LateInput {
    /// Whether the player sent it here, and nobody typed it.
    #[must_use]
    pub const fn is_of_player(&self) -> bool {
        matches!(self.by, By::P1 | By::P2)
    }

    /// What it says.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}
