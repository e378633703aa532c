//! The server's own data in `postmaster.pid`, and a check that they are still true.

use std::fs;
use std::path::{Path, PathBuf};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Postmaster {
    pub(super) pid: Pid,
    pub(super) ready_at: Option<PathBuf>,
}

impl Postmaster {
    /// The server named in the cluster's file, if there is one. It may have ended long ago.
    pub(super) fn read(cluster: &Path) -> Option<Self> {
        Self::parse(&fs::read_to_string(pid_file(cluster)).ok()?)
    }

    /// Each line is one value: process, cluster, start, port, socket folder, address, shared memory, status.
    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let pid = lines.next()?.trim().parse().ok().filter(|pid| *pid > 1)?;
        let socket_folder = lines.nth(3).filter(|line| !line.is_empty()).map(PathBuf::from);
        let is_ready = lines.nth(2).is_some_and(|status| status.trim_end() == "ready");
        Some(Self { pid: Pid::from_raw(pid), ready_at: socket_folder.filter(|_| is_ready) })
    }

    pub(super) fn is_alive(&self) -> bool {
        kill(self.pid, None) != Err(nix::Error::ESRCH)
    }

    /// True if the process exists and is this cluster's server, and not a later process with its number. A server's
    /// working directory is its cluster; if the system does not show that, the number is trusted.
    pub(super) fn serves(&self, cluster: &Path) -> bool {
        let process = PathBuf::from(format!("/proc/{}", self.pid));
        match fs::read_link(process.join("cwd")) {
            Ok(folder) => folder == cluster,
            Err(_) => self.is_alive() && !Path::new("/proc/self").exists(),
        }
    }

    pub(super) fn stop(&self) {
        // It may have ended just now, which is fine.
        let _ = kill(self.pid, Signal::SIGINT);
    }
}

pub(super) fn pid_file(cluster: &Path) -> PathBuf {
    cluster.join("postmaster.pid")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_read_while_it_is_still_being_written() {
        let ready = "4711\n/d/cluster\n1795207308\n5432\n/d/socket\n\n  12345  7\nready   \n";
        let postmaster = Postmaster::parse(ready).unwrap();
        assert_eq!(postmaster.pid, Pid::from_raw(4711));
        assert_eq!(postmaster.ready_at.as_deref(), Some(Path::new("/d/socket")));
        for not_yet in [ready.replace("ready   ", "starting"), ready.replace("ready   \n", ""), String::from("4711\n")]
        {
            assert_eq!(Postmaster::parse(&not_yet).unwrap().ready_at, None);
        }
        assert_eq!(Postmaster::parse(""), None);
        assert_eq!(Postmaster::parse("-1\n"), None, "a signal to -1 would reach everybody");
    }

    #[test]
    fn a_process_that_came_by_the_number_is_not_the_server() {
        let me = Postmaster { pid: Pid::this(), ready_at: None };
        assert!(me.is_alive());
        if Path::new("/proc/self").exists() {
            assert!(!me.serves(Path::new("/nowhere/cluster")));
        }
    }
}
