//! The Death Match Test Cases, as the tests wrote them to `fixtures/dmtc/table.json`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub(super) struct Case {
    #[serde(rename = "case")]
    pub(super) number: String,
    pub(super) title: String,
    pub(super) rules: Vec<String>,
    pub(super) issues: Vec<String>,
    pub(super) options: Vec<String>,
    seed: String,
    pub(super) file: String,
    results: BTreeMap<String, CaseResult>,
    not: BTreeMap<String, String>,
    pub(super) text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum CaseResult {
    Passed,
    Failed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Passed,
    Failed,
    Not(&'static str),
}

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let table = include_str!("../../../../fixtures/dmtc/table.json");
    serde_json::from_str(table).unwrap_or_else(|error| {
        tracing::error!(%error, "the table of test cases does not read");
        Vec::new()
    })
});

impl Case {
    fn verdict(&'static self, ruleset: &str) -> Option<Verdict> {
        match (self.results.get(ruleset), self.not.get(ruleset)) {
            (Some(CaseResult::Passed), _) => Some(Verdict::Passed),
            (Some(CaseResult::Failed), _) => Some(Verdict::Failed),
            (None, Some(why)) => Some(Verdict::Not(why)),
            (None, None) => None,
        }
    }

    pub(super) fn source(&self) -> String {
        match self.seed.strip_prefix("none: ours, ") {
            Some(place) => format!("Ours: {place}"),
            None => format!("Source: rule post {}", self.seed),
        }
    }

    pub(super) fn short(&self) -> &str {
        self.number.split_once('.').map_or(&self.number, |(_, short)| short)
    }
}

pub(super) fn of(ruleset: &str) -> Vec<(&'static Case, Verdict)> {
    CASES.iter().filter_map(|case| Some((case, case.verdict(ruleset)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_every_ruleset() {
        for ruleset in engine::rulesets() {
            let id = ruleset.card().id;
            let cases = of(id);
            assert!(cases.iter().filter(|(_, verdict)| *verdict == Verdict::Passed).count() > 30, "{id}");
            assert!(cases.iter().all(|(_, verdict)| *verdict != Verdict::Failed), "{id}");
            assert!(cases.iter().all(|(case, _)| case.file.starts_with(ruleset.game())), "{id}");
        }
    }
}
