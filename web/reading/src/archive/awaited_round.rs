//! The round of the public beacon that a match waits for: where it is published, and a form by which anybody hands it in.

use std::sync::Arc;

use app::App;
use app::account::RateLimits;
use app::beacon_rounds::AwaitedRound;
use app::views::match_address;
use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form};
use ledger::RoundSignature;
use record::History;
use record::words::sentence;
use serde::Deserialize;

use super::history_problem;
use page::{Frame, When, page};
use web_http::visitor::{Peer, Visitor, count_round};
use web_http::{Problem, Segments};

const PUBLISHED_AT: &str = "https://api.drand.sh";

#[derive(Template)]
#[template(path = "archive/awaited_round.html")]
struct Page {
    frame: Frame,
    address: String,
    bout: String,
    awaited: Option<Awaited>,
    past: Vec<(u64, Option<String>)>,
    typed: String,
    error: Option<String>,
}

struct Awaited {
    round: u64,
    network: String,
    at: When,
    due: bool,
    published_at: String,
}

impl Awaited {
    fn of(app: &App, awaited: &AwaitedRound) -> Self {
        let now = app.system().now();
        Self {
            round: awaited.round.number(),
            network: awaited.network.name.clone(),
            at: When::second_on(awaited.at, now),
            due: awaited.at <= now,
            published_at: format!("{PUBLISHED_AT}/{}/public/{}", awaited.network.hash, awaited.round),
        }
    }
}

#[derive(Deserialize)]
pub(super) struct Fields {
    signature: String,
}

fn shown(
    app: &App,
    visitor: &Visitor,
    history: &History,
    typed: String,
    error: Option<String>,
) -> Result<Response, Problem> {
    let bout = history.bout();
    let frame = Frame { umpire: visitor.name(), ..Frame::titled(format!("The beacon’s round: {bout}")) };
    let refused = error.clone();
    let mut response = page(&Page {
        frame: frame.about(history.match_id),
        address: match_address(history.match_id),
        bout,
        awaited: app.rounds.awaited(history).map(|awaited| Awaited::of(app, &awaited)),
        past: history
            .rounds
            .iter()
            .filter(|round| round.signed.is_some() || round.waived.is_some())
            .map(|round| (round.round.number(), round.signed.as_ref().map(|signed| signed.signature.to_string())))
            .collect(),
        typed,
        error,
    })?;
    if let Some(why) = refused {
        let problem = Problem::refused(why);
        *response.status_mut() = problem.status();
        response.extensions_mut().insert(problem);
    }
    Ok(response)
}

pub(super) async fn show(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Segments(slug): Segments<String>,
) -> Result<Response, Problem> {
    let history = app.matches.history_of(&slug).await.map_err(|error| history_problem(&slug, error))?;
    shown(&app, &visitor, &history, String::new(), None)
}

pub(super) async fn hand_in(
    State(app): State<Arc<App>>,
    Extension(limits): Extension<Arc<RateLimits>>,
    peer: Peer,
    visitor: Visitor,
    Segments(slug): Segments<String>,
    Form(fields): Form<Fields>,
) -> Result<Response, Problem> {
    let history = app.matches.history_of(&slug).await.map_err(|error| history_problem(&slug, error))?;
    let typed = fields.signature.trim().to_lowercase();
    count_round(&app, &limits, peer)?;
    let done = match typed.parse::<RoundSignature>() {
        Ok(signature) => app.rounds.hand_in(history.match_id, signature).await,
        Err(why) => return shown(&app, &visitor, &history, typed, Some(sentence(&why.to_string()))),
    };
    match done {
        Ok(_) => Ok(Redirect::to(&match_address(history.match_id)).into_response()),
        Err(app::AppError::Refused(why)) => shown(&app, &visitor, &history, typed, Some(sentence(&why.to_string()))),
        Err(error) => Err(error.into()),
    }
}
