//! An answer to a question: read word by word, and written in one spelling.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::counter::NUMBER_MAX;
use super::scanner::{Scanner, Token, listed};
use super::{Cell, Count, Declaration, Face, Limit, Part, Question, Quote};
use crate::Refusal;

/// An answer, part by part, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing came, and no default applies. Written `-`.
    Missing,
    /// A value for each part of the question.
    Given(Vec<Value>),
}

/// The answer to one part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Words by their place in the list: a choice in the list's order, or all in the order given.
    Words(Vec<u8>),
    /// A number.
    Number(i32),
    /// A text.
    Text(Quote),
    /// Cards, in the order given.
    Cards(Vec<Face>),
    /// A cell.
    Cell(Cell),
    /// Yes or no.
    Yes(bool),
}

impl Answer {
    /// Reads an answer to a question, or `-` for none.
    ///
    /// # Errors
    /// The word that fits no answer, whatever the state. [`Holdings::check`](super::Holdings::check) asks the state.
    pub fn read(text: &str, question: &Question, game: &Declaration) -> Result<Self, Refusal> {
        let mut words = Scanner::new(text);
        if text.trim() == "-" {
            return Ok(Self::Missing);
        }
        let answer = Self::read_parts(&mut words, &question.parts, game)?;
        words.end("nothing more").map(|()| answer)
    }

    pub(super) fn read_parts(words: &mut Scanner<'_>, parts: &[Part], game: &Declaration) -> Result<Self, Refusal> {
        let mut values = Vec::new();
        for (n, part) in parts.iter().enumerate() {
            if n > 0 {
                words.requires(";")?;
            }
            if words.peek().text == "?" {
                return Err(Refusal::of_sealed(words.peek().at));
            }
            values.push(Value::read(words, part, game)?);
        }
        Ok(Self::Given(values))
    }

    /// Writes it, with `?` for each part whose field is `hidden`.
    #[must_use]
    pub fn write(&self, question: &Question, game: &Declaration, hidden: &[&str]) -> String {
        let Self::Given(_) = self else { return "-".into() };
        let mut out = String::new();
        for (n, (field, value)) in question.fields().iter().zip(self.values(question, game)).enumerate() {
            out.push_str(if n > 0 { "; " } else { "" });
            out.push_str(if hidden.contains(&field.as_str()) { "?" } else { &value });
        }
        out
    }

    /// The value of each of the question's fields; empty if nothing came.
    #[must_use]
    pub fn values(&self, question: &Question, game: &Declaration) -> Vec<String> {
        let Self::Given(values) = self else { return Vec::new() };
        values.iter().zip(&question.parts).map(|(value, part)| value.write(part, game)).collect()
    }

    /// True if no text of it is withheld. A player always says a text itself.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let withheld = |value: &Value| *value == Value::Text(Quote::Withheld);
        !matches!(self, Self::Given(values) if values.iter().any(withheld))
    }
}

/// The pieces up to the end of a part.
fn pieces<'t>(words: &mut Scanner<'t>) -> Vec<Token<'t>> {
    let mut pieces = Vec::new();
    while !["", ";", ")"].contains(&words.peek().text) {
        pieces.push(words.next());
    }
    if matches!(pieces.as_slice(), [one] if one.text == "none") {
        pieces.clear();
    }
    pieces
}

/// Refuses a number of pieces that does not fit, at the first one too many or behind the last.
fn counted(given: &[Token<'_>], count: Count, after: Token<'_>) -> Result<(), Refusal> {
    let Count { least, most } = count;
    let wrong = match given.get(usize::from(most)) {
        Some(more) => *more,
        None if given.len() < usize::from(least) => after,
        None => return Ok(()),
    };
    let count = if least == most { format!("{most}") } else { format!("{least} to {most}") };
    Err(wrong.refuse(format!("expected {count} here, not {}", given.len())))
}

fn word_of(token: Token<'_>, list: &[String]) -> Result<u8, Refusal> {
    let found = list.iter().zip(0..).find(|(word, _)| *word == token.text);
    found
        .map(|(_, place)| place)
        .ok_or_else(|| token.refuse(format!("expected {}", listed(list.iter().map(String::as_str), "or"))))
}

/// Places of words, each at most once.
fn places(given: &[Token<'_>], list: &[String]) -> Result<Vec<u8>, Refusal> {
    let mut places = Vec::new();
    for token in given {
        let place = word_of(*token, list)?;
        if places.contains(&place) {
            return Err(token.refuse("expected each word once"));
        }
        places.push(place);
    }
    Ok(places)
}

impl Value {
    fn read(words: &mut Scanner<'_>, part: &Part, game: &Declaration) -> Result<Self, Refusal> {
        Ok(match part {
            Part::Pick(count, list) => {
                let given = pieces(words);
                let mut chosen = places(&given, list)?;
                counted(&given, *count, words.peek())?;
                chosen.sort_unstable();
                Self::Words(chosen)
            }
            Part::Order(list) => {
                let given = pieces(words);
                let most = u8::try_from(list.len()).unwrap_or(u8::MAX);
                let order = places(&given, list)?;
                counted(&given, Count { least: most, most }, words.peek())?;
                Self::Words(order)
            }
            Part::Number(least, most) => {
                let most = if let Limit::Fixed(most) = most { *most } else { NUMBER_MAX };
                Self::Number(words.number(*least..=most.max(*least))?)
            }
            Part::Text(most) => Self::Text(Quote::read(words, usize::from(*most))?),
            Part::Cards { count, .. } => {
                let given = pieces(words);
                let card = |token: &Token<'_>| {
                    game.find_face(token.text).ok_or_else(|| token.refuse("expected a card of this game"))
                };
                let cards = given.iter().map(card).collect::<Result<_, _>>()?;
                counted(&given, *count, words.peek())?;
                Self::Cards(cards)
            }
            Part::Cell(board) => match board.of(&game.boards) {
                Some(board) => Self::Cell(board.read_cell(words)?),
                None => return Err(words.refuse("expected a board")),
            },
            Part::YesNo => Self::Yes(words.one_of(&[("yes", true), ("no", false)])?),
        })
    }

    fn write(&self, part: &Part, game: &Declaration) -> String {
        let joined = |words: Vec<&str>| {
            if words.is_empty() { "none".into() } else { words.join(" ") }
        };
        match (self, part) {
            (Self::Words(places), Part::Pick(_, words) | Part::Order(words)) => {
                joined(places.iter().filter_map(|place| words.get(usize::from(*place))).map(String::as_str).collect())
            }
            (Self::Cards(cards), _) => joined(cards.iter().map(|card| game.face(*card)).collect()),
            (Self::Number(number), _) => number.to_string(),
            (Self::Cell(cell), _) => cell.to_string(),
            (Self::Yes(yes), _) => if *yes { "yes" } else { "no" }.into(),
            (Self::Text(text), _) => text.written(false),
            (Self::Words(_), _) => String::new(),
        }
    }
}
