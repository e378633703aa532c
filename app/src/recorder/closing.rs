//! Closing a decision: on time, with the first valid answer, once all answers are final, or by the umpire. It happens once,
//! on the node that is first: the primary key of the submissions decides which ones count, and the head of the match
//! decides who enters them.

use std::collections::BTreeSet;
use std::sync::Arc;

use engine::{Ask, BySeat, Seat};
use ledger::{Author, DecisionId, Hash, MatchId, Moment, Sealer, TreeSize};
use record::body::{Closing, Outage};
use record::write;
use record::{History, OpenDecision};
use store::{AcknowledgedRow, StoredSubmission};

use super::Recorder;
use super::early_close::{CloseRule, told_closer};
use crate::account::player;
use crate::act::Act;
use crate::due::{CHAT_GRACE, TICK, closes_at, deadline_of, later};
use crate::error::AppError;
use crate::protocol_trace;
use crate::scope::Scope;
use crate::slug::slug;

impl Recorder {
    pub(crate) fn close_answered(&self, history: &History) {
        let by_answers = |open: &&OpenDecision| matches!(open.asked.closes, Closing::FirstValid | Closing::AllIn);
        for open in history.open.iter().filter(by_answers) {
            self.due.close_soon(history.match_id, &open.asked.decision);
        }
    }

    /// Closes a decision if its time is up, if it waits only for the first answer and has one, or if it may close early
    /// and all answers to it are final.
    pub async fn close_due(&self, match_id: MatchId, decision: &DecisionId) -> Result<(), AppError> {
        let lock = self.locks.of(match_id);
        let _guard = lock.lock().await;
        let (history, received) = self.settle_and_read(match_id, &Author::Server).await?;
        if history.waiting().is_some() || history.closed_at.is_some() {
            return Ok(());
        }
        self.waits.remove(match_id);
        let Some(open) = history.open.iter().find(|open| open.asked.decision == *decision) else {
            // Where it waited for witnesses, others may have waited for it.
            self.close_answered(&history);
            return Ok(());
        };
        // What is sealed and could not be resolved waits for the umpire: its openings are lost.
        if !open.sealed.is_empty() || is_paused(&history, open) {
            return Ok(());
        }
        let answered = match received.get(decision) {
            Some(received) => first_answer(received).is_some(),
            None => self.answered_at(match_id, decision).await?.is_some(),
        };
        if open.asked.closes == Closing::FirstValid && answered {
            let first = self.answered_first(&history).await?.unwrap_or_else(|| decision.clone());
            self.close_locked(match_id, &Author::Server, &history, &first).await?;
            if first != *decision {
                self.due.close_soon(match_id, decision);
            }
            return Ok(());
        }
        if open.asked.closes == Closing::AllIn && self.close_final(&history, open).await? {
            return Ok(());
        }
        let Some(deadline) = deadline_of(&history, open) else { return Ok(()) };
        if self.system.now() < closes_at(deadline) || (!answered && optional(&history, open)) {
            return Ok(());
        }
        // If the umpire types for a seat, the deadline is only a signal. A link made after the deadline changes nothing.
        let links = player::links_at(self.logs.pool(), match_id, deadline).await.map_err(AppError::from_account)?;
        if open.asked.seats.iter().any(|seat| !links.seats[seat.0]) {
            return Ok(());
        }
        // A submission from a chat takes longer to arrive, and carries the time at which it was sent.
        let chat = later(deadline, CHAT_GRACE);
        if links.from_chat && self.system.now() < chat {
            self.due.add(chat, match_id, decision);
            return Ok(());
        }
        if self.arrivals.has_in_flight(&slug(match_id), deadline) {
            // It arrived in time, and is not stored yet.
            self.due.add(later(self.system.now(), TICK), match_id, decision);
            return Ok(());
        }
        // While the database hung, the node may have missed beats, or an outage may have ended that took time from this clock.
        // A beat since the deadline says that there was none: the grace is as long as a beat may be old.
        if self.fit().is_err() || self.is_owed_time(&history).await? {
            self.due.add(later(self.system.now(), TICK), match_id, decision);
            return Ok(());
        }
        if !answered && history.in_time_until(open) > Some(deadline) {
            self.spend_extension(&history, decision).await?;
            return Ok(());
        }
        self.close_locked(match_id, &Author::Server, &history, decision).await?;
        let late = self.system.now().micros().saturating_sub(closes_at(deadline).micros());
        self.metrics.close_lateness.observe(late as f64 / 1e6);
        Ok(())
    }

    pub(crate) async fn spend_extension(
        &self,
        history: &History,
        decision: &DecisionId,
    ) -> Result<Arc<History>, AppError> {
        let written = self
            .compose(history.match_id, &Author::Server, |context| write::spend_extension(context, history, decision))?;
        // A crash before this leaves an expired clock, and after it a running extension. The next caller sees which.
        self.append(history.match_id, history.head, written, None).await?;
        self.indexed(history.match_id).await
    }

    /// True if an outage took time from a running clock that it did not get back yet.
    pub(crate) async fn is_owed_time(&self, history: &History) -> Result<bool, AppError> {
        Ok(!self.lost_time(history).await?.is_empty())
    }

    async fn lost_time(&self, history: &History) -> Result<Vec<Outage>, AppError> {
        let open = history.open.iter().filter(|open| open.sealed.is_empty());
        let clocks = open.filter_map(|open| history.clock(&open.asked.decision));
        let running: Vec<_> = clocks.filter(|clock| clock.deadline().is_some()).collect();
        let Some(asked) = running.iter().map(|clock| clock.asked).min() else { return Ok(Vec::new()) };
        let outages = self.heartbeat.outages_since(asked).await?;
        let took = outages.iter().any(|outage| running.iter().any(|clock| clock.lost(*outage).is_some()));
        Ok(if took { outages } else { Vec::new() })
    }

    /// Gives running clocks back what outages took from them. The caller holds the match's lock.
    pub(crate) async fn make_up(&self, history: Arc<History>) -> Result<Arc<History>, AppError> {
        let outages = self.lost_time(&history).await?;
        if outages.is_empty() {
            return Ok(history);
        }
        let (match_id, server) = (history.match_id, Author::Server);
        let written = self.compose(match_id, &server, |context| Ok(write::make_up(context, &history, &outages)))?;
        // A crash before this leaves a clock that lost time, and after it one that has it back. The next caller sees which.
        match self.append(match_id, history.head, written, None).await {
            // Another node was first, and has seen the same outages.
            Err(AppError::Overtaken) => self.matches.history(match_id).await,
            appended => {
                appended?;
                self.indexed(match_id).await
            }
        }
    }

    pub(crate) async fn answered_at(
        &self,
        match_id: MatchId,
        decision: &DecisionId,
    ) -> Result<Option<Moment>, AppError> {
        Ok(first_answer(&self.logs.store(match_id).submissions(match_id, decision).await?))
    }

    async fn answered_first(&self, history: &History) -> Result<Option<DecisionId>, AppError> {
        let mut answered = Vec::new();
        let one = |open: &&OpenDecision| open.asked.closes == Closing::FirstValid && !is_paused(history, open);
        for open in history.open.iter().filter(one) {
            if let Some(at) = self.answered_at(history.match_id, &open.asked.decision).await? {
                answered.push((at, open.entry, open.asked.decision.clone()));
            }
        }
        Ok(answered.into_iter().min_by_key(|(at, entry, _)| (*at, *entry)).map(|(.., decision)| decision))
    }

    /// Closes a decision for the umpire. Closing it again changes nothing.
    pub async fn close_now(
        &self,
        act: &Act,
        match_id: MatchId,
        decision: &DecisionId,
    ) -> Result<Arc<History>, AppError> {
        let lock = self.locks.of(match_id);
        let _guard = lock.lock().await;
        let history = self.settle_locked(match_id, &act.by).await?;
        self.permissions.check(&history, &act.by).await?;
        // Nothing is stored of a close whose answers could not be played.
        write::check_replayed(&history)?;
        self.admit_late(&history).await?;
        match history.open.iter().any(|open| open.asked.decision == *decision) {
            true => {
                self.not_waiting(&history).await?;
                self.close_locked(match_id, &act.by, &history, decision).await
            }
            false if history.questions.contains_key(decision) => Ok(history),
            false => Err(AppError::Overtaken),
        }
    }

    /// Closes a decision. If its answer continues the game, all other open decisions are closed first.
    pub(super) async fn close_locked(
        &self,
        match_id: MatchId,
        by: &Author,
        history: &Arc<History>,
        decision: &DecisionId,
    ) -> Result<Arc<History>, AppError> {
        let mut history = history.clone();
        self.check_unanswered(&history, decision).await?;
        let ends = |history: &History| {
            history.open.iter().rev().any(|open| open.asked.decision == *decision && continues_game(history, open))
        };
        if ends(&history) {
            history = self.close_others(match_id, by, history, Some(decision), ends).await?;
        }
        if history.waiting().is_some() {
            // An answer that came before waits for the witnesses; this decision stays open until then.
            return Ok(history);
        }
        match history.open.iter().find(|open| open.asked.decision == *decision).cloned() {
            Some(open) => {
                self.check_unanswered(&history, decision).await?;
                let received = self.close_rows(match_id, &open, by).await?;
                self.enter_closed(match_id, by, &history, decision, &received).await
            }
            None => Ok(history),
        }
    }

    /// Refuses to close a decision that nobody answered and nobody has to. Later it would be too late: a row of the close
    /// cannot be taken back.
    async fn check_unanswered(&self, history: &History, decision: &DecisionId) -> Result<(), AppError> {
        let open = history.open.iter().any(|open| open.asked.decision == *decision && open.sealed.is_empty());
        if open && self.answered_at(history.match_id, decision).await?.is_none() {
            write::check_answers(history, decision, &BySeat::default())?;
        }
        Ok(())
    }

    /// Closes all open decisions except one, as long as `ends` is true. Answered ones are resolved in the order of their
    /// answers. A question that an answer asks again is closed, too: otherwise a player's answer to it would be
    /// acknowledged and never entered.
    pub(crate) async fn close_others(
        &self,
        match_id: MatchId,
        by: &Author,
        mut history: Arc<History>,
        but: Option<&DecisionId>,
        ends: impl Fn(&History) -> bool,
    ) -> Result<Arc<History>, AppError> {
        let mut cleared = BTreeSet::new();
        while ends(&history) && history.waiting().is_none() {
            let others = self.others(&history, but).await?;
            let Some(other) = others.into_iter().find(|other| cleared.insert(other.clone())) else { break };
            let Some(open) = history.open.iter().find(|open| open.asked.decision == other) else { continue };
            let received = self.close_rows(match_id, open, by).await?;
            if !received.iter().all(StoredSubmission::closes) {
                history = self.enter_closed(match_id, by, &history, &other, &received).await?;
            }
        }
        Ok(history)
    }

    /// Enters the submissions of a decision that was just closed. If another caller was first, it settles the match.
    async fn enter_closed(
        &self,
        match_id: MatchId,
        by: &Author,
        history: &Arc<History>,
        decision: &DecisionId,
        received: &[StoredSubmission],
    ) -> Result<Arc<History>, AppError> {
        match self.enter(match_id, by, history, decision, received, None).await {
            Err(AppError::Overtaken) => self.settle_locked(match_id, by).await,
            entered => entered,
        }
    }

    /// All open decisions except one, in the order of their first answers; those without an answer come last.
    async fn others(&self, history: &History, but: Option<&DecisionId>) -> Result<Vec<DecisionId>, AppError> {
        let mut others = Vec::new();
        for open in history.open.iter().filter(|open| Some(&open.asked.decision) != but) {
            let at = self.answered_at(history.match_id, &open.asked.decision).await?;
            others.push((at.unwrap_or(Moment::MAX), open.entry, open.asked.decision.clone()));
        }
        others.sort_by_key(|(at, entry, _)| (*at, *entry));
        Ok(others.into_iter().map(|(.., decision)| decision).collect())
    }

    pub(super) async fn close_rows(
        &self,
        match_id: MatchId,
        open: &OpenDecision,
        by: &Author,
    ) -> Result<Vec<StoredSubmission>, AppError> {
        let seats: Vec<Sealer> = open.asked.seats.iter().map(|seat| seat.sealer()).collect();
        self.close_seats(match_id, &open.asked.decision, &seats, open.leaf, CloseRule::Always(told_closer(open, by)))
            .await
    }

    /// Closes a decision for these seats, for good: the close is in the journal before anything of it enters.
    pub(crate) async fn close_seats(
        &self,
        match_id: MatchId,
        decision: &DecisionId,
        seats: &[Sealer],
        asked: Hash,
        rule: CloseRule<'_>,
    ) -> Result<Vec<StoredSubmission>, AppError> {
        let compared = self.journal.comparisons();
        self.journal.try_again().await?;
        self.accepts()?;
        let (store, now) = (self.logs.store(match_id), self.system.now());
        let rows = match rule {
            CloseRule::Always(by) => store.close(match_id, decision, seats, now, by).await?,
            CloseRule::IfFinal => store.close_if_final(match_id, decision, seats, now).await?,
        };
        if let Scope::Record = Scope::of(match_id) {
            let closes = rows.iter().filter(|row| row.closes());
            let closes = closes.map(|row| AcknowledgedRow::of_close(Scope::Record.log_id(), match_id, decision, row));
            let closes: Vec<AcknowledgedRow> = closes.collect();
            if !closes.is_empty() {
                protocol_trace::of_decision("close", match_id, decision, TreeSize(0));
                // A crash before this leaves a close that settle() keeps before it enters anything.
                self.keep(&closes, asked, compared).await?;
                protocol_trace::of_decision("keep-close", match_id, decision, TreeSize(0));
            }
        }
        Ok(rows)
    }

    /// Closes the rows of decisions that are not asked any more, after a strike or a result. Later rows are late.
    pub(crate) async fn close_unasked(&self, before: &History, now: &History) -> Result<(), AppError> {
        let is_open = |decision: &DecisionId| now.open.iter().any(|open| open.asked.decision == *decision);
        if before.is_live() {
            for open in before.open.iter().filter(|open| !is_open(&open.asked.decision)) {
                self.close_rows(before.match_id, open, &Author::Server).await?;
            }
        }
        Ok(())
    }
}

fn first_answer(rows: &[StoredSubmission]) -> Option<Moment> {
    rows.iter().filter(|row| !row.closes()).map(|row| row.at).min()
}

/// True if its clock is stopped. Then only the umpire closes it.
fn is_paused(history: &History, open: &OpenDecision) -> bool {
    history.clock(&open.asked.decision).is_some_and(record::Clock::is_paused)
}

fn ask_of(history: &History, open: &OpenDecision) -> Option<Ask> {
    history.asks().into_iter().find(|ask| open.puts(ask))
}

pub(crate) fn optional(history: &History, open: &OpenDecision) -> bool {
    ask_of(history, open).is_some_and(|ask| ask.optional)
}

/// True if its answer continues the game, and so closes all other questions.
fn continues_game(history: &History, open: &OpenDecision) -> bool {
    history.asks().last().is_some_and(|ask| open.puts(ask))
}

#[must_use]
pub fn asks(open: &OpenDecision, seat: Seat) -> bool {
    open.asked.seats.iter().any(|asked| asked.0 == seat)
}
