//! The guardian: a separate process that runs the private PostgreSQL as its child, and stops it when no process holds
//! it any more, however those processes ended.
//!
//! | killed | result |
//! |---|---|
//! | one process of several | its lock goes with it; the others hold theirs |
//! | every process | the guardian gets the exclusive lock, and stops the server |
//! | the guardian | the system asks the server to stop (its parent's death); a holder starts a new guardian |
//! | everything at once | the server's death is a crash: the next start recovers |
//!
//! It must never run as root, and never write to a terminal it was started from.

use std::env;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use thiserror::Error;

use super::account::AccountError;
use super::binaries::{Binaries, BinariesError, cluster_major};
use super::cluster::{self, ClusterError, plain};
use super::place::{Place, PlaceError};
use super::postmaster::{Postmaster, pid_file};
use super::settings::{self, SettingsFiles};
use super::socket;

const LOOK: Duration = Duration::from_millis(50);
/// The number of checks of another guardian's lock before giving up: a process that only tests the lock holds it for
/// less than one check.
const LOOKS_AT_ANOTHER: u32 = 20;
/// The number of checks until a stopping server is killed; it then recovers at the next start.
const LOOKS_AT_STOPPING: u32 = 60 * 20;
/// A longer log is set aside at the next start.
const LONGEST_LOG: u64 = 8 << 20;
const QUOTED_LOG: usize = 2000;

#[derive(Debug, Error)]
pub enum GuardianError {
    /// An error of the folder.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// An error of the account.
    #[error(transparent)]
    Account(#[from] AccountError),
    /// An error of the programs.
    #[error(transparent)]
    Binaries(#[from] BinariesError),
    /// An error of the first start.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// An error of the system.
    #[error("the private PostgreSQL cannot be started: {0}")]
    System(#[from] io::Error),
    /// The server ended while it was held.
    #[error("the private PostgreSQL ended ({status}). Its log, {log}, says:\n\n{said}", log = log.display())]
    Ended {
        /// Its exit status.
        status: ExitStatus,
        /// The log file.
        log: PathBuf,
        /// The end of the log.
        said: String,
    },
    /// An earlier server of this cluster cannot be stopped.
    #[error("an earlier PostgreSQL (process {0}) still runs on these files and does not stop")]
    Orphan(Pid),
}

/// Runs the server of the data folder until no process holds it. Returns at once if another guardian runs it.
pub fn guard(data: &Path) -> Result<(), GuardianError> {
    // Detached from the terminal: Ctrl-C is for the processes in the foreground. A session leader is detached already.
    let _ = nix::unistd::setsid();
    let place = Place::existing(data)?;
    place.account.step_down()?;
    env::set_current_dir(place.folder())?;

    let guardian = place.guardian()?;
    if !only_guardian(&guardian)? {
        return Ok(());
    }
    let holders = place.holders()?;
    let cluster = place.cluster();
    stop_orphan(&cluster)?;
    let binaries = Binaries::find(cluster_major(&cluster))?;
    cluster::ensure(&place, &binaries)?;
    let socket_folder = socket::make_folder(&place)?;
    let files = settings::write(&place, &socket_folder)?;
    let mut log = open_log(&place.log())?;
    let log_start = log.seek(SeekFrom::End(0))?;
    let server = start(&binaries, &place, &files, &log)?;
    let stopped = watch(server, &holders)?;
    if !socket_folder.starts_with(place.folder()) {
        let _ = fs::remove_dir(&socket_folder);
    }
    match stopped {
        StopCause::Unneeded => Ok(()),
        StopCause::ByItself(status) => {
            let said = last_words(&place.log(), log_start);
            Err(GuardianError::Ended { status, log: place.log(), said })
        }
    }
}

fn only_guardian(lock: &File) -> io::Result<bool> {
    for _ in 0..LOOKS_AT_ANOTHER {
        match lock.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) => sleep(LOOK),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Ok(false)
}

/// Handles the remains of an earlier server: one that still runs is stopped, because it has no guardian; a process
/// number that now belongs to another process (after a crash of the machine) is ignored.
fn stop_orphan(cluster: &Path) -> Result<(), GuardianError> {
    let Some(orphan) = Postmaster::read(cluster) else { return Ok(()) };
    if !orphan.serves(cluster) {
        if orphan.is_alive() {
            fs::remove_file(pid_file(cluster))?;
        }
        return Ok(());
    }
    orphan.stop();
    for _ in 0..LOOKS_AT_STOPPING {
        if !orphan.serves(cluster) {
            return Ok(());
        }
        sleep(LOOK);
    }
    Err(GuardianError::Orphan(orphan.pid))
}

fn open_log(path: &Path) -> io::Result<File> {
    if fs::metadata(path).is_ok_and(|log| log.len() > LONGEST_LOG) {
        fs::rename(path, path.with_extension("log.1"))?;
    }
    OpenOptions::new().create(true).append(true).mode(0o600).open(path)
}

fn start(binaries: &Binaries, place: &Place, files: &SettingsFiles, log: &File) -> io::Result<Child> {
    let setting = |name: &str, path: &Path| {
        let mut text = std::ffi::OsString::from(format!("{name}="));
        text.push(path);
        text
    };
    let mut server = dying_with_us(&binaries.program("postgres"));
    server.arg("-D").arg(place.cluster());
    server.arg("-c").arg(setting("config_file", &files.main));
    server.arg("-c").arg(setting("hba_file", &files.hba));
    server.arg("-c").arg(setting("ident_file", &files.ident));
    plain(&mut server).stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log.try_clone()?).spawn()
}

/// The command for a program that the system asks to stop when this process dies. setpriv of util-linux tells the
/// kernel; without it, a holder notices that the guardian is gone.
fn dying_with_us(program: &Path) -> Command {
    let said = plain(Command::new("setpriv").args(["--pdeathsig", "INT", "true"]))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !said.is_ok_and(|status| status.success()) {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "INT", "--"]).arg(program);
    command
}

enum StopCause {
    Unneeded,
    ByItself(ExitStatus),
}

/// Waits until no process holds the server and stops it, or until it ends by itself. Keeps the exclusive lock, so that
/// new holders wait until the server has stopped.
fn watch(mut server: Child, holders: &File) -> io::Result<StopCause> {
    loop {
        if let Some(status) = server.try_wait()? {
            return Ok(StopCause::ByItself(status));
        }
        match holders.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) => sleep(LOOK),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    signal(&server, Signal::SIGINT);
    for _ in 0..LOOKS_AT_STOPPING {
        if server.try_wait()?.is_some() {
            return Ok(StopCause::Unneeded);
        }
        sleep(LOOK);
    }
    signal(&server, Signal::SIGQUIT);
    server.wait()?;
    Ok(StopCause::Unneeded)
}

fn signal(server: &Child, signal: Signal) {
    if let Ok(pid) = i32::try_from(server.id()) {
        // The process was not yet waited for, so the number is still the server's.
        let _ = kill(Pid::from_raw(pid), signal);
    }
}

fn last_words(log: &Path, start: u64) -> String {
    let mut said = Vec::new();
    let read = File::open(log).and_then(|mut log| {
        log.seek(SeekFrom::Start(start))?;
        log.read_to_end(&mut said)
    });
    if let Err(error) = read {
        return format!("(unreadable: {error})");
    }
    let tail = said.len().saturating_sub(QUOTED_LOG);
    String::from_utf8_lossy(said.get(tail..).unwrap_or_default()).into_owned()
}

pub(super) fn last_line(log: &Path) -> Option<String> {
    let length = fs::metadata(log).ok()?.len();
    let said = last_words(log, length.saturating_sub(QUOTED_LOG as u64));
    said.lines().last().map(str::to_owned)
}

/// The binary of this process, for the guardian that it starts; also if the file was replaced meanwhile.
pub fn this_binary() -> io::Result<PathBuf> {
    let path = env::current_exe()?;
    Ok(if path.exists() { path } else { PathBuf::from("/proc/self/exe") })
}

/// Reports the guardian's error: in the log, and to the process that started it, if that still listens.
pub fn report(data: &Path, error: &GuardianError) {
    if let Ok(place) = Place::existing(data)
        && let Ok(mut log) = open_log(&place.log())
    {
        let first = error.to_string();
        let _ = writeln!(log, "guardian: {}", first.lines().next().unwrap_or_default());
    }
    let _ = writeln!(io::stderr(), "{error}");
}
