//! Registered players: their chains, and the matches in which they vouched. The server enters what a player has signed;
//! it has no key of any player.

use std::sync::Arc;

use ledger::{Author, Head, PlayerId};
use record::PlayerChain;
use record::body::{Body, PlayerKeyEntry};
use record::write;
use store::archive::vouched_seats::{self, VouchedMatch};

use crate::error::AppError;
use crate::public_log::StoredChain;
use crate::recorder::Recorder;
use crate::scope::LOG;

const MATCHES: i64 = 50;
const NAMES: i64 = 10;

#[derive(Debug)]
pub struct Players {
    recorder: Arc<Recorder>,
}

impl Players {
    pub(crate) const fn new(recorder: Arc<Recorder>) -> Self {
        Self { recorder }
    }

    pub async fn chain(&self, player: PlayerId) -> Result<Option<StoredChain>, AppError> {
        self.recorder.public_log.chain(player).await
    }

    #[must_use]
    pub fn id_of(&self, first: &PlayerKeyEntry) -> PlayerId {
        PlayerId::of(&self.recorder.logs.record().log().origin, &first.key)
    }

    /// Enters what a player has signed. What was entered before changes nothing.
    pub async fn enter(&self, player: PlayerId, signed: &Body) -> Result<StoredChain, AppError> {
        let id = player.chain();
        let lock = self.recorder.locks.of(id);
        let _guard = lock.lock().await;
        loop {
            let chain = match self.chain(player).await? {
                Some(stored) if is_entered(&stored, signed) => return Ok(stored),
                stored => stored.map(|stored| stored.chain),
            };
            let head = chain.as_ref().map_or(Head::GENESIS, |chain: &PlayerChain| chain.head);
            let written =
                self.recorder.compose(id, &Author::Server, |context| write::player(context, chain.as_ref(), signed))?;
            match self.recorder.append(id, head, written, None).await {
                // Another node was first. Each turn means that it got on.
                Err(AppError::Overtaken) => {}
                appended => {
                    appended?;
                }
            }
        }
    }

    pub async fn matches(&self, player: PlayerId) -> Result<Vec<VouchedMatch>, AppError> {
        Ok(vouched_seats::of_player(self.recorder.logs.reading_pool(), LOG, player, MATCHES).await?)
    }

    pub async fn of_name(&self, key: &str) -> Result<Vec<(PlayerId, i64)>, AppError> {
        Ok(vouched_seats::of_name(self.recorder.logs.reading_pool(), LOG, key, NAMES).await?)
    }
}

fn is_entered(stored: &StoredChain, signed: &Body) -> bool {
    let body = signed.write();
    stored
        .entries
        .iter()
        .filter_map(|entry| ledger::Entry::read(&entry.bytes).ok())
        .any(|entry| entry.kind == signed.kind() && entry.body == body)
}
