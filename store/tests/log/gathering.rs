//! Many callers who ask at once get what each of them would get alone.

use std::sync::Arc;

use ledger::{Author, Commitment, DecisionId, Head, MatchId, Sealer, Seq};
use store::{Counts, Store, StoreError, Submission};
use tokio::task::JoinSet;

use super::{Database, LOG, append, match_id, moment, node};

/// The number of matches.
const MATCHES: u8 = 30;

fn decision(n: u8) -> DecisionId {
    format!("d{n}").parse().expect("a decision")
}

fn submission(match_n: u8, seat: Sealer, n: u8) -> Submission {
    Submission {
        log_id: LOG,
        match_id: match_id(match_n.into()),
        decision: decision(match_n % 2),
        seat,
        at: moment(n.into()),
        commitments: vec![Commitment::new([match_n.wrapping_mul(7).wrapping_add(n); 32])],
        escrow: Some(vec![match_n; 40]),
        submit: None,
        sent_by: if seat == Sealer::P1 { Author::P1 } else { Author::P2 },
        signed: None,
        is_final: false,
        counts: Counts::Last,
    }
}

/// Everything that is read of a match when one of its rounds closes, in words.
async fn read(store: &Store, match_id: MatchId) -> Result<String, StoreError> {
    let (head, escrows) = (store.match_head(match_id).await?, store.escrows(match_id).await?);
    let submissions =
        (store.submissions(match_id, &decision(0)).await?, store.submissions(match_id, &decision(1)).await?);
    let written = (
        store.match_written(match_id..=match_id, Seq(2)).await?,
        store.match_written(match_id..=match_id, Seq(u32::MAX)).await?,
    );
    Ok(format!("{head:?} {escrows:?} {submissions:?} {written:?}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_callers_at_once_get_what_each_would_get_alone() {
    let database = Database::create().await;
    let (store, writer) = node(database.options.clone()).await;
    let (queue, _) = store.start_submission_queue().await.unwrap();
    for n in 1..=MATCHES {
        let drafts = (0..u64::from(n % 4) + 1).map(|entry| u64::from(n) * 10 + entry);
        writer.append(append(match_id(n.into()), Head::GENESIS, drafts)).await.unwrap();
        for (seat, sent) in [(Sealer::P1, n % 3), (Sealer::P2, 1)] {
            for ordinal in 0..sent {
                let seat_n = if seat == Sealer::P1 { 0 } else { 100 };
                queue.submit(submission(n, seat, seat_n + ordinal)).await.unwrap();
            }
        }
    }
    let together = Arc::new(store.clone().gathering());
    let mut callers = JoinSet::new();
    // The first and the last are no matches.
    for n in (0..=MATCHES + 1).cycle().take(200) {
        let together = together.clone();
        callers.spawn(async move { (n, read(&together, match_id(n.into())).await.unwrap()) });
    }
    while let Some(caller) = callers.join_next().await {
        let (n, found) = caller.unwrap();
        assert_eq!(found, read(&store, match_id(n.into())).await.unwrap(), "match {n}");
    }
    // A later submission is seen at once.
    let before = together.submissions(match_id(1), &decision(1)).await.unwrap();
    queue.submit(submission(1, Sealer::P1, 50)).await.unwrap();
    assert_eq!(together.submissions(match_id(1), &decision(1)).await.unwrap().len(), before.len() + 1);
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_database_each_caller_is_told_so() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    let together = store.gathering();
    assert_eq!(together.match_head(match_id(1)).await.unwrap(), None);
    together.pool().close().await;
    assert!(matches!(together.match_head(match_id(1)).await, Err(StoreError::Database(_))));
    assert!(matches!(together.escrows(match_id(1)).await, Err(StoreError::Database(_))));
    database.drop().await;
}
