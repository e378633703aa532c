//! Altered copies of valid inputs. An alteration knows lines, words and numbers, so that what comes out is nearly valid,
//! and gets further into a parser than random bytes would.

use engine::{SplitMix64, Stream};

/// Words that parsers treat in a way of their own, or should.
const WORDS: [&str; 24] = [
    "",
    "-1",
    "0",
    "00",
    "255",
    "65536",
    "4294967296",
    "18446744073709551616",
    "1e9",
    "null",
    "[]",
    "{}",
    "\"\"",
    "\\u0000",
    "\\ud800",
    "\u{0}",
    "\u{feff}",
    "\u{202e}",
    "\u{2028}",
    "é",
    "-",
    "/",
    "[DMN \"1\"]",
    "result p1",
];

/// The most alterations of one copy.
const ALTERATIONS_MAX: u64 = 4;
/// Longer copies are cut, so that a case stays a case.
const BYTES_MAX: usize = 64 * 1024;

/// A copy of one of these inputs with a few alterations. Others lend lines and words.
pub(crate) fn altered(inputs: &[Vec<u8>], chance: &mut SplitMix64) -> Vec<u8> {
    let mut copy = one_of(inputs, chance).clone();
    for _ in 0..=chance.below(ALTERATIONS_MAX) {
        let other = one_of(inputs, chance);
        alter(&mut copy, other, chance);
    }
    copy.truncate(BYTES_MAX);
    copy
}

fn alter(copy: &mut Vec<u8>, other: &[u8], chance: &mut SplitMix64) {
    match chance.below(12) {
        0 => {
            let at = place(copy, chance);
            if let Some(byte) = copy.get_mut(at) {
                *byte ^= 1 << chance.below(8);
            }
        }
        1 => {
            let (at, byte) = (place(copy, chance), chance.below(256) as u8);
            copy.insert(at, byte);
        }
        2 => {
            let at = place(copy, chance);
            let end = (at + 1 + chance.below(8) as usize).min(copy.len());
            copy.drain(at..end);
        }
        3 => {
            let at = place(copy, chance);
            copy.truncate(at);
        }
        4 => {
            let (from, to) = (line(copy, chance), place(copy, chance));
            let twice = copy[from].to_vec();
            copy.splice(to..to, twice);
        }
        5 => {
            let gone = line(copy, chance);
            copy.drain(gone);
        }
        6 => {
            let (gone, lent) = (line(copy, chance), line(other, chance));
            copy.splice(gone, other[lent].iter().copied());
        }
        7 => {
            let (gone, lent) = (word(copy, chance), word(other, chance));
            copy.splice(gone, other[lent].iter().copied());
        }
        8 | 9 => {
            let gone = word(copy, chance);
            copy.splice(gone, one_of(&WORDS, chance).bytes());
        }
        10 => {
            let (one, two) = (line(copy, chance), line(copy, chance));
            if one.end <= two.start {
                let (first, second) = (copy[one.clone()].to_vec(), copy[two.clone()].to_vec());
                copy.splice(two, first);
                copy.splice(one, second);
            }
        }
        _ => {
            let repeated = word(copy, chance);
            let many = copy[repeated.clone()].repeat(1 + chance.below(40) as usize);
            copy.splice(repeated, many);
        }
    }
}

fn one_of<'a, T>(all: &'a [T], chance: &mut SplitMix64) -> &'a T {
    &all[chance.below(all.len() as u64) as usize]
}

/// A place in it, its end included.
fn place(text: &[u8], chance: &mut SplitMix64) -> usize {
    chance.below(text.len() as u64 + 1) as usize
}

/// The line at a random place, with its line break.
fn line(text: &[u8], chance: &mut SplitMix64) -> std::ops::Range<usize> {
    let at = place(text, chance);
    let start = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |before| before + 1);
    let end = text[at..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |after| at + after + 1);
    start..end
}

/// The word or number at a random place; a single sign if there is none.
fn word(text: &[u8], chance: &mut SplitMix64) -> std::ops::Range<usize> {
    let at = place(text, chance);
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80 || b"-_+=.".contains(byte);
    let start = text[..at].iter().rposition(|byte| !part(byte)).map_or(0, |before| before + 1);
    let end = text[at..].iter().position(|byte| !part(byte)).map_or(text.len(), |after| at + after);
    if start < end { start..end } else { at..(at + 1).min(text.len()) }
}
