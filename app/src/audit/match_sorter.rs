//! Sorting entries from the log's order to their matches: they are written to shares by match, and read back share by
//! share.
//!
//! The files have no names, so nothing is left behind after any kind of end.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use ledger::{Hash, LeafIndex, MatchId};
use record::audit::LoggedEntry;

/// The limit for entries held in memory at once, unless one match alone has more.
const SHARE_BYTES: u64 = 32 << 20;
/// The approximate size of an entry in a share.
const ENTRY_BYTES: u64 = 700;
/// The shares of one round. A larger log is sorted in several rounds.
const SHARES_MAX: u64 = 64;

/// One round of sorting by match.
pub(super) struct MatchSorter {
    folder: PathBuf,
    /// The number of earlier rounds for these entries: each round uses other bits of the match's id.
    round: u32,
    shares: Vec<Share>,
}

struct Share {
    file: BufWriter<File>,
    bytes: u64,
    /// Its only match, until it has a second.
    only: Option<MatchId>,
    matches: bool,
}

impl MatchSorter {
    /// Shares for approximately this many entries.
    pub(super) fn new(folder: &Path, entries: u64) -> io::Result<Self> {
        Self::of(folder, entries.saturating_mul(ENTRY_BYTES), 0)
    }

    fn of(folder: &Path, bytes: u64, round: u32) -> io::Result<Self> {
        let count = bytes.div_ceil(SHARE_BYTES).next_power_of_two().clamp(1, SHARES_MAX);
        let share = || {
            let file = BufWriter::with_capacity(1 << 16, tempfile::tempfile_in(folder)?);
            Ok(Share { file, bytes: 0, only: None, matches: false })
        };
        let shares = (0..count).map(|_| share()).collect::<io::Result<_>>()?;
        Ok(Self { folder: folder.to_owned(), round, shares })
    }

    /// Adds an entry of a match.
    pub(super) fn put(&mut self, match_id: MatchId, placed: &LoggedEntry) -> io::Result<()> {
        // Ids are random in all bits used here: six for each round, from the end.
        let bits = match_id.0.as_u128().checked_shr(6 * self.round).unwrap_or(0) % self.shares.len().max(1) as u128;
        let share = usize::try_from(bits).ok().and_then(|at| self.shares.get_mut(at));
        let share = share.ok_or_else(|| io::Error::other("a share that does not exist"))?;
        if share.only != Some(match_id) {
            share.matches = share.bytes > 0;
            share.only = Some(match_id);
        }
        let length = u32::try_from(placed.bytes.len()).map_err(io::Error::other)?;
        share.file.write_all(match_id.0.as_bytes())?;
        share.file.write_all(&placed.index.0.to_be_bytes())?;
        share.file.write_all(placed.leaf.bytes())?;
        share.file.write_all(&length.to_be_bytes())?;
        share.file.write_all(&placed.bytes)?;
        share.bytes += 60 + u64::from(length);
        Ok(())
    }

    /// Passes every match to `check`, with all of its entries in the order of the log.
    pub(super) fn each(self, check: &mut dyn FnMut(MatchId, Vec<LoggedEntry>)) -> io::Result<()> {
        let Self { folder, round, shares } = self;
        for share in shares {
            let mut file = share.file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.rewind()?;
            let mut reader = BufReader::with_capacity(1 << 16, file);
            if share.bytes > 2 * SHARE_BYTES && share.matches && round < 20 {
                let mut finer = Self::of(&folder, share.bytes, round + 1)?;
                while let Some((match_id, placed)) = next(&mut reader)? {
                    finer.put(match_id, &placed)?;
                }
                finer.each(check)?;
                continue;
            }
            let mut matches: BTreeMap<MatchId, Vec<LoggedEntry>> = BTreeMap::new();
            while let Some((match_id, placed)) = next(&mut reader)? {
                matches.entry(match_id).or_default().push(placed);
            }
            matches.into_iter().for_each(|(match_id, placed)| check(match_id, placed));
        }
        Ok(())
    }
}

/// Reads one entry back; none at the end.
fn next(reader: &mut impl Read) -> io::Result<Option<(MatchId, LoggedEntry)>> {
    let mut id = [0; 16];
    match reader.read_exact(&mut id) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let (mut index, mut leaf, mut length) = ([0; 8], [0; 32], [0; 4]);
    reader.read_exact(&mut index)?;
    reader.read_exact(&mut leaf)?;
    reader.read_exact(&mut length)?;
    let mut bytes = vec![0; usize::try_from(u32::from_be_bytes(length)).map_err(io::Error::other)?];
    reader.read_exact(&mut bytes)?;
    let index = LeafIndex(u64::from_be_bytes(index));
    Ok(Some((MatchId(uuid::Uuid::from_bytes(id)), LoggedEntry { index, leaf: Hash::new(leaf), bytes })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_match_comes_back_whole_and_in_the_order_of_the_log_however_often_it_is_shared_out() {
        let folder = tempfile::tempdir().unwrap();
        for round in [0, 3, 19] {
            let mut sorter = MatchSorter::of(folder.path(), 5 * SHARE_BYTES, round).unwrap();
            for at in 0..1_000_u64 {
                let match_id = MatchId(uuid::Uuid::from_u128(u128::from(at % 37) << (6 * round)));
                let placed = LoggedEntry { index: LeafIndex(at), leaf: Hash::ZERO, bytes: vec![7; (at % 50) as usize] };
                sorter.put(match_id, &placed).unwrap();
            }
            let (mut matches, mut entries) = (0, 0);
            sorter
                .each(&mut |_, placed| {
                    matches += 1;
                    entries += placed.len();
                    assert!(placed.is_sorted_by_key(|placed| placed.index));
                    assert!(placed.iter().all(|placed| placed.bytes.len() as u64 == placed.index.0 % 50));
                })
                .unwrap();
            assert_eq!((matches, entries), (37, 1_000));
        }
    }
}
