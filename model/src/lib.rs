//! The protocols of acknowledging, closing and signing, as a model. No program uses it: its tests explore every state of small
//! sites, with crashes between any two steps, a database that forgets its newest commits, disks that refuse, a standby that takes
//! over without what the primary showed, and commits whose answer is lost.
//!
//! | step here | in the program |
//! |---|---|
//! | [`Step::Store`], [`Step::Keep`], [`Step::Acknowledge`] | `Submissions`: the row is committed, its line is in the journal, the receipt is sent |
//! | [`Step::Close`], [`Step::KeepClose`] | `Recorder::close_seats` |
//! | [`Step::Read`], [`Step::Enter`] | `Recorder::enter`: the history and the position are read, the entry is appended; the primary key takes one at each position |
//! | [`Step::PutBack`] | `Recorder::put_back` |
//! | [`Step::Compare`], [`Step::File`], [`Step::Head`], [`Step::Publish`] | `signing::Task`: compare, write the checkpoint file, move the head, publish |
//! | [`Step::Open`] | `Recorder::resolve` |
//! | [`Step::Cancel`], [`Step::Replicate`], [`Step::Promote`] | `store/src/log/standby.rs`: what the primary alone has is neither acknowledged nor signed |
//! | [`Step::Unanswered`] | the queues of submissions and entries, and `Store::sign`: what was not answered is looked for, and sent again as it was |
//!
//! [`Protocol::replay`] holds what the program says that it did against the model.

mod replay;
mod site;
mod step;

pub use replay::Refused;
pub use site::{Database, Entry, Line, Move, Node, Site, Stage};
pub use step::{Commit, Flaw, Limits, Protocol, Step};
