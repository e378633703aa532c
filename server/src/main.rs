//! The `matchbook` binary. Everything is in the library, so that tests can use it.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Folding a match and making its page allocate thousands of small strings on one thread and free them on another.
#[global_allocator]
static MEMORY: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    // With huge pages the system clears two megabytes for every few kilobytes of fresh memory, which took up to a fifth
    // of the time for an uncached page. If the system refuses, everything still works. Child processes inherit the
    // setting.
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_thp_disable(true);
    server::cli::run()
}
