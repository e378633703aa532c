//! The refill step, and the worked example of the rule post.

use super::table::{DEALT, Table, dividing};

const DIVISION: &str = "p1: divide R2 R3 B9 | B3 G5 G6 | B6 G8 | aside G2 B5 R7";

#[test]
fn the_example_of_the_post_takes_eight_cards_and_leaves_four() {
    let table = dividing().play(DIVISION);
    assert_eq!(table.get("pools.p1"), "[R2,R2,R3,G5,G5,G6,G8,G9,B1,B3,B6,B7,B9]");
    assert_eq!(
        table.told(),
        "{p1} made 4 piles that sum to 14, set one aside, and takes R2 R3 B9 B3 G5 G6 B6 G8. (4.4.3)\n\
         {p1} has 3 cards too many and must discard. (4.4.4)\n"
    );
    let mut table = table.play("p1: discard R2 B1 R2");
    assert_eq!(table.asked(), "take p2");
    for left in ["G1", "G2", "B5", "R7"] {
        let after = Table { duel: table.duel.clone(), ..Table::new() }.play(&format!("p2: take {left}"));
        assert!(after.get("pools.p2").contains(left) && after.asked() == "refill p1", "{left}");
    }
    for taken in ["R2", "R3", "B9", "B3", "G5", "G6", "B6", "G8"] {
        assert_eq!(table.refusal(&format!("p2: take {taken}")).rule, Some("4.4.6"), "{taken}");
    }
}

#[test]
fn there_are_seven_ways_to_form_the_piles_of_the_example() {
    let cards = [("R2", 2), ("R3", 3), ("B3", 3), ("G5", 5), ("G6", 6), ("B6", 6), ("G8", 8), ("B9", 9)];
    let mut ways = std::collections::BTreeSet::new();
    for code in 0..3_u32.pow(8) {
        let mut piles = [const { Vec::new() }; 3];
        (0..8).for_each(|at| piles[(code / 3_u32.pow(at) % 3) as usize].push(cards[at as usize]));
        if piles.iter().all(|pile| pile.iter().map(|(_, number)| number).sum::<u32>() == 14) {
            let mut piles = piles.map(|pile| pile.into_iter().map(|(card, _)| card).collect::<Vec<_>>().join(" "));
            piles.sort();
            ways.insert(piles.join(" | "));
        }
    }
    assert_eq!(ways.len(), 7);
    let same: std::collections::BTreeSet<String> = ways
        .into_iter()
        .map(|way| dividing().play(&format!("p1: divide {way} | aside G2 B5 R7")).get("pools.p1"))
        .collect();
    assert_eq!(same.len(), 1, "every way takes the same cards");
}

#[test]
fn a_seat_refills_as_often_as_it_likes_and_then_the_other() {
    let refill = "p1: refill
        host: offer R1 R2 R3 R4 R5 R6 R7 R8 R9 G1 G2 G3
        p1: divide none
        p2: take none";
    let table = Table::new().play(DEALT).play(refill).play(refill);
    assert_eq!((table.asked(), table.chips()), ("refill p1".into(), "20 30".into()));
    let table = table.play("p1: stand");
    assert_eq!(table.asked(), "refill p2");
    let table = table.play(&refill.replace("p2:", "p3:").replace("p1:", "p2:").replace("p3:", "p1:"));
    assert_eq!((table.asked(), table.chips()), ("refill p2".into(), "20 25".into()));
    assert_eq!(table.play("p2: stand").asked(), "community null");
}

/// DD-4: one pile, or none, takes nothing; the one pile is the one set aside.
#[test]
fn with_one_pile_or_none_nothing_is_taken() {
    for division in ["divide none", "divide aside R7", "divide aside R7 G1 G2", "-"] {
        let table = dividing().play(&format!("p1: {division}"));
        assert_eq!(table.get("pools.p1"), "[R2,G5,G9,B1,B7]", "{division}");
        assert_eq!(table.asked(), "take p2");
        // The opponent may choose from all twelve.
        assert_eq!(table.play("p2: take B9").get("pools.p2"), "[R1,R8,R9,G2,B3,B9]");
    }
}

/// DD-2 and DD-3: first the refiller discards, and its discards are gone.
#[test]
fn the_refiller_discards_before_the_opponent_takes() {
    let mut table = dividing().play(DIVISION);
    assert_eq!(table.asked(), "discard p1");
    assert_eq!(
        table.refused("p2: take G1"),
        "\"take G1\": p1 is asked, not this party: discards are asked for now (rule 4.4.4)"
    );
    let mut table = table.play("p1: discard B9 G8 B6");
    assert_eq!(
        table.refused("p2: take B9"),
        "\"B9\": B9 was taken by the refiller; one of the others may be taken, or none (rule 4.4.6)"
    );
}

#[test]
fn an_opponent_with_ten_cards_takes_an_eleventh_and_discards_one_openly() {
    let table = Table::new().play(
        "host: deal R2 G5 B1 B7 G9 | R1 G2 B3 R8 R9
        p1: start p2
        p2: refill
        host: offer R1 R2 R3 R4 R5 R6 R7 R8 R9 G9 B9 G1
        p2: divide R9 | G9 | R4 R5 | R7 R2 | R6 R3 | aside B9
        p2: discard R1 G2 B3
        p1: take none
        p2: stand
        p1: refill
        host: offer B1 B2 B3 B4 B5 B6 B7 B8 B9 G9 G8 G1
        p1: divide none
        p2: take G8",
    );
    assert_eq!(table.asked(), "discard p2");
    assert!(table.told().ends_with("{p2} has 1 card too many and must discard. (4.4.4)\n"), "{}", table.told());
    // Even the card that it has just taken.
    let table = table.play("p2: discard G8");
    assert_eq!(table.get("pools.p2"), "[R2,R3,R4,R5,R6,R7,R8,R9,R9,G9]");
    assert_eq!(table.asked(), "refill p1");
}

/// DD-5: a seat that cannot pay is not asked, and there is no step.
#[test]
fn a_seat_with_fewer_than_five_chips_is_passed_over() {
    let refills = "p1: refill
        host: offer R1 R2 R3 R4 R5 R6 R7 R8 R9 G1 G2 G3
        p1: divide none
        p2: take none\n";
    let table = Table::new().play(DEALT).play(&refills.repeat(6));
    assert_eq!((table.chips(), table.asked()), ("0 30".into(), "refill p2".into()));
    assert!(table.told().ends_with("{p1} has 0 chips and cannot pay 5 for a refill. (4.4.1)\n"), "{}", table.told());
}

/// DD-1: the option draws the community card before anybody refills, in every round.
#[test]
fn the_community_card_can_come_first() {
    let table = Table::community_first().play(DEALT);
    assert_eq!(table.asked(), "community null");
    let table = table.play("host: community R5\n p1: stand\n p2: stand");
    assert_eq!((table.asked(), table.get("community")), ("private null".into(), "R5".into()));
    let table = table.play("B7 G9 / R8 R9\n p1: fold");
    assert_eq!((table.asked(), table.get("community")), ("community null".into(), "null".into()));
}

/// Every offer comes from a fresh deck, so a pool may hold a card more than once.
#[test]
fn a_pool_holds_copies() {
    let table = Table::new().play(DEALT).play(
        "p1: refill
        host: offer R2 G2 B2 R3 R4 R5 R6 R7 R8 R9 G1 G3
        p1: divide R2 | G2 | aside B2
        p2: take B2
        p1: refill
        host: offer R2 G2 B2 R3 R4 R5 R6 R7 R8 R9 G1 G3
        p1: divide R2 | G2 | aside B2
        p2: take none",
    );
    assert_eq!(table.get("pools.p1"), "[R2,R2,R2,G2,G2,G5,G9,B1,B7]");
}
