//! A refused step changes nothing, whatever it was.

use engine::{SplitMix64, Stream, dmn};
use proptest::prelude::*;

use super::{law, play};

const ODDITIES: [&str; 14] = [
    "",
    "/",
    "1. x / y",
    "p1: use claim-priority",
    "p2: decline",
    "host: deal R1",
    "9. - / -",
    "- / - / -",
    "umpire: result p1",
    "p1: hands 2C 2C 2C | 2C | ",
    "p2: divide R1 | | aside",
    "host: place A A1",
    "p1: raise 4294967296",
    "host: \u{1f0a1} \u{301}",
];

#[test]
fn a_refused_step_changes_nothing() {
    law(|game| {
        // Lines of every phase of this match; each of them is illegal in nearly every other phase.
        let mut lines = Vec::new();
        play(game.clone(), |moment, _| {
            lines.push(moment.played.text.clone());
            Ok(())
        })?;
        let mut refused = 0;
        play(game, |moment, chance| {
            let any = |chance: &mut SplitMix64| lines[chance.below(lines.len() as u64) as usize].clone();
            let elsewhere = any(chance);
            let odd = ODDITIES[chance.below(ODDITIES.len() as u64) as usize].to_owned();
            let other = other_seat(&moment.played.text);
            let mixed = spliced(&moment.played.text, &any(chance), chance);
            let mutated = mutated(&moment.played.text, chance);
            for line in [elsewhere, odd, other, mixed, mutated] {
                let mut after = moment.before.clone();
                let mut effects = Vec::new();
                if let Err(refusal) = after.play(&line, Some(&mut effects)) {
                    prop_assert_eq!(format!("{:?}", moment.before), format!("{:?}", after), "{}", line);
                    prop_assert!(effects.is_empty(), "{}: {:?}", line, effects);
                    prop_assert!(refusal.at <= line.len() && line.is_char_boundary(refusal.at), "{line}: {refusal:?}");
                    let expected = refusal.expected.trim_end_matches("...");
                    prop_assert!(!expected.is_empty() && !expected.ends_with('.'), "{line}: {refusal}");
                    refused += 1;
                }
            }
            Ok(())
        })?;
        prop_assert!(refused > 0);
        Ok(())
    });
}

/// A file of nonsense is an error with a place, and nothing worse.
#[test]
fn any_line_at_all_is_read_or_refused() {
    law(|game| {
        play(game, |moment, chance| {
            let mut line = moment.played.text.clone();
            for _ in 0..3 {
                line = mutated(&line, chance);
            }
            let _ = moment.before.spell(&line);
            let _ = moment.before.clone().play(&line, None);
            let text = format!("[DMN \"1\"]\n[Ruleset \"no/such\"]\n{line}\n");
            prop_assert!(dmn::Replay::open(&text).is_err());
            Ok(())
        })?;
        Ok(())
    });
}

/// The line with the seats swapped, if it is one seat's.
fn other_seat(line: &str) -> String {
    match line.split_at_checked(2) {
        Some(("p1", rest)) => format!("p2{rest}"),
        Some(("p2", rest)) => format!("p1{rest}"),
        _ => format!("p1: {}", line.split_once(" / ").map_or("", |(_, said)| said)),
    }
}

/// The beginning of one line and the end of another.
fn spliced(line: &str, other: &str, chance: &mut SplitMix64) -> String {
    let cut = |line: &str, chance: &mut SplitMix64| chance.below(line.split(' ').count() as u64 + 1) as usize;
    let (until, from) = (cut(line, chance), cut(other, chance));
    line.split(' ').take(until).chain(other.split(' ').skip(from)).collect::<Vec<_>>().join(" ")
}

/// The line with one word removed, repeated, moved or misspelled.
fn mutated(line: &str, chance: &mut SplitMix64) -> String {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let at = chance.below(words.len() as u64) as usize;
    let to = chance.below(words.len() as u64) as usize;
    match chance.below(6) {
        0 => {
            words.remove(at);
        }
        1 => words.insert(at, words[at].clone()),
        2 => words.swap(at, to),
        3 => words[at] = words[to].clone(),
        4 => {
            let letter = char::from(33 + chance.below(94) as u8);
            let place = words[at].char_indices().nth(chance.below(4) as usize).map_or(0, |(place, _)| place);
            words[at].insert(place, letter);
        }
        _ => {
            let from = words[at].char_indices().nth(1).map_or(0, |(place, _)| place);
            words[at].replace_range(..from, "");
        }
    }
    words.join(" ")
}
