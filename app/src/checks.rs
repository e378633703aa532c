//! Verifications, run once for each head of a match.

use std::sync::Arc;
use std::time::Duration;

use ledger::{Head, MatchId, Policy, Seq, TreeSize};
use record::verify::{Check, Report};
use record::{Bundle, History};
use sha2::{Digest, Sha256};
use store::archive::verdicts;
use tokio::time::{Instant, sleep};

use crate::archive::{Index, VerdictFilter, report_filter, verdict_filter};
use crate::beacon_rounds;
use crate::caches::CachedReport;
use crate::error::AppError;
use crate::logs::Logs;
use crate::matches::Matches;
use crate::public_log::PublicLog;
use crate::reader_threads::compute;
use crate::scope::LOG;

const CHECKED: i64 = 1_000;

/// The pause after a check for the lists, as a multiple of the time that it took. It is made while readers wait for
/// matches to be folded: nobody waits for these checks, and after a large import there are many.
const PAUSE_FACTOR: u32 = 3;
const PAUSE_MAX: Duration = Duration::from_millis(50);

const NOT_NOW: &str = "not checked now: the log is not what was signed";

type CheckedMatch = Option<(MatchId, Head, Arc<Report>)>;

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
    pub async fn check(&self, match_id: MatchId) -> Result<(Bundle, Arc<Report>), AppError> {
        // Before the bundle, whose checkpoint then covers no less.
        let covered = self.public_log.satisfying_size();
        let bundle = self.public_log.bundle(match_id).await?;
        let bundle_hash: [u8; 32] = Sha256::digest(bundle.write()).into();
        if let Some(kept) = self.matches.caches.report(match_id).filter(|kept| kept.bundle_hash == bundle_hash) {
            return Ok((bundle, kept.report));
        }
        let (bundle, report) = self.examine(bundle).await?;
        if lasts(&report, covered, &bundle) {
            self.index.store_verdicts(&[(match_id, bundle.head, report.clone())]).await?;
        }
        let cached = CachedReport { head: bundle.head, bundle_hash, satisfying: covered, report: report.clone() };
        self.matches.caches.keep_report(match_id, cached);
        Ok((bundle, report))
    }

    async fn examine(&self, bundle: Bundle) -> Result<(Bundle, Arc<Report>), AppError> {
        let terms = self.public_log.signer().terms().iter();
        let host_keys: Vec<String> = terms.map(|term| term.host.to_base64()).collect();
        let policy = Policy::read(self.public_log.policy_text().as_bytes()).ok();
        let check = move || {
            let check =
                Check::of(&bundle, policy.as_ref()).with_host_keys(&host_keys).with_rounds(beacon_rounds::is_signed);
            let report = check.report();
            (bundle, Arc::new(report))
        };
        let cut_short = |_| AppError::Unreadable("its check was cut short".to_owned());
        compute(check).await.map_err(cut_short)
    }

    /// Checks some ended matches that changed since they were checked, for the lists, and returns their number: those that a
    /// checkpoint covers which satisfies the site's policy, because until then no verdict would last. The verdicts are
    /// stored together, so that the lists change only once. It pauses after each match while readers wait.
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

    pub async fn forget(&self) -> Result<(), AppError> {
        Ok(verdicts::reset(self.logs.pool(), LOG).await?)
    }

    async fn unchecked(&self) -> Result<Vec<MatchId>, AppError> {
        // Without a policy, the last entries are signed for this.
        if self.public_log.cosigning().is_none() {
            let size = self.logs.record().size().await?;
            drop(self.public_log.signer().covering(size).await);
        }
        let covered = self.public_log.satisfying_size();
        if covered == TreeSize(0) {
            return Ok(Vec::new());
        }
        Ok(verdicts::unchecked(self.logs.pool(), LOG, covered, CHECKED).await?)
    }

    async fn examined(&self, match_id: MatchId) -> Result<CheckedMatch, AppError> {
        let covered = self.public_log.satisfying_size();
        let examined = match self.public_log.bundle(match_id).await {
            Ok(bundle) => self.examine(bundle).await,
            Err(error) => Err(error),
        };
        match examined {
            // It may have changed since it was chosen.
            Ok((bundle, report)) => Ok(lasts(&report, covered, &bundle).then_some((match_id, bundle.head, report))),
            Err(error @ AppError::Store(_)) => Err(error),
            Err(error) => {
                tracing::error!(%match_id, %error, "a match could not be checked");
                Ok(None)
            }
        }
    }

    pub async fn report(&self, history: &History) -> Result<Arc<Report>, AppError> {
        match self.matches.caches.report(history.match_id).filter(|kept| kept.head == history.head) {
            Some(kept) => Ok(kept.report),
            None => Ok(self.check(history.match_id).await?.1),
        }
    }

    /// The kind and the sentence of the verdict on a match at this head. The match is checked if there is none. While the
    /// log is known to have lost or altered entries, no match has one.
    pub async fn verdict(&self, history: &History) -> Result<(VerdictFilter, String), AppError> {
        if self.public_log.signer().has_other_entries() {
            return Ok((VerdictFilter::Unchecked, NOT_NOW.to_owned()));
        }
        // While it runs, it changes faster than its witnesses see it, and its verdict says “so far”.
        let running = !history.is_ended();
        let kept = self.matches.caches.report(history.match_id).filter(|kept| kept.head == history.head);
        // What is not shown yet may be shown under a newer checkpoint.
        let shown = |kept: &CachedReport| !kept.report.is_good() || kept.report.is_accepted();
        let known =
            kept.is_some_and(|kept| running || shown(&kept) || kept.satisfying == self.public_log.satisfying_size());
        // What contradicts itself was altered, perhaps below its last entry, after the last check.
        let is_whole = history.is_chained && history.faults.is_empty();
        if !known
            && is_whole
            && let Some(found) = self.index.stored_verdict(history).await?
        {
            return Ok(found);
        }
        let report = match known {
            true => self.report(history).await?,
            false => self.check(history.match_id).await?.1,
        };
        Ok(match running {
            true => (verdict_filter(&report.verdict), report.verdict.words(Some(history))),
            false => (report_filter(&report), report.words(Some(history))),
        })
    }
}

/// True if a report stays what it is while its match does: something is wrong, or the first `size` entries of the log, which
/// a checkpoint covers that satisfies the site's policy, hold the whole bundle.
fn lasts(report: &Report, size: TreeSize, bundle: &Bundle) -> bool {
    let last = Seq(u32::try_from(bundle.lines.len()).unwrap_or(u32::MAX).saturating_sub(1));
    !report.is_good() || bundle.logged.as_ref().is_some_and(|logged| logged.entry == last && logged.index.0 < size.0)
}
