//! Acts with a text of the umpire's: rulings, remarks, warnings, late answers admitted, resuming a live match as
//! recorded, handovers and private notes.

use app::AppError;
use app::text::Purpose;
use axum::response::Response;
use engine::Verdict;
use ledger::UmpireId;

use super::act_form::{ActForm, Again, AnybodysForm, Refusal, answer_text};
use web_http::Problem;

/// The label under which most texts are given back, and their field.
const YOUR_TEXT: (&str, &str) = ("What you wrote", "text");

/// The result that a ruling decides; none if the match goes on.
fn verdict(word: &str) -> Result<Option<Verdict>, Refusal> {
    if word.is_empty() {
        return Ok(None);
    }
    let unknown = "A ruling decides for a player, leaves undecided, voids, or lets the match go on.";
    Verdict::read(word).map(Some).ok_or(unknown.into())
}

pub(super) async fn rule(form: ActForm) -> Result<Response, Problem> {
    let done = async {
        let (text, clause) = (form.required("text", Purpose::Ruling)?, form.clause()?);
        let verdict = verdict(form.text("result"))?;
        let context = &form.context;
        context.app.commands.rule(&form.act, context.match_id, form.seen, clause, text, verdict).await?;
        Ok("ruled")
    };
    answer_text(done.await, form, Again::Form("ruled"), ("The ruling", "text")).await
}

pub(super) async fn note(form: ActForm) -> Result<Response, Problem> {
    let done = async {
        let text = form.required("text", Purpose::Remark)?;
        form.context.app.commands.note(&form.act, form.context.match_id, form.seen, text).await?;
        Ok("noted")
    };
    answer_text(done.await, form, Again::Form("noted"), ("The remark", "text")).await
}

pub(super) async fn warn(form: ActForm) -> Result<Response, Problem> {
    let done = async {
        let (text, seat, clause) = (form.reason("text")?, form.seat("Say who is warned.")?, form.clause()?);
        form.context.app.commands.warn(&form.act, form.context.match_id, form.seen, seat, clause, text).await?;
        Ok("warned")
    };
    answer_text(done.await, form, Again::Form("warned"), YOUR_TEXT).await
}

pub(super) async fn admit(form: ActForm) -> Result<Response, Problem> {
    let done = async {
        let (text, seat, clause) = (form.reason("text")?, form.seat("Say whose move counts.")?, form.clause()?);
        let (decision, context) = (form.decision()?, &form.context);
        context.app.commands.admit(&form.act, context.match_id, form.seen, &decision, seat, clause, text).await?;
        Ok("admitted")
    };
    answer_text(done.await, form, Again::Form("admitted"), YOUR_TEXT).await
}

pub(super) async fn go_on_recorded(form: ActForm) -> Result<Response, Problem> {
    let done = async {
        let text = form.reason("text")?;
        form.context.app.commands.go_on_recorded(&form.act, form.context.match_id, form.seen, None, text).await?;
        Ok("recorded")
    };
    answer_text(done.await, form, Again::Form("recorded"), YOUR_TEXT).await
}

pub(super) async fn hand(AnybodysForm(form): AnybodysForm) -> Result<Response, Problem> {
    let done = async {
        let (text, app) = (form.reason("text")?, &form.context.app);
        let umpires = app::account::active_umpires(app.pool(), app.system()).await.map_err(AppError::from_account)?;
        let to = umpires.iter().find(|umpire| umpire.id == form.text("to"));
        let to = to.and_then(|to| to.id.parse::<UmpireId>().ok()).ok_or("Say whose match it becomes.")?;
        app.commands.hand_over(&form.act, form.context.match_id, form.seen, &to, text).await?;
        Ok("handed")
    };
    answer_text(done.await, form, Again::Form("handed"), YOUR_TEXT).await
}

pub(super) async fn private_note(form: ActForm) -> Result<Response, Problem> {
    let done = async {
        let text = form.required("text", Purpose::Note)?;
        form.context.app.umpires.keep_note(&form.context.history, &form.act, text).await?;
        Ok("kept")
    };
    answer_text(done.await, form, Again::Form("kept"), YOUR_TEXT).await
}
