//! The statistics of one ruleset.

use std::collections::BTreeMap;
use std::sync::Arc;

use app::App;
use app::archive::{EndingCount, PairCount, Phase, ResultFilter, is_scored};
use app::views::{ruleset_address, ruleset_name};
use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use record::words::{capital, ending_words, reason_of};
use serde::Deserialize;

use super::answers::AnswerTables;
use super::bars::Bars;
use super::fates::FateTable;
use super::find_ruleset;
use super::matches::pair_address;
use super::matrix::Matrix;
use super::pair_row::PairRow;
use super::question_table::{QuestionTable, question_tables};
use page::{Frame, IntervalBar, Rate, archive_of, page, with_parameters};
use web_http::visitor::Visitor;
use web_http::{Problem, Segments};

const PAIRS_MAX: i64 = 400;
const FIRST_TABLE_PAIRS: usize = 40;
const COUNTS: (&str, &str) = ("result", ResultFilter::Counts.word());

#[derive(Template)]
#[template(path = "statistics/ruleset.html")]
struct Statistics {
    frame: Frame,
    name: String,
    rules: String,
    address: String,
    n: i64,
    results: Vec<CountRow<&'static str, Rate>>,
    endings: Vec<CountRow<String, Rate>>,
    lengths: Vec<CountRow<i32, i64>>,
    bars: Option<Bars>,
    questions: Vec<QuestionTable>,
    answers: Option<AnswerTables>,
    scored: bool,
    when: String,
    /// The other phases: the words, the address, and true for the current one.
    times: Vec<(String, String, bool)>,
    matrices: Vec<Matrix>,
    pairs: Vec<PairRow>,
    rarer: Vec<PairRow>,
    fates: Option<FateTable>,
    explores: bool,
}

struct CountRow<W, N> {
    what: W,
    n: N,
    matches: String,
}

impl<W> CountRow<W, Rate> {
    fn bar(&self) -> Option<IntervalBar> {
        IntervalBar::of(self.n, 100)
    }
}

/// The query of an address: the phase of the pairs.
#[derive(Debug, Default, Deserialize)]
pub(super) struct RulesetQuery {
    #[serde(default)]
    when: String,
}

pub(super) async fn ruleset(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Segments((game, id)): Segments<(String, String)>,
    Query(query): Query<RulesetQuery>,
) -> Result<Response, Problem> {
    let ruleset = find_ruleset(&game, &id)?;
    let id = ruleset.card().id;
    let endings = app.archive().ending_counts(id).await?;
    let n = endings.iter().map(|ending| ending.n).sum();
    let address = format!("/statistics/{id}");
    let phase = Phase::read(&query.when).ok_or_else(|| {
        Problem::not_found(
            "Pairs are counted in rounds 1 to 5, 6 to 10 and so on, and by who is ahead; by nothing else.",
        )
        .back(address.clone(), "See the statistics of this ruleset")
    })?;
    let found = app.archive().pair_counts(id, phase.situation(), None, PAIRS_MAX).await?;
    let moves = app.archive().move_counts(id).await?;
    let time = |it: Phase| {
        let there =
            if it == Phase::Any { address.clone() } else { with_parameters(address.as_str(), [("when", it.word())]) };
        (capital(&it.label()), format!("{there}#pairs"), it == phase)
    };
    let fates = FateTable::of(&app.archive().fate_counts(id).await?);
    let listed = |pair: &PairCount| {
        (phase == Phase::Any).then(|| pair_address(&address, [&pair.what, &pair.p1, &pair.p2], None))
    };
    let mut pairs: Vec<PairRow> = found.iter().map(|pair| PairRow::of_kinds(id, pair, listed(pair))).collect();
    let matrices = Matrix::all(&pairs.iter().map(PairRow::kind_pair).collect::<Vec<_>>());
    let rarer = pairs.split_off(FIRST_TABLE_PAIRS.min(pairs.len()));
    let name = ruleset_name(id);
    let frame = Frame::titled(format!("Statistics of {name}"))
        .in_section("statistics")
        .described(format!("Results, lengths and what was played in finished matches of {name}, with their numbers."));
    let lengths = lengths(&endings);
    page(&Statistics {
        frame: Frame { umpire: visitor.name(), ..frame },
        rules: ruleset_address(id),
        n,
        results: results(id, &endings, n),
        bars: Bars::of(&lengths),
        lengths: lengths.into_iter().map(|(rounds, n)| CountRow::of_length(id, rounds, n)).collect(),
        endings: ending_rows(id, &endings, n),
        questions: question_tables(id, &moves),
        answers: AnswerTables::of(&app, ruleset).await?,
        scored: is_scored(&moves),
        when: phase.label(),
        times: Phase::available(&moves).into_iter().map(time).collect(),
        matrices,
        pairs,
        rarer,
        fates,
        explores: ruleset.draws().is_empty() && super::explore::begins_with_players(ruleset),
        address,
        name,
    })
}

impl Statistics {
    fn pairs_caption(&self) -> String {
        format!("The most frequent, {}", self.when)
    }
}

impl CountRow<i32, i64> {
    fn of_length(ruleset: &str, rounds: i32, n: i64) -> Self {
        let length = rounds.to_string();
        let parts = [("ruleset", ruleset), ("rounds_min", &length), ("rounds_max", &length), COUNTS];
        Self { what: rounds, n, matches: archive_of(&parts) }
    }
}

fn results(ruleset: &str, endings: &[EndingCount], n: i64) -> Vec<CountRow<&'static str, Rate>> {
    let counted = |what, result: ResultFilter, k, n| {
        let matches = archive_of(&[("ruleset", ruleset), ("result", result.word())]);
        CountRow { what, n: Rate { k, n }, matches }
    };
    let count =
        |holds: &dyn Fn(&EndingCount) -> bool| endings.iter().filter(|it| holds(it)).map(|it| it.n).sum::<i64>();
    let with_dmo = count(&|it| !it.dmo.is_empty());
    let mut results = vec![
        counted("Seat 1 won", ResultFilter::FirstWon, count(&|it| it.result == "p1"), n),
        counted("Seat 2 won", ResultFilter::SecondWon, count(&|it| it.result == "p2"), n),
        counted("Undecided", ResultFilter::Undecided, count(&|it| it.result == "undecided"), n),
    ];
    if with_dmo > 0 {
        let dmo = count(&|it| !it.dmo.is_empty() && it.dmo == it.result);
        let ec = count(&|it| !it.dmo.is_empty() && it.result.starts_with('p') && it.dmo != it.result);
        results.push(counted("The DMO won, where there was one", ResultFilter::DmoWon, dmo, with_dmo));
        results.push(counted("The EC won, where there was one", ResultFilter::EcWon, ec, with_dmo));
    }
    results
}

fn ending_rows(ruleset: &str, endings: &[EndingCount], n: i64) -> Vec<CountRow<String, Rate>> {
    let mut reasons: BTreeMap<&str, i64> = BTreeMap::new();
    endings.iter().for_each(|ending| *reasons.entry(ending.reason.as_str()).or_default() += ending.n);
    let phrase =
        |word: &str| reason_of(ruleset, word).map_or_else(|| ending_words(word), |reason| reason.phrase.to_owned());
    let row = |(word, k): (&str, i64)| {
        let matches = archive_of(&[("ruleset", ruleset), ("ending", word), COUNTS]);
        CountRow { what: capital(&phrase(word)), n: Rate { k, n }, matches }
    };
    let mut rows: Vec<_> = reasons.into_iter().map(row).collect();
    rows.sort_by_key(|row| -row.n.k);
    rows
}

fn lengths(endings: &[EndingCount]) -> Vec<(i32, i64)> {
    let mut lengths: BTreeMap<i32, i64> = BTreeMap::new();
    endings.iter().for_each(|ending| *lengths.entry(ending.rounds).or_default() += ending.n);
    lengths.into_iter().collect()
}
