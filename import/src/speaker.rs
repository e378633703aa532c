//! Who is who in a chat: names as they are written there, and the seats behind them.

use record::name_key;

use super::fix::Who;

/// The most words of a name.
const WORDS: usize = 4;
/// The longest name, as everywhere.
const LONGEST: usize = 40;

/// Whoever leads a match is called this.
const HOSTS: [&str; 8] = ["host", "umpire", "gm", "game master", "gamemaster", "moderator", "mod", "referee"];

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
        for (name, who) in [("p1", Who::P1), ("player 1", Who::P1), ("p2", Who::P2), ("player 2", Who::P2)] {
            all.add(name, who);
        }
        for host in HOSTS {
            all.add(host, Who::Host);
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
        let lower = name.to_lowercase();
        if HOSTS.iter().any(|host| lower.ends_with(&format!(" ({host})")) || lower.ends_with(&format!(" [{host}]"))) {
            return Some(Who::Host);
        }
        if let [letter] = name.trim().chars().collect::<Vec<_>>().as_slice()
            && let Some((_, who)) =
                self.initials().into_iter().find(|(initial, _)| *initial == letter.to_ascii_uppercase())
        {
            return Some(who);
        }
        let key = key(name);
        let whole = self.known.iter().find(|(known, ..)| *known == key).map(|(.., who)| *who);
        let is_host = || key.split([' ', '_', '-', '.']).any(|word| HOSTS.contains(&word)).then_some(Who::Host);
        whole.or_else(|| self.by_part(&key)).or_else(is_host)
    }

    /// The first letters of both players, where they differ.
    pub(super) fn initials(&self) -> Vec<(char, Who)> {
        let of = |seat: Who| {
            let mut named = self.known.iter().rev().filter(|(_, name, who)| {
                *who == seat && !["p1", "p2"].contains(&name.as_str()) && !name.starts_with("player ")
            });
            named.next().and_then(|(_, name, _)| name.chars().next()).map(|first| (first.to_ascii_uppercase(), seat))
        };
        match [of(Who::P1), of(Who::P2)] {
            [Some(one), Some(other)] if one.0 != other.0 => vec![one, other],
            _ => Vec::new(),
        }
    }

    /// The player of whose name this is one word, where it is of one player's alone.
    fn by_part(&self, key: &str) -> Option<Who> {
        let part = |(known, _, who): &&(String, String, Who)| {
            let is_word = |word: &str| word == key && word.len() > 2;
            let parts = || known.split([' ', '_', '.', '-']).filter(|part| !part.is_empty());
            let run_together = || parts().collect::<String>() == key.replace([' ', '_', '.', '-'], "");
            who.seat().is_some() && known.contains([' ', '_', '.', '-']) && (parts().any(is_word) || run_together())
        };
        let mut found = self.known.iter().filter(part).map(|(.., who)| *who);
        let first = found.next()?;
        (key != "player" && found.all(|who| who == first)).then_some(first)
    }

    /// Whether this name is known.
    pub fn knows(&self, name: &str) -> bool {
        self.who(name).is_some()
    }

    /// The name at the beginning of a text that is known, and what follows it.
    pub fn leading<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        let ends = text.char_indices().filter(|(_, letter)| !letter.is_alphanumeric()).map(|(at, _)| at);
        let ends: Vec<usize> = ends.chain([text.len()]).take(2 * WORDS).collect();
        let whole = |name: &str| {
            name.trim().chars().count() > 1 && !name.contains(['(', '[', ':', ',', '!']) && self.who(name).is_some()
        };
        let split = |at: &usize| text.split_at_checked(*at).filter(|(name, _)| whole(name));
        let initial = || {
            let (name, rest) = text.split_at_checked(1).filter(|(_, rest)| rest.starts_with(':'))?;
            self.initials()
                .iter()
                .any(|(initial, _)| name.to_ascii_uppercase().starts_with(*initial))
                .then_some((name, rest))
        };
        let found = ends.iter().rev().find_map(split).map(|(name, rest)| (name.trim_end(), rest));
        found.or_else(initial)
    }
}

/// A name as it is compared.
fn key(name: &str) -> String {
    name_key(&bare_name(name))
}

/// A name without a sign before it, a number behind it (`Black#1234`), or a remark in brackets (`Black (DMO)`).
pub(crate) fn bare_name(name: &str) -> String {
    let name = name.trim().trim_start_matches(['@', '*']).trim();
    let name = name.split_once(" (").filter(|(before, _)| !before.is_empty()).map_or(name, |(before, _)| before);
    let name = name.split_once(" [").filter(|(before, _)| !before.is_empty()).map_or(name, |(before, _)| before);
    let numbered = name.rsplit_once('#').filter(|(before, number)| {
        !before.is_empty() && number.len() == 4 && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    numbered.map_or(name, |(before, _)| before).trim().trim_end_matches(['!', '.', '*']).to_owned()
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
        assert_eq!(speakers.leading("Zoë plays"), Some(("Zoë", " plays")));
        assert_eq!(speakers.leading("Zo plays"), None);
        assert_eq!(speakers.who("Zoë Quill#1234"), Some(Who::P1));
        speakers.add("zoe quill", Who::Nobody);
        assert_eq!(speakers.who("Zoë Quill"), Some(Who::Nobody));
    }

    #[test]
    fn sentences_are_no_names() {
        assert!(is_name("Dr. Pelican") && is_name("xX_Bo_Xx"));
        assert!(!is_name("https//x") && !is_name("8.41") && !is_name("I think that this is what he meant"));
    }
}
