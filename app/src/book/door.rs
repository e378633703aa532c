//! The door to the players' pages: who sits where, and how far their match is.
//!
//! Each is asked of the database every time, so that a link which was revoked opens nothing from then on, on whichever
//! node. One task asks for all who came while the last question ran: a hundred who submit at once are two queries.

use std::sync::Arc;
use std::time::Duration;

use ledger::{Head, MatchId};
use store::Store;
use tokio::sync::{mpsc, oneshot};

use super::{Book, BookError};
use crate::account::Token;
use crate::account::player::{Chair, of_cookies};
use crate::mint::Mint;

/// How soon a database that is away is asked again.
const AGAIN: Duration = Duration::from_millis(250);
/// How long whoever knocks waits for a database that is away: what they bring came in time, if it did.
const PATIENCE: Duration = Duration::from_secs(12);
/// The most cookies of one question.
const BATCH_MAX: usize = 512;

/// The way to this node's door. The task behind it ends with it.
#[derive(Debug)]
pub(super) struct Door {
    queue: mpsc::Sender<Caller>,
}

/// The seat, and the head of its match; none where the cookie opens nothing.
type Seated = Option<(Chair, Head)>;

#[derive(Debug)]
struct Caller {
    cookie: Token,
    answer: oneshot::Sender<Seated>,
}

impl Door {
    pub(super) fn open(store: Store, mint: Arc<Mint>) -> Self {
        let (queue, callers) = mpsc::channel(BATCH_MAX);
        tokio::spawn(keep(store, mint, callers));
        Self { queue }
    }
}

async fn keep(store: Store, mint: Arc<Mint>, mut callers: mpsc::Receiver<Caller>) {
    let mut batch = Vec::new();
    while callers.recv_many(&mut batch, BATCH_MAX).await > 0 {
        let (cookies, answers): (Vec<_>, Vec<_>) = batch.drain(..).map(|caller| (caller.cookie, caller.answer)).unzip();
        let seated = loop {
            match seated(&store, &mint, &cookies).await {
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

async fn seated(store: &Store, mint: &Mint, cookies: &[Token]) -> Result<Vec<Seated>, BookError> {
    let chairs = of_cookies(store.pool(), mint, cookies).await.map_err(BookError::from_account)?;
    let matches: Vec<MatchId> = chairs.iter().flatten().map(|chair| chair.match_id).collect();
    let heads = store.match_heads(&matches).await?;
    Ok(chairs.into_iter().map(|chair| chair.and_then(|chair| Some((chair, *heads.get(&chair.match_id)?)))).collect())
}

impl Book {
    /// The seat that a browser's cookie sits in now, and the head of its match; none where it opens nothing.
    ///
    /// # Errors
    /// [`BookError::Stopped`], where the database does not answer.
    pub async fn seated(&self, cookie: Token) -> Result<Option<(Chair, Head)>, BookError> {
        let (answer, answered) = oneshot::channel();
        self.door.queue.send(Caller { cookie, answer }).await.map_err(|_| BookError::Stopped)?;
        let answered = tokio::time::timeout(PATIENCE, answered).await;
        answered.map_err(|_| BookError::Stopped)?.map_err(|_| BookError::Stopped)
    }
}
