//! Practice: played over HTTP like any other match, marked on every page, absent from everything that lists the record,
//! and deleted whole by a database role that can delete nothing else.

use app::Scope;
use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use engine::Seat;
use ledger::MatchId;
use record::verify::verify;
use record::{Bundle, receipts::ReceiptFile};
use reqwest::StatusCode;
use sqlx::types::Uuid;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use store::serving;

use crate::page::Page;
use crate::play::signed::Script;
use crate::play::table::{RULESET, Table};
use crate::site::{Guest, Site};
use crate::whole_match::record;

const MARK: &str = "Practice: not in the record.";
const PRACTICE: &[(&str, &str)] = &[("practice", "on"), ("event", "Rehearsal")];

/// A practice match with both players in their seats.
async fn laid(clocks: bool) -> Result<Table> {
    let site = Site::seeded("practice").await?;
    tokio::spawn(site.app.deadlines.clone().run());
    Table::set(site, RULESET, clocks, &["p1", "p2"], PRACTICE).await
}

/// The lists of the record, and the data for its followers.
pub(crate) async fn lists(guest: &Guest) -> Result<BTreeMap<&'static str, String>> {
    let mut read = BTreeMap::new();
    for path in [
        "/",
        "/archive",
        "/archive?player=Ada",
        "/archive?words=Rehearsal",
        "/archive?running=on",
        "/archive.csv",
        "/archive.ndjson",
        "/archive.dmn",
        "/archive.json",
        "/players",
        "/players?q=Ada",
        "/events",
        "/statistics",
        "/statistics/five-card-trick/dm-colosseum-2",
        "/feed.atom",
        "/checkpoint",
        "/tile/0/000.p/1",
        "/api/v1/matches",
        "/api/v1/matches.ndjson",
    ] {
        let page = guest.get(path).await?;
        read.insert(path, format!("{} {}", page.status, page.text));
    }
    Ok(read)
}

async fn delete(umpire: &Guest, console: &str) -> Result<Page> {
    let address = format!("{console}/delete");
    let page = umpire.get(&address).await?;
    // The form has the page's own address.
    umpire.sends(&address, &page.says("Everything of Ada \u{2013} Bo goes at once")?.fields(&["form"])?).await
}

/// The number of rows in each table that name a match.
pub(crate) async fn rows_of(owner: &mut PgConnection, id: MatchId) -> Result<BTreeMap<String, i64>> {
    let tables: Vec<String> = sqlx::query_scalar(
        "select table_name::text from information_schema.columns where column_name = 'match_id' and table_schema = 'public'",
    )
    .fetch_all(&mut *owner)
    .await?;
    ensure!(tables.len() > 12, "{tables:?}");
    let mut rows = BTreeMap::new();
    for table in tables {
        let count = format!("select count(*) from {table} where match_id = $1");
        let count: i64 = sqlx::query_scalar(AssertSqlSafe(count)).bind(id.0).fetch_one(&mut *owner).await?;
        if count > 0 {
            rows.insert(table, count);
        }
    }
    Ok(rows)
}

async fn id_of(table: &Table) -> Result<MatchId> {
    Ok(table.site.app.matches.match_of(&table.slug).await?)
}

#[tokio::test]
async fn it_is_played_like_any_other_match_and_nothing_that_lists_the_record_knows_it() -> Result<()> {
    let site = Site::seeded("practice").await?;
    let official = Table::recorded(site, RULESET).await?;
    official.records("grow", "claim").await?;
    // The checkpoint follows the log with a delay.
    let history = official.history().await?;
    official.site.app.public_log.placed(history.match_id, &[ledger::Seq(history.head.next.0 - 1)]).await?;
    let site = official.site;
    let anybody = site.visitor()?;
    site.app.index.follow().await?;
    let before = lists(&anybody).await?;

    tokio::spawn(site.app.deadlines.clone().run());
    let table = Table::set(site, RULESET, true, &["p1", "p2"], PRACTICE).await?;
    table.p1.submits("grow").await?.says("move received.")?.says(MARK)?;
    table.p2.submits("claim").await?.says("move received.")?;
    let clock = table.open_clock().await?;
    table.passes(clock + 2);
    table.until("recorded round 1:").await?;
    for _ in 0..2 {
        table.p1.submits("score").await?;
        table.p2.submits("grow").await?;
        table.closes().await?;
    }
    table.act("rule", &[("text", "Both have seen enough."), ("result", "undecided")]).await?;
    table.act("end", &[]).await?.says("is ended")?;
    table.site.app.index.follow().await?;
    assert_eq!(lists(&anybody).await?, before);

    // Every page is marked as practice, and so are the players' files.
    let public = table.public();
    for path in ["", "/r/1/before", "/r/1/choices", "/r/1/after", "/r/3/after", "/verify", "/live", "/r/99/after"] {
        let page = anybody.get(&format!("{public}{path}")).await?;
        page.says(MARK)?.says("<title>Practice: ")?;
    }
    anybody.get(&format!("/embed{public}")).await?.says(MARK)?;
    for path in ["", "/links", "/delete"] {
        table.umpire.get(&format!("{}{path}", table.console)).await?.says(MARK)?;
    }
    let seat = table.p1.page().await?;
    let receipt = seat.attribute("[href^='/play/'][href*='/receipt/']", "href")?;
    table.p1.guest.get(&receipt).await?.says(MARK)?.says("no signed tree will cover it")?;
    let listed = anybody.http.get(format!("{}{public}", anybody.address)).send().await?;
    assert_eq!(listed.headers()["x-robots-tag"], "noindex");
    for file in [".json", ".ndjson", ".dmn", ".svg", ".png", "/r/2/choices.svg"] {
        assert_eq!(anybody.get(&format!("{public}{file}")).await?.status, StatusCode::OK, "{file}");
    }
    table.umpire.get("/umpire").await?.says(", practice")?.says(&table.slug)?;
    Ok(())
}

#[tokio::test]
async fn what_it_shows_is_honest_about_the_log() -> Result<()> {
    let table = laid(false).await?;
    // A seat can sign here, over the current log, although the match is not in it.
    let script = Script::registered(&table).await?;
    script.sends(&table, &table.p1, "grow", "").await?.says("move received.")?;
    script.sends(&table, &table.p1, "grow", "larger").await?.says("a state of the log that the log never signed")?;
    table.p2.submits("claim").await?;
    table.closes().await?;
    let bundle = table.site.visitor()?.http.get(format!("{}{}.bundle", table.site.address, table.public()));
    let bundle = Bundle::read(&bundle.send().await?.bytes().await?)?;
    assert_eq!(bundle.origin.as_str(), format!("{}/practice", table.site.app.origin()));
    ensure!(bundle.logged.is_none(), "nothing shows it in a log");
    let report = verify(&bundle);
    assert_eq!(report.verdict.to_string(), "practice: its entries fit together, but it is not official");
    ensure!(!report.is_good() && report.findings[1].summary.starts_with("This is practice"), "{:?}", report.findings);
    let check = table.site.visitor()?.get(&format!("{}/verify", table.public())).await?;
    check.says("Practice: its entries fit together")?.says("Nothing outside this site vouches for them.")?;
    let proof = table.site.visitor()?.get(&format!("{}/entries/0/proof", table.public())).await?;
    ensure!(!proof.status.is_success(), "{}", proof.text);
    let file = table.p1.guest.get(&format!("{}/receipts.jsonl", table.p1.home)).await?;
    let file = ReceiptFile::read(file.text.as_bytes())?;
    ensure!(!file.is_proven(), "no receipt of practice is proven");
    table.umpire.get(&table.console).await?.says("nothing of this match is in the log")?;
    // The record has it by no key.
    ensure!(table.site.app.matches.recorded_match_of(&table.slug).await.is_err());
    ensure!(table.site.app.logs.record().match_head(id_of(&table).await?).await?.is_none());
    Ok(())
}

#[tokio::test]
async fn deleted_it_is_gone_whole_and_practice_goes_on() -> Result<()> {
    let table = laid(true).await?;
    let id = id_of(&table).await?;
    table.p1.submits("grow").await?;
    table.p2.submits("claim").await?;
    table.closes().await?;
    table.p1.submits("score").await?;
    table.act("private-note", &[("text", "Bo hesitates.")]).await?;
    table.act("note", &[("text", "A remark.")]).await?;
    let moment = table.umpire.get(&format!("{}/r/1/after", table.public())).await?;
    let to = format!("{}/comments", table.public());
    table.umpire.fills_in(&moment, &to, &[("text", "A comment.")]).await?.says("A comment.")?;
    let helper = table.helper("Otto").await?;
    let mut owner = table.site.owner().await?;
    let kept = rows_of(&mut owner, id).await?;
    ensure!(
        ["entries", "submissions", "escrow", "texts", "umpire_notes", "comments", "player_links", "archive"]
            .iter()
            .all(|table| kept.contains_key(*table)),
        "{kept:?}"
    );

    // Another umpire may help, but not delete; and opening the page deletes nothing.
    let refused = delete(&helper, &table.console).await?;
    refused.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("Another umpire runs this practice match")?;
    assert_eq!(rows_of(&mut owner, id).await?, kept);

    // A node that has read it before, and gets no notification.
    let second = Site::node(table.site.database.clone(), table.site.data.clone(), "checkpoint").await?;
    second.app.index.follow().await?;
    let elsewhere = second.umpire().await?;
    elsewhere.get(&table.console).await?.says(MARK)?;

    let deleted = delete(&table.umpire, &table.console).await?;
    assert_eq!((deleted.status, deleted.address.as_str()), (StatusCode::OK, "/umpire"));
    ensure!(!deleted.text.contains(&table.slug), "it is on the desk no more");
    assert_eq!(rows_of(&mut owner, id).await?, BTreeMap::new());
    let left: Vec<(Vec<u8>, Option<Vec<u8>>)> =
        sqlx::query_as("select bytes, submit_id from entries where log_id = 2").fetch_all(&mut owner).await?;
    ensure!(!left.is_empty() && left.iter().all(|(bytes, submit)| bytes.is_empty() && submit.is_none()));
    for site in [&table.site, &second] {
        let anybody = site.visitor()?;
        for path in ["", "/verify", ".json", "/r/1/after", "/live"] {
            let page = anybody.get(&format!("{}{path}", table.public())).await?;
            page.is(StatusCode::NOT_FOUND)?;
        }
    }
    table.p1.page().await?.is(StatusCode::UNAUTHORIZED)?;
    elsewhere.get(&table.console).await?.is(StatusCode::NOT_FOUND)?;

    // Later matches come after it, on every node, even on a new one.
    for site in [&second, &table.site, &Site::node(second.database.clone(), second.data.clone(), "checkpoint").await?] {
        let umpire = site.umpire().await?;
        let typed = [("ruleset", RULESET), ("p1", "Cy"), ("p2", "Di"), ("practice", "on")];
        let console = umpire.opens(&typed).await?.address;
        record(&umpire, &console, "1. grow / claim").await?.says(MARK)?;
        site.app.index.reindex(Scope::Practice).await?;
    }
    let (positions, last): (i64, i64) =
        sqlx::query_as("select count(*), max(pos) from entries where log_id = 2").fetch_one(&mut owner).await?;
    assert_eq!(positions, last + 1, "positions have no gaps, and none was used twice");
    Ok(())
}

#[tokio::test]
async fn nothing_that_serves_can_change_or_delete_the_record() -> Result<()> {
    let table = laid(false).await?;
    let site = &table.site;
    let umpire = &table.umpire;
    let console = umpire.opens(&[("ruleset", RULESET), ("p1", "Cy"), ("p2", "Di")]).await?.address;
    record(umpire, &console, "1. grow / claim").await?;
    let official = site.app.matches.match_of(console.trim_start_matches("/umpire/m/")).await?;
    let mut owner = site.owner().await?;
    let kept = rows_of(&mut owner, official).await?;

    for page in [umpire.get(&format!("{console}/delete")).await?, umpire.post(&format!("{console}/delete"), &[]).await?]
    {
        page.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("what is there stays")?;
    }
    let mut serves = PgConnection::connect_with(&serving(site.database.clone())).await?;
    for table in ["entries", "tree_heads", "submissions", "logs", "checkpoints"] {
        for log in [1, 2] {
            for statement in [
                format!("delete from {table} where log_id = {log}"),
                format!("update {table} set log_id = 2 where log_id = {log}"),
            ] {
                let refused = serves.execute(AssertSqlSafe(statement.clone())).await.err().context(statement)?;
                ensure!(refused.to_string().contains("permission denied"), "{refused}");
            }
        }
        let refused = serves.execute(AssertSqlSafe(format!("truncate {table}"))).await.err().context("truncate")?;
        ensure!(refused.to_string().contains("permission denied"), "{refused}");
    }
    let replaced = "create or replace function delete_practice(practice uuid) returns void language sql as 'select'";
    ensure!(serves.execute(replaced).await.is_err(), "who serves does not own the function");
    // The function deletes only practice, whatever its argument, and uses the tables of the schema.
    serves.execute("create temporary table entries (log_id integer, match_id uuid)").await?;
    sqlx::query("insert into pg_temp.entries values (2, $1)").bind(official.0).execute(&mut serves).await?;
    for id in [official.0, Uuid::nil(), Uuid::max()] {
        let refused = sqlx::query("select delete_practice($1)").bind(id).execute(&mut serves).await;
        let refused = refused.err().with_context(|| format!("{id} was deleted"))?;
        ensure!(refused.to_string().contains("this is no practice match"), "{refused}");
    }
    assert_eq!(rows_of(&mut owner, official).await?, kept);
    let (_, report) = site.app.checks.check(official).await?;
    ensure!(report.verdict.to_string().contains("verified"), "{}", report.verdict);
    ensure!(site.app.commands.delete_practice(&ledger::Author::Server, official).await.is_err());
    ensure!(table.history().await?.name(Seat::P1) == "Ada");
    Ok(())
}
