//! A written line reads as itself, in any spelling, whole or in its sealed fields.

use engine::{Ask, Duel, Party, Seat, SplitMix64, Stream, To};
use proptest::prelude::*;

use super::{law, play};

#[test]
fn what_was_written_reads_as_itself_however_it_is_spelled() {
    law(|game| {
        play(game, |moment, chance| {
            let text = &moment.played.text;
            let upper = text.to_uppercase();
            let mut spellings =
                vec![text.clone(), spread(text, chance), spread(&any_case(text, chance), chance), upper];
            if moment.before.coming_round().is_some() {
                spellings.push(cut_short(text, chance));
            }
            for spelling in spellings {
                let mut again = moment.before.clone();
                let read = again.play(&spelling, None);
                let read = read.map_err(|refusal| TestCaseError::fail(format!("{spelling}: {refusal}")))?;
                prop_assert_eq!(&read, &moment.played, "{}", spelling);
                prop_assert_eq!(format!("{again:?}"), format!("{:?}", moment.after), "{}", spelling);
            }
            prop_assert!(!text.contains("  ") && text.trim() == text, "{text}");
            Ok(())
        })?;
        Ok(())
    });
}

/// The line with more white space between its words.
fn spread(line: &str, chance: &mut SplitMix64) -> String {
    let mut out = String::from("\t");
    for word in line.split(' ') {
        out.push_str(word);
        out.push_str(["  ", " \t ", " ", "   "][chance.below(4) as usize]);
    }
    out
}

fn any_case(line: &str, chance: &mut SplitMix64) -> String {
    line.chars().map(|letter| if chance.below(2) == 0 { letter } else { letter.to_ascii_uppercase() }).collect()
}

/// A line of actions with its words abbreviated, reordered and spread out, and without its number.
fn cut_short(line: &str, chance: &mut SplitMix64) -> String {
    if let Some((who, said)) = line.split_once(": ").filter(|(who, _)| who.len() == 2) {
        let words: Vec<&str> = said.split(' ').rev().map(|word| if word == "-" { "-" } else { &word[..1] }).collect();
        return format!("  {}  :  {} ", who.to_uppercase(), words.join("   "));
    }
    let moves = line.split_once(". ").map_or(line, |(_, moves)| moves);
    let (whole, letters) = (chance.below(3) == 0, chance.below(6) as usize);
    let short = |word: &str| match word {
        "score" | "steal" if !whole => word[..2].to_uppercase(),
        "score" | "steal" | "-" => word.to_owned(),
        _ => word[..1 + letters % word.len()].to_owned(),
    };
    let loose = |word: &str| match (word.strip_prefix('+'), word.split_once(':')) {
        (Some(item), _) => format!("+{}", &item[..1]),
        (None, Some((block, target))) => format!("{}:{}", short(block), short(target)),
        (None, None) => short(word),
    };
    let part = |part: &str| part.trim().split(' ').rev().map(loose).collect::<Vec<_>>().join("  ");
    let (p1, p2) = moves.split_once('/').unwrap();
    format!("\t{}/{}  ", part(p1), part(p2))
}

/// The text of each party in a line.
pub(crate) fn said(line: &str) -> Vec<(Party, &str)> {
    let both = || {
        let moves = line.split_once(". ").map_or(line, |(_, moves)| moves);
        let (p1, p2) = moves.split_once(" / ").unwrap();
        vec![(Seat::P1.into(), p1), (Seat::P2.into(), p2)]
    };
    match line.split_once(": ") {
        Some(("p1", said)) => vec![(Seat::P1.into(), said)],
        Some(("p2", said)) => vec![(Seat::P2.into(), said)],
        Some(("host", said)) => vec![(Party::Host, said)],
        _ => both(),
    }
}

/// The question that a line answers: the one of its parties for which it reads.
pub(crate) fn answered(duel: &Duel, line: &str) -> Ask {
    let said = said(line);
    let meant = |ask: &Ask| match ask.to {
        To::Both => said.len() == 2,
        To::One(seat) => said.len() == 1 && said[0].0 == Party::Seat(seat),
        To::Host => said[0].0 == Party::Host,
    };
    let asks = duel.asks().into_iter().filter(meant).collect::<Vec<_>>();
    // If several questions go to one seat, a line answers the one whose fields give it back.
    let fits = |ask: &&Ask| said.iter().all(|(party, text)| duel.split(*party, &ask.what, text).is_ok());
    asks.iter().find(fits).unwrap_or_else(|| panic!("nothing asks for {line}: {asks:?}")).clone()
}

#[test]
fn fields_put_together_again_are_the_answer() {
    law(|game| {
        play(game, |moment, _| {
            let ask = answered(&moment.before, &moment.played.text);
            for (party, text) in said(&moment.played.text) {
                let reading = moment.before.read(party, &ask.what, text).unwrap();
                prop_assert_eq!(&reading.text, text);
                prop_assert!(!reading.words.is_empty(), "{}", text);
                let values = moment.before.split(party, &ask.what, text).unwrap();
                let named: Vec<_> = values.iter().map(|(name, _)| name).collect();
                prop_assert_eq!(named, ask.fields.iter().map(|field| &field.name).collect::<Vec<_>>(), "{}", text);
                let values: Vec<&str> = values.iter().map(|(_, value)| value.as_str()).collect();
                if party != Party::Host || !values.is_empty() {
                    prop_assert_eq!(moment.before.join(&ask.what, &values), text);
                }
            }
            Ok(())
        })?;
        Ok(())
    });
}
