//! Verifications, run once for each head of a match.

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
use crate::rounds;
use crate::scope::LOG;

/// The matches that are checked before their verdicts are stored.
const CHECKED: i64 = 1_000;

/// The matches that are checked at the same time, when all are.
const AT_ONCE: usize = 4;

/// The pause after a check for the lists, as a multiple of the time that it took. It is made while readers wait for
/// matches to be folded: nobody waits for these checks, and after a large import there are many.
const PAUSE_FACTOR: u32 = 3;
/// The longest pause.
const PAUSE_MAX: Duration = Duration::from_millis(50);

/// The place of a verdict while the log is not what was signed.
const NOT_NOW: &str = "not checked now: the log is not what was signed";

/// A match, its head, and the verdict of a check.
type CheckedMatch = Option<(MatchId, Head, Verdict)>;

/// Runs verifications, and stores their verdicts.
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

    /// Checks a match from its bundle alone, as anybody could, and returns both. An earlier report is used if every byte of
    /// the bundle is the same.
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

    /// Checks a bundle by the policy of this site, on a thread of its own: it takes some milliseconds.
    async fn examine(&self, bundle: Bundle) -> Result<(Bundle, Report), AppError> {
        let policy = Policy::read(self.public_log.policy_text().as_bytes()).ok();
        let check = move || {
            let report = Check::of(&bundle, policy.as_ref()).with_rounds(rounds::is_signed).report();
            (bundle, report)
        };
        let cut_short = |_| AppError::Unreadable("its check was cut short".to_owned());
        spawn_blocking(check).await.map_err(cut_short)
    }

    /// Checks some ended matches that changed since they were checked, for the lists, and returns their number. The verdicts
    /// are stored together, so that the lists change only once. It pauses after each match while readers wait.
    ///
    /// # Errors
    /// The database.
    pub async fn check_some(&self) -> Result<usize, AppError> {
        let mut found = Vec::new();
        for match_id in self.unchecked().await? {
            let began = Instant::now();
            found.extend(self.examined(match_id).await?);
            if !self.matches.is_idle() {
                sleep((began.elapsed() * PAUSE_FACTOR).min(PAUSE_MAX)).await;
            }
        }
        self.index.store_verdicts(&found).await?;
        Ok(found.len())
    }

    /// Checks all ended matches again, for `matchbook db migrate --reindex`, and returns their number.
    ///
    /// # Errors
    /// The database.
    pub async fn recheck(self: &Arc<Self>) -> Result<usize, AppError> {
        verdicts::reset(self.logs.pool(), LOG).await?;
        let (mut checked, mut last) = (0, Vec::new());
        loop {
            let unchecked = self.unchecked().await?;
            // None is left, or only matches that cannot be read.
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

    /// The verdict on a match; none if its rows cannot be read.
    async fn examined(&self, match_id: MatchId) -> Result<CheckedMatch, AppError> {
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

    /// The report on a match at this head.
    ///
    /// # Errors
    /// As for [`check`](Self::check).
    pub async fn report(&self, history: &History) -> Result<Arc<Report>, AppError> {
        match self.matches.caches.report(history.match_id).filter(|kept| kept.head == history.head) {
            Some(kept) => Ok(kept.report),
            None => Ok(self.check(history.match_id).await?.1),
        }
    }

    /// The kind and the sentence of the verdict on a match at this head. The match is checked if there is none. While the
    /// log is known to have lost or altered entries, no match has one.
    ///
    /// # Errors
    /// As for [`check`](Self::check).
    pub async fn verdict(&self, history: &History) -> Result<(VerdictFilter, String), AppError> {
        if self.public_log.signer().has_other_entries() {
            return Ok((VerdictFilter::Unchecked, NOT_NOW.to_owned()));
        }
        let known = self.matches.caches.report(history.match_id).is_some_and(|kept| kept.head == history.head);
        // What contradicts itself was altered, perhaps below its last entry, after the last check.
        let is_whole = history.is_chained && history.faults.is_empty();
        if !known
            && is_whole
            && let Some(found) = self.index.stored_verdict(history).await?
        {
            return Ok(found);
        }
        let report = self.report(history).await?;
        Ok((VerdictFilter::of(&report.verdict), report.verdict.words(Some(history))))
    }
}

fn joined(examined: Option<Result<Result<CheckedMatch, AppError>, JoinError>>) -> Result<CheckedMatch, AppError> {
    match examined {
        Some(Ok(examined)) => examined,
        // A task that panicked found nothing; the log of the program has its details.
        Some(Err(_)) | None => Ok(None),
    }
}
