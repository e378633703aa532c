//! What is not part of the record: submissions before their decision closes, and words that may be withdrawn.

use matchbook_ledger::store::{Ordinal, Received, SUBMISSIONS_MAX, Submission, SubmissionError, Submit, Text};
use matchbook_ledger::{Commitment, DecisionId, Hash, SealKey, Sealer};

use super::{Database, match_id, moment, node, submit};

fn decision() -> DecisionId {
    "r1".parse().expect("a decision")
}

fn submission(seat: Sealer, n: u8) -> Submission {
    Submission {
        match_id: match_id(1),
        decision: decision(),
        seat,
        at: moment(n.into()),
        commitments: vec![Commitment::new([n; 32]), Commitment::new([n + 1; 32])],
        escrow: Some(vec![n; 100]),
        submit: None,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_submission_below_the_close_counts() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    for n in 0..3 {
        let received = store.submit(&submission(Sealer::P1, n)).await.unwrap();
        assert_eq!(received.ordinal, Ordinal(n));
    }
    let closed = store.close(match_id(1), &decision(), &[Sealer::P1, Sealer::P2], moment(50)).await.unwrap();
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
        assert!(matches!(store.submit(&submission(seat, 9)).await, Err(SubmissionError::Late)));
    }
    let again = store.close(match_id(1), &decision(), &[Sealer::P2, Sealer::P1], moment(60)).await.unwrap();
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
    for round in 0..20u8 {
        let decision: DecisionId = format!("race-{round}").parse().unwrap();
        let many: Vec<_> = (0..8)
            .map(|n| {
                let store = if n % 2 == 0 { store.clone() } else { elsewhere.clone() };
                let submission = Submission { decision: decision.clone(), ..submission(Sealer::P1, n) };
                tokio::spawn(async move { store.submit(&submission).await })
            })
            .collect();
        tokio::time::sleep(std::time::Duration::from_micros(u64::from(round) * 200)).await;
        let closed = elsewhere.close(match_id(1), &decision, &[Sealer::P1], moment(99)).await.unwrap();
        let mut acknowledged: Vec<Received> = Vec::new();
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
async fn a_repeated_submission_is_the_same_submission() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    let once = Submission { submit: Some(submit(1)), ..submission(Sealer::P1, 1) };
    let first = store.submit(&once).await.unwrap();
    let later = Submission { at: moment(77), ..once.clone() };
    assert_eq!(store.submit(&later).await.unwrap(), first, "with the clock of the first");

    let other_bytes = Submission { submit: Some(Submit { digest: Hash::ZERO, ..submit(1) }), ..once.clone() };
    let other_seat = Submission { seat: Sealer::P2, ..once.clone() };
    for other in [&other_bytes, &other_seat] {
        assert!(matches!(store.submit(other).await, Err(SubmissionError::SubmitReused)));
    }
    for n in 1..SUBMISSIONS_MAX {
        assert_eq!(store.submit(&submission(Sealer::P1, n)).await.unwrap().ordinal, Ordinal(n));
    }
    assert!(matches!(store.submit(&submission(Sealer::P1, 99)).await, Err(SubmissionError::TooMany)));
    let closed = store.close(match_id(1), &decision(), &[Sealer::P1], moment(99)).await.unwrap();
    assert_eq!(closed.len(), usize::from(SUBMISSIONS_MAX) + 1);
    assert_eq!(store.submit(&once).await.unwrap(), first, "also after the close");
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_are_kept_until_they_are_withdrawn() {
    let database = Database::create().await;
    let (store, _) = node(database.options.clone()).await;
    let text = |n: u8, text: &str| Text {
        commitment: Commitment::new([n; 32]),
        key: SealKey::new([n + 100; 32]),
        text: text.to_owned(),
    };
    let texts = [text(1, "Mira Čapek"), text(2, "Sunday cup")];
    store.keep_texts(match_id(1), &texts).await.unwrap();
    store.keep_texts(match_id(1), &texts[..1]).await.unwrap();
    assert_eq!(store.texts(match_id(1)).await.unwrap(), texts);
    assert!(store.withdraw_text(match_id(1), &texts[0].commitment).await.unwrap());
    assert!(!store.withdraw_text(match_id(1), &texts[0].commitment).await.unwrap());
    assert_eq!(store.texts(match_id(1)).await.unwrap(), texts[1..]);
    assert!(store.texts(match_id(2)).await.unwrap().is_empty());
    database.drop().await;
}
