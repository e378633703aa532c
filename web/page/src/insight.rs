//! The findings of a search of a state, for each seat, with their evidence. They are shown only after the match.

use app::views::VisibleMatch;
use askama::Template;
use engine::{Duel, Insight, Mark};

use super::{CardTable, SeatName};

#[derive(Clone, Debug, Template)]
#[template(path = "insight.html")]
pub struct InsightList {
    findings: Vec<Finding>,
    adds: bool,
}

#[derive(Clone, Debug)]
struct Finding {
    name: SeatName,
    holds: bool,
    text: String,
    witness: String,
    cards: Option<CardTable>,
}

impl InsightList {
    #[must_use]
    pub fn of(visible: &VisibleMatch<'_>, duel: &Duel) -> Self {
        let names = SeatName::of(visible.history);
        let insights = visible.insights(duel);
        let mut cards = insights.iter().flat_map(|insight| &insight.groups).flat_map(|group| &group.cards);
        let adds = cards.any(|card| card.mark == Mark::New);
        let findings = insights.into_iter().map(|insight| {
            let Insight { seat, what: _, holds, witness, groups, text } = insight;
            let cards = (!groups.is_empty()).then(|| CardTable::of("", names[seat].name.as_str(), &groups));
            Finding { name: names[seat].clone(), holds, text: visible.name_in(&text), witness, cards }
        });
        Self { findings: findings.collect(), adds }
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }
}
