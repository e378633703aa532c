//! Who is who in a chat: names as they are written there, and the seats behind them.

use record::name_key;

use super::fix::Who;

/// The most words of a name.
const WORDS: usize = 4;
/// The longest name, as everywhere.
const LONGEST: usize = 40;

/// Names that are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Speakers {
    /// As it is compared, as it is written, and who that is.
    known: Vec<(String, String, Who)>,
}

impl Speakers {
    /// The words by which every chat may call them.
    pub fn everywhere() -> Self {
        let mut all = Self::default();
        for (name, who) in [
            ("p1", Who::P1),
            ("player 1", Who::P1),
            ("p2", Who::P2),
            ("player 2", Who::P2),
            ("host", Who::Host),
            ("umpire", Who::Host),
            ("gm", Who::Host),
            ("game master", Who::Host),
            ("gamemaster", Who::Host),
            ("moderator", Who::Host),
            ("referee", Who::Host),
        ] {
            all.add(name, who);
        }
        all
    }

    /// Knows a name. What was known of it before is forgotten.
    pub fn add(&mut self, name: &str, who: Who) {
        let key = key(name);
        if !key.is_empty() {
            self.known.retain(|(known, ..)| *known != key);
            self.known.push((key, name.trim().to_owned(), who));
        }
    }

    /// Who speaks under this name.
    pub fn who(&self, name: &str) -> Option<Who> {
        let key = key(name);
        self.known.iter().find(|(known, ..)| *known == key).map(|(.., who)| *who)
    }

    /// Whether this name is known.
    pub fn knows(&self, name: &str) -> bool {
        self.who(name).is_some()
    }

    /// The name at the beginning of a text that is known, and what follows it.
    pub fn leading<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        let ends = text.char_indices().filter(|(_, letter)| !letter.is_alphanumeric()).map(|(at, _)| at);
        let ends: Vec<usize> = ends.chain([text.len()]).take(2 * WORDS).collect();
        let split = |at: &usize| text.split_at_checked(*at).filter(|(name, _)| self.knows(name));
        ends.iter().rev().find_map(split).map(|(name, rest)| (name.trim_end(), rest))
    }
}

/// A name as it is compared.
fn key(name: &str) -> String {
    name_key(name.trim().trim_start_matches('@').trim())
}

/// Whether a text could be a name: short, with a letter in it, and no address.
pub(crate) fn is_name(text: &str) -> bool {
    let text = text.trim();
    text.chars().count() <= LONGEST
        && text.split_whitespace().count() <= WORDS
        && text.chars().any(char::is_alphabetic)
        && !text.contains(['/', '|', '?', '!', '"', ',', ';'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_however_they_are_written() {
        let mut speakers = Speakers::everywhere();
        speakers.add("Zoë Quill", Who::P1);
        assert_eq!(speakers.who("@zoe quill "), Some(Who::P1));
        assert_eq!((speakers.who("Umpire"), speakers.who("Bo"), speakers.who("")), (Some(Who::Host), None, None));
        assert_eq!(speakers.leading("Zoë Quill plays Score"), Some(("Zoë Quill", " plays Score")));
        assert_eq!(speakers.leading("P1: score"), Some(("P1", ": score")));
        assert_eq!(speakers.leading("Zoë plays"), None);
        speakers.add("zoe quill", Who::Nobody);
        assert_eq!(speakers.who("Zoë Quill"), Some(Who::Nobody));
    }

    #[test]
    fn sentences_are_no_names() {
        assert!(is_name("Dr. Pelican") && is_name("xX_Bo_Xx"));
        assert!(!is_name("https//x") && !is_name("8.41") && !is_name("I think that this is what he meant"));
    }
}
