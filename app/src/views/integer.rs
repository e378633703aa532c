//! Whole numbers as JSON Schema defines them: `7.0` is one.

use serde::de::Error;
use serde::{Deserialize, Deserializer};

const MOST: u32 = i32::MAX as u32;

pub fn integer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let number = serde_json::Number::deserialize(deserializer)?;
    number
        .as_f64()
        .and_then(rounded)
        .ok_or_else(|| D::Error::custom(format!("{number} is no whole number from 0 to {MOST}")))
}

pub fn integer_or_none<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    integer(deserializer).map(Some)
}

fn rounded(number: f64) -> Option<u32> {
    (number.fract() == 0.0 && (0.0..=f64::from(MOST)).contains(&number)).then_some(number as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_is_one_however_it_is_written() {
        #[derive(Deserialize)]
        struct Read(#[serde(deserialize_with = "integer")] u32);
        let read = |text: &str| serde_json::from_str::<Read>(text).map(|read| read.0).ok();
        assert_eq!([read("7"), read("7.0"), read("0"), read("2147483647")], [Some(7), Some(7), Some(0), Some(MOST)]);
        for other in ["7.5", "-1", "2147483648", "1e300", "\"7\"", "null", "99999999999999999999", "-0.5"] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
