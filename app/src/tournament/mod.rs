//! Tournaments as an umpire's plan: brackets, pools and Swiss rounds, from seeds and results. Nothing here is in the log, and
//! nothing here says who is out or who won the event: its host does.

mod bracket;
mod plan;
mod pools;
mod sheet;
mod swiss;

use engine::{BySeat, Seat};

pub use plan::{Bout, Plan, Round, Slot, Table};
pub use pools::Standing;
pub use sheet::{CastMember, Evening, EventSheet, Format, Out, Pairing, SheetError};

/// Somebody in a plan, by their place in the list of seeds, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seed(pub usize);

/// How a match of two of them came out. Void ones are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Running,
    Undecided,
    WonBy(Seed),
}

/// A match of two of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Meeting {
    players: [Seed; 2],
    outcome: Outcome,
}

/// The matches in the order in which they were played, each for one place of the plan.
#[derive(Debug)]
struct Meetings<'m> {
    left: Vec<Option<&'m Meeting>>,
}

/// A place in a plan that two have met for: which of the matches, and who won it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Met {
    place: Option<usize>,
    winner: Option<Seat>,
    is_running: bool,
}

impl<'m> Meetings<'m> {
    fn of(meetings: &'m [Meeting]) -> Self {
        Self { left: meetings.iter().map(Some).collect() }
    }

    /// Takes the first match of these two that is left. Where there must be a winner, matches without one are played again.
    fn take(&mut self, players: BySeat<Seed>, needs_winner: bool) -> Met {
        let mut met = Met::default();
        for (place, left) in self.left.iter_mut().enumerate() {
            let (both, turned) = ([players.p1, players.p2], [players.p2, players.p1]);
            let Some(meeting) = left.take_if(|one| one.players == both || one.players == turned) else { continue };
            met = match meeting.outcome {
                Outcome::Running => Met { place: Some(place), winner: None, is_running: true },
                Outcome::Undecided => Met { place: Some(place), winner: None, is_running: false },
                Outcome::WonBy(seed) => {
                    let winner = if seed == players.p1 { Seat::P1 } else { Seat::P2 };
                    Met { place: Some(place), winner: Some(winner), is_running: false }
                }
            };
            if meeting.outcome != Outcome::Undecided || !needs_winner {
                break;
            }
        }
        met
    }
}

#[cfg(test)]
mod tests;
