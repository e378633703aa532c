//! Where a match is played, led and watched.

pub mod guess;
pub mod importing;
pub mod live;
pub mod play;
pub mod umpire;
pub mod whatif;

#[cfg(test)]
#[path = "../../../record/tests/record/book.rs"]
#[expect(dead_code, reason = "fewer kinds of matches are drawn here than the record's own tests play")]
mod played;
