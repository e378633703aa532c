//! Every refusal, once, with its rule and the expected text.

use super::table::{DEALT, Table, at_community, betting, dividing};

const DEAL: &str = "host: deal R2 G5 B1 B7 G9 | R1 G2 B3 R8 R9";

#[track_caller]
fn refused(table: &mut Table, line: &str, sentence: &str) {
    assert_eq!(table.refused(line), sentence);
}

#[test]
fn of_a_deal() {
    let mut table = Table::new();
    refused(
        &mut table,
        "host: deal R2 G5 B1 B7 G9 | R1 G2 B3 R8 R2",
        "\"R2\": R2 is drawn twice; the cards come from one deck (rule 4.2)",
    );
    for (line, found) in [
        ("R2 G5 B1 B7 | R1 G2 B3 R8 R9", "4 | 5"),
        ("R2 G5 B1 B7 G9 R1 G2 B3 R8 R9", "10"),
        ("R2 G5 B1 B7 G9 | R1 G2 B3 R8 R9 | R3", "5 | 5 | 1"),
    ] {
        let why = format!("\"deal {line}\": expected 5 cards of p1, a |, and 5 cards of p2, and found {found}");
        refused(&mut table, &format!("host: deal {line}"), &why);
    }
    // A word that is no card is answered with the form of a card, also without a verb.
    refused(&mut table, "host: deal Y2 G5 B1 B7 G9 | R1 G2 B3 R8 R9", "\"Y2\": expected cards, such as R7");
    refused(&mut table, "host: Y2 G5 B1 B7 G9 | R1 G2 B3 R8 R9", "\"Y2\": expected cards, such as R7");
    refused(&mut table, "host: deal R2 G5 none", "\"none\": expected cards, such as R7");
    refused(&mut table, "host: deel R2", "\"deel\": expected deal, offer or community");
    refused(
        &mut table,
        "host: community R5",
        "\"community R5\": the host deals first: host: deal ... | ... (rule 4.2)",
    );
    refused(&mut table, "p1: start p1", "\"start p1\": the host deals first: host: deal ... | ... (rule 4.2)");
}

#[test]
fn of_a_starting_player() {
    let mut table = Table::new().play(DEAL);
    refused(
        &mut table,
        "p2: start p2",
        "\"start p2\": p1 is asked, not this party: start p1 or start p2 is asked for now (rule 4.3)",
    );
    refused(&mut table, "p1: start", "expected p1 or p2");
    refused(&mut table, "p1: start R5", "\"R5\": expected p1 or p2");
}

#[test]
fn of_a_refill() {
    let mut table = Table::new().play(DEALT);
    refused(
        &mut table,
        "p2: refill",
        "\"refill\": p1 is asked, not this party: refill or stand is asked for now (rule 4.4.1)",
    );
    refused(&mut table, "p1: fold", "\"fold\": refill or stand is asked for now (rule 4.4.1)");
    refused(&mut table, "p1: refill R5", "\"R5\": expected the end of the move");
    refused(&mut table, "p1: maybe", "\"maybe\": expected refill or stand");
    refused(
        &mut table,
        "G5 B7 / R8 R9",
        "\"G5 B7 / R8 R9\": p1 is asked, not this party: refill or stand is asked for now (rule 4.4.1)",
    );
    let alone =
        "only private cards are sent by both seats together; what one seat does is a line of its own, as in p1: call";
    refused(&mut table, "stand / stand", &format!("\"stand\": {alone}"));
    let refusal = table.refusal("G5 B7 / stand");
    assert_eq!((refusal.seat, refusal.at), (Some(engine::Seat::P2), 8));
}

#[test]
fn of_an_offer() {
    let mut table = Table::new().play(DEALT).play("p1: refill");
    refused(
        &mut table,
        "host: offer R1 R1 R3 R4 R5 R6 R7 R8 R9 G1 G2 G3",
        "\"R1\": R1 is drawn twice; the cards come from one deck (rule 4.4.2)",
    );
    assert!(table.refused("host: offer R1 R2 R3").ends_with("expected 12 cards, and found 3"));
    refused(&mut table, "p1: divide none", "\"divide none\": the host's offer of 12 cards is due now (rule 4.4.2)");
}

#[test]
fn of_a_division() {
    let mut table = dividing();
    for (line, sentence) in [
        ("divide R2 R3 | aside R1", "\"R1\": R1 is not in the offer; only the 12 cards of it are divided (rule 4.4.3)"),
        ("divide R2 R3 | aside B5 B5", "\"B5\": B5 is divided twice; every card lies in one pile (rule 4.4.3)"),
        (
            "divide R2 R3 B9 | B3 G5 B5 | aside G2 R7 B6",
            "\"B3 G5 B5\": pile 2 sums to 13, pile 1 to 14; all sums must be equal (rule 4.4.3)",
        ),
        (
            "divide R2 R3 B9 | aside G1",
            "\"G1\": the pile set aside sums to 1, pile 1 to 14; all sums must be equal (rule 4.4.3)",
        ),
        ("divide R2 R3 B9 | B6 G8", "expected one pile to be marked as set aside, as in | aside R7"),
        ("divide aside R2 | aside G2", "\"aside\": one pile is set aside, not two"),
        ("divide R2 | | aside G2", "\"|\": expected cards in every pile; one of them is empty"),
        ("divide R2 | aside G2 |", "\"|\": expected cards in every pile; one of them is empty"),
        (
            "divide R2 / aside G2",
            "\"/\": expected cards, such as R7, with | between piles and aside before the one set aside",
        ),
        ("divide R2 | aside", "\"aside\": expected cards in every pile; one of them is empty"),
        ("divide R2 aside G2", "\"aside\": write aside once, before the pile that it marks"),
        ("divide", "expected piles with | between them, or none"),
        ("divide R2 none", "\"none\": expected cards, such as R7"),
    ] {
        refused(&mut table, &format!("p1: {line}"), sentence);
    }
    for (line, at) in [("| R2 | aside G2", 4), ("R2 | | aside G2", 9), ("R2 | aside G2 |", 18)] {
        assert_eq!(table.refusal(&format!("p1: {line}")).at, at, "{line}");
    }
}

#[test]
fn of_discards() {
    let mut table = dividing().play("p1: divide R2 R3 B9 | B3 G5 G6 | B6 G8 | aside G2 B5 R7");
    for (line, sentence) in [
        ("discard R2 R2", "\"discard R2 R2\": exactly 3 cards must go, and 2 are named (rule 4.4.4)"),
        ("discard R2 R2 R3 B9", "\"discard R2 R2 R3 B9\": exactly 3 cards must go, and 4 are named (rule 4.4.4)"),
        ("discard R2 R2 R2", "\"R2\": R2 is discarded more often than the pool holds it (rule 4.4.4)"),
        ("discard R2 G2 R3", "\"G2\": G2 is not in this seat's pool; discards come out of it (rule 4.4.4)"),
        ("discard", "expected the cards to discard, such as R2 G3"),
        ("discard R2 R2 x", "\"x\": expected cards, such as R7"),
    ] {
        refused(&mut table, &format!("p1: {line}"), sentence);
    }
}

#[test]
fn of_the_opponents_card() {
    let mut table = dividing().play("p1: divide R2 | aside G2");
    for (line, sentence) in [
        ("take R2", "\"R2\": R2 was taken by the refiller; one of the others may be taken, or none (rule 4.4.6)"),
        (
            "take R1",
            "\"R1\": R1 is not in the offer; one of its cards that were left may be taken, or none (rule 4.4.6)",
        ),
        ("take G1 G8", "\"G8\": expected the end of the move"),
        ("take", "expected one card, or none"),
        ("take Y1", "\"Y1\": expected one card, such as R7, or none"),
    ] {
        refused(&mut table, &format!("p2: {line}"), sentence);
    }
}

#[test]
fn of_a_community_card() {
    let mut table = at_community();
    refused(&mut table, "host: community R5 R6", "\"R6\": expected the end of the move");
    refused(
        &mut table,
        "host: offer R1 R2 R3 R4 R5 R6 R7 R8 R9 G1 G2 G3",
        "\"offer R1 R2 R3 R4 R5 R6 R7 R8 R9 G1 G2 G3\": the host's community card is due now (rule 4.5.1)",
    );
}

#[test]
fn of_private_cards() {
    let mut table = at_community().play("host: community R2");
    for (line, sentence) in [
        ("R2 G5 / R8 R9", "\"R2\": R2 is the community card; the cards of a hand are all different (rule 4.5.2)"),
        ("G5 B7 / R8 G5", "\"G5\": G5 is not in this seat's pool; private cards come out of it (rule 4.5.2)"),
        ("G5 G5 / R8 R9", "\"G5\": G5 is named twice; the cards of a hand are all different (rule 4.5.2)"),
        ("G5 / R8 R9", "\"G5\": expected two cards, the first one to be shown first"),
        ("G5 B7 / R8 R9 R1", "\"R1\": expected two cards, the first one to be shown first"),
        ("p1: G5 B7", "\"G5 B7\": both seats are asked together: write both seats' cards with / between them"),
        ("p1: -", "\"-\": both seats' private cards are asked for now, with / between them (rule 4.5.2)"),
    ] {
        refused(&mut table, line, sentence);
    }
    let refusal = table.refusal("G5 B7 / R8 G5");
    assert_eq!((refusal.seat, refusal.at), (Some(engine::Seat::P2), 11));
    let refusal = table.refusal("? ? / R8 R9");
    assert!(refusal.sealed && refusal.expected == "sealed until the end of the match");
}

#[test]
fn of_a_bet() {
    let mut table = betting("R5", "G5 B7 / R8 R9");
    for (line, sentence) in [
        ("p1: call", "\"call\": there is no bet to call: raise or fold (rule 4.6.2)"),
        ("p1: raise 0", "\"raise 0\": a raise is of 1 chip at least (rule 4.6.1)"),
        (
            "p1: raise 29",
            "\"raise 29\": at most 28 can be bet in this phase: the poorer seat began it with that (rule 4.6.3)",
        ),
        ("p1: raise", "expected a number of chips after raise"),
        ("p1: raise 2 3", "\"3\": expected the end of the move"),
        (
            "p1: raise 1000000",
            "\"raise 1000000\": at most 28 can be bet in this phase: the poorer seat began it with that (rule 4.6.3)",
        ),
        ("p1: raise -1", "\"-1\": expected a number of chips after raise"),
        ("p1: 5", "\"5\": expected raise with a number, call or fold"),
        ("p2: fold", "\"fold\": p1 is asked, not this party: raise, call or fold is asked for now (rule 4.6.1)"),
        ("p1: take none", "\"take none\": raise, call or fold is asked for now (rule 4.6.1)"),
    ] {
        refused(&mut table, line, sentence);
    }
    let mut table = table.play("p1: raise 4");
    let why = "a raise names this seat's total in the phase, which must be more than 4 (rule 4.6.1)";
    refused(&mut table, "p2: raise 4", &format!("\"raise 4\": {why}"));
    // At the limit, nobody can raise.
    let mut table = betting("R5", "G5 B7 / R8 R9").play("p1: raise 28");
    let why = "nobody can bet more than 28 in this phase: call or fold (rule 4.6.3)";
    refused(&mut table, "p2: raise 28", &format!("\"raise 28\": {why}"));
    refused(&mut table, "p2: raise 29", &format!("\"raise 29\": {why}"));
}

#[test]
fn of_a_setup() {
    use engine::{Duel, Setup};
    let open = |setup: Setup| Duel::open(&setup).unwrap_err().to_string();
    let setup = super::table::setup(engine::Seat::P2);
    assert!(open(Setup { dmo: None, ..setup.clone() }).contains("which seat is the DMO"));
    let options = vec![("community".to_owned(), "never".to_owned())];
    assert_eq!(
        open(Setup { options, ..setup }),
        "devils-deal/blooming-genius has no option \"community=never\"; it has community=after-refill and community=before-refill"
    );
}
