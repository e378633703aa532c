//! What random matches show of a text.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use rules_as_text::{Data, Fault, Rules, Sight, SplitMix64, Step, step};

const MOST_STEPS: usize = 5_000;

#[derive(Default)]
struct Seen {
    /// Each question: whom it asks, its form, and how often.
    questions: BTreeMap<String, (BTreeSet<String>, String, u64)>,
    counters: BTreeSet<String>,
    offered: BTreeSet<(String, String)>,
    sent: BTreeSet<(String, String)>,
    endings: BTreeMap<String, u64>,
    faults: BTreeMap<String, u64>,
    refused: u64,
    steps: u64,
    longest: usize,
}

impl Seen {
    fn ask(&mut self, ask: &Data) -> Result<(), Fault> {
        let what = ask.word("what").to_owned();
        let forms = ["pick", "one", "number", "draw", "line"];
        let form = forms.into_iter().find(|form| ask.get(form).is_some()).unwrap_or("nothing");
        if let Some(key) = ["prompt", "default", "clock"].into_iter().find(|key| ask.get(key).is_none()) {
            return Err(Fault { line: 0, text: format!("the question \"{what}\" has no {key}: add it") });
        }
        let entry = self.questions.entry(what.clone()).or_default();
        entry.0.insert(ask.word("to").to_owned());
        entry.1 = form.into();
        entry.2 += 1;
        let words = match ask.get(form) {
            Some(Data::List(pick)) if form == "pick" => pick.get(2).and_then(Data::as_list),
            Some(Data::List(words)) if form == "one" => Some(words.as_slice()),
            _ => None,
        };
        for word in words.unwrap_or_default().iter().filter_map(Data::as_text) {
            self.offered.insert((what.clone(), word.into()));
        }
        Ok(())
    }

    fn step(&mut self, step: &Step) {
        let what = step.ask.word("what").to_owned();
        let pick = step.ask.get("pick").is_some();
        let Data::Dict(sent) = &step.sent else { return };
        for (_, answer) in sent {
            match answer {
                Data::List(words) if pick => {
                    self.sent.extend(words.iter().filter_map(Data::as_text).map(|word| (what.clone(), word.into())));
                }
                answer => drop(self.sent.insert((what.clone(), rules_as_text::words_of(answer)))),
            }
        }
        self.refused += step.refused.len() as u64;
        self.steps += 1;
    }
}

fn play(rules: &Rules, seed: u64, seen: &mut Seen) -> Result<(), Fault> {
    let dmo = if seed.is_multiple_of(2) { "p1" } else { "p2" };
    let mut state = rules.start(&Data::dict([("dmo", Data::text(dmo))]))?;
    let mut stream = SplitMix64(seed);
    for played in 0..MOST_STEPS {
        if let Data::List(figures) = rules.figures(&state)? {
            seen.counters.extend(figures.iter().map(|figure| figure.word("name").to_owned()));
        }
        if played % 7 == 0 {
            for sight in Sight::ALL {
                rules.panels(&state, sight)?;
            }
        }
        let Some(next) = step(rules, &state, &mut stream)? else {
            let ending = match rules.over(&state)? {
                Some(over) => match over.word("winner") {
                    "" => format!("undecided: {}", over.word("why")),
                    winner => format!("{winner} wins: {}", over.word("why")),
                },
                None => return Err(Fault { line: 0, text: "nothing is asked, and the match is not over".into() }),
            };
            *seen.endings.entry(ending).or_default() += 1;
            seen.longest = seen.longest.max(played);
            return Ok(());
        };
        seen.ask(&next.ask)?;
        seen.step(&next);
        state = next.state;
    }
    Err(Fault { line: 0, text: format!("no end after {MOST_STEPS} steps") })
}

fn list(title: &str, lines: impl IntoIterator<Item = String>) {
    println!("{title}");
    let mut none = true;
    for line in lines {
        println!("  {line}");
        none = false;
    }
    if none {
        println!("  none");
    }
}

/// Reads, plays and reports.
pub(crate) fn check(rules: &Rules, matches: u64) -> Result<(), String> {
    let mut seen = Seen::default();
    let begun = Instant::now();
    for seed in 0..matches {
        if let Err(fault) = play(rules, seed, &mut seen) {
            *seen.faults.entry(fault.to_string()).or_default() += 1;
        }
    }
    let took = begun.elapsed();
    println!("{}: {matches} random matches", rules.title);
    let text = |(what, (to, form, times)): (&String, &(BTreeSet<String>, String, u64))| {
        format!("{what} to {}, answered by {form}, {times} times", to.iter().cloned().collect::<Vec<_>>().join(" and "))
    };
    list("Questions", seen.questions.iter().filter(|(_, of)| !of.0.contains("host")).map(text));
    list("Draws of the host", seen.questions.iter().filter(|(_, of)| of.0.contains("host")).map(text));
    list("Counters", seen.counters.clone());
    let whose = |owner: bool| if owner { "each owner sees its own" } else { "nobody sees it before the end" };
    list("Hidden", rules.hidden().iter().map(|(key, owner)| format!("{key}: {}", whose(*owner))));
    let coverage = rules.coverage();
    let hidden = |text: &str| rules.hidden().iter().any(|(key, _)| key == text);
    let looks = coverage.iter().filter(|found| hidden(&found.text));
    list(
        "Looks at a hidden value (only play, start and the host's answers get it)",
        looks.map(|found| format!("line {}, {}: {}", found.line, found.function, found.text)),
    );
    list("Endings reached", seen.endings.iter().map(|(ending, times)| format!("{ending}, {times} times")));
    println!("Longest match: {} steps", seen.longest);
    println!("Steps: {} in all; {} answers were refused", seen.steps, seen.refused);
    let most = rules.most();
    println!("Most fuel of a call: {} steps of 2000000, {} values of 100000", most.steps, most.room);
    let untold = coverage.iter().filter(|found| !found.used && found.text.trim().contains(' '));
    list(
        "Sentences never told",
        untold.map(|found| format!("line {}, {}: {}", found.line, found.function, found.text)),
    );
    list("Answers never sampled", seen.offered.difference(&seen.sent).map(|(what, word)| format!("{what}: {word}")));
    println!("Time: {:.3} ms a match", took.as_secs_f64() * 1_000.0 / matches.max(1) as f64);
    if seen.faults.is_empty() {
        return Ok(());
    }
    list("Matches that stopped", seen.faults.iter().map(|(fault, times)| format!("{times}: {fault}")));
    Err("the text stops; see above".into())
}
