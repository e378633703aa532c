//! One value for each seat, as bodies write it.

use engine::BySeat;
use serde::{Deserialize, Serialize};

/// One value for each seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Both<T> {
    /// Of the first seat.
    pub p1: T,
    /// Of the second seat.
    pub p2: T,
}

impl<T> From<BySeat<T>> for Both<T> {
    fn from(values: BySeat<T>) -> Self {
        Self { p1: values.p1, p2: values.p2 }
    }
}

impl<T> From<Both<T>> for BySeat<T> {
    fn from(values: Both<T>) -> Self {
        Self { p1: values.p1, p2: values.p2 }
    }
}
