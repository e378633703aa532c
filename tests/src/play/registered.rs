//! Registered players over HTTP: a key is registered, vouches for a seat, goes on, and is revoked; by the command, by a
//! program, and by a browser.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use app::account;
use engine::Seat;
use fantoccini::Locator;
use ledger::ed25519::SecretKey;
use ledger::{ChainAct, ChainMessage, KeyCode, NextKeyHash, PlayerId, PlayerKey, Sealer, VouchMessage, VouchRequest};
use record::body::{PlayerKeyEntry, RevokedChain, SignedAct};
use record::verify::{Report, Status, verify_players};
use record::{KnownPlayer, Vouching};
use reqwest::StatusCode;
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use super::scripts::sits;
use super::signed::Script;
use super::table::{Player, RULESET, Table};
use crate::browser::Browser;
use crate::page::Page;
use crate::program::binary;
use crate::site::Site;
use crate::wait::until;

/// A player with keys of a test's own.
pub(crate) struct Registered {
    pub(crate) id: PlayerId,
    seed: u8,
}

fn secret(seed: u8, n: u8) -> SecretKey {
    let mut bytes = [seed; 32];
    bytes[0] = n;
    SecretKey::from_seed(&bytes)
}

fn key(seed: u8, n: u8) -> PlayerKey {
    PlayerKey::from(&secret(seed, n))
}

impl Registered {
    fn of(site: &Site, seed: u8) -> Self {
        Self { id: PlayerId::of(site.app.origin(), &key(seed, 0)), seed }
    }

    /// The entry of the n-th key.
    fn enters(&self, site: &Site, n: u8) -> SignedAct {
        let (key, next) = (key(self.seed, n), NextKeyHash::of(&key(self.seed, n + 1)));
        let act = if n == 0 { ChainAct::Register { key, next } } else { ChainAct::Rotate { key, next } };
        let message = ChainMessage { origin: site.app.origin(), player: self.id, act };
        let entry = PlayerKeyEntry { key, next, signature: message.sign(&secret(self.seed, n)) };
        if n == 0 { SignedAct::Registered(entry) } else { SignedAct::Rotated(entry) }
    }

    /// The end of a chain whose present key is the n-th, signed by another of its keys.
    fn revokes(&self, site: &Site, n: u8, by: u8) -> SignedAct {
        let act = ChainAct::Revoke { key: key(self.seed, n) };
        let message = ChainMessage { origin: site.app.origin(), player: self.id, act };
        SignedAct::Revoked(RevokedChain { key: key(self.seed, by), signature: message.sign(&secret(self.seed, by)) })
    }

    async fn vouches(&self, table: &Table, seat: Seat, session: PlayerKey, n: u8) -> Result<Vouching> {
        let request = request(table, seat, session).await?;
        let message = VouchMessage { origin: table.site.app.origin(), request, player: self.id };
        Ok(Vouching { player: self.id, signature: message.sign(&secret(self.seed, n)) })
    }
}

async fn request(table: &Table, seat: Seat, session: PlayerKey) -> Result<VouchRequest> {
    Ok(table.site.app.seats.vouch_request(&*table.history().await?, seat, session))
}

/// Registers a player, by the page.
pub(crate) async fn registers(site: &Site, seed: u8) -> Result<Registered> {
    let player = Registered::of(site, seed);
    let page = hands_in(site, "/registered", &player.enters(site, 0)).await?;
    ensure!(page.address == format!("/registered/{}", player.id), "{}: {}", page.address, page.text);
    Ok(player)
}

async fn hands_in(site: &Site, address: &str, act: &SignedAct) -> Result<Page> {
    site.visitor()?.post(address, &[("signed", &serde_json::to_string(act)?)]).await
}

/// Waits until the log has signed everything that is in it.
async fn everything_is_signed(site: &Site) -> Result<()> {
    let size = site.app.logs.record().size().await?;
    until(async || {
        let note = site.visitor()?.get("/checkpoint").await?.text;
        let signed: u64 = note.lines().nth(1).context("a size")?.parse()?;
        ensure!(signed >= size.0, "{signed} of {} entries are signed", size.0);
        Ok(())
    })
    .await
}

async fn takes_seat(player: &Player, session: &PlayerKey, vouching: &Vouching) -> Result<Page> {
    let fields = [("key", session.to_string()), ("player", vouching.to_string())];
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    player.guest.post(&format!("{}/key", player.home), &fields).await
}

/// The report of somebody who has the match's bundle and knows these players.
async fn report(table: &Table, known: &str) -> Result<Report> {
    let bundle = table.site.app.public_log.bundle(table.history().await?.match_id).await?;
    Ok(verify_players(&bundle, None, &KnownPlayer::read_all(known)?))
}

fn said(report: &Report) -> String {
    report.findings[2].details.iter().map(|detail| detail.text.clone()).collect::<Vec<_>>().join(" | ")
}

#[tokio::test]
async fn two_registered_players_vouch_for_their_seats() -> Result<()> {
    let site = Site::seeded("registered players").await?;
    let (ada, bo) = (registers(&site, 0x51).await?, registers(&site, 0x52).await?);
    hands_in(&site, &format!("/registered/{}", bo.id), &bo.enters(&site, 1)).await?.says("Next key")?;
    everything_is_signed(&site).await?;
    // Nobody takes a chain for a match.
    ensure!(site.app.index.follow().await.is_ok());

    let table = Table::on(site, RULESET, false, &["p1", "p2"]).await?;
    let mut scripts = Vec::new();
    for (player, of, seat, n) in [(&table.p1, &ada, Seat::P1, 0), (&table.p2, &bo, Seat::P2, 1)] {
        let script =
            Script { secret: secret(0x60 + n, 9), seat: if n == 0 { Sealer::P1 } else { Sealer::P2 }, older: None };
        let session = PlayerKey::from(&script.secret);
        let vouching = of.vouches(&table, seat, session, n).await?;
        for _ in 0..2 {
            takes_seat(player, &session, &vouching).await?.is(StatusCode::NO_CONTENT)?;
        }
        scripts.push(script);
    }
    for (p1, p2) in [("grow", "claim"), ("score", "grow")] {
        for (script, player, value) in [(&scripts[0], &table.p1, p1), (&scripts[1], &table.p2, p2)] {
            script.sends(&table, player, value, "").await?.says("move received.")?;
        }
        table.closes().await?;
    }
    let told = "The <a href=\"/registered/";
    table.p1.page().await?.says(&format!("{told}{}\">registered player</a> who vouches", ada.id))?;

    let known = format!("Ada={}\nBo={}\n", key(0x51, 0), key(0x52, 1));
    let found = report(&table, &known).await?;
    assert_eq!(found.verdict.to_string(), "so far verified (signed by registered players)");
    ensure!(found.findings[2].status == Status::Holds, "{:?}", found.findings[2]);
    ensure!(said(&found).contains("Ada is the player whose key you know"), "{}", said(&found));
    assert_eq!(table.checked().await?.verdict, found.verdict, "the site says the same");
    let other = report(&table, &format!("Ada={}\n", key(0x52, 1))).await?;
    ensure!(!other.is_good(), "{}", said(&other));

    // What happens to the keys later changes nothing in this match.
    hands_in(&table.site, &format!("/registered/{}", ada.id), &ada.revokes(&table.site, 0, 1))
        .await?
        .says("Revoked")?;
    let found = report(&table, &known).await?;
    assert_eq!(found.verdict.to_string(), "so far verified (signed by registered players)");

    pages_show_players(&table, &ada, &bo).await?;
    a_withdrawn_vouching_lowers_the_grade(&table, &bo).await
}

/// The pages of both players, and those of their names.
async fn pages_show_players(table: &Table, ada: &Registered, bo: &Registered) -> Result<()> {
    let reader = table.site.visitor()?;
    let page = reader.get(&format!("/registered/{}", bo.id)).await?;
    page.says(&key(0x52, 0).to_string())?.says(&key(0x52, 1).to_string())?.says("as <a href=\"/players/bo\">")?;
    reader.get(&format!("/registered/{}", ada.id)).await?.says("Revoked: no key of this player counts any more")?;
    reader.get("/players/ada").await?.says(&format!("/registered/{}", ada.id))?.says("vouched in 1 match")?;
    let lines = reader.get(&format!("/registered/{}/chain.ndjson", bo.id)).await?;
    assert_eq!(lines.text.lines().count(), 2, "{}", lines.text);
    let told: Value = serde_json::from_str(&reader.get(&format!("/api/v1/registered/{}", bo.id)).await?.text)?;
    assert_eq!(told["key"], key(0x52, 1).to_string());
    assert_eq!(told["entries"].as_array().map(Vec::len), Some(2));
    for nobody in ["/registered/x", "/registered/00000000-0000-4000-8000-000000000000", "/api/v1/registered/x"] {
        reader.get(nobody).await?.is(StatusCode::NOT_FOUND)?;
    }
    let slug = app::slug(bo.id.chain());
    reader.get(&format!("/m/{slug}")).await?.is(StatusCode::NOT_FOUND)?;
    Ok(())
}

async fn a_withdrawn_vouching_lowers_the_grade(table: &Table, bo: &Registered) -> Result<()> {
    let commands = &table.site.app.commands;
    let match_id = table.history().await?.match_id;
    let words = commands.words(match_id).await?;
    let vouching: Vec<_> = words.into_iter().filter(|word| word.text.starts_with(&bo.id.to_string())).collect();
    assert_eq!(vouching.len(), 1);
    ensure!(vouching[0].what().starts_with("Registered player of a seat, entry "), "{}", vouching[0].what());
    let umpire = account::named(table.site.app.pool(), &table.site.umpire_name).await?;
    commands.withdraw(&umpire, match_id, &vouching).await?;
    let found = report(table, "").await?;
    assert_eq!(found.verdict.to_string(), "so far verified (signed with the seats' keys)");
    ensure!(
        said(&found).contains("Bo: this copy does not say who vouched for this key, or it was withdrawn"),
        "{}",
        said(&found)
    );
    let bundle = table.site.app.public_log.bundle(match_id).await?.write();
    ensure!(!String::from_utf8(bundle)?.contains(&bo.id.to_string()), "the bundle names the player no more");
    let kept: Vec<Option<String>> =
        sqlx::query_scalar("select vouching from waiting_keys").fetch_all(table.site.app.pool()).await?;
    ensure!(!kept.iter().flatten().any(|kept| kept.contains(&bo.id.to_string())), "{kept:?}");
    let page = table.site.visitor()?.get(&format!("/registered/{}", bo.id)).await?;
    page.says("This player has vouched in no match yet, or that was withdrawn")?;
    Ok(())
}

#[tokio::test]
async fn what_does_not_hold_is_refused_when_it_is_handed_in() -> Result<()> {
    let site = Site::seeded("refused players").await?;
    let (ada, bo) = (registers(&site, 0x51).await?, registers(&site, 0x52).await?);
    let ended = registers(&site, 0x53).await?;
    hands_in(&site, &format!("/registered/{}", ended.id), &ended.revokes(&site, 0, 0)).await?.says("Revoked")?;
    everything_is_signed(&site).await?;
    let table = Table::on(site, RULESET, false, &["p1", "p2"]).await?;
    let late = registers(&table.site, 0x54).await?;

    let session = key(9, 9);
    let right = ada.vouches(&table, Seat::P1, session, 0).await?;
    let not_signed = "is not signed by the last key that the player had before the match was opened";
    let stranger = Registered { id: PlayerId::of(table.site.app.origin(), &key(0x55, 0)), seed: 0x55 };
    for (vouching, why) in [
        (ada.vouches(&table, Seat::P1, session, 1).await?, not_signed),
        (ada.vouches(&table, Seat::P2, session, 0).await?, not_signed),
        (ada.vouches(&table, Seat::P1, key(8, 8), 0).await?, not_signed),
        (Vouching { player: bo.id, ..right }, not_signed),
        (ended.vouches(&table, Seat::P1, session, 0).await?, "revoked before the match was opened"),
        (late.vouches(&table, Seat::P1, session, 0).await?, "is not under a checkpoint from before"),
        (stranger.vouches(&table, Seat::P1, session, 0).await?, "no player is registered under this id"),
    ] {
        let refused = takes_seat(&table.p1, &session, &vouching).await?;
        refused.is(StatusCode::UNPROCESSABLE_ENTITY)?.says(why)?;
    }
    let fields = [("key", session.to_string()), ("player", "nobody".to_owned())];
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let refused = table.p1.guest.post(&format!("{}/key", table.p1.home), &fields).await?;
    refused.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("A vouching is a player")?;
    ensure!(table.history().await?.keys[Seat::P1].is_none(), "nothing was entered");

    // The first question is open, so both keys wait; one player may not have both seats all the same.
    takes_seat(&table.p1, &session, &right).await?.is(StatusCode::NO_CONTENT)?;
    let both = ada.vouches(&table, Seat::P2, key(8, 8), 0).await?;
    takes_seat(&table.p2, &key(8, 8), &both).await?.says("nobody plays both")?;
    let second = bo.vouches(&table, Seat::P2, key(8, 8), 0).await?;
    takes_seat(&table.p2, &key(8, 8), &second).await?.is(StatusCode::NO_CONTENT)?;

    let practice = Table::set(table.site, RULESET, false, &["p1"], &[("practice", "on")]).await?;
    let vouching = ada.vouches(&practice, Seat::P1, session, 0).await?;
    takes_seat(&practice.p1, &session, &vouching).await?.says("a practice match is no record")?;
    Ok(())
}

#[tokio::test]
async fn chains_take_only_what_their_player_signed() -> Result<()> {
    let site = Site::seeded("chains").await?;
    let ada = Registered::of(&site, 0x51);
    let first = ada.enters(&site, 0);
    let SignedAct::Registered(entry) = first else { anyhow::bail!("no first key") };
    let forged = SignedAct::Registered(PlayerKeyEntry { next: NextKeyHash::of(&key(1, 1)), ..entry });
    hands_in(&site, "/registered", &forged)
        .await?
        .is(StatusCode::UNPROCESSABLE_ENTITY)?
        .says("not signed by its key")?;
    let nothing = site.visitor()?.post("/registered", &[("signed", "{}")]).await?;
    nothing.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("This is not what the browser or the command signed")?;
    for _ in 0..2 {
        hands_in(&site, "/registered", &first).await?.says("First key")?;
    }
    let page = format!("/registered/{}", ada.id);
    hands_in(&site, "/registered", &ada.enters(&site, 1)).await?.says("Hand it in on that player")?;
    let skipped = hands_in(&site, &page, &ada.enters(&site, 2)).await?;
    skipped.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("not the one to which the key before it committed")?;

    let api = format!("{}/api/v1/registered/{}", site.address, ada.id);
    let sends = async |address: &str, act: &SignedAct| -> Result<StatusCode> {
        let request = reqwest::Client::new().post(address).header("content-type", "application/json");
        Ok(request.body(serde_json::to_string(act)?).send().await?.status())
    };
    for _ in 0..2 {
        assert_eq!(sends(&api, &ada.enters(&site, 1)).await?, StatusCode::CREATED);
    }
    let stored = site.app.players.chain(ada.id).await?.context("a chain")?;
    assert_eq!((stored.chain.keys.len(), stored.entries.len()), (2, 2), "sent twice, it is entered once");
    assert_eq!(sends(&api, &ada.revokes(&site, 1, 2)).await?, StatusCode::CREATED);
    hands_in(&site, &page, &ada.enters(&site, 2)).await?.says("was revoked, and nothing follows")?;
    let absent = format!("{}/api/v1/registered/{}", site.address, Registered::of(&site, 0x52).id);
    assert_eq!(sends(&absent, &first).await?, StatusCode::NOT_FOUND);

    // All nodes can read the log again from the start, and leave the chains out of every list.
    ensure!(site.app.index.reindex(app::Scope::Record).await? == 0);
    let source = audit::Source::database(site.app.logs.record().clone()).await?;
    let audited = audit::audit(source, audit::Kept::default(), &std::env::temp_dir()).await?;
    ensure!(audited.is_good() && audited.players == 1 && audited.matches == 0, "{audited}");
    Ok(())
}

/// Runs `matchbook player` with a line on its standard input. Returns its line, and its words.
async fn player_command(arguments: &[&str], typed: &str) -> Result<(String, String)> {
    let mut command = Command::new(binary()?);
    command.arg("player").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = command.kill_on_drop(true).spawn()?;
    running.stdin.take().context("its input")?.write_all(format!("{typed}\n").as_bytes()).await?;
    let ended = running.wait_with_output().await?;
    let words = String::from_utf8(ended.stderr)?;
    ensure!(ended.status.success(), "{words}");
    Ok((String::from_utf8(ended.stdout)?.trim().to_owned(), words))
}

/// The recovery code in the words of the command.
fn code(words: &str) -> Result<String> {
    let code = words.lines().find(|line| KeyCode::read(line).is_ok()).context("a code")?;
    Ok(code.trim().to_owned())
}

fn path(file: &Path) -> Result<&str> {
    file.to_str().context("a path")
}

#[tokio::test]
async fn the_command_keeps_a_key_and_vouches() -> Result<()> {
    let site = Site::seeded("the command").await?;
    let folder = TempDir::new()?;
    let (file, lost) = (folder.path().join("me.json"), folder.path().join("again.json"));
    let origin = site.app.origin().to_string();
    let (line, words) = player_command(&["new", "--origin", &origin, path(&file)?], "").await?;
    let first_code = code(&words)?;
    let page = site.visitor()?.post("/registered", &[("signed", &line)]).await?;
    page.says("First key")?;
    let id = page.address.trim_start_matches("/registered/").to_owned();
    ensure!(words.contains(&id), "{words}");

    // The file is lost: the code goes on.
    let refused = player_command(&["next", path(&file)?], "0000 1111").await.unwrap_err().to_string();
    ensure!(refused.contains("a code has 14 groups of four"), "{refused}");
    let next = ["next", path(&lost)?, "--origin", &origin, "--player", &id];
    let (line, words) = player_command(&next, &first_code).await?;
    ensure!(code(&words)? != first_code);
    site.visitor()?.post(&page.address, &[("signed", &line)]).await?.says("Next key")?;
    let (again, _) = player_command(&["show", path(&lost)?], "").await?;
    assert_eq!(again, line);
    everything_is_signed(&site).await?;

    let table = Table::on(site, RULESET, false, &["p1", "p2"]).await?;
    let session = key(9, 9);
    let VouchRequest { match_id, seat, opened, .. } = request(&table, Seat::P1, session).await?;
    let asked = format!("matchbook/vouch/1 {origin} {match_id} {seat} {opened} {session}");
    let bundle = folder.path().join("match.bundle");
    std::fs::write(&bundle, table.site.app.public_log.bundle(match_id).await?.write())?;
    let vouch = |file| ["vouch", file, &asked, "--bundle", bundle.to_str().unwrap_or_default()];
    let (old, _) = player_command(&vouch(path(&file)?), "").await?;
    let refused = takes_seat(&table.p1, &session, &old.parse()?).await?;
    refused.says("is not signed by the last key that the player had")?;
    let (vouching, words) = player_command(&vouch(path(&lost)?), "").await?;
    ensure!(words.contains("The match: Ada – Bo, five-card-trick/dm-colosseum-2"), "{words}");
    takes_seat(&table.p1, &session, &vouching.parse()?).await?.is(StatusCode::NO_CONTENT)?;
    let elsewhere = asked.replace(&opened.to_string(), &"0".repeat(64));
    let wrong = player_command(&["vouch", path(&lost)?, &elsewhere, "--bundle", path(&bundle)?], "").await;
    ensure!(wrong.unwrap_err().to_string().contains("about another match than the bundle"));

    let (line, _) = player_command(&["revoke", path(&lost)?], "").await?;
    table.site.visitor()?.post(&page.address, &[("signed", &line)]).await?.says("Revoked")?;
    verify_asks_for_a_player(&table, &bundle).await
}

/// `matchbook verify --player` and `--players`.
async fn verify_asks_for_a_player(table: &Table, bundle: &Path) -> Result<()> {
    let script = Script { secret: secret(9, 9), seat: Sealer::P1, older: None };
    script.sends(table, &table.p1, "grow", "").await?.says("move received.")?;
    table.closes().await?;
    std::fs::write(bundle, table.site.app.public_log.bundle(table.history().await?.match_id).await?.write())?;
    let players = bundle.with_file_name("players");
    std::fs::write(&players, format!("# who I know\nBo={}\n", key(1, 1)))?;
    let verify = async |arguments: &[&str]| -> Result<(bool, String)> {
        let ended = Command::new(binary()?).arg("verify").args(arguments).arg(bundle).output().await?;
        Ok((ended.status.success(), String::from_utf8(ended.stdout)?))
    };
    let (good, said) = verify(&[]).await?;
    ensure!(good && said.contains("vouched for this key with key 2 of its chain"), "{said}");
    let (_, rest) = said.split_once("of its chain, ").context("a key")?;
    let known = rest.split(',').next().context("a key")?;
    ensure!(verify(&["--player", &format!("ADA={known}")]).await?.0);
    let (good, said) = verify(&["--player", &format!("Ada={}", key(1, 1))]).await?;
    ensure!(!good && said.contains("Ada is not shown to be the player whose key you know"), "{said}");
    let (good, said) = verify(&["--player", &format!("Cy={known}")]).await?;
    ensure!(!good && said.contains("no seat has the name that you ask for"), "{said}");
    let (good, said) = verify(&["--players", path(&players)?]).await?;
    ensure!(!good && said.contains("Bo is not shown to be the player"), "{said}");
    Ok(())
}

/// The code that a browser shows.
async fn shown_code(browser: &Browser, within: &str) -> Result<String> {
    let code = browser.text_of(&format!("{within} [data-code]")).await?;
    ensure!(KeyCode::read(&code).is_ok(), "{code:?}");
    Ok(code)
}

/// Types the end of a code, as from paper, and sends the form.
async fn confirms(browser: &Browser, within: &str, code: &str) -> Result<()> {
    let again = browser.client.find(Locator::Css(&format!("{within} [data-repeat]"))).await?;
    again.send_keys(&code[code.len() - 4..].to_lowercase()).await?;
    browser.press(&format!("{within} [data-enter]")).await
}

#[tokio::test]
async fn a_browser_registers_vouches_goes_on_and_revokes() -> Result<()> {
    let site = Site::seeded("a registered browser").await?;
    let browser = Browser::open(1100, false, true).await?;
    browser.client.goto(&format!("{}/registered", site.address)).await?;
    browser.press("[data-new] [data-make]").await?;
    browser.until("The last four letters").await?;
    browser.picture("register").await?;
    browser.fits("registering").await?;
    let first = shown_code(&browser, "[data-new]").await?;
    confirms(&browser, "[data-new]", &first).await?;
    browser.until("This browser has the key.").await?;
    let address = browser.client.current_url().await?.path().to_owned();
    let id: PlayerId = address.trim_start_matches("/registered/").parse()?;
    everything_is_signed(&site).await?;

    // The key after it, with the code from paper.
    browser.press("[data-rotates] summary").await?;
    let typed = browser.client.find(Locator::Css("[data-rotates] [data-typed]")).await?;
    typed.send_keys(&first.replace(' ', "")).await?;
    browser.press("[data-rotates] [data-make]").await?;
    browser.until("Your new recovery code").await?;
    let second = shown_code(&browser, "[data-rotates]").await?;
    ensure!(second != first);
    browser.picture("registered-player").await?;
    confirms(&browser, "[data-rotates]", &second).await?;
    browser.until("Next key").await?;
    browser.until("This browser has the key.").await?;
    browser.fits("a registered player").await?;
    everything_is_signed(&site).await?;

    let table = Table::on(site, RULESET, false, &["p2"]).await?;
    sits(&browser, &table, "p1").await?;
    browser.until("Play as a registered player?").await?;
    ensure!(table.history().await?.keys[Seat::P1].is_none(), "the player decides first");
    browser.picture("seat-vouch").await?;
    browser.fits("a seat that vouches").await?;
    browser.press("[data-vouch-yes]").await?;
    browser.until("This browser signs what you send. The key’s name").await?;
    super::scripts::types(&browser, "grow").await?;
    browser.until("move received.").await?;
    table.p2.submits("claim").await?.says("move received.")?;
    table.closes().await?;
    let found = report(&table, "").await?;
    ensure!(found.is_good(), "{found:?}");
    let vouched = format!("Ada: the registered player {id} vouched for this key with key 2 of its chain");
    ensure!(said(&found).contains(&vouched), "{}", said(&found));
    ensure!(said(&found).contains("Ada: 1 submission signed"), "{}", said(&found));

    browser.client.goto(&format!("{}{address}", table.site.address)).await?;
    browser.until("as Ada").await?;
    browser.press("[data-revokes] summary").await?;
    browser.press("[data-revokes] [data-make]").await?;
    browser.until("Revoked: no key of this player counts any more").await?;
    browser.close().await
}
