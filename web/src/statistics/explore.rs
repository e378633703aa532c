//! From this situation: which moves met, and what came of them. The situation is the state after the moves that the address
//! names, so that different ways to the same state meet in it.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use engine::{BySeat, Duel, Ruleset, Seat, Setup, To};

use super::counted::{OPENING_STEPS, Situation};
use super::kept;
use super::named;
use super::ruleset::Pair;
use crate::account::Visitor;
use crate::book::Book;
use crate::page::listing::ruleset_name;
use crate::page::{Board, Frame, Problem, Segments, capital, page};

/// Pairs that are shown.
const PAIRS: i64 = 100;

#[derive(Template)]
#[template(path = "statistics/explore.html")]
struct Explore {
    frame: Frame,
    name: String,
    address: String,
    /// The ruleset's statistics.
    home: String,
    /// The moves up to here, each with the address of the situation after it.
    path: Vec<(String, String)>,
    /// The state: figures, lights, and whatever else belongs to it.
    board: Board,
    n: i64,
    pairs: Vec<Pair>,
    /// Whether nothing is kept of a situation so late.
    late: bool,
}

/// A match of a ruleset before its first step, as an explorer sees it: without items, and the second seat is the DMO.
fn start(ruleset: &dyn Ruleset) -> Option<Duel> {
    let card = ruleset.card();
    let setup = Setup {
        ruleset: card.id.to_owned(),
        options: Vec::new(),
        dmo: card.needs_dmo.then_some(Seat::P2),
        items: BySeat { p1: Vec::new(), p2: Vec::new() },
    };
    ruleset.open(&setup).ok()
}

/// Whether the players make the first step. Where the host does, no two matches begin alike.
pub(super) fn begins_with_players(ruleset: &dyn Ruleset) -> bool {
    start(ruleset).is_some_and(|duel| duel.asks().last().is_some_and(|ask| ask.to != To::Host))
}

/// `GET /statistics/{game}/{ruleset}/explore?line=...&line=...`
pub(super) async fn explore(
    State(book): State<Arc<Book>>,
    visitor: Visitor,
    Segments((game, id)): Segments<(String, String)>,
    Query(asked): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let ruleset = named(&game, &id)?;
    let id = ruleset.card().id;
    let back = || Problem::not_found("No two matches of this ruleset begin alike, so there is nothing to explore.");
    let mut duel = start(ruleset)
        .filter(|_| begins_with_players(ruleset))
        .ok_or_else(|| back().back(format!("/statistics/{id}"), "See its statistics"))?;
    let address = format!("/statistics/{id}/explore");
    let lines: Vec<&String> = asked.iter().filter(|(name, _)| name == "line").map(|(_, line)| line).collect();
    let (mut path, mut here) = (Vec::new(), address.clone());
    for line in lines.iter().take(OPENING_STEPS) {
        let before = duel.clone();
        let played = duel.play(line, None).map_err(|refusal| {
            Problem::refused(format!("\u{201c}{line}\u{201d} cannot be played there: {refusal}"))
                .back(here.clone(), "Go to the situation before it")
        })?;
        here = further(&here, &played.text);
        let sent = Seat::BOTH.into_iter().filter_map(|seat| {
            let sent = played.moves[seat].as_deref()?;
            before.asks().iter().find_map(|ask| told(&before, seat, ask.what, sent))
        });
        let sent: Vec<String> = sent.collect();
        path.push((if sent.is_empty() { played.text } else { sent.join(" against ") }, here.clone()));
    }
    let late = path.len() >= OPENING_STEPS;
    let found = if late { Vec::new() } else { kept::pairs(&book, id, Situation::state(&duel), None, PAIRS).await? };
    let pairs = found.iter().map(|pair| {
        let sent = [&pair.p1, &pair.p2].map(|sent| Some(sent.clone()).filter(|sent| !sent.is_empty()));
        let [p1, p2] = sent;
        let said = Seat::BOTH.map(|seat| match if seat == Seat::P1 { &p1 } else { &p2 } {
            None => "Not asked".to_owned(),
            Some(sent) => told(&duel, seat, &pair.what, sent).unwrap_or_else(|| sent.clone()),
        });
        Pair::of(pair, said, further(&here, &duel.line(&BySeat { p1, p2 })))
    });
    let frame = Frame::titled(format!("Explore {}", ruleset_name(id)))
        .in_section("archive")
        .described("From a situation: which answers met, how often, and what came of it.");
    page(&Explore {
        frame: Frame { umpire: visitor.name(), ..frame },
        name: ruleset_name(id),
        n: found.iter().map(|pair| pair.sum.n).sum(),
        pairs: pairs.collect(),
        board: Board::of_anybody("The situation", &duel),
        path,
        home: format!("/statistics/{id}"),
        address,
        late,
    })
}

/// The address one line further on.
fn further(address: &str, line: &str) -> String {
    let sign = if address.contains('?') { '&' } else { '?' };
    match askama::filters::urlencode_strict(line) {
        Ok(line) => format!("{address}{sign}line={line}"),
        Err(never) => match never {},
    }
}

/// What a seat sent, in full words; none where that question is not asked of it so.
fn told(duel: &Duel, seat: Seat, what: &str, sent: &str) -> Option<String> {
    duel.read(seat, what, sent).ok().map(|reading| capital(&reading.words))
}
