//! The ways in which programs write who sent a message and when, as a table of layouts. To add a program, add its line.

use std::collections::HashMap;

use super::round_numbers;
use super::speakers::{Speakers, is_name};
use super::timestamps::{is_dated, is_time};

/// How a message begins. `{time}`, `{name}` and `{text}` stand for themselves; `[{time}]` may have words of any language in it;
/// `{role}` is a word that a program puts beside a name. A layout of several lines has `\n` between them. Without `{text}` the
/// message stands below.
const LAYOUTS: [Layout; 33] = [
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
    plain("{name}\n{role}\n—\n{time}"),
    plain("{name}\n—\n{time}"),
    plain("{name}\n— {time}"),
    weak("{name}\n{time}"),
    plain("by {name} » {time}"),
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
/// The part of a line in which a name and a time are looked for.
const HEADER_MAX_BYTES: usize = 160;
/// Marks that programs put after or before names.
const BADGES: [&str; 4] = [" APP", " BOT", " ✓", " (pinned)"];
/// Words that a program puts beside a name.
const ROLES: &str = "host mod moderator admin owner op bot app umpire referee gm staff";
/// Signs before names in IRC.
const MODES: [char; 6] = ['@', '+', '%', '~', '&', '*'];
/// Words before a colon that are nobody's name.
const LABELS: &str = "score pot pool chips points total result lights lamps note topic channel guild quote link http \
    https winner";

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

/// The beginning of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Header<'t> {
    pub(crate) time: Option<&'t str>,
    /// None where whoever spoke before goes on.
    pub(crate) name: Option<&'t str>,
    /// None where it stands on the lines below.
    pub(crate) text: Option<&'t str>,
    /// Its lines.
    pub(crate) lines: usize,
    pub(crate) is_notice: bool,
}

/// The layouts of a chat.
pub(crate) struct ClientFormats<'s> {
    speakers: &'s Speakers,
    /// Tells words of the game from names.
    is_word: &'s dyn Fn(&str) -> bool,
    /// The names that stand in a weak layout, each with how often.
    weak: HashMap<String, usize>,
    /// True if programs wrote times before the messages.
    pub(crate) is_timed: bool,
}

impl<'s> ClientFormats<'s> {
    /// Finds the layouts of these lines, which are cleaned.
    pub(crate) fn find(lines: &[&str], speakers: &'s Speakers, is_word: &'s dyn Fn(&str) -> bool) -> Self {
        let mut formats = Self { speakers, is_word, weak: HashMap::new(), is_timed: false };
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
        formats
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
        LAYOUTS.iter().find_map(|layout| layout.read(lines).filter(|header| holds(layout, header)))
    }
}

impl Layout {
    fn read<'t>(&self, lines: &[&'t str]) -> Option<Header<'t>> {
        let mut header = Header { is_notice: self.is_notice, ..Header::default() };
        for (at, pattern) in self.pattern.split('\n').enumerate() {
            let line = *lines.get(at)?;
            if !fill(pattern, line, line, &mut header) {
                return None;
            }
            header.lines += 1;
        }
        Some(header)
    }
}

/// Lays a pattern on a line, from a place in it on.
fn fill<'t>(pattern: &str, line: &'t str, text: &'t str, header: &mut Header<'t>) -> bool {
    let Some(field) = pattern.strip_prefix('{') else {
        let end = pattern.find('{').unwrap_or(pattern.len());
        let (literal, pattern) = pattern.split_at(end);
        let rest = text.strip_prefix(literal);
        return rest
            .is_some_and(|rest| if pattern.is_empty() { rest.is_empty() } else { fill(pattern, line, rest, header) });
    };
    let Some((field, pattern)) = field.split_once('}') else { return false };
    if field == "text" {
        header.text = Some(text.trim());
        return true;
    }
    let literal = pattern.split('{').next().unwrap_or_default();
    let before = line.get(..line.len() - text.len()).unwrap_or_default();
    let mut take = |found: &'t str, rest: &'t str| {
        let found = found.trim();
        let fits = match field {
            "time" => is_time(found, before.ends_with('[')),
            "role" => ROLES.split(' ').any(|role| role.eq_ignore_ascii_case(found)),
            _ => is_sender(found),
        };
        let fits = fits && fill(pattern, line, rest, header);
        if fits {
            match field {
                "time" => header.time = Some(found),
                "name" => header.name = Some(without_badges(found)),
                _ => {}
            }
        }
        fits
    };
    if literal.is_empty() && pattern.is_empty() {
        return take(text, "");
    }
    let near = text.char_indices().take_while(|(at, _)| *at < HEADER_MAX_BYTES).map(|(at, _)| at);
    let places: Vec<usize> =
        near.filter(|at| *at > 0 && text.get(*at..).is_some_and(|rest| rest.starts_with(literal))).collect();
    // A name goes on as far as it can before a time, and ends with the first mark else.
    places.into_iter().any(|at| take(text.get(..at).unwrap_or_default(), text.get(at..).unwrap_or_default()))
}

fn is_sender(name: &str) -> bool {
    let name = without_badges(name);
    let bare = name.split('(').next().unwrap_or(name).trim();
    is_name(name)
        && !is_time(name, false)
        && !name.contains(['<', '>', '[', ']', '{', '}'])
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && !name.contains(": ")
        && round_numbers::read(name, true).is_none()
        && !LABELS.split(' ').any(|label| label.eq_ignore_ascii_case(bare))
}

fn without_badges(name: &str) -> &str {
    let mut name = name.trim().trim_start_matches(MODES);
    for badge in BADGES {
        name = name.strip_suffix(badge).unwrap_or(name).trim_end();
    }
    name
}

/// True for the words by which the notation calls those who speak.
pub(crate) fn is_own(name: &str) -> bool {
    ["p1", "p2", "host", "umpire"].contains(&name.trim().to_ascii_lowercase().as_str())
}
