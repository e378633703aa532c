//! Draws that wait for a round of a public randomness beacon.

use beacon::{NetworkSecret, RoundLie};
use engine::{BySeat, SplitMix64, To};
use ledger::{DrawIndex, Network, Policy, RoundSignature};
use record::verify::{Check, Finding, Report, RoundCheck, Status};
use record::{Bundle, HostAct, Rule, write};

use crate::book::Book;
use crate::log::{cosigned_at, log_key, logged, witnesses};
use crate::report::said_by;
use crate::seeds::{BOARDS, ended, plays};

const DEAL: &str = "devils-deal/blooming-genius";

/// The time of quicknet's round 1000, in microseconds.
const ROUND_1000: i64 = (1_692_803_367 + 999 * 3) * 1_000_000;

pub(crate) fn is_signed(check: &RoundCheck) -> bool {
    beacon::is_signed(&check.network, check.round, &check.signature)
}

/// A match whose deal waited for round 1000 of quicknet, as it was published.
pub(crate) fn published() -> Book {
    let network = Network::quicknet();
    // Eight entries come before, each a second after the last.
    let mut book = seeded(DEAL, &network, ROUND_1000 - 14_000_000);
    let round = book.names_round(&network);
    assert_eq!(round.number(), 1000);
    book.signs_round(&network, round, signature_1000());
    book.draws_by_key();
    book
}

/// A match whose deal was made without the round that was named, by a ruling.
pub(crate) fn waived() -> Book {
    let network = Network::quicknet();
    let mut book = seeded(DEAL, &network, ROUND_1000 - 14_000_000);
    book.names_round(&network);
    book.writes(|context, history, _| write::go_on_without_round(context, history, None, "the beacon is silent"))
        .unwrap();
    book.draws_by_key();
    book
}

/// A match with a beacon that only its own policy could know.
pub(crate) fn unknown() -> Book {
    let mut book = live(DEAL);
    let round = book.names_round(&network());
    book.signs_round(&network(), round, secret().sign(round));
    book.draws_by_key();
    book
}

fn signature_1000() -> RoundSignature {
    let file: serde_json::Value = serde_json::from_str(include_str!("../../../fixtures/vectors/beacon.json")).unwrap();
    file["rounds"][1]["signature"].as_str().unwrap().parse().unwrap()
}

fn secret() -> NetworkSecret {
    NetworkSecret::of(7)
}

/// A network of the tests' own.
fn network() -> Network {
    secret().network(1_795_000_000, 3)
}

fn seeded(ruleset: &str, network: &Network, now: i64) -> Book {
    let mut book = Book::draws_with(ruleset, network, now);
    book.lists(BySeat { p1: "the owl is late", p2: "fourteen green bottles" });
    book.seeds();
    book
}

fn live(ruleset: &str) -> Book {
    seeded(ruleset, &network(), 1_795_207_308_000_000)
}

/// Plays steps, with a round for all draws that come in a row.
fn plays_by_rounds(book: &mut Book, numbers: &mut SplitMix64, steps: u32) {
    for _ in 0..steps {
        if book.history().needs_round() {
            let round = book.names_round(&network());
            book.signs_round(&network(), round, secret().sign(round));
        }
        plays(book, numbers, 1);
    }
}

fn played(ruleset: &str) -> Book {
    let mut book = live(ruleset);
    plays_by_rounds(&mut book, &mut SplitMix64(5), 24);
    ended(book)
}

/// A policy that knows the log, its witnesses and these networks.
fn policy(book: &Book, network: Option<&Network>) -> Policy {
    let [alder, birch] = witnesses();
    let beacon = network.map(|network| format!("beacon {network}\n")).unwrap_or_default();
    let text = format!(
        "log {}\n{beacon}witness alder {}\nwitness birch {}\ngroup both all alder birch\nquorum both\n",
        log_key(book).verifier(),
        alder.verifier(),
        birch.verifier()
    );
    Policy::read(text.as_bytes()).unwrap()
}

/// The file, with the cosignatures of each earlier tree so many seconds before the last of the rounds' times.
fn witnessed(book: &Book, before: i64) -> Bundle {
    let times = book.history().rounds.iter().map(|round| network().second_of(round.round)).collect::<Vec<_>>();
    let mut bundle = logged(book);
    for named in &mut bundle.logged.as_mut().unwrap().trees {
        let history = book.history();
        let round = history.rounds.iter().find(|round| round.signed.as_ref().is_some_and(|s| s.tree == named.tree));
        let second = round.map_or(times[0], |round| network().second_of(round.round));
        named.checkpoint = named.checkpoint.take().map(|note| cosigned_at(note, second.strict_sub_signed(before)));
    }
    bundle
}

fn report(book: &Book, bundle: &Bundle, network: Option<&Network>) -> Report {
    Check::of(bundle, Some(&policy(book, network))).with_rounds(is_signed).report()
}

fn fifth(report: &Report) -> &Finding {
    &report.findings[4]
}

#[test]
fn a_published_round_of_quicknet_is_checked_without_a_network() {
    let book = ended(published());
    let report = Check::of(&logged(&book), None).with_rounds(is_signed).report();
    assert!(report.is_good(), "{report:#?}");
    let summary = &fifth(&report).summary;
    assert!(summary.contains("only the host says when the round was named"), "{summary}");
    let body = book.entries().into_iter().find(|entry| entry.body.contains("\"purpose\":\"round\"")).unwrap().body;
    assert_eq!(body, r#"{"purpose":"round","ordinal":0,"indexes":[0],"round":1000}"#);
    let body = book.entries().into_iter().find(|entry| entry.body.contains("\"purpose\":\"signature\"")).unwrap().body;
    assert!(body.starts_with(r#"{"purpose":"signature","ordinal":0,"named":8,"signature":"b44679b9"#), "{body}");
    assert!(book.entries()[0].body.ends_with(&format!(",\"beacon\":\"{}\"}}", Network::quicknet().hash)));
    let unchecked = Check::of(&logged(&book), None).report();
    assert!(unchecked.is_good() && fifth(&unchecked).summary.contains("the beacon counts as none here"));
}

#[test]
fn whoever_knows_all_shares_cannot_choose_if_witnesses_saw_the_round_named() {
    for ruleset in engine::rulesets().filter(|ruleset| !ruleset.draws().is_empty()) {
        let book = played(ruleset.card().id);
        assert!(book.public().faults.is_empty(), "{:?}", book.public().faults);
        let report = report(&book, &witnessed(&book, 1), Some(&network()));
        assert!(report.is_good(), "{report:#?}");
        assert_eq!(fifth(&report).status, Status::Holds, "{report:#?}");
        assert!(fifth(&report).summary.contains("So nobody could choose, whoever made the shares."), "{report:#?}");
        assert!(book.public().draws.iter().all(|draw| draw.checked));
    }
}

#[test]
fn a_cosignature_is_a_second_older_than_the_round_or_it_shows_nothing() {
    let book = played(DEAL);
    for (before, status) in [(2, Status::Holds), (1, Status::Holds), (0, Status::Reported), (-5, Status::Reported)] {
        let report = report(&book, &witnessed(&book, before), Some(&network()));
        assert_eq!(fifth(&report).status, status, "{before}: {report:#?}");
        let word = fifth(&report).summary.contains("only the host says when the round was named");
        assert_eq!(word, status == Status::Reported, "{}", fifth(&report).summary);
    }
    let unseen = report(&book, &logged(&book), Some(&network()));
    assert_eq!(fifth(&unseen).status, Status::Reported);
}

#[test]
fn a_network_that_the_reader_does_not_know_counts_as_none() {
    let book = played(DEAL);
    let report = report(&book, &witnessed(&book, 1), None);
    assert!(report.is_good(), "{report:#?}");
    assert_eq!(fifth(&report).status, Status::Reported);
    assert!(fifth(&report).summary.contains("the beacon counts as none here, so the host could have chosen"));
    assert_eq!(said_by(&report, Rule::UnknownBeacon).len(), 1);
}

#[test]
fn a_false_signature_fails_and_so_does_one_of_another_network() {
    for lie in [RoundLie::OtherRound, RoundLie::OtherNetwork] {
        let mut book = live(DEAL);
        let round = book.names_round(&network());
        book.signs_round(&network(), round, secret().lie(round, lie));
        book.draws_by_key();
        let report = report(&book, &logged(&book), Some(&network()));
        assert!(!report.is_good());
        assert_eq!(
            said_by(&report, Rule::RoundSigned),
            [format!("the signature of round {round} is not the beacon\u{2019}s")]
        );
    }
}

#[test]
fn a_draw_waits_for_its_round_and_never_leaves_it_by_itself() {
    let mut book = live(DEAL);
    assert!(book.history().needs_round());
    assert_eq!(book.history().host_act(), None, "an umpire begins a draw");
    let early = book.writes(write::draw_by_key).unwrap_err();
    assert_eq!(early.to_string(), "this draw waits for a round of the beacon, which is named first");
    let round = book.names_round(&network());
    assert_eq!(book.history().awaited_round().unwrap().indexes, [DrawIndex(0)]);
    assert_eq!(book.history().host_act(), None, "and waits");
    assert!(book.writes(write::draw_by_key).is_err());
    let again = book.writes(|context, history, secrets| {
        write::name_round(context, history, secrets, &network(), std::time::Duration::ZERO)
    });
    assert!(again.is_err(), "a draw has one round");
    book.signs_round(&network(), round, secret().sign(round));
    assert_eq!(book.history().host_act(), Some(HostAct::DrawByRound));
    book.draws_by_key();
    assert!(book.history().faults.is_empty(), "{:?}", book.history().faults);
}

#[test]
fn only_a_ruling_goes_on_without_and_that_is_graded_by_the_host() {
    let mut book = live(DEAL);
    let ruled = |book: &mut Book| {
        book.writes(|context, history, _| write::go_on_without_round(context, history, None, "the beacon is silent"))
    };
    assert!(ruled(&mut book).is_err(), "nothing waits");
    let round = book.names_round(&network());
    ruled(&mut book).unwrap();
    assert!(ruled(&mut book).is_err(), "once");
    let late = book.writes(|context, history, _| {
        let tree = history.trees.last().unwrap().1;
        write::sign_round(context, history, round, secret().sign(round), tree)
    });
    assert!(late.is_err(), "nothing waits any more");
    book.draws_by_key();
    let book = ended(book);
    let report = report(&book, &witnessed(&book, 1), Some(&network()));
    assert!(report.is_good(), "{report:#?}");
    assert_eq!(fifth(&report).status, Status::Reported);
    assert!(fifth(&report).summary.contains("1 draw was made by the host, without the round, after a ruling."));
    assert_eq!(said_by(&report, Rule::WithoutRound), [format!("draws 0 are made without round {round}")]);
}

#[test]
fn one_round_serves_all_boards_of_a_row_and_keys_open_at_the_end() {
    let mut book = live(BOARDS);
    let mut numbers = SplitMix64(3);
    while !book.history().needs_round() {
        plays(&mut book, &mut numbers, 1);
    }
    let round = book.names_round(&network());
    assert_eq!(book.history().rounds[0].indexes.len(), 5);
    book.signs_round(&network(), round, secret().sign(round));
    while book.history().duel().asks().last().is_some_and(|ask| ask.to == To::Host) {
        book.draws_by_key();
    }
    assert_eq!(book.history().draws.len(), 5);
    assert!(book.history().draws.iter().all(|draw| draw.disturbed.is_none() && draw.hidden));
    let book = ended(book);
    assert!(book.public().draws.iter().all(|draw| draw.checked));
}

#[test]
fn a_struck_draw_keeps_its_round_for_ever_and_is_no_longer_shown() {
    let mut book = live(DEAL);
    plays_by_rounds(&mut book, &mut SplitMix64(5), 3);
    let first = book.history().steps[0].public.clone();
    book.strikes(1, "dealt before the players were there");
    assert_eq!(book.history().host_act(), Some(HostAct::DrawAgain));
    book.draws_by_key();
    assert_eq!(book.history().steps[0].public, first);
    let book = ended(book);
    let report = report(&book, &witnessed(&book, 1), Some(&network()));
    assert!(report.is_good(), "{report:#?}");
    assert_eq!(fifth(&report).status, Status::Reported, "the strike came between");
    assert!(said_by(&report, Rule::RoundShown).iter().any(|text| text.contains("changed the match")), "{report:#?}");
}
