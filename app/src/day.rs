//! Days as people write them in files and addresses.

use chrono::{Datelike, NaiveDate};

/// Reads a day such as 2026-11-20, in the years 1 to 9999: PostgreSQL has no others in this form.
#[must_use]
pub fn parse_day(text: &str) -> Option<NaiveDate> {
    text.parse::<NaiveDate>().ok().filter(|day| (1..=9999).contains(&day.year()))
}

/// Reads a date without its day or month, too: 2026-11 and 2026 are the first day of each.
#[must_use]
pub fn parse_partial_day(date: &str) -> Option<NaiveDate> {
    let written = |(n, sign): (usize, u8)| if n == 4 || n == 7 { sign == b'-' } else { sign.is_ascii_digit() };
    let left_out = match date.len() {
        4 => "-01-01",
        7 => "-01",
        10 => "",
        _ => return None,
    };
    if date.bytes().enumerate().all(written) { parse_day(&format!("{date}{left_out}")) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn day_and_month_may_be_missing() {
        for (written, read) in [
            ("2026-11-20", Some("2026-11-20")),
            ("2026-11", Some("2026-11-01")),
            ("2026", Some("2026-01-01")),
            ("2026-02-30", None),
            ("2026-13", None),
            ("0000", None),
            ("-500", None),
            ("-50000-1-1", None),
            ("20-11-2026", None),
            ("1.5.2021", None),
            ("2026-11-20T10:00", None),
            ("20261120", None),
            ("", None),
        ] {
            assert_eq!(parse_partial_day(written), read.and_then(parse_day), "{written}");
        }
        assert_eq!((parse_day("-50000-1-1"), parse_day("12026-01-01"), parse_day("yesterday")), (None, None, None));
    }
}
