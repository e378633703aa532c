//! The statistics of a ruleset's finished matches: counts, each beside what it was counted out of.

use std::collections::BTreeMap;

use record::words::{ending_words, reason_of, row_rules, sent_words};
use serde::Serialize;
use utoipa::ToSchema;

use super::phase::{LAST_FIVES, Phase};
use crate::AppError;
use crate::archive::{Archive, EndingCount, MoveCount, PairCount};

/// The statistics of a ruleset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Statistics {
    #[schema(example = "five-card-trick/dm-colosseum-2")]
    pub ruleset: &'static str,
    /// Finished matches that count.
    pub n: i64,
    pub results: Results,
    /// By which rule they ended, the most frequent first.
    pub endings: Vec<Ending>,
    /// How many rounds they had, the fewest first.
    pub lengths: Vec<Length>,
    /// What was asked, and what was sent.
    pub questions: Vec<Question>,
    /// What was sent against what, the most frequent first, 40 at most: at any time, or when the request says.
    pub pairs: Vec<PairCount>,
}

/// Who won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Results {
    pub p1: i64,
    pub p2: i64,
    pub undecided: i64,
    /// Matches in which somebody was the Death Match Opponent.
    pub with_dmo: i64,
    /// Of those, how many the Death Match Opponent won.
    pub dmo: i64,
    /// Of those, how many the other one won.
    pub ec: i64,
}

/// A way of ending.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Ending {
    /// The rule's word.
    #[schema(example = "more-chips")]
    pub reason: String,
    /// For people.
    pub says: String,
    pub n: i64,
}

/// Matches of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Length {
    pub rounds: i32,
    pub n: i64,
}

/// A question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Asked)]
pub struct Question {
    /// Its word.
    #[schema(example = "round")]
    pub what: String,
    /// All answers to it.
    pub n: i64,
    /// Those of a seat that was behind in score.
    pub behind: i64,
    /// Those of a seat that was level, or where there is no score.
    pub level: i64,
    /// Those of a seat that was ahead.
    pub ahead: i64,
    /// What was sent, the most frequent first.
    pub kinds: Vec<SentKind>,
}

/// A kind of move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SentKind {
    /// In the notation.
    #[schema(example = "score grow")]
    pub sent: String,
    /// For people.
    #[schema(example = "Score and Grow")]
    pub says: String,
    pub n: i64,
    pub behind: i64,
    pub level: i64,
    pub ahead: i64,
    /// In rounds 1 to 5, 6 to 10, and so on.
    pub by_five_rounds: Vec<i64>,
}

impl Statistics {
    /// Those of a ruleset, with the most frequent pairs of a phase.
    pub async fn of(archive: &Archive, ruleset: &'static str, phase: Phase, pairs: i64) -> Result<Self, AppError> {
        let endings = archive.ending_counts(ruleset).await?;
        Ok(Self {
            ruleset,
            n: endings.iter().map(|ending| ending.n).sum(),
            results: results(&endings),
            endings: ways_of_ending(ruleset, &endings),
            lengths: lengths(&endings),
            questions: questions(ruleset, &archive.move_counts(ruleset).await?),
            pairs: archive.pair_counts(ruleset, phase.situation(), None, pairs).await?,
        })
    }

    /// The phases in which pairs were counted, unless there is only one.
    #[must_use]
    pub fn phases(&self) -> Vec<Phase> {
        let kinds = || self.questions.iter().flat_map(|question| &question.kinds);
        let in_rounds = |fives: usize| kinds().any(|kind| kind.by_five_rounds.get(fives).is_some_and(|n| *n > 0));
        let rounds = (0..=LAST_FIVES).zip(0..).filter(|(_, fives)| in_rounds(*fives));
        let scores = [1, 0, -1].into_iter().filter(|_| self.is_scored());
        let all: Vec<Phase> = rounds.map(|(fives, _)| Phase::Rounds(fives)).chain(scores.map(Phase::Score)).collect();
        if all.len() < 2 { Vec::new() } else { [Phase::Any].into_iter().chain(all).collect() }
    }

    #[must_use]
    pub fn is_scored(&self) -> bool {
        self.questions.iter().any(|question| question.behind + question.ahead > 0)
    }
}

fn results(endings: &[EndingCount]) -> Results {
    let mut results = Results::default();
    for ending in endings {
        match ending.result.as_str() {
            "p1" => results.p1 += ending.n,
            "p2" => results.p2 += ending.n,
            _ => results.undecided += ending.n,
        }
        if !ending.dmo.is_empty() {
            results.with_dmo += ending.n;
            match ending.result.as_str() {
                "p1" | "p2" if ending.result == ending.dmo => results.dmo += ending.n,
                "p1" | "p2" => results.ec += ending.n,
                _ => {}
            }
        }
    }
    results
}

fn ways_of_ending(ruleset: &str, endings: &[EndingCount]) -> Vec<Ending> {
    let says = |word: &str| {
        row_rules(ruleset)
            .and_then(|rules| reason_of(rules, word))
            .map_or_else(|| ending_words(word), |reason| reason.phrase.to_owned())
    };
    let ranked = ranked(endings.iter().map(|ending| (ending.reason.as_str(), ending.n))).into_iter();
    ranked.map(|(word, n)| Ending { reason: word.to_owned(), says: says(word), n }).collect()
}

fn lengths(endings: &[EndingCount]) -> Vec<Length> {
    let sums = sums(endings.iter().map(|ending| (ending.rounds, ending.n))).into_iter();
    sums.map(|(rounds, n)| Length { rounds, n }).collect()
}

fn sums<K: Ord>(counts: impl Iterator<Item = (K, i64)>) -> BTreeMap<K, i64> {
    let mut sums = BTreeMap::new();
    counts.for_each(|(name, n)| *sums.entry(name).or_default() += n);
    sums
}

fn ranked<K: Ord>(counts: impl Iterator<Item = (K, i64)>) -> Vec<(K, i64)> {
    let mut ranked: Vec<(K, i64)> = sums(counts).into_iter().collect();
    ranked.sort_by_key(|(_, n)| -n);
    ranked
}

fn standings<'m>(counts: impl Iterator<Item = &'m MoveCount>) -> [i64; 3] {
    let sums = sums(counts.map(|count| (count.standing.signum(), count.n)));
    [-1, 0, 1].map(|standing| sums.get(&standing).copied().unwrap_or(0))
}

pub(super) fn questions(ruleset: &str, moves: &[MoveCount]) -> Vec<Question> {
    let whats = ranked(moves.iter().map(|count| (count.what.as_str(), count.n))).into_iter();
    let question = |(what, n): (&str, i64)| {
        let of: Vec<&MoveCount> = moves.iter().filter(|count| count.what == what).collect();
        let [behind, level, ahead] = standings(of.iter().copied());
        let last = of.iter().map(|count| count.fives).max().unwrap_or(0);
        let kind = |(sent, n): (&str, i64)| {
            let same = || of.iter().copied().filter(|count| count.sent == sent);
            let [behind, level, ahead] = standings(same());
            let fives = sums(same().map(|count| (count.fives, count.n)));
            let by_five_rounds = (0..=last).map(|five| fives.get(&five).copied().unwrap_or(0)).collect();
            let says = sent_words(row_rules(ruleset), sent);
            SentKind { sent: sent.to_owned(), says, n, behind, level, ahead, by_five_rounds }
        };
        let kinds = ranked(of.iter().map(|count| (count.sent.as_str(), count.n))).into_iter().map(kind).collect();
        Question { what: what.to_owned(), n, behind, level, ahead, kinds }
    };
    whats.map(question).collect()
}
