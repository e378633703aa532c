//! What somebody says of a match's result in a chat: "Black wins 5-3". It decides nothing, and is held against what the moves
//! come to.

use engine::{BySeat, Duel, Seat};
use record::words::standing;

use super::score::pairs;
use super::speaker::Speakers;
use super::wording;

/// A result that is stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stated {
    /// Who won.
    pub(super) winner: Seat,
    /// The winner's figure and the other's.
    pub(super) score: Option<(u32, u32)>,
}

/// Words between a winner's name and the score.
const WINS: &str = "wins it|takes it|is victorious|survives|advances|wins|won|has won|is the winner|is our winner|takes the win|\
    takes the match|takes the death match|you win|you won|you have won|goes through|beat|beats|defeats|defeated";
/// The same between a loser's name and the score.
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
                return Some(Self { winner: seat.other(), score });
            }
            let (by_title, score) = after(behind, speakers, seat, WINS)?;
            let titled = before.iter().any(|word| bare(word) == "winner");
            (by_title || titled).then_some(Self { winner: seat, score })
        })
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
