//! What happened in a row of the score sheet: both seats side by side where they moved together, one after the other
//! where they took turns.

use askama::Template;
use engine::{Duel, Party, Seat};
use record::StepRecord;

use super::{Act, Doing, PartyMark, Shown, doings};

/// What happened in a row.
#[derive(Clone, Debug, Template)]
#[template(path = "page/turns.html")]
pub(super) struct Turns {
    /// Whether it is told side by side: each seat once, in its own column.
    beside: bool,
    turns: Vec<Turn>,
}

/// What one party did before another did something.
#[derive(Clone, Debug)]
struct Turn {
    party: Party,
    name: String,
    acts: Vec<Act>,
    none: Option<String>,
    caution: &'static str,
}

impl Turns {
    /// What happened in these steps; none where they hold nothing but an umpire's decision.
    pub(super) fn of<'h>(shown: &Shown<'_>, steps: &[&'h StepRecord], mut before: Option<&'h Duel>) -> Option<Self> {
        let mut turns: Vec<Turn> = Vec::new();
        let (mut together, mut alone, mut drawn) = (0, 0, 0);
        for step in steps {
            let done = doings(shown, step, before);
            match done.as_slice() {
                [] => {}
                [one] if one.seat.is_none() => drawn += 1,
                [_] => alone += 1,
                _ => together += 1,
            }
            turns.extend(done.into_iter().map(Turn::of));
            before = step.after.as_ref();
        }
        // Of one move that a seat made alone it is clear when it was made: nothing is lost by standing side by side.
        let beside = together > 0 && alone <= 1 && drawn == 0;
        let turns = if beside { by_seat(&turns) } else { in_turn(turns) };
        (!turns.is_empty()).then_some(Self { beside, turns })
    }
}

impl Turn {
    fn of(doing: Doing) -> Self {
        let name = doing.name().to_owned();
        let party = doing.seat.map_or(Party::Host, |seat| Party::Seat(seat.seat));
        Self { party, name, acts: doing.choice.acts, none: doing.choice.none, caution: doing.caution }
    }

    const fn mark(&self) -> PartyMark {
        PartyMark(self.party)
    }

    /// Takes up what the same party did next.
    fn goes_on(&mut self, mut next: Self) {
        for turn in [&mut *self, &mut next] {
            if let Some(name) = turn.none.take() {
                turn.acts.push(Act { name, sealed: false, fate: None, why: String::new(), rule: None });
            }
        }
        self.acts.extend(next.acts);
    }
}

/// One entry for each seat.
fn by_seat(turns: &[Turn]) -> Vec<Turn> {
    let mut sorted: Vec<Turn> = Vec::new();
    for seat in Seat::BOTH.map(Party::Seat) {
        let own = turns.iter().filter(|turn| turn.party == seat).cloned();
        sorted.extend(own.reduce(|mut all, next| {
            all.goes_on(next);
            all
        }));
    }
    sorted
}

/// An entry for each change of who moves.
fn in_turn(turns: Vec<Turn>) -> Vec<Turn> {
    let mut merged: Vec<Turn> = Vec::new();
    for turn in turns {
        match merged.last_mut() {
            Some(last) if last.party == turn.party => last.goes_on(turn),
            _ => merged.push(turn),
        }
    }
    merged
}
