//! How often the lists have changed, so that a page of them can be kept until they do.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Mutex;

use super::{Book, BookError};

/// Where the lists stand: equal as long as nothing in them changed, on whichever node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ArchiveVersion(i64);

/// Who asks at the same time shares a question; nobody is told what was asked before they came.
#[derive(Debug, Default)]
pub(super) struct Versions {
    /// How many came.
    came: AtomicU64,
    /// The last answer, and how many had come when it was asked.
    answered: Mutex<Option<(u64, ArchiveVersion)>>,
}

impl Book {
    /// Where the lists stand: after everything that was committed before this was asked.
    ///
    /// # Errors
    /// The database.
    pub async fn archive_version(&self) -> Result<ArchiveVersion, BookError> {
        let turn = self.versions.came.fetch_add(1, Ordering::Relaxed);
        let mut answered = self.versions.answered.lock().await;
        if let Some((came, version)) = *answered
            && turn < came
        {
            return Ok(version);
        }
        let came = self.versions.came.load(Ordering::Relaxed);
        let version = sqlx::query_scalar!("select sum(n)::bigint as \"n!\" from archive_version");
        let version = ArchiveVersion(version.fetch_one(self.pool()).await?);
        *answered = Some((came, version));
        Ok(version)
    }
}
