//! What stood out in a match, as notes on its graph: a few of the most telling, each a link to its round.

use app::views::Highlights;
use engine::{BySeat, Ruleset};
use record::words::in_unit;

use super::highlights::in_a_sentence;

/// More notes than these are no help.
const NOTES_MAX: usize = 5;
/// Two notes on one side of the graph are at least so far apart, in percent of its width.
const APART: usize = 15;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GraphNote {
    pub(super) address: String,
    pub(super) words: String,
    pub(super) more: String,
    /// Its place, in percent of the width.
    pub(super) x: usize,
    /// True for a note below the graph.
    pub(super) low: bool,
    /// True for the two that a phone has room for.
    pub(super) is_key: bool,
}

impl GraphNote {
    /// The notes from left to right; `places` has every row with its address, and `intervened` is a row with an intervention.
    pub(super) fn all(
        found: &Highlights,
        intervened: Option<String>,
        places: &[(&str, &str)],
        names: BySeat<&str>,
        ruleset: &dyn Ruleset,
    ) -> Vec<Self> {
        let lead = |points: u32| in_unit(points, &ruleset.lead_unit());
        let score = |points: u32| in_unit(points, &ruleset.score_unit());
        let mut all: Vec<(String, String, String, bool)> = Vec::new();
        if let Some(swing) = &found.swing {
            let words = format!("{} for {}", lead(swing.points), names[swing.seat]);
            all.push((swing.row.clone(), words, "the largest swing".to_owned(), true));
        }
        if let Some(finish) = &found.finish {
            let words = if finish.points == 0 { "Tied".to_owned() } else { format!("{} apart", score(finish.points)) };
            all.push((finish.row.clone(), words, "at the end".to_owned(), true));
        }
        if let Some(back) = &found.comeback {
            let words = format!("{} {} behind", names[back.seat], score(back.points));
            all.push((back.row.clone(), words, "and won".to_owned(), false));
        }
        if let Some(decision) = found.decision.as_ref().filter(|decision| decision.led) {
            let words = format!("{} leads for good", names[decision.seat]);
            all.push((decision.row.clone(), words, String::new(), false));
        }
        if let Some(first) = found.lead_changes.first() {
            let more = if found.lead_changes.len() == 1 { "the only one" } else { "the first one" };
            all.push((first.clone(), "The lead changes".to_owned(), more.to_owned(), false));
        }
        all.extend(intervened.map(|row| (row, "\u{a7} Intervention".to_owned(), String::new(), false)));
        placed(all, places)
    }
}

/// The notes in their places, alternately above and below. One that has no room gives way to those before it.
fn placed(all: Vec<(String, String, String, bool)>, places: &[(&str, &str)]) -> Vec<GraphNote> {
    let mut notes: Vec<GraphNote> = Vec::new();
    for (row, words, more, is_key) in all.into_iter().take(NOTES_MAX + 1) {
        let Some(at) = places.iter().position(|(label, _)| *label == row) else { continue };
        let x = (2 * at + 1) * 50 / places.len().max(1);
        let has_room = |low: bool| notes.iter().all(|note| note.low != low || note.x.abs_diff(x) >= APART);
        let first = notes.len() % 2 == 1;
        let Some(low) = [first, !first].into_iter().find(|low| has_room(*low)) else { continue };
        let round = in_a_sentence(&row);
        let more = if more.is_empty() { round } else { format!("{round}, {more}") };
        let address = places.get(at).map_or_else(String::new, |(_, address)| (*address).to_owned());
        notes.push(GraphNote { address, words, more, x, low, is_key });
    }
    notes.truncate(NOTES_MAX);
    notes.sort_by_key(|note| note.x);
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_that_have_no_room_give_way_to_the_more_telling() {
        let labels: Vec<String> = (1..=40).map(|n: usize| n.to_string()).collect();
        let places: Vec<(&str, &str)> = labels.iter().map(|label| (label.as_str(), "/r")).collect();
        let note = |row: &str| (row.to_owned(), format!("at {row}"), String::new(), false);
        let notes = placed(vec![note("36"), note("40"), note("37"), note("4"), note("99")], &places);
        let told: Vec<(&str, bool)> = notes.iter().map(|note| (note.words.as_str(), note.low)).collect();
        assert_eq!(told, [("at 4", false), ("at 36", false), ("at 40", true)]);
        assert_eq!(notes.first().map(|note| note.more.as_str()), Some("round 4"));
    }
}
