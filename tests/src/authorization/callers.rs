//! Every kind of caller, each with an address and a client of its own, around one running match.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, ensure};
use app::account::player::{self, SeatRef};
use app::account::{self, Role, Scope, Umpire};
use axum::middleware::from_fn;
use engine::Seat;
use reqwest::redirect::Policy;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use web::routes::DiscordApps;
use web::visitor::forwarded;

use super::routes::Route;
use crate::play::table::{RULESET, Table};
use crate::site::{Site, follow, routes, serve};

/// The kinds of callers, in the order of the table.
pub(super) const CALLERS: [&str; 13] = [
    "nobody",
    "player",
    "other player",
    "umpire",
    "other umpire",
    "admin",
    "demoted",
    "stopped",
    "read token",
    "umpire token",
    "admin token",
    "admin's umpire token",
    "player token",
];

/// All of them, and what their requests name.
pub(super) struct Callers {
    table: Table,
    address: String,
    /// Clients with the cookies of a caller.
    clients: BTreeMap<&'static str, Client>,
    tokens: BTreeMap<&'static str, String>,
    webhook: String,
    plan: String,
    /// The pseudonym of an umpire who is none of the callers.
    bystander: String,
    /// The number of requests so far, for the keys of programs.
    asked: AtomicU64,
}

fn client() -> Result<Client> {
    Ok(Client::builder().cookie_store(true).redirect(Policy::none()).build()?)
}

/// An umpire with a role, added if there is none of this name.
async fn known(site: &Site, name: &str, role: Role) -> Result<Umpire> {
    let (pool, system) = (site.app.pool(), site.app.system());
    let umpire = match account::named(pool, name).await {
        Ok(umpire) => umpire,
        Err(_) => account::add(pool, system, &account::OPERATOR, name).await?,
    };
    account::set_role(pool, system, &account::OPERATOR, &umpire, role).await?;
    Ok(Umpire { role, ..umpire })
}

impl Callers {
    pub(super) async fn gathered() -> Result<Self> {
        let table = Table::with_links(RULESET, false, &["p2"]).await?;
        let (address, _) = serve(routes(&table.site.app, DiscordApps::default()).layer(from_fn(forwarded))).await?;
        let mut callers = Self {
            address,
            clients: CALLERS.into_iter().map(|caller| Ok((caller, client()?))).collect::<Result<_>>()?,
            tokens: BTreeMap::new(),
            webhook: String::new(),
            plan: String::new(),
            bystander: known(&table.site, "Walter", Role::Umpire).await?.id,
            asked: AtomicU64::new(0),
            table,
        };
        callers.players_sit_down().await?;
        callers.umpires_sign_in().await?;
        callers.programs_have_tokens().await?;
        callers.something_is_there().await?;
        Ok(callers)
    }

    async fn players_sit_down(&mut self) -> Result<()> {
        let typed = [("ruleset", RULESET), ("p1", "Cy"), ("p2", "Di"), ("live", "on")];
        let other = self.table.umpire.opens(&typed).await?.address.replace("/umpire/m/", "");
        for (caller, slug) in [("player", self.table.slug.as_str()), ("other player", other.as_str())] {
            let app = &self.table.site.app;
            let seat = SeatRef { match_id: app.matches.match_of(slug).await?, seat: Seat::P1 };
            let token = player::make_link(app.pool(), app.system(), seat).await?;
            let link = format!("{}/play/{}", self.address, token.reveal());
            let sat = self.client(caller)?.post(link).send().await?;
            ensure!(sat.status() == StatusCode::SEE_OTHER, "{}", sat.status());
            if caller == "player" {
                self.tokens.insert("player token", account::reveal_token(&token));
            }
        }
        Ok(())
    }

    async fn umpires_sign_in(&mut self) -> Result<()> {
        let site = &self.table.site;
        let (pool, system) = (site.app.pool(), site.app.system());
        let names = [
            ("umpire", site.umpire_name.as_str(), Role::Umpire),
            ("other umpire", "Viktor", Role::Umpire),
            ("admin", "Ada", Role::Admin),
            ("demoted", "Dora", Role::Admin),
            ("stopped", "Sam", Role::Umpire),
        ];
        for (caller, name, role) in names {
            let umpire = known(site, name, role).await?;
            let token = account::link(pool, system, &account::OPERATOR, &umpire).await?;
            let link = format!("{}/sign-in/link#{}", self.address, token.reveal());
            let signed_in = follow(self.client(caller)?, &link).await?;
            ensure!(signed_in.status().is_redirection(), "{caller}: {}", signed_in.status());
        }
        account::set_role(pool, system, &account::OPERATOR, &account::named(pool, "Dora").await?, Role::Umpire).await?;
        account::set_closed(pool, system, &account::OPERATOR, &account::named(pool, "Sam").await?, true).await?;
        Ok(())
    }

    async fn programs_have_tokens(&mut self) -> Result<()> {
        let site = &self.table.site;
        let (pool, system) = (site.app.pool(), site.app.system());
        for (caller, name, scope) in [
            ("read token", site.umpire_name.as_str(), Scope::Read),
            ("umpire token", site.umpire_name.as_str(), Scope::Umpire),
            ("admin token", "Ada", Scope::Admin),
            ("admin's umpire token", "Ada", Scope::Umpire),
        ] {
            let umpire = account::named(pool, name).await?;
            let (token, _) =
                account::make_token(pool, system, &account::OPERATOR, &umpire, "a test", scope, None).await?;
            self.tokens.insert(caller, account::reveal_token(&token));
        }
        Ok(())
    }

    /// A webhook and a plan of the umpire.
    async fn something_is_there(&mut self) -> Result<()> {
        let form = self.table.umpire.get("/umpire/webhooks").await?.fields(&["form"])?;
        let filled_in = form.with("address", "https://example.com/").with_all(&[("match.ended", "on")]);
        self.table.umpire.sends("/umpire/webhooks", &filled_in).await?.is(StatusCode::OK)?;
        self.webhook = filled_in.value("form")?.to_owned();
        let new = json!({ "ruleset": RULESET, "players": { "p1": "Eve", "p2": "Fay" } });
        let planned = json!({ "starts_at": "2099-11-21T20:00:00Z", "match": new });
        let token = self.tokens.get("umpire token").context("its token")?;
        let request = self.client("umpire token")?.post(format!("{}/api/v1/plans", self.address));
        let made =
            request.bearer_auth(token).header("idempotency-key", "a-plan").header("content-type", "application/json");
        let made = made.body(planned.to_string()).send().await?;
        let made: Value = serde_json::from_str(&made.text().await?)?;
        self.plan = made["id"].as_str().with_context(|| format!("a plan: {made}"))?.to_owned();
        Ok(())
    }

    fn client(&self, caller: &str) -> Result<&Client> {
        self.clients.get(caller).with_context(|| format!("nobody is {caller}"))
    }

    /// The OpenAPI document.
    pub(super) async fn document(&self) -> Result<Value> {
        let document = self.client("nobody")?.get(format!("{}/openapi.json", self.address)).send().await?;
        Ok(serde_json::from_str(&document.text().await?)?)
    }

    /// The answer to a caller's empty request, as a cell of the table.
    pub(super) async fn asks(&self, caller: &'static str, route: &Route) -> Result<String> {
        let address = format!("{}{}", self.address, self.filled_in(&route.path)?);
        let number = CALLERS.iter().position(|known| *known == caller).unwrap_or_default();
        let method: Method = route.method.to_uppercase().parse()?;
        let changes = method != Method::GET;
        let mut request = self.client(caller)?.request(method, address);
        // Each has a limit of its own.
        request = request.header("x-forwarded-for", format!("198.51.100.{number}"));
        if let Some(token) = self.tokens.get(caller) {
            request = request.bearer_auth(token);
        }
        if changes && route.is_api() {
            request = request
                .header("idempotency-key", format!("{number}-{}", self.asked.fetch_add(1, Ordering::Relaxed)))
                .header("content-type", "application/json")
                .body("{}");
        } else if changes {
            request = request.form(&[("nothing", "")]);
        }
        let status = request.send().await?.status();
        Ok(match status.as_u16() {
            401 | 403 | 404 => status.as_u16().to_string(),
            // The one limit that all addresses share, on guesses at a password.
            429 if route.path == "/sign-in" => "yes".to_owned(),
            429 => anyhow::bail!("too often"),
            300..=399 if !changes => "away".to_owned(),
            501 | 503 => "yes".to_owned(),
            500.. => anyhow::bail!("{status}"),
            _ => "yes".to_owned(),
        })
    }

    /// An address with something that is there for each name.
    fn filled_in(&self, path: &str) -> Result<String> {
        let zeros = "0".repeat(64);
        let mut filled = String::new();
        let mut before = "";
        for part in path.split('/').skip(1) {
            let value = match (before, part) {
                ("players", "{name}") => "ada",
                ("events", "{name}") => "cup",
                ("sitemap", "{name}") => "pages.xml",
                ("m", "{name}") | (_, "{slug}") => &self.table.slug,
                ("webhooks", "{id}") => &self.webhook,
                ("plans", "{id}") => &self.plan,
                ("umpires", "{id}") => &self.bystander,
                ("registered", "{id}") | (_, "{player}") => "62f36beb-046d-4718-9e70-004f87cfddf9",
                ("tokens" | "links", "{id}") | (_, "{token}") => &zeros,
                (_, "{seat}") => "p1",
                (_, "{game}") => "five-card-trick",
                (_, "{ruleset}") => "dm-colosseum-2",
                (_, "{file}") => "dm-colosseum-2.csv",
                (_, "{row}") => "1",
                (_, "{beat}") => "before",
                (_, "{entry}" | "{seq}" | "{ordinal}") => "0",
                (_, "{decision}") => "d1",
                (_, "{other}") => "bo",
                (_, "{*path}") => "0/000",
                (_, "archive.{format}") => "archive.csv",
                (_, part) if part.contains('{') => anyhow::bail!("what stands for {part} in {path}?"),
                (_, part) => part,
            };
            filled.push('/');
            filled.push_str(value);
            before = part;
        }
        Ok(filled)
    }
}
