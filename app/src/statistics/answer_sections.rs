//! The parts of the statistics that fit one game: the answers to its own questions, shared out under a heading of its own.
//! A game that is not listed has none.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerSection {
    pub title: &'static str,
    pub tables: &'static [AnswerTable],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerTable {
    pub title: &'static str,
    pub what: &'static str,
    pub previous: Previous,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Previous {
    Any,
    Was(&'static str),
    WasNot(&'static str),
}

const SECTIONS: [(&str, AnswerSection); 2] = [
    (
        "devils-deal",
        AnswerSection {
            title: "Folds and raises",
            // A raise is never the last act of a betting phase, so the answer after one is to it.
            tables: &[
                AnswerTable { title: "First to bet", what: "bet", previous: Previous::WasNot("raise") },
                AnswerTable { title: "After a raise", what: "bet", previous: Previous::Was("raise") },
            ],
        },
    ),
    (
        "thwart-13",
        AnswerSection {
            title: "How sets were claimed",
            tables: &[
                AnswerTable { title: "Each selected card", what: "action", previous: Previous::Any },
                AnswerTable { title: "Challenged to show a set", what: "answer", previous: Previous::Any },
            ],
        },
    ),
];

#[must_use]
pub fn answer_section(game: &str) -> Option<AnswerSection> {
    SECTIONS.iter().find(|(named, _)| *named == game).map(|(_, section)| *section)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_is_of_a_game() {
        for (game, _) in SECTIONS {
            assert!(engine::rulesets().any(|ruleset| ruleset.game() == game), "{game}");
        }
        assert_eq!(answer_section("three-card"), None);
    }
}
