//! The first start: initdb, the roles and the database. The cluster is made in another place and renamed when it is
//! complete, so that a start interrupted anywhere leaves nothing half-made.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use thiserror::Error;

use super::binaries::Binaries;
use super::place::Place;
use super::settings::{DATABASE, OWNER, SERVE, SERVE_LOGIN};

#[derive(Debug, Error)]
pub enum ClusterError {
    /// A program of PostgreSQL failed.
    #[error("{program} failed:\n{said}")]
    Failed {
        /// The program.
        program: &'static str,
        /// Its output.
        said: String,
    },
    /// An error of the file system.
    #[error("the database's files cannot be made: {0}")]
    Files(#[from] io::Error),
}

pub(super) fn ensure(place: &Place, binaries: &Binaries) -> Result<(), ClusterError> {
    if place.cluster().join("PG_VERSION").exists() {
        return Ok(());
    }
    let unfinished = place.unfinished_cluster();
    init(&unfinished, binaries)?;
    provision(&unfinished, binaries)?;
    fs::rename(&unfinished, place.cluster())?;
    File::open(place.folder())?.sync_all()?;
    Ok(())
}

/// Text is compared by code point on every machine; upper and lower case of all letters need a system with C.UTF-8.
fn init(cluster: &Path, binaries: &Binaries) -> Result<(), ClusterError> {
    let mut output = None;
    for ctype in ["C.UTF-8", "C"] {
        if cluster.exists() {
            fs::remove_dir_all(cluster)?;
        }
        let mut initdb = Command::new(binaries.program("initdb"));
        initdb.arg("--pgdata").arg(cluster).arg(format!("--username={OWNER}")).arg(format!("--lc-ctype={ctype}"));
        initdb.args(["--encoding=UTF8", "--locale=C", "--data-checksums", "--auth-local=peer", "--auth-host=reject"]);
        let said = plain(&mut initdb).stdin(Stdio::null()).output()?;
        if said.status.success() {
            return Ok(());
        }
        output = Some(said);
    }
    Err(failed("initdb", output))
}

/// In single-user mode, where nobody else can connect, and without a socket.
fn provision(cluster: &Path, binaries: &Binaries) -> Result<(), ClusterError> {
    let mut postgres = Command::new(binaries.program("postgres"));
    postgres.arg("--single").arg("-D").arg(cluster).args(["-c", "exit_on_error=on", "postgres"]);
    let mut child = plain(&mut postgres).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // Each line is a statement.
        writeln!(stdin, "CREATE ROLE {SERVE} NOLOGIN")?;
        writeln!(stdin, "CREATE ROLE {SERVE_LOGIN} LOGIN NOINHERIT IN ROLE {SERVE}")?;
        writeln!(stdin, "CREATE DATABASE {DATABASE}")?;
    }
    let said = child.wait_with_output()?;
    if said.status.success() { Ok(()) } else { Err(failed("postgres --single", Some(said))) }
}

/// Without the caller's environment: PGDATA, PGPORT and others would refer to another server.
pub(super) fn plain(command: &mut Command) -> &mut Command {
    command.env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin").env("LC_ALL", "C")
}

fn failed(program: &'static str, output: Option<Output>) -> ClusterError {
    let said = output.map(|output| String::from_utf8_lossy(&output.stderr).into_owned()).unwrap_or_default();
    ClusterError::Failed { program, said }
}
