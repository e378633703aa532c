//! The rows of a match that is known by its result, derived from what was told of it.

use ledger::MatchId;
use record::name_key;
use store::archive::index::{HighlightColumns, MatchRows, SeatRow};
use store::matches::known_results::{self, KnownResult};
use uuid::Uuid;

use super::{Index, search_words};
use crate::day::parse_partial_day;
use crate::error::AppError;
use crate::scope::LOG;
use crate::slug::slug;

const READ: i64 = 500;

/// The word of a result as the lists have it.
fn result_word(word: &str) -> &'static str {
    ["p1", "p2", "undecided"].into_iter().find(|known| *known == word).unwrap_or("void")
}

pub(crate) fn known_rows(known: &KnownResult) -> MatchRows {
    let (match_id, result) = (MatchId(known.match_id), result_word(&known.result));
    let noon = known.date.as_deref().and_then(parse_partial_day).and_then(|day| day.and_hms_opt(12, 0, 0));
    let texts = [&known.p1, &known.p2, &known.event].into_iter().flatten().map(String::as_str);
    let seat = |word, name: &Option<String>, score, other: &str| SeatRow {
        name: name.clone().unwrap_or_else(|| other.to_owned()),
        key: name.as_deref().map(name_key),
        score,
        standing: match result {
            "p1" | "p2" if result == word => "won",
            "p1" | "p2" => "lost",
            none => none,
        },
        vouched_by: None,
    };
    MatchRows {
        log_id: LOG,
        match_id,
        slug: slug(match_id),
        head: known.version,
        game: known.ruleset.split('/').next().unwrap_or_default().to_owned(),
        ruleset: known.ruleset.clone(),
        event: known.event.clone(),
        event_key: known.event.as_deref().map(name_key),
        date: known.date.clone(),
        dmo: None,
        mode: "result",
        umpire: known.umpire.clone(),
        umpires: vec![known.umpire.clone()],
        result,
        reason: String::new(),
        rounds: 0,
        rulings: 0,
        tags: Vec::new(),
        opened_at: known.told_at,
        played_at: noon.map_or(known.told_at, |noon| noon.and_utc()),
        changed_at: known.changed_at,
        highlights: HighlightColumns { lateness: -1, closeness: -1, ..HighlightColumns::default() },
        words: search_words::of_texts(texts.chain([known.ruleset.as_str()])),
        p1: seat("p1", &known.p1, known.score_p1, "Player 1"),
        p2: seat("p2", &known.p2, known.score_p2, "Player 2"),
    }
}

impl Index {
    pub(super) async fn relist_known_results(&self) -> Result<usize, AppError> {
        let (pool, mut first, mut listed) = (self.logs.pool(), Uuid::nil(), 0);
        loop {
            let found = known_results::within(pool, LOG, first, Uuid::max(), READ).await?;
            let Some(last) = found.last() else { return Ok(listed) };
            first = Uuid::from_u128(last.match_id.as_u128().saturating_add(1));
            for known in found.into_iter().filter(|known| !known.is_removed) {
                known_results::relist(pool, &known_rows(&known)).await?;
                listed += 1;
            }
        }
    }
}
