//! Matchbook behind pgbouncer, by the settings in `deploy/cluster/pgbouncer.ini`: in session mode it works, and any other mode is
//! refused.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use nix::unistd::{Uid, User};
use reqwest::{Client, StatusCode};
use sqlx::postgres::{PgConnectOptions, PgPool};
use sqlx::query_scalar;
use store::database::separate_pool;
use tempfile::TempDir;
use tokio::process::{Child, Command};

use crate::database::database;
use crate::program::command;
use crate::site::{Guest, follow};
use crate::wait::until;
use crate::whole_match::{fixture, open, record};

/// pgbouncer before the tests' server.
struct Pooler {
    folder: TempDir,
    _process: Child,
    url: String,
}

impl Pooler {
    /// None where it is not installed.
    async fn start(server: &PgConnectOptions, mode: &str) -> Result<Option<Self>> {
        if Command::new("pgbouncer").arg("--version").stdout(Stdio::null()).status().await.is_err() {
            // The test harness shows what is written to the stream itself.
            writeln!(io::stderr(), "PGBOUNCER IS NOT INSTALLED: it is not tested")?;
            return Ok(None);
        }
        let folder = tempfile::Builder::new().prefix("matchbook-pgbouncer").tempdir()?;
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755))?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let socket = server.get_socket().context("the tests' server has a socket")?;
        let name = server.get_database().context("its database")?;
        let recipe = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/cluster/pgbouncer.ini");
        let settings = fs::read_to_string(recipe)?
            .replace(
                "host=@HOST@ port=@PORT@ dbname=matchbook",
                &format!(
                    "host={} port={} dbname={name} user={}",
                    socket.display(),
                    server.get_port(),
                    server.get_username()
                ),
            )
            .replace("listen_port = 6432", &format!("listen_port = {port}\nunix_socket_dir ="))
            .replace("pool_mode = session", &format!("pool_mode = {mode}"))
            .replace("auth_type = scram-sha-256\nauth_file = /etc/pgbouncer/userlist.txt", "auth_type = any");
        let file = folder.path().join("pgbouncer.ini");
        fs::write(&file, settings)?;
        let process = run(&file)?;
        let url = format!("postgres://{}@127.0.0.1:{port}/matchbook?sslmode=disable", server.get_username());
        until(async || {
            tokio::net::TcpStream::connect(("127.0.0.1", port)).await?;
            Ok(())
        })
        .await?;
        Ok(Some(Self { folder, _process: process, url }))
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }
}

/// Runs it as the server's user, who alone comes through the server's socket.
fn run(file: &Path) -> Result<Child> {
    let mut command = Command::new("pgbouncer");
    if Uid::effective().is_root() {
        let user = ["matchbook", "postgres"].into_iter().find_map(|name| User::from_name(name).ok().flatten());
        let user = user.context("a user for the server")?;
        chown(file, Some(user.uid.as_raw()), Some(user.gid.as_raw()))?;
        command = Command::new("runuser");
        command.args(["-u", &user.name, "--", "pgbouncer"]);
    }
    Ok(command.arg("-q").arg(file).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true).spawn()?)
}

#[tokio::test]
async fn in_session_mode_everything_works() -> Result<()> {
    let Some(pooler) = Pooler::start(&database().await?, "session").await? else { return Ok(()) };
    let mut serve = command(&pooler.data(), &["serve", "--listen", "127.0.0.1:0"])?;
    let mut serve = serve.env("DATABASE_URL", &pooler.url).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let said = serve.stdout.take().context("its output")?;
    let mut lines = tokio::io::AsyncBufReadExt::lines(tokio::io::BufReader::new(said));
    let mut address = None;
    while let Some(line) = lines.next_line().await? {
        if let Some(at) = line.strip_prefix("Matchbook is at ") {
            address = Some(at.trim_end_matches('/').to_owned());
            break;
        }
    }
    let address = address.context("it serves")?;
    until(async || {
        let ready = reqwest::get(format!("{address}/readyz")).await?;
        ensure!(ready.status() == StatusCode::OK, "{ready:?}");
        Ok(())
    })
    .await?;
    let mut added = command(&pooler.data(), &["umpire", "add", "Ursula", "--site", &address])?;
    let added = added.env("DATABASE_URL", &pooler.url).output().await?;
    ensure!(added.status.success(), "{added:?}");
    let umpire = Guest { http: Client::builder().cookie_store(true).build()?, address };
    let signed_in = follow(&umpire.http, String::from_utf8(added.stdout)?.trim()).await?;
    ensure!(signed_in.status() == StatusCode::OK, "{signed_in:?}");
    let played = fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?;
    let console = open(&umpire, &played).await?;
    record(&umpire, &console, &played.steps[0]).await?.is(StatusCode::OK)?;
    serve.kill().await?;
    Ok(())
}

/// The pooler drops what a connection asks for at its start, so Matchbook sets it again.
#[tokio::test]
async fn a_connection_has_what_it_asked_for() -> Result<()> {
    let Some(pooler) = Pooler::start(&database().await?, "session").await? else { return Ok(()) };
    // As the writer of the log asks.
    let asked = [("idle_in_transaction_session_timeout", "2s"), ("enable_seqscan", "off")];
    let options = store::serving(pooler.url.parse::<PgConnectOptions>()?).options(asked);
    let plain = PgPool::connect_lazy_with(options);
    let setting = async |pool: &PgPool, name: &str| {
        query_scalar::<_, String>("select current_setting($1)").bind(name).fetch_one(pool).await
    };
    assert_eq!(setting(&plain, "enable_seqscan").await?, "on", "the pooler drops it");
    let pool = separate_pool(&plain, 1);
    for (name, value) in [
        ("role", store::SERVE_ROLE),
        ("idle_in_transaction_session_timeout", "2s"),
        ("enable_seqscan", "off"),
        ("jit", "off"),
        ("max_parallel_workers_per_gather", "0"),
        ("random_page_cost", "1.1"),
    ] {
        assert_eq!(setting(&pool, name).await?, value, "{name}");
    }
    Ok(())
}

#[tokio::test]
async fn transaction_mode_is_refused_in_words() -> Result<()> {
    let Some(pooler) = Pooler::start(&database().await?, "transaction").await? else { return Ok(()) };
    let mut serve = command(&pooler.data(), &["serve", "--listen", "127.0.0.1:0"])?;
    let refused = serve.env("DATABASE_URL", &pooler.url).output().await?;
    let said = String::from_utf8_lossy(&refused.stderr);
    ensure!(!refused.status.success() && said.contains("set pool_mode = session"), "{said}");
    Ok(())
}
