//! The log as witnesses see it: who is asked, what they signed, and which checkpoint is shown to the world.

use std::sync::Arc;

use ledger::policy::JudgeError;
use ledger::{Note, Tree};
use store::StoreError;

use super::PublicLog;
use crate::cosigning::{Cosigning, OtherHistory, Standing, Trust};
use crate::error::AppError;
use crate::signing::SignedTree;

impl PublicLog {
    /// Begins to show every checkpoint to the witnesses of a policy. Done once; a later call changes nothing.
    pub fn ask_witnesses(&self, trust: Trust) {
        let signer = self.signer.clone();
        let stop = move |other: OtherHistory| signer.contradicted(&other.by, &other.what, other.held.as_ref());
        let (trust, news, log) = (Arc::new(trust), self.signer.watch(), self.vault.keys().log().public());
        self.cosigning.get_or_init(|| Cosigning::start(self.logs.record(), &self.system, &trust, log, &news, stop));
    }

    /// The witnesses that are asked, where a policy says so.
    #[must_use]
    pub fn cosigning(&self) -> Option<&Cosigning> {
        self.cosigning.get()
    }

    /// The checkpoint that is shown to the world: the newest that satisfies the policy, as long as it is nearly the newest,
    /// else the newest with the cosignatures that came for it.
    ///
    /// # Errors
    /// The database.
    pub async fn shown_checkpoint(&self, newest: &SignedTree) -> Result<String, AppError> {
        let tree = Tree { size: newest.size, root: newest.root };
        let witnessed = self.cosigning().and_then(Cosigning::witnessed);
        match witnessed.filter(|witnessed| witnessed.stands_for(newest.term, tree, newest.at)) {
            Some(witnessed) => Ok(witnessed.note),
            None => self.cosigned(newest).await,
        }
    }

    /// How a checkpoint stands by the policy; nothing where there is no policy.
    ///
    /// # Errors
    /// The database, or a stored checkpoint that the policy cannot judge.
    pub async fn standing(&self, signed: &SignedTree) -> Result<Option<Standing>, AppError> {
        let Some(cosigning) = self.cosigning() else { return Ok(None) };
        let corrupt = |what: String| AppError::Store(StoreError::Corrupt { what });
        let note: Note = self.cosigned(signed).await?.parse().map_err(|error| corrupt(format!("{error}")))?;
        let judged = cosigning.trust().standing(&note, &self.signer.verifier(&signed.origin));
        judged.map(Some).map_err(|error: JudgeError| corrupt(error.to_string()))
    }
}
