//! The host's draws, and values that are sealed in one step and opened by a later one, forged with care: every seal is
//! made again if that helps. Also mistyped draws, which may be corrected.

use engine::{BySeat, Seat, Verdict};
use ledger::{Commitment, Entry, Field, Kind};
use record::body::{Body, Drawn, DrawnSeal, Opening};
use record::state_digest;
use record::verify::Status;

use crate::acts::NO_ITEMS;
use crate::book::Book;
use crate::forger::{Entries, Seals, among_others, bodies, caught, failing, forged};

/// A round of Devil's Deal with a showdown, and the first bets of the next.
fn deal() -> Book {
    let mut book = Book::opened("devils-deal/blooming-genius", Some(Seat::P1), NO_ITEMS);
    for line in [
        "host: deal B4 R1 R8 R9 G5 | B2 R6 B3 G2 G7",
        "p1: start p1",
        "p1: stand",
        "p2: stand",
        "host: community G8",
        "G5 R9 / G2 G7",
        "p1: raise 2",
        "p2: call",
        "p1: raise 4",
        "p2: call",
    ] {
        book.plays(line);
    }
    book
}

const BOARD_A: &str = "A A9 E2 A10 A10 A3 E8 A5 A4 E6 B10 B1 E6 A5 E2 A2 A2 E5 B9 A8 E8 A10 B6 E7 E7 A1";
const BOARD_D: &str = "D D1 E1 C10 E3 E9 C4 D2 D4 C6 C1 D4 D9 D7 D5 E9 C9 D8 D6 E4 C8 C3 D10 C10 D8 E5";

/// The first turn of Higher or Lower, on board D: three cards are turned over.
fn boards() -> Book {
    let mut book = Book::opened("higher-lower/tempo-up", Some(Seat::P2), NO_ITEMS);
    for line in [
        "p2: colour pink",
        "p1: assign A square B1 B9 B6",
        &format!("host: place {BOARD_A}"),
        "host: place B C5 C6 B6 B7 C4 A3 B3 B2 B9 C5 B5 B3 B8 C3 B9 C1 B4 C2 A8 B1 B5 A7 B10 B5 B10",
        "host: place C D4 D6 C7 B6 C2 D3 C2 B7 C4 B8 B8 B2 C3 D5 D5 C8 C7 D6 C6 D9 C7 D10 D9 C9 B4",
        &format!("host: place {BOARD_D}"),
        "host: place E A9 E7 D2 E1 A7 E4 E10 A5 D1 E6 D3 A1 E9 A4 D7 E1 E10 A1 A9 D7 A6 A6 E3 E5 A3",
        "p2: board D second",
        "p1: turn d3",
        "p1: north higher",
        "p1: east lower",
    ] {
        book.plays(line);
    }
    book
}

fn ended(mut book: Book) -> Book {
    book.rules("conceded", Some(Verdict::Won(Seat::P1)));
    book.ends();
    book
}

fn field(name: &str) -> Field {
    name.parse().unwrap()
}

fn drawn_d(entries: &mut Entries) -> &mut Drawn {
    bodies!(entries, Drawn).find(|drawn| drawn.dmn.contains("place D")).unwrap()
}

/// Every opening of the match, in any entry.
fn each_opening(entries: &mut Entries) -> impl Iterator<Item = &mut Opening> {
    entries.iter_mut().flat_map(|(_, body)| match body {
        Body::Resolved(body) => body.openings.iter_mut(),
        Body::Unsealed(body) => body.openings.iter_mut(),
        Body::Drawn(body) => body.openings.iter_mut(),
        _ => [].iter_mut(),
    })
}

/// Computes every digest again, as far as the rules allow.
fn digests(book: &Book, entries: &mut Entries, lines: &[String]) {
    let mut duel = book.public().start;
    let mut lines = lines.iter();
    for (_, body) in entries {
        let digest = match body {
            Body::Resolved(body) => &mut body.digest,
            Body::Drawn(body) => &mut body.digest,
            Body::Ruled(body) => &mut body.result.as_mut().unwrap().digest,
            _ => continue,
        };
        duel.play(lines.next().unwrap(), None).unwrap();
        *digest = state_digest(&duel);
    }
}

fn lines(book: &Book) -> Vec<String> {
    book.history().steps.iter().map(|step| step.text.clone().unwrap()).collect()
}

#[test]
fn the_forger_changes_nothing_and_all_is_well() {
    for book in [ended(deal()), ended(boards())] {
        for seals in [Seals::Kept, Seals::Remade] {
            let bundle = forged(&book, seals, |_| ());
            assert_eq!(bundle, book.bundle());
            assert_eq!(failing(&record::verify::verify(&bundle)), [0; 0]);
        }
        let mut again = book.entries().into_iter().map(|entry| (entry.clone(), Body::read(&entry).unwrap())).collect();
        digests(&book, &mut again, &lines(&book));
        let bodies = book.entries().into_iter().map(|entry| Body::read(&entry).unwrap());
        assert!(again.into_iter().map(|(_, body)| body).eq(bodies));
    }
}

#[test]
fn a_drawn_card_that_is_changed_is_caught_by_finding_6() {
    let book = ended(deal());
    let community = |entries: &mut Entries| bodies!(entries, Drawn).nth(1).unwrap().dmn = "host: community B8".into();
    caught(&forged(&book, Seals::Remade, community), 6, "the state's digest differs from the replay");
    let dealt = |entries: &mut Entries| {
        bodies!(entries, Drawn).next().unwrap().dmn = "host: deal B4 R1 R8 R9 G6 | B2 R6 B3 G2 G7".into();
    };
    among_others(&forged(&book, Seals::Remade, dealt), 6, "the rules refuse the step");
    let spelled = |entries: &mut Entries| bodies!(entries, Drawn).nth(1).unwrap().dmn = "host: g8".into();
    caught(&forged(&book, Seals::Remade, spelled), 6, "the step is not what the openings give");
}

#[test]
fn a_hidden_cell_that_is_changed_is_caught() {
    let book = ended(boards());
    // The seal alone.
    let sealed = |entries: &mut Entries| drawn_d(entries).seals[3].commitment = Commitment::new([9; 32]);
    caught(&forged(&book, Seals::Kept, sealed), 3, "does not open its seal");
    // The opening alone.
    let value = |entries: &mut Entries| {
        each_opening(entries).find(|opening| opening.field == field("d-d1")).unwrap().value = "E4".into();
    };
    among_others(&forged(&book, Seals::Kept, value), 3, "does not open its seal");
    // One of the cells that were turned over, with its seal: the state reveals it.
    let turned = |entries: &mut Entries| {
        for opening in each_opening(entries).filter(|opening| opening.field == field("d-d3")) {
            opening.value = "D6".into();
        }
    };
    among_others(&forged(&book, Seals::Remade, turned), 6, "the rules refuse the step");
}

#[test]
fn a_cell_that_opens_another_cells_seal_is_caught() {
    let book = ended(boards());
    let drawn = book.entries().iter().find(|entry| entry.body.contains("place D")).unwrap().seq;
    // Turning d3 opens c3 instead.
    let other = |entries: &mut Entries| {
        let there = each_opening(entries).find(|o| o.entry == drawn.0 && o.field == field("d-c3")).unwrap().clone();
        let turned = bodies!(entries, Resolved).find(|body| body.dmn == "p1: turn d3").unwrap();
        let was = std::mem::replace(&mut turned.openings[0], there);
        let last = bodies!(entries, Unsealed).last().unwrap();
        last.openings.retain(|opening| (opening.entry, &opening.field) != (drawn.0, &field("d-c3")));
        last.openings.push(was);
    };
    assert_eq!(book.of_kind(Kind::Unsealed).len(), 1);
    caught(&forged(&book, Seals::Remade, other), 3, "it opens the d-d3 of host");
}

#[test]
fn a_shown_card_that_is_not_opened_with_its_step_is_caught_by_finding_3() {
    for (book, shows, what) in [
        (ended(deal()), "p2: call", "it opens the first of p1"),
        (ended(boards()), "p1: turn d3", "it opens the d-d3 of host"),
    ] {
        let taken = |entries: &mut Entries| {
            let shown = bodies!(entries, Resolved).find(|body| body.dmn == shows).unwrap();
            // Not the seat's own move, which the line shows.
            let at = shown.openings.iter().position(|opening| opening.field != field("move")).unwrap();
            shown.openings.remove(at)
        };
        let late = |entries: &mut Entries| {
            let opening = taken(entries);
            bodies!(entries, Unsealed).next().unwrap().openings.push(opening);
        };
        // If nothing was left to open, the next step opens it.
        let later = |entries: &mut Entries| {
            let at = entries.iter().position(|(_, body)| matches!(body, Body::Unsealed(_)));
            if at.is_some() {
                return late(entries);
            }
            let opening = taken(entries);
            bodies!(entries, Resolved).last().unwrap().openings.push(opening);
        };
        caught(&forged(&book, Seals::Remade, later), 3, what);
    }
}

/// The target of a Block that acts is public with its round.
#[test]
fn a_target_that_acts_and_opens_later_is_caught_by_finding_3() {
    let mut book = Book::opened("five-card-trick/genius-puzzler", Some(Seat::P2), NO_ITEMS);
    book.plays("score block:claim / grow steal");
    book.plays("score block:claim / grow block:steal");
    let book = ended(book);
    let late = |entries: &mut Entries| {
        let first = bodies!(entries, Resolved).next().unwrap();
        let at = first.openings.iter().position(|opening| opening.value == "claim").unwrap();
        let opening = first.openings.remove(at);
        bodies!(entries, Unsealed).next().unwrap().openings.push(opening);
    };
    caught(&forged(&book, Seals::Remade, late), 3, "it opens the target of p1, which the step shows");
}

#[test]
fn a_wrong_ordinal_or_purpose_is_caught_by_finding_5() {
    let book = ended(deal());
    let ordinal = |entries: &mut Entries| bodies!(entries, Drawn).nth(1).unwrap().ordinal = 1;
    caught(&forged(&book, Seals::Remade, ordinal), 5, "draws for one purpose are counted without gaps");
    let purpose = |entries: &mut Entries| bodies!(entries, Drawn).nth(1).unwrap().purpose = "offer".into();
    caught(&forged(&book, Seals::Remade, purpose), 5, "it draws what the rules ask of the host");
    let step = |entries: &mut Entries| bodies!(entries, Drawn).nth(1).unwrap().step = 6;
    caught(&forged(&book, Seals::Remade, step), 6, "steps are numbered without gaps");
}

/// Inserts an entry after another one, with its date. Later seals and openings then name other entries.
fn inserted(entries: &mut Entries, at: usize, body: Body) {
    let entry = Entry { kind: body.kind(), ..entries[at].0.clone() };
    entries.insert(at + 1, (entry, body));
}

#[test]
fn a_draw_that_nobody_is_due_or_that_stands_twice_is_caught_by_finding_5() {
    let book = deal();
    let seq = |kind, n: usize| book.of_kind(kind)[n].0 as usize;
    // While a seat is asked to bet, at the end.
    let last = book.entries().len() - 1;
    let undue = |entries: &mut Entries| {
        let Body::Drawn(mut drawn) = entries[seq(Kind::Drawn, 1)].1.clone() else { unreachable!() };
        (drawn.ordinal, drawn.step, drawn.dmn) = (1, 11, "host: community B8".into());
        inserted(entries, last, Body::Drawn(drawn));
    };
    let bundle = forged(&book, Seals::Kept, undue);
    among_others(&bundle, 5, "it draws what the rules ask of the host");
    among_others(&bundle, 6, "the rules refuse the step");
    // The same draw, entered twice.
    for n in 0..2 {
        let at = seq(Kind::Drawn, n);
        let twice = |entries: &mut Entries| {
            let again = entries[at].1.clone();
            inserted(entries, at, again);
        };
        let bundle = forged(&book, Seals::Kept, twice);
        among_others(&bundle, 5, "it draws what the rules ask of the host");
        among_others(&bundle, 5, "draws for one purpose are counted without gaps");
        among_others(&bundle, 6, "the rules refuse the step");
    }
    // A board with its seals, twice.
    let mut book = Book::opened("higher-lower/tempo-up", Some(Seat::P2), NO_ITEMS);
    book.plays("p2: colour pink");
    book.plays(&format!("host: place {BOARD_A}"));
    let at = book.of_kind(Kind::Drawn)[0].0 as usize;
    let twice = |entries: &mut Entries| {
        let again = entries[at].1.clone();
        inserted(entries, at, again);
    };
    among_others(&forged(&book, Seals::Kept, twice), 3, "the same seal is in the match twice");
}

#[test]
fn the_seals_of_a_draw_are_those_of_its_hidden_values() {
    let book = ended(boards());
    let why = "it holds a seal for every value that its line hides";
    // Another name: turning the cell would have nothing to open.
    let renamed = |entries: &mut Entries| {
        for seal in &mut drawn_d(entries).seals {
            seal.field = field(&seal.field.as_str().replace("d-d3", "x-d3"));
        }
        each_opening(entries).for_each(|o| o.field = field(&o.field.as_str().replace("d-d3", "x-d3")));
    };
    among_others(&forged(&book, Seals::Remade, renamed), 3, why);
    // The names of two cells are swapped: each opens with the other's card.
    let traded = |entries: &mut Entries| {
        let seals = &mut drawn_d(entries).seals;
        let at = |name: &str| seals.iter().position(|seal| seal.field == field(name)).unwrap();
        let (a, b) = (at("d-c5"), at("d-d5"));
        (seals[a].field, seals[b].field) = (field("d-d5"), field("d-c5"));
        let mut values = Vec::new();
        for opening in each_opening(entries) {
            if ["d-c5", "d-d5"].contains(&opening.field.as_str()) {
                values.push(opening.value.clone());
            }
        }
        values.reverse();
        for opening in each_opening(entries) {
            if ["d-c5", "d-d5"].contains(&opening.field.as_str()) {
                opening.value = values.remove(0);
            }
        }
    };
    caught(&forged(&book, Seals::Remade, traded), 3, why);
    // An extra seal, with its own name, and with an existing one.
    let more = |entries: &mut Entries| {
        let drawn = entries.iter().find(|(entry, _)| entry.body.contains("place D")).unwrap().0.seq;
        drawn_d(entries).seals.push(DrawnSeal { field: field("spare"), commitment: Commitment::new([9; 32]) });
        let (entry, field, key) = (drawn.0, field("spare"), "09".repeat(32));
        bodies!(entries, Unsealed).next().unwrap().openings.push(Opening { entry, field, key, value: "A1".into() });
    };
    caught(&forged(&book, Seals::Remade, more), 3, why);
    let again = |entries: &mut Entries| {
        let seal = DrawnSeal { field: field("d-a1"), commitment: Commitment::new([9; 32]) };
        drawn_d(entries).seals.push(seal);
    };
    among_others(&forged(&book, Seals::Kept, again), 3, why);
    let none = |entries: &mut Entries| drawn_d(entries).seals.clear();
    let report = record::verify::verify(&forged(&book, Seals::Kept, none));
    assert!(!report.is_good(), "{report:#?}");
}

#[test]
fn an_opening_gives_exactly_the_value_that_stands_in_the_line() {
    // Both cards in one opening, and nothing in the other.
    let book = ended(deal());
    let both = |entries: &mut Entries| {
        for opening in each_opening(entries) {
            match opening.value.as_str() {
                "G5" => opening.value = "G5 R9".into(),
                "R9" => opening.value = String::new(),
                _ => {}
            }
        }
    };
    caught(&forged(&book, Seals::Remade, both), 6, "the step is not what the openings give");
    let book = ended(boards());
    let cells = |entries: &mut Entries| {
        for opening in each_opening(entries) {
            match opening.field.as_str() {
                "d-a1" => opening.value = "D1 E1".into(),
                "d-b1" => opening.value = String::new(),
                _ => {}
            }
        }
    };
    among_others(&forged(&book, Seals::Remade, cells), 6, "the step is not what the openings give");
}

#[test]
fn after_a_strike_a_draw_is_made_again_and_counts_from_where_it_was() {
    let mut book = deal();
    book.strikes(5, "the wrong card was shown");
    book.plays("host: community B9");
    let drawn = book.of_kind(Kind::Drawn);
    let Body::Drawn(last) = Body::read(&book.entries()[drawn[2].0 as usize]).unwrap() else { unreachable!() };
    assert_eq!((last.ordinal, last.step), (0, 5));
    book.plays("G5 R9 / G2 G7");
    let book = ended(book);
    assert_eq!(book.verdict(), "verified with 1 ruling and 1 strike (recorded by the umpire)");
    // Also a board, whose seals are different the second time.
    let mut book = boards();
    book.strikes(6, "another board was meant");
    book.plays(&format!("host: place {BOARD_D}"));
    for line in lines(&boards()).split_off(6) {
        book.plays(&line);
    }
    let book = ended(book);
    assert_eq!(book.verdict(), "verified with 1 ruling and 1 strike (recorded by the umpire)");
    all_open(&book);
    // The step shows the new board, which the old seal does not fit.
    let old = book.of_kind(Kind::Drawn)[3];
    let swapped = |entries: &mut Entries| {
        let there = each_opening(entries).find(|o| o.entry == old.0 && o.field == field("d-d3")).unwrap().clone();
        let turned = bodies!(entries, Resolved).filter(|body| body.dmn == "p1: turn d3").last().unwrap();
        let at = turned.openings.iter().position(|opening| opening.field == field("d-d3")).unwrap();
        let new = std::mem::replace(&mut turned.openings[at], there);
        let last = bodies!(entries, Unsealed).last().unwrap();
        last.openings.retain(|opening| (opening.entry, &opening.field) != (old.0, &field("d-d3")));
        last.openings.push(new);
    };
    caught(&forged(&book, Seals::Remade, swapped), 3, "it opens the d-d3 of host");
}

fn all_open(book: &Book) {
    let history = book.public();
    assert!(history.seals.iter().all(|seal| seal.opened_by.iter().all(Option::is_some)), "a seal stays closed");
}

/// Checks that later steps and hidden values stay as they are, and that everything opens at the end.
fn corrected(mut book: Book, step: u32, line: &str) -> Book {
    let (before, was) = (lines(&book), book.public());
    book.corrects_line(step, line);
    let now = lines(&book);
    assert_eq!(now.len(), before.len());
    assert_eq!(now[step as usize], before[step as usize], "the next step stays");
    assert_eq!(now[step as usize - 1], line);
    let public = book.public();
    assert!(public.faults.is_empty(), "{:?}", public.faults);
    for (now, was) in public.steps.iter().zip(&was.steps).filter(|(now, _)| now.number > step) {
        assert_eq!(now.public, was.public);
    }
    let said: String = book.lines.iter().map(|line| String::from_utf8_lossy(line) + "\n").collect();
    for ((entry, name), secret) in &book.secrets {
        assert_eq!(said.contains(&secret.key.to_hex()), public.is_open(*entry, name), "entry {entry}, {name}");
    }
    let over = ended(book.clone());
    assert_eq!(over.verified().findings[2].status, Status::Holds);
    assert!(over.verdict().starts_with("verified with "), "{}", over.verdict());
    all_open(&over);
    book
}

#[test]
fn a_mistyped_board_is_corrected_while_the_later_steps_stay() {
    let cards: Vec<&str> = BOARD_D.split(' ').collect();
    // Two cards of one group swap places: in the first case face-down ones, in the second one that was turned over.
    for [one, other] in [FACE_DOWN, TURNED] {
        let mut swapped = cards.clone();
        swapped.swap(one, other);
        let line = format!("host: place {}", swapped.join(" "));
        let book = corrected(boards(), 6, &line);
        let struck = book.of_kind(Kind::Struck);
        let Body::Struck(struck) = Body::read(&book.entries()[struck[0].0 as usize]).unwrap() else { unreachable!() };
        assert_eq!(struck.steps[0].seals.len(), 25);
        assert_eq!(struck.steps[0].seals.iter().filter(|seal| seal.commitment.is_some()).count(), 2, "{line}");
        // And back, and forth again.
        let book = corrected(book, 6, &format!("host: place {BOARD_D}"));
        corrected(book, 6, &line);
    }
}

/// Cells of board D whose cards can be swapped, by their place in the line, where the board is 0.
const FACE_DOWN: [usize; 2] = [1, 7];
const TURNED: [usize; 2] = [6, 10];

#[test]
fn a_mistyped_deal_or_community_card_is_corrected() {
    // R8 was never used.
    let book = corrected(deal(), 1, "host: deal B4 R1 R7 R9 G5 | B2 R6 B3 G2 G7");
    let book = corrected(book, 5, "host: community B9");
    let book = corrected(book, 6, "G5 B4 / G2 G7");
    let book = corrected(book, 6, "R9 G5 / G2 G7");
    corrected(book, 6, "G5 R9 / G2 G7");
    // G5 was chosen: without it the choice would be illegal, and nothing changes.
    let mut book = deal();
    let refused = book.writes(|_, history, _| {
        let amended =
            record::write::Amendment { moves: BySeat::default(), draw: Some("deal B4 R1 R8 R9 G6 | B2 R6 B3 G2 G7") };
        record::write::plan_correction(history, 1, amended)?;
        Ok(record::write::NewEntries::default())
    });
    assert!(refused.unwrap_err().to_string().contains("step 6 would become illegal"));
}

#[test]
fn the_plan_of_a_strike_names_each_step_and_its_round() {
    let plan = record::write::plan_strike(&boards().history(), 6).unwrap();
    let rounds: Vec<(u32, u32)> = plan.changes.iter().map(|change| (change.number, change.round)).collect();
    assert_eq!(rounds, [(6, 0), (7, 0), (8, 1), (9, 1), (10, 1), (11, 1)]);
}

#[test]
fn a_share_of_the_host_in_a_match_without_draws_is_caught_by_finding_5() {
    let shared = Book::host_draws("devils-deal/blooming-genius");
    let share = shared.entries()[shared.of_kind(Kind::Drawn)[0].0 as usize].clone();
    let book = Book::opened("five-card-trick/genius-puzzler", Some(Seat::P2), NO_ITEMS);
    let bundle = forged(&book, Seals::Kept, |entries| {
        let last = entries.len() - 1;
        inserted(entries, last, Body::read(&share).unwrap());
    });
    among_others(&bundle, 5, "this match draws nothing here");
}

#[test]
fn a_seal_of_two_values_of_which_one_is_never_opened_is_named() {
    let mut book = Book::opened("five-card-trick/genius-puzzler", Some(Seat::P2), NO_ITEMS);
    book.plays("score block:claim / grow block:steal");
    book.rules("conceded", Some(Verdict::Won(Seat::P1)));
    book.ends();
    let bundle = forged(&book, Seals::Kept, |entries| {
        for (_, body) in entries {
            if let Body::Unsealed(unsealed) = body {
                unsealed.openings.pop();
            }
        }
    });
    let report = record::verify::verify(&bundle);
    let third: Vec<&str> = report.findings[2].details.iter().map(|detail| detail.text.as_str()).collect();
    assert_eq!(third.iter().filter(|text| text.contains("this seal was never opened")).count(), 1, "{report:#?}");
}

#[test]
fn a_strike_needs_a_reason_that_can_be_read() {
    let mut book = deal();
    for blank in ["", " ", " \u{a0}\n"] {
        let refused = book.writes(|context, history, secrets| {
            let plan = record::write::plan_strike(history, 8)?;
            record::write::strike(context, history, &plan, blank, secrets)
        });
        assert_eq!(refused.unwrap_err().to_string(), "a strike needs its reason", "{blank:?}");
    }
}
