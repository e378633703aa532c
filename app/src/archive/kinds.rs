//! Which kinds of matches there are: a filter that no kind fits leaves nothing, and is answered without reading any match.
//!
//! PostgreSQL takes ruleset, way of ending, result and verdict for independent, so that it looks for a pair that never comes
//! together through all matches of the ruleset. There are some dozens of kinds however many matches there are, and an
//! index has them in order: this goes from one kind to the next.

use ledger::LogId;
use sqlx::{Postgres, QueryBuilder};

use super::{Archive, Filter};
use crate::error::AppError;
use crate::scope::LOG;

impl Filter {
    /// How many of its parts say something of a match's kind.
    fn kind_parts(&self) -> usize {
        let ruleset = self.game.is_some() || self.ruleset.is_some();
        let parts = [ruleset, self.ending.is_some(), self.result.is_some(), self.verdict.is_some()];
        parts.into_iter().filter(|part| *part).count() + usize::from(self.game.is_some() && self.ruleset.is_some())
    }

    /// Asks whether there is a match of a kind that this filter wants, whatever else it wants.
    fn of_a_kind(&self, log: LogId) -> QueryBuilder<Postgres> {
        const FIRST: &str =
            "with recursive kinds as ((select ruleset, reason, result, verdict from archive where log_id = ";
        const NEXT: &str = " order by ruleset, reason, result, verdict limit 1) \
            union all select next.ruleset, next.reason, next.result, next.verdict from kinds, lateral (\
                select ruleset, reason, result, verdict from archive where (ruleset, reason, result, verdict) \
                    > (kinds.ruleset, kinds.reason, kinds.result, kinds.verdict) and log_id = ";
        const FITS: &str = " order by ruleset, reason, result, verdict limit 1) as next) \
            select exists (select from kinds where true";
        let mut sql = QueryBuilder::new(FIRST);
        sql.push_bind(log.0).push(NEXT).push_bind(log.0).push(FITS);
        for (column, value) in [("ruleset", &self.ruleset), ("reason", &self.ending)] {
            if let Some(value) = value {
                sql.push(format!(" and {column} = ")).push_bind(value.clone());
            }
        }
        if let Some(game) = &self.game {
            sql.push(" and split_part(ruleset, '/', 1) = ").push_bind(game.clone());
        }
        if let Some(result) = self.result {
            sql.push(format!(" and result {}", result.results()));
        }
        if let Some(verdict) = self.verdict {
            sql.push(" and verdict = ").push_bind(verdict.word());
        }
        sql.push(")");
        sql
    }
}

impl Archive {
    /// True if a filter may leave a match. Where it says no, it leaves none; only of two parts together it can say no.
    pub(crate) async fn may_fit(&self, filter: &Filter) -> Result<bool, AppError> {
        if filter.kind_parts() < 2 {
            return Ok(true);
        }
        Ok(filter.of_a_kind(LOG).build_query_scalar().fetch_one(self.logs.reading_pool()).await?)
    }
}
