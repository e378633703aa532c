//! The page of webhooks: the list, and the form for another.

use std::sync::Arc;

use app::App;
use app::webhooks::{self, EventKind, Hook, MadeHook, NewHook, wrong_address};
use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;

use super::form::Form;
use super::show;
use page::{Frame, rendered};
use web_http::visitor::SignedIn;
use web_http::{Problem, site};

#[derive(Template)]
#[template(path = "webhooks/list.html")]
struct ListPage {
    frame: Frame,
    hooks: Vec<Hook>,
    form: String,
    address: String,
    kinds: Vec<(EventKind, bool)>,
    error: Option<String>,
}

pub(super) fn frame(title: &str, umpire: &SignedIn) -> Frame {
    let frame = Frame::titled(title).in_section("umpire");
    Frame { umpire: Some(umpire.0.name.clone()), obstacle: umpire.1.clone(), ..frame }
}

pub(super) async fn show(State(app): State<Arc<App>>, umpire: SignedIn) -> Result<Response, Problem> {
    render(&app, &umpire, &Form::default(), None).await
}

pub(super) async fn add(
    State(app): State<Arc<App>>,
    umpire: SignedIn,
    headers: HeaderMap,
    axum::Form(fields): axum::Form<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let form = Form::of(fields);
    let (address, kinds) = (form.text("address"), form.kinds());
    let Some(id) = form.id() else {
        return Err(Problem::refused("This form is damaged. Open the page again."));
    };
    let wrong = wrong_address(address).or_else(|| kinds.is_empty().then_some("Choose at least one event."));
    if let Some(wrong) = wrong {
        return render(&app, &umpire, &form, Some(wrong.to_owned())).await;
    }
    let site = site(&headers);
    let new = NewHook { id, umpire_id: &umpire.0.id, address, site: &site, kinds: &kinds };
    match webhooks::add(&app, &new).await? {
        MadeHook::New(secret) => show::render(&app, &umpire, &id.to_string(), Some(&secret)).await,
        MadeHook::Before => show::render(&app, &umpire, &id.to_string(), None).await,
        MadeHook::Full(why) => render(&app, &umpire, &form, Some(why.to_owned())).await,
    }
}

async fn render(app: &App, umpire: &SignedIn, form: &Form, error: Option<String>) -> Result<Response, Problem> {
    let picked = form.kinds();
    let now = app.system().now().to_utc();
    // A pause that is over is not shown.
    let held = |hook: Hook| Hook { held_until: hook.held_until.filter(|until| *until > now), ..hook };
    let shown = ListPage {
        frame: frame("Webhooks", umpire),
        hooks: webhooks::list_for(app.pool(), &umpire.0).await?.into_iter().map(held).collect(),
        form: app.system().uuid().to_string(),
        address: form.text("address").to_owned(),
        kinds: EventKind::ALL.into_iter().map(|kind| (kind, error.is_none() || picked.contains(&kind))).collect(),
        error: error.clone(),
    };
    let status = if error.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let mut response = rendered(status, &shown)?;
    if let Some(error) = error {
        response.extensions_mut().insert(Problem::refused(error));
    }
    Ok(response)
}
