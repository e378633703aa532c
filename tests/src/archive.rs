//! The archive as readers use it: filters, search, pages by key, files, players, events, feeds, and words withdrawn.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;
use serde_json::Value;

use crate::pages::import;
use crate::site::{Guest, Site};
use crate::verdicts::checked;
use crate::whole_match::{fixture, open, record};

/// A finished match under these names, in this event, on this day, with these other tags.
pub(crate) fn played(p1: &str, p2: &str, event: &str, date: &str, tags: &str) -> Result<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fixtures/matches/five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn");
    let text = fs::read_to_string(path)?;
    let kept = text.lines().filter(|line| {
        !["[P1 ", "[P2 ", "[Event ", "[Date "].iter().any(|tag| line.starts_with(tag)) && !line.starts_with('#')
    });
    let kept: Vec<&str> = kept.collect();
    let at = kept.iter().position(|line| line.starts_with("[Result")).context("a result")?;
    let (head, rest) = kept.split_at(at);
    let [p1, p2] = [p1, p2].map(|name| name.replace('"', "\\\""));
    Ok(format!(
        "{}\n[Event \"{event}\"]\n[Date \"{date}\"]\n[P1 \"{p1}\"]\n[P2 \"{p2}\"]\n{}\n{tags}\n{}\n",
        head.join("\n"),
        rest.first().context("a result")?,
        rest.get(1..).unwrap_or_default().join("\n"),
    ))
}

/// The matches of a filter, from `/archive.ndjson`.
pub(crate) async fn rows(guest: &Guest, query: &str) -> Result<Vec<Value>> {
    let page = guest.get(&format!("/archive.ndjson{query}")).await?;
    page.is(StatusCode::OK)?;
    page.text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

pub(crate) fn text<'v>(row: &'v Value, name: &str) -> &'v str {
    row[name].as_str().unwrap_or_default()
}

/// A few matches of several games, people, events and endings, and one that still runs.
pub(crate) async fn filled(site: &Site) -> Result<(Guest, Guest)> {
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    for file in crate::pages::one_of_each()? {
        import(&umpire, &fs::read_to_string(file)?).await?;
    }
    let season = "[Season \"4\"]\n[Room \"Blue Room\"]";
    import(&umpire, &played("Zoë Quill", "Łukasz Øre", "Winter Rooms", "2023-01-10", season)?).await?;
    import(&umpire, &played("Lukasz Ore", "ZOE QUILL", "winter rooms", "2023-02-10", "")?).await?;
    import(&umpire, &played("=1+1", "Plain, \"Jane\"", "-Event", "2024-02-10", "[Hall \"Throckmortonshire\"]")?)
        .await?;
    let console = open(&umpire, &fixture("five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn")?).await?;
    record(&umpire, &console, "1. grow / claim").await?;
    checked(site).await?;
    Ok((umpire, anybody))
}

#[tokio::test]
async fn every_filter_leaves_what_it_says() -> Result<()> {
    let site = Site::start().await?;
    let (_, anybody) = filled(&site).await?;
    let all = rows(&anybody, "").await?;
    ensure!(all.len() == engine::rulesets().count() + 4, "{} matches", all.len());
    let of = |name: &'static str, value: &'static str| move |row: &Value| text(row, name) == value;
    let won = |row: &Value| ["p1", "p2"].contains(&text(row, "result"));
    let zoe = |row: &Value| {
        ["Zoë Quill", "ZOE QUILL"].iter().any(|name| text(row, "p1") == *name || text(row, "p2") == *name)
    };
    let rounds = |row: &Value| row["rounds"].as_i64().unwrap_or(-1);
    type Holds<'f> = Box<dyn Fn(&Value) -> bool + 'f>;
    let filters: Vec<(&str, Holds<'_>)> = vec![
        ("?game=five-card-trick", Box::new(of("game", "five-card-trick"))),
        ("?ruleset=thwart-13/legends-untold", Box::new(of("ruleset", "thwart-13/legends-untold"))),
        ("?event=WINTER%20ROOMS", Box::new(|row| text(row, "event").eq_ignore_ascii_case("winter rooms"))),
        ("?player=zoe%20quill", Box::new(zoe)),
        ("?player=zoe%20quill&as=p1", Box::new(move |row| zoe(row) && text(row, "p1") == "Zoë Quill")),
        ("?player=zoe%20quill&against=lukasz%20ore", Box::new(zoe)),
        ("?player=zoe%20quill&result=won", Box::new(move |row| zoe(row) && text(row, "p1") == "Zoë Quill")),
        ("?player=zoe%20quill&result=lost", Box::new(move |row| zoe(row) && text(row, "p2") == "ZOE QUILL")),
        ("?player=zoe%20quill&as=dmo", Box::new(|_| false)),
        ("?result=won", Box::new(won)),
        ("?result=running", Box::new(of("result", "*"))),
        ("?result=ended", Box::new(|row| text(row, "result") != "*")),
        ("?ending=more-chips", Box::new(of("ending", "more-chips"))),
        ("?rounds_min=25&rounds_max=25", Box::new(move |row| rounds(row) == 25)),
        ("?rounds_max=1", Box::new(move |row| rounds(row) <= 1)),
        ("?from=2023-01-10&to=2023-02-10", Box::new(|row| text(row, "event").eq_ignore_ascii_case("winter rooms"))),
        ("?from=2023-01-11&to=2023-02-09", Box::new(|_| false)),
        ("?rulings=yes", Box::new(|row| row["rulings"].as_i64() > Some(0))),
        ("?check=verified", Box::new(of("check", "verified"))),
        ("?check=imported", Box::new(of("check", "imported"))),
        ("?check=unchecked", Box::new(of("check", "unchecked"))),
        ("?tag=season%204", Box::new(|row| text(row, "p1") == "Zoë Quill")),
        ("?tag=SEASON", Box::new(|row| text(row, "p1") == "Zoë Quill")),
        ("?tag=room%20blue", Box::new(|_| false)),
        ("?q=zoe+winter", Box::new(zoe)),
        (
            "?q=zoe&game=five-card-trick&from=2023-01-10",
            Box::new(move |row| zoe(row) && text(row, "game") == "five-card-trick"),
        ),
        ("?q=win&player=zoe%20quill&result=won", Box::new(move |row| zoe(row) && text(row, "p1") == "Zoë Quill")),
        ("?q=throckmorton", Box::new(|row| text(row, "p1") == "=1+1")),
        ("?q=throckmortonshi", Box::new(|row| text(row, "p1") == "=1+1")),
        ("?q=zoequillzoequill", Box::new(|_| false)),
        ("?q=blue%20ro", Box::new(|row| text(row, "p1") == "Zoë Quill")),
        ("?q=nothing-like-this", Box::new(|_| false)),
    ];
    for (query, holds) in filters {
        let expected: Vec<&Value> = all.iter().filter(|row| holds(row)).collect();
        let found = rows(&anybody, query).await?;
        assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{query}");
        is_listed(&anybody, query, &found).await?;
    }
    Ok(())
}

/// The list has the same matches and the same count.
async fn is_listed(anybody: &Guest, query: &str, found: &[Value]) -> Result<()> {
    let page = anybody.get(&format!("/archive{query}")).await?;
    let links: Vec<&str> = found.iter().map(|row| text(row, "address")).collect();
    ensure!(links.iter().all(|link| page.text.contains(&link.replace(&anybody.address, "href=\""))), "{query}");
    match found.len() {
        0 => page.says("No matches found")?,
        1 => page.says("1 match")?,
        n => page.says(&format!("{n} matches"))?,
    };
    Ok(())
}

#[tokio::test]
async fn a_feed_tells_results_and_keeps_its_ids() -> Result<()> {
    let site = Site::start().await?;
    let (_, anybody) = filled(&site).await?;
    let feed = anybody.get("/feed.atom").await?;
    let ended = rows(&anybody, "?result=ended").await?;
    let ids: BTreeSet<String> = feed.contents("entry > id")?.into_iter().collect();
    let expected: BTreeSet<String> = ended.iter().map(|row| format!("urn:uuid:{}", text(row, "match"))).collect();
    assert_eq!(ids, expected);
    assert_eq!(anybody.get("/feed.atom").await?.text, feed.text);
    let player = anybody.get("/feed.atom?player=zoe%20quill").await?;
    assert_eq!(player.text.matches("<entry>").count(), 2);
    // The sentence from the match's page, and the owner of each figure.
    player.says("Zoë Quill won: ")?;
    // Filters with the same meaning give the same feed.
    let written =
        "/feed.atom?player=ZO%C3%8B%20Quill&event=Winter%20R%C3%B3oms&tag=SEASON%204&against=lukasz%20%C3%98re";
    let canonical = "/feed.atom?player=zoe%20quill&event=winter%20rooms&tag=season%204&against=lukasz%20ore";
    let (written, canonical) = (anybody.get(written).await?, anybody.get(canonical).await?);
    assert_eq!(written.content("feed > id")?, canonical.content("feed > id")?);
    assert_eq!(canonical.text.matches("<entry>").count(), 1);
    // A feed without results is dated to the beginning of the record.
    let empty = anybody.get("/feed.atom?player=nobody").await?;
    ensure!(!empty.text.contains("<updated>1970") && empty.text.contains("<updated>20"), "{}", empty.text);
    assert_eq!(anybody.get("/feed.atom?player=nobody").await?.text, empty.text);
    ensure!(!player.text.contains(", by "), "{}", player.text);
    let well_formed = player.text.matches('<').count() == player.text.matches('>').count();
    ensure!(well_formed && player.text.starts_with("<?xml"), "{}", player.text);
    Ok(())
}

#[tokio::test]
async fn a_name_that_is_withdrawn_is_nowhere_and_the_match_verifies() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = filled(&site).await?;
    let match_of = |row: &Value| text(row, "address").replace(&site.address, "");
    let [first] = &rows(&anybody, "?tag=season%204").await?[..] else { anyhow::bail!("one match") };
    let address = match_of(first);
    while app::statistics::count_some(&site.app).await? > 0 {}
    anybody.get("/players/lukasz%20ore").await?.says("Round, 50 moves")?;
    let pages = [
        "/archive".to_owned(),
        "/archive.csv".to_owned(),
        "/archive.ndjson".to_owned(),
        "/archive.dmn".to_owned(),
        "/archive?q=quill".to_owned(),
        "/players".to_owned(),
        "/players/lukasz%20ore".to_owned(),
        "/events/winter%20rooms".to_owned(),
        "/feed.atom".to_owned(),
        address.clone(),
        format!("{address}/verify"),
        format!("{address}.bundle"),
        format!("{address}.svg"),
        format!("{address}/r/1/after"),
    ];
    for page in &pages {
        anybody.get(page).await?;
    }
    // Only an umpire can do it, and only with the confirmation.
    anybody.get("/withdraw/players/zoe%20quill").await?.is(StatusCode::UNAUTHORIZED)?;
    ensure!(
        anybody.post(&format!("/withdraw{address}"), &[("word", "0:names.p1")]).await?.status
            == StatusCode::UNAUTHORIZED
    );
    umpire.post("/withdraw/players/zoe%20quill", &[]).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?;
    anybody.get("/players/zoe%20quill").await?.says("2 matches ended")?;
    umpire.post("/withdraw/players/zoe%20quill", &[("asked", "yes")]).await?.says("Erased 2 times, in 2 matches")?;
    for page in &pages {
        let read = anybody.get(page).await?;
        read.is(StatusCode::OK)?;
        for name in ["Zoë Quill", "ZOE QUILL", "zoe quill", "zoe%20quill"] {
            ensure!(!read.text.contains(name), "{page} still has {name}:\n{}", read.text);
        }
    }
    anybody.get("/players/zoe%20quill").await?.is(StatusCode::NOT_FOUND)?;
    // The other player's rows were derived again, and that player's statistics are still there.
    anybody.get("/players/lukasz%20ore").await?.says("Round, 50 moves")?;
    ensure!(rows(&anybody, "?q=zoe").await?.is_empty(), "nothing is found by the name");
    let list = anybody.get("/archive").await?;
    list.says("name withdrawn")?;
    let unnamed = list.text.matches("(name withdrawn)</bdi>").count();
    let (names, matches) = (list.contents(".mrow bdi")?.len(), list.attributes(".to-match", "href")?.len());
    assert_eq!((unnamed, names), (2, 2 * matches), "each row has both names, and one link");
    anybody.get("/feed.atom").await?.says("name withdrawn")?;
    anybody.get(&address).await?.says("was withdrawn")?;
    anybody.get(&format!("{address}.dmn")).await?.says("# Player 1 replaces a name that was withdrawn.\n")?;
    anybody.get(&format!("{address}/verify")).await?.says("the names: their text was withdrawn")?;
    // The other words of that match, one by one.
    let words = umpire.get(&format!("/withdraw{address}")).await?;
    words.says("Tag: <bdi>Season 4</bdi>")?.says("Event: <bdi>Winter Rooms</bdi>")?;
    let event = [("word", "0:event"), ("asked", "yes")];
    umpire.post(&format!("/withdraw{address}"), &event).await?.says("1 text was erased")?;
    assert_eq!(rows(&anybody, "?event=winter%20rooms").await?.len(), 1);
    Ok(())
}

#[tokio::test]
async fn a_name_stands_as_its_owner_writes_it() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    import(&umpire, &played("hex_appeal", "émile", "Small letters", "2022-05-01", "")?).await?;
    for page in ["/", "/archive", "/players/hex_appeal", "/events/small%20letters"] {
        let page = anybody.get(page).await?;
        page.says("hex_appeal won")?;
        ensure!(!page.text.contains("Hex_appeal"), "{} begins the name with a capital", page.address);
    }
    Ok(())
}

#[tokio::test]
async fn two_parts_of_a_filter_leave_what_both_say() -> Result<()> {
    let site = Site::start().await?;
    let (_, anybody) = filled(&site).await?;
    let all = rows(&anybody, "").await?;
    let values = |name: &str| all.iter().map(|row| text(row, name).to_owned()).collect::<BTreeSet<_>>();
    let (rulesets, games) = (values("ruleset"), values("game"));
    let firsts = rulesets.iter().map(|it| ("ruleset", it)).chain(games.iter().map(|it| ("game", it)));
    for (first, one) in firsts {
        for (second, others) in [("ending", values("ending")), ("check", values("check"))] {
            for other in others.iter().filter(|other| !["", "*"].contains(&other.as_str())) {
                let both = |row: &&Value| text(row, first) == one && text(row, second) == other;
                let n = all.iter().filter(both).count();
                let page = anybody.get(&format!("/archive?{first}={one}&{second}={other}")).await?;
                let words = match n {
                    0 => "No matches found".to_owned(),
                    1 => "1 match".to_owned(),
                    n => format!("{n} matches, newest first"),
                };
                page.says(&words)?;
            }
        }
    }
    Ok(())
}
