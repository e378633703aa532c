//! Matches of the past: a pasted text or a file becomes a preview, line by line, and what is confirmed there is entered.
//!
//! One rule holds for a chat: every line is understood, or is in the preview as talk or as not understood, with its button. Talk
//! without a player's name and without a word of the game has none, and neither has what is held against the match: a score, a
//! result, a move that is told again.
//! `message` says who speaks, `clause` which players a line names, `sense` what is said of one, and `reader` goes through it once
//! with the engine. What is wrong ends nothing: the reading goes on with the likeliest answer, and nothing is entered meanwhile.
//! What is stated beside the moves is kept as a `statement`, and at the end `timeline` holds it against the match.
//!
//! A test holds 30 logs, by people who had not read this code, against the matches that were played: of their 815 steps,
//! 742 are understood as they were pasted, and none is lost without a question (`docs/benchmarks.md`).
//!
//! Reading is pure: it takes the source and what is known beside it, and gives rows, faults with what would mend them, and
//! the match where there is none. Nothing is stored before somebody confirms it, and what is read then is the same text
//! again.

mod about;
mod asking;
#[cfg(test)]
mod blind;
mod cell;
mod chat;
mod clause;
mod clean;
mod disputed;
mod drawing;
mod effort;
mod ending;
mod facts;
mod fix;
#[cfg(test)]
mod fixtures;
mod grid;
mod groups;
mod hearing;
mod hidden;
mod host;
mod in_turn;
mod items;
pub mod letters;
mod line;
mod mended_step;
mod mended_tag;
mod message;
mod naming;
mod nearest;
mod pair;
mod past;
mod player;
mod reader;
mod report;
mod rounds;
mod row;
mod same;
mod score;
mod script;
mod sense;
mod short_answer;
mod shown;
mod silence;
mod speaker;
mod stages;
mod stated;
mod statement;
mod stranger;
mod table;
mod talk;
mod timeline;
mod times;
mod told_again;
mod vocabulary;
mod wording;

pub use facts::Facts;
pub use fix::{Change, Does, Fix, Who};
pub use row::{Reading, Row, Taken};
pub use speaker::Speakers;
pub use stages::{ChatReader, Part, table_rows};
pub use stranger::who_is;
pub use table::COLUMNS;

/// How a source is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Notation,
    /// A table of comma-separated values.
    Table,
    Chat,
}

impl Form {
    pub const ALL: [Self; 3] = [Self::Notation, Self::Table, Self::Chat];

    pub const fn word(self) -> &'static str {
        match self {
            Self::Notation => "dmn",
            Self::Table => "csv",
            Self::Chat => "chat",
        }
    }

    pub const fn label(self) -> &'static str {
        match self {
            Self::Notation => "Death Match Notation",
            Self::Table => "a table (CSV)",
            Self::Chat => "the text of a chat",
        }
    }

    pub fn of(text: &str) -> Self {
        let lines =
            || text.lines().map(|line| line.trim().trim_start_matches('\u{feff}')).filter(|line| !line.is_empty());
        if lines().any(|line| line.starts_with("[DMN ")) {
            return Self::Notation;
        }
        if lines().take(40).any(|line| table::delimiter(line).is_some()) {
            return Self::Table;
        }
        let step = |line: &str| {
            let head = line.split(['.', ':']).next().unwrap_or_default().to_ascii_lowercase();
            line.starts_with(['[', '#'])
                || (head.parse::<u32>().is_ok() && line.contains('/'))
                || ["p1", "p2", "host", "umpire"].contains(&head.as_str())
        };
        if lines().next().is_some_and(|line| facts::tag(line).is_some()) && lines().all(step) {
            Self::Notation
        } else {
            Self::Chat
        }
    }
}

pub fn read(text: &str, form: Form, given: &Facts, speakers: &Speakers) -> Reading {
    match form {
        Form::Notation => script::read(text, given),
        Form::Table => table::read(text, given),
        Form::Chat => chat::read(text, given, speakers),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_tells_how_it_is_written() {
        for (text, form) in [
            ("[DMN \"1\"]\n1. a / b", Form::Notation),
            ("[P1 \"Ada\"]\n[P2 \"Bo\"]\n1. a / b\np1: c", Form::Notation),
            ("ruleset,x\n\nround,p1,p2,draws,ruling\n1,a,b", Form::Table),
            ("Round;P1;P2\n1;a;b", Form::Table),
            ("[Ruleset \"x\"]\nAda: score", Form::Chat),
            ("Ada: score\nBo: grow", Form::Chat),
            ("", Form::Chat),
        ] {
            assert_eq!(Form::of(text), form, "{text}");
        }
    }

    #[test]
    fn whatever_is_pasted_is_told_line_by_line() {
        let given = Facts {
            ruleset: "five-card-trick/dm-colosseum-2".into(),
            names: engine::BySeat { p1: "Black".into(), p2: "White".into() },
            ..Facts::default()
        };
        let many = |line: &dyn Fn(usize) -> String| (0..500).map(|n| line(n) + "\n").collect::<String>();
        let head = "[DMN \"1\"]\n[Ruleset \"five-card-trick/dm-colosseum-2\"]\n[P1 \"a\"]\n[P2 \"b\"]\n";
        for text in [
            many(&|n| format!("Somebody {n}: score, grow")),
            many(&|n| format!("GM: Round {n}: Black: x. White: y. Black: z. White: a. Black: score. White: ste")),
            many(&|_| "GM: Round 1: Black: score / White: steal".into()),
            many(&|n| format!("[DMN \"{n}\"]")),
            many(&|n| format!("[P1 \"{n}\"]")),
            format!("{head}{}", many(&|n| format!("{n}. c / s"))),
            format!("{head}{}", many(&|_| "score | score | score".into())),
            format!("round,p1,p2\n{}", many(&|n| format!("{n},\"score,-"))),
            "\0\0\u{1}\u{7f}\n\u{202e}Black\u{202c}: \u{200f}score\u{2066}\n".repeat(500),
            "/".repeat(100_000),
            "Black: ".repeat(20_000),
            format!("Black{}: score", " ".repeat(100_000)),
            "Black played ".repeat(100) + "?",
            many(&|n| {
                format!("GM: pot is {n}. Black has {n} chips. Black wins board A {n}-0, White wins board A 0-{n}")
            }),
            "GM: Black wins the pot of 4\nGM: pot is ５. Black has ٣ chips, pot is 99999999999999999999\nBlack: score"
                .into(),
            format!("GM: {}", "Black's White's pot = pot = 5 = White wins the pot, ".repeat(2_000)),
            format!("GM: {}", "pot is 5. ".repeat(10_000)),
            "’s Black’s White’s: é / ü".repeat(50),
            "\u{feff}\u{feff}[DMN \"1\"]\n\u{feff}".into(),
            "[Options \"= == a=b=c\"]\n[DMN \"1\"]\n[DMO \"\"]\n[P1Items \"é\"]\n[Result \"\"]\n[".into(),
        ] {
            for form in Form::ALL {
                let reading = read(&text, form, &given, &Speakers::everywhere());
                let lines: Vec<&str> = text.lines().collect();
                assert!(reading.import.is_none(), "{form:?}");
                for row in &reading.rows {
                    let line = lines.get(row.line - 1).copied().unwrap_or_default().trim_start_matches('\u{feff}');
                    assert_eq!(row.source.trim_start_matches('\u{feff}'), line, "{form:?}");
                    for fix in &row.fixes {
                        let applied = fix.does.apply(&text);
                        assert!(applied.is_some(), "{form:?}: {fix:?}");
                    }
                }
            }
        }
    }
}
