//! The store against a real PostgreSQL. After every change, the whole log is verified from its bytes.

mod gathering;
mod given_up;
mod heartbeat;
mod private;
mod proxy;
mod schema;
mod server;
mod signed;
mod witnessed_trees;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ledger::{
    Author, Draft, Frontier, Hash, Head, Kind, LeafIndex, LogId, MatchId, Moment, Seq, TreeSize, chain, leaf_hash,
};
use proxy::{Cut, Proxy};
use server::{Database, Server};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions, Executor, PgConnection, Row};
use store::database::one_connection;
use store::{
    Append, AppendError, AppendResult, Identity, Refusal, SERVE_ROLE, Store, StoreError, Stored, Submit, SubmitId,
    Trouble, Writer, serving,
};
use uuid::Uuid;

const LOG: LogId = LogId(0);

fn identity() -> Identity {
    let origin = "localhost/matchbook-0123abcd".parse().expect("an origin");
    Identity { origin, host_key: [7; 32], created_at: moment(0) }
}

fn moment(micros: i64) -> Moment {
    Moment::from_micros(1_795_207_308_000_000 + micros).expect("a moment")
}

fn match_id(n: u128) -> MatchId {
    MatchId(Uuid::from_u128(n))
}

fn draft(n: u64) -> Draft {
    Draft { at: moment(n as i64), by: Author::P1, kind: Kind::Noted, body: format!(r#"{{"n":{n}, "text":"é"}}"#) }
}

fn append(match_id: MatchId, expected: Head, drafts: impl IntoIterator<Item = u64>) -> Append {
    Append {
        log_id: LOG,
        match_id,
        expected,
        drafts: drafts.into_iter().map(draft).collect(),
        texts: Vec::new(),
        submit: None,
    }
}

fn submit(n: u8) -> Submit {
    Submit { id: SubmitId([n; 16]), digest: Hash::new([n; 32]) }
}

async fn node(options: PgConnectOptions) -> (Store, Writer) {
    let pool = PgPoolOptions::new().max_connections(4).connect_with(serving(options)).await.expect("connects");
    let store = Store::open(pool, LOG, &identity()).await.expect("opens");
    let (writer, _) = store.start_writer().await.expect("starts");
    (store, writer)
}

fn refusal(result: Result<AppendResult, AppendError>) -> Refusal {
    match result {
        Err(AppendError::Refused(refusal)) => refusal,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

/// Reads the whole log and recomputes everything in it: positions, leaves, every tree head, every match's chain.
async fn verify(store: &Store) -> Vec<Stored> {
    let mut log: Vec<Stored> = Vec::new();
    loop {
        let page = store.entries_from(LeafIndex(log.len() as u64), 100).await.expect("reads");
        if page.is_empty() {
            break;
        }
        log.extend(page);
    }
    let kept: HashMap<u64, Vec<u8>> = sqlx::query("select size, root from tree_heads")
        .fetch_all(store.pool())
        .await
        .expect("reads")
        .iter()
        .map(|row| (row.get::<i64, _>("size") as u64, row.get("root")))
        .collect();
    let mut frontier = Frontier::new();
    let mut matches: HashMap<MatchId, Vec<&Stored>> = HashMap::new();
    let mut seen = 0;
    for stored in &log {
        assert_eq!(stored.index, frontier.size().next_leaf(), "positions have no gap");
        assert_eq!(stored.leaf, leaf_hash(&stored.bytes));
        frontier.push(stored.leaf);
        if let Some(root) = kept.get(&frontier.size().0) {
            assert_eq!(root.as_slice(), frontier.root().bytes(), "root of tree {}", frontier.size());
            seen += 1;
        }
        matches.entry(stored.match_id).or_default().push(stored);
    }
    assert_eq!(seen, kept.len(), "no tree head beyond the log");
    let head = store.tree_head().await.expect("reads");
    assert_eq!((head.size, head.root), (frontier.size(), frontier.root()), "the newest tree covers all entries");
    for (match_id, entries) in matches {
        let last = entries.last().expect("at least one");
        let head = Head { next: Seq(last.seq.0 + 1), leaf: last.leaf };
        let lines: Vec<&[u8]> = entries.iter().map(|stored| stored.bytes.as_slice()).collect();
        chain::check(match_id, &lines, Some(head)).expect("a chain");
    }
    log
}

/// All acknowledged entries are there, exactly as acknowledged, and none is there twice.
fn assert_kept(log: &[Stored], acknowledged: &[AppendResult]) {
    for placed in acknowledged.iter().flat_map(|appended| &appended.entries) {
        let stored = &log[placed.index.0 as usize];
        assert_eq!((stored.seq, stored.leaf), (placed.seq, placed.leaf));
    }
    let bodies: HashSet<String> =
        log.iter().map(|stored| ledger::Entry::read(&stored.bytes).expect("an entry").body).collect();
    assert_eq!(bodies.len(), log.len(), "nothing was written twice");
}

/// Appends one entry after another to one match while `more` returns true for the number of acknowledged entries. It
/// follows the match's head if another submitter moves it.
async fn submit_many(
    writer: Writer,
    match_id: MatchId,
    submitter: u64,
    more: impl Fn(u64) -> bool,
) -> Vec<AppendResult> {
    let mut head = Head::GENESIS;
    let mut done = Vec::new();
    for n in (0..).take_while(|n| more(*n)) {
        let number = submitter * 1_000_000 + n;
        loop {
            match writer.append(append(match_id, head, [number])).await {
                Ok(appended) => {
                    head = appended.head;
                    done.push(appended);
                    break;
                }
                Err(AppendError::Refused(Refusal::Stale { head: now, .. })) => head = now,
                Err(other) => panic!("{other}"),
            }
        }
    }
    done
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_appended_is_read_back_byte_for_byte() {
    let database = Database::create().await;
    let (store, writer) = node(database.options.clone()).await;
    assert_eq!(store.tree_head().await.unwrap().size, TreeSize(0));

    let first = writer.append(append(match_id(1), Head::GENESIS, [5, 3])).await.unwrap();
    let other = writer.append(append(match_id(2), Head::GENESIS, [9])).await.unwrap();
    let second = writer.append(append(match_id(1), first.head, [8])).await.unwrap();

    let lines: Vec<String> = store
        .match_entries(match_id(1))
        .await
        .unwrap()
        .into_iter()
        .map(|stored| String::from_utf8(stored.bytes).unwrap())
        .collect();
    assert_eq!(
        lines,
        [
            r#"{"v":1,"match":"00000000-0000-0000-0000-000000000001","seq":0,"prev":"0000000000000000000000000000000000000000000000000000000000000000","at":"2026-11-20T20:41:48.000005Z","by":"p1","kind":"noted","body":{"n":5, "text":"é"}}"#.to_owned(),
            format!(r#"{{"v":1,"match":"00000000-0000-0000-0000-000000000001","seq":1,"prev":"{}","at":"2026-11-20T20:41:48.000005Z","by":"p1","kind":"noted","body":{{"n":3, "text":"é"}}}}"#, first.entries[0].leaf),
            format!(r#"{{"v":1,"match":"00000000-0000-0000-0000-000000000001","seq":2,"prev":"{}","at":"2026-11-20T20:41:48.000008Z","by":"p1","kind":"noted","body":{{"n":8, "text":"é"}}}}"#, first.entries[1].leaf),
        ],
        "the clock of the second is raised to the first's"
    );
    assert_eq!(first.head, Head { next: Seq(2), leaf: first.entries[1].leaf });
    assert_eq!(other.entries[0].index, LeafIndex(2));
    assert_eq!(second.tree, store.tree_head().await.unwrap());
    assert_eq!(store.tree_head_covering(LeafIndex(0)).await.unwrap(), Some(first.tree));
    assert_eq!(store.tree_head_covering(LeafIndex(4)).await.unwrap(), None);
    assert!(store.match_entries(match_id(3)).await.unwrap().is_empty());
    assert_kept(&verify(&store).await, &[first, other, second]);
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_keeps_its_identity_and_goes_on_where_it_stood() {
    let database = Database::create().await;
    let (store, writer) = node(database.options.clone()).await;
    let before = writer.append(append(match_id(1), Head::GENESIS, 0..5)).await.unwrap();
    drop(writer);

    let elsewhere = Identity { origin: "elsewhere.example/log".parse().unwrap(), host_key: [9; 32], ..identity() };
    let again = Store::open(store.pool().clone(), LOG, &elsewhere).await.unwrap();
    assert_eq!(again.log(), store.log());
    assert_eq!(again.log().host_key, [7; 32]);
    let (writer, task) = again.start_writer().await.unwrap();
    let after = writer.append(append(match_id(1), before.head, [9])).await.unwrap();
    assert_kept(&verify(&again).await, &[before, after]);
    drop(writer);
    task.await.unwrap().expect("ends well when nobody needs it");
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_saw_an_older_head_is_refused_and_shown_the_new_one() {
    let database = Database::create().await;
    let (store, writer) = node(database.options.clone()).await;
    let (_, elsewhere) = node(database.options.clone()).await;
    let first = writer.append(append(match_id(1), Head::GENESIS, [1])).await.unwrap();

    // Two windows decide on the same head, one of them on another node.
    let second = elsewhere.append(append(match_id(1), first.head, [2])).await.unwrap();
    let late = refusal(writer.append(append(match_id(1), first.head, [3])).await);
    assert_eq!(late, Refusal::Stale { expected: first.head, head: second.head });

    // A head that was read on the other node is not stale here, although this node has not read it yet.
    let third = elsewhere.append(append(match_id(1), second.head, [4])).await.unwrap();
    let fourth = writer.append(append(match_id(1), third.head, [5])).await.unwrap();

    let forged = Head { leaf: Hash::ZERO, ..fourth.head };
    assert!(matches!(refusal(writer.append(append(match_id(1), forged, [6])).await), Refusal::Stale { .. }));
    let bad = Draft { body: "{}{}".to_owned(), ..draft(1) };
    let bad = Append { drafts: vec![draft(7), bad], ..append(match_id(1), fourth.head, []) };
    assert_eq!(refusal(writer.append(bad).await).to_string(), "draft 1: byte 2: the end was expected here");
    assert_eq!(refusal(writer.append(append(match_id(1), fourth.head, [])).await), Refusal::Empty);
    assert_eq!(verify(&store).await.len(), 4);
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_repeated_submit_is_answered_like_the_first() {
    let database = Database::create().await;
    let (store, writer) = node(database.options.clone()).await;
    let (_, elsewhere) = node(database.options.clone()).await;
    let once = Append { submit: Some(submit(1)), ..append(match_id(1), Head::GENESIS, [1, 2, 3]) };

    // Several at once, in one batch or not, and on another node: all get the same answer.
    let (a, b, c) =
        tokio::join!(writer.append(once.clone()), writer.append(once.clone()), elsewhere.append(once.clone()));
    let first = a.unwrap();
    assert_eq!((&b.unwrap(), &c.unwrap()), (&first, &first));
    let later = writer.append(append(match_id(1), first.head, [4])).await.unwrap();
    assert_eq!(writer.append(once.clone()).await.unwrap(), first, "also after others came");
    assert_eq!(elsewhere.append(once.clone()).await.unwrap(), first);

    let other = Append { submit: Some(Submit { digest: Hash::ZERO, ..submit(1) }), ..once.clone() };
    assert_eq!(refusal(writer.append(other.clone()).await), Refusal::SubmitReused);
    // On another match its head gives no hint, so the index has to notice.
    let elsewhere_reused = Append { log_id: LOG, match_id: match_id(2), ..other };
    let innocent = writer.append(append(match_id(3), Head::GENESIS, [5]));
    let (reused, innocent) = tokio::join!(writer.append(elsewhere_reused), innocent);
    assert_eq!(refusal(reused), Refusal::SubmitReused);
    assert_kept(&verify(&store).await, &[first, later, innocent.unwrap()]);
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_at_once_leave_no_gap_and_no_duplicate() {
    let database = Database::create().await;
    let (store, here) = node(database.options.clone()).await;
    let (_, there) = node(database.options.clone()).await;
    let mut tasks = Vec::new();
    for submitter in 0..24 {
        let writer = if submitter % 2 == 0 { here.clone() } else { there.clone() };
        // Three of four have their own match; the others share one.
        let target = if submitter % 4 == 0 { match_id(999) } else { match_id(submitter.into()) };
        tasks.push(tokio::spawn(submit_many(writer, target, submitter, |n| n < 25)));
    }
    let mut acknowledged = Vec::new();
    for task in tasks {
        acknowledged.extend(task.await.unwrap());
    }
    let log = verify(&store).await;
    assert_eq!((log.len(), acknowledged.len()), (600, 600));
    assert_kept(&log, &acknowledged);
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_storm_of_broken_connections_loses_nothing_and_doubles_nothing() {
    let database = Database::create().await;
    let (store, here) = node(database.options.clone()).await;
    let (_, there) = node(database.options.clone()).await;
    // All go on appending until five connections were broken, at any speed of the machine.
    let broken = Arc::new(AtomicUsize::new(0));
    let mut tasks = Vec::new();
    for submitter in 0..16 {
        let writer = if submitter % 2 == 0 { here.clone() } else { there.clone() };
        let broken = broken.clone();
        let more = move |n| n < 40 || broken.load(Ordering::Relaxed) < 5;
        tasks.push(tokio::spawn(submit_many(writer, match_id(submitter.into()), submitter, more)));
    }
    let mut superuser = database.superuser().await;
    while tasks.iter().any(|task| !task.is_finished()) {
        let killed = sqlx::query(
            "select pg_terminate_backend(pid) from pg_stat_activity \
             where application_name = 'matchbook writer' and datname = current_database()",
        )
        .fetch_all(&mut superuser)
        .await
        .unwrap();
        broken.fetch_add(killed.len(), Ordering::Relaxed);
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
    let mut acknowledged = Vec::new();
    for task in tasks {
        acknowledged.extend(task.await.unwrap());
    }
    let log = verify(&store).await;
    assert_kept(&log, &acknowledged);
    assert_eq!(log.len(), acknowledged.len());
    assert!(log.len() >= 640 && broken.load(Ordering::Relaxed) >= 5);
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_lost_while_committing_is_looked_into() {
    let database = Database::create().await;
    let proxy = Proxy::start(&database.name, database.options.clone());
    let (store, _) = node(database.options.clone()).await;
    let (_, writer) = node(proxy.options(&database.options)).await;
    let mut acknowledged = vec![writer.append(append(match_id(1), Head::GENESIS, [0])).await.unwrap()];
    let delays = [0, 5, 10, 12, 15, 20, 25, 50, 150].map(|ms| Cut::WithTheRequestDelayed(Duration::from_millis(ms)));
    let cuts = [Cut::BeforeTheRequest, Cut::BeforeTheAnswer].into_iter().chain(delays);
    for (n, cut) in (1..).zip(cuts) {
        let head = acknowledged.last().unwrap().head;
        proxy.cut(cut);
        acknowledged.push(writer.append(append(match_id(1), head, [n, n + 1_000])).await.unwrap());
        assert!(proxy.was_cut());
        assert_eq!(verify(&store).await.len() as u64, 1 + 2 * n, "{cut:?}");
    }
    // Lets the last delayed request reach the server and fail there.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let log = verify(&store).await;
    assert_kept(&log, &acknowledged);
    assert_eq!(log.len(), 23);
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_freezes_with_the_mutex_holds_up_the_others_for_two_seconds() {
    let database = Database::create().await;
    let proxy = Proxy::start(&database.name, database.options.clone());
    let (store, writer) = node(database.options.clone()).await;
    let (_, freezing) = node(proxy.options(&database.options)).await;
    // Each finds entries of the other where it wanted to put its own, so both take turns from now on.
    let mut head = Head::GENESIS;
    for n in 0..2 {
        freezing.append(append(match_id(10 + u128::from(n)), Head::GENESIS, [n])).await.unwrap();
        head = writer.append(append(match_id(1), head, [n])).await.unwrap().head;
    }
    // One freezes in its turn, and never answers.
    proxy.cut(Cut::InATransaction);
    let lost = tokio::spawn(async move { freezing.append(append(match_id(20), Head::GENESIS, [0])).await });
    while !proxy.was_cut() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let appended = tokio::time::timeout(Duration::from_secs(6), writer.append(append(match_id(1), head, [2])));
    appended.await.expect("the other one goes on").unwrap();
    lost.abort();
    verify(&store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_lost_acknowledged_entries_takes_no_more() {
    let database = Database::create().await;
    let (store, writer) = node(database.options.clone()).await;
    let first = writer.append(append(match_id(1), Head::GENESIS, 0..4)).await.unwrap();
    // A failover that lost commits: the connection breaks, and the log is shorter.
    let mut superuser = database.superuser().await;
    let lost = "create table lost as select * from entries where pos = 3; \
        delete from entries where pos = 3; delete from tree_heads";
    superuser.execute(sqlx::raw_sql(lost)).await.unwrap();
    superuser
        .execute("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'matchbook writer' and datname = current_database()")
        .await
        .unwrap();
    assert_eq!(writer.append(append(match_id(1), first.head, [9])).await, Err(AppendError::Stopped));
    assert_eq!(writer.append(append(match_id(2), Head::GENESIS, [9])).await, Err(AppendError::Stopped));
    assert_eq!(store.entries_from(LeafIndex(0), 100).await.unwrap().len(), 3, "nothing was added after the gap");
    let mut trouble = writer.trouble();
    assert!(matches!(&*trouble.borrow(), Some(Trouble::Corrupt(what)) if what.starts_with("position 3")));
    // What was lost comes back, and so does the writer.
    superuser.execute("insert into entries select * from lost").await.unwrap();
    trouble.wait_for(Option::is_none).await.unwrap();
    let again = writer.append(append(match_id(1), first.head, [9])).await.unwrap();
    assert_eq!(again.entries[0].index, LeafIndex(4));
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_added_to_a_log_that_contradicts_itself() {
    let database = Database::create().await;
    let (store, writer) = node(database.options.clone()).await;
    writer.append(append(match_id(1), Head::GENESIS, 0..4)).await.unwrap();
    drop(writer);
    let mut superuser = database.superuser().await;
    for (done, said) in [
        ("update tree_heads set root = sha256('other')", "the frontier of tree 4 does not give its root"),
        (
            "delete from tree_heads; update entries set leaf = sha256('other') where pos = 2",
            "position 2: its bytes do not have the leaf hash beside them",
        ),
        (
            "update entries set leaf = sha256('\\x00'::bytea || bytes), match_id = gen_random_uuid() where pos = 2",
            "position 2: it does not belong to the match or place beside it",
        ),
        ("delete from entries where pos = 2", "position 3: position 2 is missing before it"),
        (
            "insert into tree_heads select 0, 2, sha256('\\x01'::bytea || a.leaf || b.leaf), \
                 sha256('\\x01'::bytea || a.leaf || b.leaf), now() from entries a, entries b where a.pos = 0 and b.pos = 1; \
             delete from entries where pos > 0",
            "position 1 no longer holds the entry that was acknowledged",
        ),
    ] {
        superuser.execute(done).await.unwrap();
        let (writer, _) = store.start_writer().await.unwrap();
        assert_eq!(*writer.trouble().borrow(), Some(Trouble::Corrupt(said.to_owned())));
        assert_eq!(writer.append(append(match_id(2), Head::GENESIS, [9])).await, Err(AppendError::Stopped));
    }
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_role_that_serves_can_look_and_add_and_nothing_else() {
    let database = Database::create().await;
    let (_store, writer) = node(database.options.clone()).await;
    writer.append(append(match_id(1), Head::GENESIS, [1])).await.unwrap();
    let mut connection: PgConnection = serving(database.options.clone()).connect().await.unwrap();
    connection.execute("reset role").await.unwrap();
    let role: String = sqlx::query("select current_user::text").fetch_one(&mut connection).await.unwrap().get(0);
    assert_eq!(role, SERVE_ROLE, "resetting the role does not lead out of it");

    for table in [
        "entries",
        "tree_heads",
        "logs",
        "submissions",
        "log_keys",
        "escrow_keys",
        "checkpoints",
        "cosignatures",
        "tiles",
        "successions",
    ] {
        for statement in [
            format!("update {table} set log_id = log_id"),
            format!("delete from {table}"),
            format!("truncate {table}"),
            format!("alter table {table} add column x integer"),
            format!("drop table {table}"),
            format!("create trigger x before insert on {table} execute function f()"),
            format!("select * from {table} for update"),
        ] {
            let error = connection.execute(AssertSqlSafe(statement.clone())).await.unwrap_err();
            let code = error.as_database_error().and_then(|error| error.code()).unwrap_or_default().into_owned();
            assert_eq!(code, "42501", "{statement}: {error}");
        }
    }
    for (statement, allowed) in [
        ("delete from texts", true),
        ("delete from escrow", true),
        ("update texts set text = ''", false),
        ("update escrow set ciphertext = ''", false),
        ("delete from writers", false),
        ("truncate writers", false),
        ("update comments set text = '', withdrawn_by = umpire, withdrawn_at = now()", true),
        ("update comments set at = now()", false),
        ("update comments set umpire = umpire", false),
        ("delete from comments", false),
        ("delete from match_commentators", true),
        ("update match_commentators set umpire = umpire", false),
    ] {
        assert_eq!(connection.execute(statement).await.is_ok(), allowed, "{statement}");
    }
    drop(connection);
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_has_no_letters_for_some_names_is_refused() {
    let database = Database::create().await;
    let mut superuser = database.superuser().await;
    let latin = format!("{}_latin", database.name);
    let made = format!("create database {latin} encoding 'LATIN1' locale 'C' template template0");
    superuser.execute(AssertSqlSafe(made)).await.unwrap();
    let pool = PgPoolOptions::new().connect_with(database.options.clone().database(&latin)).await.unwrap();
    let refused = Store::open(pool.clone(), LOG, &identity()).await.unwrap_err();
    assert!(matches!(refused, StoreError::Encoding { ref encoding } if encoding == "LATIN1"), "{refused}");
    pool.close().await;
    superuser.execute(AssertSqlSafe(format!("drop database {latin}"))).await.unwrap();
    database.drop().await;
}

/// A pooler that leaves out the options of a connection makes it the owner's.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_lost_its_role_takes_it_again() {
    let database = Database::create().await;
    // As behind a pooler that drops what a connection asks for at its start.
    let pool = PgPoolOptions::new().connect_with(database.options.clone()).await.unwrap();
    let one = one_connection(&pool, "a test", Duration::from_secs(20));
    let role: String = sqlx::query_scalar("select current_user::text").fetch_one(&one).await.unwrap();
    assert_eq!(role, "matchbook_serve", "no connection as the owner");
    one.close().await;
    pool.close().await;
    database.drop().await;
}

/// The setting of a database holds for connections that are made later: for every one of them it is looked at.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_connection_that_is_made_later_may_forget() {
    let database = Database::create().await;
    let (store, writer) = node(database.options.clone()).await;
    let pool = one_connection(store.pool(), "a test", Duration::from_secs(3));
    let first = writer.append(append(match_id(1), Head::GENESIS, 0..2)).await.unwrap();
    let mut superuser = database.superuser().await;
    let off = format!("alter database {} set synchronous_commit = off", database.name);
    superuser.execute(AssertSqlSafe(off)).await.unwrap();
    let ended = "select pg_terminate_backend(pid) from pg_stat_activity \
                 where datname = current_database() and pid <> pg_backend_pid()";
    superuser.execute(ended).await.unwrap();

    writer.append(append(match_id(1), first.head, [9])).await.unwrap_err();
    sqlx::query("select 1").execute(&pool).await.unwrap_err();
    let entries: i64 = sqlx::query_scalar("select count(*) from entries").fetch_one(&mut superuser).await.unwrap();
    assert_eq!(entries, 2, "nothing was added");
    pool.close().await;
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_may_forget_is_refused() {
    let database = Database::create().await;
    let mut superuser = database.superuser().await;
    let set = format!("alter database {} set synchronous_commit = off", database.name);
    superuser.execute(AssertSqlSafe(set)).await.unwrap();
    let pool = PgPoolOptions::new().connect_with(serving(database.options.clone())).await.unwrap();
    let refused = Store::open(pool.clone(), LOG, &identity()).await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        "PostgreSQL runs with synchronous_commit = off, so an entry could be lost after it was acknowledged; set \
         synchronous_commit = on in postgresql.conf (or ALTER SYSTEM SET synchronous_commit = on), then reload"
    );
    pool.close().await;
    database.drop().await;

    for (commit, standbys) in [("local", "*"), ("remote_write", "*"), ("off", "")] {
        let settings = [format!("synchronous_commit={commit}"), format!("synchronous_standby_names={standbys}")];
        let server = Server::start(&settings.each_ref().map(String::as_str)).await;
        let pool = PgPoolOptions::new().connect_with(server.options.clone()).await.unwrap();
        let refused = Store::open(pool, LOG, &identity()).await.unwrap_err();
        assert!(matches!(refused, StoreError::NotDurable { ref value, .. } if value == commit), "{refused}");
    }

    for setting in ["fsync", "full_page_writes"] {
        let server = Server::start(&[&format!("{setting}=off")]).await;
        let pool = PgPoolOptions::new().connect_with(server.options.clone()).await.unwrap();
        let refused = Store::open(pool, LOG, &identity()).await.unwrap_err();
        assert!(matches!(refused, StoreError::NotDurable { ref name, .. } if name == setting), "{refused}");
    }
}
