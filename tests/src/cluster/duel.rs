//! Two players and an umpire who send everything again until it is acknowledged, and what the record must have of it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode};
use tokio::time::{Instant, sleep};

use crate::page::{Form, Page};
use crate::play::table::RULESET;
use crate::site::{Guest, follow};

/// The rounds of one match; its ruleset has more.
const ROUNDS: usize = 15;
/// How long anything may take that is tried again.
const PATIENCE: Duration = Duration::from_secs(120);
const BETWEEN: Duration = Duration::from_millis(50);
const MOVES: [&str; 4] = ["grow", "claim", "score grow", "steal"];

/// All duels so far.
#[derive(Default)]
pub(super) struct Duels {
    /// How many requests were acknowledged.
    acknowledged: AtomicU64,
    /// The public page of each match, and the moves that both players had a receipt for, by round.
    played: Mutex<Vec<(String, Vec<String>)>>,
}

impl Duels {
    /// Waits until this many more requests were acknowledged.
    pub(super) async fn more(&self, count: u64) -> Result<()> {
        let wanted = self.acknowledged.load(Ordering::Relaxed) + count;
        let begun = Instant::now();
        while self.acknowledged.load(Ordering::Relaxed) < wanted {
            ensure!(begun.elapsed() < PATIENCE, "nobody could act for {PATIENCE:?}");
            sleep(Duration::from_millis(5)).await;
        }
        Ok(())
    }

    fn keep(&self, match_page: String, rounds: Vec<String>) {
        self.played.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((match_page, rounds));
    }

    /// Compares all of it with the record, and gives the number of rounds.
    pub(super) async fn compare(&self, site: String) -> Result<usize> {
        let guest = guest(&site)?;
        let played = std::mem::take(&mut *self.played.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
        let mut compared = 0;
        for (page, rounds) in played {
            let lines = guest.get(&format!("{page}.ndjson")).await?.text;
            let resolved: Vec<&str> = lines.lines().filter(|line| line.contains("\"kind\":\"resolved\"")).collect();
            for (n, round) in rounds.iter().enumerate() {
                let line = resolved.get(n).with_context(|| format!("{page}: round {} of {round} is lost", n + 1))?;
                ensure!(line.contains(&format!("{}. {round}\"", n + 1)), "{page}: {round} is not in {line}");
            }
            ensure!(resolved.len() <= rounds.len() + 1, "{page}: more rounds than were played");
            let bundle = guest.http.get(format!("{site}{page}.bundle")).send().await?.bytes().await?;
            let report = ::record::verify::verify(&::record::Bundle::read(&bundle)?);
            ensure!(report.is_good(), "{page}: {report:#?}");
            compared += rounds.len();
        }
        Ok(compared)
    }
}

/// A client that gives up soon, and tries again.
fn guest(site: &str) -> Result<Guest> {
    let http = Client::builder().cookie_store(true).redirect(Policy::limited(5)).timeout(Duration::from_secs(4));
    Ok(Guest { http: http.build()?, address: site.to_owned() })
}

/// Tries until it succeeds.
async fn again<T>(attempt: impl AsyncFn() -> Result<T>) -> Result<T> {
    let begun = Instant::now();
    loop {
        match attempt().await {
            Err(_) if begun.elapsed() < PATIENCE => sleep(BETWEEN).await,
            done => return done,
        }
    }
}

/// Sends a form until it is acknowledged.
async fn acknowledged(guest: &Guest, path: &str, form: &Form, duels: &Duels) -> Result<Page> {
    let page = again(async || {
        let page = guest.sends(path, form).await?;
        page.is(StatusCode::OK)?;
        Ok(page)
    })
    .await?;
    duels.acknowledged.fetch_add(1, Ordering::Relaxed);
    Ok(page)
}

/// Plays matches until all is finished.
pub(super) async fn duel(link: String, site: String, duels: Arc<Duels>, finished: Arc<AtomicBool>) -> Result<()> {
    let umpire = guest(&site)?;
    follow(&umpire.http, &link).await?;
    while !finished.load(Ordering::Relaxed) {
        let fields = [("ruleset", RULESET), ("p1", "Ada"), ("p2", "Bo"), ("live", "on")];
        let console = again(async || {
            let console = umpire.opens(&fields).await?;
            ensure!(console.address.starts_with("/umpire/m/"), "{}", console.text);
            Ok(console.address)
        })
        .await?;
        let mut players = Vec::new();
        for seat in ["p1", "p2"] {
            players.push(again(async || seated(&umpire, &site, &console, seat).await).await?);
        }
        let mut rounds = Vec::new();
        while rounds.len() < ROUNDS && !finished.load(Ordering::Relaxed) {
            let moves = [MOVES[rounds.len() % 4], MOVES[(rounds.len() + 1) % 3]];
            for ((player, home), text) in players.iter().zip(moves) {
                let form = again(async || player.get(home).await?.fields(&["decision", "submit"])).await?;
                let sent = acknowledged(player, &format!("{home}/submit"), &form.with("move", text), &duels).await?;
                ensure!(sent.text.contains("Received and kept"), "no receipt: {}", sent.text);
            }
            let close = again(async || umpire.get(&console).await?.fields(&["decision", "form", "head"])).await?;
            acknowledged(&umpire, &format!("{console}/close"), &close, &duels).await?;
            rounds.push(format!("{} / {}", moves[0], moves[1]));
        }
        duels.keep(console.replace("/umpire", ""), rounds);
    }
    Ok(())
}

/// A player with a seat, and the address of their page.
async fn seated(umpire: &Guest, site: &str, console: &str, seat: &str) -> Result<(Guest, String)> {
    let page = umpire.post(&format!("{console}/links"), &[("seat", seat)]).await?;
    let player = guest(site)?;
    let sat = player.read(player.http.post(page.private_link()?).send().await?).await?;
    sat.is(StatusCode::OK)?;
    Ok((player, sat.address))
}
