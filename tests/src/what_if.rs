//! Another move from a moment of a finished match: its consequences, and the marks that keep it apart from the record.

use anyhow::{Result, ensure};
use reqwest::StatusCode;

use crate::page::Page;
use crate::pages::import;
use crate::site::{Guest, Site};
use crate::whole_match::fixture;

const COLOSSEUM: &str = "five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn";
const DEAL: &str = "devils-deal/blooming-genius/no-chips-5-p2-ilse-marlowe.dmn";
const BOARDS: &str = "higher-lower/tempo-up/three-boards-3-p1-kestrel-marlowe.dmn";

/// An imported match, by the path of its page.
async fn past(site: &Site, umpire: &Guest, name: &str) -> Result<String> {
    Ok(import(umpire, &fixture(name)?.text).await?.address.replace(&site.address, ""))
}

/// A page of a variation, and its path and query.
struct Line {
    page: Page,
    path: String,
}

/// Sends the form of a question from a page with this path.
async fn tries(guest: &Guest, path: &str, fields: &[(&str, &str)]) -> Result<Line> {
    let (bare, lines) = path.split_once('?').unwrap_or((path, ""));
    let mut url: reqwest::Url = format!("{}{bare}?{lines}", guest.address).parse()?;
    url.query_pairs_mut().extend_pairs(fields);
    let answer = guest.http.get(url).send().await?;
    let url = answer.url();
    let path = format!("{}?{}", url.path(), url.query().unwrap_or_default());
    Ok(Line { page: guest.read(answer).await?, path })
}

#[tokio::test]
async fn every_game_can_be_left_at_its_first_and_at_a_later_row() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    for name in [COLOSSEUM, DEAL, BOARDS] {
        let public = past(&site, &umpire, name).await?;
        let history = site.app.matches.history_of(public.trim_start_matches("/m/")).await?;
        let rows: Vec<String> = history.rows().iter().map(|row| row.label.clone()).collect();
        for row in [rows.first(), rows.get(rows.len() / 2)].into_iter().flatten() {
            let path = format!("{public}/r/{row}/before/what-if");
            let mut line = Line { page: anybody.get(&path).await?, path };
            // The real match, step by step, using only the forms.
            for step in 0..6 {
                let Ok(ask) = line.page.field("ask") else { break };
                line = tries(&anybody, &line.path, &[("ask", &ask)]).await?;
                ensure!(line.page.status == StatusCode::OK, "{name}, {row}, step {step}: {}", line.page.text);
                line.page.says("So far these are the real moves.")?;
            }
        }
    }
    Ok(())
}
