//! What pages, programs, posts and webhooks say about a match in the same way.
//!
//! Nothing here knows HTML or HTTP. Lines and states of a running match are read through [`VisibleMatch`] alone, which leaves
//! out what its reader may not see yet.

mod address;
mod answered;
mod beat;
mod before_strike;
mod choice;
pub mod integer;
mod match_json;
mod question;
mod ruleset_name;
mod scene;
pub mod typed;
mod visible_match;

pub use address::{RuleLink, match_address, rule_address, ruleset_address};
pub use answered::Answered;
pub use beat::Beat;
pub use before_strike::BeforeStrike;
pub use choice::{Act, Choice, acted, choice, parties};
pub use match_json::{HeadJson, Match as MatchJson, ResultJson, Seats, match_json, result as result_json};
pub use question::prompt;
pub use ruleset_name::ruleset_name;
pub use scene::{beat_scene, match_scene, step_scene, visible_scene};
pub use visible_match::VisibleMatch;
