//! Verifications, run once for each head.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use ledger::{Head, MatchId, Policy};
use record::verify::{Check, Report, Verdict};
use record::{Bundle, History};
use sha2::{Digest, Sha256};
use tokio::task::{JoinError, JoinSet, spawn_blocking};
use tokio::time::{Instant, sleep};

use super::{Book, BookError, VerdictFilter};

/// Matches that are checked for the lists before what was found of them is told.
const CHECKED: i64 = 1_000;

/// Matches that are checked at the same time, where all of them are.
const AT_ONCE: usize = 4;

/// How many times as long as a check for the lists took the next one waits while a match is read that has to be folded, and
/// the most of it. Nobody waits for these checks, and after a large import they go on for long.
const RESTS: u32 = 3;
const RESTS_AT_MOST: Duration = Duration::from_millis(50);

/// A verification, and what it was run on.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    head: Head,
    bytes: [u8; 32],
    report: Arc<Report>,
}

/// What a check found of a match, and at which head.
type Examined = Option<(MatchId, Head, Verdict)>;

impl Book {
    /// Checks a match as anybody could who has nothing but its bundle, and gives both. What was found before holds as
    /// long as every byte is the same.
    ///
    /// # Errors
    /// [`BookError::NoMatch`], or the database.
    pub async fn check(&self, match_id: MatchId) -> Result<(Bundle, Arc<Report>), BookError> {
        let bundle = self.bundle(match_id).await?;
        let bytes: [u8; 32] = Sha256::digest(bundle.write()).into();
        if let Some(kept) = self.kept_check(match_id).filter(|kept| kept.bytes == bytes) {
            return Ok((bundle, kept.report));
        }
        let (bundle, report) = self.examine(bundle).await?;
        let report = Arc::new(report);
        self.keep_verdicts(&[(match_id, bundle.head, report.verdict.clone())]).await?;
        let checked = Checked { head: bundle.head, bytes, report: report.clone() };
        self.checked.lock().unwrap_or_else(PoisonError::into_inner).put(match_id, checked);
        Ok((bundle, report))
    }

    /// Checks a bundle by the policy of this site, on a thread of its own: it is work for some milliseconds.
    async fn examine(&self, bundle: Bundle) -> Result<(Bundle, Report), BookError> {
        let policy = Policy::read(self.policy_text().as_bytes()).ok();
        let check = move || {
            let report = Check::of(&bundle, policy.as_ref()).report();
            (bundle, report)
        };
        let cut_short = |_| BookError::Unreadable("its check was cut short".to_owned());
        spawn_blocking(check).await.map_err(cut_short)
    }

    /// Checks some ended matches that changed since they were checked, so that the lists can say what was found, and says
    /// how many. They are told together: a list changes once for all of them. While matches have to be folded for readers it rests after
    /// each.
    ///
    /// # Errors
    /// The database.
    pub async fn check_some(&self) -> Result<usize, BookError> {
        let mut found = Vec::new();
        for match_id in self.unchecked().await? {
            let began = Instant::now();
            found.extend(self.examined(match_id).await?);
            if !self.readers.is_idle() {
                sleep((began.elapsed() * RESTS).min(RESTS_AT_MOST)).await;
            }
        }
        self.keep_verdicts(&found).await?;
        Ok(found.len())
    }

    /// Checks every ended match anew, as fast as it goes, and says how many: what `matchbook db migrate --reindex` does.
    ///
    /// # Errors
    /// The database.
    pub async fn recheck(self: &Arc<Self>) -> Result<usize, BookError> {
        sqlx::query!("update archive set checked_head = null where log_id = $1", self.log().0)
            .execute(self.pool())
            .await?;
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
                let book = self.clone();
                checking.spawn(async move { book.examined(match_id).await });
            }
            while let Some(last) = checking.join_next().await {
                found.extend(joined(Some(last))?);
            }
            self.keep_verdicts(&found).await?;
            checked += found.len();
            last = unchecked;
        }
    }

    /// Some ended matches that changed since they were checked, the newest first.
    async fn unchecked(&self) -> Result<Vec<MatchId>, BookError> {
        let unchecked = sqlx::query_scalar!(
            "select match_id from archive where log_id = $1 and checked_head is distinct from head and result <> '*' \
             order by played_at desc limit $2",
            self.log().0,
            CHECKED
        );
        Ok(unchecked.fetch_all(self.pool()).await?.into_iter().map(MatchId).collect())
    }

    /// What a check of the match finds; none where what is stored of it does not make sense.
    async fn examined(&self, match_id: MatchId) -> Result<Examined, BookError> {
        let examined = match self.bundle(match_id).await {
            Ok(bundle) => self.examine(bundle).await,
            Err(error) => Err(error),
        };
        match examined {
            Ok((bundle, report)) => Ok(Some((match_id, bundle.head, report.verdict))),
            Err(error @ BookError::Store(_)) => Err(error),
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
    pub async fn report(&self, history: &History) -> Result<Arc<Report>, BookError> {
        match self.kept_check(history.match_id).filter(|kept| kept.head == history.head) {
            Some(kept) => Ok(kept.report),
            None => Ok(self.check(history.match_id).await?.1),
        }
    }

    /// What the last check of the match found at this head: its kind, and a sentence. It is run where there was none.
    ///
    /// # Errors
    /// As for [`check`](Self::check).
    pub async fn found(&self, history: &History) -> Result<(VerdictFilter, String), BookError> {
        let known = self.kept_check(history.match_id).is_some_and(|kept| kept.head == history.head);
        if !known && let Some(found) = self.kept_verdict(history).await? {
            return Ok(found);
        }
        let report = self.report(history).await?;
        Ok((VerdictFilter::of(&report.verdict), report.verdict.to_string()))
    }

    fn kept_check(&self, match_id: MatchId) -> Option<Checked> {
        self.checked.lock().unwrap_or_else(PoisonError::into_inner).get(&match_id).cloned()
    }
}

fn joined(examined: Option<Result<Result<Examined, BookError>, JoinError>>) -> Result<Examined, BookError> {
    match examined {
        Some(Ok(examined)) => examined,
        // A task that panicked found nothing; what it was about is in the program's log.
        Some(Err(_)) | None => Ok(None),
    }
}
