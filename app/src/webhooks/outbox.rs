//! The messages to send, made from the log: each public entry becomes a message for every webhook subscribed to its
//! kind. One statement stores the messages and the position in the log, so a crash neither loses nor repeats any.

use ledger::{LeafIndex, Moment};
use sha2::{Digest, Sha256};
use store::webhooks::hooks::{self, Hook};
use store::webhooks::sending::{self, EntryMessage};
use store::{Store, Stored};
use uuid::Uuid;

use super::event_kind::EventKind;
use crate::{AppError, LOG};

/// The entries processed in one go.
const FOLLOWED: u32 = 512;

pub(super) async fn follow(store: &Store, node: Uuid, from: i64, now: impl Fn() -> Moment) -> Result<bool, AppError> {
    let (mut from, pool) = (from, store.pool());
    loop {
        let hooks: Vec<Hook> =
            hooks::list(pool, LOG, None).await?.into_iter().filter(|hook| hook.stopped_at.is_none()).collect();
        // Entries before the first webhook are sent to nobody.
        let since = match hooks.is_empty() {
            true => i64::try_from(store.size().await?.0).unwrap_or(i64::MAX),
            false => hooks.iter().map(|hook| hook.since).min().unwrap_or(0),
        };
        let start = from.max(since);
        let entries = store.entries_from(LeafIndex(u64::try_from(start).unwrap_or(0)), FOLLOWED).await?;
        let next = entries.last().map_or(start, |last| position(last).saturating_add(1));
        if next == from {
            return Ok(true);
        }
        let messages = messages(&hooks, &entries);
        if !sending::advance(pool, LOG, node, from..next, &messages, now().to_utc()).await? {
            return Ok(false);
        }
        from = next;
    }
}

fn position(entry: &Stored) -> i64 {
    i64::try_from(entry.index.0).unwrap_or(i64::MAX)
}

fn messages(hooks: &[Hook], entries: &[Stored]) -> Vec<EntryMessage> {
    let mut messages = Vec::new();
    for stored in entries {
        // An entry that this program cannot read has no message.
        let Ok(entry) = ledger::Entry::read(&stored.bytes) else { continue };
        let Some(kind) = EventKind::of(entry.kind).map(EventKind::name) else { continue };
        let pos = position(stored);
        for hook in hooks.iter().filter(|hook| hook.since <= pos && hook.kinds.iter().any(|wanted| wanted == kind)) {
            let seq = i32::try_from(stored.seq.0).unwrap_or(i32::MAX);
            messages.push(EntryMessage {
                hook: hook.id,
                id: id(hook.id, pos),
                kind,
                match_id: stored.match_id.0,
                seq,
                pos,
            });
        }
    }
    messages
}

/// Derived from the webhook and the position, so that the same message never has two ids.
fn id(hook: Uuid, pos: i64) -> String {
    let hash = Sha256::new().chain_update(hook.as_bytes()).chain_update(pos.to_be_bytes()).finalize();
    hash.iter().take(16).fold("msg_".to_owned(), |id, byte| format!("{id}{byte:02x}"))
}
