//! The form that tells a match by its result, corrects it, or removes it.

use std::sync::Arc;

use app::App;
use app::known_results::{KnownResult, ResultErrors, ResultFields, score_text};
use app::text::{Purpose, RulingText};
use app::views::{match_address, ruleset_name};
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use ledger::MatchId;

use page::form_data::FormData;
use page::{Frame, form, rendered};
use web_http::visitor::SignedIn;
use web_http::{ErrorKind, Problem, Segments};

/// The results of the form, as they stand between two names.
const OUTCOMES: [(&str, &str); 4] =
    [("p1", "beat"), ("p2", "lost to"), ("undecided", "drew with"), ("void", "void, against")];

#[derive(Template)]
#[template(path = "archive/known_result_form.html")]
struct ResultForm {
    frame: Frame,
    form: String,
    fields: ResultFields,
    errors: ResultErrors,
    problem: Option<String>,
    /// A match that may be the same one.
    duplicate: Option<String>,
    games: Vec<String>,
    /// The match that is corrected: its page and its version.
    corrects: Option<(String, i32)>,
    reason: String,
}

impl ResultForm {
    fn of(app: &App, umpire: &SignedIn, fields: ResultFields) -> Self {
        Self {
            frame: frame("A match known by its result", umpire),
            form: form::fresh(app.system()),
            fields,
            errors: ResultErrors::new(),
            problem: None,
            duplicate: None,
            games: games(),
            corrects: None,
            reason: String::new(),
        }
    }

    fn outcomes(&self) -> [(&'static str, &'static str, bool); 4] {
        let chosen = if self.fields.result.is_empty() { "p1" } else { &self.fields.result };
        OUTCOMES.map(|(word, label)| (word, label, word == chosen))
    }

    fn error(&self, field: &str) -> Option<&str> {
        self.errors.iter().find(|(wrong, _)| *wrong == field).map(|(_, why)| why.as_str())
    }

    fn answer(&self) -> Result<Response, Problem> {
        let wrong = !self.errors.is_empty() || self.problem.is_some() || self.duplicate.is_some();
        rendered(if wrong { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK }, self)
    }
}

pub(super) fn frame(title: &str, umpire: &SignedIn) -> Frame {
    Frame { umpire: Some(umpire.0.name.clone()), ..Frame::titled(title).in_section("umpire") }
}

/// The rulesets by name, to be offered beside any other game.
pub(super) fn games() -> Vec<String> {
    engine::rulesets().map(|ruleset| ruleset_name(ruleset.card().id)).collect()
}

fn typed(sent: &FormData) -> ResultFields {
    let text = |name| sent.text(name).to_owned();
    ResultFields {
        game: text("game"),
        p1: text("p1"),
        p2: text("p2"),
        result: text("result"),
        score: text("score"),
        date: text("date"),
        event: text("event"),
        recording: text("recording"),
    }
}

pub(super) async fn show(State(app): State<Arc<App>>, umpire: SignedIn) -> Result<Response, Problem> {
    ResultForm::of(&app, &umpire, ResultFields::default()).answer()
}

pub(super) async fn send(State(app): State<Arc<App>>, umpire: SignedIn, sent: FormData) -> Result<Response, Problem> {
    let (form, page) = (sent.form()?, ResultForm::of(&app, &umpire, typed(&sent)));
    let checked = match page.fields.check(app.system().now()) {
        Ok(checked) => checked,
        Err(errors) => return ResultForm { errors, ..page }.answer(),
    };
    let duplicate = match sent.text("again") {
        "yes" => None,
        _ => app.known_results.find_duplicate(&checked).await?,
    };
    // The same form again leads to what it told.
    let same = app.known_results.nth_told(&umpire.0, form, 0);
    if let Some(duplicate) = duplicate.filter(|duplicate| *duplicate != same) {
        return ResultForm { duplicate: Some(match_address(duplicate)), ..page }.answer();
    }
    let told = app.known_results.tell(&umpire.0, form, &[checked]).await?;
    let address = told.first().map_or_else(|| "/archive".to_owned(), |match_id| match_address(*match_id));
    Ok(Redirect::to(&address).into_response())
}

async fn own(app: &App, umpire: &SignedIn, slug: &str) -> Result<KnownResult, Problem> {
    let known = app.known_results.find_present(slug).await?;
    if app.known_results.may_change(&umpire.0, &known) {
        return Ok(known);
    }
    let detail = "Who told this result corrects it, and so do admins.";
    Err(Problem::of(ErrorKind::NotYourMatch, detail).back(format!("/m/{slug}"), "Go to the match"))
}

fn correcting(app: &App, umpire: &SignedIn, known: &KnownResult, fields: ResultFields) -> ResultForm {
    let corrects = Some((match_address(MatchId(known.match_id)), known.version));
    ResultForm { corrects, ..ResultForm::of(app, umpire, fields) }
}

pub(super) async fn of_match(
    State(app): State<Arc<App>>,
    umpire: SignedIn,
    Segments(slug): Segments<String>,
) -> Result<Response, Problem> {
    let known = own(&app, &umpire, &slug).await?;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let fields = ResultFields {
        game: ruleset_name(&known.ruleset),
        p1: text(&known.p1),
        p2: text(&known.p2),
        result: known.result.clone(),
        score: score_text(&known),
        date: text(&known.date),
        event: text(&known.event),
        recording: String::new(),
    };
    correcting(&app, &umpire, &known, fields).answer()
}

pub(super) async fn change(
    State(app): State<Arc<App>>,
    umpire: SignedIn,
    Segments(slug): Segments<String>,
    sent: FormData,
) -> Result<Response, Problem> {
    let known = own(&app, &umpire, &slug).await?;
    let page = correcting(&app, &umpire, &known, typed(&sent));
    let page = ResultForm { reason: sent.text("reason").to_owned(), ..page };
    let reason = match RulingText::required(Purpose::Reason, sent.raw("reason")) {
        Ok(reason) => reason,
        Err(why) => return ResultForm { problem: Some(format!("Nothing was changed. {why}")), ..page }.answer(),
    };
    if sent.text("do") == "remove" {
        app.known_results.remove(&umpire.0, &known, reason.as_str()).await?;
        return Ok(Redirect::to("/archive").into_response());
    }
    let checked = match page.fields.check(app.system().now()) {
        Ok(checked) => checked,
        Err(errors) => return ResultForm { errors, ..page }.answer(),
    };
    let read = sent.text("version") == known.version.to_string();
    if read && app.known_results.correct(&umpire.0, &known, &checked, reason.as_str()).await? {
        return Ok(Redirect::to(&match_address(MatchId(known.match_id))).into_response());
    }
    let problem =
        "Somebody else changed this result since you opened the page, so nothing was done. Look at it again first.";
    ResultForm { problem: Some(problem.to_owned()), ..page }.answer()
}
