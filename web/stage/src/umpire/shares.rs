//! What draws wait for, on the console: the openings of shares, a new start of them, and a draw without its round.

use axum::response::Response;
use record::History;

use super::act_form::{ActForm, Again, answer_text};
use web_http::Problem;

#[derive(Debug, Default)]
pub(super) struct SharePanel {
    pub(super) unopened: Vec<String>,
    pub(super) needed: bool,
    pub(super) possible: bool,
}

impl SharePanel {
    pub(super) fn of(history: &History) -> Self {
        let unopened = history.unopened_shares().map(|(_, seats)| seats).unwrap_or_default();
        Self {
            unopened: unopened.into_iter().map(|seat| history.name(seat).to_owned()).collect(),
            needed: history.needs_new_shares(),
            possible: history.may_begin_shares(),
        }
    }
}

pub(super) async fn without_round(form: ActForm) -> Result<Response, Problem> {
    let done = async {
        let (text, clause) = (form.reason("text")?, form.clause()?);
        let context = &form.context;
        context.app.commands.go_on_without_round(&form.act, context.match_id, form.seen, clause, text).await?;
        Ok("without-round")
    };
    answer_text(done.await, form, Again::Form("without-round"), ("What you wrote", "text")).await
}

pub(super) async fn begin(form: ActForm) -> Result<Response, Problem> {
    let done = async {
        let (text, clause) = (form.reason("text")?, form.clause()?);
        form.context.app.commands.begin_shares(&form.act, form.context.match_id, form.seen, clause, text).await?;
        Ok("shares")
    };
    answer_text(done.await, form, Again::Form("shares"), ("What you wrote", "text")).await
}
