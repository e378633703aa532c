//! The latest results of a player, each as a letter that leads to its match.

use app::archive::MatchSummary;
use app::views::match_address;
use ledger::MatchId;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct FormMark {
    pub(super) address: String,
    pub(super) letter: char,
    pub(super) class: &'static str,
    pub(super) words: String,
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
        Some(FormMark { address, letter, class, words: format!("{did} against {opponent}") })
    };
    matches.iter().filter_map(mark).collect()
}

pub(super) fn legend(form: &[FormMark]) -> &'static str {
    if form.iter().any(|mark| mark.class == "is-neither") { "W won, L lost, – no winner" } else { "W won, L lost" }
}
