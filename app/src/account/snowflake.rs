//! Discord's ids. Each contains the millisecond at which it was made, by Discord's clock.

use std::fmt;
use std::str::FromStr;

use ledger::Moment;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use thiserror::Error;

/// The first millisecond of 2015, from which Discord counts
/// (<https://docs.discord.com/developers/reference#snowflakes>).
const EPOCH_MS: i64 = 1_420_070_400_000;
/// Worker, process and increment.
const LOW_BITS: u32 = 22;

/// An id of Discord, of a user, a channel, a message or an interaction. Written as a decimal number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Snowflake(i64);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("an id of Discord is a number such as 1304923829184729138")]
pub struct SnowflakeError;

impl Snowflake {
    #[must_use]
    pub const fn number(self) -> i64 {
        self.0
    }

    #[must_use]
    pub fn at(self) -> Moment {
        let since_1970_ms = (self.0 >> LOW_BITS).saturating_add(EPOCH_MS);
        Moment::from_micros(since_1970_ms.saturating_mul(1000)).unwrap_or(Moment::MAX)
    }
}

impl TryFrom<i64> for Snowflake {
    type Error = SnowflakeError;

    fn try_from(number: i64) -> Result<Self, SnowflakeError> {
        if number > 0 { Ok(Self(number)) } else { Err(SnowflakeError) }
    }
}

impl FromStr for Snowflake {
    type Err = SnowflakeError;

    fn from_str(text: &str) -> Result<Self, SnowflakeError> {
        if text.starts_with('0') || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(SnowflakeError);
        }
        text.parse::<i64>().map_err(|_| SnowflakeError)?.try_into()
    }
}

impl fmt::Display for Snowflake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl<'de> Deserialize<'de> for Snowflake {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_carries_its_time() {
        // The example of Discord's own documentation.
        let id: Snowflake = "175928847299117063".parse().unwrap();
        assert_eq!(id.at().to_string(), "2016-04-30T11:18:25.796000Z");
        assert_eq!(id.to_string(), "175928847299117063");
        assert_eq!("9223372036854775807".parse::<Snowflake>().unwrap().at().to_utc().format("%Y").to_string(), "2084");
    }

    #[test]
    fn nothing_else_is_one() {
        for text in ["", "0", "01", "-1", "+1", "1.0", "x", "9223372036854775808", " 1"] {
            assert_eq!(text.parse::<Snowflake>(), Err(SnowflakeError), "{text:?}");
        }
    }
}
