//! Matches played and followed at Discord, against a stand-in that signs with its own key and checks every request
//! against Discord's published limits.

pub(crate) mod arena;
mod away;
mod commands;
pub(crate) mod door;
mod invitation;
mod limits;
mod opening;
mod posts;
mod record;
mod rights;
mod sign_in;
mod signatures;
pub(crate) mod stand_in;
mod submit;
