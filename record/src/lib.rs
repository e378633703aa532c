//! The meaning of entries.
//!
//! The ledger stores bytes and the engine knows rules. This crate joins them: [bodies](body) of entries to steps of the
//! engine, the [fold](fn@fold) of a match's entries to its history, the [writing](mod@write) of entries for an umpire's
//! acts, and the [findings](verify) of a verification. It is pure: time, entropy and secrets are parameters, so that
//! the same code runs in the server, the command line and a browser.
#![warn(missing_docs)]

pub mod audit;
mod beacon_round;
pub mod body;
pub mod bundle;
mod clock;
mod decision;
mod digest;
mod early_close;
mod export;
mod fold;
mod history;
mod known_player;
pub mod limits;
mod name_key;
mod objection;
mod player_chain;
mod private_openings;
pub mod receipts;
mod rule;
mod ruling;
mod seal;
mod seed;
pub mod share;
mod sheet;
mod step_record;
pub mod succession;
pub mod text;
pub mod verify;
mod vouching;
mod wait;
pub mod words;
pub mod write;

pub use beacon_round::{RoundEntry, RoundRecord};
pub use bundle::{
    Answered, Bundle, BundleError, ChainEntry, CoveringTree, LogEvidence, PlayerEvidence, SealProof, SignedTree,
    TreeMention, TreeMentions, TreeProof,
};
pub use clock::{Change, Clock, ClockChange, ClockState};
pub use decision::{OpenDecision, Question};
pub use digest::{game_hash, state_digest};
pub use early_close::{EarlyClose, FinalClose, TimeLeft};
pub use export::dmn;
pub use fold::{IncrementalFold, fold, fold_read};
pub use history::{Correction, Fault, History, Mode, Remark, SeatKey, StepRecord, StepSource, Strike};
pub use known_player::{KnownPlayer, KnownPlayerError};
pub use name_key::name_key;
pub use objection::Objection;
pub use player_chain::{BrokenPlayerChain, ChainKey, PLAYER_ENTRIES_MAX, PlayerChain, PlayerFault};
pub use private_openings::{Secret, Secrets, openings};
pub use rule::{Duty, Rule};
pub use ruling::Handover;
pub use seal::{SealGrade, SealRecord, SealUse, SignedSubmission};
pub use seed::{DrawRecord, DueDraw, FixedSeedRecord, HostAct, SeedRecord, ShareListRecord, ShareOpeningsRecord};
pub use sheet::SheetRow;
pub use text::{CommittedText, Text, TextPlace, Texts};
pub use vouching::{SeatVouching, VouchFault, VouchPlaces, Vouching, VouchingError};
pub use wait::{WAIT_SECONDS, WaitRecord, Waiting};
