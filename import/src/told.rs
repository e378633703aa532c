//! What a line tells of the moves of both seats, as a host sums up a round: "Black plays Score and Grow; White plays Steal",
//! "Black Score Grow vs White Steal", "Score, Grow / Steal". It knows names and the words around moves, and no game.

use engine::{BySeat, Seat};

use super::fix::Who;
use super::line::VERBS;
use super::silence;
use super::speaker::{Speakers, is_name};
use super::times::DASHES;
use super::wording::LONGEST;

/// Moves as somebody tells them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Told {
    /// What each seat is told to have sent; none where nothing is told of it.
    pub(super) moves: BySeat<Option<Half>>,
    /// How that is said.
    pub(super) said: Said,
}

/// How moves are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Said {
    /// Both, in the order of the seats, without a name.
    Pair,
    /// Of one seat, with a mark or a verb behind its name.
    OfOne,
    /// Both with their names, and nothing that parts a name from its move.
    Named,
    /// Both with their names, and a mark or a verb behind each, or one that parts the two.
    Marked,
}

/// What is told of one seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Half {
    /// The words that may be its move, the most of them first, each with what would be left over behind it.
    pub(super) cuts: Vec<(String, String)>,
    marked: bool,
}

/// A player who is named in a text.
struct Mention {
    seat: Seat,
    at: usize,
    end: usize,
}

/// Players named in a line; of more only the first are looked at.
const MENTIONS_MOST: usize = 8;
/// Words before the first name.
const BEFORE_MOST: usize = 8;
/// Ways of one line to part its move from what else it says.
const CUTS_MOST: usize = 6;
/// What parts the moves of two seats.
const BETWEEN: [&str; 10] = [" vs. ", " vs ", " v. ", " v ", " versus ", " / ", " | ", "; ", "/", " against "];
/// Words that stand between two moves, one against the other.
const PARTING: [&str; 7] = ["vs", "vs.", "v", "v.", "versus", "against", "meets"];
/// Other words between two moves that belong to neither.
const JOINING: [&str; 5] = ["and", "while", "but", "whereas", "with"];
/// Where what is told of a move ends, and something else is said.
pub(super) const ENDS: [&str; 9] = [". ", "! ", "; ", " – ", " — ", " - ", " → ", " -> ", " => "];
/// None of both seats.
const NEITHER: &str = "neither ";
/// Both seats at once.
const BOTH: [&str; 4] = ["both players ", "both of them ", "both: ", "both "];

impl Told {
    /// The ways in which a text may tell moves, the likeliest first.
    pub(super) fn ways(text: &str, speakers: &Speakers) -> Vec<Self> {
        let text = text.trim();
        // A question tells nothing.
        if text.len() > LONGEST || text.contains('?') {
            return Vec::new();
        }
        let mentions = mentions(text, speakers);
        let mut ways: Vec<Self> = neither(text, &mentions).into_iter().collect();
        ways.extend(named(text, &mentions));
        ways.extend(same(text));
        if mentions.is_empty() {
            ways.extend(BETWEEN.into_iter().filter_map(|between| pair(text, between)));
        }
        ways
    }

    /// Whether a text begins with a player's name, and goes on.
    pub(super) fn begins_with_a_player(text: &str, speakers: &Speakers) -> bool {
        let name = speakers.leading(text).filter(|(_, rest)| !rest.trim().is_empty());
        name.is_some_and(|(name, _)| speakers.who(name).and_then(Who::seat).is_some())
    }

    /// Whether a text tells of one player alone that nothing came.
    pub(super) fn is_of_silence(text: &str, speakers: &Speakers) -> bool {
        let behind = speakers.leading(text).and_then(|(_, behind)| silence::of_one(behind));
        behind.is_some_and(|left| left.is_empty()) && Self::begins_with_a_player(text, speakers)
    }

    /// Two who may be the players, where nobody knows them yet: "Ada played Score. Bo played Steal."
    pub(super) fn players(text: &str, speakers: &Speakers) -> Option<[String; 2]> {
        if text.len() > LONGEST || text.contains('?') {
            return None;
        }
        let mut names: Vec<String> = Vec::new();
        let mut behind = text;
        while let Some((at, verb)) = next_verb(behind) {
            let before = behind.get(..at)?;
            let name = before.rsplit(['.', ',', ';', '/', '|', ':', '!']).next().unwrap_or_default().trim();
            let padded = format!(" {name}");
            let behind_word = |word: &&str| padded.rsplit_once(&format!(" {word} ")).map(|(_, name)| name);
            let name = JOINING.iter().chain(&PARTING).filter_map(behind_word).min_by_key(|name| name.len());
            let name = name.unwrap_or(&padded).trim();
            let named = is_name(name) && name.starts_with(char::is_uppercase) && name != "I" && !speakers.knows(name);
            if named && !names.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                names.push(name.to_owned());
            }
            behind = behind.get(at + verb..)?;
        }
        names.try_into().ok()
    }

    /// The seats of which something is told.
    pub(super) fn seats(&self) -> impl Iterator<Item = Seat> {
        Seat::BOTH.into_iter().filter(|seat| self.moves[*seat].is_some())
    }
}

impl Half {
    /// All that is said, without what stands around it.
    pub(super) fn whole(&self) -> &str {
        self.cuts.first().map_or("", |(words, _)| words.as_str())
    }

    fn of(text: &str) -> Self {
        let joined = without_joining(text);
        if let Some(left) = silence::of_one(&joined).or_else(|| silence::of_one(text)) {
            return Self { cuts: vec![("-".to_owned(), left)], marked: true };
        }
        let (marked, text) = behind_name(text);
        let mut cuts = vec![(without_joining(text), String::new())];
        for end in ENDS {
            for (at, _) in text.match_indices(end) {
                let (kept, left) = text.split_at_checked(at).unwrap_or((text, ""));
                cuts.push((without_joining(kept), left.trim_start_matches(end).trim().to_owned()));
            }
        }
        cuts.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        cuts.retain(|(words, _)| !words.is_empty());
        cuts.dedup();
        cuts.truncate(CUTS_MOST);
        Self { cuts, marked }
    }
}

/// The players whom a text names, in order; none where it begins with too much else.
fn mentions(text: &str, speakers: &Speakers) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    let mut inside = false;
    for (at, letter) in text.char_indices() {
        let begins = letter.is_alphanumeric() && !inside;
        inside = letter.is_alphanumeric();
        if !begins || found.last().is_some_and(|last| at < last.end) {
            continue;
        }
        let from = text.get(at..).unwrap_or_default();
        let named = speakers.leading(from).and_then(|(name, rest)| Some((speakers.who(name)?, rest)));
        if let Some((Some(seat), rest)) = named.map(|(who, rest): (Who, &str)| (who.seat(), rest)) {
            found.push(Mention { seat, at, end: text.len() - rest.len() });
            if found.len() == MENTIONS_MOST {
                break;
            }
        }
    }
    let before = found.first().and_then(|first| text.get(..first.at)).unwrap_or_default();
    if before.split_whitespace().count() > BEFORE_MOST { Vec::new() } else { found }
}

/// Moves behind the names of those who made them.
fn named(text: &str, mentions: &[Mention]) -> Vec<Told> {
    let Some((one, others)) = mentions.split_first() else { return Vec::new() };
    let mut ways = Vec::new();
    for other in others.iter().filter(|other| other.seat != one.seat) {
        let (Some(first), Some(second)) = (text.get(one.end..other.at), text.get(other.end..)) else { continue };
        let last = first.trim_end().rsplit(' ').next().unwrap_or_default();
        let parted = first.trim_end().ends_with(['/', '|', ';']) || PARTING.contains(&last);
        let (first, second) = (Half::of(first), Half::of(second));
        let said = if parted || (first.marked && second.marked) { Said::Marked } else { Said::Named };
        let mut moves = BySeat::default();
        (moves[one.seat], moves[other.seat]) = (Some(first), Some(second));
        ways.push(Told { moves, said });
    }
    let half = Half::of(text.get(one.end..).unwrap_or_default());
    if half.marked && one.at == 0 {
        let mut moves = BySeat::default();
        moves[one.seat] = Some(half);
        ways.push(Told { moves, said: Said::OfOne });
    }
    ways
}

/// Where the next word stands that leads to a move, and its length.
fn next_verb(text: &str) -> Option<(usize, usize)> {
    let lower = text.to_ascii_lowercase();
    let found = VERBS.iter().filter_map(|verb| Some((lower.find(&format!(" {verb} "))?, verb.len() + 1)));
    found.min_by_key(|(at, length)| (*at, std::cmp::Reverse(*length)))
}

/// Nothing of either: "neither sent anything".
fn neither(text: &str, mentions: &[Mention]) -> Option<Told> {
    let begun = text.get(..NEITHER.len()).filter(|begun| begun.eq_ignore_ascii_case(NEITHER));
    let behind = begun.and_then(|_| match mentions {
        [] => text.get(NEITHER.len()..),
        [one, other] if one.seat != other.seat => text.get(other.end..),
        _ => None,
    })?;
    let behind =
        ["of them ", "player "].iter().find_map(|more| behind.trim_start().strip_prefix(more)).unwrap_or(behind);
    let half = Half { cuts: vec![("-".to_owned(), String::new())], marked: true };
    let moves = BySeat { p1: Some(half.clone()), p2: Some(half) };
    silence::of_neither(behind).then_some(Told { moves, said: Said::Marked })
}

/// The same move of both.
fn same(text: &str) -> Option<Told> {
    let lower = text.to_ascii_lowercase();
    let begun = BOTH.iter().find(|begun| lower.starts_with(**begun))?;
    let half = Half::of(text.get(begun.len()..)?);
    let told = half.marked || begun.ends_with(": ");
    told.then(|| Told { moves: BySeat { p1: Some(half.clone()), p2: Some(half) }, said: Said::Marked })
}

/// Two moves without a name.
fn pair(text: &str, between: &str) -> Option<Told> {
    let (first, second) = text.split_once(between)?;
    let one_more = second.contains(between);
    let (first, second) = (Half::of(first), Half::of(second));
    let some = !one_more && !first.cuts.is_empty() && !second.cuts.is_empty();
    some.then_some(Told { moves: BySeat { p1: Some(first), p2: Some(second) }, said: Said::Pair })
}

/// What follows a name, without what only leads to the move, and whether there was such a mark.
fn behind_name(text: &str) -> (bool, &str) {
    let text = text.strip_prefix("'s ").or_else(|| text.strip_prefix("’s ")).unwrap_or(text);
    let text = match text.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        // "Black (p1): Score"
        Some((_, after)) if after.trim_start().starts_with(':') => after,
        _ => text,
    };
    let rest = text.trim_start();
    let dashed = || rest.strip_prefix(DASHES).filter(|rest| rest.starts_with(' '));
    if let Some(rest) = rest.strip_prefix([':', '=']).or_else(dashed) {
        return (true, rest.trim());
    }
    let lower = rest.to_ascii_lowercase();
    let bare = lower.strip_prefix("has ").unwrap_or(&lower);
    let verb = VERBS.iter().find(|verb| bare.strip_prefix(**verb).is_some_and(|rest| rest.starts_with([' ', ':'])));
    match verb.and_then(|verb| rest.get(lower.len() - bare.len() + verb.len()..)) {
        Some(said) => (true, said.trim_start_matches(':').trim()),
        None => (false, rest.trim_end()),
    }
}

/// A move without what joins it to another.
fn without_joining(text: &str) -> String {
    let mut text = text;
    loop {
        let bare = text.trim().trim_end_matches([',', ';', '/', '|', '.', '!', '–', '—', ':']).trim_end();
        // A dash alone is a move: nothing came.
        let bare = if bare.len() > 1 { bare.trim_end_matches([' ', '-']) } else { bare };
        let word = bare.rsplit(' ').next().unwrap_or_default();
        let is_joining = |joining: &&str| word.eq_ignore_ascii_case(joining);
        let joined = JOINING.iter().chain(&PARTING).any(is_joining) && word.len() < bare.len();
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

    fn ways(text: &str) -> Vec<(Said, [String; 2])> {
        let mut speakers = Speakers::everywhere();
        speakers.add("Black", Who::P1);
        speakers.add("Zoë Quill", Who::P2);
        let whole = |half: Option<Half>| half.map(|half| half.whole().to_owned()).unwrap_or_default();
        let ways = Told::ways(text, &speakers).into_iter();
        ways.map(|told| (told.said, [whole(told.moves.p1), whole(told.moves.p2)])).collect()
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
        ] {
            let first = ways(text).into_iter().next();
            assert_eq!(first, Some((Said::Marked, ["Score, Grow".into(), "Score, Steal".into()])), "{text}");
        }
        let bare = ways("Black Score, Grow, Zoë Quill Score, Steal").into_iter().next();
        assert_eq!(bare, Some((Said::Named, ["Score, Grow".into(), "Score, Steal".into()])));
        assert_eq!(ways("Score Grow vs Score Steal"), [(Said::Pair, ["Score Grow".into(), "Score Steal".into()])]);
        assert_eq!(ways("Both players chose Score"), [(Said::Marked, ["Score".into(), "Score".into()])]);
        for text in [
            "Neither sent anything.",
            "neither of them answered in time",
            "Neither Black nor Zoë Quill submitted a move",
            "Black timed out, and Zoë Quill sent nothing.",
            "Both players timed out",
        ] {
            assert_eq!(ways(text).first(), Some(&(Said::Marked, ["-".into(), "-".into()])), "{text}");
        }
        assert_eq!(ways("Black did not send anything in time"), [(Said::OfOne, ["-".into(), String::new()])]);
        assert_eq!(ways("Black: -"), [(Said::OfOne, ["-".into(), String::new()])]);
    }

    #[test]
    fn what_is_said_behind_a_move_can_be_left_over() {
        let mut speakers = Speakers::everywhere();
        speakers.add("Black", Who::P1);
        let ways = Told::ways("Black played Score. He gains 1 chip. Well done", &speakers);
        let half = ways[0].moves.p1.clone().unwrap();
        let cuts: Vec<_> = half.cuts.iter().map(|(words, left)| (words.as_str(), left.as_str())).collect();
        assert_eq!(cuts[0].1, "");
        assert_eq!(cuts.last(), Some(&("Score", "He gains 1 chip. Well done")));
    }

    #[test]
    fn players_are_met_where_their_moves_are_told() {
        let speakers = Speakers::everywhere();
        let two = Some(["Ada".to_owned(), "Bo Quill".to_owned()]);
        for text in [
            "Ada played Steal. Bo Quill played Score.",
            "In the first round, Ada plays Steal while Bo Quill chooses Score",
        ] {
            assert_eq!(Told::players(text, &speakers), two, "{text}");
        }
        for text in [
            "Ada played Steal",
            "I played Steal and Bo played Score",
            "they played, he played on",
            "P1 played x. P2 played y.",
        ] {
            assert_eq!(Told::players(text, &speakers), None, "{text}");
        }
    }

    #[test]
    fn questions_and_talk_tell_nothing() {
        for text in [
            "did Black play Score and Zoë Quill Steal?",
            "good evening",
            "Black, your move",
            "a",
            "",
            &"Black: x / ".repeat(9_000),
        ] {
            assert_eq!(ways(text), [], "{text}");
        }
    }
}
