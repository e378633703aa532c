//! A knock-out: who meets whom, from the seeds and the results. With two lives, who loses falls into the lower half, and is
//! out with the second defeat. The best seeds have the byes.

use engine::{BySeat, Seat};

use super::{Meeting, Meetings, Met, Seed};

/// Where a tie belongs; rounds are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Upper(usize),
    Lower(usize),
    GrandFinal,
    /// The winner of the upper half has lost the grand final, for the first time.
    Decider,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Known(Seed),
    /// Somebody whom an earlier tie decides.
    Open,
    Bye,
}

/// Two who meet, or one with a bye.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tie {
    pub(super) part: Part,
    pub(super) sides: BySeat<Side>,
    pub(super) met: Met,
}

#[derive(Clone, Copy, Debug)]
enum Source {
    Seed(usize),
    Winner(usize),
    Loser(usize),
}

impl Tie {
    /// The one who comes out of it.
    #[must_use]
    pub(super) fn winner(&self) -> Side {
        match (self.sides.p1, self.sides.p2) {
            (side, Side::Bye) | (Side::Bye, side) => side,
            _ => self.met.winner.map_or(Side::Open, |seat| self.sides[seat]),
        }
    }

    fn loser(&self) -> Side {
        match (self.sides.p1, self.sides.p2) {
            (_, Side::Bye) | (Side::Bye, _) => Side::Bye,
            _ => self.met.winner.map_or(Side::Open, |seat| self.sides[seat.other()]),
        }
    }

    /// Both, where both are known.
    #[must_use]
    pub(super) const fn players(&self) -> Option<BySeat<Seed>> {
        match (self.sides.p1, self.sides.p2) {
            (Side::Known(p1), Side::Known(p2)) => Some(BySeat { p1, p2 }),
            _ => None,
        }
    }
}

/// The plan of a bracket, in the order in which its ties can be played.
#[derive(Debug, Default)]
struct Plan(Vec<(Part, [Source; 2])>);

impl Plan {
    /// Adds a round. Returns the places of its ties.
    fn add(&mut self, part: Part, sources: impl IntoIterator<Item = [Source; 2]>) -> Vec<usize> {
        let first = self.0.len();
        self.0.extend(sources.into_iter().map(|sources| (part, sources)));
        (first..self.0.len()).collect()
    }

    fn add_pairs(&mut self, part: Part, of: &[usize], source: fn(usize) -> Source) -> Vec<usize> {
        let pairs: Vec<_> =
            of.chunks(2).filter_map(|pair| Some([source(*pair.first()?), source(*pair.get(1)?)])).collect();
        self.add(part, pairs)
    }
}

/// The places of the seeds from top to bottom: the first two can meet in the final only, the first four in the semi-finals.
fn seeding(size: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < size {
        let last = order.len() * 2 - 1;
        order = order.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    order
}

fn plan(entrants: usize, two_lives: bool) -> Plan {
    let (mut plan, order) = (Plan::default(), seeding(entrants.next_power_of_two().max(2)));
    let pairs = order.chunks(2).filter_map(|pair| Some([Source::Seed(*pair.first()?), Source::Seed(*pair.get(1)?)]));
    let mut upper = vec![plan.add(Part::Upper(0), pairs)];
    while let Some(last) = upper.last().filter(|last| last.len() > 1) {
        let next = plan.add_pairs(Part::Upper(upper.len()), last, Source::Winner);
        upper.push(next);
    }
    let top = upper.last().and_then(|last| last.first()).copied();
    let (true, Some(top)) = (two_lives, top) else { return plan };
    // In turns: those who are down meet each other, and then those who fall from above. These come turned round, so that
    // nobody soon meets the same one again.
    let mut rounds = upper.into_iter();
    let mut below = rounds.next().unwrap_or_default();
    let (mut source, mut part) = (Source::Loser as fn(usize) -> Source, 0);
    for fallen in rounds {
        let down = plan.add_pairs(Part::Lower(part), &below, source);
        let meets =
            down.iter().zip(fallen.iter().rev()).map(|(down, fallen)| [Source::Winner(*down), Source::Loser(*fallen)]);
        below = plan.add(Part::Lower(part + 1), meets.collect::<Vec<_>>());
        (source, part) = (Source::Winner, part + 2);
    }
    let bottom = below.first().copied().unwrap_or(top);
    let last = plan.add(Part::GrandFinal, [[Source::Winner(top), source(bottom)]]);
    let both = last.first().map(|last| [Source::Loser(*last), Source::Winner(*last)]);
    plan.add(Part::Decider, both);
    plan
}

/// Every tie, as far as the results decide it. Ties in which nobody is left out.
#[must_use]
pub(super) fn bracket(entrants: usize, two_lives: bool, meetings: &[Meeting]) -> Vec<Tie> {
    let mut meetings = Meetings::of(meetings);
    let mut ties: Vec<Tie> = Vec::new();
    for (part, sources) in plan(entrants, two_lives).0 {
        let of = |place: usize, side: fn(&Tie) -> Side| ties.get(place).map_or(Side::Bye, side);
        let side = |source: Source| match source {
            Source::Seed(seed) if seed < entrants => Side::Known(Seed(seed)),
            Source::Seed(_) => Side::Bye,
            Source::Winner(place) => of(place, Tie::winner),
            Source::Loser(place) => of(place, Tie::loser),
        };
        let [p1, p2] = sources.map(side);
        let mut tie = Tie { part, sides: BySeat { p1, p2 }, met: Met::default() };
        // Only if the one from above has lost for the first time.
        let decides = part != Part::Decider || ties.last().is_some_and(|last| last.met.winner == Some(Seat::P2));
        if let (true, Some(players)) = (decides, tie.players()) {
            tie.met = meetings.take(players, true);
        }
        if decides {
            ties.push(tie);
        }
    }
    ties.retain(|tie| tie.sides.each().iter().any(|(_, side)| **side != Side::Bye));
    ties
}
