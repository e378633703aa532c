//! Matches that are announced for later. They are outside the log until an umpire opens them.

use chrono::{DateTime, Utc};
use ledger::MatchId;
use store::SubmitId;

use super::Umpires;
use crate::act::Act;
use crate::error::AppError;
use crate::scope::LOG;

/// Matches that are listed.
const LISTED: i64 = 50;

/// A match that is planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// The form that planned it names it: 16 bytes.
    pub form: Vec<u8>,
    /// Who planned it, by pseudonym.
    pub umpire: String,
    /// When it is to begin.
    pub starts_at: DateTime<Utc>,
    /// The ruleset's id.
    pub ruleset: String,
    /// The first player.
    pub p1: String,
    /// The second player.
    pub p2: String,
    /// The tournament; empty where there is none.
    pub event: String,
    /// The fields of the desk's form, as the desk wrote them.
    pub fields: String,
}

/// What is planned.
#[derive(Clone, Debug)]
pub struct Plan<'p> {
    /// When it is to begin.
    pub starts_at: DateTime<Utc>,
    /// The ruleset's id.
    pub ruleset: &'p str,
    /// The players.
    pub names: engine::BySeat<&'p str>,
    /// The tournament; empty where there is none.
    pub event: &'p str,
    /// The fields of the desk's form, as the desk reads them.
    pub fields: &'p str,
}

impl Planned {
    /// Its name, 32 hex digits.
    #[must_use]
    pub fn name(&self) -> String {
        self.form.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl Umpires {
    /// Announces a match. The same form again changes when it begins and what it holds, as long as it is not opened.
    ///
    /// # Errors
    /// The act is no umpire's, or the database.
    pub async fn plan(&self, act: &Act, plan: &Plan<'_>) -> Result<(), AppError> {
        let ledger::Author::Umpire(umpire) = &act.by else { return Err(AppError::NoMatch) };
        sqlx::query!(
            "insert into planned (form, log_id, umpire, starts_at, ruleset, p1, p2, event, fields) \
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (form) do update set \
                 starts_at = excluded.starts_at, ruleset = excluded.ruleset, p1 = excluded.p1, p2 = excluded.p2, \
                 event = excluded.event, fields = excluded.fields where planned.match_id is null",
            act.form.0.as_slice(),
            LOG.0,
            umpire.as_str(),
            plan.starts_at,
            plan.ruleset,
            plan.names.p1,
            plan.names.p2,
            plan.event,
            plan.fields
        )
        .execute(self.logs.pool())
        .await?;
        Ok(())
    }

    /// The matches that are planned and not yet opened, the next one first.
    ///
    /// # Errors
    /// The database.
    pub async fn planned(&self) -> Result<Vec<Planned>, AppError> {
        let planned = sqlx::query_as!(
            Planned,
            "select form, umpire, starts_at, ruleset, p1, p2, event, fields from planned \
             where log_id = $1 and match_id is null and not dropped order by starts_at, form limit $2",
            LOG.0,
            LISTED
        );
        Ok(planned.fetch_all(self.logs.pool()).await?)
    }

    /// Remembers that a planned match was opened, so that it is announced no longer. The match has the names from then on,
    /// and they can be withdrawn there.
    ///
    /// # Errors
    /// The database.
    pub async fn plan_opened(&self, plan: SubmitId, match_id: MatchId) -> Result<(), AppError> {
        sqlx::query!(
            "update planned set match_id = $2, p1 = '', p2 = '', event = '', fields = '' \
             where form = $1 and match_id is null",
            plan.0.as_slice(),
            match_id.0
        )
        .execute(self.logs.pool())
        .await?;
        Ok(())
    }

    /// Announces a match no longer, and erases who was to play it. Said again, it changes nothing.
    ///
    /// # Errors
    /// The database.
    pub async fn drop_plan(&self, plan: SubmitId) -> Result<(), AppError> {
        sqlx::query!(
            "update planned set dropped = true, p1 = '', p2 = '', event = '', fields = '' \
             where form = $1 and match_id is null",
            plan.0.as_slice()
        )
        .execute(self.logs.pool())
        .await?;
        Ok(())
    }
}
