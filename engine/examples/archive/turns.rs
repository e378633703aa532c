//! The players of the archive in games of turns: they pick the answer that looks best to them from the game's own
//! samples.

use engine::{BySeat, Duel, Panel, Seat, Sight, Stream, To};

use crate::chance::Chance;

/// More steps than any of these matches takes.
const STEPS: usize = 3000;

impl Stream for Chance {
    fn word(&mut self) -> u64 {
        u64::from(self.below(u32::MAX)) << 32 | u64::from(self.below(u32::MAX))
    }
}

/// The next line of the match.
pub(crate) fn line(duel: &Duel, chance: &mut Chance) -> Option<String> {
    let asks = duel.asks();
    let (last, others) = asks.split_last()?;
    let ask = others.iter().find(|ask| wants(duel, &ask.what, chance)).unwrap_or(last);
    Some(match ask.to {
        To::Both => {
            let moves = BySeat::from_fn(|seat| Some(answer(duel, seat, &ask.what, chance)));
            duel.line(&moves)
        }
        // A seat that need not answer never sends a missing answer.
        To::One(seat) if ask.optional => format!("{seat}: {}", duel.sample(seat, &ask.what, chance)?),
        To::One(seat) => format!("{seat}: {}", answer(duel, seat, &ask.what, chance)),
        To::Host => format!("host: {}", duel.draw(chance)?),
    })
}

/// True if somebody answers a question that is optional.
fn wants(duel: &Duel, what: &str, chance: &mut Chance) -> bool {
    match what {
        // The default layout is the best-known one.
        "layout" => false,
        // One seat assigns first.
        "assign" => duel.state(Sight::Public).contains("\"phase\":\"place\"") && chance.thousandths(300),
        _ => chance.thousandths(30),
    }
}

/// A seat's answer: none once in a while, otherwise the best of some samples.
fn answer(duel: &Duel, seat: Seat, what: &str, chance: &mut Chance) -> String {
    if chance.thousandths(6) {
        return "-".to_owned();
    }
    let mut samples: Vec<String> = Vec::new();
    // A sample is a likely answer; only for a guess do people think twice.
    for _ in 0..if what == "guess" { 12 } else { 2 } {
        let sample = duel.sample(seat, what, chance);
        samples.extend(sample.filter(|sample| sample != "-"));
    }
    let value = |text: &String| worth(duel, seat, what, text);
    let best = samples.iter().map(value).max().unwrap_or(0);
    let slip = chance.thousandths(40);
    samples.retain(|text| slip || value(text) == best);
    let at = chance.below(samples.len() as u32) as usize;
    samples.get(at).cloned().unwrap_or_else(|| "-".to_owned())
}

/// The apparent quality of an answer, without a unit.
fn worth(duel: &Duel, _: Seat, what: &str, text: &str) -> i64 {
    match what {
        "guess" => guess(duel, text),
        _ => 0,
    }
}

/// A prediction is worth its chances among nine other numbers; a stop is worth two in three.
fn guess(duel: &Duel, text: &str) -> i64 {
    let number = last_number(duel).unwrap_or(5);
    if text.ends_with("higher") {
        10 - number
    } else if text.ends_with("lower") {
        number - 1
    } else {
        6
    }
}

/// The number of the card turned last, on the current board.
fn last_number(duel: &Duel) -> Option<i64> {
    let state = duel.state(Sight::Public);
    let last = state.split_once("\"last\":\"")?.1.get(..2)?.to_owned();
    duel.view(Sight::Public).panels.into_iter().find_map(|panel| match panel {
        Panel::Grid { rows, current: true, .. } => {
            let mut cells = rows.into_iter().flat_map(|(_, cells)| cells);
            cells.find(|cell| cell.name.starts_with(&last))?.face.get(1..)?.parse().ok()
        }
        _ => None,
    })
}

/// Plays until the match is over, or this many steps are played.
pub(crate) fn on(duel: &mut Duel, steps: &mut Vec<String>, most: Option<usize>, chance: &mut Chance) -> Option<()> {
    for _ in 0..most.unwrap_or(STEPS) {
        if duel.outcome().is_over() {
            break;
        }
        let line = line(duel, chance)?;
        steps.push(duel.play(&line, None).ok()?.text);
    }
    (duel.outcome().is_over() == most.is_none()).then_some(())
}

/// The number of completed rounds, or of boards won.
pub(crate) fn completed(duel: &Duel) -> u32 {
    let state = duel.state(Sight::Public);
    let number = |key: &str, from: &str| {
        let after = from.split_once(&format!("\"{key}\":"))?.1;
        after.split([',', '}']).next()?.parse::<u32>().ok()
    };
    number("round", &state).unwrap_or_else(|| {
        let wins = state.split_once("\"wins\":").map_or("", |(_, wins)| wins);
        Seat::BOTH.into_iter().filter_map(|seat| number(seat.word(), wins)).sum()
    })
}
