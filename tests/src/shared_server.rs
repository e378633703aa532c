//! Two sites on one PostgreSQL server, each with an owner that may make no roles.

use anyhow::{Result, ensure};
use sqlx::Executor;

use crate::postgres::Postgres;
use crate::program::command;

#[tokio::test]
async fn two_sites_share_a_server_once_its_superuser_did_what_the_program_says() -> Result<()> {
    let folder = tempfile::Builder::new().permissions(std::os::unix::fs::PermissionsExt::from_mode(0o711)).tempdir()?;
    let server = Postgres::start(folder.path().join("server"), None).await?;
    let mut superuser = server.superuser().await?;
    for site in ["one", "two"] {
        superuser.execute(sqlx::AssertSqlSafe(format!("create role {site} login"))).await?;
        superuser.execute(sqlx::AssertSqlSafe(format!("create database {site} owner {site}"))).await?;
    }
    for site in ["one", "two"] {
        let data = folder.path().join(site);
        let url = server.url().replace("postgres@", &format!("{site}@")).replace("/postgres", &format!("/{site}"));
        let migrate = async || -> Result<(bool, String)> {
            let output = command(&data, &["db", "migrate"])?.env("DATABASE_URL", &url).output().await?;
            Ok((output.status.success(), String::from_utf8(output.stderr)?))
        };
        let (done, said) = migrate().await?;
        ensure!(!done && said.contains(&format!("the role {site} may not become matchbook_serve")), "{said}");
        let (_, words) = said.split_once("CREATE ROLE matchbook_serve NOLOGIN;").expect("what to do");
        let made = superuser.execute("create role matchbook_serve nologin").await;
        ensure!(made.is_ok() == (site == "one"), "the other site has made it");
        superuser.execute(sqlx::AssertSqlSafe(words.trim().to_owned())).await?;
        let (done, said) = migrate().await?;
        ensure!(done, "{said}");
    }
    Ok(())
}
