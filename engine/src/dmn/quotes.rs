//! Texts in quotes: what is in them separates nothing, and a line can be written without them.

use alloc::string::String;
use core::ops::Range;

/// The sign of a text that is elsewhere, or was withdrawn.
pub const WITHHELD: &str = "*";

/// True while a byte follows a text's quotes. Inside quotes `\"` and `\\` escape.
#[derive(Default)]
pub(crate) struct Quotes {
    open: bool,
    escaped: bool,
}

impl Quotes {
    pub(crate) fn pass(&mut self, byte: u8) -> bool {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' if self.open => self.escaped = true,
            b'"' => self.open = !self.open,
            _ => {}
        }
        self.open
    }
}

/// The parts of a text between marks outside quotes, each with its place.
pub fn split_outside_quotes(text: &str, mark: u8) -> impl Iterator<Item = (usize, &str)> {
    let mut quotes = Quotes::default();
    let parts = text.split(move |sign: char| {
        let byte = u8::try_from(sign).ok().filter(u8::is_ascii).unwrap_or(0);
        !quotes.pass(byte) && byte == mark
    });
    parts.map(|part| (part.as_ptr() as usize - text.as_ptr() as usize, part))
}

/// The places of the texts of a line, quotes included.
fn places(line: &str) -> impl Iterator<Item = Range<usize>> {
    let (mut quotes, mut start) = (Quotes::default(), None);
    line.bytes().enumerate().filter_map(move |(at, byte)| match (quotes.pass(byte), start) {
        (true, None) => {
            start = Some(at);
            None
        }
        (false, Some(from)) => {
            start = None;
            Some(from..at + 1)
        }
        _ => None,
    })
}

/// The texts of a line in order, each in its quotes.
pub fn texts(line: &str) -> impl Iterator<Item = &str> {
    places(line).filter_map(|place| line.get(place))
}

/// The texts of a line in order, and a `*` where one is missing.
pub fn texts_or_signs(line: &str) -> impl Iterator<Item = &str> {
    let mut from = 0;
    let ends = places(line).map(Some).chain([None]);
    ends.flat_map(move |place| {
        let before = line.get(from..place.as_ref().map_or(line.len(), |place| place.start)).unwrap_or_default();
        from = place.as_ref().map_or(line.len(), |place| place.end);
        before.matches(WITHHELD).chain(place.and_then(|place| line.get(place)))
    })
}

/// A text in its quotes.
#[must_use]
pub fn quoted(text: &str) -> String {
    alloc::format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The text in its quotes; none if it is not quoted.
#[must_use]
pub fn unquoted(text: &str) -> Option<String> {
    let inner = text.strip_prefix('"')?.strip_suffix('"').filter(|_| text.len() > 1)?;
    let mut escaped = false;
    let mut keeps = |sign: &char| {
        escaped = *sign == '\\' && !escaped;
        !escaped
    };
    let text = inner.chars().filter(&mut keeps).collect();
    // Nothing closes a text whose last quote is escaped.
    (!escaped).then_some(text)
}

/// True for one text in its quotes, and nothing else.
#[must_use]
pub fn is_text(text: &str) -> bool {
    texts(text).eq([text])
}

/// The line with `*` for each text.
#[must_use]
pub fn withhold(line: &str) -> String {
    let (mut out, mut from) = (String::with_capacity(line.len()), 0);
    for place in places(line) {
        out.push_str(line.get(from..place.start).unwrap_or_default());
        out.push_str(WITHHELD);
        from = place.end;
    }
    out.push_str(line.get(from..).unwrap_or_default());
    out
}

/// The line with these texts in the places of its `*`, in order; `*` stays where a text is missing.
#[must_use]
pub fn say<'t>(line: &str, texts: impl IntoIterator<Item = Option<&'t str>>) -> String {
    let mut texts = texts.into_iter();
    let mut out = String::with_capacity(line.len());
    for (n, (_, part)) in split_outside_quotes(line, b'*').enumerate() {
        if n > 0 {
            out.push_str(texts.next().flatten().unwrap_or(WITHHELD));
        }
        out.push_str(part);
    }
    out
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn texts_leave_a_line_and_come_back() {
        let line = r#"umpire: says "a; \" * / b"; pot 1; "c\\""#;
        let said: Vec<&str> = texts(line).collect();
        assert_eq!(said, [r#""a; \" * / b""#, r#""c\\""#]);
        assert_eq!(withhold(line), "umpire: says *; pot 1; *");
        assert_eq!(say(&withhold(line), said.iter().map(|text| Some(*text))), line);
        assert_eq!(say("p1: *", [None]), "p1: *");
        let mixed: Vec<&str> = texts_or_signs(r#"1. * / "*"; *"#).collect();
        assert_eq!(mixed, ["*", r#""*""#, "*"]);
    }
}
