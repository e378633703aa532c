//! Signing in, registered players and webhooks.

pub mod registered;
pub mod sign_in;
pub mod webhooks;
