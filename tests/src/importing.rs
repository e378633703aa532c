//! Imported matches: pasted, checked, corrected, entered.

mod folder;

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;
use sqlx::{Connection, Executor};

use crate::page::Page;
use crate::pages::import;
use crate::site::{Guest, Site};
use crate::whole_match::fixture;

/// A match of 40 rounds.
const LONG: &str = "five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn";

/// A chat with a typo, an unknown speaker, and no end.
const CHAT: &str = "Black: Scroe, Grow\nWhite: Score, Steal\nGrue: claim\nWhite: good luck\n";

async fn send(umpire: &Guest, page: &Page, fields: &[(&str, &str)]) -> Result<Page> {
    umpire.sends("/umpire/import", &page.fields(&["form"])?.with_all(fields)).await
}

/// The value sent by the button with this label.
fn button(page: &Page, label: &str) -> Result<String> {
    page.button(label)
}

/// The current text in the page's form.
fn text(page: &Page) -> Result<String> {
    page.content("textarea.dmn[rows='14']")
}

#[tokio::test]
async fn a_past_match_is_previewed_then_entered_once() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, played) = (site.umpire().await?, fixture(LONG)?);
    let empty = umpire.get("/umpire/import").await?;
    let send = async |page: &Page, typed: &[(&str, &str)]| send(&umpire, page, typed).await;
    send(&empty, &[("text", " ")]).await?.says("There is nothing to read")?;
    let wrong = played.text.replacen("1. ", "1. jump ", 1).replacen("\n3. ", "\n3. fly ", 1);
    let errors = send(&empty, &[("text", &wrong), ("do", "enter")]).await?;
    errors
        .is(StatusCode::UNPROCESSABLE_ENTITY)?
        .says("2 lines need an answer")?
        .says("<mark>jump</mark>")?
        .says("<mark>fly</mark>")?;
    let running = played.text.lines().take(12).map(|line| format!("{line}\n")).collect::<String>();
    let running = running.replace("[Result \"p1\"]\n", "");
    send(&empty, &[("text", &running)]).await?.says("this one still runs")?;
    let preview = send(&empty, &[("text", &played.text), ("source", "a thread")]).await?;
    preview
        .is(StatusCode::OK)?
        .says("40 steps understood, no question left.")?
        .says("What was understood")?
        .says("40 rounds")?
        .says("Noor – Marlowe")?;
    assert_eq!(site.app.archive().count(&app::archive::Filter::default()).await?.counted, 0);
    let field = preview.field("form")?;
    let typed = [("form", field.as_str()), ("text", &played.text), ("source", "a thread"), ("do", "enter")];
    let (first, second) = (send(&preview, &typed).await?, send(&preview, &typed).await?);
    assert_eq!((first.status, &first.address), (StatusCode::OK, &second.address));
    first.says("entered after it was over")?;
    assert_eq!(site.app.archive().count(&app::archive::Filter::default()).await?.counted, 1);
    Ok(())
}

#[tokio::test]
async fn the_text_of_a_chat_becomes_a_match_press_by_press() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let rules = ("ruleset", "five-card-trick/dm-colosseum-2");
    let mut page = send(&umpire, &umpire.get("/umpire/import").await?, &[("text", CHAT), rules]).await?;
    page.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("the text of a chat")?.says("Black: Scroe, Grow")?;
    ensure!(!page.text.contains("steps understood"), "nobody knows yet who plays");
    let mut given = CHAT.to_owned();
    for label in [
        "Black is player 1, whose name is not known yet",
        "White is player 2, whose name is not known yet",
        "Leave out all that Grue says",
        "Black: score grow",
        "It was decided: Black won",
    ] {
        let fix = button(&page, label).with_context(|| label.to_owned())?;
        let names = ["p1", "p2", "p1-also", "p2-also", "left-out"];
        let known: Vec<String> = names.iter().map(|name| page.field(name)).collect::<Result<_>>()?;
        let fields = [("text", given.as_str()), rules, ("fix", &fix)];
        let fields: Vec<_> = names.into_iter().zip(known.iter().map(String::as_str)).chain(fields).collect();
        page = send(&umpire, &page, &fields).await.with_context(|| label.to_owned())?;
        given = text(&page)?;
    }
    let left_out = page.field("left-out")?;
    assert_eq!((page.status, left_out.as_str()), (StatusCode::OK, "Grue"));
    page.says("1 step understood, no question left.")?;
    page.says("What was understood")?.says("Black – White")?.says("talk")?.says("1. score grow / score steal")?;
    // Nothing is recorded before a confirmation.
    assert_eq!(site.app.archive().count(&app::archive::Filter::default()).await?.counted, 0);
    let names = [("p1", "Black"), ("p2", "White")];
    let fields =
        [("text", given.as_str()), rules, ("left-out", &left_out), ("source", "the thread of May"), ("do", "enter")];
    let entered = send(&umpire, &page, &[names.as_slice(), fields.as_slice()].concat()).await?;
    entered.says("entered after it was over")?;
    let public = site.visitor()?.get(&entered.address.replace("/umpire", "")).await?;
    public.says("the thread of May")?.says("Imported")?;
    // A button is ignored if its line has changed meanwhile.
    let stale = [("text", "Black: score"), rules, ("fix", r#"{"line":{"at":1,"was":"x","now":["y"]}}"#)];
    send(&umpire, &page, &stale).await?.says("changed meanwhile")?.says("Black: score")?;
    Ok(())
}

#[tokio::test]
async fn what_is_wrong_is_shown_however_long_the_text_is() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    // One player says the same on every line, and the other never sends a move.
    let text = "Alice: score\n".repeat(6_000);
    let facts = [("ruleset", "five-card-trick/dm-colosseum-2"), ("p1", "Alice"), ("p2", "Bob"), ("dmo", "p1")];
    let fields: Vec<_> = facts.into_iter().chain([("text", text.as_str())]).collect();
    let page = send(&umpire, &umpire.get("/umpire/import").await?, &fields).await?;
    page.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("One line needs an answer")?.says("data-taken=\"wrong\"")?;
    Ok(())
}

#[tokio::test]
async fn what_a_host_tells_counts_once_and_a_contradiction_is_settled_by_a_press() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let rules = [("ruleset", "five-card-trick/dm-colosseum-2"), ("p1", "Black"), ("p2", "White")];
    let chat = "GM: Round 1: Black played Score, Grow. White played Score, Steal.\nBlack: Steal\nWhite: Claim\n\
                GM: Round 2 results: Black Steal, Score vs White Claim\numpire: result p1 White left\n";
    let page = umpire.get("/umpire/import").await?;
    let page = send(&umpire, &page, &[&[("text", chat)], rules.as_slice()].concat()).await?;
    page.is(StatusCode::UNPROCESSABLE_ENTITY)?
        .says("This tells that Black sent “score steal”, and line 2 says “steal”")?
        .says("2 steps understood, 1 question left.")?;
    for (label, step) in [("Line 2 is right", "2. steal / claim"), ("This line is right", "2. score steal / claim")] {
        let fix = button(&page, label)?;
        let read = send(&umpire, &page, &[&[("text", chat), ("fix", &fix)], rules.as_slice()].concat()).await?;
        assert_eq!(read.status, StatusCode::OK, "{label}");
        read.says("What was understood")?.says(&format!("\n{step}\numpire"))?.says("1. score grow / score steal\n2")?;
    }
    Ok(())
}

#[tokio::test]
async fn one_of_two_matches_in_a_paste_is_read() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, played) = (site.umpire().await?, fixture(LONG)?.text);
    let both = format!("{played}\n{}", played.replace("[P1 \"Noor\"]", "[P1 \"Nora\"]"));
    let page = umpire.get("/umpire/import").await?;
    let page = send(&umpire, &page, &[("text", &both)]).await?;
    page.says("Another match begins here")?;
    for (label, players) in [
        ("Read the match above: leave out this line and all that follow", "Noor – Marlowe"),
        ("Read the match that begins here: leave out all before it", "Nora – Marlowe"),
    ] {
        let fix = button(&page, label)?;
        let read = send(&umpire, &page, &[("text", &both), ("fix", &fix)]).await?;
        read.says("What was understood")?.says(players)?;
    }
    Ok(())
}

/// Sends a file to the page, as a browser does.
async fn upload(umpire: &Guest, page: &Page, name: &str, bytes: &[u8]) -> Result<Page> {
    let form = page.field("form")?;
    let before = format!(
        "--x\r\ncontent-disposition: form-data; name=\"form\"\r\n\r\n{form}\r\n--x\r\n\
         content-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n"
    );
    let body = [before.as_bytes(), bytes, b"\r\n--x--\r\n"].concat();
    let post = umpire.http.post(format!("{}/umpire/import", umpire.address));
    let kind = "multipart/form-data; boundary=x";
    umpire.read(post.header("content-type", kind).body(body).send().await?).await
}

/// A table as Windows spreadsheets write it: in UTF-16, and in Windows-1252.
fn tables(name: &str) -> [Vec<u8>; 2] {
    let table = format!(
        "ruleset;five-card-trick/dm-colosseum-2\r\np1;Zo\u{eb} {name}\r\np2;Bo\r\nround;p1;p2;ruling\r\n1;grow;-;p1 Bo left\r\n"
    );
    let wide = format!("\u{feff}{table}").replace("Zo", "Chlo").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let narrow = table.chars().map(|letter| u8::try_from(u32::from(letter)).expect("a letter of the west")).collect();
    [wide, narrow]
}

#[tokio::test]
async fn files_of_spreadsheets_are_read_and_the_page_says_how() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let page = umpire.get("/umpire/import").await?;
    let [wide, narrow] = tables("Quill");
    upload(&umpire, &page, "a.csv", &wide).await?.says("Chloë Quill – Bo")?.says("were read as UTF-16.")?;
    let read = upload(&umpire, &page, "a.csv", &narrow).await?;
    read.says("Zoë Quill – Bo")?.says("read as Windows-1252: look whether names are right")?;
    // The encoding is shown as long as the text of that file is shown.
    let (text, letters) = (text(&read)?, read.field("letters")?);
    let again = send(&umpire, &read, &[("text", &text), ("letters", &letters)]).await?;
    again.says("read as Windows-1252")?;
    let none = upload(&umpire, &page, "a.png", b"\x89PNG\0\0").await?;
    none.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("This file is no text: there are NUL signs in it")?;
    Ok(())
}

#[tokio::test]
async fn a_match_that_is_there_already_is_named_before_it_is_entered_again() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, played) = (site.umpire().await?, fixture(LONG)?);
    let page = umpire.get("/umpire/import").await?;
    let first = send(&umpire, &page, &[("text", &played.text), ("do", "enter")]).await?;
    let slug = first.address.rsplit('/').next().and_then(|last| last.split('?').next()).context("its name")?.to_owned();
    let other = umpire.get("/umpire/import").await?;
    // With different wording, but the same match.
    let again = played.text.replacen("[Result", "# As I remember it.\n[Result", 1);
    let warned = send(&umpire, &other, &[("text", &again), ("do", "enter")]).await?;
    warned.says("This may be in the record already")?.says(&format!("href=\"/m/{slug}\""))?.says("the same steps")?;
    assert_eq!(site.app.archive().count(&app::archive::Filter::default()).await?.counted, 1);
    let despite = warned.field("despite")?;
    let entered = send(&umpire, &warned, &[("text", &again), ("do", "enter"), ("despite", &despite)]).await?;
    entered.says("entered after it was over")?;
    assert_eq!(site.app.archive().count(&app::archive::Filter::default()).await?.counted, 2);
    Ok(())
}

#[tokio::test]
async fn what_was_entered_by_mistake_is_made_void_and_entered_again() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let match_ = import(&umpire, &fixture(LONG)?.text).await?.address;
    let counted = async || -> Result<bool> {
        while app::statistics::count_some(&site.app).await? > 0 {}
        Ok(anybody.get("/statistics/five-card-trick/genius-puzzler").await?.text.contains("1 finished match."))
    };
    ensure!(counted().await?, "it is counted");
    let console = format!("/umpire{match_}");
    let rule = async |result: &str, text: &str| -> Result<Page> {
        let page = umpire.get(&console).await?;
        let (form, head) = (page.field("form")?, page.field("head")?);
        umpire
            .post(&format!("{console}/rule"), &[("form", &form), ("head", &head), ("result", result), ("text", text)])
            .await
    };
    ensure!(rule("void", " ").await?.status == StatusCode::UNPROCESSABLE_ENTITY, "it says why");
    rule("undecided", "Nobody knows").await?.says("made void where it was entered by mistake")?;
    rule("void", "The seats were the other way round").await?.says("The ruling is recorded")?;
    anybody.get(&match_).await?.says("The seats were the other way round")?.says("Void")?;
    anybody.get(&format!("{match_}/verify")).await?.says("mported with 1 ruling; the moves follow the rules")?;
    anybody.get("/archive?result=void").await?.says(&match_)?;
    ensure!(!counted().await?, "what is void is not counted");
    let console = umpire.get(&console).await?;
    ensure!(!console.text.contains("Make the match void"), "it is void already");
    // It does not block the next import.
    let page = umpire.get("/umpire/import").await?;
    let page = send(&umpire, &page, &[("text", &fixture(LONG)?.text), ("do", "read")]).await?;
    ensure!(!page.text.contains("in the record already"), "{}", page.text);
    import(&umpire, &fixture(LONG)?.text).await?;
    ensure!(counted().await?, "the second one is");
    Ok(())
}

#[tokio::test]
async fn each_ruleset_has_a_table_to_fill_in() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    for ruleset in engine::rulesets() {
        let id = ruleset.card().id;
        let page = umpire.get(&format!("/umpire/import/columns?ruleset={id}")).await?;
        page.says("Above the columns")?.says(&format!("/umpire/import/columns/{id}.csv"))?;
        let file = umpire.get(&format!("/umpire/import/columns/{id}.csv")).await?;
        file.says(&format!("ruleset,{id}\r\n"))?.says("round,p1,p2,draws,ruling,note")?;
    }
    umpire.get("/umpire/import/columns/chess/x.csv").await?.is(StatusCode::NOT_FOUND)?;
    let table = "ruleset,five-card-trick/dm-colosseum-2\np1,Ada\np2,Bo\n\nround,p1,p2,draws,ruling\n1,\"Score, Grow\",-,,result p1 Bo left\n";
    let page = umpire.get("/umpire/import").await?;
    let entered = send(&umpire, &page, &[("text", table), ("do", "enter")]).await?;
    entered.says("entered after it was over")?;
    Ok(())
}

#[tokio::test]
async fn what_no_list_can_show_is_refused_and_nothing_stops_for_it() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, played) = (site.umpire().await?, fixture(LONG)?.text);
    let page = umpire.get("/umpire/import").await?;
    let (before, rest) = played.split_once("[Date \"").context("a date")?;
    let (_, rest) = rest.split_once('"').context("its end")?;
    for date in ["-50000-1-1", "2099-02-30", "1.5.2021"] {
        let dated = format!("{before}[Date \"{date}\"{rest}");
        let refused = send(&umpire, &page, &[("text", &dated), ("do", "enter")]).await?;
        ensure!(refused.status == StatusCode::UNPROCESSABLE_ENTITY, "{date}: {}", refused.status);
        refused.says("is no date")?;
    }
    let preview = send(&umpire, &page, &[("text", &format!("{before}[Date \"9998-11-22\"{rest}"))]).await?;
    preview.says("Date: 9998-11-22 is still to come: by this server")?;
    let preview = send(&umpire, &page, &[("text", &played.replace("\"Noor\"", "\"  \""))]).await?;
    preview.says("P1: Both players need a name.")?;
    // A year alone is a date; a missing date is reported.
    let entered = async |text: &str| {
        let page = umpire.get("/umpire/import").await?;
        send(&umpire, &page, &[("text", text), ("do", "enter")]).await?.says("entered after it was over").map(drop)
    };
    entered(&format!("{before}[Date \"2019\"{rest}")).await?;
    entered(&format!("{before}{}", rest.trim_start_matches("]\n")).replace("\"Noor\"", "\"Nora\"")).await?;
    let reader = site.visitor()?;
    reader.get("/archive?from=2019-01-01&to=2019-12-31").await?.says("1 match")?;
    reader.get("/archive?q=nora").await?.says("undated")?;

    // A log may contain matches from before a rule that refuses them: the matches after them are still in the archive.
    let mut owner = sqlx::PgConnection::connect_with(&site.database).await?;
    owner
        .execute(
            "create function refuse() returns trigger language plpgsql as \
             $$begin raise 'a date of the year -50000' using errcode = '22008'; end$$; \
             create trigger refuse before insert on archive for each row when (new.p1 = 'Noor') execute function refuse(); \
             delete from archive; delete from archive_cursor",
        )
        .await?;
    site.app.index.follow().await?;
    let list = reader.get("/archive.ndjson").await?.text;
    ensure!(list.lines().count() == 1 && list.contains("Nora"), "{list}");
    Ok(())
}
