//! Whole random matches: they end, nothing is lost or shown too early, and written lines read as themselves.

use std::collections::BTreeSet;

use engine::{Ask, Duel, Party, Seat, Sight, SplitMix64, Stream, To};

use super::table::{json_list, open, say};

/// Plays a match to its end with random answers; `look` gets each step before it is played.
fn play(seed: u64, mut look: impl FnMut(&Duel, &Ask, &str)) -> (Duel, Vec<String>) {
    let mut random = SplitMix64(seed);
    let (mut duel, mut lines) = (open(if seed.is_multiple_of(2) { Seat::P1 } else { Seat::P2 }), Vec::new());
    while !duel.outcome().is_over() {
        assert!(lines.len() < 500, "no end: {}", duel.state(Sight::Everything));
        let asks = duel.asks();
        assert!(!asks.is_empty(), "{}", duel.state(Sight::Everything));
        let last = asks.len() - 1;
        for (n, ask) in asks.iter().enumerate() {
            if n < last && random.below(2) == 0 {
                continue;
            }
            let text = match ask.to {
                To::One(seat) => duel.sample(seat, &ask.what, &mut random).map(|sent| format!("{seat}: {sent}")),
                To::Host => duel.draw(&mut random).map(|draw| format!("host: {draw}")),
                To::Both => panic!("nobody is asked together"),
            };
            let Some(line) = text else {
                assert!(n < last, "{} is not answered", ask.what);
                continue;
            };
            look(&duel, ask, &line);
            say(&mut duel, &line);
            lines.push(line);
        }
    }
    (duel, lines)
}

#[test]
fn every_match_ends_with_three_boards() {
    let (mut longest, mut words) = (0, BTreeSet::new());
    for seed in 0..100 {
        let (duel, lines) = play(seed, |_, _, line| {
            words.insert(line.split(' ').nth(1).unwrap().to_owned());
        });
        longest = longest.max(lines.len());
        assert_eq!(duel.outcome().reason(), "three-boards");
        assert!(duel.asks().is_empty());
    }
    // A board has 25 cards, and at most two misses come between two of them.
    assert!(longest < 12 + 5 * 75, "{longest}");
    for word in ["-", "colour", "assign", "place", "board", "turn", "north", "south", "east", "west", "stop"] {
        assert!(words.contains(word), "{word} never came");
    }
}

#[test]
fn a_match_written_and_read_again_is_the_same() {
    for seed in 0..40 {
        let (duel, lines) = play(seed, |duel, _, line| {
            let played = duel.clone().play(line, None).unwrap();
            assert_eq!(played.text, line);
        });
        let mut again = open(if seed.is_multiple_of(2) { Seat::P1 } else { Seat::P2 });
        for line in &lines {
            let lower = say(&mut again, &line.to_lowercase());
            assert_eq!(&lower.text, line);
        }
        for sight in [Sight::Public, Sight::Seat(Seat::P1), Sight::Everything] {
            assert_eq!((again.state(sight), again.view(sight)), (duel.state(sight), duel.view(sight)));
        }
    }
}

/// The fields of a step, joined, are the step; and each back opens with the step that turns it over.
#[test]
fn every_back_is_sealed_until_it_is_turned() {
    for seed in 0..40 {
        let mut closed: BTreeSet<String> = BTreeSet::new();
        play(seed, |duel, ask, line| {
            let (who, text) = line.split_once(": ").unwrap();
            let party = who.parse::<Seat>().map_or(Party::Host, Party::from);
            if text != "-" {
                let values = duel.split(party, &ask.what, text).unwrap();
                let names: Vec<_> = values.iter().map(|(name, _)| name).collect();
                assert_eq!(names, ask.fields.iter().map(|field| &field.name).collect::<Vec<_>>());
                let values: Vec<&str> = values.iter().map(|(_, value)| value.as_str()).collect();
                // A layout has no sealed fields.
                assert!(values.is_empty() || duel.join(&ask.what, &values) == text, "{text}");
            }
            let mut after = duel.clone();
            let up = |duel: &Duel| json_list(&duel.state(Sight::Everything), "up").len();
            let played = after.play(line, None).unwrap();
            assert_eq!(played.keeps.len(), played.public.matches('?').count(), "{}", played.public);
            for (whose, name) in &played.keeps {
                assert_eq!(*whose, party);
                if party == Party::Host {
                    assert!(closed.insert(name.to_string()), "{name} is sealed twice");
                }
            }
            for (whose, name) in &played.shows {
                assert_eq!(*whose, Party::Host);
                assert!(closed.remove(&**name), "{name} is opened twice");
                assert!(matches!(&*ask.what, "turn" | "guess"), "{line}");
            }
            if after.state(Sight::Public).contains("\"phase\":\"guess\"") {
                assert_eq!((up(&after), played.shows.len()), (up(duel) + 1, 1), "{line}");
            }
        });
        // At least three boards were played, and no more backs opened than cards were turned.
        assert!(closed.len() < 125 - 15, "{}", closed.len());
    }
}
