//! What a browser sees. Numbers go in and come out; no pointer is followed, so only the names are unsafe.
#![expect(unsafe_code, reason = "a browser finds a function by its name alone")]

use crate::TEXTS;

/// As [`crate::digest_of_matches`], of the text at this place.
#[unsafe(no_mangle)]
extern "C" fn digest_of_matches(text: u32, first: u64, matches: u64) -> u64 {
    TEXTS.get(text as usize).map_or(0, |(_, text)| crate::digest_of_matches(text, first, matches))
}

/// As [`crate::digest_of_damage`].
#[unsafe(no_mangle)]
extern "C" fn digest_of_damage(first: u64, cases: u64) -> u64 {
    crate::digest_of_damage(first, cases)
}
