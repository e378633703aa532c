//! Durable submissions a second: over HTTP with receipts, and through the submission queue alone. For comparison,
//! single-row INSERTs and message-db's `write_message` of the same bytes, by as many pgbench clients on the same
//! server, in turns. Decisions close meanwhile, and the time from the close to the proof is measured.
//! `docs/benchmarks.md` has the results.
//!
//! `cargo bench -p matchbook --bench submissions -- [rounds] [seconds]`

extern crate ledger as matchbook_ledger;

mod http;
mod others;
#[path = "../../../store/tests/log/server.rs"]
mod server;
mod stored;
mod tables;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use others::Pgbench;
use server::Database;
use tables::Site;

const SUBMITTERS: [u32; 4] = [1, 16, 64, 256];

/// The result of one turn of one side.
#[derive(Default)]
struct Turn {
    /// Durable submissions a second.
    rate: f64,
    /// The duration of each, in microseconds.
    took: Vec<u64>,
}

/// The turns of one side with one number of submitters.
#[derive(Default)]
struct Side {
    rates: Vec<f64>,
    took: Vec<u64>,
}

/// Each side by the number of submitters and its name.
type Sides = BTreeMap<(u32, &'static str), Side>;

impl Side {
    fn add(&mut self, turn: Turn) {
        self.rates.push(turn.rate);
        self.took.extend(turn.took);
    }

    fn rate(&mut self) -> f64 {
        self.rates.sort_by(f64::total_cmp);
        self.rates[self.rates.len() / 2]
    }

    /// Median (lowest to highest).
    fn spread(&mut self) -> String {
        let median = self.rate();
        format!("{median:.0} ({:.0} to {:.0})", self.rates[0], self.rates[self.rates.len() - 1])
    }

    /// The percentile, in milliseconds.
    fn percentile(&mut self, of_a_hundred: usize) -> f64 {
        self.took.sort_unstable();
        let at = (self.took.len() * of_a_hundred / 100).min(self.took.len().saturating_sub(1));
        self.took.get(at).map_or(f64::NAN, |micros| *micros as f64 / 1000.0)
    }
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    // `cargo test --benches` runs this too, without the flag.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let mut numbers = std::env::args().filter_map(|arg| arg.parse::<u64>().ok());
    let (rounds, seconds) = (numbers.next().unwrap_or(5), numbers.next().unwrap_or(4));

    let database = Database::create().await;
    let site = Arc::new(Site::start(&database).await);
    let pgbench = Pgbench::prepare(&database, seconds).await;
    println!("{rounds} rounds of {seconds} s each\n");
    let mut sides = measure(&site, &pgbench, rounds, seconds).await;
    print_submissions(&mut sides);
    print_others(&mut sides);
    print_proofs(&mut sides);
    drop(pgbench);
    drop(site);
    database.drop().await;
}

/// Runs every side in turns, round by round.
async fn measure(site: &Arc<Site>, pgbench: &Pgbench, rounds: u64, seconds: u64) -> Sides {
    let time = Duration::from_secs(seconds);
    let mut sides = Sides::new();
    for submitters in SUBMITTERS {
        for round in 0..rounds {
            let chairs = site.lay(submitters, seconds).await;
            pgbench.settle();
            let (turn, proofs) = http::load(site, chairs, submitters, time).await;
            eprintln!(
                "{submitters} submitters, round {round}: {:.0}/s over HTTP, {} closes",
                turn.rate,
                proofs.took.len()
            );
            sides.entry((submitters, "http")).or_default().add(turn);
            sides.entry((submitters, "proof")).or_default().add(proofs);
            pgbench.settle();
            let turn = stored::load(site, submitters, time).await;
            eprintln!("  {:.0}/s through the queue", turn.rate);
            sides.entry((submitters, "stored")).or_default().add(turn);
            for (name, script) in pgbench.scripts() {
                let rate = pgbench.run(script, submitters);
                eprintln!("  {rate:.0}/s {name}");
                sides.entry((submitters, name)).or_default().add(Turn { rate, took: Vec::new() });
            }
        }
    }
    sides
}

fn print_submissions(sides: &mut Sides) {
    println!(
        "| submitters | over HTTP | p50 | p99 | through the queue | p50 | p99 |\n|---:|---:|---:|---:|---:|---:|---:|"
    );
    for submitters in SUBMITTERS {
        let mut cells = vec![submitters.to_string()];
        for side in ["http", "stored"] {
            let side = sides.entry((submitters, side)).or_default();
            cells.extend([
                side.spread(),
                format!("{:.1} ms", side.percentile(50)),
                format!("{:.1} ms", side.percentile(99)),
            ]);
        }
        println!("| {} |", cells.join(" | "));
    }
}

/// The same bytes, stored by others.
fn print_others(sides: &mut Sides) {
    println!(
        "\n| submitters | INSERT | write_message, one category | write_message, a category each |\n|---:|---:|---:|---:|"
    );
    for submitters in SUBMITTERS {
        let mut side =
            |name| sides.get_mut(&(submitters, name)).map_or_else(|| "not measured".to_owned(), Side::spread);
        println!("| {submitters} | {} | {} | {} |", side(others::INSERT), side(others::ONE), side(others::EACH));
    }
}

/// The time from a close to its proof.
fn print_proofs(sides: &mut Sides) {
    println!("\n| submitters | closes | p50 to the proof | p99 |\n|---:|---:|---:|---:|");
    for submitters in SUBMITTERS {
        let side = sides.entry((submitters, "proof")).or_default();
        println!(
            "| {submitters} | {} | {:.0} ms | {:.0} ms |",
            side.took.len(),
            side.percentile(50),
            side.percentile(99)
        );
    }
}
