//! What one press of a button puts right. A fix changes the source and what is known of its names, and nothing else:
//! what comes of it is read anew.

use std::borrow::Cow;

use engine::Seat;
use serde::{Deserialize, Serialize};

use super::legend;
use super::taught_layout::TaughtLayout;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    pub label: String,
    pub does: Does,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Does {
    /// A line of the source gives way to others.
    Line(Change),
    /// Several do, all of them or none.
    Lines(Vec<Change>),
    /// All lines before one that stood so far count for nothing.
    Before {
        /// Its number.
        at: usize,
        /// As it stood; where it stands no more, nothing is changed.
        was: String,
    },
    /// A line that stood so far, and all that follow it, count for nothing.
    Rest {
        /// Its number.
        at: usize,
        /// As it stood; where it stands no more, nothing is changed.
        was: String,
    },
    /// A legend is read into all other lines.
    Words {
        /// Its line.
        at: usize,
        /// As it stood; where it stands no more, nothing is changed.
        was: String,
        /// Its words, each with the one of the game that it stands for.
        words: Vec<(String, String)>,
    },
    /// Whoever speaks under this name is known now.
    Name {
        /// As the source writes it.
        name: String,
        /// Who that is.
        who: Who,
    },
    /// A message begins as it was shown.
    Layout(TaughtLayout),
}

/// A line that gives way to others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Its number, from 1.
    pub at: usize,
    /// As it stood; where it stands no more, nothing is changed.
    pub was: String,
    pub now: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Who {
    /// The first player.
    P1,
    /// The second player.
    P2,
    Host,
    /// Somebody whose words are no part of the match.
    Nobody,
}

impl Who {
    pub const ALL: [Self; 4] = [Self::P1, Self::P2, Self::Host, Self::Nobody];

    /// Whoever sits there.
    pub const fn of(seat: Seat) -> Self {
        match seat {
            Seat::P1 => Self::P1,
            Seat::P2 => Self::P2,
        }
    }

    pub const fn seat(self) -> Option<Seat> {
        match self {
            Self::P1 => Some(Seat::P1),
            Self::P2 => Some(Seat::P2),
            Self::Host | Self::Nobody => None,
        }
    }
}

impl Fix {
    /// A line gives way to others.
    pub fn line(label: impl Into<String>, at: usize, was: &str, now: Vec<String>) -> Self {
        Self { label: label.into(), does: Does::Line(Change { at, was: was.to_owned(), now }) }
    }

    /// Several lines give way to others.
    pub fn lines(label: impl Into<String>, changes: Vec<Change>) -> Self {
        Self { label: label.into(), does: Does::Lines(changes) }
    }

    /// Changes another line as well.
    pub(crate) fn with(&mut self, more: Option<Change>) {
        if let (Does::Line(change), Some(more)) = (&self.does, more) {
            self.does = Does::Lines(vec![more, change.clone()]);
        }
    }

    /// What can be done about a line with which another match begins: one of the two is read, and the other left out.
    pub fn one_match(at: usize, was: &str) -> [Self; 2] {
        let was = was.to_owned();
        [
            Self {
                label: "Read the match above: leave out this line and all that follow".to_owned(),
                does: Does::Rest { at, was: was.clone() },
            },
            Self {
                label: "Read the match that begins here: leave out all before it".to_owned(),
                does: Does::Before { at, was },
            },
        ]
    }

    /// A line stays as it is, and counts for nothing.
    pub fn ignore(at: usize, was: &str) -> Self {
        Self::line("Leave the line out", at, was, vec![format!("# {was}")])
    }

    /// A line and all that follow it stay as they are, and count for nothing.
    pub fn ignore_rest(at: usize, was: &str) -> Self {
        let label = "Leave out this line and all that follow".to_owned();
        Self { label, does: Does::Rest { at, was: was.to_owned() } }
    }

    pub fn code(&self) -> String {
        serde_json::to_string(&self.does).unwrap_or_default()
    }
}

impl Does {
    pub fn read(code: &str) -> Option<Self> {
        serde_json::from_str(code).ok()
    }

    /// The source after it; none where the line stands there no more.
    pub fn apply(&self, text: &str) -> Option<String> {
        let mut lines: Vec<Cow<'_, str>> = text.lines().map(Cow::Borrowed).collect();
        let place = |at: usize, was: &str| {
            let place = at.checked_sub(1)?;
            text.lines().nth(place).filter(|line| *line == was).map(|_| place)
        };
        let leave_out = |line: &mut Cow<'_, str>| {
            if !line.trim().is_empty() {
                *line = Cow::Owned(format!("# {line}"));
            }
        };
        match self {
            Self::Line(change) => {
                let place = place(change.at, &change.was)?;
                lines.splice(place..=place, change.now.iter().map(|line| Cow::Borrowed(line.as_str())));
            }
            Self::Lines(changes) => {
                // From the last to the first, so that no place moves before it is used.
                let mut changes: Vec<&Change> = changes.iter().collect();
                changes.sort_by_key(|change| std::cmp::Reverse(change.at));
                for change in changes {
                    let place = place(change.at, &change.was)?;
                    lines.splice(place..=place, change.now.iter().map(|line| Cow::Borrowed(line.as_str())));
                }
            }
            Self::Before { at, was } => {
                let place = place(*at, was)?;
                lines.iter_mut().take(place).for_each(leave_out);
            }
            Self::Rest { at, was } => {
                let place = place(*at, was)?;
                lines.iter_mut().skip(place).for_each(leave_out);
            }
            Self::Words { at, was, words } => {
                let place = place(*at, was).filter(|_| legend::can_be(words))?;
                let others = lines.iter_mut().enumerate().filter(|(n, _)| *n != place);
                others.for_each(|(_, line)| *line = Cow::Owned(legend::read_into(line, words)));
                lines.get_mut(place).into_iter().for_each(leave_out);
            }
            Self::Name { .. } | Self::Layout(_) => return Some(text.to_owned()),
        }
        let mut out = lines.join("\n");
        out.push('\n');
        Some(out)
    }
}
