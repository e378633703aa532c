//! What somebody else says of a player of whom nothing came: "sent nothing", "did not send anything in time", "timed out".
//! A player's own "nothing" is a move, where the game has it.

/// Where what is told of a move ends, and something else is said.
const ENDS: [&str; 10] = [". ", "! ", "; ", ", ", " – ", " — ", " - ", " → ", " -> ", " => "];
/// What nobody did in time.
const IN_TIME: [&str; 4] = [" in time", " on time", " at all", " this round"];
/// What did not come.
const ANYTHING: [&str; 4] = [" anything", " a move", " any move", " a thing"];
/// Ways to say that it did not.
const SILENT: &str = "no submission|no move|nothing submitted|nothing valid|missed|missed the deadline|missed the round|was silent|is silent|\
    sent nothing|sends nothing|submitted nothing|submits nothing|sent no move|submitted no move|made no move|\
    timed out|times out|did not send|didn't send|did not submit|didn't submit|did not answer|didn't answer|\
    did not respond|didn't respond|has not sent|hasn't sent|never sent|never submitted|failed to send|\
    failed to submit|ran out of time";
/// The same, whatever is said behind it.
const LATE: [&str; 4] = ["timed out", "times out", "ran out of time", "is out of time"];
/// The same behind "neither".
const OF_NEITHER: &str = "sent|sends|submitted|submits|answered|responded|made";

/// Whether this is said of somebody of whom nothing came; what else it says behind that.
pub(super) fn of_one(text: &str) -> Option<String> {
    let ends = ENDS.iter().flat_map(|end| text.match_indices(end)).map(|(at, end)| (at, at + end.len()));
    [(text.len(), text.len())].into_iter().chain(ends).find_map(|(end, behind)| {
        let whole = text.get(..end)?.trim().to_lowercase().replace('’', "'");
        let said = bare(text.get(..end)?);
        let said = said.strip_prefix("has ").filter(|_| !said.starts_with("has not ")).unwrap_or(&said);
        (SILENT.split('|').any(|known| known == said) || is_late(whole.trim_end_matches('.')))
            .then(|| text.get(behind..).unwrap_or_default().trim().to_owned())
    })
}

/// Whether a text says that somebody's time was over, and of what: "ran out of time (no extensions)", "didn't choose a card in
/// time".
fn is_late(said: &str) -> bool {
    let begins = |known: &&str| said.strip_prefix(known).is_some_and(|rest| rest.starts_with([' ', '(']));
    let negated = || ["did not ", "didn't ", "never ", "failed to "].iter().any(|not| said.starts_with(not));
    let none = said.starts_with("no valid ") && said.split(' ').count() < 5;
    none || LATE.iter().any(begins) || (negated() && said.ends_with(" in time") && said.split(' ').count() < 9)
}

/// Whether this is said, behind "neither", of two of whom nothing came.
pub(super) fn of_neither(text: &str) -> bool {
    OF_NEITHER.split('|').any(|known| known == bare(text))
}

/// Without what may be said or left out.
fn bare(text: &str) -> String {
    let lower = text.trim().trim_end_matches([',', ';', '.', '!']).to_lowercase().replace('’', "'");
    let mut said = lower.trim_end();
    for words in [&IN_TIME, &ANYTHING] {
        said = words.iter().find_map(|words| said.strip_suffix(words)).unwrap_or(said);
    }
    said.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_is_told_in_many_ways() {
        for (said, behind) in [
            ("sent nothing.", Some("")),
            (" did not send anything in time!", Some("")),
            ("did not send in time", Some("")),
            ("didn’t submit a move", Some("")),
            ("timed out. The pot grows", Some("The pot grows")),
            ("has timed out – again", Some("again")),
            ("has not sent anything", Some("")),
            ("sent nothing but love", None),
            ("played nothing", None),
            ("nothing", None),
            ("sent Score", None),
            ("", None),
        ] {
            assert_eq!(of_one(said).as_deref(), behind, "{said}");
        }
        assert!(of_neither("sent anything.") && of_neither("answered in time"));
        assert!(!of_neither("sent Score") && !of_neither("is here"));
    }
}
