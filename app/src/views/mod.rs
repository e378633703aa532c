//! The words and the shapes that pages, programs, posts and webhooks share about a match.
//!
//! Nothing here knows HTML or HTTP. Lines and states of a running match are read only through [`VisibleMatch`], which
//! leaves out the parts that its reader may not see yet.

mod act_words;
mod address;
mod answer_words;
mod beat;
mod before_strike;
mod comment_place;
mod highlights;
pub mod integer;
mod line_reading;
mod match_json;
mod move_text;
mod open_asks;
mod pause_reason;
mod question;
mod receipt_words;
mod ruleset_name;
mod scene;
mod seat_json;
mod spoken_words;
mod step_answer;
mod visible_match;

pub use act_words::{ActWords, length_words, played_words, score_words, umpires_in_turn};
pub use address::{RuleLink, match_address, rule_address, rules_address, ruleset_address};
pub use answer_words::{answer_words, line_words};
pub use beat::Beat;
pub use before_strike::BeforeStrike;
pub use comment_place::{CommentedMoment, comment_place};
pub use highlights::{Decision, Finish, Highlight, Highlights, changes_of_lead};
pub use line_reading::{LineError, LineReading, LineState};
pub use match_json::{HeadJson, MatchJson, ResultJson, Seats, match_json, result_json};
pub use move_text::{Action, MoveText, move_text, parties, sheet_move_text};
pub use open_asks::open_asks;
pub use pause_reason::pause_reason;
pub use question::prompt;
pub use receipt_words::{asked_round, quoted, receipt_name, receipt_words, received_words};
pub use ruleset_name::{listed_ruleset, ruleset_name};
pub use scene::{act, beat_scene, match_scene, shown_hands, step_scene, visible_scene};
pub use seat_json::{Lines, SeatWord};
pub use spoken_words::{spoken_line, spoken_words};
pub use step_answer::StepAnswer;
pub use visible_match::VisibleMatch;
