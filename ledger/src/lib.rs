//! The ledger: bytes, not games.
//!
//! An [entry](Entry) is one line of text that is stored verbatim for ever. The entries of a match form a [chain], every
//! entry of every match is one leaf of an RFC 6962 [tree](Frontier), and a value that is still secret is a
//! [seal](SealMessage) in an entry. `docs/record-format.md` defines these bytes. The formats by which strangers follow
//! the log are C2SP's: [note], [checkpoint], [tile], [cosignature], [tlog_proof], [policy], [witness].
//!
//! This crate must never learn the meaning of an entry: it knows neither rules nor moves, and treats the body of an
//! entry as a JSON object without floats. Time, ids and entropy are parameters. It is pure and builds for wasm32, for
//! the browser's verifier.
#![warn(missing_docs)]

mod author;
mod beacon;
pub mod chain;
pub mod checkpoint;
mod decimal;
mod draw;
pub mod ed25519;
mod entry;
mod hash;
mod id;
mod json;
mod key_code;
mod kind;
mod leaf;
mod moment;
pub mod note;
mod open;
mod player;
pub mod policy;
pub mod proof;
mod receipt;
mod seal;
mod serde_as_text;
mod share;
mod submit;
pub mod tile;
pub mod tlog_proof;
mod tree;
pub mod witness;
mod word;

pub use author::{Author, AuthorError};
pub use beacon::{BeaconError, Network, NetworkHash, NetworkKey, Round, RoundSignature};
pub use chain::Head;
pub use checkpoint::{Checkpoint, OriginLine};
pub use draw::{BATCH_KEYS, DrawError, DrawIndex, DrawKey, DrawStream, KeyPath, KeyTree, Seed};
pub use entry::{Draft, ENTRY_MAX_BYTES, Entry, EntryError, Line};
pub use hash::{Hash, HashError};
pub use id::{LeafIndex, LogId, MatchId, MatchIdError, Seq, TreeSize};
pub use json::JsonFault;
pub use key_code::{KeyCode, KeyCodeError};
pub use kind::{Kind, KindError};
pub use leaf::{leaf_hash, node_hash};
pub use moment::{Moment, MomentError};
pub use note::cosignature::{self, CosignedAt, CosignerKey};
pub use note::{KeyName, Note, NoteText, Signature, SignerKey, VerifierKey};
pub use open::OpenMessage;
pub use player::{ChainAct, ChainMessage, NextKeyHash, NotSigned, PlayerId, VouchMessage, VouchRequest};
pub use policy::Policy;
pub use proof::{ConsistencyProof, InclusionProof, Level, Subtree, Subtrees};
pub use receipt::{Receipt, ReceiptError, SignedReceipt};
pub use seal::{Commitment, SealError, SealKey, SealMessage, Sealer};
pub use share::{Share, ShareError};
pub use submit::{
    PlayerKey, PlayerSignature, SubmissionSignature, SubmitError, SubmitId, SubmitIdError, SubmitMessage,
};
pub use tile::{EntryBundle, Tile, TileId, TilePath, TileSet};
pub use tlog_proof::TlogProof;
pub use tree::{Frontier, FrontierError, Tree};
pub use witness::AddCheckpoint;
pub use word::{DecisionId, Field, Origin, UmpireId, WordError};
