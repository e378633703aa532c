//! How a message begins, as a pattern that is laid on lines. `{time}`, `{name}` and `{text}` stand for themselves; `[{time}]` and
//! `» {time}` may have words of any language in them; `{role}` is a word that a program puts beside a name, `{any}` one that says
//! nothing here. `{time=0:0 a}` takes other times that are built like this one. A pattern of several lines has `\n` between them.
//! Without `{text}` the message stands below.

use super::round_numbers;
use super::speakers::is_name;
use super::timestamps::{is_time, shape};

/// The part of a line in which a name and a time are looked for.
pub(crate) const HEADER_MAX_BYTES: usize = 160;
/// Marks that programs put after or before names.
const BADGES: [&str; 4] = [" APP", " BOT", " ✓", " (pinned)"];
/// Words that a program puts beside a name.
const ROLES: &str = "host mod moderator admin owner op bot app umpire referee gm staff";
/// Signs before names in IRC.
const MODES: [char; 6] = ['@', '+', '%', '~', '&', '*'];
/// Words before a colon that are nobody's name.
const LABELS: &str = "score pot pool chips points total result lights lamps note topic channel guild quote link http \
    https winner";

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

/// Lays a pattern on the first of these lines.
pub(crate) fn read<'t>(pattern: &str, lines: &[&'t str]) -> Option<Header<'t>> {
    let mut header = Header::default();
    for (at, pattern) in pattern.split('\n').enumerate() {
        let line = *lines.get(at)?;
        if !fill(pattern, line, line, &mut header) {
            return None;
        }
        header.lines += 1;
    }
    Some(header)
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
    let (field, built) = field.split_once('=').unwrap_or((field, ""));
    let literal = pattern.split('{').next().unwrap_or_default();
    let before = line.get(..line.len() - text.len()).unwrap_or_default();
    let mut take = |found: &'t str, rest: &'t str| {
        let found = found.trim();
        let fits = match field {
            "time" => {
                is_time(found, before.trim_end().ends_with(['[', '»'])) || (!built.is_empty() && shape(found) == built)
            }
            "role" => ROLES.split(' ').any(|role| role.eq_ignore_ascii_case(found)),
            "any" => !found.contains(' '),
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
    // A word that says nothing ends with its first mark: a layout of many such words would be laid in too many ways.
    let most = if field == "any" { 1 } else { HEADER_MAX_BYTES };
    let places = near.filter(|at| *at > 0 && text.get(*at..).is_some_and(|rest| rest.starts_with(literal)));
    let places: Vec<usize> = places.take(most).collect();
    // A name goes on as far as it can before a time, and ends with the first mark else.
    places.into_iter().any(|at| take(text.get(..at).unwrap_or_default(), text.get(at..).unwrap_or_default()))
}

pub(crate) fn is_sender(name: &str) -> bool {
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
