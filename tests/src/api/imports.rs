//! Matches of the past that programs import.

use std::sync::Arc;

use anyhow::{Result, ensure};
use app::account::Scope;
use reqwest::StatusCode;
use serde_json::json;
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
