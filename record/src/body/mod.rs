//! The bodies of entries, one struct for each kind. `docs/record-format.md` describes them for others.
//!
//! A body is written once and stored as it was written; reading refuses unknown and repeated keys.

mod announced;
mod asked;
mod clock;
mod draw;
mod ended;
mod imported;
mod key;
mod linked;
mod noted;
mod objected;
mod opened;
mod opening;
mod party;
mod player;
mod replaced;
mod resolved;
mod ruling;
mod sealed;
mod seat;
mod seat_pair;
mod struck;
mod tree;
mod unsealed;

use ledger::{Entry, Kind};
use serde::Deserialize;

pub use announced::Announced;
pub use asked::{Asked, Closing};
pub use clock::{BankExtension, ClockStart, Extended, Outage, Paused, Resumed};
pub use draw::{
    DrawSource, Drawn, DrawnKey, DrawnSeal, FixedSeed, HostShare, KeyBatch, NamedRound, OpenedKey, ShareList,
    ShareOpenings, SignedRound, purpose,
};
pub use ended::Ended;
pub use imported::Imported;
pub use key::{Key, OpenSignature, SubmitSignature};
pub use linked::{LinkAct, Linked};
pub use noted::Noted;
pub use objected::Objected;
pub(crate) use opened::is_no_day;
pub use opened::{DeclaredGame, Mode, Opened};
pub use opening::Opening;
pub use party::PartyWord;
pub use player::{PlayerKeyEntry, RevokedChain, SignedAct};
pub use replaced::{ReplacedOpening, ReplacedSubmission};
pub use resolved::Resolved;
pub use ruling::{AdmittedAnswer, DecidedResult, Handed, Ruled, RulingEffect};
pub use sealed::Sealed;
pub use seat::SeatWord;
pub use seat_pair::SeatPair;
pub use struck::{CorrectedSeal, CorrectedStep, Struck};
pub use tree::Tree;
pub use unsealed::Unsealed;

/// The body of an entry, by its kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// A match begins.
    Opened(Opened),
    /// A seat's public key.
    Key(Key),
    /// A private link to a seat was made or used.
    Linked(Linked),
    /// A decision is asked.
    Asked(Asked),
    /// One seat's commitments for a decision.
    Sealed(Sealed),
    /// The end of a decision, with its step.
    Resolved(Resolved),
    /// The umpire's word, and its step.
    Announced(Announced),
    /// A draw of the host, and its step.
    Drawn(Drawn),
    /// The host's share of coming draws, sealed.
    HostShare(HostShare),
    /// The shares that count for coming draws.
    ShareList(ShareList),
    /// The listed shares that were opened.
    ShareOpenings(ShareOpenings),
    /// The first keys of draws.
    FixedSeed(FixedSeed),
    /// Further keys of draws.
    KeyBatch(KeyBatch),
    /// Draws wait for a round of the beacon.
    NamedRound(NamedRound),
    /// The round is there.
    SignedRound(SignedRound),
    /// A clock is stopped.
    Paused(Paused),
    /// A clock starts, or runs again.
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
    /// A player's first key. This and the next two are of a player's chain.
    Registered(PlayerKeyEntry),
    /// A player's next key.
    Rotated(PlayerKeyEntry),
    /// The end of a player's chain.
    Revoked(RevokedChain),
}

impl From<SignedAct> for Body {
    fn from(act: SignedAct) -> Self {
        match act {
            SignedAct::Registered(entry) => Self::Registered(entry),
            SignedAct::Rotated(entry) => Self::Rotated(entry),
            SignedAct::Revoked(entry) => Self::Revoked(entry),
        }
    }
}

impl Body {
    /// Reads the body of an entry.
    pub fn read(entry: &Entry) -> Result<Self, String> {
        fn read<'b, T: Deserialize<'b>>(body: &'b str) -> Result<T, String> {
            serde_json::from_str(body).map_err(|error| error.to_string())
        }
        let body = &entry.body;
        Ok(match entry.kind {
            Kind::Opened => Self::Opened(read(body)?),
            Kind::Key => Self::Key(read(body)?),
            Kind::Linked => Self::Linked(read(body)?),
            Kind::Asked => Self::Asked(read(body)?),
            Kind::Sealed => Self::Sealed(read(body)?),
            Kind::Resolved => Self::Resolved(read(body)?),
            Kind::Announced => Self::Announced(read(body)?),
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
            Kind::Registered => Self::Registered(read(body)?),
            Kind::Rotated => Self::Rotated(read(body)?),
            Kind::Revoked => Self::Revoked(read(body)?),
        })
    }

    /// Reads the bodies of entries, each as [`read`](Self::read) does.
    #[must_use]
    pub fn read_all(entries: &[Entry]) -> Vec<Result<Self, String>> {
        entries.iter().map(Self::read).collect()
    }

    /// Its kind.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Opened(_) => Kind::Opened,
            Self::Key(_) => Kind::Key,
            Self::Linked(_) => Kind::Linked,
            Self::Asked(_) => Kind::Asked,
            Self::Sealed(_) => Kind::Sealed,
            Self::Resolved(_) => Kind::Resolved,
            Self::Announced(_) => Kind::Announced,
            Self::Drawn(_)
            | Self::HostShare(_)
            | Self::ShareList(_)
            | Self::ShareOpenings(_)
            | Self::FixedSeed(_)
            | Self::KeyBatch(_)
            | Self::NamedRound(_)
            | Self::SignedRound(_) => Kind::Drawn,
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
            Self::Registered(_) => Kind::Registered,
            Self::Rotated(_) => Kind::Rotated,
            Self::Revoked(_) => Kind::Revoked,
        }
    }

    /// The openings that it makes public.
    #[must_use]
    pub fn openings(&self) -> &[Opening] {
        match self {
            Self::Resolved(body) => &body.openings,
            Self::Announced(body) => &body.openings,
            Self::Drawn(body) => &body.openings,
            Self::HostShare(body) => &body.openings,
            Self::ShareOpenings(body) => &body.openings,
            Self::FixedSeed(body) => &body.openings,
            Self::Unsealed(body) => &body.openings,
            Self::Struck(body) => &body.openings,
            _ => &[],
        }
    }

    /// Writes it on one line.
    #[must_use]
    pub fn write(&self) -> String {
        // Strings, integers, lists and maps with text keys: all of them can become JSON.
        let written = match self {
            Self::Opened(body) => serde_json::to_string(body),
            Self::Key(body) => serde_json::to_string(body),
            Self::Linked(body) => serde_json::to_string(body),
            Self::Asked(body) => serde_json::to_string(body),
            Self::Sealed(body) => serde_json::to_string(body),
            Self::Resolved(body) => serde_json::to_string(body),
            Self::Announced(body) => serde_json::to_string(body),
            Self::Drawn(body) => serde_json::to_string(body),
            Self::HostShare(body) => serde_json::to_string(body),
            Self::ShareList(body) => serde_json::to_string(body),
            Self::ShareOpenings(body) => serde_json::to_string(body),
            Self::FixedSeed(body) => serde_json::to_string(body),
            Self::KeyBatch(body) => serde_json::to_string(body),
            Self::NamedRound(body) => serde_json::to_string(body),
            Self::SignedRound(body) => serde_json::to_string(body),
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
            Self::Registered(body) | Self::Rotated(body) => serde_json::to_string(body),
            Self::Revoked(body) => serde_json::to_string(body),
        };
        written.unwrap_or_default()
    }
}
