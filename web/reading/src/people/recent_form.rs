//! The latest results of a player, each a link to its match.

use app::archive::MatchSummary;
use app::views::match_address;
use ledger::MatchId;

use page::Course;

const MARKS: usize = 8;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct FormMark {
    pub(super) address: String,
    pub(super) letter: char,
    pub(super) class: &'static str,
    pub(super) words: String,
    pub(super) opponent: String,
    /// The score with the player's own first.
    pub(super) score: String,
    /// The ribbon with the player above.
    pub(super) course: Option<Course>,
}

/// The results of the player with this key in these matches. A running match has none, and a void one is in no count.
pub(super) fn form(key: &str, matches: &[MatchSummary]) -> Vec<FormMark> {
    let mark = |listed: &MatchSummary| {
        let is_first = listed.p1.key.as_deref() == Some(key);
        let opponent = if is_first { &listed.p2.name } else { &listed.p1.name };
        let (letter, class, did) = match (listed.result.as_str(), is_first) {
            ("*" | "void", _) => return None,
            ("p1", true) | ("p2", false) => ('W', "is-won", "Won"),
            ("p1", false) | ("p2", true) => ('L', "is-lost", "Lost"),
            _ => ('–', "is-neither", "No winner"),
        };
        let address = match_address(MatchId(listed.match_id));
        let (words, opponent) = (format!("{did} against {opponent}"), opponent.clone());
        let score = listed.score_p1.zip(listed.score_p2).map(|(p1, p2)| if is_first { (p1, p2) } else { (p2, p1) });
        let score = score.map(|(own, other)| format!("{own}\u{2013}{other}")).unwrap_or_default();
        let course = Course::of_row(&listed.game, &listed.course);
        let course = if is_first { course } else { course.map(Course::turned) };
        Some(FormMark { address, letter, class, words, opponent, score, course })
    };
    matches.iter().filter_map(mark).take(MARKS).collect()
}
