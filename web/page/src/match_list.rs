//! Matches in a list.

use app::archive::{ListedName, MatchSummary};
use app::views::{Beat, match_address, ruleset_name};
use askama::Template;
use engine::Unit;
use ledger::MatchId;
use record::words::{capital, counted, ending_naming, ending_words, in_unit, row_rules};

use super::highlights::in_a_sentence;
use super::{ActionIcon, Course, When, event_address, player_address};
use web_http::Spoilers;

/// The closeness of a finish with tied scores.
const TIED: i32 = 1_000;
/// The lateness of a decision in the last row.
const IN_THE_LAST_ROW: i32 = 1_000;

#[derive(Debug, Template)]
#[template(path = "match_list.html")]
pub struct MatchList {
    pub caption: String,
    pub caption_hidden: bool,
    pub spoiler_free: bool,
    pub after_another: bool,
    pub rows: Vec<Row>,
}

#[derive(Debug)]
pub struct Row {
    address: String,
    players: [Name; 2],
    result: String,
    course: Option<Course>,
    marks: Vec<Mark>,
    figures: Option<(i32, i32)>,
    game: Option<usize>,
    ruleset: String,
    /// The tournament, and its page.
    event: Option<(String, String)>,
    place: Option<String>,
    rounds: i32,
    date: When,
    mode: String,
    rulings: String,
    checked: &'static str,
}

#[derive(Debug, PartialEq, Eq)]
struct Mark {
    words: String,
    address: String,
}

#[derive(Debug)]
struct Name {
    name: String,
    page: Option<String>,
    winner: bool,
}

impl MatchList {
    pub fn of<'l>(caption: impl Into<String>, matches: impl IntoIterator<Item = &'l MatchSummary>) -> Self {
        let rows = matches.into_iter().map(Row::of).collect();
        Self { caption: caption.into(), caption_hidden: false, spoiler_free: false, after_another: false, rows }
    }

    pub fn after_another(self) -> Self {
        Self { after_another: true, ..self }
    }

    fn signs(&self) -> Vec<ActionIcon> {
        let all = picture::icon::GAMES.iter().filter(|_| !self.after_another);
        all.map(|(_, outline)| ActionIcon(outline)).collect()
    }

    pub fn with_hidden_caption(self) -> Self {
        Self { caption_hidden: true, ..self }
    }

    pub fn with_spoilers(mut self, spoilers: Spoilers) -> Self {
        self.spoiler_free = spoilers.hidden();
        for row in &mut self.rows {
            row.address = spoilers.in_address(std::mem::take(&mut row.address));
            row.event = row.event.take().map(|(event, page)| (event, spoilers.in_address(page)));
            for player in &mut row.players {
                player.page = player.page.take().map(|page| spoilers.in_address(page));
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
        let result = match listed.result.as_str() {
            "p1" => format!("{} won: {}", listed.p1.name, ending_naming(&listed.reason, &listed.p2.name)),
            "p2" => format!("{} won: {}", listed.p2.name, ending_naming(&listed.reason, &listed.p1.name)),
            "*" => "Running".to_owned(),
            word => format!("{}: {}", capital(word), ending_words(&listed.reason)),
        };
        let rulings = match listed.rulings {
            0 => String::new(),
            n => format!(", {}", counted(n, "intervention", "interventions")),
        };
        let checked = match listed.verdict.as_str() {
            "verified" | "rulings" => ", verified",
            "imported" if listed.mode != "imported" => ", imported",
            "failed" => ", does not verify",
            _ => "",
        };
        Self {
            address: match_address(MatchId(listed.match_id)),
            players: [Name::of(&listed.p1, listed.result == "p1"), Name::of(&listed.p2, listed.result == "p2")],
            result,
            course: Course::of_row(&listed.course),
            marks: marks(listed),
            figures: listed.score_p1.zip(listed.score_p2),
            game: picture::icon::GAMES.iter().position(|(game, _)| *game == listed.game),
            ruleset: ruleset_name(&listed.ruleset),
            event: listed.event.as_ref().map(|event| (event.clone(), event_address(event))),
            place: None,
            rounds: listed.rounds,
            date: When::of_match(listed.date.as_deref(), &listed.mode, listed.played_at),
            mode: listed.mode.clone(),
            rulings,
            checked,
        }
    }
}

impl Name {
    fn of(seat: &ListedName, winner: bool) -> Self {
        Self { name: seat.to_string(), page: seat.key.as_deref().map(player_address), winner }
    }
}

fn marks(listed: &MatchSummary) -> Vec<Mark> {
    let match_id = MatchId(listed.match_id);
    let whole = |words: String| Mark { words, address: format!("{}#highlights", match_address(match_id)) };
    let moment = |row: &str, words: &str| Mark {
        words: format!("{words} {}", in_a_sentence(row)),
        address: Beat::After.address(match_id, row),
    };
    let changes = match listed.lead_changes {
        0 | 1 => None,
        n => Some(whole(format!("{n} lead changes"))),
    };
    let tied = listed.closeness == Some(TIED);
    let decision = listed.decision_row.as_ref().map(|row| match listed.lateness {
        Some(IN_THE_LAST_ROW) if tied => moment(row, "tied, and decided in"),
        Some(IN_THE_LAST_ROW) => moment(row, "decided in"),
        _ => moment(row, "ahead for good from"),
    });
    let rules = row_rules(&listed.ruleset);
    let with_unit = |n: i32, unit: Option<Unit>| unit.map_or_else(|| n.to_string(), |unit| in_unit(n, &unit));
    let swung = || format!("largest swing {} in", with_unit(listed.swing, rules.map(|rules| rules.lead_unit())));
    let swing = listed.swing_row.as_ref().map(|row| moment(row, &swung()));
    let behind =
        || format!("came back from {} behind", with_unit(listed.comeback, rules.map(|rules| rules.score_unit())));
    let comeback = (listed.comeback > 0).then(|| whole(behind()));
    let tied = (tied && decision.is_none()).then(|| whole("tied at the end".to_owned()));
    let all = [changes, decision, swing, comeback, tied].into_iter().flatten().filter(|_| listed.result != "*");
    let mut marks: Vec<Mark> = all.collect();
    if let Some(first) = marks.first_mut() {
        first.words = capital(&first.words);
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_highlight_is_a_link() {
        let listed = MatchSummary {
            result: "p1".to_owned(),
            ruleset: "higher-lower/tempo-up".to_owned(),
            lead_changes: 3,
            swing: 5,
            swing_row: Some("7b".to_owned()),
            closeness: Some(TIED),
            ..MatchSummary::default()
        };
        let told = |listed: &MatchSummary| marks(listed).into_iter().map(|mark| mark.words).collect::<Vec<_>>();
        assert_eq!(told(&listed), ["3 lead changes", "largest swing 5 boards in round 7b", "tied at the end"]);
        let addresses: Vec<_> = marks(&listed).into_iter().map(|mark| mark.address).collect();
        assert!(addresses[0].ends_with("#highlights") && addresses[1].ends_with("/r/7b/after"), "{addresses:?}");
        let decided = MatchSummary { decision_row: Some("25".to_owned()), lateness: Some(1_000), ..listed.clone() };
        assert_eq!(told(&decided)[1], "tied, and decided in round 25");
        assert_eq!(marks(&decided).len(), 3, "tied is said once");
        assert!(marks(&decided)[1].address.ends_with("/r/25/after"), "{:?}", marks(&decided));
        let decided_in_4 = MatchSummary { decision_row: Some("4".to_owned()), closeness: Some(700), ..listed.clone() };
        let early = MatchSummary { lateness: Some(160), ..decided_in_4 };
        assert_eq!(told(&early)[1], "ahead for good from round 4");
        let late = MatchSummary { lateness: Some(1_000), ..early };
        assert_eq!(told(&late)[1], "decided in round 4");
        let swing = MatchSummary { lead_changes: 0, closeness: Some(0), ..listed.clone() };
        assert_eq!(told(&swing), ["Largest swing 5 boards in round 7b"]);
        assert!(told(&MatchSummary { result: "*".to_owned(), ..listed }).is_empty(), "while it runs");
    }
}
