//! A tournament's page.

use std::sync::Arc;

use app::App;
use app::archive::{Filter, Standing};
use app::views::ruleset_name;
use askama::Template;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use record::name_key;

use super::season::Season;
use page::{Frame, MatchList, When, archive_of, event_address, page, player_address};
use web_http::visitor::Visitor;
use web_http::{Problem, Segments, Spoilers, site};

/// The matches that are told evening by evening, and those in the list below.
const SEASON_MATCHES: u8 = 100;
const LATEST_MATCHES: usize = 50;

#[derive(Template)]
#[template(path = "events/event.html")]
struct Event {
    frame: Frame,
    name: String,
    site: String,
    address: String,
    archive: String,
    feed: String,
    total: String,
    first: When,
    last: When,
    /// The title, the address in the archive, and the number of matches.
    rulesets: Vec<(String, String, i64)>,
    standings: Vec<Standing>,
    season: Option<Season>,
    listing: MatchList,
    more: bool,
    spoilers: Spoilers,
    otherwise: String,
}

impl Event {
    /// True if a match ended without a winner; a column in which nobody has anything is left out.
    fn has_undecided(&self) -> bool {
        self.standings.iter().any(|stands| stands.other > 0)
    }

    fn address_of(&self, standing: &Standing) -> String {
        player_address(&standing.key)
    }

    fn has_running(&self) -> bool {
        self.standings.iter().any(|stands| stands.running > 0)
    }
}

pub(super) async fn event(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Segments(name): Segments<String>,
    spoilers: Spoilers,
    request: HeaderMap,
) -> Result<Response, Problem> {
    let no_event = || {
        Problem::not_found("No recorded match names an event like this. The name may have been withdrawn.")
            .back("/events", "See every event")
    };
    if name.contains('\0') {
        return Err(no_event());
    }
    let key = name_key(&name);
    let found = app.archive().event(&key).await?.ok_or_else(no_event)?;
    let filter = Filter { event: Some(key.clone()), ..Filter::default() };
    let mut matches = app.archive().newest(&filter, SEASON_MATCHES).await?;
    let name = found.event.name;
    let description = format!("{name}: {} in the record of Death Matches.", found.event.matches);
    let frame = Frame::titled(&name).in_section("events").described(description);
    let archive = spoilers.in_address(archive_of(&[("event", &key)]));
    let of_ruleset = |ruleset: &str| spoilers.in_address(archive_of(&[("event", &key), ("ruleset", ruleset)]));
    let standings = if spoilers.hidden() { Vec::new() } else { found.standings };
    let all = found.event.matches.is_at_most(matches.len());
    let season = if spoilers.hidden() { None } else { Season::of(&matches, !all, &standings) };
    let more = !all || matches.len() > LATEST_MATCHES;
    matches.truncate(LATEST_MATCHES);
    let rulesets = found.rulesets.iter();
    page(&Event {
        frame: Frame { umpire: visitor.name(), ..frame },
        site: site(&request),
        address: event_address(&key),
        feed: archive.replace("/archive", "/feed.atom"),
        total: found.event.matches.to_string(),
        first: When::day(found.event.first),
        last: When::day(found.event.last),
        rulesets: rulesets.map(|row| (ruleset_name(&row.ruleset), of_ruleset(&row.ruleset), row.matches)).collect(),
        standings,
        listing: MatchList::of("The latest matches", &matches).with_hidden_caption().with_spoilers(spoilers),
        more,
        season,
        otherwise: spoilers.other().in_address(event_address(&key)),
        spoilers,
        archive,
        name,
    })
}
