//! The conditions of a list of matches, and their SQL.

use chrono::{Days, NaiveDate, NaiveTime};
use ledger::LogId;
use sqlx::{Postgres, QueryBuilder};

/// The matches that meet every condition. What is not given is no condition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    pub game: Option<String>,
    pub ruleset: Option<String>,
    pub event: Option<String>,
    pub player: Option<PlayerSelection>,
    pub umpire: Option<String>,
    pub from: Option<NaiveDate>,
    pub until: Option<NaiveDate>,
    pub rounds_from: Option<u32>,
    pub rounds_until: Option<u32>,
    pub result: Option<ResultSelection>,
    pub winner: Option<Role>,
    pub ending: Option<String>,
    /// True if it must have rulings or strikes.
    pub ruled: bool,
    pub verdict: Option<&'static str>,
    pub tag: Option<String>,
    pub words: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerSelection {
    pub key: String,
    pub seat: Option<&'static str>,
    pub role: Option<Role>,
    pub against: Option<String>,
    pub standing: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Dmo,
    Ec,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultSelection {
    /// Exactly this word: `p1`, `p2`, `undecided`, `void` or `*`.
    Is(&'static str),
    Won,
    Ended,
    Counts,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tables {
    Matches,
    Needed,
}

impl ResultSelection {
    pub(super) fn condition(self) -> String {
        match self {
            Self::Is(word) => format!("= '{word}'"),
            Self::Won => "in ('p1', 'p2')".to_owned(),
            Self::Ended => "<> '*'".to_owned(),
            Self::Counts => "not in ('*', 'void')".to_owned(),
        }
    }
}

impl Selection {
    /// True if a condition needs the matches' own rows: those of players and of words do not say it.
    fn needs_matches(&self) -> bool {
        let others = Self { player: None, from: None, until: None, words: None, ..self.clone() };
        others != Self::default()
    }

    /// A query of matches, as `a`, with all conditions. Its order is that of `{order}.played_at` and
    /// `{order}.match_id`; the table `{order}` is returned.
    pub(super) fn query(&self, log_id: LogId, select: impl Into<String>) -> (QueryBuilder<Postgres>, &'static str) {
        let order = self.order();
        (self.conditions(log_id, QueryBuilder::new(select), order, Tables::Matches), order)
    }

    /// A query of the places of matches alone, unordered, with a column of their own rows as `rank` if one is given. It
    /// reads the matches' own rows only if that or a condition needs them.
    pub(super) fn places(&self, log_id: LogId, before: &str, rank: Option<&str>) -> QueryBuilder<Postgres> {
        let order = self.order();
        let (tables, rank) = match rank {
            Some(column) => (Tables::Matches, format!(", a.{column} as rank")),
            None => (Tables::Needed, String::new()),
        };
        let select = QueryBuilder::new(format!("{before}select {order}.played_at, {order}.match_id{rank}"));
        self.conditions(log_id, select, order, tables)
    }

    /// The table that a query begins with: the matches of a player are together in one index, and those with some words
    /// in another.
    const fn order(&self) -> &'static str {
        match (&self.player, &self.words) {
            (Some(_), _) => "s",
            (None, Some(_)) => "w",
            (None, None) => "a",
        }
    }

    fn conditions(
        &self,
        log_id: LogId,
        mut sql: QueryBuilder<Postgres>,
        order: &'static str,
        tables: Tables,
    ) -> QueryBuilder<Postgres> {
        let matches = tables == Tables::Matches || self.needs_matches();
        let tables = [
            ("archive_seats", "s", self.player.is_some()),
            ("archive_words", "w", self.words.is_some()),
            ("archive", "a", matches || order == "a"),
        ];
        for (table, name, needed) in tables {
            if name == order {
                sql.push(format!(" from {table} as {name}"));
            } else if needed {
                sql.push(format!(
                    " join {table} as {name} on {name}.log_id = {order}.log_id and {name}.match_id = {order}.match_id"
                ));
            }
        }
        sql.push(format!(" where {order}.log_id = ")).push_bind(log_id.0);
        self.push_kind(&mut sql);
        if let Some(player) = &self.player {
            player.push(&mut sql);
        }
        self.push_days(&mut sql, order);
        self.push_outcome(&mut sql);
        if let Some(tag) = &self.tag {
            sql.push(" and a.tags @> ").push_bind(vec![tag.clone()]);
        }
        if let Some(words) = &self.words {
            sql.push(" and w.words @@ ").push_bind(words.clone()).push("::tsquery");
        }
        sql
    }

    fn push_kind(&self, sql: &mut QueryBuilder<Postgres>) {
        for (column, value) in [("a.game", &self.game), ("a.ruleset", &self.ruleset), ("a.reason", &self.ending)] {
            if let Some(value) = value {
                sql.push(format!(" and {column} = ")).push_bind(value.clone());
            }
        }
        if let Some(umpire) = &self.umpire {
            sql.push(" and a.umpires @> ").push_bind(vec![umpire.clone()]);
        }
        if let Some(event) = &self.event {
            sql.push(" and a.event_key = ").push_bind(event.clone());
        }
    }

    fn push_days(&self, sql: &mut QueryBuilder<Postgres>, order: &'static str) {
        let midnight = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc();
        if let Some(from) = self.from {
            sql.push(format!(" and {order}.played_at >= ")).push_bind(midnight(from));
        }
        if let Some(after) = self.until.and_then(|until| until.checked_add_days(Days::new(1))) {
            sql.push(format!(" and {order}.played_at < ")).push_bind(midnight(after));
        }
    }

    fn push_outcome(&self, sql: &mut QueryBuilder<Postgres>) {
        for (sign, rounds) in [(">=", self.rounds_from), ("<=", self.rounds_until)] {
            if let Some(rounds) = rounds {
                sql.push(format!(" and a.rounds {sign} ")).push_bind(i32::try_from(rounds).unwrap_or(i32::MAX));
            }
        }
        if let Some(result) = self.result {
            sql.push(format!(" and a.result {}", result.condition()));
        }
        if let Some(standing) = self.player.as_ref().and_then(|player| player.standing) {
            sql.push(" and s.standing = ").push_bind(standing);
        }
        match self.winner {
            None => {}
            Some(Role::Dmo) => drop(sql.push(" and a.dmo = a.result")),
            Some(Role::Ec) => drop(sql.push(" and a.dmo <> a.result")),
        }
        if self.ruled {
            sql.push(" and a.rulings > 0");
        }
        if let Some(verdict) = self.verdict {
            sql.push(" and a.verdict = ").push_bind(verdict);
        }
    }
}

impl PlayerSelection {
    fn push(&self, sql: &mut QueryBuilder<Postgres>) {
        sql.push(" and s.key = ").push_bind(self.key.clone());
        if let Some(seat) = self.seat {
            sql.push(format!(" and s.seat = '{seat}'"));
        }
        match self.role {
            None => {}
            Some(Role::Dmo) => drop(sql.push(" and s.dmo")),
            Some(Role::Ec) => drop(sql.push(" and not s.dmo")),
        }
        if let Some(against) = &self.against {
            sql.push(" and s.other = ").push_bind(against.clone());
        }
    }
}
