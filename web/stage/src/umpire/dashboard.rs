//! The umpire's dashboard: running matches, recent results, and links to begin a match.

use std::sync::Arc;

use app::archive::{Filter, MatchSummary};
use app::views::{open_asks, ruleset_name};
use app::{App, AppError, by_umpire};
use askama::Template;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use engine::name_seats;
use ledger::MatchId;

use super::activity::Umpires;
use super::console::result;
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
    /// A heading, its matches, and the text if there are none.
    running: [(&'static str, Vec<RunningMatch>, &'static str); 3],
    ended: Vec<(MatchSummary, String)>,
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
    let ended = app.archive().list(&by_me, None).await?.matches.into_iter().filter(|listed| listed.result != "*");
    let ended =
        ended.take(ENDED).map(|listed| (ruleset_name(&listed.ruleset), listed)).map(|(title, listed)| (listed, title));
    let others: Vec<_> = all.into_iter().filter(|listed| !mine.contains(listed)).collect();
    let practice = app.archive().practice(&umpire.0.id).await?;
    let umpires = Umpires::all(&app).await?;
    let planned = app.umpires.planned().await?;
    let coming = planned.iter().map(|plan| PlannedMatch::of(plan, umpires.name(&by_umpire(&plan.umpire))));
    let dashboard = Dashboard {
        by_link: query.as_deref() == Some("by=link"),
        coming: coming.collect(),
        frame: frame("Umpire’s desk", &umpire),
        running: [
            ("Your running matches", running(&app, mine).await?, "You have no running match."),
            ("Running under other umpires", running(&app, others).await?, ""),
            ("Your practice, not in the record", running(&app, practice).await?, ""),
        ],
        ended: ended.collect(),
    };
    shown(&dashboard, None)
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
