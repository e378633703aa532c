//! A moment of the server's clock, in microseconds, with exactly one notation.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Datelike, NaiveDate, Timelike, Utc};
use thiserror::Error;

use crate::serde_as_text::serde_as_text;

/// Microseconds since 1970-01-01T00:00:00Z, up to the end of the year 9999.
/// Displayed and read as exactly `2026-11-20T20:41:48.381204Z`: six digits, `Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(i64);

/// An error in a [`Moment`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum MomentError {
    /// Another notation, or a day or second that does not exist.
    #[error("a moment is written 2026-11-20T20:41:48.381204Z: UTC, six digits after the point")]
    NotAMoment,
    /// Before 1970 or after 9999.
    #[error("a moment lies between the years 1970 and 9999")]
    OutOfRange,
}

impl Moment {
    /// The first moment, 1970-01-01T00:00:00.000000Z.
    pub const MIN: Self = Self(0);
    /// The last moment, 9999-12-31T23:59:59.999999Z.
    pub const MAX: Self = Self(253_402_300_799_999_999);

    /// From microseconds since 1970-01-01T00:00:00Z.
    pub const fn from_micros(micros: i64) -> Result<Self, MomentError> {
        if micros < Self::MIN.0 || micros > Self::MAX.0 { Err(MomentError::OutOfRange) } else { Ok(Self(micros)) }
    }

    /// Microseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// The same moment as a calendar date.
    #[must_use]
    pub fn to_utc(self) -> DateTime<Utc> {
        // Every value between MIN and MAX is a chrono date; the alternative cannot be reached.
        DateTime::from_timestamp_micros(self.0).unwrap_or_default()
    }
}

impl TryFrom<DateTime<Utc>> for Moment {
    type Error = MomentError;

    /// Drops fractions of a microsecond.
    fn try_from(time: DateTime<Utc>) -> Result<Self, MomentError> {
        Self::from_micros(time.timestamp_micros())
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let utc = self.to_utc();
        let (year, month, day) = (utc.year(), utc.month(), utc.day());
        let (hour, minute, second) = (utc.hour(), utc.minute(), utc.second());
        let micros = utc.timestamp_subsec_micros();
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}Z")
    }
}

impl FromStr for Moment {
    type Err = MomentError;

    fn from_str(text: &str) -> Result<Self, MomentError> {
        let time = read(text.as_bytes()).ok_or(MomentError::NotAMoment)?;
        Self::try_from(time)
    }
}

/// Reads the one notation by its places. The library's reader is lenient (fewer digits, signs, a leap second), and slow
/// for a value that every entry has.
fn read(text: &[u8]) -> Option<DateTime<Utc>> {
    let marks = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':'), (19, b'.'), (26, b'Z')];
    if text.len() != 27 || marks.iter().any(|(at, mark)| text.get(*at) != Some(mark)) {
        return None;
    }
    let number = |places: std::ops::Range<usize>| {
        text.get(places)?.iter().try_fold(0_u32, |number, byte| match byte {
            b'0'..=b'9' => Some(number * 10 + u32::from(byte - b'0')),
            _ => None,
        })
    };
    let day = NaiveDate::from_ymd_opt(i32::try_from(number(0..4)?).ok()?, number(5..7)?, number(8..10)?)?;
    // Six digits are always less than the million that would mean a leap second.
    let time = day.and_hms_micro_opt(number(11..13)?, number(14..16)?, number(17..19)?, number(20..26)?)?;
    Some(time.and_utc())
}

serde_as_text!(Moment);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_notation() {
        let text = "2026-11-20T20:41:48.381204Z";
        let moment: Moment = text.parse().unwrap();
        assert_eq!(moment.micros(), 1_795_207_308_381_204);
        assert_eq!(moment.to_string(), text);
        assert_eq!(Moment::MIN.to_string(), "1970-01-01T00:00:00.000000Z");
        assert_eq!(Moment::MAX.to_string(), "9999-12-31T23:59:59.999999Z");
        assert_eq!(Moment::MAX.to_string().parse(), Ok(Moment::MAX));
        assert_eq!("2028-02-29T00:00:00.000000Z".parse::<Moment>().unwrap().to_string(), "2028-02-29T00:00:00.000000Z");
        assert_eq!(Moment::from_micros(i64::MAX), Err(MomentError::OutOfRange));
    }
}
