//! Viewing a match again: with one seat's knowledge, with struck rounds, without spoilers, in a frame, and as a replay.

mod acts;
mod cards;
mod comments;
mod screens;
mod sides;

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use fantoccini::Locator;
use fantoccini::key::Key;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::archive::played;
use crate::browser::Browser;
use crate::page::Page;
use crate::pages::import;
use crate::site::{Guest, Site};
use crate::umpire_acts::perform;
use crate::wait::until;
use crate::whole_match::{fixture, open, record};

const PUZZLER: &str = "five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn";
const COLOSSEUM: &str = "five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn";

/// Corrects a step of the match at this address.
async fn correct(site: &Site, public: &str, step: u32, p1: &str) -> Result<()> {
    let history = site.app.matches.history_of(public.trim_start_matches("/m/")).await?;
    let correction = json!({ "step": step, "moves": { "p1": p1 }, "reason": "Mistyped" });
    perform(&site.app, &history, "correct", correction).await?;
    Ok(())
}

/// Ends the match at this address: p1 won.
async fn end(site: &Site, public: &str) -> Result<()> {
    let slug = public.trim_start_matches("/m/");
    let history = site.app.matches.history_of(slug).await?;
    let ruled = perform(&site.app, &history, "rule", json!({ "text": "conceded", "result": "p1" })).await?;
    perform(&site.app, &ruled, "end", json!({})).await?;
    Ok(())
}

async fn found(guest: &Guest, address: &str) -> Result<Page> {
    let page = guest.get(address).await?;
    page.is(StatusCode::OK)?;
    Ok(page)
}

#[tokio::test]
async fn rounds_that_were_struck_keep_their_moments() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let console = open(&umpire, &fixture(COLOSSEUM)?).await?;
    for round in ["1. score grow / score steal", "2. grow / claim", "3. score / score grow"] {
        record(&umpire, &console, round).await?;
    }
    let public = console.replace("/umpire", "");
    correct(&site, &public, 2, "steal").await?;
    let sheet = found(&anybody, &public).await?;
    let struck: BTreeSet<String> = sheet.addresses(&format!("{public}/struck/"))?.into_iter().collect();
    ensure!(struck.iter().any(|address| address.ends_with("/r/2/before")), "{struck:?}");
    ensure!(struck.iter().any(|address| address.ends_with("/r/3/after")), "later rounds as they stood: {struck:?}");
    let first = struck.iter().find(|address| address.ends_with("/r/2/before")).context("the first")?;
    let mut moments = Vec::new();
    let mut address = first.clone();
    loop {
        let page = found(&anybody, &address).await?;
        page.says("This is the round before it was corrected.")?.says("Mistyped")?;
        ensure!(
            page.text.contains(&format!("{public}#r2")) || page.text.contains(&format!("{public}#r3")),
            "a way back"
        );
        found(&anybody, &format!("{address}.svg")).await?;
        moments.push(page.text.clone());
        match page.related("next")? {
            Some(next) => address = next,
            None => break,
        }
    }
    assert_eq!(moments.len(), 3, "the state before, and one moment of each of two rounds");
    found(&anybody, &format!("/embed{public}/r/2/after")).await?.says("This was corrected.")?.says("Mistyped")?;
    // The moment that counts gives the reason and links to its earlier version, and the other way round.
    let back = format!("href=\"{public}/r/2/before\"");
    ensure!(moments[0].contains(&back), "a way to what counts: {}", moments[0]);
    for lens in ["", "?spoilers=no"] {
        let counts = found(&anybody, &format!("{public}/r/2/before{lens}")).await?;
        counts.says("This was corrected.")?.says("Mistyped")?;
        ensure!(counts.text.contains(&format!("href=\"{first}{lens}\"")), "{lens}: {}", counts.text);
        let kept = found(&anybody, &format!("{public}/r/3/before{lens}")).await?;
        ensure!(!kept.text.contains("This was corrected."), "{lens}: {}", kept.text);
    }
    ensure!(moments[1].contains("<span class=\"dmn\">grow</span>"), "what was sent first: {}", moments[1]);
    found(&anybody, &format!("{public}/r/2/choices")).await?.says("<span class=\"dmn\">steal</span>")?;
    anybody.get(&format!("{public}/struck/1/r/2/after")).await?.is(StatusCode::NOT_FOUND)?;
    let json: Value = serde_json::from_str(&anybody.get(&format!("{public}.json")).await?.text)?;
    let rows = json["struck"][0]["steps"].as_array().context("steps")?.iter().map(|step| step["row"].clone());
    assert_eq!(rows.collect::<Vec<_>>(), ["2", "3"]);
    Ok(())
}

#[tokio::test]
async fn a_list_without_spoilers_tells_who_played_and_no_more() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let public = import(&umpire, &fixture(COLOSSEUM)?.text).await?.address.replace(&site.address, "");
    let text = |page: &Page| page.text.split("class=\"rows listing\"").nth(1).unwrap_or_default().to_owned();
    for filter in ["", "player=Quill&", "result=won&"] {
        let shown = found(&anybody, &format!("/archive?{filter}")).await?;
        let list = text(&shown);
        ensure!(list.contains("Quill won") && list.contains("class=\"tell\"") && list.contains("is-winner"));
        let hidden = found(&anybody, &format!("/archive?{filter}spoilers=no")).await?;
        let list = text(&hidden);
        ensure!(list.contains(&format!("href=\"{public}?spoilers=no\"")), "{list}");
        let told = [" won", "Rounds", "Score", "Result", "is-winner", "ruling", "pill", "lead-line"];
        ensure!(told.iter().all(|told| !list.contains(told)), "{filter}: {list}");
        // Whatever else the page links to, results stay hidden; one link shows them.
        let lists = hidden.addresses("/archive?")?;
        let others = lists.iter().filter(|link| !link.contains("spoilers=no")).count();
        assert_eq!(others, usize::from(!filter.is_empty()), "{lists:?}");
        ensure!(hidden.text.contains("name=\"spoilers\" value=\"no\""), "the form keeps it, too");
    }
    let page = anybody.get("/archive?spoilers=maybe").await?;
    ensure!(page.status == StatusCode::UNPROCESSABLE_ENTITY && page.text.contains("by no other word"), "{}", page.text);
    Ok(())
}

#[tokio::test]
async fn a_player_an_event_and_a_feed_without_spoilers_tell_no_results() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    for (p1, p2, date) in [("Ada Quill", "Bo Okapi", "2024-01-10"), ("Bo Okapi", "Ada Quill", "2024-02-10")] {
        import(&umpire, &played(p1, p2, "Winter Rooms", date, "")?).await?;
    }
    while app::statistics::count_some(&site.app).await? > 0 {}
    let pages = ["/players/ada%20quill", "/players/ada%20quill/vs/bo%20okapi", "/events/winter%20rooms"];
    for path in pages.into_iter().chain(["/players", "/events"]) {
        let (shown, hidden) = (format!("href=\"{path}\""), format!("{path}?spoilers=no"));
        let page = found(&anybody, &hidden).await?;
        let told = [" won", " lost", ">Won<", "Standings", "Habits", "is-winner", "By ruleset", "Results of", "Rounds"];
        let told: Vec<&str> = told.into_iter().filter(|told| page.text.contains(told)).collect();
        ensure!(told.is_empty(), "{hidden} tells {told:?}: {}", page.text);
        // One link shows the results. The site's bar, which remembers nothing, and the metadata for programs are not
        // counted.
        let main = page.text.split("class=\"crumbs\"").nth(1).and_then(|main| main.split("</main>").next());
        let main = main.context("the page")?;
        let links = main.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
        let lists = ["/archive", "/players", "/events", "/feed.atom", "/m/"];
        let results = links.filter(|link| lists.iter().any(|list| link.starts_with(list)));
        let bare: Vec<&str> = results.filter(|link| !link.contains("spoilers=no")).collect();
        if pages.contains(&path) {
            assert_eq!(bare, [path], "{hidden}");
            let shown_page = found(&anybody, path).await?;
            ensure!(shown_page.text.contains(&format!("href=\"{hidden}\"")), "{path} leads to {hidden}");
            ensure!(shown_page.text.contains("is-winner") && main.contains(&shown), "{path}");
        } else {
            assert_eq!(bare, Vec::<&str>::new(), "{hidden}");
        }
        let wrong = anybody.get(&format!("{path}?spoilers=maybe")).await?;
        ensure!(wrong.status == StatusCode::BAD_REQUEST && wrong.text.contains("by no other word"), "{}", wrong.text);
    }
    let home = found(&anybody, "/?spoilers=no").await?;
    let main = home.text.split("<main").nth(1).context("the page")?;
    let told =
        [" won", "is-winner", "Results", "results</h2>", "Rounds", "href=\"/m/"].map(|told| main.matches(told).count());
    ensure!(told[..5].iter().all(|told| *told == 0), "the first page tells {told:?}: {main}");
    let links = main.split("href=\"/m/").skip(1).filter_map(|rest| rest.split('"').next());
    let bare: Vec<&str> = links.filter(|link| !link.ends_with("spoilers=no") && !link.ends_with("/verify")).collect();
    ensure!(told[5] > 0 && bare.is_empty(), "{bare:?}");
    home.says("<a href=\"/\" rel=\"nofollow\">Show results</a>")?.says("href=\"/archive?spoilers=no\"")?;
    found(&anybody, "/").await?.says("href=\"/?spoilers=no\"")?.says("is-winner")?;
    let feed = found(&anybody, "/feed.atom?event=winter%20rooms&spoilers=no").await?;
    ensure!(feed.text.contains("<title>Ada Quill \u{2013} Bo Okapi</title>"), "{}", feed.text);
    ensure!(!feed.text.contains(" won") && !feed.text.contains("esults"), "{}", feed.text);
    let ways = feed.attributes("[href]", "href")?;
    ensure!(ways.len() == 4 && ways.iter().all(|way| way.ends_with("spoilers=no")), "{}", feed.text);
    Ok(())
}

#[tokio::test]
async fn without_spoilers_nothing_later_is_told() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let public = import(&umpire, &fixture(COLOSSEUM)?.text).await?.address.replace(&site.address, "");
    let told = found(&anybody, &public).await?;
    let result = told.content("p.result")?.trim().to_owned();
    let start = found(&anybody, &format!("{public}?spoilers=no")).await?;
    ensure!(!start.text.contains(&result) && !start.text.contains("class=\"sheet\""), "{}", start.text);
    let lists = start.addresses("/archive?")?;
    ensure!(!lists.is_empty(), "the way back is there");
    ensure!(lists.iter().all(|list| list.contains("spoilers=no")), "and leads to no list of results: {lists:?}");
    ensure!(!start.text.contains("is-winner") && !start.text.contains("data-verdict"), "{}", start.text);
    let mut address = start.addresses(&format!("{public}/r/"))?.into_iter().next().context("a way in")?;
    let mut rounds = Vec::new();
    loop {
        let page = found(&anybody, &address).await?;
        let round: u32 = address.split('/').nth(4).context("a round")?.parse()?;
        let next = page.related("next")?;
        // No link leads further than one step, and only one link shows more.
        let links = page.text.split('"').filter(|text| text.starts_with(&format!("{public}/r/")));
        for link in links.filter(|link| Some(*link) != next.as_deref()) {
            let to: u32 = link.split('/').nth(4).context("a round")?.parse()?;
            ensure!(to <= round, "{address} leads to {link}");
            let bare = !link.contains("spoilers=no") && !link.contains(".png");
            ensure!(!bare || link.starts_with(address.split('?').next().unwrap_or_default()), "{address}: {link}");
        }
        ensure!(!page.text.contains("course") && !page.text.contains("of 25"), "{address}: {}", page.text);
        ensure!(next.is_none() == page.text.contains(&result), "{address}: the result is the last thing");
        rounds.push(round);
        match next {
            Some(next) => address = next,
            None => break,
        }
    }
    assert_eq!(rounds.len(), 26, "the start, and one press a round: {rounds:?}");
    let missing = anybody.get(&format!("{public}/r/99/after?spoilers=no")).await?;
    // A match's address is drawn, and may have these digits.
    let said = missing.text.replace(&public, "");
    ensure!(missing.status == StatusCode::NOT_FOUND && !said.contains("25"), "{said}");
    Ok(())
}

#[tokio::test]
async fn without_spoilers_what_an_umpire_decided_comes_after_the_moves() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let played = "[DMN \"1\"]\n[Ruleset \"five-card-trick/dm-colosseum-2\"]\n[P1 \"Ada\"]\n[P2 \"Bram\"]\n\
                  [Result \"p2\"]\n\n1. grow / steal\n2. claim / grow\numpire: result p2 walkover\n";
    let public = import(&umpire, played).await?.address.replace(&site.address, "");
    for (page, beat) in
        [(public.clone(), "before"), (public.clone(), "choices"), (format!("/embed{public}"), "choices")]
    {
        let hidden = found(&anybody, &format!("{page}/r/2/{beat}?spoilers=no")).await?;
        ensure!(!hidden.text.contains("walkover") && !hidden.text.contains("has-ruling"), "{beat}: {}", hidden.text);
    }
    found(&anybody, &format!("{public}/r/2/choices")).await?.says("walkover")?;
    found(&anybody, &format!("{public}/r/2/after?spoilers=no")).await?.says("walkover")?.says("has-ruling")?;
    Ok(())
}

#[tokio::test]
async fn a_match_can_stand_in_a_frame_of_another_site() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let public = import(&umpire, &fixture(COLOSSEUM)?.text).await?.address.replace(&site.address, "");
    for path in
        [format!("/embed{public}"), format!("/embed{public}/r/3/choices"), format!("/embed{public}?spoilers=no")]
    {
        // The identity of a signed-in reader has no effect there.
        for guest in [&umpire, &anybody] {
            let answer = guest.http.get(format!("{}{path}", site.address)).send().await?;
            let header = |name| answer.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
            let policy = header("content-security-policy").to_owned();
            ensure!(policy.contains("frame-ancestors *") && !policy.contains("script-src"), "{path}: {policy}");
            ensure!(header("set-cookie").is_empty() && answer.status() == StatusCode::OK, "{path}");
            let text = answer.text().await?;
            ensure!(!text.contains("<script") && !text.contains("Sign in") && !text.contains("desk"), "{path}: {text}");
            ensure!(text.contains(&format!("href=\"/embed{public}/r/")), "{path} steps in its frame");
        }
    }
    let page = anybody.http.get(format!("{}{public}", site.address)).send().await?;
    let policy = page.headers().get("content-security-policy").context("a policy")?.to_str()?.to_owned();
    ensure!(policy.contains("frame-ancestors 'none'"), "{policy}");
    let sheet = page.text().await?;
    ensure!(
        sheet.contains(&format!("/embed{public}")) && sheet.contains("class=\"qr\""),
        "what to paste, and for paper"
    );
    Ok(())
}

/// The invisible limit: a row of figures that moves by a pixel already has this much.
const SHIFT_MAX: f64 = 0.001;

/// The layout shift of a page after its first drawing (Layout Instability).
const SHIFTS: &str = "const done = arguments[arguments.length - 1]; let sum = 0;
    const observer = new PerformanceObserver((list) => { for (const shift of list.getEntries()) sum += shift.value; });
    observer.observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => {
        for (const shift of observer.takeRecords()) sum += shift.value;
        done(sum);
    }));";

/// Waits until the page's title begins with these words.
async fn titled(browser: &Browser, words: &str) -> Result<()> {
    until(async || {
        let title = browser.client.title().await?;
        ensure!(title.starts_with(words), "the page is never {words:?}, but {title:?}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_match_plays_by_itself_and_follows_keys_and_the_slider() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let public = import(&umpire, &fixture(COLOSSEUM)?.text).await?.address.replace(&site.address, "");
    let browser = Browser::open(1100, false, true).await?;
    let client = &browser.client;
    let script = |code: &'static str| client.execute(code, vec![]);
    client.goto(&format!("{}{public}/r/1/before", site.address)).await?;
    script("window.same = true; return null").await?;
    browser.type_keys("?").await?;
    browser.until("one moment back or on").await?;
    browser.picture("replay-keys").await?;
    browser.type_keys(&char::from(Key::Escape).to_string()).await?;
    for (key, title) in [
        (char::from(Key::Right), "Round 1, after"),
        (']', "Round 2, after"),
        ('[', "Round 1, after"),
        (char::from(Key::End), "Round 25, after"),
        (char::from(Key::Left), "Round 24, after"),
        (char::from(Key::Home), "Round 1, before"),
    ] {
        client.find(Locator::Css("body")).await?.send_keys(&key.to_string()).await?;
        titled(&browser, title).await?;
    }
    client.back().await?;
    titled(&browser, "Round 24, after").await?;
    script("const slider = document.querySelector('[data-scrub]'); slider.value = 7; slider.dispatchEvent(new Event('input')); return null").await?;
    titled(&browser, "Round 7, after").await?;
    ensure!(client.current_url().await?.path().ends_with("/r/7/after"), "the address follows");
    browser.picture("replay-slider").await?;
    client.find(Locator::Css("body")).await?.send_keys(" ").await?;
    titled(&browser, "Round 8, after").await?;
    browser.until("Stop").await?;
    client.find(Locator::Css("[data-play]")).await?.click().await?;
    browser.until("Play").await?;
    let same = script("return window.same === true && document.querySelectorAll('[data-replay]').length === 1").await?;
    ensure!(same == Value::Bool(true), "no page was loaded anew, and the controls are there once");
    browser.close().await
}

#[tokio::test]
async fn replays_fit_a_phone_and_nothing_moves_under_the_reader() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let console = open(&umpire, &fixture(PUZZLER)?).await?;
    for round in ["1. score block:steal / grow block:claim", "2. claim / nothing", "3. grow / score"] {
        record(&umpire, &console, round).await?;
    }
    let public = console.replace("/umpire", "");
    correct(&site, &public, 2, "steal").await?;
    end(&site, &public).await?;
    let sheet = found(&site.visitor()?, &public).await?;
    let struck = sheet.attribute("[href*='/struck/']", "href")?;
    let pages = [
        ("replay-match", public.clone()),
        ("replay-after", format!("{public}/r/1/after")),
        ("replay-choices-p1", format!("{public}/r/1/choices?as=p1")),
        ("replay-struck", struck),
        ("replay-unspoiled", format!("{public}?spoilers=no")),
        ("replay-unspoiled-after", format!("{public}/r/2/after?spoilers=no")),
        ("replay-embed", format!("/embed{public}/r/1/after")),
    ];
    for (theme, dark, width) in [("light", false, 1100), ("dark", true, 1100), ("phone", true, 320)] {
        let browser = Browser::open(width, dark, true).await?;
        for (name, path) in &pages {
            browser.client.goto(&format!("{}{path}", site.address)).await?;
            browser.fits(name).await?;
            let moved = browser.client.execute_async(SHIFTS, vec![]).await?;
            ensure!(moved.as_f64().is_some_and(|moved| moved < SHIFT_MAX), "{name} moves: {moved}");
            browser.picture(&format!("{name}-{theme}")).await?;
        }
        browser.close().await?;
    }
    Ok(())
}
