//! What is read of the database for a match, and no more.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, ensure};
use app::App;
use app::keys::Keys;
use app::system::System;
use engine::Party;
use ledger::{Kind, Seq};
use sqlx::postgres::PgPoolOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Executor};

use crate::browser::{BOARDS, FIXTURE, played};
use crate::heard::Heard;
use crate::site::Site;

/// A node whose log says every statement.
async fn node_that_logs_statements(site: &Site) -> Result<App> {
    let options = store::serving(site.database.clone()).log_slow_statements("debug".parse()?, Duration::ZERO);
    let pool = PgPoolOptions::new().max_connections(4).connect_lazy_with(options);
    let system = System::real();
    let keys = Keys::open(site.data.path(), &system)?;
    Ok(App::open(pool, Arc::new(system), keys, None, site.data.path().join("checkpoint-other")).await?)
}

#[tokio::test]
async fn a_match_is_folded_with_as_many_statements_however_many_draws_are_sealed() -> Result<()> {
    let (heard, _guard) = Heard::listening_to("sqlx::query=debug");
    let site = Site::start().await?;
    let page = played(&site.umpire().await?, BOARDS, 7).await?;
    let match_id = site.app.matches.match_of(page.trim_start_matches("/m/")).await?;
    let node = node_that_logs_statements(&site).await?;
    let entries = node.matches.entries_since(match_id, Seq(0)).await?;
    let mut statements = Vec::new();
    for (n, drawn) in entries.iter().filter(|entry| entry.kind == Kind::Drawn).enumerate() {
        let history = node.matches.history_up_to(match_id, drawn.seq.0 + 1).await?;
        // The nodes ask for other things, too, now and then: the least of three is what the fold takes.
        let mut least = usize::MAX;
        for _ in 0..3 {
            let before = heard.said().matches("sqlx::query:").count();
            node.matches.history_up_to(match_id, drawn.seq.0 + 1).await?;
            least = least.min(heard.said().matches("sqlx::query:").count() - before);
        }
        statements.push(least);
        let sealed = |seal: &&record::SealRecord| seal.whose == Party::Host && seal.opened_by.contains(&None);
        assert_eq!(history.seals.iter().filter(sealed).count(), n + 1, "no draw is opened yet");
    }
    ensure!(statements.len() == 5 && statements[0] > 1, "{statements:?}");
    ensure!(statements.iter().all(|count| *count == statements[0]), "{statements:?}");
    Ok(())
}

#[tokio::test]
async fn entries_since_a_place_are_read_without_those_before_it() -> Result<()> {
    let site = Site::start().await?;
    let page = played(&site.umpire().await?, FIXTURE, 6).await?;
    let history = site.app.matches.history_of(page.trim_start_matches("/m/")).await?;
    let (match_id, from) = (history.match_id, Seq(history.head.next.0 - 3));
    let alter = format!("update entries set bytes = 'no entry' where match_id = '{match_id}' and seq < {from}");
    site.owner().await?.execute(AssertSqlSafe(alter)).await?;
    ensure!(site.app.matches.entries_since(match_id, Seq(0)).await.is_err(), "those before it can be read");
    assert_eq!(site.app.matches.entries_since(match_id, from).await?.len(), 3);
    Ok(())
}
