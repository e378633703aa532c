//! What makes files durable.

use std::fs::File;
use std::io;
use std::path::Path;

/// Makes the name of a file durable: a new file, or one that was renamed, may be gone after a power loss otherwise.
pub(crate) fn sync_name(file: &Path) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or_else(|| Path::new(".")))?.sync_all()
}
