//! The archive: every match, narrowed by the address.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;

use super::listing::{Listing, ruleset_name};
use super::query::{Asked, Key, address, read};
use crate::account::Visitor;
use crate::book::{Book, BookError, Filter, ResultFilter};
use crate::page::{Frame, Problem, capital, rendered};

#[derive(Template)]
#[template(path = "archive/list.html")]
struct List {
    frame: Frame,
    wrong: Vec<String>,
    games: Vec<Choice>,
    rulesets: Vec<(&'static str, Vec<Choice>)>,
    events: Vec<Choice>,
    results: Vec<Choice>,
    player: String,
    players: Vec<String>,
    /// The parts of the filter: its words, and the address without it.
    picked: Vec<(String, String)>,
    listing: Listing,
    /// Filters that leave something where this one leaves nothing: which part to drop, how many, the address.
    wider: Vec<(String, i64, String)>,
    newest: Option<String>,
    older: Option<String>,
}

/// A value on offer.
struct Choice {
    value: String,
    label: String,
    picked: bool,
}

impl Choice {
    fn new(value: &str, label: impl Into<String>, picked: Option<&str>) -> Self {
        Self { value: value.to_owned(), label: label.into(), picked: picked == Some(value) }
    }
}

/// `GET /archive`
pub(super) async fn list(
    State(book): State<Arc<Book>>,
    visitor: Visitor,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let Asked { filter, after, wrong } = read(parameters);
    let status = if wrong.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let found = book.list(&filter, after.as_deref()).await.map_err(|error| match error {
        BookError::NoMatch => Problem::refused("This address names a page of the list that does not exist.")
            .back(address(&filter, None), "Go to the first page of the list"),
        error => Problem::from(error),
    })?;
    let mut wider = Vec::new();
    if found.total == 0 {
        for key in Key::ALL.into_iter().filter(|key| key.value(&filter).is_some()) {
            let filter = key.removed(&filter);
            let total = book.list(&filter, None).await?.total;
            if total > 0 {
                wider.push((key.name().to_owned(), total, address(&filter, None)));
            }
        }
        wider.sort_by_key(|(_, total, _)| *total);
    }
    let caption = match (found.total, after.is_some()) {
        (1, _) => "1 match".to_owned(),
        (total, false) => format!("{total} matches, newest first"),
        (total, true) => format!("{total} matches, newest first; older ones"),
    };
    let frame = Frame { umpire: visitor.name(), ..Frame::titled("Archive").in_section("archive") };
    let template = List {
        frame,
        wrong,
        games: games(&filter),
        rulesets: rulesets(&filter),
        events: events(book.events().await?, &filter),
        results: results(&filter),
        player: filter.player.clone().unwrap_or_default(),
        players: book.players().await?,
        picked: Key::ALL.into_iter().filter_map(|key| picked(key, &filter)).collect(),
        listing: Listing::of(caption, &found.matches),
        wider,
        newest: after.as_ref().map(|_| address(&filter, None)),
        older: found.next.map(|next| address(&filter, Some(&next))),
    };
    rendered(status, &template)
}

/// The name of a game: the title of its first ruleset.
fn game_name(game: &str) -> &str {
    engine::rulesets().find(|ruleset| ruleset.game() == game).map_or(game, |ruleset| ruleset.card().title)
}

fn games(filter: &Filter) -> Vec<Choice> {
    let mut games: Vec<&str> = engine::rulesets().map(|ruleset| ruleset.game()).collect();
    games.dedup();
    games.into_iter().map(|game| Choice::new(game, game_name(game), filter.game.as_deref())).collect()
}

fn rulesets(filter: &Filter) -> Vec<(&'static str, Vec<Choice>)> {
    let mut games: Vec<(&str, &'static str, Vec<Choice>)> = Vec::new();
    for ruleset in engine::rulesets() {
        let card = ruleset.card();
        let choice = Choice::new(card.id, card.hosting, filter.ruleset.as_deref());
        match games.last_mut() {
            Some((game, _, choices)) if *game == ruleset.game() => choices.push(choice),
            _ => games.push((ruleset.game(), card.title, vec![choice])),
        }
    }
    games.into_iter().map(|(_, title, choices)| (title, choices)).collect()
}

/// The tournaments that there are, and the one that is asked for even if there is none of that name.
fn events(mut events: Vec<String>, filter: &Filter) -> Vec<Choice> {
    if let Some(event) = filter.event.as_ref().filter(|event| !events.contains(event)) {
        events.push(event.clone());
    }
    events.iter().map(|event| Choice::new(event, event, filter.event.as_deref())).collect()
}

fn results(filter: &Filter) -> Vec<Choice> {
    use ResultFilter::{Lost, Running, Undecided, Void, Won};
    let picked = filter.result.map(ResultFilter::word);
    let choice = |result: ResultFilter| Choice::new(result.word(), capital(result.word()), picked);
    [Won, Lost, Undecided, Void, Running].map(choice).into()
}

fn picked(key: Key, filter: &Filter) -> Option<(String, String)> {
    let value = key.value(filter)?;
    let words = match key {
        Key::Game => game_name(value).to_owned(),
        Key::Ruleset => ruleset_name(value),
        Key::Event | Key::Player | Key::Result => value.to_owned(),
    };
    Some((format!("{}: {words}", capital(key.name())), address(&key.removed(filter), None)))
}
