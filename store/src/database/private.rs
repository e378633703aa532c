//! The private server from the view of the processes that use it: joining it (and starting it), watching it, leaving
//! it.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use sqlx::error::DatabaseError;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgSslMode};
use sqlx::{ConnectOptions, Connection};
use thiserror::Error;
use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::guardian::last_line;
use super::place::{Place, PlaceError};
use super::postmaster::Postmaster;
use super::settings::{DATABASE, OWNER, PORT};

const LOOK: Duration = Duration::from_millis(50);
const LOOKS_PER_WORD: u32 = 100;
/// The interval at which a process that uses the server checks that it has a guardian.
const WATCH: Duration = Duration::from_secs(1);
/// The number of guardians that may fail before the failure is reported. The next one may succeed, for example once the
/// last processes of a killed server have ended.
const GUARDIANS: u32 = 3;
/// The number of checks of a stopping server before the last process leaves without waiting further.
const LOOKS_AT_STOPPING: u32 = 60 * 20;

#[derive(Debug, Error)]
pub enum PrivateError {
    /// An error of the folder.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// The server did not start; this is the guardian's message.
    #[error("{0}")]
    Guardian(String),
    /// The guardian itself could not be started.
    #[error("{binary} cannot be started as the guardian of the private PostgreSQL: {said}", binary = binary.display())]
    Spawn {
        /// The binary.
        binary: PathBuf,
        /// The system's message.
        said: io::Error,
    },
    /// An error of the lock.
    #[error("the lock of the private PostgreSQL cannot be held: {0}")]
    Lock(io::Error),
    /// It runs, but refuses the connection.
    #[error("the private PostgreSQL does not let us in: {0}")]
    Refused(sqlx::Error),
}

#[derive(Debug)]
pub(super) struct PrivateServer {
    place: Place,
    socket_folder: PathBuf,
    holders: File,
    watch: JoinHandle<()>,
}

impl PrivateServer {
    /// Joins the server of the data folder, or starts it. Waits as long as necessary while another process works on it.
    /// `binary` is the matchbook binary, for the guardian.
    pub(super) async fn join(data: &Path, binary: &Path) -> Result<Self, PrivateError> {
        let place = Place::prepare(data)?;
        place.refuse_gone(data)?;
        let data = data.canonicalize().map_err(PrivateError::Lock)?;
        let holders = hold(&place).await?;
        let mut guards = Guards { place: place.clone(), data, binary: binary.to_owned(), started: None };
        let socket_folder = guards.wait_until_ready().await?;
        let watch = tokio::spawn(guards.watch());
        Ok(Self { place, socket_folder, holders, watch })
    }

    pub(super) fn options(&self, role: &str) -> PgConnectOptions {
        options(&self.socket_folder, role)
    }

    pub(super) fn url(&self) -> String {
        url(&self.socket_folder)
    }

    /// Releases the server. The last process waits until it has stopped.
    pub(super) async fn leave(self) -> Result<(), PrivateError> {
        self.watch.abort();
        self.holders.unlock().map_err(PrivateError::Lock)?;
        for _ in 0..LOOKS_AT_STOPPING {
            // Checked again each time: another process may join before the guardian has noticed that there are no
            // holders.
            if !self.place.is_guarded()? || self.is_held()? {
                break;
            }
            sleep(LOOK).await;
        }
        Ok(())
    }

    /// True if another process holds the server: the lock can be shared, but not taken exclusively. (It can be taken
    /// exclusively before the guardian takes it, and not at all afterwards.)
    fn is_held(&self) -> Result<bool, PrivateError> {
        let held = !is_free(self.holders.try_lock())? && is_free(self.holders.try_lock_shared())?;
        self.holders.unlock().map_err(PrivateError::Lock)?;
        Ok(held)
    }
}

impl Drop for PrivateServer {
    fn drop(&mut self) {
        self.watch.abort();
    }
}

/// The URL of the data folder's server, if one is listening.
pub(super) fn running_url(data: &Path) -> Option<String> {
    let place = Place::existing(data).ok()?;
    if !place.is_guarded().ok()? {
        return None;
    }
    Some(url(&Postmaster::read(&place.cluster())?.ready_at?))
}

pub(super) fn files(data: &Path) -> Result<(PathBuf, PathBuf), PlaceError> {
    let place = Place::existing(data)?;
    Ok((place.cluster(), place.log()))
}

fn options(socket_folder: &Path, role: &str) -> PgConnectOptions {
    PgConnectOptions::new_without_pgpass()
        .socket(socket_folder)
        .port(PORT)
        .ssl_mode(PgSslMode::Disable)
        .username(role)
        .database(DATABASE)
        // The program's log is for its operator, and contains no SQL.
        .disable_statement_logging()
}

fn url(socket_folder: &Path) -> String {
    let mut host = String::new();
    for byte in socket_folder.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => host.push(char::from(*byte)),
            other => host.push_str(&format!("%{other:02X}")),
        }
    }
    format!("postgres:///{DATABASE}?host={host}&port={PORT}&user={OWNER}")
}

fn is_free(lock: Result<(), TryLockError>) -> Result<bool, PrivateError> {
    match lock {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(PrivateError::Lock(error)),
    }
}

/// Takes the shared lock; only a guardian that is stopping its server blocks it.
async fn hold(place: &Place) -> Result<File, PrivateError> {
    let holders = place.holders()?;
    for look in 1_u32.. {
        if is_free(holders.try_lock_shared())? {
            break;
        }
        if look.is_multiple_of(LOOKS_PER_WORD) {
            tracing::info!("waiting for the private PostgreSQL to stop, to start it again");
        }
        sleep(LOOK).await;
    }
    Ok(holders)
}

struct Guards {
    place: Place,
    data: PathBuf,
    binary: PathBuf,
    /// The guardian started by this process, until it ends. It is never killed from here.
    started: Option<Child>,
}

impl Guards {
    async fn wait_until_ready(&mut self) -> Result<PathBuf, PrivateError> {
        let mut failures = 0;
        for look in 1_u32.. {
            if let Some(words) = self.ensure().await? {
                failures += 1;
                if failures == GUARDIANS {
                    return Err(PrivateError::Guardian(words));
                }
                sleep(WATCH).await;
            }
            let postmaster = Postmaster::read(&self.place.cluster());
            if let Some(folder) = postmaster.and_then(|postmaster| postmaster.ready_at)
                && answers(&folder).await?
            {
                return Ok(folder);
            }
            if look.is_multiple_of(LOOKS_PER_WORD) {
                let said = last_line(&self.place.log()).unwrap_or_default();
                tracing::info!("waiting for the private PostgreSQL to be ready; the last line of its log: {said}");
            }
            sleep(LOOK).await;
        }
        Err(PrivateError::Guardian(String::from("the private PostgreSQL never answered")))
    }

    async fn ensure(&mut self) -> Result<Option<String>, PrivateError> {
        if let Some(child) = &mut self.started {
            match child.try_wait().map_err(PrivateError::Lock)? {
                None => return Ok(None),
                Some(status) => {
                    let words = last_words(child).await;
                    self.started = None;
                    if !status.success() {
                        return Ok(Some(words));
                    }
                }
            }
        }
        if !self.place.is_guarded()? {
            self.started = Some(self.start()?);
        }
        Ok(None)
    }

    fn start(&self) -> Result<Child, PrivateError> {
        Command::new(&self.binary)
            .args(["db", "guard", "--data-dir"])
            .arg(&self.data)
            .env_remove("DATABASE_URL")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|said| PrivateError::Spawn { binary: self.binary.clone(), said })
    }

    async fn watch(mut self) {
        loop {
            sleep(WATCH).await;
            match self.ensure().await {
                Ok(None) => {}
                Ok(Some(words)) => tracing::error!("the private PostgreSQL went away: {words}"),
                Err(error) => tracing::error!("the private PostgreSQL is not watched: {error}"),
            }
        }
    }
}

async fn last_words(guardian: &mut Child) -> String {
    let mut words = String::new();
    if let Some(mut stderr) = guardian.stderr.take() {
        // An unreadable message needs no report besides the failure itself.
        let _ = stderr.read_to_string(&mut words).await;
    }
    words.trim_end().to_owned()
}

/// True if the server accepts connections; false while it starts, recovers or stops.
async fn answers(socket_folder: &Path) -> Result<bool, PrivateError> {
    match PgConnection::connect_with(&options(socket_folder, OWNER)).await {
        Ok(connection) => {
            // The server notices the end of the connection in either case.
            let _ = connection.close().await;
            Ok(true)
        }
        Err(error) if is_not_yet(&error) => Ok(false),
        Err(error) => Err(PrivateError::Refused(error)),
    }
}

/// True if a connection failed only because the server is starting, recovering or stopping.
fn is_not_yet(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(error) => error.kind() != io::ErrorKind::PermissionDenied,
        sqlx::Error::Database(error) => cannot_connect_now(error.as_ref()),
        _ => false,
    }
}

/// SQLSTATE `cannot_connect_now`, such as "the database system is starting up".
pub(super) fn cannot_connect_now(error: &dyn DatabaseError) -> bool {
    error.code().as_deref() == Some("57P03")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_url_means_the_socket() {
        let url = url(Path::new("/home/o'hara & co/data/postgres/socket"));
        assert_eq!(
            url,
            "postgres:///matchbook?host=/home/o%27hara%20%26%20co/data/postgres/socket&port=5432&user=matchbook_owner"
        );
        let options: PgConnectOptions = url.parse().unwrap();
        assert_eq!(options.get_socket().unwrap(), Path::new("/home/o'hara & co/data/postgres/socket"));
        assert_eq!(options.get_username(), "matchbook_owner");
        assert_eq!(options.get_database(), Some("matchbook"));
    }
}
