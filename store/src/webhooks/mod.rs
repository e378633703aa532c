//! The rows of outgoing webhooks: where each sends, the messages, and the node that sends them.

pub mod hooks;
pub mod messages;
pub mod sending;
