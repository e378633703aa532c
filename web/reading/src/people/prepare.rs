//! For somebody who is going to play a player: what the player sends, situation by situation, beside everybody else.

use std::sync::Arc;

use app::App;
use app::archive::{Occasion, OccasionTable, Preparation, QuestionTendencies, Score, Tendency, TendencyMoment};
use app::views::{Beat, ruleset_name};
use askama::Template;
use axum::extract::{OriginalUri, Query, State};
use axum::response::Response;
use ledger::MatchId;
use record::words::{capital, row_rules, row_words, sent_words};
use serde::Deserialize;

use super::player::{key, moved, no_player};
use page::{
    Frame, IntervalBar, Link, Rate, head_to_head_address, page, player_address, prepare_address, query_key,
    with_parameters,
};
use web_http::visitor::Visitor;
use web_http::{Problem, Segments};

const KINDS_MAX: usize = 8;
/// The sentences above the tables.
const SAID: usize = 3;

#[derive(Template)]
#[template(path = "people/prepare.html")]
struct Prepare {
    frame: Frame,
    name: String,
    player: String,
    address: String,
    you: String,
    met: Option<Met>,
    /// The rulesets: the name, the address, and true for the current one.
    rulesets: Vec<(String, String, bool)>,
    ruleset: String,
    ruleset_id: String,
    statistics: String,
    matches: usize,
    /// What differs most from others, in a sentence each, with a moment.
    says: Vec<(String, Option<Link>)>,
    questions: Vec<Question>,
}

struct Met {
    you: String,
    address: String,
    score: Score,
}

struct Question {
    what: String,
    situations: Vec<SituationTable>,
}

struct SituationTable {
    words: String,
    n: i64,
    others: i64,
    kinds: Vec<KindRow>,
}

struct KindRow {
    sent: String,
    rate: Rate,
    others: Rate,
    bar: Option<IntervalBar>,
    moments: Vec<Link>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct PrepareQuery {
    #[serde(default)]
    ruleset: String,
    #[serde(default)]
    you: String,
}

pub(super) async fn prepare(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Segments(name): Segments<String>,
    Query(query): Query<PrepareQuery>,
    OriginalUri(uri): OriginalUri,
) -> Result<Response, Problem> {
    let key = key(&name)?;
    if let Some(moved) = moved(&app, [&key], |[key]| prepare_address(key), &uri).await? {
        return Ok(moved);
    }
    let name = app.archive().player_name(&key).await?.ok_or_else(no_player)?;
    let address = prepare_address(&key);
    let mut tallies = app.archive().tallies(&key, None).await?;
    tallies.retain(|tally| !tally.result_only);
    let mut played: Vec<(&str, i64)> = tallies
        .chunk_by(|a, b| a.ruleset == b.ruleset)
        .filter_map(|group| Some((group.first()?.ruleset.as_str(), Score::of(group).ended())))
        .collect();
    played.retain(|(_, ended)| *ended > 0);
    // The most frequent first.
    played.sort_by_key(|(_, ended)| -ended);
    let known = played.iter().find(|(ruleset, _)| query.ruleset.is_empty() || *ruleset == query.ruleset);
    if known.is_none() && !query.ruleset.is_empty() {
        let detail = format!("No finished match of {name} is recorded in this ruleset.");
        return Err(Problem::not_found(detail).back(player_address(&key), "See this player"));
    }
    let ruleset = known.map(|known| known.0).unwrap_or_default();
    let preparation = app.archive().preparation(&key, ruleset).await?;
    let you = app.archive().player_key(&query_key(&query.you)).await?;
    let met = Met::of(&app, &you, &key).await?;
    let link = |ruleset: &str| {
        let parts = [("ruleset", ruleset), ("you", query.you.as_str())].into_iter();
        with_parameters(address.as_str(), parts.filter(|(_, value)| !value.is_empty()))
    };
    let (matches, questions) = (preparation.matches, questions(ruleset, preparation));
    let frame = Frame::titled(format!("Prepare against {name}"))
        .in_section("players")
        .described(format!("What {name} sends in each situation, beside everybody else, with links to the moments."));
    page(&Prepare {
        frame: Frame { umpire: visitor.name(), ..frame },
        player: player_address(&key),
        rulesets: played.iter().map(|(id, _)| (ruleset_name(id), link(id), *id == ruleset)).collect(),
        ruleset: ruleset_name(ruleset),
        ruleset_id: ruleset.to_owned(),
        statistics: format!("/statistics/{ruleset}"),
        matches,
        says: says(&questions),
        questions,
        you: query.you,
        met,
        address,
        name,
    })
}

impl Met {
    async fn of(app: &App, you: &str, player: &str) -> Result<Option<Self>, Problem> {
        if you.is_empty() || you == player {
            return Ok(None);
        }
        let Some(name) = app.archive().player_name(you).await? else { return Ok(None) };
        let score = Score::of(&app.archive().tallies(you, Some(player)).await?);
        Ok(Some(Self { you: name, address: head_to_head_address(you, player), score }))
    }
}

fn questions(ruleset: &str, preparation: Preparation) -> Vec<Question> {
    let question = |question: QuestionTendencies| {
        let situations = question.occasions.into_iter().map(|table| SituationTable::of(ruleset, table));
        Question { what: capital(&question.what), situations: situations.collect() }
    };
    preparation.questions.into_iter().map(question).collect()
}

/// The moves in which this player differs most from others, as sentences.
fn says(questions: &[Question]) -> Vec<(String, Option<Link>)> {
    let mut all: Vec<(f64, String, Option<Link>)> = Vec::new();
    for table in questions.iter().flat_map(|question| &question.situations) {
        for kind in &table.kinds {
            let (Some(own), Some(others)) = (kind.rate.percent(), kind.others.percent()) else { continue };
            let words = format!(
                "{}: {}, {} of them; others {}.",
                table.words,
                kind.sent,
                kind.rate.share(),
                kind.others.share()
            );
            all.push(((own - others).abs(), words, kind.moments.first().cloned()));
        }
    }
    all.sort_by(|(by, ..), (other, ..)| other.total_cmp(by));
    all.into_iter().take(SAID).map(|(_, words, moment)| (words, moment)).collect()
}

impl SituationTable {
    fn of(ruleset: &str, table: OccasionTable) -> Self {
        let OccasionTable { occasion, n, others, kinds } = table;
        let kind = |kind: Tendency| {
            let (rate, others) = (Rate { k: kind.n, n }, Rate { k: kind.others, n: others });
            KindRow {
                sent: sent_words(row_rules(ruleset), &kind.sent),
                rate,
                others,
                bar: IntervalBar::beside(rate, others),
                moments: kind.moments.into_iter().map(moment).collect(),
            }
        };
        Self {
            words: words(ruleset, &occasion),
            n,
            others,
            kinds: kinds.into_iter().take(KINDS_MAX).map(kind).collect(),
        }
    }
}

fn words(ruleset: &str, occasion: &Occasion) -> String {
    match occasion {
        Occasion::Any => "In all situations".to_owned(),
        Occasion::First => "First move of a match".to_owned(),
        Occasion::Behind => "When behind".to_owned(),
        Occasion::Level => "At equal score".to_owned(),
        Occasion::Ahead => "When ahead".to_owned(),
        Occasion::AfterBlock => "After being blocked".to_owned(),
        Occasion::After(sent) => format!("Right after their own “{}”", sent_words(row_rules(ruleset), sent)),
    }
}

fn moment(moment: TendencyMoment) -> Link {
    let opponent = moment.opponent.map(|name| format!(", against {name}")).unwrap_or_default();
    Link {
        address: Beat::After.address(MatchId(moment.match_id), &moment.label),
        words: format!("{}{opponent}", row_words(&moment.label)),
    }
}
