//! The body of `opened`: the start of a match.

use std::collections::BTreeMap;
use std::fmt;

use ledger::{Commitment, Moment, NetworkHash};
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::{ClockStart, DrawSource, SeatPair, SeatWord, key};

/// The way in which a match enters the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// The players submit here, with clocks.
    Live,
    /// The umpire types the moves that the players sent elsewhere.
    Recorded,
    /// It was entered whole, after it was over.
    Imported,
}

/// `opened`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opened {
    /// The way in which it enters the record.
    pub mode: Mode,
    /// The ruleset's id.
    pub ruleset: String,
    /// All of its options, sorted by name.
    #[serde(deserialize_with = "sorted")]
    pub options: BTreeMap<String, String>,
    /// The version of the rules that this program applies.
    pub rules: u32,
    /// The version of the program.
    pub program: String,
    /// Commitments to the players' names.
    pub names: SeatPair<Commitment>,
    /// Commitment to the tournament's name.
    #[serde(deserialize_with = "key::required")]
    pub event: Option<Commitment>,
    /// The date of play, as it was written.
    #[serde(deserialize_with = "day")]
    pub date: Option<String>,
    /// The Death Match Opponent.
    #[serde(deserialize_with = "key::required")]
    pub dmo: Option<SeatWord>,
    /// The items that each seat received.
    pub items: SeatPair<Vec<String>>,
    /// Commitments to other tags of an imported file.
    pub tags: Vec<Commitment>,
    /// The host's Ed25519 public key, base64.
    pub host_key: String,
    /// In a live match, true if clocks close its questions.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "key::present")]
    pub clocks: Option<bool>,
    /// The start of the clocks, if it is not at once.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "key::present")]
    pub starts: Option<ClockStart>,
    /// The source of the draws; none if the umpire types in draws from elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "key::present")]
    pub draws: Option<DrawSource>,
    /// In a live match, true if the umpire may read what the seats send before a decision closes.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "key::present")]
    pub looks: Option<bool>,
    /// The limit, in seconds, of a match that waits for the log's witnesses before it opens anything; none if it does not.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "key::present")]
    pub wait: Option<u32>,
    /// Set if a question to both seats closes before its deadline once both call their answer final: in a live match
    /// with clocks. What closes so shows that both were done by then, and so tells each player about when
    /// the other was.
    #[serde(default, skip_serializing_if = "key::is_unset", deserialize_with = "key::mark")]
    pub early: bool,
    /// The game that the umpire declared; none where the program knows the rules.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "key::present")]
    pub game: Option<DeclaredGame>,
    /// The network of a public randomness beacon that every draw of the host's waits for; none if they wait for none.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "key::present")]
    pub beacon: Option<NetworkHash>,
}

/// A game as its umpire declared it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeclaredGame {
    /// Its lines without title, labels and source, each in its one spelling.
    pub structure: Vec<String>,
    /// Commitments to its other lines: title, source and labels.
    pub words: Vec<Commitment>,
}

pub(crate) fn is_no_day(date: &str) -> bool {
    let at = |(at, byte): (usize, u8)| if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() };
    let year = date.get(..4).filter(|_| date.len() == 10 && date.bytes().enumerate().all(at));
    // Moments begin in 1970, and every 400 years the calendar is the same.
    let year = year.and_then(|year| year.parse::<u32>().ok()).map(|year| 2000 + year % 400);
    let rest = date.get(4..).unwrap_or_default();
    year.is_some_and(|year| format!("{year}{rest}T00:00:00.000000Z").parse::<Moment>().is_err())
}

fn day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let date: Option<String> = key::required(deserializer)?;
    match date {
        Some(date) if is_no_day(&date) => Err(D::Error::custom("no calendar has this date")),
        date => Ok(date),
    }
}

fn sorted<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error> {
    struct Sorted;
    impl<'de> Visitor<'de> for Sorted {
        type Value = BTreeMap<String, String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("options sorted by name")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut options = BTreeMap::new();
            while let Some((name, value)) = map.next_entry::<String, String>()? {
                if options.last_key_value().is_some_and(|(last, _)| *last >= name) {
                    return Err(A::Error::custom("the options are not sorted by name"));
                }
                options.insert(name, value);
            }
            Ok(options)
        }
    }
    deserializer.deserialize_map(Sorted)
}
