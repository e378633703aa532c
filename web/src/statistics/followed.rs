//! What followed two moves that met: the next answers to the same question.

use std::sync::Arc;

use app::App;
use app::archive::Situation;
use app::views::ruleset_name;
use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::Response;
use record::words::{capital, sent_words};
use serde::Deserialize;

use super::find_ruleset;
use super::matches::pair_address;
use super::matrix::Matrix;
use super::pair_row::{PairRow, met};
use crate::http::{Problem, Segments};
use crate::page::{Frame, page};
use crate::visitor::Visitor;

const PAIRS_MAX: i64 = 100;

#[derive(Template)]
#[template(path = "statistics/followed.html")]
struct FollowedPage {
    frame: Frame,
    name: String,
    home: String,
    what: String,
    met: String,
    alone: bool,
    matches: String,
    n: i64,
    scored: bool,
    matrices: Vec<Matrix>,
    pairs: Vec<PairRow>,
}

#[derive(Debug, Deserialize)]
pub(super) struct FollowedQuery {
    what: String,
    #[serde(default)]
    p1: String,
    #[serde(default)]
    p2: String,
}

pub(super) async fn followed(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Segments((game, id)): Segments<(String, String)>,
    query: Result<Query<FollowedQuery>, QueryRejection>,
) -> Result<Response, Problem> {
    let id = find_ruleset(&game, &id)?.card().id;
    let home = format!("/statistics/{id}");
    let nothing = || {
        Problem::not_found("This address names no moves that are counted.")
            .back(home.clone(), "See the statistics of this ruleset")
    };
    let Ok(Query(FollowedQuery { what, p1, p2 })) = query else { return Err(nothing()) };
    // PostgreSQL has no text with this character.
    if [&what, &p1, &p2].into_iter().any(|text| text.contains('\0')) {
        return Err(nothing());
    }
    let found = app.archive().pair_counts(id, Situation::after(&p1, &p2), Some(&what), PAIRS_MAX).await?;
    let previous = Some((p1.clone(), p2.clone()));
    let pairs: Vec<PairRow> = found.iter().map(|pair| PairRow::of_kinds(id, pair, &home, previous.as_ref())).collect();
    let met = met(&sent_words(id, &p1), &sent_words(id, &p2));
    let name = ruleset_name(id);
    let frame = Frame::titled(format!("What followed \u{201c}{met}\u{201d}: {name}"))
        .in_section("statistics")
        .described(format!("The next moves after \u{201c}{met}\u{201d} in finished matches of {name}."));
    page(&FollowedPage {
        frame: Frame { umpire: visitor.name(), ..frame },
        matches: pair_address(&home, [&what, &p1, &p2], None),
        n: found.iter().map(|pair| pair.sum.n).sum(),
        scored: found.iter().any(|pair| pair.sum.gain.p1 != 0 || pair.sum.gain.p2 != 0),
        matrices: Matrix::all(&pairs.iter().map(PairRow::kind_pair).collect::<Vec<_>>()),
        pairs,
        what: capital(&what),
        alone: p1.is_empty() || p2.is_empty(),
        met,
        home,
        name,
    })
}
