//! The cluster of `deploy/cluster/cluster` in a folder of its own.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Stdio, id};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use reqwest::{Client, StatusCode};
use serde_json::Value;
use tempfile::TempDir;
use tokio::process::Command;
use tokio::time::{Instant, sleep};

use super::DUELS;
use crate::program::{binary, command};

/// How long all parts may take to be well: a server that comes back may have to copy all of the primary.
const PATIENCE: Duration = Duration::from_secs(240);
/// The pause between two looks at them. They share their processors with whoever looks.
const BETWEEN: Duration = Duration::from_millis(100);

/// The last lines of each part that a failure shows.
const WORDS: usize = 40;

pub(super) struct Machines {
    folder: TempDir,
    http: Client,
    /// The first of its ports.
    port: u16,
    /// The network of its own, in which links can be cut; none if all parts are on 127.0.0.1.
    network: Option<String>,
    /// True if nobody keeps the data: it starts sooner, and ends at once.
    throwaway: bool,
    /// The address of each part.
    hosts: BTreeMap<String, String>,
    tokens: Vec<String>,
}

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/cluster/cluster")
}

fn has(program: &str) -> bool {
    std::process::Command::new("which").arg(program).stdout(Stdio::null()).status().is_ok_and(|found| found.success())
}

/// True if network namespaces and a bridge can be made here.
fn can_have_networks() -> bool {
    let mut probe = std::process::Command::new("unshare");
    probe.args(["--net", "ip", "link", "add", "type", "bridge"]).stdout(Stdio::null()).stderr(Stdio::null());
    probe.status().is_ok_and(|made| made.success())
}

impl Machines {
    /// Starts all of it, each part at an address of its own where that can be. None where a part is not installed.
    pub(super) async fn apart() -> Result<Option<Self>> {
        Self::start(false).await
    }

    /// Starts all of it on 127.0.0.1, with shorter intervals than a site has. None where a part is not installed.
    pub(super) async fn throwaway() -> Result<Option<Self>> {
        Self::start(true).await
    }

    async fn start(throwaway: bool) -> Result<Option<Self>> {
        if let Some(lacks) = ["etcd", "patroni", "haproxy", "curl"].into_iter().find(|program| !has(program)) {
            // The test harness shows what is written to the stream itself.
            writeln!(io::stderr(), "{lacks} IS NOT INSTALLED: the cluster is not tested")?;
            return Ok(None);
        }
        let folder = tempfile::Builder::new().prefix("matchbook-cluster").tempdir()?;
        fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o711))?;
        // Apart for two runs at once. The networks are those for tests (RFC 2544).
        let number = u16::try_from(id() % 400)?;
        let port = 20_000 + number * 60;
        let apart = !throwaway && can_have_networks();
        let network = apart.then(|| format!("198.{}.{}", 18 + number / 256, number % 256));
        let http = Client::builder().timeout(Duration::from_secs(2)).pool_max_idle_per_host(0).build()?;
        let (hosts, tokens) = (BTreeMap::new(), Vec::new());
        let mut machines = Self { folder, http, port, network, throwaway, hosts, tokens };
        for line in machines.script("hosts").await?.lines() {
            let (name, host) = line.split_once(' ').context("a part and its address")?;
            machines.hosts.insert(name.to_owned(), host.to_owned());
        }
        // Umpires are added while the standbys and the second node are still made.
        let started = tokio::try_join!(machines.script("start"), machines.umpires());
        let (said, tokens) = started.map_err(|error| error.context(machines.last_words()))?;
        println!("{said}");
        machines.tokens = tokens;
        Ok(Some(machines))
    }

    /// Adds umpires as soon as the first node is ready, and gives their tokens.
    async fn umpires(&self) -> Result<Vec<String>> {
        patiently(async || self.node_is_ready(1).await).await?;
        let (begun, url) = (Instant::now(), self.script("url").await?);
        let mut tokens = Vec::new();
        for n in 0..DUELS {
            let name = format!("Umpire {n}");
            self.asks(&url, &["umpire", "add", &name, "--site", &self.site()]).await?;
            tokens.push(self.asks(&url, &["token", "add", &name, "a test", "--scope", "umpire"]).await?);
        }
        println!("umpires, beside the rest of the start: {:.1} s", begun.elapsed().as_secs_f64());
        Ok(tokens)
    }

    pub(super) async fn stop(self) -> Result<()> {
        self.script(if self.throwaway { "kill" } else { "stop" }).await.map(drop)
    }

    /// The token of an umpire.
    pub(super) fn token(&self, n: usize) -> String {
        self.tokens[n].clone()
    }

    /// The command line of the program on the first node.
    async fn asks(&self, url: &str, arguments: &[&str]) -> Result<String> {
        let mut asked = command(&self.file("node1"), arguments)?;
        let answer = asked.env("DATABASE_URL", url).output().await?;
        ensure!(answer.status.success(), "{arguments:?}: {answer:?}");
        Ok(String::from_utf8(answer.stdout)?.trim().to_owned())
    }

    /// The site, behind HAProxy.
    pub(super) fn site(&self) -> String {
        self.address("haproxy", 50)
    }

    /// The address of a part at one of its ports.
    fn address(&self, name: &str, port: u16) -> String {
        format!("http://{}:{}", self.hosts[name], self.port + port)
    }

    /// The address of a server's Patroni.
    fn patroni(&self, n: u16) -> String {
        self.address(&format!("pg{n}"), 30 + n)
    }

    /// True if links can be cut.
    pub(super) const fn can_cut(&self) -> bool {
        self.network.is_some()
    }

    /// Lets no packet pass between this part and these; without names, between it and any other part.
    pub(super) async fn cut(&self, name: &str, others: &[String]) -> Result<()> {
        let names: Vec<&str> = [name].into_iter().chain(others.iter().map(String::as_str)).collect();
        self.script_with("cut", &names).await.map(drop)
    }

    /// Lets all packets pass again.
    pub(super) async fn heal(&self) -> Result<()> {
        self.script("heal").await.map(drop)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the script, and gives what it prints.
    pub(super) async fn script(&self, act: &str) -> Result<String> {
        self.script_with(act, &[]).await
    }

    async fn script_with(&self, act: &str, more: &[&str]) -> Result<String> {
        let mut script = Command::new(script());
        script
            .arg(act)
            .arg(self.folder.path())
            .args(more)
            .env("MATCHBOOK", binary()?)
            .env("PORT", self.port.to_string())
            .env("NETWORK", self.network.as_deref().unwrap_or_default())
            .env("THROWAWAY", if self.throwaway { "1" } else { "" })
            .kill_on_drop(true);
        // What it starts must not keep a pipe of ours open.
        let (said, wrong) = (self.file(&format!("{act}.said")), self.file(&format!("{act}.wrong")));
        script.stdout(fs::File::create(&said)?).stderr(fs::File::create(&wrong)?);
        let done = script.status().await?.success();
        ensure!(done, "{act}: {}", fs::read_to_string(wrong)?);
        Ok(fs::read_to_string(said)?.trim().to_owned())
    }

    /// Waits until there is a primary with a synchronous standby, all servers answer, and both nodes are ready. Says what it
    /// waited for longer than a second.
    pub(super) async fn settled(&self) -> Result<()> {
        let waits = Waits::default();
        let settled = patiently(async || waits.note(self.is_settled().await)).await;
        waits.say();
        settled
    }

    async fn is_settled(&self) -> Result<()> {
        for n in 1..=3 {
            self.says(&format!("{}/health", self.patroni(n))).await?;
        }
        self.has_named_its_standby(self.primary().await?).await?;
        self.standby().await?;
        for n in 1..=2 {
            self.node_is_ready(n).await?;
        }
        Ok(())
    }

    /// A primary that has just taken over waits for any standby, and only then writes into etcd which one has everything. If it is
    /// lost before, no other server may take over. A standby still knows the name that was there before.
    async fn has_named_its_standby(&self, primary: u16) -> Result<()> {
        let cluster = self.http.get(format!("{}/cluster", self.patroni(primary))).send().await?.text().await?;
        let cluster: Value = serde_json::from_str(&cluster)?;
        let members = cluster["members"].as_array().context("its members")?;
        ensure!(members.iter().any(|member| member["role"] == "sync_standby"), "no standby is named: {cluster}");
        Ok(())
    }

    async fn node_is_ready(&self, n: u16) -> Result<()> {
        self.says(&format!("{}/readyz", self.address(&format!("node{n}"), 50 + n))).await
    }

    async fn says(&self, url: &str) -> Result<()> {
        let status = self.http.get(url).send().await?.status();
        ensure!(status == StatusCode::OK, "{url}: {status}");
        Ok(())
    }

    /// The numbers of the servers that say they are this.
    async fn all(&self, role: &str) -> Vec<u16> {
        let mut all = Vec::new();
        for n in 1..=3 {
            if self.says(&format!("{}/{role}", self.patroni(n))).await.is_ok() {
                all.push(n);
            }
        }
        all
    }

    async fn which(&self, role: &str) -> Result<u16> {
        self.all(role).await.first().copied().with_context(|| format!("no server is {role}"))
    }

    /// The numbers of those that say they are the primary. There is never more than one.
    pub(super) async fn primaries(&self) -> Vec<u16> {
        self.all("primary").await
    }

    /// The number of the primary.
    pub(super) async fn primary(&self) -> Result<u16> {
        self.which("primary").await
    }

    /// The number of the synchronous standby.
    pub(super) async fn standby(&self) -> Result<u16> {
        self.which("synchronous").await
    }

    /// The processes of a part, with those that start it again; for a server of the database its own come last.
    pub(super) async fn pids(&self, name: &str) -> Result<Vec<Pid>> {
        let mut pids = Vec::new();
        for pid in self.script_with("pids", &[name]).await?.split_whitespace() {
            pids.push(Pid::from_raw(pid.parse()?));
        }
        if name.starts_with("pg") {
            pids.extend(self.server(name)?);
        }
        Ok(pids)
    }

    /// The postmaster and its children.
    pub(super) fn server(&self, name: &str) -> Result<Vec<Pid>> {
        let file = fs::read_to_string(self.file(name).join("data/postmaster.pid"))?;
        let postmaster: i32 = file.lines().next().context("a process")?.parse()?;
        let children = fs::read_to_string(format!("/proc/{postmaster}/task/{postmaster}/children")).unwrap_or_default();
        let children = children.split_whitespace().filter_map(|pid| pid.parse().ok());
        Ok([postmaster].into_iter().chain(children).map(Pid::from_raw).collect())
    }

    /// The process that is the part itself: the last that its keeper started.
    pub(super) async fn process(&self, name: &str) -> Result<Pid> {
        self.pids(name).await?.last().copied().with_context(|| format!("{name} does not run"))
    }

    /// Asks Patroni to make the synchronous standby the primary.
    pub(super) async fn switch_over(&self) -> Result<()> {
        let primary = self.primary().await?;
        let body = format!(r#"{{"leader": "pg{primary}", "candidate": "pg{}"}}"#, self.standby().await?);
        let url = format!("{}/switchover", self.patroni(primary));
        let answer = Client::new().post(url).body(body).send().await?;
        ensure!(answer.status() == StatusCode::OK, "{}", answer.text().await?);
        Ok(())
    }

    /// The end of each part's log, for whoever looks for the reason of a failure.
    pub(super) fn last_words(&self) -> String {
        let mut words = String::new();
        for name in ["etcd1", "etcd2", "etcd3", "pg1", "pg2", "pg3", "haproxy", "node1", "node2"] {
            let log = fs::read_to_string(self.file("log").join(format!("{name}.log"))).unwrap_or_default();
            let lines: Vec<&str> = log.lines().collect();
            words.push_str(&format!("== {name}\n{}\n", lines[lines.len().saturating_sub(WORDS)..].join("\n")));
        }
        words
    }

    pub(super) async fn audit(&self) -> Result<()> {
        let url = self.script("url").await?;
        let mut audit = command(&self.file("node1"), &["audit"])?;
        audit.env("MATCHBOOK_CHECKPOINT_FILE", self.file("node1-checkpoint/checkpoint"));
        let output = audit.env("DATABASE_URL", url).output().await?;
        let said = String::from_utf8_lossy(&output.stdout);
        ensure!(output.status.success() && said.contains("nothing is wrong"), "{said}");
        Ok(())
    }
}

/// What was waited for, one after another, each since when.
#[derive(Default)]
struct Waits(Mutex<Vec<(String, Instant)>>);

impl Waits {
    /// Notes what an attempt still waits for.
    fn note(&self, attempt: Result<()>) -> Result<()> {
        let error = attempt.as_ref().map_or_else(ToString::to_string, |_| String::new());
        // Without the answer itself, in which positions change.
        let reason = error.split(": {").next().unwrap_or_default();
        let mut waits = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waits.last().is_none_or(|(last, _)| last != reason) {
            waits.push((reason.to_owned(), Instant::now()));
        }
        drop(waits);
        attempt
    }

    /// Says what took longer than a second.
    fn say(self) {
        let waits = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        for ((reason, since), (_, until)) in waits.iter().zip(waits.iter().skip(1)) {
            let time = *until - *since;
            if time > Duration::from_secs(1) {
                println!("  {reason}: {:.1} s", time.as_secs_f64());
            }
        }
    }
}

/// Tries until it succeeds.
async fn patiently(attempt: impl AsyncFn() -> Result<()>) -> Result<()> {
    let begun = Instant::now();
    loop {
        match attempt().await {
            Err(_) if begun.elapsed() < PATIENCE => sleep(BETWEEN).await,
            done => return done,
        }
    }
}

/// Sends a signal to all that still run.
pub(super) fn signal(pids: &[Pid], signal: Signal) {
    for pid in pids {
        let _ = kill(*pid, signal);
    }
}

impl Drop for Machines {
    fn drop(&mut self) {
        // Also where a test failed.
        let _ = std::process::Command::new(script())
            .arg("kill")
            .arg(self.folder.path())
            .env("PORT", self.port.to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
    }
}
