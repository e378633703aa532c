//! The `matchbook` binary. Everything is in the library, so that tests can use it.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Folding a match and making its page are thousands of small strings, made on one thread and freed on another.
#[global_allocator]
static MEMORY: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    web::cli::run()
}
