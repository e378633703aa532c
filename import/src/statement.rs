//! What somebody states of the match beside its moves: "pot is 5", "Bo has 3 chips left", "C1 = Blueberry 1", "Ada wins board D
//! 4–1". It decides nothing: it is held against the match that was read. This file knows how people say such things, and no game.

use engine::Seat;

use super::clause::players_named;
use super::fix::Who;
use super::reader::sentences;
use super::score::Score;
use super::short_answer::number;
use super::speaker::Speakers;
use super::stated::Stated;
use super::wording::{self, LONGEST, is_in};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Statement {
    /// The score now.
    Score(Score),
    /// How it ended.
    Result(Stated),
    /// A number of something, of a seat or of nobody's.
    Figure { noun: String, seat: Option<Seat>, value: u32 },
    /// What a thing with a name is or holds, such as a card.
    Value { seat: Option<Seat>, name: String, value: String },
    /// A part of the match that somebody won, with the numbers behind it.
    Win { seat: Seat, thing: String, numbers: Vec<u32> },
}

/// What is said of a line that speaks of winning or of a score in words that are not held against the match.
pub(super) const UNCHECKED: &str = "Speaks of who won or leads, and is not checked";
/// In a sentence with one of these nothing is stated as it is now.
pub(super) const UNSURE: &str = "if would could should might may maybe perhaps unless until when think thinks thought guess hope hopes need \
    needs want wants will wont going gonna next but tries tried attempts before after earlier then never not says said imagine \
    suppose almost nearly every each per both";
/// Before the noun of a number.
const LEAD: &str = "the so now and current there there's is are that makes it's this";
/// Between a noun and its number.
const LINK: &str = "is now currently at stands holds contains to grows up it's still just";
/// Between a player and a number of theirs.
const HAS: &str = "has have now is at down to only still just remains stands currently";
/// Behind a number and its noun.
const TAIL: &str = "left now remaining again in all total still";
/// Between a player and a part of the match that this player won.
const WINS: &str = "wins won";
/// The same of a pot alone: who takes a board chooses it.
const TAKES: &str = "takes took gets";
const TAKEN: &str = "pot";
/// Words for a player of whom it takes more than a line to know who that is.
const SEATS: &str = "dmo ec candidate opponent challenger contestant player seat";
/// Before the name of such a part.
const ARTICLES: &str = "the this that a";
/// Between the parts of a sentence.
const BETWEEN: [char; 10] = [',', ';', '|', '(', ')', '→', '·', '•', '/', '!'];
/// A part with more words says more than a value.
const WORDS_MOST: usize = 12;

impl Statement {
    /// A score or a result, where a sentence states one.
    pub(super) fn of_all(sentence: &str, speakers: &Speakers) -> Option<Self> {
        let result = Stated::read(sentence, speakers).map(Self::Result);
        result.or_else(|| Score::read(sentence, speakers).map(Self::Score))
    }

    /// The same in any words, where a sentence is no move.
    pub(super) fn loosely(sentence: &str, speakers: &Speakers) -> Option<Self> {
        let result = Stated::loosely(sentence, speakers).map(Self::Result);
        result.or_else(|| Score::loosely(sentence, speakers).map(Self::Score))
    }

    /// Whether a text speaks of who won or leads: a name or a word for a seat, and one of an outcome.
    pub(super) fn is_claimed(text: &str, speakers: &Speakers) -> bool {
        let lower = text.to_lowercase();
        let named = || {
            wording::words(&lower).any(|word| is_in(SEATS, word))
                || !players_named(text, speakers).is_empty()
                || speakers.looks_named(text)
        };
        (Stated::is_claimed(text) && named()) || Score::is_claimed(text)
    }

    pub(super) fn of_parts(text: &str, speakers: &Speakers) -> Vec<Self> {
        let mut found = Vec::new();
        for sentence in sentences(text).filter(|sentence| sentence.len() <= LONGEST && !sentence.contains('?')) {
            if lower_words(sentence).iter().any(|word| is_in(UNSURE, word)) {
                continue;
            }
            found.extend(wins(sentence, speakers));
            for part in sentence.split(BETWEEN).flat_map(|part| part.split(" and ")) {
                found.extend(figure(part, speakers).or_else(|| value(part, speakers)));
            }
        }
        found
    }
}

fn lower_words(text: &str) -> Vec<String> {
    let bare = |word: &str| word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    let parts = text.split(|letter: char| letter.is_whitespace() || [':', '='].contains(&letter));
    parts.map(bare).filter(|word| !word.is_empty()).collect()
}

/// A number, or a word for none.
fn count(word: &str) -> Option<u32> {
    if is_in("no empty", word) { Some(0) } else { number(word) }
}

fn player<'t>(text: &'t str, speakers: &Speakers) -> Option<(Seat, &'t str)> {
    let text = text.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    let (name, rest) = speakers.leading(text)?;
    Some((speakers.who(name).and_then(Who::seat)?, rest))
}

fn figure(part: &str, speakers: &Speakers) -> Option<Statement> {
    let (seat, rest) = match player(part, speakers) {
        Some((seat, rest)) => (Some(seat), rest),
        None => (None, part),
    };
    let words = lower_words(rest);
    let words: Vec<&str> = words.iter().map(String::as_str).take(WORDS_MOST + 1).collect();
    let skipped = |words: &[&str], known: &str| words.iter().take_while(|word| is_in(known, word)).count();
    let ends = |words: &[&str]| words.iter().all(|word| is_in(TAIL, word));
    if seat.is_some() {
        let verbs = skipped(&words, HAS);
        let [value, noun, tail @ ..] = words.get(verbs..)? else { return None };
        let found = Statement::Figure { noun: (*noun).to_owned(), seat, value: count(value)? };
        return (verbs > 0 && ends(tail)).then_some(found);
    }
    let words = words.get(skipped(&words, LEAD)..)?;
    // "3 chips in the pot"
    if let [value, _, "in", "the", noun, tail @ ..] = words {
        let found = Statement::Figure { noun: (*noun).to_owned(), seat, value: count(value)? };
        return ends(tail).then_some(found);
    }
    let (noun, behind) = words.split_first()?;
    let [value, tail @ ..] = behind.get(skipped(behind, LINK)..)? else { return None };
    let found = Statement::Figure { noun: (*noun).to_owned(), seat, value: count(value)? };
    (ends(tail) || tail.split_first().is_some_and(|(_, tail)| ends(tail))).then_some(found)
}

/// "C1 = Blueberry 1", "Ada's front hand: 7D 8D".
fn value(part: &str, speakers: &Speakers) -> Option<Statement> {
    let (name, value) = ["=", " is ", ":"].iter().find_map(|mark| part.split_once(mark))?;
    let (seat, name) = match player(name, speakers) {
        Some((seat, rest)) => (Some(seat), rest.strip_prefix("'s ").or_else(|| rest.strip_prefix("’s "))?),
        None => (None, name),
    };
    let (name, value) = (lower_words(name), lower_words(value));
    let name: Vec<&str> = name.iter().map(String::as_str).skip_while(|word| is_in(ARTICLES, word)).collect();
    let named = name.join(" ").trim_end_matches(" hand").to_owned();
    let found = Statement::Value { seat, name: named, value: value.join(" ") };
    ((1..=3).contains(&name.len()) && (1..=WORDS_MOST).contains(&value.len())).then_some(found)
}

/// "Ada wins board D 4–1", "Pot goes to Bo, 3".
fn wins(sentence: &str, speakers: &Speakers) -> Vec<Statement> {
    let begins = sentence.char_indices().filter(|(at, letter)| {
        let before = sentence.get(..*at).and_then(|before| before.chars().next_back());
        letter.is_alphanumeric() && before.is_none_or(|before| !before.is_alphanumeric())
    });
    let mut found = Vec::new();
    for (at, _) in begins {
        let (Some(before), Some(from)) = (sentence.get(..at), sentence.get(at..)) else { continue };
        let Some((seat, rest)) = player(from, speakers) else { continue };
        found.extend(won(seat, rest).or_else(|| went(seat, before, rest)));
    }
    found
}

/// What is said behind a player who won it.
fn won(seat: Seat, rest: &str) -> Option<Statement> {
    // "O'Malley (went second) wins board D"
    let rest = match rest.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        Some((_, behind)) => behind,
        None => rest,
    };
    let (verb, rest) = rest.trim_start().split_once(' ')?;
    let (verb, rest) = if verb.eq_ignore_ascii_case("has") { rest.split_once(' ')? } else { (verb, rest) };
    let (thing, behind) = thing(rest)?;
    let verb = verb.to_lowercase();
    let won = is_in(WINS, &verb) || (is_in(TAKES, &verb) && thing == TAKEN);
    won.then(|| Statement::Win { seat, thing, numbers: numbers(behind) })
}

/// What is said to have gone to a player.
fn went(seat: Seat, before: &str, rest: &str) -> Option<Statement> {
    let before = before.trim_end().trim_end_matches('@');
    let before = ["goes to", "went to", "is won by"].iter().find_map(|went| before.trim_end().strip_suffix(went))?;
    let part = before.rsplit(BETWEEN).next().unwrap_or(before);
    let (thing, behind) = thing(part)?;
    behind.trim().is_empty().then(|| Statement::Win { seat, thing, numbers: numbers(rest) })
}

/// A thing at the beginning of a text, perhaps with its letter: "the board D". What follows it.
fn thing(text: &str) -> Option<(String, &str)> {
    let mut rest = text.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    while let Some((_, behind)) = rest.split_once(' ').filter(|(word, _)| is_in(ARTICLES, &word.to_lowercase())) {
        rest = behind.trim_start();
    }
    let end = |text: &str| text.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(text.len());
    let (noun, behind) = rest.split_at_checked(end(rest))?;
    let letter = behind.strip_prefix(' ').and_then(|next| next.split_at_checked(end(next)));
    match letter.filter(|(letter, _)| letter.chars().count() == 1 && letter.chars().all(char::is_alphabetic)) {
        Some((letter, behind)) => Some((format!("{noun} {letter}").to_lowercase(), behind)),
        None => (!noun.is_empty()).then(|| (noun.to_lowercase(), behind)),
    }
}

/// One number or two behind a thing: "4–1", ", 5-2", "of 49", "by 4 to 1".
fn numbers(text: &str) -> Vec<u32> {
    let mut found = Vec::new();
    for word in wording::words(text) {
        match word.parse() {
            Ok(number) if found.len() < 2 => found.push(number),
            _ if found.len() < 2 && is_in("of with by to", word) => {}
            // "Pot goes to Ada, 3 all"
            _ if word == "all" => return Vec::new(),
            _ => break,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<Statement> {
        let mut speakers = Speakers::everywhere();
        speakers.add("Ada", Who::P1);
        speakers.add("Bo", Who::P2);
        Statement::of_parts(text, &speakers)
    }

    #[test]
    fn numbers_of_things_are_told_from_talk() {
        let pot = |value: u32| Statement::Figure { noun: "pot".into(), seat: None, value };
        for text in ["pot is 5", "Pot: 5", "The pot is currently at 5 chips.", "0-0, pot 5", "Ada 1 | Bo 0 | pot five"]
        {
            assert!(all(text).contains(&pot(5)), "{text}: {:?}", all(text));
        }
        assert!(all("There are 5 chips in the pot").contains(&pot(5)));
        assert!(all("The pot is empty").contains(&pot(0)));
        let chips = Statement::Figure { noun: "chips".into(), seat: Some(Seat::P2), value: 3 };
        for text in ["Bo has 3 chips left", "Ada folds, Bo is down to 3 chips", "@Bo now has three chips."] {
            assert!(all(text).contains(&chips), "{text}: {:?}", all(text));
        }
        for text in [
            "if Bo steals, the pot is 5",
            "the pot is 5?",
            "Bo gets 3 chips",
            "Bo needs 3 chips",
            "pot grows by 5 a round",
        ] {
            let found = all(text);
            assert!(!found.iter().any(|found| matches!(found, Statement::Figure { .. })), "{text}: {found:?}");
        }
    }

    #[test]
    fn a_part_that_somebody_won_is_told_from_talk() {
        let board =
            |numbers: &[u32]| Statement::Win { seat: Seat::P1, thing: "board d".into(), numbers: numbers.into() };
        for text in [
            "Ada wins board D 4–1",
            "0-0 is a tie, so Ada (went second) wins board D, 4 to 1",
            "- Board D goes to Ada, 4-1.",
            "Ada has won board D 4:1",
        ] {
            assert!(all(text).contains(&board(&[4, 1])), "{text}: {:?}", all(text));
        }
        let pot = |numbers: &[u32]| Statement::Win { seat: Seat::P2, thing: "pot".into(), numbers: numbers.into() };
        for text in ["Bo wins the pot of 49!", "Pot goes to Bo, 49"] {
            assert!(all(text).contains(&pot(&[49])), "{text}: {:?}", all(text));
        }
        for text in [
            "Ada will win board D",
            "Ada takes board D",
            "who wins board D?",
            "Ada tries to take the pot, but Bo takes the pot",
        ] {
            assert_eq!(all(text), [], "{text}");
        }
    }

    #[test]
    fn values_of_named_things_are_found() {
        let value = |seat, name: &str, value: &str| Statement::Value { seat, name: name.into(), value: value.into() };
        assert_eq!(all("C1 = Blueberry 1"), [value(None, "c1", "blueberry 1")]);
        assert_eq!(all("Ada's front hand: 7D 8D"), [value(Some(Seat::P1), "front", "7d 8d")]);
        assert_eq!(all("The community card is R5"), [value(None, "community card", "r5")]);
    }
}
