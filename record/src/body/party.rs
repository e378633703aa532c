//! A sealer as bodies write it.

use engine::{Party, Seat};
use ledger::Sealer;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A seat or the host, written `p1`, `p2` or `host`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PartyWord(pub Party);

impl PartyWord {
    /// The same as a sealer.
    #[must_use]
    pub const fn sealer(self) -> Sealer {
        match self.0 {
            Party::Seat(Seat::P1) => Sealer::P1,
            Party::Seat(Seat::P2) => Sealer::P2,
            Party::Host => Sealer::Host,
        }
    }
}

impl Serialize for PartyWord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.word())
    }
}

impl<'de> Deserialize<'de> for PartyWord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        if text == Party::Host.word() {
            return Ok(Self(Party::Host));
        }
        text.parse().map(|seat: Seat| Self(seat.into())).map_err(|_| de::Error::custom("p1, p2 or host"))
    }
}
