//! Altered copies of valid inputs. An alteration knows lines, words and numbers, so that what comes out is nearly valid,
//! and gets further into a parser than random bytes would.

use engine::{SplitMix64, Stream};

/// Words that parsers treat in a way of their own, or should; the first is empty.
const WORDS: &str = "|-1|0|00|255|65536|4294967296|18446744073709551616|1e9|null|[]|{}|\"\"|\\u0000|\\ud800|\u{0}|\u{feff}|\u{202e}|\
    \u{2028}|é|-|/|[DMN \"1\"]|result p1";

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
    let (at, row, said) = (place(copy, chance), line(copy, chance), word(copy, chance));
    let words: Vec<&str> = WORDS.split('|').collect();
    let (gone, now) = match chance.below(12) {
        0 => {
            (at..copy.len().min(at + 1), copy[at..].iter().take(1).map(|byte| byte ^ (1 << chance.below(8))).collect())
        }
        1 => (at..at, vec![chance.below(256) as u8]),
        2 => (at..copy.len().min(at + 1 + chance.below(8) as usize), Vec::new()),
        3 => (at..copy.len(), Vec::new()),
        4 => (at..at, copy[row].to_vec()),
        5 => (row, Vec::new()),
        6 => (row, other[line(other, chance)].to_vec()),
        7 => (said, other[word(other, chance)].to_vec()),
        8 | 9 => (said, one_of(&words, chance).as_bytes().to_vec()),
        10 => {
            let (second, start) = (line(copy, chance), row.start);
            let changed =
                [&copy[second.clone()], &copy[row.end..second.start.max(row.end)], &copy[row.clone()]].concat();
            if row.end <= second.start { (start..second.end, changed) } else { (at..at, Vec::new()) }
        }
        _ => (said.clone(), copy[said].repeat(1 + chance.below(40) as usize)),
    };
    copy.splice(gone, now);
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
