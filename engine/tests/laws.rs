//! Laws that hold in every ruleset, under random legal play and random illegal lines.

extern crate matchbook_engine as engine;

use std::collections::BTreeSet;

use engine::{BySeat, Duel, Effect, Fate, Form, Outcome, Ruleset, Seat, Setup, Sight, To, rulesets};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// What is chosen in one step: a number for each seat, taken modulo the moves there are.
type Chosen = (u16, u16);

const CASES: u32 = 24;
/// More than any match has, replayed rounds included.
const STEPS: usize = 400;

/// Runs a law in every ruleset.
fn law(check: impl Fn(&Table, &[Chosen]) -> Result<(), TestCaseError>) {
    for ruleset in rulesets() {
        let table = Table::of(ruleset);
        let mut runner = TestRunner::new(Config { cases: CASES, failure_persistence: None, ..Config::default() });
        let chosen = prop::collection::vec(any::<Chosen>(), STEPS);
        let held = runner.run(&chosen, |chosen| check(&table, &chosen));
        held.unwrap_or_else(|error| panic!("{}: {error}", ruleset.card().id));
    }
}

/// A ruleset with every move that can be spelled in it.
struct Table {
    setup: Setup,
    moves: Vec<String>,
    /// The last round to which ties extend a match.
    last: u32,
}

impl Table {
    fn of(ruleset: &'static dyn Ruleset) -> Self {
        let card = ruleset.card();
        let items = if card.items.is_empty() {
            BySeat::default()
        } else {
            BySeat { p1: vec!["overload".into(), "claim-priority".into()], p2: vec!["limit-reset".into()] }
        };
        let setup = Setup { ruleset: card.id.into(), options: Vec::new(), dmo: Some(Seat::P1), items };
        let last = match ruleset.options().iter().find(|(name, _)| *name == "last-round") {
            Some((_, "fifty")) => 50,
            Some(_) => 40,
            None => 25,
        };
        let words = words(&Duel::open(&setup).unwrap());
        Self { setup, moves: spelled(&words, !card.items.is_empty()), last }
    }

    fn open(&self) -> Duel {
        Duel::open(&self.setup).unwrap()
    }

    /// The first legal move from a number on; a `-` is always legal.
    fn legal(&self, duel: &Duel, seat: Seat, from: u16) -> &str {
        let from = usize::from(from) % self.moves.len();
        let all = self.moves[from..].iter().chain(&self.moves[..from]);
        let legal = |text: &&String| duel.read(seat, "round", text).is_ok();
        all.take(200).find(legal).map_or("-", String::as_str)
    }

    /// A legal line.
    fn line(&self, duel: &Duel, chosen: Chosen) -> String {
        let window = duel.asks().iter().find_map(|ask| match ask.to {
            To::One(seat) => Some((seat, ask.optional)),
            _ => None,
        });
        if let Some((seat, optional)) = window
            && (!optional || chosen.0.is_multiple_of(2))
        {
            return format!("{seat}: {}", ["use claim-priority", "decline", "-"][usize::from(chosen.1) % 3]);
        }
        let moves = BySeat {
            p1: Some(self.legal(duel, Seat::P1, chosen.0).to_owned()),
            p2: Some(self.legal(duel, Seat::P2, chosen.1).to_owned()),
        };
        duel.line(&moves)
    }

    /// Plays to the end, or as far as the numbers go.
    fn play(
        &self,
        chosen: &[Chosen],
        mut step: impl FnMut(&Duel, &str, Chosen) -> Result<(), TestCaseError>,
    ) -> Result<Duel, TestCaseError> {
        let mut duel = self.open();
        for chosen in chosen {
            if duel.outcome().is_over() {
                break;
            }
            let line = self.line(&duel, *chosen);
            step(&duel, &line, *chosen)?;
            duel.play(&line, None).map_err(|refusal| TestCaseError::fail(format!("{line}: {refusal}")))?;
        }
        Ok(duel)
    }
}

/// The words for a round, a Block once with each target and once without.
fn words(duel: &Duel) -> Vec<String> {
    let Some(Form::Words { choices, .. }) = duel.form(Seat::P1, "round") else { panic!("no form") };
    let actions = choices.iter().filter(|choice| !choice.word.starts_with('+'));
    let spelled = actions.flat_map(|choice| {
        let targets = choice.targets.iter().map(|(target, _)| format!("{}:{target}", choice.word));
        std::iter::once(choice.word.to_owned()).chain(targets).collect::<Vec<_>>()
    });
    spelled.collect()
}

/// Every submission of up to two words, and with items up to three.
fn spelled(words: &[String], items: bool) -> Vec<String> {
    let mut moves = vec!["-".to_owned(), "nothing".to_owned()];
    for (n, first) in words.iter().enumerate() {
        moves.push(first.clone());
        for (m, second) in words.iter().enumerate().skip(n) {
            moves.push(format!("{first} {second}"));
            if items {
                moves.push(format!("{first} {second} +limit-reset"));
                moves.extend(words[m..].iter().step_by(2).map(|third| format!("{first} {second} {third} +overload")));
            }
        }
    }
    moves
}

fn figure(duel: &Duel, name: &str) -> u32 {
    duel.view(Sight::Public).figures.iter().filter(|figure| figure.name == name).map(|figure| figure.value).sum()
}

/// Everything that can be seen of a match from outside.
fn everything(duel: &Duel) -> impl PartialEq + std::fmt::Debug + use<> {
    (duel.state(Sight::Everything), duel.asks(), duel.outcome(), duel.coming_round(), duel.view(Sight::Everything))
}

#[test]
fn legal_play_ends_in_time() {
    law(|table, chosen| {
        let duel = table.play(chosen, |_, _, _| Ok(()))?;
        prop_assert!(duel.outcome().is_over(), "{}", duel.state(Sight::Everything));
        let rounds = duel.coming_round().unwrap_or(0) - 1;
        prop_assert!(rounds <= table.last && rounds % 5 == 0, "{rounds}");
        prop_assert!(duel.asks().is_empty());
        Ok(())
    });
}

/// Chips come from Score, from Grow, from lights and into an empty pot, and from nowhere else; none ever goes.
#[test]
fn chips_are_conserved() {
    let gained = |effect: &Effect| {
        let (acted, event) = (effect.fate == Fate::Resolved, effect.fate == Fate::Event);
        let source = match effect.rule {
            "1.5.1" | "1.5.2" | "2.4.1" => acted,
            "1.6" | "2.2" | "2.5" => event,
            // Claim Priority takes all of the pot, and one chip comes into it.
            "1.7.4" => acted,
            _ => false,
        };
        u32::from(source)
    };
    law(|table, chosen| {
        table.play(chosen, |before, line, _| {
            let (mut after, mut effects) = (before.clone(), Vec::new());
            after.play(line, Some(&mut effects)).unwrap();
            let all = |duel: &Duel| figure(duel, "chips") + figure(duel, "pot");
            let gains: u32 = effects.iter().map(gained).sum();
            prop_assert_eq!(all(before) + gains, all(&after), "{}: {:#?}", line, effects);
            Ok(())
        })?;
        Ok(())
    });
}

#[test]
fn a_match_folds_the_same_in_one_go_and_in_two() {
    law(|table, chosen| {
        let mut lines = Vec::new();
        let whole = table.play(chosen, |_, line, _| {
            lines.push(line.to_owned());
            Ok(())
        })?;
        let cut = usize::from(chosen[0].0) % (lines.len() + 1);
        let mut first = table.open();
        for line in &lines[..cut] {
            first.play(line, Some(&mut Vec::new())).unwrap();
        }
        let mut second = first.clone();
        for line in &lines[cut..] {
            second.play(line, None).unwrap();
        }
        prop_assert_eq!(everything(&whole), everything(&second));
        // What was left behind is still where it was.
        for line in &lines[cut..] {
            first.play(line, None).unwrap();
        }
        prop_assert_eq!(everything(&whole), everything(&first));
        Ok(())
    });
}

#[test]
fn a_refused_step_changes_nothing() {
    let oddities = [
        "",
        "/",
        "1. x / y",
        "p1: use claim-priority",
        "p2: decline",
        "host: deal R1",
        "9. - / -",
        "- / - / -",
        "umpire: result p1",
    ];
    law(|table, chosen| {
        let mut refused = 0;
        table.play(chosen, |duel, _, chosen| {
            let any = |number: u16| &table.moves[usize::from(number) % table.moves.len()];
            let joint = format!("{} / {}", any(chosen.0), any(chosen.1.rotate_left(3)));
            for line in oddities.iter().copied().chain([joint.as_str()]) {
                let mut after = duel.clone();
                let mut effects = Vec::new();
                if after.play(line, Some(&mut effects)).is_err() {
                    prop_assert_eq!(everything(duel), everything(&after), "{}", line);
                    prop_assert!(effects.is_empty(), "{}: {:?}", line, effects);
                    refused += 1;
                }
            }
            Ok(())
        })?;
        prop_assert!(refused > 0);
        Ok(())
    });
}

/// The form of a question tells the truth: what it bars is refused or left out by the clause that it cites, whatever
/// stands beside it, and what it does not bar can be played.
#[test]
fn what_a_form_offers_can_be_played() {
    law(|table, chosen| {
        table.play(&chosen[..30], |duel, _, chosen| {
            if !duel.asks().iter().any(|ask| ask.what == "round") {
                return Ok(());
            }
            let seat = if chosen.0.is_multiple_of(2) { Seat::P1 } else { Seat::P2 };
            let Some(Form::Words { choices, .. }) = duel.form(seat, "round") else { panic!("no form") };
            for choice in choices {
                let with: Vec<&String> = table
                    .moves
                    .iter()
                    .filter(|text| text.split(' ').any(|w| w.split(':').next() == Some(choice.word)))
                    .collect();
                let counts = |text: &&&String| {
                    duel.read(seat, "round", text).is_ok_and(|reading| !left_out(&reading.notes, choice.label))
                };
                let good: Vec<_> = with.iter().filter(counts).filter(|text| !text.contains("+limit-reset")).collect();
                match &choice.barred {
                    None => prop_assert!(
                        with.iter().any(|text| counts(&text)),
                        "{} of {seat} cannot be played",
                        choice.word
                    ),
                    Some(why) => {
                        let rule = why.rule.unwrap();
                        // Three-Card Trick refuses whole sets: what is barred there is the word by itself.
                        let bad = |text: &&&&String| rule != "2.1.2" || ***text == choice.word;
                        let good: Vec<_> = good.iter().filter(bad).collect();
                        prop_assert!(good.is_empty(), "{} is barred, and {:?} counts", choice.word, good);
                        prop_assert!(
                            with.iter().any(|text| cites(duel, seat, text, rule)),
                            "{} is barred by {rule}, and nothing cites it",
                            choice.word
                        );
                    }
                }
            }
            Ok(())
        })?;
        Ok(())
    });
}

/// Whether a move is refused by a clause, or something of it left out by it.
fn cites(duel: &Duel, seat: Seat, text: &str, rule: &str) -> bool {
    match duel.read(seat, "round", text) {
        Ok(reading) => reading.notes.iter().any(|note| note.contains(&format!("(rule {rule})"))),
        Err(refusal) => refusal.rule == Some(rule),
    }
}

fn left_out(notes: &[String], label: &str) -> bool {
    notes.iter().any(|note| note.contains("left out") && note.contains(label))
}

#[test]
fn what_was_written_reads_as_itself_however_it_is_spelled() {
    law(|table, chosen| {
        table.play(chosen, |duel, line, chosen| {
            let mut after = duel.clone();
            let played = after.play(line, None).unwrap();
            for spelling in [played.text.clone(), loosely(&played.text, chosen), played.text.to_uppercase()] {
                let mut again = duel.clone();
                let read = again.play(&spelling, None);
                let read = read.map_err(|refusal| TestCaseError::fail(format!("{spelling}: {refusal}")))?;
                prop_assert_eq!(&read.text, &played.text, "{}", spelling);
                prop_assert_eq!(everything(&again), everything(&after), "{}", spelling);
            }
            Ok(())
        })?;
        Ok(())
    });
}

/// A line with its words cut short, turned round and spread out, and without its number.
fn loosely(line: &str, chosen: Chosen) -> String {
    if let Some((who, said)) = line.split_once(": ").filter(|(who, _)| who.len() == 2) {
        let words: Vec<&str> = said.split(' ').rev().map(|word| if word == "-" { "-" } else { &word[..1] }).collect();
        return format!("  {}  :  {} ", who.to_uppercase(), words.join("   "));
    }
    let moves = line.split_once(". ").map_or(line, |(_, moves)| moves);
    let short = |word: &str| match word {
        "score" | "steal" if !chosen.0.is_multiple_of(3) => word[..2].to_uppercase(),
        "score" | "steal" | "-" => word.to_owned(),
        _ => word[..1 + usize::from(chosen.1) % word.len()].to_owned(),
    };
    let loose = |word: &str| match (word.strip_prefix('+'), word.split_once(':')) {
        (Some(item), _) => format!("+{}", &item[..1]),
        (None, Some((block, target))) => format!("{}:{}", short(block), short(target)),
        (None, None) => short(word),
    };
    let part = |part: &str| part.trim().split(' ').rev().map(loose).collect::<Vec<_>>().join("  ");
    let (p1, p2) = moves.split_once('/').unwrap();
    format!("\t{}/{}  ", part(p1), part(p2))
}

#[test]
fn the_seats_are_alike() {
    let other = |line: &str| match line.split_once(": ").filter(|(who, _)| who.len() == 2) {
        Some(("p1", said)) => format!("p2: {said}"),
        Some((_, said)) => format!("p1: {said}"),
        None => {
            let (number, moves) = line.split_once(". ").unwrap();
            let (p1, p2) = moves.split_once(" / ").unwrap();
            format!("{number}. {p2} / {p1}")
        }
    };
    law(|table, chosen| {
        let BySeat { p1, p2 } = table.setup.items.clone();
        let setup =
            Setup { dmo: table.setup.dmo.map(Seat::other), items: BySeat { p1: p2, p2: p1 }, ..table.setup.clone() };
        let mut turned = Duel::open(&setup).unwrap();
        let duel = table.play(chosen, |_, line, _| {
            let line = other(line);
            turned.play(&line, None).map_err(|refusal| TestCaseError::fail(format!("{line}: {refusal}")))?;
            Ok(())
        })?;
        let chips = |duel: &Duel, whose: Seat| {
            let figures = duel.view(Sight::Public).figures;
            figures.iter().find(|figure| figure.seat == Some(whose)).map(|figure| figure.value)
        };
        for seat in Seat::BOTH {
            prop_assert_eq!(chips(&duel, seat), chips(&turned, seat.other()));
        }
        prop_assert_eq!(duel.outcome().reason(), turned.outcome().reason());
        prop_assert_eq!(duel.outcome().winner().map(Seat::other), turned.outcome().winner());
        Ok(())
    });
}

#[test]
fn fields_put_together_again_are_the_move() {
    law(|table, chosen| {
        table.play(chosen, |duel, _, chosen| {
            let asks = duel.asks();
            let Some(ask) = asks.iter().find(|ask| ask.what == "round") else { return Ok(()) };
            let seat = if chosen.0.is_multiple_of(2) { Seat::P1 } else { Seat::P2 };
            let text = table.legal(duel, seat, chosen.1);
            let reading = duel.read(seat, "round", text).unwrap();
            let values = duel.split(seat, "round", text).unwrap();
            let named: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
            prop_assert_eq!(named, ask.fields.iter().map(|field| field.name).collect::<Vec<_>>());
            let values: Vec<&str> = values.iter().map(|(_, value)| value.as_str()).collect();
            prop_assert_eq!(duel.join("round", &values), reading.text);
            Ok(())
        })?;
        Ok(())
    });
}

/// What stays sealed is `?` to the public, cannot be replayed, and makes no difference to anything that anybody sees.
#[test]
fn a_sealed_value_shows_nowhere() {
    let hid = std::cell::RefCell::new(BTreeSet::new());
    law(|table, chosen| {
        table.play(chosen, |duel, line, _| {
            let (mut after, mut effects) = (duel.clone(), Vec::new());
            let played = after.play(line, Some(&mut effects)).unwrap();
            prop_assert_eq!(played.keeps.is_empty(), played.public == played.text);
            prop_assert_eq!(played.keeps.len(), played.public.matches('?').count());
            if played.keeps.is_empty() {
                return Ok(());
            }
            hid.borrow_mut().insert(table.setup.ruleset.clone());
            let refusal = duel.clone().play(&played.public, None).unwrap_err();
            prop_assert!(refusal.sealed, "{}", refusal);
            prop_assert_eq!(refusal.expected.as_str(), "sealed until the end of the match");
            for target in ["score", "grow", "claim", "steal", "block"] {
                let (mut other, mut seen) = (duel.clone(), Vec::new());
                let otherwise = other.play(&played.public.replace('?', target), Some(&mut seen)).unwrap();
                prop_assert_eq!(&otherwise.public, &played.public);
                prop_assert_eq!(&otherwise.moves, &played.moves);
                prop_assert_eq!(&seen, &effects);
                for sight in [Sight::Public, Sight::Seat(Seat::P1), Sight::Seat(Seat::P2)] {
                    prop_assert_eq!(other.state(sight), after.state(sight));
                    prop_assert_eq!(other.view(sight), after.view(sight));
                }
            }
            Ok(())
        })?;
        Ok(())
    });
    assert_eq!(hid.into_inner().into_iter().collect::<Vec<_>>(), ["five-card-trick/genius-puzzler"]);
}

/// After its end a match takes nothing but an umpire's word, and that at any time.
#[test]
fn only_the_umpire_speaks_after_the_end() {
    law(|table, chosen| {
        let rounds = usize::from(chosen[0].1) % 60;
        let mut duel = table.play(&chosen[..rounds], |_, _, _| Ok(()))?;
        for (said, tag) in [("p2", "p2"), ("undecided", "undecided"), ("void", "void"), ("p1", "p1")] {
            let before = duel.state(Sight::Everything).replace("\"window\":\"p1\"", "\"window\":null");
            duel.play(&format!("umpire: result {said} as agreed"), None).unwrap();
            prop_assert_eq!(duel.outcome().tag(), tag);
            prop_assert_eq!(duel.outcome().reason(), "umpire");
            prop_assert_eq!(duel.state(Sight::Everything), before);
            prop_assert!(duel.play("- / -", None).is_err() && duel.play("p1: decline", None).is_err());
            prop_assert!(matches!(duel.outcome(), Outcome::Over(_)) && duel.asks().is_empty());
        }
        Ok(())
    });
}
