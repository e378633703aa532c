//! `matchbook db`: the address of the database, and access to it.

use std::ffi::OsString;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, ExitStatus, Stdio};
use std::{env, io, iter, process};

use anyhow::{Context, bail};
use app::Scope;
use app::statistics;
use clap::{Args, Subcommand};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use store::database::{self, Choice, Database};
use tokio::process::Command;
use tokio::signal::unix::{SignalKind, signal};

use super::open::OpenApp;
use super::{DatabasePlace, block_on};

/// What to do with the database.
#[derive(Debug, Subcommand)]
pub(super) enum Db {
    /// Print where the database is: its server, files and log. Starts nothing.
    Path,
    /// Print the database's URL, as its owner, for other programs.
    ///
    /// The private PostgreSQL listens there only while a matchbook process runs. `matchbook db with` runs a program
    /// and keeps the server for as long.
    Url,
    /// Bring the database to this version's schema. `matchbook serve` does so by itself.
    Migrate {
        /// Then derive the archive, its search and its statistics again from the record, and check every match anew.
        ///
        /// For after an upgrade that says so, or where they are doubted. The site can be served meanwhile.
        #[arg(long)]
        reindex: bool,
    },
    /// Open psql on the database, as its owner. Arguments go to psql.
    ///
    /// Example: matchbook db psql -- -c 'select count(*) from events'
    Psql {
        /// Arguments for psql.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
        arguments: Vec<OsString>,
    },
    /// Run a program while the database is there.
    ///
    /// The program finds it at DATABASE_URL, at MATCHBOOK_TEST_DATABASE_URL, and, when it is the private one, at
    /// PGHOST, PGPORT, PGUSER and PGDATABASE, with PostgreSQL's own programs first on the PATH. Its exit status
    /// becomes this program's.
    ///
    /// Example: matchbook db with -- pg_dump --format=custom --file=matchbook.dump
    With(With),
    /// Guard the private server. Started by every process that uses it; of no use by hand.
    #[command(hide = true)]
    Guard,
}

/// A program to run with the database.
#[derive(Debug, Args)]
pub(super) struct With {
    /// Use a new, private, empty database, and delete it afterwards.
    #[arg(long)]
    temporary: bool,
    /// The program and its arguments.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

impl Db {
    pub(super) fn run(self, place: &DatabasePlace) -> anyhow::Result<ExitCode> {
        match self {
            Self::Path => path(place),
            Self::Url => url(place),
            Self::Migrate { reindex } => block_on(migrate(place, reindex)),
            Self::Psql { arguments } => block_on(psql(place, arguments)),
            Self::With(with) => block_on(with.run(place)),
            Self::Guard => guard(place),
        }
    }
}

fn path(place: &DatabasePlace) -> anyhow::Result<ExitCode> {
    match place.choice()? {
        Choice::Url(_) => say!("the server of DATABASE_URL; its files are where that server keeps them")?,
        Choice::Private { data, .. } => {
            say!("data folder  {}", data.display())?;
            match database::files(&data) {
                Ok((cluster, log)) => {
                    say!("cluster      {}", cluster.display())?;
                    say!("log          {}", log.display())?;
                }
                Err(_) if !data.join("postgres").exists() => {
                    say!("cluster      none yet; the first start makes it")?;
                }
                Err(error) => return Err(error.into()),
            }
            say!("server       {}", database::running_url(&data).unwrap_or_else(|| String::from("not running")))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn url(place: &DatabasePlace) -> anyhow::Result<ExitCode> {
    match place.choice()? {
        Choice::Url(url) => say!("{url}")?,
        Choice::Private { data, .. } => match database::running_url(&data) {
            Some(url) => say!("{url}")?,
            None => bail!(
                "the private PostgreSQL runs only while a matchbook process does: start `matchbook serve`, or let \
                 `matchbook db with -- COMMAND` keep it for a program"
            ),
        },
    }
    Ok(ExitCode::SUCCESS)
}

async fn migrate(place: &DatabasePlace, reindex: bool) -> anyhow::Result<ExitCode> {
    let database = Database::open(&place.choice()?).await?;
    database.migrate().await?;
    database.close().await?;
    if reindex {
        let open_app = OpenApp::open(place, None).await?;
        let matches = open_app.app.index.reindex(Scope::Record).await?;
        say!("{matches} matches are in the archive again")?;
        let counted = statistics::recount(&open_app.app).await?;
        say!("{counted} finished matches are in the statistics again")?;
        open_app.app.checks.forget().await?;
        say!("matchbook serve checks every finished match again")?;
        open_app.close().await?;
    }
    Ok(ExitCode::SUCCESS)
}

async fn psql(place: &DatabasePlace, arguments: Vec<OsString>) -> anyhow::Result<ExitCode> {
    let choice = place.choice()?;
    let database = Database::open(&choice).await?;
    let mut psql = Command::new(program(&choice, "psql"));
    psql.arg(database.url()).args(arguments);
    let status = run(psql).await;
    database.close().await?;
    status.map(exit_code)
}

impl With {
    async fn run(self, place: &DatabasePlace) -> anyhow::Result<ExitCode> {
        let temporary = self.temporary.then(Temporary::make).transpose()?;
        let choice = match &temporary {
            Some(temporary) => Choice::Private { data: temporary.folder.clone(), binary: database::this_binary()? },
            None => place.choice()?,
        };
        let database = Database::open(&choice).await?;
        let [program, arguments @ ..] = self.command.as_slice() else { bail!("no program is named") };
        let mut command = Command::new(program);
        command.args(arguments).env("DATABASE_URL", database.url()).env("MATCHBOOK_TEST_DATABASE_URL", database.url());
        if let Some(folder) = programs(&choice) {
            let owner = database.owner();
            if let Some(socket) = owner.get_socket() {
                command.env("PGHOST", socket);
            }
            command.env("PGPORT", owner.get_port().to_string()).env("PGUSER", owner.get_username());
            command.env("PGDATABASE", owner.get_database().unwrap_or_default());
            let path = env::var_os("PATH").unwrap_or_default();
            command.env("PATH", env::join_paths([folder].into_iter().chain(env::split_paths(&path)))?);
        }
        let status = run(command).await;
        database.close().await?;
        status.map(exit_code)
    }
}

/// PostgreSQL's own programs in the version of the private server; for the server of a URL, the installed ones are
/// used.
fn programs(choice: &Choice) -> Option<PathBuf> {
    match choice {
        Choice::Url(_) => None,
        Choice::Private { data, .. } => database::programs(data).ok(),
    }
}

/// Runs one of PostgreSQL's own programs on a database to its end; its last argument is the database's URL.
pub(super) async fn postgres_program(
    choice: &Choice,
    name: &str,
    arguments: &[OsString],
    url: &str,
) -> anyhow::Result<()> {
    postgres_output(choice, name, arguments, url, Stdio::inherit()).await
}

pub(super) async fn postgres_output(
    choice: &Choice,
    name: &str,
    arguments: &[OsString],
    url: &str,
    to: impl Into<Stdio>,
) -> anyhow::Result<()> {
    let mut command = Command::new(program(choice, name));
    command.args(arguments).arg(url).stdout(to);
    let status = run(command).await?;
    if !status.success() {
        bail!("{name} failed; its own words are above");
    }
    Ok(())
}

pub(super) async fn versions_in(choice: &Choice, dump: &Path) -> anyhow::Result<Vec<i64>> {
    let mut command = Command::new(program(choice, "pg_restore"));
    command.args(["--data-only", "--table=_sqlx_migrations", "--file=-"]).arg(dump).stderr(Stdio::inherit());
    let output = command.output().await.context("cannot run pg_restore")?;
    if !output.status.success() {
        bail!("pg_restore failed; its own words are above");
    }
    // Its rows are between COPY and \., the number first, with tabs between the columns.
    let text = String::from_utf8_lossy(&output.stdout);
    let rows = text.lines().skip_while(|line| !line.starts_with("COPY ")).skip(1).take_while(|line| *line != "\\.");
    rows.map(|row| Ok(row.split('\t').next().unwrap_or_default().parse()?)).collect()
}

fn program(choice: &Choice, name: &str) -> PathBuf {
    programs(choice).map_or_else(|| PathBuf::from(name), |folder| folder.join(name))
}

/// Runs a program in the foreground until it ends. Ctrl-C reaches the program itself; SIGTERM is passed on.
async fn run(mut command: Command) -> anyhow::Result<ExitStatus> {
    let name = command.as_std().get_program().to_string_lossy().into_owned();
    let mut interrupts = signal(SignalKind::interrupt())?;
    let mut terminations = signal(SignalKind::terminate())?;
    let mut child = command.spawn().with_context(|| format!("cannot run {name}"))?;
    loop {
        tokio::select! {
            status = child.wait() => return Ok(status?),
            _ = interrupts.recv() => {}
            _ = terminations.recv() => {
                if let Some(pid) = child.id().and_then(|id| i32::try_from(id).ok()) {
                    kill(Pid::from_raw(pid), Signal::SIGTERM)?;
                }
            }
        }
    }
}

fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// A data folder that is deleted with its owner. The server's account must be able to enter it.
struct Temporary {
    folder: PathBuf,
}

impl Temporary {
    fn make() -> anyhow::Result<Self> {
        let mark = format!("matchbook-{}", process::id());
        let names = iter::once(mark.clone()).chain((2..).map(|n| format!("{mark}-{n}")));
        for folder in names.map(|name| env::temp_dir().join(name)) {
            match DirBuilder::new().mode(0o711).create(&folder) {
                // An earlier process with this number was killed, and left its folder.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error).with_context(|| format!("cannot make {}", folder.display())),
                Ok(()) => return Ok(Self { folder }),
            }
        }
        bail!("there is no name left for a folder in {}", env::temp_dir().display())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.folder) {
            tracing::warn!("the temporary folder {} stays: {error}", self.folder.display());
        }
    }
}

/// Without a runtime and on the first thread: the system counts the thread that started a child as its parent.
fn guard(place: &DatabasePlace) -> anyhow::Result<ExitCode> {
    let data: &Path = &place.data()?;
    Ok(match database::guard(data) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            database::report(data, &error);
            ExitCode::FAILURE
        }
    })
}
