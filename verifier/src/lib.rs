//! The verification of a match, and its replay, as a module that a browser runs.
//!
//! It is the same code that the server and the command line run. A page hands in the bytes of a bundle and asks for one
//! [message](Message) after the other: what match it is, finding by finding, the rounds as the engine replays them, the
//! verdict. Then it may ask for any moment of the match. Messages are JSON, so that the tests can hold those of the module
//! against those of the native code, byte for byte.
//!
//! It must never look at a clock, draw randomness, or reach for anything that was not handed in.

#[cfg(target_arch = "wasm32")]
mod boundary;
mod message;
mod moment;
mod session;
mod view;

pub use message::Message;
pub use session::Session;
