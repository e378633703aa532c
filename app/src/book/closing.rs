//! When the decisions of live matches close: on time, with the first valid answer, or by the umpire. Exactly once, on
//! whichever node comes first: the primary key of the submissions decides what was in, and the head of the match who
//! enters it.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use engine::{Ask, Seat};
use ledger::{By, DecisionId, MatchId, Moment, Sealer};
use record::body::Closing;
use record::{History, OpenDecision};
use store::Received;
use tokio::sync::Notify;

use super::{Act, Book, BookError};
use crate::account::{chat, player};

/// How long after its deadline a decision closes: whatever arrived in time is stored by then.
pub const GRACE: Duration = Duration::from_secs(1);
/// The same where somebody plays from a chat, whose own clock counts.
const CHAT_GRACE: Duration = Duration::from_secs(3);
/// How often the clock is looked at while something is due: a clock that was set is noticed.
const TICK: Duration = Duration::from_millis(50);
/// How often all running matches are looked through: what other nodes asked, and what was put off.
const SWEEP: Duration = Duration::from_secs(2);

/// What is due, and when.
#[derive(Debug, Default)]
pub(super) struct Due {
    list: Mutex<BTreeSet<(Moment, MatchId, DecisionId)>>,
    changed: Notify,
}

impl Due {
    fn add(&self, at: Moment, match_id: MatchId, decision: &DecisionId) {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        if list.insert((at, match_id, decision.clone())) {
            self.changed.notify_one();
        }
    }

    /// Takes everything that is due by now.
    fn take(&self, now: Moment) -> Vec<(MatchId, DecisionId)> {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        let mut due = Vec::new();
        while let Some(first) = list.first().filter(|(at, ..)| *at <= now).cloned() {
            list.remove(&first);
            due.push((first.1, first.2));
        }
        due
    }

    fn is_empty(&self) -> bool {
        self.list.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

/// A moment that much later.
fn later(at: Moment, time: Duration) -> Moment {
    let micros = i64::try_from(time.as_micros()).unwrap_or(i64::MAX);
    Moment::from_micros(at.micros().saturating_add(micros)).unwrap_or(Moment::MAX)
}

/// When a decision that was due at `deadline` closes, where nobody plays from a chat.
fn closes_at(deadline: Moment) -> Moment {
    later(deadline, GRACE)
}

impl Book {
    /// Remembers when the open decisions of a match close.
    pub(super) fn watch(&self, history: &History) {
        if history.is_live() {
            for open in &history.open {
                if let Some(deadline) = deadline_of(history, open) {
                    self.due.add(closes_at(deadline), history.match_id, &open.asked.decision);
                }
            }
        }
    }

    /// Closes a decision as soon as somebody gets to it.
    pub(super) fn close_soon(&self, match_id: MatchId, decision: &DecisionId) {
        self.due.add(Moment::MIN, match_id, decision);
    }

    /// Closes decisions on time, for as long as the program runs.
    pub async fn close_on_time(self: Arc<Self>) {
        let mut sweep = tokio::time::interval(SWEEP);
        sweep.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            let waits = async {
                if self.due.is_empty() { self.due.changed.notified().await } else { tokio::time::sleep(TICK).await }
            };
            tokio::select! {
                () = waits => {}
                _ = sweep.tick() => {
                    if let Err(error) = self.look_through().await {
                        tracing::warn!(%error, "the running matches could not be looked through; it is tried again");
                    }
                }
            }
            for (match_id, decision) in self.due.take(self.mint.now()) {
                let book = self.clone();
                tokio::spawn(async move {
                    if let Err(error) = book.close_due(match_id, &decision).await {
                        // The next sweep finds it again.
                        tracing::warn!(%match_id, %decision, %error, "a decision could not be closed; it is tried again");
                    }
                });
            }
        }
    }

    /// Looks through the live matches that run: for what other nodes asked, and for what a crash left half done.
    async fn look_through(&self) -> Result<(), BookError> {
        let running = sqlx::query_scalar!(
            "select match_id from archive where log_id = $1 and mode = 'live' and result = '*'",
            self.log().0
        );
        let running: Vec<MatchId> = running.fetch_all(self.pool()).await?.into_iter().map(MatchId).collect();
        for (match_id, head) in self.store.match_heads(&running).await? {
            let history = self.history_at(match_id, head).await?;
            self.watch(&history);
            self.close_answered(&history);
        }
        Ok(())
    }

    /// Has everything looked at that closes with the first answer.
    pub(super) fn close_answered(&self, history: &History) {
        for open in history.open.iter().filter(|open| open.asked.closes == Closing::FirstValid) {
            self.close_soon(history.match_id, &open.asked.decision);
        }
    }

    /// Closes a decision if it is due: its time is over, or the first answer is all it waits for.
    ///
    /// # Errors
    /// The database, or the match cannot be read.
    pub async fn close_due(&self, match_id: MatchId, decision: &DecisionId) -> Result<(), BookError> {
        let turn = self.turn(match_id);
        let _turn = turn.lock().await;
        let history = self.settle_in_turn(match_id, &By::Server).await?;
        let Some(open) = history.open.iter().find(|open| open.asked.decision == *decision) else { return Ok(()) };
        if is_paused(&history, open) {
            return Ok(());
        }
        let answered = self.answered_at(match_id, decision).await?.is_some();
        if open.asked.closes == Closing::FirstValid && answered {
            let first = self.answered_first(&history).await?.unwrap_or_else(|| decision.clone());
            self.close_in_turn(match_id, &By::Server, &history, &first).await?;
            if first != *decision {
                self.close_soon(match_id, decision);
            }
            return Ok(());
        }
        let Some(deadline) = deadline_of(&history, open) else { return Ok(()) };
        if self.mint.now() < closes_at(deadline) || (!answered && optional(&history, open)) {
            return Ok(());
        }
        // For a seat that the umpire types for, a deadline only rings: also where a link was made after it.
        let seats = player::by_themselves_at(self.pool(), match_id, deadline).await.map_err(BookError::from_account)?;
        if open.asked.seats.iter().any(|seat| !seats[seat.0]) {
            return Ok(());
        }
        // From a chat it takes longer to come, and what was sent there in time is known to have been.
        let chat = later(deadline, CHAT_GRACE);
        if self.mint.now() < chat && chat::any_in(self.pool(), match_id).await.map_err(BookError::from_account)? {
            self.due.add(chat, match_id, decision);
            return Ok(());
        }
        if self.is_waited_for(match_id, deadline) {
            // It came in time, and the database has yet to take it.
            self.due.add(later(self.mint.now(), TICK), match_id, decision);
            return Ok(());
        }
        if !answered && history.in_time_until(open) > Some(deadline) {
            self.spend_extension(&history, decision).await?;
            return Ok(());
        }
        self.close_in_turn(match_id, &By::Server, &history, decision).await?;
        Ok(())
    }

    /// When the first answer to a decision came that is there.
    async fn answered_at(&self, match_id: MatchId, decision: &DecisionId) -> Result<Option<Moment>, BookError> {
        let rows = self.store.submissions(match_id, decision).await?;
        Ok(rows.iter().filter(|row| !row.closes()).map(|row| row.at).min())
    }

    /// Of the questions that close with the first answer, the one whose answer came first: first come, first served.
    async fn answered_first(&self, history: &History) -> Result<Option<DecisionId>, BookError> {
        let mut answered = Vec::new();
        let one = |open: &&OpenDecision| open.asked.closes == Closing::FirstValid && !is_paused(history, open);
        for open in history.open.iter().filter(one) {
            if let Some(at) = self.answered_at(history.match_id, &open.asked.decision).await? {
                answered.push((at, open.entry, open.asked.decision.clone()));
            }
        }
        Ok(answered.into_iter().min_by_key(|(at, entry, _)| (*at, *entry)).map(|(.., decision)| decision))
    }

    /// Closes a decision by the umpire's hand. One that is closed already stays as it is.
    ///
    /// # Errors
    /// The database, or the match cannot be read.
    pub async fn close_now(
        &self,
        act: &Act,
        match_id: MatchId,
        decision: &DecisionId,
    ) -> Result<Arc<History>, BookError> {
        let turn = self.turn(match_id);
        let _turn = turn.lock().await;
        let history = self.settle_in_turn(match_id, &act.by).await?;
        self.take_in(&history).await?;
        match history.open.iter().any(|open| open.asked.decision == *decision) {
            true => self.close_in_turn(match_id, &act.by, &history, decision).await,
            false if history.questions.contains_key(decision) => Ok(history),
            false => Err(BookError::Overtaken),
        }
    }

    /// Closes a decision, and before the one that carries the game on all others that stand beside it.
    async fn close_in_turn(
        &self,
        match_id: MatchId,
        by: &By,
        history: &Arc<History>,
        decision: &DecisionId,
    ) -> Result<Arc<History>, BookError> {
        let mut history = history.clone();
        let ends = |history: &History| {
            history.open.iter().rev().any(|open| open.asked.decision == *decision && carries_on(history, open))
        };
        if ends(&history) {
            history = self.clear(match_id, by, history, Some(decision), ends).await?;
        }
        match history.open.iter().find(|open| open.asked.decision == *decision).cloned() {
            Some(open) => {
                let received = self.close_rows(match_id, &open).await?;
                self.enter_closed(match_id, by, &history, decision, &received).await
            }
            None => Ok(history),
        }
    }

    /// Closes the decisions beside what ends them, for as long as it does: those that were answered are resolved, first come
    /// first served. What is put again behind an answer is closed as well, so that nobody is told that something was kept
    /// which nothing enters.
    pub(super) async fn clear(
        &self,
        match_id: MatchId,
        by: &By,
        mut history: Arc<History>,
        but: Option<&DecisionId>,
        ends: impl Fn(&History) -> bool,
    ) -> Result<Arc<History>, BookError> {
        let mut cleared = BTreeSet::new();
        while ends(&history) {
            let others = self.others(&history, but).await?;
            let Some(other) = others.into_iter().find(|other| cleared.insert(other.clone())) else { break };
            let Some(open) = history.open.iter().find(|open| open.asked.decision == other) else { continue };
            let received = self.close_rows(match_id, open).await?;
            if !received.iter().all(Received::closes) {
                history = self.enter_closed(match_id, by, &history, &other, &received).await?;
            }
        }
        Ok(history)
    }

    /// Enters what came in for a decision that was just closed: from here on whoever comes next settles it with that.
    async fn enter_closed(
        &self,
        match_id: MatchId,
        by: &By,
        history: &History,
        decision: &DecisionId,
        received: &[Received],
    ) -> Result<Arc<History>, BookError> {
        match self.enter(match_id, by, history, decision, received, None).await {
            Err(BookError::Overtaken) => self.settle_in_turn(match_id, by).await,
            entered => entered,
        }
    }

    /// The decisions beside one: those that were answered first, in the order in which they were.
    async fn others(&self, history: &History, but: Option<&DecisionId>) -> Result<Vec<DecisionId>, BookError> {
        let mut others = Vec::new();
        for open in history.open.iter().filter(|open| Some(&open.asked.decision) != but) {
            let at = self.answered_at(history.match_id, &open.asked.decision).await?;
            others.push((at.unwrap_or(Moment::MAX), open.entry, open.asked.decision.clone()));
        }
        others.sort_by_key(|(at, entry, _)| (*at, *entry));
        Ok(others.into_iter().map(|(.., decision)| decision).collect())
    }

    async fn close_rows(&self, match_id: MatchId, open: &OpenDecision) -> Result<Vec<Received>, BookError> {
        let seats: Vec<Sealer> = open.asked.seats.iter().map(|seat| seat.sealer()).collect();
        Ok(self.store.close(match_id, &open.asked.decision, &seats, self.mint.now()).await?)
    }

    /// Closes every open decision of a live match to its players: what comes after this is late. For acts of the umpire
    /// that take the questions away.
    pub(super) async fn close_all(&self, history: &History) -> Result<(), BookError> {
        if history.is_live() {
            for open in &history.open {
                self.close_rows(history.match_id, open).await?;
            }
        }
        Ok(())
    }
}

fn deadline_of(history: &History, open: &OpenDecision) -> Option<Moment> {
    history.clock(&open.asked.decision).and_then(record::Clock::deadline)
}

/// Whether its clock was stopped: until it runs on, nothing but the umpire closes it.
fn is_paused(history: &History, open: &OpenDecision) -> bool {
    history.clock(&open.asked.decision).is_some_and(record::Clock::is_paused)
}

fn ask_of(history: &History, open: &OpenDecision) -> Option<Ask> {
    history.asks().into_iter().find(|ask| open.puts(ask))
}

/// Whether the game goes on without an answer.
pub(super) fn optional(history: &History, open: &OpenDecision) -> bool {
    ask_of(history, open).is_some_and(|ask| ask.optional)
}

/// Whether the answer carries the game on, and so closes all other questions.
fn carries_on(history: &History, open: &OpenDecision) -> bool {
    history.asks().last().is_some_and(|ask| open.puts(ask))
}

/// Whether a seat is asked for a decision.
#[must_use]
pub fn asks(open: &OpenDecision, seat: Seat) -> bool {
    open.asked.seats.iter().any(|asked| asked.0 == seat)
}
