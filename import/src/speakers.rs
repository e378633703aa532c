//! Who is who in a chat: names as they are written there, and the seats behind them.

use std::collections::{HashMap, HashSet};

use engine::Seat;
use record::name_key;

use super::fix::Who;
use super::taught_layout::TaughtLayout;

/// The most words of a name.
const WORDS: usize = 4;
/// The longest name, as everywhere.
const LONGEST: usize = 40;

/// Whoever leads a match is called this.
const HOSTS: [&str; 8] = ["host", "umpire", "gm", "game master", "gamemaster", "moderator", "mod", "referee"];

/// Words for the seats, which every chat may use.
const SEATS: [(Who, &str); 2] =
    [(Who::P1, "p1|player 1|player one|seat 1|seat one"), (Who::P2, "p2|player 2|player two|seat 2|seat two")];

/// Titles, and what people call somebody who has one.
const TITLES: [(&str, &str); 2] = [("dr. ", "doc"), ("dr ", "doc")];

/// What stands between the words of a name.
const BETWEEN: [char; 4] = [' ', '_', '.', '-'];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Speakers {
    /// As it is compared, as it is written, and who that is.
    known: Vec<(String, String, Who)>,
    whole: HashMap<String, Who>,
    /// The parts of names by which a player may be called, each with the player; none where it is of both.
    parts: HashMap<String, Option<Who>>,
    /// All words of names, and names run together: where none of these is in a text, nobody is named.
    words: HashSet<String>,
    /// The first letters of both players, where they differ.
    initials: Vec<(char, Who)>,
    /// How a message begins, where somebody shows it.
    pub layout: Option<TaughtLayout>,
}

impl Speakers {
    /// The words by which every chat may call them.
    pub fn everywhere() -> Self {
        let mut all = Self::default();
        for (who, names) in SEATS {
            names.split('|').for_each(|name| all.add(name, who));
        }
        for host in HOSTS {
            all.add(host, Who::Host);
        }
        all
    }

    /// Knows a name. What was known of it before is forgotten.
    pub fn add(&mut self, name: &str, who: Who) {
        let key = key(name);
        if key.is_empty() {
            return;
        }
        let before = self.whole.insert(key.clone(), who);
        if before.is_some() {
            self.known.retain(|(known, ..)| *known != key);
        }
        self.known.push((key.clone(), name.trim().to_owned(), who));
        if before.is_none() && who.seat().is_none() {
            // Of thousands of others, each adds its own words.
            self.words.extend(words_of(&key));
        } else {
            self.index();
        }
    }

    fn index(&mut self) {
        (self.parts, self.words) =
            (HashMap::new(), HOSTS.iter().flat_map(|host| host.split(' ')).map(str::to_owned).collect());
        for (key, _, who) in &self.known {
            self.words.extend(words_of(key));
            let run_together = key.replace(BETWEEN, "");
            if who.seat().is_none() || !key.contains(BETWEEN) {
                continue;
            }
            // "one" alone is no name.
            if is_seat(key) {
                self.parts.insert(run_together, Some(*who));
                continue;
            }
            let titles = TITLES.iter().filter(|(title, _)| key.starts_with(title)).map(|(_, called)| *called);
            let parts = key.split(BETWEEN).chain(titles).filter(|part| part.len() > 2 && *part != "player");
            for part in parts.chain([run_together.as_str()]) {
                let place = self.parts.entry(part.to_owned()).or_insert(Some(*who));
                *place = place.filter(|other| other == who);
                self.words.insert(part.to_owned());
            }
        }
        let initial = |seat: Who| {
            let is_own = |(key, _, who): &&(String, String, Who)| *who == seat && !is_seat(key);
            let (_, name, _) = self.known.iter().rev().find(is_own)?;
            Some((name.chars().next()?.to_ascii_uppercase(), seat))
        };
        self.initials = match [initial(Who::P1), initial(Who::P2)] {
            [Some(one), Some(other)] if one.0 != other.0 => vec![one, other],
            _ => Vec::new(),
        };
    }

    pub fn who(&self, name: &str) -> Option<Who> {
        // "Ada (host)"
        let remark = || name.strip_suffix([')', ']']).and_then(|name| name.get(name.rfind(['(', '['])? + 1..));
        if name.ends_with([')', ']'])
            && remark().is_some_and(|said| HOSTS.iter().any(|host| host.eq_ignore_ascii_case(said)))
        {
            return Some(Who::Host);
        }
        let mut letters = name.trim().chars();
        if let (Some(letter), None) = (letters.next(), letters.next())
            && let Some((_, who)) = self.initials.iter().find(|(initial, _)| *initial == letter.to_ascii_uppercase())
        {
            return Some(*who);
        }
        let key = key(name);
        let whole = self.whole.get(&key).copied();
        let by_part = || self.parts.get(&key).or_else(|| self.parts.get(&key.replace(BETWEEN, ""))).copied().flatten();
        let is_host = || key.split(BETWEEN).any(|word| HOSTS.contains(&word)).then_some(Who::Host);
        whole.or_else(by_part).or_else(is_host)
    }

    /// The first letters of both players, where they differ.
    pub(crate) fn initials(&self) -> Vec<(char, Seat)> {
        self.initials.iter().filter_map(|(letter, who)| Some((*letter, who.seat()?))).collect()
    }

    /// A player's own name, if one is known.
    pub(crate) fn name_of(&self, seat: Seat) -> Option<&str> {
        let is_own = |(key, _, who): &&(String, String, Who)| *who == Who::of(seat) && !is_seat(key);
        self.known.iter().rev().find(is_own).map(|(_, name, _)| name.as_str())
    }

    /// The seat of whoever has this name.
    pub(crate) fn seat(&self, name: &str) -> Option<Seat> {
        self.who(name).and_then(Who::seat)
    }

    /// The player's name at the beginning of a text, and what follows it.
    pub(crate) fn leading_seat<'t>(&self, text: &'t str) -> Option<(Seat, &'t str)> {
        self.leading(text).and_then(|(name, rest)| Some((self.seat(name)?, rest)))
    }

    pub fn knows(&self, name: &str) -> bool {
        self.who(name).is_some()
    }

    /// The name at the beginning of a text that is known, and what follows it.
    pub fn leading<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        self.whole_leading(text).or_else(|| {
            let (name, rest) = text.split_at_checked(1).filter(|(_, rest)| rest.starts_with(':'))?;
            let named = |(initial, _): &(char, Who)| name.to_ascii_uppercase().starts_with(*initial);
            self.initials.iter().any(named).then_some((name, rest))
        })
    }

    fn whole_leading<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        let ends = text.char_indices().filter(|(_, letter)| !letter.is_alphanumeric()).map(|(at, _)| at);
        let mut ends: Vec<usize> = ends.chain([text.len()]).take(2 * WORDS).collect();
        // No name goes on behind its last word.
        let is_known = |n: usize| {
            let from = n.checked_sub(1).and_then(|n| ends.get(n)).copied().unwrap_or(0);
            text.get(from..ends.get(n).copied()?).filter(|word| self.is_word(word))
        };
        let last = (0..ends.len()).rev().find(|n| is_known(*n).is_some())?;
        ends.truncate(last + 1);
        let whole = |name: &str| {
            name.trim().chars().count() > 1 && !name.contains(['(', '[', ':', ',', '!']) && self.who(name).is_some()
        };
        let split = |at: &usize| text.split_at_checked(*at).filter(|(name, _)| whole(name));
        ends.iter().rev().find_map(split).map(|(name, rest)| (name.trim_end(), rest))
    }

    fn is_word(&self, word: &str) -> bool {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        !bare.is_empty() && self.words.contains(&name_key(bare))
    }
}

/// The words of a name as it is compared, and all of them run together.
fn words_of(key: &str) -> impl Iterator<Item = String> {
    let words = key.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).chain([key.replace(BETWEEN, "")])
}

/// Whether a name is a word for a seat, which is nobody's own.
fn is_seat(key: &str) -> bool {
    SEATS.iter().any(|(_, names)| names.split('|').any(|name| name == key))
}

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
