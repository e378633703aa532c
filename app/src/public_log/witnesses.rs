//! The witnesses of the log, and the checkpoint that is published.

use std::sync::Arc;

use ledger::policy::JudgeError;
use ledger::{Note, TreeSize};
use store::StoreError;

use super::PublicLog;
use crate::cosigning::{Cosigning, OtherHistory, PolicyStatus, SitePolicy};
use crate::error::AppError;
use crate::signing::SignedTree;

impl PublicLog {
    /// Begins to send every checkpoint to the witnesses of a policy, the last stored one first. A second call changes
    /// nothing.
    pub async fn ask_witnesses(&self, policy: SitePolicy) -> Result<(), AppError> {
        self.note_last_checkpoint().await?;
        let signer = self.signer.clone();
        let stop = move |other: OtherHistory| signer.contradicted(&other.by, &other.what, &other.held);
        let (policy, news, log) = (Arc::new(policy), self.signer.watch(), self.signer.terms());
        self.cosigning.get_or_init(|| {
            Cosigning::start(self.logs.record(), &self.system, &policy, log, &news, stop, &self.answers)
        });
        Ok(())
    }

    #[must_use]
    pub fn cosigning(&self) -> Option<&Cosigning> {
        self.cosigning.get()
    }

    /// The published checkpoint: the newest that satisfies the policy, if it is young and covers what the reader asks for;
    /// else the newest, with the cosignatures that it has. Who signs an answer asks for the question: witnesses that are
    /// away must not keep anybody from answering.
    pub async fn shown_checkpoint(&self, newest: &SignedTree, covers: TreeSize) -> Result<String, AppError> {
        let (tree, now) = (newest.tree(), self.system.now());
        let witnessed = self.cosigning().and_then(Cosigning::witnessed).filter(|it| it.signed.tree.size >= covers);
        match witnessed.filter(|witnessed| witnessed.stands_for(newest.term, tree, now)) {
            Some(witnessed) => Ok(witnessed.note),
            None => self.cosigned(newest).await,
        }
    }

    /// The number of entries under the newest checkpoint that satisfies the site's policy: the newest of all, if there is none
    /// that asks for witnesses.
    pub(crate) fn satisfying_size(&self) -> TreeSize {
        let Some(newest) = self.signer.latest() else { return TreeSize(0) };
        let Some(cosigning) = self.cosigning() else { return newest.size };
        let witnessed = cosigning.witnessed().filter(|witnessed| witnessed.signed.term == newest.term);
        witnessed.map_or(TreeSize(0), |witnessed| witnessed.signed.tree.size)
    }

    /// The newest checkpoint that satisfies the site's policy, however old it is; the newest of all, with the cosignatures
    /// that it has, if none does or there is no policy.
    pub(super) async fn satisfying_checkpoint(&self, newest: &SignedTree) -> Result<String, AppError> {
        let witnessed = self.cosigning().and_then(Cosigning::witnessed);
        match witnessed.filter(|witnessed| witnessed.signed.term == newest.term) {
            Some(witnessed) => Ok(witnessed.note),
            None => self.cosigned(newest).await,
        }
    }

    pub async fn policy_status(&self, signed: &SignedTree) -> Result<Option<PolicyStatus>, AppError> {
        let Some(cosigning) = self.cosigning() else { return Ok(None) };
        let corrupt = |what: String| AppError::Store(StoreError::Corrupt { what });
        let note: Note = self.cosigned(signed).await?.parse().map_err(|error| corrupt(format!("{error}")))?;
        let judged = cosigning.policy().status(&note, &self.signer.verifier(&signed.origin));
        judged.map(Some).map_err(|error: JudgeError| corrupt(error.to_string()))
    }
}
