//! Every ending of a match.

use super::poker::with_two_chips;
use super::table::{DEALT, Table, betting};

const REFILL: &str = "p1: refill
    host: offer R1 R2 R3 R4 R5 R6 R7 R8 R9 G1 G2 G3
    p1: divide none
    p2: take none\n";

/// Two rounds in which p1 folds, so that one card of each is left.
fn two_rounds(deal: &str) -> Table {
    Table::new().play(&format!(
        "host: deal {deal}
        p1: start p1
        p1: stand
        p2: stand
        host: community R9
        G1 G2 / B1 B2
        p1: fold
        p2: stand
        p1: stand
        host: community R9
        G3 G4 / B3 B4
        p2: raise 1
        p1: fold
        p2: stand
        p1: stand"
    ))
}

#[test]
fn who_cannot_choose_two_private_cards_has_lost() {
    // p2 takes a sixth card, and so has two left when p1 has one.
    let table = Table::new().play(DEALT).play(REFILL.replace("take none", "take R1").as_str());
    let table = table.play(
        "p1: stand
        p2: stand
        host: community B9
        B1 B7 / G2 B3
        p1: fold
        p2: stand
        p1: stand
        host: community B9
        R2 G5 / R1 R8
        p2: raise 1
        p1: fold
        p2: stand
        p1: stand
        host: community B9",
    );
    assert_eq!((table.result(), table.asked()), ("p2 no-private-cards".into(), "over null".into()));
    assert!(table.told().contains("{p1} cannot choose two private cards. (4.5.2)"), "{}", table.told());
    // The round is not completed, and no card is on the table.
    assert_eq!((table.get("round"), table.get("community")), ("2".into(), "null".into()));
}

/// DD-14: both at once, and the seat that started the round loses.
#[test]
fn if_nobody_can_choose_the_starting_player_loses() {
    let table = two_rounds("G1 G2 G3 G4 G5 | B1 B2 B3 B4 B5");
    assert_eq!((table.get("starter"), table.asked()), ("p2".into(), "community null".into()));
    let table = table.play("host: community R1");
    assert_eq!(table.result(), "p1 no-private-cards");
    assert_eq!((table.get("starter"), table.get("round")), ("p2".into(), "2".into()));
}

#[test]
fn the_community_card_cannot_be_a_private_card_too() {
    // p1 has R2 and G5 left, and G5 is the community card.
    let table = Table::new().play(DEALT).play(
        "p1: refill
        host: offer R1 R2 R3 R4 R5 R6 R7 R8 R9 G1 G2 G3
        p1: divide R1 | aside G1
        p2: take R2
        p1: stand
        p2: stand
        host: community B9
        B1 B7 / G2 B3
        p1: fold
        p2: stand
        p1: stand
        host: community B9
        R1 G9 / R9 R8
        p2: raise 1
        p1: fold
        p2: stand
        p1: stand
        host: community G5",
    );
    assert_eq!(table.result(), "p2 no-private-cards");
}

/// DD-17 and DD-20: the cards are chosen first, are not shown, and stay in the pools.
#[test]
fn who_cannot_pay_the_ante_has_lost_and_nobody_pays() {
    let table = Table::new().play(DEALT).play(&REFILL.repeat(6)).play("p2: stand\n host: community R5");
    assert_eq!(table.asked(), "private null", "cards are chosen first");
    let table = table.play("G5 B7 / R8 R9");
    assert_eq!((table.result(), table.chips()), ("p2 no-ante".into(), "0 30".into()));
    assert!(table.told().contains("{p1} cannot pay the ante of 2 chips. (4.5.3)"), "{}", table.told());
    assert_eq!(table.played.as_ref().unwrap().public, "? ? / ? ?");
    assert_eq!((table.get("round"), table.get("pot")), ("0".into(), "0".into()));
    assert_eq!(table.get("private"), "{p1:null,p2:null}");
    assert_eq!(table.get("pools"), "{p1:[R2,G5,G9,B1,B7],p2:[R1,R8,R9,G2,B3]}");
}

#[test]
fn if_nobody_can_pay_the_ante_the_starting_player_loses() {
    let theirs = REFILL.replace("p1", "p3").replace("p2", "p1").replace("p3", "p2");
    let table = Table::new().play(DEALT).play(&REFILL.repeat(6)).play(&theirs.repeat(6));
    assert_eq!(table.chips(), "0 0");
    let table = table.play("host: community R5\n - / -");
    assert_eq!(table.result(), "p2 no-ante");
    assert!(table.told().contains("Nobody can pay the ante of 2 chips; {p1} started the round, and loses. (4.5.3)"));
}

/// DD-14: the first condition of a round is checked first. p1 can choose and not pay, p2 could pay and has one card.
#[test]
fn no_private_cards_comes_before_the_ante() {
    let table = Table::new()
        .play(
            "host: deal G1 G2 G3 G4 G5 | B1 B2 B3 B4 B5
            p1: start p1
            p1: refill
            host: offer R1 R2 R3 R4 R5 R6 R7 R8 R9 G1 G2 G3
            p1: divide R1 | aside G1
            p2: take none
            p1: stand
            p2: stand
            host: community R9
            G1 G2 / B1 B2
            p1: raise 1
            p2: raise 2
            p1: fold
            p2: stand
            p1: stand
            host: community R9
            G3 G4 / B3 B4
            p2: raise 1
            p1: fold
            p2: stand",
        )
        .play(&REFILL.repeat(3))
        .play("host: community R9");
    assert_eq!((table.result(), table.get("chips.p1")), ("p1 no-private-cards".into(), "1".into()));
}

/// DD-10: the pot is paid out, the price is not, the cards are used, and the round counts.
#[test]
fn who_cannot_pay_for_a_folded_high_card_has_lost() {
    let table = betting("R5", "B7 G9 / R8 R9").play("p1: raise 27\n p2: raise 28\n p1: fold");
    assert_eq!((table.result(), table.chips()), ("p2 no-penalty".into(), "1 58".into()));
    assert!(table.told().contains("{p1} folded a high card and cannot pay 2 more chips. (4.7.2)"), "{}", table.told());
    assert_eq!((table.get("round"), table.get("starter")), ("1".into(), "p1".into()));
    assert_eq!(table.get("pools"), "{p1:[R2,G5,B1],p2:[R1,G2,B3]}");
}

#[test]
fn two_chips_pay_for_a_folded_high_card_and_then_there_are_none() {
    let table = betting("R5", "B7 G9 / R8 R9").play("p1: raise 26\n p2: raise 28\n p1: fold");
    assert_eq!((table.result(), table.chips()), ("p2 no-chips".into(), "0 59".into()));
}

#[test]
fn who_has_no_chips_after_the_poker_step_has_lost() {
    let table = with_two_chips().play("R1 G1 / G5 B9");
    assert_eq!((table.result(), table.chips()), ("p2 no-chips".into(), "0 33".into()));
    assert_eq!((table.get("round"), table.get("starter")), ("2".into(), "p2".into()));
    assert!(table.told().ends_with("{p2} wins: {p1} has no chips left. (4.10.1)\n"), "{}", table.told());
}

/// DD-20: an umpire's ruling closes everything that is open.
#[test]
fn an_umpire_breaks_a_round_off() {
    let mut table = betting("R5", "G5 B7 / R8 R9").play("p1: raise 3\n umpire: result undecided the cards were shown");
    assert_eq!((table.result(), table.asked()), ("undecided umpire".into(), "over null".into()));
    assert_eq!((table.get("pot"), table.chips()), ("0".into(), "25 28".into()));
    assert_eq!(table.get("private"), "{p1:null,p2:null}");
    assert_eq!(table.get("pools"), "{p1:[R2,G5,G9,B1,B7],p2:[R1,R8,R9,G2,B3]}");
    assert!(table.refused("p2: call").contains("the match is over") && table.duel.asks().is_empty());
}
