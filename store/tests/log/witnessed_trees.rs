//! The trees that a witness has seen: they only grow, and of two advances from the same tree one succeeds.

use ledger::{Frontier, Hash, Tree, TreeSize, leaf_hash};
use sqlx::postgres::PgPoolOptions;
use store::{WitnessedTrees, serving};

use crate::moment;
use crate::server::Database;

const LOG: &str = "example.com/behind the sofa";

fn tree(size: u64) -> Tree {
    let leaves: Frontier = (0..size).map(|n| leaf_hash(&n.to_be_bytes())).collect();
    Tree { size: TreeSize(size), root: leaves.root() }
}

async fn opened(database: &Database) -> WitnessedTrees {
    let pool = PgPoolOptions::new().max_connections(8).connect_with(serving(database.options.clone())).await;
    WitnessedTrees::open(pool.expect("connects")).await.expect("opens")
}

#[tokio::test]
async fn a_row_only_grows() {
    let database = Database::create().await;
    let witnessed = opened(&database).await;
    assert_eq!(witnessed.seen(LOG).await.expect("reads"), None);
    assert!(witnessed.advance(LOG, None, tree(3), moment(0)).await.expect("writes"));
    assert!(!witnessed.advance(LOG, None, tree(4), moment(1)).await.expect("writes"), "it is not new any more");
    assert!(witnessed.advance(LOG, Some(tree(3)), tree(3), moment(2)).await.expect("writes"), "the same tree again");
    assert!(witnessed.advance(LOG, Some(tree(3)), tree(7), moment(3)).await.expect("writes"));
    assert!(!witnessed.advance(LOG, Some(tree(3)), tree(8), moment(4)).await.expect("writes"), "that was replaced");
    assert!(!witnessed.advance(LOG, Some(tree(7)), tree(3), moment(5)).await.expect("writes"), "that is smaller");
    let forked = Tree { root: Hash::new([1; 32]), ..tree(7) };
    assert!(!witnessed.advance(LOG, Some(forked), tree(9), moment(6)).await.expect("writes"), "that was not seen");
    assert_eq!(witnessed.seen(LOG).await.expect("reads"), Some(tree(7)));
    assert_eq!(witnessed.seen("example.com/another").await.expect("reads"), None);
}

#[tokio::test]
async fn a_checkpoint_is_kept_for_its_own_tree() {
    let database = Database::create().await;
    let witnessed = opened(&database).await;
    assert!(witnessed.advance(LOG, None, tree(3), moment(0)).await.expect("writes"));
    assert_eq!(witnessed.note(LOG).await.expect("reads"), None, "seen, and not cosigned yet");
    witnessed.keep_note(LOG, tree(3), "three").await.expect("writes");
    assert!(witnessed.advance(LOG, Some(tree(3)), tree(5), moment(1)).await.expect("writes"));
    witnessed.keep_note(LOG, tree(5), "five").await.expect("writes");
    witnessed.keep_note(LOG, tree(3), "three again, late").await.expect("writes");
    assert_eq!(witnessed.note(LOG).await.expect("reads").as_deref(), Some(b"five".as_slice()));
}

#[tokio::test]
async fn of_many_at_once_one_advances_it() {
    let database = Database::create().await;
    // Two processes: two pools.
    let (one, two) = (opened(&database).await, opened(&database).await);
    let mut now: Option<Tree> = None;
    for round in 1..=20_u64 {
        let tries = (1..=8).map(|n| {
            let witnessed = if n % 2 == 0 { one.clone() } else { two.clone() };
            let next = tree(round * 10 + n);
            tokio::spawn(async move { (next, witnessed.advance(LOG, now, next, moment(0)).await.expect("writes")) })
        });
        let mut advanced = Vec::new();
        for attempt in tries.collect::<Vec<_>>() {
            let (next, done) = attempt.await.expect("runs");
            advanced.extend(done.then_some(next));
        }
        assert_eq!(advanced.len(), 1, "round {round}");
        now = one.seen(LOG).await.expect("reads");
        assert_eq!(now, advanced.first().copied());
    }
}
