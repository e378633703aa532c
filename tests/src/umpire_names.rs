//! The public names of umpires: shown beside the pseudonym, in no entry, and removed when they are withdrawn.

use anyhow::{Context, Result, ensure};
use app::account::{self, AccountError, Scope};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::api::Program;
use crate::archive::{rows, text};
use crate::page::Page;
use crate::site::{Guest, Site};
use crate::whole_match::{fixture, open, record};

const COLOSSEUM: &str = "five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn";

async fn called(umpire: &Guest, name: &str) -> Result<Page> {
    umpire.post("/account/name", &[("public", name)]).await
}

/// The pages of a match that name its umpires.
async fn pages(guest: &Guest, public: &str) -> Result<Vec<Page>> {
    let mut pages = Vec::new();
    for path in ["", "?spoilers=no", "/r/2/after"] {
        pages.push(guest.get(&format!("{public}{path}")).await?);
    }
    Ok(pages)
}

/// The files of a match that contain only the record.
async fn record_of(guest: &Guest, public: &str) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for file in [".ndjson", ".bundle", ".dmn"] {
        let page = guest.get(&format!("{public}{file}")).await?;
        page.is(StatusCode::OK)?;
        files.push(page.text);
    }
    Ok(files)
}

/// Umpire Ada Lark is named on pages, in lists, files and the API, and found by the name.
async fn is_named(guest: &Guest, public: &str, id: &str) -> Result<()> {
    let said = format!("Ada Lark ({id})");
    for page in pages(guest, public).await? {
        page.says(&said).with_context(|| page.address.clone())?;
    }
    guest.get(&format!("{public}/r/2/after")).await?.says(&format!("umpire {said}"))?;
    // The filter accepts the name as written and as compared, and the pseudonym as before.
    for query in ["?umpire=Ada+Lark", "?umpire=ADA%20l%C3%A1rk", &format!("?umpire={id}")] {
        let found = rows(guest, query).await?;
        assert_eq!(found.len(), 1, "{query}");
        assert_eq!((text(&found[0], "umpire"), text(&found[0], "umpire_name")), (id, "Ada Lark"));
    }
    assert_eq!(rows(guest, "?umpire=nobody").await?.len(), 0);
    let list = guest.get("/archive").await?;
    list.says("<option value=\"Ada Lark\">")?;
    guest.get(&format!("/archive?umpire={id}")).await?.says(&format!("Umpire: {said}"))?;
    guest.get("/archive.csv").await?.says(",Ada Lark,0\r\n")?;
    let json: Value = serde_json::from_str(&guest.get(&format!("{public}.json")).await?.text)?;
    assert_eq!(json["umpires"], json!({ id: "Ada Lark" }));
    let listed: Value = serde_json::from_str(&guest.get("/api/v1/matches").await?.text)?;
    assert_eq!(listed["matches"][0]["umpire_name"], json!("Ada Lark"));
    assert_eq!(listed["matches"][0]["umpire"], json!(id));
    Ok(())
}

/// Only the pseudonym stands there.
async fn is_named_no_more(guest: &Guest, public: &str, id: &str) -> Result<()> {
    let mut gone = pages(guest, public).await?;
    for path in ["/archive", "/archive.csv", "/archive.json", "/archive.ndjson", "/api/v1/matches"] {
        gone.push(guest.get(path).await?);
    }
    gone.push(guest.get(&format!("{public}.json")).await?);
    for page in gone {
        ensure!(!page.text.contains("Ada Lark"), "{} still says the name", page.address);
    }
    for page in pages(guest, public).await? {
        page.says(id)?;
    }
    assert_eq!(rows(guest, "?umpire=Ada+Lark").await?.len(), 0);
    Ok(())
}

#[tokio::test]
async fn a_public_name_stands_beside_the_pseudonym_everywhere_but_in_the_record_and_goes_again() -> Result<()> {
    let one = Site::start().await?;
    let two = Site::node(one.database.clone(), one.data.clone(), "checkpoint-two").await?;
    let (umpire, here, there) = (one.umpire().await?, one.visitor()?, two.visitor()?);
    let console = open(&umpire, &fixture(COLOSSEUM)?).await?;
    for round in ["1. grow / claim", "2. grow / steal"] {
        record(&umpire, &console, round).await?;
    }
    // A struck round names the umpire who struck it, on the sheet and at its moment.
    let strike = umpire.get(&format!("{console}/strike?from=2")).await?;
    let (form, head) = (strike.field("form")?, strike.field("head")?);
    let fields = [("form", form.as_str()), ("head", &head), ("from", "2"), ("reason", "Mistyped.")];
    umpire.post(&format!("{console}/strike"), &fields).await?.says("struck")?;
    record(&umpire, &console, "2. grow / score").await?;
    let public = console.replace("/umpire", "");
    one.app
        .public_log
        .placed(one.app.matches.history_of(public.trim_start_matches("/m/")).await?.match_id, &[ledger::Seq(0)])
        .await?;
    let id = text(&rows(&here, "").await?[0], "umpire").to_owned();
    ensure!(id.len() == 12, "{id}");
    for page in pages(&here, &public).await? {
        page.says(&id)?;
    }
    let before = record_of(&here, &public).await?;
    assert_eq!(rows(&here, "").await?[0]["umpire_name"], Value::Null);

    called(&umpire, "  Ada Lark ")
        .await?
        .says("This name is now shown with your pseudonym")?
        .says("value=\"Ada Lark\"")?;
    two.app.index.follow().await?;
    for guest in [&here, &there] {
        is_named(guest, &public, &id).await?;
    }
    // The record is unchanged, byte for byte except for newer checkpoints, and contains only the pseudonym.
    let after = record_of(&here, &public).await?;
    assert_eq!((&after[0], &after[2]), (&before[0], &before[2]));
    ensure!(after.iter().all(|file| !file.contains("Ada Lark")), "the name is in the record");
    here.get(&format!("{public}/verify")).await?.says(&format!("umpire:{id}"))?;

    umpire
        .post("/account/name", &[("public", "Ada Lark"), ("do", "withdraw")])
        .await?
        .says("only the pseudonym is shown")?;
    two.app.index.follow().await?;
    for guest in [&here, &there] {
        is_named_no_more(guest, &public, &id).await?;
    }
    Ok(())
}

/// A public name is told apart from those of accounts and of others, and an account's from public ones. "Head Umpire" is
/// an account.
async fn public_names_are_told_apart(site: &Site, ursula: &Guest, viktor: &Guest, alike: &[&str]) -> Result<()> {
    let (pool, system) = (site.app.pool(), site.app.system());
    for name in alike.iter().chain(&["Head Umpire"]) {
        let refused = called(viktor, name).await?;
        refused.is(StatusCode::UNPROCESSABLE_ENTITY).with_context(|| format!("{name:?}"))?;
    }
    called(ursula, "Ursula").await?.says("This name is now shown")?;
    called(ursula, "Chief Arbiter").await?.says("This name is now shown")?;
    for name in ["Chief Arbit\u{435}r", "CHIEF\u{2009}ARBITER"] {
        called(viktor, name).await?.is(StatusCode::UNPROCESSABLE_ENTITY).with_context(|| format!("{name:?}"))?;
        let refused = account::add(pool, system, &account::OPERATOR, name).await;
        ensure!(matches!(refused, Err(AccountError::Alike(_))), "{name:?}: {refused:?}");
    }
    Ok(())
}

#[tokio::test]
async fn no_name_can_be_mistaken_for_another() -> Result<()> {
    let site = Site::start().await?;
    let (ursula, viktor) = (site.umpire().await?, site.umpire_called("Viktor").await?);
    let formless = ["Head Umpire\u{e000}", "Head\u{2028}Umpire", "Head Umpire\u{fffc}", "Head Umpire\u{1d159}"];
    let spaced =
        ["Head\u{2009}Umpire", "Head\u{200a}Umpire", "He\u{200a}ad Umpire", "HeadUmpire", "Head\u{3000}Umpire"];
    let alike = ["Head Umpire\u{200b}", "Head\u{ad} Umpire", "Head Umpire\u{fe0f}", "Head Umpir\u{435}", "HEAD UMPlRE"];
    let alike = [&alike[..], &["Head Umpire.", "Head-Umpire", "Head_Umpire"]].concat();
    let alike = [&alike[..], &formless, &spaced].concat();
    // Accounts, which an admin or the command line makes.
    let (pool, system) = (site.app.pool(), site.app.system());
    account::add(pool, system, &account::OPERATOR, "Head Umpire").await?;
    for name in &alike {
        let refused = account::add(pool, system, &account::OPERATOR, name).await;
        ensure!(matches!(refused, Err(AccountError::Alike(_) | AccountError::Unseen)), "{name:?}: {refused:?}");
    }
    let pseudonym = account::named(pool, "Ursula").await?.id;
    for name in [format!("umpire:{pseudonym}"), pseudonym] {
        let refused = account::add(pool, system, &account::OPERATOR, &name).await;
        ensure!(matches!(refused, Err(AccountError::Alike(_))), "{name:?}: {refused:?}");
    }
    for name in ["\u{200b}", "\u{ad}\u{fe0f}", "\0", "\u{2800}"] {
        let refused = account::add(pool, system, &account::OPERATOR, name).await;
        ensure!(matches!(refused, Err(AccountError::NoName)), "{name:?}: {refused:?}");
    }
    public_names_are_told_apart(&site, &ursula, &viktor, &alike).await?;
    // Two at once: one of them gets it.
    let names = ["Second Umpire", "Sec\u{43e}nd Umpire", "SECOND UMPIRE", "Second  Umpire"];
    let mut at_once = JoinSet::new();
    for name in names {
        let app = site.app.clone();
        at_once.spawn(async move { account::add(app.pool(), app.system(), &account::OPERATOR, name).await.is_ok() });
    }
    let made = at_once.join_all().await.into_iter().filter(|made| *made).count();
    assert_eq!(made, 1, "umpires with names that look the same");
    // The players of a match: on the page, by the API, and imported.
    let api = Program::of(&site, Scope::Umpire).await?;
    for (n, (one, other, said)) in [
        ("Ada", "Ben\u{200b}", "This name has a character that nobody can see (U+200B)."),
        ("Ada", "Ad\u{430}", "Both names look the same"),
        ("Ada", "\u{ad}", "Both players need a name."),
        ("Ada", "\0", "Both players need a name."),
        ("Zo\u{eb}", "zoe", "Both seats have the same name."),
    ]
    .into_iter()
    .enumerate()
    {
        let typed = [("ruleset", "five-card-trick/dm-colosseum-2"), ("p1", one), ("p2", other)];
        ursula.opens(&typed).await?.says(said)?.is(StatusCode::UNPROCESSABLE_ENTITY)?;
        let body = json!({ "ruleset": "five-card-trick/dm-colosseum-2", "players": { "p1": one, "p2": other } });
        let refused = api.post("/api/v1/matches", &format!("names-{n}"), &body).await?;
        // The API names the character where the page asks for a name.
        ensure!(refused.text.contains(said) || refused.text.contains("nobody can see"), "{}", refused.text);
    }
    let text = fixture(COLOSSEUM)?.text;
    let text = text.lines().map(|line| match line {
        line if line.starts_with("[P1 ") => "[P1 \"Ada\"]",
        line if line.starts_with("[P2 ") => "[P2 \"Ad\u{430}\"]",
        line => line,
    });
    let text: Vec<&str> = text.collect();
    let form = ursula.get("/umpire/import").await?.fields(&["form"])?.with("text", &text.join("\n"));
    ursula.sends("/umpire/import", &form.with("do", "enter")).await?.says("Both names look the same")?;
    assert_eq!(rows(&ursula, "").await?.len(), 0, "nothing was opened");
    Ok(())
}
