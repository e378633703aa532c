//! The questions of a game: to whom, in which fields, with which clock, and with which default.

use alloc::string::String;
use alloc::vec::Vec;

use crate::{Places, Refusal, Seat, Shared, Word};

/// One question of a state, identified by `to` and `what`. Several can be open at once. Answering the last of them
/// moves the game on and closes the others; answering another closes those that the state no longer asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The party that is asked.
    pub to: To,
    /// A stable word for the kind of question, such as `round`.
    pub what: Word,
    /// The question for people, such as "Round 7: up to two actions".
    pub prompt: String,
    /// The fields that a submission is sealed in, in order. One field holds the whole move unless a part has a secret
    /// of its own.
    pub fields: Shared<[Field]>,
    /// The time that a seat has, in seconds.
    pub clock_seconds: u32,
    /// The default if no answer comes, for people, such as "nothing is played".
    pub default: Word,
    /// The event that closes the question.
    pub closes: Closes,
    /// The game goes on without an answer.
    pub optional: bool,
}

impl Ask {
    /// True if answers do not close the question before its deadline. When it is asked again after an answer, it keeps
    /// that deadline.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        self.optional && self.closes == Closes::AtDeadline
    }
}

/// The party that a question is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// Both seats at once, neither seeing the other's answer.
    Both,
    /// This seat alone.
    One(Seat),
    /// The host: a draw or a deal.
    Host,
}

/// A part of a submission with a secret of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in the record, such as `move` or `target`.
    pub name: Word,
    /// The moment at which it opens.
    pub opens: Opens,
}

/// The moment at which a sealed field becomes public.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opens {
    /// With the step that it belongs to.
    WithStep,
    /// With its own step or a later one, as the game decides; at the latest at the end of the match.
    WhenItActs,
}

/// The event that closes a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closes {
    /// At its deadline, however early the answers are.
    AtDeadline,
    /// With the first valid answer.
    FirstValid,
}

/// The form in which a page offers a question to one seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// Some words out of a list.
    Words {
        /// The words on offer, in the order of writing.
        choices: Vec<Choice>,
        /// The least number of words.
        least: u8,
        /// The largest number of words.
        most: u8,
    },
    /// A line of text in the game's notation, where there are too many answers to list.
    Line {
        /// The expected line, for people, such as "three hands, with | between them".
        hint: String,
        /// An example of a line; not necessarily legal now.
        example: String,
        /// The places into which its parts are laid; none if it has no such parts.
        places: Option<Places>,
        /// The parts that are filled in one by one, with `; ` between them; empty if there are none.
        fields: Vec<LineField>,
    },
}

/// A part of a line that is filled in by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineField {
    /// What a seat is to do, such as "choose a number from 0 to 20".
    pub label: String,
    /// What can be filled in.
    pub entry: Entry,
}

/// What can be filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// From `least` to `most` of these words, written in their order; `none` if there are none of them.
    Words {
        /// The words. One that stands here twice can be given twice.
        words: Vec<Word>,
        /// The least number of words.
        least: u8,
        /// The largest number of words.
        most: u8,
    },
    /// A whole number.
    Number {
        /// The least.
        least: i32,
        /// The largest.
        most: i32,
    },
    /// A text of at most so many characters, written in quotes.
    Text(u16),
    /// All of these words, in an order.
    Order(Vec<Word>),
}

/// A word on offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// As notation writes it, such as `block`.
    pub word: Word,
    /// For people, such as "Block".
    pub label: Word,
    /// Its effect, in a few words.
    pub hint: String,
    /// The number of times it may be named.
    pub copies: u8,
    /// The words of which one must follow after a colon; empty if none does.
    pub targets: Vec<(&'static str, &'static str)>,
    /// The least and the largest number that must follow after a space, such as `raise 4`; none if no number does.
    pub amounts: Option<(u32, u32)>,
    /// The refusal, if it would not count now. In a game whose rule is about whole sets, the refusal of this word
    /// alone.
    pub barred: Option<Refusal>,
}

impl Choice {
    /// A word that may be named once, alone, and counts now.
    pub(crate) fn new(word: impl Into<Word>, label: impl Into<Word>, hint: impl Into<String>) -> Self {
        Self {
            word: word.into(),
            label: label.into(),
            hint: hint.into(),
            copies: 1,
            targets: Vec::new(),
            amounts: None,
            barred: None,
        }
    }
}
