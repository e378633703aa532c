//! The form in which each question is offered: words from a list during play, a line of notation before it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::layout::shape_word;
use super::state::Phase;
use super::submission::{Call, Move, Order};
use super::{Board, Card, Cell, Direction, Fruit, Group, HigherLower, assignment, sentences, view};
use crate::{Choice, Colour, Form, Party, Places, Refusal, Seat, Slot, Thing};

pub(super) fn of(game: &HigherLower, party: Party, what: &str) -> Option<Form> {
    let Party::Seat(seat) = party else { return host(game, what) };
    let asked = game.asked() == Some(seat);
    match (what, game.phase) {
        ("colour", Phase::Layout | Phase::Colour) if seat == game.dmo && game.fillable => Some(colour()),
        ("assign", Phase::Assign) => Some(assign(game, seat)),
        ("board", Phase::Board) if asked => Some(board(game, seat)),
        ("turn", Phase::Turn) if asked => Some(turn(game, seat)),
        ("guess", Phase::Guess) if asked => Some(guess(game, seat)),
        _ => None,
    }
}

fn host(game: &HigherLower, what: &str) -> Option<Form> {
    match (what, game.phase) {
        ("layout", Phase::Layout) => Some(Form::Line {
            hint: "layout, a board, and 25 cells row by row: c, p or g for the colour, o, t or s for the shape".into(),
            places: None,
            fields: Vec::new(),
            example: "layout A go po ct ps go po ct ps co pt cs po go co ps ct po cs pt co go cs pt co go".into(),
        }),
        ("place", _) => game.due().map(|due| Form::Line {
            hint: format!(
                "place, the letter of {}, and 25 backs row by row: a fruit's letter and a number",
                sentences::either(game.missing())
            ),
            example: Card::all()
                .take(25)
                .fold(format!("place {}", due.letter()), |line, card| line + " " + &card.text()),
            places: None,
            fields: Vec::new(),
        }),
        _ => None,
    }
}

fn words(choices: Vec<Choice>) -> Form {
    Form::Words { choices, least: 1, most: 1 }
}

fn choice(word: &'static str, label: &'static str, hint: impl Into<String>, barred: Option<Refusal>) -> Choice {
    Choice { barred, ..Choice::new(word, label, hint) }
}

fn colour() -> Form {
    words(alloc::vec![
        choice("cyan", "Cyan", "you have cyan, the opponent pink", None),
        choice("pink", "Pink", "you have pink, the opponent cyan", None),
    ])
}

fn assign(game: &HigherLower, seat: Seat) -> Form {
    Form::Line {
        hint: format!(
            "assign, and for each {} group a board, a shape and as many cards as it has cells, with | between groups",
            view::colour_of(game, seat)
        ),
        example: "assign A circle A3 A7 A9 A10 | A triangle B2 B5 B8".into(),
        places: Some(groups(game, seat)),
        fields: Vec::new(),
    }
}

fn groups(game: &HigherLower, seat: Seat) -> Places {
    let colour = game.colour(seat);
    let wanted = Group::all().filter_map(|group| Some((group, assignment::want(&game.layout, colour?, group)?.size)));
    let slot = |(group, size): (Group, u8)| {
        let fruits = Fruit::of_board(group.board).map(Fruit::letter).join(" ");
        let label = format!("Board {}, {} ({fruits})", group.board.letter(), shape_word(group.shape));
        Slot { label, lead: group.text(), least: size, most: size }
    };
    let things = Card::all().map(|card| Thing { word: card.text(), label: card.name(), worth: 0, lies: None });
    Places {
        verb: "assign",
        parted: true,
        nothing: "",
        note: "In brackets: the fruits that may go there, such as A for Apple.",
        things: things.collect(),
        places: wanted.map(slot).collect(),
    }
}

fn board(game: &HigherLower, seat: Seat) -> Form {
    let label = |board| match board {
        Board::A => "Board A",
        Board::B => "Board B",
        Board::C => "Board C",
        Board::D => "Board D",
        Board::E => "Board E",
    };
    let orders = [(Order::First.word(), "go first"), (Order::Second.word(), "go second")];
    let offered = |board: Board| Choice {
        targets: orders.to_vec(),
        ..choice(
            board.letter(),
            label(board),
            "play this board next",
            game.may(seat, &Move::Board(board, Order::First)).err(),
        )
    };
    words(Board::ALL.map(offered).to_vec())
}

fn turn(game: &HigherLower, seat: Seat) -> Form {
    let Some(board) = game.board else { return words(Vec::new()) };
    let grey = game.layout[board].coloured(Colour::Grey);
    let offered = |cell: Cell| {
        let hint = format!("turn over the {} there", game.layout[board].front(cell).name());
        choice(cell.name(), cell.name(), hint, game.may(seat, &Move::Turn(cell)).err())
    };
    words(grey.iter().map(offered).collect())
}

fn guess(game: &HigherLower, seat: Seat) -> Form {
    let calls = [(Call::Higher.word(), "higher"), (Call::Lower.word(), "lower")];
    let offered = |direction: Direction| {
        let front =
            game.neighbour(direction).zip(game.board).map(|(cell, board)| (cell, game.layout[board].front(cell)));
        let hint = front.map_or_else(String::new, |(cell, front)| format!("{}, the {}", cell.name(), front.name()));
        let barred = game.may(seat, &Move::Guess(direction, Call::Higher)).err();
        Choice { targets: calls.to_vec(), ..choice(direction.word(), direction.name(), hint, barred) }
    };
    let stop = choice("stop", "Stop", "end your turn; you keep the points", game.may(seat, &Move::Stop).err());
    words(Direction::ALL.map(offered).into_iter().chain([stop]).collect())
}
