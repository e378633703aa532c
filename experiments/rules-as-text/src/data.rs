//! Values outside the machine: states, questions, answers, effects and views.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::Write;

/// A value as a tree. Texts are shared, and nothing else is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    None,
    Bool(bool),
    Int(i64),
    Text(Arc<str>),
    List(Vec<Data>),
    /// In the order in which the keys were added.
    Dict(Vec<(Arc<str>, Data)>),
}

impl Data {
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::Text(text.into())
    }

    #[must_use]
    pub fn dict<const N: usize>(members: [(&str, Self); N]) -> Self {
        Self::Dict(members.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }

    #[must_use]
    pub fn words<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        Self::List(words.into_iter().map(Self::text).collect())
    }

    /// The member of a dict.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Dict(members) => members.iter().find(|(name, _)| &**name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        match self {
            Self::Dict(members) => members.iter_mut().find(|(name, _)| &**name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    #[must_use]
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            _ => None,
        }
    }

    #[must_use]
    pub fn as_list(&self) -> Option<&[Self]> {
        match self {
            Self::List(list) => Some(list),
            _ => None,
        }
    }

    /// The text of a member, empty if it has none.
    #[must_use]
    pub fn word(&self, key: &str) -> &str {
        self.get(key).and_then(Self::as_text).unwrap_or_default()
    }

    /// JSON without spaces, as the notation writes states.
    #[must_use]
    pub fn json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::None => out.push_str("null"),
            Self::Bool(true) => out.push_str("true"),
            Self::Bool(false) => out.push_str("false"),
            // Writing to a String cannot fail.
            Self::Int(number) => drop(write!(out, "{number}")),
            Self::Text(text) => quote(text, out),
            Self::List(list) => {
                out.push('[');
                for (n, value) in list.iter().enumerate() {
                    out.push_str(if n > 0 { "," } else { "" });
                    value.write(out);
                }
                out.push(']');
            }
            Self::Dict(members) => {
                out.push('{');
                for (n, (key, value)) in members.iter().enumerate() {
                    out.push_str(if n > 0 { "," } else { "" });
                    quote(key, out);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }
}

fn quote(text: &str, out: &mut String) {
    out.push('"');
    for sign in text.chars() {
        match sign {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            sign if u32::from(sign) < 32 => drop(write!(out, "\\u{:04x}", u32::from(sign))),
            sign => out.push(sign),
        }
    }
    out.push('"');
}
