//! The rows of webhooks, and of what is and was sent to them. What an umpire changes here, by a page or by a program, and
//! what `webhooks` sends from.

mod address;
mod hook;
mod kind;
mod message;
mod secret;

pub(crate) use address::wrong_address;
pub(crate) use hook::{EACH_MAX, Hook, NewHook, add, find, hold, list, remove, rotate, secrets, start, stop};
pub(crate) use kind::{EventKind, TEST};
pub(crate) use message::{Attempt, Due, Sent, again, attempted, due, forget_old, newest, test, with_due};
pub(crate) use secret::Secret;
