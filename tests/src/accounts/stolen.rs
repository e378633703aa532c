//! A token that was stolen: no account, link or token is made with it, so nothing outlives it.

use anyhow::{Result, ensure};
use app::account::{self, OPERATOR};
use reqwest::StatusCode;
use serde_json::json;

use crate::api::Program;
use crate::site::Site;

#[tokio::test]
async fn an_admins_token_makes_no_account_link_or_token() -> Result<()> {
    let site = Site::start().await?;
    let thief = Program::of(&site, account::Scope::Admin).await?;
    let (pool, system) = (site.app.pool(), site.app.system());
    let linus = account::add(pool, system, &OPERATOR, "Linus").await?;
    for (path, sent) in [
        ("/api/v1/umpires".to_owned(), json!({ "name": "Mallory" })),
        (format!("/api/v1/umpires/{}/links", linus.id), json!({})),
        ("/api/v1/tokens".to_owned(), json!({ "name": "mine", "scope": "read", "days": 1 })),
    ] {
        let refused = thief.post(&path, &path.replace('/', "-"), &sent).await?;
        ensure!([StatusCode::METHOD_NOT_ALLOWED, StatusCode::NOT_FOUND].contains(&refused.status), "{}", refused.text);
    }
    assert_eq!(account::all(pool).await?.len(), 2);
    assert_eq!(account::tokens(pool, system, None).await?.len(), 1);
    assert_eq!(thief.get("/api/v1/umpires").await?.status, StatusCode::OK);
    Ok(())
}
