//! A site under test: its own database and port, and an umpire with a browser-like client.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use app::App;
use app::account::{self, RateLimits};
use app::keys::Keys;
use app::system::System;
use axum::{Extension, Router};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{Connection, PgPool};
use store::database::separate_pool;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use web::http::SiteAddress;
use web::routes::{DiscordApps, site};

use crate::database::database;
use crate::page::{Form, Page};
use crate::wait::until;

/// More requests of a program than any test makes in a second: nobody waits for the limit but the test of it.
const API_PER_SECOND: u32 = 100_000;

/// The time at which the clock of a seeded site stands at first.
pub(crate) const START: &str = "2026-11-20T20:00:00.000000Z";

pub(crate) struct Site {
    pub(crate) address: String,
    pub(crate) app: Arc<App>,
    pub(crate) umpire_name: String,
    /// The connection to its database as its owner.
    pub(crate) database: PgConnectOptions,
    /// The data folder.
    pub(crate) data: Arc<TempDir>,
    serving: JoinHandle<()>,
}

/// A client with cookies.
#[derive(Clone)]
pub(crate) struct Guest {
    pub(crate) http: Client,
    pub(crate) address: String,
}

/// Serves these routes, and returns their address.
pub(crate) async fn serve(routes: Router) -> Result<(String, JoinHandle<()>)> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}", listener.local_addr()?);
    let routes = routes.layer(Extension(SiteAddress::listening(listener.local_addr()?)));
    Ok((address, tokio::spawn(async move { drop(axum::serve(listener, routes).await) })))
}

/// All pages of an app, with these applications at Discord. All tests come from one address, so pages cost nothing.
pub(crate) fn routes(app: &Arc<App>, discord_apps: DiscordApps) -> Router {
    let limits = RateLimits::new(API_PER_SECOND).with_page_costs(NonZeroU32::MAX);
    site(app.clone(), Arc::new(limits), discord_apps)
}

/// Follows a sign-in link, and sends its form: the code after the # is filled in as the page's script does.
pub(crate) async fn follow(http: &Client, link: &str) -> Result<Response> {
    let (address, code) = link.split_once('#').context("a link has its code behind #")?;
    Ok(http.post(address).form(&[("token", code)]).send().await?)
}

impl Site {
    pub(crate) async fn start() -> Result<Self> {
        Self::node(database().await?, Arc::new(tempfile::tempdir()?), "checkpoint").await
    }

    /// A site whose clock moves only on command, and whose keys depend only on this name.
    pub(crate) async fn seeded(seed: &str) -> Result<Self> {
        Self::seeded_on(seed, database().await?).await
    }

    /// The same on this database.
    pub(crate) async fn seeded_on(seed: &str, database: PgConnectOptions) -> Result<Self> {
        let site = Self::without_deadlines(seed, database).await?;
        tokio::spawn(site.app.deadlines.clone().run());
        Ok(site)
    }

    /// The same, and nothing closes on time.
    pub(crate) async fn without_deadlines(seed: &str, database: PgConnectOptions) -> Result<Self> {
        Self::without_deadlines_in(seed, database, Arc::new(tempfile::tempdir()?)).await
    }

    /// The same with this data folder.
    pub(crate) async fn without_deadlines_in(
        seed: &str,
        database: PgConnectOptions,
        data: Arc<TempDir>,
    ) -> Result<Self> {
        Self::run(System::seeded(seed, START.parse()?), database, data, "checkpoint").await
    }

    /// A node on a database, with this data folder and a checkpoint file in it.
    pub(crate) async fn node(database: PgConnectOptions, data: Arc<TempDir>, file: &str) -> Result<Self> {
        Self::run(System::real(), database, data, file).await
    }

    async fn run(system: System, database: PgConnectOptions, data: Arc<TempDir>, file: &str) -> Result<Self> {
        // Connections as the program makes them, and fewer.
        let pool = separate_pool(&PgPool::connect_lazy_with(store::serving(database.clone())), 4);
        let keys = Keys::open(data.path(), &system)?;
        let app = Arc::new(App::open(pool, Arc::new(system), keys, None, data.path().join(file)).await?);
        let (address, serving) = serve(routes(&app, DiscordApps::default())).await?;
        Ok(Self { address, app, umpire_name: "Ursula".to_owned(), database, data, serving })
    }

    /// Stops this node, and starts another on its database, at the same time of its clock.
    pub(crate) async fn again(self, seed: &str) -> Result<Self> {
        let (now, database, data) = (self.app.system().now(), self.database.clone(), self.data.clone());
        self.stop().await?;
        Self::run(System::seeded(seed, now), database, data, "checkpoint").await
    }

    /// Stops the node, and waits until its signing has ended. All readers of its pages must be gone.
    pub(crate) async fn stop(self) -> Result<()> {
        let mut signing = self.app.signer().watch();
        self.serving.abort();
        drop(self.serving.await);
        drop(self.app);
        let ended = async { while signing.changed().await.is_ok() {} };
        tokio::time::timeout(Duration::from_secs(30), ended).await.context("the node goes on")
    }

    /// Closes all its connections to the database for good.
    pub(crate) async fn loses_its_database(&self) {
        self.app.pool().close().await;
        self.app.reading_pool().close().await;
    }

    /// A connection with all rights, like an attacker's or an accident's.
    pub(crate) async fn owner(&self) -> Result<PgConnection> {
        Ok(PgConnection::connect_with(&self.database).await?)
    }

    /// A link that signs the umpire in.
    pub(crate) async fn sign_in_link(&self) -> Result<String> {
        self.sign_in_link_of(&self.umpire_name).await
    }

    pub(crate) async fn sign_in_link_of(&self, name: &str) -> Result<String> {
        let (pool, system) = (self.app.pool(), self.app.system());
        let umpire = match account::named(pool, name).await {
            Ok(umpire) => umpire,
            Err(_) => account::add(pool, system, &account::OPERATOR, name).await?,
        };
        let token = account::link(pool, system, &account::OPERATOR, &umpire).await?;
        Ok(format!("{}/sign-in/link#{}", self.address, token.reveal()))
    }

    /// A client that is not signed in.
    pub(crate) fn visitor(&self) -> Result<Guest> {
        let http = Client::builder().cookie_store(true).redirect(Policy::limited(5)).build()?;
        Ok(Guest { http, address: self.address.clone() })
    }

    /// The umpire, signed in.
    pub(crate) async fn umpire(&self) -> Result<Guest> {
        self.umpire_called(&self.umpire_name).await
    }

    /// An umpire of this name, signed in.
    pub(crate) async fn umpire_called(&self, name: &str) -> Result<Guest> {
        let client = self.visitor()?;
        let link = self.sign_in_link_of(name).await?;
        let page = client.read(follow(&client.http, &link).await?).await?;
        if page.status != StatusCode::OK {
            bail!("signing in gave {}: {}", page.status, page.text);
        }
        Ok(client)
    }
}

impl Guest {
    pub(crate) async fn get(&self, path: &str) -> Result<Page> {
        self.read(self.http.get(format!("{}{path}", self.address)).send().await?).await
    }

    /// Waits until the page at this address contains these words.
    pub(crate) async fn until(&self, path: &str, words: &str) -> Result<()> {
        until(async || self.get(path).await?.says(words).map(drop)).await
    }

    pub(crate) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Result<Page> {
        self.read(self.http.post(format!("{}{path}", self.address)).form(fields).send().await?).await
    }

    /// Sends a form to this address.
    pub(crate) async fn sends(&self, path: &str, form: &Form) -> Result<Page> {
        self.read(self.http.post(format!("{}{path}", self.address)).form(form.filled_in()).send().await?).await
    }

    /// Fills in the last form of a page with this address, and sends it.
    pub(crate) async fn fills_in(&self, page: &Page, path: &str, typed: &[(&str, &str)]) -> Result<Page> {
        self.sends(path, &page.form_to(path)?.with_all(typed)).await
    }

    /// Sends the form that opens a match.
    pub(crate) async fn opens(&self, typed: &[(&str, &str)]) -> Result<Page> {
        let form = self.get("/umpire/open").await?.fields(&["form"])?;
        self.sends("/umpire/open", &form.with_all(typed)).await
    }

    pub(crate) async fn read(&self, response: Response) -> Result<Page> {
        let (status, address) = (response.status(), response.url().path().to_owned());
        Ok(Page::new(status, address, response.text().await?))
    }
}
