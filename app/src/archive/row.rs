//! The rows of a match, derived from its history.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use engine::{Outcome, Seat, name_seats};
use ledger::{Author, Head, MatchId};
use record::verify::Report;
use record::{CommittedText, History, Mode, game_hash, name_key};
use store::archive::filter::DECLARED;
use store::archive::index::{self, HighlightColumns, MatchRows, SeatRow};
use store::archive::list_rows::ListRow;
use store::archive::verdicts::{self, MatchVerdict};

use super::verdict_filter::report_filter;
use super::{Index, VerdictFilter, search_words};
use crate::day::parse_partial_day;
use crate::error::AppError;
use crate::scope::{LOG, Scope};
use crate::slug::slug;
use crate::views::{Highlights, listed_ruleset};

/// Longer tags are left out: PostgreSQL's index has no place for more than 2,700 bytes.
const TAG_MAX_BYTES: usize = 1_000;

fn count(n: usize) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}

fn head(head: &Head) -> i32 {
    i32::try_from(head.next.0).unwrap_or(i32::MAX)
}

fn pseudonym(by: &Author) -> String {
    let by = by.to_string();
    by.strip_prefix("umpire:").unwrap_or(&by).to_owned()
}

/// The word of its game; of a declared one with the hash of what is declared.
fn game_word(history: &History) -> String {
    let declared = history.ruleset().declaration().map(|game| format!("{DECLARED}/{}", game_hash(game)));
    declared.unwrap_or_else(|| history.opened.ruleset.split('/').next().unwrap_or_default().to_owned())
}

fn rows(history: &History) -> MatchRows {
    let (outcome, running) = (history.outcome(), !history.is_ended());
    let result = result(history);
    let event = history.event.as_ref().and_then(CommittedText::text);
    let seat = |seat| seat_row(history, result, winner(&outcome, running), seat);
    MatchRows {
        log_id: Scope::of(history.match_id).log_id(),
        match_id: history.match_id,
        slug: slug(history.match_id),
        head: head(&history.head),
        game: game_word(history),
        ruleset: listed_ruleset(history.ruleset()).to_owned(),
        event: event.map(str::to_owned),
        event_key: event.map(name_key),
        date: history.opened.date.clone(),
        dmo: history.setup.dmo.map(Seat::word),
        mode: mode_word(history),
        umpire: pseudonym(history.umpire_now()),
        umpires: history.umpires().into_iter().map(pseudonym).collect(),
        result,
        reason: if running { String::new() } else { outcome.reason().to_owned() },
        rounds: rounds(history),
        rulings: count(history.interventions().total()),
        tags: tags(history.tags.iter().filter_map(CommittedText::text)),
        opened_at: history.opened_at.to_utc(),
        played_at: played_at(history),
        changed_at: history.last_at.to_utc(),
        highlights: highlights(history),
        words: search_words::of(history),
        p1: seat(Seat::P1),
        p2: seat(Seat::P2),
    }
}

fn result(history: &History) -> &'static str {
    if history.is_ended() { history.outcome().tag() } else { "*" }
}

fn rounds(history: &History) -> i32 {
    let last = history.steps.iter().map(|step| step.row.round).max();
    last.and_then(|n| i32::try_from(n).ok()).unwrap_or(0)
}

fn good_verdict(history: &History, rulings: i32) -> Option<VerdictFilter> {
    match (history.opened.mode, rulings) {
        _ if history.closed_at.is_some() => None,
        (Mode::Imported, _) => Some(VerdictFilter::Imported),
        (_, 0) => Some(VerdictFilter::Verified),
        _ => Some(VerdictFilter::Rulings),
    }
}

/// The fault of a match's row in the lists, held against its record, which has no fault itself. The lists were derived from
/// the first `due` of its entries at least. While the match runs, only that is compared.
#[must_use]
pub fn fault_in_list(row: Option<&ListRow>, history: &History, due: usize) -> Option<String> {
    const AGAIN: &str = "\u{201c}matchbook db migrate --reindex\u{201d} makes it again";
    let (entries, due) = (head(&history.head), count(due));
    let Some(row) = row else {
        return (due > 0).then(|| format!("the list row differs: there is none; {AGAIN}"));
    };
    if row.head > entries {
        return Some(format!("the list row differs: it is of {} entries, and the log has {entries}", row.head));
    }
    if row.head < due {
        return Some(format!("the list row differs: it is of {} entries, and was made of {due}; {AGAIN}", row.head));
    }
    // Of a row that is behind nothing else is known: it may wait for the index.
    if row.head < entries || (row.result == "*" && !history.is_ended()) {
        return None;
    }
    let (score, rulings) = (history.duel().score(), count(history.interventions().total()));
    let number = |seat| score.map(|score| score[seat]);
    let (word, reason) = (result(history), history.outcome().reason());
    let says = |result: &str, scores: (Option<i32>, Option<i32>)| match scores {
        _ if result == "*" => "that it runs".to_owned(),
        (Some(p1), Some(p2)) => format!("{result} with {p1} to {p2}"),
        _ => result.to_owned(),
    };
    let (theirs, ours) = ((row.score_p1, row.score_p2), (number(Seat::P1), number(Seat::P2)));
    let is_good = |word: &str| matches!(word, "verified" | "rulings" | "imported");
    let verdict = good_verdict(history, rulings).map_or("pending", VerdictFilter::word);
    let (said, found) = if (row.result.as_str(), theirs) != (word, ours) {
        (says(&row.result, theirs), says(word, ours))
    } else if (row.reason.as_str(), row.rounds, row.rulings) != (reason, rounds(history), rulings) {
        let detail = |reason: &str, rounds, rulings| format!("{reason} after {rounds} rounds, {rulings} interventions");
        (detail(&row.reason, row.rounds, row.rulings), detail(reason, rounds(history), rulings))
    } else if is_good(&row.verdict) && row.verdict != verdict {
        (format!("the badge {}", row.verdict), verdict.to_owned())
    } else {
        return None;
    };
    Some(format!("the list row differs: it says {said}, and the record {found}; {AGAIN}"))
}

fn highlights(history: &History) -> HighlightColumns {
    let found = Highlights::of(history);
    let number = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
    HighlightColumns {
        lead_changes: count(found.lead_changes.len()),
        decision_row: found.decision.as_ref().map(|decision| decision.row.clone()),
        lateness: found.decision.as_ref().map_or(-1, |decision| number(decision.lateness)),
        swing: found.swing.as_ref().map_or(0, |swing| number(swing.points)),
        swing_row: found.swing.as_ref().map(|swing| swing.row.clone()),
        comeback: found.comeback.as_ref().map_or(0, |comeback| number(comeback.points)),
        closeness: found.closeness().map_or(-1, number),
        drama: number(found.drama()),
        course: found.course.iter().flat_map(|point| point.to_be_bytes()).collect(),
    }
}

fn seat_row(history: &History, result: &'static str, winner: Option<Seat>, seat: Seat) -> SeatRow {
    let score = history.duel().score();
    SeatRow {
        name: history.name(seat).to_owned(),
        key: history.names[seat].text().map(name_key),
        score: score.map(|score| score[seat]),
        standing: standing(result, winner, seat),
        vouched_by: history.keys[seat].and_then(|key| key.vouching.player()),
    }
}

fn played_at(history: &History) -> DateTime<Utc> {
    let date = history.opened.date.as_deref().filter(|_| history.opened.mode == Mode::Imported);
    let noon = date.and_then(parse_partial_day).and_then(|day| day.and_hms_opt(12, 0, 0));
    noon.map_or(history.opened_at.to_utc(), |noon| noon.and_utc())
}

fn tags<'t>(written: impl Iterator<Item = &'t str>) -> Vec<String> {
    let folded: BTreeSet<String> = written.map(name_key).filter(|tag| tag.len() <= TAG_MAX_BYTES).collect();
    let names = folded.iter().filter_map(|tag| tag.split(' ').next()).map(str::to_owned).collect();
    folded.union(&names).cloned().collect()
}

const fn standing(result: &'static str, winner: Option<Seat>, seat: Seat) -> &'static str {
    match winner {
        Some(winner) if matches!((winner, seat), (Seat::P1, Seat::P1) | (Seat::P2, Seat::P2)) => "won",
        Some(_) => "lost",
        None => result,
    }
}

/// `live`, `recorded` or `imported`. A live match that continues as a recorded one is recorded from then on.
#[must_use]
pub fn mode_word(history: &History) -> &'static str {
    match history.opened.mode {
        Mode::Live if history.is_live() => "live",
        Mode::Live | Mode::Recorded => "recorded",
        Mode::Imported => "imported",
    }
}

impl Index {
    pub(crate) async fn update(&self, match_id: MatchId) -> Result<(), AppError> {
        let mut tried = false;
        loop {
            let before = self.matches.caches.forgotten(match_id);
            match self.derive(match_id).await {
                // Another node inserted the same row at the same moment, and PostgreSQL checked the short name before the
                // id. Now the row exists, and is updated.
                Err(AppError::Store(error)) if !tried && index::is_slug_taken(&error) => {
                    tried = true;
                    continue;
                }
                derived => derived?,
            }
            // Words may have been withdrawn after they were read.
            if self.matches.caches.forgotten(match_id) == before {
                return Ok(());
            }
        }
    }

    pub(crate) async fn update_at(&self, match_id: MatchId, head: Head) -> Result<Arc<History>, AppError> {
        let before = self.matches.caches.forgotten(match_id);
        let history = self.matches.history_at(match_id, head).await?;
        match self.write(&history).await {
            Ok(()) if self.matches.caches.forgotten(match_id) == before => return Ok(history),
            // Words may have been withdrawn after they were read.
            Ok(()) => {}
            Err(AppError::Store(error)) if index::is_slug_taken(&error) => {}
            Err(error) => return Err(error),
        }
        self.update(match_id).await?;
        self.matches.history(match_id).await
    }

    async fn derive(&self, match_id: MatchId) -> Result<(), AppError> {
        let history = self.matches.history(match_id).await?;
        self.write(&history).await
    }

    async fn write(&self, history: &History) -> Result<(), AppError> {
        Ok(index::write(self.logs.pool(), &rows(history)).await?)
    }

    pub(crate) async fn store_verdicts(&self, found: &[(MatchId, Head, Arc<Report>)]) -> Result<(), AppError> {
        let found = found.iter().map(|(match_id, checked, report)| MatchVerdict {
            match_id: *match_id,
            head: *checked,
            verdict: report_filter(report).word().to_owned(),
            sentence: report.sentence(),
        });
        Ok(verdicts::store(self.logs.pool(), LOG, &found.collect::<Vec<_>>()).await?)
    }

    /// The kind of the last verdict on a match, and its sentence with the players' names of now, if the check was of this
    /// head.
    pub(crate) async fn stored_verdict(&self, history: &History) -> Result<Option<(VerdictFilter, String)>, AppError> {
        let pool = self.logs.reading_pool();
        let stored = verdicts::at_head(pool, LOG, history.match_id, &history.head).await?;
        let named = |sentence: &str| name_seats(sentence, history.both_names());
        Ok(stored.and_then(|(word, sentence)| Some((word.parse().ok()?, named(&sentence)))))
    }
}

fn winner(outcome: &Outcome, running: bool) -> Option<Seat> {
    match outcome {
        Outcome::Over(ending) if !running => match ending.verdict {
            engine::Verdict::Won(seat) => Some(seat),
            engine::Verdict::Undecided | engine::Verdict::Void => None,
        },
        _ => None,
    }
}
