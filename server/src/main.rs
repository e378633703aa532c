//! The `matchbook` binary. Everything is in the library, so that tests can use it.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Folding a match and making its page are thousands of small strings, made on one thread and freed on another.
#[global_allocator]
static MEMORY: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    // With huge pages the system clears two megabytes for every few kilobytes that are wanted anew: up to a fifth of what a
    // page costs that nobody has read. Where it refuses, everything works as well. What this program starts inherits it.
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_thp_disable(true);
    server::cli::run()
}
