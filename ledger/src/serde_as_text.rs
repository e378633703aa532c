//! Types that are written as text: serde uses `Display` and `FromStr`, so each has one notation.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

/// Implements `Serialize` and `Deserialize` with `Display` and `FromStr`.
macro_rules! serde_as_text {
    ($($name:ty),+ $(,)?) => {$(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str($crate::serde_as_text::TextVisitor(std::marker::PhantomData))
            }
        }
    )+};
}

pub(crate) struct TextVisitor<T>(pub(crate) PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> serde::de::Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

/// 32 secret bytes, written and read as 64 lower-case hex digits. There is no `Display`, so that a secret never slips
/// into a message.
macro_rules! secret_as_hex {
    ($name:ident, $error:ty, $not_hex:expr) => {
        impl $name {
            /// Writes 64 lower-case hex digits.
            #[must_use]
            pub fn to_hex(&self) -> String {
                hex::encode(self.0)
            }

            /// Reads the text that [`to_hex`](Self::to_hex) writes.
            pub fn from_hex(text: &str) -> Result<Self, $error> {
                $crate::hash::read_lower_hex(text).map(Self).ok_or($not_hex)
            }
        }
    };
}

/// `Debug` without the content.
macro_rules! debug_hidden {
    ($($name:ident),+) => {$(
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(concat!(stringify!($name), "(..)"))
            }
        }
    )+};
}

pub(crate) use {debug_hidden, secret_as_hex, serde_as_text};

#[cfg(test)]
mod tests;
