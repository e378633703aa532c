//! Verifications, run once for each head.

use std::sync::Arc;
use std::time::Duration;

use ledger::{Head, MatchId, Policy};
use record::verify::{Check, Report, Verdict};
use record::{Bundle, History};
use sha2::{Digest, Sha256};
use store::archive::verdicts;
use tokio::task::{JoinError, JoinSet, spawn_blocking};
use tokio::time::{Instant, sleep};

use crate::archive::{Index, VerdictFilter};
use crate::caches::CachedReport;
use crate::error::AppError;
use crate::logs::Logs;
use crate::matches::Matches;
use crate::public_log::PublicLog;
use crate::scope::LOG;

/// Matches that are checked for the lists before what was found of them is told.
const CHECKED: i64 = 1_000;

/// Matches that are checked at the same time, where all of them are.
const AT_ONCE: usize = 4;

/// How many times as long as a check for the lists took the next one waits while a match is read that has to be folded, and
/// the most of it. Nobody waits for these checks, and after a large import they go on for long.
const RESTS: u32 = 3;
const RESTS_AT_MOST: Duration = Duration::from_millis(50);

/// What a check found of a match, and at which head.
type Examined = Option<(MatchId, Head, Verdict)>;

/// Runs verifications, and keeps what they found.
#[derive(Debug)]
pub struct Checks {
    logs: Arc<Logs>,
    matches: Arc<Matches>,
    public_log: Arc<PublicLog>,
    index: Arc<Index>,
}

impl Checks {
    pub(crate) const fn new(
        logs: Arc<Logs>,
        matches: Arc<Matches>,
        public_log: Arc<PublicLog>,
        index: Arc<Index>,
    ) -> Self {
        Self { logs, matches, public_log, index }
    }

    /// Checks a match as anybody could who has nothing but its bundle, and gives both. What was found before holds as
    /// long as every byte is the same.
    ///
    /// # Errors
    /// [`AppError::NoMatch`], or the database.
    pub async fn check(&self, match_id: MatchId) -> Result<(Bundle, Arc<Report>), AppError> {
        let bundle = self.public_log.bundle(match_id).await?;
        let bundle_hash: [u8; 32] = Sha256::digest(bundle.write()).into();
        if let Some(kept) = self.matches.caches.report(match_id).filter(|kept| kept.bundle_hash == bundle_hash) {
            return Ok((bundle, kept.report));
        }
        let (bundle, report) = self.examine(bundle).await?;
        let report = Arc::new(report);
        self.index.store_verdicts(&[(match_id, bundle.head, report.verdict.clone())]).await?;
        let cached = CachedReport { head: bundle.head, bundle_hash, report: report.clone() };
        self.matches.caches.keep_report(match_id, cached);
        Ok((bundle, report))
    }

    /// Checks a bundle by the policy of this site, on a thread of its own: it is work for some milliseconds.
    async fn examine(&self, bundle: Bundle) -> Result<(Bundle, Report), AppError> {
        let policy = Policy::read(self.public_log.policy_text().as_bytes()).ok();
        let check = move || {
            let report = Check::of(&bundle, policy.as_ref()).report();
            (bundle, report)
        };
        let cut_short = |_| AppError::Unreadable("its check was cut short".to_owned());
        spawn_blocking(check).await.map_err(cut_short)
    }

    /// Checks some ended matches that changed since they were checked, so that the lists can say what was found, and says
    /// how many. They are told together: a list changes once for all of them. While matches have to be folded for readers it rests after
    /// each.
    ///
    /// # Errors
    /// The database.
    pub async fn check_some(&self) -> Result<usize, AppError> {
        let mut found = Vec::new();
        for match_id in self.unchecked().await? {
            let began = Instant::now();
            found.extend(self.examined(match_id).await?);
            if !self.matches.is_idle() {
                sleep((began.elapsed() * RESTS).min(RESTS_AT_MOST)).await;
            }
        }
        self.index.store_verdicts(&found).await?;
        Ok(found.len())
    }

    /// Checks every ended match anew, as fast as it goes, and says how many: what `matchbook db migrate --reindex` does.
    ///
    /// # Errors
    /// The database.
    pub async fn recheck(self: &Arc<Self>) -> Result<usize, AppError> {
        verdicts::reset(self.logs.pool(), LOG).await?;
        let (mut checked, mut last) = (0, Vec::new());
        loop {
            let unchecked = self.unchecked().await?;
            // None is left, or none that can be read.
            if unchecked == last {
                return Ok(checked);
            }
            let (mut checking, mut found) = (JoinSet::new(), Vec::new());
            for match_id in unchecked.iter().copied() {
                if checking.len() >= AT_ONCE {
                    found.extend(joined(checking.join_next().await)?);
                }
                let checks = self.clone();
                checking.spawn(async move { checks.examined(match_id).await });
            }
            while let Some(last) = checking.join_next().await {
                found.extend(joined(Some(last))?);
            }
            self.index.store_verdicts(&found).await?;
            checked += found.len();
            last = unchecked;
        }
    }

    /// Some ended matches that changed since they were checked, the newest first.
    async fn unchecked(&self) -> Result<Vec<MatchId>, AppError> {
        Ok(verdicts::unchecked(self.logs.pool(), LOG, CHECKED).await?)
    }

    /// What a check of the match finds; none where what is stored of it does not make sense.
    async fn examined(&self, match_id: MatchId) -> Result<Examined, AppError> {
        let examined = match self.public_log.bundle(match_id).await {
            Ok(bundle) => self.examine(bundle).await,
            Err(error) => Err(error),
        };
        match examined {
            Ok((bundle, report)) => Ok(Some((match_id, bundle.head, report.verdict))),
            Err(error @ AppError::Store(_)) => Err(error),
            Err(error) => {
                tracing::error!(%match_id, %error, "a match could not be checked");
                Ok(None)
            }
        }
    }

    /// What a check of the match found at this head.
    ///
    /// # Errors
    /// As for [`check`](Self::check).
    pub async fn report(&self, history: &History) -> Result<Arc<Report>, AppError> {
        match self.matches.caches.report(history.match_id).filter(|kept| kept.head == history.head) {
            Some(kept) => Ok(kept.report),
            None => Ok(self.check(history.match_id).await?.1),
        }
    }

    /// What the last check of the match found at this head: its kind, and a sentence. It is run where there was none.
    ///
    /// # Errors
    /// As for [`check`](Self::check).
    pub async fn found(&self, history: &History) -> Result<(VerdictFilter, String), AppError> {
        let known = self.matches.caches.report(history.match_id).is_some_and(|kept| kept.head == history.head);
        if !known && let Some(found) = self.index.stored_verdict(history).await? {
            return Ok(found);
        }
        let report = self.report(history).await?;
        Ok((VerdictFilter::of(&report.verdict), report.verdict.to_string()))
    }
}

fn joined(examined: Option<Result<Result<Examined, AppError>, JoinError>>) -> Result<Examined, AppError> {
    match examined {
        Some(Ok(examined)) => examined,
        // A task that panicked found nothing; what it was about is in the program's log.
        Some(Err(_)) | None => Ok(None),
    }
}
