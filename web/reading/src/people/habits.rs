//! The most frequent moves of a player in the latest matches, beside everybody's.

use std::collections::BTreeMap;
use std::sync::Arc;

use app::archive::{Habit, HabitKind, KindCounts};
use app::views::ruleset_name;
use record::words::capital;

use page::{IntervalBar, Rate};

const KINDS_MAX: usize = 6;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct RulesetHabits {
    pub(super) ruleset: String,
    pub(super) address: String,
    pub(super) questions: Vec<Question>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Question {
    pub(super) what: String,
    pub(super) n: i64,
    pub(super) kinds: Vec<KindRow>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct KindRow {
    pub(super) sent: String,
    pub(super) rate: Rate,
    pub(super) average: Rate,
}

/// A habit that is worth knowing: a move that this player sends more or less often than everybody.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Knowing {
    pub(super) words: String,
    pub(super) ruleset: String,
    pub(super) address: String,
    pub(super) what: String,
    pub(super) rate: Rate,
    pub(super) average: Rate,
}

/// A habit has been seen at least so often, and this many are told.
const SEEN_MIN: i64 = 25;
const TOLD: usize = 3;

/// The habits in which a player differs most from everybody: first those that chance does not explain.
pub(super) fn worth_knowing(rulesets: &[RulesetHabits]) -> Vec<Knowing> {
    let mut all: Vec<(bool, f64, Knowing)> = Vec::new();
    for (habits, question) in rulesets.iter().flat_map(|habits| habits.questions.iter().map(move |it| (habits, it))) {
        for kind in question.kinds.iter().filter(|kind| kind.rate.n >= SEEN_MIN) {
            let (Some(own), Some(others)) = (kind.rate.percent(), kind.average.percent()) else { continue };
            let Some((low, high)) = kind.rate.interval() else { continue };
            let is_sure = others < low || others > high;
            let may = if is_sure { "" } else { "may be " };
            let often = if own > others { "more often than others" } else { "less often than others" };
            let knowing = Knowing {
                words: format!("{}: {may}{often}", kind.sent),
                ruleset: habits.ruleset.clone(),
                address: habits.address.clone(),
                what: question.what.to_lowercase(),
                rate: kind.rate,
                average: kind.average,
            };
            all.push((is_sure, (own - others).abs(), knowing));
        }
    }
    all.sort_by(|(sure, by, _), (other_sure, other, _)| other_sure.cmp(sure).then(other.total_cmp(by)));
    all.into_iter().take(TOLD).map(|(.., knowing)| knowing).collect()
}

impl Knowing {
    pub(super) fn bar(&self) -> Option<IntervalBar> {
        IntervalBar::beside(self.rate, self.average)
    }
}

impl KindRow {
    pub(super) fn bar(&self) -> Option<IntervalBar> {
        IntervalBar::beside(self.rate, self.average)
    }
}

/// The habits for the pages, which come by ruleset and question: in all answers beside everybody's, or after something
/// beside the player's own in all answers. A single kind that nearly everybody sends shows no habit.
pub(super) fn habits(all: &[Habit], average: impl Fn(&Habit, &str) -> Rate) -> Vec<RulesetHabits> {
    let is_shown = |habit: &&Habit| {
        habit.kinds.len() > 1 || habit.kinds.iter().any(|kind| !average(habit, &kind.sent).is_nearly_all())
    };
    let rulesets = all.chunk_by(|a, b| a.ruleset == b.ruleset).filter_map(|group| {
        let ruleset = &group.first()?.ruleset;
        Some(RulesetHabits {
            ruleset: ruleset_name(ruleset),
            address: format!("/statistics/{ruleset}"),
            questions: group.iter().filter(is_shown).map(|habit| Question::of(habit, &average)).collect(),
        })
    });
    rulesets.filter(|habits| !habits.questions.is_empty()).collect()
}

pub(super) fn of_everybody(counts: &BTreeMap<String, Arc<KindCounts>>, habit: &Habit, sent: &str) -> Rate {
    let kinds = counts.get(&habit.ruleset).and_then(|questions| questions.get(&habit.what));
    let of = |kinds: &BTreeMap<String, i64>| Rate { k: kinds.get(sent).copied().unwrap_or(0), n: kinds.values().sum() };
    kinds.map_or(Rate { k: 0, n: 0 }, of)
}

pub(super) fn of_player(always: &[Habit], habit: &Habit, sent: &str) -> Rate {
    let same = always.iter().find(|it| (&it.ruleset, &it.what) == (&habit.ruleset, &habit.what));
    let kind = same.and_then(|habit| Some((habit, habit.kinds.iter().find(|kind| kind.sent == sent)?)));
    kind.map_or(Rate { k: 0, n: 0 }, |(habit, kind)| Rate { k: kind.n, n: habit.n })
}

impl Question {
    fn of(habit: &Habit, average: impl Fn(&Habit, &str) -> Rate) -> Self {
        let kind = |kind: &HabitKind| KindRow {
            sent: kind.says.clone(),
            rate: Rate { k: kind.n, n: habit.n },
            average: average(habit, &kind.sent),
        };
        Self { what: capital(&habit.what), n: habit.n, kinds: habit.kinds.iter().take(KINDS_MAX).map(kind).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn habit(what: &str, kinds: &[(&str, i64)]) -> Habit {
        let kind = |(sent, n): &(&str, i64)| HabitKind { sent: (*sent).into(), says: capital(sent), n: *n };
        let (ruleset, kinds) = ("three-card/simply-genius".into(), kinds.iter().map(kind).collect());
        Habit { ruleset, what: what.into(), n: 12, kinds }
    }

    #[test]
    fn answers_are_grouped_by_question_and_stand_beside_everybodys() {
        let kinds = BTreeMap::from([("grow claim".to_owned(), 50), ("claim".to_owned(), 150)]);
        let counts = KindCounts::from([("round".to_owned(), kinds)]);
        let counts = BTreeMap::from([("three-card/simply-genius".to_owned(), Arc::new(counts))]);
        let all = [habit("round", &[("grow claim", 8), ("-", 4)]), habit("window", &[("nothing", 12)])];
        let shown = habits(&all, |habit, sent| of_everybody(&counts, habit, sent));
        let [one] = &shown[..] else { panic!("one ruleset") };
        let [round] = &one.questions[..] else { panic!("a question that was always answered alike is left out") };
        let row = |sent: &str, k, average| KindRow { sent: sent.into(), rate: Rate { k, n: 12 }, average };
        assert_eq!(round.kinds, [row("Grow claim", 8, Rate { k: 50, n: 200 }), row("-", 4, Rate { k: 0, n: 200 })]);
    }

    #[test]
    fn a_single_kind_is_a_habit_only_where_others_do_something_else() {
        let grey = [habit("turn", &[("turn", 12)])];
        let shown = |k| habits(&grey, |_, _| Rate { k, n: 100 });
        assert!([100, 99, 95].into_iter().all(|k| shown(k).is_empty()));
        assert_eq!(shown(94).len(), 1);
        // Two kinds are compared, even if everybody has nearly always one of them.
        let two = [habit("turn", &[("turn", 11), ("-", 1)])];
        assert_eq!(habits(&two, |_, _| Rate { k: 99, n: 100 }).len(), 1);
    }

    #[test]
    fn after_a_block_the_average_is_the_players_own() {
        let always = [habit("round", &[("grow claim", 8), ("-", 4)])];
        let round = habit("round", &[]);
        assert_eq!(of_player(&always, &round, "-"), Rate { k: 4, n: 12 });
        assert_eq!(of_player(&always, &round, "claim"), Rate { k: 0, n: 0 });
    }
}
