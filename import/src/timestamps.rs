//! Times before the messages of a chat: a clock, perhaps a day, in the ways in which programs of several languages write them.

/// No program writes a longer time.
const TIME_MAX_BYTES: usize = 64;
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/// Other words in times.
const TIME_WORDS: &str = "at the today yesterday utc gmt cet cest est edt z on um uhr heute gestern hoy ayer mon tue wed thu fri \
    sat sun monday tuesday wednesday thursday friday saturday sunday le à h twenty thirty first th";
/// Words for the halves of a day, without dots and spaces.
const MORNING: &str = "am vorm πμ 上午 午前 오전 ص sa";
const EVENING: &str = "pm nachm μμ 下午 午後 오후 م ch";
const DAY_SECONDS: u32 = 24 * 60 * 60;

/// The clock of a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    /// In seconds of the day, and whether it says which half of the day that is.
    At(u32, bool),
    /// There is one, with words that nobody knows here.
    Unreadable,
}

/// True if a text is a time and nothing else. Between brackets any words may stand beside its clock.
pub(crate) fn is_time(text: &str, in_brackets: bool) -> bool {
    let words = || text.split([' ', ',', '\u{a0}', '\u{202f}']).filter(|word| !word.is_empty());
    if text.len() > TIME_MAX_BYTES || clock_at(text).is_none() {
        return false;
    }
    words().all(is_time_word) || (in_brackets && words().count() < 8)
}

/// True if a day is in a time, such as `20.11.2026`.
pub(crate) fn is_dated(text: &str) -> bool {
    text.split_whitespace().any(|word| is_time_word(word) && word.matches(['/', '.', '-']).count() > 1)
}

/// The clock of a time; none if there is none in it.
pub(crate) fn clock(text: &str) -> Option<Clock> {
    let (before, hour, minute, behind) = clock_at(text)?;
    let seconds = behind.strip_prefix(':').and_then(|rest| rest.get(..2)).and_then(|digits| digits.parse().ok());
    let behind = if seconds.is_some() { behind.get(3..).unwrap_or_default() } else { behind };
    let bare = |text: &str| -> String {
        text.chars().filter(|letter| letter.is_alphabetic()).flat_map(char::to_lowercase).collect()
    };
    let (front, back) = (bare(before), bare(behind.split(',').next().unwrap_or_default()));
    let half = |words: &str| words.split(' ').any(|half| back == half || (!half.is_ascii() && front.ends_with(half)));
    let known =
        || behind.split([' ', ',', '+', '-', '\u{202f}', '\u{a0}']).all(|word| word.is_empty() || is_time_word(word));
    let hour = match (half(MORNING), half(EVENING)) {
        (true, _) => hour % 12,
        (false, true) => hour % 12 + 12,
        _ if back.is_empty() || known() => hour,
        _ => return Some(Clock::Unreadable),
    };
    let halved = half(MORNING) || half(EVENING);
    Some(Clock::At((hour * 60 * 60 + minute * 60 + seconds.unwrap_or(0)) % DAY_SECONDS, halved))
}

/// How a text is built: `0` for figures, `a` for letters, and its other signs.
pub(crate) fn shape(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        let kind = match letter {
            letter if letter.is_numeric() => '0',
            letter if letter.is_alphabetic() => 'a',
            '{' | '}' => '?',
            letter => letter,
        };
        if !(out.ends_with(kind) && kind.is_ascii_alphanumeric()) {
            out.push(kind);
        }
    }
    out
}

/// The first clock in a text: what stands before it, its hour and minute, and what stands behind.
pub(crate) fn clock_at(text: &str) -> Option<(&str, u32, u32, &str)> {
    text.match_indices([':', 'h']).take(8).find_map(|(at, _)| {
        let before = text.get(..at)?;
        let digits = before.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
        let hour = before.get(digits..)?.parse::<u32>().ok().filter(|hour| *hour < 25)?;
        let (minutes, behind) = text.get(at + 1..)?.split_at_checked(2)?;
        let minute = minutes.parse::<u32>().ok().filter(|minute| *minute < 60)?;
        (!behind.starts_with(|next: char| next.is_ascii_digit())).then_some((
            before.get(..digits)?,
            hour,
            minute,
            behind,
        ))
    })
}

fn month(word: &str) -> Option<u32> {
    let begins = word.get(..3)?.to_ascii_lowercase();
    let named = word.len() == 3 || word.len() > 3 && word.chars().all(|letter| letter.is_ascii_alphabetic());
    let at = MONTHS.iter().position(|month| *month == begins).filter(|_| named && word.len() < 10)?;
    u32::try_from(at + 1).ok()
}

fn is_time_word(word: &str) -> bool {
    let bare = word.trim_matches(['.', ',']).to_lowercase();
    let piece = |piece: &str| {
        let end = piece.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == 't');
        end.is_empty() || ["am", "pm", "z", "st", "nd", "rd", "th", "h"].contains(&end) || month(end).is_some()
    };
    let number = bare.starts_with(|first: char| first.is_ascii_digit())
        && bare.split(|letter: char| ":/.-+".contains(letter)).all(piece);
    let letters = bare.replace('.', "");
    let half = [MORNING, EVENING].iter().any(|words| words.split(' ').any(|half| letters == half))
        || ["a", "p", "m"].contains(&letters.as_str());
    let spelled = bare.split('-').next().is_some_and(|first| ["twenty", "thirty"].contains(&first));
    number || half || spelled || TIME_WORDS.split(' ').any(|word| word == bare) || month(&bare).is_some()
}

/// In which order a day's numbers stand where the month is a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// 31.12.2021
    DayFirst,
    /// 12/31/2021
    MonthFirst,
}

/// The figures of "1 May 21".
const DAY_DIGITS_LEAST: usize = 3;

/// The first day that a text names, as `2021-05-01`; none where it names none, or none that can be in this order.
pub(crate) fn day(text: &str, order: Order) -> Option<String> {
    let text = text.get(..TIME_MAX_BYTES).unwrap_or(text);
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
