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
                deserializer.deserialize_str($crate::text::Parsed(std::marker::PhantomData))
            }
        }
    )+};
}

/// Reads a text in place, without a copy.
pub(crate) struct Parsed<T>(pub(crate) PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> serde::de::Visitor<'_> for Parsed<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

pub(crate) use serde_as_text;
