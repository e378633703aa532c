//! The names of players and events in the archive, by the keys by which they are compared.

use ledger::LogId;
use sqlx::{PgPool, Postgres, QueryBuilder};

use crate::StoreError;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameKind {
    Player,
    Event,
}

/// The keys that begin with a text and lie beyond a key. With `before` the nearest come first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyRange<'t> {
    pub begins: &'t str,
    pub after: Option<&'t str>,
    pub before: Option<&'t str>,
}

impl NameKind {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Event => "event",
        }
    }

    const fn columns(self) -> [&'static str; 3] {
        match self {
            Self::Player => ["archive_seats", "key", "name"],
            Self::Event => ["archive", "event_key", "event"],
        }
    }
}

impl KeyRange<'_> {
    fn push(&self, sql: &mut QueryBuilder<Postgres>, column: &str) {
        if !self.begins.is_empty() {
            sql.push(format!(" and {column} >= ")).push_bind(self.begins.to_owned());
            sql.push(format!(" and {column} < ")).push_bind(self.begins.to_owned()).push(" || chr(1114111)");
        }
        for (sign, bound) in [(">", self.after), ("<", self.before)] {
            if let Some(bound) = bound {
                sql.push(format!(" and {column} {sign} ")).push_bind(bound.to_owned());
            }
        }
    }
}

pub async fn keys(
    pool: &PgPool,
    log_id: LogId,
    kind: NameKind,
    range: &KeyRange<'_>,
    limit: i64,
) -> Result<Vec<String>, StoreError> {
    let [table, key, _] = kind.columns();
    distinct(pool, log_id, (table, key), range, limit).await
}

/// The names of these keys as they were written last, in the order of the keys. A key without a match has none.
pub async fn names(pool: &PgPool, log_id: LogId, kind: NameKind, keys: &[String]) -> Result<Vec<String>, StoreError> {
    let [table, key, name] = kind.columns();
    let mut sql = QueryBuilder::new("select last.name from unnest(");
    sql.push_bind(keys.to_vec());
    sql.push(format!(
        "::text[]) with ordinality as keys (key, n), lateral (select a.{name} as name from {table} as a \
         where a.{key} = keys.key and a.log_id = "
    ));
    sql.push_bind(log_id.0).push(" order by a.played_at desc, a.match_id desc limit 1) as last order by keys.n");
    Ok(sql.build_query_scalar().fetch_all(pool).await?)
}

/// The different values of a column, in order. Each is found by itself in an index: rows with the same value are not read.
pub(super) async fn distinct(
    pool: &PgPool,
    log_id: LogId,
    (table, column): (&str, &str),
    range: &KeyRange<'_>,
    limit: i64,
) -> Result<Vec<String>, StoreError> {
    let (sign, way) = if range.before.is_some() { ("<", "desc") } else { (">", "asc") };
    let mut sql = QueryBuilder::new(format!(
        "with recursive found as ((select {column} as value from {table} where {column} is not null and log_id = "
    ));
    range.push(sql.push_bind(log_id.0), column);
    sql.push(format!(
        " order by {column} {way} limit 1) union all select (select {column} from {table} \
         where {column} {sign} found.value and log_id = "
    ));
    range.push(sql.push_bind(log_id.0), column);
    sql.push(format!(
        " order by {column} {way} limit 1) from found where found.value is not null) \
         select value from found where value is not null limit "
    ));
    Ok(sql.push_bind(limit).build_query_scalar().fetch_all(pool).await?)
}
