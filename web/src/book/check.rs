//! Verifications, run once for each head.

use std::sync::{Arc, PoisonError};

use ledger::{Head, MatchId, Policy};
use record::verify::{Check, Report};
use record::{Bundle, History};
use sha2::{Digest, Sha256};

use super::{Book, BookError, VerdictFilter};

/// Matches that are checked for the lists each time that the log is followed.
const CHECKED: i64 = 100;

/// A verification, and what it was run on.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    head: Head,
    bytes: [u8; 32],
    report: Arc<Report>,
}

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
        let report = Arc::new(self.examine(&bundle));
        self.keep_verdicts(&[(match_id, bundle.head, &report.verdict)]).await?;
        let checked = Checked { head: bundle.head, bytes, report: report.clone() };
        self.checked.lock().unwrap_or_else(PoisonError::into_inner).put(match_id, checked);
        Ok((bundle, report))
    }

    /// Checks a bundle by the policy of this site.
    fn examine(&self, bundle: &Bundle) -> Report {
        let policy = Policy::read(self.policy_text().as_bytes()).ok();
        Check::of(bundle, policy.as_ref()).report()
    }

    /// Checks some ended matches that changed since they were checked, so that the lists can say what was found, and says
    /// how many. They are told together: a list changes once for all of them.
    ///
    /// # Errors
    /// The database.
    pub async fn check_some(&self) -> Result<usize, BookError> {
        let unchecked = sqlx::query_scalar!(
            "select match_id from archive where log_id = $1 and checked_head is distinct from head and result <> '*' \
             order by played_at desc limit $2",
            self.log().0,
            CHECKED
        );
        let mut found = Vec::new();
        for match_id in unchecked.fetch_all(self.pool()).await?.into_iter().map(MatchId) {
            match self.bundle(match_id).await {
                Ok(bundle) => found.push((match_id, bundle.head, self.examine(&bundle).verdict)),
                Err(error @ BookError::Store(_)) => return Err(error),
                // What is stored of it does not make sense. What was found of the others is told all the same.
                Err(error) => tracing::error!(%match_id, %error, "a match could not be checked"),
            }
        }
        let kept: Vec<_> = found.iter().map(|(match_id, head, verdict)| (*match_id, *head, verdict)).collect();
        self.keep_verdicts(&kept).await?;
        Ok(found.len())
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
