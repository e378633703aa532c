//! Links from a moment of a match to its counts, and from the counts to the matches.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;

use crate::archive::played;
use crate::page::Page;
use crate::pages::{import, one_of_each};
use crate::play::table::{RULESET, Table};
use crate::site::{Guest, Site};
use crate::whole_match::{end, fixture, open, record};

const STATISTICS: &str = "/statistics/five-card-trick/dm-colosseum-2";
const HERE: &str = "Explore from here";

pub(crate) async fn count(site: &Site) -> Result<()> {
    while app::statistics::count_some(&site.app).await? > 0 {}
    Ok(())
}

/// The matches in a list, each with its moment, from all of its pages.
pub(crate) async fn listed(guest: &Guest, address: &str) -> Result<Vec<String>> {
    let (mut found, mut next) = (Vec::new(), Some(address.to_owned()));
    while let Some(address) = next {
        let page = guest.get(&address).await?;
        page.is(StatusCode::OK)?;
        found.extend(page.attributes(".listing .to-match", "href")?);
        next = page.link("Older")?;
    }
    Ok(found)
}

#[tokio::test]
async fn a_moment_leads_to_all_matches_that_stood_like_it_and_they_lead_back_to_theirs() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let mut pages = BTreeSet::new();
    for n in 0..3 {
        let day = format!("2022-05-0{}", n + 1);
        pages.insert(import(&umpire, &played(&format!("Ada {n}"), "Bram", "Counted", &day, "")?).await?.address);
    }
    count(&site).await?;
    let page = pages.first().context("a match")?.clone();
    // The first six moments have their own situation, which leads to all three matches.
    for round in 1..=6 {
        let moment = anybody.get(&format!("{page}/r/{round}/before")).await?;
        let explored = moment.link(HERE)?.with_context(|| format!("round {round} leads nowhere"))?;
        let explored = anybody.get(&explored).await?;
        explored
            .says("Finished matches came to this situation 3 times")?
            .says(&format!("Bram, Round {round}</bdi>"))?;
        let lists = explored.addresses(&format!("{STATISTICS}/explore/matches?"))?;
        ensure!(lists.len() == 1, "all three went on alike: {lists:?}");
        let matches = listed(&anybody, &lists[0]).await?;
        // Newest first, each at its round.
        let mut expected: Vec<String> = pages.iter().map(|page| format!("{page}/r/{round}/choices")).collect();
        expected.sort();
        let mut found = matches.clone();
        found.sort();
        assert_eq!(found, expected);
        for address in matches {
            anybody.get(&address).await?.says(&format!("Round {round}"))?;
        }
    }
    // The seventh situation is not counted. A moment without spoilers shows nothing of the later course, and a moment in a
    // seat's view nothing that the seat did not know.
    for quiet in
        ["r/6/after", "r/1/before?spoilers=no", "r/1/after?spoilers=no", "r/1/after?as=p1", "r/1/after?as=public"]
    {
        let moment = anybody.get(&format!("{page}/{quiet}")).await?;
        ensure!(moment.status == StatusCode::OK, "{quiet}");
        ensure!(moment.link(HERE)?.is_none(), "{quiet} leads to the statistics");
    }
    Ok(())
}

#[tokio::test]
async fn actions_tell_how_often_they_worked() -> Result<()> {
    let site = Site::start().await?;
    import(&site.umpire().await?, &played("Ada", "Bram", "Counted", "2022-05-01", "")?).await?;
    count(&site).await?;
    site.visitor()?.get(STATISTICS).await?.says("What became of it")?.says(">Worked<")?.says(">Cancelled<")?;
    Ok(())
}

#[tokio::test]
async fn no_moment_leads_to_what_is_not_counted() -> Result<()> {
    let site = Site::seeded("counted").await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    for file in one_of_each()? {
        import(&umpire, &fs::read_to_string(file)?).await?;
    }
    let console = open(&umpire, &fixture("five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn")?).await?;
    record(&umpire, &console, "1. grow / claim").await?;
    count(&site).await?;
    // A running match does not count, and its moments cannot be explored by address either.
    let running = console.replace("/umpire", "");
    ensure!(anybody.get(&format!("{running}/r/1/before")).await?.link(HERE)?.is_none());
    let slug = running.trim_start_matches("/m/");
    for wrong in [format!("match={slug}&step=1"), "match=nobody&step=1".to_owned(), format!("match={slug}")] {
        let page = anybody.get(&format!("{STATISTICS}/explore?{wrong}")).await?;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{wrong}");
    }
    // Every link of every moment of every game leads to something counted.
    let mut explored = 0;
    let list = anybody.get("/archive.ndjson?result=ended").await?;
    for line in list.text.lines() {
        let row: serde_json::Value = serde_json::from_str(line)?;
        let address = row["address"].as_str().context("an address")?;
        let sheet = anybody.get(address.trim_start_matches(&site.address)).await?;
        let moments: BTreeSet<String> = sheet.addresses("/m/")?.into_iter().filter(|at| at.contains("/r/")).collect();
        for moment in moments.iter().filter(|at| !at.ends_with("/choices")) {
            let page = anybody.get(moment).await?;
            if let Some(way) = page.link(HERE)? {
                let page = anybody.get(&way).await?;
                page.says("Finished matches came to this situation").with_context(|| moment.clone())?;
                let matches = listed(
                    &anybody,
                    &page
                        .addresses("/statistics/")?
                        .into_iter()
                        .find(|at| at.contains("/explore/matches"))
                        .context("a list")?,
                )
                .await?;
                ensure!(!matches.is_empty(), "{moment}: {way} lists nothing");
                explored += 1;
            }
        }
    }
    ensure!(explored > 20, "{explored} moments are explored");
    Ok(())
}

#[tokio::test]
async fn practice_leads_to_no_statistics() -> Result<()> {
    let site = Site::seeded("practice").await?;
    tokio::spawn(site.app.deadlines.clone().run());
    let table = Table::set(site, RULESET, false, &[], &[("practice", "on")]).await?;
    for _ in 0..2 {
        table.records("grow", "claim").await?;
    }
    table.act("rule", &[("result", "p2"), ("text", "Decided.")]).await?;
    table.act("end", &[]).await?.says("is ended")?;
    for moment in ["before", "after"] {
        let page = table.site.visitor()?.get(&format!("{}/r/1/{moment}", table.public())).await?;
        page.says("Try another move from here")?;
        ensure!(page.link(HERE)?.is_none(), "{moment}");
    }
    Ok(())
}

#[tokio::test]
async fn every_count_leads_to_its_matches_newest_first_and_a_match_that_is_taken_up_again_leaves_them() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    for n in 0..52 {
        let day = format!("20{:02}-03-{:02}", 10 + n / 28, 1 + n % 28);
        import(&umpire, &played(&format!("Ada {n}"), "Bram", "Counted", &day, "")?).await?;
    }
    let console = open(&umpire, &fixture("five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn")?).await?;
    // Both send Grow and Claim in rounds 1 and 2 here, and in round 6 of each imported match.
    record(&umpire, &console, "1. grow claim / grow claim").await?;
    record(&umpire, &console, "2. grow claim / grow claim").await?;
    end(&umpire, &console, "p2").await?;
    count(&site).await?;
    let own = console.replace("/umpire", "");
    let page = anybody.get(STATISTICS).await?;
    let lists = page.addresses(&format!("{STATISTICS}/matches?"))?;
    ensure!(lists.len() > 10, "{lists:?}");
    let mut own_lists = Vec::new();
    for list in lists {
        if listed(&anybody, &list).await?.iter().any(|at| at.starts_with(&own)) {
            own_lists.push(list);
        }
    }
    // One kind of move, and one pair: whichever seat sent it, a match is in its list once.
    let (sent, met): (Vec<_>, Vec<_>) = own_lists.into_iter().partition(|list| list.contains("sent="));
    let ([sent], [met]) = (sent.as_slice(), met.as_slice()) else { anyhow::bail!("{sent:?}, {met:?}") };
    anybody.get(met).await?.says("Round 1, and 1 more time")?;
    for list in [sent, met] {
        // The new match comes before the imported ones, which continue on the next page; none is listed twice.
        let matches = listed(&anybody, list).await?;
        assert_eq!(matches.len(), 53, "{list}");
        assert_eq!(matches.iter().collect::<BTreeSet<_>>().len(), 53);
        assert_eq!(matches.first(), Some(&format!("{own}/r/1/choices")));
        ensure!(matches.iter().skip(1).all(|at| at.ends_with("/r/6/choices")), "{matches:?}");
    }
    let page = anybody.get(sent).await?;
    assert_eq!(page.attributes(".listing .to-match", "href")?.len(), 50);
    let at = |name: &str| page.text.find(name).with_context(|| format!("no {name}"));
    ensure!(at("Ada 51<")? < at("Ada 50<")? && at("Ada 50<")? < at("Ada 20<")?, "the newest are not first");
    let older = anybody.get(&page.link("Older")?.context("an older page")?).await?;
    let back = older.link("\u{2190} Newest")?;
    assert_eq!(back.as_ref(), Some(sent));
    for wrong in [format!("{sent}&after=x"), format!("{STATISTICS}/matches")] {
        ensure!(anybody.get(&wrong).await?.status.is_client_error(), "{wrong}");
    }
    anybody
        .get(&format!("{STATISTICS}/matches?what=round&sent=nothing+of+that+kind"))
        .await?
        .says("No match is counted here.")?;

    let strike = umpire.get(&format!("{console}/strike?from=1")).await?;
    umpire.fills_in(&strike, &format!("{console}/strike"), &[("reason", "A wrong round.")]).await?.says("struck")?;
    count(&site).await?;
    for list in [sent, met] {
        let matches = listed(&anybody, list).await?;
        ensure!(
            matches.len() == 52 && !matches.iter().any(|at| at.starts_with(&own)),
            "it is still listed: {matches:?}"
        );
    }
    Ok(())
}

/// The links of a page to lists of the archive, each with its number.
fn counted(page: &Page) -> Result<Vec<(String, usize)>> {
    let links = page.text.split("<a href=\"/archive?").skip(1);
    let counted = links.filter(|link| link.contains(": the matches</span></a>")).map(|link| {
        let (address, rest) = link.split_once("\">").context("a link")?;
        let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
        Ok((format!("/archive?{}", address.replace("&amp;", "&").replace("&#38;", "&")), number.parse()?))
    });
    counted.collect()
}

#[tokio::test]
async fn every_count_of_results_endings_and_lengths_leads_to_as_many_matches() -> Result<()> {
    let site = Site::seeded("results").await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    // Some of them do not count, and one still runs: they are neither counted nor listed.
    for folder in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/matches"))? {
        for folder in fs::read_dir(folder?.path())? {
            for file in fs::read_dir(folder?.path())? {
                import(&umpire, &fs::read_to_string(file?.path())?).await?;
            }
        }
    }
    open(&umpire, &fixture("five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn")?).await?;
    count(&site).await?;
    let (mut led, mut drawn) = (BTreeSet::new(), 0);
    let index = anybody.get("/statistics").await?;
    let figures = index.contents(".results td")?;
    let addresses = index.addresses("/statistics/")?;
    assert_eq!(figures.len(), 4 * addresses.len(), "matches, both seats and undecided of each ruleset");
    for (address, figures) in addresses.iter().zip(figures.chunks(4)) {
        let page = anybody.get(address).await?;
        for (list, number) in counted(&page)? {
            for (result, figure) in ["result=p1-won", "result=p2-won", "result=undecided"].iter().zip(&figures[1..]) {
                ensure!(!list.ends_with(result) || *figure == number.to_string(), "{figure} for {number} of {list}");
            }
            let found = anybody.get(&list).await?;
            let matches: BTreeSet<String> = found.attributes(".listing .to-match", "href")?.into_iter().collect();
            assert_eq!(matches.len(), number, "{address} leads to {list}");
            led.insert(list.split("result=").nth(1).context("a result")?.to_owned());
        }
        drawn += drawn_rates(&page)?;
    }
    ensure!(drawn > 0, "no page has a rate");
    for result in ["p1-won", "p2-won", "undecided", "dmo-won", "ec-won", "counts"] {
        ensure!(led.contains(result), "no count leads to matches with result={result}: {led:?}");
    }
    Ok(())
}

/// Every rate of results and of endings is drawn, and counts that are too small for a rate are not. Returns the number
/// of drawings.
fn drawn_rates(page: &Page) -> Result<usize> {
    let (_, told) = page.text.split_once("id=\"results\"").context("results")?;
    let (told, _) = told.split_once("id=\"moves\"").context("moves")?;
    let told = told.split("id=\"answers\"").next().unwrap_or_default();
    let drawn = told.matches("class=\"span\"").count();
    assert_eq!(drawn, told.matches("\u{a0}%").count(), "{told}");
    Ok(drawn)
}

/// Pairs by rounds and by score: each pair has one group of five rounds and one score, and together they make the
/// total.
#[tokio::test]
async fn pairs_are_counted_by_round_and_by_score() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    import(&umpire, &played("Ada", "Bram", "Counted", "2022-05-01", "")?).await?;
    let long =
        fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/matches/thwart-13/legends-untold"))?;
    let long = long.filter_map(Result::ok).map(|file| file.path()).min().context("a match of Thwart 13")?;
    import(&umpire, &fs::read_to_string(long)?).await?;
    count(&site).await?;
    let pairs = async |when: &str| -> Result<i64> {
        let read = anybody.get(&format!("/api/v1/rulesets/five-card-trick/dm-colosseum-2/statistics{when}")).await?;
        read.is(StatusCode::OK)?;
        let told: serde_json::Value = serde_json::from_str(&read.text)?;
        let pairs = told["pairs"].as_array().context("pairs")?;
        Ok(pairs.iter().filter_map(|pair| pair["n"].as_i64()).sum())
    };
    let all = pairs("").await?;
    let mut by_round = 0;
    for first in (1..=46).step_by(5) {
        by_round += pairs(&format!("?when=rounds-{first}-{}", first + 4)).await?;
    }
    let by_score = [pairs("?when=ahead").await?, pairs("?when=level").await?, pairs("?when=behind").await?];
    ensure!(all > 10 && by_round == all && by_score.iter().sum::<i64>() == all, "{all}, {by_round}, {by_score:?}");
    ensure!(by_score.iter().all(|n| *n < all), "they are told apart: {by_score:?}");

    let page = anybody.get(STATISTICS).await?;
    page.says("The most frequent, in any situation")?;
    // There was one question, and every pair that met has its cell in the drawing, with its count.
    let (_, drawing) = page.text.split_once("class=\"matrix\"").context("what met what is drawn")?;
    let cells = drawing.split("class=\"n\"").skip(1).filter_map(|text| text.split(['>', '<']).nth(1));
    let cells: Vec<i64> = cells.map(str::parse).collect::<Result<_, _>>()?;
    assert_eq!(cells.iter().sum::<i64>(), all);
    let times = page.addresses(&format!("{STATISTICS}?when="))?;
    ensure!(times.iter().any(|time| time.ends_with("?when=ahead#pairs")), "{times:?}");
    for time in times {
        let page = anybody.get(&time).await?;
        ensure!(page.status == StatusCode::OK && page.text.contains("aria-current=\"true\">"), "{time}");
    }
    anybody.get(&format!("{STATISTICS}?when=later")).await?.is(StatusCode::NOT_FOUND)?;
    // In a game without a score, nobody is behind or ahead.
    let uncounted = anybody.get("/statistics/thwart-13/legends-untold").await?;
    ensure!(uncounted.text.contains("What met what") && !uncounted.text.contains(">Behind<"), "{}", uncounted.text);
    Ok(())
}
