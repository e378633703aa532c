//! The date and event of a match of the past, as far as they are known.

use record::name_key;
use record::write::Import;

/// The date and event by which matches with the same steps are distinguished. An unknown one is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventDate {
    date: String,
    event: String,
}

impl EventDate {
    pub(crate) fn new(date: Option<&str>, event: Option<&str>) -> Self {
        Self { date: date.unwrap_or_default().trim().to_owned(), event: name_key(event.unwrap_or_default()) }
    }

    pub fn of(import: &Import) -> Self {
        let new = import.new_match();
        Self::new(new.date.as_deref(), new.event.as_deref())
    }

    /// True if the matches cannot be the same: their dates differ, or their events if a date is missing. A year agrees with
    /// each of its days. Walkovers of the same players have the same steps, so only the day distinguishes them.
    pub fn is_another(&self, other: &Self) -> bool {
        if self.date.is_empty() || other.date.is_empty() {
            return !self.event.is_empty() && !other.event.is_empty() && self.event != other.event;
        }
        !self.date.starts_with(&other.date) && !other.date.starts_with(&self.date)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_differ_by_date_and_else_by_event() {
        let said = |(date, event): (&str, &str)| EventDate::new(Some(date), Some(event));
        for (one, other, is_another) in [
            (("2021-05-01", ""), ("2021-05-08", ""), true),
            (("2021-05-01", "Cup"), ("2021-05-08", "Cup"), true),
            (("2021", ""), ("2021-05-01", "Cup"), false),
            (("2021-05-01", "Cup"), ("2021-05-01", "League"), false),
            (("", "Cup"), ("2021-05-01", "League"), true),
            (("", "Cup"), ("", "\u{a0}CUP"), false),
            (("", ""), ("2021-05-01", "League"), false),
            (("", ""), ("", ""), false),
        ] {
            assert_eq!(said(one).is_another(&said(other)), is_another, "{one:?} {other:?}");
            assert_eq!(said(other).is_another(&said(one)), is_another, "{other:?} {one:?}");
        }
    }
}
