//! The cost of storing the same rows without pages, rules and receipts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use ledger::{Author, Commitment, DecisionId, Hash, LogId, MatchId, Moment, Sealer};
use store::{Counts, Submission, Submit, SubmitId};
use tokio::time::Instant;

use crate::Turn;
use crate::tables::Site;

static FORMS: AtomicU64 = AtomicU64::new(1 << 63);

/// The submission that a round of Five-Card Trick makes of a form: two fields, and their encrypted openings.
fn submission(match_id: MatchId, n: u64) -> Submission {
    let form = FORMS.fetch_add(1, Ordering::Relaxed);
    let decision: DecisionId = format!("d{n}").parse().expect("a decision");
    Submission {
        log_id: LogId(1),
        match_id,
        decision,
        seat: Sealer::P1,
        at: Moment::from_micros(1_795_207_308_381_204).expect("a moment"),
        commitments: vec![Commitment::new([0xab; 32]); crate::others::FIELDS],
        escrow: Some(vec![0xcd; crate::others::ESCROW_BYTES]),
        submit: Some(Submit { id: SubmitId(u128::from(form).to_be_bytes()), digest: Hash::new([0xef; 32]) }),
        sent_by: Author::P1,
        signed: None,
        is_final: false,
        counts: Counts::Last,
    }
}

/// Each submitter stores one, waits until it is durable, and stores the next.
pub(crate) async fn load(site: &Site, submitters: u32, time: Duration) -> Turn {
    let (letters, _) = site.store.start_submission_queue().await.expect("starts");
    let stop = Arc::new(AtomicBool::new(false));
    let start = Instant::now();
    let tasks: Vec<_> = (0..submitters)
        .map(|_| {
            let (letters, stop, match_id) = (letters.clone(), stop.clone(), MatchId(site.app.system().uuid()));
            tokio::spawn(async move {
                let mut took = Vec::new();
                for n in 0.. {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let sent = Instant::now();
                    letters.submit(submission(match_id, n)).await.expect("is stored");
                    took.push(u64::try_from(sent.elapsed().as_micros()).expect("not that long"));
                }
                took
            })
        })
        .collect();
    tokio::time::sleep(time).await;
    stop.store(true, Ordering::Relaxed);
    let mut turn = Turn::default();
    for task in tasks {
        turn.took.extend(task.await.expect("ends"));
    }
    turn.rate = turn.took.len() as f64 / start.elapsed().as_secs_f64();
    turn
}
