//! A running match for spectators: the page, and its stream of events.

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use app::App;
use app::account::Token;
use app::account::player::SeatRef;
use app::monitoring::Monitor;
use axum::middleware::from_fn;
use engine::Seat;
use fantoccini::Locator;
use ledger::PlayerKey;
use ledger::ed25519::SecretKey;
use reqwest::{Client, Response, StatusCode};
use serde_json::{Value, json};
use web::routes::DiscordApps;
use web::visitor::forwarded;

use crate::archive::played as past;
use crate::browser::Browser;
use crate::database::database;
use crate::pages::import;
use crate::play::table::{RULESET, Table, full_access};
use crate::site::{Site, routes, serve};
use crate::umpire_acts::perform;
use crate::wait::until;

/// Far longer than anything here takes: a stream that is silent for this long is stuck.
const PATIENCE: Duration = Duration::from_secs(20);

/// A spectator's stream.
struct Stream {
    answer: Response,
    read: String,
}

#[derive(Debug)]
struct Event {
    id: u32,
    name: String,
    data: Value,
}

impl Event {
    fn text(&self, name: &str) -> &str {
        self.data[name].as_str().unwrap_or_default()
    }
}

impl Stream {
    /// Opens it like a browser that has everything up to an entry.
    async fn open(address: &str, seen: Option<u32>) -> Result<Self> {
        Self::by(&Client::new(), address, seen).await
    }

    async fn by(client: &Client, address: &str, seen: Option<u32>) -> Result<Self> {
        let mut request = client.get(address);
        if let Some(seen) = seen {
            request = request.header("last-event-id", seen);
        }
        let answer = request.send().await?;
        ensure!(answer.status().is_success(), "{}: {}", answer.status(), answer.text().await?);
        ensure!(answer.headers()["content-type"] == "text/event-stream");
        Ok(Self { answer, read: String::new() })
    }

    /// The next block between blank lines; none at the end of the stream.
    async fn piece(&mut self) -> Result<Option<String>> {
        loop {
            if let Some((piece, rest)) = self.read.split_once("\n\n") {
                let (piece, rest) = (piece.to_owned(), rest.to_owned());
                self.read = rest;
                return Ok(Some(piece));
            }
            let more = tokio::time::timeout(PATIENCE, self.answer.chunk()).await.context("the stream is stuck")??;
            let Some(more) = more else { return Ok(None) };
            self.read.push_str(std::str::from_utf8(&more)?);
        }
    }

    /// The next event with an id.
    async fn next(&mut self) -> Result<Event> {
        tokio::time::timeout(PATIENCE, self.next_at_last()).await.context("nothing new comes")?
    }

    async fn next_at_last(&mut self) -> Result<Event> {
        while let Some(piece) = self.piece().await? {
            let field = |name: &str| piece.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
            if let (Some(id), Some(name), Some(data)) = (field("id"), field("event"), field("data")) {
                return Ok(Event { id: id.parse()?, name: name.to_owned(), data: serde_json::from_str(data)? });
            }
        }
        bail!("the stream has ended")
    }

    /// Reads until an event with this name.
    async fn until(&mut self, name: &str) -> Result<Event> {
        loop {
            let event = self.next().await?;
            if event.name == name {
                return Ok(event);
            }
        }
    }
}

fn events(table: &Table) -> String {
    format!("{}{}/events", table.site.address, table.public())
}

async fn remark(app: &App, slug: &str, text: &str) -> Result<()> {
    let history = app.matches.history_of(slug).await?;
    perform(app, &history, "note", json!({ "text": text })).await?;
    Ok(())
}

#[tokio::test]
async fn who_watches_is_told_what_happens_and_who_comes_back_what_was_missed() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let page = table.site.visitor()?.get(&format!("{}/live", table.public())).await?;
    page.says("Open questions")?.says("Round 1 is being played, both moves hidden")?.says("Look again")?.says("Ada")?;
    let seen = page.attribute("[data-entry]", "data-entry")?;
    let mut stream = Stream::open(&format!("{}?after={seen}", events(&table)), None).await?;
    assert_eq!(stream.piece().await?.as_deref(), Some("retry: 3000"));
    let time = stream.piece().await?.context("the time")?;
    assert_eq!(time, "event: time\ndata: {\"time\":\"2026-11-20T20:00:00.000000Z\"}");

    table.p1.submits("grow").await?.says("move received.")?;
    table.p2.submits("claim").await?.says("move received.")?;
    table.closes().await?;
    let resolved = stream.next().await?;
    assert_eq!((resolved.name.as_str(), resolved.text("says")), ("resolved", "Round 1:"));
    assert_eq!(resolved.text("address"), format!("{}/r/1/after", table.public()));
    ensure!(resolved.data["details"].to_string().contains("Ada"), "{resolved:?}");
    assert_eq!(resolved.data["moves"], json!(["Ada: Grow", "Bo: Claim"]));
    let asked = stream.next().await?;
    ensure!(asked.name == "asked" && asked.text("says").starts_with("Round 2"), "{asked:?}");
    let now = stream.next().await?;
    assert_eq!((now.name.as_str(), now.id), ("now", asked.id));
    let html = now.text("html");
    for told in [">Round 1 ›<", "Round 2 is being played", "\"w\">Grow", "\"w\">Claim"] {
        ensure!(html.contains(told), "{told} is not shown: {html}");
    }

    // A second round, while nobody is connected.
    drop(stream);
    table.p1.submits("score").await?;
    table.p2.submits("grow").await?;
    table.closes().await?;
    let mut back = Stream::open(&events(&table), Some(asked.id)).await?;
    let missed = [back.next().await?, back.next().await?, back.next().await?];
    assert_eq!(missed.each_ref().map(|event| event.name.as_str()), ["resolved", "asked", "now"]);
    ensure!(missed[0].id > asked.id && missed[0].text("says") == "Round 2:", "{missed:?}");
    // A new spectator gets the state, and no past events.
    let mut fresh = Stream::open(&events(&table), None).await?;
    assert_eq!(fresh.next().await?.name, "now");

    // A correction leads every spectator to the corrected moment, with one line; a ruling and the end are events.
    let app = &table.site.app;
    let history = table.history().await?;
    let correction = json!({ "step": 1, "moves": { "p1": "claim" }, "reason": "Mistyped" });
    perform(app, &history, "correct", correction).await?;
    let struck = back.until("struck").await?;
    assert_eq!(struck.text("says"), "Round 1 was corrected.");
    assert_eq!(struck.data["details"][0], "Mistyped.");
    assert_eq!(struck.text("address"), format!("{}/r/1/after", table.public()));
    let history = table.history().await?;
    perform(app, &history, "rule", json!({ "text": "Bo left", "result": "p1" })).await?;
    let ruled = back.until("ruled").await?;
    ensure!(ruled.text("says").starts_with("Ruling: Bo left. Ada won"), "{ruled:?}");
    let history = table.history().await?;
    perform(app, &history, "end", json!({})).await?;
    ensure!(back.until("ended").await?.text("says").starts_with("The result is entered. Ada won"));
    ensure!(back.until("now").await?.text("html").contains("Ada wins"));
    let page = table.site.visitor()?.get(&format!("{}/live", table.public())).await?;
    page.says("See the whole match")?.says("data-over")?;
    Ok(())
}

#[tokio::test]
async fn a_name_that_is_withdrawn_is_told_to_nobody_who_comes_later() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let mut watching = Stream::open(&events(&table), None).await?;
    ensure!(watching.until("now").await?.text("html").contains("Ada"));
    table.p1.submits("grow").await?;
    table.p2.submits("claim").await?;
    table.closes().await?;
    ensure!(watching.until("resolved").await?.data["details"].to_string().contains("Ada"));
    table.umpire.post(&format!("/withdraw{}", table.public()), &[("word", "0:names.p1"), ("asked", "yes")]).await?;
    // A spectator is disconnected, and reconnects like a new one.
    while watching.piece().await?.is_some() {}
    for seen in [None, Some(0)] {
        let mut back = Stream::open(&events(&table), seen).await?;
        while let Some(piece) = back.piece().await? {
            ensure!(!piece.contains("Ada"), "{piece}");
            if piece.contains("event: now") {
                break;
            }
        }
    }
    Ok(())
}

#[tokio::test]
async fn a_clock_is_told_when_it_stops_and_when_it_runs() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    let app = &table.site.app;
    let page = format!("{}/live", table.public());
    if table.site.visitor()?.get(&page).await?.text.contains("not started") {
        let history = table.history().await?;
        perform(app, &history, "run-clocks", json!({})).await?;
    }
    table.site.visitor()?.get(&page).await?.says("data-deadline=\"2026-11-20T20:01:00.000000Z\"")?.says(">1:00<")?;
    let mut stream = Stream::open(&events(&table), None).await?;
    table.passes(20);
    let history = table.history().await?;
    perform(app, &history, "pause-clocks", json!({ "reason": "Rain" })).await?;
    assert_eq!(stream.until("clock").await?.text("says"), "The clock is paused: Rain.");
    let now = stream.next().await?;
    ensure!(now.text("html").contains(">0:40<") && now.text("html").contains("Paused: Rain"), "{now:?}");
    ensure!(now.text("html").contains("The umpire paused the clock: Rain."), "{now:?}");
    table.site.visitor()?.get(&table.public()).await?.says("The umpire paused the clock: Rain.")?;
    table.passes(30);
    let history = table.history().await?;
    perform(app, &history, "run-clocks", json!({})).await?;
    assert_eq!(stream.until("clock").await?.text("says"), "The clock runs, until 20:01:30 UTC.");
    let after = table.site.visitor()?.get(&table.public()).await?;
    ensure!(!after.text.contains("paused the clock"), "{}", after.text);
    Ok(())
}

#[tokio::test]
async fn a_stream_of_one_node_tells_what_another_appended() -> Result<()> {
    let options = database().await?;
    let site = Site::seeded_on("a live match", options.clone()).await?;
    let table = Table::on(site, RULESET, false, &[]).await?;
    let other = Site::node(options, table.site.data.clone(), "checkpoint-other").await?;
    let mut stream = Stream::open(&format!("{}{}/events", other.address, table.public()), None).await?;
    assert_eq!(stream.next().await?.name, "now");
    for text in ["One", "Two"] {
        remark(&table.site.app, &table.slug, text).await?;
        assert_eq!(stream.until("ruled").await?.text("says"), format!("Remark: {text}."));
    }
    // The node stops: its streams end with an invitation to reconnect.
    other.app.feed.end();
    let mut last = String::new();
    while let Some(piece) = stream.piece().await? {
        last = piece;
    }
    assert_eq!(last, "event: bye\ndata: {}");
    other.visitor()?.get(&format!("{}/events", table.public())).await?.is(StatusCode::SERVICE_UNAVAILABLE)?;
    Ok(())
}

#[tokio::test]
async fn nothing_that_a_seat_does_before_the_close_is_in_the_stream() -> Result<()> {
    let mut read = Vec::new();
    for moves in [&[][..], &["grow"], &["claim", "score grow", "grow"]] {
        let table = Table::laid(RULESET, false).await?;
        let mut stream = Stream::open(&events(&table), None).await?;
        let mut pieces = vec![stream.piece().await?, stream.piece().await?, stream.piece().await?];
        if moves.len() > 1 {
            let key = PlayerKey::new(SecretKey::from_seed(&[7; 32]).public().bytes())?;
            let match_id = table.site.app.matches.match_of(&table.slug).await?;
            let chair = SeatRef { match_id, seat: Seat::P2 };
            table
                .site
                .app
                .seats
                .register_key(full_access(chair), &"07".repeat(32).parse::<Token>()?, key, None)
                .await?;
        }
        for text in moves {
            table.p1.submits(text).await?.says("move received.")?;
        }
        // All earlier events come before this one.
        remark(&table.site.app, &table.slug, "Still here").await?;
        loop {
            let piece = stream.piece().await?.context("the stream goes on")?;
            let last = piece.contains("event: now");
            // A registered key has an entry, and so changes the numbers of later ones.
            pieces.push(Some(piece.lines().filter(|line| !line.starts_with("id: ")).collect::<Vec<_>>().join("\n")));
            if last {
                break;
            }
        }
        let slug = table.slug.clone();
        read.push(pieces.into_iter().flatten().map(|piece| piece.replace(&slug, "SLUG")).collect::<Vec<_>>());
    }
    let plain = |pieces: &[String]| pieces.iter().map(|piece| without_entry(piece)).collect::<Vec<_>>();
    ensure!(read[0].len() == 5, "{:#?}", read[0]);
    assert_eq!(read[0], read[1]);
    assert_eq!(plain(&read[0]), plain(&read[2]));
    Ok(())
}

/// Without the number of the entry, which depends on the number of earlier entries.
fn without_entry(piece: &str) -> String {
    match piece.split_once("{\"entry\":") {
        Some((before, rest)) => format!("{before}{}", rest.split_once(',').map_or("", |(_, rest)| rest)),
        None => piece.to_owned(),
    }
}

#[tokio::test]
async fn an_address_has_a_hundred_places() -> Result<()> {
    let table = Table::with_links(RULESET, false, &[]).await?;
    // Behind a proxy, which names its client.
    let behind = routes(&table.site.app, DiscordApps::default()).layer(from_fn(forwarded));
    let address = format!("{}{}/events", serve(behind).await?.0, table.public());
    let get = |from: &'static str| Client::new().get(&address).header("x-forwarded-for", from).send();
    let mut open = Vec::new();
    for _ in 0..100 {
        open.push(get("203.0.113.7").await?);
    }
    ensure!(open.iter().all(|answer| answer.status().is_success()));
    let refused = get("203.0.113.7").await?;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.headers()["retry-after"], "30");
    assert_eq!(get("203.0.113.8").await?.status(), StatusCode::OK);
    table.site.visitor()?.get("/m/0000000000/events").await?.is(StatusCode::NOT_FOUND)?;
    Ok(())
}

/// Waits until so many streams are open.
async fn has_streams(table: &Table, number: usize) -> Result<()> {
    let monitor = Monitor::new(table.site.app.clone(), table.site.data.path().to_owned());
    until(async || {
        let text = monitor.text().await;
        let streams = text.lines().find(|line| line.starts_with("matchbook_event_streams "));
        ensure!(streams == Some(&*format!("matchbook_event_streams {number}")), "{streams:?}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_stream_of_several_matches_says_whose_each_event_is() -> Result<()> {
    let table = Table::with_links(RULESET, false, &[]).await?;
    let other = table.umpire.opens(&[("ruleset", RULESET), ("p1", "Cy"), ("p2", "Di")]).await?;
    let other = other.address.trim_start_matches("/umpire/m/");
    let (one, seen) = (&table.slug, table.history().await?.head.next.0);
    let of = format!("{one}.{seen},{other},0000000000");
    let mut stream = Stream::open(&format!("{}/live/events?of={of}", table.site.address), None).await?;
    let first = stream.next().await?;
    assert_eq!((first.name.as_str(), first.text("match")), ("now", other), "of the other nothing is new");
    for (slug, text) in [(one.as_str(), "Here"), (other, "There"), (one, "And here")] {
        remark(&table.site.app, slug, text).await?;
        assert_eq!(stream.until("ruled").await?.text("match"), slug);
    }
    let guest = table.site.visitor()?;
    guest.get("/live/events?of=0000000000").await?.is(StatusCode::NOT_FOUND)?;
    Ok(())
}

/// Fails where the site answers no more: a browser has six connections to it.
const FETCHES: &str = "const done = arguments[arguments.length - 1];
    fetch('/livez', { cache: 'no-store', signal: AbortSignal.timeout(20000) }).then((answer) => answer.text()).then(done, (error) => done(`${error}`));";

#[tokio::test]
async fn all_pages_of_a_browser_share_one_stream_and_the_site_answers_each() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p2"]).await?;
    let browser = Browser::at_a_desk().await?;
    let (client, site) = (&browser.client, &table.site.address);
    client.goto(&table.site.sign_in_link().await?).await?;
    browser.press("main form button").await?;
    browser.until("You are signed in.").await?;
    client.goto(&table.link("p1").await?).await?;
    browser.press("main form button").await?;
    browser.until("Your receipts").await?;
    let console = format!("{site}{}", table.console);
    for page in [&console, &console, &console, &console, &console, &console, &format!("{site}/")] {
        let window = client.new_window(false).await?;
        client.switch_to_window(window.handle).await?;
        client.goto(page).await?;
    }
    let windows = client.windows().await?;
    assert_eq!(windows.len(), 8);
    for window in &windows {
        client.switch_to_window(window.clone()).await?;
        assert_eq!(client.execute_async(FETCHES, Vec::new()).await?, json!("alive\n"));
    }
    has_streams(&table, 1).await?;
    // The first page was opened last. Its board shows something else once something happened.
    let board =
        async || client.execute("return document.querySelector('.tile[data-events]').innerHTML", Vec::new()).await;
    let before = board().await?;
    for _ in 0..2 {
        table.p2.submits("claim").await?;
        table.closes().await?;
    }
    until(async || (board().await? != before).then_some(()).context("it shows what was")).await?;
    for window in windows {
        client.switch_to_window(window).await?;
        if client.current_url().await?.path() != "/" {
            browser.until("Round 3").await?;
        }
        if client.windows().await?.len() > 1 {
            client.close_window().await?;
        }
    }
    browser.close().await
}

#[tokio::test]
async fn the_page_follows_the_match_in_a_browser() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let browser = Browser::open(320, true, true).await?;
    browser.client.goto(&format!("{}{}/live", table.site.address, table.public())).await?;
    browser.until("Updates by itself").await?;
    browser.fits("the live page").await?;
    table.p1.submits("grow").await?;
    table.p2.submits("claim").await?;
    table.closes().await?;
    browser.client.wait().for_element(Locator::Css(".mid .played")).await?;
    browser.fits("the live page after a round").await?;
    // What the moves did is on the page once: in the state, and not in the list of what happened as well.
    browser.press(".menu").await?;
    let told = browser.text_of(".live-told").await?;
    ensure!(told.contains("Ada: Grow. Bo: Claim.") && !told.contains("added"), "{told}");
    browser.client.find(Locator::Css(".story .effects")).await?;
    browser.picture("live-dark-320").await?;
    browser.press(".live-told a").await?;
    browser.client.wait().for_element(Locator::Css("[aria-current=true], .beats")).await?;
    browser.close().await?;

    // A match that is over is not followed, whenever somebody comes back to its page.
    let over = import(&table.site.umpire().await?, &past("Quill", "Okapi", "Cup", "2025-05-01", "")?).await?.address;
    let browser = Browser::open(320, true, true).await?;
    browser.client.goto(&format!("{}{over}/live", table.site.address)).await?;
    browser.until("See the whole match").await?;
    browser.client.execute("document.dispatchEvent(new Event('visibilitychange'))", Vec::new()).await?;
    browser.until("See the whole match").await?;
    has_streams(&table, 0).await?;
    browser.close().await?;

    let without = Browser::open(1100, false, false).await?;
    without.client.goto(&format!("{}{}/live", table.site.address, table.public())).await?;
    without.until("The newest moment when you opened this page").await?;
    without.until("Look again").await?;
    without.picture("live-without-scripts").await?;
    without.close().await
}

#[tokio::test]
async fn an_umpire_hears_that_something_was_sent_and_nobody_else_does() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let address = format!("{}/live/events?of={}", table.site.address, table.slug);
    let other = table.site.umpire_called("Rosa").await?;
    let mut own = Stream::by(&table.umpire.http, &address, None).await?;
    let others = [
        Stream::open(&address, None).await?,
        Stream::by(&table.p2.guest.http, &address, None).await?,
        Stream::by(&other.http, &address, None).await?,
    ];
    table.p1.submits("grow").await?.says("move received.")?;
    let told = loop {
        let piece = own.piece().await?.context("the stream has ended")?;
        if piece.starts_with("event: sent") {
            break piece;
        }
    };
    assert_eq!(told, format!("event: sent\ndata: {{\"match\":\"{}\"}}", table.slug));
    table.closes().await?;
    for mut stream in others {
        while let Some(piece) = stream.piece().await? {
            ensure!(!piece.contains("event: sent"), "{piece}");
            if piece.contains("event: resolved") {
                break;
            }
        }
    }
    Ok(())
}
