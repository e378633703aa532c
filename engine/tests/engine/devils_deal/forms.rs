//! The questions and their forms.

use engine::{Closes, Form, Opens, Party, Seat, To};

use super::table::{DEALT, Table, at_community, betting, dividing};

/// The words on offer, barred ones in brackets, with their numbers.
fn offered(table: &Table, seat: Seat) -> String {
    let ask = table.duel.asks().pop().unwrap();
    let Some(Form::Words { choices, least: 1, most: 1 }) = table.duel.form(seat, ask.what) else {
        panic!("words were expected of {}", ask.what)
    };
    let shown = |choice: &engine::Choice| {
        let amounts = choice.amounts.map_or(String::new(), |(least, most)| format!(" {least}-{most}"));
        if choice.barred.is_some() {
            format!("[{}{amounts}]", choice.word)
        } else {
            format!("{}{amounts}", choice.word)
        }
    };
    choices.iter().map(shown).collect::<Vec<_>>().join(", ")
}

#[test]
fn bets_are_offered_with_their_numbers() {
    let table = betting("R5", "G5 B7 / R8 R9");
    assert_eq!(offered(&table, Seat::P1), "raise 1-28, [call], fold");
    let table = table.play("p1: raise 4");
    assert_eq!(offered(&table, Seat::P2), "raise 5-28, call, fold");
    assert_eq!(table.duel.form(Seat::P1, "bet"), None, "the other seat is not asked");
    let table = table.play("p2: raise 28");
    assert_eq!(offered(&table, Seat::P1), "[raise 29-29], call, fold");
}

#[test]
fn what_was_left_is_offered_to_the_opponent() {
    let table = dividing().play("p1: divide R2 R3 B9 | B3 G5 G6 | B6 G8 | aside G2 B5 R7\n p1: discard R2 R2 G9");
    assert_eq!(offered(&table, Seat::P2), "take R7, take G1, take G2, take B5, take none");
    assert_eq!(offered(&Table::new().play(DEALT), Seat::P1), "refill, stand");
}

#[test]
fn each_question_says_of_whom_how_long_and_when_it_closes() {
    let clock = |table: &Table| {
        let [ask] = &table.duel.asks()[..] else { panic!("one question stands") };
        let fields: Vec<_> = ask.fields.iter().map(|field| (field.name, field.opens)).collect();
        (ask.to, ask.what, ask.clock_seconds, ask.closes, fields)
    };
    let whole = vec![("move", Opens::WithStep)];
    let (p1, p2) = (To::One(Seat::P1), To::One(Seat::P2));
    let mut table = Table::new();
    for (asked, line) in [
        ((To::Host, "deal", 0, Closes::FirstValid, vec![]), "host: deal R2 G5 B1 B7 G9 | R1 G2 B3 R8 R9"),
        ((p1, "start", 90, Closes::FirstValid, whole.clone()), "p1: start p1"),
        ((p1, "refill", 20, Closes::FirstValid, whole.clone()), "p1: refill"),
        ((To::Host, "offer", 0, Closes::FirstValid, vec![]), "host: offer G5 B3 R3 R7 B6 G1 G2 G8 B5 R2 B9 G6"),
        (
            (p1, "divide", 90, Closes::AtDeadline, whole.clone()),
            "p1: divide R2 R3 B9 | B3 G5 G6 | B6 G8 | aside G2 B5 R7",
        ),
        ((p1, "discard", 20, Closes::FirstValid, whole.clone()), "p1: discard R2 R2 G9"),
        ((p2, "take", 20, Closes::FirstValid, whole.clone()), "p2: take none"),
        ((p1, "refill", 20, Closes::FirstValid, whole.clone()), "p1: stand"),
        ((p2, "refill", 20, Closes::FirstValid, whole.clone()), "p2: stand"),
        ((To::Host, "community", 0, Closes::FirstValid, vec![]), "host: community B2"),
        (
            (
                To::Both,
                "private",
                90,
                Closes::AtDeadline,
                vec![("first", Opens::WhenItActs), ("second", Opens::WhenItActs)],
            ),
            "B6 G8 / R8 R9",
        ),
        ((p1, "bet", 20, Closes::FirstValid, whole.clone()), "p1: fold"),
    ] {
        assert_eq!(clock(&table), asked);
        let form = match asked.0 {
            To::One(seat) => table.duel.form(seat, asked.1),
            To::Both => table.duel.form(Seat::P2, asked.1),
            To::Host => table.duel.form(Party::Host, asked.1),
        };
        assert!(form.is_some(), "{}", asked.1);
        table = table.play(line);
    }
}

/// Few rows a round: refills, private cards, and each betting phase.
#[test]
fn the_score_sheet_has_a_row_for_each_meaningful_moment() {
    use engine::Place::{Part, Round, Same};
    let mut duel = at_community().duel;
    let mut row = |line: &str| {
        let row = duel.play(line, None).unwrap().row;
        (row.round, row.place)
    };
    assert_eq!(row("host: community R5"), (1, Part));
    assert_eq!(row("G5 B7 / R8 R9"), (1, Same));
    assert_eq!(row("p1: raise 1"), (1, Part));
    assert_eq!(row("p2: call"), (1, Same));
    assert_eq!(row("p1: fold"), (1, Part));
    assert_eq!(row("p2: refill"), (2, Round));
    assert_eq!(row("host: offer R1 R2 R3 R4 R5 R6 R7 R8 R9 G1 G2 G3"), (2, Same));
    let mut duel = Table::community_first().duel;
    let mut row = |line: &str| {
        let row = duel.play(line, None).unwrap().row;
        (row.round, row.place)
    };
    assert_eq!(row("host: deal R2 G5 B1 B7 G9 | R1 G2 B3 R8 R9"), (0, Round));
    assert_eq!(row("p1: start p1"), (0, Same));
    assert_eq!(row("host: community R5"), (1, Round));
    assert_eq!(row("p1: stand"), (1, Same));
    assert_eq!(row("p2: stand"), (1, Same));
    assert_eq!(row("G5 B7 / R8 R9"), (1, Part));
}
