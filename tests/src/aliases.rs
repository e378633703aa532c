//! Two names of one player: joined by an umpire, parted again, and forgotten with the name that is withdrawn.

use anyhow::{Result, ensure};
use reqwest::StatusCode;
use reqwest::redirect::Policy;

use crate::archive::{played, rows};
use crate::pages::import;
use crate::play::table::RULESET;
use crate::site::{Guest, Site};

/// Matches of Quill and of Q. Uill, who are one, against others; and one between Noor and Quill.
async fn filled(site: &Site) -> Result<(Guest, Guest)> {
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    for (p1, p2, day) in [
        ("Quill", "Noor", "2023-01-01"),
        ("Q. Uill", "Bram", "2023-02-01"),
        ("Bram", "q. uill", "2023-03-01"),
        ("Ada", "Quill", "2023-04-01"),
    ] {
        import(&umpire, &played(p1, p2, "Names", day, "")?).await?;
    }
    Ok((umpire, anybody))
}

/// Where an address leads; none if it answers by itself.
async fn leads_to(site: &Site, path: &str) -> Result<Option<String>> {
    let http = reqwest::Client::builder().redirect(Policy::none()).build()?;
    let answer = http.get(format!("{}{path}", site.address)).send().await?;
    let to = answer.headers().get("location").map(|to| to.to_str().map(str::to_owned));
    Ok(to.transpose()?)
}

const JOIN: &str = "/join/players/quill";
const WHY: (&str, &str) = ("reason", "He says so");

#[tokio::test]
async fn a_withdrawn_name_leaves_what_it_was_joined_to() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = filled(&site).await?;
    umpire.post(JOIN, &[("join", "Q. Uill"), WHY]).await?.says("is joined")?;
    // A planned match and a private note have the name, too.
    let plan = [("ruleset", RULESET), ("p1", "Quill"), ("p2", "Cy"), ("begins", "2126-11-20 20:00"), ("do", "plan")];
    umpire.fills_in(&umpire.get("/umpire/open").await?, "/umpire/open", &plan).await?.says("Quill – Cy")?;
    let slug = rows(&anybody, "?player=quill").await?[0]["address"].as_str().unwrap_or_default().to_owned();
    let console = format!("/umpire/m/{}", slug.rsplit('/').next().unwrap_or_default());
    let note = [("text", "Both Quill and quillons were late.")];
    umpire.fills_in(&umpire.get(&console).await?, &format!("{console}/private-note"), &note).await?;
    // The player withdraws: both names go, and no address tells that they were one.
    umpire.get("/withdraw/players/q.%20uill").await?.says("erased with it")?;
    umpire.post("/withdraw/players/quill", &[("asked", "yes")]).await?.says("Erased 4 times")?;
    for gone in ["/players/quill", "/players/q.%20uill"] {
        anybody.get(gone).await?.is(StatusCode::NOT_FOUND)?;
        assert_eq!(leads_to(&site, gone).await?, None);
    }
    let all = anybody.get("/archive.ndjson").await?.text.to_lowercase();
    ensure!(!all.contains("uill"), "{all}");
    ensure!(!anybody.get("/").await?.text.contains("Quill"), "it is announced no longer");
    umpire.get(&console).await?.says("Both (name withdrawn) and quillons were late.")?;
    let left: i64 = sqlx::query_scalar("select (select count(*) from aliases) + (select count(*) from alias_acts)")
        .fetch_one(site.app.pool())
        .await?;
    assert_eq!(left, 0);
    Ok(())
}

#[tokio::test]
async fn an_alias_outlives_the_player_whose_name_was_withdrawn_match_by_match() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = filled(&site).await?;
    umpire.post(JOIN, &[("join", "Q. Uill"), WHY]).await?.says("is joined")?;
    for row in rows(&anybody, "?player=quill").await? {
        let field = match (row["p1"].as_str(), row["p2"].as_str()) {
            (Some("Quill"), _) => "0:names.p1",
            (_, Some("Quill")) => "0:names.p2",
            _ => continue,
        };
        let address = row["address"].as_str().unwrap_or_default().replace(&site.address, "");
        umpire.post(&format!("/withdraw{address}"), &[("word", field), ("asked", "yes")]).await?.says("1 text")?;
    }
    anybody.get("/players/q.%20uill").await?.is(StatusCode::OK)?.says("2 matches ended")?;
    anybody.get("/players/quill").await?.is(StatusCode::NOT_FOUND)?;
    Ok(())
}
