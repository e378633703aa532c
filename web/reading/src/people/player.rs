//! A player's page.

use std::collections::BTreeMap;
use std::sync::Arc;

use app::App;
use app::archive::{Filter, Habits, Opponent, Score};
use askama::Template;
use axum::extract::{OriginalUri, State};
use axum::http::{HeaderMap, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use ledger::PlayerId;
use record::name_key;

use super::habits::{Knowing, RulesetHabits, habits, of_everybody, of_player, worth_knowing};
use super::player_scores::{ScoreRow, by_chair, by_ruleset};
use super::recent_form::{FormMark, form};
use page::{Cover, Frame, MatchList, archive_of, head_to_head_address, page, player_address, prepare_address};
use web_http::visitor::Visitor;
use web_http::{Problem, Segments, Spoilers, site};

/// The number of matches shown here; the archive has all.
const LATEST_MATCHES: u8 = 12;

#[derive(Template)]
#[template(path = "people/player.html")]
struct Player {
    frame: Frame,
    name: String,
    site: String,
    address: String,
    archive: String,
    feed: String,
    calendar: String,
    spoilers: Spoilers,
    otherwise: String,
    total: Score,
    rulesets: Vec<ScoreRow>,
    chairs: Vec<ScoreRow>,
    /// The name, the page of both players, and the number of matches.
    opponents: Vec<(String, String, i64, Cover)>,
    habits: Vec<RulesetHabits>,
    after_block: Vec<RulesetHabits>,
    prepare: Option<String>,
    form: Vec<FormMark>,
    cover: Cover,
    knowing: Vec<Knowing>,
    listing: MatchList,
    withdraw: String,
    join: String,
    aliases: Vec<String>,
    /// The registered players who vouched under this name: the id, and in how many matches.
    registered: Vec<(PlayerId, i64)>,
}

/// A part of the bar of results: its class, its number, its word, and its place and width in percent.
type Part = (&'static str, i64, &'static str, i64, i64);

impl Player {
    /// The matches that ended as one bar: won, without a winner, lost.
    fn parts(&self) -> Vec<Part> {
        let all = self.total.ended().max(1);
        let results = [
            ("won", self.total.won, "won"),
            ("other", self.total.other, "\u{2013}"),
            ("lost", self.total.lost, "lost"),
        ];
        let (mut parts, mut from) = (Vec::new(), 0);
        for (class, n, word) in results.into_iter().filter(|(_, n, _)| *n > 0) {
            let width = n * 100 / all;
            parts.push((class, n, word, from, width));
            from += width;
        }
        parts
    }
}

pub(super) fn no_player() -> Problem {
    Problem::not_found(
        "Nobody of this name is in the archive. The name may have been withdrawn, or be written otherwise.",
    )
    .back("/players", "See every player")
}

pub(super) fn key(name: &str) -> Result<String, Problem> {
    if name.contains('\0') { Err(no_player()) } else { Ok(name_key(name)) }
}

/// The address of a page of players by its names, if one of them is joined to another player: there it is now. Every old
/// address stays alive, and leads there only while the names are joined.
pub(super) async fn moved<const N: usize>(
    app: &App,
    keys: [&str; N],
    address: impl Fn([&str; N]) -> String,
    uri: &Uri,
) -> Result<Option<Response>, Problem> {
    let mut players = Vec::new();
    for key in keys {
        players.push(app.archive().player_key(key).await?);
    }
    let now: [&str; N] = std::array::from_fn(|at| players.get(at).map(String::as_str).unwrap_or_default());
    if now == keys {
        return Ok(None);
    }
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    Ok(Some(Redirect::temporary(&format!("{}{query}", address(now))).into_response()))
}

/// The habits of a player in all answers, beside everybody's.
async fn beside_everybody(app: &App, sent: &Habits) -> Result<Vec<RulesetHabits>, Problem> {
    let mut counts = BTreeMap::new();
    for ruleset in sent.always.chunk_by(|a, b| a.ruleset == b.ruleset).filter_map(|group| group.first()) {
        counts.insert(ruleset.ruleset.clone(), app.archive().kind_counts(&ruleset.ruleset).await?);
    }
    Ok(habits(&sent.always, |habit, kind| of_everybody(&counts, habit, kind)))
}

pub(super) async fn player(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Segments(name): Segments<String>,
    spoilers: Spoilers,
    OriginalUri(uri): OriginalUri,
    request: HeaderMap,
) -> Result<Response, Problem> {
    let key = key(&name)?;
    if let Some(moved) = moved(&app, [&key], |[key]| player_address(key), &uri).await? {
        return Ok(moved);
    }
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
    let sent = if spoilers.hidden() { Habits::default() } else { app.archive().habits(&key).await? };
    let archive = spoilers.in_address(archive_of(&[("player", &key)]));
    let opponents = app.archive().opponents(&key).await?.into_iter();
    let form = if spoilers.hidden() { Vec::new() } else { form(&key, &matches) };
    let all = beside_everybody(&app, &sent).await?;
    page(&Player {
        frame: Frame { umpire: visitor.name(), ..frame },
        site: site(&request),
        address: player_address(&key),
        feed: archive.replace("/archive", "/feed.atom"),
        calendar: archive_of(&[("player", &key)]).replace("/archive", "/calendar.ics"),
        archive,
        otherwise: spoilers.other().in_address(player_address(&key)),
        rulesets: by_ruleset(&tallies),
        chairs: by_chair(&tallies),
        opponents: opponents
            .map(|Opponent { named, matches }| {
                let cover = Cover::of(&named.name);
                (named.name, spoilers.in_address(head_to_head_address(&key, &named.key)), matches, cover)
            })
            .collect(),
        knowing: worth_knowing(&all),
        habits: all,
        after_block: habits(&sent.after_block, |habit, kind| of_player(&sent.always, habit, kind)),
        prepare: (!spoilers.hidden()).then(|| prepare_address(&key)),
        form,
        cover: Cover::of(&name).large(),
        listing: MatchList::of("The latest matches", &matches).with_hidden_caption().with_spoilers(spoilers),
        spoilers,
        registered: app.players.of_name(&key).await?,
        join: format!("/join{}", player_address(&key)),
        aliases: app.archive().aliases(&key).await?,
        withdraw: format!("/withdraw{}", player_address(&key)),
        total,
        name,
    })
}
