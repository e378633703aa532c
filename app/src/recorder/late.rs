//! Answers that came too late: they are kept apart, and count only if a ruling admits them.

use engine::Seat;
use ledger::{Author, DecisionId, Hash, MatchId, Moment, Seq, SubmitId};
use record::body::SeatWord;
use record::write::{self, WriteError};
use record::{Correction, History, OpenDecision, StepSource, Strike};
use store::matches::late_inputs::{self, NewLateInput};
use store::{Counts, Submission, Submit};

use super::Recorder;
use crate::error::AppError;
use crate::scope::Scope;
use crate::submissions::{SubmissionRefusal, arrival, counts};
use crate::views::VisibleMatch;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LateInput {
    pub form: SubmitId,
    pub decision: DecisionId,
    pub seat: Seat,
    /// The time when it was sent, as its author says.
    pub sent: Moment,
    pub typed: Moment,
    by: Author,
    /// Its text. Secret until the decision closes.
    text: String,
    pub is_left_out: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LateFate {
    Counts,
    /// It does not count. The step in the place of its question can be corrected.
    Left(Option<u32>),
    Struck,
}

#[must_use]
pub fn is_late(history: &History, open: &OpenDecision, sent: Moment) -> bool {
    history.in_time_until(open).is_some_and(|until| sent > until)
}

/// The time when an answer to an open decision was sent, between the asking and now. People give whole seconds, so the
/// second of the asking is allowed.
pub(crate) fn sent_at(open: &OpenDecision, sent: Moment, now: Moment) -> Result<Moment, WriteError> {
    const SECOND_MICROS: i64 = 1_000_000;
    if sent > now {
        return Err(WriteError::NotNow("that time has not come yet; leave it empty for now"));
    }
    if sent.micros().saturating_add(SECOND_MICROS) <= open.at.micros() {
        return Err(WriteError::NotNow("it was asked later than that; leave the time empty for now"));
    }
    Ok(sent.max(open.at))
}

fn place(match_id: MatchId, decision: &DecisionId, seat: Seat) -> String {
    format!("late/{match_id}/{decision}/{seat}")
}

impl Recorder {
    pub(crate) async fn store_typed(
        &self,
        by: &Author,
        history: &History,
        decision: &DecisionId,
        seat: Seat,
        text: &str,
        (submit, at): (Submit, Moment),
    ) -> Result<(), SubmissionRefusal> {
        let (match_id, sealer) = (history.match_id, SeatWord(seat).sealer());
        let prepared = self.compose(match_id, by, |context| write::prepare(context, history, decision, seat, text))?;
        let prepared = prepared.ok_or(WriteError::Missing("leave the line empty for no move"))?;
        let open = history.open.iter().find(|open| open.asked.decision == *decision);
        let row = Submission {
            log_id: Scope::of(match_id).log_id(),
            match_id,
            decision: decision.clone(),
            seat: sealer,
            at: open.map_or(at, |open| arrival(open, at)),
            commitments: prepared.commitments,
            escrow: Some(
                self.vault.lock_openings(match_id, decision, sealer, &prepared.secrets).map_err(AppError::from)?,
            ),
            submit: Some(submit),
            sent_by: by.clone(),
            signed: None,
            is_final: false,
            counts: open.map_or(Counts::Last, counts),
        };
        self.submit(row, open.map_or(Hash::ZERO, |open| open.leaf)).await??;
        if open.is_some_and(|open| counts(open) == Counts::First) {
            self.due.close_soon(match_id, decision);
        }
        Ok(())
    }

    /// Keeps a late answer, and returns the form of the answer that is kept: of a player's answers only the first is, even
    /// if two are sent at the same time.
    pub(crate) async fn keep_late(
        &self,
        by: &Author,
        match_id: MatchId,
        decision: &DecisionId,
        seat: Seat,
        text: &str,
        (submit, sent, typed): (Submit, Moment, Moment),
    ) -> Result<SubmitId, AppError> {
        let place = place(match_id, decision, seat);
        let ciphertext = self.vault.lock(&place, text.as_bytes())?;
        let by_word = by.to_string();
        let late = NewLateInput {
            log_id: Scope::of(match_id).log_id(),
            match_id,
            decision,
            seat: seat.word(),
            form: submit.id,
            sent_at: sent.to_utc(),
            typed_at: typed.to_utc(),
            typed_by: &by_word,
            ciphertext: &ciphertext,
        };
        if is_player(by) {
            return Ok(late_inputs::add_first(self.logs.pool(), &place, &late).await?);
        }
        late_inputs::add(self.logs.pool(), &late).await?;
        Ok(submit.id)
    }

    /// The late answers to a decision, in the order in which they were typed. Those under a lost key are left out.
    pub async fn late_inputs(&self, match_id: MatchId, decision: &DecisionId) -> Result<Vec<LateInput>, AppError> {
        self.read_late(match_id, Some(decision)).await
    }

    pub async fn all_late_inputs(&self, match_id: MatchId) -> Result<Vec<LateInput>, AppError> {
        self.read_late(match_id, None).await
    }

    async fn read_late(&self, match_id: MatchId, decision: Option<&DecisionId>) -> Result<Vec<LateInput>, AppError> {
        let log_id = Scope::of(match_id).log_id();
        let mut late = Vec::new();
        let rows = late_inputs::list(self.logs.pool(), log_id, match_id, decision).await?;
        let left = match rows.as_slice() {
            [] => Vec::new(),
            _ => late_inputs::left_out(self.logs.pool(), log_id, match_id).await?,
        };
        for row in rows {
            let unreadable = || AppError::Unreadable("a late answer is not kept as it should be".to_owned());
            let seat: Seat = row.seat.parse().map_err(|_| unreadable())?;
            let decision: DecisionId = row.decision.parse().map_err(|_| unreadable())?;
            let moment = |at: chrono::DateTime<chrono::Utc>| Moment::from_micros(at.timestamp_micros());
            let typed = moment(row.typed_at).map_err(|_| unreadable())?;
            let text = self.vault.unlock(&place(match_id, &decision, seat), &row.ciphertext);
            let Some(text) = self.vault.unless_lost(typed, text)? else { continue };
            late.push(LateInput {
                is_left_out: left.contains(&row.form),
                form: SubmitId(row.form.try_into().map_err(|_| unreadable())?),
                decision,
                seat,
                sent: moment(row.sent_at).map_err(|_| unreadable())?,
                typed,
                by: row.typed_by.parse().map_err(|_| unreadable())?,
                text: String::from_utf8(text).map_err(|_| unreadable())?,
            });
        }
        Ok(late)
    }

    /// Marks a late answer as left out: nobody is told of it any more. A ruling or a correction can still admit it.
    pub async fn leave_out_late(&self, match_id: MatchId, form: SubmitId) -> Result<(), AppError> {
        let (log_id, now) = (Scope::of(match_id).log_id(), self.system.now().to_utc());
        Ok(late_inputs::leave_out(self.logs.pool(), (log_id, match_id), form, now).await?)
    }

    pub async fn admit_late(&self, history: &History) -> Result<(), AppError> {
        for open in history.open.iter().filter(|open| open.sealed.is_empty()) {
            let decision = &open.asked.decision;
            let seats = Seat::BOTH.into_iter().filter(|seat| history.admitted(decision, *seat).is_some());
            let seats: Vec<Seat> = seats.collect();
            if seats.is_empty() {
                continue;
            }
            let late = self.late_inputs(history.match_id, decision).await?;
            let stored = self.logs.store(history.match_id).submissions(history.match_id, decision).await?;
            for seat in seats {
                let Some(admitted) = admitted_input(&late, seat) else { continue };
                if stored.iter().any(|row| row.submit == Some(admitted.form)) {
                    continue;
                }
                let parts = ["late", decision.as_str(), seat.word(), &admitted.text];
                let digest = self.vault.digest(&parts.map(str::as_bytes));
                let submit = Submit { id: admitted.form, digest };
                // A late answer of a player counts by the umpire's word, so it is stored as typed by the umpire.
                let by = if admitted.is_of_player() { history.umpire_now() } else { &admitted.by };
                match self.store_typed(by, history, decision, seat, &admitted.text, (submit, admitted.sent)).await {
                    // The decision was closed meanwhile, or it is stored already.
                    Ok(()) | Err(SubmissionRefusal::Late | SubmissionRefusal::Answered | SubmissionRefusal::Reused) => {
                    }
                    Err(SubmissionRefusal::App(error)) => return Err(error),
                    Err(refusal) => tracing::error!(%refusal, "an admitted answer could not be stored"),
                }
            }
        }
        Ok(())
    }
}

/// The late answer of a seat that a ruling admits: the last one that the umpire typed, or else the first one that the
/// player sent.
fn admitted_input<'l>(late: impl IntoIterator<Item = &'l LateInput>, seat: Seat) -> Option<&'l LateInput> {
    let of_seat: Vec<&LateInput> = late.into_iter().filter(|late| late.seat == seat).collect();
    let typed = of_seat.iter().rfind(|late| !late.is_of_player());
    typed.or(of_seat.first()).copied()
}

const fn is_player(by: &Author) -> bool {
    matches!(by, Author::P1 | Author::P2)
}

impl LateInput {
    #[must_use]
    pub const fn is_of_player(&self) -> bool {
        is_player(&self.by)
    }

    /// What its time is: a player's own move is known by its arrival, for nobody knows when it was pressed; the umpire
    /// types when it was sent.
    #[must_use]
    pub const fn time_word(&self) -> &'static str {
        if self.is_of_player() { "arrived" } else { "sent" }
    }

    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The entry by which it counts: the ruling that admitted it, or the newest correction that has it. None if it does
    /// not count, or if another of these late answers counts in its place.
    #[must_use]
    pub fn admitted_by(&self, history: &History, late: &[Self]) -> Option<Seq> {
        if let Some(ruling) = history.admitted(&self.decision, self.seat) {
            let same = late.iter().filter(|other| other.decision == self.decision);
            return admitted_input(same, self.seat).filter(|admitted| *admitted == self).map(|_| ruling);
        }
        let is_open = history.open.iter().any(|open| open.asked.decision == self.decision);
        if is_open || self.fate(history) != LateFate::Counts {
            return None;
        }
        let answers = StepSource::Decision(self.decision.clone());
        let mut struck = history.strikes.iter().flat_map(|strike| &strike.struck);
        let number = struck.find(|step| step.source == answers)?.number;
        history.steps.iter().find(|step| step.number == number).map(|step| step.entry)
    }

    #[must_use]
    pub fn fate(&self, history: &History) -> LateFate {
        if history.admitted(&self.decision, self.seat).is_some() {
            return LateFate::Counts;
        }
        let answers = StepSource::Decision(self.decision.clone());
        if let Some(step) = history.steps.iter().find(|step| step.source == answers) {
            return LateFate::Left(Some(step.number));
        }
        // A strike took the step away, or a correction put another one in its place.
        let removed =
            |strike: &Strike| strike.struck.iter().find(|step| step.source == answers).map(|step| step.number);
        let found =
            history.strikes.iter().enumerate().find_map(|(at, strike)| removed(strike).map(|number| (at, number)));
        let Some((first, number)) = found else { return LateFate::Left(None) };
        let takes = |strike: &&Strike| {
            strike.correction == Correction::None && strike.struck.iter().any(|step| step.number == number)
        };
        if history.strikes.iter().skip(first).any(|strike| takes(&strike)) {
            return LateFate::Struck;
        }
        let Some(step) = history.steps.iter().find(|step| step.number == number) else { return LateFate::Struck };
        match VisibleMatch::umpire(history).seat_line(step, self.seat) {
            Some(line) if line == self.text.trim() => LateFate::Counts,
            _ => LateFate::Left(Some(number)),
        }
    }
}
