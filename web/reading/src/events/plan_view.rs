//! The plan of an event as it is drawn: a bracket, or pairings with their tables.

use app::archive::MatchSummary;
use app::tournament::{Bout, EventSheet, Format, Slot, Table};
use app::umpires::Planned;
use app::views::match_address;
use askama::Template;
use engine::{BySeat, Seat};
use ledger::MatchId;
use record::name_key;

use page::{Cover, When, with_parameters};

#[derive(Debug, Template)]
#[template(path = "events/plan.html")]
pub(super) struct PlanView {
    title: &'static str,
    is_bracket: bool,
    rounds: Vec<(String, Vec<Pairing>)>,
    tables: Vec<Table>,
    /// The page on which its host changes the plan and pairs the next round.
    edit: Option<String>,
}

#[derive(Debug)]
struct Pairing {
    sides: [Side; 2],
    is_running: bool,
    is_bye: bool,
    address: Option<String>,
    planned: Option<When>,
    /// The form that opens the match, filled in.
    open: Option<String>,
}

#[derive(Debug)]
struct Side {
    name: String,
    cover: Option<Cover>,
    score: Option<i32>,
    /// `won`, `lost`, or nothing.
    class: &'static str,
}

/// Whom a plan is drawn for: the event, what is planned there, and if its matches are opened from here.
pub(super) struct Drawn<'d> {
    pub(super) event: &'d str,
    pub(super) matches: &'d [MatchSummary],
    pub(super) planned: &'d [Planned],
    pub(super) edit: Option<String>,
}

impl PlanView {
    pub(super) fn of(sheet: &EventSheet, drawn: Drawn<'_>) -> Option<Self> {
        let plan = sheet.plan(drawn.matches)?;
        let monogram = |name: &str| {
            let member = sheet.cast.iter().find(|member| name_key(&member.name) == name_key(name));
            member.map_or("", |member| member.monogram.as_str())
        };
        let pairing = |bout: Bout| Pairing::of(&bout, &drawn, &monogram);
        let rounds = plan.rounds.into_iter().map(|round| (round.title, round.bouts.into_iter().map(pairing).collect()));
        Some(Self {
            title: if sheet.format == Format::SingleElimination { "Bracket" } else { sheet.format.title() },
            is_bracket: matches!(sheet.format, Format::SingleElimination | Format::DoubleElimination),
            rounds: rounds.collect(),
            tables: plan.tables,
            edit: drawn.edit,
        })
    }
}

impl Pairing {
    fn of<'n>(bout: &Bout, drawn: &Drawn<'_>, monogram: &impl Fn(&str) -> &'n str) -> Self {
        let listed = bout.found.and_then(|found| drawn.matches.get(found));
        let ready = bout.ready();
        let same = |plan: &&Planned| {
            let both = [&plan.p1, &plan.p2].map(|name| name_key(name));
            ready.is_some_and(|ready| ready.iter().all(|name| both.contains(&name_key(name))))
        };
        let planned = drawn.planned.iter().find(same);
        let side = |(seat, slot): (Seat, &Slot)| {
            let class = match bout.winner {
                Some(winner) if winner == seat => "won",
                Some(_) => "lost",
                None => "",
            };
            let score = bout.scores.as_ref().map(|scores: &BySeat<i32>| scores[seat]);
            let (name, cover) = match slot {
                Slot::Named(name) => (name.clone(), Some(Cover::of(name).lettered(monogram(name)))),
                Slot::Open => ("to be decided".to_owned(), None),
                Slot::Bye => ("bye".to_owned(), None),
            };
            Side { name, cover, score, class }
        };
        let open = ready.filter(|_| drawn.edit.is_some()).map(|[p1, p2]| match planned {
            Some(plan) => format!("/umpire/open?plan={}", plan.name()),
            None => with_parameters("/umpire/open", [("event", drawn.event), ("p1", p1), ("p2", p2)]),
        });
        Self {
            sides: bout.sides.each().map(side),
            is_running: bout.is_running,
            is_bye: bout.has_bye(),
            address: listed.map(|listed| {
                let page = match_address(MatchId(listed.match_id));
                if bout.is_running { format!("{page}/live") } else { page }
            }),
            planned: planned.map(|plan| When::utc_minute(plan.starts_at)),
            open,
        }
    }
}
