//! Whole random matches: they end, and no chip or card is lost.

use std::collections::BTreeMap;

use engine::{Duel, Seat, Setup, Sight, SplitMix64, To};
use serde_json::Value;

use super::setup;

/// 60 chips pay for at most 12 refills; each brings at most 12 cards, and a round uses four. Ten are dealt.
const MOST_ROUNDS: u64 = (10 + 12 * 12) / 4;

/// The next line of a match at random; none once it is over.
pub(crate) fn line(duel: &Duel, chance: &mut SplitMix64) -> Option<String> {
    let ask = duel.asks().pop()?;
    let mut sample = |seat| duel.sample(seat, &ask.what, chance).unwrap();
    Some(match ask.to {
        To::One(seat) => format!("{seat}: {}", sample(seat)),
        To::Both => format!("{} / {}", sample(Seat::P1), sample(Seat::P2)),
        To::Host => format!("host: {}", duel.draw(chance).unwrap()),
    })
}

fn chips(state: &Value) -> u64 {
    ["p1", "p2"].into_iter().map(|seat| state["chips"][seat].as_u64().unwrap()).sum()
}

fn cards(state: &Value) -> usize {
    ["p1", "p2"].into_iter().map(|seat| state["pools"][seat].as_array().unwrap().len()).sum()
}

#[test]
fn random_matches_end_and_lose_no_chip_or_card_on_the_way() {
    let mut ends: BTreeMap<&str, u32> = BTreeMap::new();
    let mut steps = 0;
    for seed in 0..400 {
        let options = if seed % 2 == 0 { vec![] } else { vec![("community".into(), "before-refill".into())] };
        let mut duel =
            Duel::open(&Setup { options, ..setup(if seed % 3 == 0 { Seat::P1 } else { Seat::P2 }) }).unwrap();
        let mut chance = SplitMix64(seed);
        let (mut held, mut before) = (60, serde_json::from_str::<Value>(&duel.state(Sight::Everything)).unwrap());
        while let Some(line) = line(&duel, &mut chance) {
            let played = duel.play(&line, None).unwrap_or_else(|refusal| panic!("{line}: {refusal}"));
            assert_eq!(played.text, line);
            steps += 1;
            let state: Value = serde_json::from_str(&duel.state(Sight::Everything)).unwrap();
            let pot = state["pot"].as_u64().unwrap();
            // Only a refill's price, or the chip of the ante, leaves the game; after a tie that chip comes back.
            let now = chips(&state) + pot;
            let fair = [now, now + 1, now + 5].contains(&held) || now == held + 1;
            assert!(fair, "{line}: {held} chips became {now}");
            held = now;
            let rounds = (before["round"].as_u64().unwrap(), state["round"].as_u64().unwrap());
            assert!(rounds.1 <= MOST_ROUNDS, "{} rounds", rounds.1);
            if rounds.1 > rounds.0 {
                assert_eq!(cards(&state) + 4, cards(&before), "a round uses four cards");
            }
            if state["phase"] != "discard" {
                for seat in ["p1", "p2"] {
                    assert!(state["pools"][seat].as_array().unwrap().len() <= 10);
                }
            }
            before = state;
        }
        *ends.entry(duel.outcome().reason()).or_default() += 1;
    }
    println!("{ends:?}, {steps} steps");
    for reason in ["no-private-cards", "no-ante", "no-penalty", "no-chips"] {
        assert!(ends[reason] > 0, "no match ended by {reason}: {ends:?}");
    }
}
