//! Requests that are given up in the middle of a transaction.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use ledger::Hash;
use sqlx::postgres::PgPoolOptions;
use store::accounts::player_sessions;

use super::Database;

/// The pool's connection was given up after `BEGIN` was sent and before its answer: it must not come back inside it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_given_up_at_any_moment_leaves_no_connection_in_a_transaction() {
    let database = Database::create().await;
    let pool = PgPoolOptions::new().max_connections(1).connect_lazy_with(database.options.clone());
    let watch = PgPoolOptions::new().max_connections(1).connect_lazy_with(database.options.clone());
    let own: i32 = sqlx::query_scalar("select pg_backend_pid()").fetch_one(&watch).await.unwrap();
    let times = (DateTime::<Utc>::UNIX_EPOCH, DateTime::<Utc>::UNIX_EPOCH + TimeDelta::days(1));
    for cut in 0..200 {
        let (cookie, link) = (Hash::ZERO, Hash::new([1; 32]));
        let adding = player_sessions::add(&pool, &cookie, &link, times, 1);
        drop(tokio::time::timeout(Duration::from_micros(cut * 10), adding).await);
        // It is in the pool again.
        sqlx::query("select 1").execute(&pool).await.unwrap();
        let inside = "select count(*) from pg_stat_activity \
                      where datname = current_database() and pid <> $1 and state like 'idle in transaction%'";
        let mut left = 1;
        // Whoever begins to the end although nobody waits ends it, too.
        for _ in 0..200 {
            left = sqlx::query_scalar::<_, i64>(inside).bind(own).fetch_one(&watch).await.unwrap();
            if left == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert_eq!(left, 0, "given up after {} µs", cut * 10);
    }
}
