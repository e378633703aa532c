//! What the host does for its draws: gathers shares, fixes the keys, and draws by them. Each step waits for a signed
//! checkpoint where something may be opened only under one, and a crash between any two is finished by the next visit.

use std::sync::Arc;

use engine::Seat;
use ledger::store::{Received, Submit};
use ledger::{By, DecisionId, Head, MatchId};
use record::body::Tree;
use record::write::{self, WriteError};
use record::{History, HostAct};

use super::act::Act;
use super::recording::counting;
use super::{Book, BookError};

impl Book {
    /// Makes the draw that is due, by its key.
    ///
    /// # Errors
    /// Nothing is due, or somebody else was first.
    pub async fn draw_by_key(&self, act: &Act, match_id: MatchId, seen: Head) -> Result<Arc<History>, BookError> {
        let submit = act.submit(&self.keys, &["draw-by-key"]);
        self.act(act, match_id, seen, submit, write::draw_by_key).await
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
                    let (tree, secrets) = (self.covered().await?, self.all_secrets(match_id).await?);
                    self.at_desk(match_id, by, |desk| write::seed(desk, &history, &secrets, tree))
                }
                HostAct::DrawAgain => {
                    let secrets = self.all_secrets(match_id).await?;
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
