//! The conditions of a list of matches, and their SQL.

use std::fmt;

use chrono::{Days, NaiveDate, NaiveTime};
use ledger::LogId;
use sqlx::{Postgres, QueryBuilder};
use thiserror::Error;
use utoipa::ToSchema;

/// The matches that meet every condition. What is not given is no condition. For a query, names and tags are in the form in
/// which they are compared, the umpire is a pseudonym, and the words are a `tsquery`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    pub game: Option<String>,
    pub ruleset: Option<String>,
    pub event: Option<String>,
    pub player: Option<String>,
    pub seat: Option<SeatFilter>,
    pub against: Option<String>,
    pub umpire: Option<String>,
    pub from: Option<NaiveDate>,
    pub until: Option<NaiveDate>,
    pub rounds_from: Option<u32>,
    pub rounds_until: Option<u32>,
    pub result: Option<ResultFilter>,
    pub ending: Option<String>,
    pub ruled: bool,
    pub verdict: Option<VerdictFilter>,
    pub tag: Option<String>,
    pub words: Option<String>,
}

/// The game of rows whose umpire declared it; a row has the hash of the declaration behind it.
pub const DECLARED: &str = "declared";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there is no such word")]
pub struct UnknownWord;

/// Defines an enum with its words: for addresses and the database, and for people.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$what:meta])* $variant:ident = $word:tt, $label:literal;)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
        pub enum $name { $($(#[$what])* #[serde(rename = $word)] $variant),+ }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            #[must_use]
            pub const fn label(self) -> &'static str {
                match self { $(Self::$variant => $label),+ }
            }
        }

        impl std::str::FromStr for $name {
            type Err = UnknownWord;

            fn from_str(word: &str) -> Result<Self, UnknownWord> {
                Self::ALL.iter().copied().find(|known| known.word() == word).ok_or(UnknownWord)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}

words! {
    ResultFilter {
        Won = "won", "won";
        Lost = "lost", "lost";
        FirstWon = "p1-won", "seat 1 won";
        SecondWon = "p2-won", "seat 2 won";
        DmoWon = "dmo-won", "the DMO won";
        EcWon = "ec-won", "the EC won";
        Undecided = "undecided", "undecided";
        Void = "void", "void";
        Running = "running", "running";
        Ended = "ended", "ended";
        Counts = "counts", "ended, not void";
    }
}

words! {
    #[derive(Default)]
    Sort {
        #[default]
        Newest = "newest", "newest first";
        Dramatic = "dramatic", "most dramatic first";
        Closest = "closest", "closest first";
        Late = "late", "decided latest first";
        Longest = "longest", "longest first";
    }
}

words! {
    SeatFilter {
        First = "p1", "seat 1";
        Second = "p2", "seat 2";
        Dmo = "dmo", "DMO";
        Ec = "ec", "EC";
    }
}

words! {
    VerdictFilter {
        Verified = "verified", "verified";
        Rulings = "rulings", "verified, with interventions";
        Imported = "imported", "imported, by the rules";
        /// It has not ended, or a part of it cannot be checked yet, or it is not shown that it is in the log, or that its witnesses saw it.
        Pending = "pending", "not shown, or not yet checkable";
        Unknown = "unknown", "cannot check";
        Failed = "failed", "failed";
        Unchecked = "unchecked", "not checked yet";
        /// Nothing but the result is known, so there is nothing to check.
        ResultOnly = "result", "result only";
    }
}

impl ResultFilter {
    pub(super) const fn condition(self) -> &'static str {
        match self {
            Self::Won | Self::Lost | Self::DmoWon | Self::EcWon => "in ('p1', 'p2')",
            Self::FirstWon => "= 'p1'",
            Self::SecondWon => "= 'p2'",
            Self::Undecided => "= 'undecided'",
            Self::Void => "= 'void'",
            Self::Running => "= '*'",
            Self::Ended => "<> '*'",
            Self::Counts => "not in ('*', 'void')",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tables {
    Matches,
    Needed,
}

impl Filter {
    #[must_use]
    pub fn running() -> Self {
        Self { result: Some(ResultFilter::Running), ..Self::default() }
    }

    /// True if a condition needs the matches' own rows: those of players and of words do not say it.
    fn needs_matches(&self) -> bool {
        let none = Self::default();
        let Self { player, seat, against, from, until, words, .. } = self.clone();
        *self != Self { player, seat, against, from, until, words, ..none }
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
        self.push_player(&mut sql);
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
        // Every declared game, or one of them.
        let (all, game) = match &self.game {
            Some(game) if game == DECLARED => (format!(" and a.game like '{DECLARED}/%'"), None),
            game => (String::new(), game.clone()),
        };
        sql.push(all);
        for (column, value) in [("a.game", &game), ("a.ruleset", &self.ruleset), ("a.reason", &self.ending)] {
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
            match result {
                ResultFilter::Won | ResultFilter::Lost if self.player.is_some() => {
                    sql.push(" and s.standing = ").push_bind(result.word());
                }
                ResultFilter::DmoWon => drop(sql.push(" and a.dmo = a.result")),
                ResultFilter::EcWon => drop(sql.push(" and a.dmo <> a.result")),
                _ => {}
            }
        }
        if self.ruled {
            sql.push(" and a.rulings > 0");
        }
        if let Some(verdict) = self.verdict {
            sql.push(" and a.verdict = ").push_bind(verdict.word());
        }
    }

    fn push_player(&self, sql: &mut QueryBuilder<Postgres>) {
        let Some(player) = &self.player else { return };
        sql.push(" and s.key = ").push_bind(player.clone());
        match self.seat {
            None => {}
            Some(seat @ (SeatFilter::First | SeatFilter::Second)) => drop(sql.push(format!(" and s.seat = '{seat}'"))),
            Some(SeatFilter::Dmo) => drop(sql.push(" and s.dmo")),
            Some(SeatFilter::Ec) => drop(sql.push(" and not s.dmo")),
        }
        if let Some(against) = &self.against {
            sql.push(" and s.other = ").push_bind(against.clone());
        }
    }
}
