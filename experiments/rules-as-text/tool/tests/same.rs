//! The machine in WebAssembly says what it says natively, over every text and over damaged ones. `scripts/same.sh` builds the
//! module and compares it in Node; without it, this shows that nothing panics. `CASES=10000000` tries that many.

use std::collections::BTreeMap;

use rules_module::{TEXTS, damaged, digest_of_damage, digest_of_matches, fuzz};

fn number(name: &str, other: u64) -> u64 {
    std::env::var(name).ok().and_then(|number| number.parse().ok()).unwrap_or(other)
}

/// Printed as `scripts/same.mjs` prints it.
#[test]
fn matches_as_numbers() {
    let matches = number("MATCHES", 20);
    for (place, (name, text)) in TEXTS.iter().enumerate() {
        println!("text {place} {:016x} {name}", digest_of_matches(text, 0, matches));
    }
}

#[test]
fn damaged_texts_as_numbers() {
    let (cases, block) = (number("CASES", 20_000), 10_000);
    for first in (0..cases).step_by(block as usize) {
        println!("damage {first} {:016x}", digest_of_damage(first, block.min(cases - first)));
    }
}

/// The damage is worth something: texts read, texts are refused for many reasons, and letters that were lost anywhere.
#[test]
fn damage_reaches_reader_and_machine() {
    let mut reasons = BTreeMap::<String, u64>::new();
    let mut read = 0_u64;
    for case in 0..20_000 {
        let text = damaged(case);
        match rules_as_text::Rules::read(&text) {
            Ok(_) => read += 1,
            Err(fault) => {
                *reasons.entry(fault.text.chars().filter(|sign| !sign.is_numeric()).take(24).collect()).or_default() +=
                    1
            }
        }
    }
    println!("{read} of 20000 read; {} kinds of refusal", reasons.len());
    assert!(read > 5_000 && read < 19_000 && reasons.len() > 60, "{read} {}", reasons.len());
    let text = TEXTS[0].1;
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let whole = ends.iter().filter(|end| fuzz(&text[..**end], 1)).count();
    assert!(whole < 200, "a text that is cut short anywhere before its last function does not read: {whole}");
}
