//! Striking back to a step: first a preview of everything that would no longer count, then the strike.

use app::UmpireAct;
use app::umpire_act::NewStrike;
use askama::Template;
use axum::extract::RawQuery;
use axum::response::Response;
use ledger::Head;
use record::words::{in_a_line, standing};
use record::write::plan_strike;

use super::act_form::{ActForm, Outcome, reason};
use super::console::{line_of, place_in_sentence, step_words};
use super::match_context::MatchContext;
use super::{console, form, shown};
use page::Frame;
use web_http::Problem;

#[derive(Template)]
#[template(path = "umpire/strike.html")]
struct Strike<'c> {
    frame: Frame,
    context: &'c MatchContext,
    from: u32,
    place: String,
    gone: Vec<StruckStep>,
    after: String,
    reason: String,
    error: Option<String>,
    form: String,
    head: String,
}

struct StruckStep {
    number: u32,
    line: String,
    figures: String,
}

pub(super) fn number_in(query: Option<&str>, name: &str) -> Option<u32> {
    let pairs = query?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(key, _)| *key == name)?.1.parse().ok()
}

pub(super) async fn show(context: MatchContext, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let from = number_in(query.as_deref(), "from").unwrap_or(0);
    render(&context, from, String::new(), None, context.history.head)
}

pub(super) async fn send(form: ActForm) -> Result<Response, Problem> {
    let from = form.text("from").parse().unwrap_or(0);
    let (head, reason) = (form.head(), form.text("reason").to_owned());
    let act = UmpireAct::Strike(NewStrike { head, from, reason, dry_run: false });
    match form.outcome(form.perform(&act, "struck").await, form.copy("The reason", "reason")).await? {
        Outcome::Answered(answer) => Ok(answer),
        Outcome::Refused(why) => render(&form.context, from, form.text("reason").to_owned(), Some(why), form.seen),
    }
}

fn render(
    context: &MatchContext,
    from: u32,
    typed: String,
    error: Option<String>,
    seen: Head,
) -> Result<Response, Problem> {
    let history = &context.history;
    let plan = plan_strike(history, from).map_err(|why| {
        Problem::refused(reason(history, &why)).back(console::address(&context.slug), "Go back to the console")
    })?;
    let gone = plan.changes.iter().map(|change| {
        let step = history.steps.iter().find(|step| step.number == change.number);
        StruckStep {
            number: change.number,
            line: step.map_or(change.was.as_str(), line_of).to_owned(),
            figures: in_a_line(change.figures.iter().map(|(was, _)| was.clone())),
        }
    });
    let place = place_in_sentence(&step_words(history, from));
    let strike = Strike {
        frame: context.frame(format!("Strike back to {place}")),
        context,
        from,
        place,
        gone: gone.collect(),
        after: standing(&plan.after),
        reason: typed,
        error,
        form: context.fresh_form(),
        head: form::write_head(seen),
    };
    shown(&strike, strike.error.as_deref())
}

#[cfg(test)]
mod tests {
    use super::number_in;

    #[test]
    fn the_step_is_read_from_the_address() {
        assert_eq!(number_in(Some("a=1&from=12"), "from"), Some(12));
        for query in [None, Some(""), Some("from"), Some("from="), Some("from=-1"), Some("from=99999999999")] {
            assert_eq!(number_in(query, "from"), None);
        }
    }
}
