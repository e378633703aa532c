//! The ways in which programs write who sent a message and when, as a table of layouts. To add a program, add its line.

use std::collections::HashMap;

use super::layout_pattern::{self, Header};
use super::speakers::Speakers;
use super::taught_layout::TaughtLayout;
use super::timestamps::{clock_at, is_dated};

/// How a message begins.
const LAYOUTS: [Layout; 35] = [
    plain("[{time}] <{name}> {text}"),
    plain("[{time}] {name}: {text}"),
    plain("({time}) {name}: {text}"),
    plain("{time} <{name}> {text}"),
    plain("{time} - {name}: {text}"),
    plain("{time} {name}: {text}"),
    plain("{name} ({time}): {text}"),
    plain("{name} [{time}]: {text}"),
    notice("[{time}] *** {text}"),
    notice("[{time}] * {text}"),
    notice("{time} -!- {text}"),
    notice("{time} * {text}"),
    notice("{time} - {text}"),
    plain("Enter\n{name}"),
    plain("{name}\n{role}\n—\n{time}"),
    plain("{name}\n—\n{time}"),
    plain("{name}\n— {time}"),
    weak("{name}\n{time}"),
    plain("{any} {name} » {time}"),
    plain("{name} wrote on {time}:"),
    plain("{name} posted on {time}"),
    plain("{name}, [{time}]"),
    plain("{name} — {time}"),
    plain("{name}Today at {time}"),
    plain("{name}Yesterday at {time}"),
    plain("{name} ({time})"),
    plain("{name} · {time}"),
    plain("{name}, {time}"),
    weak("{name} {time}"),
    weak("[{time}] {name}"),
    weak("{time} {name}"),
    plain("[{time}] {text}"),
    plain("[{time}]"),
    plain("— {time}"),
    plain("{time}"),
];
/// The same where no program wrote a time.
const UNTIMED: [Layout; 2] = [plain("<{name}> {text}"), plain("{name}: {text}")];
/// Lines that begin alike before one asks about them.
const BEGUN_LEAST: usize = 3;
/// The most words before a clock with which a message begins.
const CLOCK_WORDS_MAX: usize = 3;

/// A layout.
struct Layout {
    pattern: &'static str,
    /// The name counts only if it stands so more than once, or is known.
    is_weak: bool,
    /// A program says it, not a person.
    is_notice: bool,
}

const fn plain(pattern: &'static str) -> Layout {
    Layout { pattern, is_weak: false, is_notice: false }
}

const fn weak(pattern: &'static str) -> Layout {
    Layout { pattern, is_weak: true, is_notice: false }
}

const fn notice(pattern: &'static str) -> Layout {
    Layout { pattern, is_weak: false, is_notice: true }
}

/// The layouts of a chat: the one that somebody showed, and those of the table.
pub(crate) struct ClientFormats<'s> {
    speakers: &'s Speakers,
    /// The pattern that somebody showed.
    taught: Option<String>,
    /// Tells words of the game from names.
    is_word: &'s dyn Fn(&str) -> bool,
    /// The names that stand in a weak layout, each with how often.
    weak: HashMap<String, usize>,
    /// True if programs wrote times before the messages.
    is_timed: bool,
    /// True if no layout fits well.
    pub(crate) is_unknown: bool,
}

impl<'s> ClientFormats<'s> {
    /// Finds the layouts of these lines, which are cleaned.
    pub(crate) fn find(lines: &[&str], speakers: &'s Speakers, is_word: &'s dyn Fn(&str) -> bool) -> Self {
        let taught = speakers.layout.as_ref().and_then(TaughtLayout::pattern);
        let mut formats = Self { speakers, taught, is_word, weak: HashMap::new(), is_timed: false, is_unknown: false };
        for at in 0..lines.len() {
            let rest = lines.get(at..).unwrap_or_default();
            for layout in LAYOUTS.iter().filter(|layout| layout.is_weak) {
                if let Some(name) = layout.read(rest).and_then(|header| header.name) {
                    *formats.weak.entry(name.to_owned()).or_default() += 1;
                }
            }
        }
        let named = |at: usize| formats.timed(lines.get(at..)?).and_then(|header| header.name);
        formats.is_timed = (0..lines.len()).filter(|at| named(*at).is_some()).nth(1).is_some();
        formats.is_unknown = formats.is_unknown(lines);
        formats
    }

    /// No layout fits well where most lines that begin with a clock, or with a name and a mark that come again and again, begin no
    /// message.
    fn is_unknown(&self, lines: &[&str]) -> bool {
        let (mut at, mut read, mut begun) = (0, 0, HashMap::<_, usize>::new());
        while let Some(line) = lines.get(at) {
            let header = self.header(lines.get(at..).unwrap_or_default());
            at += header.as_ref().map_or(1, |header| header.lines);
            read += usize::from(header.is_some());
            let is_nobody = |word: &str| self.speakers.knows(word) || (self.is_word)(word);
            let beginning = beginning(line).filter(|(word, _)| header.is_none() && !is_nobody(word));
            beginning.into_iter().for_each(|beginning| *begun.entry(beginning).or_default() += 1);
        }
        begun.into_values().filter(|count| *count >= BEGUN_LEAST).sum::<usize>() > read
    }

    /// The beginning of a message on the first of these lines.
    pub(crate) fn header<'t>(&self, lines: &[&'t str]) -> Option<Header<'t>> {
        let line = *lines.first()?;
        // In the site's own words a line is a message of its own anywhere.
        if let Some((name, text)) = line.split_once(':').filter(|(name, _)| is_own(name)) {
            return Some(Header { name: Some(name), text: Some(text.trim()), lines: 1, ..Header::default() });
        }
        if let Some(header) = self.timed(lines) {
            return Some(header);
        }
        if self.speakers.seat(line).is_some() {
            return Some(Header { name: Some(line), lines: 1, ..Header::default() });
        }
        let untimed = UNTIMED.iter().find_map(|layout| layout.read(lines)).filter(|_| !self.is_timed);
        untimed.filter(|header| header.name.is_some_and(|name| !(self.is_word)(name)))
    }

    fn timed<'t>(&self, lines: &[&'t str]) -> Option<Header<'t>> {
        let holds = |layout: &Layout, header: &Header<'_>| {
            let name = header.name.unwrap_or_default();
            let dated = header.time.is_some_and(is_dated) && layout.pattern.starts_with('[');
            let repeated = || self.weak.get(name).is_some_and(|count| *count > 1) && !(self.is_word)(name);
            !layout.is_weak || dated || self.speakers.knows(name) || repeated()
        };
        let taught = self.taught.as_ref().and_then(|pattern| layout_pattern::read(pattern, lines));
        taught.or_else(|| LAYOUTS.iter().find_map(|layout| layout.read(lines).filter(|header| holds(layout, header))))
    }
}

impl Layout {
    fn read<'t>(&self, lines: &[&'t str]) -> Option<Header<'t>> {
        layout_pattern::read(self.pattern, lines).map(|header| Header { is_notice: self.is_notice, ..header })
    }
}

/// How a line begins: with a clock, or with a word and a mark behind it.
fn beginning(line: &str) -> Option<(&str, &str)> {
    if let Some((before, ..)) =
        clock_at(line).filter(|(before, ..)| before.split_whitespace().count() <= CLOCK_WORDS_MAX)
    {
        return before.get(..0).map(|none| (none, ":"));
    }
    let (word, rest) = line.split_at(line.find(|letter: char| !letter.is_alphanumeric() && letter != '_')?);
    let mark = rest.split(char::is_alphanumeric).next().unwrap_or_default();
    (layout_pattern::is_sender(word) && !mark.trim().is_empty()).then_some((word, mark))
}

/// True for the words by which the notation calls those who speak.
pub(crate) fn is_own(name: &str) -> bool {
    ["p1", "p2", "host", "umpire"].contains(&name.trim().to_ascii_lowercase().as_str())
}
