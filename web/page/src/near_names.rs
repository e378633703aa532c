//! Names that are near to what somebody typed: the beginning of a name, a name without its marks, or with a slip of the
//! fingers.

use app::archive::{KnownName, NameKind, letters};
use record::name_key;

type Distance = usize;

/// The distance of the beginning of a name, and of the beginning of a later word. Slips count from there.
const BEGINS: Distance = 1;
const WORD_BEGINS: Distance = 2;

pub fn near_names<'n>(known: &'n [KnownName], kind: Option<NameKind>, asked: &str) -> Vec<&'n KnownName> {
    let asked = letters(&name_key(asked));
    let of_kind = known.iter().filter(|name| kind.is_none_or(|kind| name.kind == kind));
    let mut near: Vec<(Distance, &KnownName)> =
        of_kind.filter_map(|name| Some((distance(&name.letters, &asked)?, name))).collect();
    near.sort_by_key(|(distance, name)| (*distance, name.kind, name.key.len()));
    near.into_iter().map(|(_, name)| name).collect()
}

/// True if this is a slip away from a name, or from words of it.
pub fn is_near(name: &str, asked: &str) -> bool {
    let words: Vec<&str> = name.split([' ', '-']).collect();
    let runs = (1..=words.len()).rev().flat_map(|count| words.windows(count));
    let texts: Vec<String> = runs.map(|run| letters(&name_key(&run.concat()))).collect();
    distance(&texts, &letters(&name_key(asked))).is_some()
}

fn distance(texts: &[String], asked: &str) -> Option<Distance> {
    let (whole, words) = texts.split_first().filter(|_| !asked.is_empty())?;
    if whole == asked {
        return Some(0);
    }
    if whole.starts_with(asked) {
        return Some(BEGINS);
    }
    if words.iter().any(|word| word.starts_with(asked)) {
        return Some(WORD_BEGINS);
    }
    let found = texts.iter().filter_map(|text| slips(text, asked)).min()?;
    Some(WORD_BEGINS + found)
}

/// The number of slips between a text and what was typed, as far as people make them: a letter left out, added, changed
/// or swapped. None if there are more.
fn slips(text: &str, asked: &str) -> Option<usize> {
    let (long, typed) = (text.chars().count(), asked.chars().count());
    let most = match typed {
        0..=3 => 0,
        4 | 5 => 1,
        6..=8 => 2,
        _ => 3,
    };
    // Most names differ in length, or lack more letters than slips can explain, and need not be compared.
    let near = long.abs_diff(typed) <= most && (signs(asked) & !signs(text)).count_ones() as usize <= most;
    near.then(|| strsim::osa_distance(text, asked)).filter(|slips| *slips <= most)
}

fn signs(text: &str) -> u64 {
    text.chars().fold(0, |signs, sign| signs | (1 << (u32::from(sign) % 64)))
}

pub fn near_word<'n>(name: &'n str, asked: &str) -> &'n str {
    let asked = letters(&name_key(asked));
    let far = |text: &&str| strsim::osa_distance(&letters(&name_key(text)), &asked);
    name.split_whitespace().chain([name]).min_by_key(far).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<KnownName> {
        let known = |name: &&str| KnownName::new(NameKind::Player, name_key(name), (*name).to_owned());
        names.iter().map(known).collect()
    }

    #[test]
    fn a_slip_a_beginning_and_a_mark_are_forgiven() {
        let known = names(&["Kestrel", "O\u{2019}Malley", "Quill", "Quinn", "Zo\u{eb} Quill", "Juniper"]);
        let near = |asked: &str| -> Vec<&str> {
            near_names(&known, None, asked).into_iter().map(|known| known.name.as_str()).collect()
        };
        assert_eq!(near("kestral"), ["Kestrel"]);
        assert_eq!(near("KESTERL"), ["Kestrel"], "two letters in each other's place");
        assert_eq!(near("omalley"), ["O\u{2019}Malley"]);
        assert_eq!(near("qui"), ["Quill", "Quinn", "Zo\u{eb} Quill"], "the beginning of a name before that of a word");
        assert_eq!(near("zoe-quil"), ["Zo\u{eb} Quill"]);
        assert_eq!(near_word("Lantern Cup 2019", "lantrn"), "Lantern");
        assert_eq!(near_word("Dr. Pelican", "drpelican"), "Dr. Pelican");
        assert_eq!(near("qun"), [""; 0], "of three letters, none may be wrong");
        assert_eq!(near("somebody else"), [""; 0]);
        assert_eq!(near("!"), [""; 0]);
        assert_eq!(near_names(&known, Some(NameKind::Event), "quill"), [&known[0]; 0]);
        assert!(is_near("Five-Card Trick", "five crad") && !is_near("Five-Card Trick", "four crad"));
    }
}
