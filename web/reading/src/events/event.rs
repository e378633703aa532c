//! A tournament's page: what its host tells, and what its matches say.

use std::sync::Arc;

use app::App;
use app::archive::{EventPage, Filter, MatchSummary, Standing, VerdictFilter};
use app::event_sheets::SavedSheet;
use app::tournament::{CastMember, EventSheet};
use app::umpires::Planned;
use app::views::ruleset_name;
use askama::Template;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use record::name_key;
use record::words::counted;

use super::plan_view::{Drawn, PlanView};
use super::season::{Evening, Meetings};
use page::{Cover, Frame, MatchList, When, archive_of, escaped, event_address, page, player_address};
use web_http::visitor::Visitor;
use web_http::{Problem, Segments, Spoilers, site};

/// The matches that are shown, the newest; the archive has the others.
const MATCHES_SHOWN: usize = 100;
/// More than the longest plan has.
const MATCHES_READ: usize = 2_000;

#[derive(Template)]
#[template(path = "events/event.html")]
struct Event {
    frame: Frame,
    name: String,
    site: String,
    address: String,
    archive: String,
    feed: String,
    about: Vec<String>,
    /// What it is, in a line: the plan and its host.
    kind: Vec<String>,
    winner: Option<(Cover, String)>,
    cast: Vec<Member>,
    /// None for an event without a match.
    played: Option<Played>,
    next: Option<Next>,
    plan: Option<PlanView>,
    evenings: Vec<Evening>,
    meetings: Option<Meetings>,
    standings: Vec<Standing>,
    running: Option<MatchList>,
    listing: Option<MatchList>,
    more: bool,
    spoilers: Spoilers,
    otherwise: String,
    /// The page on which it is changed, for umpires.
    edit: Option<String>,
    /// How often it was changed, and when last.
    changed: Option<(i32, When)>,
}

struct Played {
    total: String,
    /// Those that are known by their result only.
    result_only: u32,
    first: When,
    last: When,
    /// The title, the address in the archive, and the number of matches.
    rulesets: Vec<(String, String, i64)>,
}

struct Member {
    cover: Cover,
    name: String,
    address: Option<String>,
    words: String,
    is_out: bool,
}

struct Next {
    when: When,
    players: String,
    ruleset: String,
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

impl Member {
    fn of(member: &CastMember, sheet: &EventSheet, known: &[Standing]) -> Self {
        let key = name_key(&member.name);
        let out = member.out.as_ref().map(|out| match out.evening {
            Some(evening) => format!("Out in evening {evening}"),
            None => "Out".to_owned(),
        });
        let won = sheet.is_winner(&member.name).then(|| "Winner".to_owned());
        let role = Some(member.role.clone()).filter(|role| !role.is_empty());
        Self {
            cover: Cover::of(&member.name).lettered(&member.monogram),
            address: known.iter().any(|standing| standing.key == key).then(|| player_address(&key)),
            words: [won, role, out.clone()].into_iter().flatten().collect::<Vec<_>>().join(", "),
            is_out: out.is_some(),
            name: member.name.clone(),
        }
    }
}

/// The sheet as it is shown: without spoilers nobody has won, and nobody is out. A role may be "Runner-up".
fn shown_sheet(saved: Option<&SavedSheet>, spoilers: Spoilers) -> EventSheet {
    let mut sheet = saved.map(|saved| saved.sheet.clone()).unwrap_or_default();
    if spoilers.hidden() {
        sheet.winner = None;
        sheet.cast.iter_mut().for_each(|member| (member.out, member.role) = (None, String::new()));
    }
    sheet
}

fn kind(sheet: &EventSheet, host: Option<String>) -> Vec<String> {
    let entrants = sheet.groups.iter().map(Vec::len).sum::<usize>();
    let plan =
        (sheet.format != app::tournament::Format::None).then(|| format!("{} of {entrants}", sheet.format.title()));
    let cast = (!sheet.cast.is_empty()).then(|| counted(sheet.cast.len(), "player", "players"));
    let evenings = (!sheet.evenings.is_empty()).then(|| counted(sheet.evenings.len(), "evening", "evenings"));
    let host = host.map(|host| format!("hosted by {host}"));
    [plan, cast, evenings, host].into_iter().flatten().collect()
}

/// What is planned for this event, the next one first.
async fn plans(app: &App, key: &str) -> Result<Vec<Planned>, Problem> {
    let mut planned = app.umpires.planned().await?;
    planned.retain(|plan| name_key(&plan.event) == key);
    Ok(planned)
}

async fn played(app: &App, found: &EventPage, filter: &Filter, spoilers: Spoilers) -> Result<Played, Problem> {
    let key = &found.event.key;
    // A game that is known by its name alone is found by its words.
    let of_ruleset = |ruleset: &str| {
        let part = if engine::ruleset(ruleset).is_ok() { "ruleset" } else { "q" };
        spoilers.in_address(archive_of(&[("event", key), (part, ruleset)]))
    };
    let only = Filter { verdict: Some(VerdictFilter::ResultOnly), ..filter.clone() };
    let rulesets = found.rulesets.iter();
    Ok(Played {
        total: found.event.matches.to_string(),
        result_only: app.archive().count(&only).await?.counted,
        first: When::day(found.event.first),
        last: When::day(found.event.last),
        rulesets: rulesets.map(|row| (ruleset_name(&row.ruleset), of_ruleset(&row.ruleset), row.matches)).collect(),
    })
}

/// The matches of an event, the latest first: a plan is made from all of them.
pub(super) async fn matches_of(app: &App, key: &str) -> Result<Vec<MatchSummary>, Problem> {
    let filter = Filter { event: Some(key.to_owned()), ..Filter::default() };
    let (mut matches, mut after) = (Vec::new(), None);
    loop {
        let (found, next) = app.archive().walk(&filter, after.as_ref()).await?;
        matches.extend(found);
        match next {
            Some(next) if matches.len() < MATCHES_READ => after = Some(next),
            _ => return Ok(matches),
        }
    }
}

fn no_event(visitor: &Visitor, name: &str) -> Problem {
    let nothing = "No recorded match names an event like this. The name may have been withdrawn.";
    let problem = Problem::not_found(nothing);
    match &visitor.umpire {
        Some(_) if record::limits::too_long(name, 80).is_none() => {
            problem.back(edit_address(name), "Announce this event")
        }
        _ => problem.back("/events", "See every event"),
    }
}

/// Where an event is edited. A name keeps its letters there until it is saved for the first time.
pub(super) fn edit_address(name: &str) -> String {
    format!("/events/{}/edit", escaped(name))
}

#[expect(clippy::too_many_lines, reason = "each part of the page is named once")]
pub(super) async fn event(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Segments(name): Segments<String>,
    spoilers: Spoilers,
    request: HeaderMap,
) -> Result<Response, Problem> {
    if name.contains('\0') {
        return Err(no_event(&Visitor { umpire: None }, ""));
    }
    let key = name_key(&name);
    let (found, saved) = (app.archive().event(&key).await?, app.event_sheets.find(&key).await?);
    let (name, description) = match (&found, &saved) {
        (Some(EventPage { event, .. }), _) => {
            (event.name.clone(), format!("{}: {} in the record of Death Matches.", event.name, event.matches))
        }
        (None, Some(saved)) => (saved.event.clone(), format!("{}: an announced event.", saved.event)),
        (None, None) => return Err(no_event(&visitor, &name)),
    };
    let filter = Filter { event: Some(key.clone()), ..Filter::default() };
    let mut matches = matches_of(&app, &key).await?;
    let played = match &found {
        Some(found) => Some(played(&app, found, &filter, spoilers).await?),
        None => None,
    };
    let more = found.as_ref().is_some_and(|found| !found.event.matches.is_at_most(matches.len().min(MATCHES_SHOWN)));
    let known = found.map(|found| found.standings).unwrap_or_default();
    let sheet = shown_sheet(saved.as_ref(), spoilers).with_cast(known.iter().map(|standing| standing.name.clone()));
    let planned = plans(&app, &key).await?;
    let host = saved
        .as_ref()
        .map(|saved| app.umpires.names().of(&saved.host).map_or_else(|| saved.host.clone(), str::to_owned));
    let edit = visitor.umpire.as_ref().map(|_| edit_address(&name));
    let drawn = Drawn { event: &name, matches: &matches, planned: &planned, edit: edit.clone() };
    let plan = if spoilers.hidden() { None } else { PlanView::of(&sheet, drawn) };
    matches.truncate(MATCHES_SHOWN);
    let archive = spoilers.in_address(archive_of(&[("event", &key)]));
    let running: Vec<MatchSummary> = matches.iter().filter(|listed| listed.result == "*").cloned().collect();
    let listed = |caption: &str, matches: &[MatchSummary]| MatchList::of(caption, matches).with_hidden_caption();
    page(&Event {
        site: site(&request),
        address: event_address(&key),
        feed: archive.replace("/archive", "/feed.atom"),
        about: sheet.about.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect(),
        kind: kind(&sheet, host),
        winner: sheet.winner.clone().map(|name| (Cover::of(&name).large(), name)),
        cast: sheet.ordered_cast().into_iter().map(|member| Member::of(member, &sheet, &known)).collect(),
        next: planned.first().filter(|_| !spoilers.hidden()).map(|plan| Next {
            when: When::utc_minute(plan.starts_at),
            players: format!("{} \u{2013} {}", plan.p1, plan.p2),
            ruleset: ruleset_name(&plan.ruleset),
        }),
        plan,
        running: (!running.is_empty() && !spoilers.hidden()).then(|| listed("Matches that are being played", &running)),
        evenings: if spoilers.hidden() { Vec::new() } else { Evening::all(&matches, &sheet) },
        meetings: if spoilers.hidden() { None } else { Meetings::of(&matches, &known) },
        listing: (spoilers.hidden() && !matches.is_empty())
            .then(|| listed("The latest matches", &matches).with_spoilers(spoilers)),
        standings: if spoilers.hidden() { Vec::new() } else { known },
        played,
        more,
        otherwise: spoilers.other().in_address(event_address(&key)),
        changed: saved.as_ref().map(|saved| (saved.version, When::utc_minute(saved.at))),
        frame: Frame { umpire: visitor.name(), ..Frame::titled(&name).in_section("events").described(description) },
        edit,
        spoilers,
        archive,
        name,
    })
}
