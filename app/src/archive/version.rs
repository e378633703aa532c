//! The version of the lists: their pages are cached until it changes.

use std::any::Any;
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use store::archive::version;
use tokio::sync::Mutex;

use super::Archive;
use crate::error::AppError;

/// A version of the lists. It changes with every change of them, on any node, and when this node finds that the entries are not
/// what was signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ArchiveVersion {
    lists: i64,
    has_other_entries: bool,
}

impl ArchiveVersion {
    #[must_use]
    pub fn tag(self) -> String {
        let unchecked = if self.has_other_entries { "-unchecked" } else { "" };
        format!("W/\"{}-{}{unchecked}\"", self.lists, env!("CARGO_PKG_VERSION"))
    }
}

/// Lets simultaneous readers share a query. Each gets the answer of a query that began after the reader came.
#[derive(Debug, Default)]
pub(crate) struct Versions {
    came: AtomicU64,
    answered: Mutex<Option<(u64, Option<ArchiveVersion>)>>,
}

impl Versions {
    /// Asks, or shares the answer to a query that began since. If that query failed, its readers fail with it: otherwise
    /// a thousand readers would wait a thousand times for a database that is away.
    async fn share(
        &self,
        ask: impl Future<Output = Result<ArchiveVersion, AppError>>,
    ) -> Result<ArchiveVersion, AppError> {
        let turn = self.came.fetch_add(1, Ordering::Relaxed);
        let mut answered = self.answered.lock().await;
        if let Some((came, version)) = *answered
            && turn < came
        {
            return version.ok_or(AppError::Stopped);
        }
        let came = self.came.load(Ordering::Relaxed);
        let asked = ask.await;
        *answered = Some((came, asked.as_ref().ok().copied()));
        asked
    }
}

impl Archive {
    pub async fn archive_version(&self) -> Result<ArchiveVersion, AppError> {
        let read = async {
            let has_other_entries = self.signer.has_other_entries();
            Ok(ArchiveVersion { lists: version::read(&self.serving).await?, has_other_entries })
        };
        self.versions.share(read).await
    }

    /// What is the same for every reader of a version of the lists, read once for it. `bytes` is about what it takes.
    pub(super) async fn read_once<V: Any + Send + Sync>(
        &self,
        what: impl Into<Cow<'static, str>>,
        bytes: impl Fn(&V) -> usize,
        read: impl Future<Output = Result<V, AppError>>,
    ) -> Result<Arc<V>, AppError> {
        // The version first: then what is read is at least as new.
        let version = self.known_archive_version().await?;
        let read = async {
            let value = read.await?;
            let bytes = u64::try_from(bytes(&value)).unwrap_or(u64::MAX);
            Ok((Arc::new(value), bytes))
        };
        self.lists.get_or_make(&(version, what.into()), read).await
    }

    /// The last known version. Every reader of a list asks for the version before the page is made.
    async fn known_archive_version(&self) -> Result<ArchiveVersion, AppError> {
        let known = self.versions.answered.lock().await.and_then(|(_, version)| version);
        match known {
            Some(version) => Ok(version),
            None => self.archive_version().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use tokio::sync::Notify;

    use super::*;

    #[tokio::test]
    async fn readers_of_a_failed_query_do_not_ask_again() {
        let (versions, asked, gone) = (Arc::new(Versions::default()), Arc::new(AtomicUsize::new(0)), Notify::new());
        let gone = Arc::new(gone);
        let readers: Vec<_> = (0..20)
            .map(|_| {
                let (versions, asked, gone) = (versions.clone(), asked.clone(), gone.clone());
                tokio::spawn(async move {
                    let ask = async {
                        asked.fetch_add(1, Ordering::Relaxed);
                        gone.notified().await;
                        Err(AppError::Stopped)
                    };
                    versions.share(ask).await
                })
            })
            .collect();
        while versions.came.load(Ordering::Relaxed) < 20 {
            tokio::task::yield_now().await;
        }
        // The query of the first reader alone, and one for all who came meanwhile.
        for _ in 0..2 {
            gone.notify_one();
            tokio::task::yield_now().await;
        }
        for reader in readers {
            assert!(matches!(reader.await, Ok(Err(AppError::Stopped))));
        }
        assert_eq!(asked.load(Ordering::Relaxed), 2);
        let later = versions.share(async { Ok(ArchiveVersion { lists: 7, has_other_entries: false }) }).await;
        assert!(matches!(later, Ok(ArchiveVersion { lists: 7, .. })), "the database is back: {later:?}");
    }
}
