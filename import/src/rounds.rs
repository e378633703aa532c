//! The rounds that a chat names, held against the match.

use std::collections::HashMap;

use engine::BySeat;

use super::fix::Fix;
use super::listener::Listener;
use super::naming::{How, Named};
use super::row::Taken;

/// What the headings of a chat have said so far.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    /// The last round that was announced.
    pub(super) announced: u32,
    /// Whether they stand above their rounds or below them; none before the first.
    above: Option<bool>,
    /// The seats whose moves of the round before may be told once more now.
    pub(super) again: BySeat<bool>,
    /// Whether a heading says so: results were announced, rather than a round named once more.
    pub(super) results: bool,
    /// The lines that name a round as their heading, each with its round.
    pub(super) headed: HashMap<usize, u32>,
}

impl Listener<'_> {
    /// A heading. Its number has to be that of the coming round, or of the one that was played last.
    pub(super) fn round(&mut self, at: usize, named: Named) -> bool {
        self.rounds.again = BySeat::default();
        let Some(coming) = self.hearing.duel().coming_round() else { return true };
        let Named { round, how } = named;
        let is_over = self.hearing.duel().outcome().is_over();
        if round > coming || (round == coming && is_over) {
            return self.too_far(at, round, coming);
        }
        if round == coming {
            if self.hearing.missing().is_some() && (how == How::Results || self.rounds.above == Some(false)) {
                return self.too_far(at, round, coming);
            }
            self.rounds.above.get_or_insert(true);
            self.rounds.announced = round;
            return true;
        }
        let known = round <= self.rounds.announced;
        if round + 1 == coming && self.hearing.missing().is_none() && (known || how == How::Results) {
            (self.rounds.again, self.rounds.results) = (BySeat::from_fn(|_| true), how == How::Results);
            self.rounds.announced = round;
            return true;
        }
        if round + 1 == coming && self.rounds.above != Some(true) {
            self.rounds.above = Some(false);
            self.rounds.announced = round;
            return true;
        }
        if is_over && how == How::Results {
            return true;
        }
        let why = match self.hearing.missing() {
            Some((seat, line)) => format!(
                "this names round {round}, which is complete, while line {line} was taken for round {coming} and {}’s part of \
                 that is missing",
                self.hearing.names()[seat]
            ),
            None => format!(
                "this names round {round}, which is complete above: either a round was counted twice there, or what follows \
                 would be counted twice"
            ),
        };
        if let Some(row) = self.row(at) {
            row.refuse(&why);
            let source = row.source.clone();
            row.fixes = vec![Fix::ignore(row.line, &source), Fix::ignore_rest(row.line, &source)];
        }
        false
    }

    /// A round that is named by the way; what is to come cannot be over.
    pub(super) fn aside(&mut self, at: usize, round: u32) -> bool {
        let Some(coming) = self.hearing.duel().coming_round() else { return true };
        if round > coming {
            return self.too_far(at, round, coming);
        }
        if let Some(row) = self.row(at).filter(|row| row.taken == Taken::Later || row.taken == Taken::Passed) {
            row.words = format!("Speaks of round {round}");
        }
        true
    }

    /// A round is named, and something is missing before it.
    pub(super) fn too_far(&mut self, at: usize, round: u32, coming: u32) -> bool {
        let (missing, names, last) = (self.hearing.missing(), self.hearing.names().map(str::to_owned), self.last_line);
        let is_over = self.hearing.duel().outcome().is_over();
        let Some(row) = self.row(at) else { return true };
        let source = row.source.clone();
        match missing {
            _ if is_over => {
                row.refuse(&format!("this names round {round}, and the match was over on line {last}"));
                row.fixes.push(Fix::ignore_rest(row.line, &source));
            }
            Some((seat, _)) => {
                let name = &names[seat];
                row.refuse(&format!("{name}’s move for round {coming} is missing before this"));
                let now = vec![format!("{name}: -"), source.clone()];
                row.fixes.push(Fix::line(format!("Nothing came from {name}"), row.line, &source, now));
            }
            None => {
                row.refuse(&format!("round {coming} is missing before this"));
                let now = vec![format!("{}: -", names.p1), format!("{}: -", names.p2), source.clone()];
                row.fixes.push(Fix::line("Nothing came from both", row.line, &source, now));
            }
        }
        row.fixes.push(Fix::ignore(row.line, &source));
        false
    }
}
