//! The archive: every match, filtered by the address.

use std::sync::Arc;

use app::App;
use app::archive::{At, Filter, FilterChoices, Key, ResultFilter, SeatFilter, VerdictFilter};
use app::umpires::UmpireNames;
use app::views::ruleset_name;
use askama::Template;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use record::words::{capital, ending_words};

use super::query::{ListQuery, address, address_at, page_address, read};
use super::similar_names::{SimilarNames, similar_names};
use crate::http::{Problem, Spoilers};
use crate::page::{Frame, MatchList, When, rendered};
use crate::visitor::Visitor;

/// With at most this many parts, a filter is also tried without two of them.
const PAIRED_PARTS: usize = 6;
/// The number of wider filters that are offered.
const WIDER_MAX: usize = 8;

#[derive(Template)]
#[template(path = "archive/list.html")]
struct List {
    frame: Frame,
    wrong: Vec<String>,
    form: FilterForm,
    /// The parts of the filter: the words, and the address without that part.
    parts: Vec<(String, String)>,
    /// Every match, in the same view.
    all: String,
    listing: MatchList,
    spoilers: Spoilers,
    /// The same page with the opposite setting for spoilers.
    otherwise: String,
    /// Wider filters, if this one finds nothing: the part to drop, the number of matches, the address.
    wider: Vec<(String, String, String)>,
    /// Similar names for those that nobody has.
    similar_names: Vec<SimilarNames>,
    pages: Vec<(&'static str, &'static str, String)>,
    /// The same matches as files: the label, and the address.
    files: Vec<(&'static str, String)>,
    feed: String,
}

/// The form of the filter.
struct FilterForm {
    games: Vec<SelectOption>,
    rulesets: Vec<(&'static str, Vec<SelectOption>)>,
    results: Vec<SelectOption>,
    chairs: Vec<SelectOption>,
    endings: Vec<SelectOption>,
    verdicts: Vec<SelectOption>,
    /// Names to suggest.
    players: Vec<String>,
    events: Vec<String>,
    umpires: Vec<String>,
    tags: Vec<String>,
    /// The values, by the name of their field.
    filter: Filter,
    /// True if a value is set in the part that is usually folded.
    open: bool,
}

/// A value to choose.
struct SelectOption {
    value: String,
    label: String,
    selected: bool,
}

impl SelectOption {
    fn new(value: &str, label: impl Into<String>, selected: Option<&str>) -> Self {
        Self { value: value.to_owned(), label: label.into(), selected: selected == Some(value) }
    }
}

/// `GET /archive`
pub(super) async fn list(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let ListQuery { filter, at, spoilers, mut wrong, unknown, no_page } = read(&parameters);
    if no_page {
        return Err(Problem::refused("This address names a page of the list that does not exist.")
            .back(address(&filter, spoilers), "Go to the first page of the list"));
    }
    let status = if wrong.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    // Links pick up parameters of other sites on their way. They are reported, and change nothing.
    wrong.extend(unknown);
    let (found, total) = app.archive.counted_list(&filter, at.as_ref()).await?;
    let wider = if total.counted == 0 { wider(&app, &filter, spoilers).await? } else { Vec::new() };
    let offered = app.archive.filter_choices().await?;
    let names = &offered.umpire_names;
    let similar_names = if total.counted == 0 { similar_names(&app, &filter, spoilers).await? } else { Vec::new() };
    let caption = match at {
        None if total.counted == 1 => total.to_string(),
        None => format!("{}, newest first", capital(&total.to_string())),
        Some(At::Last) => format!("{}, newest first; the oldest of them", capital(&total.to_string())),
        Some(_) => format!("{}, newest first; a part of them", capital(&total.to_string())),
    };
    let frame = Frame { umpire: visitor.name(), ..frame() };
    let page = |at: At| page_address(&filter, spoilers, Some(&at));
    let pages = [
        found.newer.map(|_| ("← Newest", "first", address(&filter, spoilers))),
        found.newer.map(|place| ("Newer", "prev", page(At::Before(place)))),
        found.older.map(|place| ("Older", "next", page(At::After(place)))),
        found.older.map(|_| ("Oldest →", "last", page(At::Last))),
    ];
    let files = ["csv", "ndjson", "dmn", "json"];
    let template = List {
        frame,
        wrong,
        parts: Key::ALL.into_iter().filter_map(|key| filter_part(key, &filter, spoilers, names)).collect(),
        all: address(&Filter::default(), spoilers),
        listing: MatchList::of(caption, &found.matches).with_spoilers(spoilers),
        spoilers,
        otherwise: page_address(&filter, spoilers.other(), at.as_ref()),
        wider,
        similar_names,
        pages: pages.into_iter().flatten().collect(),
        files: files.map(|kind| (kind, address_at(&format!("/archive.{kind}"), &filter, None))).into(),
        feed: spoilers.in_address(address_at("/feed.atom", &filter, None)),
        form: FilterForm::of(&offered, filter),
    };
    rendered(status, &template)
}

/// The nearest filters that find something, if this one finds nothing: without one of its parts, or without two if that
/// is not enough. The one that adds the fewest matches comes first.
async fn wider(app: &App, filter: &Filter, spoilers: Spoilers) -> Result<Vec<(String, String, String)>, Problem> {
    let keys: Vec<Key> = Key::ALL.into_iter().filter(|key| key.value(filter).is_some()).collect();
    let one = keys.iter().map(|key| key.removed(filter));
    let two = keys.iter().enumerate().flat_map(|(n, first)| keys.iter().skip(n + 1).map(move |second| (first, second)));
    let two = two.map(|(first, second)| second.removed(&first.removed(filter)));
    // Some parts depend on others, and are dropped with them.
    let gone = |wider: &Filter| {
        let gone = keys.iter().filter(|key| key.value(wider).is_none()).map(|key| key.label());
        gone.collect::<Vec<_>>().join(" and the ")
    };
    // A filter with many parts has too many pairs to count.
    let two = two.take(if keys.len() <= PAIRED_PARTS { usize::MAX } else { 0 });
    for candidates in [one.collect::<Vec<_>>(), two.collect()] {
        let mut wider = Vec::new();
        for filter in candidates {
            let total = app.archive.count(&filter).await?;
            if total.counted > 0 {
                wider.push((total, gone(&filter), address(&filter, spoilers)));
            }
        }
        if !wider.is_empty() {
            wider.sort_by_key(|(total, ..)| *total);
            wider.truncate(WIDER_MAX);
            return Ok(wider.into_iter().map(|(total, label, address)| (label, total.to_string(), address)).collect());
        }
    }
    Ok(Vec::new())
}

fn frame() -> Frame {
    Frame::titled("Archive")
        .in_section("archive")
        .described("Every recorded Death Match, by game, player, event, umpire, date, result and words; as files, too.")
}

impl FilterForm {
    fn of(offered: &FilterChoices, filter: Filter) -> Self {
        let names = &offered.umpire_names;
        let umpires = offered.umpires.iter().map(|id| names.of(id).unwrap_or(id).to_owned()).collect();
        let ending = filter.ending.as_deref();
        let word = filter.result.map(ResultFilter::word);
        let results = ResultFilter::ALL.iter().map(|it| SelectOption::new(it.word(), capital(it.label()), word));
        let chair = filter.seat.map(SeatFilter::word);
        let chairs = SeatFilter::ALL.iter().map(|it| SelectOption::new(it.word(), capital(it.label()), chair));
        let found = filter.verdict.map(VerdictFilter::word);
        let verdicts = VerdictFilter::ALL.iter().map(|it| SelectOption::new(it.word(), capital(it.label()), found));
        let folded = [
            Key::Seat,
            Key::Against,
            Key::Umpire,
            Key::From,
            Key::Until,
            Key::RoundsFrom,
            Key::RoundsUntil,
            Key::Ending,
            Key::Ruled,
            Key::Verdict,
            Key::Tag,
        ];
        Self {
            games: games(&filter),
            rulesets: rulesets(&filter),
            results: results.collect(),
            chairs: chairs.collect(),
            endings: offered
                .endings
                .iter()
                .map(|word| SelectOption::new(word, capital(&ending_words(word)), ending))
                .collect(),
            verdicts: verdicts.collect(),
            players: offered.players.clone(),
            events: offered.events.clone(),
            umpires,
            tags: offered.tags.clone(),
            open: folded.into_iter().any(|key| key.value(&filter).is_some()),
            filter,
        }
    }

    /// The value of a field.
    fn text(&self, name: &str) -> String {
        let key = Key::ALL.into_iter().find(|key| key.name() == name);
        key.and_then(|key| key.value(&self.filter)).unwrap_or_default()
    }
}

/// The name of a game: the title of its first ruleset.
fn game_name(game: &str) -> &str {
    engine::rulesets().find(|ruleset| ruleset.game() == game).map_or(game, |ruleset| ruleset.card().title)
}

fn games(filter: &Filter) -> Vec<SelectOption> {
    let mut games: Vec<&str> = engine::rulesets().map(|ruleset| ruleset.game()).collect();
    games.dedup();
    games.into_iter().map(|game| SelectOption::new(game, game_name(game), filter.game.as_deref())).collect()
}

fn rulesets(filter: &Filter) -> Vec<(&'static str, Vec<SelectOption>)> {
    let mut games: Vec<(&str, &'static str, Vec<SelectOption>)> = Vec::new();
    for ruleset in engine::rulesets() {
        let card = ruleset.card();
        let choice = SelectOption::new(card.id, card.hosting, filter.ruleset.as_deref());
        match games.last_mut() {
            Some((game, _, choices)) if *game == ruleset.game() => choices.push(choice),
            _ => games.push((ruleset.game(), card.title, vec![choice])),
        }
    }
    games.into_iter().map(|(_, title, choices)| (title, choices)).collect()
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
