//! One webhook: its state, its messages, and its actions.

use std::sync::Arc;

use app::App;
use app::views::match_address;
use app::webhooks::{self, DeliveryRow, Hook, Secret};
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use chrono::{DateTime, Utc};
use ledger::MatchId;

use super::form::Form;
use super::list::frame;
use page::{Frame, When, rendered};
use web_http::visitor::SignedIn;
use web_http::{Problem, Segments};

#[derive(Template)]
#[template(path = "webhooks/show.html")]
struct HookPage {
    frame: Frame,
    hook: Hook,
    secret: Option<String>,
    old_until: Option<When>,
    held_until: Option<When>,
    stopped_at: Option<When>,
    made: When,
    sent: Vec<Attempt>,
    form: String,
}

struct Attempt {
    id: String,
    kind: String,
    address: Option<String>,
    at: When,
    outcome: String,
    next: Option<When>,
    took: String,
}

impl Attempt {
    fn of(sent: DeliveryRow) -> Self {
        let entry = |(match_id, seq)| format!("{}/verify#e{seq}", match_address(MatchId(match_id)));
        let failure = sent.said.unwrap_or_default();
        let good = sent.at.is_some() && failure.is_empty();
        let again = sent.done_at.is_none() && !good;
        let outcome = match (sent.at, sent.status) {
            (None, _) => "not sent yet".to_owned(),
            (Some(_), Some(status)) if good => format!("received: {status}"),
            (Some(_), _) => format!("{failure}."),
        };
        Self {
            id: sent.id,
            kind: sent.kind,
            address: sent.match_id.zip(sent.seq).map(entry),
            at: When::utc_second(sent.at.unwrap_or(sent.due_at)),
            outcome,
            next: again.then(|| When::utc_second(sent.due_at)),
            took: sent.took_ms.map(|took| format!("{took} ms")).unwrap_or_default(),
        }
    }
}

async fn own(app: &App, umpire: &SignedIn, id: &str) -> Result<Hook, Problem> {
    webhooks::find_for(app.pool(), &umpire.0, id).await?.ok_or_else(|| {
        Problem::not_found("There is no webhook of yours at this address. It may have been removed.")
            .back("/umpire/webhooks", "See your webhooks")
    })
}

pub(super) async fn show(
    State(app): State<Arc<App>>,
    umpire: SignedIn,
    Segments(id): Segments<String>,
) -> Result<Response, Problem> {
    render(&app, &umpire, &id, None).await
}

pub(super) async fn act(
    State(app): State<Arc<App>>,
    umpire: SignedIn,
    Segments(id): Segments<String>,
    axum::Form(fields): axum::Form<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let form = Form::of(fields);
    let hook = own(&app, &umpire, &id).await?;
    let id = hook.id;
    let damaged = || Problem::refused("This form is damaged. Open the page again.");
    let (pool, now) = (app.pool(), app.system().now());
    match form.text("do") {
        "test" => webhooks::test(pool, id, form.id().ok_or_else(damaged)?, now).await?,
        "again" => drop(webhooks::again(pool, id, form.text("message"), now).await?),
        "stop" => webhooks::stop(pool, id, &format!("{} stopped it.", umpire.0.name), now).await?,
        "start" => webhooks::start(app.logs.record(), id, now).await?,
        "rotate" => {
            let secret = webhooks::rotate(&app, id, form.id().ok_or_else(damaged)?).await?;
            return render(&app, &umpire, &id.to_string(), secret.as_ref()).await;
        }
        "remove" => {
            webhooks::remove(pool, id).await?;
            return Ok(Redirect::to("/umpire/webhooks").into_response());
        }
        _ => return Err(damaged()),
    }
    Ok(Redirect::to(&format!("/umpire/webhooks/{id}")).into_response())
}

pub(super) async fn render(
    app: &App,
    umpire: &SignedIn,
    id: &str,
    secret: Option<&Secret>,
) -> Result<Response, Problem> {
    let hook = own(app, umpire, id).await?;
    let now = app.system().now().to_utc();
    let later = |at: Option<DateTime<Utc>>| at.filter(|at| *at > now).map(When::utc_second);
    let shown = HookPage {
        frame: frame("A webhook", umpire),
        secret: secret.map(Secret::reveal),
        old_until: later(hook.old_until),
        held_until: later(hook.held_until),
        stopped_at: hook.stopped_at.map(When::utc_second),
        made: When::utc_second(hook.created_at),
        sent: webhooks::newest(app.pool(), hook.id).await?.into_iter().map(Attempt::of).collect(),
        form: app.system().uuid().to_string(),
        hook,
    };
    rendered(StatusCode::OK, &shown)
}
