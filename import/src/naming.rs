//! The round that a line of a chat names: as a heading, as the results of one that was played, or by the way. A number
//! that is overlooked is a round that is lost or counted twice, so that many ways of writing it are known.

use super::wording::is_in;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) round: u32,
    pub(super) how: How,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// What follows is of this round, or it is over; the line says no more.
    Heading,
    /// The line says that the round is over, or what came of it.
    Results,
    Aside,
}

/// Words that may stand before or behind a round in its heading.
const AROUND: &str = "a all and are begin beginning begins begun both for go going has have here i in is it's its let let's lets moves \
    next now of off ok okay on onto open please ready s so start started starting starts submission submissions \
    submit that that's the this time to up us we welcome with you your actions plays";
/// The same, where they tell that the round was played.
const PAST: &str = "closed complete completed concluded done end ended ending ends finished outcome over recap result results reveal \
    revealed summary resolved";
/// Words that tell that a round is played once more.
const REPLAY: &str = "replay replayed replaying redo redone rerun re-run restart restarted repeat repeated again void voided struck \
    strike do-over scrap scrapped annulled nullified";
/// The same in more words.
const NO_COUNT: [&str; 3] = ["not count", "n't count", "no longer count"];
const NUMBERS: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen \
    eighteen nineteen";
/// From twenty on; one of them is often misspelt.
const TENS: &str = "twenty thirty forty fifty sixty seventy eighty";
const MISSPELT: (&str, &str) = ("fourty", "forty");
const ORDINALS: &str = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth";

impl Named {
    /// The first round that a text names, and what else the text says. `short` tells whether `R2` may be one: in some games
    /// that is a card.
    pub(super) fn read(text: &str, short: bool) -> Option<(Self, &str)> {
        let lower = text.to_ascii_lowercase();
        let (mut past, mut only_around) = (false, true);
        for (at, word) in words(&lower) {
            if let Some((round, behind)) = numbered(&lower, at, word, short) {
                let rest = text.get(behind..).unwrap_or_default();
                return Some(if only_around { headed(round, past, rest) } else { (Self::aside(round), text) });
            }
            let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '\'');
            past |= is_in(PAST, bare);
            only_around &= bare.is_empty()
                || word.starts_with('@')
                || is_in(PAST, bare)
                || is_in(AROUND, bare)
                || is_in(REPLAY, bare);
        }
        None
    }

    const fn aside(round: u32) -> Self {
        Self { round, how: How::Aside }
    }
}

/// Whether a text says that a round is played again.
pub(super) fn is_replay(text: &str) -> bool {
    let lower = text.to_lowercase().replace('’', "'");
    NO_COUNT.iter().any(|said| lower.contains(said))
        || words(&lower).any(|(_, word)| is_in(REPLAY, word.trim_matches(|letter: char| !letter.is_alphanumeric())))
}

/// A round at the beginning of a text, and what follows it there.
fn headed(round: u32, past: bool, rest: &str) -> (Named, &str) {
    let is_mark = |letter: char| !letter.is_alphanumeric() && !"<(-@".contains(letter) || letter.is_whitespace();
    let lower = rest.to_ascii_lowercase();
    let (mut past, mut end, mut both) = (past, 0, None);
    for (at, word) in words(&lower) {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '\'');
        let around =
            bare.is_empty() || is_in(PAST, bare) || is_in(AROUND, bare) || is_in(REPLAY, bare) || word.starts_with('@');
        if !around {
            // "R11 both 5C" tells of both.
            end = both.unwrap_or(end);
            break;
        }
        past |= is_in(PAST, bare);
        both = (word == "both").then_some(at);
        end = at + word.len();
        if word.ends_with(':') {
            break;
        }
    }
    let said = rest.get(end..).unwrap_or_default().trim_start_matches(is_mark);
    let said = said.trim_start_matches(['-', '—', '–']).trim_start().trim_end_matches([' ', '=', '~', '*', '#']);
    let said = if said.contains(char::is_alphanumeric) { said } else { "" };
    let begins = [':', '.', ')', '!', '-', '—', '–', '|', ']', '*', '=', '~'];
    let parted = rest.trim_start().starts_with(begins) || said.contains(':') || said.contains(" - ");
    if past || said.is_empty() || parted {
        let how = if past { How::Results } else { How::Heading };
        return (Named { round, how }, said);
    }
    (Named::aside(round), said)
}

fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let start = text.as_ptr() as usize;
    text.split_whitespace().map(move |word| (word.as_ptr() as usize - start, word))
}

/// The number of the round that is named from this word on, and where the text goes on.
fn numbered(lower: &str, at: usize, word: &str, short: bool) -> Option<(u32, usize)> {
    let bare = word.trim_start_matches(|letter: char| !letter.is_alphanumeric() && letter != '@');
    let opened = lower.get(at + word.len() - bare.len()..).filter(|_| !bare.is_empty())?;
    let found = after_word(opened, short).or_else(|| before_word(opened));
    found.map(|(round, rest)| (round, lower.len() - rest.len()))
}

/// `round 3`, `rd. 3`, `round three`, `r3`.
fn after_word(text: &str, short: bool) -> Option<(u32, &str)> {
    let spelled = ["round", "rnd", "rd"].into_iter().find_map(|word| text.strip_prefix(word));
    if let Some(rest) = spelled {
        if rest.starts_with(char::is_alphabetic) {
            return None;
        }
        let (round, rest) = number(rest.trim_start_matches([' ', '#', '.', '(', '-', '№', '\u{a0}', ':']))?;
        return Some((round, rest.strip_prefix(')').unwrap_or(rest)));
    }
    // The letter of another alphabet looks the same.
    let rest = text.strip_prefix(['r', 'р', 'Р']).filter(|_| short)?;
    let digits = digits(rest);
    let (number, rest) = rest.split_at_checked(digits).filter(|_| (1..=2).contains(&digits))?;
    (!rest.starts_with(char::is_alphanumeric)).then_some(())?;
    Some((number.parse().ok()?, rest))
}

/// `3rd round`, `third round`.
fn before_word(text: &str) -> Option<(u32, &str)> {
    let (word, rest) = text.split_once(' ')?;
    let rest = rest.strip_prefix("round")?;
    let count = digits(word);
    let round = match word.split_at_checked(count)? {
        ("", word) => u32::try_from(ORDINALS.split(' ').position(|ordinal| ordinal == word)?).ok()?,
        (number, "st" | "nd" | "rd" | "th") => number.parse().ok()?,
        _ => return None,
    };
    (!rest.starts_with(char::is_alphanumeric)).then_some((round, rest))
}

/// A number in figures or words at the beginning of a text, and what follows: also without how many there are in all.
fn number(text: &str) -> Option<(u32, &str)> {
    let count = digits(text);
    let (number, rest) = match text.split_at_checked(count)? {
        ("", _) => in_words(text)?,
        (number, rest) => (number.parse().ok()?, rest),
    };
    if rest.starts_with(char::is_alphanumeric) {
        return None;
    }
    for of in ["/", " / ", " of ", " out of "] {
        if let Some(all) = rest.strip_prefix(of).filter(|all| all.starts_with(|first: char| first.is_ascii_digit())) {
            return Some((number, all.get(digits(all)..)?));
        }
    }
    Some((number, rest))
}

/// A number in words at the beginning of a text, in lower case, and what follows it.
pub(super) fn in_words(text: &str) -> Option<(u32, &str)> {
    let letters = |text: &str| text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_lowercase()).len();
    let unit = |word: &str| NUMBERS.split(' ').position(|number| number == word).and_then(|at| u32::try_from(at).ok());
    let (word, rest) = text.split_at_checked(letters(text))?;
    if let Some(number) = unit(word) {
        return Some((number, rest));
    }
    let word = if word == MISSPELT.0 { MISSPELT.1 } else { word };
    let tens = (2..).zip(TENS.split(' ')).find(|(_, number)| *number == word).map(|(ten, _)| 10 * ten)?;
    let more = rest.strip_prefix(['-', ' ']).unwrap_or_default();
    let (word, behind) = more.split_at_checked(letters(more))?;
    Some(unit(word).filter(|unit| (1..10).contains(unit)).map_or((tens, rest), |unit| (tens + unit, behind)))
}

fn digits(text: &str) -> usize {
    text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(u32, How, &str)> {
        Named::read(text, true).map(|(named, rest)| (named.round, named.how, rest))
    }

    #[test]
    fn headings_are_known_in_all_their_words() {
        for text in [
            "Round 3",
            "=== Round 3 ===",
            "ROUND THREE",
            "round three:",
            "Round #3!",
            "Round 3 begins!",
            "@everyone Round 3!",
            "R3",
            "r3:",
            "Rd. 3",
            "Round 3/25",
            "Round 3 of 25",
            "3rd round",
            "Third round!",
            "Now let's start round 3",
            "Start of Round 3",
            "— Round 3 —",
            "Round 3 — please submit your moves",
            "Round3",
            "(Round 3)",
        ] {
            assert_eq!(read(text), Some((3, How::Heading, "")), "{text}");
        }
        assert_eq!(read("round twenty-one").map(|(round, ..)| round), Some(21));
        assert_eq!(read("Round forty!").map(|(round, ..)| round), Some(40));
        for text in ["Round 3 results", "Results of round 3:", "Round 3 is over.", "R3 results", "End of round 3"] {
            assert_eq!(read(text), Some((3, How::Results, "")), "{text}");
        }
    }

    #[test]
    fn what_a_heading_is_followed_by_is_kept() {
        assert_eq!(read("Round 3: Black: Score"), Some((3, How::Heading, "Black: Score")));
        assert_eq!(read("Round 3 - Black: Score"), Some((3, How::Heading, "Black: Score")));
        assert_eq!(read("Round 3 Black: Score"), Some((3, How::Heading, "Black: Score")));
        assert_eq!(
            read("Round 1: Black - Score; White - Steal"),
            Some((1, How::Heading, "Black - Score; White - Steal"))
        );
        assert_eq!(read("Round 3 results: Black: Score"), Some((3, How::Results, "Black: Score")));
        assert_eq!(read("Round 3 score grow"), Some((3, How::Aside, "score grow")));
    }

    #[test]
    fn a_round_by_the_way_is_no_heading() {
        for text in ["gl in round 3", "I lost because of round three, sorry", "Black was lucky in R3"] {
            assert_eq!(read(text), Some((3, How::Aside, text)), "{text}");
        }
        for text in ["25 rounds", "the round is over", "around 3", "roundabout 3", "score, grow", "r2d2", "hard 3", ""]
        {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(Named::read("R2 B3", false), None);
    }
}
