//! A match as a file in Death Match Notation.

use engine::dmn::{self, Tags};

use crate::history::History;
use crate::text::CommittedText;

/// The match as a file: complete once it has ended, the public part of a running one.
#[must_use]
pub fn dmn(history: &History) -> String {
    let others = history.tags.iter().filter_map(|tag| match tag {
        // A tag with an empty value is its name alone.
        CommittedText::Text(tag) => Some(tag.split_once(' ').unwrap_or((tag, ""))),
        CommittedText::Withdrawn => None,
    });
    let tags = Tags {
        setup: history.setup.clone(),
        event: history.event.as_ref().map(|event| event.or("withdrawn").to_owned()),
        date: history.opened.date.clone(),
        names: history.both_names().map(str::to_owned),
        result: Some(history.outcome().tag().to_owned()),
        others: others.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
    };
    let lines = history.steps.iter().map(|step| match &step.text {
        Some(text) if history.is_ended() => text.as_str(),
        _ => step.public.as_str(),
    });
    let mut text = dmn::write(&tags, lines);
    for (seat, _) in history.names.each().into_iter().filter(|(_, name)| matches!(name, CommittedText::Withdrawn)) {
        text.push_str(&format!("# {} replaces a name that was withdrawn.\n", history.name(seat)));
    }
    text
}
