//! Answers that are said shortly: a number, yes or no, or who goes first.

use engine::Choice;

use super::naming::in_words;
use super::vocabulary::Vocabulary;
use super::wording::{AROUND, Sayer, is_in, plain};

/// Words beside a number of chips.
const AMOUNTS: &str = "all in total chip chips bet bets";

/// Words that turn a question for yes or no.
const NEGATIONS: &str = "no not don't doesn't didn't won't without none never nah nope";

/// Words around whom somebody chooses.
pub(super) const CHOOSING: &str =
    "want wants be starting player go goes first begin begins choose chooses decide decides let lets";

/// Words around who goes first.
const ORDER: &str = "can will shall may goes went chose it again round please let lets";

/// A number alone, or with words that change nothing of it: "seven", "3, all in". "5 more" says how much in all as long as
/// nothing was said before it.
pub(super) fn amount(vocabulary: &Vocabulary, text: &str) -> Option<String> {
    let (choice, (least, _)) = vocabulary.choices.iter().find_map(|choice| Some((choice, choice.amounts?)))?;
    let said = plain(text).to_lowercase();
    let said = said.split([' ', '!']).filter(|word| !word.is_empty());
    let (numbers, others): (Vec<_>, Vec<_>) =
        said.map(|word| (number(word), word)).partition(|(number, _)| number.is_some());
    let around = |word: &str| {
        (word == "more" && least == 1) || (word != "more" && (is_in(AMOUNTS, word) || is_in(AROUND, word)))
    };
    let [(Some(number), _)] = numbers.as_slice() else { return None };
    others.iter().all(|(_, word)| around(word)).then(|| format!("{} {number}", choice.word))
}

pub(super) fn number(word: &str) -> Option<u32> {
    word.parse().ok().or_else(|| in_words(word).filter(|(_, behind)| behind.is_empty()).map(|(number, _)| number))
}

/// A word on offer with who goes first: "D, Bo can start" says of the other that the sayer goes second.
pub(super) fn ordered(vocabulary: &Vocabulary, text: &str, sayer: Sayer<'_>) -> Option<String> {
    let orders =
        |choice: &&Choice| ["first", "second"].iter().all(|order| choice.targets.iter().any(|(word, _)| word == order));
    let seat = sayer.seat.filter(|_| vocabulary.choices.iter().any(|choice| orders(&choice)))?;
    let mut text = text.to_lowercase();
    for (other, name) in sayer.names.each().iter().filter(|(_, name)| !name.is_empty()) {
        text = text.replace(&name.to_lowercase(), if *other == seat { " i " } else { " you " });
    }
    let (mut chosen, mut order, mut you) = (None, None, false);
    let said = plain(&text).replace('’', "'");
    for word in said.split(|letter: char| !letter.is_alphanumeric() && letter != '\'').filter(|word| !word.is_empty()) {
        let choice = vocabulary
            .choices
            .iter()
            .find(|choice| choice.word.eq_ignore_ascii_case(word) || choice.label.eq_ignore_ascii_case(word));
        let is_order = |known: &str| known == "first" || known == "second";
        match (choice, vocabulary.bent(word)) {
            _ if ["i", "i'll", "me", "i'm"].contains(&word) => you = false,
            _ if ["you", "opponent"].contains(&word) => you = true,
            (Some(choice), _) if chosen.is_none_or(|chosen| chosen == choice.word) => chosen = Some(choice.word),
            (None, Some(known)) if is_order(known) => {
                let said = if (known == "first") == you { "second" } else { "first" };
                if order.is_some_and(|order| order != said) {
                    return None;
                }
                order = Some(said);
            }
            (None, _) if word == "board" || is_in(ORDER, word) || is_in(AROUND, word) => {}
            _ => return None,
        }
    }
    Some(format!("{}:{}", chosen?, order?))
}

/// The choice that says no, where nothing else is said: "no more refills".
pub(super) fn negated<'v>(vocabulary: &'v Vocabulary, said: &str) -> Option<&'v str> {
    let [one, other] = vocabulary.choices.as_slice() else { return None };
    let no = vocabulary.bent("no").filter(|no| [one.word, other.word].contains(no))?;
    let words = || said.split_whitespace().map(|word| word.trim_matches(['.', '!', ':', '*']));
    let known = |word: &str| is_in(NEGATIONS, word) || is_in(AROUND, word) || vocabulary.bent(word).is_some();
    (words().any(|word| is_in(NEGATIONS, word)) && words().all(known)).then_some(no)
}
