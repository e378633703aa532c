//! The paths under which tiles and bundles are served: `tile/<L>/<N>[.p/<W>]` and `tile/entries/<N>[.p/<W>]`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{TileId, TileIndex, TileLevel, TileWidth};
use crate::decimal::read_decimal;
use crate::serde_as_text::serde_as_text;

/// A path below a log's prefix. Each object has one path; any other notation is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TilePath {
    /// A tile of hashes, such as `tile/0/x001/234.p/5`.
    Hashes(TileId),
    /// A bundle of entries, such as `tile/entries/x001/234.p/5`.
    Entries {
        /// Its place.
        index: TileIndex,
        /// The number of entries.
        width: TileWidth,
    },
}

/// The reason why a text is not the path of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TilePathError {
    /// Not `tile/` and the parts of the specification.
    #[error("a tile is found at tile/<level>/<index> or tile/entries/<index>, and .p/<width> where it is partial")]
    NotATile,
    /// The level is not valid.
    #[error("the level of a tile is a number from 0 to 63 without leading zeros")]
    Level,
    /// The index is not valid, or in another notation.
    #[error("the index of a tile is written in groups of three digits, such as x001/x234/067, and no group too many")]
    Index,
    /// The width is not valid.
    #[error("the width of a partial tile is a number from 1 to 255 without leading zeros")]
    Width,
}

impl FromStr for TilePath {
    type Err = TilePathError;

    fn from_str(text: &str) -> Result<Self, TilePathError> {
        let rest = text.strip_prefix("tile/").ok_or(TilePathError::NotATile)?;
        let (row, rest) = rest.split_once('/').ok_or(TilePathError::NotATile)?;
        let (index, width) = match rest.split_once(".p/") {
            Some((index, width)) => (index, read_width(width)?),
            None => (rest, TileWidth::FULL),
        };
        if row == "entries" {
            return Ok(Self::Entries { index: read_index(index)?, width });
        }
        let level = read_decimal(row).and_then(|level| u8::try_from(level).ok()).and_then(TileLevel::new);
        let level = level.ok_or(TilePathError::Level)?;
        Ok(Self::Hashes(TileId { level, index: read_index(index)?, width }))
    }
}

fn read_width(text: &str) -> Result<TileWidth, TilePathError> {
    let width = read_decimal(text).and_then(|width| u16::try_from(width).ok()).and_then(TileWidth::new);
    width.filter(|width| !width.is_full()).ok_or(TilePathError::Width)
}

fn read_index(text: &str) -> Result<TileIndex, TilePathError> {
    let mut index = 0_u64;
    for group in text.split('/') {
        let digits = group.strip_prefix('x').unwrap_or(group);
        if digits.len() != 3 || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(TilePathError::Index);
        }
        let group: u64 = digits.parse().map_err(|_| TilePathError::Index)?;
        let more = index.checked_mul(1000).and_then(|index| index.checked_add(group));
        index = more.ok_or(TilePathError::Index)?;
    }
    // One index has one path: no groups of zeros before it, an x before every group but the last.
    if IndexPath(index).to_string() == text { Ok(TileIndex(index)) } else { Err(TilePathError::Index) }
}

/// An index in groups of three digits, with an `x` before all but the last.
struct IndexPath(u64);

impl fmt::Display for IndexPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut unit = 1;
        while self.0 / unit >= 1000 {
            unit *= 1000;
        }
        while unit > 1 {
            write!(f, "x{:03}/", self.0 / unit % 1000)?;
            unit /= 1000;
        }
        write!(f, "{:03}", self.0 % 1000)
    }
}

impl fmt::Display for TilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (index, width) = match self {
            Self::Hashes(TileId { level, index, width }) => {
                write!(f, "tile/{}/", level.get())?;
                (index, width)
            }
            Self::Entries { index, width } => {
                f.write_str("tile/entries/")?;
                (index, width)
            }
        };
        IndexPath(index.0).fmt(f)?;
        if width.is_full() { Ok(()) } else { write!(f, ".p/{}", width.get()) }
    }
}

serde_as_text!(TilePath);
