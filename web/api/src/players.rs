//! Players for programs: the list, one player's results, and the results of two against each other.

use app::App;
use app::archive::{Habit, KeyRange, Opponent, PlayerName, PlayerRow, Score, Tally};
use axum::response::Response;
use ledger::Hash;
use record::name_key;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::read_request::ReadRequest;
use super::request::{Parameters, malformed};
use super::shapes::SeatWord;
use web_http::{Problem, Segments};

/// Which players.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct PlayersQuery {
    /// How the name begins, in any case and with or without accents.
    #[serde(default)]
    #[param(required = false, max_length = 200)]
    q: String,
    /// What an answer named as `next`: the page after it.
    #[param(max_length = 200)]
    after: Option<String>,
}

/// A page of the players.
#[derive(Serialize, ToSchema)]
struct PlayerList {
    /// By name, 50 at most.
    players: Vec<PlayerRow>,
    /// The `after` of the next page; null on the last.
    next: Option<String>,
}

/// A player.
#[derive(Serialize, ToSchema)]
#[schema(as = Player)]
struct PlayerJson {
    #[serde(flatten)]
    named: PlayerName,
    /// All matches together.
    total: Score,
    /// By ruleset and by how the player sat: what they add up to is the total.
    records: Vec<Record>,
    /// Whom the player met most often, 12 at most.
    opponents: Vec<Opponent>,
    /// What the player sends most often, out of the latest 100 finished matches: by ruleset and question.
    habits: Vec<Habit>,
}

/// Two players' matches against each other.
#[derive(Serialize, ToSchema)]
struct HeadToHead {
    /// Whose results these are.
    player: PlayerName,
    against: PlayerName,
    /// All matches together.
    total: Score,
    /// By ruleset and by how the player sat.
    records: Vec<Record>,
}

/// Results of matches that are alike.
#[derive(Serialize, ToSchema)]
struct Record {
    #[schema(example = "five-card-trick/dm-colosseum-2")]
    ruleset: String,
    seat: SeatWord,
    /// Whether the player was the Death Match Opponent; null where nobody was.
    dmo: Option<bool>,
    #[serde(flatten)]
    score: Score,
}

/// The number of kinds of moves listed for a question.
const KINDS: usize = 6;

fn records(tallies: &[Tally]) -> Vec<Record> {
    let alike = |a: &Tally, b: &Tally| (&a.ruleset, &a.seat, a.dmo) == (&b.ruleset, &b.seat, b.dmo);
    let groups = tallies.chunk_by(alike).filter_map(|group| {
        let first = group.first()?;
        let seat = if first.seat == "p2" { SeatWord::P2 } else { SeatWord::P1 };
        Some(Record { ruleset: first.ruleset.clone(), seat, dmo: first.dmo, score: Score::of(group) })
    });
    groups.collect()
}

const NAME_MAX_CHARS: usize = 200;

/// A parameter with a name or its beginning, in the form used for comparing. The database refuses U+0000, and no name
/// has it.
pub(super) fn name_in(parameter: &str, text: &str) -> Result<String, Problem> {
    if text.chars().count() > NAME_MAX_CHARS {
        return Err(malformed(format!("The parameter “{parameter}” is longer than any name.")));
    }
    Ok(name_key(&text.replace('\0', "")))
}

async fn named(app: &App, name: &str) -> Result<PlayerName, Problem> {
    let nobody = || {
        Problem::not_found(
            "Nobody of this name is in the archive. The name may have been withdrawn, or be written otherwise.",
        )
    };
    if name.contains('\0') {
        return Err(nobody());
    }
    let key = app.archive().player_key(&name_key(name)).await?;
    let name = app.archive().player_name(&key).await?.ok_or_else(nobody)?;
    Ok(PlayerName { key, name })
}

/// The players, by name
#[utoipa::path(get, path = "/api/v1/players", tag = "reading", operation_id = "listPlayers", params(PlayersQuery),
    responses((status = 200, description = "A page of them.", body = PlayerList)))]
pub(super) async fn list(
    request: ReadRequest,
    Parameters(which): Parameters<PlayersQuery>,
) -> Result<Response, Problem> {
    let (begins, after) = (name_in("q", &which.q)?, which.after.map(|after| name_in("after", &after)).transpose()?);
    let range = KeyRange { begins: &begins, after: after.as_deref(), before: None };
    let (players, more) = request.app.archive().players(&range).await?;
    let next = players.last().filter(|_| more).map(|last| last.key.clone());
    request.json(Hash::ZERO, &PlayerList { players, next })
}

/// A player: results by ruleset and seat, opponents, habits
///
/// A player is a name, in any case and with or without accents: two people of one name are one. The matches are at
/// `/api/v1/matches?player=`.
#[utoipa::path(get, path = "/api/v1/players/{name}", tag = "reading", operation_id = "readPlayer",
    params(("name" = String, Path, description = "The name.", min_length = 1, max_length = 200, example = "ada")),
    responses((status = 200, description = "What the archive has of the player.", body = PlayerJson)))]
pub(super) async fn one(request: ReadRequest, Segments(name): Segments<String>) -> Result<Response, Problem> {
    let app = &request.app;
    let named = named(app, &name).await?;
    let tallies = app.archive().tallies(&named.key, None).await?;
    let mut habits = app.archive().habits(&named.key).await?.always;
    habits.iter_mut().for_each(|habit| habit.kinds.truncate(KINDS));
    let player = PlayerJson {
        total: Score::of(&tallies),
        records: records(&tallies),
        opponents: app.archive().opponents(&named.key).await?,
        habits,
        named,
    };
    request.json(Hash::ZERO, &player)
}

/// Two players against each other
///
/// The results are those of the first. The matches are at `/api/v1/matches?player=&against=`.
#[utoipa::path(get, path = "/api/v1/players/{name}/vs/{other}", tag = "reading", operation_id = "readHeadToHead",
    params(("name" = String, Path, description = "Whose results.", min_length = 1, max_length = 200, example = "ada"),
        ("other" = String, Path, description = "Against whom.", min_length = 1, max_length = 200, example = "bo")),
    responses((status = 200, description = "All their matches together, and by ruleset and seat.", body = HeadToHead)))]
pub(super) async fn versus(
    request: ReadRequest,
    Segments((name, other)): Segments<(String, String)>,
) -> Result<Response, Problem> {
    let app = &request.app;
    let (player, against) = (named(app, &name).await?, named(app, &other).await?);
    let tallies = app.archive().tallies(&player.key, Some(&against.key)).await?;
    if player.key == against.key && tallies.is_empty() {
        return Err(Problem::not_found("These are one player. Name two different ones."));
    }
    let versus = HeadToHead { total: Score::of(&tallies), records: records(&tallies), player, against };
    request.json(Hash::ZERO, &versus)
}
