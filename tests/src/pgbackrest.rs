//! The recipe in `deploy/pgbackrest/`: a machine that is lost comes back. `make package-test` follows the page word for word, to
//! an earlier moment, to the newest again, and with lost keys.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, Uid, User};
use reqwest::StatusCode;
use tokio::process::Command;

use crate::program::{Program, binary, command_of, started};
use crate::site::Guest;
use crate::wait::until;
use crate::whole_match::{fixture, open, record};

/// A data folder whose PostgreSQL hands its log to a repository beside it.
struct Archived {
    data: PathBuf,
    folder: PathBuf,
    config: PathBuf,
    program: PathBuf,
    owner: User,
}

impl Archived {
    /// Installs the recipe for a data folder whose program has ended. None where pgBackRest is not installed.
    async fn install(data: &Path) -> Result<Option<Self>> {
        let Ok(version) = Command::new("pgbackrest").arg("version").stdout(Stdio::null()).status().await else {
            // The test harness shows what is written to the stream itself.
            writeln!(io::stderr(), "PGBACKREST IS NOT INSTALLED: its recipe is not tested")?;
            return Ok(None);
        };
        ensure!(version.success(), "pgbackrest version");
        let recipe = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/pgbackrest");
        let folder = data.with_file_name("pgbackrest");
        fs::create_dir(&folder)?;
        // As root, somebody else than postgres, to whom Debian's own folders of pgBackRest belong: the recipe is for a user
        // of its own. Everything becomes theirs, and they run a program that they can come to.
        let owner =
            if Uid::effective().is_root() { User::from_name("nobody")? } else { User::from_uid(Uid::effective())? };
        let owner = owner.context("a user")?;
        let program = data.with_file_name("matchbook");
        fs::copy(binary()?, &program)?;
        let given = Command::new("chown").args(["-R", &owner.name]).arg(data.parent().context("a folder")?).status();
        ensure!(given.await?.success(), "chown");
        let config = folder.join("pgbackrest.conf");
        // The places of the recipe, here, and its passphrase.
        let here = |text: String| {
            text.replace("/var/lib/matchbook-pgbackrest", &folder.to_string_lossy())
                .replace("/var/lib/matchbook", &data.to_string_lossy())
                .replace("CHANGE-ME", "a passphrase of the tests")
                .replace("pgbackrest --stanza", &format!("pgbackrest --config={} --stanza", config.display()))
        };
        let local = data.join("postgres/local.conf");
        for (from, to) in [("pgbackrest.conf", &config), ("local.conf", &local)] {
            fs::write(to, here(fs::read_to_string(recipe.join(from))?))?;
            fs::set_permissions(to, fs::Permissions::from_mode(0o600))?;
            chown(to, Some(owner.uid.as_raw()), Some(owner.gid.as_raw()))?;
        }
        chown(&folder, Some(owner.uid.as_raw()), Some(owner.gid.as_raw()))?;
        Ok(Some(Self { data: data.to_owned(), folder, config, program, owner }))
    }

    /// A command of the user of the server.
    fn of_its_user(&self, mut command: Command) -> Command {
        if Uid::effective().is_root() {
            command.uid(self.owner.uid.as_raw()).gid(self.owner.gid.as_raw());
        }
        command.current_dir(&self.folder);
        command
    }

    /// The program's command line, as its user.
    fn command(&self, arguments: &[&str]) -> Result<Command> {
        Ok(self.of_its_user(command_of(&self.program, &self.data, arguments)?))
    }

    /// Runs pgBackRest as the user of the server.
    async fn pgbackrest(&self, arguments: &[&str]) -> Result<()> {
        let mut command = self.of_its_user(Command::new("pgbackrest"));
        command.arg(format!("--config={}", self.config.display())).arg("--stanza=matchbook").args(arguments);
        let output = command.output().await?;
        ensure!(
            output.status.success(),
            "{arguments:?}: {}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(())
    }

    async fn sql(&self, query: &str) -> Result<String> {
        let mut psql = self.command(&["db", "psql"])?;
        let output = psql.args(["--", "-AtXqc", query]).output().await?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }

    /// Waits until the repository has everything that is committed now.
    async fn everything_is_archived(&self) -> Result<()> {
        let file = self.sql("select pg_walfile_name(pg_switch_wal())").await?;
        until(async || {
            let archived = self.sql("select coalesce(last_archived_wal, '') from pg_stat_archiver").await?;
            ensure!(archived >= file, "{archived}, not {file}");
            Ok(())
        })
        .await
    }

    /// The machine is lost: the server dies without a word to the repository, and its files are gone.
    async fn lose(&self, program: Program) -> Result<()> {
        let cluster = self.data.join("postgres/cluster");
        let pid = fs::read_to_string(cluster.join("postmaster.pid"))?;
        kill(Pid::from_raw(pid.lines().next().context("a process")?.parse()?), Signal::SIGKILL)?;
        program.kill().await?;
        self.empty().await
    }

    /// Removes the cluster, once nothing runs on it any more.
    async fn empty(&self) -> Result<()> {
        until(async || {
            let guardian = fs::File::open(self.data.join("postgres/guardian.lock"))?;
            guardian.try_lock().context("a guardian still runs")
        })
        .await?;
        let cluster = self.data.join("postgres/cluster");
        fs::remove_dir_all(&cluster)?;
        fs::create_dir(&cluster)?;
        fs::set_permissions(&cluster, fs::Permissions::from_mode(0o700))?;
        chown(&cluster, Some(self.owner.uid.as_raw()), Some(self.owner.gid.as_raw()))?;
        Ok(())
    }

    /// Starts the program where it has to refuse; gives its exit code and its words.
    async fn refused(&self) -> Result<(Option<i32>, String)> {
        let refused = self.command(&["serve", "--listen", "127.0.0.1:0"])?.output().await?;
        Ok((refused.status.code(), String::from_utf8_lossy(&refused.stderr).into_owned()))
    }

    /// Starts the program again, and hands over to its umpire.
    async fn start(&self, umpire: &mut Guest) -> Result<Program> {
        let program = Program::listening(self.command(&["serve", "--listen", "127.0.0.1:0"])?).await?;
        umpire.address = program.address.clone();
        Ok(program)
    }
}

/// The number of entries that are signed, once it is at least this.
async fn signed(umpire: &Guest, at_least: u64) -> Result<u64> {
    until(async || {
        let note = umpire.get("/checkpoint").await?;
        note.is(StatusCode::OK)?;
        let entries = note.text.lines().nth(1).context("its size")?.parse()?;
        ensure!(entries >= at_least, "{entries} entries are signed");
        Ok(entries)
    })
    .await
}

async fn stop(program: Program) -> Result<()> {
    program.terminate().await?;
    ensure!(program.ended().await?.success());
    Ok(())
}

#[tokio::test]
async fn a_lost_machine_comes_back_whole() -> Result<()> {
    let (folder, program, mut umpire) = started().await?;
    let data = folder.path().join("data");
    stop(program).await?;
    let Some(archived) = Archived::install(&data).await? else { return Ok(()) };
    let played = fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?;
    let program = archived.start(&mut umpire).await?;
    archived.pgbackrest(&["stanza-create"]).await?;
    archived.pgbackrest(&["--type=full", "backup"]).await?;
    let console = open(&umpire, &played).await?;
    record(&umpire, &console, &played.steps[0]).await?;
    record(&umpire, &console, &played.steps[1]).await?;
    let entries = signed(&umpire, 1).await?;
    archived.everything_is_archived().await?;

    // The keys are in no backup of pgBackRest: here they are still there.
    archived.lose(program).await?;
    // Whoever starts it before a restore succeeded gets no empty database, which would archive into the same place.
    let (code, said) = archived.refused().await?;
    ensure!(code == Some(4) && said.contains("has the host.key of a log, and there is no database in"), "{said}");
    archived.pgbackrest(&["restore"]).await?;
    let program = archived.start(&mut umpire).await?;
    signed(&umpire, entries).await?;
    record(&umpire, &console, &played.steps[2]).await?;
    signed(&umpire, entries + 1).await?;
    stop(program).await
}
