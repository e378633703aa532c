//! A question, with its parts, its clock, and what happens when it closes.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::scanner::Scanner;
use super::{Answer, Declaration, Draw, Part};
use crate::Refusal;

const PARTS_MAX: usize = 8;
/// The longest answer that the record takes.
const ANSWER_MAX: usize = 600;
const SECONDS_MAX: i32 = 86_400;

/// A declared question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Its name.
    pub name: String,
    /// The seats that it asks.
    pub to: Audience,
    /// Its parts, which are sealed apart; at least one.
    pub parts: Vec<Part>,
    /// The time for an answer, in seconds.
    pub clock: Option<u32>,
    /// The reserve of each seat for the whole match, in seconds.
    pub bank: Option<u32>,
    /// The answer of a seat that sends none.
    pub default: Option<Answer>,
    /// The party that sees the answers when it closes.
    pub opens: OpensTo,
    /// The draw of the host once it has closed.
    pub draw: Option<Draw>,
}

/// The seats that a question asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Both at once, sealed.
    Both,
    /// The seat that the umpire names.
    One,
}

/// The party that sees the answers when a question closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpensTo {
    /// Everybody.
    All,
    /// The umpire, who announces what follows; everybody at the end.
    Umpire,
}

impl Question {
    pub(super) fn read(name: String, words: &mut Scanner<'_>, game: &Declaration) -> Result<Self, Refusal> {
        let to = words.one_of(&[("both", Audience::Both), ("one", Audience::One)])?;
        let at_parts = words.clone();
        let mut parts = alloc::vec![Part::read(words, game)?];
        while words.take(";") {
            if parts.len() == PARTS_MAX {
                return Err(words.refuse(format!("expected at most {PARTS_MAX} parts")));
            }
            let at_part = words.clone();
            let part = Part::read(words, game)?;
            if part.hand().is_some() && parts.iter().any(|other| other.hand() == part.hand()) {
                return Err(at_part.refuse("a question asks for cards of a hand once"));
            }
            parts.push(part);
        }
        if parts.iter().map(|part| part.longest(game) + 2).sum::<usize>() > ANSWER_MAX {
            return Err(at_parts.refuse(format!("expected answers of at most {ANSWER_MAX} characters")));
        }
        let clock = seconds("clock", words)?;
        let at_bank = words.clone();
        let bank = seconds("bank", words)?;
        if bank.is_some() && to == Audience::Both {
            return Err(at_bank.refuse("a bank is for a question to one seat"));
        }
        if bank.is_some() && clock.is_none() {
            return Err(at_bank.refuse("expected clock S before it: a bank begins when the clock has run out"));
        }
        if let Some(other) = game.bank().filter(|other| bank.is_some_and(|bank| bank != *other)) {
            return Err(at_bank.refuse(format!("a seat has one bank in a match, of {other} seconds as above")));
        }
        let mut default = None;
        if words.take("default") {
            words.requires("(")?;
            default = Some(Answer::read_parts(words, &parts, game)?);
            words.requires(")")?;
        }
        let (at_opens, mut opens) = (words.clone(), OpensTo::All);
        if words.take("opens") {
            words.requires("umpire")?;
            opens = OpensTo::Umpire;
        }
        if opens == OpensTo::Umpire && parts.iter().any(|part| part.shows_cards(game)) {
            return Err(at_opens.refuse(
                "these cards would be seen: the hands have to be each and hidden, and the number of cards fixed",
            ));
        }
        let mut draw = None;
        if words.take("then") {
            words.requires("draw")?;
            draw = Some(Draw::read(words, game)?);
        }
        Ok(Self { name, to, parts, clock, bank, default, opens, draw })
    }

    pub(super) fn written(&self, game: &Declaration) -> String {
        let to = if self.to == Audience::Both { "both" } else { "one" };
        let parts: Vec<String> = self.parts.iter().map(|part| part.written(game)).collect();
        let rest = [
            self.clock.map(|clock| format!(" clock {clock}")),
            self.bank.map(|bank| format!(" bank {bank}")),
            self.default.as_ref().map(|default| format!(" default ({})", default.write(self, game, &[]))),
            (self.opens == OpensTo::Umpire).then(|| " opens umpire".into()),
            self.draw.map(|draw| format!(" then draw {}", draw.written(game))),
        ];
        format!("ask {} {to} {}{}", self.name, parts.join("; "), rest.into_iter().flatten().collect::<String>())
    }

    /// True if what is sealed in this field is a text.
    pub(super) fn is_text(&self, field: &str) -> bool {
        self.fields().iter().zip(&self.parts).any(|(name, part)| name == field && matches!(part, Part::Text(_)))
    }

    /// The names of the fields that its parts are sealed in.
    #[must_use]
    pub fn fields(&self) -> Vec<String> {
        match self.parts.len() {
            1 => alloc::vec![self.name.clone()],
            parts => (1..=parts).map(|n| format!("{}-{n}", self.name)).collect(),
        }
    }
}

fn seconds(keyword: &str, words: &mut Scanner<'_>) -> Result<Option<u32>, Refusal> {
    if words.take(keyword) { words.number(1..=SECONDS_MAX).map(|time| Some(time.unsigned_abs())) } else { Ok(None) }
}
