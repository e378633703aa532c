//! The statistics of a ruleset's finished matches, for programs: counts, each with its total. Rates are left to the
//! reader; the pages show none for fewer than ten.

use std::collections::BTreeMap;

use app::archive::{EndingCount, MoveCount, PairCount, Phase};
use axum::response::Response;
use engine::BySeat;
use ledger::Hash;
use record::words::{ending_words, reason_of, sent_words};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::read_request::ReadRequest;
use super::request::{Parameters, malformed};
use super::rulesets::named;
use web_http::{Problem, Segments};

/// The number of pairs listed.
const PAIRS: i64 = 40;

/// The statistics of a ruleset.
#[derive(Serialize, ToSchema)]
struct Statistics {
    #[schema(example = "five-card-trick/dm-colosseum-2")]
    ruleset: &'static str,
    /// Finished matches that count.
    n: i64,
    results: Results,
    /// By which rule they ended, the most frequent first.
    endings: Vec<Ending>,
    /// How many rounds they had, the fewest first.
    lengths: Vec<Length>,
    /// What was asked, and what was sent.
    questions: Vec<Question>,
    /// What was sent against what, the most frequent first, 40 at most: at any time, or when the request says.
    pairs: Vec<Pair>,
}

/// When pairs met.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct PairFilter {
    /// Only pairs of some rounds (`rounds-1-5`, `rounds-6-10` and so on), or of one score (`ahead`, `level` and `behind`,
    /// as seat 1 stands). Nothing else is narrowed by it.
    #[param(pattern = "^(rounds-[0-9]{1,2}-[0-9]{1,2}|ahead|level|behind)$")]
    when: Option<String>,
}

/// Who won.
#[derive(Default, Serialize, ToSchema)]
struct Results {
    p1: i64,
    p2: i64,
    undecided: i64,
    /// Matches in which somebody was the Death Match Opponent.
    with_dmo: i64,
    /// Of those, how many the Death Match Opponent won.
    dmo: i64,
    /// Of those, how many the other one won.
    ec: i64,
}

/// A way of ending.
#[derive(Serialize, ToSchema)]
struct Ending {
    /// The rule's word.
    #[schema(example = "more-chips")]
    reason: String,
    /// For people.
    says: String,
    n: i64,
}

/// Matches of one length.
#[derive(Serialize, ToSchema)]
struct Length {
    rounds: i32,
    n: i64,
}

/// A question.
#[derive(Serialize, ToSchema)]
#[schema(as = Asked)]
struct Question {
    /// Its word.
    #[schema(example = "round")]
    what: String,
    /// All answers to it.
    n: i64,
    /// Those of a seat that was behind in score.
    behind: i64,
    /// Those of a seat that was level, or where there is no score.
    level: i64,
    /// Those of a seat that was ahead.
    ahead: i64,
    /// What was sent, the most frequent first.
    kinds: Vec<SentKind>,
}

/// A kind of move.
#[derive(Serialize, ToSchema)]
struct SentKind {
    /// In the notation.
    #[schema(example = "score grow")]
    sent: String,
    /// For people.
    #[schema(example = "Score and Grow")]
    says: String,
    n: i64,
    behind: i64,
    level: i64,
    ahead: i64,
    /// In rounds 1 to 5, 6 to 10, and so on.
    by_five_rounds: Vec<i64>,
}

/// What seat 1 sent against what seat 2 sent.
#[derive(Serialize, ToSchema)]
struct Pair {
    what: String,
    /// In the notation; empty where the seat was not asked.
    p1: String,
    p2: String,
    n: i64,
    /// In how many of these seat 1 won the match in the end.
    won_p1: i64,
    won_p2: i64,
    /// What seat 1's score gained by it, all together.
    gain_p1: i64,
    gain_p2: i64,
}

impl Results {
    fn of(endings: &[EndingCount]) -> Self {
        let mut results = Self::default();
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

fn questions(ruleset: &str, moves: &[MoveCount]) -> Vec<Question> {
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
            let says = sent_words(ruleset, sent);
            SentKind { sent: sent.to_owned(), says, n, behind, level, ahead, by_five_rounds }
        };
        let kinds = ranked(of.iter().map(|count| (count.sent.as_str(), count.n))).into_iter().map(kind).collect();
        Question { what: what.to_owned(), n, behind, level, ahead, kinds }
    };
    whats.map(question).collect()
}

impl From<PairCount> for Pair {
    fn from(pair: PairCount) -> Self {
        let (BySeat { p1: won_p1, p2: won_p2 }, BySeat { p1: gain_p1, p2: gain_p2 }) = (pair.sum.won, pair.sum.gain);
        let n = pair.sum.n;
        Self { what: pair.what, p1: pair.p1, p2: pair.p2, n, won_p1, won_p2, gain_p1, gain_p2 }
    }
}

/// What finished matches of a ruleset add up to
///
/// Counts alone, each beside what it was counted out of. A match that is ruled void, or runs, is not in them.
#[utoipa::path(get, path = "/api/v1/rulesets/{game}/{ruleset}/statistics", tag = "reading", operation_id = "readStatistics",
    params(PairFilter),
    responses((status = 200, description = "The counts.", body = Statistics)))]
pub(super) async fn show(
    request: ReadRequest,
    Segments((game, ruleset)): Segments<(String, String)>,
    Parameters(PairFilter { when }): Parameters<PairFilter>,
) -> Result<Response, Problem> {
    let id = named(&game, &ruleset)?.card().id;
    let phase = Phase::read(when.as_deref().unwrap_or_default())
        .ok_or_else(|| malformed("Pairs are counted by `when` as rounds-1-5 and so on, ahead, level and behind."))?;
    let archive = &request.app.archive();
    let endings = archive.ending_counts(id).await?;
    let says = |word: &str| reason_of(id, word).map_or_else(|| ending_words(word), |reason| reason.phrase.to_owned());
    let reasons = ranked(endings.iter().map(|ending| (ending.reason.as_str(), ending.n))).into_iter();
    let lengths = sums(endings.iter().map(|ending| (ending.rounds, ending.n))).into_iter();
    let statistics = Statistics {
        ruleset: id,
        n: endings.iter().map(|ending| ending.n).sum(),
        results: Results::of(&endings),
        endings: reasons.map(|(word, n)| Ending { reason: word.to_owned(), says: says(word), n }).collect(),
        lengths: lengths.map(|(rounds, n)| Length { rounds, n }).collect(),
        questions: questions(id, &archive.move_counts(id).await?),
        pairs: archive.pair_counts(id, phase.situation(), None, PAIRS).await?.into_iter().map(Pair::from).collect(),
    };
    request.json(Hash::ZERO, &statistics)
}
