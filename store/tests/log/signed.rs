//! The signed trees of the log, and the tiles for its followers.

use std::collections::HashMap;

use ledger::proof::{ConsistencyProof, InclusionProof, Subtree};
use ledger::tile::{TileId, TileIndex, TileLevel, TileWidth};
use ledger::{Frontier, Hash, Head, LeafIndex, Tree, TreeSize, leaf_hash};
use sqlx::{AssertSqlSafe, Executor, PgConnection};
use store::{Contradiction, Cosignature, SignedCheckpoint, SignedHead, Store, Succession, SurveyError, Term, succeed};

use super::server::Database;
use super::{LOG, append, match_id, moment, node};

/// Many entries at once that need not be valid, and their leaves.
async fn fill(superuser: &mut PgConnection, from: u64, to: u64) -> Vec<Hash> {
    sqlx::query(
        "insert into entries (log_id, pos, match_id, seq, leaf, bytes) \
         select $1, n, $2, n, sha256('\\x00'::bytea || n::text::bytea), n::text::bytea from generate_series($3, $4) n",
    )
    .bind(LOG.0)
    .bind(match_id(1).0)
    .bind(from as i64)
    .bind(to as i64 - 1)
    .execute(superuser)
    .await
    .unwrap();
    leaves(from, to)
}

fn leaves(from: u64, to: u64) -> Vec<Hash> {
    (from..to).map(|n| leaf_hash(n.to_string().as_bytes())).collect()
}

fn tree_of(leaves: &[Hash]) -> Tree {
    let frontier: Frontier = leaves.iter().copied().collect();
    Tree { size: frontier.size(), root: frontier.root() }
}

fn checkpoint(term: u16, tree: Tree) -> SignedCheckpoint {
    SignedCheckpoint { term: Term(term), tree, note: format!("signed {}\n", tree.size), at: moment(1) }
}

fn contradiction(found: Result<Tree, SurveyError>) -> Contradiction {
    match found {
        Err(SurveyError::Contradiction(contradiction)) => contradiction,
        other => panic!("expected a contradiction, got {other:?}"),
    }
}

async fn count_tiles(store: &Store) -> Vec<(i16, i64)> {
    sqlx::query_as("select level, count(*) from tiles group by level order by level")
        .fetch_all(store.pool())
        .await
        .unwrap()
}

fn tile(level: u8, index: u64, width: u16) -> TileId {
    let (level, width) = (TileLevel::new(level).unwrap(), TileWidth::new(width).unwrap());
    TileId { level, index: TileIndex(index), width }
}

/// A tile computed naively: the roots of `width` runs of 256^level leaves.
fn naive(leaves: &[Hash], span: TileId) -> Vec<Hash> {
    let run = 256_usize.pow(span.level.get().into());
    let from = span.index.0 as usize * 256 * run;
    (0..usize::from(span.width.get())).map(|n| tree_of(&leaves[from + n * run..from + (n + 1) * run]).root).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tiles_of_70_000_entries_are_as_tlog_tiles_says_written_or_not() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    let leaves = fill(&mut database.superuser().await, 0, 70_000).await;
    let size = TreeSize(70_000);
    let spans = [(0, 0, 256), (0, 272, 256), (0, 273, 112), (0, 273, 1), (1, 0, 256), (1, 1, 17), (2, 0, 1), (1, 0, 7)];
    let spans = spans.map(|(level, index, width)| tile(level, index, width));
    let beyond = [(0, 273, 113), (1, 1, 18), (2, 0, 2), (0, 274, 1), (0, u64::MAX, 1), (8, 0, 1), (63, 0, 1)];
    let beyond = beyond.map(|(level, index, width)| tile(level, index, width));
    for written in [false, true] {
        let asked: Vec<TileId> = spans.iter().chain(&beyond).copied().collect();
        let found = store.with_pool(store.pool().clone()).tiles(&asked).await.unwrap();
        assert_eq!(found.len(), spans.len(), "nothing beyond the log");
        for span in spans {
            assert_eq!(found[&span], naive(&leaves, span), "{span:?}");
            assert_eq!(store.tile(span).await.unwrap().as_ref(), Some(&found[&span]));
        }
        for size in [0, 1, 255, 256, 257, 65_535, 65_536, 65_537, 69_999, 70_000] {
            let root = store.root_at(TreeSize(size)).await.unwrap();
            assert_eq!(root, Some(tree_of(&leaves[..size as usize]).root), "size {size}");
        }
        assert_eq!(store.root_at(TreeSize(70_001)).await.unwrap(), None);
        if !written {
            assert!(count_tiles(&store).await.is_empty());
            assert_eq!(store.survey(size, &[]).await.unwrap(), tree_of(&leaves));
            assert_eq!(count_tiles(&store).await, [(0, 273), (1, 1)]);
        }
    }
    // A lost tile is written again.
    database.superuser().await.execute("delete from tiles where tile in (0, 7)").await.unwrap();
    assert_eq!(store.survey(size, &[]).await.unwrap(), tree_of(&leaves));
    assert_eq!(count_tiles(&store).await, [(0, 273), (1, 1)]);
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn proofs_are_made_from_tiles_and_leaves() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    let leaves = fill(&mut database.superuser().await, 0, 70_000).await;
    store.survey(TreeSize(70_000), &[]).await.unwrap();
    let source = |hashes: HashMap<Subtree, Hash>| move |subtree: Subtree| hashes.get(&subtree).copied();
    for size in [1, 2, 255, 256, 257, 1_000, 65_536, 65_537, 70_000] {
        let tree = tree_of(&leaves[..size as usize]);
        for index in [0, 1, 255, 256, 65_535, 65_536, size - 1].into_iter().filter(|index| *index < size) {
            let leaf = LeafIndex(index);
            let needed = InclusionProof::subtrees(leaf, tree.size).unwrap();
            let hashes = store.hashes(&needed).await.unwrap();
            let proof = InclusionProof::prove(leaf, tree.size, &source(hashes)).unwrap();
            proof.check(leaf, leaves[index as usize], &tree).unwrap();
        }
        for old in [1, 2, 3, 255, 256, 257, 65_536].into_iter().filter(|old| *old <= size) {
            let needed = ConsistencyProof::subtrees(TreeSize(old), tree.size).unwrap();
            let hashes = store.hashes(&needed).await.unwrap();
            let proof = ConsistencyProof::prove(TreeSize(old), tree.size, &source(hashes)).unwrap();
            proof.check(&tree_of(&leaves[..old as usize]), &tree).unwrap();
        }
    }
    database.drop().await;
}

/// A match whose entries are spread over the log names many trees, so its page needs pieces of many tiles. PostgreSQL
/// must not read the log once for every piece.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pieces_of_many_tiles_are_read_without_reading_the_log() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    let mut superuser = database.superuser().await;
    fill(&mut superuser, 0, 70_000).await;
    // As long as real entries.
    superuser.execute("update entries set bytes = convert_to(repeat('x', 600), 'UTF8')").await.unwrap();
    superuser.execute("vacuum (full, analyze) entries").await.unwrap();
    let scans = "select seq_scan from pg_stat_user_tables where relname = 'entries'";
    let at_first: i64 = sqlx::query_scalar(scans).fetch_one(&mut superuser).await.unwrap();
    let pool = sqlx::postgres::PgPoolOptions::new().max_connections(1);
    let pool = pool.connect_with(database.options.clone()).await.unwrap();
    let spans: Vec<TileId> = (0..273).flat_map(|index| [50, 100, 200].map(|width| tile(0, index, width))).collect();
    assert_eq!(store.with_pool(pool.clone()).tiles(&spans).await.unwrap().len(), spans.len());
    pool.execute("select pg_stat_force_next_flush()").await.unwrap();
    pool.close().await;
    let now: i64 = sqlx::query_scalar(scans).fetch_one(&mut superuser).await.unwrap();
    assert_eq!(now, at_first, "the log was read whole");
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_head_moves_by_compare_and_swap() {
    let database = Database::create().await;
    let (store, writer) = node(database.options.clone()).await;
    assert_eq!(store.signed_head().await.unwrap(), None);
    assert_eq!(store.latest_checkpoint().await.unwrap(), None);
    let empty = checkpoint(0, Tree::empty());
    let head = |checkpoint: &SignedCheckpoint| Some(SignedHead { term: checkpoint.term, tree: checkpoint.tree });
    assert!(!store.sign(head(&empty), &empty).await.unwrap(), "nothing can have been seen yet");
    assert!(store.sign(None, &empty).await.unwrap());
    assert!(!store.sign(None, &empty).await.unwrap(), "two first starts: one of them signs");

    writer.append(append(match_id(1), Head::GENESIS, 0..9)).await.unwrap();
    let size = store.size().await.unwrap();
    let next = checkpoint(0, store.extend(empty.tree, size, &[]).await.unwrap());
    let forged = checkpoint(0, Tree { root: Hash::ZERO, ..next.tree });
    let (one, other) = tokio::join!(store.sign(head(&empty), &next), store.sign(head(&empty), &forged));
    assert!(one.unwrap() != other.unwrap(), "of two only one moves it");
    let signed = store.latest_checkpoint().await.unwrap().unwrap();
    assert_eq!(store.signed_head().await.unwrap(), head(&signed));
    assert_eq!(store.checkpoint_at(size).await.unwrap().as_ref(), Some(&signed));
    assert_eq!(store.checkpoint_at(TreeSize(5)).await.unwrap(), None);
    assert_eq!(store.checkpoint_up_to(Term(0), TreeSize(5)).await.unwrap(), Some(empty));

    let line = |n: u8| Cosignature { witness: format!("w{n}.example"), line: format!("line {n}"), at: moment(2) };
    for n in [2, 1, 2] {
        store.keep_cosignature(Term(0), size, &line(n)).await.unwrap();
    }
    let again = Cosignature { line: "another".to_owned(), ..line(1) };
    store.keep_cosignature(Term(0), size, &again).await.unwrap();
    assert_eq!(store.cosignatures(Term(0), size).await.unwrap(), [line(1), line(2)]);
    assert!(store.cosignatures(Term(1), size).await.unwrap().is_empty());
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_is_not_what_was_signed_is_told_with_its_place() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    let mut superuser = database.superuser().await;
    let leaves = fill(&mut superuser, 0, 600).await;
    let (size, first, signed) = (TreeSize(600), tree_of(&leaves[..100]), tree_of(&leaves[..520]));
    for marks in [vec![first], vec![first, signed], vec![Tree::empty(), signed, tree_of(&leaves)]] {
        assert_eq!(store.survey(size, &marks).await.unwrap(), tree_of(&leaves));
        assert_eq!(store.extend(signed, size, &marks).await.unwrap(), tree_of(&leaves));
        assert_eq!(store.extend(Tree::empty(), size, &marks).await.unwrap(), tree_of(&leaves));
    }

    let beyond = Tree { size: TreeSize(601), root: Hash::ZERO };
    let shorter = Contradiction::Shorter { signed: TreeSize(601), size };
    assert_eq!(contradiction(store.survey(size, &[signed, beyond]).await), shorter);
    assert_eq!(contradiction(store.extend(beyond, size, &[]).await), shorter);
    assert_eq!(contradiction(store.extend(signed, size, &[beyond]).await), shorter);
    for old in [first, signed] {
        let other = Tree { root: Hash::ZERO, ..old };
        let different = Contradiction::Different { size: old.size, signed: Hash::ZERO, found: old.root };
        assert_eq!(contradiction(store.survey(size, &[other]).await), different);
        assert_eq!(contradiction(store.extend(other, size, &[]).await), different);
        assert_eq!(contradiction(store.extend(signed, size, &[other]).await), different);
    }

    for (done, found) in [
        ("update entries set bytes = 'x' where pos = 530", Contradiction::Altered { index: LeafIndex(530) }),
        ("delete from entries where pos = 525", Contradiction::Missing { index: LeafIndex(525) }),
    ] {
        superuser.execute(AssertSqlSafe(done)).await.unwrap();
        assert_eq!(contradiction(store.extend(signed, size, &[]).await), found);
        assert_eq!(contradiction(store.survey(size, &[]).await), found);
    }
    superuser.execute("delete from entries where pos > 520").await.unwrap();
    superuser.execute("update tiles set hashes = repeat('x', 8192)::bytea where tile = 1").await.unwrap();
    let found = contradiction(store.survey(TreeSize(520), &[signed]).await);
    assert_eq!(found, Contradiction::Tile { level: 0, index: 1 });
    // Between surveys an altered old entry is found only by its tile, and a forged tile by the signed root.
    superuser.execute("update tiles set root = sha256('x') where tile = 0").await.unwrap();
    let found = contradiction(store.extend(signed, TreeSize(520), &[]).await);
    assert!(matches!(found, Contradiction::Different { size: TreeSize(512 | 520), .. }), "{found}");
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_succession_starts_a_term_and_keeps_what_was_signed_before() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    let mut superuser = database.superuser().await;
    let leaves = fill(&mut superuser, 0, 300).await;
    let old = checkpoint(0, tree_of(&leaves));
    assert!(store.sign(None, &old).await.unwrap());
    let seen = store.signed_head().await.unwrap();
    let origin = "localhost/matchbook-0123abcd/2".parse().unwrap();
    let next = Succession {
        term: Term(1),
        origin,
        common: tree_of(&leaves[..256]),
        last: old.tree,
        log_key: [5; 32],
        host_key: [6; 32],
        named: Some("a line".to_owned()),
        at: moment(3),
    };

    let refused = succeed(&mut superuser, LOG, None, &next).await.unwrap();
    assert!(!refused && store.successions().await.unwrap().is_empty(), "the head is not the one that was seen");
    assert!(succeed(&mut superuser, LOG, seen, &next).await.unwrap());
    assert_eq!(store.successions().await.unwrap(), std::slice::from_ref(&next));
    let head = SignedHead { term: Term(1), tree: next.common };
    assert_eq!(store.signed_head().await.unwrap(), Some(head));
    assert_eq!(store.latest_checkpoint().await.unwrap().as_ref(), Some(&old), "until the new term has signed");
    let first = checkpoint(1, next.common);
    assert!(store.sign(Some(head), &first).await.unwrap());
    assert_eq!(store.latest_checkpoint().await.unwrap(), Some(first));
    assert_eq!(store.checkpoint_at(old.tree.size).await.unwrap(), Some(old));
    let third = Succession {
        term: Term(2),
        origin: "localhost/matchbook-0123abcd/3".parse().unwrap(),
        common: tree_of(&leaves),
        last: tree_of(&leaves),
        named: None,
        at: moment(4),
        ..next.clone()
    };
    let last = store.signed_head().await.unwrap();
    assert!(succeed(&mut superuser, LOG, last, &third).await.unwrap());
    assert_eq!(store.successions().await.unwrap(), [next, third.clone()], "the first one first");
    let last = store.signed_head().await.unwrap();
    let mut served = store.pool().acquire().await.unwrap();
    let fourth = Succession { term: Term(3), ..third };
    assert!(succeed(&mut served, LOG, last, &fourth).await.is_err(), "who serves may not");
    drop(served);
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_logs_key_is_the_first_one_for_ever() {
    let database = Database::create().await;
    let (store, writer) = node(database.options.clone()).await;
    assert_eq!(store.log_key([3; 32], moment(0)).await.unwrap(), [3; 32]);
    assert_eq!(store.log_key([4; 32], moment(0)).await.unwrap(), [3; 32]);
    let (one, two) = (match_id(1), match_id(2));
    let first = writer.append(append(one, Head::GENESIS, [1, 2])).await.unwrap();
    writer.append(append(two, Head::GENESIS, [3])).await.unwrap();
    writer.append(append(one, first.head, [4])).await.unwrap();
    assert_eq!(store.indexes(one).await.unwrap(), [0, 1, 3].map(LeafIndex));
    let bundle_of = |index, width| store.entry_bundle(TileIndex(index), TileWidth::new(width).unwrap());
    let bundle = bundle_of(0, 4).await.unwrap().unwrap();
    let stored = store.entries_from(LeafIndex(0), 9).await.unwrap();
    assert_eq!(bundle, stored.into_iter().map(|entry| entry.bytes).collect::<Vec<_>>());
    assert_eq!(bundle_of(0, 5).await.unwrap(), None);
    assert_eq!(bundle_of(1, 1).await.unwrap(), None);
    database.drop().await;
}
