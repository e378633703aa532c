//! The texts of three games against the compiled engine: questions, refusals, effects, states, views and results of random
//! matches. `MATCHES=100000 cargo test --release --test house` plays that many of each.

mod drawn;

use std::time::{Duration, Instant};

use drawn::{asked, effect, outcome, view};
use engine::{Duel, Effect, Party, Seat, Setup, Sight as HouseSight, SplitMix64, Stream, To};
use rules_as_text::{Data, Rules, Sight};

const SIGHTS: [(HouseSight, Sight); 4] = [
    (HouseSight::Public, Sight::Public),
    (HouseSight::Seat(Seat::P1), Sight::P1),
    (HouseSight::Seat(Seat::P2), Sight::P2),
    (HouseSight::Everything, Sight::Everything),
];

struct Pair {
    rules: Rules,
    duel: Duel,
    state: Data,
    counts: Counts,
}

#[derive(Default, Debug)]
struct Counts {
    steps: u64,
    refused: u64,
    /// Refusals for want of a completion, which the text of Higher or Lower leaves out.
    left_out: u64,
    views: u64,
    house: Duration,
    text: Duration,
}

/// An answer of the notation as the machine takes it.
fn sent(text: &str) -> Data {
    match text {
        "-" => Data::None,
        "nothing" => Data::List(Vec::new()),
        text => Data::words(text.split(' ')),
    }
}

/// The question that a line of Higher or Lower answers; the other games have one.
fn question(text: &str, asked: &str) -> String {
    match text.split(' ').next().unwrap_or_default() {
        word @ ("colour" | "assign" | "board" | "turn" | "layout" | "place") => word.into(),
        "north" | "east" | "south" | "west" | "stop" => "guess".into(),
        _ => asked.into(),
    }
}

impl Pair {
    fn open(rules: Rules, ruleset: &str, dmo: Seat, counts: Counts) -> Self {
        let setup = Setup { ruleset: ruleset.into(), dmo: Some(dmo), ..Setup::default() };
        let state = rules.start(&Data::dict([("dmo", Data::text(dmo.word()))])).unwrap();
        Self { rules, duel: Duel::open(&setup).unwrap(), state, counts }
    }

    fn compare_state(&mut self, sights: &[(HouseSight, Sight)]) {
        let asks = self.rules.asks(&self.state).unwrap();
        let keys = ["to", "what", "prompt", "clock", "default"];
        let ours: Vec<Data> = asks
            .iter()
            .map(|ask| Data::dict(keys.map(|key| (key, ask.get(key).cloned().unwrap_or(Data::None)))))
            .collect();
        assert_eq!(ours, self.duel.asks().iter().map(asked).collect::<Vec<_>>());
        if sights.is_empty() && !ours.is_empty() {
            return;
        }
        assert_eq!(self.rules.over(&self.state).unwrap(), outcome(self.duel.outcome()));
        self.counts.views += sights.len() as u64;
        for (house, sight) in sights.iter().copied() {
            assert_eq!(self.rules.state(&self.state, sight), self.duel.state(house));
            let (figures, panels) = view(&self.duel.view(house));
            assert_eq!(self.rules.figures(&self.state).unwrap(), figures);
            assert_eq!(self.rules.panels(&self.state, sight).unwrap(), panels, "{sight:?}");
        }
    }

    /// Both refuse this answer with one rule and one sentence, or neither does.
    fn compare_refusal(&mut self, who: &str, what: &str, text: &str) {
        let party = who.parse::<Seat>().map_or(Party::Host, Party::Seat);
        let house = self.duel.read(party, what, text);
        if house.as_ref().is_err_and(|refusal| refusal.rule.is_none()) {
            return;
        }
        let ours = self.rules.refuse(&self.state, who, &question(text, what), &sent(text)).unwrap();
        let theirs = house.err().map(|refusal| {
            let rule = refusal.rule.unwrap_or_default();
            Data::dict([("rule", Data::text(rule)), ("why", Data::text(&refusal.expected))])
        });
        // The text may let such an answer pass, or find another fault behind it.
        if theirs.as_ref().is_some_and(|why| why.word("why").contains("cannot all be filled")) {
            self.counts.left_out += 1;
            return;
        }
        self.counts.refused += u64::from(ours.is_some());
        assert_eq!(ours, theirs, "{who}: {text}\n{}", self.state.json());
    }

    /// One step of the engine's own random play, after some answers that may be wrong.
    fn step(&mut self, stream: &mut SplitMix64, wrong: fn(&mut SplitMix64, &str) -> String) -> bool {
        let asks = self.duel.asks();
        if asks.is_empty() {
            return false;
        }
        let last = asks.len() - 1;
        let at = if stream.below(2) == 0 { last } else { stream.below(asks.len() as u64) as usize };
        let ask = &asks[at];
        let what = ask.what.to_string();
        let drawn = self.duel.draw(stream).unwrap_or_default();
        let wrongs = if stream.below(4) == 0 { 1 + stream.below(2) } else { 0 };
        for _ in 0..wrongs {
            let text = wrong(stream, &drawn);
            let host = text.starts_with("place") || text.starts_with("layout");
            let who = if host { "host" } else { ["p1", "p2"][stream.below(2) as usize] };
            self.compare_refusal(who, &what, &text);
        }
        let seats = Seat::BOTH.into_iter().filter(|seat| [To::Both, To::One(*seat)].contains(&ask.to));
        let answers: Vec<(&str, String)> = if ask.to == To::Host {
            vec![("host", drawn)]
        } else {
            seats.map(|seat| (seat.word(), self.duel.sample(seat, &what, stream).unwrap())).collect()
        };
        for (who, text) in &answers {
            self.compare_refusal(who, &what, text);
        }
        self.play(&what, &answers);
        true
    }

    fn play(&mut self, what: &str, answers: &[(&str, String)]) {
        let line = match answers {
            [(who, text)] => format!("{who}: {text}"),
            _ => format!("{} / {}", answers[0].1, answers[1].1),
        };
        let mut effects: Vec<Effect> = Vec::new();
        let begun = Instant::now();
        self.duel.play(&line, Some(&mut effects)).unwrap();
        let between = Instant::now();
        let all = Data::Dict(answers.iter().map(|(who, text)| ((*who).into(), sent(text))).collect());
        let (state, said) = self.rules.play(&self.state, what, &all).unwrap();
        self.counts.house += between - begun;
        self.counts.text += between.elapsed();
        assert_eq!(said, effects.iter().map(effect).collect::<Vec<_>>(), "{line}");
        self.state = state;
        self.counts.steps += 1;
    }
}

fn compare(text: &str, ruleset: &str, wrong: fn(&mut SplitMix64, &str) -> String) {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse().ok());
    let (first, matches) = (number("FIRST").unwrap_or(0), number("MATCHES").unwrap_or(100_u64));
    let begun = Instant::now();
    let mut pair = Pair::open(Rules::read(text).unwrap(), ruleset, Seat::P1, Counts::default());
    for seed in first..first + matches {
        let mut stream = SplitMix64(seed.wrapping_mul(0x9e37_79b9));
        pair = Pair::open(pair.rules, ruleset, Seat::BOTH[stream.below(2) as usize], pair.counts);
        loop {
            // Every view of some matches, and in the others one of each sight now and then.
            let place = stream.below(256) as usize;
            pair.compare_state(if seed % 1_000 < 10 { &SIGHTS } else { SIGHTS.get(place..=place).unwrap_or_default() });
            if !pair.step(&mut stream, wrong) {
                break;
            }
        }
    }
    let Counts { steps, refused, left_out, views, house, text } = pair.counts;
    let each = |took: Duration| took.as_secs_f64() * 1_000.0 / matches as f64;
    println!("{ruleset}: {matches} matches, {steps} steps, {refused} refusals, {views} views: the same");
    println!(
        "  {left_out} refusals for want of a completion left out; the whole comparison took {:?}",
        begun.elapsed()
    );
    println!(
        "  ms a match for its steps: {:.4} compiled, {:.4} as text; most of a call: {:?}",
        each(house),
        each(text),
        pair.rules.most()
    );
}

#[test]
fn three_card_trick_is_the_same() {
    compare(include_str!("../../../texts/three-card-trick.star"), "three-card/simply-genius", |stream, _| {
        let words = ["nothing", "grow", "claim", "steal", "grow claim", "grow steal", "claim steal", "-"];
        words[stream.below(8) as usize].into()
    });
}

#[test]
fn five_card_trick_is_the_same() {
    compare(include_str!("../../../texts/five-card-trick.star"), "five-card-trick/zeros-gauntlet", |stream, _| {
        let words = [
            "score",
            "grow",
            "claim",
            "steal",
            "block:score",
            "block:grow",
            "block:claim",
            "block:steal",
            "block",
            "score",
        ];
        let some = (0..1 + stream.below(3)).map(|_| words[stream.below(10) as usize]);
        some.collect::<Vec<_>>().join(" ")
    });
}

/// A move of any phase, or the host's next placement with two cards swapped or one altered.
fn wrong_of_boards(stream: &mut SplitMix64, drawn: &str) -> String {
    let one = |list: &[&str], stream: &mut SplitMix64| list[stream.below(list.len() as u64) as usize].to_owned();
    let cell = |stream: &mut SplitMix64| format!("{}{}", one(&["a", "b", "c", "d", "e"], stream), stream.below(5) + 1);
    let letter = |stream: &mut SplitMix64| one(&["A", "B", "C", "D", "E"], stream);
    match stream.below(9) {
        0 => format!("colour {}", one(&["cyan", "pink"], stream)),
        1 => format!("assign {} circle A1 A2", letter(stream)),
        2 => format!("board {} {}", letter(stream), one(&["first", "second"], stream)),
        3 => format!("turn {}", cell(stream)),
        4 => format!("{} {}", one(&["north", "east", "south", "west"], stream), one(&["higher", "lower"], stream)),
        5 => one(&["stop", "-"], stream),
        _ if !drawn.is_empty() => {
            let mut words: Vec<String> = drawn.split(' ').map(str::to_owned).collect();
            let (a, b) = (2 + stream.below(25) as usize, 2 + stream.below(25) as usize);
            match stream.below(4) {
                0 if words[0] == "place" => words[a] = format!("{}{}", letter(stream), stream.below(10) + 1),
                1 => words[1] = letter(stream),
                _ => words.swap(a, b),
            }
            words.join(" ")
        }
        _ => "stop".into(),
    }
}

#[test]
fn higher_or_lower_is_the_same() {
    compare(include_str!("../../../texts/higher-or-lower.star"), "higher-lower/tempo-up", wrong_of_boards);
}
