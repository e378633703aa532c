//! The transparency log against published vectors, a naive oracle, and hostile inputs.

mod merkle;
mod oracle;
mod proofs;
mod round_trips;
mod tessera;
mod witnessed;
mod wycheproof;

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of published vectors; its README gives their sources.
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
