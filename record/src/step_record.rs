//! A step of a match, and where it came from.

use engine::{BySeat, Duel, Effect, Party, Row, Seat, Word};
use ledger::{DecisionId, Hash, Moment, Seq};

use crate::body::DrawSource;
use crate::seal::SealUse;

/// A step that counts, or once counted.
#[derive(Clone, Debug)]
pub struct StepRecord {
    /// From 1.
    pub number: u32,
    /// The entry that made it a step.
    pub entry: Seq,
    /// The time of that entry.
    pub at: Moment,
    /// The way in which it became a step.
    pub source: StepSource,
    /// The question that it answers, by its word; empty for a ruling and in a match of the past.
    pub what: String,
    /// The line, if every value in it is known here.
    pub text: Option<String>,
    /// The line as the public may read it.
    pub public: String,
    /// The move of each seat, as the public may read it.
    pub moves: BySeat<Option<String>>,
    /// The fields that stay sealed after it.
    pub keeps: Vec<(Party, Word)>,
    /// Its place in the score sheet.
    pub row: Row,
    /// Its effects.
    pub effects: Vec<Effect>,
    /// The match after it; none if it could not be replayed.
    pub after: Option<Duel>,
    /// The digest that the record gives for the state after it.
    pub digest: Hash,
    /// The seals that counted for the seats: for each field, the entry and the name of its commitment there.
    pub seals: Vec<SealUse>,
}

/// The words before the colon of a line that is not of both seats.
const PARTIES: [&str; 4] = ["p1", "p2", "host", "umpire"];

impl StepRecord {
    /// True if this seat was asked for it. Its line says so, whether or not what was sent is known.
    #[must_use]
    pub fn is_of(&self, seat: Seat) -> bool {
        let party = self.public.split_once(": ").map(|(party, _)| party);
        // A text of an answer to both may hold a colon, too.
        party.filter(|party| PARTIES.contains(party)).is_none_or(|party| party == seat.word())
    }

    /// True if the umpire said it: an outcome in a declared game.
    #[must_use]
    pub fn is_said(&self) -> bool {
        self.public.starts_with("umpire: says")
    }

    /// True if the umpire decided it and the rules did not.
    #[must_use]
    pub fn is_ruling(&self) -> bool {
        self.public.starts_with("umpire:") && !self.is_said()
    }
}

/// The way in which a step entered the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepSource {
    /// A decision was answered.
    Decision(DecisionId),
    /// The host's draw.
    Drawn {
        /// The source of the cards.
        source: DrawSource,
    },
    /// The umpire said it, in a declared game.
    Announced,
    /// The umpire decided the result.
    Ruling,
    /// It was entered in place of a struck one.
    Correction {
        /// Its text was changed, and not just kept.
        changed: bool,
    },
    /// It was imported.
    Import,
}
