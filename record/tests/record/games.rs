//! A random match of every ruleset, recorded step by step: a recorded match can be checked, and sealed values stay out
//! of the entries until the game opens them.

use engine::{BySeat, Duel, Ruleset, Seat, Setup, SplitMix64, Stream, To, Verdict};
use ledger::Kind;
use record::write::NewMatch;

use crate::book::Book;

/// Enough for every phase of every game; the umpire ends a match that runs on.
const STEPS: u32 = 120;

fn opened(ruleset: &dyn Ruleset, options: Vec<(String, String)>) -> Book {
    let items = ruleset.card().items.iter().map(ToString::to_string).collect();
    let items = BySeat { p1: items, p2: Vec::new() };
    let setup = Setup { ruleset: ruleset.card().id.to_owned(), options, dmo: Some(Seat::P2), items, declared: None };
    let names = BySeat { p1: "Juniper".into(), p2: "Okapi".into() };
    Book::open(&NewMatch { setup, names, ..NewMatch::default() })
}

/// The next line of a random match: an answer to the last question, or now and then to another.
fn line(duel: &Duel, numbers: &mut SplitMix64) -> Option<String> {
    let asks = duel.asks();
    let optional = asks.iter().filter(|ask| ask.optional && numbers.below(12) == 0);
    let ask = optional.last().or(asks.last())?;
    let sample = |seat, numbers: &mut SplitMix64| duel.sample(seat, &ask.what, numbers);
    Some(match ask.to {
        To::Host => format!("host: {}", duel.draw(numbers)?),
        To::One(seat) => format!("{seat}: {}", sample(seat, numbers)?),
        To::Both => format!("{} / {}", sample(Seat::P1, numbers)?, sample(Seat::P2, numbers)?),
    })
}

fn plays(book: &mut Book, numbers: &mut SplitMix64) {
    for step in 1..=STEPS {
        let Some(line) = line(book.history().duel(), numbers) else { break };
        book.plays(&line);
        if step % 17 == 0 {
            keeps_its_secrets(book);
        }
    }
}

/// Checks that nothing in the entries opens a value that is still sealed, and that a reader of the entries alone finds
/// no fault.
fn keeps_its_secrets(book: &Book) {
    let public = book.public();
    assert!(public.faults.is_empty(), "{:?}", public.faults);
    let said = book.said();
    for ((entry, field), secret) in &book.secrets {
        assert_eq!(said.contains(&secret.key.to_hex()), public.is_open(*entry, field), "entry {entry}, {field}");
    }
    let seen = book.history();
    assert!(seen.faults.is_empty(), "{:?}", seen.faults);
    assert_eq!(seen.closed_at, None);
    // For every value that stays closed, the step that kept it says so.
    for step in &seen.steps {
        for seat in Seat::BOTH {
            assert_eq!(step.is_of(seat), step.moves[seat].is_some(), "{}", step.public);
        }
        for seal in &step.seals {
            let kept = step.keeps.iter().any(|(whose, name)| *whose == seal.whose && *name == seal.field.as_str());
            assert!(kept || seen.is_open(seal.entry, &seal.name), "step {}: {seal:?}", step.number);
        }
    }
}

#[test]
fn what_is_recorded_of_a_random_match_can_be_checked() {
    for ruleset in engine::rulesets() {
        for seed in 0..2 {
            let mut numbers = SplitMix64(seed);
            let mut book = opened(ruleset, Vec::new());
            plays(&mut book, &mut numbers);
            keeps_its_secrets(&book);
            let rulings = if book.history().outcome().is_over() { "" } else { " with 1 ruling" };
            if !rulings.is_empty() {
                book.rules("it is late", Some(Verdict::Undecided));
            }
            book.ends();
            let ended = book.public();
            let closed = ended.seals.iter().filter(|seal| seal.opened_by.iter().any(Option::is_none)).count();
            assert_eq!(closed, 0, "everything is open at the end");
            let expected = format!("verified{rulings} (recorded by the umpire)");
            assert_eq!(book.verdict(), expected, "{}, seed {seed}", ruleset.card().id);
            assert!(
                book.of_kind(Kind::Drawn).len() == ended.steps.iter().filter(|s| s.public.starts_with("host:")).count()
            );
        }
    }
}

#[test]
fn a_match_may_set_an_option_otherwise() {
    for ruleset in engine::rulesets() {
        for (name, values) in ruleset.choices() {
            for value in *values {
                let mut book = opened(ruleset, vec![((*name).to_owned(), (*value).to_owned())]);
                plays(&mut book, &mut SplitMix64(7));
                keeps_its_secrets(&book);
                let options = book.public().opened.options;
                assert_eq!(options.get(*name).map(String::as_str), Some(*value));
                assert_eq!(book.public().setup.options.is_empty(), ruleset.options().contains(&(*name, *value)));
            }
        }
    }
}

#[test]
fn a_random_match_can_be_struck_back_and_played_on() {
    for ruleset in engine::rulesets() {
        let mut numbers = SplitMix64(11);
        let mut book = opened(ruleset, Vec::new());
        for _ in 0..40 {
            let Some(line) = line(book.history().duel(), &mut numbers) else { break };
            book.plays(&line);
        }
        for from in [30, 9, 2, 1] {
            if book.history().next_step() > from {
                book.strikes(from, "a slip");
                keeps_its_secrets(&book);
                assert_eq!(book.history().next_step(), from);
                for _ in 0..6 {
                    let Some(line) = line(book.history().duel(), &mut numbers) else { break };
                    book.plays(&line);
                }
                keeps_its_secrets(&book);
            }
        }
    }
}

#[test]
fn a_step_that_is_corrected_to_what_it_was_changes_nothing() {
    for ruleset in engine::rulesets() {
        let mut book = opened(ruleset, Vec::new());
        let mut numbers = SplitMix64(23);
        for _ in 0..30 {
            let Some(line) = line(book.history().duel(), &mut numbers) else { break };
            book.plays(&line);
        }
        let before = book.history();
        for number in [1, 3, 6, 8] {
            let Some(step) = before.steps.get(number - 1) else { continue };
            let text = step.text.clone().unwrap();
            book.corrects_line(u32::try_from(number).unwrap(), &text);
            let after = book.history();
            let lines = |history: &record::History| history.steps.iter().map(|s| s.text.clone()).collect::<Vec<_>>();
            assert_eq!(lines(&after), lines(&before), "{}", ruleset.card().id);
            assert_eq!(after.duel().state(engine::Sight::Everything), before.duel().state(engine::Sight::Everything));
            keeps_its_secrets(&book);
        }
    }
}
