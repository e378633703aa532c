//! The host's own draws, by keys from three shares. What a verifier says of them is in
//! `fixtures/verdicts/host-draws.txt`.

use engine::{BySeat, Duel, Seat, SplitMix64, To, Verdict};
use ledger::{DrawIndex, Kind, Seed, Share};
use record::HostAct;
use record::verify::Status;
use record::write;

use crate::book::Book;
use crate::forger::{Entries, Seals, bodies, caught, forged};
use record::body::Body;

const DEAL: &str = "devils-deal/blooming-genius";
pub(crate) const BOARDS: &str = "higher-lower/tempo-up";

pub(crate) fn seeded(ruleset: &str) -> Book {
    let mut book = Book::host_draws(ruleset);
    book.lists(BySeat { p1: "the owl is late", p2: "fourteen green bottles" });
    book.seeds();
    book
}

/// The next steps of a random match, with draws by the host's keys.
pub(crate) fn plays(book: &mut Book, numbers: &mut SplitMix64, steps: u32) {
    for _ in 0..steps {
        let history = book.history();
        let Some(ask) = history.duel().asks().last().cloned() else { break };
        let sample = |duel: &Duel, seat, numbers: &mut SplitMix64| duel.sample(seat, &ask.what, numbers);
        match ask.to {
            To::Host => book.draws_by_key(),
            To::One(seat) => {
                let sent = sample(history.duel(), seat, numbers).unwrap();
                book.plays(&format!("{seat}: {sent}"));
            }
            To::Both => {
                let [p1, p2] = Seat::BOTH.map(|seat| sample(history.duel(), seat, numbers).unwrap());
                book.plays(&format!("{p1} / {p2}"));
            }
        }
    }
}

fn played(ruleset: &str) -> Book {
    let mut book = seeded(ruleset);
    plays(&mut book, &mut SplitMix64(5), 24);
    book
}

pub(crate) fn ended(mut book: Book) -> Book {
    book.rules("called off", Some(Verdict::Void));
    book.ends();
    book
}

#[test]
fn the_entries_come_in_their_order() {
    let mut book = Book::host_draws(DEAL);
    let kinds = |book: &Book| book.entries().iter().map(|entry| entry.kind).collect::<Vec<_>>();
    assert_eq!(kinds(&book), [Kind::Opened, Kind::Drawn], "the host seals its share before anybody is asked");
    assert_eq!(book.history().host_act(), Some(HostAct::Ask));
    assert!(book.history().asks().is_empty(), "nothing is asked before shares are gathered");
    book.lists(BySeat { p1: "the owl is late", p2: "-" });
    assert_eq!(kinds(&book)[2..], [Kind::Asked, Kind::Sealed, Kind::Drawn]);
    assert_eq!(book.history().host_act(), Some(HostAct::ListOpenings));
    book.opens(&[]).unwrap();
    assert_eq!(book.history().host_act(), Some(HostAct::Fix));
    book.seeds();
    assert_eq!(book.history().host_act(), None);
    let bodies: Vec<String> = book.entries().iter().map(|entry| entry.body.clone()).collect();
    assert!(bodies[0].ends_with(",\"draws\":\"host\"}"), "{}", bodies[0]);
    assert!(bodies[1].starts_with(r#"{"purpose":"share","ordinal":0,"seals":[{"field":"share","commitment":""#));
    assert!(
        bodies[2].starts_with(r#"{"decision":"d1","what":"share","seats":["p1","p2"],"fields":["share"],"clock":60"#)
    );
    let listed =
        r#"{"purpose":"shares","ordinal":0,"host":1,"decision":"d1","sealed":{"p1":3,"p2":null},"commitments":{"p1":""#;
    assert!(bodies[4].starts_with(listed), "{}", bodies[4]);
    let opened = r#"{"purpose":"openings","ordinal":0,"listed":4,"openings":[{"entry":3,"field":"share""#;
    assert!(bodies[5].starts_with(opened), "{}", bodies[5]);
    assert!(bodies[5].contains(r#""came":{"p1":null,"p2":null},"signatures":{"p1":null,"p2":null},"tree":{"size":"#));
    assert!(
        bodies[6].starts_with(r#"{"purpose":"seed","ordinal":0,"listed":5,"openings":[],"tree":"#),
        "{}",
        bodies[6]
    );
    let by: Vec<String> = book.entries().iter().map(|entry| entry.by.to_string()).collect();
    assert_eq!([&by[1], &by[4], &by[5], &by[6]], ["host"; 4]);
    let share = Share::of_line("the owl is late").to_hex();
    assert!(bodies[5].contains(&share) && !bodies[..5].concat().contains(&share));
}

#[test]
fn a_match_of_every_game_that_draws_is_checked_draw_by_draw() {
    for ruleset in engine::rulesets().filter(|ruleset| !ruleset.draws().is_empty()) {
        let book = played(ruleset.card().id);
        let public = book.public();
        assert!(public.faults.is_empty(), "{:?}", public.faults);
        assert!(book.history().faults.is_empty(), "{:?}", book.history().faults);
        let running = &book.verified().findings[4];
        assert_eq!(running.status, Status::NotYet, "{running:#?}");
        assert!(!public.draws.is_empty());
        assert!(public.draws.iter().all(|draw| draw.checked != draw.hidden), "open draws are checked at once");
        let book = ended(book);
        assert_eq!(book.verdict(), "verified with 1 ruling (recorded by the umpire)");
        let finding = &book.verified().findings[4];
        assert_eq!(finding.status, Status::Reported, "the umpire typed the shares: {finding:#?}");
        assert!(book.public().draws.iter().all(|draw| draw.checked), "hidden ones at the end");
        assert!(book.public().seals.iter().all(|seal| seal.opened_by.iter().all(Option::is_some)));
    }
}

#[test]
fn a_game_without_chance_has_nothing_to_draw() {
    let book = Book::of("no chance");
    assert!(!book.history().host_draws());
    assert!(!book.said().contains("\"draws\""));
    assert_eq!(book.history().host_act(), None);
}

#[test]
fn nothing_of_a_coming_draw_is_in_the_entries() {
    for ruleset in [DEAL, BOARDS] {
        let book = played(ruleset);
        let (said, secrets) = (book.said(), &book.secrets);
        let share = secrets.iter().find(|((entry, field), _)| entry.0 == 1 && field.as_str() == "share").unwrap().1;
        assert!(!said.contains(&share.value) && !said.contains(&share.key.to_hex()), "the host's share stays closed");
        let history = book.public();
        let fixed = history.seeds[0].fixed.as_ref().unwrap();
        let seed = fixed.seed(&history.seeds[0].salt, &Share::from_hex(&share.value).unwrap());
        for k in 0..600 {
            let public = history.draws.iter().any(|draw| draw.index.0 == k && !draw.hidden);
            assert_eq!(said.contains(&seed.key(DrawIndex(k)).to_hex()), public, "key {k}");
        }
    }
}

#[test]
fn a_struck_draw_comes_again_with_the_same_cards() {
    for ruleset in [DEAL, BOARDS] {
        let mut book = played(ruleset);
        let before = book.history();
        let step = before.steps.iter().rev().find(|step| before.is_host_drawn(step)).unwrap();
        book.strikes(step.number, "the clock was wrong");
        assert_eq!(book.history().host_act(), Some(HostAct::DrawAgain));
        book.draws_by_key();
        let after = book.history();
        let again = after.steps.last().unwrap();
        assert_eq!((again.number, &again.text), (step.number, &step.text));
        assert_eq!(after.draws.last().unwrap().index, before.draws.last().unwrap().index);
        let book = ended(book);
        assert_eq!(book.verdict(), "verified with 1 ruling and 1 strike (recorded by the umpire)");
        assert_eq!(book.verified().findings[4].status, Status::Reported);
    }
}

#[test]
fn once_the_hosts_share_is_open_new_draws_need_a_new_one() {
    let mut book = ended(played(DEAL));
    let last = book.history().next_step() - 1;
    book.strikes(last, "the players go on");
    // An earlier draw repeats itself; a new one would follow from facts that everybody knows.
    let mut seeds = 0;
    let begin =
        |book: &mut Book| book.writes(|context, history, _| write::begin_shares(context, history, None, "new draws"));
    for _ in 0..80 {
        let history = book.history();
        match history.host_act() {
            None if history.needs_new_shares() => {
                assert!(book.writes(write::host_share).is_err(), "not without a ruling");
                begin(&mut book).unwrap();
                assert!(begin(&mut book).is_err(), "once is enough");
                assert_eq!(book.history().host_act(), Some(HostAct::Seal));
                book.writes(write::host_share).unwrap();
                assert!(book.writes(write::draw_by_key).is_err());
                book.lists(BySeat { p1: "again", p2: "and again" });
                book.seeds();
                seeds += 1;
                break;
            }
            Some(HostAct::DrawAgain) => book.draws_by_key(),
            _ => {
                assert!(!history.needs_new_shares());
                plays(&mut book, &mut SplitMix64(u64::from(history.next_step())), 1);
            }
        }
    }
    assert_eq!(seeds, 1);
    plays(&mut book, &mut SplitMix64(3), 12);
    assert!(book.public().faults.is_empty(), "{:?}", book.public().faults);
    let used: Vec<usize> = book.public().draws.iter().map(|draw| draw.seed).collect();
    assert!(used.contains(&0) && used.contains(&1), "{used:?}");
    if !book.history().outcome().is_over() {
        book.rules("enough", Some(Verdict::Void));
    }
    book.ends();
    assert!(book.verdict().starts_with("verified with "), "{}", book.verdict());
}

#[test]
fn what_the_umpire_may_not_do() {
    let mut book = seeded(DEAL);
    let typed =
        book.writes(|context, history, s| write::draw(context, history, "deal B4 R1 R8 R9 G5 | B2 R6 B3 G2 G7", s));
    assert_eq!(typed.unwrap_err().to_string(), "in this match Matchbook draws, and nothing is typed in");
    book.draws_by_key();
    let twice = book.writes(write::draw_by_key);
    assert_eq!(twice.unwrap_err().to_string(), "the host draws nothing now");
    let corrected = book.writes(|_, history, _| {
        let amended = write::Amendment { draw: Some("deal B4 R1 R8 R9 G5 | B2 R6 B3 G2 G7"), ..Default::default() };
        write::plan_correction(history, 1, amended).map(|_| write::NewEntries::default())
    });
    let why = "Matchbook drew this: strike back to it, and the same draw comes again";
    assert_eq!(corrected.unwrap_err().to_string(), why);
}

#[test]
fn the_numbers_of_a_key_give_the_golden_draws() {
    let golden: serde_json::Value = serde_json::from_str(include_str!("../../../fixtures/vectors/draws.json")).unwrap();
    let hex = |part: &str| golden["seed"][part].as_str().unwrap();
    let share = |part: &str| Share::from_hex(hex(part)).unwrap();
    let seed = Seed::new(&hex("salt").parse().unwrap(), &share("host"), &share("p1"), &share("p2"));
    // The states in which the deal, an offer and a community card are due.
    let setup = engine::Setup { ruleset: DEAL.to_owned(), dmo: Some(Seat::P1), ..engine::Setup::default() };
    let mut duel = Duel::open(&setup).unwrap();
    for (n, before) in [vec![], vec!["host: deal B1 B8 B5 G1 G3 | R6 G6 R3 R4 R9", "p1: start p1", "p1: refill"]]
        .into_iter()
        .enumerate()
    {
        before.iter().for_each(|line| drop(duel.play(line, None).unwrap()));
        let due = duel.asks().pop().unwrap().what;
        let wanted = &golden["draws"][n];
        assert_eq!(due, wanted["purpose"].as_str().unwrap());
        let index = wanted["index"].as_u64().unwrap() as u32;
        let mut stream = seed.key(DrawIndex(index)).stream();
        let mut next = || stream.next().unwrap();
        let drawn = duel.draw(&mut (&mut next as &mut dyn FnMut() -> u64)).unwrap();
        assert_eq!(drawn, wanted["line"].as_str().unwrap());
    }
}

#[test]
fn a_draw_made_again_by_another_key_of_the_tree() {
    let book = played(DEAL);
    let history = book.history();
    let share = &book.secrets[&(ledger::Seq(1), "share".parse().unwrap())];
    let fixed = history.seeds[0].fixed.as_ref().unwrap();
    let seed = fixed.seed(&history.seeds[0].salt, &Share::from_hex(&share.value).unwrap());
    // Key 4 with its own path, as if it were due for the deal.
    let other = |entries: &mut Entries| {
        let key = bodies!(entries, Drawn).next().unwrap().key.as_mut().unwrap();
        key.key = Some(seed.key(DrawIndex(4)).to_hex());
        key.path = seed.tree(0).prove(DrawIndex(4));
    };
    caught(&forged(&book, Seals::Remade, other), 5, "the key of draw 0 is the one under the root");
    let index = |entries: &mut Entries| {
        other(entries);
        bodies!(entries, Drawn).next().unwrap().key.as_mut().unwrap().index = 4;
    };
    caught(&forged(&book, Seals::Remade, index), 5, "a draw's number follows from its purpose and ordinal");
}
