//! Times in the lines of a chat, as those are copied, and the days in them.

use super::wording::is_in;

/// What stands between a name and a time.
pub(super) const DASHES: [char; 5] = ['—', '–', '-', '|', '•'];
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const TIME_WORDS: &str = "am pm a.m. p.m. at the today yesterday utc gmt cet cest est edt z on mon tue wed thu fri sat sun \
    monday tuesday wednesday thursday friday saturday sunday";
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

fn month(word: &str) -> Option<u32> {
    let begins = word.get(..3)?.to_ascii_lowercase();
    let named = word.len() == 3 || word.len() > 3 && word.chars().all(|letter| letter.is_ascii_alphabetic());
    let at = MONTHS.iter().position(|month| *month == begins).filter(|_| named && word.len() < 10)?;
    u32::try_from(at + 1).ok()
}

fn is_time_word(word: &str) -> bool {
    let bare = word.trim_end_matches('.').to_ascii_lowercase();
    let piece = |piece: &str| {
        let end = piece.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == 't');
        end.is_empty() || ["am", "pm", "z", "st", "nd", "rd", "th"].contains(&end) || month(end).is_some()
    };
    let number = bare.starts_with(|first: char| first.is_ascii_digit())
        && bare.split(|letter: char| ":/.-+".contains(letter)).all(piece);
    let spelled = ["twenty-", "thirty-"].iter().any(|tens| bare.starts_with(tens));
    number || spelled || is_in(TIME_WORDS, &bare) || is_in(TIME_WORDS, word) || month(&bare).is_some()
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

/// The minute of the day that a text names first: `20:41`, `8:41 PM`.
pub(super) fn minute(text: &str) -> Option<u32> {
    text.match_indices(':').take(8).find_map(|(at, _)| {
        let before = text.get(..at)?;
        let digits = before.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
        let hour = before.get(digits..)?.parse::<u32>().ok()?;
        let (minutes, behind) = text.get(at + 1..)?.split_at_checked(2)?;
        let half = behind.trim_start_matches(|letter: char| !letter.is_alphabetic()).to_ascii_lowercase();
        let hour = match hour {
            12 if half.starts_with("am") => 0,
            1..12 if half.starts_with("pm") => hour + 12,
            _ => hour,
        };
        Some(hour * 60 + minutes.parse::<u32>().ok()?)
    })
}

/// A line without the time at its beginning, and whether one stood there.
pub(super) fn without_time(text: &str) -> (bool, &str) {
    for (open, close) in [('[', ']'), ('(', ')')] {
        if let Some((inside, rest)) = text.strip_prefix(open).and_then(|rest| rest.split_once(close))
            && is_time(inside)
            // "(17:22)" alone is a score.
            && (open == '[' || !rest.trim().is_empty())
        {
            return (true, rest.trim_start().trim_start_matches(DASHES).trim_start());
        }
    }
    // A message that was copied without its name: "— 20:41".
    let bare = text.trim_start_matches(DASHES).trim_start();
    let mut end = 0;
    let mut rest = bare;
    while let Some(word) = rest.split_whitespace().next() {
        if !is_time_word(word.trim_matches([',', ']', ':'])) {
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

/// In which order a day's numbers stand where the month is a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// 31.12.2021
    DayFirst,
    /// 12/31/2021
    MonthFirst,
}

/// The figures of "1 May 21".
const DAY_DIGITS_LEAST: usize = 3;

/// The first day that a text names, as `2021-05-01`; none where it names none, or none that can be in this order.
pub(super) fn day(text: &str, order: Order) -> Option<String> {
    let text = text.get(..HEADER_MAX_BYTES).unwrap_or(text);
    if text.bytes().filter(u8::is_ascii_digit).count() < DAY_DIGITS_LEAST {
        return None;
    }
    let words: Vec<&str> = text
        .split(|letter: char| !letter.is_ascii_alphanumeric() && !"/.-".contains(letter))
        .map(|word| word.split('T').next().unwrap_or(word).trim_matches(['.', '-', '/']))
        .filter(|word| !word.is_empty())
        .collect();
    let apart =
        |at: usize| words.get(at).map(|word| word.split(['/', '.', '-']).collect::<Vec<_>>()).unwrap_or_default();
    (0..words.len()).find_map(|at| match apart(at).as_slice() {
        [one, other, last] => date([one, other, last], order),
        [one] => match (apart(at + 1).as_slice(), apart(at + 2).as_slice()) {
            ([other], [last]) if month(one).or(month(other)).is_some() && last.len() == 4 => {
                date([one, other, last], order)
            }
            _ => None,
        },
        _ => None,
    })
}

fn date(parts: [&str; 3], order: Order) -> Option<String> {
    let number = |text: &str| {
        let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        digits.parse::<u32>().ok().filter(|_| digits.len() <= 4)
    };
    let [one, other, last] = parts;
    let (year, month, day) = match (month(one), month(other)) {
        (Some(month), _) => (number(last)?, month, number(other)?),
        (_, Some(month)) => (number(last)?, month, number(one)?),
        _ if one.len() == 4 => (number(one)?, number(other)?, number(last)?),
        _ if last.len() != 4 && last.len() != 2 => return None,
        _ if order == Order::MonthFirst => (number(last)?, number(one)?, number(other)?),
        _ => (number(last)?, number(other)?, number(one)?),
    };
    let year = if year < 100 { year + 2000 } else { year };
    let real = (1..=12).contains(&month) && (1..=31).contains(&day) && (1990..2100).contains(&year);
    real.then(|| format!("{year}-{month:02}-{day:02}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_in_either_order() {
        let both = |text: &str| [Order::DayFirst, Order::MonthFirst].map(|order| day(text, order));
        let same = |day: &str| [Some(day.to_owned()), Some(day.to_owned())];
        for text in ["2021-05-01T20:41:30Z", "[01-May-21 08:41 PM]", "Black, May 1, 2021 8:41 PM", "on 1st May 2021"] {
            assert_eq!(both(text), same("2021-05-01"), "{text}");
        }
        assert_eq!(both("Black — 05/01/2021 8:41 PM"), [Some("2021-01-05".into()), Some("2021-05-01".into())]);
        assert_eq!(both("[31.12.21, 20:41]"), [Some("2021-12-31".into()), None]);
        assert_eq!(both("20:41 Black: 10 of hearts, 3-1"), [None, None]);
    }

    #[test]
    fn times_are_told_from_words() {
        for time in [
            "20:41",
            "01-May-21 08:41 PM",
            "Today at 8:41 PM",
            "2021-05-01T20:41:30Z",
            "Sat 1 May, 20:41",
            "9:05 pm",
            "Thursday 9:05 pm",
            "August 9:05 pm",
            "the twenty-eighth 2025 at 9:05 pm",
        ] {
            assert!(is_time(time), "{time}");
        }
        for other in ["10h", "round 3: score", "5:3 claim", "8"] {
            assert!(!is_time(other), "{other}");
        }
    }
}
