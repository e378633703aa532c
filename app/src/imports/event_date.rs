//! When and where a match was played, as far as somebody said so.

use record::name_key;
use record::write::Import;

/// What tells matches apart in which the same happened. Either may be empty: nobody said it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventDate {
    date: String,
    /// As it is compared.
    event: String,
}

impl EventDate {
    /// What is said of a match.
    pub(crate) fn new(date: Option<&str>, event: Option<&str>) -> Self {
        Self { date: date.unwrap_or_default().trim().to_owned(), event: name_key(event.unwrap_or_default()) }
    }

    /// What a match of the past says.
    pub fn of(import: &Import) -> Self {
        let new = import.new_match();
        Self::new(new.date.as_deref(), new.event.as_deref())
    }

    /// True if this must be another occasion: the dates contradict each other, or the events where a date is missing. A
    /// year agrees with each of its days. Walkovers of the same two are alike step by step, and only the day tells them
    /// apart.
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
    fn occasions_differ_where_what_is_said_of_them_does() {
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
