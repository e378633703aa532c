//! The schema: this binary's migrations, and a refusal to touch a schema that they do not continue.

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{Connection, Executor};
use thiserror::Error;

/// The migrations, in order. Running them needs a role that may create tables and roles; serving does not.
pub static MIGRATIONS: Migrator = sqlx::migrate!("../migrations");

/// Makes the role that serves, unless another site of this server has made it, and lets the owner become it. Migrations do so,
/// too, but cannot say who has to help.
const ROLE: &str = "do $$ begin \
    if not exists (select from pg_roles where rolname = 'matchbook_serve') then create role matchbook_serve nologin; \
    end if; \
    execute format('grant matchbook_serve to %I', current_user); end $$";

#[derive(Debug, Error)]
pub enum SchemaError {
    /// A matchbook before the first package has migrated it, with files that this binary does not have.
    #[error(
        "the database is from a matchbook before its first package and cannot be upgraded. Nothing was changed. Start with \
         an empty database, or with a new data folder. To keep matches, export each with the old program (matchbook \
         export MATCH --format dmn), and enter the files with matchbook import. They become matches of the past"
    )]
    Old,
    /// A newer Matchbook has migrated it, and this one may not serve it any more.
    #[error(
        "the database was migrated by a newer matchbook (its schema is {found}, this binary knows up to {known}): \
         run that version, or restore a copy from before the upgrade"
    )]
    Newer {
        /// The database's latest migration that is unknown here.
        found: i64,
        /// The latest migration of this binary.
        known: i64,
    },
    /// A migration is another one than the one that made the database.
    #[error(
        "migration {0} of this program is another than the one that the database has had: one of them is no release. Nothing \
         was changed. Use the program that migrated it last"
    )]
    Altered(i64),
    /// The role lacks a right.
    #[error(
        "the role that migrates lacks a right in the database: {0}. Nothing was changed. Connect as the owner of the database, \
         and let it make roles: ALTER ROLE ... CREATEROLE"
    )]
    NoRight(String),
    /// The owner cannot become the role that serves.
    #[error(
        "the role {owner} may not become matchbook_serve, the role that serves. Another site of this PostgreSQL server has made \
         that role, or {owner} may make none. Run this as a superuser, without its first half if the role exists, and start \
         again: CREATE ROLE matchbook_serve NOLOGIN; GRANT matchbook_serve TO {owner};"
    )]
    Role {
        /// The owner of the database.
        owner: String,
    },
    /// A migration failed or does not fit.
    #[error("the database cannot be migrated: {0}")]
    Migrate(MigrateError),
    /// There is no connection.
    #[error("the database cannot be migrated, because there is no connection to it: {0}")]
    Connect(sqlx::Error),
}

/// Brings the schema to this binary's version. Several processes may do it at once: one migrates, the others wait. A newer
/// schema stays as it is, if this binary may serve it.
pub(super) async fn migrate(owner: &PgConnectOptions) -> Result<(), SchemaError> {
    let mut connection = PgConnection::connect_with(owner).await.map_err(SchemaError::Connect)?;
    let outcome = match take_role(&mut connection).await {
        Ok(()) => MIGRATIONS.run(&mut connection).await.map_err(sort),
        refused => refused,
    };
    let outcome = match outcome {
        Err(SchemaError::Newer { found, known }) => may_serve(&mut connection, found, known).await,
        outcome => outcome,
    };
    // The outcome is known; the server notices the end of the connection in either case.
    let _ = connection.close().await;
    outcome
}

pub(super) async fn take_role(owner: &mut PgConnection) -> Result<(), SchemaError> {
    if can_serve(owner).await {
        return Ok(());
    }
    // Of two sites that begin at once, one makes the role, and the other finds it. A refusal shows in what follows.
    let _ = owner.execute(ROLE).await;
    if can_serve(owner).await {
        return Ok(());
    }
    let owner = sqlx::query_scalar("select current_user::text").fetch_one(owner).await.map_err(SchemaError::Connect)?;
    Err(SchemaError::Role { owner })
}

async fn can_serve(connection: &mut PgConnection) -> bool {
    let became = connection.execute("set role matchbook_serve").await.is_ok();
    became && connection.execute("reset role").await.is_ok()
}

#[must_use]
pub fn latest_migration() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default()
}

async fn may_serve(connection: &mut PgConnection, found: i64, known: i64) -> Result<(), SchemaError> {
    // Migrations before the first package had other numbers, and none of them was the first.
    let oldest =
        "select max(migration) from oldest_program where exists (select from _sqlx_migrations where version = 1)";
    let oldest: Option<i64> = sqlx::query_scalar(oldest).fetch_one(connection).await.map_err(SchemaError::Connect)?;
    let oldest = oldest.ok_or(SchemaError::Old)?;
    if oldest > known {
        return Err(SchemaError::Newer { found, known });
    }
    tracing::info!("a newer matchbook has migrated the database, and this one may still serve it");
    Ok(())
}

pub fn refuse_old(versions: &[i64]) -> Result<(), SchemaError> {
    if versions.contains(&1) { Ok(()) } else { Err(SchemaError::Old) }
}

fn sort(error: MigrateError) -> SchemaError {
    let known = latest_migration();
    match error {
        MigrateError::VersionMismatch(1) => SchemaError::Old,
        MigrateError::VersionMissing(found) if found > known => SchemaError::Newer { found, known },
        MigrateError::VersionMismatch(version) => SchemaError::Altered(version),
        MigrateError::Execute(ref failed) | MigrateError::ExecuteMigration(ref failed, _) => match denied(failed) {
            Some(said) => SchemaError::NoRight(said),
            None => SchemaError::Migrate(error),
        },
        error => SchemaError::Migrate(error),
    }
}

/// What PostgreSQL says of a right that is missing (SQLSTATE 42501).
fn denied(error: &sqlx::Error) -> Option<String> {
    let answer = error.as_database_error()?;
    (answer.code()? == "42501").then(|| answer.message().to_owned())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::Path;

    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn a_newer_schema_is_named() {
        let error = sort(MigrateError::VersionMissing(i64::MAX));
        assert!(matches!(error, SchemaError::Newer { .. }), "{error}");
        let text = error.to_string();
        assert!(text.starts_with("the database was migrated by a newer matchbook (its schema is 9223372036854775807"));
    }

    #[test]
    fn a_schema_from_before_the_first_package_is_told_from_a_newer_one() {
        assert!(matches!(sort(MigrateError::VersionMismatch(1)), SchemaError::Old));
        let altered = sort(MigrateError::VersionMismatch(2)).to_string();
        assert!(altered.starts_with("migration 2 of this program is another"), "{altered}");
        assert!(matches!(refuse_old(&[34, 81]), Err(SchemaError::Old)));
        refuse_old(&[1, i64::MAX]).unwrap();
    }

    /// The files' names and SHA-256, as in the list and as they are.
    fn checksums() -> [BTreeMap<String, String>; 2] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../migrations");
        let list = fs::read_to_string(folder.join("checksums.txt")).unwrap();
        let lines = list.lines().filter(|line| !line.starts_with('#'));
        let listed =
            lines.map(|line| line.split_once("  ").unwrap()).map(|(sum, name)| (name.to_owned(), sum.to_owned()));
        let files = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
        let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "sql")).map(|path| {
            let sum = Sha256::digest(fs::read(&path).unwrap()).iter().map(|byte| format!("{byte:02x}")).collect();
            (path.file_name().unwrap().to_str().unwrap().to_owned(), sum)
        });
        [listed.collect(), files.collect()]
    }

    #[test]
    fn no_migration_is_ever_edited() {
        let [listed, files] = checksums();
        assert_eq!(files.len(), MIGRATIONS.iter().count());
        for (name, sum) in &listed {
            let now = files
                .get(name)
                .unwrap_or_else(|| panic!("migrations/{name} is gone: databases have run it, put it back"));
            assert_eq!(
                now, sum,
                "migrations/{name} was edited: databases that have run it would refuse this program. Put it back, and make the \
                 change in a new file with the next number"
            );
        }
        for (name, sum) in &files {
            assert!(listed.contains_key(name), "add this line to migrations/checksums.txt:\n{sum}  {name}");
        }
    }
}
