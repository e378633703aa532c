//! Refuses a server that may lose acknowledged data, one that cannot store every name, and a connection that has more
//! rights than serving needs; and makes up for a pooler that drops what a connection asks for.

use std::collections::BTreeMap;

use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Executor, PgConnection, PgPool, Row};

use super::{SERVE_ROLE, StoreError};

/// With any of these off, PostgreSQL answers before the entry is safe, or may come back from a crash with torn pages.
const DURABLE: [&str; 3] = ["fsync", "full_page_writes", "synchronous_commit"];

/// Checks a new connection of a pool: one that the pool refuses would say no more than that it came to no connection.
pub(super) async fn check_server(pool: &PgPool) -> Result<PgConnection, StoreError> {
    let mut connection = pool.connect_options().connect().await?;
    check(&mut connection).await?;
    Ok(connection)
}

/// Checks what the server says of this very connection: `synchronous_commit` and the role can also be set for a role, a
/// database or a session, and a pooler in between may leave out what the connection asked for.
pub(crate) async fn check(connection: &mut PgConnection) -> Result<(), StoreError> {
    let query = sqlx::query(
        "select name, setting from pg_settings where name = any($1) \
         or name in ('synchronous_standby_names', 'server_encoding') order by name",
    );
    let rows = query.bind(DURABLE).fetch_all(&mut *connection).await?;
    let mut settings = Vec::new();
    for row in rows {
        settings.push((row.try_get::<String, _>("name")?, row.try_get::<String, _>("setting")?));
    }
    let of = |name: &str| settings.iter().find(|(other, _)| other == name).map_or("", |(_, value)| value);
    let standbys = !of("synchronous_standby_names").is_empty();
    for name in DURABLE {
        let value = of(name);
        // What only the primary has, or a standby has not flushed, is lost when the primary is.
        let waits = name != "synchronous_commit" || !standbys || ["on", "remote_apply"].contains(&value);
        if value == "off" || !waits {
            return Err(StoreError::NotDurable { name: name.to_owned(), value: value.to_owned() });
        }
    }
    // Words are stored by the statement that appends: a word that the encoding cannot represent would stop the log for
    // everybody. SQL_ASCII stores bytes unchanged.
    let encoding = of("server_encoding");
    if !["UTF8", "SQL_ASCII"].contains(&encoding) {
        return Err(StoreError::Encoding { encoding: encoding.to_owned() });
    }
    role(connection).await
}

/// Sets what a connection asked for at its start, where the server has something else: a pooler may have left that out.
/// The role comes last, and is checked.
pub(crate) async fn set(connection: &mut PgConnection, options: &PgConnectOptions) -> Result<(), StoreError> {
    let asked = asked(options.get_options().unwrap_or_default());
    let (names, values): (Vec<String>, Vec<String>) = asked.into_iter().filter(|(name, _)| name != "role").unzip();
    // A server that does not set one says so, and the connection is not used.
    sqlx::query(
        "select set_config(name, value, false) from unnest($1::text[], $2::text[]) as asked (name, value) \
         where current_setting(name, true) is distinct from value",
    )
    .bind(names)
    .bind(values)
    .execute(&mut *connection)
    .await?;
    role(connection).await
}

/// The settings in a connection's options: `-c jit=off -c role=...`. Of two of one name the last one counts, as it does at
/// the server.
fn asked(options: &str) -> BTreeMap<String, String> {
    let (mut words, mut word) = (Vec::new(), String::new());
    let mut signs = options.chars();
    while let Some(sign) = signs.next() {
        match sign {
            ' ' => words.push(std::mem::take(&mut word)),
            '\\' => word.extend(signs.next()),
            sign => word.push(sign),
        }
    }
    words.push(word);
    let pairs = words.iter().zip(words.iter().skip(1)).filter(|(flag, _)| *flag == "-c");
    pairs
        .filter_map(|(_, pair)| pair.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// Checks that a connection has the role for serving. A pooler may have left it out of what the connection asked for: then it
/// is set.
async fn role(connection: &mut PgConnection) -> Result<(), StoreError> {
    let current = "select current_user::text";
    if sqlx::query_scalar::<_, String>(current).fetch_one(&mut *connection).await? == SERVE_ROLE {
        return Ok(());
    }
    // A refusal shows in the answer to the next question.
    let _ = connection.execute(AssertSqlSafe(format!("set role {SERVE_ROLE}"))).await;
    let role: String = sqlx::query_scalar(current).fetch_one(connection).await?;
    if role == SERVE_ROLE { Ok(()) } else { Err(StoreError::Role { role }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_connection_asks_for_is_read_as_the_server_reads_it() {
        let options = PgConnectOptions::new_without_pgpass()
            .options([("jit", "on"), ("search_path", "a b\\c")])
            .options([("jit", "off")]);
        let asked = asked(options.get_options().unwrap_or_default());
        let of = |name: &str| asked.get(name).map(String::as_str);
        assert_eq!((of("jit"), of("search_path"), of("role")), (Some("off"), Some("a b\\c"), None));
    }
}
