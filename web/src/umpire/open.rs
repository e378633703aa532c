//! Opening a match.

use std::collections::BTreeMap;
use std::sync::Arc;

use app::book::{Act, Book, BookError, day, slug};
use askama::Template;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use engine::{BySeat, Seat, Setup, SetupError};
use ledger::MatchId;
use record::body::DrawSource;
use record::limits::nameless;
use record::words::sentence;
use record::write::{Clocks, NewMatch, Pace, WriteError};
use store::SubmitId;

use super::allowed::{NAME_MAX_CHARS, too_long, unsaid};
use super::chair::Chair;
use super::sent::Sent;
use super::{console, form, frame, links, plan, shown};
use crate::page::{Frame, OfPractice, Problem, site};
use crate::visitor::SignedIn;

#[derive(Template)]
#[template(path = "umpire/open.html")]
struct Open {
    frame: Frame,
    form: String,
    games: Vec<(&'static str, Vec<Choice>)>,
    ruleset: String,
    /// The field, mark and name of each seat.
    seats: [(&'static str, &'static str, String); 2],
    dmo: String,
    items: Vec<Item>,
    options: Vec<Setting>,
    /// True if the umpire types draws that are made elsewhere.
    typed_draws: bool,
    event: String,
    date: String,
    /// True if the players submit by themselves, and true if clocks close their questions.
    live: bool,
    clocks: bool,
    /// True if a clock starts when its question is asked.
    at_once: bool,
    /// True if the umpire may read answers before the close, and true if links are created at once.
    looks: bool,
    invites: bool,
    /// True if it is played outside the record.
    practice: bool,
    /// The planned start, and the plan that the form came from.
    begins: String,
    plan: String,
    errors: BTreeMap<&'static str, String>,
}

struct Choice {
    id: &'static str,
    hosting: &'static str,
    about: &'static str,
    needs_dmo: bool,
    items: bool,
    options: bool,
    draws: bool,
}

/// An option that can be set for a single match.
struct Setting {
    /// Its name, such as `community`.
    name: &'static str,
    /// The ruleset of the option.
    ruleset: &'static str,
    /// The hosting of that ruleset.
    hosting: &'static str,
    /// Its values, with the ruleset's default first.
    values: Vec<&'static str>,
    /// The chosen value; empty for the ruleset's default.
    chosen: String,
}

/// An item, and its first holder.
struct Item {
    word: &'static str,
    name: String,
    /// `p1`, `p2` or empty.
    held: String,
}

fn games() -> Vec<(&'static str, Vec<Choice>)> {
    let mut games: Vec<(&'static str, &'static str, Vec<Choice>)> = Vec::new();
    for ruleset in engine::rulesets() {
        let card = ruleset.card();
        let choice = Choice {
            id: card.id,
            hosting: card.hosting,
            about: card.about,
            needs_dmo: card.needs_dmo,
            items: !card.items.is_empty(),
            options: !ruleset.choices().is_empty(),
            draws: !ruleset.draws().is_empty(),
        };
        match games.iter_mut().find(|(game, ..)| *game == ruleset.game()) {
            Some((.., choices)) => choices.push(choice),
            // The first hosting of a game has the game's name; a later one may have another.
            None => games.push((ruleset.game(), card.title, vec![choice])),
        }
    }
    games.into_iter().map(|(_, title, choices)| (title, choices)).collect()
}

fn items(sent: Option<&Sent>) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    for word in engine::rulesets().flat_map(|ruleset| ruleset.card().items) {
        if !items.iter().any(|item| item.word == *word) {
            let held = sent.map_or("", |sent| sent.text(&format!("item-{word}"))).to_owned();
            let name = sentence(&word.replace('-', " ")).trim_end_matches('.').to_owned();
            items.push(Item { word, name, held });
        }
    }
    items
}

fn settings(sent: Option<&Sent>) -> Vec<Setting> {
    let settings = engine::rulesets().flat_map(|ruleset| {
        let own = ruleset.options();
        ruleset.choices().iter().map(move |(name, values)| {
            let is_own = |value: &&str| own.contains(&(*name, *value));
            let (mut first, others): (Vec<&str>, Vec<&str>) = values.iter().copied().partition(is_own);
            first.extend(others);
            let card = ruleset.card();
            let chosen = sent.map_or("", |sent| sent.text(&format!("option-{name}"))).to_owned();
            Setting { name, ruleset: card.id, hosting: card.hosting, values: first, chosen }
        })
    });
    settings.collect()
}

impl Open {
    /// The form, filled in from a submitted form or a plan; empty without one.
    fn filled(book: &Book, title: &str, umpire: &SignedIn, sent: Option<&Sent>) -> Self {
        let text = |name: &str| sent.map_or("", |sent| sent.text(name)).to_owned();
        let on = |name: &str| text(name) == "on";
        let today = || book.mint().now().to_utc().format("%Y-%m-%d").to_string();
        Self {
            frame: frame(title, umpire),
            form: form::fresh(book.mint()),
            games: games(),
            ruleset: text("ruleset"),
            seats: [("p1", "1", text("p1")), ("p2", "2", text("p2"))],
            dmo: text("dmo"),
            items: items(sent),
            options: settings(sent),
            typed_draws: sent.is_some_and(typed_draws),
            event: text("event"),
            date: sent.map_or_else(today, |sent| sent.text("date").to_owned()),
            live: on("live"),
            clocks: on("clocks"),
            looks: on("looks"),
            invites: on("invites"),
            practice: on("practice"),
            at_once: text("starts") == "at-once",
            begins: text("begins"),
            plan: text("plan"),
            errors: BTreeMap::new(),
        }
    }
}

/// `GET /umpire/open`; with `?plan=`, the form of a planned match.
pub(super) async fn show(
    State(book): State<Arc<Book>>,
    umpire: SignedIn,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let name = query.as_deref().and_then(|query| query.strip_prefix("plan=")).unwrap_or_default();
    let planned = plan::named(&book, name).await?;
    let sent = planned.as_ref().map(plan::fields);
    let mut open = Open::filled(&book, "Open a match", &umpire, sent.as_ref());
    open.plan = planned.map(|planned| planned.name()).unwrap_or_default();
    shown(StatusCode::OK, &open)
}

/// `POST /umpire/open`.
pub(super) async fn send(
    State(book): State<Arc<Book>>,
    headers: HeaderMap,
    umpire: SignedIn,
    sent: Sent,
) -> Result<Response, Problem> {
    let act = Act { by: umpire.by(), form: sent.form()? };
    let (new, mut errors) = read(&sent);
    let plans = sent.text("do") == "plan";
    let begins = plan::begins(&sent);
    if plans {
        errors.extend(begins.err().map(|why| ("begins", why.to_owned())));
        if practice(&sent) {
            errors.insert(
                "practice",
                "Practice is not announced. Open it when it begins, or plan a match of the record.".into(),
            );
        }
    }
    if errors.is_empty() {
        if let (true, Ok(begins)) = (plans, begins) {
            return plan::keep(&book, &act, &sent, begins).await;
        }
        let keeps = if practice(&sent) { book.practice().await? } else { &book };
        match keeps.open_match(&act, &new).await {
            Ok(match_id) => return opened(keeps, &headers, &act, &umpire, &sent, match_id).await,
            Err(BookError::Refused(WriteError::Setup(error))) => {
                errors.insert(field_of(&error), explain(&error));
            }
            Err(BookError::Refused(why)) => {
                errors.insert("ruleset", sentence(&why.to_string()));
            }
            Err(error) => return Err(Problem::from(error).back("/umpire/open", "Open the form again")),
        }
    }
    let problem = Problem::refused(errors.values().cloned().collect::<Vec<_>>().join(" "));
    let open = Open { errors, ..Open::filled(&book, "Not opened yet: Open a match", &umpire, Some(&sent)) };
    let mut response = shown(problem.status(), &open)?;
    response.extensions_mut().insert(problem);
    Ok(response)
}

/// The follow-up acts of an opened match: repeating them changes nothing more.
async fn opened(
    book: &Arc<Book>,
    headers: &HeaderMap,
    act: &Act,
    umpire: &SignedIn,
    sent: &Sent,
    match_id: MatchId,
) -> Result<Response, Problem> {
    let live = sent.text("live") == "on";
    if live && sent.text("looks") == "on" {
        book.let_umpire_look(match_id).await?;
    }
    if let Ok(plan) = sent.text("plan").parse::<SubmitId>()
        && !book.is_practice()
    {
        book.plan_opened(plan, match_id).await?;
    }
    if live && sent.text("invites") == "on" {
        let chair = Chair::at(book, umpire.clone(), site(headers), match_id).await?;
        let mut links = links::invite(&chair, act, &Seat::BOTH).await?;
        if book.is_practice() {
            links.extensions_mut().insert(OfPractice);
        }
        return Ok(links);
    }
    let address = format!("{}?done=opened", console::address(&slug(match_id)));
    Ok(Redirect::to(&address).into_response())
}

/// True if the match is played outside the record.
fn practice(sent: &Sent) -> bool {
    sent.text("practice") == "on"
}

/// True if the umpire types draws that are made elsewhere; otherwise Matchbook draws.
fn typed_draws(sent: &Sent) -> bool {
    sent.text("draws") == "umpire"
}

/// The clocks of a live match.
fn clocks(sent: &Sent) -> Clocks {
    match (sent.text("clocks"), sent.text("starts")) {
        ("on", "at-once") => Clocks::AtOnce,
        ("on", _) => Clocks::Posted,
        _ => Clocks::Off,
    }
}

/// The match that a form describes, and its errors by field.
fn read(sent: &Sent) -> (NewMatch, BTreeMap<&'static str, String>) {
    let mut errors = BTreeMap::new();
    let (p1, p2) = (sent.text("p1"), sent.text("p2"));
    for (field, name) in [("p1", p1), ("p2", p2)] {
        errors.extend(unsaid(name, NAME_MAX_CHARS, "Both players need a name.").map(|error| (field, error)));
        errors.extend(nameless(name).then(|| (field, "A name of points alone has no page.".to_owned())));
    }
    if !p1.is_empty() && p1.to_lowercase() == p2.to_lowercase() {
        errors.insert("p2", "Both seats have the same name. Nobody could tell them apart.".into());
    }
    let (event, date) = (sent.text("event"), sent.text("date"));
    errors.extend(too_long(event, NAME_MAX_CHARS).map(|error| ("event", error)));
    errors.extend(nameless(event).then(|| ("event", "A name of points alone has no page.".to_owned())));
    if !date.is_empty() && (date.len() != 10 || day(date).is_none()) {
        errors.insert(
            "date",
            "This is no date. Write year, month and day, such as 2026-11-20, or leave it empty.".into(),
        );
    }
    let dmo = sent.text("dmo");
    let dmo = match (dmo, dmo.parse()) {
        ("", _) => None,
        (_, Ok(seat)) => Some(seat),
        _ => {
            errors.insert("dmo", "The DMO sits in seat 1 or in seat 2.".into());
            None
        }
    };
    let mut given: BySeat<Vec<String>> = BySeat::default();
    for item in items(Some(sent)).into_iter().filter(|item| !item.held.is_empty()) {
        match item.held.parse() {
            Ok(seat) => given[seat].push(item.word.to_owned()),
            Err(_) => {
                errors.insert("items", "An item is received by seat 1, by seat 2 or by nobody.".into());
            }
        }
    }
    let ruleset = sent.text("ruleset").to_owned();
    // A chosen value that equals the ruleset's default is not set.
    let set = settings(Some(sent)).into_iter().filter(|setting| setting.ruleset == ruleset);
    let set =
        set.filter(|setting| !setting.chosen.is_empty() && setting.values.first() != Some(&setting.chosen.as_str()));
    let options = set.map(|setting| (setting.name.to_owned(), setting.chosen)).collect();
    let setup = Setup { ruleset, options, dmo, items: given };
    // All errors are reported at once.
    if let Err(error) = engine::Duel::open(&setup) {
        errors.entry(field_of(&error)).or_insert_with(|| explain(&error));
    }
    let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let names = BySeat { p1: p1.to_owned(), p2: p2.to_owned() };
    let pace = match sent.text("live") {
        "on" => Pace::Live { clocks: clocks(sent) },
        _ => Pace::Recorded,
    };
    let draws = (!typed_draws(sent)).then_some(DrawSource::Host);
    (NewMatch { setup, names, event: some(event), date: some(date), host_key: String::new(), pace, draws }, errors)
}

/// The field of an error in a setup.
const fn field_of(error: &SetupError) -> &'static str {
    match error {
        SetupError::UnknownRuleset { .. } | SetupError::UnknownOption { .. } => "ruleset",
        SetupError::NoDmo(_) => "dmo",
        SetupError::NoItems(_) | SetupError::UnknownItem { .. } | SetupError::ItemTwice { .. } => "items",
    }
}

fn explain(error: &SetupError) -> String {
    let hosting = |id| engine::ruleset(id).map_or(id, |ruleset| ruleset.card().hosting);
    match error {
        SetupError::UnknownRuleset { id, .. } if id.is_empty() => "Pick the rules that the match is played by.".into(),
        SetupError::NoDmo(id) => {
            format!("{} gives the DMO a right, so say which seat it is.", hosting(id))
        }
        SetupError::NoItems(id) => format!("There are no items in {}: leave them with nobody.", hosting(id)),
        error => sentence(&error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_said_at_once_beside_its_field() {
        let sent = |fields: &[(&str, &str)]| {
            let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            read(&Sent::of(fields)).1
        };
        let errors = sent(&[
            ("ruleset", "five-card-trick/genius-puzzler"),
            ("p1", " "),
            ("p2", &"x".repeat(81)),
            ("date", "2026-13-01"),
        ]);
        assert_eq!(errors.keys().copied().collect::<Vec<_>>(), ["date", "dmo", "p1", "p2"]);
        assert_eq!(errors["dmo"], "The Genius Puzzler gives the DMO a right, so say which seat it is.");
        let good = [("ruleset", "five-card-trick/zeros-gauntlet-final"), ("p1", "Ada"), ("p2", "Bo")];
        assert!(sent(&good).is_empty());
        let items = [&good[..], &[("item-overload", "p1"), ("item-limit-reset", "p2"), ("item-claim-priority", "p3")]];
        assert_eq!(sent(&items.concat()).keys().copied().collect::<Vec<_>>(), ["items"]);
        assert_eq!(
            sent(&[("p1", "Ada"), ("p2", "ada")])["p2"],
            "Both seats have the same name. Nobody could tell them apart."
        );
    }
}
