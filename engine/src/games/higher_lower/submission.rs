//! A seat's moves and the host's layouts and placements, read leniently and written canonically.

use alloc::string::String;
use alloc::vec::Vec;

use super::layout::{SHAPES, colour_word, shape_word};
use super::{Board, Card, Cell, Direction, Front, Group};
use crate::{Colour, Refusal, Shape, vocabulary};

/// A seat's move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// Nothing came in time: `-`.
    Missing,
    /// The DMO's colour: cyan or pink.
    Colour(Colour),
    /// Cards for some of the seat's groups, both in the order given.
    Assign(Vec<(Group, Vec<Card>)>),
    /// The next board, and the chooser's order on it.
    Board(Board, Order),
    /// A grey card to turn over.
    Turn(Cell),
    /// A neighbour of the card turned last, and a prediction of its number.
    Guess(Direction, Call),
    /// No further card in this turn.
    Stop,
}

/// The order of the seats on a board, for the seat that chooses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The chooser goes first.
    First,
    /// The other seat goes first.
    Second,
}

/// The prediction of a card's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// More than the number turned last.
    Higher,
    /// Less than it.
    Lower,
}

impl Order {
    /// The notation's word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }
}

impl Call {
    /// The notation's word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Higher => "higher",
            Self::Lower => "lower",
        }
    }
}

/// A layout or a placement of the host, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Draw {
    /// A board's fronts.
    Layout(Board, [Front; 25]),
    /// A board's backs.
    Place(Board, [Card; 25]),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Colour,
    Assign,
    Board,
    Turn,
    Guess,
}

const COLOURS: [(&str, Colour); 2] = [("cyan", Colour::Cyan), ("pink", Colour::Pink)];

#[derive(Clone, Copy)]
enum Word {
    Direction(Direction),
    Call(Call),
    Stop,
}

const GUESSES: [(&str, Word); 7] = [
    ("north", Word::Direction(Direction::North)),
    ("east", Word::Direction(Direction::East)),
    ("south", Word::Direction(Direction::South)),
    ("west", Word::Direction(Direction::West)),
    ("higher", Word::Call(Call::Higher)),
    ("lower", Word::Call(Call::Lower)),
    ("stop", Word::Stop),
];

/// Words with their byte offsets. Colons and commas separate like spaces.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let separates = |symbol: char| symbol.is_whitespace() || matches!(symbol, ':' | ',');
    let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    text.split(separates).filter(|word| !word.is_empty()).map(move |word| (place(word), word))
}

fn named(word: &str) -> Option<Kind> {
    let is = |known: &str| known.eq_ignore_ascii_case(word);
    if COLOURS.iter().any(|(known, _)| is(known)) || is("colour") || is("color") {
        return Some(Kind::Colour);
    }
    if GUESSES.iter().any(|(known, _)| is(known)) {
        return Some(Kind::Guess);
    }
    let kinds = [("assign", Kind::Assign), ("board", Kind::Board), ("turn", Kind::Turn)];
    kinds.into_iter().find(|(known, _)| is(known)).map(|(_, kind)| kind)
}

/// Reads a move when this kind is asked; another kind needs its whole word.
pub(super) fn read(asked: Kind, text: &str) -> Result<Move, Refusal> {
    let text = text.trim_end();
    if text == "-" {
        return Ok(Move::Missing);
    }
    if text == "?" {
        return Err(Refusal::of_sealed(0));
    }
    let first = tokens(text).next().map_or("", |(_, word)| word);
    match named(first).unwrap_or(asked) {
        Kind::Colour => read_colour(text),
        Kind::Assign => read_assignment(text),
        Kind::Board => read_board(text),
        Kind::Turn => read_turn(text),
        Kind::Guess => read_guess(text),
    }
}

fn missing(text: &str, expected: &str) -> Refusal {
    Refusal::of_text(text.len(), "", expected)
}

fn once<T>(place: &mut Option<T>, value: T, at: usize, token: &str, expected: &str) -> Result<(), Refusal> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(Refusal::of_text(at, token, expected)),
    }
}

/// The words without the verb, at whatever place it is. The verb is not needed.
fn without_verb<'t>(text: &'t str, verb: &str, at_least: usize) -> Vec<(usize, &'t str)> {
    let mut words: Vec<_> = tokens(text).collect();
    if words.len() > at_least
        && let Some(said) = words.iter().position(|(_, word)| begins(verb, word))
    {
        words.remove(said);
    }
    words
}

pub(super) fn spell(asked: Kind, text: &str) -> Result<(), Refusal> {
    let kinds = [Kind::Colour, Kind::Assign, Kind::Board, Kind::Turn, Kind::Guess];
    match read(asked, text) {
        Err(refusal) if !kinds.into_iter().any(|kind| read(kind, text).is_ok()) => Err(refusal),
        _ => Ok(()),
    }
}

fn begins(whole: &str, word: &str) -> bool {
    whole.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

fn read_colour(text: &str) -> Result<Move, Refusal> {
    let (mut colour, expected) = (None, "expected one colour, as in colour cyan");
    // A single c is cyan; next to a colour it is the verb.
    let verb = if tokens(text).any(|(_, word)| word.eq_ignore_ascii_case("color")) { "color" } else { "colour" };
    for (at, token) in without_verb(text, verb, 1) {
        once(&mut colour, vocabulary::find(token, at, &COLOURS)?, at, token, expected)?;
    }
    colour.map(Move::Colour).ok_or_else(|| missing(text, expected))
}

fn read_board(text: &str) -> Result<Move, Refusal> {
    let (mut board, mut order) = (None, None);
    let expected = "expected a board and first or second, as in board A first";
    // In `b A first`, the b is not a board, but the verb; so is `bo` in any place.
    let shortened = tokens(text).any(|(_, word)| word.len() > 1 && begins("board", word));
    for (at, token) in without_verb(text, "board", if shortened { 0 } else { 2 }) {
        if let Some(named) = Board::of_letter(token) {
            once(&mut board, named, at, token, "expected one board")?;
        } else {
            let named = vocabulary::find(token, at, &[("first", Order::First), ("second", Order::Second)])?;
            match order {
                None => order = Some((named, at, token)),
                // One of two such words was meant as a board.
                Some((_, at, token)) if board.is_none() && token.len() == 1 => {
                    return Err(Refusal::of_text(at, token, "expected a board: A, B, C, D or E"));
                }
                Some(_) => return Err(Refusal::of_text(at, token, "expected first or second once")),
            }
        }
    }
    let order = order.map(|(order, ..)| order);
    board.zip(order).map(|(board, order)| Move::Board(board, order)).ok_or_else(|| missing(text, expected))
}

fn read_turn(text: &str) -> Result<Move, Refusal> {
    let (mut cell, expected) = (None, "expected one cell, a1 to e5, as in turn c3");
    for (at, token) in tokens(text) {
        if let Some(named) = Cell::of_name(token) {
            once(&mut cell, named, at, token, expected)?;
        } else {
            vocabulary::find(token, at, &[("turn", ())]).map_err(|_| Refusal::of_text(at, token, expected))?;
        }
    }
    cell.map(Move::Turn).ok_or_else(|| missing(text, expected))
}

fn read_guess(text: &str) -> Result<Move, Refusal> {
    let (mut direction, mut call, mut stop) = (None, None, None);
    for (at, token) in tokens(text) {
        match vocabulary::find(token, at, &GUESSES)? {
            Word::Direction(named) => once(&mut direction, named, at, token, "expected one direction")?,
            Word::Call(named) => once(&mut call, named, at, token, "expected higher or lower once")?,
            Word::Stop => once(&mut stop, (at, token), at, token, "expected stop once")?,
        }
    }
    match (direction, call, stop) {
        (Some(direction), Some(call), None) => Ok(Move::Guess(direction, call)),
        (None, None, Some(_)) => Ok(Move::Stop),
        (_, _, Some((at, token))) => Err(Refusal::of_text(at, token, "stop must be the only word")),
        _ => Err(missing(text, "expected a direction and higher or lower, as in north higher, or stop")),
    }
}

fn read_assignment(text: &str) -> Result<Move, Refusal> {
    let mut words = tokens(text);
    let (first, second, third) = (words.next(), words.next(), words.next());
    let is_board = |word: Option<(usize, &str)>| word.is_some_and(|(_, word)| Board::of_letter(word).is_some());
    let is_shape = |(_, word): (usize, &str)| SHAPES.into_iter().any(|shape| begins(shape_word(shape), word));
    // A single a is a board, unless a board and a shape follow.
    let verb = first.filter(|(_, word)| begins("assign", word));
    let verb = verb.filter(|(_, word)| word.len() > 1 || (is_board(second) && third.is_some_and(is_shape)));
    let start = verb.map_or(0, |(at, word)| at + word.len());
    let mut groups: Vec<(Group, Vec<Card>)> = Vec::new();
    for part in text.get(start..).unwrap_or_default().split('|') {
        let at = part.as_ptr() as usize - text.as_ptr() as usize;
        let (group, cards) = read_group(part).map_err(|refusal| refusal.shifted(at))?;
        if groups.iter().any(|(other, _)| *other == group) {
            let why = alloc::format!("{} is listed twice", group.text());
            return Err(Refusal::of_text(at, part.trim(), why));
        }
        groups.push((group, cards));
    }
    Ok(Move::Assign(groups))
}

fn read_group(part: &str) -> Result<(Group, Vec<Card>), Refusal> {
    let example = "expected a board, a shape and cards, as in A circle A3 A7";
    let mut words = tokens(part).peekable();
    let (Some(first), Some(second)) = (words.next(), words.next()) else { return Err(missing(part, example)) };
    // A single letter is a board, even c. The board may also come second.
    let (board, (at, shape)) = match (Board::of_letter(first.1), Board::of_letter(second.1)) {
        (Some(board), _) => (board, second),
        (None, Some(board)) => (board, first),
        (None, None) => return Err(Refusal::of_text(first.0, first.1, example)),
    };
    let shapes = [("circle", Shape::Circle), ("triangle", Shape::Triangle), ("square", Shape::Square)];
    let shape = vocabulary::find(shape, at, &shapes)?;
    let cards = read_cards(words)?;
    if cards.is_empty() {
        return Err(missing(part, example));
    }
    Ok((Group { board, shape }, cards))
}

fn read_cards<'t>(words: impl Iterator<Item = (usize, &'t str)>) -> Result<Vec<Card>, Refusal> {
    let (mut cards, mut words) = (Vec::new(), words.peekable());
    while let Some((at, word)) = words.next() {
        if word == "?" {
            return Err(Refusal::of_sealed(at));
        }
        let together = Card::read(word);
        // Otherwise, the fruit and the number are two words.
        let card = together.or_else(|| {
            let (_, next) = words.peek()?;
            Card::of_parts(word, next).or_else(|| Card::of_parts(next, word))
        });
        let card = card.ok_or_else(|| {
            Refusal::of_text(at, word, "expected a card: A, B, C, D or E and a number from 1 to 10, as in A7")
        })?;
        if together.is_none() {
            words.next();
        }
        cards.push(card);
    }
    Ok(cards)
}

pub(super) fn read_draw(text: &str) -> Result<Draw, Refusal> {
    let mut words = tokens(text);
    let (at, verb) = words.next().unwrap_or((0, ""));
    let places = vocabulary::find(verb, at, &[("layout", false), ("place", true)]).map_err(|_| {
        Refusal::of_text(
            at,
            verb,
            "expected what the host sets up: layout or place, a board's letter, and its 25 cells",
        )
    })?;
    let (at, letter) = words.next().ok_or_else(|| missing(text, "expected a board: A, B, C, D or E"))?;
    let board =
        Board::of_letter(letter).ok_or_else(|| Refusal::of_text(at, letter, "expected a board: A, B, C, D or E"))?;
    if places {
        let cards = read_cards(words)?;
        let count = cards.len();
        let cards = cards.try_into();
        return cards.map(|cards| Draw::Place(board, cards)).map_err(|_| short(text, count, "cards"));
    }
    let mut fronts = Vec::new();
    for (at, word) in words {
        let expected = "expected c, p or g and o, t or s, as in co for a cyan circle";
        fronts.push(Front::read(word).ok_or_else(|| Refusal::of_text(at, word, expected))?);
    }
    let count = fronts.len();
    let fronts = fronts.try_into();
    fronts.map(|fronts| Draw::Layout(board, fronts)).map_err(|_| short(text, count, "cells"))
}

fn short(text: &str, count: usize, what: &str) -> Refusal {
    missing(text, &alloc::format!("expected 25 {what} row by row, and found {count}"))
}

pub(super) fn write(sent: &Move, out: &mut String) {
    match sent {
        Move::Missing => out.push('-'),
        Move::Colour(colour) => push(out, &["colour ", colour_word(*colour)]),
        Move::Board(board, order) => push(out, &["board ", board.letter(), " ", order.word()]),
        Move::Turn(cell) => push(out, &["turn ", cell.name()]),
        Move::Guess(direction, call) => push(out, &[direction.word(), " ", call.word()]),
        Move::Stop => out.push_str("stop"),
        Move::Assign(groups) => {
            out.push_str("assign");
            for (n, (group, cards)) in groups.iter().enumerate() {
                push(out, &[if n > 0 { " | " } else { " " }, group.board.letter(), " ", shape_word(group.shape)]);
                cards.iter().for_each(|card| push(out, &[" ", &card.text()]));
            }
        }
    }
}

fn push(out: &mut String, parts: &[&str]) {
    parts.iter().for_each(|part| out.push_str(part));
}

pub(super) fn write_draw(draw: &Draw, closed: impl Fn(Board, Cell) -> bool, out: &mut String) {
    match draw {
        Draw::Layout(board, fronts) => {
            push(out, &["layout ", board.letter()]);
            fronts.iter().for_each(|front| push(out, &[" ", front.text()]));
        }
        Draw::Place(board, cards) => {
            push(out, &["place ", board.letter()]);
            for (cell, card) in Cell::all().zip(cards) {
                out.push(' ');
                if closed(*board, cell) {
                    out.push('?');
                } else {
                    out.push_str(&card.text());
                }
            }
        }
    }
}
