//! The hashes of every perfect subtree of a log, in a scratch file: from them follows the root at any size.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;

use ledger::{Hash, Subtree, node_hash};

/// A hash in the file.
const BYTES: u64 = 32;

/// The file while the log is read. A subtree stands behind its two halves, as soon as it is full.
pub(super) struct TreeWriter {
    file: BufWriter<File>,
    /// The full subtrees at the edge, the largest first, each with its level.
    edge: Vec<(u32, Hash)>,
}

/// The whole file.
pub(super) struct TreeFile(File);

impl TreeWriter {
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        Ok(Self { file: BufWriter::with_capacity(1 << 16, tempfile::tempfile_in(folder)?), edge: Vec::new() })
    }

    pub(super) fn push(&mut self, leaf: Hash) -> io::Result<()> {
        let (mut level, mut hash) = (0, leaf);
        self.file.write_all(hash.bytes())?;
        while let Some((_, left)) = self.edge.pop_if(|(of, _)| *of == level) {
            hash = node_hash(&left, &hash);
            level += 1;
            self.file.write_all(hash.bytes())?;
        }
        self.edge.push((level, hash));
        Ok(())
    }

    pub(super) fn finish(self) -> io::Result<TreeFile> {
        Ok(TreeFile(self.file.into_inner().map_err(io::IntoInnerError::into_error)?))
    }
}

impl TreeFile {
    /// The hash of a subtree; none behind the end of the log, or if the file cannot be read.
    pub(super) fn hash_of(&self, subtree: Subtree) -> Option<Hash> {
        // Before leaf n stand n leaves and, for each 1 in n, one subtree fewer than leaves.
        let last = subtree.covered_by().0.checked_sub(1)?;
        let before = last.checked_mul(2)? - u64::from(last.count_ones());
        let place = before + u64::from(subtree.level().get());
        let mut bytes = [0; BYTES as usize];
        self.0.read_exact_at(&mut bytes, place.checked_mul(BYTES)?).ok()?;
        Some(Hash::new(bytes))
    }
}

#[cfg(test)]
mod tests {
    use ledger::{Frontier, TreeSize};

    use super::*;

    #[test]
    fn the_root_at_every_size_is_that_of_the_first_leaves() {
        let leaves: Vec<Hash> = (0..67_u8).map(|n| Hash::new([n; 32])).collect();
        let mut writer = TreeWriter::new(&std::env::temp_dir()).unwrap();
        leaves.iter().for_each(|leaf| writer.push(*leaf).unwrap());
        let file = writer.finish().unwrap();
        let root = |size| ledger::proof::root(TreeSize(size), &|subtree| file.hash_of(subtree));
        for size in 0..=leaves.len() {
            let expected = leaves[..size].iter().copied().collect::<Frontier>().root();
            assert_eq!(root(size as u64), Ok(expected), "{size}");
        }
        assert!(root(68).is_err());
    }
}
