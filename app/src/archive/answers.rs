//! The answers of a seat in a match, in order, each with what the seat knew of its own situation. The statistics write them
//! as one text, and a player's habits are read from it.

use std::fmt::Write;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer<'t> {
    pub what: &'t str,
    pub sent: &'t str,
    pub label: &'t str,
    /// -1 behind, 0 level, 1 ahead; none in a game without a score.
    pub standing: Option<i16>,
    pub blocked: bool,
}

/// Adds an answer to the text in the database: a line, with tabs between its parts. Questions, kinds and labels contain
/// neither tabs nor line breaks (`questions_and_kinds_are_words_on_one_line`, a law of the engine).
pub fn write_answer(text: &mut String, answer: &Answer<'_>) {
    let Answer { what, sent, label, standing, blocked } = answer;
    let standing = match standing {
        None => '-',
        Some(0) => '=',
        Some(standing) if *standing < 0 => '<',
        Some(_) => '>',
    };
    let (before, blocked) = (if text.is_empty() { "" } else { "\n" }, if *blocked { "x" } else { "" });
    // Writing to a text never fails.
    let _ = write!(text, "{before}{what}\t{sent}\t{label}\t{standing}{blocked}");
}

/// Reads that text. A line in another form, of an older program, is left out: its match is counted again.
pub(super) fn read_answers(text: &str) -> impl Iterator<Item = Answer<'_>> {
    text.lines().filter_map(|line| {
        let mut parts = line.split('\t');
        let [what, sent, label, marks] = [parts.next()?, parts.next()?, parts.next()?, parts.next()?];
        let standing = match marks.chars().next()? {
            '<' => Some(-1),
            '=' => Some(0),
            '>' => Some(1),
            _ => None,
        };
        Some(Answer { what, sent, label, standing, blocked: marks.ends_with('x') })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_written_and_read_back() {
        let all = [
            Answer { what: "round", sent: "grow claim", label: "1", standing: Some(0), blocked: false },
            Answer { what: "round", sent: "-", label: "7b", standing: Some(-1), blocked: true },
            Answer { what: "window", sent: "nothing", label: "7b.2", standing: Some(1), blocked: false },
            Answer { what: "hands", sent: "hands", label: "13", standing: None, blocked: true },
        ];
        let mut text = String::new();
        all.iter().for_each(|answer| write_answer(&mut text, answer));
        assert_eq!(text.lines().next(), Some("round\tgrow claim\t1\t="));
        assert_eq!(read_answers(&text).collect::<Vec<_>>(), all);
        assert_eq!(read_answers("").count() + read_answers("round\tgrow\t3").count(), 0);
    }
}
