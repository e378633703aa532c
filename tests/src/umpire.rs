//! A program that does what an umpire does.

use anyhow::Result;
use reqwest::StatusCode;

use crate::site::Site;
use crate::whole_match::{fixture, open};

const OPEN_TARGETS: &str = "five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn";

#[tokio::test]
async fn a_program_reads_back_and_is_refused_in_json() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let console = open(&umpire, &fixture(OPEN_TARGETS)?).await?;
    let page = umpire.get(&console).await?;
    let (decision, head) = (page.field("decision")?, page.field("head")?);
    let ask = |path: &str, decision: &str, p1: &str| {
        let form = [
            ("decision", decision),
            ("head", &head),
            ("form", "00112233445566778899aabbccddeeff"),
            ("p1", p1),
            ("p2", "-"),
        ];
        let request = umpire.http.post(format!("{}{console}/{path}", site.address)).form(&form);
        request.header("accept", "application/json").send()
    };
    let read: serde_json::Value = serde_json::from_str(&ask("read", &decision, "s").await?.text().await?)?;
    assert_eq!(read["seats"][0]["state"], "invalid");
    assert_eq!(read["seats"][0]["error"]["found"], "s");
    assert_eq!(read["seats"][1]["state"], "defaulted");
    for (path, decision, status) in [
        ("read", "d99", StatusCode::CONFLICT),
        ("record", "d99", StatusCode::CONFLICT),
        ("record", &decision, StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let answer = ask(path, decision, "s").await?;
        assert_eq!(answer.status(), status, "{path} {decision}");
        assert_eq!(answer.headers()["content-type"], "application/problem+json");
    }
    Ok(())
}
