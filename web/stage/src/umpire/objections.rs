//! Players' objections as tasks of the umpire: each needs a ruling, and the match cannot end before.

use app::text::Purpose;
use axum::response::Response;
use ledger::Seq;
use record::History;

use super::act_form::{ActForm, Again, answer_text};
use super::console::line_of;
use super::question::TypedLines;
use web_http::Problem;

#[derive(Debug)]
pub(super) struct OpenObjection {
    pub(super) entry: Seq,
    pub(super) name: String,
    pub(super) step: u32,
    pub(super) line: String,
    pub(super) text: String,
}

pub(super) fn open(history: &History) -> Vec<OpenObjection> {
    let line = |step: u32| history.steps.iter().find(|one| one.number == step).map(line_of);
    let open = history.open_objections().map(|one| OpenObjection {
        entry: one.entry,
        name: history.name(one.seat).to_owned(),
        step: one.step,
        line: line(one.step).unwrap_or_default().to_owned(),
        text: one.text.or("(withdrawn)").to_owned(),
    });
    open.collect()
}

pub(super) async fn send(form: ActForm) -> Result<Response, Problem> {
    let entry = form.text("objection").parse().map(Seq);
    let entry = entry.map_err(|_| Problem::refused("This form does not say which objection it answers."))?;
    let done = async {
        let text = form.required("text", Purpose::Ruling)?;
        let context = &form.context;
        context.app.commands.answer_objection(&form.act, context.match_id, form.seen, entry, None, text).await?;
        Ok("ruled")
    };
    answer_text(done.await, form, Again::Notice(TypedLines::default()), ("The ruling", "text")).await
}
