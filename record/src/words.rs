//! Words that pages, posts, exports and imports say the same way. Names go in later, where `{p1}` and `{p2}` are.

use std::fmt::Display;

use engine::games::declared::ANNOUNCED;
use engine::{BySeat, Duel, Figure, Outcome, Reason, Ruleset, Unit, Verdict, Word};

/// The text with a capital in front.
#[must_use]
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// With a capital and a full stop.
#[must_use]
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
    let stop = if text.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{first}{}{stop}", letters.as_str())
}

/// A number with what it counts: `1 match`, `3 matches`. Another language has more forms than two; this is the place for
/// them.
#[must_use]
pub fn counted(n: impl Display, one: &str, more: &str) -> String {
    let n = n.to_string();
    let what = if n == "1" { one } else { more };
    format!("{n} {what}")
}

/// The rules of a row in a list, which names them by their id; none that are not known here. A match holds its own.
#[must_use]
pub fn row_rules(id: &str) -> Option<&'static dyn Ruleset> {
    engine::ruleset(id).ok()
}

/// A score, or how far apart two are, in what the game counts: `5 chips`, `1 hand`.
#[must_use]
pub fn in_unit(n: impl Display, unit: &Unit) -> String {
    counted(n, &unit.one, &unit.many)
}

/// Things in a row: `a`, `a and b`, `a, b and c`.
#[must_use]
pub fn listed(things: &[String]) -> String {
    match things {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A row of the score sheet by its label: `7b` as "Round 7b", `7.2` as "Round 7.2", `0.2` as "Turn 2".
#[must_use]
pub fn row_words(label: &str) -> String {
    match label.split_once('.').map_or((label, None), |(round, part)| (round, Some(part))) {
        ("0", None) => "Before round 1".to_owned(),
        // Turns before round 1: in some games all of them.
        ("0", Some(part)) => format!("Turn {part}"),
        _ => format!("Round {label}"),
    }
}

/// A kind of move for people, as the game tells it, beginning with a capital. Nothing was sent by a seat that was not
/// asked.
#[must_use]
pub fn sent_words(ruleset: Option<&dyn Ruleset>, sent: &str) -> String {
    match ruleset {
        _ if sent.is_empty() => "Not asked".to_owned(),
        Some(ruleset) => capital(&ruleset.kind_words(sent)),
        None => sent.to_owned(),
    }
}

/// Why a match ended, by its word in the notation; none that these rules do not know.
#[must_use]
pub fn reason_of(ruleset: &dyn Ruleset, word: &str) -> Option<Reason> {
    if word == Reason::UMPIRE.word {
        return Some(Reason::UMPIRE);
    }
    ruleset.endings().iter().find(|reason| reason.word == word).copied()
}

/// A way of ending for people, by its word in the notation, where it is of any ruleset.
#[must_use]
pub fn ending_words(word: &str) -> String {
    // Games are level after different rounds, and go to the DMO then.
    if word == "dmo" {
        return "tied at the end, and the DMO wins a tie".to_owned();
    }
    let known = engine::rulesets().find_map(|ruleset| reason_of(ruleset, word));
    let reason = known.or_else(|| Some(ANNOUNCED).filter(|reason| reason.word == word));
    reason.map_or_else(|| word.replace('-', " "), |reason| reason.phrase.to_owned())
}

/// The same after the winner's name: the opponent has a name, too.
#[must_use]
pub fn ending_naming(word: &str, loser: &str) -> String {
    ending_words(word).replace(Reason::OPPONENT, loser)
}

/// A result in a sentence.
#[must_use]
pub fn result_sentence(outcome: Outcome, names: BySeat<&str>) -> String {
    match outcome {
        Outcome::Running => "Still running.".to_owned(),
        Outcome::Over(ending) => {
            let why = ending.reason.phrase;
            match ending.verdict {
                Verdict::Won(seat) => format!("{} won: {}.", names[seat], ending.reason.naming(names[seat.other()])),
                Verdict::Undecided => format!("Undecided: {why}."),
                Verdict::Void => format!("Void, by {why}: the match does not count."),
            }
        }
    }
}

/// Figures on one line, such as "chips 18 – 10, pot 1".
#[must_use]
pub fn in_a_line(figures: impl IntoIterator<Item = Figure>) -> String {
    let mut named: Vec<(Word, String)> = Vec::new();
    let mut shared = Vec::new();
    for figure in figures {
        let label = figure.label.to_lowercase();
        if figure.seat.is_none() {
            shared.push(format!("{label} {}", figure.value));
        } else if let Some((_, text)) = named.iter_mut().find(|(name, _)| *name == figure.name) {
            text.push_str(&format!(" – {}", figure.value));
        } else {
            named.push((figure.name, format!("{label} {}", figure.value)));
        }
    }
    named.into_iter().map(|(_, text)| text).chain(shared).collect::<Vec<_>>().join(", ")
}

/// The figures of a match as it stands, on one line.
#[must_use]
pub fn standing(duel: &Duel) -> String {
    in_a_line(duel.figures())
}

#[cfg(test)]
mod tests {
    use engine::{BySeat, Outcome, Seat};

    use super::{counted, ending_naming, ending_words, in_unit, reason_of, result_sentence, row_rules, row_words};

    #[test]
    fn one_is_told_from_more() {
        assert_eq!([0, 1, 21].map(|n| counted(n, "match", "matches")), ["0 matches", "1 match", "21 matches"]);
    }

    #[test]
    fn a_result_names_both_players() {
        let reason = reason_of(row_rules("devils-deal/blooming-genius").unwrap(), "no-private-cards").unwrap();
        let names = BySeat { p1: "Juniper", p2: "Quill" };
        let result = result_sentence(Outcome::won(Seat::P2, reason), names);
        assert_eq!(result, "Quill won: Juniper could not field two private cards.");
        assert_eq!(ending_naming("opponent-invalid", "Juniper"), "Juniper's hands are no valid set");
        assert_eq!(ending_words("opponent-invalid"), "the opponent's hands are no valid set");
    }

    #[test]
    fn a_margin_is_told_in_what_the_game_counts() {
        let score_counted = |id, n| in_unit(n, &row_rules(id).unwrap().score_unit());
        let lead_counted = |id, n| in_unit(n, &row_rules(id).unwrap().lead_unit());
        assert_eq!(score_counted("five-card-trick/dm-colosseum-2", 5), "5 chips");
        assert_eq!(score_counted("five-card-trick/legends-untold", 5), "5 gems");
        assert_eq!(score_counted("three-card/simply-genius", 0), "0 chips");
        assert_eq!(score_counted("devils-deal/blooming-genius", 1), "1 chip");
        assert_eq!(score_counted("higher-lower/tempo-up", 2), "2 boards");
        assert_eq!(score_counted("thwart-13/dm-colosseum-2", 1), "1 hand");
        // Hands are compared at the end; until then the players claim cards.
        assert_eq!(lead_counted("thwart-13/legends-untold", 2), "2 claimed cards");
        assert_eq!(lead_counted("higher-lower/tempo-up", 1), "1 board");
        assert!(row_rules("chess/blitz").is_none());
    }

    #[test]
    fn a_row_is_called_by_its_round_and_part() {
        let called = ["7", "7b", "7.2", "7b.3", "0", "0.2"].map(row_words);
        let words = ["Round 7", "Round 7b", "Round 7.2", "Round 7b.3", "Before round 1", "Turn 2"];
        assert_eq!(called, words);
    }
}
