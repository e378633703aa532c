//! One value for each seat, as in bodies.

use engine::BySeat;
use serde::{Deserialize, Serialize};

/// One value for each seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "T: Deserialize<'de>"))]
pub struct SeatPair<T> {
    /// The first seat's.
    #[serde(deserialize_with = "super::key::required")]
    pub p1: T,
    /// The second seat's.
    #[serde(deserialize_with = "super::key::required")]
    pub p2: T,
}

impl<T> From<BySeat<T>> for SeatPair<T> {
    fn from(values: BySeat<T>) -> Self {
        Self { p1: values.p1, p2: values.p2 }
    }
}

impl<T> From<SeatPair<T>> for BySeat<T> {
    fn from(values: SeatPair<T>) -> Self {
        Self { p1: values.p1, p2: values.p2 }
    }
}
