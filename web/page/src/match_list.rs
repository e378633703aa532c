//! Matches in a list.

use app::archive::{DECLARED, ListedName, MatchSummary};
use app::views::{Beat, match_address, ruleset_name};
use askama::Template;
use engine::{Party, Seat, Unit};
use ledger::MatchId;
use record::words::{capital, ending_naming, ending_words, in_unit, row_rules};

use super::highlights::in_a_sentence;
use super::{ActionIcon, Course, PartyMark, When};
use web_http::Spoilers;

/// The closeness of a finish with tied scores.
const TIED: i32 = 1_000;
/// The lateness of a decision in the last row.
const IN_THE_LAST_ROW: i32 = 1_000;
/// What stands out in a list: a comeback from so far, so many changes of the lead, and such a swing.
const COMEBACK: i32 = 4;
const LEAD_CHANGES: i32 = 3;
const SWING: i32 = 5;

#[derive(Debug, Template)]
#[template(path = "match_list.html")]
pub struct MatchList {
    pub caption: String,
    pub caption_hidden: bool,
    pub spoiler_free: bool,
    pub after_another: bool,
    pub by_month: bool,
    pub rows: Vec<Row>,
}

/// A match as a row: the whole of it is one link.
#[derive(Debug)]
pub struct Row {
    address: String,
    players: [Name; 2],
    /// `p1`, `p2`, `undecided`, `void`, or `*` while it runs.
    result: String,
    has_winner: bool,
    course: Option<Course>,
    /// The one thing that stood out; none where the way of ending says all.
    tag: Option<String>,
    ending: String,
    figures: Option<(i32, i32)>,
    game: Option<usize>,
    ruleset: String,
    event: Option<String>,
    place: Option<String>,
    date: When,
    month: String,
    /// What its check found: the word of the style sheet, and for people.
    verdict: (&'static str, &'static str),
    /// True where nothing but the result is known.
    result_only: bool,
    /// True with a link to a recording.
    recorded: bool,
}

#[derive(Debug)]
struct Name {
    seat: Seat,
    name: String,
    winner: bool,
}

impl MatchList {
    pub fn of<'l>(caption: impl Into<String>, matches: impl IntoIterator<Item = &'l MatchSummary>) -> Self {
        Self {
            caption: caption.into(),
            caption_hidden: false,
            spoiler_free: false,
            after_another: false,
            by_month: false,
            rows: matches.into_iter().map(Row::of).collect(),
        }
    }

    pub fn after_another(self) -> Self {
        Self { after_another: true, ..self }
    }

    fn signs(&self) -> Vec<ActionIcon> {
        let all = picture::icon::GAMES.iter().filter(|_| !self.after_another);
        all.map(|(_, outline)| ActionIcon(outline)).collect()
    }

    /// The rows under the name of their month, or all of them under none.
    fn months(&self) -> Vec<(&str, &[Row])> {
        let months = self.rows.chunk_by(|a, b| !self.by_month || a.month == b.month);
        months.map(|rows| (rows.first().filter(|_| self.by_month).map_or("", |row| row.month.as_str()), rows)).collect()
    }

    pub fn with_hidden_caption(self) -> Self {
        Self { caption_hidden: true, ..self }
    }

    pub fn with_spoilers(mut self, spoilers: Spoilers) -> Self {
        self.spoiler_free = spoilers.hidden();
        for row in &mut self.rows {
            row.address = spoilers.in_address(std::mem::take(&mut row.address));
            for player in &mut row.players {
                player.winner &= !self.spoiler_free;
            }
        }
        self
    }
}

impl Row {
    /// A match in a list about one moment: the label of its row, its beat, and its description. A match that was taken
    /// up again may no longer have that moment.
    pub fn at(listed: &MatchSummary, label: &str, beat: Beat, place: String) -> Self {
        if listed.result == "*" {
            return Self::of(listed);
        }
        let address = beat.address(MatchId(listed.match_id), label);
        Self { address, place: Some(place), ..Self::of(listed) }
    }

    fn of(listed: &MatchSummary) -> Self {
        // A name is written as its owner writes it, also at the beginning of a sentence.
        let ending = match listed.result.as_str() {
            "p1" if listed.reason.is_empty() => format!("{} won", listed.p1.name),
            "p2" if listed.reason.is_empty() => format!("{} won", listed.p2.name),
            "p1" => capital(&ending_naming(&listed.reason, &listed.p2.name)),
            "p2" => capital(&ending_naming(&listed.reason, &listed.p1.name)),
            "*" => "Running".to_owned(),
            word if listed.reason.is_empty() => capital(word),
            word => format!("{}: {}", capital(word), ending_words(&listed.reason)),
        };
        let name = |seat, listed: &ListedName, won| Name { seat, name: listed.to_string(), winner: won };
        let (first, second) = (listed.result == "p1", listed.result == "p2");
        Self {
            address: match_address(MatchId(listed.match_id)),
            players: [name(Seat::P1, &listed.p1, first), name(Seat::P2, &listed.p2, second)],
            has_winner: first || second,
            result: listed.result.clone(),
            course: Course::of_row(&listed.game, &listed.course),
            tag: tag(listed),
            ending,
            figures: listed.score_p1.zip(listed.score_p2),
            game: picture::icon::GAMES.iter().position(|(game, _)| *game == listed.game),
            ruleset: ruleset_name(&listed.ruleset),
            event: listed.event.clone(),
            place: None,
            date: When::of_match(listed.date.as_deref(), &listed.mode, listed.played_at),
            month: listed.played_at.format("%B %Y").to_string(),
            verdict: verdict(if listed.mode == "result" { "result" } else { &listed.verdict }, &listed.game),
            result_only: listed.mode == "result",
            recorded: listed.recordings > 0,
        }
    }

    fn shown_figures(&self, spoiler_free: &bool) -> Option<(i32, i32)> {
        self.figures.filter(|_| !spoiler_free)
    }
}

impl Name {
    const fn mark(&self) -> PartyMark {
        PartyMark(Party::Seat(self.seat))
    }
}

/// What a list says of a check. In a declared game the outcomes are the umpire's word.
fn verdict(word: &str, game: &str) -> (&'static str, &'static str) {
    match word {
        "verified" if game.starts_with(DECLARED) => ("sealed", "Verified; outcomes by the umpire"),
        "rulings" if game.starts_with(DECLARED) => ("sealed", "Verified, with interventions; outcomes by the umpire"),
        "imported" if game.starts_with(DECLARED) => ("imported", "Imported: outcomes by the umpire"),
        "verified" => ("verified", "Verified"),
        "rulings" => ("rulings", "Verified, with interventions"),
        "imported" => ("imported", "Imported: the rules were kept"),
        "failed" => ("failed", "Does not verify"),
        "result" => ("result", "Known by its result only"),
        _ => ("pending", "Not checked yet"),
    }
}

/// The most telling of what stood out in a match, and nothing that its score already says.
fn tag(listed: &MatchSummary) -> Option<String> {
    if !matches!(listed.result.as_str(), "p1" | "p2") {
        let by = ending_words(&listed.reason);
        return (listed.result != "*")
            .then(|| if listed.result == "void" { "Void".to_owned() } else { format!("No winner: {by}") });
    }
    let rules = row_rules(&listed.ruleset);
    let with_unit = |n: i32, unit: Option<Unit>| unit.map_or_else(|| n.to_string(), |unit| in_unit(n, &unit));
    let points = |n: i32| with_unit(n, rules.map(|rules| rules.score_unit()));
    let apart = listed.score_p1.zip(listed.score_p2).map(|(p1, p2)| p1.abs_diff(p2));
    let by_rules = listed.lateness.is_some();
    let row = |row: &Option<String>| row.as_deref().map(in_a_sentence).unwrap_or_default();
    if listed.comeback >= COMEBACK {
        return Some(format!("Came back from {} behind", points(listed.comeback)));
    }
    if by_rules && listed.closeness == Some(TIED) {
        return None;
    }
    if listed.lead_changes >= LEAD_CHANGES {
        return Some(format!("{} lead changes", listed.lead_changes));
    }
    if by_rules && apart == Some(1) {
        return Some(format!("Won by {}", points(1)));
    }
    if !by_rules {
        return None;
    }
    if listed.swing >= SWING && listed.swing_row.is_some() {
        let swing = with_unit(listed.swing, rules.map(|rules| rules.lead_unit()));
        return Some(format!("Swing of {swing} in {}", row(&listed.swing_row)));
    }
    listed.decision_row.as_ref()?;
    let words = if listed.lateness == Some(IN_THE_LAST_ROW) { "Decided in" } else { "Ahead for good from" };
    Some(format!("{words} {}", row(&listed.decision_row)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_one_tag_at_most_and_the_most_telling_one() {
        let listed = MatchSummary {
            result: "p1".to_owned(),
            ruleset: "higher-lower/tempo-up".to_owned(),
            lead_changes: 3,
            swing: 5,
            swing_row: Some("7b".to_owned()),
            decision_row: Some("25".to_owned()),
            lateness: Some(160),
            comeback: 4,
            score_p1: Some(3),
            score_p2: Some(2),
            ..MatchSummary::default()
        };
        let told = |listed: &MatchSummary| tag(listed).unwrap_or_default();
        assert_eq!(told(&listed), "Came back from 4 boards behind");
        let listed = MatchSummary { comeback: 1, ..listed };
        assert_eq!(told(&listed), "3 lead changes");
        let listed = MatchSummary { lead_changes: 1, ..listed };
        assert_eq!(told(&listed), "Won by 1 board");
        let listed = MatchSummary { score_p2: Some(0), ..listed };
        assert_eq!(told(&listed), "Swing of 5 boards in round 7b");
        let listed = MatchSummary { swing: 0, ..listed };
        assert_eq!(told(&listed), "Ahead for good from round 25");
        assert_eq!(told(&MatchSummary { lateness: Some(1_000), ..listed.clone() }), "Decided in round 25");
        // The way of ending says it: tied, or by ruling.
        assert_eq!(tag(&MatchSummary { closeness: Some(TIED), ..listed.clone() }), None);
        assert_eq!(tag(&MatchSummary { lateness: None, ..listed.clone() }), None);
        assert_eq!(tag(&MatchSummary { result: "*".to_owned(), ..listed.clone() }), None, "while it runs");
        assert_eq!(told(&MatchSummary { result: "void".to_owned(), ..listed }), "Void");
    }

    #[test]
    fn a_row_is_one_link() {
        let of = |result: &str| MatchSummary { result: result.to_owned(), ..MatchSummary::default() };
        let drawn = MatchList::of("Matches", &[of("p1"), of("void")]).to_string();
        assert_eq!(drawn.matches("<a ").count(), 2, "{drawn}");
        assert!(!drawn.contains("data-verdict=\"verified\""), "no tick on what was only told: {drawn}");
    }
}
