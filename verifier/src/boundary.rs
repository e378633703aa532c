//! The functions for the browser: seven functions over numbers, and the module's memory.
//!
//! Text goes in and out through memory. `room(n)` reserves n bytes and returns their address. The page writes there,
//! and calls `start(m)`: the first m bytes are a bundle, the rest a policy. `next()` and `moment(n)` make a message and
//! return its length in bytes (0: none is left); `said()` returns its address. `rounds()` makes such a text, too: a line with
//! key, round and signature for each round of a beacon. The beacon's module checks them; then the page writes a byte for
//! each, 1 or 0, and calls `checked()`.
//!
//! No pointer is followed here, so only the names are unsafe: `no_mangle` exports a name that another part of a program
//! might use too, which Rust cannot exclude. The module is a program of its own, and these are its only exported names.

#![expect(unsafe_code, reason = "an exported name is an unsafe attribute; see above")]

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::session::Session;

/// The state between two calls. A page has one thread and one session.
struct Module {
    room: Vec<u8>,
    said: Vec<u8>,
    session: Option<Session>,
}

static MODULE: Mutex<Module> = Mutex::new(Module { room: Vec::new(), said: Vec::new(), session: None });

fn module() -> MutexGuard<'static, Module> {
    MODULE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reserves this many bytes, and returns their address.
#[unsafe(no_mangle)]
extern "C" fn room(bytes: usize) -> *const u8 {
    let mut module = module();
    module.room = vec![0; bytes];
    module.room.as_mut_ptr()
}

/// Reads the written bytes: the first `bundle` bytes are the bundle, the rest the policy.
#[unsafe(no_mangle)]
extern "C" fn start(bundle: usize) {
    let mut module = module();
    let room = std::mem::take(&mut module.room);
    let (bundle, policy) = room.split_at(bundle.min(room.len()));
    module.session = Some(Session::start(bundle, policy));
}

/// Makes the list of the beacon's rounds, and returns its length in bytes; 0 if there are none to check.
#[unsafe(no_mangle)]
extern "C" fn rounds() -> usize {
    let mut module = module();
    let rounds = module.session.as_ref().map(Session::rounds).unwrap_or_default();
    let lines = rounds.iter().map(|check| format!("{} {} {}\n", check.network.key, check.round, check.signature));
    module.said = lines.collect::<String>().into_bytes();
    module.said.len()
}

/// Takes the results of these rounds from the written bytes.
#[unsafe(no_mangle)]
extern "C" fn checked() {
    let mut module = module();
    let results: Vec<bool> = std::mem::take(&mut module.room).into_iter().map(|byte| byte == 1).collect();
    if let Some(session) = &mut module.session {
        session.rounds_checked(&results);
    }
}

/// Makes the next message, and returns its length in bytes; 0 after the last.
#[unsafe(no_mangle)]
extern "C" fn next() -> usize {
    let mut module = module();
    let message = module.session.as_mut().and_then(Session::next);
    module.said = message.map(|message| message.to_json().into_bytes()).unwrap_or_default();
    module.said.len()
}

/// Makes the message of a round, by its row in the score sheet from 0, and returns its length in bytes; 0 if there is
/// no such row.
#[unsafe(no_mangle)]
extern "C" fn moment(row: usize) -> usize {
    let mut module = module();
    let message = module.session.as_ref().and_then(|session| session.moment(row));
    module.said = message.map(|message| message.to_json().into_bytes()).unwrap_or_default();
    module.said.len()
}

/// The address of the message.
#[unsafe(no_mangle)]
extern "C" fn said() -> *const u8 {
    module().said.as_ptr()
}
