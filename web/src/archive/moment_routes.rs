//! The addresses of moments: pages, pictures, and frames on other sites.

use std::sync::Arc;

use app::App;
use app::views::{Beat, BeforeStrike, VisibleMatch, beat_scene, match_address};
use askama::Template;
use axum::Extension;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{Redirect, Response};
use ledger::Seq;
use record::{History, SheetRow, Strike};

use super::embed::{Embed, POLICY};
use super::match_page::title;
use super::moment::{Look, Moment};
use super::page_cache::{Basis, Kept};
use super::picture::{Kind, Wanted, picture};
use super::unread;
use crate::http::{Problem, Segments, ViewParams, fresh, site};
use crate::page::Urls;
use crate::visitor::Visitor;

/// A moment as its address names it.
#[derive(Clone, Debug)]
struct Named {
    /// The round's label in the score sheet.
    row: String,
    beat: Beat,
    /// The entry that struck it, if it no longer counts.
    strike: Option<Seq>,
    /// True if it is shown in a frame on another site.
    framed: bool,
}

/// A reader's request and view.
struct Wish {
    params: ViewParams,
    wanted: Wanted,
    request: HeaderMap,
    umpire: Option<String>,
}

/// `GET /m/{slug}/r/{row}/{beat}` and `GET /m/{slug}/r/{row}/{beat}.{svg,png}`
pub(super) async fn moment(
    State(app): State<Arc<App>>,
    Extension(kept): Extension<Arc<Kept>>,
    visitor: Visitor,
    Segments((slug, row, name)): Segments<(String, String, String)>,
    params: ViewParams,
    wanted: Result<Query<Wanted>, QueryRejection>,
    request: HeaderMap,
) -> Result<Response, Problem> {
    let wish = Wish { params, wanted: Wanted::of(wanted), request, umpire: visitor.name() };
    answer(&app, &kept, &slug, (row, &name), None, wish).await
}

/// `GET /m/{slug}/r/{row}`: a row begins with its first beat.
pub(super) async fn row(Segments((slug, row)): Segments<(String, String)>, params: ViewParams) -> Redirect {
    let path = [slug, row].map(|part| match askama::filters::urlencode_strict(part) {
        Ok(part) => part.to_string(),
        Err(never) => match never {},
    });
    let [slug, row] = path;
    Redirect::temporary(&format!("/m/{slug}/r/{row}/{}{}", Beat::Before.word(), params.query()))
}

/// `GET /m/{slug}/struck/{entry}/r/{row}/{beat}`: a round struck by this entry, as it was before.
pub(super) async fn struck(
    State(app): State<Arc<App>>,
    Extension(kept): Extension<Arc<Kept>>,
    visitor: Visitor,
    Segments((slug, entry, row, name)): Segments<(String, u32, String, String)>,
    params: ViewParams,
    wanted: Result<Query<Wanted>, QueryRejection>,
    request: HeaderMap,
) -> Result<Response, Problem> {
    let wish = Wish { params, wanted: Wanted::of(wanted), request, umpire: visitor.name() };
    answer(&app, &kept, &slug, (row, &name), Some(Seq(entry)), wish).await
}

/// `GET /embed/m/{slug}/r/{row}/{beat}`
pub(super) async fn embedded(
    State(app): State<Arc<App>>,
    Extension(kept): Extension<Arc<Kept>>,
    Segments((slug, row, name)): Segments<(String, String, String)>,
    params: ViewParams,
    request: HeaderMap,
) -> Result<Response, Problem> {
    let history = app.matches.history_of(&slug).await.map_err(|error| unread(&slug, error))?;
    let beat = name.parse().map_err(|()| no_beat(&history, &row, &name))?;
    let basis = (history, app.umpires.names());
    framed(&kept, basis, Some(Named { row, beat, strike: None, framed: true }), params, &request).await
}

/// `GET /embed/m/{slug}`: the current moment, or the first one without spoilers.
pub(super) async fn embedded_match(
    State(app): State<Arc<App>>,
    Extension(kept): Extension<Arc<Kept>>,
    Segments(slug): Segments<String>,
    params: ViewParams,
    request: HeaderMap,
) -> Result<Response, Problem> {
    let history = app.matches.history_of(&slug).await.map_err(|error| unread(&slug, error))?;
    let rows = history.rows();
    let (row, beat) = if params.spoilers.hidden() { (rows.first(), Beat::Before) } else { (rows.last(), Beat::After) };
    let named = row.map(|row| Named { row: row.label.clone(), beat, strike: None, framed: true });
    framed(&kept, (history.clone(), app.umpires.names()), named, params, &request).await
}

async fn answer(
    app: &App,
    kept: &Arc<Kept>,
    slug: &str,
    (row, name): (String, &str),
    strike: Option<Seq>,
    wish: Wish,
) -> Result<Response, Problem> {
    let history = app.matches.history_of(slug).await.map_err(|error| unread(slug, error))?;
    let (word, kind) = match name.split_once('.') {
        Some((word, extension)) => (word, Kind::of(extension)),
        None => (name, None),
    };
    let known = kind.is_some() || !name.contains('.');
    let beat = word.parse().ok().filter(|_| known).ok_or_else(|| no_beat(&history, &row, name))?;
    let named = Named { row, beat, strike, framed: false };
    let Wish { params, wanted, request, umpire } = wish;
    params
        .visible(&history)
        .map_err(|problem| problem.back(named.plain(&history), "Look at what everybody may know"))?;
    let place = named.place(params);
    if let Some(kind) = kind {
        let scene = move |history: &History| {
            named.find(history, params, |visible, rows, at, _| beat_scene(visible, rows, at, named.beat))
        };
        return picture(kept, &history, &place, kind, &wanted, &request, scene).await;
    }
    let (anybody, site, names) = (umpire.is_none(), site(&request), app.umpires.names());
    let basis = (history.clone(), names.clone());
    if let Some(answer) = kept.moment(&basis, &place, &site).filter(|_| anybody) {
        return Ok(fresh(&request, history.head.leaf, answer));
    }
    let (drawn, here) = (history.clone(), site.clone());
    let draw = move || {
        let page = named.find(&drawn, params, |visible, rows, at, strike| {
            let urls = named.urls(visible.history, params);
            let look = Look { params, urls, strike, umpire, site: &here, umpires: &names, now: &drawn };
            Moment::of(visible, rows, at, named.beat, &look)
        })?;
        page.render().map_err(|error| Problem::broken(&error))
    };
    // Searching a state for findings is slow, and so is rebuilding a struck round.
    let answer = kept.drawn(true, || kept.moment(&basis, &place, &site).filter(|_| anybody), draw).await?;
    if anybody {
        kept.keep_moment(basis, place, &site, &answer);
    }
    Ok(fresh(&request, history.head.leaf, answer))
}

/// A moment in a frame on another site, or a notice that there is none yet.
async fn framed(
    kept: &Arc<Kept>,
    basis: Basis,
    named: Option<Named>,
    params: ViewParams,
    request: &HeaderMap,
) -> Result<Response, Problem> {
    let (history, names) = &basis;
    params.visible(history)?;
    let place = named.as_ref().map_or_else(|| format!("frame{}", params.query()), |named| named.place(params));
    let site = site(request);
    let answer = match kept.moment(&basis, &place, &site) {
        Some(answer) => answer,
        None => {
            let (drawn, names, here) = (history.clone(), names.clone(), site.clone());
            let draw = move || {
                let moment = named.map(|named| {
                    named.find(&drawn, params, |visible, rows, at, strike| {
                        let look = Look {
                            params,
                            urls: named.urls(&drawn, params),
                            strike,
                            umpire: None,
                            site: &here,
                            umpires: &names,
                            now: &drawn,
                        };
                        Moment::of(visible, rows, at, named.beat, &look)
                    })
                });
                let embed = Embed::of(&drawn, moment.transpose()?, params);
                embed.render().map_err(|error| Problem::broken(&error))
            };
            let answer = kept.drawn(true, || kept.moment(&basis, &place, &site), draw).await?;
            kept.keep_moment(basis.clone(), place, &site, &answer);
            answer
        }
    };
    let mut response = fresh(request, history.head.leaf, answer);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    Ok(response)
}

impl Named {
    /// Its key in the page cache.
    fn place(&self, params: ViewParams) -> String {
        let strike = self.strike.map(|strike| format!("struck/{}/", strike.0)).unwrap_or_default();
        let frame = if self.framed { "frame/" } else { "" };
        format!("{frame}{strike}{}/{}{}", self.row, self.beat.word(), params.query())
    }

    /// Its address without parameters.
    fn plain(&self, history: &History) -> String {
        self.urls(history, ViewParams::default()).moment(&self.row, self.beat)
    }

    fn urls(&self, history: &History, params: ViewParams) -> Urls {
        let urls =
            if self.framed { Urls::embedded(history.match_id, params) } else { Urls::of(history.match_id, params) };
        self.strike.map_or(urls.clone(), |strike| urls.struck(strike))
    }

    /// Finds the moment, and calls `then` with the match, the rows and its index.
    fn find<T>(
        &self,
        history: &History,
        params: ViewParams,
        then: impl FnOnce(&VisibleMatch<'_>, &[SheetRow<'_>], usize, Option<&Strike>) -> Option<T>,
    ) -> Result<T, Problem> {
        let nowhere = || no_round(history, &self.row, params);
        let place = |rows: &[SheetRow<'_>]| rows.iter().position(|row| row.label == self.row).ok_or_else(nowhere);
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

fn no_beat(history: &History, row: &str, name: &str) -> Problem {
    Problem::not_found(format!(
        "A round has three moments: before, choices and after, each with .svg and .png. \u{201c}{name}\u{201d} is none \
         of them."
    ))
    .back(Beat::After.address(history.match_id, row), format!("Go to round {row}, after"))
}

/// The error for an unknown round. It names the last round, if the reader may know it.
fn no_round(history: &History, row: &str, params: ViewParams) -> Problem {
    let title = title(history);
    if params.spoilers.hidden() {
        return Problem::not_found(format!("There is no round \u{201c}{row}\u{201d} in the match {title}."))
            .back(format!("{}{}", match_address(history.match_id), params.query()), "Go to the match");
    }
    match history.rows().last() {
        Some(last) => {
            let how = if history.is_ended() { "ended with" } else { "has come to" };
            let detail =
                format!("There is no round \u{201c}{row}\u{201d} here: the match {title} {how} round {}.", last.label);
            let address = Beat::After.address(history.match_id, &last.label);
            Problem::not_found(detail).back(address, format!("Go to round {}, after", last.label))
        }
        None => Problem::not_found(format!("No round of the match {title} has been played."))
            .back(match_address(history.match_id), "Go to the match"),
    }
}
