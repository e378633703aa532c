//! The kinds of matches that exist: a selection without a kind is answered without reading any match.
//!
//! PostgreSQL assumes that ruleset, way of ending, result and verdict are independent, so it searches all matches of a
//! ruleset for a pair that never occurs. There are some dozens of kinds, however many matches there are (each game
//! that is known by its name alone adds a few), and an index has them in order: the query goes from one kind to the next.

use ledger::LogId;
use sqlx::{PgPool, Postgres, QueryBuilder};

use super::filter::{DECLARED, Filter};
use crate::StoreError;

impl Filter {
    /// The game, if the name of its rulesets begins with it: a declared one has a title there.
    fn known_game(&self) -> Option<&str> {
        self.game.as_deref().filter(|game| !game.starts_with(DECLARED))
    }

    fn kind_conditions(&self) -> usize {
        let ruleset = self.known_game().is_some() || self.ruleset.is_some();
        let parts = [ruleset, self.ending.is_some(), self.result.is_some(), self.verdict.is_some()];
        parts.into_iter().filter(|part| *part).count()
            + usize::from(self.known_game().is_some() && self.ruleset.is_some())
    }

    fn kind_query(&self, log_id: LogId) -> QueryBuilder<Postgres> {
        const FIRST: &str =
            "with recursive kinds as ((select ruleset, reason, result, verdict from archive where log_id = ";
        const NEXT: &str = " order by ruleset, reason, result, verdict limit 1) \
            union all select next.ruleset, next.reason, next.result, next.verdict from kinds, lateral (\
                select ruleset, reason, result, verdict from archive where (ruleset, reason, result, verdict) \
                    > (kinds.ruleset, kinds.reason, kinds.result, kinds.verdict) and log_id = ";
        const FITS: &str = " order by ruleset, reason, result, verdict limit 1) as next) \
            select exists (select from kinds where true";
        let mut sql = QueryBuilder::new(FIRST);
        sql.push_bind(log_id.0).push(NEXT).push_bind(log_id.0).push(FITS);
        for (column, value) in [("ruleset", &self.ruleset), ("reason", &self.ending)] {
            if let Some(value) = value {
                sql.push(format!(" and {column} = ")).push_bind(value.clone());
            }
        }
        if let Some(game) = self.known_game() {
            sql.push(" and split_part(ruleset, '/', 1) = ").push_bind(game.to_owned());
        }
        if let Some(result) = self.result {
            sql.push(format!(" and result {}", result.condition()));
        }
        if let Some(verdict) = self.verdict {
            sql.push(" and verdict = ").push_bind(verdict.word());
        }
        sql.push(")");
        sql
    }
}

/// False if no match of a selection's kind exists, so that the selection is empty. With one condition on the kind it is
/// always true.
pub async fn may_exist(pool: &PgPool, log_id: LogId, selection: &Filter) -> Result<bool, StoreError> {
    if selection.kind_conditions() < 2 {
        return Ok(true);
    }
    Ok(selection.kind_query(log_id).build_query_scalar().fetch_one(pool).await?)
}
