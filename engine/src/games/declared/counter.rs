//! A number that everybody sees.

use alloc::format;
use alloc::string::String;

use super::scanner::Scanner;
use crate::Refusal;

/// The largest distance of a number from 0.
pub(super) const NUMBER_MAX: i32 = 1_000_000_000;

/// The seats that a declared thing belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// One for each seat.
    Each,
    /// One for both.
    Shared,
}

/// A declared counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Its name.
    pub name: String,
    /// One for each seat, or one for both.
    pub owner: Owner,
    /// Its value when the match begins.
    pub start: i32,
    /// Its least value.
    pub least: i32,
    /// Its largest value; none if it has no such limit.
    pub most: Option<i32>,
}

impl Owner {
    pub(super) fn read(words: &mut Scanner<'_>) -> Result<Self, Refusal> {
        words.one_of(&[Self::Each, Self::Shared].map(|owner| (owner.word(), owner)))
    }

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Each => "each",
            Self::Shared => "shared",
        }
    }
}

impl Counter {
    pub(super) fn read(name: String, words: &mut Scanner<'_>) -> Result<Self, Refusal> {
        let any = -NUMBER_MAX..=NUMBER_MAX;
        let owner = Owner::read(words)?;
        let at_start = words.peek();
        let start = words.number(any.clone())?;
        let least = if words.take("from") { words.number(any)? } else { 0 };
        let most = if words.take("to") {
            if least == NUMBER_MAX {
                return Err(words.refuse("expected a counter that somebody can change"));
            }
            Some(words.number(least + 1..=NUMBER_MAX)?)
        } else {
            None
        };
        if start < least || most.is_some_and(|most| start > most) {
            return Err(at_start.refuse("expected a start within the counter's own limits, 0 or more without from"));
        }
        Ok(Self { name, owner, start, least, most })
    }

    pub(super) fn written(&self) -> String {
        let Self { name, owner, start, least, most } = self;
        let from = if *least == 0 { String::new() } else { format!(" from {least}") };
        let to = most.map_or_else(String::new, |most| format!(" to {most}"));
        format!("counter {name} {} {start}{from}{to}", owner.word())
    }
}
