//! The words that a seat can type, each with its shortest accepted form. Every form is tried on the engine, which
//! decides.

use askama::Template;
use engine::{Ask, Choice, Duel, Form, Party};

/// The longest list of words that is shown. A deck of cards is longer.
pub const LISTED: usize = 12;
const SOME: usize = 3;

#[derive(Debug, Default, Template)]
#[template(path = "vocabulary.html")]
pub struct Vocabulary {
    pub words: Vec<Word>,
    pub more: usize,
    pub amount: String,
    pub examples: Vec<String>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Word {
    /// Its parts, each split in two: the shortest accepted form, and the rest.
    pub parts: Vec<(String, String)>,
    pub targets: bool,
    /// The smallest and largest number that follows.
    pub amounts: Option<(u32, u32)>,
}

impl Word {
    fn long(&self) -> String {
        self.parts.iter().map(|(start, rest)| format!("{start}{rest}")).collect::<Vec<_>>().join(" ")
    }

    fn short(&self) -> String {
        self.parts.iter().map(|(start, _)| start.as_str()).collect::<Vec<_>>().join(" ")
    }
}

impl Vocabulary {
    pub fn of(duel: &Duel, ask: &Ask, forms: &[(Party, Form)]) -> Self {
        let mut choices: Vec<&Choice> = Vec::new();
        let (mut fewest, mut most) = (u8::MAX, 0);
        for (_, form) in forms {
            let Form::Words { choices: offered, least, most: up_to } = form else { continue };
            (fewest, most) = (fewest.min(*least), most.max(*up_to));
            choices.extend(
                offered
                    .iter()
                    .filter(|choice| !choices.iter().any(|known| known.word == choice.word))
                    .collect::<Vec<_>>(),
            );
        }
        // If the list is too long to be shown, words that can be typed now are shown as a sample.
        let long = choices.len() > LISTED;
        choices.retain(|choice| !long || choice.barred.is_none());
        let reads = |text: &str| forms.iter().any(|(party, _)| duel.read(*party, &ask.what, text).is_ok());
        let nothing = fewest == 0 && reads("nothing");
        let all: Vec<&str> = choices.iter().map(|choice| &*choice.word).chain(nothing.then_some("nothing")).collect();
        let words = all.iter().map(|word| {
            let choice = choices.iter().find(|choice| choice.word == *word);
            Word {
                parts: parts(word, &all, |text| {
                    forms.iter().any(|(party, _)| means(duel, *party, &ask.what, text, word))
                }),
                targets: choice.is_some_and(|choice| !choice.targets.is_empty()),
                amounts: choice.and_then(|choice| choice.amounts),
            }
        });
        let mut words: Vec<Word> = words.collect();
        let amount = match (fewest, most) {
            (fewest, most) if fewest == most => format!("exactly {most}"),
            (0, most) => format!("up to {most}"),
            (fewest, most) => format!("{fewest} to {most}"),
        };
        let examples = examples(&choices, &words, reads);
        let more = if words.len() > LISTED { words.len() - SOME } else { 0 };
        words.truncate(words.len() - more);
        Self { words, more, amount, examples }
    }
}

fn examples(choices: &[&Choice], words: &[Word], reads: impl Fn(&str) -> bool) -> Vec<String> {
    let targets = choices.iter().flat_map(|choice| choice.targets.iter().map(move |target| (&*choice.word, target.0)));
    let target = targets.rev().find(|(word, target)| word != target).map_or("", |(_, target)| target);
    let short_target =
        || words.iter().find(|word| word.long() == target).map_or_else(|| target.to_owned(), Word::short);
    let plain: Vec<&Word> = words.iter().filter(|word| !word.targets && !word.short().starts_with('+')).collect();
    let mut pairs = plain.iter().enumerate().filter_map(|(n, first)| {
        let second = words.iter().find(|word| word.targets).or(plain.get(n + 1).copied())?;
        let (long, short) = match second.targets {
            true => (format!(":{target}"), format!(":{}", short_target())),
            false => (String::new(), String::new()),
        };
        let long = format!("{} {}{long}", first.long(), second.long());
        let short = format!("{} {}{short}", first.short(), second.short());
        (reads(&long) && reads(&short)).then(|| vec![long, short])
    });
    pairs.next().unwrap_or_default()
}

fn means(duel: &Duel, party: Party, what: &str, text: &str, word: &str) -> bool {
    duel.read(party, what, text).is_ok_and(|reading| reading.text == word)
}

/// A word's parts, each split in two. A single word is recognized by its first letters; for several words the same
/// number of letters is tried on each.
fn parts(word: &str, all: &[&str], reads: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let cut = |part: &str, length: usize| {
        let (start, rest) = part.split_at_checked(length.min(part.len())).unwrap_or((part, ""));
        (start.to_owned(), rest.to_owned())
    };
    if !word.contains(' ') {
        let enough = (1..=word.len()).find(|length| {
            let start = word.get(..*length).unwrap_or(word);
            start != "+" && all.iter().filter(|other| other.starts_with(start)).count() == 1
        });
        return vec![cut(word, enough.unwrap_or(word.len()))];
    }
    let cuts = (1..=word.len()).map(|length| word.split(' ').map(|part| cut(part, length)).collect::<Vec<_>>());
    let short =
        |parts: &Vec<(String, String)>| parts.iter().map(|(start, _)| start.as_str()).collect::<Vec<_>>().join(" ");
    let whole = || word.split(' ').map(|part| cut(part, part.len())).collect();
    cuts.into_iter().find(|parts| reads(&short(parts))).unwrap_or_else(whole)
}
