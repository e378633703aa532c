//! A seat as bodies write it.

use engine::Seat;
use ledger::Sealer;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A seat, written `p1` or `p2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatWord(pub Seat);

impl SeatWord {
    /// The same as a sealer.
    #[must_use]
    pub const fn sealer(self) -> Sealer {
        match self.0 {
            Seat::P1 => Sealer::P1,
            Seat::P2 => Sealer::P2,
        }
    }
}

impl Serialize for SeatWord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.word())
    }
}

impl<'de> Deserialize<'de> for SeatWord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map(Self).map_err(de::Error::custom)
    }
}
