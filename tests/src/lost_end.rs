//! A log whose end is not what was acknowledged, after a start: pages are served, and nothing is signed or accepted.

use anyhow::{Context, Result, ensure};
use app::signing::StopReason;
use ledger::Checkpoint;
use reqwest::StatusCode;
use sqlx::Executor;

use crate::histories::{goes_on_under_a_new_name, signing, stopped};
use crate::log::{a_match, remark, signed};
use crate::site::Site;

#[tokio::test]
async fn a_log_that_lost_its_end_is_served_after_a_start_and_neither_signed_nor_written() -> Result<()> {
    for (done, said) in [
        ("delete from entries where pos > (select max(pos) from entries) - 3", "was signed, and the log has"),
        (
            "update entries set bytes = bytes || ' ' where pos = (select max(pos) from entries)",
            "its bytes do not have the leaf hash beside them",
        ),
    ] {
        let site = Site::start().await?;
        let (id, head) = a_match(&site.app, "one").await?;
        let head = remark(&site.app, id, head, 5).await?;
        signed(&site, u64::from(head.next.0)).await?;
        let (database, data) = (site.database.clone(), site.data.clone());
        let mut owner = site.owner().await?;
        site.stop().await?;
        owner.execute("create table kept_entries as table entries").await?;
        owner.execute(done).await?;

        let site = Site::node(database.clone(), data.clone(), "checkpoint").await?;
        let found = stopped(&site).await?;
        ensure!(found.to_string().contains(said), "{found}");
        let guest = site.visitor()?;
        guest.get("/log").await?.is(StatusCode::OK)?.says(said)?.says(found.advice())?;
        guest.get("/archive").await?.is(StatusCode::OK)?;
        guest.get("/healthz").await?.is(StatusCode::SERVICE_UNAVAILABLE)?;
        guest.get("/readyz").await?.is(StatusCode::SERVICE_UNAVAILABLE)?;
        let refused = a_match(&site.app, "one more").await.unwrap_err();
        ensure!(refused.to_string().starts_with("Nothing new is accepted at the moment"), "{refused}");

        // What was lost comes back: it goes on by itself, the writer as well.
        owner.execute(sqlx::raw_sql("delete from entries; insert into entries table kept_entries")).await?;
        signing(&site.app).await?;
        a_match(&site.app, "one more").await?;
        ensure!(site.app.workers().first_end().is_none(), "no worker ended");
        site.stop().await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_log_that_lost_its_end_for_good_goes_on_under_a_new_name() -> Result<()> {
    let site = Site::start().await?;
    let (id, head) = a_match(&site.app, "one").await?;
    let head = remark(&site.app, id, head, 4).await?;
    let common = signed(&site, u64::from(head.next.0)).await?;
    let head = remark(&site.app, id, head, 3).await?;
    signed(&site, u64::from(head.next.0)).await?;
    let (database, data) = (site.database.clone(), site.data.clone());
    let mut owner = site.owner().await?;
    site.stop().await?;
    let common = Checkpoint::read(common.parse::<ledger::Note>()?.text())?;
    let lost = format!("delete from entries where pos >= {}", common.tree().size);
    owner.execute(sqlx::AssertSqlSafe(lost)).await?;

    let site = Site::node(database, data.clone(), "checkpoint").await?;
    stopped(&site).await?;
    let (site, _) = goes_on_under_a_new_name(site, &common).await?;
    a_match(&site.app, "one more").await?;
    ensure!(site.app.workers().first_end().is_none(), "no worker ended");
    Ok(())
}

/// The node itself wrote what was lost: it says that it must start again, for the new keys, and none of its workers ends.
#[tokio::test]
async fn a_node_that_wrote_what_was_lost_lives_through_a_succession() -> Result<()> {
    let site = Site::start().await?;
    let (id, head) = a_match(&site.app, "one").await?;
    let head = remark(&site.app, id, head, 4).await?;
    let common = Checkpoint::read(signed(&site, u64::from(head.next.0)).await?.parse::<ledger::Note>()?.text())?;
    let lost = remark(&site.app, id, head, 3).await?;
    signed(&site, u64::from(lost.next.0)).await?;
    let mut owner = site.owner().await?;
    let size = common.tree().size;
    let cut = format!("delete from entries where pos >= {size}; delete from tree_heads where size > {size}");
    owner.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(cut))).await?;
    let writer = "select pg_terminate_backend(pid, 60000) from pg_stat_activity \
        where application_name = 'matchbook writer' and datname = current_database()";
    owner.execute(writer).await?;
    stopped(&site).await?;
    let (site, _) = goes_on_under_a_new_name(site, &common).await?;
    a_match(&site.app, "one more").await?;
    remark(&site.app, id, head, 2).await?;
    ensure!(site.app.workers().first_end().is_none(), "no worker ended");
    Ok(())
}

/// What the writer noted is larger than everything that was signed, and the entries end exactly there: the database, the
/// checkpoint file and the signed head were set back together.
#[tokio::test]
async fn a_log_that_was_cut_where_it_was_signed_once_is_neither_signed_nor_written() -> Result<()> {
    let site = Site::start().await?;
    let (id, head) = a_match(&site.app, "one").await?;
    let head = remark(&site.app, id, head, 4).await?;
    let common = Checkpoint::read(signed(&site, u64::from(head.next.0)).await?.parse::<ledger::Note>()?.text())?;
    let size = common.tree().size;
    let path = site.data.path().join("checkpoint");
    let file = std::fs::read(&path)?;
    let head = remark(&site.app, id, head, 3).await?;
    signed(&site, u64::from(head.next.0)).await?;
    let (database, data) = (site.database.clone(), site.data.clone());
    let mut owner = site.owner().await?;
    site.stop().await?;
    std::fs::write(&path, file)?;
    owner.execute("create table kept_entries as table entries").await?;
    let cut = format!(
        "delete from entries where pos >= {size}; delete from tiles; \
         delete from cosignatures where size > {size}; delete from checkpoints where size > {size}; \
         update signed_head set size = last.size, root = last.root \
             from (select size, root from checkpoints order by term desc, size desc limit 1) last"
    );
    owner.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(cut))).await?;

    // It is known once the node is there: an entry before would end the writer, and with it the program.
    let site = Site::node(database, data, "checkpoint").await?;
    let found = site.app.signer().stopped().context("it is signed")?;
    ensure!(matches!(*found, StopReason::End(_)), "{found}");
    let refused = a_match(&site.app, "one more").await.unwrap_err();
    ensure!(refused.to_string().starts_with("Nothing new is accepted at the moment"), "{refused}");
    let guest = site.visitor()?;
    guest.get("/log").await?.is(StatusCode::OK)?.says(found.advice())?;
    guest.get("/readyz").await?.is(StatusCode::SERVICE_UNAVAILABLE)?;

    owner.execute(sqlx::raw_sql("delete from entries; insert into entries table kept_entries")).await?;
    signing(&site.app).await?;
    a_match(&site.app, "one more").await?;
    ensure!(site.app.workers().first_end().is_none(), "no worker ended");
    Ok(())
}
