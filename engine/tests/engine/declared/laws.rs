//! Laws that hold for every declaration and every match of it.

use std::sync::Arc;

use engine::dmn::quotes::split_outside_quotes;
use engine::games::declared::{Announcement, Card, HandId, OpensTo, Owner, Part, Phase, Place, SetId, SetKind, Table};
use engine::{Seat, Sight, SplitMix64, Stream};
use proptest::prelude::*;

use super::file::play;
use super::generator::{any, has_part, lines, random_match, reads, step};
use crate::seeded::numbers;

const STEPS: usize = 60;

fn law(check: impl Fn(&mut SplitMix64)) {
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let held = runner.run(&proptest::num::u64::ANY, |seed| {
        check(&mut numbers(seed));
        Ok(())
    });
    held.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn structure_and_words_read_as_the_declaration_that_they_came_from() {
    law(|stream| {
        let given = lines(stream);
        let game = reads(&given).unwrap_or_else(|fault| panic!("{given:#?}: {fault}"));
        let (structure, words) = (game.structure(), game.words());
        let bare = reads(&structure).unwrap_or_else(|fault| panic!("{structure:#?}: {fault}"));
        assert_eq!((bare.structure(), &bare.title, bare.words()), (structure.clone(), &None, vec![]));
        assert!(words.len() <= bare.names().len() + 2);
        let mut named = bare;
        words.iter().for_each(|word| named.take_word(word).unwrap());
        assert_eq!(named, game, "{given:#?}");
        assert!(words.iter().chain(&structure).all(|line| named.take_word(line).is_err()), "{words:#?}");
        assert_eq!((named, reads(&game.lines()).as_ref()), (game.clone(), Ok(&game)), "{given:#?}");
        let bytes = |lines: &[String]| lines.iter().map(String::len).sum::<usize>();
        assert!(bytes(&structure) <= bytes(&given), "no spelling is shorter: {structure:#?}");
        assert!(game.sentences().iter().all(|sentence| sentence.ends_with('.') && !sentence.contains("  ")));
    });
}

#[test]
fn the_order_of_different_kinds_means_nothing() {
    law(|stream| {
        let mut given = lines(stream);
        let game = reads(&given).unwrap();
        given.sort_by_key(|line| std::cmp::Reverse(line.split(' ').next().map(|kind| kind.replace("dice", "deck"))));
        assert_eq!(reads(&given).map(|game| game.structure()), Ok(game.structure()), "{given:#?}");
    });
}

#[test]
fn a_match_is_a_function_of_its_steps_whether_texts_are_there_or_not() {
    law(|stream| {
        let game = Arc::new(reads(&lines(stream)).unwrap());
        let (steps, table) = random_match(&game, STEPS, stream);
        let (mut again, mut withheld) = (Table::new(Arc::clone(&game)), Table::new(Arc::clone(&game)));
        for line in &steps {
            assert_eq!(play(&mut again, line).as_ref(), Ok(line));
            let silent = match line.strip_prefix("umpire: ") {
                Some(said) => format!("umpire: {}", Announcement::read(said, &game).unwrap().write(&game, true)),
                None => line.clone(),
            };
            assert_eq!(play(&mut withheld, &silent).as_ref(), Ok(&silent));
        }
        assert_eq!((&again, &withheld), (&table, &table), "{steps:#?}");
        assert!(cards(&table) <= cards(&Table::new(game)), "no card comes from nowhere: {steps:#?}");
    });
}

/// The cards in decks and hands, without rolled dice.
fn cards(table: &Table) -> usize {
    let (game, held) = (table.game(), table.holdings());
    let dice: Vec<_> = SetId::each(&game.sets).filter(|(_, set)| set.kind == SetKind::Dice).collect();
    let hands = HandId::each(&game.hands).flat_map(|(hand, declared)| {
        let seats = if declared.owner == Owner::Each { vec![Some(Seat::P1), Some(Seat::P2)] } else { vec![None] };
        seats.into_iter().map(move |seat| held.hand(Place { hand, seat }))
    });
    let rolled = |card: &&Card| dice.iter().any(|(id, _)| card.deck == Some(*id));
    let left = SetId::each(&game.sets).map(|(id, _)| held.deck(id).len());
    left.chain(hands.map(|hand| hand.iter().filter(|card| !rolled(card)).count())).sum()
}

#[test]
fn a_state_names_what_is_declared_and_hides_what_is_hidden() {
    law(|stream| {
        let game = Arc::new(reads(&lines(stream)).unwrap());
        let (_, table) = random_match(&game, STEPS, stream);
        let seen = |sight| serde_json::from_str::<serde_json::Value>(&table.state(sight)).unwrap();
        let (all, public) = (seen(Sight::Everything), seen(Sight::Public));
        for hand in &game.hands {
            let shown = public[&hand.name].to_string();
            let empty = all[&hand.name].to_string().split('"').skip(1).step_by(2).all(|word| word.starts_with('p'));
            assert_eq!(shown.contains('?'), hand.hidden && !empty, "{}: {shown}", hand.name);
            if !hand.hidden {
                assert_eq!(public[&hand.name], all[&hand.name]);
            }
        }
        for name in game.counters.iter().map(|counter| &counter.name).chain(game.boards.iter().map(|b| &b.name)) {
            assert_eq!((public.get(name), public[name].is_null()), (all.get(name), false), "{name}");
        }
        assert_eq!(all["asks"].is_null(), !matches!(table.phase(), Phase::Asked(_)));
    });
}

#[test]
fn damaged_lines_read_or_name_their_line_and_the_word() {
    let refused = std::cell::Cell::new(0);
    law(|stream| {
        let mut given = lines(stream);
        for _ in 0..=stream.below(2) {
            damage(&mut given, stream);
        }
        let Err(fault) = reads(&given) else { return };
        refused.set(refused.get() + 1);
        let line = given.get(fault.line - 1).unwrap_or_else(|| panic!("{fault} in {given:#?}"));
        let (at, found) = (fault.refusal.at, fault.refusal.found.as_str());
        assert!(line.contains(found) && at <= line.len(), "{fault} in {line:?}");
        assert!(
            !found.is_empty() || at == line.len() || fault.to_string().contains("a question"),
            "{fault} in {line:?}"
        );
        assert!(!fault.refusal.expected.is_empty() && fault.to_string().starts_with("line "));
    });
    assert!(refused.get() > 20, "only {} of the damaged declarations were refused", refused.get());
}

fn damage(lines: &mut Vec<String>, stream: &mut SplitMix64) {
    let at = usize::try_from(stream.below(lines.len() as u64)).unwrap();
    let mut words: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
    let word = usize::try_from(stream.below(words.len() as u64)).unwrap();
    match stream.below(6) {
        0 if lines.len() > 1 => {
            lines.remove(at);
            return;
        }
        1 => words.swap(0, word),
        2 => {
            words.remove(word);
        }
        3 => words[word] = (*any(stream, &["12", "each", ";", "(", "\"", "é", "none", "..", "1..", "-"])).to_owned(),
        4 => words.insert(word, words[word].clone()),
        _ => {
            words[word].pop();
        }
    }
    lines[at] = words.join(" ");
}

#[test]
fn damaged_steps_play_or_are_refused_and_change_nothing() {
    law(|stream| {
        let game = Arc::new(reads(&lines(stream)).unwrap());
        let (_, mut table) = random_match(&game, 12, stream);
        if matches!(table.phase(), Phase::Over(_)) {
            return;
        }
        let line = step(&table, stream);
        let (who, text) = line.split_once(": ").unwrap_or(("p1", line.as_str()));
        let text = if who == "p1" { text.rsplit(". ").next().unwrap() } else { text };
        let mut damaged = vec![split_outside_quotes(text, b'/').next().unwrap().1.to_owned()];
        damage(&mut damaged, stream);
        let before = table.clone();
        let asked = table.asked().and_then(|asked| asked.question(&game));
        if let (Some(question), Ok(seat)) = (asked, who.parse::<Seat>()) {
            let answer = table.read(seat, &damaged[0]).and_then(|answer| table.check(seat, &answer).map(|()| answer));
            match answer {
                Ok(answer) => assert_eq!(table.read(seat, &answer.write(question, &game, &[])), Ok(answer)),
                Err(refusal) => assert!(!refusal.expected.is_empty() && refusal.at <= damaged[0].len(), "{refusal}"),
            }
        } else if let Err(refusal) = play(&mut table, &format!("{who}: {}", damaged[0])) {
            assert_eq!(table, before, "{line}");
            assert!(!refusal.expected.is_empty() && refusal.at <= damaged[0].len(), "{refusal}");
        }
    });
}

#[test]
fn the_random_declarations_have_everything() {
    let mut stream = numbers(1);
    let games: Vec<_> = (0..300).map(|_| reads(&lines(&mut stream)).unwrap()).collect();
    let kinds: [fn(&Part) -> bool; 8] = [
        |part| matches!(part, Part::Pick { .. }),
        |part| matches!(part, Part::Number { .. }),
        |part| matches!(part, Part::Text { .. }),
        |part| matches!(part, Part::Cards { to: None, .. }),
        |part| matches!(part, Part::Cards { to: Some(_), .. }),
        |part| matches!(part, Part::Cell(_)),
        |part| matches!(part, Part::Order(_)),
        |part| matches!(part, Part::YesNo),
    ];
    assert!(kinds.iter().all(|kind| games.iter().any(|game| has_part(game, *kind))));
    let asks = || games.iter().flat_map(|game| &game.asks);
    assert!(asks().any(|ask| ask.default.is_some()) && asks().any(|ask| ask.draw.is_some()));
    assert!(asks().any(|ask| ask.opens == OpensTo::Umpire) && asks().any(|ask| ask.bank.is_some()));
    assert!(games.iter().any(|game| game.first.is_some()) && games.iter().any(|game| game.first.is_none()));
    let ends = games.into_iter().map(|game| random_match(&Arc::new(game), STEPS, &mut stream).1.phase());
    assert!(ends.filter(|phase| matches!(phase, Phase::Over(_))).count() > 50);
}
