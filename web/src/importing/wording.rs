//! How people write a move, turned into ways in which the notation could say it. The engine decides which of them reads.

use engine::{Choice, Duel, Form, Party, To};

/// The longest text that may be a move, in bytes.
pub(super) const LONGEST: usize = 4 * crate::page::typed::MOVE_MAX_CHARS;

/// What people write where nothing came.
const NOTHING_CAME: [&str; 12] = [
    "–",
    "—",
    "no submission",
    "nothing submitted",
    "did not submit",
    "didn't submit",
    "didn’t submit",
    "no move",
    "timed out",
    "timeout",
    "missed",
    "default",
];
/// Words between Block and what it names.
const BETWEEN: [&str; 9] = ["on", "naming", "targeting", "against", "vs", "at", "to", "their", "the"];

/// The words that a party can say now: of every question that it is asked.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    /// Words on offer.
    pub(super) choices: Vec<Choice>,
    /// Each word that can stand in an answer, in lower case.
    pub(super) words: Vec<String>,
}

impl Vocabulary {
    /// What this party can say now.
    pub(super) fn of(duel: &Duel, party: Party) -> Self {
        let mut all = Self::default();
        for ask in duel.asks() {
            let asked = match (ask.to, party) {
                (To::Both, Party::Seat(_)) | (To::Host, Party::Host) => true,
                (To::One(turn), Party::Seat(seat)) => turn == seat,
                _ => false,
            };
            match duel.form(party, ask.what).filter(|_| asked) {
                Some(Form::Words { choices, .. }) => {
                    for choice in &choices {
                        all.add(choice.word);
                        choice.targets.iter().for_each(|(word, _)| all.add(word));
                    }
                    all.choices.extend(choices);
                }
                Some(Form::Line { example, places, .. }) => {
                    all.add(example.split(' ').next().unwrap_or_default());
                    if let Some(places) = places {
                        all.add(places.verb);
                        places.things.iter().for_each(|thing| all.add(&thing.word));
                        places.places.iter().for_each(|place| all.add(&place.lead));
                    }
                }
                None => {}
            }
        }
        all
    }

    fn add(&mut self, words: &str) {
        for word in words.split_whitespace().map(str::to_lowercase) {
            if word.chars().any(char::is_alphanumeric) && !self.words.contains(&word) {
                self.words.push(word);
            }
        }
    }

    /// Whether a text sounds like a move rather than like talk: half of its words are nearly words of the game.
    pub(super) fn sounds(&self, text: &str) -> bool {
        if text.len() > LONGEST {
            return false;
        }
        let said: Vec<String> = plain(text).to_lowercase().split([' ', ':', '|']).map(str::to_owned).collect();
        let said: Vec<&String> = said.iter().filter(|word| !word.is_empty()).collect();
        let near = said.iter().filter(|said| self.words.iter().any(|word| is_near(said, word))).count();
        near > 0 && near * 2 >= said.len()
    }
}

/// Whether a word was meant, perhaps cut short or mistyped.
fn is_near(said: &str, word: &str) -> bool {
    let cut = said.chars().count() >= 2 && word.starts_with(said);
    let slips = if word.chars().count() > 3 { 1 + usize::from(word.chars().count() > 6) } else { 0 };
    cut || strsim::osa_distance(said, word) <= slips
}

/// A text without the marks that people put between words.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            ',' | ';' | '&' | '(' | ')' | '[' | ']' | '"' | '“' | '”' => out.push(' '),
            // An item of the final begins with one; between words it means "and".
            '+' if letters.peek().is_none_or(|next| !next.is_alphabetic()) => out.push(' '),
            letter => out.push(letter),
        }
    }
    let out = out.trim().trim_end_matches(['.', '!']).to_owned();
    let words = out.split_whitespace().filter(|word| !word.eq_ignore_ascii_case("and") && *word != "then");
    words.collect::<Vec<_>>().join(" ")
}

/// Ways in which the notation could say this, the likeliest first, each once.
pub(super) fn candidates(vocabulary: &Vocabulary, text: &str) -> Vec<String> {
    let (text, mut out) = (text.trim(), Vec::new());
    if text.len() > LONGEST {
        return out;
    }
    let mut add = |candidate: String| {
        if !candidate.is_empty() && !out.contains(&candidate) {
            out.push(candidate);
        }
    };
    if NOTHING_CAME.iter().any(|said| text.trim_end_matches('.').eq_ignore_ascii_case(said)) {
        add("-".to_owned());
    }
    let marked = named(text);
    if marked != text {
        add(with_targets(vocabulary, &plain(&marked)));
    }
    add(text.to_owned());
    let plain = plain(text);
    add(plain.clone());
    add(with_targets(vocabulary, &plain));
    let apart = plain.replace('+', " ");
    add(apart.split_whitespace().collect::<Vec<_>>().join(" "));
    add(with_targets(vocabulary, &apart));
    out
}

/// What stands in brackets, or after an arrow or a word such as "on", is what the word before it names: it gets a colon.
fn named(text: &str) -> String {
    let mut out = text.replace("->", ":").replace("=>", ":").replace(['→', '➡'], ":").replace(['(', '['], ":");
    out = out.replace([')', ']'], " ").replace('=', ":");
    let words: Vec<&str> = out.split_whitespace().collect();
    let mut joined = String::new();
    for (n, word) in words.iter().enumerate() {
        let between = BETWEEN.iter().any(|between| word.eq_ignore_ascii_case(between));
        match between {
            true if n > 0 && !joined.ends_with(':') => joined.push(':'),
            true => {}
            false => {
                if !joined.is_empty() && !joined.ends_with(':') && !word.starts_with(':') {
                    joined.push(' ');
                }
                joined.push_str(word);
            }
        }
    }
    joined
}

/// Joins each word that must name another with the one after it.
fn with_targets(vocabulary: &Vocabulary, text: &str) -> String {
    let mut out = String::new();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word.trim_end_matches(':'));
        let bare = word.trim_end_matches(':').to_lowercase();
        let choice = vocabulary.choices.iter().find(|choice| {
            !choice.targets.is_empty() && choice.word.starts_with(&bare) && (bare.len() > 2 || word.ends_with(':'))
        });
        let target = words.peek().map(|next| next.to_lowercase()).filter(|next| {
            choice.is_some_and(|choice| choice.targets.iter().any(|(target, _)| target.starts_with(next.as_str())))
        });
        if target.is_some()
            && let Some(next) = words.next()
        {
            out.push(':');
            out.push_str(next);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use engine::{Seat, Setup};

    use super::*;

    fn duel(ruleset: &str) -> Duel {
        Duel::open(&Setup { ruleset: ruleset.into(), dmo: Some(Seat::P1), ..Setup::default() }).unwrap()
    }

    fn read(text: &str) -> Option<String> {
        let duel = duel("five-card-trick/dm-colosseum-2");
        let vocabulary = Vocabulary::of(&duel, Seat::P1.into());
        let all = candidates(&vocabulary, text);
        all.iter().find_map(|text| Some(duel.read(Seat::P1, "round", text).ok()?.text))
    }

    #[test]
    fn what_people_write_is_read() {
        for (written, meant) in [
            ("Score, Grow", "score grow"),
            ("Grow + Score!", "score grow"),
            ("score & steal.", "score steal"),
            ("Claim and Block (Steal)", "claim block:steal"),
            ("claim, block -> steal", "claim block:steal"),
            ("Block on Claim, Score", "score block:claim"),
            ("block: steal, claim", "claim block:steal"),
            ("claim block steal", "claim block:steal"),
            ("sc gr", "score grow"),
            ("did not submit", "-"),
            ("—", "-"),
        ] {
            assert_eq!(read(written).as_deref(), Some(meant), "{written}");
        }
        assert_eq!((read("good luck"), read("")), (None, None));
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
        ] {
            assert_eq!(vocabulary.sounds(text), sounds, "{text}");
        }
    }
}
