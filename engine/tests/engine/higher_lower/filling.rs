//! Filling missing groups: exactly the patterns that leave a way to fill the rest, each equally likely.

use std::collections::{BTreeMap, BTreeSet};

use engine::games::higher_lower::{Board, Card, Cards, Fruit, Want, completes};
use engine::{Duel, Seat, SplitMix64, Stream};

use super::table::{ALL_ASSIGNED, LAYOUT, assignment, coloured, open, placement, say};

/// True if the cards may fill the group, from the text of the rules.
fn is_pattern(want: Want, cards: &[Card]) -> bool {
    let fruits: Vec<Fruit> = cards.iter().map(|card| card.fruit()).collect();
    let alike = fruits.iter().all(|fruit| *fruit == fruits[0]);
    let mut different = true;
    for (n, card) in cards.iter().enumerate() {
        different &= cards[..n].iter().all(|other| other.fruit() != card.fruit() && other.number() != card.number());
    }
    let allowed = fruits.iter().all(|fruit| Fruit::of_board(want.board).contains(fruit));
    cards.len() == usize::from(want.size) && allowed && (alike || different)
}

/// Every choice of this many cards from a list.
fn choices(cards: &[Card], count: usize) -> Vec<Vec<Card>> {
    let Some((first, rest)) = cards.split_first() else {
        return if count == 0 { vec![Vec::new()] } else { Vec::new() };
    };
    let mut all = choices(rest, count);
    if count > 0 {
        let with = choices(rest, count - 1).into_iter();
        all.extend(with.map(|mut chosen| {
            chosen.push(*first);
            chosen
        }));
    }
    all
}

/// True if the groups can be filled, found by trying everything.
fn fills(cards: &[Card], wants: &[Want]) -> bool {
    let Some((want, rest)) = wants.split_first() else { return true };
    choices(cards, usize::from(want.size)).into_iter().any(|chosen| {
        is_pattern(*want, &chosen) && {
            let left: Vec<Card> = cards.iter().copied().filter(|card| !chosen.contains(card)).collect();
            fills(&left, rest)
        }
    })
}

/// Small supplies of few numbers, in which the numbers of mixed groups often clash.
#[test]
fn the_search_for_a_completion_finds_what_trying_everything_finds() {
    let mut random = SplitMix64(13);
    let (mut yes, mut no, mut clashes) = (0, 0, 0);
    for _ in 0..6000 {
        let numbers = 1 + random.below(5);
        let fruits = 2 + random.below(4);
        let mut cards = Vec::new();
        for _ in 0..3 + random.below(8) {
            let fruit = Fruit::ALL[random.below(fruits) as usize];
            let card = Card::new(fruit, 1 + random.below(numbers) as u8).unwrap();
            if !cards.contains(&card) {
                cards.push(card);
            }
        }
        let near = random.below(5) as usize;
        let mut wants = Vec::new();
        let mut left = cards.len() as u64;
        while left > 0 && wants.len() < 4 {
            let size = (1 + random.below(3)).min(left);
            let board = Board::ALL[(near + random.below(2) as usize) % 5];
            wants.push(Want { board, size: size as u8 });
            left -= size;
        }
        let (supply, expected) = (cards.iter().copied().collect::<Cards>(), fills(&cards, &wants));
        assert_eq!(completes(supply, &wants), expected, "{cards:?} {wants:?}");
        if expected {
            yes += 1;
        } else {
            no += 1;
            // The same with numbers that never clash.
            let apart = cards.iter().enumerate().map(|(n, card)| Card::new(card.fruit(), 1 + n as u8 % 10).unwrap());
            clashes += u32::from(completes(apart.collect(), &wants));
        }
    }
    assert!(yes > 500 && no > 500 && clashes > 50, "{yes} can be filled, {no} not, {clashes} because of numbers");
}

#[test]
fn numbers_that_clash_leave_no_completion() {
    let cards = |text: &str| -> Cards {
        text.split(' ')
            .map(|word| {
                let fruit = Fruit::ALL.into_iter().find(|fruit| word.starts_with(fruit.letter())).unwrap();
                Card::new(fruit, word[1..].parse().unwrap()).unwrap()
            })
            .collect()
    };
    let on_b = |sizes: &[u8]| sizes.iter().map(|size| Want { board: Board::B, size: *size }).collect::<Vec<_>>();
    assert!(completes(cards("A1 B2 C3"), &on_b(&[3])));
    assert!(!completes(cards("A1 B1 C3"), &on_b(&[3])));
    assert!(!completes(cards("A1 B2 D3"), &on_b(&[3])), "no Durian on board B");
    assert!(!completes(cards("A1 A2 B3"), &on_b(&[3])), "two of three alike");
    assert!(completes(cards("A1 A2 B1 B2"), &on_b(&[2, 2])));
    // A triple each, from three Apples of which only one is neither 1 nor 2.
    assert!(!completes(cards("A1 A2 A3 B1 B2 C1 C2"), &on_b(&[3, 3])));
    assert!(completes(cards("A1 A3 A4 B1 B2 C1 C2"), &on_b(&[3, 3])));
    assert!(completes(cards("A1 A2 A3 B1 B2 B3 C1 C2 C3"), &on_b(&[3, 3, 3])));
    assert!(completes(Cards::default(), &[]) && !completes(Cards::default(), &on_b(&[1])));
}

/// Pearson's sum for counts against equally likely classes, and a bound that a fair draw nearly always passes: the mean
/// is one less than the number of classes, the standard deviation is the root of twice that, and six of them are
/// allowed.
fn equally_likely<K: Ord + std::fmt::Debug>(counts: &BTreeMap<K, u32>, classes: usize) {
    assert_eq!(counts.len(), classes, "{counts:?}");
    let expected = f64::from(counts.values().sum::<u32>()) / classes as f64;
    assert!(expected >= 5.0, "too few draws: {expected}");
    let sum: f64 = counts.values().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum();
    let free = classes as f64 - 1.0;
    assert!(sum < free + 6.0 * (2.0 * free).sqrt() + 6.0, "{sum} with {free} degrees of freedom: {counts:?}");
}

/// The cards that a drawn line puts on the cells of a front, row by row.
fn drawn(duel: &Duel, board: usize, front: &str, random: &mut SplitMix64) -> Vec<String> {
    let line = duel.draw(random).unwrap();
    assert!(duel.clone().play(&format!("host: {line}"), None).is_ok(), "{line}");
    let cards = line.split(' ').skip(2).zip(LAYOUT[board].1.split(' '));
    cards.filter(|(_, cell)| *cell == front).map(|(card, _)| card.to_owned()).collect()
}

/// A match in which both seats assigned everything but these groups of p1.
fn all_but(open: &[&str]) -> Duel {
    let mut duel = coloured();
    let rest = ALL_ASSIGNED.iter().filter(|(group, _)| !open.contains(group));
    say(&mut duel, &format!("p1: {}", assignment(rest)));
    say(&mut duel, &format!("p2: {}", assignment(&ALL_ASSIGNED)));
    duel
}

#[test]
fn every_order_of_a_group_on_its_cells_is_equally_likely() {
    let (duel, mut random) = (all_but(&[]), SplitMix64(3));
    let mut counts = BTreeMap::new();
    for _ in 0..24 * 40 {
        *counts.entry(drawn(&duel, 0, "co", &mut random)).or_default() += 1;
    }
    equally_likely(&counts, 24);
}

/// The expected patterns are found by hand from the rules: every three cards that the triangles of A may hold and after
/// which the other open groups can be filled.
#[test]
fn every_pattern_that_leaves_a_completion_is_equally_likely() {
    let want = |board, size| Want { board, size };
    for (open, others, patterns, good) in [
        // Three Apples and seven Blueberries: each pattern of one fruit leaves a completion.
        (["A triangle", "B circle", "B triangle"], [want(Board::B, 3), want(Board::B, 4)], 36, 36),
        // Three each of Apples, Blueberries and Elderberries. A mixture leaves a Blueberry for board E, which takes none.
        (["A triangle", "A square", "E circle"], [want(Board::A, 3), want(Board::E, 3)], 21, 3),
    ] {
        let (duel, mut random) = (all_but(&open), SplitMix64(5));
        let groups = ALL_ASSIGNED.iter().filter(|(group, _)| open.contains(group));
        let left: Vec<Card> = groups
            .flat_map(|(_, cards)| cards.split(' '))
            .map(|word| Card::all().find(|card| card.text() == word).unwrap())
            .collect();
        let fit = choices(&left, 3).into_iter().filter(|chosen| is_pattern(want(Board::A, 3), chosen));
        let fit: Vec<Vec<Card>> = fit.collect();
        let leaves_a_way = |chosen: &&Vec<Card>| {
            let rest: Vec<Card> = left.iter().copied().filter(|card| !chosen.contains(card)).collect();
            fills(&rest, &others)
        };
        assert_eq!((fit.len(), fit.iter().filter(leaves_a_way).count()), (patterns, good));
        let mut counts = BTreeMap::new();
        for _ in 0..good * 30 {
            let mut cards = drawn(&duel, 0, "ct", &mut random);
            cards.sort();
            *counts.entry(cards).or_default() += 1;
        }
        equally_likely(&counts, good);
    }
}

/// Without assignments, the first group has 210 ways in each of three fruits.
#[test]
fn with_nothing_assigned_each_fruit_and_number_is_as_likely() {
    let (duel, mut random) = (coloured(), SplitMix64(8));
    let (mut fruits, mut cards) = (BTreeMap::new(), BTreeMap::new());
    for _ in 0..450 {
        let group = drawn(&duel, 0, "co", &mut random);
        *fruits.entry(group[0][..1].to_owned()).or_default() += 1;
        // One card from each draw, so that the counts are independent.
        *cards.entry(group[0].clone()).or_default() += 1;
    }
    equally_likely(&fruits, 3);
    equally_likely(&cards, 30);
}

/// Board A has one grey shape: any five of ten numbers. Board B has two: three odd or even ones, and two.
#[test]
fn the_grey_cards_keep_to_their_rules_and_are_otherwise_random() {
    let (mut duel, mut random) = (all_but(&[]), SplitMix64(21));
    let mut numbers = BTreeMap::new();
    for _ in 0..500 {
        *numbers.entry(drawn(&duel, 0, "go", &mut random)[0].clone()).or_default() += 1;
    }
    equally_likely(&numbers, 10);
    say(&mut duel, &placement(0));
    let mut parities = BTreeMap::new();
    for _ in 0..1320 {
        let odd = |card: &String| card[1..].parse::<u8>().unwrap() % 2;
        let line = duel.draw(&mut random).unwrap();
        let cells: Vec<(&str, &str)> = line.split(' ').skip(2).zip(LAYOUT[1].1.split(' ')).collect();
        let of = |front| {
            cells.iter().filter(|(_, cell)| *cell == front).map(|(card, _)| odd(&(*card).into())).collect::<Vec<_>>()
        };
        let (circles, triangles) = (of("go"), of("gt"));
        assert!(circles.iter().all(|odd| *odd == circles[0]) && triangles.iter().all(|odd| *odd == triangles[0]));
        *parities.entry((circles[0], triangles[0])).or_insert(0_u32) += 1;
    }
    // Of 220 ways ten have both shapes odd, ten both even, and a hundred each are mixed.
    let alike = parities[&(0, 0)] + parities[&(1, 1)];
    assert!((60..=180).contains(&alike), "{alike} of 1320, where 120 are to be expected");
    equally_likely(&BTreeMap::from([(0, parities[&(0, 1)]), (1, parities[&(1, 0)])]), 2);
}

#[test]
fn whatever_is_drawn_is_accepted_and_leaves_a_way_on() {
    let mut random = SplitMix64(99);
    for seed in 0..60 {
        let mut duel = coloured();
        for seat in Seat::BOTH {
            if random.below(3) > 0 {
                let sent = duel.sample(seat, "assign", &mut random).unwrap();
                say(&mut duel, &format!("{seat}: {sent}"));
            }
        }
        for _ in 0..5 {
            let line = duel.draw(&mut random).unwrap_or_else(|| panic!("stuck with seed {seed}"));
            say(&mut duel, &format!("host: {line}"));
        }
        assert!(duel.draw(&mut random).is_none());
    }
}

#[test]
fn a_seat_begins_with_all_its_cards_in_groups_that_count() {
    let mut duel = open(Seat::P2);
    say(&mut duel, "p2: colour pink");
    let lines: Vec<String> =
        (0..20).map(|seed| duel.fill(Seat::P1, "assign", &mut SplitMix64(seed)).unwrap()).collect();
    for line in &lines {
        let cards =
            line.split([' ', '|']).filter(|word| word.len() > 1 && word.ends_with(|end: char| end.is_numeric()));
        assert_eq!(cards.collect::<BTreeSet<_>>().len(), 50, "{line}");
        assert_eq!(duel.read(Seat::P1, "assign", line).unwrap().notes, Vec::<String>::new(), "{line}");
    }
    assert_eq!(lines.iter().collect::<BTreeSet<_>>().len(), 20, "each by its own lot");
    assert_eq!(duel.fill(Seat::P1, "guess", &mut SplitMix64(1)), None);
}
