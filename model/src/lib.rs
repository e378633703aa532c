//! The protocols of acknowledging, closing and signing, as a model. No program uses it: its tests explore every state of small
//! sites, with crashes between any two steps, a database that forgets its newest commits, and disks that refuse.
//!
//! | step here | in the program |
//! |---|---|
//! | [`Step::Store`], [`Step::Keep`], [`Step::Acknowledge`] | `Submissions`: the row is committed, its line is in the journal, the receipt is sent |
//! | [`Step::Close`], [`Step::KeepClose`] | `Recorder::close_seats` |
//! | [`Step::Read`], [`Step::Enter`] | `Recorder::enter`: the history and the position are read, the entry is appended; the primary key takes one at each position |
//! | [`Step::PutBack`] | `Recorder::put_back` |
//! | [`Step::Compare`], [`Step::File`], [`Step::Head`], [`Step::Publish`] | `signing::Task`: compare, write the checkpoint file, move the head, publish |
//! | [`Step::Open`] | `Recorder::resolve` |
//!
//! [`Protocol::replay`] holds what the program says that it did against the model.

mod replay;
mod site;
mod step;

pub use replay::Refused;
pub use site::{Database, Entry, Line, Move, Node, Site, Stage};
pub use step::{Flaw, Limits, Protocol, Step};
