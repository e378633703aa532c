//! The pages of matches as anybody sees them, kept as long as the history that they show.

use std::hash::Hash;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;

use app::book::{UmpireNames, VerdictFilter};
use ledger::MatchId;
use lru::LruCache;
use picture::Theme;
use record::History;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::picture::Kind;
use crate::page::{Answer, Lens, Problem};

/// Matches that are kept, of about 60 kB each.
const KEPT_MATCHES: NonZeroUsize = NonZeroUsize::new(500).unwrap();

/// Moments that are kept, of about 20 kB each.
const KEPT_MOMENTS: NonZeroUsize = NonZeroUsize::new(2_000).unwrap();

/// Pictures that are kept, of about 40 kB each.
const KEPT_PICTURES: NonZeroUsize = NonZeroUsize::new(500).unwrap();

/// Pictures that are drawn at the same time: each takes a processor for some milliseconds, and a PNG about 10 MB.
const DRAWN_AT_ONCE: usize = 2;

/// A picture's place, such as `7b/after` or nothing for the match, its theme, and the file.
pub(super) type PicturePlace = (String, Theme, Kind);

/// The pages that were rendered last.
#[derive(Debug)]
pub(super) struct Kept {
    /// By match and lens, such as `?as=p1`, and by the site's address: previews say where they are.
    matches: Pages<(MatchId, String, String), Checked>,
    /// By match and place, such as `7b/after?as=p1`, and by the site's address.
    moments: Pages<(MatchId, String, String), Basis>,
    pictures: Pages<(MatchId, PicturePlace), Arc<History>>,
    drawing: Semaphore,
    /// Turns to draw a page, as many as there are processors.
    rendering: Semaphore,
}

/// What a page shows: a history, and the names under which umpires want to be known.
pub(super) type Basis = (Arc<History>, Arc<UmpireNames>);

/// What the page of a match shows beside it: what its last check found, which may change under the same head, where what
/// is stored was changed behind the server's back.
pub(super) type Checked = (Basis, Found);

/// The kind of what a check found, and its sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found(pub(super) VerdictFilter, pub(super) String);

/// Pages, each with what it shows.
#[derive(Debug)]
struct Pages<K: Hash + Eq, B>(Mutex<LruCache<K, (B, Answer)>>);

/// Whether two pages show the very same.
trait Same {
    fn same(&self, other: &Self) -> bool;
}

impl<T> Same for Arc<T> {
    fn same(&self, other: &Self) -> bool {
        Self::ptr_eq(self, other)
    }
}

impl Same for Found {
    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

impl<A: Same, B: Same> Same for (A, B) {
    fn same(&self, other: &Self) -> bool {
        self.0.same(&other.0) && self.1.same(&other.1)
    }
}

impl Default for Kept {
    fn default() -> Self {
        Self {
            matches: Pages::of(KEPT_MATCHES),
            moments: Pages::of(KEPT_MOMENTS),
            pictures: Pages::of(KEPT_PICTURES),
            drawing: Semaphore::new(DRAWN_AT_ONCE),
            rendering: Semaphore::new(available_parallelism().map_or(DRAWN_AT_ONCE, NonZeroUsize::get)),
        }
    }
}

impl Kept {
    /// The page of exactly this. A history that was folded anew, after an entry or a withdrawal, has none yet.
    pub(super) fn page(&self, checked: &Checked, lens: Lens, site: &str) -> Option<Answer> {
        self.matches.get(checked, &(checked.0.0.match_id, lens.query(), site.to_owned()))
    }

    /// Keeps a page as anybody sees it.
    pub(super) fn keep(&self, checked: Checked, lens: Lens, site: &str, answer: &Answer) {
        self.matches.put((checked.0.0.match_id, lens.query(), site.to_owned()), checked, answer);
    }

    /// The page of a moment of exactly this.
    pub(super) fn moment(&self, basis: &Basis, place: &str, site: &str) -> Option<Answer> {
        self.moments.get(basis, &(basis.0.match_id, place.to_owned(), site.to_owned()))
    }

    /// Keeps a moment's page as anybody sees it.
    pub(super) fn keep_moment(&self, basis: Basis, place: String, site: &str, answer: &Answer) {
        self.moments.put((basis.0.match_id, place, site.to_owned()), basis, answer);
    }

    /// A picture of exactly this history.
    pub(super) fn picture(&self, history: &Arc<History>, place: &PicturePlace) -> Option<Answer> {
        self.pictures.get(history, &(history.match_id, place.clone()))
    }

    /// Keeps a picture.
    pub(super) fn keep_picture(&self, history: &Arc<History>, place: PicturePlace, answer: &Answer) {
        self.pictures.put((history.match_id, place), history.clone(), answer);
    }

    /// Draws a page, unless it is known by the time that its turn has come: many readers come at once for a moment that is
    /// new. One that may take long is drawn on a thread of its own, so that nobody else's page waits for it.
    pub(super) async fn drawn(
        &self,
        long: bool,
        known: impl Fn() -> Option<Answer>,
        draw: impl FnOnce() -> Result<String, Problem> + Send + 'static,
    ) -> Result<Answer, Problem> {
        // None once the program ends.
        let _turn = self.rendering.acquire().await.ok();
        if let Some(answer) = known() {
            return Ok(answer);
        }
        let html = if long {
            tokio::task::spawn_blocking(draw).await.map_err(|error| Problem::broken(&error))??
        } else {
            // As on a thread of its own, a page that cannot be drawn is answered as broken, and not by silence.
            catch_unwind(AssertUnwindSafe(draw))
                .map_err(|_| Problem::broken(&std::io::Error::other("drawing a page panicked")))??
        };
        Ok(Answer::page(html))
    }

    /// A turn to draw a picture, given back when it is dropped. None once the program ends.
    pub(super) async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        self.drawing.acquire().await.ok()
    }
}

impl<K: Hash + Eq, B: Same> Pages<K, B> {
    fn of(most: NonZeroUsize) -> Self {
        Self(Mutex::new(LruCache::new(most)))
    }

    fn get(&self, basis: &B, key: &K) -> Option<Answer> {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (shown, answer) = pages.get(key)?;
        shown.same(basis).then(|| answer.clone())
    }

    fn put(&self, key: K, basis: B, answer: &Answer) {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.put(key, (basis, answer.clone()));
    }
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;
    use axum::response::IntoResponse;

    use super::*;

    #[tokio::test]
    async fn a_page_that_cannot_be_drawn_is_answered_as_broken_and_the_next_is_drawn() {
        let kept = Kept::default();
        for long in [false, true, false, true, false, true] {
            let broken = kept.drawn(long, || None, || panic!("nobody can draw this")).await;
            assert_eq!(broken.unwrap_err().into_response().status(), StatusCode::INTERNAL_SERVER_ERROR);
        }
        kept.drawn(false, || None, || Ok("drawn".to_owned())).await.unwrap();
    }
}
