//! The statistics of one ruleset.

use std::sync::Arc;

use app::App;
use app::archive::{PairCount, ResultFilter};
use app::statistics::{Ending, Phase, Results, Statistics as Summary};
use app::views::{ruleset_address, ruleset_name};
use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use record::words::capital;
use serde::Deserialize;

use super::answers::AnswerTables;
use super::bars::Bars;
use super::fates::FateTable;
use super::find_ruleset;
use super::matches::pair_address;
use super::matrix::Matrix;
use super::pair_row::PairRow;
use super::question_table::QuestionTable;
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
    let address = format!("/statistics/{id}");
    let phase = Phase::read(&query.when).ok_or_else(|| {
        Problem::not_found(
            "Pairs are counted in rounds 1 to 5, 6 to 10 and so on, and by who is ahead; by nothing else.",
        )
        .back(address.clone(), "See the statistics of this ruleset")
    })?;
    let statistics = Summary::of(app.archive(), id, phase, PAIRS_MAX).await?;
    let n = statistics.n;
    let time = |it: Phase| {
        let there =
            if it == Phase::Any { address.clone() } else { with_parameters(address.as_str(), [("when", it.word())]) };
        (capital(&it.label()), format!("{there}#pairs"), it == phase)
    };
    let fates = FateTable::of(&app.archive().fate_counts(id).await?);
    let listed = |pair: &PairCount| {
        (phase == Phase::Any).then(|| pair_address(&address, [&pair.what, &pair.p1, &pair.p2], None))
    };
    let mut pairs: Vec<PairRow> =
        statistics.pairs.iter().map(|pair| PairRow::of_kinds(id, pair, listed(pair))).collect();
    let matrices = Matrix::all(&pairs.iter().map(PairRow::kind_pair).collect::<Vec<_>>());
    let rarer = pairs.split_off(FIRST_TABLE_PAIRS.min(pairs.len()));
    let name = ruleset_name(id);
    let frame = Frame::titled(format!("Statistics of {name}"))
        .in_section("statistics")
        .described(format!("Results, lengths and what was played in finished matches of {name}, with their numbers."));
    let lengths: Vec<(i32, i64)> = statistics.lengths.iter().map(|length| (length.rounds, length.n)).collect();
    page(&Statistics {
        frame: Frame { umpire: visitor.name(), ..frame },
        rules: ruleset_address(id),
        n,
        results: results(id, &statistics.results, n),
        bars: Bars::of(&lengths),
        lengths: lengths.into_iter().map(|(rounds, n)| CountRow::of_length(id, rounds, n)).collect(),
        endings: statistics.endings.iter().map(|ending| CountRow::of_ending(id, ending, n)).collect(),
        questions: statistics.questions.iter().map(|question| QuestionTable::of(id, question)).collect(),
        answers: AnswerTables::of(&app, ruleset).await?,
        scored: statistics.is_scored(),
        when: phase.label(),
        times: statistics.phases().into_iter().map(time).collect(),
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

impl CountRow<String, Rate> {
    fn of_ending(ruleset: &str, ending: &Ending, n: i64) -> Self {
        let matches = archive_of(&[("ruleset", ruleset), ("ending", &ending.reason), COUNTS]);
        Self { what: capital(&ending.says), n: Rate { k: ending.n, n }, matches }
    }
}

fn results(ruleset: &str, found: &Results, n: i64) -> Vec<CountRow<&'static str, Rate>> {
    let counted = |what, result: ResultFilter, k, n| {
        let matches = archive_of(&[("ruleset", ruleset), ("result", result.word())]);
        CountRow { what, n: Rate { k, n }, matches }
    };
    let mut results = vec![
        counted("Seat 1 won", ResultFilter::FirstWon, found.p1, n),
        counted("Seat 2 won", ResultFilter::SecondWon, found.p2, n),
        counted("Undecided", ResultFilter::Undecided, found.undecided, n),
    ];
    let with_dmo = found.with_dmo;
    if with_dmo > 0 {
        results.push(counted("The DMO won, where there was one", ResultFilter::DmoWon, found.dmo, with_dmo));
        results.push(counted("The EC won, where there was one", ResultFilter::EcWon, found.ec, with_dmo));
    }
    results
}
