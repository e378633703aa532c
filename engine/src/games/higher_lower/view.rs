//! The questions of the state, and its panels for a page. A face-down back is shown only to viewers who may see
//! everything, and an assignment only to its seat.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::assignment::GroupStatus;
use super::layout::colour_word;
use super::state::{MOST_TURNED, Phase};
use super::{Board, Card, Cell, Group, HigherLower, fields, placing, sentences};
use crate::{
    Ask, CardFace, CardGroup, Cell as Drawn, Closes, Colour, Figure, Mark, Panel, Seat, Shared, Sight, Sign, To,
};

/// Seconds for a choice in play. Each seat has three automatic extensions of the same length for a match.
const CHOICE_SECONDS: u32 = 30;
/// Seconds for an assignment: until an hour before the match.
const ASSIGN_SECONDS: u32 = 82_800;

pub(super) fn asks(game: &HigherLower) -> Vec<Ask> {
    match game.phase {
        Phase::Layout if game.fillable => alloc::vec![layout(game), colour(game)],
        Phase::Layout => alloc::vec![layout(game)],
        Phase::Colour => alloc::vec![colour(game)],
        Phase::Assign => Seat::BOTH.into_iter().map(assign).chain([place(game)]).collect(),
        Phase::Place => alloc::vec![place(game)],
        Phase::Board => alloc::vec![board(game)],
        Phase::Turn => alloc::vec![turn(game)],
        Phase::Guess => alloc::vec![guess(game)],
        Phase::Over => Vec::new(),
    }
}

fn layout(game: &HigherLower) -> Ask {
    let prompt = if game.fillable {
        "A board's layout, where it is not the default"
    } else {
        "Another layout: as the boards lie, fifty cards a colour cannot fill them"
    };
    Ask {
        to: To::Host,
        what: "layout".into(),
        prompt: prompt.into(),
        // A layout is public.
        fields: Shared::Static(&[]),
        clock_seconds: 0,
        default: "the default layout is used".into(),
        closes: Closes::FirstValid,
        optional: game.fillable,
    }
}

fn choice(seat: Seat, what: &'static str, prompt: String, default: &'static str) -> Ask {
    Ask {
        to: To::One(seat),
        what: what.into(),
        prompt,
        fields: fields::OPEN.into(),
        clock_seconds: CHOICE_SECONDS,
        default: default.into(),
        closes: Closes::FirstValid,
        optional: false,
    }
}

fn colour(game: &HigherLower) -> Ask {
    choice(game.dmo, "colour", "Cyan or pink".into(), "cyan")
}

fn assign(seat: Seat) -> Ask {
    Ask {
        to: To::One(seat),
        what: "assign".into(),
        prompt: "Place your 50 cards: until one hour before the match".into(),
        fields: fields::CLOSED.into(),
        clock_seconds: ASSIGN_SECONDS,
        default: "earlier assignments stay, and the rest is filled at random".into(),
        closes: Closes::AtDeadline,
        optional: true,
    }
}

fn place(game: &HigherLower) -> Ask {
    Ask {
        to: To::Host,
        what: "place".into(),
        prompt: format!("The backs of {}", sentences::either(game.missing())),
        // The fields of the board that a draw places. A line may place another board, whose backs have their own names.
        fields: game.due().map_or(Shared::Static(&[]), |board| fields::of_board(board).into()),
        clock_seconds: 0,
        default: "the match waits".into(),
        closes: Closes::FirstValid,
        optional: false,
    }
}

fn board(game: &HigherLower) -> Ask {
    let which = if game.played.count() == 0 { "The first board" } else { "The next board" };
    let default = "once the three extensions are used, the first board not played, going first";
    choice(game.turn, "board", format!("{which}: which one, and do you go first?"), default)
}

fn turn(game: &HigherLower) -> Ask {
    let board = game.board.map_or("", Board::letter);
    let default = if game.missed {
        "once the three extensions are used, the first grey card is turned over for nobody"
    } else {
        "once the three extensions are used, the turn passes"
    };
    choice(game.turn, "turn", format!("Board {board}: a grey card to turn over"), default)
}

fn guess(game: &HigherLower) -> Ask {
    let card = game.last.and_then(|cell| Some((cell, game.back(cell)?)));
    let card = card.map_or_else(String::new, |(cell, back)| format!("{} on {}", back.name(), cell.name()));
    let stop = if game.turned > 1 { ", or stop" } else { "" };
    let prompt =
        format!("Card {} of {MOST_TURNED}: {card} is up. A neighbour, higher or lower{stop}?", game.turned + 1);
    choice(game.turn, "guess", prompt, "once the three extensions are used, the turn ends")
}

pub(super) fn figures(game: &HigherLower) -> Vec<Figure> {
    let mut figures = Vec::new();
    for (seat, wins) in game.wins.each() {
        figures.push(Figure {
            name: "boards".into(),
            label: "Boards".into(),
            seat: Some(seat),
            value: i32::from(*wins),
        });
    }
    for (seat, points) in game.points.each() {
        figures.push(Figure {
            name: "points".into(),
            label: "Points".into(),
            seat: Some(seat),
            value: i32::from(*points),
        });
    }
    figures
}

pub(super) fn panels(game: &HigherLower, sight: Sight) -> Vec<Panel> {
    let mut panels = notices(game);
    panels.extend(Board::ALL.map(|board| grid(game, board, sight)));
    for seat in Seat::BOTH {
        if sight == Sight::Everything || sight == Sight::Seat(seat) {
            panels.extend(assigned(game, seat));
        }
    }
    panels
}

fn notices(game: &HigherLower) -> Vec<Panel> {
    let mut panels = Vec::new();
    let mut notice = |title: &'static str, seat, text| panels.push(Panel::Notice { title: title.into(), seat, text });
    if let Some(cyan) = game.cyan {
        let text = format!("{} has cyan, {} has pink.", cyan.name(), cyan.other().name());
        notice("Colours", None, text);
    }
    let last = game.last.and_then(|cell| Some((cell, game.back(cell)?)));
    if let Some((cell, back)) = last {
        let text = format!(
            "{} turned over {} of at most {MOST_TURNED} cards; the last is {} on {}.",
            game.turn.name(),
            game.turned,
            back.name(),
            cell.name()
        );
        notice("This turn", Some(game.turn), text);
    }
    if game.missed && game.phase == Phase::Turn {
        let who = game.turn.other();
        let text =
            format!("{} chose no grey card; if {} does not either, one is turned over.", who.name(), game.turn.name());
        notice("Missed", Some(who), text);
    }
    panels
}

fn grid(game: &HigherLower, board: Board, sight: Sight) -> Panel {
    let row = |row: usize| {
        let cells = Cell::all().skip(row * 5).take(5).map(|cell| drawn(game, board, cell, sight));
        (format!("{}", row + 1), cells.collect())
    };
    Panel::Grid {
        title: format!("Board {}", board.letter()),
        columns: ["a", "b", "c", "d", "e"].map(String::from).to_vec(),
        rows: (0..5).map(row).collect(),
        current: game.board == Some(board),
    }
}

fn drawn(game: &HigherLower, board: Board, cell: Cell, sight: Sight) -> Drawn {
    let front = game.layout[board].front(cell);
    let up = game.up[board].has(cell);
    let back = placing::back(&game.backs, board, cell);
    let shown = back.filter(|_| up || sight == Sight::Everything);
    let state = match (back, shown) {
        (_, Some(back)) if up => back.name(),
        (_, Some(back)) => format!("face down: {}", back.name()),
        (Some(_), None) => "face down".into(),
        (None, None) => "no card yet".into(),
    };
    let mark = match shown {
        Some(_) if !up => Mark::Hidden,
        Some(_) if game.board == Some(board) && game.fresh == Some(cell) => Mark::New,
        _ => Mark::None,
    };
    Drawn {
        sign: Sign::Shape(front.colour, front.shape),
        face: shown.map_or_else(String::new, Card::text),
        name: format!("{}, {}, {state}", cell.name(), front.name()),
        mark,
        up,
    }
}

fn assigned(game: &HigherLower, seat: Seat) -> Option<Panel> {
    let statuses = game.statuses(seat)?;
    let colour = game.colour(seat)?;
    let listed = Group::all().filter(|group| !game.listed[seat][*group].is_empty());
    let groups: Vec<CardGroup> = listed
        .map(|group| {
            let binds = statuses[group] == GroupStatus::Binds;
            let card_face = |card: Card| CardFace {
                card: card.text(),
                face: card.text(),
                sign: Sign::None,
                name: if binds { card.name() } else { format!("{}, which does not count", card.name()) },
                mark: if binds { Mark::None } else { Mark::Gone },
            };
            let cards: Vec<CardFace> = game.listed[seat][group].iter().map(card_face).collect();
            let cells = game.layout[group.board].group(colour, group.shape).count() as usize;
            let empty = cells.saturating_sub(cards.len()) as u8;
            CardGroup { label: group.text(), cards, empty }
        })
        .collect();
    let title = if colour == Colour::Cyan { "Assigned to cyan" } else { "Assigned to pink" };
    if groups.is_empty() {
        None
    } else {
        Some(Panel::Cards { title: title.into(), seat: Some(seat), groups, in_play: false })
    }
}

pub(super) fn colour_of(game: &HigherLower, seat: Seat) -> &'static str {
    game.colour(seat).map_or("", colour_word)
}
