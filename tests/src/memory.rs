//! The program needs no more memory than it is given, however long it is under load: players act and readers read, and what
//! it needs is printed each minute. `make memory-test`.

use std::env;
use std::fs;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use reqwest::{Client, StatusCode};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::duels::Duels;
use crate::program::{Program, command, started};

const DUELS: usize = 2;
const READERS: usize = 4;
const BETWEEN: Duration = Duration::from_millis(100);
/// Small, so that the caches are full after minutes.
const CACHE_MB: &str = "32";
/// By how much it may grow from the second quarter of the time to the last.
const GROWTH: f64 = 1.1;

/// Reads every page of one match after another, for ever.
async fn read(http: Client, site: String, first: usize) -> Result<()> {
    let mut n = first;
    loop {
        let list = http.get(format!("{site}/archive.csv")).send().await?;
        // Lists cost much, so a reader gets no more than some of them a second.
        if list.status() == StatusCode::TOO_MANY_REQUESTS {
            sleep(BETWEEN).await;
            continue;
        }
        let list = list.text().await?;
        let matches: Vec<&str> = list
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '/')
            .filter_map(|word| word.split_once("/m/"))
            .map(|(_, slug)| slug)
            .collect();
        ensure!(!matches.is_empty() || n == first, "the archive lists nothing:\n{list}");
        for _ in 0..200.min(matches.len()) {
            n += READERS;
            let slug = matches[n % matches.len()];
            for page in ["", "/verify", "/r/1/after", "/r/1/after.png", "/live"] {
                let answer = http.get(format!("{site}/m/{slug}{page}")).send().await?;
                // A page that costs much is refused while the machine has too much to do.
                let refused = answer.status() == StatusCode::SERVICE_UNAVAILABLE;
                ensure!(refused || !answer.status().is_server_error(), "{slug}{page}: {}", answer.status());
                drop(answer.bytes().await?);
            }
        }
        sleep(BETWEEN).await;
    }
}

/// The memory of a process, in MB.
fn resident(process: u32) -> Result<f64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("its memory")?;
    let kb: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kb / 1024.0)
}

#[tokio::test]
#[ignore = "takes an hour: make memory-test"]
async fn an_hour_of_load_needs_no_more_than_it_is_given() -> Result<()> {
    let minutes: usize = env::var("MATCHBOOK_MEMORY_MINUTES").map_or(Ok(60), |number| number.parse())?;
    let (folder, program, _) = started().await?;
    program.kill().await?;
    let data = folder.path().join("data");
    let program = Program::start_at(&data, "127.0.0.1:0", &["--cache-mb", CACHE_MB, "--api-rate", "1000000"]).await?;
    let duels = Duels::on(&program.address)?;
    let (mut playing, http) = (JoinSet::new(), Client::builder().timeout(Duration::from_secs(60)).build()?);
    for n in 0..DUELS {
        let name = format!("a duel {n}");
        let made = command(&data, &["token", "add", "Ursula", &name, "--scope", "umpire"])?.output().await?;
        let token = String::from_utf8(made.stdout)?.split_whitespace().last().context("a token")?.to_owned();
        playing.spawn(duels.clone().play(token));
    }
    for n in 0..READERS {
        playing.spawn(read(http.clone(), program.address.clone(), n));
    }
    let mut used = Vec::new();
    println!("| minute | acts | MB |\n|---:|---:|---:|");
    for minute in 1..=minutes {
        let until = Instant::now() + Duration::from_secs(60);
        tokio::select! {
            () = tokio::time::sleep_until(until) => {}
            Some(ended) = playing.join_next() => return Err(ended?.err().context("it ended")?),
        }
        let mb = resident(program.id()?)?;
        println!("| {minute} | {} | {mb:.1} |", duels.counts().0);
        used.push(mb);
    }
    let most = |part: &[f64]| part.iter().copied().fold(0.0, f64::max);
    let quarter = minutes / 4;
    let (second, last) = (most(&used[quarter..2 * quarter]), most(&used[minutes - quarter..]));
    println!("most in the second quarter {second:.1} MB, in the last {last:.1} MB");
    ensure!(last <= second * GROWTH, "it grows");
    playing.shutdown().await;
    program.kill().await
}
