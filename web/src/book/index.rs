//! The archive's index: one row a match, derived from its history, and the list that is read from it.

use chrono::{DateTime, NaiveDate, Utc};
use engine::Seat;
use ledger::{LeafIndex, MatchId};
use record::{History, Mode, Said};
use thiserror::Error;
use uuid::Uuid;

use super::{Book, BookError, LOG, slug};

/// Matches on one page of the list.
const PAGE_MATCHES: i64 = 50;
/// Entries that are followed in one go.
const FOLLOWED: u32 = 1_000;

/// What the list is narrowed to. Everything that is none narrows nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The game, such as `five-card-trick`.
    pub game: Option<String>,
    /// The ruleset's id.
    pub ruleset: Option<String>,
    /// The tournament's name.
    pub event: Option<String>,
    /// A player's name, in either seat and any case.
    pub player: Option<String>,
    /// How it stands.
    pub result: Option<ResultFilter>,
    /// The umpire who runs it, by pseudonym.
    pub umpire: Option<String>,
    /// Only matches whose result was not entered yet.
    pub running: bool,
}

/// How a match stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultFilter {
    /// The player of the filter won; without one, anybody.
    Won,
    /// The player of the filter lost; without one, anybody.
    Lost,
    /// The rules name no winner.
    Undecided,
    /// It does not count.
    Void,
    /// It still runs.
    Running,
}

/// A match in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedMatch {
    /// Its id.
    pub match_id: Uuid,
    /// Its short name.
    pub slug: String,
    /// Its ruleset's id.
    pub ruleset: String,
    /// The tournament.
    pub event: Option<String>,
    /// When it was played, as it was written.
    pub date: Option<String>,
    /// The first player.
    pub p1: String,
    /// The second player.
    pub p2: String,
    /// `live`, `recorded` or `imported`.
    pub mode: String,
    /// `p1`, `p2`, `undecided`, `void` or `*`.
    pub result: String,
    /// The reason's word.
    pub reason: String,
    /// Rounds played.
    pub rounds: i32,
    /// The first player's score, where the game has one.
    pub score_p1: Option<i32>,
    /// The second player's score.
    pub score_p2: Option<i32>,
    /// Rulings and strikes.
    pub rulings: i32,
    /// What the list is ordered by.
    pub played_at: DateTime<Utc>,
}

/// A page of the list.
#[derive(Clone, Debug)]
pub struct Page {
    /// Its matches, newest first.
    pub matches: Vec<ListedMatch>,
    /// How many there are in all.
    pub total: i64,
    /// What leads to the page after this one.
    pub next: Option<String>,
}

/// The place of a page is not one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("this address names a page of the list that does not exist")]
pub struct PageError;

impl ResultFilter {
    /// Its word in an address.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Lost => "lost",
            Self::Undecided => "undecided",
            Self::Void => "void",
            Self::Running => "running",
        }
    }
}

impl std::str::FromStr for ResultFilter {
    type Err = PageError;

    fn from_str(word: &str) -> Result<Self, PageError> {
        let all = [Self::Won, Self::Lost, Self::Undecided, Self::Void, Self::Running];
        all.into_iter().find(|result| result.word() == word).ok_or(PageError)
    }
}

/// The place after a match, as an address writes it: microseconds and id.
fn place(listed: &ListedMatch) -> String {
    format!("{}-{}", listed.played_at.timestamp_micros(), listed.match_id.simple())
}

fn read_place(text: &str) -> Result<(DateTime<Utc>, Uuid), PageError> {
    let (micros, id) = text.rsplit_once('-').ok_or(PageError)?;
    let at = micros.parse().ok().and_then(DateTime::from_timestamp_micros).ok_or(PageError)?;
    Ok((at, Uuid::try_parse(id).map_err(|_| PageError)?))
}

/// What a row of the index says.
struct Row {
    p1: String,
    p2: String,
    event: Option<String>,
    rounds: i32,
    score: [Option<i32>; 2],
    rulings: i32,
    played_at: DateTime<Utc>,
}

fn count(n: usize) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}

impl Row {
    fn of(history: &History) -> Self {
        let score = history.duel().score();
        let score = |seat: Seat| score.and_then(|score| i32::try_from(score[seat]).ok());
        let opened = history.opened_at.to_utc();
        let day = history.opened.date.as_deref().filter(|_| history.opened.mode == Mode::Imported);
        let day =
            day.and_then(|date| date.get(..10)?.parse::<NaiveDate>().ok()).and_then(|day| day.and_hms_opt(12, 0, 0));
        Self {
            p1: history.name(Seat::P1).to_owned(),
            p2: history.name(Seat::P2).to_owned(),
            event: history.event.as_ref().and_then(|event| match event {
                Said::Text(event) => Some(event.clone()),
                Said::Withdrawn => None,
            }),
            rounds: history
                .steps
                .iter()
                .map(|step| step.row.round)
                .max()
                .and_then(|n| i32::try_from(n).ok())
                .unwrap_or(0),
            score: [score(Seat::P1), score(Seat::P2)],
            rulings: count(history.remarks.iter().filter(|remark| remark.ruling).count() + history.strikes.len()),
            played_at: day.map_or(opened, |day| day.and_utc()),
        }
    }
}

impl Book {
    /// Derives a match's row again.
    pub(super) async fn index(&self, match_id: MatchId) -> Result<(), BookError> {
        let history = self.history(match_id).await?;
        let row = Row::of(&history);
        let mode = match history.opened.mode {
            Mode::Live => "live",
            Mode::Recorded => "recorded",
            Mode::Imported => "imported",
        };
        let outcome = history.outcome();
        let running = !history.is_ended();
        let umpire = history.umpire.to_string();
        let game = history.opened.ruleset.split('/').next().unwrap_or_default();
        // An older head never overwrites a newer one: nodes may derive the same match in any order. A text that was
        // withdrawn leaves the head as it is.
        sqlx::query!(
            "insert into archive (log_id, match_id, slug, head, game, ruleset, event, date, p1, p2, dmo, mode, umpire, \
                 result, reason, rounds, score_p1, score_p2, rulings, opened_at, played_at, changed_at) \
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22) \
             on conflict (log_id, match_id) do update set head = excluded.head, event = excluded.event, \
                 date = excluded.date, p1 = excluded.p1, p2 = excluded.p2, result = excluded.result, \
                 reason = excluded.reason, rounds = excluded.rounds, score_p1 = excluded.score_p1, \
                 score_p2 = excluded.score_p2, rulings = excluded.rulings, played_at = excluded.played_at, \
                 changed_at = excluded.changed_at where archive.head <= excluded.head",
            LOG.0,
            match_id.0,
            slug(match_id),
            i32::try_from(history.head.next.0).unwrap_or(i32::MAX),
            game,
            history.opened.ruleset,
            row.event,
            history.opened.date,
            row.p1,
            row.p2,
            history.setup.dmo.map(Seat::word),
            mode,
            umpire.strip_prefix("umpire:").unwrap_or(&umpire),
            if running { "*" } else { outcome.tag() },
            if running { "" } else { outcome.reason() },
            row.rounds,
            row.score[0],
            row.score[1],
            row.rulings,
            history.opened_at.to_utc(),
            row.played_at,
            history.last_at.to_utc(),
        )
        .execute(self.pool())
        .await?;
        Ok(())
    }

    /// Follows the log from where the index stands to its end: what other nodes appended, and what a crash left out.
    ///
    /// # Errors
    /// The database. A match that cannot be read is skipped, and said in the program's log.
    pub async fn follow(&self) -> Result<usize, BookError> {
        let mut indexed = 0;
        loop {
            let from: i64 = sqlx::query_scalar!("select pos from archive_cursor where log_id = $1", LOG.0)
                .fetch_optional(self.pool())
                .await?
                .unwrap_or(0);
            let from = u64::try_from(from).unwrap_or(0);
            let entries = self.store.entries_from(LeafIndex(from), FOLLOWED).await?;
            let Some(last) = entries.last() else { return Ok(indexed) };
            let next = i64::try_from(last.index.0.saturating_add(1)).unwrap_or(i64::MAX);
            let mut matches: Vec<MatchId> = entries.iter().map(|entry| entry.match_id).collect();
            matches.sort_unstable();
            matches.dedup();
            for match_id in matches {
                match self.index(match_id).await {
                    Ok(()) => indexed += 1,
                    Err(error @ BookError::Store(_)) => return Err(error),
                    Err(error) => tracing::error!(%match_id, %error, "a match is left out of the archive"),
                }
            }
            sqlx::query!(
                "insert into archive_cursor (log_id, pos) values ($1, $2) \
                 on conflict (log_id) do update set pos = excluded.pos where archive_cursor.pos < excluded.pos",
                LOG.0,
                next
            )
            .execute(self.pool())
            .await?;
        }
    }

    /// A page of the list, and how many matches the filter leaves.
    ///
    /// # Errors
    /// The place is none, or the database.
    pub async fn list(&self, filter: &Filter, after: Option<&str>) -> Result<Page, BookError> {
        let after = after.map(read_place).transpose().map_err(|_| BookError::NoMatch)?;
        let (after_at, after_id) = after.unzip();
        let result = filter.result.map(ResultFilter::word);
        // Counted before the page is cut out, so that both have one filter.
        let rows = sqlx::query!(
            "select match_id, slug, ruleset, event, date, p1, p2, mode, result, reason, rounds, score_p1, score_p2, \
                 rulings, played_at, total as \"total!\" from ( \
                 select *, count(*) over () as total from archive where log_id = $1 \
                     and ($2::text is null or game = $2) and ($3::text is null or ruleset = $3) \
                     and ($4::text is null or event = $4) \
                     and ($5::text is null or lower(p1) = lower($5) or lower(p2) = lower($5)) \
                     and ($6::text is null or case $6 \
                         when 'won' then result in ('p1', 'p2') and ($5 is null \
                             or lower(case result when 'p1' then p1 else p2 end) = lower($5)) \
                         when 'lost' then result in ('p1', 'p2') and ($5 is null \
                             or lower(case result when 'p1' then p2 else p1 end) = lower($5)) \
                         when 'running' then result = '*' else result = $6 end) \
                     and ($7::text is null or umpire = $7) and (not $8 or result = '*') \
             ) as filtered where $9::timestamptz is null or (played_at, match_id) < ($9, $10::uuid) \
             order by played_at desc, match_id desc limit $11",
            LOG.0,
            filter.game,
            filter.ruleset,
            filter.event,
            filter.player,
            result,
            filter.umpire,
            filter.running,
            after_at,
            after_id,
            PAGE_MATCHES + 1,
        )
        .fetch_all(self.pool())
        .await?;
        let total = rows.first().map_or(0, |row| row.total);
        let mut matches: Vec<ListedMatch> = rows
            .into_iter()
            .map(|row| ListedMatch {
                match_id: row.match_id,
                slug: row.slug,
                ruleset: row.ruleset,
                event: row.event,
                date: row.date,
                p1: row.p1,
                p2: row.p2,
                mode: row.mode,
                result: row.result,
                reason: row.reason,
                rounds: row.rounds,
                score_p1: row.score_p1,
                score_p2: row.score_p2,
                rulings: row.rulings,
                played_at: row.played_at,
            })
            .collect();
        let shown = usize::try_from(PAGE_MATCHES).unwrap_or(usize::MAX);
        let more = matches.len() > shown;
        matches.truncate(shown);
        let next = matches.last().filter(|_| more).map(place);
        Ok(Page { matches, total, next })
    }

    /// The tournaments of the archive, by name.
    ///
    /// # Errors
    /// The database.
    pub async fn events(&self) -> Result<Vec<String>, BookError> {
        let events = sqlx::query_scalar!(
            "select distinct event as \"event!\" from archive where log_id = $1 and event is not null order by 1",
            LOG.0
        );
        Ok(events.fetch_all(self.pool()).await?)
    }

    /// The players of the archive, by name.
    ///
    /// # Errors
    /// The database.
    pub async fn players(&self) -> Result<Vec<String>, BookError> {
        let players = sqlx::query_scalar!(
            "select name as \"name!\" from (select p1 as name from archive where log_id = $1 \
             union select p2 from archive where log_id = $1) as players order by lower(name) limit 2000",
            LOG.0
        );
        Ok(players.fetch_all(self.pool()).await?)
    }
}
