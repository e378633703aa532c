//! The answers to a question, kind by kind, as a table.

use app::statistics::{LAST_FIVES, Question, SentKind};
use record::words::capital;

use super::matches::kind_address;
use super::sparkline::Sparkline;
use page::{IntervalBar, Rate};

/// The number of kinds of moves shown for a question.
const KINDS_MAX: usize = 40;
/// The number of groups of five rounds.
const FIVES_MAX: usize = LAST_FIVES as usize + 1;

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
    pub(super) standings: Vec<Rate>,
    pub(super) fives: Vec<Rate>,
    pub(super) bar: Option<IntervalBar>,
    pub(super) sparkline: Option<Sparkline>,
}

impl QuestionTable {
    pub(super) fn of(ruleset: &str, question: &Question) -> Self {
        let Question { what, n, behind, level, ahead, kinds } = question;
        let standings = [*behind, *level, *ahead];
        let rounds = kinds.iter().map(|kind| kind.by_five_rounds.len()).max().unwrap_or(0).min(FIVES_MAX);
        let answers_in = |fives: usize| kinds.iter().filter_map(|kind| kind.by_five_rounds.get(fives)).sum::<i64>();
        let fives: Vec<i64> = (0..rounds).map(answers_in).collect();
        let rates = |counts: &[i64], all: &[i64]| -> Vec<Rate> {
            counts.iter().zip(all).map(|(k, n)| Rate { k: *k, n: *n }).collect()
        };
        let more = kinds.len().saturating_sub(KINDS_MAX);
        let kind = |kind: &SentKind| KindRow {
            words: kind.says.clone(),
            matches: kind_address(&format!("/statistics/{ruleset}"), what, &kind.sent),
            all: Rate { k: kind.n, n: *n },
            standings: rates(&[kind.behind, kind.level, kind.ahead], &standings),
            fives: rates(&kind.by_five_rounds, &fives),
            bar: None,
            sparkline: None,
        };
        let mut kinds: Vec<KindRow> = kinds.iter().take(KINDS_MAX).map(kind).collect();
        let scale = IntervalBar::scale(kinds.iter().map(|kind| kind.all));
        let highest = kinds.iter().flat_map(|kind| &kind.fives).filter_map(|rate| rate.percent()).fold(0.0, f64::max);
        for kind in &mut kinds {
            kind.bar = scale.and_then(|scale| IntervalBar::of(kind.all, scale));
            kind.sparkline = Sparkline::of(&kind.fives, highest.max(1.0));
        }
        let in_words = |(fives, n): (usize, i64)| (format!("{}\u{2013}{}", fives * 5 + 1, fives * 5 + 5), n);
        Self {
            what: capital(what),
            n: *n,
            standings,
            fives: fives.into_iter().enumerate().map(in_words).collect(),
            has_sparklines: kinds.iter().any(|kind| kind.sparkline.is_some()),
            kinds,
            scale,
            more,
        }
    }
}
