//! Many live matches with a common deadline: both players of each submit over HTTP in the last second before it. No
//! submission may be lost or late, and every decision closes a second after the deadline.
//!
//! The clock is the program's own test clock, moved on every millisecond by the time that really passed. So every match
//! has the same deadline, and nobody waits a minute for it.
//!
//! `cargo bench -p matchbook --bench live -- [matches] [rounds]`

extern crate ledger as matchbook_ledger;

mod players;
#[path = "../../../store/tests/log/server.rs"]
mod server;
mod tables;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ledger::Moment;
use server::Database;
use tables::{Closed, Site};
use tokio::time::Instant;

/// The time before the deadline at which the clock begins to move.
const LEAD: Duration = Duration::from_secs(10);

/// Measurements, in microseconds.
#[derive(Default)]
struct Measured {
    took: Vec<i64>,
}

impl Measured {
    /// The percentiles and the maximum, in milliseconds.
    fn said(&mut self) -> String {
        self.took.sort_unstable();
        let at = |of_a_hundred: usize| {
            let at = (self.took.len() * of_a_hundred / 100).min(self.took.len().saturating_sub(1));
            self.took.get(at).map_or(f64::NAN, |micros| *micros as f64 / 1000.0)
        };
        format!("{:.1} ms | {:.1} ms | {:.1} ms", at(50), at(99), at(100))
    }
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    // `cargo test --benches` runs this too, without the flag.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let mut numbers = std::env::args().filter_map(|arg| arg.parse::<usize>().ok());
    let (matches, rounds) = (numbers.next().unwrap_or(500), numbers.next().unwrap_or(3));

    let database = Database::create().await;
    let site = Arc::new(Site::start(&database).await);
    let (mut answers, mut rows) = (Measured::default(), Measured::default());
    let (mut seals, mut steps) = (Measured::default(), Measured::default());
    let (mut sent, mut received, mut late, mut lost) = (0, 0, 0, 0);
    for round in 0..rounds {
        let tables = site.lay(matches).await;
        let deadline = site.starts(&tables).await;
        site.app.system().pass(until(site.app.system().now(), deadline).saturating_sub(LEAD));
        let stop = Arc::new(AtomicBool::new(false));
        let moving = tokio::spawn(moves(site.clone(), stop.clone()));
        let answered = players::submit(&site, &tables, deadline).await;
        let closed = site.closes(&tables).await;
        stop.store(true, Ordering::Relaxed);
        moving.await.expect("ends");

        sent += 2 * matches;
        received += answered.iter().filter(|answer| answer.receipt).count();
        late += answered.iter().filter(|answer| !answer.receipt).count();
        let counted: usize = closed.iter().map(|closed| closed.counted).sum();
        lost += answered.iter().filter(|answer| answer.receipt).count().saturating_sub(counted);
        answers
            .took
            .extend(answered.iter().map(|answer| i64::try_from(answer.took.as_micros()).expect("not that long")));
        let due = deadline.micros() + 1_000_000;
        for Closed { row, sealed, resolved, .. } in closed {
            rows.took.push(row.micros() - due);
            seals.took.push(sealed.micros() - due);
            steps.took.push(resolved.micros() - due);
        }
        eprintln!("round {round}: {sent} sent so far, {received} answered with a receipt");
    }
    println!("{matches} matches at once, {rounds} rounds\n");
    println!("| sent in the last second | answered with a receipt | told to be late | acknowledged and not counted |");
    println!("|---:|---:|---:|---:|\n| {sent} | {received} | {late} | {lost} |\n");
    println!("| | p50 | p99 | most |\n|---|---:|---:|---:|");
    println!("| a submission's answer | {} |", answers.said());
    println!("| closed to players, after deadline + 1 s | {} |", rows.said());
    println!("| its first entry (the seals), after deadline + 1 s | {} |", seals.said());
    println!("| its step, after deadline + 1 s | {} |", steps.said());
    drop(site);
    database.drop().await;
}

/// Moves the site's clock in real time.
async fn moves(site: Arc<Site>, stop: Arc<AtomicBool>) {
    let mut last = Instant::now();
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(Duration::from_millis(1)).await;
        let now = Instant::now();
        site.app.system().pass(now - last);
        last = now;
    }
}

fn until(now: Moment, then: Moment) -> Duration {
    Duration::from_micros(u64::try_from(then.micros() - now.micros()).expect("it is still to come"))
}
