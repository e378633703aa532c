//! A score that somebody states in passing: "17-13", "Score: Black 5, White 3", "Black leads 5 to 3". It decides nothing: it is
//! held against the match as it stands there.

use engine::{BySeat, Duel, Seat};
use record::words::standing;

use super::fix::Who;
use super::short_answer::number;
use super::speaker::Speakers;
use super::statement::UNSURE;
use super::wording::{self, is_in};

/// Two numbers that are stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Score {
    first: u32,
    second: u32,
    /// Of whom the first is, where players are named.
    of: Option<Seat>,
}

const AROUND: &str = "score scores current currently running total totals standings standing now it's its is it the so at after \
    round chips chip gems gem points point leads lead leading ahead up has have to and still with that makes this far tally hands \
    boards count we are by was tied level all vs pot in of for final interim update";
/// What follows these says which lamps are lit.
const LAMPS: &str = "lamp lamps light lights torch torches lit";
/// Words of a score, of which one stands in each that is said among other words.
const OF_SCORES: &str = "score scores total totals standings standing stands tally lead leads leading ahead behind trails tied level \
    chips gems points favour favor all result results";
/// Other words beside it.
const OTHERS_MOST: usize = 6;
/// More than any score of a game.
const SCORE_MAX: u32 = 999;

impl Score {
    /// Says of a score that it waits for what is wrong before it.
    pub(super) const UNCOMPARED: &str = "A score: it is compared once all above is right";

    /// A score, where a text says nothing else. A single number may be the pot's or the round's beside it.
    pub(super) fn read(text: &str, speakers: &Speakers) -> Option<Self> {
        Self::among(text, speakers, 0)
    }

    /// The same among a few other words, where one of a score is there.
    pub(super) fn loosely(text: &str, speakers: &Speakers) -> Option<Self> {
        let lower = text.to_lowercase();
        let sure = !wording::words(&lower).any(|word| is_in(UNSURE, word));
        // "Result: 0-1" says who won.
        let of_result = wording::words(&lower).any(|word| word == "result" || word == "results");
        if sure && !of_result && Self::is_claimed(text) { Self::among(text, speakers, OTHERS_MOST) } else { None }
    }

    /// Whether a text has a number and a word of a score.
    pub(super) fn is_claimed(text: &str) -> bool {
        let lower = text.to_lowercase();
        wording::words(&lower).any(|word| is_in(OF_SCORES, word))
            && wording::words(&lower).any(|word| number(word).is_some())
    }

    fn among(text: &str, speakers: &Speakers, others: usize) -> Option<Self> {
        let (loose, mut others, mut between) = (others > 0, others, 0);
        if text.len() > 120 || text.contains('?') {
            return None;
        }
        let (mut numbers, mut seats, mut worded, mut skip) = (Vec::new(), Vec::new(), false, false);
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if !first.is_alphanumeric() {
                rest = rest.get(first.len_utf8()..)?;
                continue;
            }
            if let Some((name, behind)) = speakers.leading(rest)
                && let Some(seat) = speakers.who(name).and_then(Who::seat)
            {
                seats.push(seat);
                between += usize::from(numbers.len() == 1);
                rest = behind;
                continue;
            }
            let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '\'').unwrap_or(rest.len());
            let (word, behind) = rest.split_at_checked(end)?;
            rest = behind;
            let lower = word.to_lowercase();
            if is_in(LAMPS, &lower) && numbers.len() == 2 {
                break;
            }
            match word.parse::<u32>() {
                Ok(_) if skip => skip = false,
                Ok(number) if number <= SCORE_MAX => numbers.push(number),
                _ if is_in(AROUND, &lower) => {
                    worded |= lower != "round" && lower != "pot";
                    skip = ["round", "pot"].contains(&lower.as_str()) || (skip && is_in("is now at has", &lower));
                }
                _ => others = others.checked_sub(1)?,
            }
            between += usize::from(numbers.len() == 1 && !is_in("to against", &lower) && word.parse::<u32>().is_err());
        }
        let [first, second] = numbers.as_slice() else { return None };
        seats.dedup();
        // "pays 5 chips (25 left)"
        if loose && seats.len() < 2 && between > 0 {
            return None;
        }
        let bare =
            text.trim().bytes().all(|byte| byte.is_ascii_digit() || b" -:()".contains(&byte)) || text.contains('–');
        // "9-7, pot 2"
        let joined = text.trim().trim_start_matches(|letter: char| letter.is_ascii_digit()).starts_with(['-', ':']);
        (worded || bare || joined || seats.len() == 2).then_some(Self {
            first: *first,
            second: *second,
            of: seats.first().copied(),
        })
    }

    /// Says how it agrees with the match as it stands, or as it stood before the last move; why not, where it does not.
    pub(super) fn against(self, duel: &Duel, before: Option<&Duel>) -> Result<String, String> {
        let pairs = pairs(duel);
        if pairs.is_empty() {
            return Ok("A score, with which nothing in this game can be compared".to_owned());
        }
        let fits = |pair: &BySeat<u32>| match self.of {
            Some(seat) => (pair[seat], pair[seat.other()]) == (self.first, self.second),
            None => (pair.p1, pair.p2) == (self.first, self.second) || (pair.p2, pair.p1) == (self.first, self.second),
        };
        if pairs.iter().any(fits) {
            return Ok("A score, as the moves come to".to_owned());
        }
        // A score may be stated while the next step is under way.
        if before.is_some_and(|before| self::pairs(before).iter().any(fits)) {
            return Ok("A score, as it was before the last step".to_owned());
        }
        Err(format!("this says {} to {}, and the moves above come to {}", self.first, self.second, standing(duel)))
    }
}

pub(super) fn pairs(duel: &Duel) -> Vec<BySeat<u32>> {
    let figures = duel.figures();
    let of = |name: &str, seat: Seat| {
        figures.iter().find(|figure| figure.name == name && figure.seat == Some(seat)).map(|figure| figure.value)
    };
    let firsts = figures.iter().filter(|figure| figure.seat == Some(Seat::P1));
    firsts.filter_map(|figure| Some(BySeat { p1: figure.value, p2: of(figure.name, Seat::P2)? })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_told_from_talk() {
        let mut speakers = Speakers::everywhere();
        speakers.add("Black", Who::P1);
        speakers.add("White", Who::P2);
        let read = |text: &str| Score::read(text, &speakers).map(|score| (score.first, score.second, score.of));
        for text in [
            "17-13",
            "17-13, pot 2",
            "17 – 13",
            "Score: 17:13",
            "It's 17 to 13 now",
            "Score after round 3: 17-13, pot 2",
        ] {
            assert_eq!(read(text), Some((17, 13, None)), "{text}");
        }
        for text in ["White 17, Black 13", "White leads 17-13", "Chips: White 17 / Black 13"] {
            assert_eq!(read(text), Some((17, 13, Some(Seat::P2))), "{text}");
        }
        let loosely = |text: &str| Score::loosely(text, &speakers).map(|score| (score.first, score.second, score.of));
        for text in ["So the tally reads 17 against 13, folks", "17-13 on points, what a match"] {
            assert_eq!(loosely(text), Some((17, 13, None)), "{text}");
        }
        for text in ["White sits on 17 chips, Black on 13", "White is well ahead of Black, 17 to 13"] {
            assert_eq!(loosely(text), Some((17, 13, Some(Seat::P2))), "{text}");
        }
        for text in [
            "White pays 17 chips (13 left)",
            "White needs 17 points, Black 13",
            "17 cards and 13 hands",
            "see you at 17, or 13",
        ] {
            assert_eq!(loosely(text), None, "{text}");
        }
        for text in ["Round 3", "10 of hearts", "Black wins 5-3", "3 2 1 go", "Black gets 2 chips", "2 or 3?"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
