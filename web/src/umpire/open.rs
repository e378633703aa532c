//! Opening a match.

use std::sync::Arc;

use app::Scope;
use app::{Act, App, AppError, slug};
use askama::Template;
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use engine::Seat;
use ledger::MatchId;
use record::words::sentence;
use record::write::WriteError;
use store::SubmitId;

use super::match_context::MatchContext;
use super::new_match::{Errors, Item, Setting, explain, field_of, has_typed_draws, is_practice, items, read, settings};
use super::sent::Sent;
use super::{console, form, frame, links, plan, shown};
use crate::http::{Problem, site};
use crate::page::Frame;
use crate::visitor::SignedIn;

#[derive(Template)]
#[template(path = "umpire/open.html")]
struct Open {
    frame: Frame,
    form: String,
    games: Vec<(&'static str, Vec<Choice>)>,
    ruleset: String,
    /// The field, mark and name of each seat.
    seats: [(&'static str, &'static str, String); 2],
    dmo: String,
    items: Vec<Item>,
    options: Vec<Setting>,
    /// True if the umpire types draws that are made elsewhere.
    typed_draws: bool,
    event: String,
    date: String,
    /// True if the players submit by themselves, and true if clocks close their questions.
    live: bool,
    clocks: bool,
    /// True if a clock starts when its question is asked.
    at_once: bool,
    /// True if the umpire may read answers before the close, and true if links are created at once.
    looks: bool,
    invites: bool,
    /// True if it is played outside the record.
    practice: bool,
    /// The planned start, and the plan that the form came from.
    begins: String,
    plan: String,
    errors: Errors,
}

struct Choice {
    id: &'static str,
    hosting: &'static str,
    about: &'static str,
    needs_dmo: bool,
    items: bool,
    options: bool,
    draws: bool,
}

fn games() -> Vec<(&'static str, Vec<Choice>)> {
    let mut games: Vec<(&'static str, &'static str, Vec<Choice>)> = Vec::new();
    for ruleset in engine::rulesets() {
        let card = ruleset.card();
        let choice = Choice {
            id: card.id,
            hosting: card.hosting,
            about: card.about,
            needs_dmo: card.needs_dmo,
            items: !card.items.is_empty(),
            options: !ruleset.choices().is_empty(),
            draws: !ruleset.draws().is_empty(),
        };
        match games.iter_mut().find(|(game, ..)| *game == ruleset.game()) {
            Some((.., choices)) => choices.push(choice),
            // The first hosting of a game has the game's name; a later one may have another.
            None => games.push((ruleset.game(), card.title, vec![choice])),
        }
    }
    games.into_iter().map(|(_, title, choices)| (title, choices)).collect()
}

impl Open {
    /// The form, filled in from a submitted form or a plan.
    fn filled(app: &App, title: &str, umpire: &SignedIn, sent: &Sent) -> Self {
        let text = |name: &str| sent.text(name).to_owned();
        let on = |name: &str| sent.text(name) == "on";
        Self {
            frame: frame(title, umpire),
            form: form::fresh(app.system()),
            games: games(),
            ruleset: text("ruleset"),
            seats: [("p1", "1", text("p1")), ("p2", "2", text("p2"))],
            dmo: text("dmo"),
            items: items(sent),
            options: settings(sent),
            typed_draws: has_typed_draws(sent),
            event: text("event"),
            date: text("date"),
            live: on("live"),
            clocks: on("clocks"),
            looks: on("looks"),
            invites: on("invites"),
            practice: is_practice(sent),
            at_once: text("starts") == "at-once",
            begins: text("begins"),
            plan: text("plan"),
            errors: Errors::new(),
        }
    }
}

/// `GET /umpire/open`; with `?plan=`, the form of a planned match.
pub(super) async fn show(
    State(app): State<Arc<App>>,
    umpire: SignedIn,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let name = query.as_deref().and_then(|query| query.strip_prefix("plan=")).unwrap_or_default();
    let planned = plan::named(&app, name).await?;
    let today = || app.system().now().to_utc().format("%Y-%m-%d").to_string();
    let sent = planned.as_ref().map_or_else(|| Sent::of(vec![("date".to_owned(), today())]), plan::fields);
    let mut open = Open::filled(&app, "Open a match", &umpire, &sent);
    open.plan = planned.map(|planned| planned.name()).unwrap_or_default();
    shown(&open, None)
}

/// `POST /umpire/open`.
pub(super) async fn send(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    umpire: SignedIn,
    sent: Sent,
) -> Result<Response, Problem> {
    let act = Act { by: umpire.by(), form: sent.form()? };
    let (new, mut errors) = read(&sent);
    let begins = (sent.text("do") == "plan").then(|| plan::begins(&sent));
    if let Some(begins) = &begins {
        errors.extend(begins.as_ref().err().map(|why| ("begins", (*why).to_owned())));
        if is_practice(&sent) {
            errors.insert(
                "practice",
                "Practice is not announced. Open it when it begins, or plan a match of the record.".into(),
            );
        }
    }
    if errors.is_empty() {
        if let Some(Ok(begins)) = begins {
            return plan::store(&app, &act, &sent, begins).await;
        }
        let scope = if is_practice(&sent) { Scope::Practice } else { Scope::Record };
        match app.commands.open_match(scope, &act, &new).await {
            Ok(match_id) => return opened(&app, &headers, &act, &umpire, &sent, match_id).await,
            Err(AppError::Refused(WriteError::Setup(error))) => {
                errors.insert(field_of(&error), explain(&error));
            }
            Err(AppError::Refused(why)) => {
                errors.insert("ruleset", sentence(&why.to_string()));
            }
            Err(error) => return Err(Problem::from(error).back("/umpire/open", "Open the form again")),
        }
    }
    let why = errors.values().cloned().collect::<Vec<_>>().join(" ");
    let open = Open { errors, ..Open::filled(&app, "Not opened yet: Open a match", &umpire, &sent) };
    shown(&open, Some(&why))
}

/// The follow-up acts of an opened match: repeating them changes nothing more.
async fn opened(
    app: &Arc<App>,
    headers: &HeaderMap,
    act: &Act,
    umpire: &SignedIn,
    sent: &Sent,
    match_id: MatchId,
) -> Result<Response, Problem> {
    let live = sent.text("live") == "on";
    if live && sent.text("looks") == "on" {
        app.umpires.let_umpire_look(match_id).await?;
    }
    if let Ok(plan) = sent.text("plan").parse::<SubmitId>()
        && Scope::of(match_id) == Scope::Record
    {
        app.umpires.plan_opened(plan, match_id).await?;
    }
    if live && sent.text("invites") == "on" {
        let context = MatchContext::at(app, umpire.clone(), site(headers), match_id).await?;
        return links::invite(&context, act, &Seat::BOTH).await;
    }
    let address = format!("{}?done=opened", console::address(&slug(match_id)));
    Ok(Redirect::to(&address).into_response())
}
