//! A site with two umpires, and the ways to it: forms with a cookie, JSON with a token, commands at Discord.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use app::account::{self, Scope, Umpire};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, header};
use serde_json::Value;
use sqlx::{AssertSqlSafe, Executor};
use tokio::task::JoinHandle;
use web::routes::DiscordApps;

use crate::database::database;
use crate::discord::arena::{UMPIRE, slash, text};
use crate::discord::stand_in::StandIn;
use crate::page::Page;
use crate::site::{Site, routes, serve};

/// The umpires: the first opens all matches, and has an account at Discord.
const NAMES: [&str; 2] = ["Ursula", "Vera"];

/// An umpire, with what their browser and their program have.
pub(super) struct Official {
    pub(super) umpire: Umpire,
    pub(super) cookie: String,
    pub(super) token: String,
}

/// What was answered.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) text: String,
    /// The cookie that came along, as a browser sends it back.
    pub(super) cookie: Option<String>,
}

pub(super) struct Hall {
    pub(super) site: Site,
    pub(super) officials: Vec<Official>,
    pub(super) discord: StandIn,
    pub(super) address: String,
    name: String,
    http: Client,
    serving: JoinHandle<()>,
    /// How often it was started.
    starts: u32,
}

impl Hall {
    pub(super) async fn open(name: &str) -> Result<Self> {
        // The database tells the time of this site, so that its heart can beat.
        let database = database().await?.options([("search_path", "public,pg_catalog")]);
        let site = Site::without_deadlines(name, database).await?;
        let set = "create table told_time (at timestamptz not null); insert into told_time values (now()); \
                   grant select on told_time to public; \
                   create function public.clock_timestamp() returns timestamptz language sql volatile \
                   as 'select at from public.told_time'";
        site.owner().await?.execute(AssertSqlSafe(set)).await?;
        let discord = StandIn::start().await?;
        let (address, serving) = Self::serve(&site, &discord).await?;
        // Nothing keeps a connection, so that the site can stop.
        let http = Client::builder().redirect(Policy::none()).pool_max_idle_per_host(0).build()?;
        let name = name.to_owned();
        let mut hall = Self { site, officials: Vec::new(), discord, address, name, http, serving, starts: 0 };
        for name in NAMES {
            let official = hall.official(name).await?;
            hall.officials.push(official);
        }
        let page = hall.form(&hall.officials[0].cookie, "/umpire/discord", &[("what", "code".to_owned())]).await?;
        let code = Page::new(reqwest::StatusCode::OK, String::new(), page.text).content("#code")?;
        let data = slash("link", &[text("code", &code.replace("/link code:", ""))]);
        let said = hall.command(UMPIRE, data).await?;
        ensure!(said.contains("You are the umpire"), "{said}");
        Ok(hall)
    }

    async fn serve(site: &Site, discord: &StandIn) -> Result<(String, JoinHandle<()>)> {
        let commands = Some(discord.application()?);
        serve(routes(&site.app, DiscordApps { commands, sign_in: None })).await
    }

    async fn official(&self, name: &str) -> Result<Official> {
        let link = self.site.sign_in_link_of(name).await?;
        let (_, code) = link.split_once('#').context("a code")?;
        let answer = self.form("", "/sign-in/link", &[("token", code.to_owned())]).await?;
        let (pool, system) = (self.site.app.pool(), self.site.app.system());
        let umpire = account::named(pool, name).await?;
        let by = &account::OPERATOR;
        let (token, _) = account::make_token(pool, system, by, &umpire, "a program", Scope::Umpire, None).await?;
        Ok(Official { umpire, cookie: answer.cookie.context("a session")?, token: account::reveal_token(&token) })
    }

    async fn answer(&self, request: RequestBuilder) -> Result<Answer> {
        let response = request.send().await?;
        let cookie = response.headers().get(header::SET_COOKIE).and_then(|cookie| cookie.to_str().ok());
        let cookie = cookie.and_then(|cookie| cookie.split(';').next()).map(str::to_owned);
        Ok(Answer { status: response.status().as_u16(), cookie, text: response.text().await? })
    }

    /// Sends a form with this cookie.
    pub(super) async fn form(&self, cookie: &str, path: &str, fields: &[(&str, String)]) -> Result<Answer> {
        let request = self.http.post(format!("{}{path}", self.address)).header(header::COOKIE, cookie);
        self.answer(request.form(fields)).await
    }

    /// Sends JSON with this token.
    pub(super) async fn json(
        &self,
        token: &str,
        (method, path, key): (Method, &str, &str),
        body: &Value,
    ) -> Result<Answer> {
        let request = self.http.request(method, format!("{}{path}", self.address)).bearer_auth(token);
        let request = request.header("idempotency-key", key).header("content-type", "application/json");
        self.answer(request.body(body.to_string())).await
    }

    pub(super) async fn get(&self, path: &str) -> Result<Answer> {
        self.answer(self.http.get(format!("{}{path}", self.address))).await
    }

    /// Gives a command at Discord, and returns what its user reads.
    pub(super) async fn command(&self, user: i64, data: Value) -> Result<String> {
        let now = self.site.app.system().now();
        let command = self.discord.command(user, 1, now, data);
        Ok(self.discord.gives(&self.address, now, &command).await?.0.content)
    }

    pub(super) fn passes(&self, time: Duration) {
        self.site.app.system().pass(time);
    }

    /// Stops the site, and starts it again on its database.
    pub(super) async fn starts_again(mut self) -> Result<Self> {
        self.starts += 1;
        self.serving.abort();
        drop(self.serving.await);
        self.site = self.site.again(&format!("{}, start {}", self.name, self.starts)).await?;
        (self.address, self.serving) = Self::serve(&self.site, &self.discord).await?;
        Ok(self)
    }

    /// One beat of the site's heart, now.
    async fn beats(&self) -> Result<()> {
        let now = self.site.app.system().now().to_utc();
        sqlx::query("update told_time set at = $1").bind(now).execute(&mut self.site.owner().await?).await?;
        Ok(self.site.app.recorder.write_beat().await?)
    }

    /// The site can take nothing for this long, gives the time back once it can, and is started again.
    pub(super) async fn goes_away(self, time: Duration, id: ledger::MatchId) -> Result<Self> {
        self.site.owner().await?.execute("delete from heartbeat").await?;
        self.beats().await?;
        self.passes(time);
        self.beats().await?;
        self.site.app.recorder.settle(id).await?;
        self.starts_again().await
    }
}

/// What was sent, and what became of it.
pub(super) struct Done {
    pub(super) words: String,
    pub(super) way: String,
    pub(super) status: u16,
}

/// The status of an act that came behind somebody else's.
pub(super) const OVERTAKEN: u16 = 409;
pub(super) const REFUSED: u16 = 422;
pub(super) const DONE: u16 = 200;

impl Done {
    pub(super) fn of(way: String, sent: &impl std::fmt::Debug, answer: &Answer) -> Result<Self> {
        ensure!(answer.status < 500, "{way} {sent:?}: {} {}", answer.status, answer.text);
        let words = format!("{way} {sent:?}: {}", answer.status);
        Ok(Self { words, way, status: answer.status })
    }
}
