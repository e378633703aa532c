//! The hashes of every perfect subtree of a log, in a scratch file: from them follows the root at any size.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;

use ledger::{Hash, Subtree, TreeSize, node_hash};

const BYTES: u64 = 32;

pub(super) struct TreeWriter {
    file: BufWriter<File>,
    edge: Vec<(u32, Hash)>,
}

pub(super) struct TreeFile(File);

impl TreeWriter {
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        Ok(Self { file: BufWriter::with_capacity(1 << 16, tempfile::tempfile_in(folder)?), edge: Vec::new() })
    }

    pub(super) fn after(mut file: File, size: TreeSize) -> io::Result<Self> {
        let hashes = size.0.checked_mul(2).ok_or_else(|| io::Error::other("a tree that no file can hold"))?;
        let whole = TreeFile(file.try_clone()?);
        let level = |bits: u32| ledger::proof::Level::new(u8::try_from(bits).ok()?);
        let mut edge = Vec::new();
        for bits in (0..u64::BITS).rev().filter(|bits| size.0 >> bits & 1 == 1) {
            // The subtree of this level that ends where the larger ones and it end together.
            let subtree = level(bits).and_then(|level| Subtree::new(level, (size.0 >> bits) - 1));
            let hash = subtree.and_then(|subtree| whole.hash_of(subtree));
            edge.push((bits, hash.ok_or_else(|| io::Error::other("hashes of the tree are missing"))?));
        }
        file.set_len((hashes - u64::from(size.0.count_ones())) * BYTES)?;
        file.seek(io::SeekFrom::End(0))?;
        Ok(Self { file: BufWriter::with_capacity(1 << 16, file), edge })
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
    pub(super) const fn of(file: File) -> Self {
        Self(file)
    }

    pub(super) fn go_on(self, size: TreeSize) -> io::Result<TreeWriter> {
        TreeWriter::after(self.0, size)
    }

    pub(super) fn sync(&self) -> io::Result<()> {
        self.0.sync_data()
    }

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
    use ledger::Frontier;

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

    #[test]
    fn it_goes_on_behind_any_size_whatever_stood_there() {
        let leaves: Vec<Hash> = (0..67_u8).map(|n| Hash::new([n; 32])).collect();
        let mut file = TreeFile::of(tempfile::tempfile().unwrap());
        for (from, to) in [(0, 40), (40, 67), (67, 67), (13, 67), (0, 3), (3, 67)] {
            let mut writer = file.go_on(TreeSize(from as u64)).unwrap();
            leaves[from..to].iter().for_each(|leaf| writer.push(*leaf).unwrap());
            file = writer.finish().unwrap();
            let root = |size| ledger::proof::root(TreeSize(size), &|subtree| file.hash_of(subtree)).ok();
            let expected = leaves[..to].iter().copied().collect::<Frontier>().root();
            assert_eq!((root(to as u64), root(to as u64 + 1)), (Some(expected), None), "{from} to {to}");
        }
        assert!(file.go_on(TreeSize(68)).is_err());
    }
}
