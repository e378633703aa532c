//! A standby that is promoted before it has what the primary acknowledged: moves come back from the journal, and a database that
//! lacks signed entries is met with a sentence that says what to do.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use nix::sys::signal::Signal;
use reqwest::{Client, StatusCode};
use sqlx::{AssertSqlSafe, Executor};
use tempfile::TempDir;

use super::close::{closes, seated};
use crate::play::table::RULESET;
use crate::postgres::Postgres;
use crate::program::{Program, command};
use crate::site::{Guest, follow};
use crate::wait::until;

const OPENING: [(&str, &str); 4] = [("ruleset", RULESET), ("p1", "Ada"), ("p2", "Bo"), ("live", "on")];

/// A live match on a primary that waits for no standby, and has one.
struct Followed {
    data: PathBuf,
    program: Option<Program>,
    primary: Postgres,
    standby: Postgres,
    umpire: Guest,
    console: String,
    /// Each player with the page of the seat.
    players: [(Guest, String); 2],
    _folder: TempDir,
}

async fn serve(data: &Path, url: &str) -> Result<Program> {
    Program::start_at(data, "127.0.0.1:0", &["--database-url", url]).await
}

/// The program's command line on a database: what it says, and whether it succeeds.
async fn asks(data: &Path, url: &str, arguments: &[&str]) -> Result<(bool, String)> {
    let answer = command(data, arguments)?.env("DATABASE_URL", url).output().await?;
    let said = [answer.stdout, answer.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
    Ok((answer.status.success(), said))
}

/// An umpire, signed in.
async fn umpire(data: &Path, url: &str, program: &Program) -> Result<Guest> {
    let mut add = command(data, &["umpire", "add", "Ursula", "--site", &program.address])?;
    let link = String::from_utf8(add.env("DATABASE_URL", url).output().await?.stdout)?;
    let http = Client::builder().cookie_store(true).timeout(Duration::from_secs(30)).build()?;
    let guest = Guest { http, address: program.address.clone() };
    guest.read(follow(&guest.http, link.trim()).await?).await?.is(StatusCode::OK)?;
    Ok(guest)
}

/// Waits until a server says that this is true.
async fn holds(server: &Postgres, question: &str) -> Result<()> {
    until(async || {
        let mut superuser = server.superuser().await?;
        let holds: bool = sqlx::query_scalar(AssertSqlSafe(question)).fetch_one(&mut superuser).await?;
        ensure!(holds, "not true: {question}");
        Ok(())
    })
    .await
}

impl Followed {
    async fn start() -> Result<Self> {
        let entered_by_all = Permissions::from_mode(0o711);
        let folder = tempfile::Builder::new().prefix("matchbook-promoted").permissions(entered_by_all).tempdir()?;
        let primary = Postgres::start(folder.path().join("primary"), None).await?;
        let standby = primary.standby(folder.path().join("standby")).await?;
        let (data, url) = (folder.path().join("data"), primary.url());
        let program = serve(&data, &url).await?;
        let umpire = umpire(&data, &url, &program).await?;
        let console = umpire.opens(&OPENING).await?.address;
        let players = [seated(&umpire, &console, "p1").await?, seated(&umpire, &console, "p2").await?];
        let site = Self { data, program: Some(program), primary, standby, umpire, console, players, _folder: folder };
        site.is_signed().await?;
        Ok(site)
    }

    /// Waits until every entry of the primary is signed.
    async fn is_signed(&self) -> Result<()> {
        until(async || {
            let note = self.umpire.get("/checkpoint").await?;
            let signed: i64 = note.is(StatusCode::OK)?.text.lines().nth(1).context("its size")?.parse()?;
            let mut superuser = self.primary.superuser().await?;
            let entries = sqlx::query_scalar("select count(*) from entries where log_id = 1");
            let entries: i64 = entries.fetch_one(&mut superuser).await?;
            ensure!(signed == entries, "{signed} of {entries} entries are signed");
            Ok(())
        })
        .await
    }

    /// Waits until the standby has everything so far. From then on it gets nothing more.
    async fn falls_behind(&self) -> Result<()> {
        let written = sqlx::query_scalar("select pg_current_wal_lsn()::text");
        let written: String = written.fetch_one(&mut self.primary.superuser().await?).await?;
        holds(&self.standby, &format!("select pg_last_wal_replay_lsn() >= '{written}'")).await?;
        let mut superuser = self.standby.superuser().await?;
        superuser.execute("alter system set primary_conninfo = ''").await?;
        superuser.execute("select pg_reload_conf()").await?;
        holds(&self.standby, "select count(*) = 0 from pg_stat_wal_receiver").await
    }

    /// A player's move, which is acknowledged.
    async fn moves(&self, player: usize, text: &str) -> Result<()> {
        let (guest, home) = &self.players[player];
        let form = guest.get(home).await?.fields(&["decision", "submit"])?.with("move", text);
        guest.sends(&format!("{home}/submit"), &form).await?.says("move received").map(drop)
    }

    async fn closes(&self) -> Result<()> {
        closes(&self.umpire, &self.console).await
    }

    /// Plays the first round, which the standby never gets, and a move of the second one.
    async fn plays_on(&self) -> Result<()> {
        self.moves(0, "grow").await?;
        self.moves(1, "claim").await?;
        self.closes().await?;
        self.has_recorded(&["1. grow / claim"]).await?;
        self.is_signed().await?;
        self.moves(0, "claim").await
    }

    /// The rest of the second round.
    async fn ends_the_second_round(&self) -> Result<()> {
        self.moves(1, "score grow").await?;
        self.closes().await?;
        self.has_recorded(&["1. grow / claim", "2. claim / score grow"]).await
    }

    async fn stops(&mut self) -> Result<()> {
        match self.program.take() {
            Some(program) => program.kill().await,
            None => Ok(()),
        }
    }

    /// The program goes on with the database at this URL.
    async fn goes_on_with(&mut self, url: &str) -> Result<()> {
        self.stops().await?;
        let program = serve(&self.data, url).await?;
        self.umpire.address.clone_from(&program.address);
        for (guest, _) in &mut self.players {
            guest.address.clone_from(&program.address);
        }
        self.program = Some(program);
        Ok(())
    }

    /// The standby is promoted, lacks every move, and is the database from now on.
    async fn fails_over(&mut self) -> Result<()> {
        self.stops().await?;
        self.standby.promote().await?;
        holds(&self.standby, "select count(*) = 0 from submissions where seat in ('p1', 'p2')").await?;
        let url = self.standby.url();
        self.goes_on_with(&url).await
    }

    /// Nothing is signed or accepted, and whoever operates the site reads what to do.
    async fn says_what_to_do(&self) -> Result<()> {
        until(async || {
            let health = self.umpire.get("/healthz").await?;
            health.is(StatusCode::SERVICE_UNAVAILABLE)?.says("\"signing\":\"stopped\"").map(drop)
        })
        .await?;
        for page in ["/healthz", "/log"] {
            let page = self.umpire.get(page).await?;
            page.says("use it again: signing then goes on by itself")?.says("matchbook log succeed")?;
        }
        self.umpire.get(&self.console).await?.says("the log cannot be written or signed")?;
        let refused = self.umpire.opens(&OPENING).await?;
        refused.is(StatusCode::SERVICE_UNAVAILABLE)?.says("Nothing new is accepted at the moment").map(drop)
    }

    fn public(&self) -> String {
        self.console.replace("/umpire", "")
    }

    async fn has_recorded(&self, rounds: &[&str]) -> Result<()> {
        let lines = self.umpire.get(&format!("{}.ndjson", self.public())).await?;
        rounds.iter().try_for_each(|round| lines.says(round).map(drop))
    }

    async fn is_verified(&self) -> Result<()> {
        let address = format!("{}{}.bundle", self.umpire.address, self.public());
        let bundle = self.umpire.http.get(address).send().await?.bytes().await?;
        let report = ::record::verify::verify(&::record::Bundle::read(&bundle)?);
        ensure!(report.is_good(), "{report:#?}");
        Ok(())
    }
}

#[tokio::test]
async fn moves_that_a_promoted_standby_lacks_come_back_before_the_close() -> Result<()> {
    let mut site = Followed::start().await?;
    site.falls_behind().await?;
    site.moves(0, "grow").await?;
    site.moves(1, "claim").await?;
    site.primary.signal(Signal::SIGKILL)?;
    site.fails_over().await?;

    site.closes().await?;
    site.has_recorded(&["1. grow / claim"]).await?;
    site.umpire.get("/healthz").await?.says("\"submissions_put_back\":2")?;
    site.umpire.get(&site.public()).await?.says("Moves came back")?;
    site.is_verified().await?;
    let (good, said) = asks(&site.data, &site.standby.url(), &["audit"]).await?;
    ensure!(good && said.contains("put back: a submission of match") && said.contains("nothing is wrong"), "{said}");
    site.stops().await
}

#[tokio::test]
async fn a_promoted_standby_without_signed_entries_is_refused_and_the_primary_goes_on() -> Result<()> {
    let mut site = Followed::start().await?;
    site.falls_behind().await?;
    site.plays_on().await?;
    site.fails_over().await?;
    site.says_what_to_do().await?;

    // The first thing that it says.
    let url = site.primary.url();
    site.goes_on_with(&url).await?;
    site.ends_the_second_round().await?;
    site.is_verified().await?;
    site.stops().await
}

#[tokio::test]
async fn without_the_primary_a_new_origin_has_the_moves_again_and_says_which_are_missing() -> Result<()> {
    let mut site = Followed::start().await?;
    site.falls_behind().await?;
    site.plays_on().await?;
    site.primary.signal(Signal::SIGKILL)?;
    site.fails_over().await?;
    site.says_what_to_do().await?;

    // The second thing that it says.
    site.stops().await?;
    let url = site.standby.url();
    let (done, said) = asks(&site.data, &url, &["log", "succeed", "--yes"]).await?;
    ensure!(done, "{said}");
    site.goes_on_with(&url).await?;
    // Both moves of the first round and its close come back.
    until(async || site.has_recorded(&["1. grow / claim"]).await).await?;
    site.umpire.get(&site.public()).await?.says("Moves came back")?;
    // The second question was among the lost entries. Its move is named, and the player sends it again.
    let health = site.umpire.get("/healthz").await?;
    health.says("\"submissions_put_back\":2")?.says("\"submissions_missing\":1")?;
    site.umpire.get(&site.public()).await?.says("Moves are missing")?.says("one for d2, found")?;
    site.moves(0, "claim").await?;
    site.ends_the_second_round().await?;
    site.stops().await
}
