//! Times in the lines of a chat, as those are copied.

/// What stands between a name and a time.
pub(super) const DASHES: [char; 4] = ['—', '–', '-', '|'];
/// Words in times.
const TIME_WORDS: [&str; 30] = [
    "am",
    "pm",
    "a.m.",
    "p.m.",
    "at",
    "today",
    "yesterday",
    "utc",
    "gmt",
    "z",
    "on",
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
    "mon",
    "tue",
    "wed",
    "thu",
    "fri",
    "sat",
    "sun",
];
/// Names in the line above a message are no longer than this, with their time; nothing else is looked for there.
pub(super) const HEADER_MAX_BYTES: usize = 160;

/// Whether a line holds nothing but the dash that Discord puts between a name and a time.
pub(super) fn is_dash(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && line.chars().all(|letter| DASHES.contains(&letter))
}

/// Whether a line holds nothing but a time, perhaps with a dash before it.
pub(super) fn is_lone_time(line: &str) -> bool {
    let line = line.trim().trim_start_matches(DASHES).trim_start();
    line.len() <= HEADER_MAX_BYTES && is_time(line)
}

/// Whether a text says when, and nothing else.
pub(super) fn is_time(text: &str) -> bool {
    let mut words = text.split([' ', ',', '\u{a0}', '\u{202f}']).filter(|word| !word.is_empty()).peekable();
    words.peek().is_some() && words.all(is_time_word) && has_clock(text)
}

/// Whether a day is in it, such as `20.11.2026`.
pub(super) fn is_dated(text: &str) -> bool {
    text.split_whitespace().any(|word| is_time_word(word) && word.matches(['/', '.', '-']).count() > 1)
}

fn is_time_word(word: &str) -> bool {
    let number = word.starts_with(|first: char| first.is_ascii_digit())
        && word.chars().all(|letter| letter.is_ascii_digit() || ":/.-TZ+apmAPM".contains(letter));
    number || TIME_WORDS.iter().any(|known| known.eq_ignore_ascii_case(word.trim_end_matches('.')))
}

/// What stands behind a day and a time in brackets at the beginning of a line.
pub(super) fn behind_day(line: &str) -> Option<&str> {
    let (inside, rest) = line.trim().strip_prefix('[')?.split_once(']')?;
    (is_time(inside) && is_dated(inside)).then(|| rest.trim())
}

/// Whether a clock is in it, such as `20:41`.
fn has_clock(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    bytes.windows(3).any(|three| digit(three.first()) && three.get(1) == Some(&b':') && digit(three.get(2)))
}

/// A line without the time at its beginning, and whether one stood there.
pub(super) fn without_time(text: &str) -> (bool, &str) {
    for (open, close) in [('[', ']'), ('(', ')')] {
        if let Some((inside, rest)) = text.strip_prefix(open).and_then(|rest| rest.split_once(close))
            && is_time(inside)
        {
            return (true, rest.trim_start().trim_start_matches(DASHES).trim_start());
        }
    }
    // A message that was copied without its name: "— 20:41".
    let bare = text.trim_start_matches(DASHES).trim_start();
    let mut end = 0;
    let mut rest = bare;
    while let Some(word) = rest.split_whitespace().next() {
        if !is_time_word(word.trim_matches([',', ']'])) {
            break;
        }
        let at = word.as_ptr() as usize - bare.as_ptr() as usize + word.len();
        (end, rest) = (at, bare.get(at..).unwrap_or_default());
    }
    match bare.split_at_checked(end) {
        Some((time, rest)) if has_clock(time) => (true, rest.trim_start().trim_start_matches(DASHES).trim_start()),
        _ => (false, text),
    }
}
