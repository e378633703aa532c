//! Every reason to stop the log from signing two histories, and its continuation.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use app::App;
use app::keys::Keys;
use app::signing::{FileError, Reason, SigningState, StopReason, plan};
use app::system::System;
use audit::{LogTrust, Source, audit};
use ledger::{Checkpoint, Head, KeyName, MatchId, Policy, TreeSize};
use record::verify::verify_by;
use reqwest::StatusCode;
use sqlx::postgres::PgConnectOptions;
use sqlx::{Executor, PgConnection, PgPool, Row};
use store::Contradiction;
use store::database::separate_pool;
use tempfile::TempDir;

use crate::log::{Reader, a_match, remark, root, signed};
use crate::site::Site;
use crate::succession::{all_verify, new_term};

/// The signer's state, once the condition holds.
pub(crate) async fn once(site: &Site, so: impl Fn(&SigningState) -> bool) -> Result<SigningState> {
    let mut watch = site.app.signer().watch();
    let standing = tokio::time::timeout(Duration::from_secs(30), watch.wait_for(|now| so(now))).await;
    Ok(standing.context("it does not come to that")??.clone())
}

pub(crate) async fn stopped(site: &Site) -> Result<StopReason> {
    let standing = once(site, |now| now.stopped.is_some()).await?;
    Ok((*standing.stopped.context("stopped")?).clone())
}

/// Makes the database like an older backup: everything up to a size, and nothing later. The seals of tables outside the
/// log do not matter here.
async fn roll_back(owner: &mut PgConnection, size: u64) -> Result<()> {
    for table in ["checkpoints", "cosignatures", "tree_heads"] {
        let delete = format!("delete from {table} where size > {size}");
        owner.execute(sqlx::AssertSqlSafe(delete)).await?;
    }
    owner.execute(sqlx::AssertSqlSafe(format!("delete from entries where pos >= {size}"))).await?;
    owner
        .execute(
            "update signed_head set size = last.size, root = last.root \
             from (select size, root from checkpoints order by term desc, size desc limit 1) last",
        )
        .await?;
    owner.execute("delete from tiles").await?;
    Ok(())
}

/// A node without a checkpoint file, which signs nothing new.
async fn held(database: &PgConnectOptions, data: &TempDir) -> Result<App> {
    let (system, pool) = (Arc::new(System::real()), PgPool::connect_lazy_with(store::serving(database.clone())));
    let keys = Keys::open(data.path(), &system)?;
    Ok(App::open_held(separate_pool(&pool, 4), system, keys, None, data.path().join("lost")).await?)
}

/// Waits until an app's signer has published what was signed before, and has no reason to stop.
pub(crate) async fn signing(app: &App) -> Result<()> {
    let mut watch = app.signer().watch();
    let standing = watch.wait_for(|now| now.signed.is_some() && now.stopped.is_none());
    tokio::time::timeout(Duration::from_secs(30), standing).await.context("it does not sign")??;
    Ok(())
}

/// The log continues under a new name, which names its predecessor. Returns a reader who knows the new name's key.
pub(crate) async fn goes_on_under_a_new_name(site: Site, common: &Checkpoint) -> Result<(Site, Reader)> {
    let (site, planned) = new_term(site, Reason::Lost, true).await?;
    assert_eq!(planned.common, common.tree());
    signing(&site.app).await?;
    assert_eq!(planned.origin, format!("{}/2", site.app.origin()).parse()?);
    let reader = Reader::of(&site).await?;
    assert_eq!(*reader.key.name(), KeyName::from(&planned.origin));
    let next = reader.checkpoint().await?;
    let line = format!("succeeds {} {} {}", site.app.origin(), common.tree().size, common.tree().root.to_base64());
    let said = next.extensions().iter().map(ToString::to_string).collect::<Vec<_>>();
    ensure!(said.len() == 1 && said[0].starts_with(&format!("{line} {} ", reader.key)), "{said:?}");
    let leaves = reader.follow(&next).await?;
    assert_eq!(root(&leaves[..common.tree().size.0 as usize]), common.tree().root);
    Ok((site, reader))
}

/// An audit checks the rest of the log against the first name, and reports the loss as no fault.
async fn audits_both_names(
    site: &Site,
    owner: &mut PgConnection,
    reader: &Reader,
    (lost, lost_note): (&Checkpoint, &str),
) -> Result<()> {
    owner
        .execute(
            sqlx::query(
                "insert into checkpoints (log_id, term, size, root, note, at) values (1, 0, $1, $2, $3, now())",
            )
            .bind(lost.tree().size.0 as i64)
            .bind(lost.tree().root.bytes().as_slice())
            .bind(lost_note.as_bytes()),
        )
        .await?;
    let scratch = tempfile::tempdir()?;
    let report =
        audit(Source::database(site.app.logs.record().clone()).await?, audit::Kept::default(), scratch.path()).await?;
    ensure!(report.is_good(), "{report}");
    ensure!(report.to_string().contains("not checked: 1 of the checkpoints under earlier names"), "{report}");
    let report = audit(
        Source::site(&site.address, &LogTrust { key: Some(reader.key.clone()), policy: None }).await?,
        audit::Kept::default(),
        scratch.path(),
    )
    .await?;
    ensure!(report.is_good(), "{report}");
    owner
        .execute("delete from checkpoints where term = 0 and at = (select max(at) from checkpoints where term = 0)")
        .await?;
    Ok(())
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one story from the loss to the last check")]
async fn a_restored_older_database_is_not_signed_and_goes_on_under_a_new_name() -> Result<()> {
    let site = Site::start().await?;
    let reader = Reader::of(&site).await?;
    let (id, head) = a_match(&site.app, "one").await?;
    let head = remark(&site.app, id, head, 4).await?;
    signed(&site, u64::from(head.next.0)).await?;
    let common = reader.checkpoint().await?;
    let copy = site.app.public_log.bundle(id).await?;
    remark(&site.app, id, head, 5).await?;
    signed(&site, common.tree().size.0 + 5).await?;
    let lost = reader.checkpoint().await?;
    let lost_copy = site.app.public_log.bundle(id).await?;
    let lost_note = site.visitor()?.get("/checkpoint").await?.text;
    let (database, data) = (site.database.clone(), site.data.clone());
    let key = reader.key.clone();
    drop(reader);
    let mut owner = site.owner().await?;
    site.stop().await?;

    // The backup lacks the checkpoints signed after it; the file has them.
    roll_back(&mut owner, common.tree().size.0).await?;
    let site = Site::node(database.clone(), data.clone(), "checkpoint").await?;
    let shorter = Contradiction::Shorter { signed: lost.tree().size, size: common.tree().size };
    assert_eq!(stopped(&site).await?, StopReason::Log(shorter));
    let guest = site.visitor()?;
    let page = guest.get("/checkpoint").await?;
    page.is(StatusCode::SERVICE_UNAVAILABLE)?;
    let said = format!("a tree of {} entries was signed, and the log has {}", lost.tree().size, common.tree().size);
    page.says(&said)?;
    guest.get("/log").await?.says(&said)?.says("matchbook log succeed")?;
    guest.get("/healthz").await?.says("\"signing\":\"stopped\"")?.says("matchbook log succeed")?;

    // Nothing new is accepted, and an umpire sees a notice.
    let umpire = site.umpire().await?;
    umpire.get("/umpire").await?.says("Nothing new is accepted at the moment")?.says(&said)?;
    let refused = remark(&site.app, id, site.app.matches.history(id).await?.head, 1).await.unwrap_err();
    ensure!(refused.to_string().starts_with("Nothing new is accepted at the moment"), "{refused}");
    // Also when the log has grown beyond the signed size, on a node that did not know of the loss.
    let unknowing = held(&database, &data).await?;
    unknowing.public_log.confirm_last_checkpoint(common.tree().size).await?;
    signing(&unknowing).await?;
    remark(&unknowing, id, unknowing.matches.history(id).await?.head, 30).await?;
    let size = unknowing.logs.record().size().await?;
    let reader = Reader { guest: site.visitor()?, key };
    assert_eq!(reader.bytes(&format!("/tile/entries/000.p/{size}")).await?, None, "nothing is served unsigned");
    let site = Site::node(database.clone(), data.clone(), "checkpoint").await?;
    let found = stopped(&site).await?;
    ensure!(
        matches!(found, StopReason::Log(Contradiction::Different { size, .. }) if size == lost.tree().size),
        "{found}"
    );

    let (site, reader) = goes_on_under_a_new_name(site, &common).await?;
    let page = umpire.http.get(format!("{}/log", site.address)).send().await?.text().await?;
    ensure!(page.contains("Earlier names"), "{page}");

    audits_both_names(&site, &mut owner, &reader, (&lost, &lost_note)).await?;
    // One policy verifies copies from before, of what was lost, too, and new downloads, which say what was lost.
    all_verify(&site, &[copy]).await?;
    let policy = Policy::read(site.app.public_log.policy_text().as_bytes())?;
    ensure!(verify_by(&lost_copy, &policy).is_accepted());
    let said = verify_by(&site.app.public_log.bundle(id).await?, &policy).findings[1].summary.clone();
    ensure!(said.contains("the last 5 entries are lost"), "{said}");

    // Now there is nothing to succeed, and an even older backup, from before the succession, stops again.
    let file = data.path().join("checkpoint");
    let sound = plan(site.app.logs.record(), site.app.signer().terms(), file, Reason::Lost).await.unwrap_err();
    ensure!(sound.to_string().starts_with("the log extends everything that it signed"), "{sound}");
    owner.execute("delete from successions; delete from checkpoints where term = 1").await?;
    owner.execute("update signed_head set term = 0").await?;
    let site = Site::node(database, data, "checkpoint").await?;
    ensure!(
        matches!(stopped(&site).await?, StopReason::File(_)),
        "the file knows of an origin that the database does not"
    );
    Ok(())
}

#[tokio::test]
async fn entries_that_were_cut_off_or_altered_stop_the_signing() -> Result<()> {
    for (done, said) in [
        ("delete from entries where pos >= 4; delete from tree_heads where size > 4", "was signed, and the log has 4"),
        (
            "update entries set bytes = bytes || ' ' where pos = 2",
            "position 2: its bytes do not have the leaf hash beside them",
        ),
        (
            "update entries set bytes = bytes || ' ', leaf = sha256('\\x00'::bytea || bytes || ' ') where pos = 2",
            "entries are not those that were signed: their root is",
        ),
        ("delete from entries where pos = 2", "position 2 is missing"),
    ] {
        let site = Site::start().await?;
        let (id, head) = a_match(&site.app, "one").await?;
        let head = remark(&site.app, id, head, 5).await?;
        signed(&site, u64::from(head.next.0)).await?;
        site.owner().await?.execute(done).await?;
        // With its file, and without: then the row remembers.
        for without in [false, true] {
            if without {
                std::fs::remove_file(site.data.path().join("checkpoint"))?;
            }
            let again = Site::node(site.database.clone(), site.data.clone(), "checkpoint").await?;
            let mut found = stopped(&again).await?.to_string();
            if without {
                // The operator says that the row is right, and the log still is not.
                ensure!(found.contains("is not there"), "{done}: {found}");
                let last = again.app.logs.record().latest_checkpoint().await?.context("signed")?.tree.size;
                again.app.public_log.confirm_last_checkpoint(last).await?;
                let other = |why: &Arc<StopReason>| why.to_string() != found;
                found =
                    once(&again, |now| now.stopped.as_ref().is_some_and(other)).await?.stopped.context("")?.to_string();
            }
            ensure!(found.contains(said), "{done}: {found}");
            again.stop().await?;
        }
    }
    Ok(())
}

#[tokio::test]
async fn two_nodes_on_one_database_sign_one_history() -> Result<()> {
    let one = Site::start().await?;
    // Each node has a checkpoint file of its own; that of a new one is a copy.
    signed(&one, 0).await?;
    std::fs::copy(one.data.path().join("checkpoint"), one.data.path().join("other-checkpoint"))?;
    let two = Site::node(one.database.clone(), one.data.clone(), "other-checkpoint").await?;
    let (first, second) = (a_match(&one.app, "one").await?, a_match(&two.app, "two").await?);
    let work = async |site: &Site, (id, mut head): (MatchId, Head)| -> Result<()> {
        for _ in 0..20 {
            head = remark(&site.app, id, head, 3).await?;
            let size = site.app.logs.record().size().await?;
            let signed = site.app.signer().covering(size).await?;
            ensure!(signed.size >= size);
        }
        Ok(())
    };
    let (here, there) = tokio::join!(work(&one, first), work(&two, second));
    here.and(there)?;
    let size = one.app.logs.record().size().await?;
    signed(&one, size.0).await?;
    let reader = Reader::of(&two).await?;
    once(&two, |now| now.signed.as_ref().is_some_and(|signed| signed.size == size)).await?;
    let leaves = reader.follow(&reader.checkpoint().await?).await?;
    let notes = sqlx::query("select size, note from checkpoints").fetch_all(&mut one.owner().await?).await?;
    ensure!(notes.len() >= 20);
    for row in &notes {
        let checkpoint = reader.open(std::str::from_utf8(row.get("note"))?)?;
        let size = row.get::<i64, _>("size") as usize;
        assert_eq!((checkpoint.tree().size.0 as usize, checkpoint.tree().root), (size, root(&leaves[..size])));
    }
    Ok(())
}

#[tokio::test]
async fn cut_short_at_any_step_the_next_start_signs_the_same() -> Result<()> {
    let site = Site::start().await?;
    let (id, head) = a_match(&site.app, "one").await?;
    let first = signed(&site, u64::from(head.next.0)).await?;
    let head = remark(&site.app, id, head, 4).await?;
    let second = signed(&site, u64::from(head.next.0)).await?;
    let (database, data) = (site.database.clone(), site.data.clone());
    let file = data.path().join("checkpoint");
    assert_eq!(std::fs::read_to_string(&file)?, second);
    let mut owner = site.owner().await?;
    site.stop().await?;

    // After the file and before the row: the head and the checkpoints are the previous ones.
    owner.execute("delete from checkpoints where size = (select size from signed_head)").await?;
    owner
        .execute(
            "update signed_head set size = last.size, root = last.root \
             from (select size, root from checkpoints order by size desc limit 1) last",
        )
        .await?;
    let site = Site::node(database.clone(), data.clone(), "checkpoint").await?;
    assert_eq!(signed(&site, u64::from(head.next.0)).await?, second, "the same tree, in the same bytes");
    site.stop().await?;

    // After the row and before its publication: another start publishes it. On a machine that was off, the file is
    // older.
    std::fs::write(&file, first)?;
    let site = Site::node(database.clone(), data.clone(), "checkpoint").await?;
    assert_eq!(signed(&site, u64::from(head.next.0)).await?, second);
    assert_eq!(std::fs::read_to_string(&file)?, second, "and the file remembers it again");
    site.stop().await?;
    let count: i64 = sqlx::query_scalar("select count(*) from checkpoints").fetch_one(&mut owner).await?;
    let sizes: i64 = sqlx::query_scalar("select count(distinct size) from checkpoints").fetch_one(&mut owner).await?;
    assert_eq!(count, sizes);
    Ok(())
}

#[tokio::test]
async fn a_file_or_key_of_another_log_stops_it() -> Result<()> {
    let (site, other) = (Site::start().await?, Site::start().await?);
    signed(&site, 0).await?;
    let foreign = signed(&other, 0).await?;
    for text in [foreign.as_str(), "", "not a note\n"] {
        std::fs::write(site.data.path().join("checkpoint"), text)?;
        let again = Site::node(site.database.clone(), site.data.clone(), "checkpoint").await?;
        let found = stopped(&again).await?.to_string();
        ensure!(found.ends_with("does not hold a checkpoint that was signed with this log\u{2019}s key"), "{found}");
        ensure!(a_match(&again.app, "one").await.is_err(), "nothing new is accepted");
    }
    let mixed = Site::node(site.database.clone(), other.data.clone(), "mixed").await;
    let refused = mixed.err().context("another key is refused")?.to_string();
    ensure!(refused.starts_with("keys/log.key is not the key of this log"), "{refused}");
    Ok(())
}

#[tokio::test]
async fn what_a_witness_holds_against_the_log_is_remembered() -> Result<()> {
    let site = Site::start().await?;
    let (id, head) = a_match(&site.app, "one").await?;
    let head = remark(&site.app, id, head, 4).await?;
    let size = u64::from(head.next.0);
    let held = signed(&site, size).await?;
    let signer = site.app.signer();
    signer.contradicted("witness.example", "it has 900 entries", &held.parse()?);
    let seen = StopReason::Seen { by: "witness.example".to_owned(), what: "it has 900 entries".to_owned() };
    assert_eq!(stopped(&site).await?, seen);
    ensure!(remark(&site.app, id, head, 1).await.is_err(), "nothing new is accepted");
    let refused = signer.covering(TreeSize(size + 1)).await.unwrap_err();
    ensure!(refused.to_string().starts_with("the log is not signed any more: witness.example holds"), "{refused}");

    // Everything else was rolled back, including the file; the checkpoint that the witness shows is stored in its
    // place.
    roll_back(&mut site.owner().await?, 4).await?;
    std::fs::remove_file(site.data.path().join("checkpoint"))?;
    signer.contradicted("witness.example", "it has more entries", &held.parse()?);
    let again = Site::node(site.database.clone(), site.data.clone(), "checkpoint").await?;
    let shorter = Contradiction::Shorter { signed: TreeSize(size), size: TreeSize(4) };
    assert_eq!(stopped(&again).await?, StopReason::Log(shorter));
    Ok(())
}

/// The size and the last entry of the log.
async fn stands(site: &Site, id: MatchId) -> Result<(TreeSize, Head)> {
    Ok((site.app.logs.record().size().await?, site.app.matches.history(id).await?.head))
}

#[tokio::test]
async fn without_its_checkpoint_file_the_log_takes_nothing_until_the_operator_says_what_was_signed_last() -> Result<()>
{
    let site = Site::start().await?;
    let (id, head) = a_match(&site.app, "one").await?;
    let size = u64::from(head.next.0);
    let note = signed(&site, size).await?;
    let (database, data) = (site.database.clone(), site.data.clone());
    let file = data.path().join("checkpoint");
    site.stop().await?;
    std::fs::remove_file(&file)?;

    // An older backup looks the same, and would be signed on.
    let site = Site::node(database, data.clone(), "checkpoint").await?;
    let missing = FileError::Missing { path: file.clone(), size: TreeSize(size) };
    assert_eq!(stopped(&site).await?, StopReason::File(missing));
    let before = stands(&site, id).await?;
    ensure!(remark(&site.app, id, before.1, 1).await.is_err());
    assert_eq!(stands(&site, id).await?, before);
    let health = site.visitor()?.get("/healthz").await?;
    health.is(StatusCode::SERVICE_UNAVAILABLE)?.says("--last-checkpoint")?;

    // Another number is not believed.
    ensure!(site.app.public_log.confirm_last_checkpoint(TreeSize(size + 1)).await.is_err());
    site.app.public_log.confirm_last_checkpoint(TreeSize(size)).await?;
    signing(&site.app).await?;
    assert_eq!(std::fs::read_to_string(&file)?, note);
    remark(&site.app, id, before.1, 1).await?;
    signed(&site, size + 1).await?;
    site.visitor()?.get("/healthz").await?.is(StatusCode::OK)?;

    // Its word was for that one tree: a file that is lost later is missed again.
    std::fs::remove_file(&file)?;
    ensure!(matches!(stopped(&site).await?, StopReason::File(FileError::Missing { .. })));
    Ok(())
}

#[tokio::test]
async fn with_a_checkpoint_file_that_cannot_be_written_the_log_takes_nothing_until_it_can() -> Result<()> {
    let site = Site::start().await?;
    let (id, head) = a_match(&site.app, "one").await?;
    signed(&site, u64::from(head.next.0)).await?;
    // A folder in the place of the file that is written first: root could write into any folder.
    let in_the_way = site.data.path().join("checkpoint.new");
    std::fs::create_dir(&in_the_way)?;
    let head = remark(&site.app, id, head, 1).await?;
    ensure!(matches!(stopped(&site).await?, StopReason::File(FileError::Unusable { .. })));
    let before = stands(&site, id).await?;
    let refused = remark(&site.app, id, head, 1).await.unwrap_err();
    ensure!(refused.to_string().starts_with("Nothing new is accepted"), "{refused}");
    assert_eq!(stands(&site, id).await?, before);
    let health = site.visitor()?.get("/healthz").await?;
    health.is(StatusCode::SERVICE_UNAVAILABLE)?.says("cannot be read or written")?.says("Make room on its disk")?;

    std::fs::remove_dir(&in_the_way)?;
    signing(&site.app).await?;
    let head = remark(&site.app, id, head, 1).await?;
    signed(&site, u64::from(head.next.0)).await?;
    Ok(())
}
