//! Results as an Atom feed (RFC 4287): all, or those of an archive filter, such as a player or a tournament.

mod calendar;

use std::sync::Arc;

use app::App;
use app::archive::{Filter, Key, MatchSummary, folded, read_filter, unknown_parameter};
use app::views::ruleset_name;
use askama::Template;
use axum::Router;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use engine::{BySeat, Ending, Outcome, Seat, Verdict};
use record::words::{capital, reason_of, result_sentence, row_rules};

use web_http::{Problem, Spoilers, site};

const RESULTS: u32 = 50;
/// The update time of a feed without results: the first day of Matchbook, before which no record existed.
const BEGINNING: &str = "2026-11-20T00:00:00Z";

#[derive(Template)]
#[template(path = "feeds/feed.xml")]
struct Feed {
    id: String,
    title: String,
    site: String,
    query: String,
    updated: String,
    entries: Vec<Entry>,
}

struct Entry {
    id: uuid::Uuid,
    title: String,
    address: String,
    summary: String,
    published: String,
    updated: String,
    ruleset: String,
    game: String,
}

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/feed.atom", get(feed)).route("/calendar.ics", get(calendar::calendar))
}

fn query(filter: &Filter, spoilers: Spoilers) -> String {
    let filter = folded(filter);
    let parts = Key::ALL.into_iter().filter_map(|key| Some((key.name(), key.value(&filter)?)));
    let parts = parts.map(|(name, value)| match askama::filters::urlencode_strict(value) {
        Ok(value) => format!("{name}={value}"),
        Err(never) => match never {},
    });
    let parts: Vec<String> = parts.collect();
    spoilers.in_address(if parts.is_empty() { String::new() } else { format!("?{}", parts.join("&")) })
}

async fn feed(
    State(app): State<Arc<App>>,
    Query(parameters): Query<Vec<(String, String)>>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (filter, wrong) = read_filter(&parameters);
    let unknown = unknown_parameter(&parameters, &[Spoilers::PARAMETER.0]);
    if let Some(why) = unknown.into_iter().chain(wrong).next() {
        return Err(Problem::refused(why));
    }
    let spoilers = Spoilers::of(&parameters)?;
    let said = |key: Key| Some(format!("{}: {}", key.label(), key.value(&filter)?));
    let words: Vec<String> = Key::ALL.into_iter().filter_map(said).collect();
    let query = query(&filter, spoilers);
    let what = if spoilers.hidden() { "Matches that ended" } else { "Results" };
    let results = app.archive().results(&filter, RESULTS).await?;
    let site = site(&headers);
    let feed = Feed {
        // The log's name never changes, even if the address of this site does.
        id: format!("https://{}/feed.atom{query}", app.origin()),
        title: if words.is_empty() { what.to_owned() } else { format!("{what}, {}", words.join(", ")) },
        updated: results.first().map_or_else(|| BEGINNING.to_owned(), |last| time(last.changed_at)),
        entries: results.iter().map(|listed| Entry::of(listed, &site, spoilers)).collect(),
        query,
        site,
    };
    let text = feed.render().map_err(|error| Problem::broken(&error))?;
    let kind = HeaderValue::from_static("application/atom+xml; charset=utf-8");
    let cache = HeaderValue::from_static("no-cache");
    Ok(([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, cache)], text).into_response())
}

fn time(at: chrono::DateTime<chrono::Utc>) -> String {
    at.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn sentence(listed: &MatchSummary) -> String {
    let verdict = match listed.result.as_str() {
        "p1" => Verdict::Won(Seat::P1),
        "p2" => Verdict::Won(Seat::P2),
        "undecided" => Verdict::Undecided,
        _ => Verdict::Void,
    };
    let names = BySeat { p1: listed.p1.name.as_str(), p2: listed.p2.name.as_str() };
    if listed.mode == "result" {
        let result = match listed.result.as_str() {
            "p1" => format!("{} won", names.p1),
            "p2" => format!("{} won", names.p2),
            word => capital(word),
        };
        return format!("Result only: {result}.");
    }
    match row_rules(&listed.ruleset).and_then(|rules| reason_of(rules, &listed.reason)) {
        Some(reason) => result_sentence(Outcome::Over(Ending { verdict, reason }), names),
        None => format!("Ended: {}.", listed.result),
    }
}

impl Entry {
    fn of(listed: &MatchSummary, site: &str, spoilers: Spoilers) -> Self {
        let result = match listed.result.as_str() {
            "p1" => format!("{} won", listed.p1.name),
            "p2" => format!("{} won", listed.p2.name),
            word => capital(word),
        };
        let score = listed.score_p1.zip(listed.score_p2);
        let score =
            score.map(|(p1, p2)| format!(" {} {p1}, {} {p2}.", listed.p1.name, listed.p2.name)).unwrap_or_default();
        let event = listed.event.as_ref().map(|event| format!(" {event}.")).unwrap_or_default();
        let ruleset = ruleset_name(&listed.ruleset);
        let both = format!("{} \u{2013} {}", listed.p1, listed.p2);
        let (title, summary) = if spoilers.hidden() {
            (both, format!("{ruleset}.{event}"))
        } else {
            (format!("{both}: {result}"), format!("{}{score} {ruleset}.{event}", sentence(listed)))
        };
        Self {
            id: listed.match_id,
            title,
            address: spoilers.in_address(format!("{site}/m/{}", listed.slug)),
            summary,
            published: time(listed.played_at),
            updated: time(listed.changed_at),
            game: listed.game.clone(),
            ruleset,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_wrote_is_text_in_the_feed() {
        let entry = Entry {
            id: uuid::Uuid::from_u128(7),
            title: "<b> & \"c\" ]]>".to_owned(),
            address: "http://x/m/a".to_owned(),
            summary: "s".to_owned(),
            published: "2026-11-20T20:00:00Z".to_owned(),
            updated: "2026-11-20T20:41:00Z".to_owned(),
            ruleset: "r".to_owned(),
            game: "g".to_owned(),
        };
        let (id, title) = ("https://log.example/feed.atom".to_owned(), "Results".to_owned());
        let (site, query, updated) = ("http://x".to_owned(), "?player=a&q=b".to_owned(), entry.updated.clone());
        let text = Feed { id, title, site, query, updated, entries: vec![entry] }.render().unwrap();
        assert!(text.contains("<title>&#60;b&#62; &#38; &#34;c&#34; ]]&#62;</title>"), "{text}");
        assert!(text.contains("href=\"http://x/feed.atom?player=a&#38;q=b\""), "{text}");
        assert!(text.contains("<id>urn:uuid:00000000-0000-0000-0000-000000000007</id>"), "{text}");
    }
}
