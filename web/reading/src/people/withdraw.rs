//! Withdrawing words: an umpire does it, at the request of the person who is named or who wrote them.
//!
//! Only the words are erased. The record keeps its commitments, and stays as verifiable as before.

use std::sync::Arc;

use app::account::Role;
use app::archive::{Filter, MatchSummary, Page, Sort};
use app::commands::WithdrawableText;
use app::known_results::KnownResult;
use app::views::{match_address, ruleset_name};
use app::{App, AppError};
use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use ledger::MatchId;
use record::name_key;

use super::player::{key, no_player};
use page::{Frame, page, player_address, rendered};
use web_http::visitor::{SignedIn, Visitor};
use web_http::{ErrorKind, Problem, Segments};

const MATCHES_SHOWN: usize = 20;

#[derive(Template)]
#[template(path = "people/withdraw_about.html")]
struct AboutPage {
    frame: Frame,
}

#[derive(Template)]
#[template(path = "people/withdraw_match.html")]
struct MatchForm {
    frame: Frame,
    title: String,
    address: String,
    words: Vec<WordOption>,
    problem: Option<&'static str>,
    done: Option<usize>,
}

struct WordOption {
    id: String,
    what: String,
    text: String,
}

#[derive(Template)]
#[template(path = "people/withdraw_name.html")]
struct NameForm {
    frame: Frame,
    name: String,
    address: String,
    total: String,
    /// The title and address of some of the matches.
    matches: Vec<(String, String)>,
    aliases: Vec<String>,
    problem: Option<&'static str>,
}

#[derive(Template)]
#[template(path = "people/withdraw_done.html")]
struct DonePage {
    frame: Frame,
    erased: usize,
    matches: usize,
    /// The first of them, described without the name, and their addresses.
    shown: Vec<(String, String)>,
}

const MATCHES_LINKED: usize = 100;

type Fields = Form<Vec<(String, String)>>;

fn is_confirmed(sent: &[(String, String)]) -> bool {
    sent.iter().any(|(name, value)| name == "asked" && value == "yes")
}

const NOT_CONFIRMED: &str = "Nothing was erased: confirm that you were asked to, and that it cannot be undone.";
const NOT_ALL_YOURS: &str = "Not all matches with this name are yours. An admin can withdraw it from all of them; you can withdraw \
                             words of your own matches and of those you help in, from the page of each.";
const NOTHING_CHOSEN: &str = "Nothing was erased: choose at least one.";

fn frame(title: impl Into<String>, umpire: &SignedIn) -> Frame {
    Frame { umpire: Some(umpire.0.name.clone()), ..Frame::titled(title).in_section("umpire") }
}

pub(super) async fn about(visitor: Visitor) -> Result<Response, Problem> {
    page(&AboutPage { frame: Frame { umpire: visitor.name(), ..Frame::titled("Withdrawing a name") } })
}

pub(super) async fn of_match(
    State(app): State<Arc<App>>,
    umpire: SignedIn,
    Segments(slug): Segments<String>,
) -> Result<Response, Problem> {
    let match_id = app.matches.recorded_match_of(&slug).await?;
    show_match(&app, &umpire, match_id, None, None).await
}

async fn show_match(
    app: &App,
    umpire: &SignedIn,
    match_id: MatchId,
    problem: Option<&'static str>,
    done: Option<usize>,
) -> Result<Response, Problem> {
    app.commands.may_withdraw(&umpire.0, match_id).await?;
    let history = app.matches.history(match_id).await?;
    let names = history.both_names();
    let words = app.commands.words(match_id).await?.into_iter();
    let status = if problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    rendered(
        status,
        &MatchForm {
            frame: frame("Withdraw words of a match", umpire),
            title: format!("{} \u{2013} {}", names.p1, names.p2),
            address: match_address(match_id),
            words: words.map(|word| WordOption { id: id(&word), what: word.what(), text: word.text }).collect(),
            problem,
            done,
        },
    )
}

fn id(word: &WithdrawableText) -> String {
    format!("{}:{}", word.seq.0, word.field)
}

pub(super) async fn from_match(
    State(app): State<Arc<App>>,
    umpire: SignedIn,
    Segments(slug): Segments<String>,
    Form(sent): Fields,
) -> Result<Response, Problem> {
    let match_id = app.matches.recorded_match_of(&slug).await?;
    let chosen: Vec<&String> = sent.iter().filter(|(name, _)| name == "word").map(|(_, value)| value).collect();
    let problem = match (is_confirmed(&sent), chosen.is_empty()) {
        (_, true) => Some(NOTHING_CHOSEN),
        (false, _) => Some(NOT_CONFIRMED),
        _ => None,
    };
    if problem.is_some() {
        return show_match(&app, &umpire, match_id, problem, None).await;
    }
    let mut words = app.commands.words(match_id).await?;
    words.retain(|word| chosen.contains(&&id(word)));
    let done = app.commands.withdraw(&umpire.0, match_id, &words).await?;
    show_match(&app, &umpire, match_id, None, Some(done.erased)).await
}

pub(super) async fn of_player(
    State(app): State<Arc<App>>,
    umpire: SignedIn,
    Segments(name): Segments<String>,
) -> Result<Response, Problem> {
    let key = app.archive().player_key(&key(&name)?).await?;
    may_withdraw_all(&app, &umpire, &names_of(&app, &key).await?).await?;
    show_player(&app, &umpire, &key, None).await
}

/// Every name of a player: one that stays would still tell who it is.
async fn names_of(app: &App, key: &str) -> Result<Vec<String>, Problem> {
    Ok([key.to_owned()].into_iter().chain(app.archive().aliases(key).await?).collect())
}

async fn may_withdraw_all(app: &App, umpire: &SignedIn, names: &[String]) -> Result<(), Problem> {
    if umpire.0.role == Role::Admin {
        return Ok(());
    }
    if !app.event_sheets.names(&umpire.0, |name| names.contains(&name_key(name))).await?.1 {
        return Err(Problem::of(ErrorKind::NotYourMatch, NOT_ALL_YOURS));
    }
    for name in names {
        let filter = Filter { player: Some(name.clone()), ..Filter::default() };
        let mut after = None;
        loop {
            let (found, next) = app.archive().walk(&filter, after.as_ref()).await?;
            for listed in found {
                if let Some(known) = known_result(app, &listed).await? {
                    if !app.known_results.may_change(&umpire.0, &known) {
                        return Err(Problem::of(ErrorKind::NotYourMatch, NOT_ALL_YOURS));
                    }
                    continue;
                }
                match app.commands.may_withdraw(&umpire.0, MatchId(listed.match_id)).await {
                    Err(AppError::NotYourMatch) => return Err(Problem::of(ErrorKind::NotYourMatch, NOT_ALL_YOURS)),
                    may => may?,
                }
            }
            match next {
                Some(next) => after = Some(next),
                None => break,
            }
        }
    }
    Ok(())
}

/// What was told of a match that is known by its result.
async fn known_result(app: &App, listed: &MatchSummary) -> Result<Option<KnownResult>, Problem> {
    if listed.mode == "result" { Ok(app.known_results.find(&listed.slug).await?) } else { Ok(None) }
}

async fn show_player(
    app: &App,
    umpire: &SignedIn,
    key: &str,
    problem: Option<&'static str>,
) -> Result<Response, Problem> {
    let name = match app.archive().player_name(key).await? {
        Some(name) => name,
        // A host may have named somebody who never played.
        None if app.event_sheets.names(&umpire.0, |name| name_key(name) == key).await?.0 => key.to_owned(),
        None => return Err(no_player()),
    };
    let filter = Filter { player: Some(key.to_owned()), ..Filter::default() };
    let (Page { matches, .. }, total) = app.archive().counted_list(&filter, Sort::Newest, None).await?;
    let matches = matches
        .iter()
        .take(MATCHES_SHOWN)
        .map(|listed| (format!("{} \u{2013} {}", listed.p1.name, listed.p2.name), format!("/m/{}", listed.slug)));
    let status = if problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    rendered(
        status,
        &NameForm {
            frame: frame("Withdraw a name", umpire),
            address: player_address(key),
            total: total.to_string(),
            matches: matches.collect(),
            aliases: app.archive().aliases(key).await?,
            problem,
            name,
        },
    )
}

/// `POST /withdraw/players/{name}`: withdraws it from every match, one after the other. After an interruption, sending
/// the form again continues.
pub(super) async fn name(
    State(app): State<Arc<App>>,
    umpire: SignedIn,
    Segments(name): Segments<String>,
    Form(sent): Fields,
) -> Result<Response, Problem> {
    let key = app.archive().player_key(&key(&name)?).await?;
    // They may part while they are withdrawn.
    let names = names_of(&app, &key).await?;
    may_withdraw_all(&app, &umpire, &names).await?;
    if !is_confirmed(&sent) {
        return show_player(&app, &umpire, &key, Some(NOT_CONFIRMED)).await;
    }
    let (mut erased, mut matches, mut shown) = (0, 0, Vec::new());
    for player in &names {
        let filter = Filter { player: Some(player.clone()), ..Filter::default() };
        let mut after = None;
        loop {
            let (found, next) = app.archive().walk(&filter, after.as_ref()).await?;
            for listed in found {
                let match_id = MatchId(listed.match_id);
                let is_theirs = |name: &str| names.contains(&name_key(name));
                if let Some(known) = known_result(&app, &listed).await? {
                    erased += app.known_results.withdraw_names(&umpire.0, &known, is_theirs).await?;
                } else {
                    let mut words = app.commands.words(match_id).await?;
                    words.retain(|word| word.field.starts_with("names.") && is_theirs(&word.text));
                    erased += app.commands.withdraw(&umpire.0, match_id, &words).await?.erased;
                }
                matches += 1;
                if shown.len() < MATCHES_LINKED {
                    shown.push((without_player(&listed, &key), match_address(match_id)));
                }
            }
            match next {
                Some(next) => after = Some(next),
                None => break,
            }
        }
    }
    erased += app.event_sheets.withdraw_names(|name| names.contains(&name_key(name))).await?;
    page(&DonePage { frame: frame("The name is withdrawn", &umpire), erased, matches, shown })
}

fn without_player(listed: &MatchSummary, gone: &str) -> String {
    let day = listed.date.clone().unwrap_or_else(|| listed.played_at.format("%Y-%m-%d").to_string());
    let other = if listed.p1.key.as_deref() == Some(gone) {
        listed.p2.key.as_deref().filter(|key| *key != gone).map(|_| listed.p2.name.as_str())
    } else {
        Some(listed.p1.name.as_str())
    };
    let other = other.map(|name| format!("against {name}, ")).unwrap_or_default();
    format!("{other}{}, {day}", ruleset_name(&listed.ruleset))
}
