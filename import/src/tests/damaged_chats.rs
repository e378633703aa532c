//! Damaged variants of the written chats: lines dropped, swapped or doubled, clocks in another language.

use engine::{SplitMix64, Stream};

use super::written_chats::{Log, State, logs, steps};

/// Variants in every run of the tests, and in a campaign.
const DAMAGED: usize = 300;
const DAMAGED_IN_A_CAMPAIGN: usize = 10_000;

/// The source with lines dropped, swapped or doubled, or with the clock of another language.
fn damaged(source: &str, chance: &mut SplitMix64) -> String {
    let mut lines: Vec<&str> = source.lines().collect();
    let mut any = |count: usize| usize::try_from(chance.below(u64::try_from(count.max(1)).unwrap())).unwrap();
    let kind = any(4);
    for _ in 0..=any(3) {
        let at = any(lines.len().saturating_sub(1));
        match kind {
            0 => drop(lines.remove(at)),
            1 => lines.swap(at, at + 1),
            2 => lines.insert(at, lines[at]),
            _ => return source.replace(" PM", " p. m.").replace(" AM", " a. m.").replace("pm", "nachm."),
        }
    }
    lines.join("\n") + "\n"
}

/// Why a damaged log is read wrongly: a line has no row, or a move is read that was not played, and no question stands there.
fn fault(log: &Log, text: String) -> Option<String> {
    let state = State::of(log, text, log.speakers.clone());
    let lines = state.text.lines().filter(|line| !line.trim().is_empty()).count();
    if state.reading.rows.len() != lines {
        return Some(format!("{} rows for {lines} lines", state.reading.rows.len()));
    }
    if let Some(import) = &state.reading.import {
        let steps = steps(&state.reading.dmn, false);
        return (steps != state.played).then(|| format!("entered as {:?}", import.lines()));
    }
    let found: Vec<usize> = state.found.iter().flatten().copied().collect();
    let understood = &state.reading.understood;
    let wrong = (0..understood.len()).find(|at| {
        let line = |found: Option<&usize>| found.map(|at| understood[*at].0);
        let before = line(found.iter().rev().find(|found| *found < at)).unwrap_or(0);
        let behind = line(found.iter().find(|found| *found > at)).unwrap_or(usize::MAX);
        let around = before.min(behind)..=before.max(behind);
        let asked = state.reading.rows.iter().any(|row| row.wrong.is_some() && around.contains(&row.line));
        !found.contains(at) && !asked && state.reading.problems.is_empty()
    });
    wrong.map(|at| format!("{:?} was not played", understood[at]))
}

fn damage(count: usize, seed: u64) {
    let logs = logs();
    let mut faults = Vec::new();
    let mut chance = SplitMix64(seed);
    for n in 0..count {
        let log = &logs[n % logs.len()];
        let text = damaged(&log.source, &mut chance);
        if let Some(why) = fault(log, text) {
            faults.push(format!("{n} {}: {why}", log.name));
        }
    }
    assert!(faults.is_empty(), "{} of {count}: {faults:#?}", faults.len());
}

#[test]
fn no_move_of_a_damaged_log_is_misread_and_no_line_lost() {
    damage(DAMAGED, 1);
}

#[test]
#[ignore = "minutes"]
fn no_move_of_a_damaged_log_is_misread_in_a_campaign() {
    damage(DAMAGED_IN_A_CAMPAIGN, 2);
}
