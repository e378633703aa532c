//! The parts that are tried completely.

use std::collections::BTreeSet;

use super::comparison::Comparison;
use super::resolver::{ACTIONS, Hosting, Submission};
use super::submissions::{all_submissions, with_items};

/// Random courses, after each of which all joint moves are compared.
const COURSES: u64 = 7;

/// Tries everything, and prints the number of rounds compared.
pub(crate) fn compare(ruleset: &str, hosting: Hosting, words: &dyn Fn(char) -> &'static str) {
    let open = Comparison::new(ruleset, hosting, words);
    let moves = all_submissions(hosting);
    let counts = [
        histories(&open, &moves),
        bars(&open, &moves),
        lights(&open, &moves),
        (0..COURSES).map(|seed| all_joint(&walked(open.clone(), &moves, seed), &moves)).sum(),
        if hosting == Hosting::Doubles { items(&open, &moves) } else { 0 },
    ];
    println!("{ruleset}: {counts:?}, {} rounds compared", counts.iter().sum::<usize>());
}

/// All joint moves of a round, and Claim Priority after each.
fn all_joint(course: &Comparison<'_>, moves: &[Submission]) -> usize {
    for first in moves {
        for second in moves {
            if let Some(next) = course.play([first, second])
                && course.hosting == Hosting::Doubles
            {
                next.take_the_pot();
            }
        }
    }
    moves.len() * moves.len()
}

/// The submissions that can have counted in a round: each list of actions once, a Block with one target.
fn plays(moves: &[Submission]) -> Vec<&Submission> {
    let once = |sent: &&Submission| match sent.target {
        Some(target) => target == 'g',
        None => !sent.actions.contains(&'b'),
    };
    moves.iter().filter(once).collect()
}

/// Every course of two rounds, with everything that a seat can send after it, against a missing submission; both seats
/// in turn.
fn histories(open: &Comparison<'_>, moves: &[Submission]) -> usize {
    let (plays, missing) = (plays(moves), &moves[0]);
    let mut compared = 0;
    for before in &plays {
        let first = open.play([before, missing]);
        let second = open.play([missing, before]);
        for last in &plays {
            let first = first.as_ref().and_then(|course| course.play([last, missing]));
            let second = second.as_ref().and_then(|course| course.play([missing, last]));
            for sent in moves {
                first.as_ref().map(|course| course.play([sent, missing]));
                second.as_ref().map(|course| course.play([missing, sent]));
                compared += usize::from(first.is_some()) + usize::from(second.is_some());
            }
        }
    }
    compared
}

/// Every bar that a Block can set, with all joint moves of the round after it; and again after a replayed round.
fn bars(open: &Comparison<'_>, moves: &[Submission]) -> usize {
    let mut seen = BTreeSet::new();
    let mut compared = all_joint(open, moves);
    let quiet: Vec<&Submission> = moves.iter().filter(|sent| !sent.actions.contains(&'b')).collect();
    for target in ACTIONS {
        for seat in [0, 1] {
            let mut courses = Vec::new();
            for (n, block) in moves.iter().filter(|sent| sent.target == Some(target)).enumerate() {
                let other = quiet[(n * 5 + 1) % quiet.len()];
                let sent = if seat == 0 { [block, other] } else { [other, block] };
                courses.extend(open.play(sent).filter(|course| course.barred()[1 - seat] == Some(target)));
            }
            // The same pair may not be sent twice in a row, so one course does not allow all joint moves.
            courses.truncate(2);
            assert_eq!(courses.len(), 2);
            if open.hosting == Hosting::Exact {
                let replayed = courses[0].play([&moves[0], &moves[0]]).unwrap();
                assert_eq!(replayed.barred(), courses[0].barred());
                courses.push(replayed);
            }
            compared += courses.iter().map(|course| all_joint(course, moves)).sum::<usize>();
            seen.insert((seat, target));
        }
    }
    assert_eq!(seen.len(), 10, "two Blocks cancel each other: no more than one seat is ever barred");
    compared
}

/// Every row of lights that can be on, with everything that can be sent, including each way to complete it.
fn lights(open: &Comparison<'_>, moves: &[Submission]) -> usize {
    let mut reached: BTreeSet<Vec<char>> = BTreeSet::from([Vec::new()]);
    let mut courses = vec![open.clone()];
    let mut compared = 0;
    while let Some(course) = courses.pop() {
        for (n, sent) in moves.iter().enumerate() {
            for against in [&moves[0], &moves[(n * 3 + courses.len()) % moves.len()]] {
                let Some(next) = course.play([sent, against]) else { continue };
                compared += 1;
                if reached.insert(next.lights().to_vec()) {
                    courses.push(next);
                }
            }
        }
    }
    // A single light needs a round of one action, or of one action twice.
    let rows = if open.hosting == Hosting::Exact { 26 } else { 31 };
    assert_eq!(reached.len(), rows, "{reached:?}");
    compared
}

/// The items: every submission with them after every course of two rounds, and everything that can be sent after that
/// while Limit Reset and three actions still matter.
fn items(open: &Comparison<'_>, moves: &[Submission]) -> usize {
    let (plays, with, missing) = (plays(moves), with_items(), &moves[0]);
    let mut compared = 0;
    for (n, before) in plays.iter().enumerate() {
        let Some(one) = open.play([before, missing]) else { continue };
        for (m, last) in plays.iter().enumerate() {
            let Some(two) = one.play([last, missing]) else { continue };
            for (k, sent) in with.iter().enumerate() {
                two.play([sent, &moves[(n + m + k) % moves.len()]]);
                compared += 1;
            }
        }
        for (m, sent) in with.iter().enumerate().skip(n % 2).step_by(2) {
            let Some(two) = one.play([sent, missing]) else { continue };
            for (k, next) in moves.iter().chain(&with).enumerate() {
                let after = two.play([next, missing]);
                compared += 1;
                // Now and then, the round after that, too.
                if (n + m + k) % 29 == 0
                    && let Some(after) = after
                {
                    moves.iter().for_each(|last| drop(after.play([last, missing])));
                    compared += moves.len();
                }
            }
        }
    }
    // Items against everything that the other seat can send.
    for sent in &with {
        for against in moves {
            open.play([sent, against]);
            compared += 1;
        }
    }
    compared
}

/// Walks some rounds at random, always the same way.
fn walked<'c>(mut course: Comparison<'c>, moves: &[Submission], seed: u64) -> Comparison<'c> {
    let mut chance = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = move || {
        chance ^= chance >> 12;
        chance ^= chance << 25;
        chance ^= chance >> 27;
        (chance >> 33) as usize % moves.len()
    };
    let mut left = 1 + seed;
    while left > 0 {
        if let Some(after) = course.play([&moves[next()], &moves[next()]]) {
            course = after;
            left -= 1;
        }
    }
    course
}
