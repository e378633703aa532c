//! The archive for programs: page by page, or all of it line by line.

use app::AppError;
use app::archive::{At, Filter, Key, MatchSummary, Place, Sort, read_filter, unknown_parameter};
use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use ledger::Hash;
use serde::Serialize;
use utoipa::ToSchema;

use super::read_request::ReadRequest;
use super::request::{Parameters, malformed};
use super::shapes::time;
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
    chair: Option<ChairWord>,
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
    result: Option<ResultWord>,
    /// The word of the rule that ended it.
    #[param(max_length = 200, example = "more-chips")]
    ending: Option<String>,
    /// Only matches with interventions: rulings, warnings, strikes or corrections.
    #[param(inline)]
    rulings: Option<YesWord>,
    /// What its check found when it was run last.
    #[param(inline)]
    check: Option<CheckWord>,
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
    sort: Option<SortWord>,
}

/// Words of the filter.
macro_rules! words {
    ($($name:ident { $($word:ident),+ })+) => { $(
        #[derive(ToSchema)]
        #[serde(rename_all = "kebab-case")]
        #[expect(dead_code, reason = "for the document")]
        pub(super) enum $name { $($word),+ }
    )+ };
}

words! {
    ResultWord { Won, Lost, P1Won, P2Won, DmoWon, EcWon, Undecided, Void, Running, Ended, Counts }
    ChairWord { P1, P2, Dmo, Ec }
    CheckWord { Verified, Rulings, Pending, Unknown, Failed, Unchecked }
    YesWord { Yes }
    SortWord { Newest, Dramatic, Closest, Late, Longest }
}

/// A match in a list.
#[derive(Serialize, ToSchema)]
#[schema(as = ListedMatch)]
pub(super) struct MatchRow {
    /// Its id in the record.
    #[serde(rename = "match")]
    match_id: String,
    /// Its short name, in addresses.
    #[schema(example = "3t16wed731")]
    slug: String,
    ruleset: String,
    event: Option<String>,
    /// When it was played, as it was written.
    date: Option<String>,
    /// The first player's name; null where it was withdrawn.
    p1: Option<String>,
    /// The second player's.
    p2: Option<String>,
    /// The seat of the Death Match Opponent, where there is one.
    dmo: Option<String>,
    /// How answers come in as it stands, or came in to the end: `live` (the players submit), `recorded` (an umpire types)
    /// or `imported`.
    mode: String,
    /// The pseudonym of its umpire, as the record names them.
    umpire: String,
    /// The name under which the umpire wants to be known.
    umpire_name: Option<String>,
    /// `p1`, `p2`, `undecided`, `void`, or `*` while it runs.
    result: String,
    /// A word for why.
    reason: String,
    rounds: i32,
    score_p1: Option<i32>,
    score_p2: Option<i32>,
    /// Interventions: rulings, warnings, strikes and corrections, and moves typed for a seat that signs.
    rulings: i32,
    /// How often the lead changed.
    lead_changes: i32,
    /// The points of the largest swing between two rounds; 0 if there was none above one point.
    swing: i32,
    /// The largest deficit that the winner overcame, in points; 0 if there was none above one.
    comeback: i32,
    /// How close the finish was, from 0 to 1,000 for tied scores; null without a finish by the rules.
    closeness: Option<i32>,
    /// How late it was decided, from 0 to 1,000 in the last row of the sheet; null where the rules did not end it with a
    /// winner.
    lateness: Option<i32>,
    /// How dramatic it was: 20 for each change of the lead, and the largest swing in hundredths of the highest score.
    drama: i32,
    /// What its check found when it was run last.
    check: String,
    /// What the list is ordered by: the day of a past match, and the moment at which any other was opened, or a past one
    /// without a date was entered.
    played_at: String,
}

/// A page of the list.
#[derive(Serialize, ToSchema)]
struct MatchList {
    /// In their order, 50 at most.
    matches: Vec<MatchRow>,
    /// How many there are in all, counted up to 1,000.
    total: u32,
    /// Whether there are more than were counted.
    more_than_total: bool,
    /// The `after` of the next page; null on the last.
    next: Option<String>,
}

impl From<MatchSummary> for MatchRow {
    fn from(listed: MatchSummary) -> Self {
        Self {
            match_id: listed.match_id.to_string(),
            slug: listed.slug,
            ruleset: listed.ruleset,
            event: listed.event,
            date: listed.date,
            p1: listed.p1_key.map(|_| listed.p1),
            p2: listed.p2_key.map(|_| listed.p2),
            dmo: listed.dmo,
            mode: listed.mode,
            umpire: listed.umpire,
            umpire_name: listed.umpire_name,
            result: listed.result,
            reason: listed.reason,
            rounds: listed.rounds,
            score_p1: listed.score_p1,
            score_p2: listed.score_p2,
            rulings: listed.rulings,
            lead_changes: listed.lead_changes,
            swing: listed.swing,
            comeback: listed.comeback,
            closeness: Some(listed.closeness).filter(|closeness| *closeness >= 0),
            lateness: Some(listed.lateness).filter(|lateness| *lateness >= 0),
            drama: listed.drama,
            check: listed.verdict,
            played_at: time(listed.played_at),
        }
    }
}

/// The query parameters besides those of the filter.
const AFTER: &str = "after";
const SORT: &str = "sort";

fn read_order(mut parameters: Vec<(String, String)>) -> Result<(Sort, Vec<(String, String)>), Problem> {
    let Some(at) = parameters.iter().rposition(|(name, _)| name == SORT) else { return Ok((Sort::Newest, parameters)) };
    let (_, word) = parameters.remove(at);
    parameters.retain(|(name, _)| name != SORT);
    let words = || Sort::ALL.iter().map(|sort| sort.word()).collect::<Vec<_>>().join(", ");
    let sort = word.parse().map_err(|_| malformed(format!("There is no order “{word}”; there are {}.", words())))?;
    Ok((sort, parameters))
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
    responses((status = 200, description = "A page of the list.", body = MatchList)))]
pub(super) async fn page(
    request: ReadRequest,
    Parameters(parameters): Parameters<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let (sort, parameters) = read_order(parameters)?;
    let (filter, after) = read(&parameters, sort)?;
    let (found, total) = request.app.archive().counted_list(&filter, sort, after.map(At::After).as_ref()).await?;
    let page = MatchList {
        matches: found.matches.into_iter().map(MatchRow::from).collect(),
        total: total.counted,
        more_than_total: total.more,
        next: found.older.map(|place| place.to_string()),
    };
    request.json(Hash::ZERO, &page)
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
                lines.extend(serde_json::to_vec(&MatchRow::from(listed)).unwrap_or_default());
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
