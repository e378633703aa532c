//! The Death Match Test Cases under `fixtures/dmtc/`: played in every ruleset in which they must hold, compared with
//! the table that the website shows, and counted, so that everything without a case is named.

mod case;
mod claim;
mod coverage;
mod endings;
mod play;
mod table;
pub(crate) mod wording;

pub(crate) use play::result;
use std::path::{Path, PathBuf};

/// The folder of the cases.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/dmtc")
}

#[test]
fn every_case_holds_where_it_must() {
    let failures: Vec<String> = play::all().iter().flat_map(|run| run.failures.clone()).collect();
    assert!(failures.is_empty(), "{} expectations do not hold:\n\n{}\n", failures.len(), failures.join("\n\n"));
}
