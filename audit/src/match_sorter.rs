//! Sorting entries from the log's order to their matches, with what a database has beside them: they are written to shares
//! by match, and read back share by share.
//!
//! The files have no names, so nothing is left behind after any kind of end.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use ledger::{Commitment, Hash, LeafIndex, MatchId, SealKey};
use record::audit::LoggedEntry;
use record::{Text, Texts};
use store::archive::list_rows::ListRow;

/// The limit for entries held in memory at once, unless one match alone has more.
const SHARE_BYTES: u64 = 32 << 20;
const ENTRY_BYTES: u64 = 700;
const SHARES_MAX: u64 = 64;

pub(super) enum Piece {
    Entry(LoggedEntry),
    Text(Commitment, Text),
    Row(ListRow),
}

#[derive(Default)]
pub(super) struct SortedMatch {
    /// In the order of the log.
    pub(super) placed: Vec<LoggedEntry>,
    pub(super) texts: Texts,
    pub(super) row: Option<ListRow>,
}

type RowColumns = (i32, String, String, i32, i32, Option<i32>, Option<i32>, String);

impl Piece {
    fn write(&self) -> io::Result<(u8, Vec<u8>)> {
        Ok(match self {
            Self::Entry(LoggedEntry { index, leaf, bytes }) => {
                (0, [index.0.to_be_bytes().as_slice(), leaf.bytes(), bytes].concat())
            }
            Self::Text(commitment, Text { key, text }) => {
                (1, [commitment.bytes().as_slice(), key.bytes(), text.as_bytes()].concat())
            }
            Self::Row(row) => {
                let ListRow { head, result, reason, rounds, rulings, score_p1, score_p2, verdict, .. } = row;
                (2, serde_json::to_vec(&(head, result, reason, rounds, rulings, score_p1, score_p2, verdict))?)
            }
        })
    }

    fn read(match_id: MatchId, kind: u8, bytes: &[u8]) -> io::Result<Self> {
        let short = || io::Error::from(io::ErrorKind::UnexpectedEof);
        match kind {
            0 => {
                let (index, rest) = bytes.split_first_chunk().ok_or_else(short)?;
                let (leaf, bytes) = rest.split_first_chunk().ok_or_else(short)?;
                let index = LeafIndex(u64::from_be_bytes(*index));
                Ok(Self::Entry(LoggedEntry { index, leaf: Hash::new(*leaf), bytes: bytes.to_vec() }))
            }
            1 => {
                let (commitment, rest) = bytes.split_first_chunk().ok_or_else(short)?;
                let (key, text) = rest.split_first_chunk().ok_or_else(short)?;
                let text = String::from_utf8(text.to_vec()).map_err(io::Error::other)?;
                Ok(Self::Text(Commitment::new(*commitment), Text { key: SealKey::new(*key), text }))
            }
            _ => {
                let (head, result, reason, rounds, rulings, score_p1, score_p2, verdict): RowColumns =
                    serde_json::from_slice(bytes)?;
                let match_id = match_id.0;
                Ok(Self::Row(ListRow { match_id, head, result, reason, rounds, rulings, score_p1, score_p2, verdict }))
            }
        }
    }
}

impl SortedMatch {
    fn take(&mut self, piece: Piece) {
        match piece {
            Piece::Entry(placed) => self.placed.push(placed),
            Piece::Text(commitment, text) => drop(self.texts.insert(commitment, text)),
            Piece::Row(row) => self.row = Some(row),
        }
    }
}

pub(super) struct MatchSorter {
    folder: PathBuf,
    /// The number of earlier rounds for these entries: each round uses other bits of the match's id.
    round: u32,
    shares: Vec<Share>,
}

struct Share {
    file: BufWriter<File>,
    bytes: u64,
    only: Option<MatchId>,
    matches: bool,
}

impl MatchSorter {
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

    pub(super) fn put(&mut self, match_id: MatchId, piece: &Piece) -> io::Result<()> {
        // Ids are random in all bits used here: six for each round, from the end.
        let bits = match_id.0.as_u128().checked_shr(6 * self.round).unwrap_or(0) % self.shares.len().max(1) as u128;
        let share = usize::try_from(bits).ok().and_then(|at| self.shares.get_mut(at));
        let share = share.ok_or_else(|| io::Error::other("a share that does not exist"))?;
        if share.only != Some(match_id) {
            share.matches = share.bytes > 0;
            share.only = Some(match_id);
        }
        let (kind, bytes) = piece.write()?;
        let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
        share.file.write_all(match_id.0.as_bytes())?;
        share.file.write_all(&[kind])?;
        share.file.write_all(&length.to_be_bytes())?;
        share.file.write_all(&bytes)?;
        share.bytes += 21 + u64::from(length);
        Ok(())
    }

    pub(super) fn each(self, check: &mut dyn FnMut(MatchId, SortedMatch)) -> io::Result<()> {
        let Self { folder, round, shares } = self;
        for share in shares {
            let mut file = share.file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.rewind()?;
            let mut reader = BufReader::with_capacity(1 << 16, file);
            if share.bytes > 2 * SHARE_BYTES && share.matches && round < 20 {
                let mut finer = Self::of(&folder, share.bytes, round + 1)?;
                while let Some((match_id, piece)) = next(&mut reader)? {
                    finer.put(match_id, &piece)?;
                }
                finer.each(check)?;
                continue;
            }
            let mut matches: BTreeMap<MatchId, SortedMatch> = BTreeMap::new();
            while let Some((match_id, piece)) = next(&mut reader)? {
                matches.entry(match_id).or_default().take(piece);
            }
            matches.into_iter().for_each(|(match_id, sorted)| check(match_id, sorted));
        }
        Ok(())
    }
}

fn next(reader: &mut impl Read) -> io::Result<Option<(MatchId, Piece)>> {
    let mut id = [0; 16];
    match reader.read_exact(&mut id) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let (mut kind, mut length) = ([0; 1], [0; 4]);
    reader.read_exact(&mut kind)?;
    reader.read_exact(&mut length)?;
    let mut bytes = vec![0; usize::try_from(u32::from_be_bytes(length)).map_err(io::Error::other)?];
    reader.read_exact(&mut bytes)?;
    let match_id = MatchId(uuid::Uuid::from_bytes(id));
    let [kind] = kind;
    Ok(Some((match_id, Piece::read(match_id, kind, &bytes)?)))
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
                sorter.put(match_id, &Piece::Entry(placed)).unwrap();
                let text = Text { key: SealKey::new([at as u8; 32]), text: format!("word {at}") };
                sorter.put(match_id, &Piece::Text(Commitment::new([(at / 37) as u8; 32]), text)).unwrap();
            }
            let (mut matches, mut entries) = (0, 0);
            sorter
                .each(&mut |_, SortedMatch { placed, texts, .. }| {
                    matches += 1;
                    assert_eq!(texts.len(), placed.len());
                    entries += placed.len();
                    assert!(placed.is_sorted_by_key(|placed| placed.index));
                    assert!(placed.iter().all(|placed| placed.bytes.len() as u64 == placed.index.0 % 50));
                })
                .unwrap();
            assert_eq!((matches, entries), (37, 1_000));
        }
    }
}
