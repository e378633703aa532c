//! Durable entries a second through the writer, compared with single-row prepared INSERTs of the same bytes by as many
//! pgbench clients on the same server, in turns. `docs/benchmarks.md` has the
//! results.
//!
//! `cargo bench -p matchbook-store --bench append -- [rounds] [seconds]`

#[path = "../tests/log/server.rs"]
mod server;

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use ledger::{Author, Draft, Hash, Head, Kind, LogId, MatchId, Moment, Seq};
use server::{Database, programs};
use sqlx::postgres::PgPoolOptions;
use sqlx::{AssertSqlSafe, Executor};
use store::{Append, Identity, Store, Writer, serving};
use tokio::time::Instant;
use uuid::Uuid;

const SUBMITTERS: [u32; 4] = [1, 16, 64, 256];

/// A sealed submission of a Five-Card Trick round: two fields, 64 hex digits each.
fn draft() -> Draft {
    let commitments = format!(r#"{{"move":"{0}","target":"{0}"}}"#, Hash::new([0xab; 32]));
    let body =
        format!(r#"{{"decision":"r14","seat":"p1","commitments":{commitments},"at":"2026-11-20T20:41:47.992811Z"}}"#);
    Draft {
        at: Moment::from_micros(1_795_207_308_381_204).expect("a moment"),
        by: Author::Server,
        kind: Kind::Sealed,
        body,
    }
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    // `cargo test --benches` runs this too, without the flag.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let mut numbers = std::env::args().filter_map(|arg| arg.parse().ok());
    let (rounds, seconds): (usize, u64) =
        (numbers.next().unwrap_or(5), numbers.next().and_then(|n: usize| n.try_into().ok()).unwrap_or(4));

    let database = Database::create().await;
    let pgbench = Pgbench::prepare(&database, seconds).await;
    let pool = PgPoolOptions::new().max_connections(2).connect_with(serving(database.options.clone())).await;
    let origin = "localhost/matchbook-0123abcd".parse().expect("an origin");
    let identity = Identity { origin, host_key: [7; 32], created_at: Moment::MIN };
    let store = Store::open(pool.expect("connects"), LogId(0), &identity).await.expect("opens");
    let (writer, _) = store.start_writer().await.expect("starts");

    let bytes = draft().write(MatchId(Uuid::from_u128(1)), Seq(1000), Hash::ZERO).expect("an entry").bytes().len();
    println!("entries of {bytes} bytes, {rounds} rounds of {seconds} s each, median (lowest to highest) per second\n");
    println!("| submitters | INSERT by pgbench | writer | writer / INSERT | entries a batch |");
    println!("|---:|---:|---:|---:|---:|");
    for submitters in SUBMITTERS {
        let (mut raw, mut ours, mut batch) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..rounds {
            raw.push(pgbench.run(submitters));
            let (rate, batches) = through_writer(&store, &writer, submitters, seconds).await;
            ours.push(rate);
            batch.push(batches);
        }
        let ratio = median(&mut ours) / median(&mut raw);
        println!(
            "| {submitters} | {} | {} | {ratio:.2} | {:.0} |",
            spread(&mut raw),
            spread(&mut ours),
            median(&mut batch)
        );
    }
    drop(writer);
    store.pool().close().await;
    database.drop().await;
}

/// Each submitter appends one entry to its own match, waits until it is durable, and appends the next.
async fn through_writer(store: &Store, writer: &Writer, submitters: u32, seconds: u64) -> (f64, f64) {
    let (done, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let heads_before = tree_heads(store).await;
    let start = Instant::now();
    let tasks: Vec<_> = (0..submitters)
        .map(|submitter| {
            let (writer, done, stop) = (writer.clone(), Arc::clone(&done), Arc::clone(&stop));
            tokio::spawn(async move {
                let mut append = Append {
                    log_id: LogId(0),
                    match_id: MatchId(match_of(heads_before, submitter)),
                    expected: Head::GENESIS,
                    drafts: vec![draft()],
                    texts: Vec::new(),
                    submit: None,
                };
                while !stop.load(Ordering::Relaxed) {
                    append.expected = writer.append(append.clone()).await.expect("is appended").head;
                    done.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    stop.store(true, Ordering::Relaxed);
    for task in tasks {
        task.await.expect("ends");
    }
    let (done, elapsed) = (done.load(Ordering::Relaxed) as f64, start.elapsed().as_secs_f64());
    (done / elapsed, done / (tree_heads(store).await - heads_before).max(1) as f64)
}

/// A new match for every submitter and round, spread over the index like random ids.
fn match_of(round: i64, submitter: u32) -> Uuid {
    let seed = (round as u128) << 32 | u128::from(submitter);
    Uuid::from_u128(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835))
}

async fn tree_heads(store: &Store) -> i64 {
    sqlx::query_scalar("select count(*) from tree_heads").fetch_one(store.pool()).await.expect("counts")
}

struct Pgbench {
    script: PathBuf,
    host: String,
    port: u16,
    user: String,
    database: String,
    seconds: u64,
}

impl Pgbench {
    /// A table with the same columns and keys, and the same bytes as constants of the statement.
    async fn prepare(database: &Database, seconds: u64) -> Self {
        let mut connection = database.superuser().await;
        let setup = "create table raw_entries (like entries including all); create sequence raw_pos minvalue 0 cache 1";
        connection.execute(AssertSqlSafe(setup)).await.expect("creates");
        let line = draft().write(MatchId(Uuid::from_u128(1)), Seq(1000), Hash::ZERO).expect("an entry");
        let script = std::env::temp_dir().join(format!("{}.sql", database.name));
        let hex: String = line.bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        let insert = format!(
            "insert into raw_entries (log_id, pos, match_id, seq, leaf, bytes) values (0, nextval('raw_pos'), \
             '0197c5a4-6f1e-7000-8000-000000000001', currval('raw_pos'), '\\x{}', '\\x{hex}');\n",
            line.leaf()
        );
        std::fs::write(&script, insert).expect("writes");
        let options = &database.options;
        let socket = options.get_socket().map(|folder| folder.display().to_string());
        Self {
            script,
            host: socket.unwrap_or_else(|| options.get_host().to_owned()),
            port: options.get_port(),
            user: options.get_username().to_owned(),
            database: database.name.clone(),
            seconds,
        }
    }

    fn run(&self, clients: u32) -> f64 {
        let output = Command::new(programs().join("pgbench"))
            .args(["-n", "-M", "prepared", "-j", "2", "-h", &self.host, "-U", &self.user])
            .args(["-p", &self.port.to_string(), "-c", &clients.to_string(), "-T", &self.seconds.to_string()])
            .arg("-f")
            .arg(&self.script)
            .arg(&self.database)
            .output()
            .expect("pgbench runs");
        let said = String::from_utf8_lossy(&output.stdout);
        let tps = said.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok());
        tps.unwrap_or_else(|| panic!("pgbench: {}", String::from_utf8_lossy(&output.stderr)))
    }
}

impl Drop for Pgbench {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.script);
    }
}

fn median(rates: &mut [f64]) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

fn spread(rates: &mut [f64]) -> String {
    let median = median(rates);
    format!("{median:.0} ({:.0} to {:.0})", rates[0], rates[rates.len() - 1])
}
