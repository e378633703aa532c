//! The answers to a question, kind by kind, as a table.

use std::collections::BTreeMap;

use app::archive::{LAST_FIVES, MoveCount};
use record::words::{capital, sent_words};

use super::matches::kind_address;
use super::sparkline::Sparkline;
use page::{IntervalBar, Rate};

/// The number of kinds of moves shown for a question.
const KINDS_MAX: usize = 40;

pub(super) struct QuestionTable {
    pub(super) what: String,
    pub(super) n: i64,
    pub(super) standings: [i64; 3],
    /// The rounds, and the number of answers in them.
    pub(super) fives: Vec<(String, i64)>,
    pub(super) kinds: Vec<KindRow>,
    pub(super) scale: Option<i64>,
    pub(super) has_sparklines: bool,
    pub(super) more: usize,
}

pub(super) struct KindRow {
    pub(super) words: String,
    pub(super) matches: String,
    pub(super) all: Rate,
    pub(super) standings: [Rate; 3],
    pub(super) fives: Vec<Rate>,
    pub(super) bar: Option<IntervalBar>,
    pub(super) sparkline: Option<Sparkline>,
}

pub(super) fn question_tables(ruleset: &str, moves: &[MoveCount]) -> Vec<QuestionTable> {
    let mut whats: BTreeMap<&str, Vec<&MoveCount>> = BTreeMap::new();
    moves.iter().for_each(|count| whats.entry(count.what.as_str()).or_default().push(count));
    let mut tables: Vec<QuestionTable> =
        whats.into_iter().map(|(what, counts)| QuestionTable::of(ruleset, what, &counts)).collect();
    tables.sort_by_key(|table| -table.n);
    tables
}

impl QuestionTable {
    fn of(ruleset: &str, what: &str, counts: &[&MoveCount]) -> Self {
        let sum = |holds: &dyn Fn(&MoveCount) -> bool| -> i64 {
            counts.iter().filter(|count| holds(count)).map(|count| count.n).sum()
        };
        let n = sum(&|_| true);
        let last = counts.iter().map(|count| count.fives).max().unwrap_or(0).min(LAST_FIVES);
        let mut kinds: BTreeMap<&str, i64> = BTreeMap::new();
        counts.iter().for_each(|count| *kinds.entry(count.sent.as_str()).or_default() += count.n);
        let mut kinds: Vec<(&str, i64)> = kinds.into_iter().collect();
        kinds.sort_by_key(|(_, n)| -n);
        let more = kinds.len().saturating_sub(KINDS_MAX);
        let kind = |(sent, k): (&str, i64)| KindRow {
            words: sent_words(ruleset, sent),
            matches: kind_address(&format!("/statistics/{ruleset}"), what, sent),
            all: Rate { k, n },
            standings: [-1, 0, 1].map(|standing| Rate {
                k: sum(&|count| count.sent == sent && count.standing == standing),
                n: sum(&|count| count.standing == standing),
            }),
            fives: (0..=last)
                .map(|fives| Rate {
                    k: sum(&|count| count.sent == sent && count.fives == fives),
                    n: sum(&|count| count.fives == fives),
                })
                .collect(),
            bar: None,
            sparkline: None,
        };
        let mut kinds: Vec<KindRow> = kinds.into_iter().take(KINDS_MAX).map(kind).collect();
        let scale = IntervalBar::scale(kinds.iter().map(|kind| kind.all));
        let highest = kinds.iter().flat_map(|kind| &kind.fives).filter_map(|rate| rate.percent()).fold(0.0, f64::max);
        for kind in &mut kinds {
            kind.bar = scale.and_then(|scale| IntervalBar::of(kind.all, scale));
            kind.sparkline = Sparkline::of(&kind.fives, highest.max(1.0));
        }
        Self {
            what: capital(what),
            n,
            standings: [-1, 0, 1].map(|standing| sum(&|count| count.standing == standing)),
            fives: (0..=last)
                .map(|fives| {
                    let rounds = format!("{}\u{2013}{}", fives * 5 + 1, fives * 5 + 5);
                    (rounds, sum(&|count| count.fives == fives))
                })
                .collect(),
            has_sparklines: kinds.iter().any(|kind| kind.sparkline.is_some()),
            kinds,
            scale,
            more,
        }
    }
}
