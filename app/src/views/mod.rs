//! What pages, programs, posts and webhooks say about a match in the same way.
//!
//! Nothing here knows HTML or HTTP. Lines and states of a running match are read through [`Shown`] alone, which leaves
//! out what its reader may not see yet.

mod address;
mod answered;
mod beat;
mod choice;
mod question;
mod scene;
mod shown;

pub use address::{RuleLink, match_address, rule_address};
pub use answered::Answered;
pub use beat::Beat;
pub use choice::{Act, Choice, acted, choice, parties};
pub use question::prompt;
pub use scene::{beat_scene, match_scene, shown_scene, step_scene};
pub use shown::Shown;
