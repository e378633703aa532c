//! The databases of the tests: each test has its own, a copy of one that was migrated.

use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use app::system::System;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions, Connection, Executor};
use store::MIGRATIONS;
use tokio::sync::OnceCell;

/// The connection to a fresh, migrated database. The tests' server drops it when the test is over.
pub(crate) async fn database() -> Result<PgConnectOptions> {
    let (server, template) = TEMPLATE.get_or_try_init(template).await?;
    let name = new_name();
    let mut owner = PgConnection::connect_with(server).await?;
    let all_over = std::mem::take(&mut *OVER.lock().unwrap_or_else(PoisonError::into_inner));
    for over in all_over {
        owner.execute(sqlx::AssertSqlSafe(format!("drop database {over} with (force)"))).await?;
    }
    owner
        .execute(sqlx::AssertSqlSafe(format!("create database {name} template {template} strategy file_copy")))
        .await?;
    owner.close().await?;
    let options = server.clone().database(&name);
    MINE.with_borrow_mut(|mine| mine.0.push(name));
    Ok(options)
}

/// The server, and the name of a migrated database on it that the others are copies of.
async fn template() -> Result<(PgConnectOptions, String)> {
    let url = std::env::var("MATCHBOOK_TEST_DATABASE_URL")
        .context("run this by `make test`, or by `matchbook db with --temporary -- cargo test`")?;
    let server = url.parse::<PgConnectOptions>()?.disable_statement_logging();
    let name = new_name();
    let mut owner = PgConnection::connect_with(&server).await?;
    owner.execute(sqlx::AssertSqlSafe(format!("create database {name}"))).await?;
    owner.close().await?;
    let mut owner = PgConnection::connect_with(&server.clone().database(&name)).await?;
    MIGRATIONS.run(&mut owner).await?;
    owner.close().await?;
    // The server makes a list of the tables for the first connection after these changes, and copies have it too.
    PgConnection::connect_with(&server.clone().database(&name)).await?.close().await?;
    Ok((server, name))
}

fn new_name() -> String {
    format!("test_{}", System::real().uuid().simple())
}

static TEMPLATE: OnceCell<(PgConnectOptions, String)> = OnceCell::const_new();

/// The databases of tests that are over: whoever needs the next one drops them, so that the server stays small.
static OVER: Mutex<Vec<String>> = Mutex::new(Vec::new());

thread_local! {
    static MINE: RefCell<Databases> = const { RefCell::new(Databases(Vec::new())) };
}

/// The databases of the test that runs on this thread. The thread ends with the test.
struct Databases(Vec<String>);

impl Drop for Databases {
    fn drop(&mut self) {
        OVER.lock().unwrap_or_else(PoisonError::into_inner).append(&mut self.0);
    }
}
