//! The schema: the database of a version that cannot be upgraded.

use std::process::Command;

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Executor};
use store::database::{self, Choice};

use crate::server::{Database, programs};
use crate::{Head, append, match_id, node};

/// Everything in the database, as SQL.
fn dump(options: &PgConnectOptions) -> String {
    let mut command = Command::new(programs().join("pg_dump"));
    match options.get_socket() {
        Some(socket) => command.arg("--host").arg(socket),
        None => command.args(["--host", options.get_host()]),
    };
    command.args(["--port", &options.get_port().to_string(), "--username", options.get_username()]);
    let output = command.arg(options.get_database().expect("a database")).output().expect("pg_dump runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    // Newer versions of pg_dump guard against psql's commands with a random word.
    let kept: Vec<&str> = text.lines().filter(|line| !line.contains("restrict ")).collect();
    kept.join("\n")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_from_before_the_first_package_is_refused_in_words_and_stays_as_it_is() {
    let database = Database::create().await;
    let (_store, writer) = node(database.options.clone()).await;
    writer.append(append(match_id(1), Head::GENESIS, [1])).await.unwrap();
    // The same tables, and the numbers of that time, which began with 34.
    let mut owner = database.superuser().await;
    owner.execute("update _sqlx_migrations set version = version + 33").await.unwrap();
    let before = dump(&database.options);
    assert!(before.contains("COPY public.entries"), "{before}");

    let url = database.options.to_url_lossy().to_string();
    let opened = database::Database::open(&Choice::Url(url)).await.unwrap();
    let said = opened.migrate().await.unwrap_err().to_string();
    assert_eq!(dump(&database.options), before, "nothing changed");
    assert_eq!(
        said,
        "the database is from a matchbook before its first package and cannot be upgraded. Nothing was changed. Start \
         with an empty database, or with a new data folder. To keep matches, export each with the old program (matchbook export MATCH \
         --format dmn), and enter the files with matchbook import. They become matches of the past"
    );
    opened.close().await.unwrap();
    drop((owner, writer));
    database.drop().await;
}
