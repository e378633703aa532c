//! Bundles of entries, each with its length before it.

use thiserror::Error;

use super::TileWidth;
use crate::hash::Hash;
use crate::leaf::leaf_hash;

/// Up to 256 entries in the order of the log, byte for byte.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EntryBundle {
    entries: Vec<Box<[u8]>>,
}

/// An error in the bytes of a bundle, or in its entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum BundleError {
    /// More entries than a tile has leaves.
    #[error("a bundle has at most 256 entries")]
    TooMany,
    /// An entry of more than 65,535 bytes.
    #[error("an entry of a bundle has at most 65535 bytes")]
    TooLong,
    /// The bytes end within an entry.
    #[error("the bundle ends within an entry")]
    CutShort,
    /// More or fewer entries than requested.
    #[error("a bundle of {expected} entries was asked for, and it has {found}")]
    OtherWidth {
        /// The requested width.
        expected: u16,
        /// The number of entries found.
        found: usize,
    },
}

impl EntryBundle {
    /// A bundle of these entries.
    pub fn new<E: Into<Box<[u8]>>>(entries: impl IntoIterator<Item = E>) -> Result<Self, BundleError> {
        let mut bundle = Self::default();
        for entry in entries {
            bundle.push(entry.into())?;
        }
        Ok(bundle)
    }

    fn push(&mut self, entry: Box<[u8]>) -> Result<(), BundleError> {
        if self.entries.len() >= usize::from(TileWidth::FULL.get()) {
            return Err(BundleError::TooMany);
        }
        if u16::try_from(entry.len()).is_err() {
            return Err(BundleError::TooLong);
        }
        self.entries.push(entry);
        Ok(())
    }

    /// Reads the bytes of a bundle with this many entries, and not a byte more.
    pub fn read(width: TileWidth, mut bytes: &[u8]) -> Result<Self, BundleError> {
        let mut bundle = Self::default();
        while !bytes.is_empty() {
            // opaque entry<0..2^16-1>: two bytes of length, big-endian. C2SP tlog-tiles, "Log entries".
            let (length, rest) = bytes.split_first_chunk().ok_or(BundleError::CutShort)?;
            let length = usize::from(u16::from_be_bytes(*length));
            let (entry, rest) = rest.split_at_checked(length).ok_or(BundleError::CutShort)?;
            bundle.push(entry.into())?;
            bytes = rest;
        }
        let (expected, found) = (width.get(), bundle.entries.len());
        if found == usize::from(expected) { Ok(bundle) } else { Err(BundleError::OtherWidth { expected, found }) }
    }

    /// Writes the bytes that [`EntryBundle::read`] reads.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.entries.iter().map(|entry| entry.len().saturating_add(2)).sum());
        for entry in &self.entries {
            // Every entry was measured when it was added.
            bytes.extend(u16::try_from(entry.len()).unwrap_or(u16::MAX).to_be_bytes());
            bytes.extend_from_slice(entry);
        }
        bytes
    }

    /// The entries, byte for byte.
    #[must_use]
    pub fn entries(&self) -> &[Box<[u8]>] {
        &self.entries
    }

    /// Their leaf hashes: the content of the tile of level 0 with this index.
    pub fn leaf_hashes(&self) -> impl Iterator<Item = Hash> {
        self.entries.iter().map(|entry| leaf_hash(entry))
    }
}
