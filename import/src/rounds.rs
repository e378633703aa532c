//! The rounds that a chat names, held against the match.

use std::collections::{HashMap, HashSet};

use engine::{BySeat, Seat, SplitMix64};

use super::fix::Fix;
use super::message::Message;
use super::naming::{self, How, Named};
use super::past::Past;
use super::reader::Reader;
use super::row::Taken;

/// Questions of one round that are answered with any moves, before it is given up.
const AGAIN_MOST: usize = 4;

/// What the headings of a chat have said so far.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    pub(super) announced: u32,
    /// Whether they stand above their rounds or below them; none before the first.
    above: Option<bool>,
    /// The seats whose moves of the round before may be told once more now.
    pub(super) again: BySeat<bool>,
    /// Whether a heading says so: results were announced, rather than a round named once more.
    pub(super) results: bool,
    pub(super) headed: HashMap<usize, u32>,
    /// Rounds that lines of the message name by the way, by their rows.
    pub(super) asides: HashMap<usize, u32>,
    /// The round named right above.
    pub(super) head: Option<u32>,
    /// Whether a round was named since the last step: what is told then is new.
    pub(super) fresh: bool,
    /// Whether the message tells moves of the players.
    pub(super) told: bool,
    /// Rows that show a move which was sent before.
    pub(super) shown: HashSet<usize>,
}

impl Reader<'_> {
    /// A round is named above what comes next, or below what came.
    pub(super) fn heading(&mut self, at: usize, named: Named, next: Option<&Message>) {
        let line = self.line(at);
        self.rounds.headed.insert(line, named.round);
        self.rounds.head = Some(named.round);
        self.rounds.fresh = named.how == How::Heading;
        let Some(coming) = self.hearing.duel().coming_round() else { return };
        let source = self.rows.get(at).map_or_else(String::new, |row| row.source.clone());
        if naming::is_replay(&source) && named.round + 1 == coming && self.hearing.missing().is_none() {
            self.strikes(at, named.round);
            return;
        }
        // A round may be summed up right below its heading: both are one then.
        let open = self.hearing.missing().is_some() || named.how == How::Results || self.rounds.above == Some(false);
        let below = next.filter(|next| {
            let seat = self.speakers.who(&next.name).and_then(super::fix::Who::seat);
            seat.is_none() || (next.carried && !next.timed)
        });
        let here = (named.round == coming && open) || named.round < coming;
        if here && below.is_some_and(|below| self.is_told(&below.parts, named.round)) {
            self.rounds.above.get_or_insert(true);
            return;
        }
        // What is said on the same line may be about a round of long ago.
        let says_more = next.and_then(|next| next.parts.first()).is_some_and(|(row, _)| *row == at);
        if named.round + 1 < coming && says_more {
            return;
        }
        self.round(at, named);
    }

    /// The round that was played last is played again: what stood for it is kept as struck.
    fn strikes(&mut self, at: usize, round: u32) {
        let Some((steps, lines)) = self.hearing.strike() else { return };
        for row in self.rows.iter_mut().filter(|row| lines.contains(&row.line)) {
            row.taken = Taken::Passed;
            row.words = format!("{}; struck, and played again below", row.words);
            row.standing.clear();
        }
        let said = lines.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
        if let Some(row) = self.row(at) {
            row.words = format!("Round {round} is played again; what stood for it, on line {said}, counts no more");
        }
        self.struck.extend(steps);
        let left = self.hearing.steps().len();
        self.statements.retain(|(.., place)| place.with <= left);
        self.rounds.announced = round;
        self.rounds.fresh = true;
    }

    /// Somebody says that the last round is played again; false where that is nothing new.
    pub(super) fn is_replayed(&mut self, at: usize, words: &str) -> bool {
        let Some(coming) = self.hearing.duel().coming_round() else { return false };
        let named = Named::read(words, true).map(|(named, _)| named.round);
        if self.hearing.missing().is_some() || named.is_some_and(|named| named + 1 != coming) || coming < 2 {
            return false;
        }
        // Without a number it may be said of a round of which nobody sent anything, and which the rules play again.
        if named.is_none() {
            return false;
        }
        self.strikes(at, coming - 1);
        true
    }

    /// Somebody says without a number that a round is played again, or does not count: it is asked which one.
    pub(super) fn is_void(&mut self, at: usize, words: &str) -> bool {
        let sent =
            |past: &Past| past.sent.each().iter().any(|(_, sent)| sent.as_ref().is_some_and(|sent| sent.text != "-"));
        // The rules play a round again of which nothing came.
        let played = self.hearing.past().iter().rev().find(|past| past.is_joint()).filter(|past| sent(past));
        let of_round =
            words.to_lowercase().contains("round") && Named::read(words, true).is_none() && !words.contains('?');
        let Some(round) = played.and_then(|past| past.round).filter(|_| of_round) else { return false };
        let Some(row) = self.row(at) else { return false };
        row.refuse("does a round count no more here, or is it played again?");
        row.fixes.clear();
        row.offer(format!("Round {round} is played again"), vec![format!("Round {round} is played again")]);
        row.offer_ignore();
        true
    }

    /// A heading. Its number has to be that of the coming round, or of the one that was played last.
    fn round(&mut self, at: usize, named: Named) {
        self.rounds.again = BySeat::default();
        let Some(coming) = self.hearing.duel().coming_round() else { return };
        let Named { round, how } = named;
        let is_over = self.hearing.duel().outcome().is_over();
        if round > coming || (round == coming && is_over) {
            self.too_far(at, round, coming);
            return;
        }
        if round == coming {
            if self.hearing.missing().is_some() && (how == How::Results || self.rounds.above == Some(false)) {
                self.too_far(at, round, coming);
                return;
            }
            self.rounds.above.get_or_insert(true);
            self.rounds.announced = round;
            return;
        }
        let known = round <= self.rounds.announced;
        if round + 1 == coming && self.hearing.missing().is_none() && (known || how == How::Results) {
            (self.rounds.again, self.rounds.results) = (BySeat::from_fn(|_| true), how == How::Results);
            self.rounds.announced = round;
            return;
        }
        if round + 1 == coming && self.rounds.above != Some(true) {
            self.rounds.above = Some(false);
            self.rounds.announced = round;
            return;
        }
        if is_over && how == How::Results {
            return;
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
            row.fixes = vec![Fix::ignore(row.line, &row.source), Fix::ignore_rest(row.line, &row.source)];
        }
    }

    /// A round that is named by the way; what is to come cannot be over.
    pub(super) fn aside(&mut self, at: usize, round: u32) {
        if let Some(row) = self.row(at).filter(|row| row.taken == Taken::Later && row.words.is_empty()) {
            row.words = format!("Speaks of round {round}");
        }
    }

    /// A round is named, and something is missing before it. Below, nothing is taken to have come.
    pub(super) fn too_far(&mut self, at: usize, round: u32, coming: u32) {
        let (missing, names, last) = (self.hearing.missing(), self.hearing.names().map(str::to_owned), self.last_line);
        let is_over = self.hearing.duel().outcome().is_over();
        let Some(row) = self.row(at).filter(|row| row.wrong.is_none()) else { return };
        if is_over && round == 1 {
            row.begins_another();
            self.ends_at = Some(at);
            return;
        }
        match missing {
            _ if is_over => {
                row.refuse(&format!("this names round {round}, and the match was over on line {last}"));
                row.fixes.push(Fix::ignore_rest(row.line, &row.source));
            }
            Some((seat, _)) => {
                let name = &names[seat];
                row.refuse(&format!("{name}’s move for round {coming} is missing before this"));
                row.offer(format!("Nothing came from {name}"), vec![format!("{name}: -"), row.source.clone()]);
            }
            None => {
                row.refuse(&format!("round {coming} is missing before this"));
                let now = vec![format!("{}: -", names.p1), format!("{}: -", names.p2), row.source.clone()];
                row.offer("Nothing came from both", now);
            }
        }
        row.offer_ignore();
        let line = row.line;
        self.doubts = BySeat::default();
        self.rounds.announced = round;
        self.reaches(round, line);
        if self.hearing.duel().coming_round().is_some_and(|coming| coming < round) {
            self.ends_at = Some(at);
        }
    }

    /// Plays the rounds before one that is named, so that what is told from there on can be read. It is asked about, and counts
    /// for nothing: nothing came, or any moves where the rules play a round again of which nothing came.
    fn reaches(&mut self, round: u32, line: usize) {
        let (mut before, mut again, mut chance) = (0, 0, SplitMix64(1));
        while let Some(coming) = self.hearing.duel().coming_round().filter(|coming| *coming < round) {
            (again, before) = (if coming == before { again + 1 } else { 0 }, coming);
            if again > AGAIN_MOST {
                break;
            }
            for seat in Seat::BOTH.into_iter().filter(|seat| self.hearing.waiting(*seat).is_none()).collect::<Vec<_>>()
            {
                let question = self.hearing.question(seat);
                let any = if again > 0 { self.hearing.duel().sample(seat, question, &mut chance) } else { None };
                let _ = self.hearing.seat(seat, any.as_deref().unwrap_or("-"), line);
            }
        }
    }
}
