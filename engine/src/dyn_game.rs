//! A game with its type left out.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

use crate::{
    Ask, BySeat, Effect, Figure, Form, Insight, Outcome, Panel, Party, PlayedStep, Readback, Refusal, Seat, Sight,
    Stream, Word,
};

/// A running match of some game, read and written in the notation. A [`Duel`](crate::Duel) holds one.
pub trait DynGame: Debug + Send + Sync {
    /// Reads and plays one line of the notation. Its effects go into `effects`, if given.
    ///
    /// # Errors
    /// The refusal, with the byte offset in `line`. The match is then unchanged.
    fn play(&mut self, line: &str, effects: Option<&mut Vec<Effect>>) -> Result<PlayedStep, Refusal>;
    /// Checks that the line would read, whatever the rules now say about it. After an error, the rest of a file is only
    /// checked with this.
    ///
    /// # Errors
    /// Text that does not read, with the byte offset in `line`.
    fn spell(&self, line: &str) -> Result<(), Refusal>;
    /// Reads an answer to the question `what`, and checks it.
    ///
    /// # Errors
    /// The refusal, with the byte offset in `text`.
    fn read(&self, party: Party, what: &str, text: &str) -> Result<Readback, Refusal>;
    /// Reads the umpire's word on what became of the answers, plays it on a copy, and writes it canonically.
    ///
    /// # Errors
    /// The refusal, with the byte offset in `text`.
    fn read_said(&self, text: &str) -> Result<String, Refusal>;
    /// The values of a move's sealed fields, in the order of the question's fields.
    fn split(&self, party: Party, what: &str, text: &str) -> Result<Vec<(Word, String)>, Refusal>;
    /// The text of an answer to the question `what`, from the values of its fields.
    fn join(&self, what: &str, values: &[&str]) -> String;
    /// An answer to the question `what` that is legal now, drawn from the stream; none if this seat is not asked that.
    fn sample(&self, seat: Seat, what: &str, stream: &mut dyn Stream) -> Option<String>;
    /// A whole answer to begin with, where many things are laid into places; none where a seat begins with empty ones.
    fn fill(&self, seat: Seat, what: &str, stream: &mut dyn Stream) -> Option<String>;
    /// The next draw of the host, drawn as the rules say; none if no draw is due.
    fn draw(&self, stream: &mut dyn Stream) -> Option<String>;
    /// The next draw, where it goes, and all that it is drawn from: what is drawn again after a strike has to be the same.
    /// None in a game whose draws are known by their number.
    fn draw_basis(&self) -> Option<String>;
    /// The findings of a search of the state, if the game has such a question. It may take milliseconds.
    fn analyse(&self) -> Vec<Insight>;
    /// True if the question that [`analyse`](Self::analyse) answers is being judged now. The umpire should see the
    /// answer then.
    fn judged(&self) -> bool;
    /// The kind of a move, for statistics: the move, canonically, without the parts that make it unique, such as cards
    /// or amounts.
    fn kind(&self, sent: &str) -> String;
    /// The score in short, such as chips or boards won; none if nothing is counted.
    fn score(&self) -> Option<BySeat<i32>>;
    /// The open questions.
    fn asks(&self) -> Vec<Ask>;
    /// The form in which the question `what` is offered to this party.
    fn form(&self, party: Party, what: &str) -> Option<Form>;
    /// The number of the coming round, if lines have one.
    fn coming_round(&self) -> Option<u32>;
    /// The outcome: running, or over and why.
    fn outcome(&self) -> Outcome;
    /// The state object of the notation.
    fn state(&self, sight: Sight) -> String;
    /// The numbers of the state, which everybody may know.
    fn figures(&self) -> Vec<Figure>;
    /// The parts of the state that are more than a number.
    fn panels(&self, sight: Sight) -> Vec<Panel>;
    /// The same match again, to be played on.
    fn copy(&self) -> Box<dyn DynGame>;
}

impl Clone for Box<dyn DynGame> {
    fn clone(&self) -> Self {
        self.as_ref().copy()
    }
}
