//! The transparency log against what others have published, against a naive oracle, and against what nobody wrote.

mod merkle;
mod oracle;
mod proofs;
mod round_trips;
mod tessera;
mod witnessed;
mod wycheproof;

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of published vectors; its README says where each is from.
fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/vectors").join(name)
}

/// Every file below a folder, sorted by path.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files_below(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}
