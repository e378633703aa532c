//! Matches in a list.

use app::archive::MatchSummary;
use app::views::{Beat, match_address, ruleset_name};
use askama::Template;
use ledger::MatchId;
use record::words::{capital, counted};

use super::When;
use crate::http::Spoilers;

/// A list of matches, ready to be drawn.
#[derive(Debug, Template)]
#[template(path = "page/match_list.html")]
pub(crate) struct MatchList {
    pub(crate) caption: String,
    /// True if the caption is only for screen readers, because a heading says the same.
    pub(crate) caption_hidden: bool,
    /// True if it hides the results of the matches.
    pub(crate) spoiler_free: bool,
    pub(crate) rows: Vec<Row>,
}

/// A match of the list.
#[derive(Debug)]
pub(crate) struct Row {
    address: String,
    p1: String,
    p2: String,
    /// The winner, if any.
    won: Option<u8>,
    result: String,
    figures: Option<(i32, i32)>,
    ruleset: String,
    event: Option<String>,
    /// The place in the match that the list is about, and that the row links to.
    place: Option<String>,
    rounds: i32,
    date: When,
    mode: String,
    /// The number of interventions by people, after a comma.
    rulings: String,
    checked: &'static str,
}

impl MatchList {
    pub(crate) fn of<'l>(caption: impl Into<String>, matches: impl IntoIterator<Item = &'l MatchSummary>) -> Self {
        let rows = matches.into_iter().map(Row::of).collect();
        Self { caption: caption.into(), caption_hidden: false, spoiler_free: false, rows }
    }

    /// Under a heading that says the same.
    pub(crate) fn with_hidden_caption(self) -> Self {
        Self { caption_hidden: true, ..self }
    }

    /// With results, or as matches to follow from their beginning.
    pub(crate) fn with_spoilers(mut self, spoilers: Spoilers) -> Self {
        self.spoiler_free = spoilers.hidden();
        for row in &mut self.rows {
            row.address = spoilers.in_address(std::mem::take(&mut row.address));
            row.won = row.won.filter(|_| !self.spoiler_free);
        }
        self
    }
}

impl Row {
    /// A match in a list about one moment: the label of its row, its beat, and its description. A match that was taken
    /// up again may no longer have that moment.
    pub(crate) fn at(listed: &MatchSummary, label: &str, beat: Beat, place: String) -> Self {
        if listed.result == "*" {
            return Self::of(listed);
        }
        let address = beat.address(MatchId(listed.match_id), label);
        Self { address, place: Some(place), ..Self::of(listed) }
    }

    fn of(listed: &MatchSummary) -> Self {
        let won = match listed.result.as_str() {
            "p1" => Some(1),
            "p2" => Some(2),
            _ => None,
        };
        // A name is written as its owner writes it, also at the beginning of a sentence.
        let result = match listed.result.as_str() {
            "p1" => format!("{} won", listed.p1),
            "p2" => format!("{} won", listed.p2),
            "*" => "Running".to_owned(),
            word => capital(word),
        };
        let rulings = match listed.rulings {
            0 => String::new(),
            n => format!(", {}", counted(n, "intervention", "interventions")),
        };
        let checked = match listed.verdict.as_str() {
            "verified" | "rulings" => ", verified",
            "imported" => ", imported",
            "failed" => ", does not verify",
            _ => "",
        };
        // A name that was withdrawn has no key. Its placeholder is marked, so that nobody takes it for a name.
        let name = |name: &str, key: &Option<String>| {
            if key.is_some() { name.to_owned() } else { format!("{name} (name withdrawn)") }
        };
        Self {
            address: match_address(MatchId(listed.match_id)),
            p1: name(&listed.p1, &listed.p1_key),
            p2: name(&listed.p2, &listed.p2_key),
            won,
            result,
            figures: listed.score_p1.zip(listed.score_p2),
            ruleset: ruleset_name(&listed.ruleset),
            event: listed.event.clone(),
            place: None,
            rounds: listed.rounds,
            date: match listed.date.as_deref() {
                Some(date) => When::written(date),
                // Undated matches are ordered by the day on which they were entered.
                None if listed.mode == "imported" => When::written("undated"),
                None => When::day(listed.played_at),
            },
            mode: listed.mode.clone(),
            rulings,
            checked,
        }
    }
}
