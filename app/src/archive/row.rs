//! What the index says of a match, derived from its history.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use engine::{BySeat, Outcome, Seat, Verdict};
use ledger::{Head, MatchId};
use record::name_key;
use record::verify::Verdict as Found;
use record::{CommittedText, History, Mode};
use sqlx::types::Uuid;
use store::StoreError;

use super::day::played_on;
use super::{Index, VerdictFilter, words};
use crate::error::AppError;
use crate::scope::{LOG, Scope};
use crate::slug::slug;

/// A longer tag is not found by itself: PostgreSQL's index takes none of more than 2,700 bytes.
const TAG_MAX_BYTES: usize = 1_000;

/// What a row of the index says.
struct Row {
    names: BySeat<String>,
    keys: BySeat<Option<String>>,
    event: Option<String>,
    tags: Vec<String>,
    rounds: i32,
    score: BySeat<Option<i32>>,
    rulings: i32,
    played_at: DateTime<Utc>,
}

fn count(n: usize) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}

impl Row {
    fn of(history: &History) -> Self {
        let score = history.duel().score();
        let opened = history.opened_at.to_utc();
        let date = history.opened.date.as_deref().filter(|_| history.opened.mode == Mode::Imported);
        let day = date.and_then(played_on).and_then(|day| day.and_hms_opt(12, 0, 0));
        let rounds = history.steps.iter().map(|step| step.row.round).max();
        Self {
            names: BySeat::from_fn(|seat| history.name(seat).to_owned()),
            keys: BySeat::from_fn(|seat| history.names[seat].text().map(name_key)),
            event: history.event.as_ref().and_then(CommittedText::text).map(str::to_owned),
            tags: tags(history.tags.iter().filter_map(CommittedText::text)),
            rounds: rounds.and_then(|n| i32::try_from(n).ok()).unwrap_or(0),
            score: BySeat::from_fn(|seat| score.and_then(|score| i32::try_from(score[seat]).ok())),
            rulings: count(history.interventions()),
            played_at: day.map_or(opened, |day| day.and_utc()),
        }
    }
}

/// Tags as they are looked for, such as `room blue`, and their names alone.
fn tags<'t>(written: impl Iterator<Item = &'t str>) -> Vec<String> {
    let folded: BTreeSet<String> = written.map(name_key).filter(|tag| tag.len() <= TAG_MAX_BYTES).collect();
    let names = folded.iter().filter_map(|tag| tag.split(' ').next()).map(str::to_owned).collect();
    folded.union(&names).cloned().collect()
}

/// How a match stands for one of its seats.
const fn standing(result: &str, won: Option<Seat>, seat: Seat) -> &str {
    match won {
        Some(winner) if matches!((winner, seat), (Seat::P1, Seat::P1) | (Seat::P2, Seat::P2)) => "won",
        Some(_) => "lost",
        None => result,
    }
}

/// How the answers of a match come in, in a word: `live`, `recorded` or `imported`. A live match that goes on as recorded
/// is recorded from then on.
#[must_use]
pub fn mode_word(history: &History) -> &'static str {
    match history.opened.mode {
        Mode::Live if history.is_live() => "live",
        Mode::Live | Mode::Recorded => "recorded",
        Mode::Imported => "imported",
    }
}

/// True if the short name of a match is that of a row which is there.
fn is_slug_taken(error: &AppError) -> bool {
    let AppError::Store(StoreError::Database(error)) = error else { return false };
    error.as_database_error().is_some_and(|error| error.constraint() == Some("archive_slug_key"))
}

impl Index {
    /// Derives a match's rows again.
    pub(crate) async fn update(&self, match_id: MatchId) -> Result<(), AppError> {
        let mut tried = false;
        loop {
            let before = self.matches.caches.forgotten();
            match self.derive(match_id).await {
                // Another node wrote the row for the first time in the same instant, and PostgreSQL looked at the short
                // name before the id. Now the row is there, and is written over.
                Err(error) if !tried && is_slug_taken(&error) => {
                    tried = true;
                    continue;
                }
                derived => derived?,
            }
            // Words that were withdrawn meanwhile may have been read before.
            if self.matches.caches.forgotten() == before {
                return Ok(());
            }
        }
    }

    async fn derive(&self, match_id: MatchId) -> Result<(), AppError> {
        let history = self.matches.history(match_id).await?;
        let row = Row::of(&history);
        let outcome = history.outcome();
        let running = !history.is_ended();
        let pseudonym = |by: &ledger::Author| {
            let by = by.to_string();
            by.strip_prefix("umpire:").unwrap_or(&by).to_owned()
        };
        let umpires: Vec<String> = history.umpires().into_iter().map(pseudonym).collect();
        let game = history.opened.ruleset.split('/').next().unwrap_or_default();
        let result = if running { "*" } else { outcome.tag() };
        let event_key = row.event.as_deref().map(name_key);
        let mut rows = self.logs.pool().begin().await?;
        // An older head never overwrites a newer one: nodes may derive the same match in any order. A text that was
        // withdrawn leaves the head as it is. What was checked and counted is kept with the head that it is of.
        let written = sqlx::query!(
            "insert into archive (log_id, match_id, slug, head, game, ruleset, event, date, p1, p2, dmo, mode, umpire, \
                 result, reason, rounds, score_p1, score_p2, rulings, opened_at, played_at, changed_at, p1_key, p2_key, \
                 event_key, tags, umpires) \
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, \
                 $22, $23, $24, $25, $26, $27) \
             on conflict (log_id, match_id) do update set head = excluded.head, event = excluded.event, \
                 date = excluded.date, p1 = excluded.p1, p2 = excluded.p2, mode = excluded.mode, result = excluded.result, \
                 reason = excluded.reason, rounds = excluded.rounds, score_p1 = excluded.score_p1, \
                 score_p2 = excluded.score_p2, rulings = excluded.rulings, played_at = excluded.played_at, \
                 changed_at = excluded.changed_at, p1_key = excluded.p1_key, p2_key = excluded.p2_key, \
                 event_key = excluded.event_key, tags = excluded.tags, \
                 umpire = excluded.umpire, umpires = excluded.umpires, \
                 verdict = case when archive.checked_head = excluded.head then archive.verdict else 'unchecked' end \
             where archive.head <= excluded.head",
            Scope::of(match_id).log_id().0,
            match_id.0,
            slug(match_id),
            i32::try_from(history.head.next.0).unwrap_or(i32::MAX),
            game,
            history.opened.ruleset,
            row.event,
            history.opened.date,
            row.names.p1,
            row.names.p2,
            history.setup.dmo.map(Seat::word),
            mode_word(&history),
            pseudonym(history.umpire_now()),
            result,
            if running { "" } else { outcome.reason() },
            row.rounds,
            row.score.p1,
            row.score.p2,
            row.rulings,
            history.opened_at.to_utc(),
            row.played_at,
            history.last_at.to_utc(),
            row.keys.p1,
            row.keys.p2,
            event_key,
            &row.tags,
            &umpires,
        )
        .execute(&mut *rows)
        .await?;
        if written.rows_affected() == 0 {
            return Ok(());
        }
        // The row above is locked until this is committed, so that these stay of the same head.
        sqlx::query!(
            "insert into archive_words (log_id, match_id, played_at, words) values ($1, $2, $3, array_to_tsvector($4)) \
             on conflict (log_id, match_id) do update set played_at = excluded.played_at, words = excluded.words \
             where (archive_words.played_at, archive_words.words) is distinct from (excluded.played_at, excluded.words)",
            Scope::of(match_id).log_id().0,
            match_id.0,
            row.played_at,
            &words::of(&history),
        )
        .execute(&mut *rows)
        .await?;
        let won = winner(&outcome, running);
        // Who plays under one name against oneself stands in the lists once.
        let alone = row.keys.p1 == row.keys.p2;
        for seat in Seat::BOTH {
            let Some(key) = row.keys[seat].as_ref().filter(|_| seat == Seat::P1 || !alone) else {
                sqlx::query!(
                    "delete from archive_seats where log_id = $1 and match_id = $2 and seat = $3",
                    Scope::of(match_id).log_id().0,
                    match_id.0,
                    seat.word()
                )
                .execute(&mut *rows)
                .await?;
                continue;
            };
            // The moves are the statistics' to write.
            sqlx::query!(
                "insert into archive_seats (log_id, match_id, seat, key, name, other, dmo, ruleset, event_key, standing, \
                     played_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
                 on conflict (log_id, match_id, seat) do update set key = excluded.key, name = excluded.name, \
                     other = excluded.other, event_key = excluded.event_key, standing = excluded.standing, \
                     played_at = excluded.played_at",
                Scope::of(match_id).log_id().0,
                match_id.0,
                seat.word(),
                key,
                row.names[seat],
                row.keys[seat.other()],
                history.setup.dmo.map(|dmo| dmo == seat),
                history.opened.ruleset,
                event_key,
                standing(result, won, seat),
                row.played_at,
            )
            .execute(&mut *rows)
            .await?;
        }
        rows.commit().await?;
        Ok(())
    }

    /// Keeps what checks found, each where it is of the head that the list shows.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn keep_verdicts(&self, found: &[(MatchId, Head, Found)]) -> Result<(), AppError> {
        if found.is_empty() {
            return Ok(());
        }
        let matches: Vec<Uuid> = found.iter().map(|(match_id, ..)| match_id.0).collect();
        let heads: Vec<i32> = found.iter().map(|(_, head, _)| i32::try_from(head.next.0).unwrap_or(i32::MAX)).collect();
        let verdicts: Vec<String> =
            found.iter().map(|(.., found)| VerdictFilter::of(found).word().to_owned()).collect();
        let words: Vec<String> = found.iter().map(|(.., found)| found.to_string()).collect();
        sqlx::query!(
            // Locked in one order, so that two nodes that check the same matches do not wait for each other.
            "with locked as (\
                 select match_id from archive where log_id = $1 and match_id = any($2) order by match_id for update\
             ) \
             update archive set verdict = found.verdict, checked_words = found.words, checked_head = found.head \
             from unnest($2::uuid[], $3::int[], $4::text[], $5::text[]) as found (match_id, head, verdict, words) \
                 join locked using (match_id) \
             where archive.log_id = $1 and archive.match_id = found.match_id and archive.head = found.head \
                 and result <> '*' and (archive.verdict, checked_words, checked_head) is distinct from \
                     (found.verdict, found.words, found.head)",
            LOG.0,
            &matches,
            &heads,
            &verdicts,
            &words
        )
        .execute(self.logs.pool())
        .await?;
        Ok(())
    }

    /// What the last check of a match found, where it was of this head: its kind, and a sentence.
    pub(crate) async fn kept_verdict(&self, history: &History) -> Result<Option<(VerdictFilter, String)>, AppError> {
        let kept = sqlx::query!(
            "select verdict, checked_words from archive \
             where log_id = $1 and match_id = $2 and checked_head = $3 and checked_words <> ''",
            LOG.0,
            history.match_id.0,
            i32::try_from(history.head.next.0).unwrap_or(i32::MAX),
        );
        let kept = kept.fetch_optional(self.logs.reading_pool()).await?;
        Ok(kept.and_then(|kept| Some((kept.verdict.parse().ok()?, kept.checked_words))))
    }
}

/// Who won, where the result was entered.
fn winner(outcome: &Outcome, running: bool) -> Option<Seat> {
    match outcome {
        Outcome::Over(ending) if !running => match ending.verdict {
            Verdict::Won(seat) => Some(seat),
            Verdict::Undecided | Verdict::Void => None,
        },
        _ => None,
    }
}
