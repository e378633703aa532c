//! How often the lists have changed, so that a page of them can be kept until they do.

use std::sync::atomic::{AtomicU64, Ordering};

use store::archive::version;
use tokio::sync::Mutex;

use super::Archive;
use crate::error::AppError;

/// Where the lists stand: equal as long as nothing in them changed, on whichever node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ArchiveVersion(i64);

impl ArchiveVersion {
    /// The tag of a file of the list, so that whoever has it asks for no other: as the list stood, by this version of the
    /// program.
    #[must_use]
    pub fn tag(self) -> String {
        format!("W/\"{}-{}\"", self.0, env!("CARGO_PKG_VERSION"))
    }
}

/// Who asks at the same time shares a question; nobody is told what was asked before they came.
#[derive(Debug, Default)]
pub(crate) struct Versions {
    /// How many came.
    came: AtomicU64,
    /// The last answer, none where there was none, and how many had come when it was asked.
    answered: Mutex<Option<(u64, Option<ArchiveVersion>)>>,
}

impl Versions {
    /// Asks, or shares what somebody else asked since. Who waited for a question that failed is refused with it, and does
    /// not wait once more: else a thousand readers would wait a thousand times for a database that is away.
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
    /// Where the lists stand: after everything that was committed before this was asked.
    ///
    /// # Errors
    /// The database.
    pub async fn archive_version(&self) -> Result<ArchiveVersion, AppError> {
        self.versions.share(async { Ok(ArchiveVersion(version::read(self.logs.pool()).await?)) }).await
    }

    /// Where the lists stood when that was asked last. Every reader of a list asks before the page is made.
    ///
    /// # Errors
    /// The database, where nobody has asked yet.
    pub(crate) async fn known_archive_version(&self) -> Result<ArchiveVersion, AppError> {
        let known = self.versions.answered.lock().await.and_then(|(_, version)| version);
        match known {
            Some(version) => Ok(version),
            None => self.archive_version().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;

    use tokio::sync::Notify;

    use super::*;

    #[tokio::test]
    async fn who_waits_for_a_question_that_fails_does_not_ask_it_again() {
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
        // The question of the first, who came alone, and one of all who came while it was asked.
        for _ in 0..2 {
            gone.notify_one();
            tokio::task::yield_now().await;
        }
        for reader in readers {
            assert!(matches!(reader.await, Ok(Err(AppError::Stopped))));
        }
        assert_eq!(asked.load(Ordering::Relaxed), 2);
        let later = versions.share(async { Ok(ArchiveVersion(7)) }).await;
        assert!(matches!(later, Ok(ArchiveVersion(7))), "the database is back: {later:?}");
    }
}
