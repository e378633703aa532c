//! Outgoing webhooks (Standard Webhooks, standardwebhooks.com): public events, sent to addresses that umpires name.
//!
//! The messages follow from positions in the log, so a crash loses none. One node at a time sends them, each match's
//! events in order, at least once. Every event is an entry.

mod address;
mod deliver;
mod event_kind;
mod hooks;
mod outbox;
mod payload;
mod recent_deliveries;
mod schedule;
mod secret;

pub use address::wrong_address;
pub use deliver::{WebhookSender, deliver};
pub use event_kind::{EventKind, TEST};
pub use hooks::{MadeHook, NewHook, add, find_for, list_for, remove, rotate, start, stop};
pub use recent_deliveries::{again, newest, test};
pub use secret::Secret;
pub use store::webhooks::hooks::Hook;
pub use store::webhooks::messages::DeliveryRow;
