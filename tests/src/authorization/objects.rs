//! What the requests of the table name: matches with steps, and what their umpire made. What a request took away or changed
//! is made anew, so that every caller meets the same.

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use app::account::player::{self, SeatRef};
use app::account::{self, Scope as Rights, Token, Umpire};
use app::commands::TypedMove;
use app::submissions::{Answer, PlayerSubmission};
use app::umpires::Duty;
use app::{Act, App, Scope, by_umpire, slug};
use engine::{BySeat, Seat, Setup};
use ledger::{MatchId, SubmitId};
use record::History;
use record::write::{Clocks, NewMatch, Pace};
use serde_json::json;

use super::routes::{Row, Stage};
use crate::play::table::{RULESET, full_access};
use crate::umpire_acts::perform;

/// A match with one step that counts and one that was struck. Seat 1 sent its moves by itself, seat 2 objects to the step.
pub(super) struct PlayedMatch {
    pub(super) id: MatchId,
    slug: String,
    /// The link to seat 1, which its player has.
    pub(super) seat: Token,
    /// The link to seat 2, which the opponent has, and its name.
    pub(super) other_seat: Token,
    link_name: String,
    /// The entry of the strike.
    strike: String,
}

/// The address at which a name is withdrawn from every match.
pub(super) const WITHDRAWN_NAME: &str = "/withdraw/players/{name}";

/// What an address asks for, where it has to say so.
const QUERIES: [(&str, &str); 7] = [
    ("/umpire/m/{slug}/correct", "?step=1"),
    ("/umpire/m/{slug}/strike", "?from=1"),
    ("/api/v1/proof/inclusion", "?index=0"),
    ("/api/v1/proof/consistency", "?from=1"),
    ("/oembed", "?url={site}/m/{running}"),
    ("/statistics/{game}/{ruleset}/followed", "?what=round&p1=grow&p2=score"),
    ("/statistics/{game}/{ruleset}/matches", "?what=round&sent=grow"),
];

/// The umpire of all matches, and those whom they name.
pub(super) struct Officials {
    pub(super) umpire: Umpire,
    pub(super) helper: Umpire,
    pub(super) commentator: Umpire,
}

/// Everything that an address can name.
pub(super) struct Objects {
    pub(super) app: Arc<App>,
    pub(super) officials: Officials,
    pub(super) running: PlayedMatch,
    pub(super) ended: PlayedMatch,
    pub(super) practice: PlayedMatch,
    /// The only match of Cy and Di.
    pub(super) others: PlayedMatch,
    /// The ids of a webhook, of a plan and of a token of the umpire.
    pub(super) webhook: String,
    pub(super) plan: String,
    token: String,
    /// The pseudonym of an umpire who is none of the callers.
    pub(super) bystander: String,
    /// The id of a registered player.
    registered: String,
}

/// A new id of a form.
pub(super) fn fresh(app: &App) -> SubmitId {
    app::form_of(&["rights", &app.system().bytes32().map(|byte| byte.to_string()).join(" ")])
}

/// Who plays in a match of which nobody in the others is a part.
const CY_AND_DI: BySeat<&str> = BySeat { p1: "Cy", p2: "Di" };
/// Who plays in the others.
const ADA_AND_BO: BySeat<&str> = BySeat { p1: "Ada", p2: "Bo" };

/// A live match with clocks that run from the question on. Time stands still here, so they close nothing.
fn between(names: BySeat<&str>) -> NewMatch {
    NewMatch {
        setup: Setup { ruleset: RULESET.to_owned(), ..Setup::default() },
        names: names.map(str::to_owned),
        event: Some("Cup".to_owned()),
        date: None,
        host_key: String::new(),
        pace: Pace::Live { clocks: Clocks::AtOnce, early: false },
        draws: None,
        looks: false,
        wait: None,
        beacon: None,
    }
}

impl Officials {
    fn act(&self, app: &App) -> Act {
        Act { by: by_umpire(&self.umpire.id), form: fresh(app) }
    }

    /// Seat 1 sends a move, the umpire types one for seat 2, and closes the question.
    async fn plays(&self, app: &App, id: MatchId) -> Result<Arc<History>> {
        let history = app.matches.history(id).await?;
        let decision = history.open.first().context("a question")?.asked.decision.clone();
        let sent = PlayerSubmission {
            access: full_access(SeatRef { match_id: id, seat: Seat::P1 }),
            decision: decision.clone(),
            submit: fresh(app),
            came: app.system().now(),
            answer: Answer::Text("grow".to_owned()),
            signed: None,
            is_final: false,
        };
        app.submissions.submit(&history, sent).await?;
        let typed = TypedMove { decision: &decision, seat: Seat::P2, text: "score", sent: None, is_edited: false };
        app.commands.type_sent(&self.act(app), id, typed).await?;
        Ok(app.recorder.close_now(&self.act(app), id, &decision).await?)
    }

    /// A match that runs.
    async fn runs(&self, app: &App, scope: Scope, names: BySeat<&str>) -> Result<PlayedMatch> {
        let act = self.act(app);
        let id = app.commands.open_match(scope, &act, &between(names)).await?;
        let seat = app.seats.invite(&act, id, Seat::P1).await?;
        let other_seat = app.seats.invite(&act, id, Seat::P2).await?;
        let links = player::links(app.pool(), id).await?;
        let link_name = links.into_iter().find(|link| link.seat == Seat::P2).context("a link")?.name;
        perform(app, &*app.matches.history(id).await?, "run-clocks", json!({})).await?;
        let history = self.plays(app, id).await?;
        let objects = SeatRef { match_id: id, seat: Seat::P2 };
        app.submissions.object(objects, fresh(app), 1, "I sent something else.").await?;
        let actor = account::actor(account::Channel::Pages, Some(&self.umpire), None);
        for (duty, named) in [(Duty::Helper, &self.helper), (Duty::Commentator, &self.commentator)] {
            app.umpires.name(&history, &actor, duty, &named.id).await?;
        }
        let strike = json!({ "from": 2, "reason": "It was typed twice" });
        let struck = perform(app, &*self.plays(app, id).await?, "strike", strike).await?;
        let strike = struck.strikes.first().context("a strike")?.entry.0.to_string();
        Ok(PlayedMatch { id, slug: slug(id), seat, other_seat, link_name, strike })
    }

    /// The same, ended by a ruling.
    async fn ends(&self, app: &App) -> Result<PlayedMatch> {
        let ended = self.runs(app, Scope::Record, ADA_AND_BO).await?;
        let history = app.matches.history(ended.id).await?;
        let objection = history.open_objections().next().context("an objection")?.entry.0;
        let answer = json!({ "objection": objection, "text": "The chat says so" });
        let answered = perform(app, &history, "answer-objection", answer).await?;
        let ruling = json!({ "text": "Bo resigned", "result": "p1" });
        let ruled = perform(app, &answered, "rule", ruling).await?;
        perform(app, &ruled, "end", json!({})).await?;
        Ok(ended)
    }

    /// The id of a token of the umpire that nobody sends.
    async fn token(&self, app: &App) -> Result<String> {
        let (pool, system, name) = (app.pool(), app.system(), "for nothing");
        let made =
            account::make_token(pool, system, &account::OPERATOR, &self.umpire, name, Rights::Read, None).await?;
        Ok(made.1.id)
    }
}

impl Objects {
    /// All matches and a token; there are no webhook and no plan yet.
    pub(super) async fn made(
        app: &Arc<App>,
        officials: Officials,
        bystander: String,
        registered: String,
    ) -> Result<Self> {
        Ok(Self {
            running: officials.runs(app, Scope::Record, ADA_AND_BO).await?,
            ended: officials.ends(app).await?,
            practice: officials.runs(app, Scope::Practice, ADA_AND_BO).await?,
            others: officials.runs(app, Scope::Record, CY_AND_DI).await?,
            token: officials.token(app).await?,
            webhook: String::new(),
            plan: String::new(),
            app: app.clone(),
            officials,
            bystander,
            registered,
        })
    }

    /// The match that a request is about, if it is about one.
    pub(super) fn match_of(&self, row: &Row) -> Option<&PlayedMatch> {
        let path = &row.route.path;
        let by_link = path.starts_with("/api/v1/seat") || path == "/play/{token}";
        let about_one = row.route.is_of_a_match() || by_link;
        about_one.then_some(match row.stage {
            _ if row.route.deletes_a_match() => &self.practice,
            Stage::Running => &self.running,
            Stage::Ended => &self.ended,
        })
    }

    /// Makes a match or a token anew that a request has changed.
    pub(super) async fn renews(&mut self, row: &Row) -> Result<()> {
        if row.route.deletes_a_match() {
            self.practice = self.officials.runs(&self.app, Scope::Practice, ADA_AND_BO).await?;
        } else if self.match_of(row).is_some() {
            self.running = self.officials.runs(&self.app, Scope::Record, ADA_AND_BO).await?;
        } else if row.route.path == WITHDRAWN_NAME {
            self.others = self.officials.runs(&self.app, Scope::Record, CY_AND_DI).await?;
        } else if row.route.path == "/api/v1/tokens/{id}" {
            self.token = self.officials.token(&self.app).await?;
        }
        Ok(())
    }

    /// The address of a request, with something that is there for each name.
    pub(super) fn address(&self, row: &Row) -> Result<String> {
        let path = &row.route.path;
        let parts: Vec<&str> = path.split('/').skip(1).collect();
        let before = [""].into_iter().chain(parts.iter().copied());
        let query = QUERIES.iter().find(|query| query.0 == path).map_or("", |query| query.1);
        let named = before.zip(&parts).map(|(before, part)| match self.named(row, before, part) {
            Some(value) => Ok(format!("/{value}")),
            None if part.contains('{') => bail!("what stands for {part} in {path}?"),
            None => Ok(format!("/{part}")),
        });
        Ok(named.collect::<Result<String>>()? + &query.replace("{running}", &self.running.slug))
    }

    fn named(&self, row: &Row, before: &str, part: &str) -> Option<String> {
        if let Some(about) = self.match_of(row) {
            match (before, part) {
                (_, "{slug}") | ("m", "{name}") => return Some(about.slug.clone()),
                ("struck", "{entry}") => return Some(about.strike.clone()),
                ("links", "{id}") => return Some(about.link_name.clone()),
                (_, "{token}") => return Some(about.other_seat.reveal()),
                _ => {}
            }
        }
        let value = match (before, part) {
            ("r", "{row}") if row.route.path.contains("/struck/") => "2",
            ("r", "{row}") => "1",
            ("players", "{name}") if row.route.path == WITHDRAWN_NAME => "cy",
            ("players", "{name}") => "ada",
            // Nobody told anything of it: whoever does first is its host.
            ("events", "{name}") if row.route.path.ends_with("/edit") => "nothing",
            ("events", "{name}") => "cup",
            // No such game was declared.
            ("games", "{hash}") => "0000000000000000000000000000000000000000000000000000000000000000",
            ("sitemap", "{name}") => "pages.xml",
            ("webhooks", "{id}") => &self.webhook,
            ("plans", "{id}") => &self.plan,
            ("umpires", "{id}") => &self.bystander,
            ("tokens", "{id}") => &self.token,
            ("registered", "{id}") | (_, "{player}") => &self.registered,
            (_, "{seat}") => "p1",
            (_, "{game}") => "five-card-trick",
            (_, "{ruleset}") => "dm-colosseum-2",
            (_, "{file}") => "dm-colosseum-2.csv",
            (_, "{beat}") => "after",
            (_, "{seq}" | "{ordinal}") => "0",
            (_, "{decision}") => "d1",
            (_, "{other}") => "bo",
            (_, "{*path}") => "0/000.p/1",
            (_, "archive.{format}") => "archive.csv",
            _ => return None,
        };
        Some(value.to_owned())
    }
}
