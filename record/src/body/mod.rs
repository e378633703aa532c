//! The bodies of entries, one struct a kind. `docs/record-format.md` gives them for outsiders.
//!
//! They are written once and kept as they were written; reading refuses unknown and repeated keys.

mod clock;
mod draw;
mod key;
mod objected;
mod replaced;
mod ruling;
mod seat;
mod whose;

use std::collections::BTreeMap;

use engine::BySeat;
use ledger::{Commitment, DecisionId, Entry, Field, Hash, Kind, Moment};
use serde::{Deserialize, Serialize};

pub use clock::{Extended, Paused, Resumed, Spent, Starts};
pub use draw::{DrawSource, Drawn, DrawnKey, DrawnSeal, Keyed, Listed, OpenedKey, Seeded, Shared, purpose};
pub use key::{Key, SubmitSignature};
pub use objected::Objected;
pub use replaced::{Replaced, ReplacedOpening};
pub use ruling::{Admitted, Decided, Does, Handed, Ruled};
pub use seat::Seated;
pub use whose::Whose;

/// The body of an entry, by its kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// A match begins.
    Opened(Opened),
    /// A seat's public key.
    Key(Key),
    /// A decision is asked.
    Asked(Asked),
    /// One seat's commitments for a decision.
    Sealed(Sealed),
    /// A decision closed, and its step was played.
    Resolved(Resolved),
    /// A draw of the host's, and its step.
    Drawn(Drawn),
    /// The host's share of coming draws, sealed.
    Shared(Shared),
    /// The shares that count for coming draws.
    Listed(Listed),
    /// The seats' shares opened, and the first keys of draws.
    Seeded(Seeded),
    /// Further keys of draws.
    Keyed(Keyed),
    /// A clock stands still.
    Paused(Paused),
    /// A clock begins, or runs on.
    Resumed(Resumed),
    /// Time is added to a clock.
    Extended(Extended),
    /// An umpire's ruling.
    Ruled(Ruled),
    /// Another umpire takes over.
    Handed(Handed),
    /// A public remark.
    Noted(Noted),
    /// A player's objection.
    Objected(Objected),
    /// Steps no longer count, or others count instead.
    Struck(Struck),
    /// The result.
    Ended(Ended),
    /// Everything that was still secret.
    Unsealed(Unsealed),
    /// A match of the past.
    Imported(Imported),
}

/// How a match came into the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// The players submit here, against the clock.
    Live,
    /// The umpire types what the players sent elsewhere.
    Recorded,
    /// It was entered whole, after it was over.
    Imported,
}

/// `opened`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opened {
    /// How it comes into the record.
    pub mode: Mode,
    /// The ruleset's id.
    pub ruleset: String,
    /// All of its options.
    pub options: BTreeMap<String, String>,
    /// The version of the rules that this program applies.
    pub rules: u32,
    /// The version of the program.
    pub program: String,
    /// Commitments to the players' names.
    pub names: Both<Commitment>,
    /// Commitment to the tournament's name.
    pub event: Option<Commitment>,
    /// When it was or is played, as it was written.
    pub date: Option<String>,
    /// The Death Match Opponent.
    pub dmo: Option<Seated>,
    /// The items that each seat received.
    pub items: Both<Vec<String>>,
    /// Commitments to other tags of an imported file.
    pub tags: Vec<Commitment>,
    /// The host's Ed25519 public key, base64.
    pub host_key: String,
    /// In a live match, whether clocks close its questions.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "key::present")]
    pub clocks: Option<bool>,
    /// When the clocks begin, where they do not begin at once.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "key::present")]
    pub starts: Option<Starts>,
    /// Who draws; none where the umpire types in what was drawn elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "key::present")]
    pub draws: Option<DrawSource>,
}

/// `asked`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The decision.
    pub decision: DecisionId,
    /// The question's word, such as `round`.
    pub what: String,
    /// Who is asked.
    pub seats: Vec<Seated>,
    /// Every field to seal, in order.
    pub fields: Vec<Field>,
    /// Seconds on the clock.
    pub clock: u32,
    /// When it closes.
    pub closes: Closing,
    /// When it is due, where its clock runs from now on.
    pub deadline: Option<Moment>,
}

/// When a decision closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Closing {
    /// When the umpire has typed what came.
    Umpire,
    /// At its deadline.
    Deadline,
    /// With the first valid answer.
    FirstValid,
    /// When all are in.
    AllIn,
}

/// `sealed`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sealed {
    /// The decision.
    pub decision: DecisionId,
    /// Whose.
    pub seat: Seated,
    /// Which of the seat's submissions for the decision it is, from 0; the last one counts.
    pub ordinal: u32,
    /// When it came.
    pub came: Moment,
    /// One for every field that was asked, in that order.
    pub commitments: Vec<Commitment>,
    /// The seat's signature, where it has a key.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "key::present")]
    pub signature: Option<SubmitSignature>,
}

/// `resolved`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resolved {
    /// The decision.
    pub decision: DecisionId,
    /// The step.
    pub step: u32,
    /// The step's line in Death Match Notation, `?` where a value stays sealed.
    pub dmn: String,
    /// The `sealed` entry that counted for each seat; none where its default applied.
    pub counted: Both<Option<u32>>,
    /// Every opening that this step makes public.
    pub openings: Vec<Opening>,
    /// A tree that covers the seals.
    pub tree: Tree,
    /// SHA-256 of the public state after the step.
    pub digest: Hash,
}

/// What opens a commitment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// The entry that holds the commitment.
    pub entry: u32,
    /// The field.
    pub field: Field,
    /// The key, 64 hex digits.
    pub key: String,
    /// The value.
    pub value: String,
}

/// A tree of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tree {
    /// How many leaves.
    pub size: u64,
    /// Its root.
    pub root: Hash,
}

impl From<&Tree> for ledger::Tree {
    fn from(tree: &Tree) -> Self {
        Self { size: ledger::TreeSize(tree.size), root: tree.root }
    }
}

impl From<ledger::Tree> for Tree {
    fn from(tree: ledger::Tree) -> Self {
        Self { size: tree.size.0, root: tree.root }
    }
}

/// `noted`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Noted {
    /// Commitment to the remark.
    pub text: Commitment,
}

/// `struck`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Struck {
    /// The first step that no longer counts.
    pub from: u32,
    /// Commitment to the reason.
    pub reason: Commitment,
    /// The steps that count instead; empty where the match goes on from there.
    pub steps: Vec<Instead>,
    /// Openings that the new course of the match makes public.
    pub openings: Vec<Opening>,
}

/// A step that counts instead of a struck one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instead {
    /// Its line, `?` where a value stays sealed.
    pub dmn: String,
    /// SHA-256 of the public state after it.
    pub digest: Hash,
    /// Where each sealed value of it can be opened.
    pub seals: Vec<Resealed>,
}

/// The seal of a value that stays secret in a corrected step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resealed {
    /// Whose.
    pub seat: Whose,
    /// The field.
    pub field: Field,
    /// The entry that holds its seal: `sealed`, or `struck` and then perhaps this one.
    pub entry: u32,
    /// The name of the seal in that entry.
    pub name: Field,
    /// The seal, where this entry holds it.
    pub commitment: Option<Commitment>,
}

/// `ended`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ended {
    /// `p1`, `p2`, `undecided` or `void`.
    pub result: String,
    /// The reason's word.
    pub reason: String,
    /// How many steps counted.
    pub steps: u32,
}

/// `unsealed`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unsealed {
    /// Every opening that was still secret.
    pub openings: Vec<Opening>,
    /// Every submission that no other entry holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<Replaced>,
    /// Keys of draws that were still secret.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<OpenedKey>,
}

/// `imported`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Imported {
    /// The steps in Death Match Notation; an umpire's reason is `*`, and stands in a text of its own.
    pub dmn: Vec<String>,
    /// Commitment to where it comes from.
    pub source: Option<Commitment>,
    /// Commitments to the reasons, by step.
    pub reasons: BTreeMap<u32, Commitment>,
    /// SHA-256 of the public state after the last step.
    pub digest: Hash,
}

/// One value for each seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Both<T> {
    /// Of the first seat.
    pub p1: T,
    /// Of the second seat.
    pub p2: T,
}

impl<T> From<BySeat<T>> for Both<T> {
    fn from(values: BySeat<T>) -> Self {
        Self { p1: values.p1, p2: values.p2 }
    }
}

impl<T> From<Both<T>> for BySeat<T> {
    fn from(values: Both<T>) -> Self {
        Self { p1: values.p1, p2: values.p2 }
    }
}

impl Body {
    /// Reads the body of an entry.
    ///
    /// # Errors
    /// A sentence on the first key that is unknown, repeated, missing or of another type.
    pub fn read(entry: &Entry) -> Result<Self, String> {
        fn read<'b, T: Deserialize<'b>>(body: &'b str) -> Result<T, String> {
            serde_json::from_str(body).map_err(|error| error.to_string())
        }
        let body = &entry.body;
        Ok(match entry.kind {
            Kind::Opened => Self::Opened(read(body)?),
            Kind::Key => Self::Key(read(body)?),
            Kind::Asked => Self::Asked(read(body)?),
            Kind::Sealed => Self::Sealed(read(body)?),
            Kind::Resolved => Self::Resolved(read(body)?),
            Kind::Drawn => draw::read(body).map_err(|error| error.to_string())?,
            Kind::Paused => Self::Paused(read(body)?),
            Kind::Resumed => Self::Resumed(read(body)?),
            Kind::Extended => Self::Extended(read(body)?),
            Kind::Ruled => Self::Ruled(read(body)?),
            Kind::Handed => Self::Handed(read(body)?),
            Kind::Noted => Self::Noted(read(body)?),
            Kind::Objected => Self::Objected(read(body)?),
            Kind::Struck => Self::Struck(read(body)?),
            Kind::Ended => Self::Ended(read(body)?),
            Kind::Unsealed => Self::Unsealed(read(body)?),
            Kind::Imported => Self::Imported(read(body)?),
        })
    }

    /// Its kind.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Opened(_) => Kind::Opened,
            Self::Key(_) => Kind::Key,
            Self::Asked(_) => Kind::Asked,
            Self::Sealed(_) => Kind::Sealed,
            Self::Resolved(_) => Kind::Resolved,
            Self::Drawn(_) | Self::Shared(_) | Self::Listed(_) | Self::Seeded(_) | Self::Keyed(_) => Kind::Drawn,
            Self::Paused(_) => Kind::Paused,
            Self::Resumed(_) => Kind::Resumed,
            Self::Extended(_) => Kind::Extended,
            Self::Ruled(_) => Kind::Ruled,
            Self::Handed(_) => Kind::Handed,
            Self::Noted(_) => Kind::Noted,
            Self::Objected(_) => Kind::Objected,
            Self::Struck(_) => Kind::Struck,
            Self::Ended(_) => Kind::Ended,
            Self::Unsealed(_) => Kind::Unsealed,
            Self::Imported(_) => Kind::Imported,
        }
    }

    /// The openings that it makes public.
    #[must_use]
    pub fn openings(&self) -> &[Opening] {
        match self {
            Self::Resolved(body) => &body.openings,
            Self::Drawn(body) => &body.openings,
            Self::Seeded(body) => &body.openings,
            Self::Unsealed(body) => &body.openings,
            Self::Struck(body) => &body.openings,
            _ => &[],
        }
    }

    /// Writes it on one line.
    #[must_use]
    pub fn write(&self) -> String {
        // Strings, integers, lists and maps with text keys: nothing in here can fail to become JSON.
        let written = match self {
            Self::Opened(body) => serde_json::to_string(body),
            Self::Key(body) => serde_json::to_string(body),
            Self::Asked(body) => serde_json::to_string(body),
            Self::Sealed(body) => serde_json::to_string(body),
            Self::Resolved(body) => serde_json::to_string(body),
            Self::Drawn(body) => serde_json::to_string(body),
            Self::Shared(body) => serde_json::to_string(body),
            Self::Listed(body) => serde_json::to_string(body),
            Self::Seeded(body) => serde_json::to_string(body),
            Self::Keyed(body) => serde_json::to_string(body),
            Self::Paused(body) => serde_json::to_string(body),
            Self::Resumed(body) => serde_json::to_string(body),
            Self::Extended(body) => serde_json::to_string(body),
            Self::Ruled(body) => serde_json::to_string(body),
            Self::Handed(body) => serde_json::to_string(body),
            Self::Noted(body) => serde_json::to_string(body),
            Self::Objected(body) => serde_json::to_string(body),
            Self::Struck(body) => serde_json::to_string(body),
            Self::Ended(body) => serde_json::to_string(body),
            Self::Unsealed(body) => serde_json::to_string(body),
            Self::Imported(body) => serde_json::to_string(body),
        };
        written.unwrap_or_default()
    }
}
