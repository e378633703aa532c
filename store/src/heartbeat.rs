//! When this site could take moves: a row that its nodes keep writing, and the outages between.

use ledger::Moment;
use sqlx::postgres::PgRow;
use sqlx::{PgPool, Row};

use crate::StoreError;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredOutage {
    /// The last moment before it at which one could.
    pub began: Moment,
    /// The first moment after it.
    pub ended: Moment,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutageSum {
    pub number: u64,
    pub seconds: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    pub now: Moment,
    /// The latest migration of the oldest program that may serve it.
    pub oldest_program: i64,
    /// True if a match with clocks runs, in the record or in practice.
    pub is_running: bool,
}

pub async fn read(pool: &PgPool) -> Result<Reading, StoreError> {
    let asked = "select clock_timestamp() as now, migration, exists (select from archive \
        where log_id in (1, 2) and result = '*' and mode = 'live') as is_running from oldest_program";
    let row = sqlx::query(asked).fetch_one(pool).await?;
    let (oldest_program, is_running) = (row.try_get("migration")?, row.try_get("is_running")?);
    Ok(Reading { now: moment(&row, "now")?, oldest_program, is_running })
}

/// Says that this node can take moves at `at`, and gives the end of the last outage. If no node has said so for longer than
/// `longest_ms` before, that was an outage, and it is stored: by the first node alone, because all of them wait for the one
/// row.
///
/// A beat goes back only behind one that is in the future of the database: then the clocks were set back, and what lies behind
/// the next jump ahead is an outage, too.
pub async fn beat(pool: &PgPool, at: Moment, longest_ms: i64) -> Result<Option<Moment>, StoreError> {
    // The parts of one statement run in no order of their own; counting the outage first makes one. Only an outage locks the
    // row first, and only the first beat of all inserts it: both would be written to the log of the database each time.
    let sent = sqlx::query(
        "with before as (select at from heartbeat where $1 - at > $2 * interval '1 millisecond' for update), \
              outage as (insert into outages (began, ended) select at, $1 from before on conflict do nothing returning 1), \
              moved as (update heartbeat set at = case \
                  when heartbeat.at > clock_timestamp() + interval '1 second' then $1 else greatest(heartbeat.at, $1) end \
                  from (select count(*) from outage) stored returning 1) \
         insert into heartbeat (at) select $1 where not exists (select from moved) on conflict do nothing",
    );
    sent.bind(at.to_utc()).bind(longest_ms).execute(pool).await?;
    // A statement of its own: it sees what another node has stored while this one waited for the row.
    let last = sqlx::query("select ended from outages order by ended desc limit 1").fetch_optional(pool).await?;
    last.map(|row| moment(&row, "ended")).transpose()
}

pub async fn outages_since(pool: &PgPool, since: Moment) -> Result<Vec<StoredOutage>, StoreError> {
    let rows = sqlx::query("select began, ended from outages where ended > $1 order by ended").bind(since.to_utc());
    let outage = |row: &PgRow| Ok(StoredOutage { began: moment(row, "began")?, ended: moment(row, "ended")? });
    rows.fetch_all(pool).await?.iter().map(outage).collect()
}

pub async fn outage_sum(pool: &PgPool) -> Result<OutageSum, StoreError> {
    let sum = sqlx::query(
        "select count(*) as number, coalesce(extract(epoch from sum(ended - began)), 0)::float8 as seconds from outages",
    );
    let sum = sum.fetch_one(pool).await?;
    Ok(OutageSum { number: sum.try_get::<i64, _>("number")?.unsigned_abs(), seconds: sum.try_get("seconds")? })
}

fn moment(row: &PgRow, column: &str) -> Result<Moment, StoreError> {
    let at: chrono::DateTime<chrono::Utc> = row.try_get(column)?;
    Moment::try_from(at).map_err(|_| StoreError::Corrupt { what: format!("a time of {column} out of range") })
}
