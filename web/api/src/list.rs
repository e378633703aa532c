//! The archive for programs: page by page, or all of it line by line.

use app::AppError;
use app::archive::{
    At, Filter, Key, MatchSummary, Place, ResultFilter, SeatFilter, Sort, VerdictFilter, read_filter, unknown_parameter,
};
use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use ledger::Hash;
use serde::Serialize;
use utoipa::ToSchema;

use super::read_request::ReadRequest;
use super::request::{Parameters, malformed};
use web_http::{Problem, is_known};

/// What the list is narrowed to, as in the addresses of the archive.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "the names and shapes, for the document; read_filter reads them")]
pub(super) struct ListQuery {
    /// Words of names, event, tags, source, rulings and remarks.
    #[param(max_length = 200)]
    q: Option<String>,
    /// The game.
    #[param(max_length = 200, example = "five-card-trick")]
    game: Option<String>,
    /// The ruleset's id.
    #[param(max_length = 200, example = "five-card-trick/dm-colosseum-2")]
    ruleset: Option<String>,
    /// The tournament's name, in any case and with or without accents.
    #[param(max_length = 200)]
    event: Option<String>,
    /// A player's name, likewise, in either seat.
    #[param(max_length = 200)]
    player: Option<String>,
    /// In which chair the player sat.
    #[param(inline, rename = "as")]
    chair: Option<SeatFilter>,
    /// The player's opponent.
    #[param(max_length = 200)]
    against: Option<String>,
    /// An umpire who runs it or ran it: the pseudonym, or the public name.
    #[param(max_length = 200)]
    umpire: Option<String>,
    /// The first day.
    #[param(format = Date, example = "2020-01-01")]
    from: Option<String>,
    /// The last day.
    #[param(format = Date, example = "2100-12-31")]
    to: Option<String>,
    /// The fewest rounds.
    #[param(pattern = "^[0-9]{1,5}$", example = "1")]
    rounds_min: Option<String>,
    /// The most rounds.
    #[param(pattern = "^[0-9]{1,5}$", example = "25")]
    rounds_max: Option<String>,
    /// How it stands; `won` and `lost` are the player's, where one is named.
    #[param(inline)]
    result: Option<ResultFilter>,
    /// The word of the rule that ended it.
    #[param(max_length = 200, example = "more-chips")]
    ending: Option<String>,
    /// Only matches with interventions: rulings, warnings, strikes or corrections.
    #[param(inline)]
    rulings: Option<YesWord>,
    /// What its check found when it was run last.
    #[param(inline)]
    check: Option<VerdictFilter>,
    /// A tag of an imported file.
    #[param(max_length = 200)]
    tag: Option<String>,
    /// What an answer named as `next`: the page after it, in the same order.
    #[param(max_length = 200)]
    after: Option<String>,
}

/// The order of a list, besides its filter.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "the names and shapes, for the document; read_order reads them")]
pub(super) struct OrderQuery {
    /// The order; the newest first, if it is left out.
    #[param(inline)]
    sort: Option<Sort>,
    /// How many at most, from 1 to 50; 50, if it is left out.
    #[param(pattern = "^([1-9]|[1-4][0-9]|50)$", example = "20")]
    limit: Option<String>,
}

/// The one word of a filter that is there or not.
#[derive(ToSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(dead_code, reason = "for the document")]
pub(super) enum YesWord {
    Yes,
}

/// A page of the list.
#[derive(Serialize, ToSchema)]
struct MatchList {
    /// In their order, 50 at most.
    matches: Vec<MatchSummary>,
    /// How many there are in all, counted up to 1,000.
    total: u32,
    /// Whether there are more than were counted.
    more_than_total: bool,
    /// The `after` of the next page; null on the last.
    next: Option<String>,
}

/// The query parameters besides those of the filter.
const AFTER: &str = "after";
const SORT: &str = "sort";
const LIMIT: &str = "limit";
const LIMIT_MAX: usize = 50;

/// Takes a parameter out of the others; the last one, if it is there more than once.
fn taken(parameters: &mut Vec<(String, String)>, name: &str) -> Option<String> {
    let found = parameters.iter().rfind(|(own, _)| own == name).map(|(_, value)| value.clone());
    parameters.retain(|(own, _)| own != name);
    found
}

fn read_order(parameters: &mut Vec<(String, String)>) -> Result<Sort, Problem> {
    let Some(word) = taken(parameters, SORT) else { return Ok(Sort::Newest) };
    let words = || Sort::ALL.iter().map(|sort| sort.word()).collect::<Vec<_>>().join(", ");
    word.parse().map_err(|_| malformed(format!("There is no order “{word}”; there are {}.", words())))
}

fn read_limit(parameters: &mut Vec<(String, String)>) -> Result<usize, Problem> {
    let Some(word) = taken(parameters, LIMIT) else { return Ok(LIMIT_MAX) };
    let limit = word.parse().ok().filter(|limit| (1..=LIMIT_MAX).contains(limit));
    limit.ok_or_else(|| malformed(format!("The limit is a number from 1 to {LIMIT_MAX}.")))
}

fn read(parameters: &[(String, String)], sort: Sort) -> Result<(Filter, Option<Place>), Problem> {
    if let Some(unknown) = unknown_parameter(parameters, &[AFTER]) {
        return Err(malformed(unknown));
    }
    // On a page, an empty field does not filter. An empty value from a program is an error.
    let worded =
        [Key::Seat, Key::From, Key::Until, Key::RoundsFrom, Key::RoundsUntil, Key::Result, Key::Ruled, Key::Verdict];
    let worded = worded.map(Key::name);
    if let Some((name, _)) = parameters.iter().find(|(name, value)| value.is_empty() && worded.contains(&name.as_str()))
    {
        return Err(malformed(format!("The parameter “{name}” is empty: leave it out.")));
    }
    let (filter, mut wrong) = read_filter(parameters);
    let rounds = [filter.rounds_from, filter.rounds_until].into_iter().flatten();
    wrong.extend(rounds.filter(|rounds| *rounds > 99_999).map(|_| "No match has so many rounds.".to_owned()));
    let after = parameters.iter().rfind(|(name, value)| name == AFTER && !value.is_empty());
    let after = after.map(|(_, place)| place.parse::<Place>()).transpose();
    match after {
        Ok(after) if wrong.is_empty() && after.is_none_or(|place| place.fits(sort)) => Ok((filter, after)),
        Ok(_) if !wrong.is_empty() => Err(Problem::refused(wrong.join(" "))),
        Ok(_) | Err(_) => {
            Err(Problem::refused("There is no such page: `after` is what an answer before named as `next`."))
        }
    }
}

/// Matches, newest first or in another order
#[utoipa::path(get, path = "/api/v1/matches", tag = "reading", operation_id = "listMatches", params(ListQuery, OrderQuery),
    responses((status = 200, description = "A page of the list. The header Link names the next one.", body = MatchList)))]
pub(super) async fn page(
    request: ReadRequest,
    uri: Uri,
    Parameters(mut parameters): Parameters<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let (sort, limit) = (read_order(&mut parameters)?, read_limit(&mut parameters)?);
    let (filter, after) = read(&parameters, sort)?;
    let (mut found, total) = request.app.archive().counted_list(&filter, sort, after.map(At::After).as_ref()).await?;
    if found.matches.len() > limit {
        found.matches.truncate(limit);
        found.older = found.matches.last().map(|last| Place::of(last, sort));
    }
    let next = found.older.map(|place| place.to_string());
    let link = next.as_ref().and_then(|next| HeaderValue::try_from(next_page(&uri, next)).ok());
    let page = MatchList { matches: found.matches, total: total.counted, more_than_total: total.more, next };
    let mut response = request.json(Hash::ZERO, &page)?;
    response.headers_mut().extend(link.map(|link| (header::LINK, link)));
    Ok(response)
}

/// The header Link for the page after this one (RFC 8288): the same address with another `after`.
fn next_page(uri: &Uri, next: &str) -> String {
    let kept =
        uri.query().unwrap_or_default().split('&').filter(|part| !part.is_empty() && !part.starts_with("after="));
    let query: Vec<_> = kept.map(str::to_owned).chain([format!("after={next}")]).collect();
    format!("<{}?{}>; rel=\"next\"", uri.path(), query.join("&"))
}

/// All matches that the filter leaves, one JSON object a line
///
/// It is written while it is read: however many there are, nobody holds them all. A line is a match as in the list.
#[utoipa::path(get, path = "/api/v1/matches.ndjson", tag = "reading", operation_id = "streamMatches", params(ListQuery),
    responses((status = 200, description = "The matches, newest first.", body = String, content_type = "application/x-ndjson")))]
pub(super) async fn lines(
    ReadRequest { app, headers }: ReadRequest,
    Parameters(parameters): Parameters<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let (filter, after) = read(&parameters, Sort::Newest)?;
    // The version is read before the matches, so the lines are at least as new.
    let tag = app.archive().archive_version().await?.tag();
    let known = is_known(&headers, &tag);
    let headers = [(header::ETAG, tag), (header::CACHE_CONTROL, "no-cache".to_owned())];
    if known {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    // The first matches are read before the answer begins, so that an error can still be reported.
    let first = app.archive().walk(&filter, after.as_ref()).await?;
    let pages = stream::try_unfold((app, Some(first)), move |(app, page)| {
        let filter = filter.clone();
        async move {
            let Some((matches, next)) = page else { return Ok::<_, AppError>(None) };
            let mut lines = Vec::new();
            for listed in matches {
                // The value holds only strings and numbers, so serializing cannot fail.
                lines.extend(serde_json::to_vec(&listed).unwrap_or_default());
                lines.push(b'\n');
            }
            // An error here breaks the connection before its end, so the reader notices the truncation.
            let page = match next {
                Some(next) => Some(app.archive().walk(&filter, Some(&next)).await?),
                None => None,
            };
            Ok(Some((Bytes::from(lines), (app, page))))
        }
    });
    let kind = HeaderValue::from_static("application/x-ndjson");
    Ok((headers, [(header::CONTENT_TYPE, kind)], Body::from_stream(pages.fuse())).into_response())
}
