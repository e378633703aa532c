//! What the host does for its draws: gathers shares, fixes the keys, and draws by them. Each step waits for a signed
//! checkpoint where something may be opened only under one, and a crash between any two is finished by the next visit.

use std::sync::Arc;

use engine::{Seat, To};
use ledger::{By, DecisionId, Head, MatchId};
use record::body::Tree;
use record::write::{self, NewEntries, WriteContext, WriteError};
use record::{History, HostAct, OpenDecision, Secrets};
use store::{Received, Submit};

use super::act::Act;
use super::recording::counting;
use super::{Book, BookError};

impl Book {
    /// Makes the draw that is due, by its key. `early` lets it end what the seats are still asked beside it.
    ///
    /// # Errors
    /// Nothing is due, a seat may still answer, or somebody else was first.
    pub async fn draw_by_key(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        early: bool,
    ) -> Result<Arc<History>, BookError> {
        let submit = act.submit(&self.keys, &["draw-by-key"]);
        self.draw_once(act, match_id, seen, (submit, early), write::draw_by_key).await
    }

    /// Enters what the host drew elsewhere. `early` lets it end what the seats are still asked beside it.
    ///
    /// # Errors
    /// It is refused, a seat may still answer, or somebody else was first.
    pub async fn draw(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        text: &str,
        early: bool,
    ) -> Result<Arc<History>, BookError> {
        let submit = act.submit(&self.keys, &["draw", text]);
        self.draw_once(act, match_id, seen, (submit, early), |desk, history, secrets| {
            write::draw(desk, history, text, secrets)
        })
        .await
    }

    /// Whether the draw that is due would take time from a seat, which may still answer what stands open beside it.
    #[must_use]
    pub fn draw_is_early(&self, history: &History) -> bool {
        let now = self.mint.now();
        let asked = |open: &OpenDecision| match history.clock(&open.asked.decision) {
            Some(clock) => !clock.remaining(now).is_zero(),
            None => true,
        };
        ends_questions(history) && history.open.iter().any(asked)
    }

    /// One draw, on the head that the umpire saw. What the seats answered beside it is entered before it.
    async fn draw_once(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        (submit, early): (Submit, bool),
        write: impl Fn(&mut WriteContext<'_>, &History, &Secrets) -> Result<NewEntries, WriteError>,
    ) -> Result<Arc<History>, BookError> {
        let turn = self.turn(match_id);
        let _turn = turn.lock().await;
        let mut history = self.settle_in_turn(match_id, &act.by).await?;
        if self.repeated(&submit).await? {
            return Ok(history);
        }
        if history.head != seen {
            return Err(BookError::Overtaken);
        }
        if ends_questions(&history) {
            if !early && self.draw_is_early(&history) {
                return Err(WriteError::NotNow(
                    "a player may still answer what stands open beside this draw, which would end with it: say that it \
                     shall, or wait for the end of that time",
                )
                .into());
            }
            // A draw that is refused ends nothing.
            let secrets = self.secrets(match_id).await?;
            self.at_desk(match_id, &act.by, |desk| write(desk, &history, &secrets))?;
            self.take_in(&history).await?;
            history = self.clear(match_id, &act.by, history, None, ends_questions).await?;
        }
        self.act_in_turn(act, match_id, &history, submit, write).await
    }

    /// Lists the shares anew, without one that was sealed and cannot be opened.
    ///
    /// # Errors
    /// No share is missing, or somebody else was first.
    pub async fn list_without(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        seat: Seat,
    ) -> Result<Arc<History>, BookError> {
        let submit = act.submit(&self.keys, &["list-without", seat.word()]);
        self.act(act, match_id, seen, submit, |desk, history, _| write::list_without(desk, history, seat)).await
    }

    /// Enters the shares that came in until their decision closed, sealed, with the list of them; then opens them.
    pub(super) async fn enter_shares(
        &self,
        match_id: MatchId,
        by: &By,
        history: &History,
        decision: &DecisionId,
        received: &[Received],
        submit: Option<Submit>,
    ) -> Result<Arc<History>, BookError> {
        let seals = counting(received);
        let written = self.at_desk(match_id, by, |desk| write::list_shares(desk, history, decision, &seals))?;
        self.append(match_id, history.head, written, submit).await?;
        self.host_acts(match_id, by).await
    }

    /// Does everything that the host has to do by itself, until it waits for somebody.
    pub(super) async fn host_acts(&self, match_id: MatchId, by: &By) -> Result<Arc<History>, BookError> {
        loop {
            let history = self.history(match_id).await?;
            let Some(act) = history.host_act() else { return Ok(history) };
            let written = match act {
                HostAct::Seal => self.at_desk(match_id, by, |desk| write::host_share(desk, &history)),
                HostAct::Ask => {
                    self.covered().await?;
                    self.at_desk(match_id, by, |desk| write::ask_shares(desk, &history))
                }
                HostAct::Open => {
                    let (tree, secrets) = (self.covered().await?, self.secrets(match_id).await?);
                    self.at_desk(match_id, by, |desk| write::seed(desk, &history, &secrets, tree))
                }
                HostAct::DrawAgain => {
                    let secrets = self.secrets(match_id).await?;
                    self.at_desk(match_id, by, |desk| write::draw_by_key(desk, &history, &secrets))
                }
            };
            // What was sealed and cannot be opened is for the umpire to rule on.
            if let Err(WriteError::Missing(why)) = &written {
                tracing::error!(%match_id, why, "the host cannot go on with its draws");
                return Ok(history);
            }
            self.append(match_id, history.head, written?, None).await?;
            self.index(match_id).await?;
        }
    }

    /// A signed tree that covers everything which was appended so far. Nothing is opened before it stands.
    async fn covered(&self) -> Result<Tree, BookError> {
        self.signed(self.tree().await?).await
    }
}

/// Whether the host's draw carries the game on, and with it ends what the seats of a live match are asked beside it.
fn ends_questions(history: &History) -> bool {
    history.is_live() && history.asks().last().is_some_and(|ask| ask.to == To::Host)
}
