//! Times as programs read them: in UTC, to the microsecond, as the database has them.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Serialize, Serializer};

#[must_use]
pub fn text(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}

pub(crate) fn serialize_option<S: Serializer>(at: &Option<DateTime<Utc>>, serializer: S) -> Result<S::Ok, S::Error> {
    at.map(text).serialize(serializer)
}

pub(crate) fn serialize_millis<S: Serializer>(at: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    at.to_rfc3339_opts(SecondsFormat::Millis, true).serialize(serializer)
}

pub fn serialize<S: Serializer>(at: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    text(*at).serialize(serializer)
}
