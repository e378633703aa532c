//! The time from the start of `matchbook serve` until `/readyz` says that it may get requests, with an empty log and with a
//! long one. `docs/benchmarks.md` has the results.
//!
//! `cargo bench -p matchbook --bench start -- [entries of the long log] [starts]`

#[path = "../../../store/tests/log/server.rs"]
mod server;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use ledger::{Author, Draft, Head, Kind, LogId, MatchId, Moment};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use server::{Database, programs};
use sqlx::ConnectOptions;
use sqlx::postgres::PgPoolOptions;
use store::{APPEND_MAX_ENTRIES, Append, Identity, Store, Writer, serving};
use tokio::time::Instant;
use uuid::Uuid;

/// Writers at once: their appends share commits.
const WRITERS: u64 = 8;
/// The log that a site signs.
const RECORD: LogId = LogId(1);

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    // `cargo test --benches` runs this too, without the flag.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let mut numbers = std::env::args().filter_map(|arg| arg.parse::<u64>().ok());
    let (entries, starts) = (numbers.next().unwrap_or(1_000_000), numbers.next().unwrap_or(5));
    assert!(programs().exists(), "PostgreSQL is installed");
    let database = Database::create().await;
    let data = tempfile::tempdir().expect("a data folder");
    println!(
        "| entries | ready after, ms, median (lowest to highest) of {starts} | signed up to there before |\n|---:|---:|---:|"
    );
    for size in [0, entries] {
        fill(&database, size).await;
        // The first start brings up the schema or signs what was added; it is not measured.
        let (site, _) = Running::start(&database, data.path());
        let signed = site.signs(size);
        site.stop();
        let mut took = Vec::new();
        for _ in 0..starts {
            let (site, ready) = Running::start(&database, data.path());
            took.push(ready.as_secs_f64() * 1000.0);
            site.stop();
        }
        took.sort_by(f64::total_cmp);
        let (least, middle, most) = (took[0], took[took.len() / 2], took[took.len() - 1]);
        println!("| {size} | {middle:.0} ({least:.0} to {most:.0}) | {signed} |");
    }
    database.drop().await;
}

/// Appends entries, through the writer, until the log has so many.
async fn fill(database: &Database, size: u64) {
    if size == 0 {
        return;
    }
    let pool = PgPoolOptions::new().max_connections(4).connect_with(serving(database.options.clone())).await;
    let origin = "localhost/matchbook-0123abcd".parse().expect("an origin");
    let identity = Identity { origin, host_key: [7; 32], created_at: Moment::MIN };
    let store = Store::open(pool.expect("connects"), RECORD, &identity).await.expect("opens");
    let (writer, _) = store.start_writer().await.expect("starts");
    let each = size.div_ceil(WRITERS);
    let writing = (0..WRITERS).map(|number| tokio::spawn(write(writer.clone(), number, each)));
    for one in writing.collect::<Vec<_>>() {
        one.await.expect("writes");
    }
    drop(writer);
    store.pool().close().await;
}

/// Matches of 64 entries of the size of a sealed submission. None of them can be read as a match, so no list has them.
async fn write(writer: Writer, number: u64, entries: u64) {
    let body = format!(r#"{{"decision":"d14","commitments":"{}"}}"#, "ab".repeat(64));
    let at = Moment::from_micros(1_795_207_308_381_204).expect("a moment");
    let draft = Draft { at, by: Author::Server, kind: Kind::Sealed, body };
    let drafts = vec![draft; 64.min(APPEND_MAX_ENTRIES)];
    for round in 0..entries.div_ceil(64) {
        let seed = u128::from(number) << 64 | u128::from(round) << 1 | 1;
        let match_id = MatchId(Uuid::from_u128(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)));
        let (log_id, expected, drafts) = (RECORD, Head::GENESIS, drafts.clone());
        let append = Append { log_id, match_id, expected, drafts, texts: Vec::new(), submit: None };
        writer.append(append).await.expect("is appended");
    }
}

/// A program that serves.
struct Running {
    child: Child,
    address: String,
}

impl Running {
    /// Starts it, and gives the time until it may get requests.
    fn start(database: &Database, data: &Path) -> (Self, Duration) {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port");
        let address = free.to_string();
        let began = Instant::now();
        let child = Command::new(env!("CARGO_BIN_EXE_matchbook"))
            .args(["serve", "--listen", &address])
            .env("DATABASE_URL", database.options.to_url_lossy().as_str())
            .env("MATCHBOOK_DATA_DIR", data)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("starts");
        let running = Self { child, address };
        while !running.get("/readyz").is_some_and(|answer| answer.starts_with("HTTP/1.1 200")) {
            sleep(Duration::from_millis(2));
        }
        let ready = began.elapsed();
        (running, ready)
    }

    fn get(&self, path: &str) -> Option<String> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        Some(answer)
    }

    /// Waits for a checkpoint over so many entries, and gives its size.
    fn signs(&self, size: u64) -> u64 {
        loop {
            let answer = self.get("/checkpoint").unwrap_or_default();
            let body = answer.split("\r\n\r\n").nth(1).unwrap_or_default();
            match body.lines().nth(1).and_then(|line| line.parse().ok()) {
                Some(signed) if signed >= size => return signed,
                None if size == 0 => return 0,
                _ => sleep(Duration::from_millis(100)),
            }
        }
    }

    fn stop(mut self) {
        let id = i32::try_from(self.child.id()).expect("a process");
        kill(Pid::from_raw(id), Signal::SIGTERM).expect("a signal");
        self.child.wait().expect("ends");
    }
}
