//! What somebody says of a match's result in a chat: "Black wins 5-3". It decides nothing, and is held against what the moves
//! come to.

use engine::{BySeat, Duel, Seat};
use record::words::standing;

use super::clause::named_at;
use super::score::pairs;
use super::speaker::Speakers;
use super::wording::{self, LONGEST, is_in};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stated {
    pub(super) winner: Seat,
    /// The winner's figure and the other's.
    pub(super) score: Option<(u32, u32)>,
    /// Whether it can be said of nothing but the whole match.
    pub(super) sure: bool,
}

/// Words of winning, however the sentence goes.
const WON: &str = "win wins won winner winners victory victor victorious triumph triumphs triumphant triumphed prevail prevails \
    prevailed survive survives survived survivor advance advances advanced champion safe congrats congratulations crowned \
    clinches clinched";
const LOST: &str =
    "lose loses lost loser dies died home concede concedes conceded resigns resigned forfeits forfeited out";
/// Words of both: who is named before them won, unless they are said of that one.
const BEATS: &str = "beat beats beaten defeat defeats defeated eliminate eliminates eliminated bests bested knocks knocked ousts \
    ousted outlasts outlasted outplayed";
/// Words that may say so: too vague to be held against anything.
const VAGUE: &str = "w dub cake crown crowns trophy took takes through";
const PASSIVE: &str = "is was are re been being got gets";
/// Words that need the word for a match beside them.
const OF_MATCH: &str = "takes took goes went belongs";
const MATCH: &str = "match game duel dm deathmatch";
/// What is won without the match.
const PARTS: &str = "round rounds board boards pot pots chip chips hand hands coin flip toss set sets card cards trick tricks pile \
    piles row rows lane lanes point points lead";
const ENDS: &str = "with by on in after at thanks due as for and";
/// In a sentence with one of these nobody has won yet.
const UNSURE: &str = "if would could should might may maybe perhaps unless until when think thinks thought guess hope hopes need \
    needs want wants will wont going gonna almost nearly not never who whoever can how";

const WINS: &str = "wins it|takes it|is victorious|survives|advances|wins|won|has won|is the winner|is our winner|takes the win|\
    takes the match|takes the death match|you win|you won|you have won|goes through|beat|beats|defeats|defeated";
/// Between a loser's name and the score.
const LOSES: &str = "loses|lost|has lost|is eliminated|has been eliminated|is defeated";
/// Words before a winner's name.
const BEFORE: &str = "congrats|congratulations|to|and|so|the|final|result|winner|is|gg|our|well|done";
/// Words of a whole match around its score.
const AROUND: &str = "the|this|match|game|death|deathmatch|dm|duel|with|by|chips|points|gems|final|score|a|of|over|and|\
    congratulations";
const SCORE_MAX: u32 = 100_000;

impl Stated {
    /// A result, where a text states one of a whole match and nothing else.
    pub(super) fn read(text: &str, speakers: &Speakers) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().take(24).collect();
        if words.len() == 24 {
            return None;
        }
        (0..words.len()).find_map(|from| {
            let before = words.get(..from)?;
            before.iter().all(|word| BEFORE.split('|').any(|known| known == bare(word))).then_some(())?;
            let (seat, behind) = named(words.get(from..)?, speakers)?;
            if let Some((true, score)) = after(behind, speakers, seat, LOSES) {
                return Some(Self { winner: seat.other(), score, sure: true });
            }
            let (by_title, score) = after(behind, speakers, seat, WINS)?;
            let titled = before.iter().any(|word| bare(word) == "winner");
            (by_title || titled).then_some(Self { winner: seat, score, sure: true })
        })
    }

    /// A result as a sentence says it in any words: a player, and a word of winning or losing that is said of no part.
    pub(super) fn loosely(text: &str, speakers: &Speakers) -> Option<Self> {
        let lower = text.to_lowercase();
        let words: Vec<&str> = wording::words(&lower).collect();
        let sure = !words.iter().any(|word| is_in(UNSURE, word));
        if text.len() > LONGEST || text.contains('?') || lower.len() != text.len() || !sure {
            return None;
        }
        let of_match = words.iter().any(|word| is_in(MATCH, word));
        let is = |at: usize, known: &str| words.get(at).is_some_and(|word| is_in(known, word));
        let said = (0..words.len()).find(|at| match at.checked_sub(1) {
            Some(last) if is(*at, "out") => is(last, PASSIVE) && !is(at + 1, "of"),
            _ => (is(*at, OF_MATCH) && of_match) || [WON, LOST, BEATS].iter().any(|known| is(*at, known)),
        })?;
        let (before, behind) = (words.get(..said)?, words.get(said + 1..)?);
        let object = behind.iter().take_while(|word| !is_in(ENDS, word));
        if before.iter().chain(object).any(|word| is_in(PARTS, word)) {
            return None;
        }
        let place = words.get(said)?.as_ptr() as usize - lower.as_ptr() as usize;
        let named = named_at(text, speakers);
        let (first, then) = (named.iter().rev().find(|(_, at)| *at < place), named.iter().find(|(_, at)| *at > place));
        let passive =
            before.iter().rev().take(2).any(|word| is_in(PASSIVE, word)) || (then.is_none() && is(said, "eliminated"));
        let (subject, _) = first.or_else(|| then.filter(|_| !is(said, BEATS) && !is(said, "takes took out")))?;
        let lost = is(said, LOST) || (is(said, BEATS) && passive);
        Some(Self { winner: if lost { subject.other() } else { *subject }, score: None, sure: false })
    }

    /// Whether a text has a word of winning or losing.
    pub(super) fn is_claimed(text: &str) -> bool {
        let lower = text.to_lowercase();
        wording::words(&lower)
            .any(|word| word != "out" && [WON, LOST, BEATS, VAGUE].iter().any(|known| is_in(known, word)))
    }

    /// What contradicts it in a match that is over, for people.
    pub(super) fn against(self, duel: &Duel, winner: Option<Seat>, names: BySeat<&str>) -> Option<String> {
        if winner != Some(self.winner) {
            let came = winner.map_or("nobody has won".to_owned(), |winner| format!("{} has won", names[winner]));
            return Some(format!("this says that {} won, and by the moves above {came}", names[self.winner]));
        }
        let (won, lost) = self.score?;
        let pairs: Vec<_> = pairs(duel).iter().map(|pair| (pair[self.winner], pair[self.winner.other()])).collect();
        if pairs.is_empty() || pairs.iter().any(|pair| *pair == (won, lost) || *pair == (lost, won)) {
            return None;
        }
        let figures = standing(duel);
        Some(format!("this says {won} to {lost}, and the moves above come to {figures}"))
    }
}

fn bare(word: &str) -> String {
    word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase()
}

/// The player named at the beginning of some words, and what follows.
fn named<'w, 't>(words: &'w [&'t str], speakers: &Speakers) -> Option<(Seat, &'w [&'t str])> {
    (1..=words.len().min(4)).rev().find_map(|count| {
        let (name, behind) = words.split_at_checked(count)?;
        let name = name.join(" ");
        let name = name.trim_matches(|letter: char| ",.:!*@".contains(letter));
        Some((speakers.who(name)?.seat()?, behind))
    })
}

/// Whether words after a name say that it won, or lost, and with which score; none where they say anything else. Behind a
/// score, or in another sentence, anything may follow.
fn after(words: &[&str], speakers: &Speakers, seat: Seat, verbs: &str) -> Option<(bool, Option<(u32, u32)>)> {
    let said = words.iter().map(|word| bare(word)).collect::<Vec<_>>().join(" ");
    let verb = verbs
        .split('|')
        .filter(|verb| said.strip_prefix(*verb).is_some_and(|rest| !rest.starts_with(char::is_alphabetic)));
    let verb = verb.max_by_key(|verb| verb.len());
    let ends = |word: &&str| word.ends_with(['.', '!']);
    let count = verb.map_or(0, |verb| verb.split(' ').count());
    if count > 0 && words.get(count - 1).is_some_and(ends) {
        return Some((true, None));
    }
    let rest = words.get(count..)?;
    let rest = named(rest, speakers).filter(|(other, _)| *other != seat).map_or(rest, |(_, behind)| behind);
    let mut numbers = Vec::new();
    'words: for word in rest {
        for part in wording::words(word) {
            match part.parse::<u32>() {
                Ok(number) if number <= SCORE_MAX => numbers.push(number),
                _ if AROUND.split('|').any(|known| known == part.to_lowercase()) || part == "to" => {}
                _ if numbers.len() == 2 => break 'words,
                _ => return None,
            }
        }
        if ends(word) {
            break;
        }
    }
    match numbers.as_slice() {
        [] => Some((verb.is_some(), None)),
        [won, lost] => Some((verb.is_some(), Some((*won, *lost)))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::fix::Who;
    use super::*;

    #[test]
    fn a_result_is_known_in_other_words() {
        let mut speakers = Speakers::everywhere();
        speakers.add("Black", Who::P1);
        speakers.add("White", Who::P2);
        let read = |text: &str| Stated::loosely(text, &speakers).map(|stated| stated.winner);
        for text in [
            "Victory for Black!",
            "Black emerges victorious after a long fight",
            "And the champion is Black",
            "Black has beaten White",
            "White was beaten by Black",
            "White has been eliminated",
            "White is out!",
            "White goes home, sadly",
            "The match goes to Black",
            "Black takes this game in the last round",
            "a well deserved win with 10 chips, Black",
            "White lost to Black",
        ] {
            assert_eq!(read(text), Some(Seat::P1), "{text}");
        }
        for text in [
            "Black wins the pot with two tens",
            "Round 3 winner: Black",
            "Black won the coin flip",
            "Black lost 3 chips",
            "if Black wins, we are done",
            "Black is out of time",
            "Black goes first",
            "the match starts, good luck Black",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_result_is_told_from_talk() {
        let mut speakers = Speakers::everywhere();
        speakers.add("Black", Who::P1);
        speakers.add("Zoë Quill", Who::P2);
        let read = |text: &str| Stated::read(text, &speakers).map(|stated| (stated.winner, stated.score));
        for text in [
            "Black wins 5-3",
            "Black won 5 – 3!",
            "Congratulations, Black wins the match 5 to 3.",
            "Winner: Black, 5:3",
            "Black defeats Zoë Quill 5-3",
            "Black wins 5–3 and takes the garnet. Thank you both!",
        ] {
            assert_eq!(read(text), Some((Seat::P1, Some((5, 3)))), "{text}");
        }
        for text in ["Zoë Quill is the winner!", "Black loses.", "Black has lost the match", "Zoë Quill, you win!"] {
            assert_eq!(read(text), Some((Seat::P2, None)), "{text}");
        }
        for text in [
            "Black wins round 3",
            "Black wins the pot",
            "Black wins 3 chips",
            "Black",
            "Black 5-3",
            "who wins?",
            "Black won the coin flip",
            "Black lost round 3",
            "Black lost a chip",
            "Black lost 3 chips",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
