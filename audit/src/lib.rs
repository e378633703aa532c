//! Whoever checks a log from outside: audits, monitors that watch it, and a witness of other logs.
//!
//! The audit of a whole log: every line, every hash, every match, and every tree that was signed.
//!
//! It reads the log once, in its order, and computes the root. Each entry goes to a share of a scratch file, chosen by
//! its match; then each share is read back and its matches are checked one by one. So the memory used does not grow
//! with the log. The audit trusts nothing that the log claims about itself.
//!
//! A database also has words and lists beside its log. They go the same way, and each match is compared with its own.

mod database;
mod kept;
mod log_pass;
mod match_sorter;
mod report;
mod site;
mod source;
mod tile_builder;
mod tree_file;
pub mod watch;
pub mod witness;

pub use kept::{Kept, KeptError};
pub use report::Report;
pub use source::{LogTrust, Source, SourceError};

use std::path::Path;

use log_pass::{LogPass, NamedTree};

/// Audits a log to its end. A fault of the log is not an error: it is in the report.
pub async fn audit(mut source: Source, kept: Kept, scratch: &Path) -> Result<Report, SourceError> {
    let successions = source.successions();
    let named = successions.iter().map(|line| NamedTree { what: "the succeeds line", tree: line.common });
    let named: Vec<NamedTree> =
        kept.trees.into_iter().map(|tree| NamedTree { what: "a kept checkpoint", tree }).chain(named).collect();
    let mut pass = LogPass::new(source.origin().clone(), source.size(), scratch)?;
    while let Some(beside) = source.beside().await? {
        pass = tokio::task::spawn_blocking(move || pass.beside(beside).map(|()| pass))
            .await
            .map_err(std::io::Error::other)??;
    }
    // The next page is fetched while this one is hashed.
    while let Some(page) = source.page().await? {
        pass = tokio::task::spawn_blocking(move || pass.page(page).map(|()| pass))
            .await
            .map_err(std::io::Error::other)??;
    }
    Ok(tokio::task::spawn_blocking(move || pass.finish(&named, &kept.chains, &successions))
        .await
        .map_err(std::io::Error::other)??)
}
