//! Calls with their answers, one a line: `[function, values, answer]`; of `play`, the effects and the state after it.

use rules_as_text::{Data, Fault, Rules, Sight, SplitMix64, step};

fn say(function: &str, values: Vec<Data>, answer: Data) {
    println!("{}", Data::List(vec![Data::text(function), Data::List(values), answer]).json());
}

fn play(rules: &Rules, seed: u64) -> Result<(), Fault> {
    let setup = Data::dict([("dmo", Data::text(if seed.is_multiple_of(2) { "p1" } else { "p2" }))]);
    let mut state = rules.start(&setup)?;
    say("start", vec![setup], state.clone());
    let mut stream = SplitMix64(seed);
    loop {
        let seen = |sight| rules.redact(&state, sight, &Data::None);
        say("asks", vec![seen(Sight::Public)], Data::List(rules.asks(&state)?));
        say("over", vec![seen(Sight::Public)], rules.over(&state)?.unwrap_or(Data::None));
        say("figures", vec![seen(Sight::Public)], rules.figures(&state)?);
        for sight in Sight::ALL {
            say("panels", vec![seen(sight), Data::text(sight.word())], rules.panels(&state, sight)?);
        }
        let Some(next) = step(rules, &state, &mut stream)? else { return Ok(()) };
        let what = Data::text(next.ask.word("what"));
        for (sent, why) in next.refused {
            let who = next.ask.word("to");
            if who != "both" {
                say("refuse", vec![seen(Sight::of(who)), Data::text(who), what.clone(), sent], why);
            }
        }
        say(
            "play",
            vec![state.clone(), what, next.sent],
            Data::List(vec![Data::List(next.effects), next.state.clone()]),
        );
        state = next.state;
    }
}

pub(crate) fn print(rules: &Rules, matches: u64) -> Result<(), String> {
    (0..matches).try_for_each(|seed| play(rules, seed)).map_err(|fault| fault.to_string())
}
