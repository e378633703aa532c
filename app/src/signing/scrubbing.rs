//! Scrubbing: every entry of the log is read again in the background, for good, and compared with its leaf, the tiles and
//! what was signed. A start looks at the right edge of the tree alone, so this is what finds an old entry that was altered.
//!
//! It stops nothing itself: it makes the signer compare the whole log, and the signer stops with the reason. What it cannot
//! read, such as a damaged page, it says.

use std::sync::Arc;
use std::time::Duration;

use ledger::{Moment, Tree, TreeSize};
use store::{Denial, Pass, Store, SurveyError};
use tokio::sync::watch;
use tokio::time::sleep;

use super::SigningState;
use crate::system::System;

/// The number of entries read at once: 16 tiles, a few milliseconds of the database.
const PAGE: u64 = 4_096;
/// The rest after each page, as a multiple of the time that it took. So readers lose at most a tenth of one processor.
const REST: u32 = 9;
const INTERVAL: Duration = Duration::from_secs(3_600);
const RETRY: Duration = Duration::from_secs(5);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScrubbingState {
    pub compared: TreeSize,
    pub of: TreeSize,
    pub last_pass: Option<(TreeSize, Moment)>,
    pub failure: Option<Denial>,
}

pub(super) struct Scrubber {
    pub(super) store: Store,
    pub(super) system: Arc<System>,
    /// The signer's state. When it ends, so does this.
    pub(super) signing: watch::Receiver<SigningState>,
    pub(super) doubts: watch::Sender<u64>,
    pub(super) state: watch::Sender<ScrubbingState>,
}

impl Scrubber {
    pub(super) async fn run(mut self) {
        loop {
            // A log that is not signed is compared whole by the signer, again and again.
            let signs = self.signing.wait_for(|now| now.stopped.is_none() && now.signed.is_some()).await;
            let Ok(tree) = signs.map(|now| now.signed.as_ref().map(|signed| signed.tree())) else { return };
            let pause = match self.pass(tree.unwrap_or_else(Tree::empty)).await {
                Ok(()) => INTERVAL,
                Err(SurveyError::Contradiction(contradiction)) => {
                    tracing::error!(%contradiction, "scrubbing found that the log is not what was signed");
                    self.doubts.send_modify(|doubts| *doubts = doubts.saturating_add(1));
                    RETRY
                }
                Err(SurveyError::Store(error)) => {
                    tracing::debug!(%error, "scrubbing begins again");
                    if let Some(denial) = error.denial() {
                        self.cannot_read(denial);
                    }
                    RETRY
                }
            };
            if !self.rest(pause).await {
                return;
            }
        }
    }

    fn cannot_read(&self, denial: Denial) {
        self.state.send_if_modified(|state| {
            let is_news = state.failure.as_ref() != Some(&denial);
            if is_news {
                tracing::error!("the log cannot be read again from its beginning: {denial}. {}", denial.cause.remedy());
            }
            state.failure = Some(denial);
            is_news
        });
    }

    async fn pass(&mut self, signed: Tree) -> Result<(), SurveyError> {
        let mut pass = Pass::new(signed.size, &[signed])?;
        while !pass.is_done() {
            let began = self.system.ticking();
            self.store.compare_page(&mut pass, PAGE).await?;
            let compared = pass.tree().size;
            self.state.send_modify(|state| (state.compared, state.of) = (compared, signed.size));
            if !self.rest(self.system.ticking().saturating_sub(began).saturating_mul(REST)).await {
                return Ok(());
            }
        }
        let now = self.system.now();
        self.state.send_modify(|state| (state.last_pass, state.failure) = (Some((signed.size, now)), None));
        Ok(())
    }

    async fn rest(&mut self, time: Duration) -> bool {
        let mut signing = self.signing.clone();
        tokio::select! {
            _ = signing.wait_for(|_| false) => false,
            () = sleep(time) => true,
        }
    }
}
