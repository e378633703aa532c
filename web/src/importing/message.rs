//! One line of a chat taken apart: when, who, what. It knows the ways in which Discord and others copy their messages,
//! and nothing of any game.

use super::speaker::{Speakers, is_name};

/// What a line holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    /// Whether a time stands before it: another message begins then.
    pub(super) timed: bool,
    /// The number of the round that it names.
    pub(super) round: Option<u32>,
    /// What is said, by whom; nobody is named where whoever spoke before goes on.
    pub(super) said: Vec<(Option<String>, String)>,
}

const DASHES: [char; 4] = ['—', '–', '-', '|'];
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
/// Words between a name and its move.
const VERBS: [&str; 14] = [
    "plays",
    "played",
    "play",
    "chose",
    "chooses",
    "picks",
    "picked",
    "submits",
    "submitted",
    "uses",
    "used",
    "sent",
    "attempts to play",
    "says",
];
/// Marks that Discord puts after the names of programs.
const BADGES: [&str; 3] = [" APP", " BOT", " ✓"];

impl Line {
    /// Takes a line apart. `is_word` tells words of the game from names.
    pub(super) fn read(line: &str, speakers: &Speakers, is_word: impl Fn(&str) -> bool) -> Self {
        let cleaned = clean(line);
        let (timed, rest) = without_time(cleaned.trim());
        let (round, rest) = heading(rest);
        let mut read = Self { timed, round, said: Vec::new() };
        if rest.is_empty() {
            return read;
        }
        if let Some(name) = header(rest, speakers) {
            (read.timed, read.said) = (true, vec![(Some(name), String::new())]);
            return read;
        }
        for separator in [" / ", "; ", " | "] {
            let parts: Vec<_> = rest.split(separator).map(|part| spoken(part, speakers, |_| true)).collect();
            if parts.len() > 1 && parts.iter().all(|(name, _)| name.is_some()) {
                read.said = parts;
                return read;
            }
        }
        read.said = vec![spoken(rest, speakers, is_word)];
        read
    }
}

/// Who says what in a part of a line.
fn spoken(part: &str, speakers: &Speakers, is_word: impl Fn(&str) -> bool) -> (Option<String>, String) {
    let part = part.trim();
    if let Some((name, said)) = part.strip_prefix('<').and_then(|rest| rest.split_once('>')).filter(|(n, _)| is_name(n))
    {
        return (Some(name.to_owned()), said.trim().to_owned());
    }
    if let Some((name, rest)) = speakers.leading(part) {
        let rest = rest.trim_start();
        // "Black (p1): Score"
        let rest = match rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            Some((_, after)) if after.trim_start().starts_with(':') => after.trim_start(),
            _ => rest,
        };
        if rest.is_empty() {
            return (Some(name.to_owned()), String::new());
        }
        let after_mark = rest.strip_prefix(':').or_else(|| {
            let dash = rest.strip_prefix(DASHES)?;
            dash.starts_with(' ').then_some(dash)
        });
        if let Some(said) = after_mark {
            return (Some(name.to_owned()), said.trim().to_owned());
        }
        let lower = rest.to_lowercase();
        let verb = VERBS.iter().find(|verb| lower.strip_prefix(*verb).is_some_and(|rest| rest.starts_with([' ', ':'])));
        if let Some(said) = verb.and_then(|verb| rest.get(verb.len()..)) {
            return (Some(name.to_owned()), said.trim_start_matches(':').trim().to_owned());
        }
    }
    match part.split_once(':') {
        Some((name, said))
            if is_name(name) && !is_word(name) && (said.is_empty() || said.starts_with(char::is_whitespace)) =>
        {
            (Some(name.trim().to_owned()), said.trim().to_owned())
        }
        _ => (None, part.to_owned()),
    }
}

/// The name in the line above a copied message: `Black — Today at 20:41`.
fn header(text: &str, speakers: &Speakers) -> Option<String> {
    let name = |name: &str| {
        let mut name = name.trim().trim_end_matches(DASHES).trim();
        for badge in BADGES {
            name = name.strip_suffix(badge).unwrap_or(name).trim_end();
        }
        (is_name(name) && !name.ends_with(':')).then(|| name.to_owned())
    };
    for day in ["Today at ", "Yesterday at ", "today at ", "yesterday at "] {
        if let Some((before, after)) = text.split_once(day)
            && is_time(after)
        {
            return name(before);
        }
    }
    // Without a dash or a date it may as well be talk: "see you at 8:41 PM".
    let stands = |before: &str, after: &str| {
        let dated =
            after.split_whitespace().any(|word| is_time_word(word) && word.matches(['/', '.', '-']).count() > 1);
        after.starts_with(DASHES) || dated || speakers.who(before).is_some()
    };
    let starts = text.char_indices().filter(|(_, letter)| letter.is_whitespace() || *letter == '—').map(|(at, _)| at);
    starts.filter_map(|at| text.split_at_checked(at)).find_map(|(before, after)| {
        let after = after.trim_start();
        let found = is_time(after.trim_start_matches(DASHES)) && stands(before, after);
        found.then(|| name(before)).flatten()
    })
}

/// Whether a text says when, and nothing else.
fn is_time(text: &str) -> bool {
    let mut words = text.split([' ', ',', '\u{a0}', '\u{202f}']).filter(|word| !word.is_empty()).peekable();
    words.peek().is_some() && has_clock(text) && words.all(is_time_word)
}

fn is_time_word(word: &str) -> bool {
    let number = word.starts_with(|first: char| first.is_ascii_digit())
        && word.chars().all(|letter| letter.is_ascii_digit() || ":/.-TZ+apmAPM".contains(letter));
    number || TIME_WORDS.iter().any(|known| known.eq_ignore_ascii_case(word.trim_end_matches('.')))
}

/// Whether a clock is in it, such as `20:41`.
fn has_clock(text: &str) -> bool {
    let bytes = text.as_bytes();
    let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    bytes.windows(3).any(|three| digit(three.first()) && three.get(1) == Some(&b':') && digit(three.get(2)))
}

/// A line without the time at its beginning, and whether one stood there.
fn without_time(text: &str) -> (bool, &str) {
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

/// The round that a line names at its beginning, and what follows.
fn heading(text: &str) -> (Option<u32>, &str) {
    let marks = |letter: char| "=~#*".contains(letter) || DASHES.contains(&letter) || letter.is_whitespace();
    let bare = text.trim_start_matches(marks);
    let lower = bare.to_ascii_lowercase();
    let word = ["round", "rnd", "rd"].into_iter().find(|word| lower.starts_with(word));
    let rest = word.and_then(|word| bare.get(word.len()..)).map(|rest| rest.trim_start_matches([' ', '#', '.']));
    let Some(rest) = rest else { return (None, text) };
    let digits = rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let (number, after) = rest.split_at_checked(digits).unwrap_or((rest, ""));
    match number.parse() {
        Ok(number) => (Some(number), after.trim_start_matches([':', '.', ')']).trim_matches(marks)),
        Err(_) => (None, text),
    }
}

/// A line without marks of writing, pictures and addresses of people. Suits and coloured circles become letters.
fn clean(line: &str) -> String {
    let mut text = without_struck(line);
    for mark in ["**", "__", "||", "```", "`", "*", "\u{200b}", "\u{feff}", "\u{200e}", "\u{200f}"] {
        text = text.replace(mark, "");
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.trim_start_matches(['>', '•', '·', ' ', '\t']);
    if rest.len() < text.len() && text.trim_start().starts_with('<') {
        rest = text.trim_start();
    }
    while let Some(letter) = rest.chars().next() {
        let after = rest.get(letter.len_utf8()..).unwrap_or_default();
        if let Some(skipped) = picture(rest) {
            rest = rest.get(skipped..).unwrap_or_default();
            out.push(' ');
            continue;
        }
        match letter {
            '♣' | '♧' => join_suit(&mut out, 'C'),
            '♦' | '♢' => join_suit(&mut out, 'D'),
            '♥' | '♡' => join_suit(&mut out, 'H'),
            '♠' | '♤' => join_suit(&mut out, 'S'),
            '🔴' | '🟥' => out.push('R'),
            '🟢' | '🟩' => out.push('G'),
            '🔵' | '🟦' => out.push('B'),
            '\u{fe0f}' | '\u{fe0e}' | '\u{200d}' | '\u{20e3}' => {}
            '→' | '➡' => out.push('→'),
            letter if is_symbol(letter) => out.push(' '),
            letter => out.push(letter),
        }
        rest = after;
    }
    // A colour that stood a space before its number belongs to it.
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A suit belongs to the rank before it.
fn join_suit(out: &mut String, suit: char) {
    let kept = out.trim_end().len();
    out.truncate(kept);
    out.push(suit);
}

/// The length of a picture that is written out at the beginning of a text: `:torch:`, `<:torch:123>`, `<@123>`.
fn picture(text: &str) -> Option<usize> {
    if let Some(inside) =
        text.strip_prefix('<').filter(|inside| inside.starts_with([':', '@', '#']) || inside.starts_with("a:"))
    {
        let end = inside.find('>')?;
        let name = inside.get(..end)?;
        return (!name.contains(' ')).then_some(end + 2);
    }
    let inside = text.strip_prefix(':')?;
    let end = inside.find(':')?;
    let name = inside.get(..end)?;
    let shaped = name.len() > 1 && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-+".contains(letter));
    let ends = inside.get(end + 1..).and_then(|rest| rest.chars().next()).is_none_or(|next| !next.is_alphanumeric());
    (shaped && ends && name.chars().any(|letter| letter.is_ascii_alphabetic())).then_some(end + 2)
}

/// A line without what its writer struck through.
fn without_struck(line: &str) -> String {
    let mut parts = line.split("~~");
    let mut out = parts.next().unwrap_or_default().to_owned();
    let parts: Vec<&str> = parts.collect();
    for (n, part) in parts.iter().enumerate() {
        // Two marks strike through what stands between them; a mark without another strikes nothing.
        if n % 2 == 1 || n + 1 == parts.len() {
            out.push_str(part);
        }
    }
    out
}

/// Arrows, dingbats, pictures.
const fn is_symbol(letter: char) -> bool {
    matches!(letter, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::super::fix::Who;
    use super::*;

    fn read(line: &str) -> Line {
        let mut speakers = Speakers::everywhere();
        speakers.add("Black", Who::P1);
        speakers.add("White", Who::P2);
        Line::read(line, &speakers, |word| word.eq_ignore_ascii_case("block"))
    }

    fn said(line: &str) -> Vec<(Option<String>, String)> {
        read(line).said
    }

    fn by(name: &str, words: &str) -> Vec<(Option<String>, String)> {
        vec![(Some(name.to_owned()), words.to_owned())]
    }

    #[test]
    fn a_name_stands_before_its_words() {
        for line in [
            "Black: Score, Grow",
            "**Black**: *Score*, __Grow__",
            "[20:41] Black: Score, Grow",
            "[11/20/2026 8:41 PM] Black: Score, Grow",
            "2026-11-20 20:41:30 Black: Score, Grow",
            "8:41 PM - Black: Score, Grow",
            "> Black: Score, Grow",
            "<Black> Score, Grow",
            "@Black: Score, Grow",
            "Black (p1): Score, Grow",
            "Black - Score, Grow",
            "Black plays Score, Grow",
            "🔥 Black: Score, Grow :torch:",
            "Black: Score,<:torch:123456> Grow",
            "Black: ~~Steal~~ Score, Grow",
            "Black: ||Score, Grow||",
        ] {
            let line = said(line.trim_start());
            let name = line[0].0.clone().unwrap_or_default();
            assert_eq!(
                (line.len(), name.trim_start_matches('@'), line[0].1.as_str()),
                (1, "Black", "Score, Grow"),
                "{line:?}"
            );
        }
    }

    #[test]
    fn a_copied_message_has_its_name_above_it() {
        for line in [
            "Black — 11/20/2026 8:41 PM",
            "Black — Today at 8:41 PM",
            "Black — Yesterday at 20:41",
            "BlackToday at 8:41 PM",
            "Black APP — 20:41",
            "Black – 20.11.2026, 20:41",
        ] {
            assert_eq!((said(line), read(line).timed), (by("Black", ""), true), "{line}");
        }
        assert_eq!(said("Black"), by("Black", ""));
        assert_eq!(read("— 20:41"), Line { timed: true, ..Line::default() });
        assert_eq!(read("[8:42 PM] Score").said, [(None, "Score".to_owned())]);
    }

    #[test]
    fn a_line_may_hold_both_and_name_its_round() {
        let both = [by("Black", "Score, Grow"), by("White", "Score, Steal")].concat();
        assert_eq!(said("Black: Score, Grow / White: Score, Steal"), both);
        assert_eq!(said("Black plays Score, Grow; White plays Score, Steal"), both);
        assert_eq!((read("**Round 3**").round, said("**Round 3**")), (Some(3), vec![]));
        let line = read("=== Round 12 ===");
        assert_eq!((line.round, line.said.len()), (Some(12), 0));
        assert_eq!(
            (read("Round 3: Black: Score").round, said("Round 3 - Black: Score")),
            (Some(3), by("Black", "Score"))
        );
    }

    #[test]
    fn what_is_no_name_is_said_by_whoever_spoke_before() {
        for line in
            ["block: steal", "Score, Grow", "see https://example.org/x", "ten of hearts", "R7 B2", "10 of clubs"]
        {
            assert_eq!(said(line), [(None, line.to_owned())], "{line}");
        }
        assert_eq!(said("Grue: Score"), by("Grue", "Score"));
        assert_eq!(said("7♠️"), [(None, "7S".to_owned())]);
        assert_eq!(said("🔴7 🔵2"), [(None, "R7 B2".to_owned())]);
    }
}
