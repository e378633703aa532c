//! Tests that name everything that no case decides.

use std::collections::{BTreeMap, BTreeSet};

use engine::{Clause, Duel, Seat, Setup, SplitMix64, Stream, To, Word, rulesets};

use super::case::{self, Case, LETTERS};
use super::{endings, play};

/// The clauses that refuse a step, game by game.
const REFUSING: [(&str, &[&str]); 5] = [
    ("five-card-trick", &["1.1.1", "1.1.2", "1.1.3", "1.1.4", "1.1.5", "1.7.1", "1.7.2", "1.7.4"]),
    ("three-card", &["2.1.2"]),
    ("thwart-13", &["3.2.1", "3.2.3", "3.3.1", "3.3.3", "3.5.1", "3.5.2", "3.5.3", "3.6.2"]),
    (
        "devils-deal",
        &["4.2", "4.3", "4.4.1", "4.4.2", "4.4.3", "4.4.4", "4.4.6", "4.5.1", "4.5.2", "4.6.1", "4.6.2", "4.6.3"],
    ),
    (
        "higher-lower",
        &[
            "5.1.2", "5.1.3", "5.2", "5.3.2", "5.3.3", "5.3.4", "5.3.6", "5.3.8", "5.4.1", "5.4.2", "5.4.3", "5.5.1",
            "5.5.2", "5.6", "5.7.1", "5.7.2", "5.7.3", "5.10.1",
        ],
    ),
];

/// The clauses that are the same in every game; their text is the website's.
const COMMON: [&str; 5] = ["0.1", "0.2", "0.3", "0.4", "0.5"];

fn cases() -> impl Iterator<Item = &'static Case> {
    play::all().iter().map(|run| &run.case)
}

fn nothing(missing: &[String], what: &str) {
    assert!(missing.is_empty(), "{what}:\n  {}", missing.join("\n  "));
}

/// Every ruleset of a game with its clauses.
fn clauses() -> BTreeMap<&'static str, Vec<Clause>> {
    rulesets().map(|ruleset| (ruleset.card().id, ruleset.clauses())).collect()
}

#[test]
fn there_are_250_cases_and_more_each_with_its_own_number_and_title() {
    assert!(cases().count() >= 250, "there are {} cases", cases().count());
    let (mut numbers, mut titles) = (BTreeSet::new(), BTreeSet::new());
    for case in cases() {
        assert!(numbers.insert(&case.number), "{}: the number stands twice", case.file);
        assert!(titles.insert((case.game(), &case.title)), "{}: the title stands twice", case.file);
    }
}

#[test]
fn every_case_says_where_it_belongs() {
    let mut wrong = Vec::new();
    for case in cases() {
        let letters = LETTERS.iter().find(|(game, _)| *game == case.game()).map(|(_, letters)| *letters).unwrap();
        let (number, count) = case.number.rsplit_once('.').unwrap();
        if case.rules.first().is_none_or(|rule| number != format!("{letters}.{rule}")) || count.len() != 2 {
            wrong.push(format!("{}: the number is {letters}, its first rule, and two digits", case.file));
        }
        let of_game: BTreeSet<&str> = rulesets()
            .map(|ruleset| ruleset.card().id)
            .filter(|id| id.split('/').next() == Some(case.game()))
            .collect();
        let named: Vec<&str> = case.holds.iter().chain(case.not.keys()).map(String::as_str).collect();
        if named.len() != of_game.len() || named.iter().copied().collect::<BTreeSet<_>>() != of_game {
            wrong.push(format!("{}: it names {named:?}, and the rulesets are {of_game:?}", case.file));
        }
        let first = case.text.lines().find_map(|line| line.strip_prefix("[Ruleset \""));
        if first.map(|id| id.trim_end_matches("\"]")) != case.holds.first().map(String::as_str) {
            wrong.push(format!("{}: the tag Ruleset is the first in which it holds", case.file));
        }
    }
    nothing(&wrong, "these cases contradict themselves");
}

#[test]
fn every_rule_and_issue_that_a_case_names_is_there() {
    let clauses = clauses();
    let mut wrong = Vec::new();
    for case in cases() {
        for ruleset in &case.holds {
            let known = &clauses[ruleset.as_str()];
            for rule in case.rules.iter().filter(|rule| !COMMON.contains(&rule.as_str())) {
                if !known.iter().any(|clause| clause.number == rule) {
                    wrong.push(format!("{}: {ruleset} has no clause {rule}", case.file));
                }
            }
        }
        for issue in &case.issues {
            let decided = |ruleset: &String| {
                clauses[ruleset.as_str()]
                    .iter()
                    .filter_map(|clause| clause.ruling.as_ref())
                    .any(|ruling| ruling.issue == issue)
            };
            if !case.holds.iter().any(decided) {
                wrong.push(format!("{}: {issue} is no issue of its rulesets", case.file));
            }
        }
        for option in &case.options {
            let own = |ruleset: &String| {
                let options = engine::ruleset(ruleset).unwrap().options();
                options.iter().any(|(name, value)| *option == format!("{name}={value}"))
            };
            if !case.text.contains(&format!("[Options \"{option}\"]")) && !case.holds.iter().all(own) {
                wrong.push(format!("{}: {option} does not hold in all of its rulesets", case.file));
            }
        }
    }
    nothing(&wrong, "these cases name what is not there");
}

#[test]
fn every_ruleset_and_every_clause_has_a_case() {
    let mut missing = Vec::new();
    for (ruleset, clauses) in clauses() {
        let here: Vec<&Case> = cases().filter(|case| case.holds.iter().any(|id| id == ruleset)).collect();
        for clause in clauses {
            if !here.iter().any(|case| case.rules.iter().any(|rule| rule == clause.number)) {
                missing.push(format!("{ruleset}, clause {} ({})", clause.number, clause.title));
            }
        }
    }
    for rule in COMMON {
        for game in rulesets().map(|ruleset| ruleset.game()).collect::<BTreeSet<_>>() {
            if !cases().any(|case| case.game() == game && case.rules.iter().any(|named| named == rule)) {
                missing.push(format!("{game}, clause {rule}"));
            }
        }
    }
    nothing(&missing, "no case is about");
}

#[test]
fn every_value_of_every_option_has_a_case() {
    let mut missing = Vec::new();
    for ruleset in rulesets() {
        let id = ruleset.card().id;
        let own = ruleset.options().into_iter().map(|(name, value)| (name, value, false));
        let choices =
            ruleset.choices().iter().flat_map(|(name, values)| values.iter().map(|value| (*name, *value, true)));
        for (name, value, set) in own.chain(choices) {
            let option = format!("{name}={value}");
            let is_own = ruleset.options().contains(&(name, value));
            let tagged = |case: &Case| case.text.contains(&format!("[Options \"{option}\"]"));
            let decides = |case: &&Case| {
                case.holds.iter().any(|held| held == id)
                    && case.options.contains(&option)
                    && (!set || is_own || tagged(case))
            };
            if cases().find(decides).is_none() {
                missing.push(format!("{option} in {id}"));
            }
        }
    }
    nothing(&missing, "no case turns on the option");
}

/// A word or an option that the text of the clauses misspells would show.
#[test]
fn every_clause_is_whole() {
    for (ruleset, clauses) in clauses() {
        for clause in &clauses {
            assert!(!clause.text.is_empty() && !clause.text.contains(['{', '[']), "{ruleset}: {clause:?}");
            assert!(clause.ruling.as_ref().is_none_or(|ruling| !ruling.chosen.is_empty()), "{ruleset}: {clause:?}");
        }
    }
}

#[test]
fn every_issue_has_a_number_of_its_own_and_a_case_that_decides_it() {
    let mut questions: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
    let mut missing = BTreeSet::new();
    for (ruleset, clauses) in clauses() {
        let letters = LETTERS.iter().find(|(game, _)| ruleset.starts_with(game)).map(|(_, letters)| *letters).unwrap();
        let mut here = BTreeSet::new();
        for (clause, ruling) in clauses.iter().filter_map(|clause| Some((clause, clause.ruling.as_ref()?))) {
            let place = format!("{ruleset}, clause {}", clause.number);
            assert!(here.insert(ruling.issue), "{place}: {} stands twice", ruling.issue);
            let (prefix, count) = ruling.issue.rsplit_once('-').unwrap_or_default();
            assert!(
                prefix == letters && count.parse::<u16>().is_ok(),
                "{place}: {} is no issue's number",
                ruling.issue
            );
            let known = *questions.entry(ruling.issue).or_insert((clause.number, ruling.question));
            assert_eq!(
                known,
                (clause.number, ruling.question),
                "{place}: {} is another question elsewhere",
                ruling.issue
            );
            assert!(ruling.readings.len() >= 2, "{place}: {} has one reading, so it is none", ruling.issue);
            if let Some(option) = ruling.option {
                let ruleset = engine::ruleset(ruleset).unwrap();
                let own = ruleset.options().into_iter();
                let other =
                    ruleset.choices().iter().flat_map(|(name, values)| values.iter().map(|value| (*name, *value)));
                let known = own.chain(other).any(|(name, value)| option == format!("{name}={value}"));
                assert!(known, "{place}: {} is selected by {option}, which is no option", ruling.issue);
            }
            let decides = |case: &&Case| {
                case.holds.iter().any(|held| held == ruleset) && case.issues.iter().any(|issue| issue == ruling.issue)
            };
            if cases().find(decides).is_none() {
                missing.insert(format!("{} in {ruleset}: {}", ruling.issue, ruling.question));
            }
        }
    }
    nothing(&missing.into_iter().collect::<Vec<_>>(), "no case decides the issue");
}

#[test]
fn every_clause_that_refuses_refuses_something() {
    let met: BTreeSet<(&str, &str)> = play::all()
        .iter()
        .flat_map(|run| &run.met.refusing)
        .map(|(ruleset, rule)| (ruleset.split('/').next().unwrap(), rule.as_str()))
        .collect();
    let listed: BTreeSet<(&str, &str)> =
        REFUSING.iter().flat_map(|(game, rules)| rules.iter().map(move |rule| (*game, *rule))).collect();
    let words = |(game, rule): &(&str, &str)| format!("{game} {rule}");
    nothing(&listed.difference(&met).map(words).collect::<Vec<_>>(), "no case is refused by");
    nothing(&met.difference(&listed).map(words).collect::<Vec<_>>(), "these refuse and are not on the list here");
}

#[test]
fn every_question_is_met_and_every_default_is_played() {
    let (mut asked, mut with_default, mut defaulted) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for run in play::all() {
        asked.extend(run.met.asked.iter().cloned());
        with_default.extend(run.met.with_default.iter().cloned());
        defaulted.extend(run.met.defaulted.iter().cloned());
    }
    let words = |(ruleset, what): &(String, Word)| format!("{what} in {ruleset}");
    let random = questions_of_random_matches();
    nothing(&random.difference(&asked).map(words).collect::<Vec<_>>(), "no case comes to the question");
    nothing(&with_default.difference(&defaulted).map(words).collect::<Vec<_>>(), "no case answers with - the question");
}

#[test]
fn every_way_of_ending_has_a_case() {
    let there: BTreeSet<(String, String)> = play::all().iter().flat_map(|run| run.met.ended.iter().cloned()).collect();
    let ways: BTreeSet<(String, String)> = rulesets()
        .flat_map(|ruleset| endings::of(ruleset).into_iter().map(|way| (ruleset.card().id.to_owned(), way)))
        .collect();
    let words = |(ruleset, way): &(String, String)| format!("{ruleset}: {way}");
    nothing(&ways.difference(&there).map(words).collect::<Vec<_>>(), "no case ends so");
    nothing(&there.difference(&ways).map(words).collect::<Vec<_>>(), "these end otherwise than the list here says");
}

#[test]
fn nothing_lies_beside_the_cases() {
    let found = walk(&super::root());
    let known: BTreeSet<String> = case::all().into_iter().map(|case| case.file).collect();
    let others = ["README.md".to_owned(), "table.json".to_owned()];
    let strange: Vec<String> =
        found.into_iter().filter(|file| !known.contains(file) && !others.contains(file)).collect();
    nothing(&strange, "these files are no cases");
}

fn walk(folder: &std::path::Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(walk(&path));
        } else {
            found.push(path.strip_prefix(super::root()).unwrap().display().to_string());
        }
    }
    found
}

/// The questions that are asked when both seats and the host play at random.
fn questions_of_random_matches() -> BTreeSet<(String, Word)> {
    let mut met = BTreeSet::new();
    for ruleset in rulesets() {
        let card = ruleset.card();
        for seed in 0..12 {
            let mut items = engine::BySeat::<Vec<String>>::default();
            items.p1 = card.items.iter().map(|item| (*item).to_owned()).collect();
            let setup = Setup { ruleset: card.id.into(), dmo: Some(Seat::P1), items, ..Setup::default() };
            let mut duel = Duel::open(&setup).unwrap();
            let mut stream = SplitMix64(seed);
            for _ in 0..2000 {
                let asks = duel.asks();
                met.extend(asks.iter().map(|ask| (card.id.to_owned(), ask.what.clone())));
                let Some(ask) = asks.last() else { break };
                let optional = asks.first().filter(|ask| ask.optional && stream.below(8) == 0);
                let Some(line) = answer(&duel, optional.unwrap_or(ask), &mut stream) else { break };
                duel.play(&line, None).unwrap_or_else(|refusal| panic!("{}: {line}: {refusal}", card.id));
            }
        }
    }
    met
}

fn answer(duel: &Duel, ask: &engine::Ask, stream: &mut SplitMix64) -> Option<String> {
    Some(match ask.to {
        To::Both => {
            let sent =
                [Seat::P1, Seat::P2].map(|seat| duel.sample(seat, &ask.what, stream).unwrap_or_else(|| "-".into()));
            format!("{} / {}", sent[0], sent[1])
        }
        To::One(seat) => format!("{}: {}", seat.word(), duel.sample(seat, &ask.what, stream)?),
        To::Host => format!("host: {}", duel.draw(stream)?),
    })
}
