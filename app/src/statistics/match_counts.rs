//! The contribution of a finished match to the statistics. Nothing here depends on a game: kinds of moves, scores and
//! states come from the engine.

use std::collections::{BTreeMap, BTreeSet};

use engine::{BySeat, Duel, Fate, Outcome, Ruleset, Seat, Verdict, Word};
use record::{History, StepRecord};
pub use store::statistics::counting::PairKey;
use store::statistics::counting::{EndingKey, FateKey, MoveKey, PairSum};

use crate::archive::{Answer, Situation, write_answer};
use crate::half_hash::half_hash;
use crate::views::{StepAnswer, VisibleMatch};
use crate::{is_practice, slug};

pub const OPENING_STEPS: usize = 6;

/// A key under which a match is counted, within its ruleset: the first half of a SHA-256.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CountKey(pub [u8; 16]);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CountedPlace {
    pub(super) label: String,
    pub(super) steps: i32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MatchCounts {
    pub(super) ended: Option<EndingKey>,
    pub(super) moves: BTreeMap<MoveKey, i64>,
    pub(super) pairs: BTreeMap<PairKey, PairSum>,
    pub(super) matches: BTreeMap<CountKey, CountedPlace>,
    pub(super) fates: BTreeMap<FateKey, i64>,
    pub(super) answers: BySeat<String>,
}

#[must_use]
pub fn counts(history: &History) -> bool {
    let void = matches!(history.outcome(), Outcome::Over(ending) if ending.verdict == Verdict::Void);
    history.is_ended() && history.outcome().is_over() && !void && !is_practice(&slug(history.match_id))
}

/// The group of five rounds that a round belongs to, from 0. Steps before the first round belong to the first five.
fn fives(round: u32) -> i32 {
    i32::try_from(round.saturating_sub(1) / 5).unwrap_or(i32::MAX)
}

impl CountKey {
    #[must_use]
    pub fn kind(ruleset: &str, what: &str, sent: &str) -> Self {
        Self(half_hash(&format!("kind\n{ruleset}\n{what}\n{sent}")))
    }

    #[must_use]
    pub fn pair(ruleset: &str, pair: &PairKey) -> Self {
        let PairKey { situation, what, p1, p2 } = pair;
        Self(half_hash(&format!("pair\n{ruleset}\n{}\n{what}\n{p1}\n{p2}", hex::encode(situation))))
    }
}

impl MatchCounts {
    pub(super) fn of(history: &History) -> Self {
        let mut counted = Self::default();
        let outcome = history.outcome();
        let Outcome::Over(ending) = outcome else { return counted };
        if !counts(history) {
            return counted;
        }
        let rounds = history.steps.iter().map(|step| step.row.round).max().unwrap_or(0);
        counted.ended = Some(EndingKey {
            result: outcome.tag(),
            dmo: history.setup.dmo.map_or("", Seat::word),
            reason: outcome.reason(),
            rounds: i32::try_from(rounds).unwrap_or(i32::MAX),
        });
        let winner = ending.verdict.winner();
        let shown = VisibleMatch::public(history);
        // The last kinds of moves, by question.
        let mut last: BTreeMap<Word, BySeat<String>> = BTreeMap::new();
        let rows = history.rows();
        let steps = rows.iter().flat_map(|row| row.steps.iter().map(move |step| (row, *step)));
        for (n, (row, step)) in steps.enumerate() {
            let Some(before) = history.before(step.number) else { continue };
            let Some(answer) = StepAnswer::of(&shown, before, step) else { continue };
            let kinds = answer.kinds(before);
            let outcome = outcome_of(before, step, winner);
            // A step in which both sent the same move counts once.
            let mut keys = BTreeSet::new();
            counted.add_moves(history, step, before, (&answer.what, &kinds), &mut keys);
            counted.add_fates(history.ruleset(), step);
            counted.add_answers(&row.label, step, before, (&answer.what, &kinds));
            let kinds = kinds.map(Option::unwrap_or_default);
            let last_kinds = last.get(&answer.what);
            for (situation, list) in situations(before, step.row.round, last_kinds) {
                let pair = PairKey {
                    situation: situation.0,
                    what: answer.what.to_string(),
                    p1: kinds.p1.clone(),
                    p2: kinds.p2.clone(),
                };
                if list == List::Stored {
                    keys.insert(CountKey::pair(&history.opened.ruleset, &pair));
                }
                counted.add_pair(pair, &outcome);
            }
            if n < OPENING_STEPS {
                let [p1, p2] = [&answer.sent.p1, &answer.sent.p2].map(|sent| sent.clone().unwrap_or_default());
                let pair = PairKey { situation: Situation::state(before).0, what: answer.what.to_string(), p1, p2 };
                keys.insert(CountKey::pair(&history.opened.ruleset, &pair));
                counted.add_pair(pair, &outcome);
            }
            last.insert(answer.what, kinds);
            for key in keys {
                let place = counted.matches.entry(key);
                place.or_insert_with(|| CountedPlace { label: row.label.clone(), steps: 0 }).steps += 1;
            }
        }
        counted
    }

    fn add_moves(
        &mut self,
        history: &History,
        step: &StepRecord,
        before: &Duel,
        (what, kinds): (&str, &BySeat<Option<String>>),
        keys: &mut BTreeSet<CountKey>,
    ) {
        for (seat, kind) in kinds.each() {
            let Some(kind) = kind else { continue };
            let key = MoveKey {
                what: what.to_owned(),
                seat: seat.word(),
                sent: kind.clone(),
                round: i32::try_from(step.row.round).unwrap_or(i32::MAX),
                standing: before.score().map_or(0, |score| score[seat].cmp(&score[seat.other()]) as i16),
            };
            *self.moves.entry(key).or_default() += 1;
            keys.insert(CountKey::kind(&history.opened.ruleset, what, kind));
        }
    }

    fn add_fates(&mut self, ruleset: &dyn Ruleset, step: &StepRecord) {
        let of_choices = step.effects.iter().filter(|effect| effect.seat.is_some() && !effect.subject.is_empty());
        for effect in of_choices.filter(|effect| Fate::OF_CHOICES.contains(&effect.fate)) {
            let key = (ruleset.subject_kind(&effect.subject).to_owned(), effect.fate.word());
            *self.fates.entry(key).or_default() += 1;
        }
    }

    fn add_answers(
        &mut self,
        label: &str,
        step: &StepRecord,
        before: &Duel,
        (what, kinds): (&str, &BySeat<Option<String>>),
    ) {
        for (seat, kind) in kinds.each() {
            let Some(sent) = kind else { continue };
            let standing = before.score().map(|score| score[seat].cmp(&score[seat.other()]) as i16);
            let blocked = step.effects.iter().any(|it| it.seat == Some(seat) && it.fate == Fate::Blocked);
            write_answer(&mut self.answers[seat], &Answer { what, sent, label, standing, blocked });
        }
    }

    fn add_pair(&mut self, pair: PairKey, outcome: &PairSum) {
        self.pairs.entry(pair).or_default().add(outcome, 1);
    }
}

fn outcome_of(before: &Duel, step: &StepRecord, winner: Option<Seat>) -> PairSum {
    let scores = (before.score(), step.after.as_ref().and_then(|duel| duel.score()));
    let gain = |seat| match scores {
        (Some(before), Some(after)) => i64::from(after[seat]) - i64::from(before[seat]),
        _ => 0,
    };
    PairSum {
        n: 1,
        won_p1: i64::from(winner == Some(Seat::P1)),
        won_p2: i64::from(winner == Some(Seat::P2)),
        gain_p1: gain(Seat::P1),
        gain_p2: gain(Seat::P2),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    Stored,
    /// A list for each phase as well would make the archive's largest table half as large again; the list of the pair at
    /// any time has these matches, too.
    None,
}

fn situations(before: &Duel, round: u32, last: Option<&BySeat<String>>) -> Vec<(Situation, List)> {
    let mut situations = vec![(Situation::any(), List::Stored), (Situation::rounds(fives(round)), List::None)];
    situations.extend(before.score().map(|score| (Situation::standing(score.p1.cmp(&score.p2) as i16), List::None)));
    situations.extend(last.map(|last| (Situation::after(&last.p1, &last.p2), List::Stored)));
    situations
}
