//! A line that tells of the players, taken apart at their names: "Black plays Score and Grow; White plays Steal", "Black Score
//! Grow vs White Steal", "Score, Grow / Steal", "Queen of spades for Black". It knows names, and no game.

use engine::Seat;

use super::fix::Who;
use super::line::behind_verb;
use super::silence;
use super::speaker::{Speakers, is_name};
use super::times::DASHES;
use super::wording::{self, LONGEST, is_in};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Clause {
    pub(super) seat: Seat,
    /// What is said behind the name, without what only leads to it.
    pub(super) words: String,
    /// Whether a mark or a verb leads from the name to it, so that nothing but a move follows.
    pub(super) marked: bool,
    /// Whether a program cut it off where it was copied.
    pub(super) cut: bool,
}

/// How a line tells of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// With their names, or "both" or "neither".
    Named,
    /// Two moves in the order of the seats.
    Pair,
}

/// A player who is named in a text.
struct Mention {
    seat: Seat,
    at: usize,
    end: usize,
}

/// Players named in a line; of more only the first are looked at.
const MENTIONS_MOST: usize = 12;
/// What parts the moves of two seats.
const BETWEEN: [&str; 12] =
    [" · ", " • ", " vs. ", " vs ", " v. ", " v ", " versus ", " / ", " | ", "; ", "/", " against "];
/// Words that stand between two moves and belong to neither.
const JOINING: [&str; 15] =
    ["vs", "vs.", "v", "v.", "versus", "against", "meets", "and", "while", "but", "whereas", "with", "then", "as", "&"];
/// Words before a name behind what is told of it.
const BEHIND: [&str; 3] = [" for", " by", " from"];
/// None of both seats.
const NEITHER: [&str; 3] = ["neither ", "nobody ", "no one "];
/// The same in fewer words: one of each list, and nothing else.
const OF_BOTH: &str = "both either neither nobody";
const NOTHING: &str = "no nothing missed timed timeout timeouts late absent afk silent";
const AROUND: &str = "for from of by in the them players out time submission submissions move moves";
/// Both seats at once.
const BOTH: [&str; 4] = ["both players ", "both of them ", "both: ", "both "];

/// What a text tells of each player whom it names, in its order.
pub(super) fn clauses(text: &str, speakers: &Speakers) -> Option<(How, Vec<Clause>)> {
    let text = text.trim();
    if text.len() > LONGEST {
        return None;
    }
    let mentions = mentions(text, speakers);
    if let Some(of_both) = neither(text, &mentions).or_else(|| both(text, &mentions)) {
        return Some((How::Named, of_both));
    }
    if mentions.is_empty() {
        if let Some(told) = by_initials(text, speakers) {
            return Some((How::Named, told));
        }
        return pair(text).map(|pair| (How::Pair, pair));
    }
    let before =
        mentions.first().and_then(|first| text.get(..first.at)).unwrap_or_default().trim_end_matches([' ', '@']);
    let reversed = BEHIND.iter().any(|behind| before.to_lowercase().ends_with(behind));
    let clause = |n: usize, mention: &Mention| {
        let words = if reversed {
            let from = n.checked_sub(1).and_then(|n| mentions.get(n)).map_or(0, |before| before.end);
            let words = text.get(from..mention.at)?.trim_end_matches([' ', '@']);
            let words = words.rsplit(". ").next().unwrap_or(words);
            BEHIND
                .iter()
                .find_map(|behind| words.to_lowercase().strip_suffix(behind).map(str::len))
                .and_then(|end| words.get(..end))?
        } else {
            text.get(mention.end..mentions.get(n + 1).map_or(text.len(), |next| next.at))?
        };
        let clause = Clause::of(mention.seat, words.trim_start_matches([',', ';', '.', ' ']));
        (!clause.words.is_empty()).then_some(clause)
    };
    let told: Vec<Clause> = mentions.iter().enumerate().filter_map(|(n, mention)| clause(n, mention)).collect();
    Some((How::Named, told))
}

impl Clause {
    /// What is told of a seat, without what leads to it.
    pub(super) fn of(seat: Seat, words: &str) -> Self {
        let joined = without_joining(words);
        if let Some(left) = silence::of_one(&joined).or_else(|| silence::of_one(words)) {
            return Self { seat, words: format!("- {left}").trim().to_owned(), marked: true, cut: false };
        }
        let (marked, words) = behind_name(words);
        if marked && words.chars().all(|letter| DASHES.contains(&letter)) && !words.is_empty() {
            return Self { seat, words: "-".to_owned(), marked, cut: false };
        }
        Self { seat, words: without_joining(words), marked, cut: false }
    }

    /// Whether it says that nothing came.
    pub(super) fn is_silence(&self) -> bool {
        self.words == "-" || self.words.starts_with("- ")
    }
}

/// The players whom a text names, in order, but for those whose action is only named: "blocks White's Claim".
fn mentions(text: &str, speakers: &Speakers) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    let mut inside = false;
    for (at, letter) in text.char_indices() {
        let begins = letter.is_alphanumeric() && !inside;
        inside = letter.is_alphanumeric() || letter == '_';
        if !begins || found.last().is_some_and(|last| at < last.end) {
            continue;
        }
        let from = text.get(at..).unwrap_or_default();
        let named = speakers.leading(from).and_then(|(name, rest)| Some((speakers.who(name)?, rest)));
        let Some((Some(seat), rest)) = named.map(|(who, rest): (Who, &str)| (who.seat(), rest)) else { continue };
        let owns = rest.starts_with("'s ") || rest.starts_with("’s ");
        let before = text.get(..at).unwrap_or_default().trim_end().trim_end_matches('@').trim_end();
        let last = before.rsplit(' ').next().unwrap_or_default().to_lowercase();
        let begins = before.is_empty() || before.ends_with([',', ';', '.', '/', '|', ':', '!', '–', '—', '-']);
        let is_word = ["p1", "p2"].contains(&from.get(..2).unwrap_or_default());
        if (owns || is_word) && !begins && !JOINING.contains(&last.as_str()) {
            continue;
        }
        found.push(Mention { seat, at, end: text.len() - rest.len() });
        if found.len() == MENTIONS_MOST {
            break;
        }
    }
    found
}

/// The players whom a text names, in order, each with the place of the name.
pub(super) fn named_at(text: &str, speakers: &Speakers) -> Vec<(Seat, usize)> {
    mentions(text, speakers).iter().map(|mention| (mention.seat, mention.at)).collect()
}

/// The players whom a text names, each once.
pub(super) fn players_named(text: &str, speakers: &Speakers) -> Vec<Seat> {
    let named = mentions(text, speakers);
    Seat::BOTH.into_iter().filter(|seat| named.iter().any(|mention| mention.seat == *seat)).collect()
}

/// Nothing of either: "neither sent anything", "nobody submitted", "no submissions".
fn neither(text: &str, mentions: &[Mention]) -> Option<Vec<Clause>> {
    let of = |sentence: &str| {
        let sentence = sentence.trim();
        let begun = NEITHER
            .iter()
            .find(|begun| sentence.get(..begun.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(begun)));
        let Some(begun) = begun else { return is_nothing_of_both(sentence) };
        let behind = sentence.get(begun.len()..).unwrap_or_default();
        let behind = match (behind.contains(" nor "), mentions) {
            (true, [one, other]) if one.seat != other.seat => {
                text.get(other.end..).and_then(|rest| rest.split([',', '.']).next())
            }
            // "Nobody sent anything, so: Ada nothing, Bo nothing."
            (false, mentions) if nothing_of(text, mentions) => Some(behind),
            _ => None,
        };
        let Some(behind) = behind.map(str::trim_start) else { return false };
        let behind =
            ["of them ", "of you ", "player "].iter().find_map(|more| behind.strip_prefix(more)).unwrap_or(behind);
        silence::of_neither(behind)
    };
    let clause = |seat: Seat| Clause { seat, words: "-".to_owned(), marked: true, cut: false };
    text.split(['.', '!', ',', ';']).any(of).then(|| Seat::BOTH.map(clause).into())
}

/// "No submissions", "timeout for both".
fn is_nothing_of_both(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let has = |known: &str| wording::words(&lower).any(|word| is_in(known, word));
    let none = ["no moves", "no submissions"].contains(&lower.as_str());
    (none || has(OF_BOTH))
        && has(NOTHING)
        && wording::words(&lower).all(|word| [OF_BOTH, NOTHING, AROUND].iter().any(|known| is_in(known, word)))
}

/// Whether nothing is told of whoever is named in a text.
fn nothing_of(text: &str, mentions: &[Mention]) -> bool {
    let ends = mentions.iter().skip(1).map(|next| next.at).chain([text.len()]);
    mentions.iter().zip(ends).all(|(mention, end)| {
        let said = text.get(mention.end..end).unwrap_or_default().to_lowercase();
        let said = said.trim_start_matches([':', ' ']).split([',', '.', ';', '!']).next().unwrap_or_default();
        ["nothing", "-", "zero"].contains(&said.trim())
    })
}

fn both(text: &str, mentions: &[Mention]) -> Option<Vec<Clause>> {
    let lower = text.to_ascii_lowercase();
    let begun = BOTH.iter().find(|begun| lower.starts_with(**begun)).filter(|_| mentions.is_empty())?;
    let words = text.get(begun.len()..)?;
    let clauses = Seat::BOTH.map(|seat| Clause::of(seat, words));
    let told = clauses.iter().all(|clause| clause.marked) || begun.ends_with(": ") || !text.contains(" / ");
    told.then(|| clauses.into())
}

/// Both by the first letters of their names: "B score grow  W steal".
fn by_initials(text: &str, speakers: &Speakers) -> Option<Vec<Clause>> {
    let initials = speakers.initials();
    let mut found: Vec<(Seat, usize)> = Vec::new();
    for (at, letter) in text.char_indices() {
        let alone = |text: Option<&str>, end: bool| {
            text.is_none_or(|text| {
                let next = if end { text.chars().next_back() } else { text.chars().next() };
                next.is_none_or(char::is_whitespace) || (!end && matches!(next, Some(':' | '=')))
            })
        };
        let whole = alone(text.get(..at), true) && alone(text.get(at + letter.len_utf8()..), false);
        let seat = initials.iter().find(|(initial, _)| *initial == letter).and_then(|(_, who)| who.seat());
        if let Some(seat) = seat.filter(|seat| whole && !found.iter().any(|(other, _)| other == seat)) {
            found.push((seat, at));
        }
    }
    let [(one, first), (other, second)] = found.as_slice() else { return None };
    let (words, more) = (text.get(first + 1..*second)?, text.get(second + 1..)?);
    let more = more.trim_start_matches([' ', '=']);
    let more = more.split(" = ").next().unwrap_or(more);
    let clauses = vec![Clause::of(*one, words), Clause::of(*other, more)];
    (*first == 0 && clauses.iter().all(|clause| !clause.words.is_empty())).then_some(clauses)
}

/// Both by the first letters of their names, with the letters of their moves right behind: "AC/BS".
pub(super) fn glued(text: &str, speakers: &Speakers) -> Option<Vec<Clause>> {
    let clause = |part: &str| {
        let mut letters = part.chars();
        let first = letters.next()?;
        let (_, who) = speakers.initials().iter().find(|(initial, _)| *initial == first)?;
        let words = letters.as_str();
        let clause = Clause { seat: who.seat()?, words: words.to_owned(), marked: true, cut: false };
        (!words.is_empty() && words.chars().all(char::is_uppercase)).then_some(clause)
    };
    let (one, other) = text.split_once(|letter: char| !letter.is_alphanumeric())?;
    let (one, other) = (clause(one)?, clause(other.trim_start())?);
    (one.seat != other.seat).then(|| vec![one, other])
}

/// Two moves without a name.
fn pair(text: &str) -> Option<Vec<Clause>> {
    BETWEEN.into_iter().find_map(|between| {
        let (first, second) = text.split_once(between).filter(|(_, second)| !second.contains(between))?;
        let clauses = [Clause::of(Seat::P1, first), Clause::of(Seat::P2, second)];
        clauses.iter().all(|clause| !clause.words.is_empty()).then(|| clauses.into())
    })
}

/// Two who may be the players, where nobody knows them yet, each before a mark or a verb and what `is_move` knows: "Ada played
/// Score. Bo: Steal".
pub(super) fn players(text: &str, speakers: &Speakers, is_move: impl Fn(Seat, &str) -> bool) -> Option<[String; 2]> {
    if text.len() > LONGEST || text.contains('?') {
        return None;
    }
    let parts = [" / ", "; ", " | ", ". ", " vs. ", " vs ", ", while ", " while ", ", and ", ", but ", ", "];
    parts.into_iter().find_map(|between| {
        let (one, other) = text.split_once(between)?;
        let named = |seat: Seat, part: &str| {
            let starts = part.char_indices().filter(|(_, letter)| " :-–—=".contains(*letter)).map(|(at, _)| at);
            starts.filter_map(|at| part.split_at_checked(at)).find_map(|(name, behind)| {
                // In the first round, Ada plays ...
                let name = name.rsplit(", ").next().and_then(|name| name.rsplit("! ").next()).unwrap_or(name).trim();
                let begins = name.trim_start_matches('@').starts_with(char::is_uppercase);
                let clause = Clause::of(seat, behind);
                let known = speakers.knows(name) || name.eq_ignore_ascii_case("both") || name == "I";
                (begins && is_name(name) && !known && clause.marked && is_move(seat, &clause.words))
                    .then(|| name.to_owned())
            })
        };
        let names = [named(Seat::P1, one)?, named(Seat::P2, other)?];
        (names[0] != names[1]).then_some(names)
    })
}

/// What follows a name, without what only leads to the move, and whether there was such a mark.
fn behind_name(text: &str) -> (bool, &str) {
    let owned = text.strip_prefix("'s ").or_else(|| text.strip_prefix("’s "));
    let text = owned.unwrap_or(text);
    let text = match text.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        // "Black (p1): Score"
        Some((_, after)) if after.trim_start().starts_with([':', '-', '–', '—']) => after,
        _ => text,
    };
    let rest = text.trim_start();
    let dashed = || rest.strip_prefix(DASHES).filter(|rest| rest.starts_with(' '));
    let arrow = || rest.strip_prefix("->").or_else(|| rest.strip_prefix("=>"));
    if let Some(rest) = arrow().or_else(|| rest.strip_prefix([':', '=', '→'])).or_else(dashed) {
        return (true, rest.trim());
    }
    // "has played", "has"
    let has = rest.split_at_checked(4).filter(|(has, _)| has.eq_ignore_ascii_case("has ")).map(|(_, rest)| rest);
    match has.and_then(behind_verb).or_else(|| behind_verb(rest)) {
        Some(said) => (true, said),
        None => (owned.is_some(), rest.trim_end()),
    }
}

/// A move without what joins it to another.
fn without_joining(text: &str) -> String {
    let mut text = text;
    loop {
        let bare =
            text.trim().trim_end_matches([',', ';', '/', '|', '.', '!', '–', '—', ':', '(', '@', '·', '•']).trim_end();
        // A dash alone is a move: nothing came.
        let bare = if bare.len() > 1 { bare.trim_end_matches([' ', '-']) } else { bare };
        let word = bare.rsplit(' ').next().unwrap_or_default();
        let joined = JOINING.iter().any(|joining| word.eq_ignore_ascii_case(joining)) && word.len() < bare.len();
        let next = if joined { bare.get(..bare.len() - word.len()).unwrap_or_default() } else { bare };
        if next.len() == text.len() {
            return text.to_owned();
        }
        text = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speakers() -> Speakers {
        let mut speakers = Speakers::everywhere();
        speakers.add("Black", Who::P1);
        speakers.add("Zoë Quill", Who::P2);
        speakers
    }

    fn of_two(text: &str) -> [String; 2] {
        let told = clauses(text, &speakers()).map(|(_, told)| told).unwrap_or_default();
        Seat::BOTH.map(|seat| {
            told.iter().find(|clause| clause.seat == seat).map_or_else(String::new, |clause| clause.words.clone())
        })
    }

    #[test]
    fn both_are_told_in_many_ways() {
        for text in [
            "Black played Score, Grow. Zoë Quill played Score, Steal.",
            "In the first round, Black plays Score, Grow; Zoë Quill plays Score, Steal",
            "Black: Score, Grow / Zoë Quill: Score, Steal",
            "Zoë Quill chose Score, Steal while Black chose Score, Grow",
            "P1 - Score, Grow | P2 - Score, Steal",
            "Black's Score, Grow against Zoë Quill’s Score, Steal!",
            "Black Score, Grow vs Zoë Quill Score, Steal",
            "Black (p1): Score, Grow and Zoë Quill (p2): Score, Steal",
            "Score, Grow vs Score, Steal",
            "Score, Grow for Black, Score, Steal for @Zoë Quill",
        ] {
            assert_eq!(of_two(text), ["Score, Grow", "Score, Steal"], "{text}");
        }
        assert_eq!(of_two("Both players chose Score"), ["Score", "Score"]);
        for text in [
            "Neither sent anything.",
            "neither of them answered in time",
            "Neither Black nor Zoë Quill submitted a move",
            "Black timed out, and Zoë Quill sent nothing.",
            "Both players timed out",
            "Nobody submitted.",
        ] {
            assert_eq!(of_two(text), ["-", "-"], "{text}");
        }
        assert_eq!(of_two("Black did not send anything in time"), ["-", ""]);
        assert_eq!(of_two("Black blocks Zoë Quill's Claim"), ["blocks Zoë Quill's Claim", ""]);
    }

    #[test]
    fn players_are_met_where_their_moves_are_told() {
        let is_move = |_: Seat, words: &str| ["Steal", "Score"].contains(&words);
        let two = Some(["Ada".to_owned(), "Bo Quill".to_owned()]);
        for text in [
            "Ada played Steal. Bo Quill played Score.",
            "In the first round, Ada plays Steal while Bo Quill chooses Score",
            "Ada - Steal; Bo Quill - Score",
            "Ada: Steal / Bo Quill: Score",
        ] {
            assert_eq!(players(text, &speakers(), is_move), two, "{text}");
        }
        for text in
            ["Ada played Steal", "I played Steal and Bo played Score", "P1 played x. P2 played y.", "Ada: x / Bo: y"]
        {
            assert_eq!(players(text, &speakers(), is_move), None, "{text}");
        }
    }
}
