//! What is to be sent, made from the log: each entry that tells something becomes a message for every webhook that is told
//! of it. The place is kept in the statement that stores the messages, so that a crash neither loses nor doubles any.

use app::book::hooks::{self, EventKind, Hook};
use app::book::{Book, BookError, LOG};
use ledger::LeafIndex;
use sha2::{Digest, Sha256};
use store::Stored;
use uuid::Uuid;

/// Entries that are followed in one go.
const FOLLOWED: u32 = 512;

/// Takes or keeps the right to send, for some seconds; none where another node has it. By the database's clock alone, so
/// that nodes whose clocks differ do not send at once. Gives the place up to which messages were made.
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

/// Gives the right to send up, so that another node need not wait.
pub(super) async fn let_go(book: &Book, node: Uuid) -> Result<(), BookError> {
    sqlx::query!("update webhook_sending set until = now() where log_id = $1 and holder = $2", LOG.0, node)
        .execute(book.pool())
        .await?;
    Ok(())
}

/// Follows the log from a place to its end.
pub(super) async fn follow(book: &Book, node: Uuid, from: i64) -> Result<(), BookError> {
    let mut from = from;
    loop {
        let hooks: Vec<Hook> =
            hooks::list(book, None).await?.into_iter().filter(|hook| hook.stopped_at.is_none()).collect();
        // What came before there was anybody to tell is told to nobody.
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

/// A message that is to be stored.
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
        // What this program cannot read is told by nobody.
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

/// Follows from the webhook and the place, so that the same message never has two.
fn id(hook: Uuid, pos: i64) -> String {
    let hash = Sha256::new().chain_update(hook.as_bytes()).chain_update(pos.to_be_bytes()).finalize();
    hash.iter().take(16).fold("msg_".to_owned(), |id, byte| format!("{id}{byte:02x}"))
}

async fn store(book: &Book, node: Uuid, from: i64, next: i64, messages: &[Message]) -> Result<(), BookError> {
    let mut transaction = book.pool().begin().await?;
    // Somebody else who sends by now has stored them, or will.
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
