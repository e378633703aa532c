//! A cache of match pages as anybody sees them, valid as long as the match stays as it is.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Weak};
use std::thread::available_parallelism;

use app::archive::VerdictFilter;
use app::cache::{Cache, MatchPlace, place_of, place_of_slug};
use app::reader_threads::compute;
use app::umpires::UmpireNames;
use app::{App, AppError, MatchVersion};
use ledger::Hash;
use picture::Theme;
use record::History;
use tokio::sync::Semaphore;

use super::picture::ImageFormat;
use web_http::{Answer, Problem, ViewParams};

/// Pictures drawn at the same time: each uses a core for some milliseconds, and a PNG needs about 10 MB.
const PICTURES_AT_ONCE: usize = 2;

/// The key of a picture: its place, such as `7b/after`, or nothing for the match; its theme; and the file.
pub(super) type PicturePlace = (String, Theme, ImageFormat);

/// A page with its view parameters. The previews in it contain the address of this site.
fn match_page(params: ViewParams, site: &str) -> String {
    format!("page {} {site}", params.query())
}

/// A moment, by its place with view parameters, such as `7b/after?as=p1`.
fn moment_page(place: &str, site: &str) -> String {
    format!("moment {place} {site}")
}

/// The pages and pictures that were drawn last.
#[derive(Debug)]
pub(super) struct PageCache {
    kept: Arc<Cache<MatchPlace>>,
    drawing: Arc<Semaphore>,
    /// The permit to draw an animated picture, which takes as long and as much room as dozens of others.
    animating: Arc<Semaphore>,
    /// Permits to draw a page, one for each core.
    rendering: Arc<Semaphore>,
}

/// The source of a page. A cached page is valid as long as all of it is the same.
#[derive(Clone, Debug)]
pub(super) struct PageSource {
    pub(super) history: Arc<History>,
    pub(super) version: MatchVersion,
    pub(super) names: Arc<UmpireNames>,
    /// The result of the last check, and its sentence, for the match's page. It may change under the same head, if
    /// stored data was changed behind the server's back.
    pub(super) check: Option<(VerdictFilter, String)>,
}

/// What a kept page was drawn from. It keeps no names in memory, and their place is not used again as long as it exists.
#[derive(Clone, Debug)]
struct PageMark {
    version: MatchVersion,
    names: Weak<UmpireNames>,
    check: Option<(VerdictFilter, String)>,
}

impl PageSource {
    pub(super) async fn of(app: &App, slug: &str) -> Result<Self, AppError> {
        let names = app.umpires.names();
        let (history, version, _) = app.matches.versioned(slug).await?;
        Ok(Self { history, version, names, check: None })
    }

    fn mark(&self) -> PageMark {
        PageMark { version: self.version, names: Arc::downgrade(&self.names), check: self.check.clone() }
    }

    fn place(&self, what: String) -> MatchPlace {
        place_of(self.version.match_id(), what)
    }
}

impl PageMark {
    fn is_of(&self, source: &PageSource) -> bool {
        self.version == source.version && self.has(&source.names) && self.check == source.check
    }

    fn has(&self, names: &Arc<UmpireNames>) -> bool {
        std::ptr::eq(self.names.as_ptr(), Arc::as_ptr(names))
    }
}

impl PageCache {
    pub(super) fn of(kept: Arc<Cache<MatchPlace>>) -> Self {
        let permits = |at_once| Arc::new(Semaphore::new(at_once));
        Self {
            kept,
            drawing: permits(PICTURES_AT_ONCE),
            animating: permits(1),
            rendering: permits(available_parallelism().map_or(PICTURES_AT_ONCE, NonZeroUsize::get)),
        }
    }

    fn get(&self, source: &PageSource, what: String) -> Option<Answer> {
        let (mark, answer): (PageMark, Answer) = self.kept.get(&source.place(what))?;
        mark.is_of(source).then_some(answer)
    }

    /// A moment as it is kept, with the head that it was drawn from, if the match and the names are still the same. The
    /// match is not folded for it: there are many more moments than histories that memory has room for.
    pub(super) async fn kept_moment(
        &self,
        app: &App,
        match_slug: &str,
        place: String,
        site: &str,
    ) -> Result<Option<(Hash, Answer)>, AppError> {
        let place = place_of_slug(match_slug, moment_page(&place, site));
        let kept = place.and_then(|place| self.kept.get::<(PageMark, Answer)>(&place));
        let Some((mark, answer)) = kept else { return Ok(None) };
        let is_current = mark.has(&app.umpires.names()) && app.matches.is_current(&mark.version).await?;
        Ok(is_current.then(|| (mark.version.head().leaf, answer)))
    }

    pub(super) fn match_page(&self, source: &PageSource, params: ViewParams, site: &str) -> Option<Answer> {
        self.get(source, match_page(params, site))
    }

    pub(super) fn put_match_page(&self, source: &PageSource, params: ViewParams, site: &str, answer: &Answer) {
        let place = source.place(match_page(params, site));
        self.kept.put(place, (source.mark(), answer.clone()), answer.bytes());
    }

    pub(super) async fn moment(
        &self,
        source: &PageSource,
        place: String,
        site: &str,
        shared: bool,
        draw: impl FnOnce() -> Result<String, Problem> + Send + 'static,
    ) -> Result<Answer, Problem> {
        let what = Some(moment_page(&place, site)).filter(|_| shared);
        // Searching a state for findings is slow, and so is rebuilding a struck round.
        self.compute(source, &self.rendering, what, move || draw().map(Answer::page)).await
    }

    pub(super) async fn picture(
        &self,
        source: &PageSource,
        place: PicturePlace,
        draw: impl FnOnce() -> Result<Answer, Problem> + Send + 'static,
    ) -> Result<Answer, Problem> {
        let (row, theme, format) = place;
        let permits = match format {
            ImageFormat::Gif => &self.animating,
            ImageFormat::Svg | ImageFormat::Png => &self.drawing,
        };
        self.compute(source, permits, Some(format!("picture {row} {theme:?} {format:?}")), draw).await
    }

    /// What is kept, or what is drawn now on a thread of its own. It is drawn to its end and kept also if its reader gives up
    /// meanwhile: whoever asks again waits for it, and does not begin anew.
    async fn compute(
        &self,
        source: &PageSource,
        permits: &Arc<Semaphore>,
        what: Option<String>,
        draw: impl FnOnce() -> Result<Answer, Problem> + Send + 'static,
    ) -> Result<Answer, Problem> {
        let known = || self.get(source, what.clone()?);
        if let Some(answer) = known() {
            return Ok(answer);
        }
        // None when the program shuts down.
        let permit = permits.clone().acquire_owned().await.ok();
        if let Some(answer) = known() {
            return Ok(answer);
        }
        let (kept, place, mark) = (self.kept.clone(), what.map(|what| source.place(what)), source.mark());
        let drawn = compute(move || {
            let answer = draw()?;
            if let Some(place) = place {
                kept.put(place, (mark, answer.clone()), answer.bytes());
            }
            drop(permit);
            Ok(answer)
        });
        drawn.await.map_err(|error| Problem::broken(&error))?
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
            compute(draw).await.map_err(|error| Problem::broken(&error))??
        } else {
            // As on its own thread, a panic while drawing becomes an error page instead of a dropped connection.
            catch_unwind(AssertUnwindSafe(draw))
                .map_err(|_| Problem::broken(&std::io::Error::other("drawing a page panicked")))??
        };
        Ok(Answer::page(html))
    }
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;
    use axum::response::IntoResponse;

    use super::*;

    #[tokio::test]
    async fn a_page_that_cannot_be_drawn_is_answered_as_broken_and_the_next_is_drawn() {
        let cache = PageCache::of(Arc::new(Cache::new(1_000_000)));
        for long in [false, true, false, true, false, true] {
            let broken = cache.draw(long, || None, || panic!("nobody can draw this")).await;
            assert_eq!(broken.unwrap_err().into_response().status(), StatusCode::INTERNAL_SERVER_ERROR);
        }
        cache.draw(false, || None, || Ok("drawn".to_owned())).await.unwrap();
    }
}
