//! The contract of a game. A game is one folder under `games/` that implements [`Game`] for its state and lists its
//! rulesets; everything else in the house learns of it from here.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

pub use crate::json::Object;
use crate::step::Step;
use crate::{
    Ask, Bank, BySeat, Clause, Ending, Figure, Form, Insight, Log, Outcome, Panel, Party, Purpose, Reason, Refusal,
    Row, Seat, Setup, Sight, Stream,
};

/// A game's state, and how it takes the next step. Implementations are pure: the same state and the same step give the
/// same state, and a refused step leaves the state as it was.
pub trait Game: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// The options of a ruleset, as one struct of enums.
    type Rules: Debug + Sync + 'static;
    /// What one seat sends.
    type Move: Clone + Debug + PartialEq + 'static;
    /// What the host draws.
    type Draw: Clone + Debug + PartialEq + 'static;
    /// What the host draws at random. What it lays out as it likes is not among them.
    const DRAWS: &'static [Purpose] = &[];
    /// How a match can end by these rules, beside an umpire's decision.
    const ENDINGS: &'static [Reason];
    /// The extensions that each seat has in store; none in a game without.
    const BANK: Option<Bank> = None;

    /// Every option with its value, by name; complete, so that a record needs nothing else to say which rules held.
    fn options(rules: &Self::Rules) -> Vec<(&'static str, &'static str)>;
    /// The options that a single match may set otherwise, each with the values it may have.
    fn choices(rules: &'static Self::Rules) -> &'static [(&'static str, &'static [&'static str])] {
        let _ = rules;
        &[]
    }
    /// The rules with one option set otherwise; none where [`choices`](Self::choices) does not list the value.
    fn choose(rules: &'static Self::Rules, option: &str, value: &str) -> Option<&'static Self::Rules> {
        let _ = (rules, option, value);
        None
    }
    /// The ruleset's text.
    fn clauses(rules: &Self::Rules) -> Vec<Clause>;
    /// The state before the first step. The setup has been checked against the ruleset's card.
    fn start(rules: &'static Self::Rules, setup: &Setup) -> Self;

    /// The questions that this state puts; empty once the match is over.
    fn asks(&self) -> Vec<Ask>;
    /// How the question can be offered to whoever is asked.
    fn form(&self, party: Party, what: &str) -> Option<Form>;
    /// The number of the coming round, where lines carry one.
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
    /// Reads a line of the host.
    ///
    /// # Errors
    /// Text that does not read, with its place.
    fn read_draw(&self, text: &str) -> Result<Self::Draw, Refusal>;
    /// Whether a line of one seat alone would read at some moment of the match. A game whose reading hangs on what is
    /// asked says here what reads at any moment.
    ///
    /// # Errors
    /// Text that never reads, with its place.
    fn spell_single(&self, seat: Seat, text: &str) -> Result<(), Refusal> {
        self.read_single(seat, text).map(|_| ())
    }
    /// Whether a line of the host would read at some moment of the match.
    ///
    /// # Errors
    /// Text that never reads, with its place.
    fn spell_draw(&self, text: &str) -> Result<(), Refusal> {
        self.read_draw(text).map(|_| ())
    }
    /// Writes a move canonically, with `?` for each field of `hidden`.
    fn write_move(&self, sent: &Self::Move, hidden: &[&str], out: &mut String);
    /// Writes a draw canonically, with `?` for each field of `hidden`.
    fn write_draw(&self, draw: &Self::Draw, hidden: &[&str], out: &mut String);

    /// Whether a seat may send this now.
    ///
    /// # Errors
    /// The rule that refuses it.
    fn check(&self, seat: Seat, sent: &Self::Move) -> Result<(), Refusal>;
    /// A move in full words, for reading back, such as "Score, and Block naming Claim".
    fn describe(&self, sent: &Self::Move) -> String;
    /// What a seat should know before it stands by a move, such as a part that will be left out.
    fn forewarn(&self, seat: Seat, sent: &Self::Move) -> Vec<String>;
    /// What the host drew in full words, for reading back.
    fn describe_draw(&self, draw: &Self::Draw) -> String;
    /// The values of a move's sealed fields, in the order of [`Ask::fields`].
    fn split(&self, sent: &Self::Move) -> Vec<(&'static str, String)>;
    /// The values of a draw's sealed fields, in the order of [`Ask::fields`]; empty where nothing of it is sealed.
    fn split_draw(&self, draw: &Self::Draw) -> Vec<(&'static str, String)>;
    /// The text of an answer to the question `what` from the values of its fields, `?` standing for one that is closed.
    fn join(&self, what: &str, values: &[&str]) -> String;
    /// The fields of this step that stay closed after it.
    fn keeps(&self, step: &Step<Self::Move, Self::Draw>) -> Vec<(Party, &'static str)>;
    /// The fields of earlier steps that this step makes public; of each, the one that was sent last is meant.
    fn shows(&self, step: &Step<Self::Move, Self::Draw>) -> Vec<(Party, &'static str)>;

    /// An answer to the question `what` that is legal now, drawn from the stream, so that whoever plays at random meets
    /// every kind of answer; none where this seat is not asked that.
    fn sample(&self, seat: Seat, what: &str, stream: &mut impl Stream) -> Option<Self::Move>;
    /// What the host draws next, as the rules want it drawn; none where nothing is due.
    fn draw(&self, stream: &mut impl Stream) -> Option<Self::Draw>;
    /// What a search of the state finds, where the game has such a question. It may take milliseconds.
    fn analyse(&self) -> Vec<Insight> {
        Vec::new()
    }
    /// What tells how the match stands in a line, such as chips or boards won; none where nothing is counted.
    fn score(&self) -> Option<BySeat<u32>> {
        None
    }
    /// The kind of a move, as statistics count it: what was sent, canonically, without what makes each move one of its
    /// own, such as cards or amounts.
    fn kind(sent: &str) -> String {
        sent.into()
    }
    /// A [`kind`](Self::kind) as what a player did, in words such as "Score and Block" or "takes a card". A kind that the
    /// rules do not know stands as it is.
    fn kind_words(rules: &Self::Rules, kind: &str) -> String;
    /// Whether that very question is being judged now, so that the umpire should see what [`analyse`](Self::analyse)
    /// finds.
    fn judged(&self) -> bool {
        false
    }

    /// Where the step about to be played stands in the score sheet.
    fn row(&self, step: &Step<Self::Move, Self::Draw>) -> Row;
    /// Takes one step of the game; an umpire's never comes here.
    ///
    /// # Errors
    /// The rule that refuses it; the state is then unchanged.
    fn play(&mut self, step: &Step<Self::Move, Self::Draw>, log: &mut impl Log) -> Result<(), Refusal>;
    /// The umpire ends the match: phases and windows close.
    fn close(&mut self, ending: Ending);
    /// How the match stands.
    fn outcome(&self) -> Outcome;

    /// The state object of the notation, exactly its keys in its order; `"?"` for what `sight` may not see.
    fn write_state(&self, sight: Sight, object: &mut Object<'_>);
    /// The numbers of the state, which everybody may know: asked for after every step of a match at a time, so that they
    /// stand apart from the panels.
    fn figures(&self) -> Vec<Figure>;
    /// The rest of the state for a page.
    fn panels(&self, sight: Sight) -> Vec<Panel>;
}
