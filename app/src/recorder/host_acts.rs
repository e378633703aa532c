//! The acts of the host for its draws: it collects shares and their openings, fixes the keys, and draws with them. Each
//! list waits for a signed checkpoint before the next step. The next act finishes one that a crash cut short.

use std::sync::Arc;

use ledger::{Author, DecisionId, MatchId};
use record::body::Tree;
use record::write::{self, NewEntries, WriteContext};
use record::{History, HostAct};
use store::{StoredSubmission, Submit};

use super::{Over, Recorder, counting};
use crate::error::AppError;

impl Recorder {
    /// A signed tree over everything that was appended to the match's log so far. Nothing is opened before it exists.
    async fn covered(&self, match_id: MatchId) -> Result<Tree, AppError> {
        self.public_log.signed(match_id, self.tree(match_id).await?).await
    }

    pub(crate) async fn enter_shares(
        &self,
        match_id: MatchId,
        by: &Author,
        history: &History,
        decision: &DecisionId,
        received: &[StoredSubmission],
        submit: Option<Submit>,
    ) -> Result<Arc<History>, AppError> {
        let seals = counting(received);
        let list = |context: &mut WriteContext<'_>| write::list_shares(context, history, decision, &seals);
        let written = self.compose_on((history, Over::Closed), by, submit, list).await?;
        self.append(match_id, history.head, written, submit).await?;
        self.host_acts(match_id, by).await
    }

    pub(crate) async fn host_acts(&self, match_id: MatchId, by: &Author) -> Result<Arc<History>, AppError> {
        loop {
            let history = self.matches.history(match_id).await?;
            let Some(act) = history.host_act() else { return Ok(history) };
            let written = match self.host_entries(by, &history, act).await {
                Ok(Some(written)) => written,
                Ok(None) => return Ok(history),
                // The umpire must rule. The act after which the host goes on was done, and is not refused.
                Err(AppError::Refused(why)) => {
                    tracing::error!(%match_id, %why, "the host cannot go on with its draws");
                    return Ok(history);
                }
                Err(error) => return Err(error),
            };
            self.append(match_id, history.head, written, None).await?;
            self.index.update(match_id).await?;
        }
    }

    async fn host_entries(&self, by: &Author, history: &History, act: HostAct) -> Result<Option<NewEntries>, AppError> {
        let match_id = history.match_id;
        if act == HostAct::Ask {
            self.covered(match_id).await?;
            return self
                .compose_on((history, Over::All), by, None, |context| write::ask_shares(context, history))
                .await
                .map(Some);
        }
        let secrets = self.matches.secrets(match_id).await?;
        let written = match act {
            HostAct::Ask | HostAct::Seal => {
                self.compose_on((history, Over::All), by, None, |context| write::host_share(context, history, &secrets))
                    .await
            }
            HostAct::ListOpenings => {
                let Some(received) = self.closed_openings(history, &secrets).await? else { return Ok(None) };
                let tree = self.covered(match_id).await?;
                self.compose_on((history, Over::All), by, None, |context| {
                    write::list_openings(context, history, &secrets, &received, tree)
                })
                .await
            }
            HostAct::Fix => {
                let tree = self.covered(match_id).await?;
                self.compose_on((history, Over::All), by, None, |context| write::seed(context, history, &secrets, tree))
                    .await
            }
            HostAct::DrawAgain | HostAct::DrawByRound => {
                self.compose_on((history, Over::All), by, None, |context| {
                    write::draw_by_key(context, history, &secrets)
                })
                .await
            }
        };
        written.map(Some)
    }
}
