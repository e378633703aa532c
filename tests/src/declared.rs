//! Matches of declared games on a site: the whole shelf, opened, played and ended by an umpire, checked after each act and
//! audited.

use std::env;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use app::new_match::{MatchFields, Names};
use app::{Act, Scope, account, by_umpire, form_of};
use engine::dmn::Replay;
use engine::dmn::quotes::split_outside_quotes;
use engine::{BySeat, Seat};
use fantoccini::key::Key;
use ledger::MatchId;
use serde_json::json;

use crate::audit_site::audits;
use crate::browser::Browser;
use crate::heard::Heard;
use crate::play::hidden::{alike, everything};
use crate::play::table::Table;
use crate::site::Site;
use crate::umpire_acts::perform;
use crate::wait::until;

/// A match of the shelf: its declaration, and its lines.
pub(crate) struct Shelved {
    name: String,
    pub(crate) game: String,
    lines: Vec<String>,
}

pub(crate) fn shelf() -> Result<Vec<Shelved>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/declared");
    let mut paths = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|end| end == "dmn"));
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path)?;
        let mut replay = Replay::open(&text).map_err(|errors| anyhow::anyhow!("{errors:?}"))?;
        let game = replay.tags().setup.declared.as_ref().map(|game| game.lines().join("\n"));
        let mut lines = Vec::new();
        while let Some(line) = replay.play(None) {
            lines.push(line.map_err(|errors| anyhow::anyhow!("{errors:?}"))?.played.text);
        }
        let name = path.file_stem().context("a name")?.to_string_lossy().into_owned();
        Ok(Shelved { name, game: game.context("a declaration")?, lines })
    };
    paths.iter().map(read).collect()
}

async fn open(site: &Site, shelved: &Shelved) -> Result<MatchId> {
    let app = &site.app;
    let umpire = account::named(app.pool(), &site.umpire_name).await?;
    let fields = MatchFields {
        ruleset: "declared/1".to_owned(),
        players: Names { p1: "Ada".to_owned(), p2: "Bo".to_owned() },
        game: Some(shelved.game.clone()),
        draws: app::new_match::DrawsWord::Umpire,
        ..MatchFields::default()
    };
    let new = fields.parse(app.public_log.network().hash).map_err(|errors| anyhow::anyhow!("{errors:?}"))?;
    let act = Act { by: by_umpire(&umpire.id), form: form_of(&["shelf", &shelved.name]) };
    Ok(app.commands.open_match(Scope::Record, &act, &new).await?)
}

async fn play(site: &Site, id: MatchId, line: &str) -> Result<()> {
    let app = &site.app;
    let history = app.matches.history(id).await?;
    if let Some(said) = line.strip_prefix("umpire: ") {
        return perform(app, &history, "announce", json!({ "text": said })).await.map(drop);
    }
    if let Some(draw) = line.strip_prefix("host: ") {
        return perform(app, &history, "draw", json!({ "text": draw, "early": true })).await.map(drop);
    }
    let moves =
        line.split_once(". ").filter(|(round, _)| round.parse::<u32>().is_ok()).map_or(line, |(_, moves)| moves);
    let both: Vec<&str> = split_outside_quotes(moves, b'/').map(|(_, sent)| sent.trim()).collect();
    let moves = match both.as_slice() {
        [p1, p2] => BySeat { p1: Some(*p1), p2: Some(*p2) },
        _ => BySeat { p1: line.strip_prefix("p1: "), p2: line.strip_prefix("p2: ") },
    };
    let open = history.open.last().with_context(|| format!("nobody is asked for {line}"))?;
    let act = Act { by: history.umpire_now().clone(), form: form_of(&["line", &history.head.leaf.to_string()]) };
    let moves = BySeat::from_fn(|seat: Seat| moves[seat].map(str::to_owned));
    app.commands.record(&act, id, &open.asked.decision, &moves).await?;
    Ok(())
}

#[tokio::test]
async fn the_whole_shelf_is_played_to_its_end_and_audited() -> Result<()> {
    let site = Site::seeded("declared shelf").await?;
    site.sign_in_link().await?;
    let mut ids = Vec::new();
    for shelved in shelf()? {
        let id = open(&site, &shelved).await.with_context(|| shelved.name.clone())?;
        for line in &shelved.lines {
            play(&site, id, line).await.with_context(|| format!("{}: {line}", shelved.name))?;
            let report = site.app.checks.check(id).await?.1;
            ensure!(report.is_good(), "{}, {line}: {report:#?}", shelved.name);
        }
        let history = site.app.matches.history(id).await?;
        let played: Vec<_> = history.steps.iter().filter_map(|step| step.text.clone()).collect();
        ensure!(played == shelved.lines, "{}: {played:#?}", shelved.name);
        let history = perform(&site.app, &history, "end", json!({})).await?;
        ensure!(history.is_ended() && history.faults.is_empty(), "{}: {:?}", shelved.name, history.faults);
        let report = site.app.checks.check(id).await?.1;
        ensure!(report.is_good(), "{}: {report:#?}", shelved.name);
        ids.push(id);
    }
    site.app.signer().covering(site.app.logs.record().tree_head().await?.size).await?;
    let (good, said) = audits(&site.address, &[]).await?;
    ensure!(good, "{said}");
    // Every page of such a match is there.
    let guest = site.visitor()?;
    for id in &ids {
        for path in ["", "/verify", ".dmn", ".json", ".svg"] {
            let path = format!("/m/{}{path}", app::slug(*id));
            let page = guest.get(&path).await?;
            ensure!(page.status == 200, "{path}: {}", page.status);
        }
    }
    are_read(&site, &ids).await
}

/// One of so many is opened in the browser.
const SHOWN: usize = 8;

/// Every page says that the outcomes are the umpire's, leads to the game, and fits a phone and a desk.
async fn are_read(site: &Site, ids: &[MatchId]) -> Result<()> {
    let guest = site.visitor()?;
    let listed = guest.get("/archive?game=declared").await?;
    listed.says("Verified; outcomes by the umpire")?;
    let found = guest.get("/archive?q=betting+rock").await?;
    found.says("Betting Rock, Paper, Scissors")?;
    let games = guest.get("/games").await?;
    ensure!(games.addresses("/games/")?.len() == ids.len(), "{}", games.text);
    let browser = Browser::open(390, false, true).await?;
    for (n, id) in ids.iter().enumerate() {
        let slug = app::slug(*id);
        let page = guest.get(&format!("/m/{slug}")).await?;
        let game = page.attribute("dd a[href^='/games/']", "href")?;
        let asked = guest.get(&game).await?;
        ensure!(asked.text.contains(&format!("/m/{slug}")), "its match is on the page of the game: {}", asked.text);
        // A few are looked at; for pictures all of them are.
        if n % SHOWN > 0 && env::var_os("MATCHBOOK_SCREENSHOTS").is_none() {
            continue;
        }
        let last = site.app.matches.history(*id).await?.rows().last().map(|row| row.label.clone()).unwrap_or_default();
        let pages = [format!("/m/{slug}"), format!("/m/{slug}/r/{last}/after"), format!("/m/{slug}/verify"), game];
        for (width, height) in [(390, 700), (1280, 800)] {
            browser.resize((width, height)).await?;
            for (page, name) in pages.iter().zip(["match", "replay", "check", "game"]) {
                browser.client.goto(&format!("{}{page}", site.address)).await?;
                browser.fits(page).await?;
                browser.picture(&format!("declared-{n:02}-{name}-{width}")).await?;
            }
        }
    }
    browser.close().await
}

/// A stake and a throw at once, and cards that only their owner sees.
pub(crate) const STAKES: &str = "title Stake and Throw\n\
    counter chips each 10 \"Chips\"\n\
    hand held each hidden of (owl yak)\n\
    hand played each hidden\n\
    ask answer both number 1..chips; pick 1 of (rock paper scissors) clock 60 \"Stake and throw\"\n\
    ask lay both cards 1 from held to played opens umpire\n\
    first answer both";

#[tokio::test]
async fn players_answer_by_controls_and_the_umpire_by_numbers() -> Result<()> {
    let site = Site::seeded("a declared table").await?;
    let table = Table::set(site, "declared/1", false, &["p1", "p2"], &[("game", STAKES)]).await?;
    for (player, stake, throw) in [(&table.p1, "3", "rock"), (&table.p2, "10", "paper")] {
        let page = player.page().await?;
        page.says("max=\"10\"")?.says("value=\"scissors\"")?;
        ensure!(!page.text.contains("Challenged"), "its name is no question of another game");
        let form = page.fields(&["decision", "submit"])?.with_all(&[("part-0", stake), ("part-1", throw)]);
        player.guest.sends(&format!("{}/submit", player.home), &form).await?.says("move received.")?;
    }
    table.closes().await?;
    let console = table.umpire.get(&table.console).await?;
    console.says("Round 1: what happened?")?.says("name=\"count-chips-p1\" value=\"10\"")?;
    // The same question comes next, and is offered once. Answers are told in words, and once.
    console
        .says("<option value=\"next answer both\" selected>")?
        .says("<b>3, rock</b>")?
        .says("recorded round 1: 3, rock /")?;
    let live = table.site.visitor()?.get(&format!("{}/live", table.public())).await?;
    for page in [&console, &live, &table.p1.page().await?] {
        for repeated in ["same question again", "answers Stake", "3; rock", ">rule 1<"] {
            ensure!(!page.text.contains(repeated), "{repeated}: {}", page.text);
        }
    }
    enter_goes_from_field_to_field(&table).await?;
    // Without scripts Enter shows the form again, and says nothing.
    let shown = table.act("announce", &[("count-chips-p1", "7"), ("show", "yes")]).await?;
    shown.says("Nothing is said yet")?.says("name=\"count-chips-p1\" value=\"7\"")?;
    let numbers = [
        ("count-chips-p1", "7"),
        ("count-chips-p2", "13"),
        ("sentence", "Paper \"wraps\" rock"),
        ("next", "next lay both"),
    ];
    table.act("announce", &numbers).await?;
    table.p1.page().await?.says("Paper “wraps” rock".replace(['“', '”'], "&#34;").as_str())?;
    // What only the umpire sees stays closed to all others, and a hand to the opponent.
    for (player, card) in [(&table.p1, "yak"), (&table.p2, "owl")] {
        let page = player.page().await?;
        let form = page.fields(&["decision", "submit"])?.with("pick", card);
        player.guest.sends(&format!("{}/submit", player.home), &form).await?.says("move received.")?;
    }
    table.closes().await?;
    let dmn = table.site.visitor()?.get(&format!("{}.dmn", table.public())).await?;
    dmn.says("2. ? / ?")?;
    let held = |page: &crate::page::Page| page.contents(".plate.them .pc").map(|cards| cards.concat());
    ensure!(!held(&table.p1.page().await?)?.contains("yak"), "the opponent's hand");
    table.umpire.get(&table.console).await?.says("yak")?;
    // A word is corrected, and what follows is replayed.
    let page = table.umpire.get(&format!("{}/correct?step=2", table.console)).await?;
    page.says("chips p1 7; chips p2 13")?;
    let said =
        [("step", "2"), ("said", "chips p1 6; chips p2 14; \"Paper wraps rock\"; next lay both"), ("do", "correct")];
    table.act("correct", &[&said[..], &[("reason", "Typed wrongly")]].concat()).await?;
    table.act("announce", &[("next", "over p2"), ("why", "Out of cards")]).await?;
    table.act("end", &[]).await?;
    ensure!(table.checked().await?.is_good(), "{:#?}", table.checked().await?);
    let score = table.history().await?.duel().score();
    ensure!(score == Some(BySeat { p1: 6, p2: 14 }), "{score:?}");
    // Lists know it by its title.
    table.site.visitor()?.get("/").await?;
    table.umpire.get("/umpire/open").await?.says("Stake and Throw")?;
    Ok(())
}

async fn enter_goes_from_field_to_field(table: &Table) -> Result<()> {
    let browser = Browser::open(390, false, true).await?;
    browser.client.goto(&table.site.sign_in_link().await?).await?;
    browser.sign_in().await?;
    browser.client.goto(&format!("{}{}", table.site.address, table.console)).await?;
    browser.picture("console-word-390").await?;
    browser.at("[name=count-chips-p1]").await?;
    let enter = char::from(Key::Enter);
    for next in ["[name=count-chips-p2]", "[name=sentence]", "[name=next]", "[data-go=say]"] {
        browser.type_keys(&enter.to_string()).await?;
        browser.at(next).await?;
    }
    browser.close().await
}

/// Text of another origin is not written over by the fields beside it.
async fn fields_write_only_where_nothing_was_written(site: &Site) -> Result<()> {
    let browser = Browser::open(1280, false, true).await?;
    browser.client.goto(&site.sign_in_link().await?).await?;
    browser.sign_in().await?;
    browser.client.goto(&format!("{}/umpire/open", site.address)).await?;
    let choose = "const rules = document.querySelector('#ruleset'); rules.value = 'declared/1'; rules.dispatchEvent(new Event('change'))";
    browser.client.execute(choose, vec![]).await?;
    let text = async || browser.client.execute("return document.querySelector('#game').value", vec![]).await;
    browser.types_into("#declare-of", "a b").await?;
    until(async || {
        ensure!(text().await?.to_string().contains("pick 1 of (a b)"), "nothing is written");
        Ok(())
    })
    .await?;
    browser.press("[value='example Bid a number']").await?;
    browser.until("choose a number from 0 to Coins, 60 seconds").await?;
    let scrolled = "return document.querySelector('#game').getBoundingClientRect().top < innerHeight";
    assert_eq!(browser.client.execute(scrolled, vec![]).await?, json!(true), "what was written is out of sight");
    let before = text().await?;
    let asks = "window.asked = 0; const ask = window.fetch.bind(window); window.fetch = (...what) => { window.asked += 1; return ask(...what); }";
    browser.client.execute(asks, vec![]).await?;
    browser.types_into("#declare-title", "Mine").await?;
    browser.types_into("#game", " ").await?;
    until(async || {
        ensure!(browser.client.execute("return window.asked", vec![]).await? == json!(1), "it is not read back once");
        Ok(())
    })
    .await?;
    assert_eq!(text().await?.to_string().trim_end_matches([' ', '"']), before.to_string().trim_end_matches('"'));
    browser.close().await
}

#[tokio::test]
async fn a_game_is_declared_by_filling_in_a_form_and_tried_at_once() -> Result<()> {
    let site = Site::seeded("a form that declares").await?;
    let umpire = site.umpire().await?;
    let page = umpire.get("/umpire/open").await?;
    let form = page.form_to("/umpire/open")?;
    let pressed = async |form: &crate::page::Form, typed: &[(&str, &str)]| {
        umpire.sends("/umpire/open", &form.clone().with_all(typed)).await
    };
    pressed(&form, &[("do", "example Bid a number")])
        .await?
        .says("Dollar Auction")?
        .says("choose a number from 0 to Coins")?;
    let fields = [
        ("declare-title", "Colour Wheel"),
        ("declare-kind", "pick"),
        ("declare-of", "a b c d"),
        ("declare-counters", "Points"),
        ("declare-clock", "60"),
        ("do", "write"),
    ];
    let written = pressed(&form, &fields).await?;
    written
        .says("ask answer both pick 1 of (a b c d) clock 60")?
        .says("both players pick one of a to d, 60 seconds.")?;
    let wrong =
        pressed(&form, &[("ruleset", "declared/1"), ("game", "ask it both pick 1 of ("), ("do", "read")]).await?;
    wrong.says("game-error")?;
    let game = written.content("#game")?;
    let typed = [("ruleset", "declared/1"), ("game", &*game), ("do", "try")];
    let tried = pressed(&written.form_to("/umpire/open")?, &typed).await?;
    ensure!(tried.address.starts_with("/umpire/m/"), "{}: {}", tried.address, tried.text);
    tried.says("Practice")?.says("Colour Wheel")?;
    fields_write_only_where_nothing_was_written(&site).await
}

/// What is filled in and not yet closed is nobody's business in a declared game either.
#[tokio::test]
async fn an_answer_to_a_declared_question_is_hidden_until_it_closes() -> Result<()> {
    let read = async |line: Option<&str>| {
        let (_heard, _guard) = Heard::listening();
        let site = Site::seeded("a declared match").await?;
        let table = Table::set(site, "declared/1", false, &["p1", "p2"], &[("event", "Cup"), ("game", STAKES)]).await?;
        if let Some(line) = line {
            table.p1.submits(line).await?.says("move received.")?;
        }
        everything(&table, false).await
    };
    alike("a declared answer", &read(None).await?, &read(Some("7; paper")).await?)
}
