//! The contract of a game. A game is one folder under `games/` that implements [`Game`] for its state and lists its
//! rulesets. All other code knows it through this contract.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::Debug;

use crate::games::declared::Declaration;
pub use crate::json::Object;
use crate::step::Step;
use crate::{
    Ask, Bank, BySeat, CardFace, Clause, EffectLog, Ending, Figure, Form, Insight, Outcome, Panel, Party, Purpose,
    Reason, Refusal, Row, Seat, Setup, Sight, Stream, Unit, Word,
};

/// A game's state, and how it takes the next step. Implementations are pure: the same state and the same step give the
/// same state, and a refused step leaves the state as it was.
pub trait Game: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// The options of a ruleset, as one small struct of enums, or a handle to what was declared for one match.
    type Rules: Clone + Debug + Send + Sync + 'static;
    /// A move of one seat.
    type Move: Clone + Debug + PartialEq + 'static;
    /// A draw of the host.
    type Draw: Clone + Debug + PartialEq + 'static;
    /// The ways in which a match can end by these rules, besides an umpire's ruling.
    const ENDINGS: &'static [Reason];
    /// The game for somebody who has never played it, in three short sentences; empty if it has none.
    const IN_THREE_LINES: &'static [&'static str] = &[];

    /// The random draws of the host. What the host is free to choose is not among them.
    fn draws(rules: &Self::Rules) -> &[Purpose] {
        let _ = rules;
        &[]
    }
    /// The extensions that each seat has in store, if any.
    fn bank(rules: &Self::Rules) -> Option<Bank> {
        let _ = rules;
        None
    }
    /// Every option with its value, by name. The list is complete: a record needs nothing else to state its rules.
    fn options(rules: &Self::Rules) -> Vec<(&'static str, &'static str)> {
        let _ = rules;
        Vec::new()
    }
    /// The options that a single match may set differently, each with the possible values.
    fn choices(rules: &Self::Rules) -> &'static [(&'static str, &'static [&'static str])] {
        let _ = rules;
        &[]
    }
    /// The rules with one option set differently; none if [`choices`](Self::choices) does not list the value.
    fn choose(rules: &Self::Rules, option: &str, value: &str) -> Option<Self::Rules> {
        let _ = (rules, option, value);
        None
    }
    /// The ruleset's text.
    fn clauses(rules: &Self::Rules) -> Vec<Clause>;
    /// True if what is sealed in this field of a seat's is a text, which can be withdrawn.
    fn is_text(rules: &Self::Rules, field: &str) -> bool {
        let _ = (rules, field);
        false
    }
    /// The declaration of a game that its umpire declared.
    fn declaration(rules: &Self::Rules) -> Option<&Arc<Declaration>> {
        let _ = rules;
        None
    }
    /// The state before the first step. The setup has been checked against the ruleset's card.
    fn start(rules: &Self::Rules, setup: &Setup) -> Self;

    /// The questions of this state; empty once the match is over.
    fn asks(&self) -> Vec<Ask>;
    /// The form in which the question is offered to this party.
    fn form(&self, party: Party, what: &str) -> Option<Form>;
    /// The number of the coming round, if lines have one.
    fn coming_round(&self) -> Option<u32>;

    /// Reads a seat's part of a line in which both seats send theirs.
    ///
    /// # Errors
    /// Text that does not read, with its place.
    fn read_joint(&self, seat: Seat, text: &str) -> Result<Self::Move, Refusal>;
    /// Reads a line of one seat alone.
    ///
    /// # Errors
    /// Text that does not read, with its place.
    fn read_single(&self, seat: Seat, text: &str) -> Result<Self::Move, Refusal>;
    /// Reads a line of the host. A game in which the host draws implements this and every other method about draws.
    fn read_draw(&self, text: &str) -> Result<Self::Draw, Refusal> {
        Err(Refusal::of_text(0, text, "the host draws nothing in this game"))
    }
    /// Reads the umpire's word, and writes it canonically. Only a declared game has such a word.
    ///
    /// # Errors
    /// Text that does not read, with its place.
    fn read_said(&self, text: &str) -> Result<String, Refusal> {
        Err(Refusal::of_text(0, text, "expected result: in this game the rules say what becomes of an answer"))
    }
    /// Checks that a part of a line in which both seats send theirs would read at some moment of the match.
    fn spell_joint(&self, seat: Seat, text: &str) -> Result<(), Refusal> {
        self.read_joint(seat, text).map(|_| ())
    }
    /// Checks that a line of one seat alone would read at some moment of the match. A game in which reading depends on
    /// the open question says here what reads at any moment.
    ///
    /// # Errors
    /// Text that never reads, with its place.
    fn spell_single(&self, seat: Seat, text: &str) -> Result<(), Refusal> {
        self.read_single(seat, text).map(|_| ())
    }
    /// Checks that a line of the host would read at some moment of the match.
    fn spell_draw(&self, text: &str) -> Result<(), Refusal> {
        self.read_draw(text).map(|_| ())
    }
    /// Writes a move canonically, with `?` for each field of `hidden`.
    fn write_move(&self, sent: &Self::Move, hidden: &[&str], out: &mut String);
    /// Writes a draw canonically, with `?` for each field of `hidden`.
    fn write_draw(&self, draw: &Self::Draw, hidden: &[&str], out: &mut String) {
        let _ = (draw, hidden, out);
    }

    /// Checks that a seat may send this now.
    ///
    /// # Errors
    /// The rule that refuses it.
    fn check(&self, seat: Seat, sent: &Self::Move) -> Result<(), Refusal>;
    /// Checks that no text of a line is withheld. Whoever sends one says it; only the record is without.
    ///
    /// # Errors
    /// The place of a text that is not there.
    fn check_texts(&self, text: &str) -> Result<(), Refusal> {
        let _ = text;
        Ok(())
    }
    /// A move in full words, for reading back, such as "Score and Block on Claim".
    fn describe(&self, sent: &Self::Move) -> String;
    /// Warnings for a seat before it confirms a move, such as a part that will be left out.
    fn forewarn(&self, seat: Seat, sent: &Self::Move) -> Vec<String> {
        let _ = (seat, sent);
        Vec::new()
    }
    /// A draw in full words, for reading back.
    fn describe_draw(&self, draw: &Self::Draw) -> String {
        let _ = draw;
        String::new()
    }
    /// The values of a move's sealed fields, in the order of [`Ask::fields`]: one field for the whole move, unless a
    /// part of it has a secret of its own.
    fn split(&self, sent: &Self::Move) -> Vec<(Word, String)> {
        let mut whole = String::new();
        self.write_move(sent, &[], &mut whole);
        alloc::vec![("move".into(), whole)]
    }
    /// The values of a draw's sealed fields, in the order of [`Ask::fields`]; empty if it has none.
    fn split_draw(&self, draw: &Self::Draw) -> Vec<(Word, String)> {
        let _ = draw;
        Vec::new()
    }
    /// The text of an answer to the question `what` from the values of its fields, with `?` for a closed one.
    fn join(&self, what: &str, values: &[&str]) -> String {
        let _ = what;
        values.first().copied().unwrap_or("-").into()
    }
    /// The fields of this step that stay closed after it.
    fn keeps(&self, step: &Step<Self::Move, Self::Draw>) -> Vec<(Party, Word)> {
        let _ = step;
        Vec::new()
    }
    /// The fields of earlier steps that this step makes public; of each, the one sent last.
    fn shows(&self, step: &Step<Self::Move, Self::Draw>) -> Vec<(Party, Word)> {
        let _ = step;
        Vec::new()
    }

    /// An answer to the question `what` that is legal now, drawn from the stream; none if this seat is not asked that.
    /// Random play must reach every kind of answer.
    fn sample(&self, seat: Seat, what: &str, stream: &mut impl Stream) -> Option<Self::Move>;
    /// A whole answer to begin with, drawn from the stream, where many things are laid into places; none where a seat begins
    /// with empty ones.
    fn fill(&self, seat: Seat, what: &str, stream: &mut impl Stream) -> Option<Self::Move> {
        let _ = (seat, what, stream);
        None
    }
    /// The next draw of the host, drawn as the rules say; none if no draw is due.
    fn draw(&self, stream: &mut impl Stream) -> Option<Self::Draw> {
        let _ = stream;
        None
    }
    /// The next draw, where it goes, and all that it is drawn from; none in a game whose draws are known by their number.
    fn draw_basis(&self) -> Option<String> {
        None
    }
    /// The findings of a search of the state, if the game has such a question. It may take milliseconds.
    fn analyse(&self) -> Vec<Insight> {
        Vec::new()
    }
    /// The score in short, such as chips or boards won; none if nothing is counted.
    fn score(&self) -> Option<BySeat<i32>> {
        None
    }
    /// The unit of the score.
    fn score_unit(rules: &Self::Rules) -> Unit;
    /// The unit of the first figure of each seat, which tells who leads in a game that is scored at its end alone.
    fn lead_unit(rules: &Self::Rules) -> Unit {
        Self::score_unit(rules)
    }
    /// The kind of a move, for statistics: the move, canonically, without the parts that make it unique, such as cards
    /// or amounts.
    fn kind(sent: &str) -> String {
        sent.into()
    }
    /// A [`kind`](Self::kind) as an action in words, such as "Score and Block" or "takes a card". A kind that the rules
    /// do not know is returned as it is.
    fn kind_words(rules: &Self::Rules, kind: &str) -> String;
    /// The kind of action that an effect is about, for statistics: its subject without cards and places.
    fn subject_kind(subject: &str) -> &str {
        subject
    }
    /// The card of a word of the notation, such as `TH`; none if it is no card.
    fn card_of(word: &str) -> Option<CardFace> {
        let _ = word;
        None
    }
    /// True if that question is being judged now. The umpire should then see the findings of
    /// [`analyse`](Self::analyse).
    fn judged(&self) -> bool {
        false
    }

    /// The place in the score sheet of the step that is about to be played.
    fn row(&self, step: &Step<Self::Move, Self::Draw>) -> Row;
    /// Takes one step of the game; an umpire's never comes here.
    ///
    /// # Errors
    /// The rule that refuses it; the state is then unchanged.
    fn play(&mut self, step: &Step<Self::Move, Self::Draw>, log: &mut impl EffectLog) -> Result<(), Refusal>;
    /// Ends the match by the umpire's ruling: phases and windows close.
    fn close(&mut self, ending: Ending);
    /// The outcome: running, or over and why.
    fn outcome(&self) -> Outcome;

    /// The state object of the notation, exactly its keys in its order; `"?"` for what `sight` may not see.
    fn write_state(&self, sight: Sight, object: &mut Object<'_>);
    /// The numbers of the state, which everybody may know. They are read after every step of a match, and so are
    /// separate from the panels.
    fn figures(&self) -> Vec<Figure>;
    /// The rest of the state for a page.
    fn panels(&self, sight: Sight) -> Vec<Panel>;
}
