//! The events of a turn, in one sentence each, with its rule. A back is named only once it is turned face up.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::assignment::{self, GroupStatus};
use super::clauses::number;
use super::group::{ByGroup, GroupFault};
use super::layout::colour_word;
use super::submission::{Call, Draw, Move, Order};
use super::{Board, Card, Cell, Direction, Fronts, Fruit, Group, HigherLower, Layout};
use crate::effect::event;
use crate::{Colour, Effect, Fate, Seat};

fn defaulted(seat: Seat, text: String) -> Effect {
    Effect { fate: Fate::Defaulted, ..event(Some(seat), number::CLOCK, text) }
}

fn resolved(seat: Seat, subject: String, rule: &'static str, text: String) -> Effect {
    Effect { seat: Some(seat), subject, fate: Fate::Resolved, rule, text, hand: None }
}

fn count(count: u8, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

pub(super) fn either(boards: impl Iterator<Item = Board>) -> String {
    let letters: Vec<&str> = boards.map(Board::letter).collect();
    match letters.split_last() {
        Some((last, others)) if !others.is_empty() => format!("board {} or {last}", others.join(", ")),
        _ => format!("board {}", letters.concat()),
    }
}

pub(super) fn laid_out(board: Board, fronts: &Fronts, again: bool) -> Effect {
    let cells = |colour| fronts.coloured(colour).count();
    let (cyan, pink, grey) = (cells(Colour::Cyan), cells(Colour::Pink), cells(Colour::Grey));
    let (again, rule) = if again { (" again", number::AGAIN) } else { ("", number::LAYOUT) };
    let text = format!(
        "The host laid out board {}{again}: {cyan} cells are cyan, {pink} pink and {grey} grey.",
        board.letter()
    );
    event(None, rule, text)
}

pub(super) fn coloured(seat: Seat, chosen: Option<Colour>) -> Effect {
    let (me, you) = (seat.name(), seat.other().name());
    match chosen {
        Some(colour) => {
            let other = if colour == Colour::Cyan { Colour::Pink } else { Colour::Cyan };
            let text = format!("{me} takes {}, so {you} has {}.", colour_word(colour), colour_word(other));
            resolved(seat, "Colour".into(), number::COLOURS, text)
        }
        None => defaulted(seat, format!("{me} named no colour in time and has cyan; {you} has pink.")),
    }
}

pub(super) fn assigned(seat: Seat) -> Effect {
    let text = format!("{} assigned cards without showing {} which.", seat.name(), seat.other().name());
    event(Some(seat), number::ASSIGNING, text)
}

pub(super) fn placed(board: Board) -> Effect {
    event(None, number::PLACING, format!("Board {} was placed: 25 cards lie face down.", board.letter()))
}

pub(super) fn all_placed(dmo: Seat) -> Effect {
    event(Some(dmo), number::BOARD, format!("All five boards are placed: {} chooses the first.", dmo.name()))
}

pub(super) fn chosen(seat: Seat, board: Board, first: Seat, missed: bool) -> Effect {
    let (me, letter) = (seat.name(), board.letter());
    if missed {
        let missed = |text| Effect { rule: number::MISSED_BOARD, ..defaulted(seat, text) };
        return missed(format!("{me} chose no board in time: board {letter} comes next, and {me} goes first."));
    }
    let goes = if first == seat { "goes first on it".into() } else { format!("lets {} go first on it", first.name()) };
    resolved(seat, format!("Board {letter}"), number::BOARD, format!("{me} chose board {letter} and {goes}."))
}

fn card(game: &HigherLower, cell: Cell) -> String {
    let back = game.back(cell).map_or_else(String::new, Card::name);
    format!("{}: {back}", cell.name())
}

pub(super) fn opened(game: &HigherLower, seat: Seat, cell: Cell) -> Effect {
    let text = format!("{} turned over the grey card on {}.", seat.name(), card(game, cell));
    resolved(seat, format!("Turn {}", cell.name()), number::TURNING, text)
}

pub(super) fn guessed(
    seat: Seat,
    (direction, call): (Direction, Call),
    (cell, found): (Cell, Card),
    known: Card,
    right: bool,
) -> Effect {
    let me = seat.name();
    let claim = format!("{} on {}", found.name(), cell.name());
    let (said, before) = (call.word(), known.number());
    let (fate, text) = if right {
        (Fate::Resolved, format!("{me} said {said} than {before}, and found {claim}: 1 point."))
    } else if found.number() == before {
        (Fate::Failed, format!("{me} said {said} than {before}, and found {claim}, the same number: the turn ends."))
    } else {
        (Fate::Failed, format!("{me} said {said} than {before}, and found {claim}: the turn ends."))
    };
    let subject = format!("{} {said}", direction.name());
    let rule = if right { number::PREDICTING } else { number::TURN_END };
    Effect { seat: Some(seat), subject, fate, rule, text, hand: None }
}

pub(super) fn stopped(seat: Seat, turned: u8) -> Effect {
    let text = format!("{} stopped after {}.", seat.name(), count(turned, "card"));
    resolved(seat, "Stop".into(), number::STOPPING, text)
}

pub(super) fn eight(seat: Seat) -> Effect {
    let text = format!("{} has turned over eight cards, the most in one turn: the turn ends.", seat.name());
    event(Some(seat), number::TURN_END, text)
}

pub(super) fn shut_in(seat: Seat) -> Effect {
    let text = format!("No neighbour of that card lies face down: {}'s turn ends.", seat.name());
    event(Some(seat), number::TURN_END, text)
}

pub(super) fn ran_out(seat: Seat) -> Effect {
    defaulted(seat, format!("{} predicted nothing in time: the turn ends.", seat.name()))
}

pub(super) fn passed(seat: Seat) -> Effect {
    let text = format!("{} chose no grey card in time: the turn goes to {}.", seat.name(), seat.other().name());
    Effect { rule: number::MISSES, ..defaulted(seat, text) }
}

pub(super) fn turned_for_nobody(game: &HigherLower, seat: Seat, cell: Cell) -> Effect {
    let (me, you) = (seat.name(), seat.other().name());
    let text = format!(
        "{me} chose no grey card in time either: the first one is turned over, {}, and nobody has its turn. {you} would be next.",
        card(game, cell)
    );
    Effect { rule: number::MISSES, ..defaulted(seat, text) }
}

pub(super) fn board_won(game: &HigherLower, winner: Seat) -> Effect {
    let letter = game.board.map_or("", Board::letter);
    let (mine, other) = (game.points[winner], game.points[winner.other()]);
    let me = winner.name();
    let how = if mine == other {
        format!("{me} wins board {letter}, {mine} to {other}, because {me} went second")
    } else {
        format!("{me} wins board {letter}, {mine} to {other}")
    };
    let text = format!(
        "All grey cards lie face up and the turn is over: {how}. That makes {}.",
        count(game.wins[winner], "board")
    );
    event(Some(winner), number::BOARD_END, text)
}

pub(super) fn loser_chooses(seat: Seat) -> Effect {
    event(Some(seat), number::BOARD, format!("{} lost the board and chooses the next one.", seat.name()))
}

pub(super) fn ended(winner: Seat) -> Effect {
    event(Some(winner), number::END, format!("{} wins the match: three boards won.", winner.name()))
}

pub(super) fn describe(sent: &Move) -> String {
    match sent {
        Move::Missing => "no move".into(),
        Move::Colour(colour) => format!("takes {}", colour_word(*colour)),
        Move::Board(board, Order::First) => format!("board {}, and goes first", board.letter()),
        Move::Board(board, Order::Second) => format!("board {}, and goes second", board.letter()),
        Move::Turn(cell) => format!("turns over the grey card on {}", cell.name()),
        Move::Guess(direction, call) => format!("the card to the {} is {}", direction.word(), call.word()),
        Move::Stop => "stops".into(),
        Move::Assign(groups) => groups.iter().map(group).collect::<Vec<_>>().join("; "),
    }
}

pub(super) fn kind(kind: &str) -> String {
    match kind.split(' ').collect::<Vec<_>>().as_slice() {
        ["colour", colour] => format!("takes {colour}"),
        ["assign"] => "assigns cards".into(),
        ["board", board, order] => format!("takes board {board} and goes {order}"),
        ["turn"] => "turns over a grey card".into(),
        [direction, call @ ("higher" | "lower")] => format!("says that the card to the {direction} is {call}"),
        ["stop"] => "stops".into(),
        _ => kind.into(),
    }
}

fn group((group, cards): &(Group, Vec<Card>)) -> String {
    format!("{}: {}", group.text(), cards.iter().copied().map(Card::name).collect::<Vec<_>>().join(", "))
}

pub(super) fn describe_draw(draw: &Draw) -> String {
    match draw {
        Draw::Layout(board, fronts) => {
            let cells = |colour| fronts.iter().filter(|front| front.colour == colour).count();
            let (cyan, pink, grey) = (cells(Colour::Cyan), cells(Colour::Pink), cells(Colour::Grey));
            format!("board {} with {cyan} cyan, {pink} pink and {grey} grey cells", board.letter())
        }
        Draw::Place(board, backs) => {
            let cards = Cell::all().zip(backs).map(|(cell, card)| format!("{} {}", cell.name(), card.name()));
            format!("board {}: {}", board.letter(), cards.collect::<Vec<_>>().join(", "))
        }
    }
}

pub(super) fn forewarn(
    layout: &Layout,
    colour: Colour,
    groups: &[(Group, Vec<Card>)],
    statuses: &ByGroup<GroupStatus>,
) -> Vec<String> {
    let mut notes = Vec::new();
    for (group, cards) in groups {
        let (name, letter) = (group.text(), group.board.letter());
        let size = assignment::want(layout, colour, *group).map_or(0, |want| want.size);
        let (why, rule) = match statuses[*group] {
            GroupStatus::Binds => continue,
            GroupStatus::NoCells => {
                notes.push(format!(
                    "{name}: there is no {} cell of that shape, and the cards stay free (rule {}).",
                    colour_word(colour),
                    number::INVALID
                ));
                continue;
            }
            GroupStatus::Unlisted => ("it names a card twice".into(), number::ONCE),
            GroupStatus::Unfit(GroupFault::Count) => {
                (format!("it has {} for {}", count(cards.len() as u8, "card"), count(size, "cell")), number::ASSIGNING)
            }
            GroupStatus::Unfit(GroupFault::Fruit(fruit)) => {
                let [a, b, c] = Fruit::of_board(group.board).map(Fruit::name);
                (format!("board {letter} takes {a}, {b} and {c}, and no {}", fruit.name()), number::FRUITS)
            }
            GroupStatus::Unfit(GroupFault::Pattern) => {
                ("it is neither all one fruit nor all different fruits with different numbers".into(), number::PATTERN)
            }
            GroupStatus::Taken(card) => (format!("{} lies in an earlier group already", card.name()), number::ONCE),
            GroupStatus::Dropped => {
                ("with it and the groups before it, the other groups cannot all be filled".into(), number::STANDS)
            }
        };
        notes.push(format!("{name} will not count and be filled at random: {why} (rule {rule})."));
    }
    notes
}
