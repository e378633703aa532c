//! Matches that are played and followed at Discord, against a stand-in that signs with a key of its own and holds every
//! request against Discord's published limits.

mod arena;
mod away;
mod commands;
mod door;
mod limits;
mod opening;
mod posts;
mod record;
mod sign_in;
mod signatures;
mod stand_in;
mod submit;
