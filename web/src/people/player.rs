//! A player's page.

use std::sync::Arc;

use app::App;
use app::archive::{Filter, Score};
use askama::Template;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use ledger::PlayerId;
use record::name_key;

use super::habits::{Habits, habits};
use super::scores::{ScoreRow, by_chair, by_ruleset};
use crate::http::{Problem, Segments, Spoilers, site};
use crate::page::{Frame, MatchList, archive_of, head_to_head_address, page, player_address};
use crate::visitor::Visitor;

/// The number of matches shown here; the archive has all.
const LATEST_MATCHES: u8 = 12;

#[derive(Template)]
#[template(path = "people/player.html")]
struct Player {
    frame: Frame,
    name: String,
    /// The address of this site.
    site: String,
    address: String,
    archive: String,
    feed: String,
    spoilers: Spoilers,
    /// The same page with the opposite setting for spoilers.
    otherwise: String,
    total: Score,
    rulesets: Vec<ScoreRow>,
    chairs: Vec<ScoreRow>,
    /// The name, the page of both players, and the number of matches.
    opponents: Vec<(String, String, i64)>,
    habits: Vec<Habits>,
    listing: MatchList,
    withdraw: String,
    /// The registered players who vouched under this name: the id, and in how many matches.
    registered: Vec<(PlayerId, i64)>,
}

/// The error for an unknown name.
pub(super) fn no_player() -> Problem {
    Problem::not_found(
        "Nobody of this name is in the archive. The name may have been withdrawn, or be written otherwise.",
    )
    .back("/players", "See every player")
}

/// A name from an address, in the form used for comparing. The database refuses U+0000, which no name has.
pub(super) fn key(name: &str) -> Result<String, Problem> {
    if name.contains('\0') { Err(no_player()) } else { Ok(name_key(name)) }
}

/// `GET /players/{name}`
pub(super) async fn player(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Segments(name): Segments<String>,
    spoilers: Spoilers,
    request: HeaderMap,
) -> Result<Response, Problem> {
    let key = key(&name)?;
    let filter = Filter { player: Some(key.clone()), ..Filter::default() };
    let matches = app.archive().newest(&filter, LATEST_MATCHES).await?;
    let name = matches.first().and_then(|newest| newest.name_of(&key)).ok_or_else(no_player)?.to_owned();
    let tallies = app.archive().tallies(&key, None).await?;
    let total = Score::of(&tallies);
    let description = if spoilers.hidden() {
        format!("{name} in the record of Death Matches, without results.")
    } else {
        let (ended, Score { won, lost, .. }) = (total.ended(), total);
        format!("{name} in the record of Death Matches: {ended} ended, {won} won, {lost} lost.")
    };
    let frame = Frame::titled(&name).in_section("players").described(description);
    // Habits reveal moves, also of rounds that a reader may still want to follow.
    let habits = if spoilers.hidden() { Vec::new() } else { habits(&app.archive().habits(&key).await?) };
    let archive = spoilers.in_address(archive_of(&[("player", &key)]));
    let opponents = app.archive().opponents(&key).await?.into_iter();
    page(&Player {
        frame: Frame { umpire: visitor.name(), ..frame },
        site: site(&request),
        address: player_address(&key),
        feed: archive.replace("/archive", "/feed.atom"),
        archive,
        otherwise: spoilers.other().in_address(player_address(&key)),
        rulesets: by_ruleset(&tallies),
        chairs: by_chair(&tallies),
        opponents: opponents
            .map(|(other, name, n)| (name, spoilers.in_address(head_to_head_address(&key, &other)), n))
            .collect(),
        habits,
        listing: MatchList::of("The latest matches", &matches).with_hidden_caption().with_spoilers(spoilers),
        spoilers,
        registered: app.players.of_name(&key).await?.into_iter().map(|row| (row.player, row.matches)).collect(),
        withdraw: format!("/withdraw{}", player_address(&key)),
        total,
        name,
    })
}
