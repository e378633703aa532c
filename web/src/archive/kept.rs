//! The pages of matches as anybody sees them, kept as long as the history that they show.

use std::hash::Hash;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;

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
    matches: Pages<(MatchId, String, String)>,
    /// By match and place, such as `7b/after?as=p1`, and by the site's address.
    moments: Pages<(MatchId, String, String)>,
    pictures: Pages<(MatchId, PicturePlace)>,
    drawing: Semaphore,
    /// Turns to draw a page, as many as there are processors.
    rendering: Semaphore,
}

/// Pages, each with the history that it shows.
#[derive(Debug)]
struct Pages<K: Hash + Eq>(Mutex<LruCache<K, (Arc<History>, Answer)>>);

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
    /// The page of exactly this history. One that was folded anew, after an entry or a withdrawal, has none yet.
    pub(super) fn page(&self, history: &Arc<History>, lens: Lens, site: &str) -> Option<Answer> {
        self.matches.get(history, &(history.match_id, lens.query(), site.to_owned()))
    }

    /// Keeps a page as anybody sees it.
    pub(super) fn keep(&self, history: &Arc<History>, lens: Lens, site: &str, answer: &Answer) {
        self.matches.put(history, (history.match_id, lens.query(), site.to_owned()), answer);
    }

    /// The page of a moment of exactly this history.
    pub(super) fn moment(&self, history: &Arc<History>, place: &str, site: &str) -> Option<Answer> {
        self.moments.get(history, &(history.match_id, place.to_owned(), site.to_owned()))
    }

    /// Keeps a moment's page as anybody sees it.
    pub(super) fn keep_moment(&self, history: &Arc<History>, place: String, site: &str, answer: &Answer) {
        self.moments.put(history, (history.match_id, place, site.to_owned()), answer);
    }

    /// A picture of exactly this history.
    pub(super) fn picture(&self, history: &Arc<History>, place: &PicturePlace) -> Option<Answer> {
        self.pictures.get(history, &(history.match_id, place.clone()))
    }

    /// Keeps a picture.
    pub(super) fn keep_picture(&self, history: &Arc<History>, place: PicturePlace, answer: &Answer) {
        self.pictures.put(history, (history.match_id, place), answer);
    }

    /// Draws a page on a thread of its own, unless it is known by the time that its turn has come: many readers come at
    /// once for a moment that is new.
    pub(super) async fn drawn(
        &self,
        known: impl Fn() -> Option<Answer>,
        draw: impl FnOnce() -> Result<String, Problem> + Send + 'static,
    ) -> Result<Answer, Problem> {
        // None once the program ends.
        let _turn = self.rendering.acquire().await.ok();
        if let Some(answer) = known() {
            return Ok(answer);
        }
        let html = tokio::task::spawn_blocking(draw).await.map_err(|error| Problem::broken(&error))??;
        Ok(Answer::page(html))
    }

    /// A turn to draw a picture, given back when it is dropped. None once the program ends.
    pub(super) async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        self.drawing.acquire().await.ok()
    }
}

impl<K: Hash + Eq> Pages<K> {
    fn of(most: NonZeroUsize) -> Self {
        Self(Mutex::new(LruCache::new(most)))
    }

    fn get(&self, history: &Arc<History>, key: &K) -> Option<Answer> {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (shown, answer) = pages.get(key)?;
        Arc::ptr_eq(shown, history).then(|| answer.clone())
    }

    fn put(&self, history: &Arc<History>, key: K, answer: &Answer) {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.put(key, (history.clone(), answer.clone()));
    }
}
