//! A part of a question: what kind of answer, and how much of it.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::counter::NUMBER_MAX;
use super::item_list;
use super::scanner::{Scanner, read_number};
use super::{BoardId, CounterId, Declaration, HandId, Owner};
use crate::Refusal;

const TEXT_MAX: i32 = 250;
const COUNT_MAX: u8 = 200;
const NUMBERS: &str = "expected numbers such as 0..20, the first the smaller one, the last a number or a counter";

/// A part of a question, which is sealed apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Some words out of a list.
    Pick(Count, Vec<String>),
    /// A whole number, from the least to the limit.
    Number(i32, Limit),
    /// A text in quotes, of at most so many characters.
    Text(u16),
    /// Cards of the seat's hand, or of a shared one.
    Cards {
        /// The number of cards.
        count: Count,
        /// The hand that they come from.
        from: HandId,
        /// The hand that they go to; without one they stay where they are.
        to: Option<HandId>,
    },
    /// A cell.
    Cell(BoardId),
    /// All the words of a list, in an order.
    Order(Vec<String>),
    /// Yes or no.
    YesNo,
}

/// How many: `1`, or `0..2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The least.
    pub least: u8,
    /// The largest; never 0.
    pub most: u8,
}

/// The largest number that may be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// This one.
    Fixed(i32),
    /// The value of a counter: the seat's own, or the shared one.
    Counter(CounterId),
}

impl Count {
    /// Reads how many of at most `all`, which is a number of `things`.
    fn check(self, words: &Scanner<'_>, all: usize, things: &str) -> Result<Self, Refusal> {
        let why = || words.refuse(format!("expected at most {all}, which is {things}"));
        if usize::from(self.most) > all { Err(why()) } else { Ok(self) }
    }

    fn read(words: &mut Scanner<'_>) -> Result<Self, Refusal> {
        let token = words.next();
        let (low, high) = token.text.split_once("..").unwrap_or((token.text, token.text));
        let read = |text: &str| read_number(text, &(0..=COUNT_MAX.into())).and_then(|number| u8::try_from(number).ok());
        let count = read(low).zip(read(high)).filter(|(least, most)| least <= most && *most > 0);
        let why = || token.refuse(format!("expected how many, such as 1 or 0..2, and at most {COUNT_MAX}"));
        count.map(|(least, most)| Self { least, most }).ok_or_else(why)
    }

    fn written(self) -> String {
        let Self { least, most } = self;
        if least == most { most.to_string() } else { format!("{least}..{most}") }
    }
}

impl Part {
    pub(super) fn read(words: &mut Scanner<'_>, game: &Declaration) -> Result<Self, Refusal> {
        let token = words.next();
        Ok(match token.text {
            "pick" => {
                let at_count = words.clone();
                let count = Count::read(words)?;
                words.requires("of")?;
                let list = item_list::read_distinct(words)?;
                Self::Pick(count.check(&at_count, list.len(), "all of the words")?, list)
            }
            "number" => {
                let range = words.next();
                let any = -NUMBER_MAX..=NUMBER_MAX;
                let (low, high) = range.text.split_once("..").ok_or_else(|| range.refuse(NUMBERS))?;
                let least = read_number(low, &any).ok_or_else(|| range.refuse(NUMBERS))?;
                let at_limit = range.at + range.text.len() - high.len();
                let counter = || CounterId::read(&mut Scanner::within(high, at_limit), &game.counters);
                match read_number(high, &any) {
                    Some(most) if most < least => return Err(range.refuse(NUMBERS)),
                    Some(most) => Self::Number(least, Limit::Fixed(most)),
                    None => Self::Number(least, Limit::Counter(counter()?)),
                }
            }
            "text" => Self::Text(u16::try_from(words.number(1..=TEXT_MAX)?).unwrap_or(u16::MAX)),
            "cards" => {
                let at_count = words.clone();
                let count = Count::read(words)?;
                words.requires("from")?;
                let at_hand = words.clone();
                let from = HandId::read(words, &game.hands)?;
                if from.of(&game.hands).is_some_and(|hand| hand.hidden && hand.owner == Owner::Shared) {
                    return Err(at_hand.refuse("expected another hand: nobody sees the cards of this one"));
                }
                let count = count.check(&at_count, game.cards(), "every card of the game")?;
                let to = if words.take("to") { Some(HandId::read(words, &game.hands)?) } else { None };
                Self::Cards { count, from, to }
            }
            "cell" => {
                words.requires("of")?;
                Self::Cell(BoardId::read(words, &game.boards)?)
            }
            "order" => {
                words.requires("of")?;
                Self::Order(item_list::read_distinct(words)?)
            }
            "yes-no" => Self::YesNo,
            _ => return Err(token.refuse("expected pick, number, text, cards, cell, order or yes-no")),
        })
    }

    pub(super) fn written(&self, game: &Declaration) -> String {
        match self {
            Self::Pick(count, words) => format!("pick {} of {}", count.written(), item_list::written(words)),
            Self::Number(least, Limit::Fixed(most)) => format!("number {least}..{most}"),
            Self::Number(least, Limit::Counter(most)) => format!("number {least}..{}", most.name(&game.counters)),
            Self::Text(most) => format!("text {most}"),
            Self::Cards { count, from, to } => {
                let to = to.map_or_else(String::new, |to| format!(" to {}", to.name(&game.hands)));
                format!("cards {} from {}{to}", count.written(), from.name(&game.hands))
            }
            Self::Cell(board) => format!("cell of {}", board.name(&game.boards)),
            Self::Order(words) => format!("order of {}", item_list::written(words)),
            Self::YesNo => "yes-no".into(),
        }
    }

    /// More characters than any answer to it has.
    pub(super) fn longest(&self, game: &Declaration) -> usize {
        let words = |words: &[String], count: usize| {
            let longest = words.iter().map(String::len).max().unwrap_or(0);
            count.saturating_mul(longest + 1)
        };
        match self {
            Self::Pick(count, list) => words(list, count.most.into()),
            Self::Order(list) => words(list, list.len()),
            Self::Cards { count, .. } => words(&game.faces, count.most.into()),
            // A quote or a backslash is two characters.
            Self::Text(most) => usize::from(*most) * 2 + 2,
            Self::Number(..) | Self::Cell(_) | Self::YesNo => 12,
        }
    }

    /// The hand that its cards come from.
    pub(super) const fn hand(&self) -> Option<HandId> {
        if let Self::Cards { from, .. } = self { Some(*from) } else { None }
    }

    /// True if somebody else sees of a hand that it changed with the answer: its cards, or how many there are.
    pub(super) fn shows_cards(&self, game: &Declaration) -> bool {
        let hides = |hand: &HandId| hand.of(&game.hands).is_some_and(|hand| hand.hidden && hand.owner == Owner::Each);
        let Self::Cards { count, from, to: Some(to) } = self else { return false };
        count.least != count.most || !hides(from) || !hides(to)
    }
}
