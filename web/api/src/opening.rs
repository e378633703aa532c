//! Opening a match, and entering an imported one.

use std::collections::BTreeMap;

use app::archive::parse_day;
use app::imports::invalid;
use app::text::{Purpose, RulingText, TextError, check_distinct, check_event, check_player};
use app::views::integer::integer_or_none;
use app::views::match_address;
use app::{Act, App, Scope, slug};
use axum::http::StatusCode;
use axum::response::Response;
use engine::{BySeat, Seat, Setup};
use ledger::NetworkHash;
use record::body::DrawSource;
use record::words::sentence;
use record::write::{Clocks, Import, NewMatch, Pace};
use serde::{Deserialize, Serialize};
use store::SubmitId;
use utoipa::ToSchema;

use super::answer::{at, json};
use super::caller::Umpire;
use super::idempotency::{Key, OpenedMatch};
use super::request::Body;
use super::shapes::{MatchStatus, SeatWord};
use web_http::{ErrorKind, Problem};

/// A match to open.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "ruleset": "five-card-trick/dm-colosseum-2", "players": { "p1": "Ada", "p2": "Bo" }, "mode": "recorded"
}))]
pub(super) struct NewMatchJson {
    /// The ruleset's id.
    #[schema(max_length = 100)]
    ruleset: String,
    /// Who sits where.
    players: Names,
    /// Options that are set otherwise than the ruleset has them.
    #[serde(default)]
    options: BTreeMap<String, String>,
    /// The Death Match Opponent, where the rules give one a right.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    dmo: Option<SeatWord>,
    /// The items that each seat has received.
    #[serde(default)]
    items: Items,
    /// The tournament.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, max_length = 80)]
    event: Option<String>,
    /// The day it is played.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, format = Date, example = "2026-11-20")]
    date: Option<String>,
    /// Whether you type for both seats, or the players submit by themselves.
    #[serde(default)]
    mode: ModeWord,
    /// In a live match, whether clocks close the questions, and from when they run.
    #[serde(default)]
    clocks: ClocksWord,
    /// In a live match with clocks, whether a question to both players closes before its deadline once both call their answer
    /// final. That shows that both were done by then, and so tells each player about when the other was.
    #[serde(default)]
    #[schema(example = false)]
    early: bool,
    /// Who draws, in a game in which something is drawn.
    #[serde(default)]
    draws: DrawsWord,
    /// In a live match, whether you may read what the players send before it closes. Their pages say so.
    #[serde(default)]
    looks: bool,
    /// How many seconds, at most, everything sealed waits for the log's witnesses before it opens; without it nothing waits.
    /// Only where the site asks witnesses, and not in practice.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "integer_or_none")]
    #[schema(nullable = false, minimum = 1, maximum = 600, example = 30)]
    wait: Option<u32>,
    /// Whether each draw waits for a round of the public beacon, so that nobody can know or choose it before. Only where
    /// Matchbook draws, and not in practice.
    #[serde(default)]
    #[schema(example = false)]
    beacon: bool,
    /// Not for the record: everything works as in a match that counts, every answer says that it is practice, it is in no
    /// log and no list, and you can delete it whole. It cannot become part of the record later.
    #[serde(default)]
    #[schema(example = false)]
    pub(super) practice: bool,
}

/// The players' names.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Names {
    #[schema(min_length = 1, max_length = 80, pattern = "\\S", example = "Ada")]
    p1: String,
    #[schema(min_length = 1, max_length = 80, pattern = "\\S", example = "Bo")]
    p2: String,
}

/// The items of each seat.
#[derive(Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Items {
    #[serde(default)]
    #[schema(max_items = 10)]
    p1: Vec<String>,
    #[serde(default)]
    #[schema(max_items = 10)]
    p2: Vec<String>,
}

/// How a match is run.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum ModeWord {
    /// The umpire types what the players sent elsewhere.
    #[default]
    Recorded,
    /// The players submit here.
    Live,
}

/// What closes the questions of a live match.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum ClocksWord {
    /// You do.
    #[default]
    Off,
    /// Clocks do, from when you start them.
    Posted,
    /// Clocks do, from when the question is asked; the first one of a match waits for you all the same.
    AtOnce,
}

/// Who draws.
#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum DrawsWord {
    /// Matchbook, so that everybody can check it.
    #[default]
    Host,
    /// Somebody elsewhere, and you type it in.
    Umpire,
}

impl NewMatchJson {
    pub(super) fn fields(&self) -> Vec<(String, String)> {
        let mut fields: Vec<(String, String)> = Vec::new();
        let mut add = |name: &str, value: &str| fields.push((name.to_owned(), value.trim().to_owned()));
        add("ruleset", &self.ruleset);
        add("p1", &self.players.p1);
        add("p2", &self.players.p2);
        for (name, value) in [("event", &self.event), ("date", &self.date)] {
            add(name, value.as_deref().unwrap_or_default());
        }
        add("dmo", self.dmo.map(Seat::from).map_or("", Seat::word));
        for (name, value) in &self.options {
            add(&format!("option-{name}"), value);
        }
        for (seat, items) in [(Seat::P1, &self.items.p1), (Seat::P2, &self.items.p2)] {
            for item in items {
                add(&format!("item-{item}"), seat.word());
            }
        }
        let flag = |set: bool| if set { "on" } else { "" };
        add("live", flag(self.mode == ModeWord::Live));
        add("clocks", flag(self.clocks != ClocksWord::Off));
        add("starts", if self.clocks == ClocksWord::AtOnce { "at-once" } else { "posted" });
        add("draws", if self.draws == DrawsWord::Umpire { "umpire" } else { "host" });
        add("early", flag(self.early));
        add("looks", flag(self.looks));
        add("beacon", flag(self.beacon));
        add("wait", &self.wait.map(|seconds| seconds.to_string()).unwrap_or_default());
        fields
    }

    pub(super) fn of_fields(fields: &[(String, String)]) -> Self {
        let text = |name: &str| fields.iter().find(|(sent, _)| sent == name).map_or("", |(_, value)| value.trim());
        let some = |name: &str| Some(text(name).to_owned()).filter(|text| !text.is_empty());
        let with = |prefix: &'static str| {
            let named =
                fields.iter().filter_map(move |(name, value)| Some((name.strip_prefix(prefix)?, value.as_str())));
            named.filter(|(_, value)| !value.is_empty())
        };
        let ruleset = text("ruleset").to_owned();
        // The form holds the options of every ruleset, and default values beside those that were set.
        let own = engine::ruleset(&ruleset).map(|rules| (rules.options(), rules.choices())).ok();
        let set = |(name, value): &(&str, &str)| {
            own.as_ref().is_some_and(|(own, choices)| {
                choices.iter().any(|choice| choice.0 == *name) && !own.contains(&(*name, *value))
            })
        };
        let held = |seat: Seat| {
            let items = with("item-").filter(|(_, value)| *value == seat.word());
            items.map(|(name, _)| name.to_owned()).collect()
        };
        Self {
            players: Names { p1: text("p1").to_owned(), p2: text("p2").to_owned() },
            options: with("option-").filter(set).map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            dmo: text("dmo").parse::<Seat>().ok().map(Into::into),
            items: Items { p1: held(Seat::P1), p2: held(Seat::P2) },
            event: some("event"),
            date: some("date"),
            mode: if text("live") == "on" { ModeWord::Live } else { ModeWord::Recorded },
            clocks: match (text("clocks"), text("starts")) {
                ("on", "at-once") => ClocksWord::AtOnce,
                ("on", _) => ClocksWord::Posted,
                _ => ClocksWord::Off,
            },
            draws: if text("draws") == "umpire" { DrawsWord::Umpire } else { DrawsWord::Host },
            early: text("early") == "on",
            looks: text("looks") == "on",
            wait: text("wait").parse().ok(),
            beacon: text("beacon") == "on",
            // Practice is never planned.
            practice: false,
            ruleset,
        }
    }

    pub(super) fn read(self, network: NetworkHash) -> Result<NewMatch, Problem> {
        let (p1, p2) = (self.players.p1.trim().to_owned(), self.players.p2.trim().to_owned());
        let named = [("players.p1", &p1), ("players.p2", &p2), ("event", self.event.as_ref().unwrap_or(&p1))];
        for (field, name) in named {
            check_event(name).map_err(|error| Problem::refused(format!("{field}: {error}")))?;
        }
        check_player(&p1)?;
        check_player(&p2)?;
        check_distinct(&p1, &p2)?;
        let date = self.date.filter(|date| !date.is_empty());
        if date.as_ref().is_some_and(|date| date.len() != 10 || parse_day(date).is_none()) {
            return Err(Problem::refused("The date is none. Write year, month and day, such as 2026-11-20."));
        }
        let setup = Setup {
            ruleset: self.ruleset,
            options: self.options.into_iter().collect(),
            dmo: self.dmo.map(Into::into),
            items: BySeat { p1: self.items.p1, p2: self.items.p2 },
        };
        Ok(NewMatch {
            setup,
            names: BySeat { p1, p2 },
            event: self.event.map(|event| event.trim().to_owned()).filter(|event| !event.is_empty()),
            date,
            host_key: String::new(),
            pace: match self.mode {
                ModeWord::Recorded => Pace::Recorded,
                ModeWord::Live => Pace::Live {
                    clocks: match self.clocks {
                        ClocksWord::Off => Clocks::Off,
                        ClocksWord::Posted => Clocks::Posted,
                        ClocksWord::AtOnce => Clocks::AtOnce,
                    },
                    early: self.early,
                },
            },
            draws: match self.draws {
                DrawsWord::Host => Some(DrawSource::Host),
                DrawsWord::Umpire => None,
            },
            looks: self.looks,
            wait: self.wait,
            beacon: self.beacon.then_some(network),
        })
    }
}

/// Open a match
#[utoipa::path(post, path = "/api/v1/matches", tag = "umpire", operation_id = "openMatch", request_body = NewMatchJson,
    responses((status = 201, description = "It is open. `Location` says where it is.", body = MatchStatus)))]
pub(super) async fn open(umpire: Umpire, key: Key, Body(new): Body<NewMatchJson>) -> Result<Response, Problem> {
    created(&umpire.app, &umpire.act(&key), new, None).await
}

pub(super) async fn created(
    app: &App,
    act: &Act,
    new: NewMatchJson,
    plan: Option<SubmitId>,
) -> Result<Response, Problem> {
    let scope = if new.practice { Scope::Practice } else { Scope::Record };
    let match_id =
        app.commands.open_match(scope, act, &new.read(app.public_log.network().hash)?).await.map_err(refused)?;
    if let Some(plan) = plan {
        app.umpires.plan_opened(plan, match_id).await?;
    }
    opened_answer(app, match_id).await
}

/// A match of the past.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PastMatch {
    /// The match in Death Match Notation.
    #[schema(min_length = 1, max_length = 200000)]
    dmn: String,
    /// Where it comes from: everybody reads it.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "the results thread of 2019, post 14")]
    source: String,
    /// Enter it although a match of the same players with the same steps, whose date and event do not contradict it, is in
    /// the record already; else that is refused.
    #[serde(default)]
    again: bool,
}

/// Enter a match of the past
#[utoipa::path(post, path = "/api/v1/matches/import", tag = "umpire", operation_id = "importMatch", request_body = PastMatch,
    responses((status = 201, description = "It is entered. `Location` says where it is.", body = MatchStatus)))]
pub(super) async fn import(umpire: Umpire, key: Key, Body(past): Body<PastMatch>) -> Result<Response, Problem> {
    let source = RulingText::required(Purpose::Source, &past.source).map_err(|error| match error {
        TextError::TooLong(long) => Problem::refused(format!("source: {long}")),
        missing => missing.into(),
    })?;
    let source = source.as_str();
    let import = Import::read(&past.dmn).map_err(|errors| {
        let texts: Vec<String> = errors.iter().take(5).map(ToString::to_string).collect();
        Problem::refused(sentence(&texts.join("; ")))
    })?;
    let app = &umpire.app;
    if let Some(why) = invalid(&import, app.system().now()) {
        return Err(Problem::refused(why));
    }
    let act = umpire.act(&key);
    let turn = app.imports.turn().await?;
    if !past.again && !app.imports.has_entered(&act, &import, Some(source)).await? {
        let there = app.imports.find_duplicate(&import, app.imports.import_id(&act)).await?;
        if let Some(there) = there {
            let there = match_address(there);
            return Err(Problem::conflict(format!(
                "The same match is in the record already, at {there}. To enter it a second time, say \"again\": true."
            )));
        }
    }
    let match_id = app.imports.import(&act, &import, Some(source)).await.map_err(refused)?;
    drop(turn);
    opened_answer(app, match_id).await
}

fn refused(error: app::AppError) -> Problem {
    let problem = Problem::from(error);
    match problem.kind {
        ErrorKind::Refused => Problem { detail: sentence(&problem.detail), ..problem },
        _ => problem,
    }
}

async fn opened_answer(app: &App, match_id: ledger::MatchId) -> Result<Response, Problem> {
    let history = app.matches.history(match_id).await?;
    let mut response = json(StatusCode::CREATED, &MatchStatus::of(&history))?;
    response.extensions_mut().insert(OpenedMatch(match_id));
    Ok(at(response, &format!("/api/v1/matches/{}", slug(match_id))))
}
