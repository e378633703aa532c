//! The archive: every match, filtered by the address.

use std::sync::Arc;

use app::App;
use app::archive::{At, Count, Filter, Key, Page, Sort};
use app::umpires::UmpireNames;
use app::views::ruleset_name;
use askama::Template;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use record::words::{capital, ending_words};

use super::filter_form::{FilterForm, game_name, listed_games};
use super::named_in_words::{named_in_words, nearly_named, played_named};
use super::query::{ListQuery, address, address_at, page_address, read};
use super::similar_names::{SimilarNames, similar_filter};
use super::wider_filters::wider_filters;
use page::{ActionIcon, Frame, MatchList, When, rendered};
use web_http::visitor::Visitor;
use web_http::{Problem, Spoilers, site};

/// The matches that are shown where nothing was found.
const INSTEAD: u8 = 8;

#[derive(Template)]
#[template(path = "archive/list.html")]
struct List {
    frame: Frame,
    wrong: Vec<String>,
    form: FilterForm,
    /// The parts of the filter: the words, and the address without that part.
    parts: Vec<(String, String)>,
    all: String,
    total: String,
    listing: MatchList,
    /// The orders: the words, the address, and true for the one that is shown. None without spoilers.
    sorts: Vec<(&'static str, String, bool)>,
    sort: Sort,
    spoilers: Spoilers,
    otherwise: String,
    /// Wider filters, if this one finds nothing: the part to drop, the number of matches, the address.
    wider: Vec<(String, String, String)>,
    /// What the words name, if they find nothing: in words, with its address.
    named: Vec<(String, String)>,
    /// The newest matches, where nothing was found.
    instead: MatchList,
    /// The game that the words name, whose matches are shown.
    game: Option<(String, String)>,
    games: Vec<GameChip>,
    /// What is shown instead of names and words that are not in the archive.
    similar_names: Vec<SimilarNames>,
    pages: Vec<(&'static str, &'static str, String)>,
    /// The same matches as files: the label, and the address.
    files: Vec<(&'static str, String)>,
    feed: String,
    canonical: Option<String>,
}

/// What a filter found, and what was asked for in its place.
struct Found {
    list: (Page, Count),
    filter: Filter,
    similar_names: Vec<SimilarNames>,
    /// The words, and the game that they name.
    game: Option<(String, String)>,
}

struct GameChip {
    icon: Option<ActionIcon>,
    name: String,
    address: String,
    shown: bool,
}

pub(super) async fn list(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    request: HeaderMap,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let ListQuery { filter, sort, at, spoilers, mut wrong, unknown, no_page } = read(&parameters);
    if no_page {
        return Err(Problem::refused("This address names a page of the list that does not exist.")
            .back(page_address(&filter, sort, spoilers, None), "Go to the first page of the list"));
    }
    let site = site(&request);
    let status = if wrong.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    // Links pick up parameters of other sites on their way. They are reported, and change nothing.
    wrong.extend(unknown);
    let asked = app.archive().counted_list(&filter, sort, at.as_ref()).await?;
    let Found { list: (found, total), filter, similar_names, game } = match asked {
        (_, total) if total.counted == 0 => forgiving(&app, filter, sort, spoilers).await?,
        list => Found { list, filter, similar_names: Vec::new(), game: None },
    };
    let (wider, named) = match total.counted {
        0 => (wider_filters(&app, &filter, spoilers).await?, named_in_words(&app, &filter, spoilers).await?),
        _ => (Vec::new(), Vec::new()),
    };
    let instead =
        if total.counted == 0 { app.archive().newest(&Filter::default(), INSTEAD).await? } else { Vec::new() };
    let offered = app.archive().filter_choices().await?;
    let names = &offered.umpire_names;
    let caption = caption(&total, sort, at.as_ref());
    let frame = Frame { umpire: visitor.name(), ..frame() };
    let files = ["csv", "ndjson", "dmn", "json"];
    let template = List {
        frame,
        wrong,
        parts: Key::ALL.into_iter().filter_map(|key| filter_part(key, &filter, spoilers, names)).collect(),
        all: address(&Filter::default(), spoilers),
        total: total.to_string(),
        listing: MatchList { by_month: sort == Sort::Newest, ..MatchList::of(caption, &found.matches) }
            .with_hidden_caption()
            .with_spoilers(spoilers),
        spoilers,
        sorts: if spoilers.hidden() { Vec::new() } else { sorts(&filter, sort, spoilers) },
        sort,
        otherwise: match sort {
            Sort::Newest => page_address(&filter, sort, spoilers.other(), at.as_ref()),
            _ => address(&filter, spoilers.other()),
        },
        wider,
        named,
        instead: MatchList::of("The newest matches", &instead).with_spoilers(spoilers),
        similar_names,
        game,
        games: game_chips(&filter, spoilers),
        pages: pages(&found, &filter, sort, spoilers),
        files: files.map(|kind| (kind, address_at(&format!("/archive.{kind}"), &filter, Sort::Newest, None))).into(),
        feed: spoilers.in_address(address_at("/feed.atom", &filter, Sort::Newest, None)),
        canonical: at.is_none().then(|| format!("{site}{}", address(&filter, Spoilers::Shown))),
        form: FilterForm::of(&offered, filter),
    };
    rendered(status, &template)
}

fn caption(total: &Count, sort: Sort, at: Option<&At>) -> String {
    let part = match at {
        None if total.counted == 1 => return total.to_string(),
        None => "",
        Some(At::Last) => "; the last of them",
        Some(_) => "; a part of them",
    };
    format!("{}, {}{part}", capital(&total.to_string()), sort.label())
}

fn frame() -> Frame {
    Frame::titled("Archive")
        .in_section("archive")
        .described("Every recorded Death Match, by game, player, event, umpire, date, result and words; as files, too.")
}

/// A list that finds nothing: that of a game which the words name, or that of the nearest names, if they find something.
async fn forgiving(app: &App, filter: Filter, sort: Sort, spoilers: Spoilers) -> Result<Found, Problem> {
    let words = filter.words.clone().unwrap_or_default();
    let of_game = async |named: Vec<(String, Filter)>| -> Result<Option<Found>, Problem> {
        let [(name, filter)] = &named[..] else { return Ok(None) };
        let list = app.archive().counted_list(filter, sort, None).await?;
        let (filter, game) = (filter.clone(), Some((words.clone(), name.clone())));
        Ok((list.1.counted > 0).then_some(Found { list, filter, similar_names: Vec::new(), game }))
    };
    if let Some(found) = of_game(played_named(&filter, &words)).await? {
        return Ok(found);
    }
    if let Some((similar, names)) = similar_filter(app, &filter, spoilers).await? {
        let list = app.archive().counted_list(&similar, sort, None).await?;
        if list.1.counted > 0 {
            return Ok(Found { list, filter: similar, similar_names: names, game: None });
        }
    }
    if let Some(found) = of_game(nearly_named(&filter, &words)).await? {
        return Ok(found);
    }
    let nothing = (Page::default(), Count { counted: 0, more: false });
    Ok(Found { list: nothing, filter, similar_names: Vec::new(), game: None })
}

/// A link for each game: its icon, its name, the address, and true for the one that is shown.
fn game_chips(filter: &Filter, spoilers: Spoilers) -> Vec<GameChip> {
    let chip = |game: &str| GameChip {
        icon: picture::icon::GAMES.iter().find(|(known, _)| *known == game).map(|(_, outline)| ActionIcon(outline)),
        name: game_name(game).to_owned(),
        address: address(&Filter { game: Some(game.to_owned()), ruleset: None, ..filter.clone() }, spoilers),
        shown: filter.game.as_deref() == Some(game),
    };
    listed_games().into_iter().map(chip).collect()
}

fn pages(found: &Page, filter: &Filter, sort: Sort, spoilers: Spoilers) -> Vec<(&'static str, &'static str, String)> {
    let page = |at: At| page_address(filter, sort, spoilers, Some(&at));
    let [first, earlier, later, last] = match sort {
        Sort::Newest => ["← Newest", "Newer", "Older", "Oldest →"],
        _ => ["← First", "Previous", "Next", "Last →"],
    };
    let pages = [
        found.newer.map(|_| (first, "first", page_address(filter, sort, spoilers, None))),
        found.newer.map(|place| (earlier, "prev", page(At::Before(place)))),
        found.older.map(|place| (later, "next", page(At::After(place)))),
        found.older.map(|_| (last, "last", page(At::Last))),
    ];
    pages.into_iter().flatten().collect()
}

fn sorts(filter: &Filter, shown: Sort, spoilers: Spoilers) -> Vec<(&'static str, String, bool)> {
    let link = |sort: Sort| {
        let words = match sort {
            Sort::Newest => "Newest",
            Sort::Dramatic => "Most dramatic",
            Sort::Closest => "Closest",
            Sort::Late => "Decided late",
            Sort::Longest => "Longest",
        };
        (words, page_address(filter, sort, spoilers, None), sort == shown)
    };
    Sort::ALL.iter().map(|sort| link(*sort)).collect()
}

fn filter_part(key: Key, filter: &Filter, spoilers: Spoilers, names: &UmpireNames) -> Option<(String, String)> {
    let value = key.value(filter)?;
    let words = match key {
        Key::Game => game_name(&value).to_owned(),
        Key::Ruleset => ruleset_name(&value),
        Key::From | Key::Until => When::written(&value).text,
        Key::Seat => filter.seat.map(|chair| chair.label().to_owned()).unwrap_or_default(),
        Key::Result => filter.result.map(|result| result.label().to_owned()).unwrap_or_default(),
        Key::Verdict => filter.verdict.map(|verdict| verdict.label().to_owned()).unwrap_or_default(),
        Key::Ending => ending_words(&value),
        Key::Umpire => names.said(&value),
        Key::Ruled => "at least one".to_owned(),
        _ => value,
    };
    Some((format!("{}: {words}", capital(key.label())), address(&key.removed(filter), spoilers)))
}
