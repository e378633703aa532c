//! The acts of an umpire around the game: warnings, decisions, handovers, private notes, and planned matches.

use anyhow::{Context, Result, ensure};
use app::archive::Filter;
use reqwest::StatusCode;

use crate::site::Site;
use crate::whole_match::{fixture, open, record};

const FIXTURE: &str = "five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn";

#[tokio::test]
async fn warnings_are_counted_by_seat_and_quote_a_rule() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let console = open(&umpire, &fixture(FIXTURE)?).await?;
    let to = format!("{console}/warn");
    for (typed, words) in [
        (vec![("seat", "p3"), ("text", "Late")], "Say who is warned"),
        (vec![("seat", "p1"), ("text", "")], "Say why"),
        (vec![("seat", "p1"), ("text", "Late"), ("clause", "9.9")], "no such clause"),
    ] {
        let refused = umpire.fills_in(&umpire.get(&console).await?, &to, &typed).await?;
        refused.is(StatusCode::UNPROCESSABLE_ENTITY)?.says(words)?;
        // The reason is at the top, where the page begins, and beside the field.
        let notice = refused.content(".notice[role=alert][autofocus]")?;
        ensure!(notice.contains("Nothing was recorded") && notice.contains(words), "{notice}");
        ensure!(refused.content("#form-warned .error")?.contains(words), "{}", refused.text);
    }
    for why in ["Late to the table", "Late again"] {
        let page = umpire.get(&console).await?;
        umpire
            .fills_in(&page, &to, &[("seat", "p2"), ("text", why), ("clause", "1.8")])
            .await?
            .says("The warning is recorded")?;
    }
    umpire.get(&console).await?.says("2 warnings")?.says("<b>Warning to Okapi</b> on rule 1.8: Late again")?;
    let public = console.replace("/umpire", "");
    let anybody = site.visitor()?;
    anybody
        .get(&format!("{public}/verify"))
        .await?
        .says("2 warnings")?
        .says("warning to Okapi (rule 1.8): Late again")?;
    // A ruling after a round is shown where that round ends, and nowhere before.
    record(&umpire, &console, "1. grow / claim").await?;
    let page = umpire.get(&console).await?;
    umpire.fills_in(&page, &to, &[("seat", "p1"), ("text", "Too loud"), ("clause", "1.8")]).await?;
    let after = anybody.get(&format!("{public}/r/1/after")).await?;
    after.says("<b>Warning to Quill.</b> Too loud. <a class=\"rule\"")?;
    umpire.get(&console).await?.says("Warning to Quill, rule 1.8: Too loud.\n")?;
    for beat in ["before", "choices"] {
        let page = anybody.get(&format!("{public}/r/1/{beat}")).await?;
        ensure!(!page.text.contains("Too loud"), "{beat}: {}", page.text);
    }
    // It was given before the round was struck: it stays with the struck round, above the strike, and is not told of
    // the round that was played in its place.
    let strike = umpire.get(&format!("{console}/strike?from=1")).await?;
    umpire.fills_in(&strike, &format!("{console}/strike"), &[("reason", "The wrong picture")]).await?;
    record(&umpire, &console, "1. score / claim").await?;
    let sheet = anybody.get(&public).await?.text;
    let place = |words: &str| sheet.find(words).with_context(|| format!("{words}: {sheet}"));
    ensure!(place("Too loud")? < place("Round 1 was struck.")?, "{sheet}");
    ensure!(!anybody.get(&format!("{public}/r/1/after")).await?.text.contains("Too loud"), "it was another round");
    let check = anybody.get(&format!("{public}/verify")).await?;
    check.says("3 warnings and 1 strike.")?;
    Ok(())
}

#[tokio::test]
async fn a_match_is_handed_over_and_the_archive_knows_both_umpires() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, vera) = (site.umpire().await?, site.umpire_called("Vera").await?);
    let console = open(&umpire, &fixture(FIXTURE)?).await?;
    let page = umpire.get(&console).await?;
    let id = page.option("Vera")?;
    let to = format!("{console}/hand");
    // A closed account cannot take over a match.
    let (pool, system) = (site.app.pool(), site.app.system());
    let gus = app::account::add(pool, system, &app::account::OPERATOR, "Gus").await?;
    umpire.get(&console).await?.says(">Gus<")?;
    app::account::set_closed(pool, system, &app::account::OPERATOR, &gus, true).await?;
    ensure!(!umpire.get(&console).await?.text.contains(">Gus<"), "the account is closed");
    umpire.fills_in(&page, &to, &[("to", &gus.id), ("text", "x")]).await?.says("Say whose match it becomes")?;
    umpire.fills_in(&page, &to, &[("to", &id), ("text", "")]).await?.says("Say why")?;
    umpire.fills_in(&page, &to, &[("to", "nobody"), ("text", "x")]).await?.says("Say whose match it becomes")?;
    umpire.fills_in(&page, &to, &[("to", &id), ("text", "Ursula plays herself")]).await?.says("handed over")?;
    umpire.get(&console).await?.says("This is the match of Vera")?.says("Ursula handed the match to Vera")?;
    let hers = vera.get(&console).await?;
    ensure!(!hers.text.contains("This is the match of"), "it is hers");
    record(&vera, &console, "1. score / grow").await?;
    let mut both = Vec::new();
    for name in ["Ursula", "Vera"] {
        let id = app::account::named(site.app.pool(), name).await?.id;
        let listed = site.app.archive().list(&Filter { umpire: Some(id.clone()), ..Filter::default() }, None).await?;
        assert_eq!(listed.matches.len(), 1, "{name} has run it");
        both.push(id);
    }
    let umpires: Vec<String> =
        sqlx::query_scalar("select umpires from archive").fetch_one(&mut site.owner().await?).await?;
    assert_eq!(umpires, both);
    let public = console.replace("/umpire", "");
    let verified = site.visitor()?.get(&format!("{public}/verify")).await?;
    verified.says("Handed to another umpire once")?.says("Ursula plays herself")?;
    Ok(())
}

#[tokio::test]
async fn a_private_note_is_for_the_matchs_umpire_and_helpers_alone() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let console = open(&umpire, &fixture(FIXTURE)?).await?;
    let page = umpire.get(&console).await?;
    let to = format!("{console}/private-note");
    umpire.fills_in(&page, &to, &[("text", " ")]).await?.says("A note says something")?;
    umpire
        .fills_in(&page, &to, &[("text", "Quill was unwell at noon")])
        .await?
        .says("Only the umpire of this match and the helpers see it")?;
    umpire.get(&console).await?.says("Quill was unwell at noon")?;
    let vera = site.umpire_called("Vera").await?;
    let others = vera.get(&console).await?;
    others.is(StatusCode::FORBIDDEN)?;
    ensure!(!others.text.contains("unwell"), "{}", others.text);
    let links = format!("{console}/links");
    let id = umpire.get(&links).await?.option("Vera")?;
    umpire.post(&links, &[("helper", &id)]).await?.says("Dismiss")?;
    vera.get(&console).await?.says("Quill was unwell at noon")?;
    let public = console.replace("/umpire", "");
    let anybody = site.visitor()?;
    for path in ["", ".json", ".ndjson", ".dmn", ".bundle", "/verify"] {
        let page = anybody.get(&format!("{public}{path}")).await?;
        ensure!(!page.text.contains("unwell"), "{path}");
    }
    anybody.get(&console).await?.is(StatusCode::UNAUTHORIZED)?;
    Ok(())
}

#[tokio::test]
async fn helpers_and_commentators_end_with_a_handover_and_stand_in_what_was_done() -> Result<()> {
    let site = Site::start().await?;
    let (ursula, otto, hella) =
        (site.umpire().await?, site.umpire_called("Otto").await?, site.umpire_called("Hella").await?);
    let console = open(&ursula, &fixture(FIXTURE)?).await?;
    let (links, hand) = (format!("{console}/links"), format!("{console}/hand"));
    let id = ursula.get(&links).await?.option("Hella")?;
    ursula.post(&links, &[("helper", &id)]).await?.says("Dismiss")?;
    ursula.post(&links, &[("commentator", &id)]).await?;
    let page = hella.get(&console).await?;
    page.is(StatusCode::OK)?.says("Ursula named Hella as helper")?;
    // A helper gives the match to nobody, and is offered nobody.
    ensure!(page.option("Otto").is_err(), "{}", page.text);
    let to = account_of(&site, "Otto").await?;
    let given = hella.fills_in(&page, &hand, &[("to", &to), ("text", "Otto wants it")]).await?;
    given.is(StatusCode::FORBIDDEN)?;
    let taken = otto.fills_in(&otto.get(&console).await?, &hand, &[("text", "Ursula is away")]).await?;
    taken.says("which ended its helpers and commentators")?.says("named Hella as commentator")?;
    for page in [console.as_str(), links.as_str()] {
        hella.get(page).await?.is(StatusCode::FORBIDDEN)?;
    }
    otto.get(&links).await?.says("No helpers.")?.says("No commentators.")?;
    // Nor do they come back with the match.
    let to = account_of(&site, "Ursula").await?;
    otto.fills_in(&otto.get(&console).await?, &hand, &[("to", &to), ("text", "She is back")]).await?;
    hella.get(&console).await?.is(StatusCode::FORBIDDEN)?;
    Ok(())
}

async fn account_of(site: &Site, name: &str) -> Result<String> {
    Ok(app::account::named(site.app.pool(), name).await?.id)
}

#[tokio::test]
async fn a_tick_that_only_the_players_own_moves_can_have_is_never_dropped() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let page = umpire.get("/umpire/open").await?;
    let typed = [
        ("ruleset", "five-card-trick/dm-colosseum-2"),
        ("p1", "Ada"),
        ("p2", "Bo"),
        ("event", "Lantern Cup"),
        ("clocks", "on"),
        ("starts", "at-once"),
        ("invites", "on"),
    ];
    let refused = umpire.fills_in(&page, "/umpire/open", &typed).await?;
    refused.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("A clock is only for moves that the players send")?;
    refused.says("Links to play by are only for players")?.says("value=\"Lantern Cup\"")?;
    // Each names the box that it is about.
    for named in ["or untick “A clock closes each round”.", "or untick “Make both links at once”."] {
        refused.says(named)?;
    }
    for kept in ["[name=clocks][checked]", "[name=starts][value=at-once][checked]", "[name=invites][checked]"] {
        refused.attribute(kept, "name")?;
    }
    let opened = umpire.fills_in(&refused, "/umpire/open", &[&typed[..], &[("live", "on")]].concat()).await?;
    opened.says("A link for Ada")?;
    Ok(())
}

#[tokio::test]
async fn the_form_offers_both_links_and_asks_only_what_the_site_can_do() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let page = umpire.get("/umpire/open").await?;
    let offered = page.attribute("[name=invites][checked]", "value")?;
    page.says("Name of player 1")?.says(">DM Colosseum 2, Five-Card Trick</option>")?;
    page.says(">DM Colosseum 2, Thwart 13</option>")?;
    ensure!(page.attributes("[name=wait]", "name")?.is_empty(), "it has no witnesses: {}", page.text);
    // What needs the players' own moves is marked for the style sheet, which hides it until they are chosen.
    let marked = page.attributes(".needs-live input[type=checkbox], .needs-clock input[type=checkbox]", "name")?;
    assert_eq!(marked, ["clocks", "early", "looks", "invites"]);
    let typed =
        [("ruleset", "five-card-trick/dm-colosseum-2"), ("p1", "Ada"), ("p2", "Bo"), ("invites", offered.as_str())];
    // Where the umpire types both moves, it means nothing.
    let recorded = umpire.opens(&typed).await?;
    recorded.is(StatusCode::OK)?.says("The match is open.")?;
    let live = umpire.opens(&[&typed[..], &[("live", "on")]].concat()).await?;
    live.says("A link for Ada")?.says("A link for Bo")?;
    Ok(())
}

#[tokio::test]
async fn a_planned_match_is_announced_until_it_is_opened_with_everything_that_was_planned() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let page = umpire.get("/umpire/open").await?;
    let typed = [
        ("ruleset", "five-card-trick/dm-colosseum-2"),
        ("p1", "Ada"),
        ("p2", "Bo"),
        ("event", "Lantern Cup"),
        ("live", "on"),
        ("looks", "on"),
        ("invites", "on"),
        ("do", "plan"),
    ];
    let refused = umpire.fills_in(&page, "/umpire/open", &typed).await?;
    refused
        .is(StatusCode::UNPROCESSABLE_ENTITY)?
        .says("Enter the day and time of the start")?
        .says("value=\"Lantern Cup\"")?;
    let with_time = [&typed[..], &[("begins", "2126-11-20T20:00")]].concat();
    for _ in 0..2 {
        let desk = umpire.fills_in(&page, "/umpire/open", &with_time).await?;
        assert_eq!(desk.text.matches("<th scope=\"row\"><a href=\"/umpire/open?plan=").count(), 1, "{}", desk.text);
        desk.says("Ada – Bo")?.says("20 Nov 2126, 20:00 UTC")?;
    }
    let home = anybody.get("/").await?;
    home.says("20 Nov 2126, 20:00 UTC")?.says("Ada – Bo")?;
    ensure!(home.attributes(".listing .name", "href")?.is_empty(), "nobody who has not played has a page");
    assert_eq!(site.app.archive().list(&Filter::default(), None).await?.matches.len(), 0);
    let desk = umpire.get("/umpire").await?;
    let form = umpire.get(&desk.attribute("a[href^='/umpire/open?plan=']", "href")?).await?;
    form.says("value=\"Lantern Cup\"")?.says("name=\"looks\" value=\"on\" checked")?;
    let opening = [&typed[..typed.len() - 1], &[("do", "open")]].concat();
    let first = umpire.fills_in(&form, "/umpire/open", &opening).await?;
    first.says("A link for Ada")?.says("A link for Bo")?;
    // Sent again, it opens no second match, and shows the same links.
    let second = umpire.fills_in(&form, "/umpire/open", &opening).await?;
    assert_eq!(first.private_link()?, second.private_link()?);
    let listed = site.app.archive().list(&Filter::default(), None).await?;
    assert_eq!(listed.matches.len(), 1);
    let history = site.app.matches.history(ledger::MatchId(listed.matches[0].match_id)).await?;
    assert_eq!(history.umpire_looks(), Some(true));
    ensure!(!anybody.get("/").await?.text.contains("2126"), "it is opened, and announced no longer");
    // Announced again, the names of those who have played lead to them.
    let form = umpire.get("/umpire/open").await?;
    umpire.fills_in(&form, "/umpire/open", &with_time).await?;
    assert_eq!(anybody.get("/").await?.attributes(".listing .name", "href")?, ["/players/ada", "/players/bo"]);
    Ok(())
}

#[tokio::test]
async fn a_plan_that_is_dropped_is_announced_no_longer() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let page = umpire.get("/umpire/open").await?;
    let typed = [
        ("ruleset", "five-card-trick/dm-colosseum-2"),
        ("p1", "Ada"),
        ("p2", "Bo"),
        ("begins", "2126-11-20 20:00"),
        ("do", "plan"),
    ];
    let desk = umpire.fills_in(&page, "/umpire/open", &typed).await?;
    for _ in 0..2 {
        let after = umpire.fills_in(&desk, "/umpire/plan/drop", &[]).await?;
        ensure!(!after.text.contains("2126"), "{}", after.text);
    }
    umpire.post("/umpire/plan/drop", &[("plan", "x")]).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?;
    Ok(())
}

#[tokio::test]
async fn words_are_withdrawn_by_the_umpire_of_the_match_a_helper_or_an_admin() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, vera) = (site.umpire().await?, site.umpire_called("Vera").await?);
    let console = open(&umpire, &fixture(FIXTURE)?).await?;
    let words = format!("/withdraw{}", console.replace("/umpire", ""));
    let erase = [("word", "0:names.p1"), ("asked", "yes")];
    for page in [
        vera.get(&words).await?,
        vera.post(&words, &erase).await?,
        vera.get("/withdraw/players/quill").await?,
        vera.post("/withdraw/players/quill", &[("asked", "yes")]).await?,
    ] {
        page.is(StatusCode::FORBIDDEN)?;
    }
    let match_id = site.app.matches.match_of(words.rsplit('/').next().unwrap_or_default()).await?;
    let before = site.app.commands.words(match_id).await?.len();
    let (pool, system) = (site.app.pool(), site.app.system());
    let hers = app::account::named(pool, "Vera").await?;
    // A helper does, and an admin: also every match of a name.
    umpire.post(&format!("{console}/links"), &[("helper", &hers.id)]).await?.is(StatusCode::OK)?;
    vera.post(&words, &erase).await?.is(StatusCode::OK)?.says("1 text was erased")?;
    umpire.post(&format!("{console}/links"), &[("dismiss", &hers.id)]).await?.is(StatusCode::OK)?;
    vera.post(&words, &[("word", "0:names.p2"), ("asked", "yes")]).await?.is(StatusCode::FORBIDDEN)?;
    app::account::set_role(pool, system, &app::account::OPERATOR, &hers, app::account::Role::Admin).await?;
    vera.post("/withdraw/players/okapi", &[("asked", "yes")]).await?.says("Erased 1 time")?;
    assert_eq!(site.app.commands.words(match_id).await?.len() + 2, before);
    Ok(())
}
