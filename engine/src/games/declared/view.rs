//! Counters, hands and boards as data that any page can draw, and the form of a question.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Audience, BoardId, Card, Count, CounterId, HandId, Owner, Part, Place, Table};
use crate::game::Game;
use crate::{
    CardFace, CardGroup, Cell, Choice, Entry, Figure, Form, LineField, Mark, Panel, Party, Seat, Sight, Sign,
    SplitMix64, Word,
};

fn owners(owner: Owner) -> impl Iterator<Item = Option<Seat>> {
    let [first, second] = match owner {
        Owner::Each => [Some(Some(Seat::P1)), Some(Some(Seat::P2))],
        Owner::Shared => [Some(None), None],
    };
    first.into_iter().chain(second)
}

pub(super) fn figures(table: &Table) -> Vec<Figure> {
    let game = table.game();
    let mut figures = Vec::new();
    for (id, counter) in CounterId::each(&game.counters) {
        for seat in owners(counter.owner) {
            let value = table.holdings().counter(game, id, seat.unwrap_or(Seat::P1));
            let label = Word::from(String::from(game.label(&counter.name)));
            figures.push(Figure { name: counter.name.clone().into(), label, seat, value });
        }
    }
    figures
}

pub(super) fn panels(table: &Table, sight: Sight) -> Vec<Panel> {
    let game = table.game();
    let mut panels = Vec::new();
    for (hand, declared) in HandId::each(&game.hands) {
        for seat in owners(declared.owner) {
            let place = Place { hand, seat };
            let (seen, hidden) = (table.sees(sight, place), !table.sees(Sight::Public, place));
            let cards = table.holdings().hand(place).iter();
            let cards = cards.map(|card| if seen { face(table, *card, hidden) } else { back() }).collect();
            let group = CardGroup { label: String::new(), cards, empty: 0 };
            let title = Word::from(String::from(game.label(&declared.name)));
            panels.push(Panel::Cards { title, seat, groups: alloc::vec![group], in_play: false });
        }
    }
    panels.extend(BoardId::each(&game.boards).map(|(id, _)| grid(table, id)));
    panels
}

fn face(table: &Table, card: Card, hidden: bool) -> CardFace {
    let word = table.game().face(card.face);
    let mark = if hidden { Mark::Hidden } else { Mark::None };
    CardFace { card: word.into(), face: word.into(), sign: Sign::None, name: word.into(), mark }
}

fn back() -> CardFace {
    let name = "a card face down".into();
    CardFace { card: "?".into(), face: String::new(), sign: Sign::Back, name, mark: Mark::None }
}

fn grid(table: &Table, id: BoardId) -> Panel {
    let game = table.game();
    let Some(board) = id.of(&game.boards) else {
        return Panel::Grid { title: String::new(), columns: Vec::new(), rows: Vec::new(), current: false };
    };
    let marks = table.holdings().board(id);
    let cells: Vec<Cell> = board
        .cells()
        .zip(marks)
        .map(|(cell, mark)| {
            let word = if mark.word() == "-" { "" } else { mark.word() };
            let name = if word.is_empty() { format!("{cell}, empty") } else { format!("{cell}, {word}") };
            Cell { sign: Sign::None, face: word.into(), name, mark: Mark::None, up: true }
        })
        .collect();
    let columns = (0..board.columns).map(|column| char::from(b'a'.saturating_add(column)).to_string()).collect();
    let rows = (1..).zip(cells.chunks(usize::from(board.columns).max(1)));
    let rows = rows.map(|(number, row): (u32, &[Cell])| (number.to_string(), row.to_vec())).collect();
    // Of several boards the one is in play whose cell is asked.
    let question = table.asked().and_then(|asked| asked.question(game));
    let parts = question.map(|question| question.parts.as_slice()).unwrap_or_default();
    let cells: Vec<BoardId> =
        parts.iter().filter_map(|part| if let Part::Cell(board) = part { Some(*board) } else { None }).collect();
    let current = cells.is_empty() || cells.contains(&id);
    Panel::Grid { title: game.label(&board.name).into(), columns, rows, current }
}

/// The form of a question: words, cells or a card to choose from, and else its parts one by one.
pub(super) fn form(table: &Table, party: Party, what: &str) -> Option<Form> {
    let game = table.game();
    let Party::Seat(seat) = party else {
        let due = table.due()?;
        let example = Game::draw(table, &mut SplitMix64(0)).map(|drawn| drawn.write(game, false));
        return Some(Form::Line {
            hint: format!("what was drawn of {}", game.tell_draw(due.draw)),
            example: example.unwrap_or_default(),
            places: None,
            fields: Vec::new(),
        });
    };
    let question = table.asked().filter(|asked| asked.asks(seat))?.question(game)?;
    if question.name != what {
        return None;
    }
    if let [part] = question.parts.as_slice()
        && let Some(Count { least, most }) = listed(part)
    {
        let mut choices: Vec<Choice> = Vec::new();
        for word in table.holdings().choices(game, part, seat) {
            if choices.iter().all(|known| *known.word != *word) {
                choices.push(Choice::new(word.clone(), word, ""));
            }
        }
        return Some(Form::Words { choices, least, most });
    }
    let example = Game::sample(table, seat, what, &mut SplitMix64(0));
    let example = example.map(|answer| answer.write(question, game, &[])).unwrap_or_default();
    let field = |part| LineField { label: game.tell_part(part, Audience::Both), entry: entry(table, part, seat) };
    let fields = question.parts.iter().map(field).collect();
    Some(Form::Line { hint: game.tell_parts(question), example, places: None, fields })
}

/// How many words are chosen out of the list of a part, if they are chosen out of one. Cards may lie in a hand twice.
fn listed(part: &Part) -> Option<Count> {
    let count = match part {
        Part::Pick(count, _) => *count,
        Part::Cards { count, .. } if count.most == 1 => *count,
        Part::Cell(_) | Part::YesNo => Count { least: 1, most: 1 },
        _ => return None,
    };
    (count.least > 0).then_some(count)
}

fn entry(table: &Table, part: &Part, seat: Seat) -> Entry {
    let words = || table.holdings().choices(table.game(), part, seat).into_iter().map(Word::from).collect();
    match part {
        Part::Number(least, most) => {
            Entry::Number { least: *least, most: table.holdings().limit(table.game(), *most, seat) }
        }
        Part::Text(most) => Entry::Text(*most),
        Part::Order(_) => Entry::Order(words()),
        Part::Pick(Count { least, most }, _) | Part::Cards { count: Count { least, most }, .. } => {
            Entry::Words { words: words(), least: *least, most: *most }
        }
        Part::Cell(_) | Part::YesNo => Entry::Words { words: words(), least: 1, most: 1 },
    }
}
