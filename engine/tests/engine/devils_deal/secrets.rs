//! The secrets of the cards: for whom, and until when.

use engine::{Duel, Mark, Panel, Party, Seat, Sight, SplitMix64};
use serde_json::Value;

use super::random::line;
use super::table::{Table, at_community, betting, setup};

const P1: Sight = Sight::Seat(Seat::P1);
const P2: Sight = Sight::Seat(Seat::P2);

fn fields(list: &[(Party, &'static str)]) -> String {
    list.iter().map(|(party, field)| format!("{party} {field}")).collect::<Vec<_>>().join(", ")
}

fn keeps(table: &Table) -> String {
    fields(&table.played.as_ref().unwrap().keeps)
}

fn shows(table: &Table) -> String {
    fields(&table.played.as_ref().unwrap().shows)
}

#[test]
fn private_cards_are_shown_one_by_one() {
    let table = betting("R5", "G5 B7 / R8 R9");
    assert_eq!(keeps(&table), "p1 first, p1 second, p2 first, p2 second");
    assert_eq!(table.played.as_ref().unwrap().public, "? ? / ? ?");
    assert!(!table.told().contains("G5") && !table.told().contains("R9"), "{}", table.told());
    assert_eq!(table.seen(Sight::Public, "private"), "{p1:[?,?],p2:[?,?]}");
    assert_eq!(table.seen(P1, "private"), "{p1:[G5,B7],p2:[?,?]}");
    assert_eq!(table.seen(P2, "private"), "{p1:[?,?],p2:[R8,R9]}");
    // The pools are known: no card has left them face down.
    assert_eq!(table.seen(Sight::Public, "pools"), table.get("pools"));
    let table = table.play("p1: raise 1");
    assert_eq!((shows(&table), keeps(&table)), (String::new(), String::new()));
    let table = table.play("p2: call");
    assert_eq!(shows(&table), "p1 first, p2 first");
    assert_eq!(table.seen(Sight::Public, "private"), "{p1:[G5,?],p2:[R8,?]}");
    let table = table.play("p1: raise 1\n p2: call");
    assert_eq!(shows(&table), "p1 second, p2 second");
    assert_eq!(table.seen(Sight::Public, "pools"), table.get("pools"), "after a showdown everybody knows the pools");
}

#[test]
fn a_call_of_everything_shows_both_cards() {
    let table = betting("R5", "G5 B7 / R8 R9").play("p1: raise 28\n p2: call");
    assert_eq!(shows(&table), "p1 first, p2 first, p1 second, p2 second");
}

/// DD-18: a fold shows nothing, and from then on only the size of the pools is public.
#[test]
fn a_fold_shows_nothing_and_veils_both_pools() {
    let table = betting("R5", "G5 B7 / R8 R9").play("p1: fold");
    assert_eq!(shows(&table), "");
    assert_eq!(table.seen(Sight::Public, "pools"), "{p1:[?,?,?],p2:[?,?,?]}");
    assert_eq!(table.seen(P1, "pools"), "{p1:[R2,G9,B1],p2:[?,?,?]}");
    assert_eq!(table.seen(P2, "pools"), "{p1:[?,?,?],p2:[R1,G2,B3]}");
    // The same after the next showdown, and after the end.
    let table = table.play(
        "p2: stand
        p1: stand
        host: community R5
        R2 G9 / R1 G2
        p2: raise 1
        p1: call
        p2: raise 1
        p1: call",
    );
    assert_eq!(table.seen(Sight::Public, "pools"), "{p1:[?],p2:[?]}");
    let table = table.play("umpire: result void a test");
    assert_eq!(table.seen(Sight::Public, "pools"), "{p1:[?],p2:[?]}");
}

/// DD-19: the line of a default is -, and its cards are as secret as others.
#[test]
fn a_default_is_as_secret_as_a_choice_and_seals_nothing() {
    let table = at_community().play("host: community R5\n - / R8 R9");
    assert_eq!(
        (keeps(&table), table.played.as_ref().unwrap().public.as_str()),
        ("p2 first, p2 second".into(), "- / ? ?")
    );
    assert_eq!(table.seen(Sight::Public, "private"), "{p1:[?,?],p2:[?,?]}");
    assert!(table.told().starts_with("{p1} sent nothing in time and plays the two lowest cards allowed. (4.11.2)"));
    let table = table.play("p1: raise 1\n p2: call");
    assert_eq!(shows(&table), "p2 first", "p1 sealed nothing that could be opened");
    assert_eq!(table.seen(Sight::Public, "private"), "{p1:[B1,?],p2:[R8,?]}");
    assert_eq!(table.play("p1: fold").seen(Sight::Public, "pools.p1"), "[?,?,?]");
}

#[test]
fn fields_go_apart_and_together_again() {
    let duel = at_community().play("host: community R5").duel;
    let values = duel.split(Seat::P1, "private", "g5 b7").unwrap();
    assert_eq!(values, [("first", "G5".to_owned()), ("second", "B7".to_owned())]);
    assert_eq!(duel.split(Seat::P1, "private", "-").unwrap(), [("first", "-".to_owned()), ("second", "-".to_owned())]);
    assert_eq!(duel.join("private", &["G5", "B7"]), "G5 B7");
    assert_eq!(duel.join("private", &["G5", "?"]), "G5 ?");
    assert_eq!(duel.join("private", &["-", "-"]), "-");
    assert_eq!(duel.join("bet", &["raise 4"]), "raise 4");
}

/// The pool panel of a seat: certain cards, doubtful cards, and the statement about them.
fn pool(duel: &Duel, seat: Seat, sight: Sight) -> (Vec<String>, Vec<String>, Option<String>) {
    let (mut sure, mut doubtful, mut said) = (Vec::new(), Vec::new(), None);
    for panel in duel.view(sight).panels {
        match panel {
            Panel::Cards { title: "Pool", seat: Some(whose), groups } if whose == seat => {
                for tile in groups.into_iter().flat_map(|group| group.cards) {
                    if tile.mark == Mark::Perhaps { doubtful.push(tile.card) } else { sure.push(tile.card) }
                }
            }
            Panel::Notice { title: "Pool", seat: Some(whose), text } if whose == seat => said = Some(text),
            _ => {}
        }
    }
    (sure, doubtful, said)
}

#[test]
fn a_picture_shows_what_everybody_can_work_out() {
    let table = betting("R5", "G5 B7 / R8 R9").play("p1: raise 1\n p2: call\n p1: fold");
    // G5 was shown: one of the other four has left.
    let (sure, doubtful, said) = pool(&table.duel, Seat::P1, Sight::Public);
    assert_eq!((sure.len(), doubtful.join(" ")), (0, "R2 G9 B1 B7".into()));
    assert_eq!(said.unwrap(), "1 of the 4 doubtful cards left it face down; {p1} holds 3.");
    assert_eq!(pool(&table.duel, Seat::P1, P1), (vec!["R2".into(), "G9".into(), "B1".into()], vec![], None));
    // Two of the doubtful cards are shown in the next round, and a bought card is certain.
    let table = table.play(
        "p2: stand
        p1: refill
        host: offer G3 G4 B2 R3 R4 R5 R6 R7 R8 R9 G1 G2
        p1: divide G3 | aside R3
        p2: take none
        p1: stand
        host: community R5
        R2 G9 / R1 G2
        p2: raise 1
        p1: call
        p2: raise 1
        p1: call",
    );
    let (sure, doubtful, said) = pool(&table.duel, Seat::P1, P2);
    assert_eq!((sure.join(" "), doubtful.join(" ")), ("G3".into(), "B1 B7".into()));
    assert_eq!(said.unwrap(), "1 of the 2 doubtful cards left it face down; {p1} holds 2.");
}

#[test]
fn a_private_card_lies_face_down_for_those_who_may_not_see_it() {
    let duel = betting("R5", "G5 B7 / R8 R9").play("p1: raise 1\n p2: call").duel;
    let cards = |sight| {
        let found = duel.view(sight).panels.into_iter().find_map(|panel| match panel {
            Panel::Cards { title: "Private cards", seat: Some(Seat::P1), groups } => Some(groups),
            _ => None,
        });
        let tiles = found.unwrap().into_iter().flat_map(|group| group.cards);
        tiles.map(|tile| (tile.card, tile.mark)).collect::<Vec<_>>()
    };
    assert_eq!(cards(Sight::Public), [("G5".to_owned(), Mark::None), ("?".to_owned(), Mark::None)]);
    assert_eq!(cards(P2), cards(Sight::Public));
    assert_eq!(cards(P1), [("G5".to_owned(), Mark::None), ("B7".to_owned(), Mark::Hidden)]);
    assert_eq!(cards(Sight::Everything), cards(P1));
}

/// In random matches: the picture is never wrong, and nothing that others see depends on a closed card.
#[test]
fn the_picture_holds_and_no_closed_card_shows() {
    for seed in 0..120 {
        let mut duel = Duel::open(&setup(Seat::P2)).unwrap();
        let mut chance = SplitMix64(seed);
        while let Some(line) = line(&duel, &mut chance) {
            let before = duel.clone();
            let mut effects = Vec::new();
            let played = duel.play(&line, Some(&mut effects)).unwrap();
            let state: Value = serde_json::from_str(&duel.state(Sight::Everything)).unwrap();
            for seat in Seat::BOTH {
                let truth = state["pools"][seat.word()].as_array().unwrap();
                let mut rest: Vec<&str> = truth.iter().map(|card| card.as_str().unwrap()).collect();
                let (sure, doubtful, _) = pool(&duel, seat, Sight::Public);
                let mut strike = |card: &String| {
                    let at = rest.iter().position(|held| held == card);
                    at.map(|at| rest.remove(at)).is_some()
                };
                assert!(sure.iter().all(&mut strike), "{line}: {sure:?} are not all in {truth:?}");
                doubtful.iter().for_each(|card| {
                    strike(card);
                });
                assert!(rest.is_empty(), "{line}: nobody would think of {rest:?}");
            }
            // Other private cards behind the same public line make no difference to others.
            if !played.keeps.is_empty() && played.public.contains("? ?") {
                let other = format!("{} / {}", swap(&played.moves.p1, &line, 0), swap(&played.moves.p2, &line, 1));
                let (mut otherwise, mut seen) = (before.clone(), Vec::new());
                otherwise.play(&other, Some(&mut seen)).unwrap();
                assert_eq!(seen, effects);
                assert_eq!(otherwise.state(Sight::Public), duel.state(Sight::Public));
                assert_eq!(otherwise.view(Sight::Public), duel.view(Sight::Public));
            }
        }
    }
}

/// A seat's part of a line with its two cards swapped, if they are closed.
fn swap(shown: &Option<String>, line: &str, part: usize) -> String {
    let sent = line.split(" / ").nth(part).unwrap();
    match (shown.as_deref(), sent.split_once(' ')) {
        (Some("? ?"), Some((first, second))) => format!("{second} {first}"),
        _ => sent.to_owned(),
    }
}
