//! The speed of Thwart 13's search for a valid set. First a table over positions of every stage, with the median, the
//! 99th percentile and the worst of many; then criterion, on a few of them.

extern crate matchbook_engine as engine;

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use engine::game::Game;
use engine::games::thwart_13::{Cards, DM_COLOSSEUM_2, HandPlace, Hands, Thwart, complete};
use engine::step::Step;
use engine::{BySeat, GameMatch, Seat, Setup, SplitMix64, Stream, To};

/// The input of the search: a seat's hands, and the available cards.
type Position = (Hands, Cards);

/// Positions of whole matches between seats that try to complete their sets.
fn played(matches: u64, chance: &mut SplitMix64) -> Vec<Position> {
    let mut positions = Vec::new();
    for _ in 0..matches {
        let mut playing = GameMatch::<Thwart>::start(&DM_COLOSSEUM_2.rules, &Setup::default());
        while !playing.outcome().is_over() {
            let asks = playing.game().asks();
            let ask = asks.last().unwrap();
            let step = match ask.to {
                To::One(seat) => Step::One(seat, playing.game().sample(seat, &ask.what, chance).unwrap()),
                _ => Step::Both(BySeat::from_fn(|seat| playing.game().sample(seat, &ask.what, chance).unwrap())),
            };
            playing.play_step(&step, &mut ()).unwrap();
            let game = playing.game();
            positions.extend(Seat::BOTH.map(|seat| (*game.hands(seat), game.available())));
        }
    }
    positions
}

/// Positions with this many cards claimed anywhere, and this many others available.
fn scattered(
    count: usize,
    claimed: std::ops::Range<u64>,
    left: std::ops::Range<u64>,
    chance: &mut SplitMix64,
) -> Vec<Position> {
    let between = |range: &std::ops::Range<u64>, chance: &mut SplitMix64| {
        usize::try_from(range.start + chance.below(range.end - range.start)).unwrap()
    };
    let mut position = || {
        let mut deck: Vec<_> = Cards::DECK.iter().collect();
        chance.shuffle(&mut deck);
        let (claimed, left) = (between(&claimed, chance), between(&left, chance));
        let mut places: Vec<HandPlace> = HandPlace::ALL
            .into_iter()
            .flat_map(|place| std::iter::repeat_n(place, usize::from(place.size())))
            .collect();
        chance.shuffle(&mut places);
        let mut hands = Hands::default();
        for (place, card) in places.iter().zip(&deck).take(claimed) {
            match place {
                HandPlace::Front => hands.front.push(*card),
                HandPlace::Middle => hands.middle.push(*card),
                HandPlace::Back => hands.back.push(*card),
            }
        }
        (hands, deck.iter().skip(claimed).take(left).copied().collect())
    };
    (0..count).map(|_| position()).collect()
}

/// A position from its text: the cards in front, middle and back, and those available, or, after `but`, those not
/// available.
fn written(text: &str) -> Position {
    let card = |word: &str| Cards::DECK.iter().find(|card| card.word() == word);
    let parts: Vec<Vec<_>> = text.split('|').map(|part| part.split_whitespace().filter_map(card).collect()).collect();
    let mut hands = Hands::default();
    parts[0].iter().for_each(|card| hands.front.push(*card));
    parts[1].iter().for_each(|card| hands.middle.push(*card));
    parts[2].iter().for_each(|card| hands.back.push(*card));
    let named: Cards = parts[3].iter().copied().collect();
    let others = Cards::DECK.without(hands.cards());
    (hands, if text.contains("but") { others.without(named) } else { named })
}

#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
fn time(position: &Position) -> (Duration, bool) {
    let from = Instant::now();
    let found = complete(black_box(&position.0), black_box(position.1)).is_some();
    (from.elapsed(), found)
}

fn row(name: &str, positions: &[Position]) {
    let mut times: Vec<_> = positions.iter().map(time).collect();
    times.sort();
    let found = times.iter().filter(|(_, found)| *found).count();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100].0;
    println!("{name:<44} {:>7} {found:>7} {:>11.1?} {:>11.1?} {:>11.1?}", times.len(), at(50), at(99), at(100));
}

/// Positions by name. The last four were found by a climb that changed one card after another to make the search
/// slower; none of them is slower than empty hands.
const HARD: &[(&str, &str)] = &[
    ("all empty", "| | | but"),
    ("the post's example", "| 4C 4D 4H 4S | 7C 8C 9C TC | but 6C JC"),
    ("four of a kind against a lone suit", "2C 3D 5H | 9C 9D 9H 9S | | 2H 3H 4H 6H 8H TH 2D 4S 6C 8D"),
    ("thirteen cards of thirteen ranks", "| | | 2C 3D 4H 5S 6C 7D 8H 9S TC JD QH KS AC"),
    ("hill: nearly all open", "4C 8H | | | but 4D 9D 8C 9H JH KH AH 2S 8S KS"),
    ("hill: a back begun", "| | 2D 9D JD | 8C TC AC 3D 5D 6D QD 2H 3H 4H 6H 9H JH KH 4S 6S 7S TS QS KS"),
    (
        "hill: impossible, a full middle",
        "6H | 4C 4D 4H 4S 6S | | 2C 3C 5C 6C 7C 9C TC QC 2D 3D 5D 6D 8D 9D JD QD KD AD 2H 5H 7H 8H JH KH 3S 7S 8S 9S TS QS KS",
    ),
    (
        "hill: impossible, a full front and middle",
        "2H 5H KH | 4D JD 3H 6H QH | | 2C 3C 4C 6C 7C 8C 9C JC QC KC AC 2D 3D 5D 6D 7D 9D QD KD AD 4H 7H 9H TH JH 2S 3S 4S 5S 6S 7S 8S JS QS KS",
    ),
];

fn table(_: &mut Criterion) {
    let chance = &mut SplitMix64(13);
    println!("{:<44} {:>7} {:>7} {:>11} {:>11} {:>11}", "positions", "n", "found", "p50", "p99", "worst");
    row("of matches at random, all stages", &played(400, chance));
    for claimed in [0..1, 1..4, 4..7, 7..10, 10..13, 13..14] {
        for left in [0..8, 8..14, 14..20, 20..30, 30..40] {
            let name = format!(
                "{} to {} claimed, {} to {} available",
                claimed.start,
                claimed.end - 1,
                left.start,
                left.end - 1
            );
            row(&name, &scattered(2000, claimed.clone(), left, chance));
        }
    }
    for (name, text) in HARD {
        row(name, &vec![written(text); 100]);
    }
}

fn searches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solver");
    for (name, text) in HARD {
        let (hands, available) = written(text);
        group.bench_function(*name, |bencher| bencher.iter(|| complete(black_box(&hands), black_box(available))));
    }
    let chance = &mut SplitMix64(1);
    let positions = played(40, chance);
    group.bench_function("of matches at random", |bencher| {
        let any = || positions[usize::try_from(chance.below(positions.len() as u64)).unwrap()];
        bencher.iter_batched(any, |(hands, available)| complete(&hands, available), BatchSize::SmallInput);
    });
    group.finish();
}

criterion_group!(benches, table, searches);
criterion_main!(benches);
