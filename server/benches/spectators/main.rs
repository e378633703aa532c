//! Spectators on one match: the time from a round's commit to every screen, and the memory for one spectator. Half of
//! the rounds are appended by the node that serves the streams, half by another node on the same database.
//!
//! The spectators are a separate process on the same machine, so that its memory is not the server's. A screen is
//! reached when that process has read the event. A commit counts from the moment when the appending node knows of it.
//! The report also has the time from the entry's own clock, which is before the commit.
//!
//! `cargo bench -p matchbook --bench spectators -- [spectators] [rounds]`

extern crate ledger as matchbook_ledger;

#[path = "../../../store/tests/log/server.rs"]
mod server;
mod site;
mod watching;

use std::collections::BTreeMap;
use std::time::Duration;

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use server::Database;
use site::{Commits, Site};
use watching::Watching;

/// The pause between two rounds: all events of one are read before the next.
const PAUSE: Duration = Duration::from_millis(1_500);

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    // Each spectator needs a file descriptor of this process.
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE).expect("a limit");
    setrlimit(Resource::RLIMIT_NOFILE, most, most).expect("as many files as are allowed");
    if let [_, word, address, path, spectators] = arguments.as_slice()
        && word == watching::WORD
    {
        return watching::watch(address, path, spectators.parse().expect("a number")).await;
    }
    // `cargo test --benches` runs this too, without the flag.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return;
    }
    let mut numbers = arguments.iter().filter_map(|argument| argument.parse::<usize>().ok());
    let (spectators, rounds) = (numbers.next().unwrap_or(5_000), numbers.next().unwrap_or(24));

    let database = Database::create().await;
    let site = Site::start(&database, "here").await;
    let other = Site::start(&database, "elsewhere").await;
    let (match_id, moves) = site.open().await;
    let commits = [Commits::of(&site, match_id), Commits::of(&other, match_id)];
    // One spectator first, so that one-time costs are not counted.
    let first = Watching::start(&site, match_id, 1).await;
    tokio::time::sleep(PAUSE).await;
    let before = resident_kb();
    let watching = Watching::start(&site, match_id, spectators).await;
    tokio::time::sleep(PAUSE).await;
    let idle = resident_kb();

    let mut sides: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (n, moves) in moves.into_iter().take(rounds).enumerate() {
        let (name, node) = if n % 2 == 0 { ("the same node", &site) } else { ("another node", &other) };
        sides.entry(name).or_default().push(node.play(match_id, moves).await);
        tokio::time::sleep(PAUSE).await;
    }
    let busy = resident_kb();
    let came = watching.end().await;
    first.end().await;

    println!("{spectators} spectators on one match\n");
    println!("| appended by | rounds | received | p50 from the commit | p99 | p50 from the entry's clock | p99 |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    let written = site.clocks(match_id).await;
    for (at, (name, entries)) in [(1, "another node"), (0, "the same node")]
        .into_iter()
        .filter_map(|(at, name)| sides.remove_entry(name).map(|side| (at, side)))
    {
        let received = print_delays(name, &entries, &commits[at], &written, &came);
        assert_eq!(received, spectators * entries.len(), "somebody was not told");
    }
    let each = |kb: u64| kb.saturating_sub(before) as f64 / spectators as f64;
    println!(
        "\nMemory of the server for each spectator: {:.1} kB at rest, {:.1} kB after the rounds",
        each(idle),
        each(busy)
    );
    drop((commits, site, other));
    database.drop().await;
}

/// Prints the delays of the entries that one node appended. Returns how often one of them was received.
fn print_delays(
    name: &str,
    entries: &[u32],
    commits: &Commits,
    written: &BTreeMap<u32, i64>,
    came: &BTreeMap<u32, Vec<i64>>,
) -> usize {
    let (mut from_commit, mut from_clock) = (Vec::new(), Vec::new());
    for entry in entries {
        let committed = commits.of_entry(*entry);
        let received = came.get(entry).map_or(&[][..], Vec::as_slice);
        from_commit.extend(received.iter().map(|at| at - committed));
        from_clock.extend(received.iter().map(|at| at - written[entry]));
    }
    println!(
        "| {name} | {} | {} | {} | {} | {} | {} |",
        entries.len(),
        from_commit.len(),
        percentile(&mut from_commit, 50),
        percentile(&mut from_commit, 99),
        percentile(&mut from_clock, 50),
        percentile(&mut from_clock, 99)
    );
    from_commit.len()
}

/// The percentile, in milliseconds.
fn percentile(micros: &mut [i64], of_a_hundred: usize) -> String {
    micros.sort_unstable();
    let at = (micros.len() * of_a_hundred / 100).min(micros.len().saturating_sub(1));
    micros.get(at).map_or_else(|| "-".to_owned(), |micros| format!("{:.1} ms", *micros as f64 / 1000.0))
}

/// The resident memory of this process (`VmRSS` of proc(5)).
fn resident_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("a status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}
