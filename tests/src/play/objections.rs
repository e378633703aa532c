//! "This is not what I sent": a player of a recorded match reads the typed move, objects, and the umpire rules on it.

use anyhow::{Result, ensure};
use reqwest::StatusCode;

use super::table::{RULESET, Table};
use crate::site::Site;

#[tokio::test]
async fn a_player_objects_to_what_was_typed_and_the_umpire_rules() -> Result<()> {
    let table = Table::recorded(Site::seeded("an objection").await?, RULESET).await?;
    let link = table.link("p1").await?;
    let sat = table.p1.guest.read(table.p1.guest.http.post(&link).send().await?).await?;
    sat.says("the umpire types your moves")?;
    ensure!(!sat.text.contains("name=\"move\""), "the umpire types: {}", sat.text);
    table.records("grow", "claim").await?;
    let page = table.p1.page().await?;
    page.says("What was entered for you")?.says("typed by the umpire")?.says("/r/1/after")?;
    let (form, address) = (page.fields(&["form", "step"])?, format!("{}/object", table.p1.home));
    let object = async |text: &str| table.p1.guest.sends(&address, &form.clone().with("text", text)).await;
    object(" ").await?.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("Say what you sent instead")?;
    for _ in 0..2 {
        object("I sent score, at 20:41 in the thread").await?.says("waits for the umpire")?;
    }
    // Sending the form twice makes one objection; it is public, and the umpire must rule on it.
    let public = table.site.visitor()?.get(&table.public()).await?;
    public.says("Ada objects to step 1: this is not what I sent.")?.says("I sent score")?;
    assert_eq!(public.text.matches("I sent score").count(), 1);
    // The head of the page has it, with a link to the moment that shows it.
    assert_eq!(public.content("header .objections")?.trim(), "Ada objects to round 1: not answered yet");
    let moment = public.attribute("header .objections a", "href")?;
    table.site.visitor()?.get(&moment).await?.says("I sent score")?;
    let console = table.umpire.get(&table.console).await?;
    console.says("Ada objects to step 1")?.says("/correct?step=1")?;
    table.p2.guest.sends(&address, &form).await?.is(StatusCode::UNAUTHORIZED)?;

    let why = "The thread shows grow at 20:41:10, and nothing else.";
    let form = console.fields(&["head", "objection"])?.with("form", &table.fresh("answer")).with("text", why);
    for _ in 0..2 {
        let ruled = table.umpire.sends(&format!("{}/answer", table.console), &form).await?;
        ensure!(ruled.status.is_success(), "{}", ruled.text);
    }
    ensure!(!table.umpire.get(&table.console).await?.text.contains("objection-"), "it is answered");
    table.p1.page().await?.says("answered by the umpire")?;
    let public = table.site.visitor()?.get(&table.public()).await?;
    assert_eq!(public.content("header .objections")?.trim(), "Ada objects to round 1 (answered)");
    let report = table.checked().await?;
    assert_eq!(report.verdict.to_string(), "so far verified with 1 ruling (recorded by the umpire)");
    Ok(())
}

#[tokio::test]
async fn a_move_that_was_mistyped_is_corrected_and_that_answers() -> Result<()> {
    let table = Table::recorded(Site::seeded("a correction").await?, RULESET).await?;
    let link = table.link("p2").await?;
    table.p2.guest.http.post(&link).send().await?;
    table.records("grow", "claim").await?;
    let page = table.p2.page().await?;
    let (form, step) = (page.field("form")?, page.field("step")?);
    let fields = [("form", form.as_str()), ("step", &step), ("text", "steal")];
    table.p2.guest.post(&format!("{}/object", table.p2.home), &fields).await?.says("waits for")?;
    let page = table.umpire.get(&format!("{}/correct?step=1", table.console)).await?;
    let fields = [("form", page.field("form")?), ("head", page.field("head")?)];
    let mut fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    fields.extend([("step", "1"), ("p1", "grow"), ("p2", "steal"), ("reason", "mistyped"), ("do", "correct")]);
    let done = table.umpire.post(&format!("{}/correct", table.console), &fields).await?;
    ensure!(done.status.is_success(), "{}", done.text);
    table.p2.page().await?.says("answered by the umpire")?.says("Steal")?;
    let history = table.history().await?;
    assert_eq!(history.open_objections().count(), 0);
    Ok(())
}
