//! Pools: everybody meets everybody once, and the tables of any matches that give points.

use std::collections::BTreeMap;

use super::{Meeting, Outcome, Seed};

/// Half points, so that a match without a winner is one for each.
const WIN: u32 = 2;

/// How somebody stands in a pool or in Swiss rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    pub seed: Seed,
    pub won: u32,
    pub lost: u32,
    pub undecided: u32,
    pub byes: u32,
}

impl Standing {
    /// Twice the points: 2 for a win or a bye, 1 for a match without a winner.
    #[must_use]
    pub const fn half_points(&self) -> u32 {
        WIN * (self.won + self.byes) + self.undecided
    }

    #[must_use]
    pub fn points(&self) -> String {
        format!("{}{}", self.half_points() / 2, if self.half_points() % 2 == 1 { "\u{bd}" } else { "" })
    }
}

/// The rounds in which everybody meets everybody once: one sits still, the others turn around the table.
#[must_use]
pub(super) fn all_play_all(entrants: usize) -> Vec<Vec<[Seed; 2]>> {
    let places = entrants + entrants % 2;
    let turns = places.saturating_sub(1);
    let round = |turn: usize| {
        let at = |place: usize| if place == 0 { 0 } else { 1 + (place - 1 + turn) % turns };
        let pairs = (0..places / 2).map(|place| [at(place), at(places - 1 - place)]);
        pairs.filter(|pair| pair.iter().all(|seed| *seed < entrants)).map(|pair| pair.map(Seed)).collect()
    };
    (0..turns).map(round).collect()
}

/// The table: most points first, then most wins, then the seeds.
#[must_use]
pub(super) fn standings(entrants: usize, meetings: &[Meeting], byes: &[Seed]) -> Vec<Standing> {
    let none = |seed| (Seed(seed), Standing { seed: Seed(seed), won: 0, lost: 0, undecided: 0, byes: 0 });
    let mut all: BTreeMap<Seed, Standing> = (0..entrants).map(none).collect();
    for meeting in meetings {
        for player in meeting.players {
            let Some(standing) = all.get_mut(&player) else { continue };
            match meeting.outcome {
                Outcome::Running => {}
                Outcome::Undecided => standing.undecided += 1,
                Outcome::WonBy(winner) if winner == player => standing.won += 1,
                Outcome::WonBy(_) => standing.lost += 1,
            }
        }
    }
    for bye in byes {
        all.entry(*bye).and_modify(|standing| standing.byes += 1);
    }
    let mut table: Vec<Standing> = all.into_values().collect();
    table.sort_by_key(|standing| (u32::MAX - standing.half_points(), u32::MAX - standing.won, standing.seed));
    table
}
