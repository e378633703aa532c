//! The messages to send, made from the log: each public entry becomes a message for every webhook subscribed to its
//! kind. One statement stores the messages and the position in the log, so a crash neither loses nor repeats any.

use app::book::hooks::{self, EventKind, Hook};
use app::book::{Book, BookError, LOG};
use ledger::LeafIndex;
use sha2::{Digest, Sha256};
use store::Stored;
use uuid::Uuid;

/// The entries processed in one go.
const FOLLOWED: u32 = 512;

/// Takes or renews the right to send, for some seconds; none if another node has it. It uses only the database's clock,
/// so that nodes with different clocks do not send at the same time. Returns the position up to which messages were
/// made.
pub(super) async fn hold(book: &Book, node: Uuid) -> Result<Option<i64>, BookError> {
    let held = sqlx::query_scalar!(
        "insert into webhook_sending (log_id, pos, holder, until) values ($1, 0, $2, now() + interval '15 seconds') \
         on conflict (log_id) do update set holder = excluded.holder, until = excluded.until \
             where webhook_sending.holder = excluded.holder or webhook_sending.until < now() returning pos",
        LOG.0,
        node
    );
    Ok(held.fetch_optional(book.pool()).await?)
}

/// Gives up the right to send, so that another node need not wait.
pub(super) async fn let_go(book: &Book, node: Uuid) -> Result<(), BookError> {
    sqlx::query!("update webhook_sending set until = now() where log_id = $1 and holder = $2", LOG.0, node)
        .execute(book.pool())
        .await?;
    Ok(())
}

/// Follows the log from a position to its end.
pub(super) async fn follow(book: &Book, node: Uuid, from: i64) -> Result<(), BookError> {
    let mut from = from;
    loop {
        let hooks: Vec<Hook> =
            hooks::list(book, None).await?.into_iter().filter(|hook| hook.stopped_at.is_none()).collect();
        // Entries before the first webhook are sent to nobody.
        let since = match hooks.is_empty() {
            true => i64::try_from(book.store().size().await?.0).unwrap_or(i64::MAX),
            false => hooks.iter().map(|hook| hook.since).min().unwrap_or(0),
        };
        let start = from.max(since);
        let entries = book.store().entries_from(LeafIndex(u64::try_from(start).unwrap_or(0)), FOLLOWED).await?;
        let next = entries.last().map_or(start, |last| position(last).saturating_add(1));
        if next == from {
            return Ok(());
        }
        store(book, node, from, next, &messages(&hooks, &entries)).await?;
        from = next;
    }
}

/// A message to be stored.
struct Message {
    hook: Uuid,
    id: String,
    kind: &'static str,
    match_id: Uuid,
    seq: i32,
    pos: i64,
}

fn position(entry: &Stored) -> i64 {
    i64::try_from(entry.index.0).unwrap_or(i64::MAX)
}

fn messages(hooks: &[Hook], entries: &[Stored]) -> Vec<Message> {
    let mut messages = Vec::new();
    for stored in entries {
        // An entry that this program cannot read has no message.
        let Ok(entry) = ledger::Entry::read(&stored.bytes) else { continue };
        let Some(kind) = EventKind::of(entry.kind).map(EventKind::name) else { continue };
        let pos = position(stored);
        for hook in hooks.iter().filter(|hook| hook.since <= pos && hook.kinds.iter().any(|wanted| wanted == kind)) {
            let seq = i32::try_from(stored.seq.0).unwrap_or(i32::MAX);
            messages.push(Message { hook: hook.id, id: id(hook.id, pos), kind, match_id: stored.match_id.0, seq, pos });
        }
    }
    messages
}

/// Derived from the webhook and the position, so that the same message never has two ids.
fn id(hook: Uuid, pos: i64) -> String {
    let hash = Sha256::new().chain_update(hook.as_bytes()).chain_update(pos.to_be_bytes()).finalize();
    hash.iter().take(16).fold("msg_".to_owned(), |id, byte| format!("{id}{byte:02x}"))
}

async fn store(book: &Book, node: Uuid, from: i64, next: i64, messages: &[Message]) -> Result<(), BookError> {
    let mut transaction = book.pool().begin().await?;
    // Another node that sends by now has stored them, or will.
    let moved = sqlx::query!(
        "update webhook_sending set pos = $4 where log_id = $1 and holder = $2 and pos = $3",
        LOG.0,
        node,
        from,
        next
    );
    if moved.execute(&mut *transaction).await?.rows_affected() == 0 {
        return Err(BookError::Overtaken);
    }
    sqlx::query!(
        "insert into webhook_messages (hook, id, kind, match_id, seq, pos, created_at, due_at) \
         select wanted.hook, wanted.id, wanted.kind, wanted.match_id, wanted.seq, wanted.pos, $7, $7 \
         from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::integer[], $6::bigint[]) \
             as wanted (hook, id, kind, match_id, seq, pos) \
         where exists (select from webhooks where webhooks.id = wanted.hook) on conflict (hook, id) do nothing",
        &messages.iter().map(|message| message.hook).collect::<Vec<_>>(),
        &messages.iter().map(|message| message.id.clone()).collect::<Vec<_>>(),
        &messages.iter().map(|message| message.kind.to_owned()).collect::<Vec<_>>(),
        &messages.iter().map(|message| message.match_id).collect::<Vec<_>>(),
        &messages.iter().map(|message| message.seq).collect::<Vec<_>>(),
        &messages.iter().map(|message| message.pos).collect::<Vec<_>>(),
        book.mint().now().to_utc(),
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(())
}
