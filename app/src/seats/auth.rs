//! The door to the players' pages: who sits where, and how far their match is.
//!
//! Each is asked of the database every time, so that a link which was revoked opens nothing from then on, on whichever
//! node. One task asks for all who came while the last question ran: a hundred who submit at once are two queries.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use ledger::{Head, MatchId};
use tokio::sync::{mpsc, oneshot};

use super::Seats;
use crate::account::Token;
use crate::account::player::{Chair, of_cookies};
use crate::error::AppError;
use crate::logs::Logs;
use crate::system::System;
use crate::workers::Workers;

/// How soon a database that is away is asked again.
const AGAIN: Duration = Duration::from_millis(250);
/// How long whoever knocks waits for a database that is away: what they bring came in time, if it did.
const PATIENCE: Duration = Duration::from_secs(12);
/// The most cookies of one question.
const BATCH_MAX: usize = 512;

/// The way to this node's door. The task behind it ends with it.
#[derive(Debug)]
pub(crate) struct SeatAuth {
    queue: mpsc::Sender<Caller>,
}

/// The seat, and the head of its match; none where the cookie opens nothing.
type Seated = Option<(Chair, Head)>;

#[derive(Debug)]
struct Caller {
    cookie: Token,
    answer: oneshot::Sender<Seated>,
}

impl SeatAuth {
    pub(crate) fn start(logs: Arc<Logs>, system: Arc<System>, workers: &Workers) -> Self {
        let (queue, callers) = mpsc::channel(BATCH_MAX);
        let answering = tokio::spawn(async {
            answer(logs, system, callers).await;
            Ok::<(), Infallible>(())
        });
        workers.watch("authentication of seats", answering);
        Self { queue }
    }
}

async fn answer(logs: Arc<Logs>, system: Arc<System>, mut callers: mpsc::Receiver<Caller>) {
    let mut batch = Vec::new();
    while callers.recv_many(&mut batch, BATCH_MAX).await > 0 {
        let (cookies, answers): (Vec<_>, Vec<_>) = batch.drain(..).map(|caller| (caller.cookie, caller.answer)).unzip();
        let seated = loop {
            match seated(&logs, &system, &cookies).await {
                Ok(seated) => break seated,
                // Nobody is let in meanwhile.
                Err(error) => tracing::warn!(%error, "the database did not say who sits where; it is asked again"),
            }
            tokio::time::sleep(AGAIN).await;
            if answers.iter().all(oneshot::Sender::is_closed) {
                break Vec::new();
            }
        };
        for (answer, seat) in answers.into_iter().zip(seated) {
            // Whoever stopped waiting is not told.
            let _ = answer.send(seat);
        }
    }
}

async fn seated(logs: &Logs, system: &System, cookies: &[Token]) -> Result<Vec<Seated>, AppError> {
    let chairs = of_cookies(logs.pool(), system, cookies).await.map_err(AppError::from_account)?;
    let matches: Vec<MatchId> = chairs.iter().flatten().map(|chair| chair.match_id).collect();
    let heads = logs.heads(&matches).await?;
    Ok(chairs.into_iter().map(|chair| chair.and_then(|chair| Some((chair, *heads.get(&chair.match_id)?)))).collect())
}

impl Seats {
    /// The seat that a browser's cookie sits in now, and the head of its match; none where it opens nothing.
    ///
    /// # Errors
    /// [`AppError::Stopped`], where the database does not answer.
    pub async fn seated(&self, cookie: Token) -> Result<Option<(Chair, Head)>, AppError> {
        let (answer, answered) = oneshot::channel();
        self.auth.queue.send(Caller { cookie, answer }).await.map_err(|_| AppError::Stopped)?;
        let answered = tokio::time::timeout(PATIENCE, answered).await;
        answered.map_err(|_| AppError::Stopped)?.map_err(|_| AppError::Stopped)
    }
}
