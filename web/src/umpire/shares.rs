//! What draws wait for, on the console: the openings of shares, a new start of them, and a draw without its round.

use axum::response::Response;
use engine::Seat;
use ledger::Moment;
use record::{History, HostAct};

use super::act_form::{ActForm, Again, answer_text};
use crate::http::Problem;
use crate::page::When;

/// How the shares of the draws stand.
#[derive(Debug, Default)]
pub(super) struct SharePanel {
    /// The end of the time for openings, while some are awaited.
    pub(super) until: Option<When>,
    /// The players whose listed share was not opened in the last start.
    pub(super) unopened: Vec<String>,
    /// True if nothing is drawn until shares are gathered anew.
    pub(super) needed: bool,
    /// True if they can be gathered anew.
    pub(super) possible: bool,
    /// Under rules 1: the seats whose listed share cannot be opened, word and name.
    pub(super) stuck: Vec<(&'static str, String)>,
}

impl SharePanel {
    pub(super) fn of(history: &History, now: Moment) -> Self {
        Self {
            until: history.awaited_openings().map(|list| When::second_on(list.deadline(), now)),
            unopened: unopened(history),
            needed: history.needs_new_shares(),
            possible: history.may_begin_shares(),
            stuck: stuck(history),
        }
    }
}

fn unopened(history: &History) -> Vec<String> {
    let Some(seed) = history.seeds.last() else { return Vec::new() };
    let Some((list, opened)) = seed.lists.first().zip(seed.opened.as_ref()) else { return Vec::new() };
    let is_unopened = |seat: &Seat| list.sealed[*seat].is_some() && opened.given[*seat].is_none();
    Seat::BOTH.into_iter().filter(is_unopened).map(|seat| history.name(seat).to_owned()).collect()
}

/// The seats whose share is listed while the host cannot open it and continue.
fn stuck(history: &History) -> Vec<(&'static str, String)> {
    let list = history.seeds.last().and_then(|seed| seed.lists.last()).filter(|_| !history.players_keep_shares());
    let Some(list) = list.filter(|_| history.host_act() == Some(HostAct::Fix)) else { return Vec::new() };
    let stuck = Seat::BOTH.into_iter().filter(|seat| list.sealed[*seat].is_some());
    stuck.map(|seat| (seat.word(), history.name(seat).to_owned())).collect()
}

/// `POST .../without-round`: the next draw is made without the round of the beacon.
pub(super) async fn without_round(form: ActForm) -> Result<Response, Problem> {
    let done = async {
        let (text, clause) = (form.reason("text")?, form.clause()?);
        let context = &form.context;
        context.app.commands.go_on_without_round(&form.act, context.match_id, form.seen, clause, text).await?;
        Ok("without-round")
    };
    answer_text(done.await, form, Again::Form("without-round"), ("What you wrote", "text")).await
}

/// `POST .../shares`: gathers the shares of the draws anew.
pub(super) async fn begin(form: ActForm) -> Result<Response, Problem> {
    let done = async {
        let (text, clause) = (form.reason("text")?, form.clause()?);
        form.context.app.commands.begin_shares(&form.act, form.context.match_id, form.seen, clause, text).await?;
        Ok("shares")
    };
    answer_text(done.await, form, Again::Form("shares"), ("What you wrote", "text")).await
}
