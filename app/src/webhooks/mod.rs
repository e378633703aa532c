//! The rows of webhooks, and of what is and was sent to them. What an umpire changes here, by a page or by a program, and
//! what `webhooks` sends from.

mod address;
mod hook;
mod kind;
mod message;
mod secret;

pub use address::wrong_address;
pub use hook::{EACH_MAX, Hook, NewHook, add, find, hold, list, remove, rotate, secrets, start, stop};
pub use kind::{EventKind, TEST};
pub use message::{Attempt, Due, Sent, again, attempted, due, forget_old, newest, test, with_due};
pub use secret::Secret;
