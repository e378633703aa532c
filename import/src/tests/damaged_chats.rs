//! Damaged variants of the written chats: lines dropped, swapped or doubled, clocks in another language.

use engine::{SplitMix64, Stream};

use super::fixtures::Source;
use super::written_chats::{Compared, logs, steps};

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

/// Why a damaged log is read wrongly: a line has no row, or a move is read that was not played, or one is lost that was read of the
/// whole log on a line that is still there, and no question stands there.
fn fault(log: &Source, whole: &Compared<'_>, text: String) -> Option<String> {
    let read = Compared::of(log.read_as(text));
    let (reading, found) = (&read.state.reading, read.found.iter().flatten().copied().collect::<Vec<_>>());
    let lines = read.state.text.lines().filter(|line| !line.trim().is_empty()).count();
    if reading.rows.len() != lines {
        return Some(format!("{} rows for {lines} lines", reading.rows.len()));
    }
    if let Some(import) = &reading.import {
        return (steps(&reading.dmn, false) != read.played).then(|| format!("entered as {:?}", import.lines()));
    }
    let wrong = (0..reading.understood.len()).find(|at| {
        let place = |found: Option<&usize>| found.map(|at| read.place(reading.understood[*at].0));
        let before = place(found.iter().rev().find(|found| *found < at)).unwrap_or(0);
        let behind = place(found.iter().find(|found| *found > at)).unwrap_or(usize::MAX);
        !found.contains(at) && !read.asks(before.min(behind), before.max(behind))
    });
    if let Some(at) = wrong {
        return Some(format!("{:?} was not played", reading.understood[at]));
    }
    let is_there = |step: &usize| {
        let line = whole.line(*step).and_then(|line| whole.state.text.lines().nth(line - 1));
        line.is_some_and(|line| read.state.text.lines().any(|other| other == line))
    };
    let lost = read.silent().into_iter().find(is_there);
    lost.map(|step| format!("{} is lost", read.played[step]))
}

fn damage(count: usize, seed: u64) {
    let (logs, mut chance) = (logs(), SplitMix64(seed));
    let mut faults = Vec::new();
    let wholes: Vec<_> = logs.iter().map(|log| Compared::of(log.open())).collect();
    for (n, (log, whole)) in logs.iter().zip(&wholes).cycle().take(count).enumerate() {
        let text = damaged(&log.text(), &mut chance);
        faults.extend(fault(log, whole, text).map(|why| format!("{n} {}: {why}", log.name())));
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
