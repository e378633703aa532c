//! The matches behind a count, newest first, each with a link to the moment.

use std::collections::HashMap;
use std::sync::Arc;

use app::App;
use app::archive::{Place, Situation};
use app::statistics::{self, CountKey, CountedMatch, PairKey};
use app::views::{Beat, ruleset_name};
use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::Response;
use record::words::{capital, counted, row_rules, row_words, sent_words};
use serde::Deserialize;

use super::find_ruleset;
use super::pair_row::met;
use page::match_list::Row;
use page::{Frame, MatchList, page, with_parameters};
use web_http::visitor::Visitor;
use web_http::{Problem, Segments};

const PAGE_MATCHES: usize = 50;

#[derive(Template)]
#[template(path = "statistics/matches.html")]
struct Matches {
    frame: Frame,
    name: String,
    home: String,
    heading: String,
    lead: &'static str,
    /// A link to the page with the count: its words, and the address.
    back: (&'static str, String),
    listing: MatchList,
    first: Option<String>,
    older: Option<String>,
}

pub(super) struct CountDescription {
    pub(super) ruleset: &'static str,
    pub(super) heading: String,
    pub(super) lead: &'static str,
    pub(super) back: (&'static str, String),
    pub(super) address: String,
    pub(super) counted_for: CountKey,
}

#[derive(Debug, Deserialize)]
pub(super) struct MatchesQuery {
    what: String,
    sent: Option<String>,
    #[serde(default)]
    p1: String,
    #[serde(default)]
    p2: String,
    after_p1: Option<String>,
    after_p2: Option<String>,
    after: Option<String>,
}

pub(super) async fn matches(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Segments((game, id)): Segments<(String, String)>,
    query: Result<Query<MatchesQuery>, QueryRejection>,
) -> Result<Response, Problem> {
    let id = find_ruleset(&game, &id)?.card().id;
    let home = format!("/statistics/{id}");
    let Ok(Query(query)) = query else {
        return Err(Problem::not_found("This address names nothing that is counted.")
            .back(home, "See the statistics of this ruleset"));
    };
    let after = query.after.clone();
    let count = match &query.sent {
        Some(sent) => CountDescription {
            ruleset: id,
            heading: format!("{}: {}", capital(&query.what), sent_words(row_rules(id), sent)),
            lead: "The finished matches in which either seat sent this.",
            back: ("What was sent", format!("{home}#moves")),
            address: kind_address(&home, &query.what, sent),
            counted_for: CountKey::kind(id, &query.what, sent),
        },
        None => {
            let previous = query.after_p1.clone().zip(query.after_p2.clone());
            let said = |p1: &str, p2: &str| met(&sent_words(row_rules(id), p1), &sent_words(row_rules(id), p2));
            let now = said(&query.p1, &query.p2);
            let alone = query.p1.is_empty() || query.p2.is_empty();
            let address = pair_address(&home, [&query.what, &query.p1, &query.p2], previous.as_ref());
            let (heading, lead, situation) = match &previous {
                Some((p1, p2)) => (
                    format!("{now}, right after {}", said(p1, p2)),
                    "The finished matches in which this came right after that.",
                    Situation::after(p1, p2),
                ),
                None if alone => (now, "The finished matches in which this was sent.", Situation::any()),
                None => (now, "The finished matches in which these two met.", Situation::any()),
            };
            let MatchesQuery { what, p1, p2, .. } = query;
            let counted_for = CountKey::pair(id, &PairKey { situation: situation.0, what, p1, p2 });
            let back = ("What met what", format!("{home}#pairs"));
            CountDescription { ruleset: id, heading, lead, back, address, counted_for }
        }
    };
    match_list_page(&app, visitor, &count, after.as_deref()).await
}

pub(super) fn kind_address(home: &str, what: &str, sent: &str) -> String {
    with_parameters(format!("{home}/matches"), [("what", what), ("sent", sent)])
}

/// The address of the matches in which two kinds of moves met in answer to a question, optionally after two others.
pub(super) fn pair_address(home: &str, [what, p1, p2]: [&str; 3], previous: Option<&(String, String)>) -> String {
    let parts = [("what", what), ("p1", p1), ("p2", p2)].into_iter();
    let previous = previous.map(|(p1, p2)| [("after_p1", p1.as_str()), ("after_p2", p2.as_str())]);
    let parts = parts.chain(previous.into_iter().flatten());
    with_parameters(format!("{home}/matches"), parts)
}

pub(super) async fn match_list_page(
    app: &App,
    visitor: Visitor,
    count: &CountDescription,
    after: Option<&str>,
) -> Result<Response, Problem> {
    let after: Option<Place> = match after.filter(|place| !place.is_empty()) {
        None => None,
        Some(place) => Some(place.parse().map_err(|_| {
            Problem::refused("This address names a page of the list that does not exist.")
                .back(count.address.clone(), "Go to the first page of the list")
        })?),
    };
    let most = i64::try_from(PAGE_MATCHES + 1).unwrap_or(i64::MAX);
    let mut found = statistics::matches(app.reading_pool(), count.counted_for, after.as_ref(), most).await?;
    // One match more than a page shows tells if there is another page.
    let more = found.len() > PAGE_MATCHES;
    found.truncate(PAGE_MATCHES);
    let last = found.last().filter(|_| more).map(|last| Place::at(last.played_at, last.match_id));
    let older = last.map(|place| with_parameters(count.address.as_str(), [("after", place.to_string())]));
    let ids: Vec<_> = found.iter().map(|counted| counted.match_id).collect();
    let places: HashMap<_, &CountedMatch> = found.iter().map(|counted| (counted.match_id, counted)).collect();
    let matches = app.archive().listed(&ids).await?;
    let rows = matches.iter().filter_map(|listed| {
        let counted = places.get(&listed.match_id)?;
        Some(Row::at(listed, &counted.label, Beat::Choices, place_words(counted)))
    });
    let name = ruleset_name(count.ruleset);
    let frame = Frame::titled(format!("{}: matches", count.heading))
        .in_section("statistics")
        .described("The matches behind a count of the statistics, newest first.");
    page(&Matches {
        frame: Frame { umpire: visitor.name(), ..frame },
        home: format!("/statistics/{}", count.ruleset),
        name,
        heading: count.heading.clone(),
        lead: count.lead,
        back: count.back.clone(),
        listing: MatchList { rows: rows.collect(), ..MatchList::of("Matches, newest first", []) },
        first: after.map(|_| count.address.clone()),
        older,
    })
}

fn place_words(counted_match: &CountedMatch) -> String {
    let first = row_words(&counted_match.label);
    match usize::try_from(counted_match.n - 1) {
        Ok(0) | Err(_) => first,
        Ok(more) => format!("{first}, and {}", counted(more, "more time", "more times")),
    }
}
