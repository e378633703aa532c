//! A running match of any game, played in the notation.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Debug;

use crate::playing::Table;
use crate::{
    Ask, BySeat, Effect, Figure, Form, Insight, Outcome, Panel, Party, Played, Reading, Refusal, Seat, Sight, Stream,
    View,
};

/// More bytes than the values of any move have together.
const VALUES_MAX_BYTES: usize = 1_000;

/// A match that is being folded: its state, and the only way to change it.
#[derive(Clone, Debug)]
pub struct Duel {
    table: Box<dyn Table>,
}

impl Duel {
    pub(crate) fn new(table: Box<dyn Table>) -> Self {
        Self { table }
    }

    /// Reads and plays one line of the notation. Its effects go into `effects`, if given.
    ///
    /// # Errors
    /// The refusal, with the byte offset in `line`. The match is then unchanged.
    pub fn play(&mut self, line: &str, effects: Option<&mut Vec<Effect>>) -> Result<Played, Refusal> {
        self.table.play(line, effects)
    }

    /// Checks that the line would read, whatever the rules now say about it. After an error, the rest of a file is only
    /// checked with this.
    ///
    /// # Errors
    /// Text that does not read, with the byte offset in `line`.
    pub fn spell(&self, line: &str) -> Result<(), Refusal> {
        self.table.spell(line)
    }

    /// Reads an answer to the question `what`, and checks it.
    ///
    /// # Errors
    /// The refusal, with the byte offset in `text`.
    pub fn read(&self, party: impl Into<Party>, what: &str, text: &str) -> Result<Reading, Refusal> {
        self.table.read(party.into(), what, text)
    }

    /// The values of a move's sealed fields, in the order of the question's fields.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn split(
        &self,
        party: impl Into<Party>,
        what: &str,
        text: &str,
    ) -> Result<Vec<(&'static str, String)>, Refusal> {
        self.table.split(party.into(), what, text)
    }

    /// The text of an answer to the question `what`, from the values of its fields. Values longer than any move are
    /// only joined with spaces, and read as no move; otherwise a game could multiply them.
    #[must_use]
    pub fn join(&self, what: &str, values: &[&str]) -> String {
        let bytes: usize = values.iter().map(|value| value.len()).sum();
        if bytes > VALUES_MAX_BYTES { values.join(" ") } else { self.table.join(what, values) }
    }

    /// An answer to the question `what` that is legal now, drawn from the stream; none if this seat is not asked that.
    pub fn sample(&self, seat: Seat, what: &str, stream: &mut dyn Stream) -> Option<String> {
        self.table.sample(seat, what, stream)
    }

    /// The next draw of the host, drawn as the rules say; none if no draw is due.
    pub fn draw(&self, stream: &mut dyn Stream) -> Option<String> {
        self.table.draw(stream)
    }

    /// The findings of a search of the state, if the game has such a question. It may take milliseconds.
    #[must_use]
    pub fn analyse(&self) -> Vec<Insight> {
        self.table.analyse()
    }

    /// The line in which these moves answer the question `what`.
    #[must_use]
    pub fn line(&self, moves: &BySeat<Option<String>>) -> String {
        let missing = || "-".to_string();
        match (&moves.p1, &moves.p2) {
            (Some(sent), None) => alloc::format!("p1: {sent}"),
            (None, Some(sent)) => alloc::format!("p2: {sent}"),
            (p1, p2) => {
                let (p1, p2) = (p1.clone().unwrap_or_else(missing), p2.clone().unwrap_or_else(missing));
                match self.table.coming_round() {
                    Some(round) => alloc::format!("{round}. {p1} / {p2}"),
                    None => alloc::format!("{p1} / {p2}"),
                }
            }
        }
    }

    /// The open questions.
    #[must_use]
    pub fn asks(&self) -> Vec<Ask> {
        self.table.asks()
    }

    /// The score in short, such as chips or boards won; none if nothing is counted.
    #[must_use]
    pub fn score(&self) -> Option<BySeat<u32>> {
        self.table.score()
    }

    /// The kind of a move, for statistics: the move, canonically, without the parts that make it unique, such as cards
    /// or amounts.
    #[must_use]
    pub fn kind(&self, sent: &str) -> String {
        self.table.kind(sent)
    }

    /// True if the question that [`analyse`](Self::analyse) answers is being judged now. The umpire should see the
    /// answer then.
    #[must_use]
    pub fn judged(&self) -> bool {
        self.table.judged()
    }

    /// The form in which the question `what` is offered to this party.
    #[must_use]
    pub fn form(&self, party: impl Into<Party>, what: &str) -> Option<Form> {
        self.table.form(party.into(), what)
    }

    /// The number of the coming round, if lines have one.
    #[must_use]
    pub fn coming_round(&self) -> Option<u32> {
        self.table.coming_round()
    }

    /// The outcome: running, or over and why.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.table.outcome()
    }

    /// The state object of the notation.
    #[must_use]
    pub fn state(&self, sight: Sight) -> String {
        self.table.state(sight)
    }

    /// The numbers of the state, which everybody may know.
    #[must_use]
    pub fn figures(&self) -> Vec<Figure> {
        self.table.figures()
    }

    /// The parts of the state that are more than a number.
    #[must_use]
    pub fn panels(&self, sight: Sight) -> Vec<Panel> {
        self.table.panels(sight)
    }

    /// The state for a page.
    #[must_use]
    pub fn view(&self, sight: Sight) -> View {
        View { figures: self.figures(), panels: self.panels(sight) }
    }
}
