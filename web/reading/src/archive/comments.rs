//! Comments on moments: shown beside them, and written and withdrawn by a form. Without spoilers there are none, because
//! they may tell how the match went on.

use std::sync::Arc;

use app::account::{RateLimit, RateLimits, Umpire};
use app::comments::{Comment, CommentPlace, CommentRights};
use app::text::CommentText;
use app::views::{Beat, CommentedMoment, comment_place, match_address};
use app::{App, AppError, by_umpire, slug};
use askama::Template;
use axum::Extension;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use record::words::row_words;
use record::{History, SheetRow};
use uuid::Uuid;

use super::history_problem;
use super::moment_context::MomentContext;
use super::moment_routes::MomentPath;
use super::page_cache::PageSource;
use super::recordings::RecordingList;
use page::form_data::FormData;
use page::{Link, Urls, When, escaped, form, page};
use web_http::visitor::SignedIn;
use web_http::{ErrorKind, Problem, Segments, ViewParams, site};

/// The page that a browser shows on its way back has the form that was sent.
const SENT_BEFORE: &str = "Another comment was sent with this form before. To add this one, send it again.";

#[derive(Clone, Debug, Default)]
pub(super) struct MatchComments {
    all: Vec<Comment>,
    reader: Option<Reader>,
    pub(super) recordings: RecordingList,
}

#[derive(Clone, Debug)]
struct Reader {
    umpire: Umpire,
    rights: CommentRights,
    form: String,
    /// What was typed, and why it was refused.
    refused: Option<(String, String)>,
}

impl MatchComments {
    pub(super) async fn of(
        app: &App,
        history: &History,
        umpire: Option<&Umpire>,
        params: ViewParams,
    ) -> Result<Self, AppError> {
        if params.spoilers.hidden() {
            return Ok(Self::default());
        }
        let reader = match umpire {
            None => None,
            Some(umpire) => {
                let rights = app.comments.rights(history, umpire).await?;
                Some(Reader { umpire: umpire.clone(), rights, form: form::fresh(app.system()), refused: None })
            }
        };
        let rights = reader.as_ref().map(|reader| (&reader.umpire, reader.rights));
        let recordings = RecordingList::of(app, history.match_id, rights).await?;
        Ok(Self { all: app.comments.of_match(history.match_id).await?, reader, recordings })
    }

    /// Their number, and a link to each moment that has some, in the order of the match; nothing without comments.
    pub(super) fn links(&self, history: &History, urls: &Urls) -> Option<(usize, Vec<Link>)> {
        let mut all: Vec<CommentPlace> = self.all.iter().map(|comment| comment.place).collect();
        all.sort_by_key(|place| (place.step, place.side, place.entry));
        let (mut number, mut links) = (0, Vec::new());
        for here in all.chunk_by(PartialEq::eq) {
            let Some(moment) = here.first().and_then(|place| CommentedMoment::of(history, place)) else { continue };
            let struck = if moment.strike.is_some() { ", struck" } else { "" };
            let many = if here.len() > 1 { format!(" ({})", here.len()) } else { String::new() };
            let words = format!("{}, {}{struck}{many}", row_words(&moment.label), moment.beat.words());
            links.push(Link { address: address(urls, &moment), words });
            number += here.len();
        }
        (number > 0).then_some((number, links))
    }
}

fn address(urls: &Urls, moment: &CommentedMoment) -> String {
    let urls = moment.strike.map_or_else(|| urls.clone(), |strike| urls.struck(strike));
    format!("{}#comments", urls.moment(&moment.label, moment.beat))
}

#[derive(Template)]
#[template(path = "archive/comments.html")]
pub(super) struct CommentList {
    address: String,
    shown: Vec<ShownComment>,
    form: Option<CommentForm>,
}

struct ShownComment {
    text: String,
    by: String,
    at: When,
    withdraw: Option<String>,
}

struct CommentForm {
    form: String,
    row: String,
    beat: Beat,
    place: String,
    text: String,
    error: Option<String>,
    commentators: Option<String>,
}

impl CommentList {
    /// The comments of a moment of a row. A round that was struck gets no new ones.
    pub(super) fn of(row: &SheetRow<'_>, beat: Beat, context: &MomentContext<'_>) -> Self {
        let (comments, match_id) = (context.comments, context.now.match_id);
        let place = comment_place(row, beat);
        let here = comments.all.iter().filter(|comment| Some(comment.place) == place);
        let may_withdraw = |comment: &Comment| {
            let reader = comments.reader.as_ref();
            reader.is_some_and(|reader| reader.rights.withdraw_any || reader.umpire.id == comment.umpire)
        };
        let shown = here.map(|comment| ShownComment {
            text: comment.text.clone(),
            by: context.umpires.said(&comment.umpire),
            at: When::utc_minute(comment.at),
            withdraw: may_withdraw(comment).then(|| comment.id.to_string()),
        });
        let writer = comments.reader.as_ref().filter(|reader| reader.rights.write && context.strike.is_none());
        let form = writer.zip(place).map(|(reader, place)| {
            let (text, error) = reader.refused.clone().map_or_else(Default::default, |(text, why)| (text, Some(why)));
            let own = *context.now.umpire_now() == by_umpire(&reader.umpire.id);
            CommentForm {
                form: reader.form.clone(),
                row: row.label.clone(),
                beat,
                place: written(&place),
                text,
                error,
                commentators: own.then(|| format!("/umpire/m/{}/links#commentators", slug(match_id))),
            }
        });
        Self { address: format!("{}/comments", match_address(match_id)), shown: shown.collect(), form }
    }
}

fn written(place: &CommentPlace) -> String {
    format!("{}:{}", place.step, place.entry.0)
}

pub(super) async fn back(Segments(slug): Segments<String>) -> Redirect {
    Redirect::to(&format!("/m/{}", escaped(&slug)))
}

pub(super) async fn send(
    State(app): State<Arc<App>>,
    Extension(limits): Extension<Arc<RateLimits>>,
    Segments(slug): Segments<String>,
    umpire: SignedIn,
    headers: HeaderMap,
    sent: FormData,
) -> Result<Response, Problem> {
    let source = PageSource::of(&app, &slug).await.map_err(|error| history_problem(&slug, error))?;
    let counted = limits.count(app.system(), RateLimit::Comment, umpire.0.id.as_bytes());
    counted.map_err(|many| Problem::too_many(many.retry_seconds))?;
    if !sent.text("withdraw").is_empty() {
        return withdraw(&app, &source.history, &umpire.0, sent.text("withdraw")).await;
    }
    if !app.comments.rights(&source.history, &umpire.0).await?.write {
        return Err(not_yours(&source.history));
    }
    let form = sent.form()?;
    let beat = sent.text("beat").parse::<Beat>();
    let beat = beat.map_err(|()| Problem::not_found("A comment is about a moment of a match."))?;
    let path = MomentPath { row: sent.text("row").to_owned(), beat, strike: None, framed: false };
    // As the page of this moment: nothing can be written on what is not public yet.
    let place =
        path.find(&source.history, ViewParams::default(), |_, rows, at, _| comment_place(rows.get(at)?, beat))?;
    let read = if sent.text("place") == written(&place) {
        CommentText::read(sent.raw("text")).map_err(|why| why.to_string())
    } else {
        Err("This moment was changed since you opened its page. Read it again, then add your comment.".to_owned())
    };
    let written = match read {
        Ok(text) => match app.comments.write(&source.history, &umpire.0, form, place, text).await? {
            true => Ok(()),
            false => Err(SENT_BEFORE.to_owned()),
        },
        Err(why) => Err(why),
    };
    match written {
        Ok(()) => {
            let urls = Urls::of(source.history.match_id, ViewParams::default());
            let moment = CommentedMoment { label: path.row, beat, strike: None };
            Ok(Redirect::to(&address(&urls, &moment)).into_response())
        }
        Err(why) => refused(&app, &source, &path, &umpire, &site(&headers), (sent.raw("text"), why)).await,
    }
}

async fn refused(
    app: &App,
    source: &PageSource,
    path: &MomentPath,
    umpire: &SignedIn,
    site: &str,
    (typed, why): (&str, String),
) -> Result<Response, Problem> {
    let params = ViewParams::default();
    let mut comments = MatchComments::of(app, &source.history, Some(&umpire.0), params).await?;
    if let Some(reader) = &mut comments.reader {
        reader.refused = Some((typed.to_owned(), why.clone()));
    }
    let moment = path.moment(source, params, Some(umpire.0.name.clone()), site, &comments)?;
    let (mut response, problem) = (page(&moment)?, Problem::refused(why));
    *response.status_mut() = problem.status();
    response.extensions_mut().insert(problem);
    Ok(response)
}

/// Withdraws a comment, and leads to its moment. One that was withdrawn before stays so.
async fn withdraw(app: &App, history: &History, umpire: &Umpire, id: &str) -> Result<Response, Problem> {
    let id: Uuid = id.parse().map_err(|_| Problem::not_found("There is no such comment."))?;
    let urls = Urls::of(history.match_id, ViewParams::default());
    let all = app.comments.of_match(history.match_id).await?;
    let Some(comment) = all.into_iter().find(|comment| comment.id == id) else {
        return Ok(Redirect::to(&urls.page()).into_response());
    };
    if !app.comments.withdraw(history, umpire, id).await? {
        return Err(not_yours(history));
    }
    let moment = CommentedMoment::of(history, &comment.place);
    let then = moment.map_or_else(|| urls.page(), |moment| address(&urls, &moment));
    Ok(Redirect::to(&then).into_response())
}

fn not_yours(history: &History) -> Problem {
    let detail = "Comments are written by the match\u{2019}s umpire, by helpers, and by the commentators whom the umpire names. \
                  Their authors and the match\u{2019}s umpire withdraw them.";
    Problem::of(ErrorKind::NotYourMatch, detail).back(match_address(history.match_id), "Go to the match")
}
