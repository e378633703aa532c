//! A number of matches, counted up to a limit.

use std::fmt;

use serde::Serialize;
use utoipa::ToSchema;

/// The number up to which matches are counted: a reader of a list does not need to know more.
pub const COUNT_MAX: i64 = 1_000;

/// How many there are, counted up to a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
pub struct Count {
    /// At most 1,000.
    #[schema(example = 37)]
    pub counted: u32,
    /// Whether there are more.
    #[schema(example = false)]
    pub more: bool,
}

/// From what was found, where the search ended at one more than [`COUNT_MAX`].
impl From<i64> for Count {
    fn from(found: i64) -> Self {
        Self { counted: u32::try_from(found.min(COUNT_MAX)).unwrap_or(0), more: found > COUNT_MAX }
    }
}

impl Count {
    #[must_use]
    pub fn is_at_most(self, n: usize) -> bool {
        !self.more && usize::try_from(self.counted).is_ok_and(|counted| counted <= n)
    }

    #[must_use]
    pub fn figure(self) -> String {
        if self.more { "more than 1,000".to_owned() } else { self.counted.to_string() }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = if (self.counted, self.more) == (1, false) { "match" } else { "matches" };
        write!(f, "{} {noun}", self.figure())
    }
}
