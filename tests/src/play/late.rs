//! Late answers: the umpire sees them, and they count only by a ruling.

use anyhow::{Context, Result, ensure};
use engine::Seat;
use reqwest::StatusCode;
use serde_json::json;

use super::table::{Player, RULESET, Table};
use crate::browser::Browser;
use crate::site::Site;

#[tokio::test]
async fn a_players_late_answer_is_kept_and_a_ruling_admits_it() -> Result<()> {
    let table = Table::with_links(RULESET, true, &["p1"]).await?;
    let page = table.p1.page().await?;
    // The deadline only rings, because the other seat has no link.
    table.passes(600);
    let refused = table.p1.sends(&page.field("decision")?, &page.field("submit")?, "grow").await?;
    refused.is(StatusCode::CONFLICT)?.says("The umpire has it")?;
    let console = table.umpire.get(&table.console).await?;
    console.says("Ada: late, not counted")?;
    let late = console.content("[data-renewed=late] .hint")?;
    ensure!(late.starts_with("arrived ") && late.ends_with(" s after the deadline"), "{late}");
    table.admits("p1").await?;
    let history = table.history().await?;
    let ruling = history.admitted(&"d1".parse()?, Seat::P1).map(|entry| entry.0).unwrap_or_default();
    let page = table.p1.page().await?;
    page.says("sent late, admitted by the umpire")?.says("Round 1: you sent your move late")?;
    page.says(&format!("/verify#e{ruling}\">entry {ruling} of the record"))?;
    ensure!(!page.text.contains("typed for you by the umpire"), "{}", page.text);
    table.p1.guest.get(&format!("{}/receipt/d1/0", table.p1.home)).await?.says("sent late, admitted by the umpire")?;
    table.types_sent("p2", "claim", "20:00:30").await?;
    table.closes().await?;
    let history = table.history().await?;
    assert_eq!(history.steps.first().map(|step| step.public.as_str()), Some("1. grow / claim"));
    Ok(())
}

#[tokio::test]
async fn a_late_move_stays_on_the_seats_page_while_its_round_is_open() -> Result<()> {
    let table = Table::with_links(RULESET, true, &["p1"]).await?;
    let decision = table.p1.page().await?.field("decision")?;
    table.passes(600);
    table.p1.sends(&decision, &table.fresh("late"), "grow").await?.is(StatusCode::CONFLICT)?;
    let told = table.p1.page().await?.content("[data-region=late]")?;
    ensure!(told.contains("Round 1: too late, not counted. Grow, arrived "), "{told}");
    ensure!(told.contains("The umpire has it and can admit it."), "{told}");
    // It is still secret, so a link that was made later does not show it.
    table.passes(1);
    let other = table.site.visitor()?;
    let seat = other.read(other.http.post(table.link("p1").await?).send().await?).await?;
    assert_eq!(seat.content("[data-region=late]")?, "");
    table.admits("p1").await?;
    table.p1.page().await?.says("Round 1: your late move (Grow) counts: the umpire admitted it.")?;
    assert_eq!(other.get(&table.p1.home).await?.content("[data-region=late]")?, "");
    Ok(())
}

#[tokio::test]
async fn each_late_move_is_admitted_where_the_notice_on_top_leads() -> Result<()> {
    // Of seat 2 alone, and of both.
    for (linked, typed, late) in [("p2", None, &["p2"][..]), ("p1", Some("p2"), &["p1", "p2"])] {
        let table = Table::with_links(RULESET, true, &[linked]).await?;
        let player = if linked == "p1" { &table.p1 } else { &table.p2 };
        let decision = player.page().await?.field("decision")?;
        table.passes(600);
        player.sends(&decision, &table.fresh("late"), "grow").await?.is(StatusCode::CONFLICT)?;
        if let Some(seat) = typed {
            table.types(seat, "claim").await?.says("counts only if you admit it")?;
        }
        let (console, admit) = (table.umpire.get(&table.console).await?, format!("{}/admit", table.console));
        let links = console.attributes("[data-renewed=late] a", "href")?;
        assert_eq!(links.len(), late.len(), "{}", console.text);
        let mut id = "";
        for (link, seat) in links.iter().zip(late) {
            id = link.split_once('#').context("an id")?.1;
            assert_eq!(console.attributes(&format!("form#{id} [name=seat]"), "value")?, [*seat]);
        }
        // What is refused is shown in its own form, and in no other.
        let refused = table.umpire.fills_in(&console, &admit, &[("text", " ")]).await?;
        assert_eq!(refused.link("Go to the form")?, Some(format!("#{id}")));
        assert_eq!(
            refused.contents(&format!("form#{id} .error"))?,
            refused.contents("form[id^=form-admitted] .error")?
        );
        let text = [("text", "The chat was down")];
        table.umpire.fills_in(&refused, &admit, &text).await?.says("The late move is admitted")?;
        let history = table.history().await?;
        let admitted = [Seat::P1, Seat::P2].map(|seat| history.admitted(&decision.parse().ok()?, seat));
        ensure!(admitted[0].is_none() && admitted[1].is_some(), "{admitted:?}");
    }
    Ok(())
}

#[tokio::test]
async fn what_came_after_the_close_is_shown_to_the_umpire_alone() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    let page = table.p1.page().await?;
    let clock = table.open_clock().await?;
    table.passes(clock + 2);
    table.until("recorded round 1:").await?;
    table.passes(2);
    let stood = table.site.visitor()?.get(&table.public()).await?.text;
    // Before one has arrived, the console says how one comes in, and where one that was told is entered.
    let acts = table.umpire.get(&table.console).await?;
    acts.says("A move that a player sends too late appears under “Needs you”.")?;
    let correct = format!("{}/correct?step=1", table.console);
    assert_eq!(acts.attributes("#late-moves a", "href")?, [correct.as_str()]);
    table.umpire.get(&correct).await?.says("Correct round 1")?;
    table.p1.sends(&page.field("decision")?, &table.fresh("late"), "steal").await?.is(StatusCode::CONFLICT)?;
    let console = table.umpire.get(&table.console).await?;
    console.says("Ada: came after the close, not counted.")?.says("Admit it: correct round 1")?;
    // Its arrival is known, and not when it was pressed.
    let late = console.content("[data-renewed=late] .hint")?;
    ensure!(late.starts_with("arrived ") && late.ends_with(", 2 s after the close"), "{late}");
    // The correction is filled in: with what came late, and with what the other seat sent. No address has either.
    let typed = |seat: &str| console.attributes(&format!("form[method=post][action$=correct] [name={seat}]"), "value");
    ensure!(typed("p1")? == ["steal"] && typed("p2")?.len() == 1, "{}", console.text);
    let late = typed("late")?;
    assert_eq!(late, ["p1"]);
    let filled = [("step", "1"), ("late", &late[0]), ("p1", "steal"), ("p2", &typed("p2")?[0])];
    let preview = table.act("correct", &filled).await?;
    // It says what it is for, also where it is sent again.
    assert_eq!(preview.content("h1")?, "Admit Ada’s late move: correct round 1");
    preview.says("This admits the late move of Ada: then it counts.")?.says("Why, shown to everybody (required)")?;
    assert_eq!(preview.attributes("form [name=late]", "value")?, ["p1", "p1"]);
    preview.says("Nothing is recorded yet")?;
    // It opens at its title, and what is crossed out can be read.
    assert_eq!(preview.contents(".dmn.was")?, ["1. no move / no move"]);
    ensure!(preview.attributes("main [autofocus]", "name")?.is_empty(), "{}", preview.text);
    assert_eq!(table.site.visitor()?.get(&table.public()).await?.text, stood);
    // The player's page says it, also when it is loaded again; the opponent's never does.
    let says = async |words: &str| -> Result<()> {
        table.p1.page().await?.says(words)?;
        let other = table.p2.page().await?.text;
        let told =
            ["after the close", "too late", "late answer", "late move"].into_iter().find(|words| other.contains(words));
        ensure!(told.is_none(), "it is told to the opponent: {told:?}");
        Ok(())
    };
    says("Round 1: too late, not counted.").await?;
    let confirmed = [&filled[..], &[("reason", "Half a second late"), ("do", "correct")]].concat();
    table.act("correct", &confirmed).await?.is(StatusCode::OK)?;
    // Once it counts nobody says any more that it does not.
    let console = table.umpire.get(&table.console).await?;
    ensure!(!console.text.contains("came after the close"), "{}", console.text);
    console.says("Correction, round 1: Half a second late.")?.says("Ada: Steal; before: no move")?;
    let page = table.p1.page().await?;
    page.says("Round 1: your late move (Steal) counts: the umpire admitted it")?
        .says("sent late, admitted by the umpire")?;
    // It has no receipt, and the page says where the record has it.
    let history = table.history().await?;
    let entry = history.strikes.first().map(|strike| strike.entry.0).unwrap_or_default();
    page.says("Round 1: you sent your move late")?.says(&format!("/verify#e{entry}\">entry {entry} of the record"))?;
    ensure!(!table.p2.page().await?.text.contains("you sent your move late"), "that is told to the player alone");
    ensure!(!page.text.contains("typed by the umpire"), "the player sent it: {}", page.text);
    // Both are told, and not only in the list of all acts.
    for player in [&table.p1, &table.p2] {
        let page = player.page().await?;
        let news = page.contents(".table-alerts dialog")?.join(" ");
        ensure!(news.contains("The umpire corrected round 1.") && news.contains("Half a second late"), "{news}");
    }
    Ok(())
}

/// True if the button that corrects is on the first screen, and nothing lies over it.
const IN_SIGHT: &str = "const button = document.querySelector('button[value=correct]'), box = button.getBoundingClientRect(); \
    return scrollY === 0 && box.bottom <= innerHeight && \
        button.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2))";

#[tokio::test]
async fn a_late_move_is_admitted_on_one_screen() -> Result<()> {
    let table = Table::on(Site::start().await?, RULESET, false, &["p1", "p2"]).await?;
    let decision = table.p1.page().await?.field("decision")?;
    table.p2.submits("claim").await?.says("move received.")?;
    table.closes().await?;
    table.p1.sends(&decision, &table.fresh("late"), "steal").await?.is(StatusCode::CONFLICT)?;
    let browser = Browser::open(1280, false, true).await?;
    browser.client.goto(&table.site.sign_in_link().await?).await?;
    browser.sign_in().await?;
    browser.resize((1280, 800)).await?;
    browser.client.goto(&format!("{}{}", table.site.address, table.console)).await?;
    browser.press("[data-renewed=late] form button").await?;
    browser.until("Nothing is recorded yet").await?;
    assert_eq!(browser.client.execute(IN_SIGHT, vec![]).await?, json!(true));
    browser.axe("a correction that admits a late move").await?;
    browser.picture("admit-late").await?;
    browser.tells("Emulation.clearDeviceMetricsOverride", json!({})).await?;
    browser.close().await
}

#[tokio::test]
async fn a_correction_of_one_seats_move_says_nothing_about_the_other_seats() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    table.p1.submits("grow").await?.says("move received.")?;
    table.p2.submits("claim").await?.says("move received.")?;
    table.closes().await?;
    let of_umpire = async |player: &Player| anyhow::Ok(player.page().await?.text.contains("typed by the umpire"));
    ensure!(!of_umpire(&table.p1).await? && !of_umpire(&table.p2).await?, "both sent it themselves");
    let amended = |p1, p2| [("step", "1"), ("p1", p1), ("p2", p2), ("reason", "A slip"), ("do", "correct")];
    table.act("correct", &amended("grow", "steal")).await?.is(StatusCode::OK)?;
    ensure!(!of_umpire(&table.p1).await?, "Ada’s own move stays hers");
    ensure!(of_umpire(&table.p2).await?, "the umpire typed Bo’s");
    // Through a second correction each keeps its author.
    table.act("correct", &amended("score", "steal")).await?.is(StatusCode::OK)?;
    ensure!(of_umpire(&table.p1).await? && of_umpire(&table.p2).await?, "both are the umpire’s now");
    Ok(())
}

#[tokio::test]
async fn what_a_second_umpire_typed_is_given_back_where_the_round_was_closed() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let page = table.umpire.get(&table.console).await?;
    let (form, close) = (page.fields(&["decision", "form", "head"])?, format!("{}/close", table.console));
    let sends = async |typed: &[(&str, &str)]| table.umpire.sends(&close, &form.clone().with_all(typed)).await;
    let first = sends(&[("p1", "grow"), ("p2", "claim")]).await?;
    ensure!(first.status.is_success() && !first.text.contains("to copy"), "{}", first.text);
    let second = sends(&[("form", &table.fresh("second")), ("p1", "score"), ("p2", "steal")]).await?;
    second.is(StatusCode::CONFLICT)?.says("score")?.says("steal")?;
    // The first form has already done its work.
    let again = sends(&[("p1", "grow"), ("p2", "claim")]).await?;
    ensure!(again.status.is_success(), "{}", again.text);
    assert_eq!(table.history().await?.steps.len(), 1);
    Ok(())
}

#[tokio::test]
async fn a_players_late_answer_is_exchanged_for_no_other() -> Result<()> {
    let table = Table::with_links(RULESET, true, &["p1"]).await?;
    let decision = table.p1.page().await?.field("decision")?;
    table.passes(600);
    let nonsense = table.p1.sends(&decision, &table.fresh("nonsense"), "win everything").await?;
    assert_eq!(
        nonsense.status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "what the rules refuse is not kept: {}",
        nonsense.text
    );
    let first = table.fresh("first");
    table.p1.sends(&decision, &first, "grow").await?.says("The umpire has it")?;
    table.p1.sends(&decision, &first, "grow").await?.says("The umpire has it")?;
    let before = table.p1.sends(&decision, &table.fresh("second"), "score").await?;
    before.is(StatusCode::CONFLICT)?.says("The umpire has your first late move")?;
    table.admits("p1").await?;
    // The ruling is public; the admitted answer stays.
    table.p1.sends(&decision, &table.fresh("third"), "steal").await?.is(StatusCode::CONFLICT)?;
    table.types_sent("p2", "claim", "20:00:30").await?;
    table.closes().await?;
    let history = table.history().await?;
    assert_eq!(history.steps.first().map(|step| step.public.as_str()), Some("1. grow / claim"));
    Ok(())
}

#[tokio::test]
async fn what_the_umpire_typed_goes_before_what_the_player_sent_and_keeps_it_out_of_nothing() -> Result<()> {
    let table = Table::with_links(RULESET, true, &["p1"]).await?;
    let decision = table.p1.page().await?.field("decision")?;
    table.passes(600);
    table.types_sent("p1", "claim", "20:05:00").await?;
    table.p1.sends(&decision, &table.fresh("own"), "grow").await?.says("The umpire has it")?;
    table.admits("p1").await?;
    table.types_sent("p2", "score", "20:00:30").await?;
    table.closes().await?;
    let history = table.history().await?;
    assert_eq!(history.steps.first().map(|step| step.public.as_str()), Some("1. claim / score"));
    let page = table.p1.page().await?;
    ensure!(!page.text.contains("you sent your move late"), "what was typed counts in its place: {}", page.text);
    page.says("Round 1: your late move (Claim) counts")?;
    Ok(())
}

/// Each notice is told once: it ends when the umpire leaves the move out, and with the next round.
#[tokio::test]
async fn no_notice_of_a_late_move_stays_above_later_rounds() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let late = async |player: &Player, decision: &str, text: &str| {
        player.sends(decision, &table.fresh(text), text).await?.is(StatusCode::CONFLICT).map(drop)
    };
    table.closes().await?;
    late(&table.p1, "d1", "steal").await?;
    table.passes(1);
    late(&table.p2, "d1", "claim").await?;
    let console = table.umpire.get(&table.console).await?;
    console.says("Ada: came after the close, not counted.")?.says("Bo: came after the close, not counted.")?;
    let forms = console.attributes("form[action$=leave-out] [name=late]", "value")?;
    let left = table.umpire.post(&format!("{}/leave-out", table.console), &[("late", &forms[1])]).await?;
    left.is(StatusCode::OK)?.says("Bo: came after the close, not counted.")?;
    ensure!(!left.text.contains("Ada: came after the close"), "{}", left.text);
    table.p1.page().await?.says("The umpire left it out.")?;
    table.p2.page().await?.says("The umpire has it and can admit it.")?;
    // A player closes the notice.
    assert_eq!(table.p1.page().await?.contents("[data-region=late] dialog form[method=dialog] button")?, ["OK"]);
    table.closes().await?;
    let console = table.umpire.get(&table.console).await?;
    ensure!(!console.text.contains("came after the close"), "{}", console.text);
    for player in [&table.p1, &table.p2] {
        let page = player.page().await?;
        assert_eq!(page.content("[data-region=late]")?, "");
        page.says("came too late,")?;
    }
    Ok(())
}

#[tokio::test]
async fn whoever_sent_a_move_is_told_what_became_of_it_when_the_umpire_takes_the_typing_over() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    table.p1.submits("grow").await?.says("move received.")?;
    table.act("go-on-recorded", &[("clause", ""), ("text", "Ada\u{2019}s line is dead")]).await?.is(StatusCode::OK)?;
    let page = table.p1.page().await?;
    page.says("Round 1: your move does not count.")?.says("The umpire types the moves from now on.")?;
    page.says("does not count: its question was taken back")?;
    let other = table.p2.page().await?;
    ensure!(!other.text.contains("your move does not count"), "Bo sent nothing: {}", other.text);
    table.umpire.get(&table.console).await?.says("Ada\u{2019}s move, Round 1: does not count.")?;
    table.records("grow", "claim").await?;
    for page in [table.p1.page().await?, table.umpire.get(&table.console).await?] {
        ensure!(
            !page.text.contains("move does not count") && !page.text.contains(": does not count."),
            "{}",
            page.text
        );
    }
    Ok(())
}
