//! What a list is narrowed to, and the SQL of it.

use std::fmt;

use chrono::{Days, NaiveDate, NaiveTime};
use ledger::LogId;
use record::name_key;
use record::verify::Verdict;
use sqlx::{Postgres, QueryBuilder};
use thiserror::Error;

use super::words::question;

/// What the list is narrowed to. Everything that is none narrows nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The game, such as `five-card-trick`.
    pub game: Option<String>,
    /// The ruleset's id.
    pub ruleset: Option<String>,
    /// The tournament's name, in any case and with or without accents.
    pub event: Option<String>,
    /// A player's name, likewise.
    pub player: Option<String>,
    /// In which chair the player sat; without a player it narrows nothing.
    pub chair: Option<Chair>,
    /// The player's opponent; without a player it narrows nothing.
    pub against: Option<String>,
    /// An umpire who runs it or ran it, by pseudonym or public name.
    pub umpire: Option<String>,
    /// The first day on which it was played.
    pub from: Option<NaiveDate>,
    /// The last.
    pub until: Option<NaiveDate>,
    /// So many rounds at the least.
    pub rounds_from: Option<u32>,
    /// So many at the most.
    pub rounds_until: Option<u32>,
    /// How it stands.
    pub result: Option<ResultFilter>,
    /// The word of the rule that ended it, such as `more-chips`.
    pub ending: Option<String>,
    /// Only matches with rulings or strikes.
    pub ruled: bool,
    /// What its verification found when it was run last.
    pub verdict: Option<VerdictFilter>,
    /// A tag of an imported file: its name, or its name, a space and its value.
    pub tag: Option<String>,
    /// Words of names, event, tags, source, rulings and remarks; the beginning of a word is enough.
    pub words: Option<String>,
}

/// A word of an address that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there is no such word")]
pub struct NoSuchWord;

/// Writes an enum's words once: for addresses, for people, and for the database.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$what:meta])* $variant:ident = $word:literal, $label:literal;)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$what])* $variant),+ }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its word in an address.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// The same for people.
            #[must_use]
            pub const fn label(self) -> &'static str {
                match self { $(Self::$variant => $label),+ }
            }
        }

        impl std::str::FromStr for $name {
            type Err = NoSuchWord;

            fn from_str(word: &str) -> Result<Self, NoSuchWord> {
                Self::ALL.iter().copied().find(|known| known.word() == word).ok_or(NoSuchWord)
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
    /// How a match stands.
    ResultFilter {
        /// The player of the filter won; without one, anybody.
        Won = "won", "won";
        /// The player of the filter lost; without one, anybody.
        Lost = "lost", "lost";
        /// Seat 1 won, whoever sat there.
        FirstWon = "p1-won", "seat 1 won";
        /// Seat 2 won, whoever sat there.
        SecondWon = "p2-won", "seat 2 won";
        /// The Death Match Opponent won.
        DmoWon = "dmo-won", "the DMO won";
        /// The Elimination Candidate won.
        EcWon = "ec-won", "the EC won";
        /// The rules name no winner.
        Undecided = "undecided", "undecided";
        /// It does not count.
        Void = "void", "void";
        /// It still runs.
        Running = "running", "running";
        /// It does not run any more.
        Ended = "ended", "ended";
        /// It does not run any more and counts: it is in the statistics.
        Counts = "counts", "ended, not void";
    }
}

words! {
    /// In which chair a player sat.
    Chair {
        /// The first seat.
        First = "p1", "seat 1";
        /// The second seat.
        Second = "p2", "seat 2";
        /// The Death Match Opponent.
        Dmo = "dmo", "DMO";
        /// The Elimination Candidate.
        Ec = "ec", "EC";
    }
}

words! {
    /// What a verification found when it was run last.
    VerdictFilter {
        /// Everything holds, and nobody intervened.
        Verified = "verified", "verified";
        /// Everything holds, with rulings or strikes.
        Rulings = "rulings", "verified, with rulings";
        /// Something of it cannot be checked yet.
        Pending = "pending", "not yet checkable";
        /// It cannot be checked by this version.
        Unknown = "unknown", "cannot check";
        /// Something does not hold.
        Failed = "failed", "failed";
        /// It has not been checked since it changed.
        Unchecked = "unchecked", "not checked yet";
    }
}

impl VerdictFilter {
    /// What a verification found.
    #[must_use]
    pub const fn of(found: &Verdict) -> Self {
        match found {
            Verdict::Verified { interventions: 0, .. } => Self::Verified,
            Verdict::Verified { .. } => Self::Rulings,
            Verdict::NotYet { .. } => Self::Pending,
            Verdict::CannotCheck { .. } | Verdict::Practice => Self::Unknown,
            Verdict::Failed { .. } => Self::Failed,
        }
    }
}

impl ResultFilter {
    /// What it wants of a match's result, in SQL; of the winner's chair it says nothing.
    pub(super) const fn results(self) -> &'static str {
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

impl Filter {
    /// The matches that still run.
    #[must_use]
    pub fn running() -> Self {
        Self { result: Some(ResultFilter::Running), ..Self::default() }
    }

    /// The same filter, with names and words as they are compared: however somebody writes them, it is one.
    #[must_use]
    pub fn folded(&self) -> Self {
        let folded = |text: &Option<String>| text.as_deref().map(name_key);
        Self {
            event: folded(&self.event),
            player: folded(&self.player),
            against: folded(&self.against),
            tag: folded(&self.tag),
            words: folded(&self.words),
            ..self.clone()
        }
    }

    /// The player's key, where there is a player.
    fn key(&self) -> Option<String> {
        self.player.as_deref().map(name_key)
    }

    /// True if it asks for something that the rows of players and of words do not say.
    fn asks_for_rows(&self) -> bool {
        let others =
            Self { player: None, chair: None, against: None, from: None, until: None, words: None, ..self.clone() };
        others != Self::default()
    }

    /// Goes on with a query of matches, as `a`, that says what it selects of them: the tables that this filter needs, and
    /// everything that it wants. The order is that of `{order}.played_at` and `{order}.match_id`; which table `{order}` is,
    /// is given back.
    pub(super) fn query(&self, log: LogId, select: impl Into<String>) -> (QueryBuilder<Postgres>, &'static str) {
        let order = self.order();
        (self.over(log, QueryBuilder::new(select), order, true), order)
    }

    /// Goes on with a query that asks for the places of matches alone, in no order. Those of a player and those with some
    /// words are found without the matches' own rows where nothing else is asked for.
    pub(super) fn places(&self, log: LogId, before: &str) -> QueryBuilder<Postgres> {
        let order = self.order();
        let select = QueryBuilder::new(format!("{before}select {order}.played_at, {order}.match_id"));
        self.over(log, select, order, self.asks_for_rows())
    }

    /// The table whose side a query comes from: a player's matches stand together there, and those with some words.
    fn order(&self) -> &'static str {
        match (&self.player, self.question()) {
            (Some(_), _) => "s",
            (None, Some(_)) => "w",
            (None, None) => "a",
        }
    }

    /// Its words, as PostgreSQL looks for them; none where there are none.
    pub(super) fn question(&self) -> Option<String> {
        self.words.as_deref().and_then(question)
    }

    fn over(
        &self,
        log: LogId,
        mut sql: QueryBuilder<Postgres>,
        order: &'static str,
        rows: bool,
    ) -> QueryBuilder<Postgres> {
        let tables = [
            ("archive_seats", "s", self.player.is_some()),
            ("archive_words", "w", self.question().is_some()),
            ("archive", "a", rows || order == "a"),
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
        sql.push(format!(" where {order}.log_id = ")).push_bind(log.0);
        self.wants(&mut sql, order);
        sql
    }

    fn wants(&self, sql: &mut QueryBuilder<Postgres>, order: &'static str) {
        let of_player = self.player.is_some();
        for (column, value) in [("a.game", &self.game), ("a.ruleset", &self.ruleset), ("a.reason", &self.ending)] {
            if let Some(value) = value {
                sql.push(format!(" and {column} = ")).push_bind(value.clone());
            }
        }
        if let Some(umpire) = &self.umpire {
            sql.push(" and a.umpires @> ").push_bind(vec![umpire.clone()]);
        }
        if let Some(event) = &self.event {
            sql.push(" and a.event_key = ").push_bind(name_key(event));
        }
        if let Some(key) = self.key() {
            sql.push(" and s.key = ").push_bind(key);
            match self.chair {
                None => {}
                Some(Chair::First) => drop(sql.push(" and s.seat = 'p1'")),
                Some(Chair::Second) => drop(sql.push(" and s.seat = 'p2'")),
                Some(Chair::Dmo) => drop(sql.push(" and s.dmo")),
                Some(Chair::Ec) => drop(sql.push(" and not s.dmo")),
            }
            if let Some(against) = &self.against {
                sql.push(" and s.other = ").push_bind(name_key(against));
            }
        }
        let midnight = |day: NaiveDate| day.and_time(NaiveTime::MIN).and_utc();
        if let Some(from) = self.from {
            sql.push(format!(" and {order}.played_at >= ")).push_bind(midnight(from));
        }
        if let Some(after) = self.until.and_then(|until| until.checked_add_days(Days::new(1))) {
            sql.push(format!(" and {order}.played_at < ")).push_bind(midnight(after));
        }
        let rounds = [(">=", self.rounds_from), ("<=", self.rounds_until)];
        for (sign, rounds) in rounds {
            if let Some(rounds) = rounds {
                sql.push(format!(" and a.rounds {sign} ")).push_bind(i32::try_from(rounds).unwrap_or(i32::MAX));
            }
        }
        if let Some(result) = self.result {
            sql.push(format!(" and a.result {}", result.results()));
            match result {
                ResultFilter::Won | ResultFilter::Lost if of_player => {
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
        if let Some(tag) = &self.tag {
            sql.push(" and a.tags @> ").push_bind(vec![name_key(tag)]);
        }
        if let Some(question) = self.question() {
            sql.push(" and w.words @@ ").push_bind(question).push("::tsquery");
        }
    }
}
