//! Draws that wait for the public beacon, over HTTP: with a network of the tests' own, whose rounds are handed in, fetched, or
//! never come.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result, ensure};
use app::beacon_rounds::BeaconSource;
use app::cosigning::SitePolicy;
use axum::extract::{Path, State};
use axum::routing::get;
use axum::{Json, Router};
use beacon::{NetworkSecret, RoundLie};
use engine::{Seat, SplitMix64, To};
use fantoccini::Locator;
use ledger::{Moment, Network, Policy, Round, TreeSize};
use record::History;
use record::verify::Check;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::held_witness::HeldWitness;
use crate::page::Page;
use crate::site::{Guest, START, Site, serve};
use crate::wait::until;
use crate::whole_match::record;

const DEAL: &str = "devils-deal/blooming-genius";

/// A site whose policy names a witness and the tests' beacon.
struct Hall {
    site: Site,
    umpire: Guest,
    secret: NetworkSecret,
    policy: Policy,
}

fn network(secret: &NetworkSecret) -> Result<Network> {
    let start: Moment = START.parse()?;
    Ok(secret.network(u32::try_from(start.micros() / 1_000_000)? - 3_000, 3))
}

impl Hall {
    async fn open() -> Result<Self> {
        let site = Site::seeded("a match with a beacon").await?;
        let secret = NetworkSecret::of(7);
        let witness = HeldWitness::beside("witness.example/one", &site).await?;
        witness.is_quick();
        let network = network(&secret)?;
        let policy = Policy::read(format!("{}quorum one\nbeacon {network}\n", witness.line("one")).as_bytes())?;
        site.app.public_log.ask_witnesses(SitePolicy::of(policy.clone())?).await?;
        site.app.public_log.confirm_last_checkpoint(TreeSize(0)).await?;
        let umpire = site.umpire().await?;
        Ok(Self { site, umpire, secret, policy })
    }

    /// A match whose shares are given: the next act is a draw.
    async fn dealt(&self) -> Result<Table<'_>> {
        let typed = [("ruleset", DEAL), ("p1", "Ada"), ("p2", "Bo"), ("dmo", "p2"), ("beacon", "on")];
        let console = self.umpire.opens(&typed).await?;
        ensure!(console.address.starts_with("/umpire/m/"), "{}", console.text);
        let table = Table { hall: self, console: console.address, numbers: SplitMix64(5) };
        record(&self.umpire, &table.console, "the owl is late / fourteen bottles").await?.is(StatusCode::OK)?;
        Ok(table)
    }
}

struct Table<'h> {
    hall: &'h Hall,
    console: String,
    numbers: SplitMix64,
}

impl Table<'_> {
    fn public(&self) -> String {
        self.console.replace("/umpire", "")
    }

    async fn history(&self) -> Result<Arc<History>> {
        Ok(self.hall.site.app.matches.history_of(self.console.rsplit('/').next().unwrap_or_default()).await?)
    }

    /// Presses the button that draws: it names a round.
    async fn names_a_round(&self) -> Result<(Page, Round)> {
        let page = self.hall.umpire.get(&self.console).await?;
        let form = page.form_with("keyed")?.with("keyed", "yes");
        let named = self.hall.umpire.sends(&format!("{}/record", self.console), &form).await?;
        named.is(StatusCode::OK)?;
        Ok((named, self.awaited().await?.context("a round is named")?))
    }

    async fn awaited(&self) -> Result<Option<Round>> {
        Ok(self.history().await?.awaited_round().map(|round| round.round))
    }

    /// Its time comes.
    fn passes(&self, seconds: u64) {
        self.hall.site.app.system().pass(std::time::Duration::from_secs(seconds));
    }

    /// Hands in what somebody types.
    async fn hands_in(&self, by: &Guest, signature: &str) -> Result<Page> {
        let address = format!("{}/round", self.public());
        let page = by.get(&address).await?;
        by.sends(&address, &page.form_with("signature")?.with("signature", signature)).await
    }

    async fn report(&self) -> Result<record::verify::Report> {
        let bundle = self.hall.site.visitor()?.http.get(format!("{}{}.bundle", self.hall.site.address, self.public()));
        let bundle = record::Bundle::read(&bundle.send().await?.bytes().await?)?;
        Ok(Check::of(&bundle, Some(&self.hall.policy)).with_rounds(app::beacon_rounds::is_signed).report())
    }

    /// Plays to the end, or this many steps; each round is handed in by a stranger.
    async fn plays(&mut self, steps: usize) -> Result<usize> {
        let stranger = self.hall.site.visitor()?;
        let mut rounds = 0;
        for _ in 0..steps {
            let history = self.history().await?;
            let Some(ask) = history.duel().asks().pop() else { break };
            let mut sample = |seat| history.duel().sample(seat, &ask.what, &mut self.numbers).context("an answer");
            let line = match ask.to {
                To::Host => {
                    let (_, round) = self.names_a_round().await?;
                    self.passes(15);
                    let signature = self.hall.secret.sign(round).to_string();
                    self.hands_in(&stranger, &signature).await?.is(StatusCode::OK)?;
                    rounds += 1;
                    continue;
                }
                To::One(seat) => format!("{seat}: {}", sample(seat)?),
                To::Both => format!("{} / {}", sample(Seat::P1)?, sample(Seat::P2)?),
            };
            record(&self.hall.umpire, &self.console, &line).await?.is(StatusCode::OK)?;
        }
        Ok(rounds)
    }
}

#[tokio::test]
async fn a_whole_match_waits_for_the_beacon_at_each_draw_and_is_verified() -> Result<()> {
    let hall = Hall::open().await?;
    let mut table = hall.dealt().await?;
    let rounds = table.plays(400).await?;
    let history = table.history().await?;
    ensure!(history.outcome().is_over() && rounds > 0, "{rounds} rounds, {} steps", history.steps.len());
    assert_eq!(history.rounds.iter().filter(|round| round.signed.is_some()).count(), rounds);
    let page = hall.umpire.get(&table.console).await?;
    hall.umpire.fills_in(&page, &format!("{}/end", table.console), &[]).await?.is(StatusCode::OK)?;
    let report = table.report().await?;
    ensure!(report.is_good(), "{report:#?}");
    let said = format!("{report:?}");
    ensure!(!said.contains("only the host says"), "{said}");
    Ok(())
}

#[tokio::test]
async fn a_round_is_taken_from_anybody_in_its_time_and_nothing_else_is() -> Result<()> {
    let hall = Hall::open().await?;
    let table = hall.dealt().await?;
    let stranger = hall.site.visitor()?;
    let public = table.public();
    stranger.get(&format!("{public}/round")).await?.says("No draw of this match waits")?;
    let (page, round) = table.names_a_round().await?;
    page.says(&format!("Round {round} decides it"))?.says("Draw without the round")?;
    ensure!(!page.text.contains("name=\"keyed\""), "it is drawn by itself");
    stranger.get(&public).await?.says("The next draw waits for the public beacon")?;
    let signature = hall.secret.sign(round).to_string();

    let refused = |page: Page, why: &str| -> Result<()> {
        page.is(StatusCode::UNPROCESSABLE_ENTITY)?.says(why)?;
        Ok(())
    };
    refused(table.hands_in(&stranger, &signature).await?, "has not come")?;
    table.passes(15);
    refused(table.hands_in(&stranger, "0123").await?, "96 lower-case hex digits")?;
    for lie in [RoundLie::OtherRound, RoundLie::OtherNetwork] {
        let lied = hall.secret.lie(round, lie).to_string();
        refused(table.hands_in(&stranger, &lied).await?, "not the beacon")?;
    }
    ensure!(table.awaited().await? == Some(round), "nothing was entered");
    let unknown = stranger.post("/m/zzzzzzzzzz/round", &[("signature", &signature)]).await?;
    unknown.is(StatusCode::NOT_FOUND)?;

    let api = format!("{}/api/v1{}/round", hall.site.address, public.replace("/m/", "/matches/"));
    let body = json!({ "signature": signature }).to_string();
    let json = ("content-type", "application/json");
    let sent = async || anyhow::Ok(stranger.http.post(&api).header(json.0, json.1).body(body.clone()).send().await?);
    let state: Value = stranger.http.get(api.replace("/round", "/state")).send().await?.text().await?.parse()?;
    assert_eq!(state["awaits"]["round"], round.number());
    let answer = sent().await?;
    ensure!(answer.status() == StatusCode::OK, "{}", answer.text().await?);
    let entries = table.history().await?.head;
    ensure!(sent().await?.status() == StatusCode::OK, "the same again");
    assert_eq!(table.history().await?.head, entries, "and nothing happens");
    ensure!(table.awaited().await?.is_none());
    stranger.get(&format!("{public}/round")).await?.says(&signature)?;
    Ok(())
}

/// Signatures by round.
type Published = Arc<Mutex<BTreeMap<u64, String>>>;

async fn relay(published: Published) -> Result<String> {
    async fn of_round(
        State(published): State<Published>,
        Path((_, round)): Path<(String, u64)>,
    ) -> Result<Json<Value>, StatusCode> {
        let published = published.lock().map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
        let signature = published.get(&round).ok_or(StatusCode::NOT_FOUND)?;
        Ok(Json(json!({ "round": round, "signature": signature })))
    }
    let routes = Router::new().route("/{hash}/public/{round}", get(of_round)).with_state(published);
    Ok(serve(routes).await?.0)
}

#[tokio::test]
async fn a_site_fetches_rounds_by_itself_and_believes_no_relay() -> Result<()> {
    let hall = Hall::open().await?;
    let table = hall.dealt().await?;
    let (lies, published) = (Published::default(), Published::default());
    let relays = [relay(lies.clone()).await?, relay(published.clone()).await?];
    let (_, round) = table.names_a_round().await?;
    let lie = hall.secret.lie(round, RoundLie::OtherRound).to_string();
    lies.lock().map_err(|_| anyhow::anyhow!("poisoned"))?.insert(round.number(), lie);
    let fetching = tokio::spawn(hall.site.app.rounds.clone().run(BeaconSource::new(&relays)));
    table.passes(15);
    let signature = hall.secret.sign(round).to_string();
    published.lock().map_err(|_| anyhow::anyhow!("poisoned"))?.insert(round.number(), signature);
    until(async || {
        ensure!(table.awaited().await?.is_none(), "it still waits");
        Ok(())
    })
    .await?;
    fetching.abort();
    Ok(())
}

#[tokio::test]
async fn without_its_round_a_draw_is_made_by_a_ruling_alone_and_the_grade_says_so() -> Result<()> {
    let hall = Hall::open().await?;
    let table = hall.dealt().await?;
    table.names_a_round().await?;
    table.passes(600);
    let page = hall.umpire.get(&table.console).await?;
    let address = format!("{}/without-round", table.console);
    let silent = hall.umpire.fills_in(&page, &address, &[("text", "")]).await?;
    silent.is(StatusCode::UNPROCESSABLE_ENTITY)?;
    ensure!(table.awaited().await?.is_some());
    let ruled = hall.umpire.fills_in(&page, &address, &[("text", "The beacon is silent.")]).await?;
    ruled.is(StatusCode::OK)?.says("The draw is made without the round")?;
    let page = hall.umpire.get(&table.console).await?;
    if let Ok(form) = page.form_with("keyed") {
        let form = form.with("keyed", "yes");
        hall.umpire.sends(&format!("{}/record", table.console), &form).await?.is(StatusCode::OK)?;
    }
    ensure!(!table.history().await?.draws.is_empty(), "it is drawn");
    ensure!(format!("{:?}", table.report().await?).contains("without"), "{:#?}", table.report().await?);
    Ok(())
}

#[tokio::test]
async fn a_stranger_hands_a_round_in_on_a_phone_and_the_umpires_console_goes_on_by_itself() -> Result<()> {
    let hall = Hall::open().await?;
    let table = hall.dealt().await?;
    let (phone, desk) = (Browser::open(390, false, true).await?, Browser::open(1280, false, true).await?);
    desk.client.goto(&hall.site.sign_in_link().await?).await?;
    desk.sign_in().await?;
    desk.client.goto(&format!("{}{}", hall.site.address, table.console)).await?;
    desk.press("[name=keyed] ~ .buttons button, form:has([name=keyed]) button").await?;
    desk.until("The next draw waits for the public beacon").await?;
    desk.picture("console-beacon").await?;
    let round = table.awaited().await?.context("a round is named")?;
    table.passes(15);
    phone.client.goto(&format!("{}{}", hall.site.address, table.public())).await?;
    phone.until(&format!("Round {round} decides it")).await?;
    phone.fits("the page of a match that waits").await?;
    phone.press("[data-awaits-round] a").await?;
    phone.until("Paste it here").await?;
    phone.fits("the page of a round").await?;
    phone.picture("beacon-round").await?;
    phone.client.find(Locator::Id("signature")).await?.send_keys(&hall.secret.sign(round).to_string()).await?;
    phone.press("form:has(#signature) button").await?;
    phone.until("Only the players can confirm these moves").await?;
    ensure!(table.awaited().await?.is_none(), "it is drawn");
    // The console hears of it by its stream.
    until(async || {
        let shown =
            desk.client.execute("return document.querySelector('[data-awaits-round]') !== null", vec![]).await?;
        ensure!(shown == json!(false), "the console still waits");
        Ok(())
    })
    .await?;
    phone.close().await?;
    desk.close().await
}

#[tokio::test]
async fn only_matches_in_which_matchbook_draws_can_wait_for_the_beacon() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let typed = |more: &[(&'static str, &'static str)]| {
        [&[("ruleset", DEAL), ("p1", "Ada"), ("p2", "Bo"), ("dmo", "p2"), ("beacon", "on")][..], more].concat()
    };
    umpire.opens(&typed(&[("draws", "umpire")])).await?.says("in which Matchbook draws")?;
    umpire.opens(&typed(&[("practice", "on")])).await?.says("has no beacon")?;
    Ok(())
}
