//! Acts and answers that lose a race, or are cut short: nothing is lost, and everybody is told what happened.

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use app::account::Token;
use app::account::player::SeatRef;
use app::submissions::{Answer, PlayerSubmission, SubmissionRefusal};
use app::{Act, Scope, by_umpire, form_of};
use engine::{BySeat, Seat, Setup};
use ledger::{Kind, MatchId};
use record::body::DrawSource;
use record::write::{NewMatch, Pace};
use reqwest::StatusCode;
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tokio::time::{sleep, timeout};

use super::nodes::node;
use super::table::{RULESET, Table, full_access};
use crate::database::database;
use crate::site::Site;
use crate::umpire_acts::perform;

/// Holds up whoever wants a table, until it ends.
struct TableLock {
    connection: PgConnection,
    table: &'static str,
}

impl TableLock {
    /// Nothing can be appended to the log.
    async fn on_the_log(site: &Site) -> Result<Self> {
        Self::on(site, "entries", "share row exclusive").await
    }

    /// The lists can neither be read nor changed.
    async fn on_the_lists(site: &Site) -> Result<Self> {
        Self::on(site, "archive", "access exclusive").await
    }

    async fn on(site: &Site, table: &'static str, mode: &str) -> Result<Self> {
        let mut connection = PgConnection::connect_with(&site.database).await?;
        sqlx::query("begin").execute(&mut connection).await?;
        let lock = format!("lock table {table} in {mode} mode");
        sqlx::query(AssertSqlSafe(lock)).execute(&mut connection).await?;
        Ok(Self { connection, table })
    }

    /// The act is given up once its append waits for this lock, as by a client that goes away.
    async fn cuts_short<T>(&mut self, act: impl Future<Output = T>) -> Result<()> {
        tokio::select! {
            _ = act => bail!("the act ended, although nothing could be appended"),
            waits = self.is_waited_for(true) => waits?,
        }
        // Its statement would wait on in the queue of the lock, and run when the lock is gone.
        sqlx::query(
            "select pg_terminate_backend(pid) from pg_locks where relation = $1::text::regclass and not granted",
        )
        .bind(self.table)
        .execute(&mut self.connection)
        .await?;
        self.is_waited_for(false).await
    }

    async fn is_waited_for(&mut self, wanted: bool) -> Result<()> {
        loop {
            let waits: bool = sqlx::query_scalar(
                "select exists (select from pg_locks where relation = $1::text::regclass and not granted)",
            )
            .bind(self.table)
            .fetch_one(&mut self.connection)
            .await?;
            if waits == wanted {
                return Ok(());
            }
            sleep(Duration::from_millis(5)).await;
        }
    }

    /// Waits for a connection that waits for a lock, other than this one.
    async fn next_waiting(&mut self, but: i32) -> Result<i32> {
        let waiting = "select pid from pg_stat_activity \
                       where datname = current_database() and wait_event_type = 'Lock' and pid <> $1";
        loop {
            if let Some(pid) = sqlx::query_scalar(waiting).bind(but).fetch_optional(&mut self.connection).await? {
                return Ok(pid);
            }
            sleep(Duration::from_millis(5)).await;
        }
    }

    /// Ends a connection that waits, and then this lock: whoever else waits for it is first.
    async fn ends_before(mut self, pid: i32) -> Result<()> {
        sqlx::query("select pg_terminate_backend($1)").bind(pid).execute(&mut self.connection).await?;
        let lives = "select exists (select from pg_locks where pid = $1)";
        // Until it has gone, it would go on as soon as it gets the lock. Activity is read once in a transaction; locks are not.
        while sqlx::query_scalar(lives).bind(pid).fetch_one(&mut self.connection).await? {
            sleep(Duration::from_millis(5)).await;
        }
        self.ends().await
    }

    async fn ends(self) -> Result<()> {
        Ok(self.connection.close().await?)
    }
}

#[tokio::test]
async fn an_answer_that_arrived_in_time_and_lost_to_the_close_is_kept_and_says_so() -> Result<()> {
    let table = Table::set(Site::seeded("a live match").await?, RULESET, false, &["p1", "p2"], &[]).await?;
    let before = table.history().await?;
    let decision = before.open.first().context("open")?.asked.decision.clone();
    let came = table.site.app.system().now();
    table.closes().await?;
    let sent = PlayerSubmission {
        access: full_access(SeatRef { match_id: before.match_id, seat: Seat::P1 }),
        decision: decision.clone(),
        submit: form_of(&["in time"]),
        came,
        answer: Answer::Text("grow".to_owned()),
        signed: None,
        is_final: false,
    };
    // It was checked against the match as it stood before the close.
    let refusal = table.site.app.submissions.submit(&before, sent).await.map(|_| ());
    ensure!(matches!(refusal, Err(SubmissionRefusal::ClosedFirst)), "{refusal:?}");
    let kept = table.site.app.recorder.late_inputs(before.match_id, &decision).await?;
    ensure!(kept.len() == 1 && kept.iter().all(|late| late.text() == "grow" && late.sent == came), "{kept:?}");
    Ok(())
}

#[tokio::test]
async fn of_two_late_answers_at_once_one_is_kept_and_the_other_is_told() -> Result<()> {
    let table = Table::set(Site::seeded("a live match").await?, RULESET, false, &["p1", "p2"], &[]).await?;
    let before = table.history().await?;
    let decision = before.open.first().context("open")?.asked.decision.clone();
    table.closes().await?;
    table.passes(1);
    let history = table.history().await?;
    let app = &table.site.app;
    let late = |text: &'static str| {
        let sent = PlayerSubmission {
            access: full_access(SeatRef { match_id: before.match_id, seat: Seat::P1 }),
            decision: decision.clone(),
            submit: form_of(&["late", text]),
            came: app.system().now(),
            answer: Answer::Text(text.to_owned()),
            signed: None,
            is_final: false,
        };
        app.submissions.submit(&history, sent)
    };
    let (one, other) = tokio::join!(late("grow"), late("claim"));
    let both = [one.map(|_| ()), other.map(|_| ())];
    let told =
        |wanted: fn(&SubmissionRefusal) -> bool| both.iter().filter(|one| one.as_ref().is_err_and(wanted)).count();
    assert_eq!(told(|refusal| matches!(refusal, SubmissionRefusal::KeptLate)), 1, "{both:?}");
    assert_eq!(told(|refusal| matches!(refusal, SubmissionRefusal::LateAgain)), 1, "{both:?}");
    assert_eq!(app.recorder.late_inputs(before.match_id, &decision).await?.len(), 1);
    Ok(())
}

#[tokio::test]
async fn a_strike_that_is_cut_short_leaves_the_open_question_to_its_players() -> Result<()> {
    let table = Table::set(Site::seeded("a live match").await?, RULESET, false, &["p1", "p2"], &[]).await?;
    table.p1.submits("grow").await?;
    table.p2.submits("claim").await?;
    table.closes().await?;
    let history = table.history().await?;
    let open = history.open.first().context("open")?.asked.decision.clone();
    let app = &table.site.app;
    let mut lock = TableLock::on_the_log(&table.site).await?;
    let strike = json!({ "from": 1, "reason": "Typed for the wrong seat" });
    lock.cuts_short(perform(app, &history, "strike", strike.clone())).await?;
    let rows = app.submissions.received(history.match_id, &open).await?;
    ensure!(!rows.iter().any(store::StoredSubmission::closes), "nothing was closed: {rows:?}");
    lock.ends().await?;
    let now = perform(app, &history, "strike", strike).await?;
    ensure!(now.open.iter().all(|asked| asked.asked.decision != open), "the question is asked anew");
    ensure!(now.steps.is_empty(), "no step counts");
    Ok(())
}

/// A match for which the host draws.
fn with_draws() -> NewMatch {
    NewMatch {
        setup: Setup { ruleset: "devils-deal/blooming-genius".to_owned(), dmo: Some(Seat::P2), ..Setup::default() },
        names: BySeat { p1: "Ada".to_owned(), p2: "Bo".to_owned() },
        pace: Pace::Recorded,
        draws: Some(DrawSource::Host),
        ..NewMatch::default()
    }
}

#[tokio::test]
async fn a_link_that_is_followed_on_another_node_refuses_no_act() -> Result<()> {
    let options = database().await?;
    let site = Site::seeded_on("a live match", options.clone()).await?;
    let table = Table::set(site, RULESET, false, &["p1", "p2"], &[]).await?;
    let link: Token = table.link("p1").await?.rsplit('/').next().context("a token")?.parse()?;
    let other = node(&table.site, &options, 0).await?;
    let (app, history) = (table.site.app.clone(), table.history().await?);
    let mut lock = TableLock::on_the_log(&table.site).await?;
    let follows = tokio::spawn(async move { other.seats.follow(&link).await.map(|_| ()) });
    let first = lock.next_waiting(0).await?;
    let seen = history.head;
    let warns = tokio::spawn(async move {
        perform(&app, &history, "warn", json!({ "seat": "p2", "text": "Too slow" })).await.map(|_| ())
    });
    let second = lock.next_waiting(first).await?;
    lock.ends_before(second).await?;
    follows.await??;
    warns.await?.context("the umpire's warning was refused because a player followed a link")?;
    let now = table.history().await?;
    let followed = now.links.iter().map(|link| link.entry).max().context("a link")?;
    ensure!(followed == seen.next && table.of_kind(Kind::Ruled).await? == 1, "the link enters first: {:?}", now.links);
    Ok(())
}

#[tokio::test]
async fn attempts_that_are_cut_short_leave_one_row_of_the_hosts_share() -> Result<()> {
    let site = Site::seeded("draws").await?;
    let app = &site.app;
    let (act, new) = (Act { by: by_umpire("0a1b2c3d4e5f"), form: form_of(&["open"]) }, with_draws());
    let mut lock = TableLock::on_the_log(&site).await?;
    for _ in 0..3 {
        lock.cuts_short(app.commands.open_match(Scope::Record, &act, &new)).await?;
    }
    lock.ends().await?;
    let match_id: MatchId = app.commands.open_match(Scope::Record, &act, &new).await?;
    let all: Vec<(String, i64)> = sqlx::query_as(
        "select decision, count(*) from submissions where match_id = $1 and seat = 'host' group by decision",
    )
    .bind(match_id.0)
    .fetch_all(app.pool())
    .await?;
    ensure!(!all.is_empty() && all.iter().all(|(_, count)| *count == 1), "{all:?}");
    Ok(())
}

#[tokio::test]
async fn what_is_due_closes_while_a_sweep_of_the_running_matches_waits() -> Result<()> {
    let site = Site::without_deadlines("a live match", database().await?).await?;
    let table = Table::on(site, RULESET, true, &["p1", "p2"]).await?;
    table.p1.submits("grow").await?.says("move received.")?;
    table.p2.submits("claim").await?.says("move received.")?;
    let mut news = table.site.app.feed.news(table.history().await?.match_id).context("it runs")?;
    let mut lock = TableLock::on_the_lists(&table.site).await?;
    let closing = tokio::spawn(table.site.app.deadlines.clone().run());
    lock.is_waited_for(true).await?;
    table.passes(table.open_clock().await? + 2);
    let resolved = async {
        while table.of_kind(Kind::Resolved).await? == 0 {
            news.changed().await?;
        }
        anyhow::Ok(())
    };
    timeout(Duration::from_secs(20), resolved).await.context("what is due waits for the sweep")??;
    lock.is_waited_for(true).await?;
    closing.abort();
    lock.ends().await
}

#[tokio::test]
async fn a_late_answer_whose_ruling_was_cut_short_counts_at_the_deadline() -> Result<()> {
    let site = Site::without_deadlines("a live match", database().await?).await?;
    let table = Table::on(site, RULESET, true, &["p1", "p2"]).await?;
    let clock = table.open_clock().await?;
    table.passes(clock);
    table.passes(1);
    table.types("p2", "claim").await?.says("late, not counted")?;
    let (app, history) = (&table.site.app, table.history().await?);
    let decision = history.open.first().context("open")?.asked.decision.clone();
    let mut lock = TableLock::on(&table.site, "submissions", "share row exclusive").await?;
    let admission = json!({ "decision": decision, "seat": "p2", "text": "The chat was down" });
    lock.cuts_short(perform(app, &history, "admit", admission)).await?;
    lock.ends().await?;
    ensure!(table.history().await?.admitted(&decision, Seat::P2).is_some(), "the ruling is there");
    app.recorder.close_due(history.match_id, &decision).await?;
    assert_eq!(table.history().await?.steps[0].public, "1. - / claim");
    Ok(())
}

#[tokio::test]
async fn an_opening_that_was_cut_short_is_finished_when_its_form_comes_again() -> Result<()> {
    let site = Site::without_deadlines("draws", database().await?).await?;
    let (act, new) = (Act { by: by_umpire("0a1b2c3d4e5f"), form: form_of(&["open"]) }, with_draws());
    let mut lock = TableLock::on_the_lists(&site).await?;
    lock.cuts_short(site.app.commands.open_match(Scope::Record, &act, &new)).await?;
    lock.ends().await?;
    let match_id = site.app.commands.open_match(Scope::Record, &act, &new).await?;
    let due = site.app.matches.history(match_id).await?.host_act();
    ensure!(due.is_none(), "the host still has to act: {due:?}");
    Ok(())
}

#[tokio::test]
async fn what_an_end_that_was_cut_short_left_is_forgotten_at_the_next_start() -> Result<()> {
    let site = Site::without_deadlines("a live match", database().await?).await?;
    let table = Table::on(site, RULESET, false, &["p1", "p2"]).await?;
    table.p1.submits("grow").await?;
    table.closes().await?;
    table.act("decide", &[("decided", "walkover-p2")]).await?.is(StatusCode::OK)?;
    let (app, history) = (&table.site.app, table.history().await?);
    let mut lock = TableLock::on(&table.site, "escrow", "share row exclusive").await?;
    lock.cuts_short(perform(app, &history, "end", json!({}))).await?;
    lock.ends().await?;
    let store = app.logs.store(history.match_id);
    ensure!(table.history().await?.is_ended() && !store.escrows(history.match_id).await?.is_empty(), "cut short");
    app.recorder.settle_all().await?;
    ensure!(store.escrows(history.match_id).await?.is_empty(), "its escrow is there");
    Ok(())
}
