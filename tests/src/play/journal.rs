//! The journal: what was acknowledged comes back if the database loses it, before anything closes.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use app::monitoring::Monitor;
use app::obstacle::Obstacle;
use engine::Seat;
use ledger::{Kind, Sealer};
use reqwest::StatusCode;
use sqlx::{Executor, PgConnection};

use super::outages::beating;
use super::table::{RULESET, Table};
use crate::database::database;
use crate::site::Site;
use crate::wait::until;

/// The first journal of a site.
fn file(site: &Site) -> PathBuf {
    site.data.path().join("checkpoint.journal-1")
}

/// Makes the database like one that was set back before its last submissions.
async fn forgets(owner: &mut PgConnection, which: &str) -> Result<u64> {
    owner.execute(sqlx::AssertSqlSafe(format!("delete from escrow where {which}"))).await?;
    Ok(owner.execute(sqlx::AssertSqlSafe(format!("delete from submissions where {which}"))).await?.rows_affected())
}

#[tokio::test]
async fn what_the_database_forgot_comes_back_before_the_close_and_everybody_is_told() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    table.p1.submits("claim").await?;
    table.p1.submits("grow").await?;
    table.p2.submits("claim").await?;
    let mut owner = table.site.owner().await?;
    ensure!(forgets(&mut owner, "seat = 'p1' or ordinal = 0").await? == 3);
    let app = &table.site.app;
    assert_eq!(app.recorder.put_back().await?, 3);
    assert_eq!(app.recorder.put_back().await?, 0, "it is there");

    // Before the close nobody learns that a seat has sent anything.
    let guest = table.site.visitor()?;
    guest.get("/healthz").await?.says("\"submissions_put_back\":0")?;
    let page = guest.get(&format!("/m/{}", table.slug)).await?;
    ensure!(!page.text.contains("Moves came back"), "{}", page.text);
    let monitor = Monitor::new(app.clone(), table.site.data.path().to_owned());
    ensure!(monitor.text().await.contains("matchbook_submissions_put_back_total 0\n"));
    table.closes().await?;
    table.until("recorded round 1: grow / claim").await?;
    ensure!(monitor.text().await.contains("matchbook_submissions_put_back_total 3\n"));
    guest.get("/healthz").await?.says("\"submissions_put_back\":3")?;
    guest.get(&format!("/m/{}", table.slug)).await?.says("Moves came back")?;
    let report = table.checked().await?;
    ensure!(report.is_good(), "{report:#?}");
    app.recorder.put_back().await?;
    guest.get("/healthz").await?.says("\"submissions_missing\":0")?;
    Ok(())
}

/// After a rewrite each probe once left a hole of zeros, and the next line lay behind it in one line that nobody could read.
#[tokio::test]
async fn what_came_after_a_rewrite_and_a_probe_comes_back() -> Result<()> {
    let table = beating().await?;
    table.p1.submits("claim").await?;
    let (file, ended) = (file(&table.site), "00000000-0000-4000-8000-000000000000");
    let line = fs::read_to_string(&file)?.replace(&table.history().await?.match_id.to_string(), ended);
    let mut filled = fs::File::options().append(true).open(&file)?;
    filled.write_all(line.repeat((1 << 20) / line.len() + 1).as_bytes())?;
    until(async || {
        ensure!(fs::metadata(&file)?.len() < 1 << 20, "it is not rewritten");
        Ok(())
    })
    .await?;
    let rewritten = fs::metadata(&file)?.modified()?;
    until(async || {
        ensure!(fs::metadata(&file)?.modified()? > rewritten, "it is not probed");
        Ok(())
    })
    .await?;
    table.p1.submits("grow").await?.says("move received")?;
    table.p2.submits("claim").await?.says("move received")?;
    ensure!(!fs::read(&file)?.contains(&0), "there is a hole");
    ensure!(forgets(&mut table.site.owner().await?, "true").await? == 3);
    assert_eq!(table.site.app.recorder.put_back().await?, 3);
    table.closes().await?;
    table.until("recorded round 1: grow / claim").await
}

#[tokio::test]
async fn a_journal_that_is_deleted_while_it_is_written_is_told_and_begun_anew() -> Result<()> {
    let table = beating().await?;
    table.p1.submits("grow").await?;
    let (file, guest) = (file(&table.site), table.site.visitor()?);
    guest.get("/healthz").await?.says("\"journal_replaced\":0")?;
    fs::remove_file(&file)?;
    guest.until("/healthz", "\"journal_replaced\":1").await?;
    until(async || {
        ensure!(fs::read_to_string(&file)?.contains("commitments"), "the open question is not in it");
        Ok(())
    })
    .await?;
    ensure!(forgets(&mut table.site.owner().await?, "true").await? == 1);
    assert_eq!(table.site.app.recorder.put_back().await?, 1, "what was acknowledged comes back");
    let metrics = Monitor::new(table.site.app.clone(), table.site.data.path().to_owned()).text().await;
    ensure!(metrics.contains("matchbook_journal_replaced_total 1\n"), "{metrics}");
    Ok(())
}

/// Another node has no journal of what this one took, as this one has none after it was lost.
#[tokio::test]
async fn what_is_in_no_journal_of_a_machine_is_kept_there_when_it_starts() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    table.p1.submits("grow").await?.says("move received.")?;
    let data = table.site.data.clone();
    fs::copy(data.path().join("checkpoint"), data.path().join("checkpoint-two"))?;
    let two = Site::node(table.site.database.clone(), data, "checkpoint-two").await?;
    assert_eq!(two.app.recorder.put_back().await?, 0, "nothing is lost");
    let mut owner = table.site.owner().await?;
    ensure!(forgets(&mut owner, "true").await? == 1);
    fs::remove_file(file(&table.site))?;
    assert_eq!(two.app.recorder.put_back().await?, 1, "the other machine has it too");
    table.closes().await?;
    table.until("recorded round 1: grow / no move").await
}

/// The machine that took them is lost, another closes without them, and only then its journal is copied.
#[tokio::test]
async fn what_comes_back_only_after_its_question_was_sealed_is_said_to_be_missing() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    for (player, moves) in [(&table.p1, ["claim", "grow"]), (&table.p2, ["steal", "claim"])] {
        for text in moves {
            player.submits(text).await?;
        }
    }
    let mut owner = table.site.owner().await?;
    ensure!(forgets(&mut owner, "seat = 'p1'").await? == 2);
    table.closes().await?;
    table.until("recorded round 1: no move / claim").await?;
    let (app, guest) = (&table.site.app, table.site.visitor()?);
    guest.get("/healthz").await?.says("\"submissions_missing\":0")?;
    ensure!(!guest.get(&table.public()).await?.text.contains("Moves are missing"));

    // What entered is not missing, and what was replaced is in the database until the match ends.
    ensure!(forgets(&mut owner, "seat = 'p2' and ordinal = 1").await? == 1);
    for _ in 0..2 {
        assert_eq!(app.recorder.put_back().await?, 0);
        guest.get("/healthz").await?.is(StatusCode::OK)?.says("\"submissions_missing\":2")?;
    }
    let page = guest.get(&table.public()).await?;
    page.says("Moves are missing")?.says("one for d1, found")?;
    ensure!(app.obstacle().is_none(), "{:?}", app.obstacle());
    // The match goes on, and its end loses nothing else.
    table.p1.submits("grow").await?;
    table.closes().await?;
    table.until("recorded round 2: grow / no move").await?;
    assert_eq!(app.recorder.put_back().await?, 0);
    assert_eq!(app.missing(table.history().await?.match_id).await?.number, 2);
    Ok(())
}

/// The page that another node keeps is of the same entries, and must say it too.
#[tokio::test]
async fn every_node_says_what_is_missing_before_the_match_has_another_entry() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    table.p1.submits("grow").await?;
    table.p2.submits("claim").await?;
    ensure!(forgets(&mut table.site.owner().await?, "seat = 'p1'").await? == 1);
    table.closes().await?;
    table.until("recorded round 1: no move / claim").await?;
    let (database, data) = (table.site.database.clone(), table.site.data.clone());
    let other = Site::without_deadlines_in("another node", database, data).await?;
    other.app.index.follow().await?;
    let (reader, public) = (other.visitor()?, table.public());
    for _ in 0..2 {
        ensure!(!reader.get(&public).await?.is(StatusCode::OK)?.text.contains("Moves are missing"));
    }
    let entries = table.history().await?.head.next;
    assert_eq!(table.site.app.recorder.put_back().await?, 0);
    table.site.visitor()?.get(&public).await?.says("Moves are missing")?;
    other.app.index.follow().await?;
    reader.get(&public).await?.says("Moves are missing")?.says("one for d1, found")?;
    assert_eq!(table.history().await?.head.next, entries);
    Ok(())
}

#[tokio::test]
async fn a_journal_of_a_match_that_is_not_in_the_log_is_said_to_be_missing() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    table.p1.submits("grow").await?;
    // Another database, with the keys and the journals of this one.
    let node = Site::node(database().await?, table.site.data.clone(), "elsewhere").await?;
    let journal = table.site.data.path().join("elsewhere.journal-1");
    fs::copy(file(&table.site), journal)?;
    assert_eq!(node.app.recorder.put_back().await?, 0);
    node.visitor()?.get("/healthz").await?.says("\"submissions_missing\":1")?;
    Ok(())
}

#[tokio::test]
async fn the_journal_has_the_close_too_and_nothing_that_can_be_read() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    table.p1.submits("grow").await?;
    table.closes().await?;
    let file = file(&table.site);
    let (lines, mode) = (fs::read_to_string(&file)?, fs::metadata(&file)?.permissions().mode());
    ensure!(lines.lines().count() == 3, "a submission, and the close of two seats: {lines}");
    ensure!(lines.lines().filter(|line| !line.contains("commitments")).count() == 2, "{lines}");
    ensure!(!lines.contains("grow"), "{lines}");
    ensure!(mode & 0o777 == 0o600, "{mode:o}");
    Ok(())
}

#[tokio::test]
async fn another_submission_in_the_place_of_an_acknowledged_one_stops_the_site() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    table.p1.submits("grow").await?;
    let mut owner = table.site.owner().await?;
    let changed = "update submissions set commitments = sha256(commitments) || substring(commitments from 33)";
    owner.execute(changed).await?;
    let app = &table.site.app;
    let told = app.recorder.put_back().await.unwrap_err().to_string();
    ensure!(told.contains("the database has another submission"), "{told}");
    ensure!(matches!(app.obstacle(), Some(Obstacle::Contradicted(_))));
    let refused = table.p2.submits("claim").await?;
    refused.is(StatusCode::SERVICE_UNAVAILABLE)?.says("Nothing new is accepted at the moment")?;
    table.umpire.get(&table.console).await?.says("contradict each other")?;
    // Nobody else may know whether a seat sent something.
    let health = table.site.visitor()?.get("/healthz").await?;
    health.says("contradict each other")?;
    ensure!(!health.text.contains("another submission") && !health.text.contains(&table.slug), "{}", health.text);
    assert_eq!(table.of_kind(Kind::Sealed).await?, 0);
    Ok(())
}

#[tokio::test]
async fn a_line_that_the_site_did_not_write_is_not_taken() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    table.p1.submits("grow").await?;
    let file = file(&table.site);
    let (line, mut owner) = (fs::read_to_string(&file)?, table.site.owner().await?);
    ensure!(forgets(&mut owner, "true").await? == 1);
    // As the other seat's, and cut off as a crash would.
    let forged = line.replace("\"seat\":\"p1\"", "\"seat\":\"p2\"");
    let cut = line.get(..line.len() / 2).context("half of it")?;
    fs::write(&file, format!("{forged}{cut}"))?;
    assert_eq!(table.site.app.recorder.put_back().await?, 0);
    // An earlier version left zeros before a line.
    fs::write(&file, format!("{forged}{cut}\n\0\0{line}"))?;
    assert_eq!(table.site.app.recorder.put_back().await?, 1);
    table.site.visitor()?.get("/healthz").await?.says("\"journal_unreadable_lines\":2")?;
    let metrics = Monitor::new(table.site.app.clone(), table.site.data.path().to_owned()).text().await;
    ensure!(metrics.contains("matchbook_journal_unreadable_lines 2.0\n"), "{metrics}");
    table.closes().await?;
    let history = table.history().await?;
    ensure!(history.seals.iter().all(|seal| seal.whose.seat() == Some(Seat::P1)), "{:?}", history.seals);
    Ok(())
}

#[tokio::test]
async fn what_cannot_be_kept_in_the_second_place_is_not_acknowledged() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    // A folder in the place of the file.
    fs::create_dir(file(&table.site))?;
    let refused = table.p1.submits("grow").await?;
    refused.is(StatusCode::SERVICE_UNAVAILABLE)?;
    fs::remove_dir(file(&table.site))?;
    let kept = table.p1.submits("grow").await?;
    ensure!(kept.text.contains("move received"), "{}", kept.text);
    Ok(())
}

/// Stores a move whose line cannot be written, as a crash between the two would leave it, and gives what was sent.
async fn stored_alone(table: &Table) -> Result<(String, String)> {
    let page = table.p1.page().await?;
    let (decision, submit) = (page.field("decision")?, page.field("submit")?);
    fs::create_dir(file(&table.site))?;
    table.p1.sends(&decision, &submit, "grow").await?.is(StatusCode::SERVICE_UNAVAILABLE)?;
    are_stored(table, 1).await?;
    Ok((decision, submit))
}

/// A fault campaign found this: the seat's page shows whatever is in the database, and its receipts are as good as any.
#[tokio::test]
async fn what_is_in_one_place_alone_is_shown_with_a_receipt_once_it_is_in_both() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    stored_alone(&table).await?;
    let page = table.p1.page().await?;
    page.is(StatusCode::SERVICE_UNAVAILABLE)?;
    let receipts = format!("{}/receipts.jsonl", table.p1.home);
    table.p1.guest.get(&receipts).await?.is(StatusCode::SERVICE_UNAVAILABLE)?;

    fs::remove_dir(file(&table.site))?;
    table.p1.page().await?.says("data-receipt=")?.says("receipts.jsonl")?;
    let mut owner = table.site.owner().await?;
    ensure!(forgets(&mut owner, "true").await? == 1);
    assert_eq!(table.site.app.recorder.put_back().await?, 1, "what was shown comes back");
    table.closes().await?;
    table.until("recorded round 1: grow / no move").await
}

/// A fault campaign found this: each time it is sent, the server seals it anew, and only the first seal counts.
#[tokio::test]
async fn what_is_sent_again_comes_back_with_the_opening_of_its_first_seal() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    let (decision, submit) = stored_alone(&table).await?;
    fs::remove_dir(file(&table.site))?;
    table.p1.sends(&decision, &submit, "grow").await?.says("move received")?;
    ensure!(forgets(&mut table.site.owner().await?, "true").await? == 1);
    assert_eq!(table.site.app.recorder.put_back().await?, 1);
    table.closes().await?;
    table.until("recorded round 1: grow / no move").await?;
    let report = table.checked().await?;
    ensure!(report.is_good(), "{report:#?}");
    Ok(())
}

#[tokio::test]
async fn what_is_sent_again_after_the_close_is_in_both_places_before_it_is_acknowledged() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    let (decision, submit) = stored_alone(&table).await?;
    fs::remove_dir(file(&table.site))?;
    let history = table.history().await?;
    let (app, asked) = (&table.site.app, &history.open.first().context("open")?.asked.decision);
    let (store, seats) = (app.logs.store(history.match_id), [Sealer::P1, Sealer::P2]);
    store.close(history.match_id, asked, &seats, app.system().now(), None).await?;
    let kept = table.p1.sends(&decision, &submit, "grow").await?;
    ensure!(kept.text.contains("move received"), "{}", kept.text);
    ensure!(forgets(&mut table.site.owner().await?, "true").await? == 3);
    assert_eq!(app.recorder.put_back().await?, 1, "what was acknowledged comes back");
    table.closes().await?;
    table.until("recorded round 1: grow / no move").await
}

/// A journal whose first line waits until somebody reads from a pipe in the place of its lock.
struct Held(PathBuf);

impl Held {
    fn of(site: &Site) -> Result<Self> {
        let lock = site.data.path().join("checkpoint.journal-1-lock");
        nix::unistd::mkfifo(&lock, nix::sys::stat::Mode::S_IRWXU)?;
        Ok(Self(lock))
    }

    /// Lets the line go on.
    async fn release(self) -> Result<fs::File> {
        Ok(tokio::task::spawn_blocking(|| fs::File::open(self.0)).await??)
    }
}

/// Waits until this many rows are stored.
async fn are_stored(table: &Table, wanted: i64) -> Result<()> {
    until(async || {
        let counted = sqlx::query_scalar("select count(*) from submissions");
        let rows: i64 = counted.fetch_one(table.site.app.pool()).await?;
        ensure!(rows == wanted, "{rows} rows");
        Ok(())
    })
    .await
}

/// The model in `model/` found this: the row is stored, the database goes back behind it and is compared with the journal, and
/// only then the line is written.
#[tokio::test]
async fn what_the_database_forgot_before_its_line_was_written_is_not_acknowledged() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    let held = Held::of(&table.site)?;
    let page = table.p1.page().await?;
    let (decision, submit) = (page.field("decision")?, page.field("submit")?);
    let answer = async || table.p1.sends(&decision, &submit, "grow").await;
    let (first, reader) = tokio::join!(answer(), async {
        are_stored(&table, 1).await?;
        ensure!(forgets(&mut table.site.owner().await?, "true").await? == 1);
        // There is no line yet, so nothing seems to be lost.
        assert_eq!(table.site.app.recorder.put_back().await?, 0);
        held.release().await
    });
    let _reader = reader?;
    first?.is(StatusCode::SERVICE_UNAVAILABLE)?.says("Send it again in a moment")?;

    // Sent again, it is stored at another time, and the line of before does not speak against it.
    table.passes(2);
    let kept = answer().await?;
    ensure!(kept.text.contains("move received"), "{}", kept.text);
    assert_eq!(table.site.app.recorder.put_back().await?, 0);
    ensure!(table.site.app.obstacle().is_none(), "{:?}", table.site.app.obstacle());
    ensure!(forgets(&mut table.site.owner().await?, "true").await? == 1);
    assert_eq!(table.site.app.recorder.put_back().await?, 1, "what was acknowledged comes back");
    table.closes().await?;
    table.until("recorded round 1: grow / no move").await
}

/// The same of a close: whoever is acknowledged after the database forgot it must count.
#[tokio::test]
async fn what_came_after_the_database_forgot_a_close_counts() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    let held = Held::of(&table.site)?;
    let console = table.umpire.get(&table.console).await?;
    let form = console.fields(&["decision", "form", "head"])?;
    let path = format!("{}/close", table.console);
    let (closed, sent) = tokio::join!(table.umpire.sends(&path, &form), async {
        are_stored(&table, 2).await?;
        ensure!(forgets(&mut table.site.owner().await?, "true").await? == 2);
        assert_eq!(table.site.app.recorder.put_back().await?, 0);
        let (sent, reader) = tokio::join!(table.p1.submits("grow"), async {
            are_stored(&table, 1).await?;
            held.release().await
        });
        drop(reader?);
        sent
    });
    closed?.is(StatusCode::SERVICE_UNAVAILABLE)?;
    let sent = sent?;
    ensure!(sent.text.contains("move received"), "{}", sent.text);
    table.umpire.sends(&path, &form).await?.is(StatusCode::OK)?;
    table.until("recorded round 1: grow / no move").await
}

#[tokio::test]
async fn a_close_that_a_crash_cut_short_is_in_the_journal_before_it_enters() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    table.p1.submits("grow").await?;
    let history = table.history().await?;
    let (app, decision) = (&table.site.app, &history.open.first().context("open")?.asked.decision);
    let (store, seats) = (app.logs.store(history.match_id), [Sealer::P1, Sealer::P2]);
    store.close(history.match_id, decision, &seats, app.system().now(), None).await?;
    app.recorder.settle(history.match_id).await?;
    table.until("recorded round 1: grow / no move").await?;
    let lines = fs::read_to_string(file(&table.site))?;
    ensure!(lines.lines().count() == 3, "a submission, and the close of two seats: {lines}");
    Ok(())
}
