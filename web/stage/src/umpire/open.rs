//! Opening a match.

use std::sync::Arc;

use app::new_match::FieldErrors;
use app::{Act, App, AppError, Scope, slug};
use askama::Template;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use engine::games::declared::DECLARED;
use engine::{Ruleset, Seat};
use ledger::MatchId;
use record::words::sentence;
use store::SubmitId;

use super::declare::{self, EXAMPLES, EarlierGame, KINDS};
use super::form_data::FormData;
use super::match_context::MatchContext;
use super::new_match::{Item, Setting, game_error, is_practice, items, makes_links, read, settings};
use super::{console, form, frame, links, plan, shown};
use page::Frame;
use web_http::visitor::SignedIn;
use web_http::{Problem, site};

#[derive(Template)]
#[template(path = "umpire/open.html")]
struct Open<'s> {
    frame: Frame,
    form: String,
    sent: &'s FormData,
    games: Vec<(&'static str, Vec<Choice>)>,
    /// The field and the mark of each seat.
    seats: [(&'static str, &'static str); 2],
    items: Vec<Item>,
    options: Vec<Setting>,
    cannot_wait: Option<String>,
    /// A declared game in sentences.
    read_back: Vec<String>,
    earlier: Vec<EarlierGame>,
    errors: FieldErrors,
}

struct Choice {
    id: &'static str,
    hosting: &'static str,
    about: &'static str,
    clock: String,
    needs_dmo: bool,
    items: bool,
    options: bool,
    draws: bool,
}

fn games() -> Vec<(&'static str, Vec<Choice>)> {
    let mut games: Vec<(&'static str, &'static str, Vec<Choice>)> = Vec::new();
    for ruleset in engine::rulesets() {
        let card = ruleset.card();
        let choice = Choice {
            id: card.id,
            hosting: card.hosting,
            about: card.about,
            clock: clock(ruleset),
            needs_dmo: card.needs_dmo,
            items: !card.items.is_empty(),
            options: !ruleset.choices().is_empty(),
            draws: !ruleset.draws().is_empty(),
        };
        match games.iter_mut().find(|(game, ..)| *game == ruleset.game()) {
            Some((.., choices)) => choices.push(choice),
            // The first hosting of a game has the game's name; a later one may have another.
            None => games.push((ruleset.game(), &card.title, vec![choice])),
        }
    }
    games.into_iter().map(|(_, title, choices)| (title, choices)).collect()
}

fn clock(ruleset: &dyn Ruleset) -> String {
    let clauses = ruleset.clauses();
    let text = clauses.iter().find(|clause| matches!(clause.title, "Clock" | "Clocks")).map(|clause| &clause.text);
    let sentences = text.into_iter().flat_map(|text| text.split_inclusive(". ").take(2));
    sentences.filter(|sentence| sentence.contains(" seconds ")).collect::<String>().trim_end().to_owned()
}

impl<'s> Open<'s> {
    async fn filled(
        app: &App,
        title: &str,
        umpire: &SignedIn,
        sent: &'s FormData,
        errors: FieldErrors,
    ) -> Result<Self, Problem> {
        Ok(Self {
            frame: frame(title, umpire),
            form: form::fresh(app.system()),
            sent,
            games: games(),
            seats: [("p1", "1"), ("p2", "2")],
            items: items(sent),
            options: settings(sent),
            read_back: declare::read_back(sent),
            earlier: declare::earlier(app, &umpire.0.id).await?,
            cannot_wait: app.public_log.can_wait(Scope::Record).err().map(|why| sentence(&why.to_string())),
            errors,
        })
    }
}

pub(super) async fn show(
    State(app): State<Arc<App>>,
    umpire: SignedIn,
    Query(offered): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let offered = FormData::of(offered);
    let today = || app.system().now().to_utc().format("%Y-%m-%d").to_string();
    let sent = match plan::find(&app, offered.text("plan")).await? {
        Some(planned) => plan::form_fields(&planned),
        // Live, with the clock of the rules. The script puts the reader's own day there. A pairing of an event brings its names, and a rematch its game.
        None => {
            let usual =
                [("date", &*today()), ("offered", "date"), ("invites", "if-live"), ("live", "on"), ("clocks", "on")];
            let names = ["event", "p1", "p2", "ruleset", "practice"].map(|name| (name, offered.text(name)));
            let fields = usual.into_iter().chain(names).map(|(name, value)| (name.to_owned(), value.to_owned()));
            FormData::of(fields.chain(declare::of_match(&app, offered.text("from")).await?).collect())
        }
    };
    shown(&Open::filled(&app, "Open a match", &umpire, &sent, FieldErrors::new()).await?, None)
}

pub(super) async fn send(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    umpire: SignedIn,
    sent: FormData,
) -> Result<Response, Problem> {
    let mut act = Act { by: umpire.by(), form: sent.form()? };
    let written = declare::pressed(&app, &umpire.0.id, &sent).await?;
    if written.is_some() || sent.text("do") == "read" {
        let sent = written.unwrap_or(sent);
        let errors = game_error(&sent);
        return shown(&Open::filled(&app, "Open a match", &umpire, &sent, errors).await?, None);
    }
    let sent = if sent.text("do") == "try" { tried(&sent) } else { sent };
    let new = read(&sent, app.public_log.network().hash);
    let mut errors = new.as_ref().err().cloned().unwrap_or_default();
    let begins = (sent.text("do") == "plan").then(|| plan::start_time(&sent));
    if let Some(begins) = &begins {
        errors.extend(begins.as_ref().err().map(|why| ("begins", (*why).to_owned())));
        if is_practice(&sent) {
            errors.insert(
                "practice",
                "Practice is not announced. Open it when it begins, or plan a match of the record.".into(),
            );
        }
    }
    if let (Ok(new), true) = (&new, errors.is_empty()) {
        if let Some(Ok(begins)) = begins {
            return plan::store(&app, &umpire, act.form, &sent, begins).await;
        }
        let scope = if is_practice(&sent) { Scope::Practice } else { Scope::Record };
        // Another umpire's plan ends with no match but theirs, and a plan opens one match, whichever tab asks.
        if let Ok(plan) = sent.text("plan").parse() {
            app.umpires.own_plan(&umpire.0, plan).await?;
            act.form = if scope == Scope::Record { plan } else { act.form };
        }
        match app.commands.open_match(scope, &act, new).await {
            Ok(match_id) => return after_opening(&app, &headers, &act, &umpire, &sent, match_id).await,
            Err(AppError::CannotDraw(why)) => {
                errors.insert("beacon", sentence(&why.to_string()));
            }
            Err(AppError::CannotWait(why)) => {
                errors.insert("wait", sentence(&why.to_string()));
            }
            Err(AppError::Refused(why)) => {
                errors.insert("ruleset", sentence(&why.to_string()));
            }
            Err(error) => return Err(Problem::from(error).back("/umpire/open", "Open the form again")),
        }
    }
    let why = errors.values().cloned().collect::<Vec<_>>().join(" ");
    shown(&Open::filled(&app, "Not opened yet: Open a match", &umpire, &sent, errors).await?, Some(&why))
}

/// The form with what a try needs: practice, and names where there are none yet. The umpire plays both seats.
fn tried(sent: &FormData) -> FormData {
    let named = |name: &'static str, usual: &str| {
        (name, Some(sent.text(name)).filter(|name| !name.is_empty()).unwrap_or(usual).to_owned())
    };
    let now = [named("p1", "Seat 1"), named("p2", "Seat 2"), ("practice", "on".to_owned())];
    let kept =
        sent.all_but(&["p1", "p2", "practice", "live", "clocks", "invites", "early", "looks", "plan"]).into_iter();
    FormData::of(kept.chain(now.map(|(name, value)| (name.to_owned(), value))).collect())
}

async fn after_opening(
    app: &Arc<App>,
    headers: &HeaderMap,
    act: &Act,
    umpire: &SignedIn,
    sent: &FormData,
    match_id: MatchId,
) -> Result<Response, Problem> {
    if let Ok(plan) = sent.text("plan").parse::<SubmitId>()
        && Scope::of(match_id) == Scope::Record
    {
        app.umpires.plan_opened(plan, match_id).await?;
    }
    if makes_links(sent) {
        let context = MatchContext::at(app, umpire.clone(), site(headers), match_id).await?;
        return links::invite(&context, act, &Seat::BOTH).await;
    }
    let address = format!("{}?done=opened", console::address(&slug(match_id)));
    Ok(Redirect::to(&address).into_response())
}

#[cfg(test)]
mod tests {
    use super::games;

    #[test]
    fn the_form_knows_how_long_each_clock_is() {
        let choices: Vec<_> = games().into_iter().flat_map(|(_, choices)| choices).collect();
        let of = |id: &str| choices.iter().find(|choice| choice.id == id).map(|choice| choice.clock.as_str());
        assert_eq!(of("five-card-trick/dm-colosseum-2"), Some("60 seconds for each move, without reserve."));
        for choice in &choices {
            assert!(
                choice.clock.contains(" seconds ") && choice.clock.ends_with('.'),
                "{}: {}",
                choice.id,
                choice.clock
            );
        }
    }
}
