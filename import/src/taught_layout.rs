//! How a message begins where no known program wrote it: somebody presses the name, the time and the first word of the text in one
//! example, and what stands between them is the pattern by which all others are read.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::fix::{Does, Fix};
use super::layout_pattern::HEADER_MAX_BYTES;
use super::markup::clean;
use super::timestamps::{clock_at, is_time, shape};

/// Lines that one can be chosen of.
const EXAMPLES_MAX: usize = 5;
/// Lines among which examples are looked for.
const LOOKED_AT_MAX: usize = 200;
/// Lines that the beginning of a message may take.
const LINES_MAX: usize = 2;
/// The most words of a name.
const NAME_WORDS: usize = 4;
/// Words that can be pressed; a form could hold more.
const WORDS_MAX: usize = 80;
/// Signs within a word.
const JOINTS: &str = "_-.'/#:+";

/// What was shown so far: spans of the example. An empty one is a part that is not there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaughtLayout {
    /// The first lines of a message.
    example: String,
    name: Option<Range<usize>>,
    time: Option<Range<usize>>,
    text: Option<Range<usize>>,
}

impl TaughtLayout {
    /// What a form carries.
    pub fn code(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    pub fn read(code: &str) -> Option<Self> {
        serde_json::from_str(code).ok()
    }

    /// What has to be pressed next; none where all of it is known.
    pub(crate) const fn asks(&self) -> Option<&'static str> {
        match (&self.name, &self.time, &self.text) {
            (None, ..) => Some("How does a message begin? Press the name of whoever speaks, in one of these lines."),
            (_, None, _) => Some("Now press the time of that message."),
            (.., None) => Some("Now press the first word of the message itself."),
            _ => None,
        }
    }

    /// The buttons that answer, line by line.
    pub(crate) fn presses(&self, lines: &[(usize, &str)]) -> Vec<Vec<Fix>> {
        let nothing = || Some(0..0);
        let end = Some(self.example.len()..self.example.len());
        let (mut rows, other) = match (&self.name, &self.time) {
            (None, _) => {
                let lines: Vec<String> = lines.iter().take(LOOKED_AT_MAX).map(|(_, line)| clean(line)).collect();
                let examples = (0..lines.len()).filter_map(|at| Self::of(lines.get(at..)?));
                let mut examples: Vec<Self> = examples.collect();
                // Lines with a clock show most.
                examples.sort_by_key(|layout| clock_at(layout.first_line()).is_none());
                let nobody = Self { name: nothing(), time: nothing(), text: nothing(), ..Self::default() };
                let rows = examples.iter().take(EXAMPLES_MAX).map(Self::words).collect();
                (rows, ("Nobody is named: read it as it is", nobody))
            }
            (_, None) => (vec![self.words()], ("There is no time", Self { time: nothing(), ..self.clone() })),
            _ => (vec![self.words()], ("It is on the lines below", Self { text: end, ..self.clone() })),
        };
        let again = self.name.is_some().then(|| button("Begin again", Self::default()));
        rows.push([button(other.0, other.1)].into_iter().chain(again).collect());
        rows
    }

    fn of(lines: &[String]) -> Option<Self> {
        let lines: Vec<&str> = lines.iter().take(LINES_MAX).map(String::as_str).collect();
        let layout = Self { example: lines.join("\n"), ..Self::default() };
        let is_short = lines.iter().all(|line| line.len() <= HEADER_MAX_BYTES);
        (is_short && layout.tokens().len() > 1).then_some(layout)
    }

    fn first_line(&self) -> &str {
        self.example.lines().next().unwrap_or_default()
    }

    fn at(&self, span: Range<usize>) -> &str {
        self.example.get(span).unwrap_or_default()
    }

    /// The words that can be pressed. A name stands on the first line.
    fn words(&self) -> Vec<Fix> {
        let first = self.first_line().len();
        let is_pressed = |word: &Range<usize>| {
            self.name.as_ref().is_some_and(|name| name.start == word.start)
                || self.time.as_ref().is_some_and(|time| time.contains(&word.start))
        };
        let words = self.tokens().into_iter().filter(|word| !is_pressed(word));
        let words = words.filter(|word| self.name.is_some() || word.start < first);
        words.map(|word| button(self.at(word.clone()), self.pressed(&word))).collect()
    }

    fn pressed(&self, word: &Range<usize>) -> Self {
        let mut next = self.clone();
        match (&self.name, &self.time) {
            (None, _) => next.name = Some(self.name_from(word)),
            (_, None) => next.time = Some(self.time_around(word)),
            _ => next.text = Some(word.start..self.example.len()),
        }
        // What is another part is no word of the name.
        let others = [next.time.clone(), next.text.clone()].into_iter().flatten();
        if let Some(name) = &mut next.name {
            let end = others.map(|part| part.start).filter(|at| *at > name.start && *at < name.end).min();
            name.end = end.unwrap_or(name.end);
        }
        next
    }

    /// The words of the example.
    fn tokens(&self) -> Vec<Range<usize>> {
        let is_mark = |letter: char| !letter.is_alphanumeric() && !JOINTS.contains(letter);
        let is_joint = |letter: char| JOINTS.contains(letter);
        let mut next = 0;
        let words = self.example.split_inclusive(is_mark).map(|piece| {
            let from = next + piece.len() - piece.trim_start_matches(is_joint).len();
            next += piece.len();
            from..from + piece.trim_end_matches(is_mark).trim_matches(is_joint).len()
        });
        words.filter(|word| !word.is_empty()).take(WORDS_MAX).collect()
    }

    /// A name from this word on: it ends with the first mark or figure.
    fn name_from(&self, word: &Range<usize>) -> Range<usize> {
        let behind = self.tokens().into_iter().filter(|next| next.start > word.start).take(NAME_WORDS - 1);
        behind.fold(word.clone(), |name, next| {
            let goes_on = self.at(name.end..next.start) == " "
                && !self.at(next.clone()).starts_with(|first: char| first.is_ascii_digit());
            if goes_on { name.start..next.end } else { name }
        })
    }

    /// The longest time with this word in it; else what stands between brackets around it, or the word.
    fn time_around(&self, word: &Range<usize>) -> Range<usize> {
        let tokens = self.tokens();
        let spans = tokens.iter().flat_map(|from| tokens.iter().map(move |to| from.start..to.end));
        let name = self.name.clone().unwrap_or_default().start;
        let around = spans.filter(|span| span.start <= word.start && word.end <= span.end && !span.contains(&name));
        let times = around.filter(|span| is_time(self.at(span.clone()), false));
        let bracketed = || {
            let (before, behind) = (self.at(0..word.start), self.at(word.end..self.example.len()));
            let from =
                before.rfind(['[', '(']).filter(|at| !before.get(*at..).unwrap_or_default().contains([']', ')']))?;
            Some(from + 1..word.end + behind.find([']', ')'])?)
        };
        times.max_by_key(Range::len).or_else(bracketed).unwrap_or_else(|| word.clone())
    }

    /// What stands between the parts; none before all of them are known, or where there is none.
    pub(crate) fn pattern(&self) -> Option<String> {
        let (name, time, text) = (self.name.clone()?, self.time.clone()?, self.text.clone()?);
        let below = text.is_empty();
        let built = format!("{{time={}}}", shape(self.at(time.clone())));
        let mut parts = [(name, "{name}"), (time, built.as_str()), (text, "{text}")];
        parts.sort_by_key(|(span, _)| span.start);
        let (mut pattern, mut at) = (String::new(), 0);
        for (span, field) in parts.into_iter().filter(|(span, _)| !span.is_empty()) {
            let marks = self.marks(at..span.start);
            let is_last = field == "{text}" && !marks.trim_end().is_empty();
            pattern.push_str(if is_last { marks.trim_end() } else { &marks });
            pattern.push_str(field);
            at = span.start + self.at(span).trim_end().len();
        }
        if below {
            let rest = self.at(at..self.example.len()).split('\n').next().unwrap_or_default().len();
            pattern.push_str(&self.marks(at..at + rest));
        }
        (at > 0).then_some(pattern)
    }

    /// What stands between two parts: its marks are in every message, its words may be others.
    fn marks(&self, span: Range<usize>) -> String {
        let (mut out, mut from) = (String::new(), span.start);
        let fixed = |from: usize, to: usize| self.at(from..to).replace(['{', '}'], "{any}");
        for word in self.tokens().into_iter().filter(|word| word.start >= span.start && word.end <= span.end) {
            out = out + &fixed(from, word.start) + "{any}";
            from = word.end;
        }
        out + &fixed(from, span.end)
    }
}

fn button(label: &str, layout: TaughtLayout) -> Fix {
    Fix { label: label.to_owned(), does: Does::Layout(layout) }
}
