//! Matches of the past that programs import.

use std::sync::Arc;

use anyhow::{Result, ensure};
use app::account::Scope;
use reqwest::StatusCode;
use serde_json::json;
use sqlx::Executor;
use tokio::task::JoinSet;

use super::Program;
use crate::site::Site;
use crate::whole_match::fixture;

#[tokio::test]
async fn of_one_match_that_is_imported_several_times_at_once_one_enters() -> Result<()> {
    let site = Site::start().await?;
    let program = Arc::new(Program::of(&site, Scope::Umpire).await?);
    let dmn = fixture("five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn")?.text;
    let past = json!({ "dmn": dmn, "source": "The forum" });
    let mut asked = JoinSet::new();
    for n in 0..8 {
        let (program, past) = (program.clone(), past.clone());
        asked.spawn(async move { program.post("/api/v1/matches/import", &format!("import-{n}"), &past).await });
    }
    let answers: Vec<_> = asked.join_all().await.into_iter().collect::<Result<_>>()?;
    let statuses: Vec<StatusCode> = answers.iter().map(|answer| answer.status).collect();
    let entered = statuses.iter().filter(|status| **status == StatusCode::CREATED).count();
    let refused = statuses.iter().filter(|status| **status == StatusCode::CONFLICT).count();
    ensure!((entered, refused) == (1, 7), "{statuses:?}");
    // Whoever means it enters it again.
    let again = json!({ "dmn": dmn, "source": "The forum", "again": true });
    program.post("/api/v1/matches/import", "again", &again).await?.is(StatusCode::CREATED)?;
    Ok(())
}

#[tokio::test]
async fn a_match_that_no_list_has_yet_is_found_before_it_enters_again() -> Result<()> {
    let site = Site::start().await?;
    let program = Program::of(&site, Scope::Umpire).await?;
    let dmn = fixture("five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn")?.text;
    let past = json!({ "dmn": dmn, "source": "The forum" });
    // Whoever imported it went away between the entry and the lists.
    program.post("/api/v1/matches/import", "one", &past).await?.is(StatusCode::CREATED)?;
    let gone = "delete from archive; update archive_cursor set pos = 0";
    site.owner().await?.execute(sqlx::raw_sql(gone)).await?;
    program.post("/api/v1/matches/import", "two", &past).await?.is(StatusCode::CONFLICT)?;
    Ok(())
}
