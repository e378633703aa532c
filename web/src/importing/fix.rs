//! What one press of a button puts right. A fix changes the source and what is known of its names, and nothing else:
//! what comes of it is read anew.

use std::borrow::Cow;

use engine::Seat;
use serde::{Deserialize, Serialize};

/// A button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fix {
    /// What it says.
    pub(crate) label: String,
    /// What it does.
    pub(crate) does: Does,
}

/// What a fix changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Does {
    /// A line of the source, from 1, that stood so far, gives way to these.
    Line {
        /// Its number.
        at: usize,
        /// As it stood; where it stands no more, nothing is changed.
        was: String,
        /// What stands there then.
        now: Vec<String>,
    },
    /// A line that stood so far, and all that follow it, count for nothing.
    Rest {
        /// Its number.
        at: usize,
        /// As it stood; where it stands no more, nothing is changed.
        was: String,
    },
    /// Whoever speaks under this name is known now.
    Name {
        /// As the source writes it.
        name: String,
        /// Who that is.
        who: Who,
    },
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Who {
    /// The first player.
    P1,
    /// The second player.
    P2,
    /// The host or the umpire.
    Host,
    /// Somebody whose words are no part of the match.
    Nobody,
}

impl Who {
    /// All of them.
    pub(crate) const ALL: [Self; 4] = [Self::P1, Self::P2, Self::Host, Self::Nobody];

    /// Whoever sits there.
    pub(crate) const fn of(seat: Seat) -> Self {
        match seat {
            Seat::P1 => Self::P1,
            Seat::P2 => Self::P2,
        }
    }

    /// The seat.
    pub(crate) const fn seat(self) -> Option<Seat> {
        match self {
            Self::P1 => Some(Seat::P1),
            Self::P2 => Some(Seat::P2),
            Self::Host | Self::Nobody => None,
        }
    }
}

impl Fix {
    /// A line gives way to others.
    pub(crate) fn line(label: impl Into<String>, at: usize, was: &str, now: Vec<String>) -> Self {
        Self { label: label.into(), does: Does::Line { at, was: was.to_owned(), now } }
    }

    /// A line stays as it is, and counts for nothing.
    pub(crate) fn ignore(at: usize, was: &str) -> Self {
        Self::line("Leave the line out", at, was, vec![format!("# {was}")])
    }

    /// A line and all that follow it stay as they are, and count for nothing.
    pub(crate) fn ignore_rest(at: usize, was: &str) -> Self {
        let label = "Leave out this line and all that follow".to_owned();
        Self { label, does: Does::Rest { at, was: was.to_owned() } }
    }

    /// As a button sends it.
    pub(crate) fn code(&self) -> String {
        serde_json::to_string(&self.does).unwrap_or_default()
    }
}

impl Does {
    /// Reads what a button sent.
    pub(crate) fn read(code: &str) -> Option<Self> {
        serde_json::from_str(code).ok()
    }

    /// The source after it; none where the line stands there no more.
    pub(crate) fn apply(&self, text: &str) -> Option<String> {
        let (at, was) = match self {
            Self::Line { at, was, .. } | Self::Rest { at, was } => (at, was),
            Self::Name { .. } => return Some(text.to_owned()),
        };
        let mut lines: Vec<Cow<'_, str>> = text.lines().map(Cow::Borrowed).collect();
        let place = at.checked_sub(1)?;
        if lines.get(place).is_none_or(|line| line != was) {
            return None;
        }
        if let Self::Line { now, .. } = self {
            lines.splice(place..=place, now.iter().map(|line| Cow::Borrowed(line.as_str())));
        } else {
            let said = |line: &&mut Cow<'_, str>| !line.trim().is_empty();
            lines.iter_mut().skip(place).filter(said).for_each(|line| *line = Cow::Owned(format!("# {line}")));
        }
        let mut out = lines.join("\n");
        out.push('\n');
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_gives_way_only_where_it_still_stands() {
        let fix = Fix::line("x", 2, "b", vec!["c".into(), "b".into()]);
        let read = Does::read(&fix.code()).unwrap();
        assert_eq!(read, fix.does);
        assert_eq!(read.apply("a\r\nb\nd").as_deref(), Some("a\nc\nb\nd\n"));
        assert_eq!((read.apply("a\nx"), read.apply("a")), (None, None));
        assert_eq!(Fix::ignore(1, "a").does.apply("a\nb").as_deref(), Some("# a\nb\n"));
        assert_eq!(Fix::ignore_rest(2, "b").does.apply("a\nb\n\nc").as_deref(), Some("a\n# b\n\n# c\n"));
        assert_eq!(Fix::ignore_rest(2, "b").does.apply("a\nc"), None);
        let named = Does::Name { name: "Bo".into(), who: Who::P2 };
        assert_eq!(named.apply("a\nb").as_deref(), Some("a\nb"));
        assert_eq!(Does::read("{\"other\":1}"), None);
    }
}
