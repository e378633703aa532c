//! The umpire's dashboard: running matches, recent results, and links to begin a match.

use std::sync::Arc;

use app::archive::{Filter, MatchSummary};
use app::views::{open_asks, ruleset_name};
use app::{App, AppError, by_umpire};
use askama::Template;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use engine::name_seats;
use ledger::MatchId;

use super::activity::Umpires;
use super::console::{self, result};
use super::desk::Desk;
use super::match_context::MatchContext;
use super::plan::PlannedMatch;
use super::{frame, shown};
use page::Frame;
use web_http::Problem;
use web_http::visitor::SignedIn;

/// The number of ended matches shown.
const ENDED: usize = 10;

#[derive(Template)]
#[template(path = "umpire/dashboard.html")]
struct Dashboard {
    frame: Frame,
    by_link: bool,
    coming: Vec<PlannedMatch>,
    /// The umpire's own running matches and practice: what needs the umpire first.
    tiles: Vec<Tile>,
    needed: usize,
    /// The server's clock in milliseconds, for the countdowns.
    now: i64,
    others: Vec<RunningMatch>,
    ended: Vec<(MatchSummary, String)>,
}

/// One running match: its clock, its seats, and what it needs.
struct Tile {
    slug: String,
    game: String,
    is_practice: bool,
    desk: Desk,
    needs: Option<String>,
}

struct RunningMatch {
    slug: String,
    bout: String,
    waits_for: String,
    state: String,
    ruleset: String,
}

pub(super) async fn show(
    State(app): State<Arc<App>>,
    umpire: SignedIn,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let by_me = Filter { umpire: Some(umpire.0.id.clone()), ..Filter::default() };
    let all = app.archive().list(&Filter::running(), None).await?.matches;
    let mine = app.archive().list(&Filter { umpire: by_me.umpire.clone(), ..Filter::running() }, None).await?.matches;
    let ended = app.archive().list(&by_me, None).await?.matches.into_iter();
    // A match that is known by its result has no console.
    let ended = ended.filter(|listed| listed.result != "*" && listed.mode != "result");
    let ended =
        ended.take(ENDED).map(|listed| (ruleset_name(&listed.ruleset), listed)).map(|(title, listed)| (listed, title));
    let others: Vec<_> = all.into_iter().filter(|listed| !mine.contains(listed)).collect();
    let practice = app.archive().practice(&umpire.0.id).await?;
    let umpires = Umpires::all(&app).await?;
    let planned = app.umpires.planned().await?;
    let coming = planned.iter().map(|plan| PlannedMatch::of(plan, umpires.name(&by_umpire(&plan.umpire))));
    let mut tiles = Vec::new();
    for (listed, is_practice) in mine.iter().map(|one| (one, false)).chain(practice.iter().map(|one| (one, true))) {
        tiles.extend(Tile::of(&app, &umpire, listed, is_practice).await?);
    }
    tiles.sort_by_key(|tile| tile.needs.is_none());
    let needed = tiles.iter().filter(|tile| tile.needs.is_some()).count();
    let count = if needed > 0 { format!("({needed}) ") } else { String::new() };
    let dashboard = Dashboard {
        by_link: query.as_deref() == Some("by=link"),
        coming: coming.collect(),
        frame: frame(format!("{count}Umpire’s desk"), &umpire),
        tiles,
        needed,
        now: app.system().now().micros() / 1000,
        others: running(&app, others).await?,
        ended: ended.collect(),
    };
    shown(&dashboard, None)
}

impl Tile {
    /// None if it was deleted at this moment.
    async fn of(
        app: &Arc<App>,
        umpire: &SignedIn,
        listed: &MatchSummary,
        is_practice: bool,
    ) -> Result<Option<Self>, Problem> {
        let context = match MatchContext::at(app, umpire.clone(), String::new(), MatchId(listed.match_id)).await {
            Err(problem) if problem.status() == StatusCode::NOT_FOUND => return Ok(None),
            context => context?,
        };
        let history = &context.history;
        let desk = console::desk_of(&context).await?;
        let objections = history.open_objections().count();
        let needs = match desk.button.kind {
            _ if objections > 0 => Some("A player objects".to_owned()),
            "run" => Some(desk.button.about.clone()),
            "record" => Some("You type the moves".to_owned()),
            "draw" | "end" => Some(desk.button.label.clone()),
            "close" if desk.is_complete() => Some("All have sent".to_owned()),
            _ => None,
        };
        Ok(Some(Self {
            slug: listed.slug.clone(),
            game: engine::ruleset(&listed.ruleset)
                .map_or_else(|_| listed.ruleset.clone(), |one| one.card().title.to_string()),
            is_practice,
            desk,
            needs: needs.filter(|needs| !needs.is_empty()),
        }))
    }

    fn state(&self) -> String {
        let words = self.desk.seats.iter().map(|seat| seat.lamp.word.as_str());
        let all: Vec<&str> = words.chain([self.desk.heading.as_str(), self.desk.button.label.as_str()]).collect();
        all.join(" ")
    }
}

async fn running(app: &App, listed: Vec<MatchSummary>) -> Result<Vec<RunningMatch>, Problem> {
    let mut all = Vec::new();
    for listed in listed {
        let history = match app.matches.history(MatchId(listed.match_id)).await {
            // A practice match that was deleted at this moment.
            Err(AppError::NoMatch) => continue,
            history => history?,
        };
        let asks = open_asks(&history);
        let asked = asks.first().map(|ask| name_seats(&ask.prompt, history.both_names()));
        let witnesses = history.waiting().map(|_| "The log\u{2019}s witnesses.".to_owned());
        let waits_for =
            result(&history).map(|over| format!("Its end. {over}")).or(witnesses).or(asked).unwrap_or_default();
        all.push(RunningMatch {
            bout: format!("{} – {}", listed.p1.name, listed.p2.name),
            slug: listed.slug,
            waits_for,
            state: record::words::standing(history.duel()),
            ruleset: ruleset_name(&listed.ruleset),
        });
    }
    Ok(all)
}
