//! Days as people write them.

use chrono::{Datelike, NaiveDate};

/// A day such as 2026-11-20; none outside the years 1 to 9999, which PostgreSQL and people know.
#[must_use]
pub fn day(text: &str) -> Option<NaiveDate> {
    text.parse::<NaiveDate>().ok().filter(|day| (1..=9999).contains(&day.year()))
}

/// The day of a date that may leave out day and month: 2026-11-20, and the first of 2026-11 or of 2026. None where it says
/// something else.
#[must_use]
pub fn played_on(date: &str) -> Option<NaiveDate> {
    let written = |(n, sign): (usize, u8)| if n == 4 || n == 7 { sign == b'-' } else { sign.is_ascii_digit() };
    let left_out = match date.len() {
        4 => "-01-01",
        7 => "-01",
        10 => "",
        _ => return None,
    };
    if date.bytes().enumerate().all(written) { day(&format!("{date}{left_out}")) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_may_leave_out_day_and_month() {
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
            assert_eq!(played_on(written), read.and_then(day), "{written}");
        }
        assert_eq!((day("-50000-1-1"), day("12026-01-01"), day("yesterday")), (None, None, None));
    }
}
