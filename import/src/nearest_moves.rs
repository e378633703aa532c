//! What somebody may have meant: the answers that are legal now and lie nearest to what was written.

use std::collections::HashMap;

use engine::{Choice, Duel, Form, Party};

use super::typed_move::{TYPED_MAX_BYTES, is_asked};

/// Suggestions for one line.
const OFFERED: usize = 3;
/// Combinations of words that are looked at.
const COMBINED: usize = 4_000;
/// The nearest of them that are held against the rules.
const TRIED: usize = 300;

/// The legal answers nearest to a text, nearest first; none where the party is not asked.
pub(crate) fn nearest(duel: &Duel, party: Party, text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    if text.len() > TYPED_MAX_BYTES {
        return found;
    }
    for ask in duel.asks().iter().rev() {
        let asked = is_asked(ask.to, party);
        let candidates = match duel.form(party, &ask.what).filter(|_| asked) {
            Some(Form::Words { choices, least, most }) => {
                let mut all = combinations(&choices, usize::from(least), usize::from(most));
                let mut distances = Distances::to(text);
                all.sort_by_cached_key(|candidate| distances.of(candidate));
                // What is said may be allowed with an item that is left out.
                let items = choices.iter().filter(|choice| choice.word.starts_with('+'));
                let with_items = items.map(|item| format!("{} {}", plain(text), item.word));
                all.splice(0..0, with_items.collect::<Vec<_>>());
                all
            }
            Some(Form::Line { places: Some(places), .. }) => {
                let things = places.things.iter().map(|thing| thing.word.as_str());
                let leads = places.places.iter().map(|place| place.lead.as_str());
                let words: Vec<&str> = things.chain(leads).chain([places.verb, "none"]).collect();
                vec![corrected(text, &words)]
            }
            _ => continue,
        };
        let legal = candidates.iter().take(TRIED).filter_map(|text| Some(duel.read(party, &ask.what, text).ok()?.text));
        for answer in legal.take(OFFERED) {
            if !found.contains(&answer) {
                found.push(answer);
            }
        }
    }
    found.truncate(OFFERED);
    found
}

/// Every answer of these words, as far as there are not too many.
fn combinations(choices: &[Choice], least: usize, most: usize) -> Vec<String> {
    let units = choices.iter().flat_map(|choice| {
        let targets = choice.targets.iter().map(|(target, _)| format!("{}:{target}", choice.word));
        let amount = choice.amounts.map(|(least, _)| format!("{} {least}", choice.word));
        let bare = (choice.targets.is_empty() && amount.is_none()).then(|| choice.word.to_string());
        let copies = usize::from(choice.copies.max(1));
        targets.chain(amount).chain(bare).flat_map(move |unit| std::iter::repeat_n(unit, copies)).collect::<Vec<_>>()
    });
    let units: Vec<String> = units.collect();
    let mut all: Vec<String> = Vec::new();
    let mut layer: Vec<(usize, String)> = vec![(0, String::new())];
    for size in 1..=most {
        let mut next = Vec::new();
        for (from, begun) in &layer {
            for (at, unit) in units.iter().enumerate().skip(*from) {
                if all.len() + next.len() >= COMBINED {
                    break;
                }
                next.push((at + 1, format!("{begun} {unit}").trim_start().to_owned()));
            }
        }
        if size >= least.max(1) {
            all.extend(next.iter().map(|(_, text)| text.clone()));
        }
        layer = next;
    }
    all
}

struct Distances {
    said: Vec<String>,
    /// The slips between each word of an answer and each of the text: answers are made of few words.
    slips: HashMap<String, Vec<usize>>,
}

impl Distances {
    fn to(text: &str) -> Self {
        Self { said: words(&plain(text)), slips: HashMap::new() }
    }

    /// The distance of this answer, whatever the order of its words: the slips in each word of either.
    fn of(&mut self, answer: &str) -> usize {
        let meant = words(answer);
        for word in &meant {
            if !self.slips.contains_key(word) {
                let slips = self.said.iter().map(|said| slips(said, word)).collect();
                self.slips.insert(word.clone(), slips);
            }
        }
        let meant: Vec<&Vec<usize>> = meant.iter().filter_map(|word| self.slips.get(word)).collect();
        let to_said = meant.iter().filter_map(|slips| slips.iter().min());
        let of_said = |at: usize| meant.iter().filter_map(|slips| slips.get(at)).min();
        let to_meant = (0..self.said.len()).filter_map(of_said);
        to_said.sum::<usize>() + to_meant.sum::<usize>() + self.said.len().abs_diff(meant.len())
    }
}

/// The words of a text or an answer, in lower case: at least one, which may be empty.
fn words(text: &str) -> Vec<String> {
    text.to_lowercase().split([' ', ':']).map(str::to_owned).collect()
}

/// A text without the marks that people put between words.
fn plain(text: &str) -> String {
    let marks = |letter: char| ",;&·()[]\"“”/".contains(letter);
    let words = text.split(|letter: char| letter.is_whitespace() || marks(letter)).filter(|word| !word.is_empty());
    words
        .filter(|word| !["and", "+"].contains(word))
        .collect::<Vec<_>>()
        .join(" ")
        .trim_end_matches(['.', '!'])
        .to_owned()
}

fn slips(said: &str, word: &str) -> usize {
    if !said.is_empty() && word.starts_with(said) { 0 } else { strsim::osa_distance(said, word) }
}

/// The text with each word that is none of the game's turned into the nearest that is.
fn corrected(text: &str, words: &[&str]) -> String {
    let known: Vec<&str> = words.iter().flat_map(|words| words.split(' ')).filter(|word| !word.is_empty()).collect();
    let correct = |said: &str| {
        if said == "|" || known.iter().any(|word| word.eq_ignore_ascii_case(said)) {
            return said.to_owned();
        }
        let slips = |word: &&&str| strsim::osa_distance(&said.to_lowercase(), &word.to_lowercase());
        known.iter().min_by_key(slips).map_or_else(|| said.to_owned(), |word| (*word).to_owned())
    };
    plain(text).split_whitespace().map(correct).collect::<Vec<_>>().join(" ")
}

/// The nearest of some words, where one is near at all.
pub(crate) fn nearest_word<'w>(said: &str, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let said = said.to_lowercase();
    let slips = |word: &str| strsim::osa_distance(&said, &word.to_lowercase());
    words.min_by_key(|word| slips(word)).filter(|word| slips(word) <= said.len().max(word.len()) / 2)
}
