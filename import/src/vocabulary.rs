//! The words that somebody can say at a moment of a match, and what sounds like them.

use engine::{Choice, Duel, Form, Panel, Party, Seat, Sight, To};

use super::sense::is_common;
use super::wording::{LONGEST, Letters, is_in, plain};

/// The word for a move without actions.
const NOTHING: &str = "nothing";

/// The words that a party can say now: of every question that it is asked.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    pub(super) choices: Vec<Choice>,
    /// Each word that can stand in an answer, in lower case.
    pub(super) words: Vec<String>,
    pub(super) most: u8,
    /// The letters that the site writes on its lamps, each with its word.
    pub(super) letters: Vec<(char, &'static str)>,
}

impl Vocabulary {
    pub(super) fn of(duel: &Duel, party: Party) -> Self {
        let words = Self::without_letters(duel, party);
        Self { letters: letters(duel, &words.choices), ..words }
    }

    /// What it can say without the letters on the lamps, for which the whole match is drawn.
    pub(super) fn without_letters(duel: &Duel, party: Party) -> Self {
        let mut all = Self::default();
        for ask in duel.asks() {
            let asked = is_asked(ask.to, party);
            match duel.form(party, ask.what).filter(|_| asked) {
                Some(Form::Words { choices, most, .. }) => {
                    all.most = all.most.max(most);
                    for choice in &choices {
                        all.add(choice.word);
                        // An item: "+overload".
                        if choice.word.starts_with('+') {
                            all.add(choice.label);
                        }
                        if is_code(choice.word) {
                            all.add(choice.label);
                        }
                        choice.targets.iter().for_each(|(word, _)| all.add(word));
                    }
                    all.choices.extend(choices);
                }
                Some(Form::Line { example, places, .. }) => {
                    all.add(example.split(' ').next().unwrap_or_default());
                    if let Some(places) = places {
                        all.add(places.verb);
                        for thing in places.things.iter() {
                            all.add(&thing.word);
                            all.add(&thing.label);
                        }
                        places.places.iter().for_each(|place| all.add(&place.lead));
                    }
                }
                None => {}
            }
            // To send no action on purpose is an answer in some games, though no choice.
            let nothing = |seat: Seat| asked && duel.read(seat, ask.what, NOTHING).is_ok();
            if party.seat().is_some_and(nothing) {
                all.add(NOTHING);
            }
        }
        all
    }

    fn add(&mut self, words: &str) {
        for word in words.split_whitespace().map(str::to_lowercase) {
            if word.chars().any(char::is_alphanumeric) && word != "of" && !self.words.contains(&word) {
                self.words.push(word);
            }
        }
    }

    /// Whether a text sounds like a move rather than like talk: half of its words are nearly words of the game.
    pub(super) fn sounds(&self, text: &str) -> bool {
        if text.len() > LONGEST {
            return false;
        }
        let plain = plain(text).to_lowercase();
        let said: Vec<&str> = plain.split([' ', ':', '|']).filter(|word| !word.is_empty()).collect();
        // Initials alone, such as "S, G", are an answer that is cut very short.
        let initials = said.iter().all(|said| said.chars().count() == 1);
        let is_meant = |said: &&&str| {
            let length = said.chars().count();
            self.words.iter().any(|word| is_near(said, length, word) || (initials && word.starts_with(**said)))
        };
        let near = said.iter().filter(is_meant).count();
        let letters = || !said.iter().any(|said| is_common(said)) && Letters::read(self, text).is_some();
        (near > 0 && near * 2 >= said.len()) || letters()
    }

    /// Whether a word is nearly one of the game's, and none of them.
    pub(super) fn is_slip(&self, said: &str) -> bool {
        let length = said.chars().count();
        length > 3 && self.bent(said).is_none() && self.words.iter().any(|word| is_near(said, length, word))
    }

    /// The word of the game that is said here, as it is or as people bend it: blocking, scored.
    pub(super) fn bent(&self, said: &str) -> Option<&str> {
        let known = |said: &str| self.words.iter().find(|word| *word == said).map(String::as_str);
        known(said).or_else(|| stems(said).find_map(|stem| known(&stem)))
    }
}

/// Whether a question to somebody is one to this party.
pub(super) const fn is_asked(to: To, party: Party) -> bool {
    match (to, party) {
        (To::Both, Party::Seat(_)) | (To::Host, Party::Host) => true,
        (To::One(turn), Party::Seat(seat)) => matches!((turn, seat), (Seat::P1, Seat::P1) | (Seat::P2, Seat::P2)),
        _ => false,
    }
}

/// Whether a word is written for its shortness, as `TH` for the ten of hearts: people say the other one.
fn is_code(word: &str) -> bool {
    word.contains(char::is_uppercase)
}

/// The letters on the lamps of a match, with the words of the actions that have them.
fn letters(duel: &Duel, choices: &[Choice]) -> Vec<(char, &'static str)> {
    let mut all = Vec::new();
    if choices.is_empty() {
        return all;
    }
    for panel in duel.panels(Sight::Public) {
        let Panel::Lamps { lamps, .. } = panel else { continue };
        for lamp in lamps {
            let word = choices.iter().find(|choice| choice.label == lamp.name).map(|choice| choice.word);
            let letter = lamp.letters.chars().next().map(|letter| letter.to_ascii_lowercase());
            all.extend(letter.zip(word).filter(|letter| !all.contains(letter)));
        }
    }
    all
}

/// What people say instead of a word with another ending.
const IRREGULAR: [(&str, &str); 8] = [
    ("stand", "no nope nah done enough stay stays stop stops stood"),
    ("refill", "yes yeah yep"),
    ("first", "start starts begin"),
    ("steal", "stole stolen"),
    ("grow", "grew grown"),
    ("take", "took"),
    ("pass", "passing"),
    ("middle", "center mid"),
];

pub(super) fn stems(said: &str) -> impl Iterator<Item = String> {
    let cut = |ending: &str| said.strip_suffix(ending).filter(|stem| stem.len() > 2);
    let (ing, ed) = (cut("ing"), cut("ed"));
    let whole = [cut("s"), cut("es"), ing, ed].into_iter().flatten().map(str::to_owned);
    let with_e = [ing, ed].into_iter().flatten().map(|stem| format!("{stem}e"));
    let doubled = [ing, ed].into_iter().flatten().filter_map(|stem| {
        let last = stem.chars().next_back()?;
        stem.strip_suffix(last).filter(|rest| rest.ends_with(last)).map(str::to_owned)
    });
    let other = IRREGULAR.iter().filter(|(_, others)| is_in(others, said)).map(|(word, _)| (*word).to_owned());
    whole.chain(with_e).chain(doubled).chain(other).collect::<Vec<_>>().into_iter()
}

/// Whether a word of so many letters was meant as one of the game's, perhaps cut short or mistyped.
fn is_near(said: &str, length: usize, word: &str) -> bool {
    if length >= 2 && word.starts_with(said) {
        return true;
    }
    let letters = word.chars().count();
    let slips = if letters > 3 { 1 + usize::from(letters > 6) } else { 0 };
    match slips {
        0 => said == word,
        slips => length.abs_diff(letters) <= slips && strsim::osa_distance(said, word) <= slips,
    }
}

#[cfg(test)]
mod tests {
    use engine::{Seat, Setup};

    use super::*;

    fn duel(ruleset: &str) -> Duel {
        Duel::open(&Setup { ruleset: ruleset.into(), dmo: Some(Seat::P1), ..Setup::default() }).unwrap()
    }

    #[test]
    fn talk_does_not_sound_like_a_move() {
        let vocabulary = Vocabulary::of(&duel("five-card-trick/dm-colosseum-2"), Seat::P1.into());
        for (text, sounds) in [
            ("scroe, grow", true),
            ("stael", true),
            ("good luck to you", false),
            ("I think I will win this one", false),
            ("lol", false),
            ("grow jump", true),
            ("S, G", true),
            ("S.C.", true),
            ("sg", true),
            ("k", false),
            ("gg", false),
        ] {
            assert_eq!(vocabulary.sounds(text), sounds, "{text}");
        }
    }
}
