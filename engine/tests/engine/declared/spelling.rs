//! What is refused, and in which sentence: declarations, answers, draws and the umpire's word.

use std::sync::Arc;

use engine::games::declared::{Declaration, Table};
use engine::{Seat, Sight};

use super::file::play;

fn refused(lines: &str) -> String {
    Declaration::read(lines.split(" | "))
        .map_or_else(|fault| fault.to_string(), |game| format!("{:?}", game.structure()))
}

#[test]
fn a_declaration_is_refused_with_its_line_the_word_and_what_would_be_right() {
    for (lines, sentence) in [
        (
            "title Only a name",
            "line 1: expected a question, such as ask answer both yes-no: without one nobody can play",
        ),
        (
            "ask a both yes-no | question b",
            "line 2: \"question\": expected title, source, counter, dice, deck, hand, board, ask, rounds, first, score or label",
        ),
        (
            "ask Letter both yes-no",
            "line 1: \"Letter\": expected a name of at most 24 small letters, digits and hyphens, a letter first",
        ),
        ("ask share both yes-no", "line 1: \"share\": expected another name: this word has a meaning of its own"),
        ("ask a both yes-no | counter a each 0", "line 1: \"a\": line 2 declares a already"),
        ("ask a both yes-no; yes-no | ask a-1 both yes-no", "line 2: \"a-1\": line 1 declares a-1 already"),
        ("ask a two yes-no", "line 1: \"two\": expected both or one"),
        ("ask a both pick 2 of (x)", "line 1: \"2\": expected at most 1, which is all of the words"),
        ("ask a both pick 1 of (x y x)", "line 1: \"x\": expected words that are all different"),
        (
            "ask a both number 9..3",
            "line 1: \"9..3\": expected numbers such as 0..20, the first the smaller one, the last a number or a counter",
        ),
        ("ask a both number 1..chips", "line 1: \"chips\": expected the name of a counter: none is declared"),
        (
            "ask a both number 1..chip | counter chips each 3 | counter pot shared 0",
            "line 1: \"chip\": expected the name of a counter: chips or pot",
        ),
        ("counter c each 3 from 3 to 3 | ask a both yes-no", "line 1: \"3\": expected a number from 4 to 1000000000"),
        (
            "counter c each -1 | ask a both yes-no",
            "line 1: \"-1\": expected a start within the counter's own limits, 0 or more without from",
        ),
        (
            "deck d (1..4) | hand h each | ask a both cards 5 from h",
            "line 3: \"5\": expected at most 4, which is every card of the game",
        ),
        (
            "hand h each | ask a both cards 1 from h",
            "line 2: \"1\": expected at most 0, which is every card of the game",
        ),
        (
            "deck d (1..4) | ask a both yes-no then draw d 5",
            "line 2: \"5\": expected at most 4, which is all of the deck",
        ),
        (
            "deck d (1..300) | ask a both yes-no",
            "line 1: \"1..300\": expected a range such as 1..9 or R1..R9, of at most 200 words",
        ),
        (
            "board b 3x27 | ask a both cell of b",
            "line 1: \"3x27\": expected columns and rows such as 3x3, at most 26 each",
        ),
        ("ask a both yes-no bank 60", "line 1: \"bank\": a bank is for a question to one seat"),
        (
            "ask a one yes-no bank 60 | ask b one yes-no bank 90",
            "line 2: \"bank\": a seat has one bank in a match, of 60 seconds as above",
        ),
        ("ask a both yes-no clock 30 opens all", "line 1: \"all\": expected umpire"),
        ("ask a both yes-no default (maybe)", "line 1: \"maybe\": expected yes or no"),
        (
            "ask a both yes-no default (no) clock 30",
            "line 1: \"clock\": expected clock S, bank S, default (ANSWER), opens umpire or then draw NAME N in this order, a label in quotes, or the end here",
        ),
        (
            "hand h each of (A B) | hand p each | ask a one cards 1 from h to p opens umpire",
            "line 3: \"opens\": these cards would be seen: both hands have to be each and hidden",
        ),
        ("ask a both yes-no | first a p1", "line 2: \"p1\": expected both"),
        (
            "counter c each 0 | ask a one number 1..c | first a p2",
            "line 3: \"a\": p2 has no answer: at least 1, and at most 0, which is c",
        ),
        (
            "counter c shared 0 | ask a both yes-no | score c",
            "line 3: \"c\": expected a counter that each seat has, or none",
        ),
        ("rounds 5 | ask a both yes-no | rounds 6", "line 3: \"6\": line 1 declares rounds already"),
        ("ask a both yes-no \"open", "line 1: \"\"open\": expected a text in quotes, of 1 to 40 characters"),
        (
            "ask a both yes-no | source ftp://example.org",
            "line 2: \"ftp://example.org\": expected an address such as https://example.org/rules",
        ),
    ] {
        assert_eq!(refused(lines), sentence, "{lines}");
    }
}

#[test]
fn a_declaration_is_not_endless() {
    let long = |count: usize, line: &str| vec![line; count].join(" | ");
    assert!(refused(&long(65, "ask a both yes-no")).contains("line 65: \"ask\": expected at most 64 lines"));
    assert!(
        refused(&format!("title {}", "x".repeat(9000))).ends_with("expected at most 64 lines and 8000 bytes in all")
    );
    let decks: Vec<String> = (0..6).map(|n| format!("deck d{n} (1..200)")).collect();
    assert!(refused(&decks.join(" | ")).contains("line 6: \"(\": expected at most 1000 cards and faces"));
}

#[test]
fn one_game_has_one_spelling() {
    let written =
        "[\"counter c each 0\", \"dice d (1..3 9 10 R7..R9)\", \"ask a one pick 0..2 of (x y)\", \"score none\"]";
    for lines in [
        "score none | ask a one  pick 0..2 of ( x y ) | counter c each 0 from 0 | dice d (1 2 3 9 10 R7 R8..R9)",
        "title Any | counter c each 0 \"C\" | dice d (1..2 3 9..10 R7..R9) | ask a one pick 0..2 of (x y) \"A?\" | score none",
    ] {
        assert_eq!(refused(lines), written);
    }
}

const GAME: &str = "counter chips each 5 from -2 to 9 | counter pot shared 0 | deck d (A B C C) | hand h each hidden | \
    hand out each hidden | board g 3x2 | ask bid both number 1..chips; pick 0..2 of (x y) default (2; x) | \
    ask card one cards 1 from h to out opens umpire | ask why one text 20 then draw d 1 | ask spot one cell of g";

/// The table after these steps; the last may be refused.
fn after(steps: &[&str]) -> (Table, Result<String, String>) {
    let mut table = Table::new(Arc::new(Declaration::read(GAME.split(" | ")).unwrap()));
    let mut last = Ok(String::new());
    for step in steps {
        assert_eq!(last.as_ref().err(), None);
        last = play(&mut table, step).map_err(|refusal| refusal.sentence());
    }
    (table, last)
}

#[test]
fn a_step_is_refused_with_the_part_that_does_not_fit() {
    let bid = ["umpire: says next bid both"];
    let card = ["umpire: says deal d 1 to each in h; next card p1", "host: d A", "host: d C"];
    for (before, step, sentence) in [
        (&bid[..], "1. 6; x / 1; x", "\"6\": expected at most 5, which is chips"),
        (&bid, "1. 0; x / 1; x", "\"0\": expected a number from 1 to 1000000000"),
        (&bid, "1. 2; x y z / 1; x", "\"z\": expected x or y"),
        (&bid, "1. 2; x x / 1; x", "\"x\": expected each word once"),
        (&bid, "1. 2 / 1; x", "expected ;"),
        (&bid, "1. 2; x; y / 1; x", "\";\": expected nothing more here"),
        (&bid, "1. 2; ? / 1; x", "\"?\": sealed until the end of the match"),
        (&bid, "p1: 2; x", "expected the answer to bid both"),
        (&card, "p1: B", "\"B\": expected a card of h"),
        (&card, "p1: A C", "\"C\": expected 1 here, not 2"),
        (&card, "p1: Z", "\"Z\": expected a card of this game"),
        (&card, "p2: C", "\"C\": expected the answer to card p1"),
        (&["umpire: says draw d 2"], "host: d A A", "\"A\": it is not left in d"),
        (&["umpire: says draw d 2"], "host: d A", "\"d\": expected d and 2 of it"),
        (&["umpire: says draw d 2"], "umpire: says again", "expected the host's draw: d 2"),
        (&[], "1. 1; x / 1; x", "\"1; x\": expected the umpire's word: umpire: says and what became of it"),
        (&[], "umpire: hello", "\"hello\": expected says"),
        (
            &[],
            "umpire: says",
            "expected the name of a counter: chips or pot; or put, move, deal, draw, shuffle, a sentence in quotes, again, next or over",
        ),
        (&[], "umpire: says chips 4", "\"4\": expected p1 or p2"),
        (&[], "umpire: says pot p1 4", "\"p1\": expected a number from -1000000000 to 1000000000"),
        (&[], "umpire: says pot -1", "\"pot\": it would be -1, and is at least 0"),
        (&[], "umpire: says chips p2 by 7", "\"chips\": it would be 12, and is at most 9"),
        (&[], "umpire: says pot 1; again", "\"again\": expected next and a question: nothing has been asked"),
        (&[], "umpire: says over p1; pot 1", "\";\": expected the end here: again, next and over come last"),
        (&[], "umpire: says pot 1 over p1", "\"over\": expected ; and another act, or the end here"),
        (
            &[],
            "umpire: says put ABCD at a1 of g",
            "\"ABCD\": expected a mark of at most 3 letters or digits, or - for none",
        ),
        (&[], "umpire: says put X at c3 of g", "\"c3\": expected a cell of g, from a1 to c2"),
        (&[], "umpire: says move A from h p1 to out p1", "\"A\": this card is not in h p1"),
        (&[], "umpire: says deal d 2 to shared in h", "\"shared\": expected p1, p2 or each: so the hand is declared"),
        (&[], "umpire: says deal d 3 to each in h", "\"d\": 4 cards are left, and 6 are drawn: shuffle it first"),
        (&[], "umpire: says draw d 4; next why p1", "\"d\": 4 cards are left, and 5 are drawn: shuffle it first"),
        (&[], "umpire: says next card p1", "\"card\": p1 has no answer: 1 cards are asked, and h has fewer"),
        (
            &[],
            "umpire: says chips p1 -1; next bid both",
            "\"bid\": p1 has no answer: at least 1, and at most -1, which is chips",
        ),
        (&[], "umpire: says draw d 1; over p1", "\"over\": nothing can be drawn after the end"),
        (&["umpire: says over void"], "umpire: says pot 1", "the match is over"),
    ] {
        let (table, played) = after(&[before, &[step]].concat());
        assert_eq!(played, Err(sentence.to_owned()), "{step}");
        assert_eq!(table, after(before).0, "{step} changes nothing");
    }
}

#[test]
fn a_default_is_played_where_it_is_legal() {
    let said = |steps: &[&str]| after(steps).1;
    assert_eq!(said(&["umpire: says next bid both", "1. - / 3; none"]), Ok("1. 2; x / 3; none".into()));
    assert_eq!(said(&["umpire: says chips p1 1; next bid both", "1. - / 3; y x"]), Ok("1. - / 3; x y".into()));
}

#[test]
fn a_state_is_read_by_those_who_may() {
    let steps = [
        "umpire: says deal d 1 to each in h; put X at b2 of g; chips p2 -2; \"Begin\"; next card p1",
        "host: d C",
        "host: d C",
        "p1: C",
        "umpire: says move C from h p2 to d; next spot p2",
    ];
    let (table, _) = after(&steps[..3]);
    let hands = |sight| {
        let state: serde_json::Value = serde_json::from_str(&table.state(sight)).unwrap();
        format!("{}", state["h"])
    };
    assert_eq!(hands(Sight::Public), r#"{"p1":["?"],"p2":["?"]}"#);
    assert_eq!(hands(Sight::Seat(Seat::P2)), r#"{"p1":["?"],"p2":["C"]}"#);
    let (table, _) = after(&steps);
    assert_eq!(
        table.state(Sight::Everything),
        "{\"phase\":\"asked\",\"round\":0,\"asks\":{\"what\":\"spot\",\"to\":\"p2\"},\"chips\":{\"p1\":5,\"p2\":-2},\
         \"pot\":0,\"h\":{\"p1\":[],\"p2\":[]},\"out\":{\"p1\":[\"C\"],\"p2\":[]},\
         \"g\":[[\"-\",\"-\",\"-\"],[\"-\",\"X\",\"-\"]],\"said\":1}"
    );
}
