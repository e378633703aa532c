//! Shares that the players keep until the list of both is in the log: the whole walk over HTTP, by what their browsers'
//! scripts do, and in real browsers. The host that cheats is played by a superuser of the database.

use anyhow::{Context, Result, ensure};
use engine::{Seat, SplitMix64, To};
use ledger::ed25519::SecretKey;
use ledger::{Commitment, Hash, Share, Tree};
use record::receipts::ReceiptFile;
use record::verify::{Finding, Status};
use record::{Bundle, History};
use reqwest::StatusCode;
use serde_json::json;
use sqlx::Executor;

use super::scripts::{fills, sits};
use super::sharer::{Sharer, covering, tree};
use super::table::Table;
use crate::api::Program;
use crate::browser::{Browser, THWART, played};
use crate::site::Site;
use crate::wait::until;

const DEAL: &str = "devils-deal/blooming-genius";

async fn opened_table() -> Result<Table> {
    Table::opened(Site::seeded("shares").await?, DEAL, None, &["p1", "p2"], &[]).await
}

/// Waits until this holds of the match.
async fn waits(table: &Table, what: &str, holds: impl Fn(&History) -> bool) -> Result<()> {
    until(async || {
        let history = table.history().await?;
        ensure!(holds(&history), "{what}: {:?}", history.seeds);
        Ok(())
    })
    .await
}

fn is_seeded(history: &History) -> bool {
    history.seeds.last().is_some_and(|seed| seed.fixed.is_some())
}

/// Both players sit, have keys, and committed to a share; the lists are closed by the umpire.
async fn listed(table: &Table) -> Result<(Sharer<'_>, Sharer<'_>)> {
    // Without scripts a player types.
    table.p1.page().await?.says("Type something random, for fair draws")?;
    let (mut one, mut two) = (Sharer::of(table, Seat::P1).await?, Sharer::of(table, Seat::P2).await?);
    for sharer in [&mut one, &mut two] {
        sharer.commits(table).await?.says(" received.")?;
    }
    table.closes().await?;
    Ok((one, two))
}

/// Draws, and ends the match by a ruling.
async fn ends(table: &Table) -> Result<()> {
    let history = table.history().await?;
    if history.due_draw().is_some() {
        let page = table.umpire.get(&table.console).await?;
        let form = page.form_with("keyed")?.with("keyed", "yes");
        table.umpire.sends(&format!("{}/record", table.console), &form).await?.is(StatusCode::OK)?;
    }
    table.act("rule", &[("result", "void"), ("clause", ""), ("text", "Called off")]).await?.is(StatusCode::OK)?;
    table.act("end", &[]).await?.is(StatusCode::OK)?;
    Ok(())
}

async fn fifth(table: &Table) -> Result<Finding> {
    let report = table.checked().await?;
    ensure!(report.is_good(), "{report:#?}");
    report.findings.get(4).cloned().context("finding 5")
}

fn says(finding: &Finding, words: &str) -> Result<()> {
    let said = finding.details.iter().any(|detail| detail.text.contains(words)) || finding.summary.contains(words);
    ensure!(said, "{words}: {finding:#?}");
    Ok(())
}

#[tokio::test]
async fn both_open_with_signatures_and_nobody_could_choose() -> Result<()> {
    let table = opened_table().await?;
    let (one, two) = listed(&table).await?;
    let history = table.history().await?;
    let list = history.awaited_openings().context("the list")?.clone();
    ensure!(!is_seeded(&history), "nothing is drawn from before the openings");
    let mut owner = table.site.owner().await?;
    let kept: i64 =
        sqlx::query_scalar("select count(*) from escrow where seat <> 'host'").fetch_one(&mut owner).await?;
    assert_eq!(kept, 0, "the server has no share of a player");
    table.umpire.get(&table.console).await?.says("Shuffling: waiting for Ada’s page and Bo’s page, until")?;

    let seen = covering(&table, &history).await?;
    let forged = one.opening(&history, Tree { root: Hash::new([7; 32]), ..seen })?;
    let refused = one.posts(&table, &forged, &table.fresh("forged")).await?;
    refused.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("a state of the log that the log never signed")?;
    let other = Sharer { value: Share::of_line("another").to_hex(), secret: SecretKey::from_seed(&[5; 32]), ..one };
    let opening = other.opening(&history, seen)?;
    other.posts(&table, &opening, &table.fresh("other")).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?;
    let one = Sharer { value: Share::of_line("p1 says").to_hex(), ..other };

    let opening = one.opening(&history, seen)?;
    let first = one.posts(&table, &opening, &table.fresh("one")).await?;
    first.is(StatusCode::OK)?.says("matchbook/receipt/1")?.says("open-d1")?;
    let again = one.posts(&table, &opening, &table.fresh("one")).await?;
    assert_eq!(again.text, first.text, "sent again it has the same receipt");
    let twice = one.posts(&table, &opening, &table.fresh("two")).await?;
    twice.is(StatusCode::CONFLICT)?.says("the first counts")?;
    ensure!(!is_seeded(&*table.history().await?), "the other share is waited for");
    let public = table.site.visitor()?.get(&format!("{}.bundle", table.public())).await?.text;
    ensure!(!public.contains(&one.value), "an opening waits privately");
    one.player.page().await?.says("Opening of your share, question 1")?.says("counts now")?;
    let unsent = two.player.page().await?;
    ensure!(!unsent.text.contains(&one.value), "and the other seat sees nothing of it");

    two.opens(&table).await?.is(StatusCode::OK)?;
    waits(&table, "the seed", is_seeded).await?;
    let late = one.posts(&table, &opening, &table.fresh("three")).await?;
    late.is(StatusCode::CONFLICT)?;
    let again = one.posts(&table, &opening, &table.fresh("one")).await?;
    assert_eq!(again.text, first.text, "also when it is listed");
    ends(&table).await?;
    let finding = fifth(&table).await?;
    assert_eq!(finding.status, Status::Holds, "{finding:#?}");
    says(&finding, "So nobody who held only one of the keys could choose, the host included")?;
    let history = table.history().await?;
    let opened = history.seeds[0].opened.clone().context("openings")?;
    ensure!(opened.signed.p1 && opened.signed.p2 && opened.entry > list.entry);
    // The receipt of the opening is in the record, by its file alone and held against the match.
    let file = one.player.guest.get(&format!("{}/receipts.jsonl", one.player.home)).await?.text;
    let bundle = table.site.visitor()?.get(&format!("{}.bundle", table.public())).await?.text;
    let file = ReceiptFile::read(file.as_bytes())?;
    let places = file.find_in(&Bundle::read(bundle.as_bytes())?)?;
    let places: Vec<String> = places.into_iter().flatten().map(|place| place.to_string()).collect();
    assert_eq!(places.len(), 2, "{places:?}");
    assert_eq!(places[1], format!("it counted: entry {}", opened.entry));
    for checked in file.check(&ledger::Policy::read(b"quorum none\n")?) {
        ensure!(checked.status.to_string().starts_with("proven: "), "{checked:?}");
    }
    Ok(())
}

/// A signature over a tree without the list would testify that the seat had not seen what it opened.
#[tokio::test]
async fn an_opening_over_a_tree_from_before_the_list_is_refused() -> Result<()> {
    let site = Site::seeded("shares").await?;
    // The log holds another match, so an entry's place in the log is not its number in the match.
    played(&site.umpire().await?, THWART, 5).await?;
    let table = Table::opened(site, DEAL, None, &["p1", "p2"], &[]).await?;
    let (mut one, mut two) = (Sharer::of(&table, Seat::P1).await?, Sharer::of(&table, Seat::P2).await?);
    for sharer in [&mut one, &mut two] {
        sharer.commits(&table).await?.says(" received.")?;
    }
    let before = tree(&table).await?;
    table.closes().await?;
    let history = table.history().await?;
    let list = history.awaited_openings().context("the list")?.entry;
    ensure!(before.size.0 > list.0.into(), "{before:?} has as many entries as come before entry {list} of the match");
    let opening = one.opening(&history, before)?;
    let refused = one.posts(&table, &opening, &table.fresh("early")).await?;
    refused.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("a state of the log from before the question")?;
    one.opens(&table).await?.is(StatusCode::OK)?;
    two.opens(&table).await?.is(StatusCode::OK)?;
    waits(&table, "the seed", is_seeded).await?;
    ends(&table).await?;
    ensure!(table.checked().await?.is_good());
    Ok(())
}

#[tokio::test]
async fn one_never_opens_and_the_umpire_begins_anew() -> Result<()> {
    let table = opened_table().await?;
    let (mut one, mut two) = listed(&table).await?;
    one.opens(&table).await?.is(StatusCode::OK)?;
    // Both players and the umpire are told who is waited for.
    let waits_for = "Shuffling: waiting for Bo\u{2019}s page, until";
    for page in [table.p1.page().await?, table.p2.page().await?, table.umpire.get(&table.console).await?] {
        page.says(waits_for)?;
    }
    table.passes(59);
    table.settles().await;
    ensure!(table.history().await?.awaited_openings().is_some(), "a minute is a minute");
    table.passes(3);
    waits(&table, "the seed", is_seeded).await?;
    let history = table.history().await?;
    let fixed = history.seeds[0].fixed.clone().context("a seed")?;
    assert_eq!((fixed.given.p1.is_some(), fixed.given.p2), (true, None));
    let late = two.posts(&table, &json!({ "key": two.key.to_hex(), "value": two.value }).to_string(), "00").await;
    ensure!(late?.status == StatusCode::UNPROCESSABLE_ENTITY, "an id is 32 digits");
    let opened = json!({ "key": two.key.to_hex(), "value": two.value }).to_string();
    let late = two.posts(&table, &opened, &table.fresh("late")).await?;
    late.is(StatusCode::CONFLICT)?.says("Yours counts as none")?;

    let console = table.umpire.get(&table.console).await?;
    console.says("A part of the shuffle is missing")?.says("Bo’s part is missing")?;
    ensure!(!console.text.contains(waits_for), "{}", console.text);
    for player in [&table.p1, &table.p2] {
        player.page().await?.says("Shuffled without Bo.")?.says("It counts as zeros")?;
    }
    table.act("shares", &[("clause", ""), ("text", "")]).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?;
    let begun = table.act("shares", &[("clause", ""), ("text", "Bo’s browser was lost")]).await?;
    begun.is(StatusCode::OK)?.says("New shares of the draws are gathered.")?;
    begun.says("asked for new shares of the draws")?;
    for sharer in [&mut one, &mut two] {
        sharer.commits(&table).await?.says(" received.")?;
    }
    table.closes().await?;
    for sharer in [&one, &two] {
        sharer.opens(&table).await?.is(StatusCode::OK)?;
    }
    waits(&table, "the second seed", |history| history.seeds.len() == 2 && is_seeded(history)).await?;
    ends(&table).await?;
    let finding = fifth(&table).await?;
    assert_eq!(finding.status, Status::Reported);
    says(&finding, "Shares were gathered 2 times.")?;
    says(&finding, "the share of Bo was listed and not opened, so it counts as zeros: that left a choice")?;
    says(&finding, "the shares before it were given up")?;
    Ok(())
}

#[tokio::test]
async fn what_one_player_sends_without_scripts_is_known_to_the_server_and_waits_for_nobody() -> Result<()> {
    let table = opened_table().await?;
    let mut one = Sharer::of(&table, Seat::P1).await?;
    one.commits(&table).await?.says(" received.")?.says("A share, kept in the browser that sent it")?;
    table.p2.submits("fourteen bottles").await?.says(" received.")?;
    table.closes().await?;
    let unsigned = json!({ "key": "00".repeat(32), "value": Share::of_line("fourteen bottles").to_hex() }).to_string();
    let id = table.fresh("two");
    let fields = [("decision", "d1"), ("submit", id.as_str()), ("opened", &unsigned)];
    let two = table.p2.guest.post(&format!("{}/open", table.p2.home), &fields).await?;
    two.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("This question is not for you")?;
    one.opens(&table).await?.is(StatusCode::OK)?;
    waits(&table, "the seed", is_seeded).await?;
    let given = table.history().await?.seeds[0].fixed.clone().context("a seed")?.given;
    assert_eq!(given.p2, Some(Share::of_line("fourteen bottles")));
    ends(&table).await?;
    let finding = fifth(&table).await?;
    assert_eq!(finding.status, Status::Reported);
    says(
        &finding,
        "The share of Bo was known to the server before it was listed: the host could have chosen together with",
    )
}

#[tokio::test]
async fn a_program_opens_the_share_that_its_seat_kept() -> Result<()> {
    let table = opened_table().await?;
    let mut one = Sharer::of(&table, Seat::P1).await?;
    one.commits(&table).await?.says(" received.")?;
    table.p2.submits("fourteen bottles").await?.says(" received.")?;
    let token = |link: String| anyhow::Ok(link.rsplit('/').next().context("a token")?.to_owned());
    let seat = Program::with(&table.site, token(table.link("p1").await?)?);
    let other = Program::with(&table.site, token(table.link("p2").await?)?);
    assert_eq!(seat.get("/api/v1/seat").await?.is(StatusCode::OK)?["opens"], json!(null));
    table.closes().await?;
    let history = table.history().await?;
    let list = history.awaited_openings().context("the list")?.clone();
    let opens = seat.get("/api/v1/seat").await?.is(StatusCode::OK)?["opens"].clone();
    let (leaf, deadline) = (list.leaf.to_string(), list.deadline().to_string());
    assert_eq!(opens, json!({ "decision": "d1", "listed": list.entry.0, "leaf": leaf, "deadline": deadline }));
    let known = other.get("/api/v1/seat").await?.is(StatusCode::OK)?;
    assert_eq!(known["opens"], json!(null), "the server opens what it sealed");

    let opened: serde_json::Value = serde_json::from_str(&one.opening(&history, covering(&table, &history).await?)?)?;
    let signed = json!({ "signature": opened["signature"], "size": opened["size"], "root": opened["root"] });
    let body = json!({ "decision": "d1", "key": opened["key"], "value": opened["value"], "signed": signed });
    let receipt = seat.post("/api/v1/seat/openings", "open", &body).await?.is(StatusCode::CREATED)?;
    assert_eq!(receipt["decision"], "open-d1");
    assert_eq!(seat.post("/api/v1/seat/openings", "open", &body).await?.is(StatusCode::CREATED)?, receipt);
    waits(&table, "the seed", is_seeded).await?;
    ensure!(table.history().await?.seeds[0].opened.as_ref().is_some_and(|opened| opened.signed.p1));

    let umpire = Program::of(&table.site, app::account::Scope::Umpire).await?;
    let at = format!("/api/v1/matches/{}", table.slug);
    let head = umpire.get(&format!("{at}/state")).await?.is(StatusCode::OK)?["head"].clone();
    let shares = json!({ "head": head, "text": "Bo wants to keep his share, too" });
    umpire.post(&format!("{at}/shares"), "anew", &shares).await?.is(StatusCode::OK)?;
    waits(&table, "asked again", |history| history.seeds.len() == 2 && history.open.len() == 1).await
}

#[tokio::test]
async fn a_seat_without_a_key_keeps_no_share() -> Result<()> {
    let table = opened_table().await?;
    let page = table.p1.page().await?;
    let sealed = json!({ "commitments": [Commitment::new([9; 32])], "openings": [] }).to_string();
    let (decision, submit) = (page.field("decision")?, page.field("submit")?);
    let fields = [("decision", decision.as_str()), ("submit", &submit), ("sealed", &sealed)];
    let refused = table.p1.guest.post(&format!("{}/submit", table.p1.home), &fields).await?;
    refused.is(StatusCode::FORBIDDEN)?.says("Only a seat with a key keeps its share")?;
    Ok(())
}

#[tokio::test]
async fn after_a_strike_only_what_was_never_drawn_follows_from_new_shares() -> Result<()> {
    let site = Site::seeded("shares").await?;
    let table = Table::recorded_with(site, DEAL, &[("dmo", "p2")]).await?;
    table.records("the owl is late", "fourteen bottles").await?;
    let mut numbers = SplitMix64(5);
    plays(&table, &mut numbers, 8).await?;
    let before = table.history().await?;
    table.act("rule", &[("result", "void"), ("clause", ""), ("text", "Called off")]).await?.is(StatusCode::OK)?;
    table.act("end", &[]).await?.is(StatusCode::OK)?;
    let last = table.history().await?.next_step() - 1;
    let to = format!("{}/strike", table.console);
    let dry_run = table.umpire.get(&format!("{to}?from={last}")).await?;
    table.umpire.fills_in(&dry_run, &to, &[("reason", "The players go on")]).await?.is(StatusCode::OK)?;
    for _ in 0..60 {
        if table.history().await?.needs_new_shares() {
            break;
        }
        plays(&table, &mut numbers, 1).await?;
    }
    let console = table.umpire.get(&table.console).await?;
    console.says("The draws need new shares")?.says("Shuffle again")?;
    ensure!(!console.text.contains("name=\"keyed\""), "nothing is drawn before");
    table.act("shares", &[("clause", ""), ("text", "The match goes on")]).await?.is(StatusCode::OK)?;
    table.records("blue", "red").await?;
    plays(&table, &mut numbers, 8).await?;
    let history = table.history().await?;
    for draw in &history.draws {
        let drawn_before = before.draws.iter().any(|other| other.index == draw.index);
        assert_eq!(draw.seed, usize::from(!drawn_before), "draw {}", draw.index);
    }
    ensure!(history.draws.iter().any(|draw| draw.seed == 1), "{:?}", history.draws);
    if !history.outcome().is_over() {
        table.act("rule", &[("result", "void"), ("clause", ""), ("text", "Enough")]).await?.is(StatusCode::OK)?;
    }
    table.act("end", &[]).await?.is(StatusCode::OK)?;
    let finding = fifth(&table).await?;
    says(&finding, "Shares were gathered 2 times.")?;
    says(&finding, "for what was never drawn before")
}

/// This many random steps of a recorded match, with draws by key.
async fn plays(table: &Table, numbers: &mut SplitMix64, steps: usize) -> Result<()> {
    for _ in 0..steps {
        let history = table.history().await?;
        let Some(ask) = history.duel().asks().pop().filter(|_| !history.needs_new_shares()) else { return Ok(()) };
        let mut sample = |seat| history.duel().sample(seat, &ask.what, numbers).context("an answer");
        let line = match ask.to {
            To::Host => {
                let page = table.umpire.get(&table.console).await?;
                let form = page.form_with("keyed")?.with("keyed", "yes");
                table.umpire.sends(&format!("{}/record", table.console), &form).await?.is(StatusCode::OK)?;
                continue;
            }
            To::One(seat) => format!("{seat}: {}", sample(seat)?),
            To::Both => format!("{} / {}", sample(Seat::P1)?, sample(Seat::P2)?),
        };
        let page = crate::whole_match::record(&table.umpire, &table.console, &line).await?;
        ensure!(page.status == StatusCode::OK, "{line}: {}", page.text);
    }
    Ok(())
}

/// A browser that sits as the first seat and gave its share with one press.
async fn gives(browser: &Browser, table: &Table, seat: &str) -> Result<()> {
    sits(browser, table, seat).await?;
    browser.until("This browser signs what you send").await?;
    browser.until("Press Send: your browser makes something random.").await?;
    browser.press("form[data-share] .act-buttons .send").await?;
    browser.until(" received.").await?;
    browser.until("A share, kept in the browser that sent it").await
}

#[tokio::test]
async fn browsers_keep_their_shares_and_open_them_by_themselves() -> Result<()> {
    let table = Table::opened(Site::seeded("shares").await?, DEAL, None, &[], &[]).await?;
    let (one, two) = (Browser::open(1100, false, true).await?, Browser::open(1100, false, true).await?);
    gives(&one, &table, "p1").await?;
    gives(&two, &table, "p2").await?;
    one.picture("seat-share").await?;
    table.closes().await?;
    for browser in [&one, &two] {
        browser.until("Your share is opened in the record.").await?;
    }
    one.picture("seat-share-opened").await?;
    waits(&table, "the seed", is_seeded).await?;
    ends(&table).await?;
    let finding = fifth(&table).await?;
    assert_eq!(finding.status, Status::Holds, "{finding:#?}");
    let words = "return new Promise((done) => { const opening = indexedDB.open('matchbook-play', 1); opening.onsuccess = \
        () => { const all = opening.result.transaction('seats').objectStore('seats').getAll(); all.onsuccess = () => \
        done(all.result.map((one) => [Object.keys(one.shares).length, one.opened.found])); }; })";
    let kept = one.client.execute(words, vec![]).await?;
    assert_eq!(kept, json!([[1, true]]));
    two.close().await?;
    one.close().await
}

#[tokio::test]
async fn a_browser_opens_nothing_where_the_host_lists_another_commitment() -> Result<()> {
    let table = Table::opened(Site::seeded("shares").await?, DEAL, None, &["p2"], &[]).await?;
    let browser = Browser::open(1100, false, true).await?;
    gives(&browser, &table, "p1").await?;
    let mut two = Sharer::of(&table, Seat::P2).await?;
    two.commits(&table).await?.says(" received.")?;
    let mut owner = table.site.owner().await?;
    let other = "update submissions set commitments = decode(repeat('ab', 32), 'hex') where seat = 'p1' and commitments is not null";
    ensure!(owner.execute(other).await?.rows_affected() == 1);
    table.closes().await?;
    browser.until("The list of shares holds another one than this browser sent").await?;
    two.opens(&table).await?.is(StatusCode::OK)?;
    table.passes(62);
    waits(&table, "the seed", is_seeded).await?;
    let given = table.history().await?.seeds[0].fixed.clone().context("a seed")?.given;
    ensure!(given.p1.is_none(), "it opened nothing");
    ensure!(table.history().await?.keys[Seat::P1].is_none(), "nor had it signed this commitment");
    browser.close().await
}

#[tokio::test]
async fn a_browser_whose_opening_was_left_out_signs_nothing_more() -> Result<()> {
    let table = Table::opened(Site::seeded("shares").await?, DEAL, None, &["p2"], &[]).await?;
    let browser = Browser::open(1100, false, true).await?;
    gives(&browser, &table, "p1").await?;
    let mut two = Sharer::of(&table, Seat::P2).await?;
    two.commits(&table).await?.says(" received.")?;
    table.closes().await?;
    browser.until("This browser has opened your share").await?;
    // The host drops it, and lists the openings when the time is up.
    let mut owner = table.site.owner().await?;
    let dropped = owner.execute("delete from submissions where seat = 'p1' and decision = 'open-d1'").await?;
    ensure!(dropped.rows_affected() == 1);
    two.opens(&table).await?.is(StatusCode::OK)?;
    table.passes(62);
    waits(&table, "the seed", is_seeded).await?;
    browser.until("The record leaves out the opening of your share that this browser sent").await?;
    let form = table.umpire.get(&table.console).await?.form_with("keyed")?.with("keyed", "yes");
    table.umpire.sends(&format!("{}/record", table.console), &form).await?.is(StatusCode::OK)?;
    // The next question to this seat: what it types is sent nowhere.
    let asked = |seat: Seat| {
        move |history: &History| history.open.iter().any(|open| open.asked.seats.iter().all(|asked| asked.0 == seat))
    };
    waits(&table, "the other seat is asked", asked(Seat::P2)).await?;
    table.types("p2", "start p1").await?.says("What you typed is stored.")?;
    waits(&table, "this seat is asked", asked(Seat::P1)).await?;
    browser.client.refresh().await?;
    browser.until("The record leaves out the opening of your share").await?;
    let before = table.history().await?.head;
    browser.until("So this browser signs nothing more in this match").await?;
    // There is no button to send it with, and sent all the same it goes nowhere.
    fills(&browser, "stand").await?;
    let offers = "return [...document.querySelectorAll('.act-buttons .send')].some((one) => one.checkVisibility())";
    ensure!(browser.client.execute(offers, vec![]).await? == json!(false), "it offers to send");
    browser.until("Moves from this browser do not count").await?;
    browser.client.execute("document.querySelector('form[data-asked]').requestSubmit()", vec![]).await?;
    let sent: i64 =
        sqlx::query_scalar("select count(*) from submissions where seat = 'p1' and decision not in ('d1', 'open-d1')")
            .fetch_one(&mut owner)
            .await?;
    assert_eq!((sent, table.history().await?.head), (0, before));
    let finding = fifth(&table).await?;
    says(&finding, "the share of Ada was listed and not opened")?;
    browser.close().await
}
