//! The private PostgreSQL as an operator uses it: with the real binary, several processes, and `kill -9`. Each test has
//! its own data folder, and all must pass for root and for an ordinary user.

#![cfg(target_os = "linux")]

use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use sqlx::Executor;
use store::database::{Choice, Database};
use tempfile::TempDir;

const MATCHBOOK: &str = env!("CARGO_BIN_EXE_matchbook");
/// The number of checks, 50 ms apart, after which a state is given up.
const LOOKS: u32 = 20 * 60;

/// A data folder, and the processes that use it.
struct Data {
    folder: TempDir,
}

/// A matchbook process that uses the database, with a shell in it that answers SQL.
struct Holder {
    process: Child,
    sql: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Data {
    fn new() -> Self {
        let folder = TempDir::with_prefix("matchbook-test-").unwrap();
        // Root's server runs as another user, who must be able to enter.
        fs::set_permissions(folder.path(), Permissions::from_mode(0o711)).unwrap();
        Self { folder }
    }

    fn postgres(&self) -> PathBuf {
        self.folder.path().join("postgres")
    }

    fn matchbook(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(MATCHBOOK);
        command.args(arguments).env_remove("DATABASE_URL").env("MATCHBOOK_DATA_DIR", self.folder.path());
        command
    }

    /// A process that may still be waiting for the server.
    fn joins(&self) -> Holder {
        let answer = "echo ready; while read -r sql; do psql -AtXc \"$sql\"; done";
        let mut command = self.matchbook(&["db", "with", "--", "sh", "-c", answer]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let (sql, answers) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        Holder { process, sql, answers: BufReader::new(answers) }
    }

    /// A process that is connected.
    fn holds(&self) -> Holder {
        let mut holder = self.joins();
        assert_eq!(holder.answer(), "ready");
        holder
    }

    fn server(&self) -> Pid {
        let file = fs::read_to_string(self.postgres().join("cluster/postmaster.pid")).unwrap();
        Pid::from_raw(file.lines().next().unwrap().parse().unwrap())
    }

    fn log(&self) -> String {
        fs::read_to_string(self.postgres().join("server.log")).unwrap()
    }
}

impl Holder {
    fn answer(&mut self) -> String {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    fn asks(&mut self, sql: &str) -> String {
        writeln!(self.sql, "{sql}").unwrap();
        self.answer()
    }

    /// Exits in the normal way.
    fn exits(self) {
        let Self { mut process, sql, answers } = self;
        drop((sql, answers));
        assert!(process.wait().unwrap().success());
    }

    fn dies(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

/// True if the process runs; a zombie does not.
fn runs(pid: Pid) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

fn parent(pid: Pid) -> Pid {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let (_, rest) = stat.rsplit_once(')').unwrap();
    Pid::from_raw(rest.split_whitespace().nth(1).unwrap().parse().unwrap())
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..LOOKS {
        if is_so() {
            return;
        }
        sleep(Duration::from_millis(50));
    }
    panic!("never: {what}");
}

fn assert_success(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_server_runs_as_long_as_anyone_holds_it() {
    let data = Data::new();
    let first = data.holds();
    let mut second = data.holds();
    let (server, guardian) = (data.server(), parent(data.server()));
    first.dies();
    assert_eq!(second.asks("CREATE TABLE kept (word text)"), "CREATE TABLE");
    assert_eq!(second.asks("INSERT INTO kept VALUES ('still here')"), "INSERT 0 1");
    assert_eq!(data.server(), server, "the second goes on with the same server");
    second.exits();
    assert!(!runs(server), "the last one waits until the server has stopped");
    wait_until("the guardian ends", || !runs(guardian));

    let mut later = data.holds();
    assert_eq!(later.asks("SELECT word FROM kept"), "still here");
    later.exits();
}

#[test]
fn the_server_does_not_outlive_processes_that_were_killed() {
    let data = Data::new();
    let (first, second) = (data.holds(), data.holds());
    let (server, guardian) = (data.server(), parent(data.server()));
    first.dies();
    second.dies();
    wait_until("the server ends", || !runs(server));
    wait_until("the guardian ends", || !runs(guardian));
}

#[test]
fn the_server_does_not_outlive_its_guardian_and_everybody_else() {
    let data = Data::new();
    let holder = data.holds();
    let (server, guardian) = (data.server(), parent(data.server()));
    holder.dies();
    // The guardian may have noticed by now, which is fine.
    let _ = kill(guardian, Signal::SIGKILL);
    wait_until("the server ends", || !runs(server));
}

#[test]
fn who_lost_the_guardian_gets_another() {
    let data = Data::new();
    let mut holder = data.holds();
    assert_eq!(holder.asks("CREATE TABLE kept ()"), "CREATE TABLE");
    let server = data.server();
    kill(parent(server), Signal::SIGKILL).unwrap();
    wait_until("the unguarded server ends", || !runs(server));
    let mut newcomer = data.holds();
    assert_eq!(newcomer.asks("SELECT count(*) FROM kept"), "0");
    assert_eq!(holder.asks("SELECT count(*) FROM kept"), "0");
    let server = data.server();
    newcomer.exits();
    assert!(runs(server));
    holder.exits();
    assert!(!runs(server));
}

#[test]
fn a_server_that_was_killed_recovers() {
    let data = Data::new();
    let mut holder = data.holds();
    assert_eq!(holder.asks("CREATE TABLE kept AS SELECT 1 AS n"), "SELECT 1");
    kill(data.server(), Signal::SIGKILL).unwrap();
    let newcomer = data.holds();
    assert_eq!(holder.asks("SELECT n FROM kept"), "1");
    assert!(data.log().contains("automatic recovery in progress"), "{}", data.log());
    newcomer.exits();
    holder.exits();
}

#[test]
fn first_starts_at_once_make_one_server() {
    let data = Data::new();
    let mut holders: Vec<Holder> = (0..4).map(|_| data.joins()).collect();
    for holder in &mut holders {
        assert_eq!(holder.answer(), "ready");
    }
    let server = data.server();
    for holder in holders {
        assert!(runs(server));
        holder.exits();
    }
    assert!(!runs(server));
}

#[test]
fn who_comes_while_the_server_stops_starts_it_again() {
    let data = Data::new();
    data.holds().exits();
    for _ in 0..5 {
        let leaving = data.holds();
        let Holder { mut process, sql, answers } = leaving;
        drop((sql, answers));
        let mut coming = data.holds();
        assert_eq!(coming.asks("SELECT 1"), "1");
        assert!(process.wait().unwrap().success());
        assert_eq!(coming.asks("SELECT 2"), "2");
        coming.exits();
    }
}

#[test]
fn a_process_number_from_before_a_crash_is_nobodys() {
    let data = Data::new();
    data.holds().exits();
    // The machine crashed, and the process id in the file now belongs to this test.
    let file = data.postgres().join("cluster/postmaster.pid");
    fs::write(&file, format!("{}\n/elsewhere\n1\n5432\n/elsewhere\n\n1 1\nready   \n", Pid::this())).unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
    let mut holder = data.holds();
    assert_eq!(holder.asks("SELECT 1"), "1");
    holder.exits();
}

#[test]
fn a_server_that_does_not_start_says_why() {
    let data = Data::new();
    data.holds().exits();
    let local = data.postgres().join("local.conf");
    fs::write(&local, "shared_buffers = 'a lot'\n").unwrap();
    let output = data.matchbook(&["db", "with", "true"]).output().unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("server.log, says:"), "{said}");
    assert!(said.contains("invalid value for parameter \"shared_buffers\": \"a lot\""), "{said}");
    fs::remove_file(local).unwrap();
    data.holds().exits();
}

#[test]
fn a_data_folder_of_any_length_has_a_socket() {
    let outer = Data::new();
    let long = outer.folder.path().join("a/folder, with a comma and 'quotes'/".repeat(4));
    let output = outer
        .matchbook(&["db", "with", "--data-dir", long.to_str().unwrap(), "--", "psql", "-AtXc", "SELECT 1"])
        .output()
        .unwrap();
    assert_success(&output);
    assert_eq!(output.stdout, b"1\n");
}

#[test]
fn programs_run_with_the_database_and_their_status_is_ours() {
    let data = Data::new();
    let status = data.matchbook(&["db", "with", "--temporary", "--", "sh", "-c", "exit 7"]).status().unwrap();
    assert_eq!(status.code(), Some(7));
    assert!(!data.postgres().exists(), "a temporary database leaves the data folder alone");

    let url = data.matchbook(&["db", "with", "--", MATCHBOOK, "db", "url"]).output().unwrap();
    assert_success(&url);
    let url = String::from_utf8(url.stdout).unwrap();
    assert!(url.starts_with("postgres:///matchbook?host=") && url.ends_with("&user=matchbook_owner\n"), "{url}");

    let psql = data.matchbook(&["db", "psql", "--", "-AtXc", "SELECT current_user"]).output().unwrap();
    assert_success(&psql);
    assert_eq!(psql.stdout, b"matchbook_owner\n");

    let none = data.matchbook(&["db", "url"]).output().unwrap();
    assert!(!none.status.success(), "nobody holds the server now");
}

#[tokio::test]
async fn pages_are_served_as_a_role_of_their_own() {
    let data = Data::new();
    let choice = Choice::Private { data: data.folder.path().to_owned(), binary: Path::new(MATCHBOOK).to_owned() };
    let database = Database::open(&choice).await.unwrap();
    database.migrate().await.unwrap();
    database.migrate().await.expect("a second time changes nothing");
    let names: (String, String) =
        sqlx::query_as("SELECT session_user::text, current_user::text").fetch_one(database.serving()).await.unwrap();
    assert_eq!(names, (String::from("matchbook_serve_login"), String::from("matchbook_serve")));
    let refused = database.serving().execute("SET ROLE matchbook_owner").await.unwrap_err();
    assert!(refused.to_string().contains("permission denied to set role"), "{refused}");
    let server = data.server();
    database.close().await.unwrap();
    assert!(!runs(server));
}

#[tokio::test]
async fn a_schema_of_a_newer_matchbook_is_left_alone() {
    let data = Data::new();
    let choice = Choice::Private { data: data.folder.path().to_owned(), binary: Path::new(MATCHBOOK).to_owned() };
    let database = Database::open(&choice).await.unwrap();
    database.migrate().await.unwrap();
    let mut holder = data.holds();
    let newer = "INSERT INTO _sqlx_migrations VALUES (99999999999999, 'newer', now(), true, '', 0)";
    assert_eq!(holder.asks(newer), "INSERT 0 1");
    database.migrate().await.expect("it may be served for now");
    assert_eq!(holder.asks("UPDATE oldest_program SET migration = 99999999999999"), "UPDATE 1");
    let error = database.migrate().await.unwrap_err().to_string();
    assert!(
        error.starts_with("the database was migrated by a newer matchbook (its schema is 99999999999999"),
        "{error}"
    );
    holder.exits();
    database.close().await.unwrap();
}
