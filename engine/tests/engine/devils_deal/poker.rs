//! The poker step: bets, folds, showdowns.

use super::table::{Table, at_community, betting};

/// Both hands of a showdown as the effects state them, and the winner of the pot.
fn showdown(deal: &str, community: &str, private: &str) -> String {
    let table = Table::new().play(&format!(
        "host: deal {deal}
        p1: start p1
        p1: stand
        p2: stand
        host: community {community}
        {private}
        p1: raise 1
        p2: call
        p1: raise 1
        p2: call"
    ));
    let told: Vec<String> = table.told().lines().map(str::to_owned).collect();
    let told: Vec<&str> = told.iter().map(String::as_str).filter(|line| line.contains("(4.8")).collect();
    told.join("\n")
}

#[test]
fn bets_go_round_until_a_call_and_then_the_first_cards_are_shown() {
    let table = betting("R5", "G5 B7 / R8 R9");
    assert_eq!((table.asked(), table.chips(), table.get("pot")), ("bet p1".into(), "28 28".into(), "3".into()));
    let table = table.play("p1: raise 2");
    assert_eq!(
        (table.asked(), table.get("bets"), table.get("pot")),
        ("bet p2".into(), "{p1:2,p2:0}".into(), "5".into())
    );
    let table = table.play("p2: raise 5\n p1: raise 6");
    assert_eq!(
        (table.get("bets"), table.get("pot"), table.chips()),
        ("{p1:6,p2:5}".into(), "14".into(), "22 23".into())
    );
    let table = table.play("p2: call");
    assert_eq!(
        (table.asked(), table.get("bets"), table.chips()),
        ("bet p1".into(), "{p1:0,p2:0}".into(), "22 22".into())
    );
    assert_eq!(
        table.told(),
        "{p2} called 6: the pot is 15. (4.6.1)\n\
         The first private card of {p1} is G5, that of {p2} is R8. (4.6.5)\n"
    );
    let table = table.play("p1: raise 1\n p2: call");
    // A pair of fives against a flush R5 R8 R9.
    assert_eq!((table.chips(), table.get("round"), table.get("starter")), ("21 38".into(), "1".into(), "p2".into()));
    assert_eq!(table.get("pools"), "{p1:[R2,G9,B1],p2:[R1,G2,B3]}");
}

#[test]
fn the_order_of_cards_in_a_hand_means_nothing() {
    let told = showdown("G6 G4 R1 R2 R3 | B9 R9 B1 B2 B3", "R5", "G6 G4 / B9 R9");
    assert_eq!(
        told,
        "{p1} has a straight: G6 G4 R5. (4.8.1)\n{p2} has a pair: B9 R9 R5. (4.8.1)\n\
         {p1} has the better hand and takes the pot of 7. (4.8.2)"
    );
}

/// DD-12: each kind of hand beats the next one.
#[test]
fn the_kinds_of_hand_beat_one_another_in_this_order() {
    for (private, better, worse) in [
        ("G5 B5 / R6 R7", "three of a kind", "a straight flush"),
        ("R6 R7 / G6 B7", "a straight flush", "a straight"),
        ("G6 B7 / R1 R9", "a straight", "a flush"),
        ("R1 R9 / G5 B9", "a flush", "a pair"),
        ("G5 B9 / G9 B8", "a pair", "a high card"),
    ] {
        let (p1, p2) = private.split_once(" / ").unwrap();
        let free = ["G1", "G2", "G3", "B1", "B2", "B3"];
        let told = showdown(&format!("{p1} {} | {p2} {}", free[..3].join(" "), free[3..].join(" ")), "R5", private);
        assert!(told.contains(&format!("{{p1}} has {better}:")), "{told}");
        assert!(told.contains(&format!("{{p2}} has {worse}:")), "{told}");
        assert!(told.contains("{p1} has the better hand"), "{told}");
    }
}

#[test]
fn nine_and_one_are_no_neighbours() {
    let told = showdown("G8 B1 R1 R2 R3 | B5 G4 B7 B2 B3", "R9", "G8 B1 / B5 G4");
    assert!(told.starts_with("{p1} has a high card: G8 B1 R9."), "{told}");
}

#[test]
fn of_two_hands_of_a_kind_the_higher_numbers_win() {
    for (community, private, winner) in [
        // High cards: the highest, then the next, then the last.
        ("R9", "G7 B2 / B6 G4", "{p1}"),
        ("R9", "G7 B2 / B7 G4", "{p2}"),
        // Pairs: the pair first, then the third card.
        ("R3", "G3 B1 / G7 B7", "{p2}"),
        ("R3", "G3 B1 / B3 G7", "{p2}"),
        ("R9", "G3 B3 / B4 G4", "{p2}"),
    ] {
        let (p1, p2) = private.split_once(" / ").unwrap();
        let told = showdown(&format!("{p1} R1 R2 G6 | {p2} R4 R5 B8"), community, private);
        assert!(told.contains(&format!("{winner} has the better hand")), "{community} {private}: {told}");
    }
}

/// DD-11 and DD-13: equal hands give everything back, also the chip that left, and the same seat starts again.
#[test]
fn equal_hands_give_everything_back() {
    let table = Table::new().play(
        "host: deal G7 B2 R1 R2 R4 | B7 G2 R6 R5 B8
        p1: start p1
        p1: stand
        p2: stand
        host: community R9
        G7 B2 / B7 G2
        p1: raise 4
        p2: call
        p1: raise 1
        p2: call",
    );
    assert_eq!(table.chips(), "30 30");
    assert!(table.told().contains("The hands are equal: both take back their 7 chips. (4.8.3)"), "{}", table.told());
    assert_eq!((table.get("starter"), table.get("round")), ("p1".into(), "1".into()));
    assert_eq!(table.get("pools"), "{p1:[R1,R2,R4],p2:[R5,R6,B8]}");
}

/// DD-10: first the pot, then the price of a high card.
#[test]
fn a_fold_gives_the_pot_away_and_a_high_card_costs_two_more() {
    let table = betting("R5", "B7 G9 / R8 R9").play("p1: fold");
    assert_eq!(table.chips(), "26 33");
    assert_eq!(
        table.told(),
        "{p1} folded: {p2} takes the pot of 3. (4.7.1)\n\
         {p1} folded a high card and pays {p2} 2 more chips. (4.7.2)\n\
         The private cards of both leave their pools unshown. (4.9.1)\n\
         Round 2 begins; {p2} starts. (4.9.2)\n"
    );
    assert_eq!(table.get("pools"), "{p1:[R2,G5,B1],p2:[R1,G2,B3]}");
    let table = betting("R5", "G5 B7 / R8 R9").play("p1: fold");
    assert_eq!(table.chips(), "28 31");
    assert!(table.told().contains("{p1}'s hand is better than a high card: the fold costs nothing more. (4.7.2)"));
}

/// The full hand counts, including the card that was not shown.
#[test]
fn the_folded_hand_is_all_three_cards() {
    let bets = "p1: raise 1\n p2: call\n p1: fold";
    assert_eq!(betting("R5", "B7 G9 / R8 R9").play(bets).chips(), "25 34");
    assert_eq!(betting("R5", "B7 G5 / R8 R9").play(bets).chips(), "27 32");
}

/// DD-8: no seat can be asked for more chips than it has.
#[test]
fn bets_go_up_to_what_the_poorer_seat_had() {
    let mut table = betting("R5", "G5 B7 / R8 R9");
    assert_eq!(table.refusal("p1: raise 29").rule, Some("4.6.3"));
    let mut table = table.play("p1: raise 28");
    assert_eq!(table.chips(), "0 28");
    assert!(table.refused("p2: raise 29").ends_with("(rule 4.6.3)"));
    let table = table.play("p2: call");
    // DD-9: the second phase has no bets, and the cards are compared at once.
    assert_eq!(table.result(), "p2 no-chips");
    assert_eq!(table.chips(), "0 59");
    assert!(table.told().contains("Nobody has any chips: the second betting phase is passed over. (4.6.4)"));
}

/// DD-9: a seat without chips after the ante skips both phases, and all cards are shown at once.
#[test]
fn a_seat_without_chips_after_the_ante_bets_in_no_phase() {
    let table = with_two_chips().play("R1 R9 / G5 B9");
    let played = table.played.as_ref().unwrap();
    assert_eq!(played.keeps, []);
    assert_eq!((table.get("round"), table.chips()), ("2".into(), "3 30".into()));
    assert!(table.told().contains("{p1} has no chips: the first betting phase is passed over. (4.6.4)"));
    assert!(table.told().contains("The second private card of {p1} is R9, that of {p2} is B9. (4.6.5)"));
}

/// p1 has 2 chips and p2 has 32, the community card is R5, and private cards are asked for.
pub(crate) fn with_two_chips() -> Table {
    let refill = "p1: refill
        host: offer R1 R2 R3 R4 R5 R6 R7 R8 R9 G1 G2 G3
        p1: divide none
        p2: take none\n";
    let table =
        Table::new().play("host: deal R1 R9 G1 G2 B2 | G5 B9 B7 R7 G7\n p1: start p1").play(&refill.repeat(5)).play(
            "p1: stand
            p2: stand
            host: community R5
            G2 B2 / B7 R7
            p1: raise 1
            p2: raise 2
            p1: fold
            p2: stand
            host: community R5",
        );
    assert_eq!((table.asked(), table.chips()), ("private null".into(), "2 32".into()));
    table
}

#[test]
fn at_community_nobody_is_asked_but_the_host() {
    let table = at_community();
    assert_eq!(table.asked(), "community null");
    let [ask] = &table.duel.asks()[..] else { panic!("one question stands") };
    assert_eq!((ask.what, ask.clock_seconds, ask.fields.len()), ("community", 0, 0));
}
