//! The addresses of moments: pages, pictures, and frames on other sites.

use std::sync::Arc;

use app::App;
use app::views::{Beat, BeforeStrike, VisibleMatch, act, beat_scene, match_address};
use askama::Template;
use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use engine::{Panel, Sight};
use ledger::Seq;
use record::words::row_words;
use record::{History, SheetRow, Strike};

use super::comments::MatchComments;
use super::embed::{Embed, POLICY};
use super::history_problem;
use super::match_page::title;
use super::moment::Moment;
use super::moment_context::MomentContext;
use super::page_cache::{PageCache, PageSource};
use super::picture::{ImageFormat, animated, picture};
use super::view_request::ViewRequest;
use page::{Urls, escaped};
use web_http::{Problem, Segments, ViewParams, fresh, site};

#[derive(Clone, Debug)]
pub(super) struct MomentPath {
    pub(super) row: String,
    pub(super) beat: Beat,
    pub(super) strike: Option<Seq>,
    pub(super) framed: bool,
}

pub(super) async fn moment(
    State(app): State<Arc<App>>,
    Extension(cache): Extension<Arc<PageCache>>,
    Segments((slug, row, name)): Segments<(String, String, String)>,
    request: ViewRequest,
) -> Result<Response, Problem> {
    answer(&app, &cache, &slug, (row, &name), None, request).await
}

/// `GET /m/{slug}/r/{row}`: a row begins with its first moment. `GET /m/{slug}/r/{row}.gif`: all of them in turn.
pub(super) async fn row(
    State(app): State<Arc<App>>,
    Extension(cache): Extension<Arc<PageCache>>,
    Segments((slug, row)): Segments<(String, String)>,
    request: ViewRequest,
) -> Result<Response, Problem> {
    let params = request.params;
    let Some(row) = row.strip_suffix(".gif") else {
        let (slug, row) = (escaped(&slug), escaped(&row));
        let begins = format!("/m/{slug}/r/{row}/{}{}", Beat::Before.word(), params.query());
        return Ok(Redirect::temporary(&begins).into_response());
    };
    let source = PageSource::of(&app, &slug).await.map_err(|error| history_problem(&slug, error))?;
    params.visible(&source.history)?;
    let path = MomentPath { row: row.to_owned(), beat: Beat::Before, strike: None, framed: false };
    let place = format!("{row}{}", params.query());
    let scenes = move |history: &History| {
        path.find(history, params, |visible, rows, at, _| {
            let beats = Beat::of(rows.get(at)?);
            Some(beats.into_iter().filter_map(|beat| beat_scene(visible, rows, at, beat)).collect())
        })
    };
    animated(&cache, &source, &place, &request, scenes).await
}

pub(super) async fn struck(
    State(app): State<Arc<App>>,
    Extension(cache): Extension<Arc<PageCache>>,
    Segments((slug, entry, row, name)): Segments<(String, u32, String, String)>,
    request: ViewRequest,
) -> Result<Response, Problem> {
    answer(&app, &cache, &slug, (row, &name), Some(Seq(entry)), request).await
}

pub(super) async fn embedded(
    State(app): State<Arc<App>>,
    Extension(cache): Extension<Arc<PageCache>>,
    Segments((slug, row, name)): Segments<(String, String, String)>,
    params: ViewParams,
    request: HeaderMap,
) -> Result<Response, Problem> {
    let source = PageSource::of(&app, &slug).await.map_err(|error| history_problem(&slug, error))?;
    let beat = name.parse().map_err(|()| no_beat(&source.history, &row, &name))?;
    framed(&cache, source, Some(MomentPath { row, beat, strike: None, framed: true }), params, &request).await
}

/// `GET /embed/m/{slug}`: the current moment, or the first one without spoilers.
pub(super) async fn embedded_match(
    State(app): State<Arc<App>>,
    Extension(cache): Extension<Arc<PageCache>>,
    Segments(slug): Segments<String>,
    params: ViewParams,
    request: HeaderMap,
) -> Result<Response, Problem> {
    let source = PageSource::of(&app, &slug).await.map_err(|error| history_problem(&slug, error))?;
    let rows = source.history.rows();
    let (row, beat) = if params.spoilers.hidden() { (rows.first(), Beat::Before) } else { (rows.last(), Beat::After) };
    let path = row.map(|row| MomentPath { row: row.label.clone(), beat, strike: None, framed: true });
    framed(&cache, source.clone(), path, params, &request).await
}

async fn answer(
    app: &App,
    cache: &Arc<PageCache>,
    slug: &str,
    (row, name): (String, &str),
    strike: Option<Seq>,
    request: ViewRequest,
) -> Result<Response, Problem> {
    let (word, format) = match name.split_once('.') {
        Some((word, extension)) => (word, ImageFormat::of(extension)),
        None => (name, None),
    };
    let known = format.is_some() || !name.contains('.');
    let known = known && format != Some(ImageFormat::Gif);
    let beat = word.parse().ok().filter(|_| known);
    let (params, umpire, site) = (request.params, request.visitor.name(), site(&request.headers));
    let anybody = umpire.is_none();
    if let Some(beat) = beat.filter(|_| anybody && format.is_none()) {
        let place = MomentPath { row: row.clone(), beat, strike, framed: false }.place(params);
        let kept = cache.kept_moment(app, slug, place, &site).await;
        if let Some((head, answer)) = kept.map_err(|error| history_problem(slug, error))? {
            return Ok(fresh(&request.headers, head, answer));
        }
    }
    let source = PageSource::of(app, slug).await.map_err(|error| history_problem(slug, error))?;
    let beat = beat.ok_or_else(|| no_beat(&source.history, &row, name))?;
    let path = MomentPath { row, beat, strike, framed: false };
    params
        .visible(&source.history)
        .map_err(|problem| problem.back(path.address(&source.history), "Look at what everybody may know"))?;
    let place = path.place(params);
    if let Some(format) = format {
        let scene = move |history: &History| {
            path.find(history, params, |visible, rows, at, _| beat_scene(visible, rows, at, path.beat))
        };
        return picture(cache, &source, &place, format, &request, scene).await;
    }
    // After the version, so that the page is drawn again if one is written or withdrawn meanwhile.
    let comments = MatchComments::of(app, &source.history, request.visitor.umpire.as_ref(), params).await?;
    let (drawn, here) = (source.clone(), site.clone());
    let draw = move || {
        let page = path.moment(&drawn, params, umpire, &here, &comments)?;
        page.render().map_err(|error| Problem::broken(&error))
    };
    let answer = cache.moment(&source, place, &site, anybody, draw).await?;
    Ok(fresh(&request.headers, source.history.head.leaf, answer))
}

/// A moment in a frame on another site, or a notice that there is none yet.
async fn framed(
    cache: &Arc<PageCache>,
    source: PageSource,
    path: Option<MomentPath>,
    params: ViewParams,
    request: &HeaderMap,
) -> Result<Response, Problem> {
    params.visible(&source.history)?;
    let place = path.as_ref().map_or_else(|| format!("frame{}", params.query()), |path| path.place(params));
    let site = site(request);
    let (drawn, here) = (source.clone(), site.clone());
    let draw = move || {
        let moment =
            path.map(|path| path.moment(&drawn, params, None, &here, &MatchComments::default())).transpose()?;
        Embed::of(&drawn.history, moment, params).render().map_err(|error| Problem::broken(&error))
    };
    let answer = cache.moment(&source, place, &site, true, draw).await?;
    let mut response = fresh(request, source.history.head.leaf, answer);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    Ok(response)
}

impl MomentPath {
    fn place(&self, params: ViewParams) -> String {
        let strike = self.strike.map(|strike| format!("struck/{}/", strike.0)).unwrap_or_default();
        let frame = if self.framed { "frame/" } else { "" };
        format!("{frame}{strike}{}/{}{}", self.row, self.beat.word(), params.query())
    }

    fn address(&self, history: &History) -> String {
        self.urls(history, ViewParams::default()).moment(&self.row, self.beat)
    }

    fn urls(&self, history: &History, params: ViewParams) -> Urls {
        let urls =
            if self.framed { Urls::embedded(history.match_id, params) } else { Urls::of(history.match_id, params) };
        self.strike.map_or(urls.clone(), |strike| urls.struck(strike))
    }

    pub(super) fn moment(
        &self,
        source: &PageSource,
        params: ViewParams,
        umpire: Option<String>,
        site: &str,
        comments: &MatchComments,
    ) -> Result<Moment, Problem> {
        self.find(&source.history, params, |visible, rows, at, strike| {
            let urls = self.urls(visible.history, params);
            let (umpires, now) = (&source.names, &source.history);
            let context = MomentContext { params, urls, strike, umpire, site, umpires, comments, now };
            Moment::of(visible, rows, at, self.beat, &context)
        })
    }

    pub(super) fn find<T>(
        &self,
        history: &History,
        params: ViewParams,
        then: impl FnOnce(&VisibleMatch<'_>, &[SheetRow<'_>], usize, Option<&Strike>) -> Option<T>,
    ) -> Result<T, Problem> {
        let nowhere = || no_round(history, &self.row, params);
        let params = starting(history, params);
        let place = |rows: &[SheetRow<'_>]| {
            let at = rows.iter().position(|row| row.label == self.row).ok_or_else(nowhere)?;
            let is_past =
                matches!(self.beat, Beat::Act(number) if rows.get(at).is_some_and(|row| act(row, number).is_none()));
            if is_past { Err(no_beat(history, &self.row, &self.beat.word())) } else { Ok(at) }
        };
        let found = match self.strike {
            None => {
                let rows = history.rows();
                then(&params.visible(history)?, &rows, place(&rows)?, None)
            }
            Some(entry) => {
                let strike = history.strikes.iter().find(|strike| strike.entry == entry).ok_or_else(|| {
                    Problem::not_found(format!("Entry {} of this match strikes nothing.", entry.0))
                        .back(match_address(history.match_id), "Go to the match")
                })?;
                let earlier = BeforeStrike::of(history, strike);
                let rows = earlier.rows();
                then(&params.visible(&earlier.history)?, &rows, place(&rows)?, Some(strike))
            }
        };
        found.ok_or_else(nowhere)
    }
}

/// A game whose board is turned up cell by cell begins as the public saw it; every other shows all.
fn starting(history: &History, params: ViewParams) -> ViewParams {
    let panels = history.duel().view(Sight::Public).panels;
    let turns_up = panels.iter().any(|panel| matches!(panel, Panel::Grid { .. }));
    if params.sight.is_none() && turns_up && history.is_ended() {
        params.with_sight(Some(Sight::Public))
    } else {
        params
    }
}

fn no_beat(history: &History, row: &str, name: &str) -> Problem {
    Problem::not_found(format!(
        "Round {row} has three moments: before, choices and after, and one after each act but the last, such as act-1. Each \
         has a .svg and a .png. \u{201c}{name}\u{201d} is none of them."
    ))
    .back(Beat::After.address(history.match_id, row), format!("Go to round {row}, after"))
}

/// The error for an unknown round. It names the last round that was played, if the reader may know it.
fn no_round(history: &History, row: &str, params: ViewParams) -> Problem {
    let title = title(history);
    if params.spoilers.hidden() {
        return Problem::not_found(format!("There is no round \u{201c}{row}\u{201d} in the match {title}."))
            .back(format!("{}{}", match_address(history.match_id), params.query()), "Go to the match");
    }
    let rows = history.rows();
    let Some(last) = rows.last().filter(|last| last.round > 0) else {
        let so_far = if history.is_ended() { "was played" } else { "has been played yet" };
        return Problem::not_found(format!("No round of the match {title} {so_far}."))
            .back(match_address(history.match_id), "Go to the match");
    };
    let name = row_words(&last.label).to_lowercase();
    let goes_on = !history.is_ended() && !history.outcome().is_over();
    let coming = history.duel().coming_round().filter(|_| goes_on);
    let detail = if coming.is_some_and(|coming| coming.to_string() == row) {
        format!("Round {row} of the match {title} is not over yet. It gets its page when it closes.")
    } else if history.is_ended() {
        format!("There is no round \u{201c}{row}\u{201d} here: the match {title} ended with {name}.")
    } else {
        format!("There is no round \u{201c}{row}\u{201d} here: the last round of the match {title} so far is {name}.")
    };
    let address = Beat::After.address(history.match_id, &last.label);
    Problem::not_found(detail).back(address, format!("Go to {name}, after"))
}
