//! A cache of match pages as anybody sees them, valid as long as their history.

use std::hash::Hash;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;

use app::archive::VerdictFilter;
use app::umpires::UmpireNames;
use ledger::MatchId;
use lru::LruCache;
use picture::Theme;
use record::History;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::picture::ImageFormat;
use crate::http::{Answer, Problem, ViewParams};

/// Matches in the cache, of about 60 kB each.
const CACHED_MATCHES: NonZeroUsize = NonZeroUsize::new(500).unwrap();

/// Moments in the cache, of about 20 kB each.
const CACHED_MOMENTS: NonZeroUsize = NonZeroUsize::new(2_000).unwrap();

/// Pictures in the cache, of about 40 kB each.
const CACHED_PICTURES: NonZeroUsize = NonZeroUsize::new(500).unwrap();

/// Pictures drawn at the same time: each uses a core for some milliseconds, and a PNG needs about 10 MB.
const PICTURES_AT_ONCE: usize = 2;

/// The key of a picture: its place, such as `7b/after`, or nothing for the match; its theme; and the file.
pub(super) type PicturePlace = (String, Theme, ImageFormat);

/// The pages that were rendered last.
#[derive(Debug)]
pub(super) struct PageCache {
    /// By match and view parameters, such as `?as=p1`, and by the site's address, which previews contain.
    matches: Cache<(MatchId, String, String), CheckedSource>,
    /// By match and place, such as `7b/after?as=p1`, and by the site's address.
    moments: Cache<(MatchId, String, String), PageSource>,
    pictures: Cache<(MatchId, PicturePlace), Arc<History>>,
    drawing: Semaphore,
    /// Permits to draw a page, one for each core.
    rendering: Semaphore,
}

/// The source of a page: a history, and the names that umpires chose to be known by.
pub(super) type PageSource = (Arc<History>, Arc<UmpireNames>);

/// The source of a match's page: also the result of its last check. That may change under the same head, if stored data
/// was changed behind the server's back.
pub(super) type CheckedSource = (PageSource, CheckResult);

/// The kind of a check's result, and its sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CheckResult(pub(super) VerdictFilter, pub(super) String);

/// Pages, each with its source.
#[derive(Debug)]
struct Cache<K: Hash + Eq, B>(Mutex<LruCache<K, (B, Answer)>>);

/// A source of pages that can be compared.
trait SameSource {
    fn same(&self, other: &Self) -> bool;
}

impl<T> SameSource for Arc<T> {
    fn same(&self, other: &Self) -> bool {
        Self::ptr_eq(self, other)
    }
}

impl SameSource for CheckResult {
    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

impl<A: SameSource, B: SameSource> SameSource for (A, B) {
    fn same(&self, other: &Self) -> bool {
        self.0.same(&other.0) && self.1.same(&other.1)
    }
}

impl Default for PageCache {
    fn default() -> Self {
        Self {
            matches: Cache::of(CACHED_MATCHES),
            moments: Cache::of(CACHED_MOMENTS),
            pictures: Cache::of(CACHED_PICTURES),
            drawing: Semaphore::new(PICTURES_AT_ONCE),
            rendering: Semaphore::new(available_parallelism().map_or(PICTURES_AT_ONCE, NonZeroUsize::get)),
        }
    }
}

impl PageCache {
    /// The page of exactly this source. A history that was folded again, after an entry or a withdrawal, has none yet.
    pub(super) fn page(&self, checked: &CheckedSource, params: ViewParams, site: &str) -> Option<Answer> {
        self.matches.get(checked, &(checked.0.0.match_id, params.query(), site.to_owned()))
    }

    /// Caches a page as anybody sees it.
    pub(super) fn put_page(&self, checked: CheckedSource, params: ViewParams, site: &str, answer: &Answer) {
        self.matches.put((checked.0.0.match_id, params.query(), site.to_owned()), checked, answer);
    }

    /// The page of a moment of exactly this source.
    pub(super) fn moment(&self, source: &PageSource, place: &str, site: &str) -> Option<Answer> {
        self.moments.get(source, &(source.0.match_id, place.to_owned(), site.to_owned()))
    }

    /// Caches a moment's page as anybody sees it.
    pub(super) fn put_moment(&self, source: PageSource, place: String, site: &str, answer: &Answer) {
        self.moments.put((source.0.match_id, place, site.to_owned()), source, answer);
    }

    /// A picture of exactly this history.
    pub(super) fn picture(&self, history: &Arc<History>, place: &PicturePlace) -> Option<Answer> {
        self.pictures.get(history, &(history.match_id, place.clone()))
    }

    /// Caches a picture.
    pub(super) fn put_picture(&self, history: &Arc<History>, place: PicturePlace, answer: &Answer) {
        self.pictures.put((history.match_id, place), history.clone(), answer);
    }

    /// Draws a page, unless another reader had it drawn while this one waited: many readers open a new moment at once.
    /// A page that may take long is drawn on its own thread, so that no other page waits for it.
    pub(super) async fn draw(
        &self,
        long: bool,
        known: impl Fn() -> Option<Answer>,
        draw: impl FnOnce() -> Result<String, Problem> + Send + 'static,
    ) -> Result<Answer, Problem> {
        // None when the program shuts down.
        let _permit = self.rendering.acquire().await.ok();
        if let Some(answer) = known() {
            return Ok(answer);
        }
        let html = if long {
            tokio::task::spawn_blocking(draw).await.map_err(|error| Problem::broken(&error))??
        } else {
            // As on its own thread, a panic while drawing becomes an error page instead of a dropped connection.
            catch_unwind(AssertUnwindSafe(draw))
                .map_err(|_| Problem::broken(&std::io::Error::other("drawing a page panicked")))??
        };
        Ok(Answer::page(html))
    }

    /// A permit to draw a picture, returned when it is dropped. None when the program shuts down.
    pub(super) async fn drawing_permit(&self) -> Option<SemaphorePermit<'_>> {
        self.drawing.acquire().await.ok()
    }
}

impl<K: Hash + Eq, B: SameSource> Cache<K, B> {
    fn of(most: NonZeroUsize) -> Self {
        Self(Mutex::new(LruCache::new(most)))
    }

    fn get(&self, source: &B, key: &K) -> Option<Answer> {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (cached, answer) = pages.get(key)?;
        cached.same(source).then(|| answer.clone())
    }

    fn put(&self, key: K, source: B, answer: &Answer) {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.put(key, (source, answer.clone()));
    }
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;
    use axum::response::IntoResponse;

    use super::*;

    #[tokio::test]
    async fn a_page_that_cannot_be_drawn_is_answered_as_broken_and_the_next_is_drawn() {
        let cache = PageCache::default();
        for long in [false, true, false, true, false, true] {
            let broken = cache.draw(long, || None, || panic!("nobody can draw this")).await;
            assert_eq!(broken.unwrap_err().into_response().status(), StatusCode::INTERNAL_SERVER_ERROR);
        }
        cache.draw(false, || None, || Ok("drawn".to_owned())).await.unwrap();
    }
}
