//! The heartbeat: an outage is stored once, by whichever node is first.

use ledger::Moment;
use store::heartbeat::{StoredOutage, beat, outages_since, read};

use super::{Database, moment, node};

fn second(n: i64) -> Moment {
    moment(n * 1_000_000)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_lies_between_two_beats_too_far_apart_is_one_outage() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    let (other, _) = node(database.options.clone()).await;
    assert_eq!(beat(store.pool(), second(10), 1_000).await.unwrap(), None, "nothing was before");
    assert_eq!(beat(other.pool(), second(11), 1_000).await.unwrap(), None, "another node beats as well");
    assert_eq!(beat(store.pool(), second(12), 1_000).await.unwrap(), None);

    let (one, two) = tokio::join!(beat(store.pool(), second(20), 1_000), beat(other.pool(), second(20), 1_000));
    assert_eq!((one.unwrap(), two.unwrap()), (Some(second(20)), Some(second(20))), "both know of it");
    // A clock that is a little behind takes nothing back.
    assert_eq!(beat(other.pool(), second(19), 1_000).await.unwrap(), Some(second(20)));
    assert_eq!(beat(store.pool(), second(21), 1_000).await.unwrap(), Some(second(20)));
    assert_eq!(beat(store.pool(), second(30), 1_000).await.unwrap(), Some(second(30)));

    let first = StoredOutage { began: second(12), ended: second(20) };
    let last = StoredOutage { began: second(21), ended: second(30) };
    assert_eq!(outages_since(store.pool(), second(0)).await.unwrap(), [first, last]);
    assert_eq!(outages_since(store.pool(), second(20)).await.unwrap(), [last]);
    assert!(read(store.pool()).await.unwrap().now > second(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_is_set_back_and_ahead_again_takes_time_from_nobody() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    let now = read(store.pool()).await.unwrap().now.micros();
    let after = |seconds: i64| Moment::from_micros(now + seconds * 1_000_000).unwrap();
    // Its clock was ten minutes ahead before it was set right. What is asked now has a deadline before that time.
    assert_eq!(beat(store.pool(), after(600), 1_000).await.unwrap(), None);
    assert_eq!(beat(store.pool(), after(0), 1_000).await.unwrap(), None);
    assert_eq!(beat(store.pool(), after(300), 1_000).await.unwrap(), Some(after(300)));
    let jump = StoredOutage { began: after(0), ended: after(300) };
    assert_eq!(outages_since(store.pool(), after(0)).await.unwrap(), [jump]);
}
