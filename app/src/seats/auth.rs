//! Authentication of players: the seat of a browser's cookie, and the head of its match.
//!
//! The database is asked every time, so a revoked link opens nothing any more, on any node. One task asks for all cookies
//! that came during the last query: a hundred players who submit at once cost two queries.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use ledger::{Head, MatchId};
use tokio::sync::{mpsc, oneshot};

use super::Seats;
use crate::account::Token;
use crate::account::player::{SeatAccess, of_cookies};
use crate::error::AppError;
use crate::logs::Logs;
use crate::system::System;
use crate::workers::Workers;

const PAUSE: Duration = Duration::from_millis(250);
/// The time limit of a caller. A submission has its time of arrival by then, so it is not late because of the database.
const TIME_LIMIT: Duration = Duration::from_secs(12);
const BATCH_MAX: usize = 512;

#[derive(Debug)]
pub(crate) struct SeatAuth {
    queue: mpsc::Sender<Caller>,
}

type OpenedSeat = Option<(SeatAccess, Head)>;

#[derive(Debug)]
struct Caller {
    cookie: Token,
    answer: oneshot::Sender<OpenedSeat>,
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
                Err(error) => tracing::warn!(%error, "the database did not say who sits where; it is asked again"),
            }
            tokio::time::sleep(PAUSE).await;
            if answers.iter().all(oneshot::Sender::is_closed) {
                break Vec::new();
            }
        };
        for (answer, seat) in answers.into_iter().zip(seated) {
            // The caller may have stopped waiting.
            let _ = answer.send(seat);
        }
    }
}

async fn seated(logs: &Logs, system: &System, cookies: &[Token]) -> Result<Vec<OpenedSeat>, AppError> {
    let found = of_cookies(logs.pool(), system, cookies).await.map_err(AppError::from_account)?;
    let matches: Vec<MatchId> = found.iter().flatten().map(|access| access.seat_ref.match_id).collect();
    let heads = logs.heads(&matches).await?;
    let with_head = |access: SeatAccess| Some((access, *heads.get(&access.seat_ref.match_id)?));
    Ok(found.into_iter().map(|access| access.and_then(with_head)).collect())
}

impl Seats {
    pub async fn seated(&self, cookie: Token) -> Result<Option<(SeatAccess, Head)>, AppError> {
        let (answer, answered) = oneshot::channel();
        self.auth.queue.send(Caller { cookie, answer }).await.map_err(|_| AppError::Stopped)?;
        let answered = tokio::time::timeout(TIME_LIMIT, answered).await;
        answered.map_err(|_| AppError::Stopped)?.map_err(|_| AppError::Stopped)
    }
}
