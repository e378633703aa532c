//! The host's own draws, by keys from three shares, and the detection of a change in any of them.

use engine::{BySeat, Duel, Seat, SplitMix64, To, Verdict};
use ledger::{DrawIndex, Entry, Hash, Kind, Seed, Share};
use record::HostAct;
use record::body::{Body, DrawSource, Drawn, KeyBatch, Opening};
use record::verify::{Status, verify};
use record::write;

use crate::acts::NO_ITEMS;
use crate::book::Book;
use crate::forger::{Entries, Seals, among_others, bodies, caught, failing, forged};

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
        let sample = |duel: &Duel, seat, numbers: &mut SplitMix64| duel.sample(seat, ask.what, numbers);
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

fn drawn(book: &Book) -> Vec<Drawn> {
    let bodies = book.entries().into_iter().map(|entry| Body::read(&entry).unwrap());
    let drawn = bodies.filter_map(|body| match body {
        Body::Drawn(body) => Some(body),
        _ => None,
    });
    drawn.collect()
}

/// The entries as one text.
fn said(book: &Book) -> String {
    book.lines.iter().map(|line| String::from_utf8_lossy(line) + "\n").collect()
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
    let book = Book::host_draws("five-card-trick/dm-colosseum-2");
    assert!(!book.history().host_draws());
    assert!(!said(&book).contains("\"draws\""));
    assert_eq!(book.history().host_act(), None);
    assert_eq!(book.verified().findings[4].summary, "Nothing was drawn.");
}

#[test]
fn nothing_of_a_coming_draw_is_in_the_entries() {
    for ruleset in [DEAL, BOARDS] {
        let book = played(ruleset);
        let (said, secrets) = (said(&book), &book.secrets);
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
fn honest_words_where_a_share_is_missing() {
    let told = |shares: BySeat<&str>| {
        let mut book = Book::host_draws(DEAL);
        book.lists(shares);
        book.seeds();
        book.draws_by_key();
        let finding = ended(book).verified().findings[4].clone();
        assert!(finding.details.iter().all(|detail| !detail.wrong), "{finding:#?}");
        (finding.status, finding.details.iter().map(|detail| detail.text.clone()).collect::<Vec<_>>().join("\n"))
    };
    let (status, words) = told(BySeat { p1: "-", p2: "-" });
    assert_eq!(status, Status::Reported);
    assert!(words.starts_with("no player gave a share: both count as zeros"), "{words}");
    let (status, words) = told(BySeat { p1: "-", p2: "blue" });
    assert_eq!(status, Status::Reported);
    assert!(words.starts_with("Juniper gave no share: it counts as zeros, and the draws come from"), "{words}");
    assert!(words.contains("the share of Okapi was typed by the umpire"), "{words}");
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

mod forged_with_care {
    use super::*;

    fn nth(entries: &mut Entries, n: usize) -> &mut Drawn {
        bodies!(entries, Drawn).nth(n).unwrap()
    }

    /// Every opening of the match, in any entry.
    fn each_opening(entries: &mut Entries) -> impl Iterator<Item = &mut Opening> {
        entries.iter_mut().flat_map(|(_, body)| match body {
            Body::Resolved(body) => body.openings.iter_mut(),
            Body::Unsealed(body) => body.openings.iter_mut(),
            Body::ShareOpenings(body) => body.openings.iter_mut(),
            Body::FixedSeed(body) => body.openings.iter_mut(),
            _ => [].iter_mut(),
        })
    }

    #[test]
    fn nothing_changed_is_nothing_found() {
        for ruleset in [DEAL, BOARDS] {
            let book = ended(played(ruleset));
            for seals in [Seals::Kept, Seals::Remade] {
                let bundle = forged(&book, seals, |_| ());
                assert_eq!(bundle, book.bundle());
                assert_eq!(failing(&verify(&bundle)), [0; 0]);
            }
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
            let key = nth(entries, 0).key.as_mut().unwrap();
            key.key = Some(seed.key(DrawIndex(4)).to_hex());
            key.path = seed.tree(0).prove(DrawIndex(4));
        };
        caught(&forged(&book, Seals::Remade, other), 5, "the key of draw 0 is the one under the root");
        let index = |entries: &mut Entries| {
            other(entries);
            nth(entries, 0).key.as_mut().unwrap().index = 4;
        };
        caught(&forged(&book, Seals::Remade, index), 5, "a draw's number follows from its purpose and ordinal");
    }

    #[test]
    fn a_key_a_path_or_a_line_that_was_altered() {
        let book = played(DEAL);
        let under = "the key of draw 0 is the one under the root";
        let key = |entries: &mut Entries| {
            let key = nth(entries, 0).key.as_mut().unwrap().key.as_mut().unwrap();
            key.replace_range(..1, if key.starts_with('0') { "1" } else { "0" });
        };
        caught(&forged(&book, Seals::Remade, key), 5, under);
        let path = |entries: &mut Entries| nth(entries, 0).key.as_mut().unwrap().path.0[7] = Hash::ZERO;
        caught(&forged(&book, Seals::Remade, path), 5, under);
        let short = |entries: &mut Entries| nth(entries, 0).key.as_mut().unwrap().path.0.truncate(7);
        caught(&forged(&book, Seals::Remade, short), 5, under);
        let taken = |entries: &mut Entries| nth(entries, 0).key.as_mut().unwrap().key = None;
        caught(&forged(&book, Seals::Remade, taken), 5, "an open draw gives its key");
        let none = |entries: &mut Entries| nth(entries, 0).key = None;
        caught(&forged(&book, Seals::Remade, none), 5, "a draw of the host's names its key");
        let mut swapped = drawn(&book)[0].dmn.clone();
        let cards: Vec<String> = swapped.split(' ').map(str::to_owned).collect();
        swapped = swapped.replacen(&format!("{} {}", cards[2], cards[3]), &format!("{} {}", cards[3], cards[2]), 1);
        let line = |entries: &mut Entries| nth(entries, 0).dmn = swapped.clone();
        among_others(&forged(&book, Seals::Remade, line), 5, "what was drawn is what the key of draw 0 gives");
    }

    #[test]
    fn a_draw_that_passes_for_typed_in_or_for_anothers() {
        let book = played(DEAL);
        let typed = |entries: &mut Entries| {
            for (entry, body) in entries.iter_mut() {
                if let Body::Drawn(body) = body {
                    (body.source, body.key) = (DrawSource::Umpire, None);
                    entry.by = "umpire:k3x9".parse().unwrap();
                }
            }
        };
        caught(&forged(&book, Seals::Remade, typed), 5, "where the host draws, nothing is typed in");
        let by = |by: &'static str| {
            move |entries: &mut Entries| {
                let drawn = entries.iter_mut().filter(|(entry, _)| entry.kind == Kind::Drawn);
                drawn.for_each(|(entry, _)| entry.by = by.parse().unwrap());
            }
        };
        caught(&forged(&book, Seals::Remade, by("umpire:k3x9")), 5, "the host enters its own draws");
        caught(&forged(&book, Seals::Remade, by("p1")), 5, "the host enters its own draws");
        // And only the umpire types draws in.
        let mut typed = Book::opened(DEAL, Some(Seat::P1), NO_ITEMS);
        typed.plays("host: deal B4 R1 R8 R9 G5 | B2 R6 B3 G2 G7");
        caught(&forged(&typed, Seals::Remade, by("server")), 5, "an umpire enters what was drawn elsewhere");
        let host = |entries: &mut Entries| nth(entries, 0).source = DrawSource::Host;
        among_others(&forged(&typed, Seals::Remade, host), 5, "the host draws this");
    }

    #[test]
    fn a_share_that_was_replaced() {
        for ruleset in [DEAL, BOARDS] {
            let book = ended(played(ruleset));
            let replaced = |seq: u32| {
                move |entries: &mut Entries| {
                    let opening = each_opening(entries).find(|opening| opening.entry == seq);
                    opening.unwrap().value = Share::of_line("another").to_hex();
                }
            };
            // It does not fit its seal; with the seal remade, everything that follows from it does not fit.
            for seq in [1, 3, 4] {
                among_others(&forged(&book, Seals::Kept, replaced(seq)), 3, "does not open its seal");
                let bundle = forged(&book, Seals::Remade, replaced(seq));
                among_others(&bundle, 5, "the root covers the keys that follow from the shares");
                among_others(&bundle, 5, "follows from the shares");
            }
            let word = |entries: &mut Entries| {
                each_opening(entries).find(|opening| opening.entry == 3).unwrap().value = "seven".into();
            };
            among_others(&forged(&book, Seals::Remade, word), 5, "what p1 sealed is a share");
        }
    }

    #[test]
    fn a_root_that_was_altered() {
        let book = ended(played(BOARDS));
        let root = |entries: &mut Entries| bodies!(entries, FixedSeed).next().unwrap().root = Hash::ZERO;
        let bundle = forged(&book, Seals::Remade, root);
        among_others(&bundle, 5, "the root covers the keys that follow from the shares");
        among_others(&bundle, 5, "the key of draw 0 is the one under the root");
        let more = |entries: &mut Entries| {
            let at = entries.len() - 1;
            let keyed = KeyBatch { purpose: "keys".into(), ordinal: 1, root: Hash::ZERO };
            let entry = Entry { kind: Kind::Drawn, by: ledger::Author::Host, ..entries[at].0.clone() };
            entries.push((entry, Body::KeyBatch(keyed)));
        };
        caught(&forged(&book, Seals::Remade, more), 5, "the root covers the keys that follow from the shares");
    }

    #[test]
    fn a_list_that_was_altered() {
        let book = ended(played(DEAL));
        let dropped = |entries: &mut Entries| bodies!(entries, ShareList).next().unwrap().sealed.p2 = None;
        among_others(&forged(&book, Seals::Remade, dropped), 5, "it lists the share that p2 sealed");
        let other = |entries: &mut Entries| bodies!(entries, ShareList).next().unwrap().sealed.p2 = Some(3);
        among_others(&forged(&book, Seals::Remade, other), 5, "it lists the share that p2 sealed");
        let host = |entries: &mut Entries| bodies!(entries, ShareList).next().unwrap().host = 0;
        caught(&forged(&book, Seals::Remade, host), 5, "it lists the host's share");
        let decision =
            |entries: &mut Entries| bodies!(entries, ShareList).next().unwrap().decision = "d2".parse().unwrap();
        among_others(&forged(&book, Seals::Remade, decision), 5, "it lists what the seats were asked for last");
        let tree = |entries: &mut Entries| bodies!(entries, FixedSeed).next().unwrap().tree.size = 5;
        among_others(&forged(&book, Seals::Remade, tree), 5, "the tree that it names covers the list");
        let tree = |entries: &mut Entries| bodies!(entries, ShareOpenings).next().unwrap().tree.size = 5;
        caught(&forged(&book, Seals::Remade, tree), 5, "the tree that it names covers the list");
        let unopened = |entries: &mut Entries| drop(bodies!(entries, ShareOpenings).next().unwrap().openings.pop());
        among_others(&forged(&book, Seals::Remade, unopened), 4, "the share of p2 is waited for until its time is up");
        let gone = |entries: &mut Entries| entries.retain(|(_, body)| !matches!(body, Body::ShareList(_)));
        among_others(&forged(&book, Seals::Remade, gone), 5, "shares are listed before they are opened");
    }

    #[test]
    fn a_host_that_does_not_open() {
        for ruleset in [DEAL, BOARDS] {
            let book = ended(played(ruleset));
            let kept = |entries: &mut Entries| {
                bodies!(entries, Unsealed).for_each(|body| body.openings.retain(|opening| opening.entry != 1));
            };
            caught(&forged(&book, Seals::Kept, kept), 5, "at the end the host opens its share");
        }
        let book = ended(played(BOARDS));
        let keys = |entries: &mut Entries| bodies!(entries, Unsealed).for_each(|body| drop(body.keys.pop()));
        caught(&forged(&book, Seals::Kept, keys), 5, "opens");
    }

    #[test]
    fn a_hidden_draw_that_is_not_what_its_key_gives() {
        let book = ended(played(BOARDS));
        let place = |body: &Drawn| body.purpose == "place";
        assert!(drawn(&book).iter().filter(|body| place(body)).count() >= 1);
        // The keys of two boards are swapped.
        let traded = |entries: &mut Entries| {
            let keys = &mut bodies!(entries, Unsealed).find(|body| !body.keys.is_empty()).unwrap().keys;
            let [one, other] = [keys[0].clone(), keys[1].clone()];
            (keys[0].key, keys[0].path) = (other.key, other.path);
            (keys[1].key, keys[1].path) = (one.key, one.path);
        };
        let bundle = forged(&book, Seals::Kept, traded);
        among_others(&bundle, 5, "the key of draw 0 is the one under the root");
        // Two cells of a group are swapped on the table, with their seals: the rules accept it, but the key does not.
        let open = |entries: &mut Entries| nth(entries, 0).key.as_mut().unwrap().key = Some("00".repeat(32));
        among_others(&forged(&book, Seals::Kept, open), 5, "the key of a hidden draw stays closed");
        let drawn_at = book
            .of_kind(Kind::Drawn)
            .into_iter()
            .find(|seq| matches!(Body::read(&book.entries()[seq.0 as usize]), Ok(Body::Drawn(_))));
        let moved = |entries: &mut Entries| {
            let seq = drawn_at.unwrap().0;
            let mut of: Vec<&mut Opening> = each_opening(entries).filter(|opening| opening.entry == seq).collect();
            let value = of[0].value.clone();
            let other = of[1].value.clone();
            of[0].value = other;
            of[1].value = value;
        };
        among_others(&forged(&book, Seals::Remade, moved), 5, "what was drawn is what the key of draw 0 gives");
        // A key for a draw that does not exist.
        let stray = |entries: &mut Entries| {
            let body = bodies!(entries, Unsealed).find(|body| !body.keys.is_empty()).unwrap();
            let mut key = body.keys[0].clone();
            key.entry = 0;
            body.keys.push(key);
        };
        caught(&forged(&book, Seals::Kept, stray), 5, "it opens the key of a hidden draw");
    }

    #[test]
    fn a_seed_that_is_given_up_for_another() {
        // The host seals a second share while its first is secret: it could look at both, and choose.
        let mut book = Book::host_draws(DEAL);
        book.lists(BySeat { p1: "one", p2: "two" });
        let again = |entries: &mut Entries| {
            let (entry, body) = entries[1].clone();
            let Body::HostShare(mut shared) = body else { unreachable!() };
            shared.ordinal = 1;
            shared.seals[0].commitment = ledger::Commitment::new([9; 32]);
            entries.push((Entry { at: entries.last().unwrap().0.at, ..entry }, Body::HostShare(shared)));
        };
        caught(&forged(&book, Seals::Kept, again), 5, "the host seals another share once the one before is open");
    }

    #[test]
    fn a_correction_that_changes_a_draw() {
        let mut book = seeded(BOARDS);
        plays(&mut book, &mut SplitMix64(5), 12);
        let first = book.history().steps[0].text.clone().unwrap();
        book.corrects_line(1, &first);
        assert!(book.public().faults.is_empty(), "{:?}", book.public().faults);
        let changed = |entries: &mut Entries| {
            let struck = bodies!(entries, Struck).next().unwrap();
            let instead = struck.steps.iter_mut().find(|step| step.dmn.starts_with("host:")).unwrap();
            instead.seals[0].commitment = Some(ledger::Commitment::new([9; 32]));
        };
        let why = "a draw of the host's is struck and made again, and never corrected";
        among_others(&forged(&book, Seals::Kept, changed), 5, why);
    }

    #[test]
    fn a_draw_before_there_is_a_seed() {
        let book = played(DEAL);
        let gone = |entries: &mut Entries| entries.retain(|(_, body)| !matches!(body, Body::FixedSeed(_)));
        among_others(&forged(&book, Seals::Kept, gone), 5, "it draws from a seed that is still secret");
    }
}
