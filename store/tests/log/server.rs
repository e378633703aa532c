//! A real PostgreSQL for the tests: the one at `MATCHBOOK_TEST_DATABASE_URL` (as a superuser), or a private one in its
//! own folder, which is removed when the test process ends in any way.

use std::env;
use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection};
use tokio::sync::OnceCell;

static SERVER: OnceCell<Server> = OnceCell::const_new();
static COUNT: AtomicU32 = AtomicU32::new(0);

/// A server, and the options to connect to it as a superuser.
pub(crate) struct Server {
    pub(crate) options: PgConnectOptions,
    /// Its standard input is a pipe from this process. When it closes, the shell that reads it stops the server.
    _watched: Option<Child>,
}

/// A fresh migrated database, and the options to connect to it as a superuser.
pub(crate) struct Database {
    pub(crate) name: String,
    pub(crate) options: PgConnectOptions,
}

impl Server {
    /// The server that all tests of this process share.
    pub(crate) async fn shared() -> &'static Self {
        SERVER
            .get_or_init(|| async {
                match env::var("MATCHBOOK_TEST_DATABASE_URL") {
                    Ok(url) => Self { options: url.parse().expect("a PostgreSQL URL"), _watched: None },
                    Err(_) => Self::start(&[]).await,
                }
            })
            .await
    }

    /// Starts a private server with these settings.
    #[expect(clippy::zombie_processes, reason = "it ends with this process, whose end is what it waits for")]
    pub(crate) async fn start(settings: &[&str]) -> Self {
        let folder = env::temp_dir().join(unique("matchbook-ledger"));
        fs::create_dir(&folder).expect("a folder for the server");
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).expect("a private folder");
        let data = folder.join("data");
        let programs = programs();

        let mut initdb = as_postgres(programs.join("initdb"), &folder);
        initdb.args(["-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "-D"]).arg(&data);
        let made = initdb.output().expect("initdb runs");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));

        let mut shell = as_postgres("/bin/sh".into(), &folder);
        shell.args(["-c", r#""$@" & read -r _; kill -INT $!; wait; rm -rf "$0""#]).arg(&folder);
        shell.arg(programs.join("postgres")).arg("-D").arg(&data).arg("-k").arg(&folder);
        shell.args(["-c", "listen_addresses=", "-c", "max_connections=300"]);
        shell.args(settings.iter().flat_map(|setting| ["-c", setting]));
        let log = fs::File::create(folder.join("log")).expect("a log");
        shell.stdin(Stdio::piped()).stdout(log.try_clone().expect("a log")).stderr(log).process_group(0);
        let watched = shell.spawn().expect("postgres starts");

        let options = PgConnectOptions::new().socket(&folder).username("postgres").database("postgres");
        for _ in 0..600 {
            if let Ok(connection) = options.connect().await {
                connection.close().await.expect("closes");
                return Self { options, _watched: Some(watched) };
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("PostgreSQL did not start: {}", fs::read_to_string(folder.join("log")).unwrap_or_default());
    }

    async fn run(&self, sql: String) {
        let mut connection = self.options.connect().await.expect("connects");
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await.expect("runs");
        connection.close().await.expect("closes");
    }
}

impl Database {
    /// A fresh database on the shared server, migrated.
    pub(crate) async fn create() -> Self {
        let server = Server::shared().await;
        let name = unique("ledger");
        server.run(format!("create database {name}")).await;
        let database = Self { options: server.options.clone().database(&name), name };
        let mut connection = database.superuser().await;
        store::MIGRATIONS.run(&mut connection).await.expect("migrates");
        connection.close().await.expect("closes");
        database
    }

    pub(crate) async fn superuser(&self) -> PgConnection {
        self.options.connect().await.expect("connects")
    }

    pub(crate) async fn drop(self) {
        Server::shared().await.run(format!("drop database {} with (force)", self.name)).await;
    }
}

fn unique(what: &str) -> String {
    format!("{what}_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// The newest PostgreSQL of Debian's layout, or the one on the PATH.
pub(crate) fn programs() -> PathBuf {
    let installed = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut versions: Vec<PathBuf> = installed.map(|entry| entry.path().join("bin")).collect();
    versions.sort_by_key(|path| {
        let version = path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        version.and_then(|version| version.parse::<u32>().ok())
    });
    let on_path = env::var_os("PATH").and_then(|path| env::split_paths(&path).find(|at| at.join("initdb").exists()));
    versions.pop().or(on_path).expect("PostgreSQL is installed")
}

/// PostgreSQL refuses to run as root, so root switches to the user created by Debian's package.
fn as_postgres(program: PathBuf, folder: &Path) -> Command {
    let id = |of: &str, user: &str| -> Option<u32> {
        let output = Command::new("id").args([of, user]).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse().ok()
    };
    let mut command = Command::new(program);
    command.current_dir(folder);
    if fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0) {
        let (user, group) = (id("-u", "postgres"), id("-g", "postgres"));
        let (user, group) = user.zip(group).expect("a user postgres to step down to");
        chown(folder, Some(user), Some(group)).expect("a folder of its own");
        command.uid(user).gid(group);
    }
    command
}
