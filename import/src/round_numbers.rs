//! The number of a round at the beginning of a line: `Round 3`, `R3:`, `#3`, `3.`, `ROUND THREE`.

/// Words for a round, the longest first.
const ROUND: &str = "round runde ronda rodada manche omgang ronde kolo tour rnd rd r р";
const NUMBERS: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen \
    sixteen seventeen eighteen nineteen twenty";
/// Marks between a number and what is said of its round.
const MARKS: &[char] = &[' ', ':', '.', ')', ']', '!', '-', '—', '–', '=', '*', '~', '|', ','];
/// Words behind the number of a heading that say no move.
const BESIDE: &str = "go begins starts start begin open please results result is over cards";

/// A round that a line begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RoundNumber<'t> {
    pub(crate) number: u32,
    /// The rest of the line; empty for a heading.
    pub(crate) rest: &'t str,
}

/// The round at the beginning of a line. `short` tells whether `R3` may be one: in some games that is a card.
pub(crate) fn read(line: &str, short: bool) -> Option<RoundNumber<'_>> {
    let text = line.trim_start_matches(|letter: char| !letter.is_alphanumeric() && letter != '#');
    if let Some(rest) = text.strip_prefix('#') {
        let (number, rest) = figures(rest)?;
        return Some(headed(number, rest));
    }
    let (named, rest) = match ROUND.split(' ').find_map(|word| behind(text, word)) {
        Some((word, rest)) => (word, rest),
        None => {
            // "3. Ada: Score": a number alone needs a mark behind it.
            let (number, rest) = figures(text)?;
            let marked = rest.strip_prefix(['.', ')', ':']).filter(|rest| rest.starts_with(char::is_whitespace));
            return marked.map(|rest| headed(number, rest));
        }
    };
    if named.chars().count() == 1 {
        let (number, rest) = figures(rest).filter(|(number, _)| short && *number < 100)?;
        return Some(headed(number, rest));
    }
    let rest = rest.trim_start_matches([' ', '#', '.', '-', '№', '\u{a0}', ':', '(']);
    let (number, rest) = figures(rest).or_else(|| in_words(rest))?;
    Some(headed(number, rest))
}

/// A text behind a word, in any case.
fn behind<'t>(text: &'t str, word: &'static str) -> Option<(&'static str, &'t str)> {
    let begins = text.get(..word.len())?.to_lowercase() == word || text.get(..word.len())?.eq_ignore_ascii_case(word);
    let rest = text.get(word.len()..)?;
    (begins && !rest.starts_with(char::is_alphabetic)).then_some((word, rest))
}

/// A number in figures, also with how many there are in all: `3/25`, `3 of 25`.
fn figures(text: &str) -> Option<(u32, &str)> {
    let digits = text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let (number, rest) = text.split_at_checked(digits)?;
    let number = number.parse().ok()?;
    if rest.starts_with(char::is_alphanumeric) {
        return None;
    }
    for of in ["/", " / ", " of "] {
        if let Some(all) = rest.strip_prefix(of).filter(|all| all.starts_with(|first: char| first.is_ascii_digit())) {
            return Some((number, all.trim_start_matches(|letter: char| letter.is_ascii_digit())));
        }
    }
    Some((number, rest))
}

fn in_words(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|letter: char| !letter.is_alphabetic()).unwrap_or(text.len());
    let (word, rest) = text.split_at_checked(end)?;
    let number = NUMBERS.split(' ').position(|number| number.eq_ignore_ascii_case(word))?;
    let number = u32::try_from(number).ok()?;
    let unit = rest.strip_prefix(['-', ' ']).filter(|_| number == 20).and_then(in_words);
    Some(unit.filter(|(unit, _)| *unit < 10).map_or((number, rest), |(unit, rest)| (number + unit, rest)))
}

fn headed(number: u32, rest: &str) -> RoundNumber<'_> {
    let rest = rest.trim_start_matches(MARKS);
    let beside = |word: &str| {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        bare.is_empty() || BESIDE.split(' ').any(|known| known.eq_ignore_ascii_case(bare))
    };
    let rest = if rest.split_whitespace().all(beside) { "" } else { rest };
    RoundNumber { number, rest }
}
