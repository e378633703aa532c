//! The page of a match that is known by its result: what was told, by whom, and what was changed since.

use app::App;
use app::comments::CommentRights;
use app::known_results::{KnownResult, KnownResultAct};
use app::umpires::UmpireNames;
use app::views::{match_address, ruleset_name};
use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use ledger::MatchId;
use record::words::{capital, sentence};

use super::recordings::RecordingList;
use super::view_request::ViewRequest;
use page::{Frame, When, rendered};
use web_http::{ErrorKind, Problem, Spoilers, site};

#[derive(Template)]
#[template(path = "archive/known_result.html")]
struct KnownResultPage {
    frame: Frame,
    site: String,
    address: String,
    known: KnownResult,
    /// As they are shown, also where a name was withdrawn.
    names: [String; 2],
    game: String,
    result: String,
    date: When,
    told: When,
    told_by: String,
    changes: Vec<(When, String)>,
    change: Option<String>,
    recordings: RecordingList,
    spoilers: Spoilers,
}

/// The page, where a short name is no match's in the log.
pub(super) async fn page(app: &App, slug: &str, request: &ViewRequest) -> Result<Response, Problem> {
    let known = app.known_results.find(slug).await?.ok_or(app::AppError::NoMatch)?;
    let (acts, umpires) = (app.known_results.acts(&known).await?, app.umpires.names());
    if let Some(act) = acts.last().filter(|_| known.is_removed) {
        let (by, on) = (umpires.said(&act.umpire), When::day(act.at).text);
        let detail = format!("This match was known by its result only, and {by} removed it on {on}.");
        return Err(Problem::of(ErrorKind::Gone, detail).back("/archive", "Go to the archive"));
    }
    let (match_id, umpire) = (MatchId(known.match_id), request.visitor.umpire.as_ref());
    let may_change = umpire.is_some_and(|umpire| app.known_results.may_change(umpire, &known));
    let may = CommentRights { write: may_change, withdraw_any: may_change };
    let shown = |name: &Option<String>, other: &str| name.clone().unwrap_or_else(|| other.to_owned());
    let names = [shown(&known.p1, "Player 1"), shown(&known.p2, "Player 2")];
    let (title, game) = (names.join(" \u{2013} "), ruleset_name(&known.ruleset));
    let result = result_words(&known.result, &names[0], &names[1]);
    let frame = Frame::titled(&title).in_section("archive");
    let frame = frame.described(format!("{title}. {game}. A Death Match that is known by its result only."));
    let page = KnownResultPage {
        frame: Frame { umpire: request.visitor.name(), ..frame },
        site: site(&request.headers),
        address: match_address(match_id),
        names,
        game,
        result,
        date: When::of_match(known.date.as_deref(), "result", known.told_at),
        told: When::day(known.told_at),
        told_by: umpires.said(&known.umpire),
        changes: acts
            .iter()
            .filter(|act| act.act != "told")
            .map(|act| change(act, &umpires, request.params.spoilers))
            .collect(),
        change: may_change.then(|| format!("/umpire/results/{slug}")),
        recordings: RecordingList::of(app, match_id, umpire.map(|umpire| (umpire, may))).await?,
        spoilers: request.params.spoilers,
        known,
    };
    rendered(StatusCode::OK, &page)
}

/// What became of it, such as "Ada won.".
pub(super) fn result_words(result: &str, p1: &str, p2: &str) -> String {
    match result {
        "p1" => format!("{p1} won."),
        "p2" => format!("{p2} won."),
        word => format!("{}.", capital(word)),
    }
}

/// The reason of a correction may tell who won.
fn change(act: &KnownResultAct, umpires: &UmpireNames, spoilers: Spoilers) -> (When, String) {
    let (what, by) = (act.fields.join(", "), umpires.said(&act.umpire));
    let words = if act.reason.is_empty() || spoilers.hidden() {
        format!("{by} {} {what}.", act.act.replace("withdrawn", "withdrew"))
    } else {
        format!("{by} {} {what}. {}", act.act, sentence(&act.reason))
    };
    (When::utc_minute(act.at), words)
}
