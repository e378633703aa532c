//! The parts that pages are made of, each drawn in both themes by the templates that the pages use.

#[cfg(test)]
mod colours;

use std::sync::Arc;

use app::App;
use askama::Template;
use axum::Router;
use axum::response::Response;
use axum::routing::get;
use engine::{BySeat, Duel, Party, Seat, Setup, Sight};

use page::controls::Controls;
use page::{ActionIcon, Board, CardText, Course, Frame, IntervalBar, PartyMark, Rate, SeatName, page};
use web_http::Problem;
use web_http::visitor::Visitor;

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
    ("p1", "seat 1, a full square"),
    ("p2", "seat 2, an open circle"),
    ("bad", "what failed, and interventions"),
    ("good", "what is in order"),
];

const FIVE_CARD: &str = "five-card-trick/dm-colosseum-2";
const FINAL: &str = "five-card-trick/zeros-gauntlet-final";
const THWART: &str = "thwart-13/dm-colosseum-2";
const DEAL: &str = "devils-deal/blooming-genius";
const BOARDS: &str = "higher-lower/tempo-up";

/// The lines until a card of the first board is turned.
const TURNED: &[&str] = &[
    "p2: colour cyan",
    "host: place A A5 A10 B2 E8 A2 A1 B5 E5 A1 B5 E8 A7 A9 A7 E2 B8 A4 E5 B2 A4 A3 E2 B8 A10 A8",
    "host: place B B10 C2 B1 A2 B7 C5 A8 B1 C8 A5 B2 B4 B3 B4 B8 A5 C8 B1 A8 C5 B7 A2 B7 C2 B10",
    "host: place C C1 B9 D2 C10 B3 D8 C1 C7 C5 B6 D5 C4 C7 C4 D5 B6 C9 C7 C3 D8 B3 C10 D2 B9 C1",
    "host: place D D10 C3 E9 D1 C9 E3 D7 D2 C6 E6 D4 D1 D5 D9 D4 E6 C6 D10 D7 E3 C9 D1 E9 C3 D10",
    "host: place E E1 E2 D3 A9 E4 D9 A3 E10 D6 E4 A6 E7 E5 E7 A6 E7 D6 E10 A3 D9 E4 A9 D3 E9 E1",
    "p2: board A first",
    "p2: turn a1",
];

/// A position of each kind of board: who sees it, the ruleset, and the lines until there.
const POSITIONS: [(&str, Sight, &str, &[&str]); 5] = [
    ("Lamps and chips", Sight::Everything, FIVE_CARD, &["score grow / score steal", "score steal / claim block:claim"]),
    ("Hands and a deck", Sight::Everything, THWART, &["TH / 2C", "back / front", "9D / 9D"]),
    ("Cards face down", Sight::Seat(Seat::P1), THWART, &["TH / 2C", "back / front"]),
    (
        "Pools and bets",
        Sight::Everything,
        DEAL,
        &["host: deal R2 G5 B1 B7 G9 | R1 G2 B3 R8 R9", "p2: start p1", "p1: stand", "p2: stand", "host: community R5"],
    ),
    ("A board of cells", Sight::Seat(Seat::P1), BOARDS, TURNED),
];

/// A question for each kind of control: whom it asks, what, and the lines until there.
const QUESTIONS: [(&str, &str, Seat, &str, &[&str]); 6] = [
    ("Action cards and a target", FIVE_CARD, Seat::P1, "round", &["score / grow", "score / grow"]),
    ("Cards that count twice", FINAL, Seat::P1, "round", &[]),
    ("One card of a deck", THWART, Seat::P1, "select", &["TH / 2C", "back / front"]),
    (
        "Cards into piles",
        DEAL,
        Seat::P1,
        "divide",
        &[
            "host: deal R2 G5 B1 B7 G9 | R1 G2 B3 R8 R9",
            "p2: start p1",
            "p1: refill",
            "host: offer G5 B3 R3 R7 B6 G1 G2 G8 B5 R2 B9 G6",
        ],
    ),
    (
        "One card of a few",
        DEAL,
        Seat::P2,
        "take",
        &[
            "host: deal R2 G5 B1 B7 G9 | R1 G2 B3 R8 R9",
            "p2: start p1",
            "p1: refill",
            "host: offer G5 B3 R3 R7 B6 G1 G2 G8 B5 R2 B9 G6",
            "p1: divide B9 | G8 G1 | aside R7 G2",
        ],
    ),
    ("Cells of a board", BOARDS, Seat::P2, "guess", TURNED),
];

/// What can become of an action: its word in the style sheet, and for people.
const FATES: [(&str, &str); 5] = [
    ("resolved", "+1"),
    ("cancelled", "cancelled"),
    ("blocked", "blocked"),
    ("failed", "failed"),
    ("left-out", "left out"),
];

#[derive(Template)]
#[template(path = "style/style.html")]
struct Style {
    frame: Frame,
    colours: [(&'static str, &'static str); 12],
    names: BySeat<SeatName>,
    host: PartyMark,
    boards: Vec<(&'static str, Board)>,
    /// Each theme with the questions in it: every form needs names of its own.
    themes: [(&'static str, Vec<(&'static str, Controls)>); 2],
    fates: Vec<(ActionIcon, &'static str, &'static str, &'static str)>,
    actions: Vec<(&'static str, ActionIcon)>,
    games: Vec<(&'static str, ActionIcon)>,
    cards: CardText,
    bar: Option<IntervalBar>,
    course: Option<Course>,
}

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/style", get(show))
}

async fn show(visitor: Visitor) -> Result<Response, Problem> {
    let described = "Seats, cards, boards, clocks, buttons and notices of this site, in light and in dark.";
    page(&style(Frame { umpire: visitor.name(), ..Frame::titled("Colours and icons").described(described) }))
}

fn style(frame: Frame) -> Style {
    let names = BySeat { p1: "Ada", p2: "Bo" };
    let names = BySeat::from_fn(|seat| SeatName { seat, name: names[seat].to_owned(), winner: seat == Seat::P1 });
    let played = icons(&picture::icon::ACTIONS).into_iter().zip(FATES);
    Style {
        frame,
        colours: COLOURS,
        names,
        host: PartyMark(Party::Host),
        boards: POSITIONS.into_iter().filter_map(board).collect(),
        themes: ["light", "dark"]
            .map(|theme| (theme, QUESTIONS.into_iter().filter_map(|question| controls(theme, question)).collect())),
        fates: played.map(|((word, icon), (fate, says))| (icon, word, fate, says)).collect(),
        actions: icons(&picture::icon::ACTIONS),
        games: icons(&picture::icon::GAMES),
        cards: CardText::of_ruleset(&engine::games::devils_deal::BLOOMING_GENIUS, "Ada has a pair: G7 R7 B1."),
        bar: IntervalBar::beside(Rate { k: 40, n: 100 }, Rate { k: 25, n: 100 }),
        course: Course::of("five-card-trick", &COURSE),
    }
}

/// The course of a match, as lists store it: how far the first seat was ahead, in hundredths.
const COURSE: [u8; 8] = [0, 20, 40, 20, 236, 216, 30, 60];

fn icons(list: &'static [(&'static str, &'static str)]) -> Vec<(&'static str, ActionIcon)> {
    list.iter().map(|(word, outline)| (*word, ActionIcon(outline))).collect()
}

fn duel(ruleset: &str, lines: &[&str]) -> Option<Duel> {
    let dmo = engine::ruleset(ruleset).ok()?.card().needs_dmo.then_some(Seat::P2);
    let mut duel = Duel::open(&Setup { ruleset: ruleset.to_owned(), dmo, ..Setup::default() }).ok()?;
    for line in lines {
        duel.play(line, None).ok()?;
    }
    Some(duel)
}

fn board((title, sight, ruleset, lines): (&'static str, Sight, &str, &[&str])) -> Option<(&'static str, Board)> {
    Some((title, Board::without_match(title, &duel(ruleset, lines)?, sight)))
}

fn controls(
    theme: &str,
    (title, ruleset, seat, what, lines): (&'static str, &str, Seat, &str, &[&str]),
) -> Option<(&'static str, Controls)> {
    let duel = duel(ruleset, lines)?;
    let (view, name) = (duel.view(Sight::Seat(seat)), format!("{theme}-{}", title.replace(' ', "-")));
    let names = BySeat { p1: "Ada", p2: "Bo" };
    let controls = Controls::of(&name, &duel.form(seat, what)?, &view, names, what == "round", &[])?;
    Some((title, controls.prefixed(&format!("{name}-"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_can_be_played_and_every_question_asked() {
        for position in POSITIONS {
            assert!(board(position).is_some(), "{}", position.0);
        }
        for question in QUESTIONS {
            assert!(controls("light", question).is_some(), "{}", question.0);
        }
    }

    /// Every class that a style sheet of the table lists at its head, and what else it draws.
    #[test]
    fn every_part_of_the_table_is_on_the_page() {
        let drawn = style(Frame::titled("Colours and icons")).render().expect("a page");
        let head = include_str!("../../../assets/play.css").split("*/").next().unwrap_or_default();
        let parts = head.lines().filter_map(|line| line.trim_start().split_once("parts: ")).map(|(_, parts)| parts);
        let parts: Vec<&str> = parts.flat_map(|parts| parts.split(',').map(str::trim)).collect();
        assert!(parts.len() > 20, "{parts:?}");
        let shown = |part: &&str| {
            drawn
                .split("class=\"")
                .skip(1)
                .any(|rest| rest.split('"').next().unwrap_or_default().split(' ').any(|class| class == *part))
        };
        let missing: Vec<&str> = parts.into_iter().filter(|part| !shown(part)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
