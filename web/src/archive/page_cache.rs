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
use tokio::sync::Semaphore;

use super::picture::ImageFormat;
use crate::http::{Answer, Problem, ViewParams};

/// Matches in the cache, of about 60 kB each.
const CACHED_MATCHES: NonZeroUsize = NonZeroUsize::new(500).unwrap();

/// Moments in the cache, of about 20 kB each.
const CACHED_MOMENTS: NonZeroUsize = NonZeroUsize::new(2_000).unwrap();

/// Pictures in the cache, of about 40 kB each.
const CACHED_PICTURES: NonZeroUsize = NonZeroUsize::new(500).unwrap();

/// Animated pictures in the cache, of up to 1 MB each.
const CACHED_ANIMATED: NonZeroUsize = NonZeroUsize::new(32).unwrap();

/// Pictures drawn at the same time: each uses a core for some milliseconds, and a PNG needs about 10 MB.
const PICTURES_AT_ONCE: usize = 2;

/// The key of a picture: its place, such as `7b/after`, or nothing for the match; its theme; and the file.
pub(super) type PicturePlace = (String, Theme, ImageFormat);

/// The key of a page: the match, the place with its view parameters, such as `7b/after?as=p1`, and the address of this
/// site, which previews contain.
type PageKey = (MatchId, String, String);

/// The pages that were rendered last.
#[derive(Debug)]
pub(super) struct PageCache {
    matches: Cache<PageKey>,
    moments: Cache<PageKey>,
    pictures: Cache<(MatchId, PicturePlace)>,
    animated: Cache<(MatchId, PicturePlace)>,
    drawing: Semaphore,
    /// The permit to draw an animated picture, which takes as long and as much room as dozens of others.
    animating: Semaphore,
    /// Permits to draw a page, one for each core.
    rendering: Semaphore,
}

/// The source of a page. A cached page is valid as long as all of it is the same.
#[derive(Clone, Debug)]
pub(super) struct PageSource {
    pub(super) history: Arc<History>,
    /// The names that umpires chose to be known by.
    pub(super) names: Arc<UmpireNames>,
    /// The result of the last check, and its sentence, for the match's page. It may change under the same head, if
    /// stored data was changed behind the server's back.
    pub(super) check: Option<(VerdictFilter, String)>,
}

/// Answers by key, each with its source.
#[derive(Debug)]
struct Cache<K: Hash + Eq>(Mutex<LruCache<K, (PageSource, Answer)>>);

impl PageSource {
    /// A history with these names, without a check.
    pub(super) const fn of(history: Arc<History>, names: Arc<UmpireNames>) -> Self {
        Self { history, names, check: None }
    }

    /// A history folded again, after an entry or a withdrawal, is another source.
    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.history, &other.history)
            && Arc::ptr_eq(&self.names, &other.names)
            && self.check == other.check
    }
}

impl Default for PageCache {
    fn default() -> Self {
        Self {
            matches: Cache::of(CACHED_MATCHES),
            moments: Cache::of(CACHED_MOMENTS),
            pictures: Cache::of(CACHED_PICTURES),
            animated: Cache::of(CACHED_ANIMATED),
            drawing: Semaphore::new(PICTURES_AT_ONCE),
            animating: Semaphore::new(1),
            rendering: Semaphore::new(available_parallelism().map_or(PICTURES_AT_ONCE, NonZeroUsize::get)),
        }
    }
}

impl PageCache {
    /// The cached page of a match, if it is from exactly this source.
    pub(super) fn match_page(&self, source: &PageSource, params: ViewParams, site: &str) -> Option<Answer> {
        self.matches.get(source, &(source.history.match_id, params.query(), site.to_owned()))
    }

    /// Caches the page of a match as anybody sees it.
    pub(super) fn put_match_page(&self, source: PageSource, params: ViewParams, site: &str, answer: &Answer) {
        self.matches.put((source.history.match_id, params.query(), site.to_owned()), source, answer);
    }

    /// The page of a moment: cached, or drawn now. It is shared if anybody sees the same.
    pub(super) async fn moment(
        &self,
        source: &PageSource,
        place: String,
        site: &str,
        shared: bool,
        draw: impl FnOnce() -> Result<String, Problem> + Send + 'static,
    ) -> Result<Answer, Problem> {
        let key = (source.history.match_id, place, site.to_owned());
        let known = || self.moments.get(source, &key).filter(|_| shared);
        if let Some(answer) = known() {
            return Ok(answer);
        }
        // Searching a state for findings is slow, and so is rebuilding a struck round.
        let answer = self.draw(true, known, draw).await?;
        if shared {
            self.moments.put(key, source.clone(), &answer);
        }
        Ok(answer)
    }

    /// A picture: cached, or drawn now on its own thread.
    pub(super) async fn picture(
        &self,
        source: &PageSource,
        place: PicturePlace,
        draw: impl FnOnce() -> Result<Answer, Problem> + Send + 'static,
    ) -> Result<Answer, Problem> {
        let (cache, permits) = match place.2 {
            ImageFormat::Gif => (&self.animated, &self.animating),
            ImageFormat::Svg | ImageFormat::Png => (&self.pictures, &self.drawing),
        };
        let key = (source.history.match_id, place);
        if let Some(answer) = cache.get(source, &key) {
            return Ok(answer);
        }
        // None when the program shuts down.
        let _permit = permits.acquire().await.ok();
        // The reader before may have had this very picture drawn.
        if let Some(answer) = cache.get(source, &key) {
            return Ok(answer);
        }
        let answer = tokio::task::spawn_blocking(draw).await.map_err(|error| Problem::broken(&error))??;
        cache.put(key, source.clone(), &answer);
        Ok(answer)
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
}

impl<K: Hash + Eq> Cache<K> {
    fn of(most: NonZeroUsize) -> Self {
        Self(Mutex::new(LruCache::new(most)))
    }

    fn get(&self, source: &PageSource, key: &K) -> Option<Answer> {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (cached, answer) = pages.get(key)?;
        cached.is(source).then(|| answer.clone())
    }

    fn put(&self, key: K, source: PageSource, answer: &Answer) {
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
