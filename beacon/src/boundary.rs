//! The functions for the browser: two functions over numbers, and the module's memory.
//!
//! `room(n)` reserves n bytes and returns their address. The page writes there a key, a round and a signature, as text with
//! spaces between, and calls `signed()`: 1 if the signature is by that key, of that round, and else 0.

#![expect(unsafe_code, reason = "an exported name is an unsafe attribute, as in the verifier's own module")]

use std::sync::{Mutex, PoisonError};

static ROOM: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Reserves this many bytes, and returns their address.
#[unsafe(no_mangle)]
extern "C" fn room(bytes: usize) -> *const u8 {
    let mut room = ROOM.lock().unwrap_or_else(PoisonError::into_inner);
    *room = vec![0; bytes];
    room.as_mut_ptr()
}

/// Checks what was written.
#[unsafe(no_mangle)]
extern "C" fn signed() -> u32 {
    let written = std::mem::take(&mut *ROOM.lock().unwrap_or_else(PoisonError::into_inner));
    u32::from(is_signed(&written).unwrap_or(false))
}

fn is_signed(written: &[u8]) -> Option<bool> {
    let mut words = std::str::from_utf8(written).ok()?.split(' ');
    let (key, round, signature) = (words.next()?, words.next()?, words.next()?);
    Some(crate::is_signed_by(&key.parse().ok()?, round.parse().ok()?, &signature.parse().ok()?))
}
