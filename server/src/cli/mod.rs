//! The command line: one file a subcommand. The comments on the arguments are the operator's manual.

/// Prints a line of the answer. A closed output is not a panic.
macro_rules! say {
    ($($text:tt)*) => { std::io::Write::write_fmt(&mut std::io::stdout(), format_args!("{}\n", format_args!($($text)*))) };
}

#[macro_use]
mod program_log;

mod audit;
mod backup;
mod backup_key;
mod db;
mod discord;
mod dump;
mod escrow_key;
mod export;
mod files;
mod idle_timeout;
mod import;
mod log;
mod monitoring;
mod open;
mod player;
mod receipt;
mod replay;
mod restore;
mod serve;
mod shutdown;
mod token;
mod umpire;
mod verify;
mod watch;
mod witness;

use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use app::AppError;
use app::keys::KeysError;
use clap::{Args, Parser, Subcommand};
use nix::unistd::{AccessFlags, Uid, access};
use program_log::LogFormat;
use store::database::{self, Choice, DatabaseError, PlaceError, PrivateError, SchemaError};

/// The file in the data folder that names the checkpoint file of the site: other commands have to find the same one.
const CHECKPOINT_PLACE: &str = "checkpoint-file";
const LISTEN: &str = "127.0.0.1:8080";

/// Records Death Matches, seals every submission, replays any moment, and lets anyone check all of it.
#[derive(Debug, Parser)]
#[command(name = "matchbook", version)]
struct Cli {
    #[command(flatten)]
    place: DatabasePlace,
    /// How the program writes its log, on the standard error. MATCHBOOK_LOG says how much: debug says more.
    #[arg(long, env = "MATCHBOOK_LOG_FORMAT", value_name = "FORMAT", value_enum, default_value_t, global = true)]
    log_format: LogFormat,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Find, migrate and use the database.
    #[command(subcommand)]
    Db(db::Db),
    Serve(Box<serve::Arguments>),
    Replay(replay::Arguments),
    Verify(verify::Arguments),
    Receipt(receipt::Arguments),
    #[command(subcommand)]
    Player(player::Player),
    Witness(witness::Arguments),
    Audit(audit::Arguments),
    Watch(watch::Arguments),
    Backup(backup::Arguments),
    Restore(restore::Arguments),
    Import(import::Arguments),
    Export(export::Arguments),
    Dump(dump::Arguments),
    #[command(subcommand)]
    Log(log::Log),
    #[command(subcommand)]
    Umpire(umpire::Umpire),
    #[command(subcommand)]
    Token(token::Token),
    #[command(subcommand)]
    Discord(discord::Chat),
}

/// Where the database is.
#[derive(Debug, Clone, Args)]
pub(crate) struct DatabasePlace {
    /// Use the PostgreSQL database at this URL.
    ///
    /// Without it Matchbook runs a private PostgreSQL of its own in the data folder, which nobody else can reach. It
    /// starts with the first matchbook process and stops with the last.
    #[arg(long, env = "DATABASE_URL", value_name = "URL", global = true, hide_env_values = true)]
    database_url: Option<String>,

    /// The folder that Matchbook keeps its files in, above all those of its private PostgreSQL.
    ///
    /// Without it: $XDG_DATA_HOME/matchbook or ~/.local/share/matchbook; for root, /var/lib/matchbook.
    #[arg(long, env = "MATCHBOOK_DATA_DIR", value_name = "FOLDER", global = true)]
    data_dir: Option<PathBuf>,

    /// The file that remembers the last signed checkpoint.
    ///
    /// It keeps the log from telling two histories after an older database was restored, so it should live where no restore
    /// of the database or of the data folder reaches: another disk, another machine's share. Without it: the file of the last
    /// serve, whose name is in checkpoint-file in the data folder; at first, checkpoint in the data folder.
    #[arg(long, env = "MATCHBOOK_CHECKPOINT_FILE", value_name = "FILE", global = true)]
    checkpoint_file: Option<PathBuf>,
}

impl DatabasePlace {
    pub(crate) fn choice(&self) -> anyhow::Result<Choice> {
        match self.database_url.as_deref() {
            // An empty variable counts as unset.
            None | Some("") => self.private(),
            Some(url) => Ok(Choice::Url(url.to_owned())),
        }
    }

    pub(crate) fn private(&self) -> anyhow::Result<Choice> {
        Ok(Choice::Private { data: self.data()?, binary: database::this_binary()? })
    }

    pub(crate) fn checkpoint_file(&self) -> anyhow::Result<PathBuf> {
        let data = self.data()?;
        let named = match self.checkpoint_file.clone().filter(|file| !file.as_os_str().is_empty()) {
            None => named_in(&data.join(CHECKPOINT_PLACE))?,
            named => named,
        };
        let Some(file) = named else { return Ok(data.join("checkpoint")) };
        let file = std::path::absolute(&file).with_context(|| format!("the file {} has no place", file.display()))?;
        let folder = file.parent().filter(|folder| folder.is_dir());
        folder.with_context(|| format!("there is no folder for the checkpoint file {}: make it", file.display()))?;
        Ok(file)
    }

    pub(crate) fn note_checkpoint_file(&self) -> anyhow::Result<()> {
        let (file, place) = (self.checkpoint_file()?, self.data()?.join(CHECKPOINT_PLACE));
        let noted = named_in(&place)?.unwrap_or(self.data()?.join("checkpoint"));
        if noted == file {
            return Ok(());
        }
        let new = place.with_extension("new");
        let written = fs::write(&new, [file.as_os_str().as_bytes(), b"\n"].concat());
        written.and_then(|()| fs::rename(&new, &place)).with_context(|| format!("cannot write {}", place.display()))
    }

    pub(crate) fn data(&self) -> anyhow::Result<PathBuf> {
        let folder = match &self.data_dir {
            Some(folder) => folder.clone(),
            None if Uid::effective().is_root() => PathBuf::from("/var/lib/matchbook"),
            None => home_data().context("there is no home folder to keep the data in: name one with --data-dir")?,
        };
        std::path::absolute(&folder).with_context(|| format!("the folder {} has no place", folder.display()))
    }
}

fn named_in(file: &Path) -> anyhow::Result<Option<PathBuf>> {
    match fs::read(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => {
            let line = read.with_context(|| format!("cannot read {}", file.display()))?;
            Ok(Some(OsString::from_vec(line.trim_ascii_end().to_vec()).into()))
        }
    }
}

fn home_data() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = set("XDG_DATA_HOME")
        .filter(|path| path.is_absolute())
        .or_else(|| set("HOME").map(|home| home.join(".local/share")))?;
    Some(data.join("matchbook"))
}

/// The exit code of a program that is too old for the database.
const NEWER_SCHEMA: u8 = 3;
/// The exit code where the keys are not those of the database, or there is no database where one was: a person has to help.
const NEEDS_HELP: u8 = 4;

#[must_use]
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    cli.log_format.start();
    // Every program that this one starts would complain of a folder that its user may not enter.
    if access(".", AccessFlags::X_OK).is_err() {
        let _ = std::env::set_current_dir("/");
    }
    let outcome = match cli.command {
        Command::Db(command) => command.run(&cli.place),
        Command::Serve(arguments) => block_on(arguments.run(&cli.place)),
        Command::Replay(arguments) => arguments.run(),
        Command::Verify(arguments) => block_on(arguments.run()),
        Command::Receipt(arguments) => arguments.run(),
        Command::Player(command) => command.run(),
        Command::Witness(arguments) => block_on(arguments.run(&cli.place)),
        Command::Audit(arguments) => block_on(arguments.run(&cli.place)),
        Command::Watch(arguments) => block_on(arguments.run()),
        Command::Backup(arguments) => block_on(arguments.run(&cli.place)),
        Command::Restore(arguments) => block_on(arguments.run(&cli.place)),
        Command::Import(arguments) => block_on(arguments.run(&cli.place)),
        Command::Export(arguments) => block_on(arguments.run(&cli.place)),
        Command::Dump(arguments) => block_on(arguments.run(&cli.place)),
        Command::Log(command) => block_on(command.run(&cli.place)),
        Command::Umpire(command) => block_on(command.run(&cli.place)),
        Command::Token(command) => block_on(command.run(&cli.place)),
        Command::Discord(command) => block_on(command.run()),
    };
    outcome.unwrap_or_else(|error| {
        // The reader closed the output, which is not an error.
        if error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(is_closed)) {
            return ExitCode::SUCCESS;
        }
        if program_log::is_json() {
            tracing::error!("{error:#}");
        } else {
            eprintln!("matchbook: {error:#}");
        }
        // It does not help to start this one again.
        if error.chain().any(|cause| matches!(cause.downcast_ref(), Some(SchemaError::Newer { .. }))) {
            return ExitCode::from(NEWER_SCHEMA);
        }
        if error.chain().any(needs_help) {
            return ExitCode::from(NEEDS_HELP);
        }
        ExitCode::FAILURE
    })
}

fn needs_help(cause: &(dyn Error + 'static)) -> bool {
    let other_keys = matches!(cause.downcast_ref(), Some(AppError::Keys(_) | AppError::EscrowKey));
    let place = cause.downcast_ref();
    let gone = matches!(place, Some(DatabaseError::Private(PrivateError::Place(PlaceError::Gone { .. }))));
    other_keys || gone || cause.is::<KeysError>()
}

fn is_closed(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

fn block_on<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(work)
}
