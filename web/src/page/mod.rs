//! What every page is made of: the frame, and the answers that are no page.

mod frame;
mod problem;

pub use frame::{Frame, page};
pub use problem::Problem;
