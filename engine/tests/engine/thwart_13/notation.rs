//! Reading lines as people write them, and writing them canonically.

use engine::Seat;

use super::{COLOSSEUM, Table};

#[test]
fn cards_are_read_in_every_spelling() {
    let table = Table::of(COLOSSEUM);
    for (card, spellings) in [
        (
            "TH",
            "TH th 10h 10H H10 ht|ten of hearts|TEN OF HEARTS|10 hearts|hearts 10|t of h|T h|10 of heart|10\u{2665}|10\u{2665}\u{fe0f}|\u{2665}\u{fe0f}10|ten \u{2665}\u{fe0f}",
        ),
        ("2C", "2C c2|two of clubs|tw of c|2 clubs|cl 2|\u{2663}2"),
        ("3D", "3d|three of diamonds|thr d|d 3|diamonds three"),
        ("6S", "6S|six of spades|six s|si of s|s 6|spades six"),
        ("7S", "s7|seven of spades|se spades|s seven"),
        ("AH", "HA ha Ah|h a|ace of h"),
        ("AD", "ad|a d|ace of diamonds|d a"),
        ("QS", "qs|queen spades|q of spades|SQ"),
    ] {
        let (short, long) = spellings.split_once('|').unwrap();
        for spelling in short.split(' ').chain(long.split('|')) {
            let reading =
                table.duel.read(Seat::P1, "select", spelling).unwrap_or_else(|why| panic!("{spelling}: {why}"));
            assert_eq!(reading.text, card, "{spelling}");
        }
    }
}

#[test]
fn what_may_be_two_cards_or_none_is_refused_with_its_place() {
    let table = Table::of(COLOSSEUM);
    for (text, at, sentence) in [
        ("s of hearts / 2C", 0, "\"s\": six or seven? Write one letter more"),
        ("2C / f of hearts", 5, "\"f\": four or five? Write one letter more"),
        ("2C / ten", 5, "\"ten\": its suit is missing, as in TH or ten of hearts"),
        ("ten of / 2C", 0, "\"ten\": its suit is missing, as in TH or ten of hearts"),
        ("spades / 2C", 0, "\"spades\": its rank is missing, as in TH or ten of hearts"),
        ("1H / 2C", 0, "\"1H\": expected a card such as TH, pass, front, middle, back or discard"),
        ("ten of stars / 2C", 7, "\"stars\": expected a suit: clubs, diamonds, hearts or spades"),
        ("p1: ha 2C 3C | 4C", 4, "\"ha\": hands or the ace of hearts? Write one letter more, or AH"),
        ("TH 2C / 2C", 3, "\"2C\": one thing at a time: nothing may follow"),
        ("pass pass / 2C", 5, "\"pass\": one thing at a time: nothing may follow"),
        ("quit / 2C", 0, "\"quit\": expected a card such as TH, pass, front, middle, back or discard"),
        (
            "p1: quit",
            4,
            "\"quit\": expected front, middle, back, discard, challenge, or hands with three groups of cards and | between them",
        ),
        ("p1: TH", 4, "\"TH\": both seats select together: write both selections with / between them"),
        ("challenge / 2C", 0, "\"challenge\": a challenge is a line of its own: p1: challenge or p2: challenge"),
    ] {
        let refusal = table.refused(text);
        assert_eq!((refusal.at, refusal.sentence().as_str()), (at, sentence), "{text}");
    }
}

#[test]
fn words_are_cut_to_any_length_and_written_in_full() {
    let table = Table::of(COLOSSEUM);
    assert_eq!(table.accepted("P / ten of hearts").text, "pass / TH");
    let action = table.clone().play(&["2c / 10h"]);
    assert_eq!(action.accepted(" M /  disc ").text, "middle / discard");
    assert_eq!(table.accepted("P2 : CH").text, "p2: challenge");
}

#[test]
fn a_line_is_read_alike_in_every_phase() {
    // After an error, the rest of a file is only checked for its spelling.
    let tables =
        [Table::of(COLOSSEUM), Table::of(COLOSSEUM).play(&["TH / 3C"]), Table::of(COLOSSEUM).play(&["p1: challenge"])];
    for line in ["TH / pass", "front / discard", "p1: back", "p2: challenge", "p1: -", "p2: hands 2C | 3C | 4C 4C"] {
        assert!(tables.iter().all(|table| table.duel.spell(line).is_ok()), "{line}");
    }
}
