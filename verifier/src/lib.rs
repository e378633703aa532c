//! The verification of a match, and its replay, as a module that a browser runs.
//!
//! It is the same code that the server and the command line run. A page passes the bytes of a bundle, and reads one
//! [message](Message) after the other: the match, each finding, the rounds as the engine replays them, the verdict.
//! Then it may ask for any moment of the match. Messages are JSON, so that the tests can compare those of the module
//! with those of the native code, byte for byte.
//!
//! It must never read a clock, draw random numbers, or use anything but its input.

#[cfg(target_arch = "wasm32")]
mod boundary;
mod message;
mod moment;
mod session;
mod view;

pub use message::Message;
pub use session::Session;
