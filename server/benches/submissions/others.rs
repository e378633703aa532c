//! pgbench with the same bytes: a single-row INSERT, and message-db's `write_message`.

use std::process::Command;

use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, Executor};
use tempfile::TempDir;

use crate::server::{Database, programs};

pub(crate) const INSERT: &str = "INSERT";
pub(crate) const ONE: &str = "write_message, one category";
pub(crate) const EACH: &str = "write_message, a category each";

/// The fields of a move in a submission of the measured rules.
pub(crate) const FIELDS: usize = 1;
/// The size of the encrypted openings of such a move.
pub(crate) const ESCROW_BYTES: usize = 170;

/// message-db (MIT) from its own publisher. This repository contains nothing of it.
const MESSAGE_DB: &str = "@eventide/message-db@1.3.1";

pub(crate) struct Pgbench {
    folder: TempDir,
    options: PgConnectOptions,
    scripts: Vec<(&'static str, &'static str)>,
    seconds: u64,
}

impl Pgbench {
    /// A table like the one for submissions, with the same keys, and message-db beside it in the same database.
    pub(crate) async fn prepare(database: &Database, seconds: u64) -> Self {
        let mut connection = database.superuser().await;
        let setup = "create table raw_submissions (like submissions including all, ciphertext bytea) \
                     with (autovacuum_enabled = off); create sequence raw_number minvalue 1 cache 1";
        connection.execute(AssertSqlSafe(setup)).await.expect("creates");
        let (seals, escrow) = ("ab".repeat(32 * FIELDS), "cd".repeat(ESCROW_BYTES));
        let insert = format!(
            "insert into raw_submissions (log_id, match_id, decision, seat, ordinal, at, commitments, submit_id, \
             submit_digest, sent_by, ciphertext) values (0, gen_random_uuid(), 'd' || nextval('raw_number'), 'p1', 0, now(), \
             '\\x{seals}', decode(lpad(to_hex(currval('raw_number')), 32, '0'), 'hex'), '\\x{}', 'p1', '\\x{escrow}');\n",
            "ef".repeat(32)
        );
        let data = format!(
            "{{\"decision\":\"d1\",\"seat\":\"p1\",\"commitments\":\"{seals}\",\"digest\":\"{}\",\"escrow\":\"{escrow}\"}}",
            "ef".repeat(32)
        );
        let message = |stream: &str| {
            format!("select write_message(gen_random_uuid()::varchar, {stream}, 'Submitted', '{data}'::jsonb);\n")
        };
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("writes");
        write("insert.sql", &insert);
        write("one.sql", &message("'match-' || gen_random_uuid()"));
        write("each.sql", &message("'match' || :client_id || '-' || gen_random_uuid()"));
        let mut scripts = vec![(INSERT, "insert.sql")];
        let mut this = Self { folder, options: database.options.clone(), scripts: Vec::new(), seconds };
        match this.message_db() {
            Ok(()) => scripts.extend([(ONE, "one.sql"), (EACH, "each.sql")]),
            Err(why) => eprintln!("message-db is not measured: {why}"),
        }
        this.scripts = scripts;
        this
    }

    /// Downloads message-db and installs it with its own script.
    fn message_db(&self) -> Result<(), String> {
        let run = |command: &mut Command| {
            let output = command.current_dir(self.folder.path()).output().map_err(|error| error.to_string())?;
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            if output.status.success() { Ok(()) } else { Err(said) }
        };
        run(Command::new("npm").args(["pack", "--silent", MESSAGE_DB]))?;
        run(Command::new("sh").args(["-c", "tar xzf *.tgz"]))?;
        let mut install = self.connected("bash");
        let name = self.options.get_database().unwrap_or_default();
        run(install.arg("package/database/install.sh").env("DATABASE_NAME", name).env("CREATE_DATABASE", "off"))?;
        let keep = "alter table message_store.messages set (autovacuum_enabled = off)";
        run(self.connected("psql").args(["-qc", keep]))
    }

    /// Writes out all pending data of one side, so that the next does not pay for it. The tables of the others only
    /// grow and need no vacuum, which would run in everybody's time.
    pub(crate) fn settle(&self) {
        let output = self.connected("psql").args(["-qc", "checkpoint"]).output().expect("psql runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    pub(crate) fn scripts(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.scripts.iter().copied()
    }

    /// The number of transactions a second.
    pub(crate) fn run(&self, script: &str, clients: u32) -> f64 {
        self.settle();
        let output = self
            .connected(&programs().join("pgbench").to_string_lossy())
            .args(["-n", "-M", "prepared", "-j", "2", "-c", &clients.to_string(), "-T", &self.seconds.to_string()])
            .arg("-f")
            .arg(self.folder.path().join(script))
            .env("PGOPTIONS", "-c search_path=message_store,public")
            .output()
            .expect("pgbench runs");
        let said = String::from_utf8_lossy(&output.stdout);
        let tps = said.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok());
        tps.unwrap_or_else(|| panic!("pgbench: {}", String::from_utf8_lossy(&output.stderr)))
    }

    fn connected(&self, program: &str) -> Command {
        let options = &self.options;
        let socket = options.get_socket().map(|folder| folder.display().to_string());
        let mut command = Command::new(program);
        command
            .env("PGHOST", socket.unwrap_or_else(|| options.get_host().to_owned()))
            .env("PGPORT", options.get_port().to_string())
            .env("PGUSER", options.get_username())
            .env("PGDATABASE", options.get_database().unwrap_or_default());
        command
    }
}
