//! Lines as people write them, and how they are read.

use super::table::{DEALT, Table, at_community, betting, dividing};

/// The line reads as this canonical one.
#[track_caller]
fn reads(table: &Table, line: &str, canonical: &str) {
    let mut duel = table.duel.clone();
    let played = duel.play(line, None).unwrap_or_else(|refusal| panic!("{line}: {refusal}"));
    assert_eq!(played.text, canonical, "{line}");
}

#[test]
fn words_may_be_cut_short_and_turned_round() {
    let table = Table::new();
    let deal = "host: deal R2 G5 B1 B7 G9 | R1 G2 B3 R8 R9";
    reads(&table, "HOST:d r2 g5 b1 b7 g9 | r1,g2,b3,8r,red 9", deal);
    reads(&table, "host: R2 G5 B1 B7 G9 ; R1 G2 B3 R8 nine of red", deal);
    let table = table.play(deal);
    reads(&table, "p1: s p2", "p1: start p2");
    reads(&table, "P1 : P2", "p1: start p2");
    let table = table.play("p1: start p1");
    reads(&table, "p1: r", "p1: refill");
    reads(&table, "p1: S", "p1: stand");
    let table = betting("R5", "G5 B7 / R8 R9");
    reads(&table, "p1: r 5", "p1: raise 5");
    reads(&table, "p1: 5 raise", "p1: raise 5");
    reads(&table, "p1: raise to 05", "p1: raise 5");
    reads(&table, "p1: f", "p1: fold");
}

#[test]
fn piles_may_be_separated_and_marked_in_several_ways() {
    let canonical = "p1: divide R2 R3 B9 | B3 G5 G6 | B6 G8 | aside G2 B5 R7";
    for line in [
        "p1: r2 r3 b9; b3 g5 g6; b6 g8; aside g2 b5 r7",
        "p1: divide set aside: G2 B5 R7 | R2+R3+B9 | B3, G5, G6 | B6 G8",
        "p1: d R2 R3 B9 | B3 G5 G6 | G2 B5 R7 aside | B6 G8",
        "p1: divide red 2 red 3 blue 9 | three of blue, 5 green, g6 | B6 8g | a G2 B5 R7",
    ] {
        reads(&dividing(), line, canonical);
    }
    reads(&dividing(), "p1: n", "p1: divide none");
    reads(&dividing(), "p1: divide r7 aside", "p1: divide aside R7");
    reads(&dividing(), "p1: -", "p1: -");
}

#[test]
fn lists_keep_the_order_in_which_they_were_given() {
    let table = dividing().play("p1: divide R2 R3 B9 | B3 G5 G6 | B6 G8 | aside G2 B5 R7");
    reads(&table, "p1: G9 R2 b1", "p1: discard G9 R2 B1");
    let table = table.play("p1: discard G9 R2 B1");
    reads(&table, "p2: G1", "p2: take G1");
    reads(&table, "p2: t one of green", "p2: take G1");
    reads(&table, "p2: no", "p2: take none");
    let table = at_community();
    reads(&table, "host: c r5", "host: community R5");
    reads(&table.play("host: R5"), "green 5 b7 / R9, R8", "G5 B7 / R9 R8");
}

#[test]
fn what_is_read_back_is_in_full_words() {
    use engine::{Party, Seat};
    let table = dividing();
    let read = |table: &Table, party: Party, what: &str, text: &str| {
        let reading = table.duel.read(party, what, text).unwrap();
        format!("{} {}", reading.words, reading.notes.join(" ")).trim_end().to_owned()
    };
    let (p1, p2) = (Party::Seat(Seat::P1), Party::Seat(Seat::P2));
    assert_eq!(
        read(&table, p1, "divide", "R2 R3 B9 | B3 G5 G6 | B6 G8 | aside G2 B5 R7"),
        "piles that sum to 14: red 2, red 3, blue 9; blue 3, green 5, green 6; blue 6, green 8 (8 cards taken); \
         set aside green 2, blue 5, red 7; in no pile green 1 \
         3 cards must then be discarded (rule 4.4.4)."
    );
    assert_eq!(
        read(&table, p1, "divide", "none"),
        "no piles: everything is set aside, and nothing is taken With one pile, or none, nothing is taken (rule 4.4.3)."
    );
    assert_eq!(
        read(&table, p1, "divide", "aside R7"),
        "one pile of 7, red 7, which is set aside: nothing is taken; in no pile green 5, blue 3, red 3, blue 6, \
         green 1, green 2, green 8, blue 5, red 2, blue 9, green 6 \
         With one pile, or none, nothing is taken (rule 4.4.3)."
    );
    let table = table.play("p1: divide none");
    assert_eq!(read(&table, p2, "take", "take G1"), "takes green 1");
    let table = at_community();
    assert_eq!(read(&table, Party::Host, "community", "r5"), "the community card is red 5");
    let table = table.play("host: community R5");
    assert_eq!(read(&table, p1, "private", "g5 b7"), "green 5 first, blue 7 second");
    let table = betting("R5", "G5 B7 / R8 R9");
    assert_eq!(
        read(&table, p1, "bet", "raise 28"),
        "raises to 28 in this phase Nobody can bet more in this phase (rule 4.6.3)."
    );
    assert_eq!(
        read(&table, p1, "bet", "fold"),
        "folds, and gives up the pot Folding a high card costs 2 more (rule 4.7.2)."
    );
    let table = Table::new().play(DEALT).play(
        &"p1: refill
        host: offer R1 R2 R3 R4 R5 R6 R7 R8 R9 G1 G2 G3
        p1: divide none
        p2: take none\n"
            .repeat(5),
    );
    assert_eq!(
        read(&table, p1, "refill", "refill"),
        "a refill for 5 chips That leaves 0 chips, too few for the ante of 2 (rule 4.5.3)."
    );
}
