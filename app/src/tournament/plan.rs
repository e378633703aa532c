//! The plan of an event as it is shown: every pairing with its match, and the tables.

use std::collections::HashMap;

use engine::{BySeat, Seat};
use record::name_key;

use super::bracket::{Part, Side, Tie, bracket};
use super::pools::{Standing, all_play_all, standings};
use super::sheet::{EventSheet, Format, Pairing, is_withdrawn};
use super::swiss::{Pair, next_round};
use super::{Meeting, Meetings, Met, Outcome, Seed};
use crate::archive::MatchSummary;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    pub rounds: Vec<Round>,
    pub tables: Vec<Table>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    pub title: String,
    pub bouts: Vec<Bout>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot {
    Named(String),
    Open,
    Bye,
}

/// Two who meet, with their match if there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bout {
    pub sides: BySeat<Slot>,
    /// The match, by its place among those that the plan was made from.
    pub found: Option<usize>,
    /// Somebody must win it: a drawn match is played again.
    pub needs_winner: bool,
    pub winner: Option<Seat>,
    pub is_running: bool,
    pub scores: Option<BySeat<i32>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub title: String,
    pub rows: Vec<(String, Standing)>,
}

/// Those of a group, and the matches between them, the oldest first.
struct Group<'g> {
    names: &'g [String],
    matches: &'g [MatchSummary],
    meetings: Vec<Meeting>,
    /// Where each of them is among the matches.
    places: Vec<usize>,
}

impl Bout {
    /// Both names, where the match can be opened now.
    #[must_use]
    pub fn ready(&self) -> Option<[&str; 2]> {
        let is_open = self.found.is_none() || (self.needs_winner && self.winner.is_none() && !self.is_running);
        match (&self.sides.p1, &self.sides.p2) {
            (Slot::Named(p1), Slot::Named(p2)) if is_open && !self.has_withdrawn() => Some([p1, p2]),
            _ => None,
        }
    }

    #[must_use]
    pub fn has_bye(&self) -> bool {
        self.sides.p1 == Slot::Bye || self.sides.p2 == Slot::Bye
    }

    fn has_withdrawn(&self) -> bool {
        self.sides.each().into_iter().any(|(_, slot)| matches!(slot, Slot::Named(name) if is_withdrawn(name)))
    }

    fn is_over(&self) -> bool {
        self.has_bye() || self.has_withdrawn() || (self.found.is_some() && !self.is_running)
    }
}

impl<'g> Group<'g> {
    fn of(names: &'g [String], latest_first: &'g [MatchSummary]) -> Self {
        let seeds: HashMap<String, Seed> =
            names.iter().enumerate().map(|(n, name)| (name_key(name), Seed(n))).collect();
        let (mut meetings, mut places) = (Vec::new(), Vec::new());
        for (place, listed) in latest_first.iter().enumerate().rev() {
            let seed = |key: &Option<String>| key.as_ref().and_then(|key| seeds.get(key)).copied();
            let (Some(p1), Some(p2)) = (seed(&listed.p1.key), seed(&listed.p2.key)) else { continue };
            let outcome = match listed.result.as_str() {
                "p1" => Outcome::WonBy(p1),
                "p2" => Outcome::WonBy(p2),
                "undecided" => Outcome::Undecided,
                "*" => Outcome::Running,
                _ => continue,
            };
            meetings.push(Meeting { players: [p1, p2], outcome });
            places.push(place);
        }
        Self { names, matches: latest_first, meetings, places }
    }

    fn name(&self, seed: Seed) -> String {
        self.names.get(seed.0).cloned().unwrap_or_default()
    }

    fn bout(&self, sides: BySeat<Slot>, met: Met) -> Bout {
        let found = met.place.and_then(|place| self.places.get(place)).copied();
        let scores = found.and_then(|found| self.matches.get(found)).and_then(|listed| {
            let (p1, p2) = listed.score_p1.zip(listed.score_p2)?;
            let first = listed.p1.key.as_deref().zip(if let Slot::Named(name) = &sides.p1 { Some(name) } else { None });
            let as_planned = first.is_none_or(|(key, name)| key == name_key(name));
            Some(if as_planned { BySeat { p1, p2 } } else { BySeat { p1: p2, p2: p1 } })
        });
        Bout { sides, found, needs_winner: false, winner: met.winner, is_running: met.is_running, scores }
    }

    fn tie(&self, tie: &Tie) -> Bout {
        let sides = tie.sides.map(|side| match side {
            Side::Known(seed) => Slot::Named(self.name(seed)),
            Side::Open => Slot::Open,
            Side::Bye => Slot::Bye,
        });
        Bout { needs_winner: true, ..self.bout(sides, tie.met) }
    }

    /// Pairs with their matches, and the table that these make.
    fn paired(&self, rounds: &[Vec<Pair>]) -> (Vec<Vec<Bout>>, Vec<Standing>) {
        let (mut meetings, mut counted, mut byes) = (Meetings::of(&self.meetings), Vec::new(), Vec::new());
        let mut bout = |pair: &Pair| {
            let p1 = Slot::Named(self.name(pair.one));
            let Some(other) = pair.other else {
                byes.push(pair.one);
                return self.bout(BySeat { p1, p2: Slot::Bye }, Met::default());
            };
            let met = meetings.take(BySeat { p1: pair.one, p2: other }, false);
            counted.extend(met.place.and_then(|place| self.meetings.get(place)).copied());
            self.bout(BySeat { p1, p2: Slot::Named(self.name(other)) }, met)
        };
        let bouts = rounds.iter().map(|round| round.iter().map(&mut bout).collect()).collect();
        (bouts, standings(self.names.len(), &counted, &byes))
    }

    fn table(&self, title: &str, rows: Vec<Standing>) -> Table {
        Table { title: title.to_owned(), rows: rows.into_iter().map(|row| (self.name(row.seed), row)).collect() }
    }
}

fn part_title(part: Part, upper: usize, lower: usize, two_lives: bool) -> String {
    match part {
        Part::Upper(round) => match (upper - round, two_lives) {
            (1, false) => "Final".to_owned(),
            (2, false) => "Semi-finals".to_owned(),
            (3, false) => "Quarter-finals".to_owned(),
            (1, true) => "Upper final".to_owned(),
            _ => format!("Round {}", round + 1),
        },
        Part::Lower(round) if round + 1 == lower => "Lower final".to_owned(),
        Part::Lower(round) => format!("Lower round {}", round + 1),
        Part::GrandFinal => "Grand final".to_owned(),
        Part::Decider => "Deciding match".to_owned(),
    }
}

fn elimination(group: &Group<'_>, two_lives: bool) -> Vec<Round> {
    let mut ties = bracket(group.names.len(), two_lives, &group.meetings);
    ties.sort_by_key(|tie| tie.part);
    let rounds =
        |is: fn(Part) -> Option<usize>| ties.iter().filter_map(|tie| is(tie.part)).max().map_or(0, |last| last + 1);
    let upper = rounds(|part| if let Part::Upper(round) = part { Some(round) } else { None });
    let lower = rounds(|part| if let Part::Lower(round) = part { Some(round) } else { None });
    let parts = ties.chunk_by(|one, other| one.part == other.part);
    let round = |ties: &[Tie]| {
        let part = ties.first()?.part;
        // Byes are shown in the first round alone.
        let bouts = ties.iter().map(|tie| group.tie(tie)).filter(|bout| part == Part::Upper(0) || !bout.has_bye());
        Some(Round { title: part_title(part, upper, lower, two_lives), bouts: bouts.collect() })
    };
    parts.filter_map(round).filter(|round| !round.bouts.is_empty()).collect()
}

impl EventSheet {
    /// The plan with these matches of the event, the latest first. None without a format.
    #[must_use]
    pub fn plan(&self, latest_first: &[MatchSummary]) -> Option<Plan> {
        let one = self.groups.first().map_or(&[][..], Vec::as_slice);
        match self.format {
            Format::None => None,
            Format::SingleElimination | Format::DoubleElimination => {
                let group = Group::of(one, latest_first);
                let rounds = elimination(&group, self.format == Format::DoubleElimination);
                Some(Plan { rounds, tables: Vec::new() })
            }
            Format::Pools => {
                let mut plan = Plan::default();
                for (names, letter) in self.groups.iter().zip('A'..) {
                    let (title, group) = (format!("Pool {letter}"), Group::of(names, latest_first));
                    let pairs =
                        |round: Vec<[Seed; 2]>| round.into_iter().map(|[one, other]| Pair { one, other: Some(other) });
                    let rounds: Vec<Vec<Pair>> =
                        all_play_all(names.len()).into_iter().map(|round| pairs(round).collect()).collect();
                    let (bouts, rows) = group.paired(&rounds);
                    plan.tables.push(group.table(&title, rows));
                    plan.rounds.push(Round { title, bouts: bouts.into_iter().flatten().collect() });
                }
                Some(plan)
            }
            Format::Swiss => {
                let group = Group::of(one, latest_first);
                let (bouts, rows) = group.paired(&self.swiss_pairs(one));
                let round = |(n, bouts)| Round { title: format!("Round {}", n + 1), bouts };
                let rounds = bouts.into_iter().enumerate().map(round).collect();
                Some(Plan { rounds, tables: vec![group.table("Standings", rows)] })
            }
        }
    }

    fn swiss_pairs(&self, names: &[String]) -> Vec<Vec<Pair>> {
        let seed = |name: &str| names.iter().position(|known| name_key(known) == name_key(name)).map(Seed);
        let pair =
            |pairing: &Pairing| Some(Pair { one: seed(&pairing.one)?, other: pairing.other.as_deref().and_then(seed) });
        self.rounds.iter().map(|round| round.iter().filter_map(pair).collect()).collect()
    }

    /// The sheet with the next Swiss round paired. None while a match of the last one is missing.
    #[must_use]
    pub fn with_next_round(&self, latest_first: &[MatchSummary]) -> Option<Self> {
        let names = self.groups.first().filter(|_| self.format == Format::Swiss)?;
        let (group, before) = (Group::of(names, latest_first), self.swiss_pairs(names));
        let (bouts, table) = group.paired(&before);
        if !bouts.iter().flatten().all(Bout::is_over) {
            return None;
        }
        let pairing =
            |pair: Pair| Pairing { one: group.name(pair.one), other: pair.other.map(|seed| group.name(seed)) };
        let next = next_round(&table, &before).into_iter().map(pairing).collect();
        Some(Self { rounds: self.rounds.iter().cloned().chain([next]).collect(), ..self.clone() })
    }
}
