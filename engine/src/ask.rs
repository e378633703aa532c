//! What a game asks next: of whom, in which fields, by which clock, and what holds when nothing comes.

use alloc::string::String;
use alloc::vec::Vec;

use crate::{Places, Refusal, Seat};

/// One question that a state puts; who is asked and `what` tell it from the others. Several may stand at once; the last
/// of them is the one that carries the game on, and answering it closes the others. Answering another closes those that
/// the state no longer puts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Who is asked.
    pub to: To,
    /// A stable word for the kind of question, such as `round`.
    pub what: &'static str,
    /// The question for people, such as "Round 7: up to two actions".
    pub prompt: String,
    /// The fields that a submission is sealed in, in order. One field holds the whole move unless a part has a secret
    /// of its own.
    pub fields: &'static [Field],
    /// How long a seat has, in seconds.
    pub clock_seconds: u32,
    /// What counts when nothing comes, for people, such as "nothing is played".
    pub default: &'static str,
    /// When the question closes.
    pub closes: Closes,
    /// Whether the game goes on without an answer.
    pub optional: bool,
}

impl Ask {
    /// Whether the question stands until its deadline however often it is answered: put again behind an answer, it is due
    /// when it was due before.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        self.optional && self.closes == Closes::AtDeadline
    }
}

/// Who is asked.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in the record, such as `move` or `target`.
    pub name: &'static str,
    /// When it opens.
    pub opens: Opens,
}

/// When a sealed field becomes public.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opens {
    /// With the step that it belongs to.
    WithStep,
    /// With its own step or a later one, whichever the game says; at the latest at the end of the match.
    WhenItActs,
}

/// When a question closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closes {
    /// At its deadline, however early the answers are.
    AtDeadline,
    /// With the first valid answer.
    FirstValid,
}

/// How a page can offer a question to one seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// Some words out of a list.
    Words {
        /// The words on offer, in the order of writing.
        choices: Vec<Choice>,
        /// How many at least.
        least: u8,
        /// How many at most.
        most: u8,
    },
    /// A line of text in the game's notation, where there are too many answers to list.
    Line {
        /// What to write, for people, such as "three hands, with | between them".
        hint: String,
        /// A line as it can look; not necessarily one that is legal now.
        example: String,
        /// How it is put together by laying things into places; none where it has no such parts.
        places: Option<Places>,
    },
}

/// A word on offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// As notation writes it, such as `block`.
    pub word: &'static str,
    /// For people, such as "Block".
    pub label: &'static str,
    /// What it does, in a few words.
    pub hint: String,
    /// How often it may be named.
    pub copies: u8,
    /// Words of which one must follow after a colon; empty where none does.
    pub targets: Vec<(&'static str, &'static str)>,
    /// The least and the largest number that must follow after a space, such as `raise 4`; none where no number does.
    pub amounts: Option<(u32, u32)>,
    /// Why it would not count now, where it would not; in a game whose rule is on whole sets, why not by itself.
    pub barred: Option<Refusal>,
}
