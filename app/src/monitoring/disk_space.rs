//! The room on the disk of a folder.

use std::path::Path;
use std::time::Duration;

use nix::sys::statvfs::statvfs;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

const PATIENCE: Duration = Duration::from_secs(5);
const NEARLY_FULL_PERCENT: u64 = 5;
/// It is not while this much is free, in bytes: 5 % of a large disk last for years.
const ENOUGH: u64 = 10 << 30;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskSpace {
    pub free: u64,
    pub size: u64,
}

impl DiskSpace {
    pub(super) async fn of(folder: &Path) -> Option<Self> {
        let folder = folder.to_owned();
        let read = timeout(PATIENCE, spawn_blocking(move || statvfs(&folder))).await.ok()?.ok()?.ok()?;
        let bytes = |blocks: u64| blocks.saturating_mul(read.fragment_size());
        Some(Self { free: bytes(read.blocks_available()), size: bytes(read.blocks()) })
    }

    #[must_use]
    pub const fn is_nearly_full(self) -> bool {
        self.free < ENOUGH && self.free < self.size / 100 * NEARLY_FULL_PERCENT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_disk_is_not_full_while_much_is_free() {
        let gigabytes = |free: u64, size: u64| DiskSpace { free: free << 30, size: size << 30 }.is_nearly_full();
        assert!(gigabytes(1, 100) && gigabytes(0, 1) && gigabytes(9, 1_000));
        assert!(!gigabytes(6, 100) && !gigabytes(20, 1_000) && !gigabytes(1, 2));
    }

    #[tokio::test]
    async fn a_folder_has_a_disk() {
        let there = DiskSpace::of(&std::env::temp_dir()).await.unwrap();
        assert!(there.size > 0 && there.free <= there.size);
        assert_eq!(DiskSpace::of(Path::new("/nowhere/at/all")).await, None);
    }
}
