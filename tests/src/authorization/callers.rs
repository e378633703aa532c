//! Every kind of caller, each with an address and a client of its own.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, bail, ensure};
use app::account::{self, Role, Scope, Token, Umpire};
use axum::middleware::from_fn;
use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use web::routes::DiscordApps;
use web::visitor::forwarded;

use super::Cells;
use super::objects::{Objects, Officials, PlayedMatch, WITHDRAWN_NAME, fresh};
use super::requests::{Content, Facts, body, fields};
use super::routes::Row;
use crate::discord::door::Door;
use crate::discord::stand_in::StandIn;
use crate::play::registered::registers;
use crate::play::table::RULESET;
use crate::site::{Site, follow, routes, serve};

/// The kinds of callers, in the order of the table.
pub(super) const CALLERS: [&str; 19] = [
    "nobody",
    "player",
    "opponent",
    "other player",
    "umpire",
    "helper",
    "commentator",
    "other umpire",
    "admin",
    "demoted",
    "stopped",
    "read token",
    "umpire token",
    "helper token",
    "other token",
    "stopped token",
    "admin token",
    "admin's umpire token",
    "player token",
];

/// True for those of them that send a token.
pub(super) fn is_program(caller: &str) -> bool {
    caller.ends_with(" token")
}

/// The umpires who sign in, and the roles that they have then.
const UMPIRES: [(&str, &str, Role); 7] = [
    ("umpire", "Ursula", Role::Umpire),
    ("helper", "Hanna", Role::Umpire),
    ("commentator", "Conrad", Role::Umpire),
    ("other umpire", "Viktor", Role::Umpire),
    ("admin", "Ada", Role::Admin),
    ("demoted", "Dora", Role::Admin),
    ("stopped", "Sam", Role::Umpire),
];

/// The tokens: whose they are, and their scope.
const TOKENS: [(&str, &str, Scope); 7] = [
    ("read token", "umpire", Scope::Read),
    ("umpire token", "umpire", Scope::Umpire),
    ("helper token", "helper", Scope::Umpire),
    ("other token", "other umpire", Scope::Umpire),
    ("stopped token", "stopped", Scope::Umpire),
    ("admin token", "admin", Scope::Admin),
    ("admin's umpire token", "admin", Scope::Umpire),
];

/// All of them, and what their requests name.
pub(super) struct Callers {
    site: Site,
    address: String,
    document: Value,
    /// Clients with the cookies of a caller.
    clients: BTreeMap<&'static str, Client>,
    tokens: BTreeMap<&'static str, String>,
    /// The pseudonyms of the umpires.
    umpires: BTreeMap<&'static str, String>,
    objects: Objects,
    /// The number of requests so far, for the keys of programs.
    asked: AtomicU64,
}

fn client() -> Result<Client> {
    Ok(Client::builder().cookie_store(true).redirect(Policy::none()).build()?)
}

/// A new umpire with a role.
async fn added(site: &Site, name: &str, role: Role) -> Result<Umpire> {
    let (pool, system) = (site.app.pool(), site.app.system());
    let umpire = account::add(pool, system, &account::OPERATOR, name).await?;
    account::set_role(pool, system, &account::OPERATOR, &umpire, role).await?;
    Ok(Umpire { role, ..umpire })
}

/// The answer as a cell of the table.
fn cell(row: &Row, status: StatusCode) -> Result<String> {
    let changes = row.route.method != "get";
    Ok(match status.as_u16() {
        401 | 403 | 404 | 410 => status.as_u16().to_string(),
        // The one limit that all addresses share, on guesses at a password: it is as good as a wrong one.
        429 if row.route.path == "/sign-in" => "401".to_owned(),
        429 => bail!("too often"),
        300..=399 if !changes => "away".to_owned(),
        400 | 415 | 422 => "refused".to_owned(),
        501 | 503 => "yes".to_owned(),
        500.. => bail!("{status}"),
        _ => "yes".to_owned(),
    })
}

impl Callers {
    pub(super) async fn gathered() -> Result<Self> {
        let site = Site::seeded("rights").await?;
        let mut umpires = BTreeMap::new();
        for (caller, name, role) in UMPIRES {
            umpires.insert(caller, added(&site, name, role).await?);
        }
        let of = |caller: &str| umpires.get(caller).cloned().context("an umpire");
        let officials = Officials { umpire: of("umpire")?, helper: of("helper")?, commentator: of("commentator")? };
        let bystander = added(&site, "Walter", Role::Umpire).await?.id;
        let registered = registers(&site, 0x51).await?.id.to_string();
        let objects = Objects::made(&site.app, officials, bystander, registered).await?;
        let (commands, sign_in) = (StandIn::start().await?.application()?, Door::application("http://127.0.0.1:9")?);
        let discord_apps = DiscordApps { commands: Some(commands), sign_in: Some(sign_in) };
        let (address, _) = serve(routes(&site.app, discord_apps).layer(from_fn(forwarded))).await?;
        let document = client()?.get(format!("{address}/openapi.json")).send().await?.text().await?;
        let mut callers = Self {
            address,
            document: serde_json::from_str(&document)?,
            clients: CALLERS.into_iter().map(|caller| Ok((caller, client()?))).collect::<Result<_>>()?,
            tokens: BTreeMap::new(),
            umpires: umpires.iter().map(|(caller, umpire)| (*caller, umpire.id.clone())).collect(),
            objects,
            asked: AtomicU64::new(0),
            site,
        };
        callers.umpires_sign_in(&umpires).await?;
        callers.programs_have_tokens(&umpires).await?;
        callers.roles_and_accounts_end(&umpires).await?;
        callers.players_sit_down().await?;
        callers.makes_a_webhook().await?;
        callers.makes_a_plan().await?;
        Ok(callers)
    }

    async fn umpires_sign_in(&self, umpires: &BTreeMap<&'static str, Umpire>) -> Result<()> {
        let (pool, system) = (self.site.app.pool(), self.site.app.system());
        for (caller, umpire) in umpires {
            let token = account::link(pool, system, &account::OPERATOR, umpire).await?;
            let link = format!("{}/sign-in/link#{}", self.address, token.reveal());
            let signed_in = follow(self.client(caller)?, &link).await?;
            ensure!(signed_in.status().is_redirection(), "{caller}: {}", signed_in.status());
        }
        Ok(())
    }

    async fn programs_have_tokens(&mut self, umpires: &BTreeMap<&'static str, Umpire>) -> Result<()> {
        let (pool, system) = (self.site.app.pool(), self.site.app.system());
        for (caller, whose, scope) in TOKENS {
            let umpire = umpires.get(whose).context("an umpire")?;
            let made = account::make_token(pool, system, &account::OPERATOR, umpire, "a test", scope, None).await?;
            self.tokens.insert(caller, account::reveal_token(&made.0));
        }
        Ok(())
    }

    async fn roles_and_accounts_end(&self, umpires: &BTreeMap<&'static str, Umpire>) -> Result<()> {
        let (pool, system) = (self.site.app.pool(), self.site.app.system());
        let of = |caller: &str| umpires.get(caller).context("an umpire");
        account::set_role(pool, system, &account::OPERATOR, of("demoted")?, Role::Umpire).await?;
        account::set_closed(pool, system, &account::OPERATOR, of("stopped")?, true).await?;
        Ok(())
    }

    async fn players_sit_down(&mut self) -> Result<()> {
        self.sits_down("other player", &self.objects.others.seat).await?;
        for about in [&self.objects.running, &self.objects.ended, &self.objects.practice] {
            self.both_sit_down(about).await?;
        }
        self.tokens.insert("player token", account::reveal_token(&self.objects.running.seat));
        Ok(())
    }

    async fn both_sit_down(&self, about: &PlayedMatch) -> Result<()> {
        self.sits_down("player", &about.seat).await?;
        self.sits_down("opponent", &about.other_seat).await
    }

    async fn sits_down(&self, caller: &str, seat: &Token) -> Result<()> {
        let link = format!("{}/play/{}", self.address, seat.reveal());
        // From many addresses: one of them follows only so many links.
        let address = format!("203.0.113.{}", self.asked.fetch_add(1, Ordering::Relaxed) % 250);
        let sat = self.client(caller)?.post(link).header("x-forwarded-for", address).send().await?;
        ensure!(sat.status() == StatusCode::SEE_OTHER, "{}", sat.status());
        Ok(())
    }

    /// The program of the umpire sends this.
    async fn umpire_sends(&self, method: Method, path: &str, sent: &Value) -> Result<Response> {
        let request = self.client("umpire token")?.request(method, format!("{}{path}", self.address));
        let token = self.tokens.get("umpire token").context("its token")?;
        Ok(self.json(request, sent).bearer_auth(token).send().await?)
    }

    /// Makes something in the place of what may be there, and gives its id.
    async fn makes(&self, path: &str, before: &str, new: &Value, id: &str) -> Result<String> {
        self.umpire_sends(Method::DELETE, &format!("{path}/{before}"), &json!({})).await?;
        let made: Value = serde_json::from_str(&self.umpire_sends(Method::POST, path, new).await?.text().await?)?;
        Ok(made.pointer(id).and_then(Value::as_str).with_context(|| format!("{made}"))?.to_owned())
    }

    async fn makes_a_webhook(&mut self) -> Result<()> {
        let new = json!({ "address": "https://example.com/" });
        self.objects.webhook = self.makes("/api/v1/webhooks", &self.objects.webhook, &new, "/webhook/id").await?;
        Ok(())
    }

    async fn makes_a_plan(&mut self) -> Result<()> {
        let new = json!({ "ruleset": RULESET, "players": { "p1": "Eve", "p2": "Fay" } });
        let new = json!({ "starts_at": "2099-11-21T20:00:00Z", "match": new });
        self.objects.plan = self.makes("/api/v1/plans", &self.objects.plan, &new, "/id").await?;
        Ok(())
    }

    fn client(&self, caller: &str) -> Result<&Client> {
        self.clients.get(caller).with_context(|| format!("nobody is {caller}"))
    }

    /// The OpenAPI document.
    pub(super) const fn document(&self) -> &Value {
        &self.document
    }

    /// The answers to the requests of these callers, in their order.
    pub(super) async fn ask(&mut self, callers: &[&'static str], row: &Row, content: Content) -> Result<Cells> {
        let mut cells = Vec::new();
        for caller in callers {
            let status = self.asks(caller, row, content).await.with_context(|| *caller)?;
            cells.push(cell(row, status).with_context(|| *caller)?);
            let done = status.is_success() || status.is_redirection();
            if done && row.route.changes_what_it_names() {
                self.renews(row).await?;
            }
        }
        Ok(cells)
    }

    /// Makes anew what a request took away or changed.
    async fn renews(&mut self, row: &Row) -> Result<()> {
        self.objects.renews(row).await?;
        if let Some(about) = self.objects.match_of(row) {
            self.both_sit_down(about).await?;
            self.tokens.insert("player token", account::reveal_token(&self.objects.running.seat));
        } else if row.route.path == WITHDRAWN_NAME {
            self.sits_down("other player", &self.objects.others.seat).await?;
        } else if row.route.path.contains("/webhooks/{id}") {
            self.makes_a_webhook().await?;
        } else if row.route.path.contains("/plan") || row.route.path == "/umpire/open" {
            self.makes_a_plan().await?;
        }
        Ok(())
    }

    async fn asks(&self, caller: &'static str, row: &Row, content: Content) -> Result<StatusCode> {
        let method: Method = row.route.method.to_uppercase().parse()?;
        let address = format!("{}{}", self.address, self.objects.address(row)?.replace("{site}", &self.address));
        let number = CALLERS.iter().position(|known| *known == caller).unwrap_or_default();
        let request = self.client(caller)?.request(method.clone(), address);
        // Each has a limit of its own.
        let mut request = request.header("x-forwarded-for", format!("198.51.100.{number}"));
        if let Some(token) = self.tokens.get(caller) {
            request = request.bearer_auth(token);
        }
        let request =
            if method == Method::GET { request } else { self.filled_in(caller, row, content, request).await? };
        Ok(request.send().await?.status())
    }

    async fn filled_in(
        &self,
        caller: &str,
        row: &Row,
        content: Content,
        request: RequestBuilder,
    ) -> Result<RequestBuilder> {
        let history = match self.objects.match_of(row) {
            Some(about) => Some(self.site.app.matches.history(about.id).await?),
            None => None,
        };
        // Whoever can takes a match over. Its own umpire hands it on.
        let whose = TOKENS.iter().find(|token| token.0 == caller).map_or(caller, |token| token.1);
        let to = self.umpires.get(whose).filter(|_| whose != "umpire").unwrap_or(&self.objects.bystander);
        let facts =
            Facts { history: history.as_deref(), form: fresh(&self.site.app).to_string(), to, objects: &self.objects };
        Ok(match (row.route.is_api(), content) {
            (true, Content::Nothing) => self.json(request, &json!({})),
            (true, Content::Everything) => self.json(request, &body(&self.document, row, &facts)),
            (false, Content::Nothing) => request.form(&[("nothing", "")]),
            (false, Content::Everything) => request.form(&fields(row, &facts)),
        })
    }

    fn json(&self, request: RequestBuilder, sent: &Value) -> RequestBuilder {
        let key = format!("request-{}", self.asked.fetch_add(1, Ordering::Relaxed));
        request.header("idempotency-key", key).header("content-type", "application/json").body(sent.to_string())
    }
}
