//! The parts that pages are made of, each drawn in both themes by the templates that the pages use.

#[cfg(test)]
mod colours;

use std::sync::Arc;

use app::App;
use askama::Template;
use axum::Router;
use axum::response::Response;
use axum::routing::get;
use engine::{BySeat, Duel, Party, Seat, Setup};

use crate::http::Problem;
use crate::page::{ActionIcon, Board, CardText, Course, Frame, IntervalBar, PartyMark, Rate, SeatName, page};
use crate::visitor::Visitor;

/// The colours that have a name, each with its use.
const COLOURS: [(&str, &str); 12] = [
    ("paper", "the page"),
    ("sheet", "cards and panels"),
    ("tint", "quiet areas"),
    ("edge", "borders of buttons and fields"),
    ("ink", "text"),
    ("muted", "small print"),
    ("link", "links"),
    ("accent", "the main button"),
    ("p1", "the first seat, a square"),
    ("p2", "the second seat, a disc"),
    ("red", "what failed, and rulings"),
    ("green", "what is in order"),
];

/// A position of each kind of board: the ruleset, the seat that chose to be the DMO, and the lines until there.
const POSITIONS: [(&str, &str, &[&str]); 3] = [
    (
        "Lamps and chips",
        "five-card-trick/dm-colosseum-2",
        &["score grow / score steal", "score steal / claim block:claim"],
    ),
    ("Hands and a deck", "thwart-13/dm-colosseum-2", &["TH / 2C", "back / front", "9D / 9D"]),
    (
        "Pools and bets",
        "devils-deal/blooming-genius",
        &["host: deal R2 G5 B1 B7 G9 | R1 G2 B3 R8 R9", "p2: start p1", "p1: stand", "p2: stand", "host: community R5"],
    ),
];

#[derive(Template)]
#[template(path = "style/style.html")]
struct Style {
    frame: Frame,
    colours: [(&'static str, &'static str); 12],
    names: BySeat<SeatName>,
    host: PartyMark,
    boards: Vec<(&'static str, Board)>,
    actions: Vec<(&'static str, ActionIcon)>,
    games: Vec<(&'static str, ActionIcon)>,
    /// A text with cards.
    cards: CardText,
    /// A rate beside the average, and a course of the scores.
    bar: Option<IntervalBar>,
    course: Option<Course>,
}

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new().route("/style", get(show))
}

/// `GET /style`.
async fn show(visitor: Visitor) -> Result<Response, Problem> {
    let names = BySeat { p1: "Ada", p2: "Bo" };
    let names = BySeat::from_fn(|seat| SeatName { seat, name: names[seat].to_owned(), winner: seat == Seat::P1 });
    let icons =
        |list: &'static [(&str, &str)]| list.iter().map(|(word, outline)| (*word, ActionIcon(outline))).collect();
    let described = "Seats, cards, boards, clocks, buttons and notices of this site, in light and in dark.";
    page(&Style {
        frame: Frame { umpire: visitor.name(), ..Frame::titled("Colours and icons").described(described) },
        colours: COLOURS,
        names,
        host: PartyMark(Party::Host),
        boards: POSITIONS.into_iter().filter_map(|(title, ..)| Some((title, board(title)?))).collect(),
        actions: icons(&picture::icon::ACTIONS),
        games: icons(&picture::icon::GAMES),
        cards: CardText::of_ruleset("devils-deal/blooming-genius", "Ada has a pair: G7 R7 B1."),
        bar: IntervalBar::beside(Rate { k: 40, n: 100 }, Rate { k: 25, n: 100 }),
        course: Course::of(&COURSE),
    })
}

/// The course of a match, as lists store it: how far the first seat was ahead, in hundredths.
const COURSE: [u8; 8] = [0, 20, 40, 20, 236, 216, 30, 60];

fn board(title: &str) -> Option<Board> {
    let (_, ruleset, lines) = POSITIONS.into_iter().find(|(known, ..)| *known == title)?;
    let needs_dmo = engine::rulesets().any(|known| known.card().id == ruleset && known.card().needs_dmo);
    let dmo = needs_dmo.then_some(Seat::P2);
    let mut duel = Duel::open(&Setup { ruleset: ruleset.to_owned(), dmo, ..Setup::default() }).ok()?;
    for line in lines {
        duel.play(line, None).ok()?;
    }
    Some(Board::without_match(title, &duel))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_can_be_played() {
        for (title, ..) in POSITIONS {
            assert!(board(title).is_some(), "{title}");
        }
    }
}
