//! A site under test: its own database and port, and an umpire with a browser-like client.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use app::App;
use app::account;
use app::keys::Keys;
use app::system::System;
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode};
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPoolOptions};
use sqlx::{ConnectOptions, Connection, Executor};
use store::MIGRATIONS;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::OnceCell;
use tokio::task::JoinHandle;
use web::routes;

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
pub(crate) struct Guest {
    pub(crate) http: Client,
    pub(crate) address: String,
}

/// A page from the site.
pub(crate) struct Page {
    pub(crate) status: StatusCode,
    pub(crate) address: String,
    pub(crate) text: String,
}

/// The connection to a fresh, migrated database. The tests' server drops it when the test is over.
pub(crate) async fn database() -> Result<PgConnectOptions> {
    let (server, template) = TEMPLATE.get_or_try_init(template).await?;
    let name = new_name();
    let mut owner = PgConnection::connect_with(server).await?;
    let all_over = std::mem::take(&mut *OVER.lock().unwrap_or_else(PoisonError::into_inner));
    for over in all_over {
        owner.execute(sqlx::AssertSqlSafe(format!("drop database {over} with (force)"))).await?;
    }
    owner.execute(sqlx::AssertSqlSafe(format!("create database {name} template {template}"))).await?;
    owner.close().await?;
    let options = server.clone().database(&name);
    MINE.with_borrow_mut(|mine| mine.0.push(name));
    Ok(options)
}

/// The server, and the name of a migrated database on it that the others are copies of.
async fn template() -> Result<(PgConnectOptions, String)> {
    let url = std::env::var("MATCHBOOK_TEST_DATABASE_URL")
        .context("run this by `make test`, or by `matchbook db with --temporary -- cargo test`")?;
    let server = url.parse::<PgConnectOptions>()?.disable_statement_logging();
    let name = new_name();
    let mut owner = PgConnection::connect_with(&server).await?;
    owner.execute(sqlx::AssertSqlSafe(format!("create database {name}"))).await?;
    owner.close().await?;
    let mut owner = PgConnection::connect_with(&server.clone().database(&name)).await?;
    MIGRATIONS.run(&mut owner).await?;
    owner.close().await?;
    Ok((server, name))
}

fn new_name() -> String {
    format!("test_{}", System::real().uuid().simple())
}

static TEMPLATE: OnceCell<(PgConnectOptions, String)> = OnceCell::const_new();

/// The databases of tests that are over: whoever needs the next one drops them, so that the server stays small.
static OVER: Mutex<Vec<String>> = Mutex::new(Vec::new());

thread_local! {
    static MINE: RefCell<Databases> = const { RefCell::new(Databases(Vec::new())) };
}

/// The databases of the test that runs on this thread. The thread ends with the test.
struct Databases(Vec<String>);

impl Drop for Databases {
    fn drop(&mut self) {
        OVER.lock().unwrap_or_else(PoisonError::into_inner).append(&mut self.0);
    }
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
        let system = System::seeded(seed, "2026-11-20T20:00:00.000000Z".parse()?);
        Self::of(system, database().await?).await
    }

    /// A site with this clock, on which decisions close on time.
    pub(crate) async fn of(system: System, database: PgConnectOptions) -> Result<Self> {
        let site = Self::run(system, database, Arc::new(tempfile::tempdir()?), "checkpoint").await?;
        tokio::spawn(site.app.deadlines.clone().run());
        Ok(site)
    }

    /// A node on a database, with this data folder and a checkpoint file in it.
    pub(crate) async fn node(database: PgConnectOptions, data: Arc<TempDir>, file: &str) -> Result<Self> {
        Self::run(System::real(), database, data, file).await
    }

    async fn run(system: System, database: PgConnectOptions, data: Arc<TempDir>, file: &str) -> Result<Self> {
        let serving = store::serving(database.clone());
        let pool = PgPoolOptions::new().max_connections(4).connect_lazy_with(serving);
        let keys = Keys::open(data.path(), &system)?;
        let app = Arc::new(App::open(pool, Arc::new(system), keys, None, data.path().join(file)).await?);
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = format!("http://{}", listener.local_addr()?);
        let site = routes::app(app.clone());
        let serving = tokio::spawn(async move { drop(axum::serve(listener, site).await) });
        Ok(Self { address, app, umpire_name: "Ursula".to_owned(), database, data, serving })
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

    /// A connection with all rights, like an attacker's or an accident's.
    pub(crate) async fn owner(&self) -> Result<PgConnection> {
        Ok(PgConnection::connect_with(&self.database).await?)
    }

    /// A link that signs the umpire in.
    pub(crate) async fn sign_in_link(&self) -> Result<String> {
        self.sign_in_link_of(&self.umpire_name).await
    }

    async fn sign_in_link_of(&self, name: &str) -> Result<String> {
        let (pool, system) = (self.app.pool(), self.app.system());
        let umpire = match account::named(pool, name).await {
            Ok(umpire) => umpire,
            Err(_) => account::add(pool, system, name).await?,
        };
        let token = account::link(pool, system, &umpire).await?;
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

    pub(crate) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Result<Page> {
        self.read(self.http.post(format!("{}{path}", self.address)).form(fields).send().await?).await
    }

    pub(crate) async fn read(&self, response: Response) -> Result<Page> {
        let (status, address) = (response.status(), response.url().path().to_owned());
        Ok(Page { status, address, text: response.text().await? })
    }
}

impl Page {
    /// The value of the first form field of this name.
    pub(crate) fn field(&self, name: &str) -> Result<String> {
        let at = self
            .text
            .find(&format!("name=\"{name}\""))
            .with_context(|| format!("no field {name} in:\n{}", self.text))?;
        let start = self.text[..at].rfind('<').unwrap_or(at);
        let end = at + self.text[at..].find('>').unwrap_or(0);
        let tag = &self.text[start..end];
        let value = tag.split_once("value=\"").map(|(_, rest)| rest.split('"').next().unwrap_or_default());
        Ok(value.with_context(|| format!("field {name} has no value"))?.to_owned())
    }

    /// Fails unless the page contains this.
    pub(crate) fn says(&self, words: &str) -> Result<&Self> {
        if self.text.contains(words) {
            Ok(self)
        } else {
            bail!("{} does not say {words:?}:\n{}", self.address, self.text)
        }
    }
}
