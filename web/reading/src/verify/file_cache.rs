//! The files that were asked for last, compressed. One is made at a time, on a thread of its own, and readers come in
//! turn: making one takes a core for 50 ms, which players must not wait for.

use std::sync::Arc;

use app::cache::{Cache, MatchPlace, place_of};
use app::queue::Queue;
use app::reader_threads::compute;
use record::Bundle;
use sha2::{Digest, Sha256};
use tokio::sync::SemaphorePermit;

use super::standalone_file::file;
use web_http::{Answer, ErrorKind, Problem};

const RETRY_SECONDS: u32 = 5;

#[derive(Debug)]
pub(super) struct FileCache {
    kept: Arc<Cache<MatchPlace>>,
    readers: Queue,
}

#[derive(Clone, Debug)]
struct MadeFile {
    source: [u8; 32],
    answer: Answer,
}

impl FileCache {
    pub(super) fn of(kept: Arc<Cache<MatchPlace>>) -> Self {
        Self { kept, readers: Queue::of(1) }
    }

    pub(super) async fn turn(&self) -> Result<SemaphorePermit<'_>, Problem> {
        let busy = || {
            let detail =
                "So many whole matches are being written to files that this one has to wait. Ask again in a moment.";
            Problem { retry_seconds: Some(RETRY_SECONDS), ..Problem::of(ErrorKind::Busy, detail) }
        };
        self.readers.turn().await.ok_or_else(busy)
    }

    pub(super) async fn file(&self, bundle: Bundle, policy: String) -> Result<Answer, Problem> {
        let place = place_of(bundle.match_id, "file");
        let source = Sha256::new().chain_update(bundle.write()).chain_update(&policy).finalize().into();
        let cached = self.kept.get::<MadeFile>(&place);
        if let Some(made) = cached.filter(|made| made.source == source) {
            return Ok(made.answer);
        }
        let make = move || file(&bundle, policy).map(|html| Answer::page(html).compressed());
        let made = compute(make).await.map_err(|error| Problem::broken(&error))?;
        let answer = made.map_err(|error| Problem::broken(&error))?;
        let bytes = answer.bytes();
        self.kept.put(place, MadeFile { source, answer: answer.clone() }, bytes);
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::FutureExt;

    use super::*;

    const BUNDLE: &[u8] = include_bytes!("../../../../fixtures/vectors/by-hand.bundle");

    fn bundle() -> Bundle {
        Bundle::read(BUNDLE).unwrap()
    }

    #[tokio::test]
    async fn a_file_is_made_again_only_of_other_bytes() {
        let (cache, place) = (FileCache::of(Arc::new(Cache::new(100_000_000))), place_of(bundle().match_id, "file"));
        cache.file(bundle(), "quorum none\n".to_owned()).await.unwrap();
        let made = cache.kept.get::<MadeFile>(&place).unwrap();
        // What is kept is answered, whatever it is.
        let kept = Answer::page("kept".to_owned());
        cache.kept.put(place, MadeFile { answer: kept.clone(), ..made.clone() }, kept.bytes());
        let again = cache.file(bundle(), "quorum none\n".to_owned()).await.unwrap();
        assert_eq!(again.bytes(), kept.bytes());
        let by_another = cache.file(bundle(), "another policy\n".to_owned()).await.unwrap();
        assert_ne!(by_another.bytes(), kept.bytes());
        let longer = Bundle { texts: record::Texts::new(), ..bundle() };
        assert_ne!(cache.file(longer, "another policy\n".to_owned()).await.unwrap().bytes(), by_another.bytes());
    }

    #[tokio::test]
    async fn one_reader_has_a_turn_and_the_next_waits_for_it() {
        let cache = FileCache::of(Arc::new(Cache::new(100_000_000)));
        let first = cache.turn().await.unwrap();
        let mut second = pin!(cache.turn());
        assert!(second.as_mut().now_or_never().is_none());
        drop(first);
        drop(second.await.unwrap());
    }
}
