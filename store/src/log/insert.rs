//! The only statement that adds to the log, and the meaning of its errors.

use ledger::LogId;
use sqlx::PgConnection;
use sqlx::postgres::{PgDatabaseError, PgSeverity};

use super::plan::Plan;
use super::read::to_bigint;

/// Entries, the words that they commit to, and the tree after them, all or nothing. Positions count from $2 in the
/// order of the arrays.
const INSERT: &str = "\
    with head as (\
        insert into tree_heads (log_id, size, root, frontier, at) values ($1, $3, $4, $5, $6)\
    ), words as (\
        insert into texts (log_id, match_id, commitment, key, text) \
        select $1, * from unnest($14::uuid[], $15::bytea[], $16::bytea[], $17::text[]) on conflict do nothing\
    ) \
    insert into entries (log_id, pos, match_id, seq, leaf, bytes, submit_id, submit_digest, submit_len) \
    select $1, $2 + row.number - 1, match_id, seq, leaf, bytes, submit_id, submit_digest, submit_len \
    from unnest($7::uuid[], $8::integer[], $9::bytea[], $10::bytea[], $11::bytea[], $12::bytea[], $13::smallint[]) \
    with ordinality as row (match_id, seq, leaf, bytes, submit_id, submit_digest, submit_len, number)";

#[derive(Debug)]
pub(super) enum Outcome {
    Committed,
    Taken,
    SubmitTaken,
    RolledBack(sqlx::Error),
    /// Nothing was written, and a retry will not help: the schema or the grants are not ours.
    Impossible(sqlx::Error),
    /// It may have been written or not, or may still be written later.
    Unknown(sqlx::Error),
}

/// Inserts the plan. Outside a transaction it is durable when this returns.
///
/// Only `execute` is safe: it reads up to the server's ReadyForQuery. With implicit transactions the server reports the
/// command complete *before* it commits, and sqlx's `fetch_one` returns at that point.
pub(super) async fn insert(connection: &mut PgConnection, log_id: LogId, plan: &Plan) -> Result<(), sqlx::Error> {
    let frontier: Vec<u8> = plan.frontier.peaks().iter().flat_map(|peak| peak.bytes()).copied().collect();
    let (rows, texts) = (&plan.rows, &plan.texts);
    let submits = || rows.iter().map(|row| row.submit.as_ref());
    sqlx::query(INSERT)
        .bind(log_id.0)
        .bind(to_bigint(plan.first.0))
        .bind(to_bigint(plan.tree.size.0))
        .bind(plan.tree.root.bytes().as_slice())
        .bind(frontier)
        .bind(plan.tree.at.map(|at| at.to_utc()))
        .bind(rows.iter().map(|row| row.match_id.0).collect::<Vec<_>>())
        .bind(rows.iter().map(|row| i32::try_from(row.placed.seq.0).unwrap_or(i32::MAX)).collect::<Vec<_>>())
        .bind(rows.iter().map(|row| row.placed.leaf.bytes().as_slice()).collect::<Vec<_>>())
        .bind(rows.iter().map(|row| row.line.bytes()).collect::<Vec<_>>())
        .bind(submits().map(|submit| submit.map(|(submit, _)| submit.id.0.as_slice())).collect::<Vec<_>>())
        .bind(submits().map(|submit| submit.map(|(submit, _)| submit.digest.bytes().as_slice())).collect::<Vec<_>>())
        .bind(submits().map(|submit| submit.map(|(_, len)| *len)).collect::<Vec<_>>())
        .bind(texts.iter().map(|(match_id, _)| match_id.0).collect::<Vec<_>>())
        .bind(texts.iter().map(|(_, text)| text.commitment.bytes().as_slice()).collect::<Vec<_>>())
        .bind(texts.iter().map(|(_, text)| text.key.bytes().as_slice()).collect::<Vec<_>>())
        .bind(texts.iter().map(|(_, text)| text.text.as_str()).collect::<Vec<_>>())
        .execute(connection)
        .await
        .map(drop)
}

pub(super) fn sort(result: Result<(), sqlx::Error>) -> Outcome {
    let error = match result {
        Ok(()) => return Outcome::Committed,
        Err(error) => error,
    };
    let Some(answer) = error.as_database_error().and_then(|error| error.try_downcast_ref::<PgDatabaseError>()) else {
        return Outcome::Unknown(error);
    };
    // FATAL and PANIC end the connection, and may do so after the commit ("has already committed locally").
    if answer.severity() != PgSeverity::Error {
        return Outcome::Unknown(error);
    }
    match (answer.code(), answer.constraint()) {
        ("23505", Some("entries_submit_key")) => Outcome::SubmitTaken,
        ("23505", _) => Outcome::Taken,
        _ if passes(answer) => Outcome::RolledBack(error),
        _ => Outcome::Impossible(error),
    }
}

/// True if an error of the server is about what was to be inserted: data exceptions (22) and integrity constraints (23).
pub(super) fn is_about_contents(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|answer| answer.code());
    code.is_some_and(|code| code.starts_with("22") || code.starts_with("23"))
}

/// True if an error of the server is about its own condition, and not about the request: read-only after a failover
/// (25), serialization and deadlock (40), disk full and similar (53), locks (55), shutdown and cancelled statements
/// (57), input and output (58).
pub(super) fn passes(answer: &PgDatabaseError) -> bool {
    let class = answer.code().get(..2).unwrap_or_default();
    answer.severity() != PgSeverity::Error || matches!(class, "08" | "25" | "40" | "53" | "55" | "57" | "58")
}
