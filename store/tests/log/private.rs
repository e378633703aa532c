//! Data outside the record: submissions before their decision closes, and words that may be withdrawn.

use ledger::{
    Author, Commitment, DecisionId, Hash, Head, PlayerSignature, SealKey, Sealer, SubmissionSignature, TreeSize,
};
use sqlx::{ConnectOptions, Executor, Row};
use store::{
    AcknowledgedRow, Append, AppendError, Counts, NotedCount, NotedList, Ordinal, PutBack, Refusal, SUBMISSIONS_MAX,
    Store, StoredSubmission, Submission, SubmissionError, SubmissionQueue, Submit, SubmitId, Text,
};

use super::{Database, LOG, append, match_id, moment, node, submit};

fn decision() -> DecisionId {
    "r1".parse().expect("a decision")
}

fn submission(seat: Sealer, n: u8) -> Submission {
    Submission {
        log_id: LOG,
        match_id: match_id(1),
        decision: decision(),
        seat,
        at: moment(n.into()),
        commitments: vec![Commitment::new([n; 32]), Commitment::new([n.wrapping_neg(); 32])],
        escrow: Some(vec![n; 100]),
        submit: None,
        sent_by: if seat == Sealer::P1 { Author::P1 } else { Author::P2 },
        signed: None,
        is_final: false,
        counts: Counts::Last,
    }
}

async fn submission_queue(store: &Store) -> SubmissionQueue {
    store.start_submission_queue().await.expect("starts").0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_submission_below_the_close_counts() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    let letters = submission_queue(&store).await;
    for n in 0..3 {
        let received = letters.submit(submission(Sealer::P1, n)).await.unwrap();
        assert_eq!(received.ordinal, Ordinal(n));
    }
    let closed = store.close(match_id(1), &decision(), &[Sealer::P1, Sealer::P2], moment(50), None).await.unwrap();
    let rows: Vec<_> = closed.iter().map(|row| (row.seat, row.ordinal.0, row.closes())).collect();
    let expected = [
        (Sealer::P1, 0, false),
        (Sealer::P1, 1, false),
        (Sealer::P1, 2, false),
        (Sealer::P1, 3, true),
        (Sealer::P2, 0, true),
    ];
    assert_eq!(rows, expected);
    assert_eq!(closed[2].commitments, submission(Sealer::P1, 2).commitments);
    assert_eq!(closed[2].at, moment(2));

    for seat in [Sealer::P1, Sealer::P2] {
        assert!(matches!(letters.submit(submission(seat, 9)).await, Err(SubmissionError::Late)));
    }
    let again = store.close(match_id(1), &decision(), &[Sealer::P2, Sealer::P1], moment(60), None).await.unwrap();
    assert_eq!(again, closed, "closing twice is closing once");

    let escrows = store.escrows(match_id(1)).await.unwrap();
    let of = |ordinal| escrows.iter().find(|kept| (kept.seat, kept.ordinal) == (Sealer::P1, Ordinal(ordinal)));
    assert_eq!(of(2).map(|kept| (&kept.decision, &kept.ciphertext)), Some((&decision(), &vec![2; 100])));
    assert_eq!(of(3), None);
    assert_eq!(store.escrows(match_id(2)).await.unwrap(), []);
    store.forget_escrow(match_id(1)).await.unwrap();
    assert_eq!(store.escrows(match_id(1)).await.unwrap(), []);
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_submission_and_the_close_never_both_win() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    let (elsewhere, _) = node(database.options.clone()).await;
    let (letters, letters_elsewhere) = (submission_queue(&store).await, submission_queue(&elsewhere).await);
    for round in 0..20u8 {
        let decision: DecisionId = format!("race-{round}").parse().unwrap();
        let many: Vec<_> = (0..8)
            .map(|n| {
                let letters = if n % 2 == 0 { letters.clone() } else { letters_elsewhere.clone() };
                let submission = Submission { decision: decision.clone(), ..submission(Sealer::P1, n) };
                tokio::spawn(async move { letters.submit(submission).await })
            })
            .collect();
        tokio::time::sleep(std::time::Duration::from_micros(u64::from(round) * 200)).await;
        let closed = elsewhere.close(match_id(1), &decision, &[Sealer::P1], moment(99), None).await.unwrap();
        let mut acknowledged: Vec<StoredSubmission> = Vec::new();
        for one in many {
            match one.await.unwrap() {
                Ok(received) => acknowledged.push(received),
                Err(SubmissionError::Late) => {}
                Err(other) => panic!("{other}"),
            }
        }
        acknowledged.sort_by_key(|received| received.ordinal);
        let (last, counted) = closed.split_last().unwrap();
        assert!(last.closes());
        assert_eq!(counted, acknowledged, "what was acknowledged is what lies below the close");
        assert_eq!(store.submissions(match_id(1), &decision).await.unwrap(), closed, "nothing came in afterwards");
    }
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_close_for_final_answers_needs_those_of_all_seats() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    let queue = submission_queue(&store).await;
    let seats = [Sealer::P1, Sealer::P2];
    let sends = async |seat, n, is_final| {
        queue.submit(Submission { is_final, ..submission(seat, n) }).await.unwrap();
    };
    let closes = async || {
        let rows = store.close_if_final(match_id(1), &decision(), &seats, moment(50)).await.unwrap();
        rows.iter().filter(|row| row.closes()).count()
    };
    assert_eq!(closes().await, 0, "nobody sent anything");
    sends(Sealer::P1, 1, true).await;
    assert_eq!(closes().await, 0, "one seat alone");
    sends(Sealer::P2, 2, false).await;
    assert_eq!(closes().await, 0, "the other is not final");
    sends(Sealer::P2, 3, true).await;
    sends(Sealer::P1, 4, false).await;
    assert_eq!(closes().await, 0, "a mark was taken back");
    sends(Sealer::P1, 5, true).await;
    assert_eq!(closes().await, 2);
    assert_eq!(closes().await, 2, "closing twice is closing once");
    let rows = store.submissions(match_id(1), &decision()).await.unwrap();
    let finals: Vec<_> = rows.iter().map(|row| (row.seat, row.ordinal.0, row.is_final, row.closes())).collect();
    let expected = [
        (Sealer::P1, 0, true, false),
        (Sealer::P1, 1, false, false),
        (Sealer::P1, 2, true, false),
        (Sealer::P1, 3, false, true),
        (Sealer::P2, 0, false, false),
        (Sealer::P2, 1, true, false),
        (Sealer::P2, 2, false, true),
    ];
    assert_eq!(finals, expected);
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mark_that_is_taken_back_and_the_close_never_both_win() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    let (elsewhere, _) = node(database.options.clone()).await;
    let queue = submission_queue(&store).await;
    let mut closed = 0;
    for round in 0..20u8 {
        let decision: DecisionId = format!("final-{round}").parse().unwrap();
        let sent = |n: u8, is_final| Submission { decision: decision.clone(), is_final, ..submission(Sealer::P1, n) };
        queue.submit(sent(1, true)).await.unwrap();
        let taken_back = tokio::spawn({
            let (queue, sent) = (queue.clone(), sent(2, false));
            async move { queue.submit(sent).await }
        });
        tokio::time::sleep(std::time::Duration::from_micros(u64::from(round) * 200)).await;
        let rows = elsewhere.close_if_final(match_id(1), &decision, &[Sealer::P1], moment(99)).await.unwrap();
        match taken_back.await.unwrap() {
            Ok(_) => assert!(!rows.iter().any(StoredSubmission::closes), "{rows:?}"),
            Err(SubmissionError::Late) => closed += 1,
            Err(other) => panic!("{other}"),
        }
    }
    println!("{closed} of 20 were closed first");
    database.drop().await;
}

#[tokio::test]
async fn who_closed_is_told_where_it_is_an_umpire() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    let umpire: Author = "umpire:k3x9".parse().unwrap();
    let rows = store.close(match_id(1), &decision(), &[Sealer::P1], moment(50), Some(&umpire)).await.unwrap();
    assert_eq!(rows[0].sent_by.as_ref(), Some(&umpire));
    let again = store.close(match_id(1), &decision(), &[Sealer::P1], moment(60), None).await.unwrap();
    assert_eq!(again, rows, "the first close stays");
    database.drop().await;
}

#[tokio::test]
async fn where_the_first_counts_there_is_no_second() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    let (letters, others) = (submission_queue(&store).await, submission_queue(&store).await);
    let only = |n: u8| Submission { submit: Some(submit(n)), counts: Counts::First, ..submission(Sealer::P1, n) };
    // At once on two nodes: one of them is first.
    let (one, other) = tokio::join!(letters.submit(only(1)), others.submit(only(2)));
    let first = if one.is_ok() { 1 } else { 2 };
    assert!(one.is_ok() != other.is_ok(), "{one:?} {other:?}");
    assert!(matches!(one.and(other), Err(SubmissionError::Answered)));
    assert!(matches!(letters.submit(only(3)).await, Err(SubmissionError::Answered)));
    assert_eq!(letters.submit(only(first)).await.unwrap().ordinal, Ordinal(0), "sent again, it is the same");
    assert!(letters.submit(Submission { seat: Sealer::P2, ..only(4) }).await.is_ok(), "the other seat has its own");
    store.close(match_id(1), &decision(), &[Sealer::P1], moment(99), None).await.unwrap();
    assert!(matches!(letters.submit(only(5)).await, Err(SubmissionError::Late)));
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_repeated_submission_is_the_same_submission() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    let letters = submission_queue(&store).await;
    let once = Submission { submit: Some(submit(1)), ..submission(Sealer::P1, 1) };
    let first = letters.submit(once.clone()).await.unwrap();
    let later = Submission { at: moment(77), ..once.clone() };
    assert_eq!(letters.submit(later).await.unwrap(), first, "with the clock of the first");

    let other_bytes = Submission { submit: Some(Submit { digest: Hash::ZERO, ..submit(1) }), ..once.clone() };
    let other_seat = Submission { seat: Sealer::P2, ..once.clone() };
    for other in [&other_bytes, &other_seat] {
        assert!(matches!(letters.submit(other.clone()).await, Err(SubmissionError::SubmitReused)));
    }
    for n in 1..SUBMISSIONS_MAX {
        assert_eq!(letters.submit(submission(Sealer::P1, n + 1)).await.unwrap().ordinal, Ordinal(n));
    }
    assert!(matches!(letters.submit(submission(Sealer::P1, 99)).await, Err(SubmissionError::TooMany)));
    let closed = store.close(match_id(1), &decision(), &[Sealer::P1], moment(99), None).await.unwrap();
    assert_eq!(closed.len(), usize::from(SUBMISSIONS_MAX) + 1);
    assert_eq!(letters.submit(once.clone()).await.unwrap(), first, "also after the close");
    assert_eq!(store.repeated(match_id(1), &decision(), Sealer::P1, submit(1)).await.unwrap(), Some(first));
    for other in [other_bytes, other_seat] {
        let asked = store.repeated(match_id(1), &decision(), other.seat, other.submit.unwrap()).await;
        assert!(matches!(asked, Err(SubmissionError::SubmitReused)), "asked before it is sent");
        assert!(matches!(letters.submit(other).await, Err(SubmissionError::SubmitReused)), "also after the close");
    }
    database.drop().await;
}

#[tokio::test]
async fn what_a_seat_sends_is_never_of_an_earlier_time_than_what_it_sent_before() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    let queue = submission_queue(&store).await;
    let sent = |n: u8, at: i64, by: Author| Submission { at: moment(at), sent_by: by, ..submission(Sealer::P1, n) };
    let mut answered = Vec::new();
    // The clock was set back behind the first, and passes it later. An umpire says when a move was sent elsewhere.
    for (n, at, by) in [(1, 50, Author::P1), (2, 20, Author::P1), (3, 60, Author::P1), (4, 30, Author::Server)] {
        answered.push(queue.submit(sent(n, at, by)).await.unwrap());
    }
    let times: Vec<_> = answered.iter().map(|row| row.at).collect();
    assert_eq!(times, [50, 50, 60, 30].map(moment));
    assert_eq!(store.submissions(match_id(1), &decision()).await.unwrap(), answered, "as it was acknowledged");
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seal_that_is_sent_twice_is_taken_once() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    let (elsewhere, _) = node(database.options.clone()).await;
    let (letters, letters_elsewhere) = (submission_queue(&store).await, submission_queue(&elsewhere).await);
    let with = |n: u8, commitments: &[u8]| Submission {
        commitments: commitments.iter().map(|byte| Commitment::new([*byte; 32])).collect(),
        submit: Some(submit(n)),
        ..submission(Sealer::P1, n)
    };
    let first = letters.submit(with(1, &[1, 2])).await.unwrap();
    for (n, again) in [(2, [1, 2]), (3, [1, 3]), (4, [3, 2]), (5, [2, 1])] {
        let sent = letters.submit(with(n, &again)).await;
        assert!(matches!(sent, Err(SubmissionError::SealReused)), "{again:?}");
    }
    assert_eq!(letters.submit(with(1, &[1, 2])).await.unwrap(), first, "the same submission is answered the same");
    assert_eq!(letters.submit(with(6, &[3, 4])).await.unwrap().ordinal, Ordinal(1));
    let other = Submission { seat: Sealer::P2, ..with(7, &[1, 2]) };
    assert_eq!(letters.submit(other).await.unwrap().ordinal, Ordinal(0), "it says another seat, so it is another seal");

    // Sent at once, on two nodes.
    for round in 0..20u8 {
        let decision: DecisionId = format!("race-{round}").parse().unwrap();
        let many: Vec<_> = (0..6)
            .map(|n| {
                let letters = if n % 2 == 0 { letters.clone() } else { letters_elsewhere.clone() };
                let one = Submission { decision: decision.clone(), submit: None, ..with(n, &[8, 9]) };
                tokio::spawn(async move { letters.submit(one).await })
            })
            .collect();
        let mut taken = 0;
        for one in many {
            match one.await.unwrap() {
                Ok(_) => taken += 1,
                Err(SubmissionError::SealReused) => {}
                Err(other) => panic!("{other}"),
            }
        }
        assert_eq!(taken, 1, "{decision}");
    }
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_seats_share_a_commit_and_each_keeps_its_own() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    let letters = submission_queue(&store).await;
    let many: Vec<_> = (0..200u8)
        .map(|n| {
            let signature = PlayerSignature::new([n; 64]);
            let signed = (n % 2 == 0)
                .then_some(SubmissionSignature { signature, seen: (TreeSize(n.into()), Hash::new([n; 32])) });
            let one = Submission {
                match_id: match_id(1 + u128::from(n / 2)),
                submit: Some(Submit { id: SubmitId([n; 16]), digest: Hash::new([n; 32]) }),
                signed,
                ..submission(if n % 2 == 0 { Sealer::P1 } else { Sealer::P2 }, n)
            };
            let letters = letters.clone();
            tokio::spawn(async move { (letters.submit(one.clone()).await, one) })
        })
        .collect();
    for task in many {
        let (received, sent) = task.await.unwrap();
        let received = received.unwrap();
        assert_eq!(
            (received.ordinal, received.signed, &received.commitments),
            (Ordinal(0), sent.signed, &sent.commitments)
        );
        assert_eq!(
            (received.sent_by.clone(), received.submit),
            (Some(sent.sent_by), sent.submit.map(|submit| submit.id))
        );
        let kept = store.submissions(sent.match_id, &decision()).await.unwrap();
        assert!(kept.contains(&received), "as it was acknowledged");
        let escrows = store.escrows(sent.match_id).await.unwrap();
        assert!(escrows.iter().any(|kept| kept.seat == sent.seat && Some(&kept.ciphertext) == sent.escrow.as_ref()));
    }
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_sent_while_the_connection_was_cut_is_stored_once() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    let letters = submission_queue(&store).await;
    let mut superuser = database.superuser().await;
    for n in 0..20u8 {
        let one = Submission { submit: Some(submit(n)), ..submission(Sealer::P1, n) };
        let sent = tokio::spawn({
            let letters = letters.clone();
            async move { letters.submit(one).await }
        });
        sqlx::query(
            "select pg_terminate_backend(pid) from pg_stat_activity \
             where application_name = 'matchbook submissions' and datname = current_database()",
        )
        .execute(&mut superuser)
        .await
        .unwrap();
        assert_eq!(sent.await.unwrap().unwrap().ordinal, Ordinal(n));
    }
    assert_eq!(store.submissions(match_id(1), &decision()).await.unwrap().len(), 20);
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_are_kept_until_they_are_withdrawn() {
    let database = Database::create().await;
    let (store, writer) = node(database.options.clone()).await;
    let text = |n: u8, text: &str| Text {
        commitment: Commitment::new([n; 32]),
        key: SealKey::new([n + 100; 32]),
        text: text.to_owned(),
    };
    let texts = [text(1, "Mira Čapek"), text(2, "Sunday cup")];
    let opening = Append { texts: texts.to_vec(), ..append(match_id(1), Head::GENESIS, [1]) };
    writer.append(opening.clone()).await.unwrap();
    assert_eq!(store.texts(match_id(1)).await.unwrap(), texts);

    // A refused append stores no words, for example the same act with its own commitments.
    let other = Append { texts: vec![text(3, "Mira Čapek")], ..opening.clone() };
    assert!(matches!(writer.append(other.clone()).await, Err(AppendError::Refused(Refusal::Stale { .. }))));
    let zero = Append { texts: vec![text(4, "M\0")], ..append(match_id(3), Head::GENESIS, [1]) };
    assert_eq!(writer.append(zero).await, Err(AppendError::Refused(Refusal::Text)));
    let (_, elsewhere) = node(database.options.clone()).await;
    // An entry that commits to other words is a different entry: one with the same bytes would be a repetition.
    let here = Append { texts: texts.to_vec(), ..append(match_id(4), Head::GENESIS, [1]) };
    let there = Append { texts: other.texts, ..append(match_id(4), Head::GENESIS, [2]) };
    let both = tokio::join!(writer.append(here), elsewhere.append(there));
    assert!(both.0.is_ok() != both.1.is_ok(), "one of two nodes opens it");
    let kept = store.texts(match_id(4)).await.unwrap();
    assert_eq!(kept.len(), if both.0.is_ok() { 2 } else { 1 }, "and its words are kept: {kept:?}");

    let mut connection = store.pool().acquire().await.unwrap();
    assert!(store.withdraw_text(&mut connection, match_id(1), &texts[0].commitment).await.unwrap());
    assert!(!store.withdraw_text(&mut connection, match_id(1), &texts[0].commitment).await.unwrap());
    assert_eq!(store.texts(match_id(1)).await.unwrap(), texts[1..]);
    assert!(store.texts(match_id(2)).await.unwrap().is_empty());
    database.drop().await;
}

/// The number of full scans of the submission tables so far, and the number of index scans.
async fn scans(connection: &mut sqlx::PgConnection) -> (i64, i64) {
    let counted = "select sum(seq_scan)::bigint, coalesce(sum(idx_scan), 0)::bigint from pg_stat_user_tables \
                   where relname in ('submissions', 'escrow')";
    let row = connection.fetch_one(counted).await.expect("reads");
    (row.get(0), row.get(1))
}

/// A plan made while a table is empty is kept while the table fills. With a plan that scanned the whole table, a query
/// that first took a second took a minute after ten thousand rows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_came_before_is_never_read_whole() {
    let database = Database::create().await;
    let mut owner = database.options.clone().connect().await.expect("connects");
    owner.execute("analyze submissions, escrow").await.expect("counts that nothing is there");
    let at_first = scans(&mut owner).await;
    let (store, _) = node(database.options.clone()).await;
    let letters = submission_queue(&store).await;
    for n in 0..20 {
        let seat = submission(Sealer::P1, n);
        letters.submit(Submission { match_id: match_id(n.into()), ..seat }).await.unwrap();
    }
    // A server process reports its scans when it ends, at the latest.
    drop(letters);
    let (whole, by_index) = loop {
        let now = scans(&mut owner).await;
        if now.1 >= 20 {
            break now;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    };
    assert_eq!(whole - at_first.0, 0, "and {by_index} were by an index");
    drop(owner);
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_comes_back_byte_for_byte_and_never_behind_a_close() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    let queue = submission_queue(&store).await;
    let mut rows = Vec::new();
    for n in 0..3 {
        let mut sent = submission(Sealer::P1, n);
        sent.submit = Some(submit(n));
        sent.is_final = n == 1;
        let stored = queue.submit(sent.clone()).await.unwrap();
        rows.push(AcknowledgedRow::of(&sent, &stored));
    }
    let closed = store.close(match_id(1), &decision(), &[Sealer::P1], moment(50), None).await.unwrap();
    let close = AcknowledgedRow::of_close(LOG, match_id(1), &decision(), &closed[3]);
    let escrows = store.escrows(match_id(1)).await.unwrap();
    let mut owner = database.superuser().await;

    // All of it, in the order of the numbers.
    owner.execute("delete from submissions; delete from escrow").await.unwrap();
    for row in rows.iter().chain([&close]) {
        assert_eq!(store.put_back(row, moment(90)).await.unwrap(), PutBack::Restored);
        assert_eq!(store.put_back(row, moment(91)).await.unwrap(), PutBack::There);
    }
    assert_eq!(store.submissions(match_id(1), &decision()).await.unwrap(), closed);
    assert_eq!(store.escrows(match_id(1)).await.unwrap(), escrows);
    // Three submissions, and their close, which is none.
    let restored = store.restored(Some(match_id(1))).await.unwrap();
    assert_eq!((restored.number, restored.newest.len(), restored.part()), (3, 3, None));
    assert!(restored.newest.iter().all(|one| one.at == moment(90) && one.decision == decision()));

    // The database was set back, and the decision was closed below what was acknowledged.
    owner.execute("delete from submissions where ordinal > 0; delete from escrow").await.unwrap();
    store.close(match_id(1), &decision(), &[Sealer::P1], moment(60), None).await.unwrap();
    assert_eq!(store.put_back(&rows[1], moment(92)).await.unwrap(), PutBack::Different);
    assert_eq!(store.put_back(&rows[2], moment(92)).await.unwrap(), PutBack::Closed);
    // Something else has its number.
    owner.execute("delete from submissions where ordinal > 0").await.unwrap();
    let mut other = submission(Sealer::P1, 9);
    other.submit = Some(submit(9));
    queue.submit(other).await.unwrap();
    assert_eq!(store.put_back(&rows[1], moment(93)).await.unwrap(), PutBack::Different);
    // Before the close nobody is told.
    owner.execute("delete from submissions").await.unwrap();
    assert_eq!(store.restored(None).await.unwrap(), NotedList::default());
}

#[tokio::test]
async fn the_newest_missing_submissions_are_listed_and_all_are_counted() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    assert_eq!(store.missing_count().await.unwrap(), NotedCount::default());
    let (of, came) = (match_id(2), moment(0));
    let row = AcknowledgedRow::from_text(format!(
        "{{\"log_id\":{},\"match_id\":\"{of}\",\"decision\":\"d1\",\"seat\":\"p1\",\"ordinal\":0,\
         \"at\":\"{came}\"}}",
        LOG.0
    ));
    assert!(store.note_missing(&row, moment(1)).await.unwrap());
    assert!(!store.note_missing(&row, moment(9_000)).await.unwrap(), "it is known");
    let many = sqlx::query(
        "insert into missing_submissions (log_id, match_id, decision, seat, ordinal, came, at) \
         select log_id, $1, decision, seat, ordinal, came + n * interval '1 microsecond', \
             at + n * interval '1 microsecond' from missing_submissions, generate_series(1, 1001) as n",
    );
    many.bind(match_id(1).0).execute(&mut database.superuser().await).await.unwrap();
    let counted = store.missing_count().await.unwrap();
    assert_eq!(counted, NotedCount { number: 1_002, last_at: Some(moment(1_002)) });
    let all = store.missing_submissions(None).await.unwrap();
    assert_eq!((all.newest.len(), all.part().as_deref()), (1_000, Some("the newest 1000 of 1002")));
    let times = [all.newest.first(), all.newest.last()].map(|noted| noted.map(|noted| noted.at));
    assert_eq!(times, [Some(moment(3)), Some(moment(1_002))]);
    let of_one = store.missing_submissions(Some(match_id(2))).await.unwrap();
    assert_eq!((of_one.number, of_one.part()), (1, None));
}
