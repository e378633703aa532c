//! Random matches of random declarations: recorded, struck, corrected and ended anywhere, and whole after each act.

use std::sync::Arc;

use engine::games::declared::{DECLARED, Declaration, Phase, Table};
use engine::{BySeat, Seat, Setup, SplitMix64, Stream, Verdict};
use record::body::DrawSource;
use record::write::{self, Amendment, NewMatch};
use record::{History, Texts};

use crate::book::Book;

#[path = "../../../engine/tests/engine/declared/file.rs"]
#[expect(dead_code, reason = "the files of the shelf are for the engine's own tests")]
mod file;
#[path = "../../../engine/tests/engine/declared/generator.rs"]
#[expect(dead_code, reason = "whole matches are for the engine's own tests")]
mod generator;

use generator::chance;

fn opened(game: &Arc<Declaration>, stream: &mut SplitMix64) -> Book {
    let setup = Setup { ruleset: DECLARED.to_owned(), declared: Some(Arc::clone(game)), ..Setup::default() };
    let names = BySeat { p1: "Juniper".to_owned(), p2: "Okapi".to_owned() };
    let draws = chance(stream, 2).then_some(DrawSource::Host);
    let mut book = Book::open(&NewMatch { setup, names, draws, ..NewMatch::default() });
    if book.history().host_draws() {
        book.lists(BySeat { p1: "the owl is late", p2: "-" });
        book.seeds();
    }
    book
}

/// The table after so many steps of a match.
fn table(game: &Arc<Declaration>, history: &History, steps: usize) -> Table {
    let mut table = Table::new(Arc::clone(game));
    for step in history.steps.iter().take(steps) {
        let line = step.text.as_deref().unwrap();
        file::play(&mut table, line).unwrap_or_else(|refusal| panic!("{line}: {refusal}"));
    }
    table
}

fn plays(book: &mut Book, game: &Arc<Declaration>, stream: &mut SplitMix64) {
    let history = book.history();
    let table = table(game, &history, history.steps.len());
    match table.phase() {
        Phase::Drawing(_) if history.host_draws() => book.draws_by_key(),
        _ => book.plays(&generator::step(&table, stream)),
    }
}

/// The umpire corrects a step to another one that is drawn at random; none is corrected where a rule is against it.
fn corrects(book: &mut Book, game: &Arc<Declaration>, stream: &mut SplitMix64) {
    let history = book.history();
    let Some(at) = stream.below(history.steps.len() as u64 + 1).checked_sub(1) else { return };
    let at = usize::try_from(at).unwrap();
    let (before, was) = (table(game, &history, at), &history.steps[at]);
    let mut line = generator::step(&before, stream);
    if let Some(said) =
        was.text.as_deref().and_then(|line| line.strip_prefix("umpire: says ")).filter(|_| chance(stream, 2))
    {
        line = format!("umpire: says \"as it  was\"; {said}");
    }
    let moves = line.split_once(". ").filter(|(round, _)| round.bytes().all(|byte| byte.is_ascii_digit()));
    let moves: Vec<&str> = moves.map_or_else(Vec::new, |(_, moves)| {
        engine::dmn::quotes::split_outside_quotes(moves, b'/').map(|(_, sent)| sent.trim()).collect()
    });
    let moves = match moves.as_slice() {
        [p1, p2] => BySeat { p1: Some(*p1), p2: Some(*p2).filter(|_| chance(stream, 2)) },
        _ => BySeat { p1: line.strip_prefix("p1: "), p2: line.strip_prefix("p2: ") },
    };
    let amended = Amendment { moves, draw: line.strip_prefix("host: "), said: line.strip_prefix("umpire: ") };
    let Ok(plan) = write::plan_correction(&history, was.number, amended) else { return };
    book.writes(|context, history, secrets| write::strike(context, history, &plan, "mistyped", secrets)).unwrap();
}

/// Both seats are asked, and what they sealed is not read any more.
fn seals(book: &mut Book, stream: &mut SplitMix64) {
    let history = book.history();
    let Some(open) = history.open.first() else { return };
    let what = open.asked.what.clone();
    let seats: Vec<Seat> = open.asked.seats.iter().map(|seat| seat.0).collect();
    let moves: Vec<_> =
        seats.into_iter().map(|seat| (seat, history.duel().sample(seat, &what, stream).unwrap())).collect();
    let moves: Vec<_> = moves.iter().map(|(seat, sent)| (*seat, sent.as_str())).collect();
    book.seals(&what, &moves);
}

/// Nothing is wrong for whoever has the entries alone, and no more is open in them than what was opened.
fn holds(book: &Book, name: &str) {
    let (public, seen, said) = (book.public(), book.history(), book.said());
    let name = &format!("{name}, {:#?}", seen.steps.iter().map(|step| &step.public).collect::<Vec<_>>());
    assert!(public.faults.is_empty(), "{name}: {:#?}", public.faults);
    assert!(seen.faults.is_empty() && seen.closed_at.is_none(), "{name}: {:#?}", seen.faults);
    assert!(!book.verdict().contains("failed"), "{name}: {}", book.verdict());
    for ((entry, field), secret) in &book.secrets {
        let is_open = public.is_open(*entry, field) && !secret.value.starts_with('"');
        assert_eq!(said.contains(&secret.key.to_hex()), is_open, "{name}: entry {entry}, {field}");
    }
}

/// A copy of the match without some of its texts is a file that is read, and entered as it is.
fn is_a_file(book: &mut Book, name: &str, stream: &mut SplitMix64) {
    book.texts = Texts::from_iter(book.texts.clone().into_iter().filter(|_| !chance(stream, 3)));
    let bare = book.public();
    assert!(bare.faults.is_empty() && bare.closed_at.is_none(), "{name}: {:#?}", bare.faults);
    let text = record::dmn(&bare);
    let past = Book::imported(&text);
    assert!(past.verdict().starts_with("imported"), "{name}: {}\n{text}", past.verdict());
    let lines = |text: &str| text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(&record::dmn(&past.public())), lines(&text), "{name}");
}

#[test]
fn every_honest_match_of_every_declaration_holds_after_each_act() {
    for seed in 0..80 {
        let (name, mut stream) = (format!("seed {seed}"), SplitMix64(seed));
        let game = Arc::new(generator::reads(&generator::lines(&mut stream)).unwrap());
        let mut book = opened(&game, &mut stream);
        for _ in 0..14 {
            let history = book.history();
            if history.outcome().is_over() {
                break;
            }
            match stream.below(9) {
                0 if !history.steps.is_empty() => {
                    if chance(&mut stream, 2) {
                        seals(&mut book, &mut stream);
                    }
                    let from = 1 + stream.below(history.steps.len() as u64);
                    book.strikes(u32::try_from(from).unwrap(), "misspoken");
                }
                1 | 2 => corrects(&mut book, &game, &mut stream),
                _ => plays(&mut book, &game, &mut stream),
            }
            holds(&book, &name);
        }
        if !book.history().outcome().is_over() {
            if chance(&mut stream, 2) {
                seals(&mut book, &mut stream);
            }
            book.rules("called off", Some(Verdict::Void));
        }
        book.ends();
        holds(&book, &name);
        assert!(book.verdict().starts_with("verified"), "{name}: {}", book.verdict());
        is_a_file(&mut book, &name, &mut stream);
    }
}
