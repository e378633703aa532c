//! The panels of a state.

use engine::{Mark, Panel, Seat, Sight};

use super::table::{Table, betting, dividing};

/// Every panel as a line: title, seat, content.
fn panels(table: &Table, sight: Sight) -> Vec<String> {
    let whose = |seat: Option<Seat>| seat.map_or(String::new(), |seat| format!(" of {seat}"));
    let line = |panel: Panel| match panel {
        Panel::Cards { title, seat, groups } => {
            let group = |group: engine::CardGroup| {
                let cards = group.cards.into_iter().map(|tile| {
                    let mark = match tile.mark {
                        Mark::New => "+",
                        Mark::Gone => "-",
                        Mark::Hidden => "*",
                        Mark::Perhaps => "~",
                        Mark::None => "",
                    };
                    format!("{}{mark}", tile.card)
                });
                let cards = cards.collect::<Vec<_>>().join(" ");
                if group.label.is_empty() { cards } else { format!("{}: {cards}", group.label) }
            };
            format!("{title}{}: {}", whose(seat), groups.into_iter().map(group).collect::<Vec<_>>().join("; "))
        }
        Panel::Notice { title, seat, text } => format!("{title}{}: {text}", whose(seat)),
        Panel::Track { title, said } => {
            let said: Vec<_> = said.into_iter().map(|(seat, said)| format!("{seat} {said}")).collect();
            format!("{title}: {}", said.join(", "))
        }
        other => panic!("{other:?}"),
    };
    table.duel.view(sight).panels.into_iter().map(line).collect()
}

#[test]
fn an_offer_lies_in_the_order_of_its_draw_and_then_in_piles() {
    let table = dividing();
    assert_eq!(
        panels(&table, Sight::Public),
        [
            "Pool of p1: R2 G5 G9 B1 B7",
            "Pool of p2: R1 R8 R9 G2 B3",
            "Starting player of p1: {p1} starts round 1.",
            "Offer: G5+ B3+ R3+ R7+ B6+ G1+ G2+ G8+ B5+ R2+ B9+ G6+",
        ]
    );
    let table = table.play("p1: divide R2 R3 B9 | B3 G5 G6 | aside G2 B5 R7");
    assert_eq!(
        panels(&table, Sight::Public).pop().unwrap(),
        "Offer, divided: Pile 1, taken: R2- R3- B9-; Pile 2, taken: B3- G5- G6-; Set aside: G2 B5 R7; In no pile: B6 G1 G8"
    );
}

#[test]
fn bets_stand_in_turn_beside_the_cards() {
    let table = betting("R5", "G5 B7 / R8 R9").play("p1: raise 2\n p2: raise 5");
    assert_eq!(
        panels(&table, Sight::Seat(Seat::P1)),
        [
            "Pool of p1: R2 G5 G9 B1 B7",
            "Private cards of p1: First: G5*; Second: B7*",
            "Pool of p2: R1 R8 R9 G2 B3",
            "Private cards of p2: First: ?; Second: ?",
            "Starting player of p1: {p1} starts round 1.",
            "Community card: R5",
            "First betting phase: p1 raise 2, p2 raise 5",
        ]
    );
    let figures: Vec<_> = table.duel.view(Sight::Public).figures.iter().map(|figure| figure.value).collect();
    assert_eq!(figures, [10, 26, 23]);
}
