//! The page of a registered player: the key, how it came about, and the matches in which it vouched.

use std::sync::Arc;

use app::App;
use app::account::RateLimits;
use app::public_log::StoredChain;
use askama::Template;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form};
use ledger::PlayerId;
use record::words::counted;
use store::archive::vouched_seats::VouchedMatch;

use super::Fields;
use page::{Frame, When, page, player_address};
use web_http::visitor::{Peer, Visitor, count_player_key};
use web_http::{Problem, Segments};

#[derive(Template)]
#[template(path = "registered/player.html")]
struct Page {
    frame: Frame,
    id: PlayerId,
    origin: String,
    key: Option<String>,
    next: String,
    first: String,
    history: Vec<ChainRow>,
    matches: Vec<MatchRow>,
}

struct ChainRow {
    entry: u32,
    what: &'static str,
    key: Option<String>,
    at: When,
    index: u64,
}

struct MatchRow {
    address: String,
    bout: String,
    name: String,
    named: String,
    at: When,
}

fn no_player() -> Problem {
    Problem::not_found("Nobody is registered under this id. The address may be incomplete.")
        .back("/registered", "Register as a player")
}

fn player(id: &str) -> Result<PlayerId, Problem> {
    id.parse().map_err(|_| no_player())
}

fn history(stored: &StoredChain) -> Vec<ChainRow> {
    let chain = &stored.chain;
    let keys = chain.keys.iter().enumerate().map(|(n, key)| {
        let what = if n == 0 { "First key" } else { "Next key" };
        (key.entry, what, Some(key.key.to_string()), key.at)
    });
    let end = chain.revoked.map(|(entry, at)| (entry, "Revoked: no key of this player counts any more", None, at));
    let rows = keys.chain(end).zip(&stored.entries);
    rows.map(|((entry, what, key, at), stored)| ChainRow {
        entry: entry.0,
        what,
        key,
        at: When::second(at),
        index: stored.index.0,
    })
    .collect()
}

fn match_row(vouched: VouchedMatch) -> MatchRow {
    let VouchedMatch { slug, seat, p1, p2, played_at } = vouched;
    let name = if seat == "p1" { p1.clone() } else { p2.clone() };
    MatchRow {
        address: format!("/m/{slug}"),
        bout: format!("{p1} \u{2013} {p2}"),
        named: player_address(&record::name_key(&name)),
        name,
        at: When::day(played_at),
    }
}

pub(super) async fn show(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Segments(id): Segments<String>,
) -> Result<Response, Problem> {
    let id = player(&id)?;
    let stored = app.players.chain(id).await?.ok_or_else(no_player)?;
    let matches = app.players.matches(id).await?.into_iter().map(match_row).collect();
    let chain = &stored.chain;
    let keys = counted(chain.keys.len(), "key", "keys");
    let frame = Frame::titled("A registered player").described(format!("Registered player {id}, with {keys} so far."));
    page(&Page {
        frame: Frame { umpire: visitor.name(), ..frame },
        id,
        origin: app.origin().to_string(),
        key: chain.present().map(|present| present.key.to_string()),
        next: chain.present().map(|present| present.next.to_string()).unwrap_or_default(),
        first: chain.keys.first().map(|first| first.key.to_string()).unwrap_or_default(),
        history: history(&stored),
        matches,
    })
}

pub(super) async fn chain(State(app): State<Arc<App>>, Segments(id): Segments<String>) -> Result<Response, Problem> {
    let stored = app.players.chain(player(&id)?).await?.ok_or_else(no_player)?;
    let mut lines = Vec::new();
    for entry in &stored.entries {
        lines.extend_from_slice(&entry.bytes);
        lines.push(b'\n');
    }
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], lines).into_response())
}

pub(super) async fn enter(
    State(app): State<Arc<App>>,
    Extension(limits): Extension<Arc<RateLimits>>,
    peer: Peer,
    Segments(id): Segments<String>,
    Form(fields): Form<Fields>,
) -> Result<Response, Problem> {
    let id = player(&id)?;
    let act = fields.act()?;
    app.players.chain(id).await?.ok_or_else(no_player)?;
    count_player_key(&app, &limits, peer)?;
    app.players.enter(id, &act.into()).await?;
    Ok(Redirect::to(&format!("/registered/{id}")).into_response())
}
