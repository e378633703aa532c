//! The pages of a list by key, in both directions.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use app::archive::{At, Filter, KeyRange, MatchSummary, Sort};

use crate::archive::{played, rows, text};
use crate::page::Page;
use crate::pages::import;
use crate::site::Site;

/// The addresses of the list's rows.
fn matches(page: &Page) -> Result<Vec<String>> {
    page.attributes(".mrow .to-match", "href")
}

#[tokio::test]
async fn pages_hold_every_match_once_in_both_directions() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let mut days = (1..=28).cycle();
    for n in 0..120 {
        // Many on one day, so that the id decides their order.
        let day = if n % 2 == 0 { 14 } else { days.next().unwrap_or(1) };
        let text = played(&format!("Ada {n}"), "Bram", "Long Event", &format!("2022-05-{day:02}"), "")?;
        import(&umpire, &text).await?;
    }
    let all = rows(&anybody, "?player=bram").await?;
    assert_eq!(all.len(), 120);
    let expected: Vec<String> = all.iter().map(|row| text(row, "address").replace(&site.address, "")).collect();
    for filter in ["", "?player=bram"] {
        let (mut forward, mut pages) = (Vec::new(), vec![anybody.get(&format!("/archive{filter}")).await?]);
        while let Some(next) = pages.last().map(|page| page.link("Older")).transpose()?.flatten() {
            pages.push(anybody.get(&next).await?);
        }
        for page in &pages {
            forward.extend(matches(page)?);
        }
        assert_eq!(forward, expected);
        assert_eq!(pages.len(), 3);
        // From the last page back to the first.
        let mut page = anybody.get(&pages[0].link("Oldest →")?.context("the oldest")?).await?;
        let mut backward = matches(&page)?;
        while let Some(newer) = page.link("Newer")? {
            page = anybody.get(&newer).await?;
            backward.splice(0..0, matches(&page)?);
        }
        assert_eq!(backward, expected);
        ensure!(page.link("← Newest")?.is_none(), "this is the newest");
    }
    let list = anybody.get("/players?q=ada").await?;
    ensure!(list.text.matches("/players/ada%20").count() == 50, "a page of names");
    let next = anybody.get(&list.link("Later names →")?.context("later names")?).await?;
    let back = anybody.get(&next.link("← Earlier names")?.context("earlier names")?).await?;
    assert_eq!(matches(&back)?, matches(&list)?);
    anybody.get("/events/long%20event").await?.says("120 matches")?.says("All of them in the archive")?;
    one_page_in_both_ways(&site).await?;
    add_rows_like_one(&site, 1_000).await?;
    let (listed, _) = site.app.archive().players(&KeyRange { begins: "bram", ..KeyRange::default() }).await?;
    let of_bram: Vec<(u32, bool)> = listed.iter().map(|one| (one.matches.counted, one.matches.more)).collect();
    assert_eq!(of_bram, [(1_000, true)], "more than a thousand");
    for words in [None, Some("lo ev")] {
        let filter = Filter { words: words.map(str::to_owned), ..Filter::default() };
        for sort in Sort::ALL {
            there_and_back(&site, &filter, *sort, 1_120).await?;
        }
    }
    Ok(())
}

/// A list that can be counted completely is read differently from a longer one: both have the same pages.
async fn one_page_in_both_ways(site: &Site) -> Result<()> {
    let of = |player: Option<&str>, words: Option<&str>| Filter {
        player: player.map(str::to_owned),
        words: words.map(str::to_owned),
        ..Filter::default()
    };
    for filter in [of(None, None), of(Some("bram"), None), of(None, Some("lo ev")), of(Some("bram"), Some("ad"))] {
        there_and_back(site, &filter, Sort::Newest, 120).await?;
    }
    Ok(())
}

/// Reads from the first page of this many matches to the last, and back: both ways give the same, with every match
/// once.
async fn there_and_back(site: &Site, filter: &Filter, sort: Sort, all: usize) -> Result<()> {
    let (mut at, mut turned, mut seen) = (None, false, [Vec::new(), Vec::new()]);
    loop {
        let (page, count) = site.app.archive().counted_list(filter, sort, at.as_ref()).await?;
        if sort == Sort::Newest {
            let long = site.app.archive().list(filter, at.as_ref()).await?;
            assert_eq!((&page.matches, page.newer, page.older), (&long.matches, long.newer, long.older), "{filter:?}");
        }
        let order = |listed: &MatchSummary| (rank(sort, listed), listed.played_at, listed.match_id);
        ensure!(page.matches.is_sorted_by(|one, next| order(one) > order(next)), "{sort} {filter:?}");
        assert_eq!((usize::try_from(count.counted)?, count.more), (all.min(1_000), all > 1_000));
        seen[usize::from(turned)].extend(page.matches.iter().map(|listed| listed.match_id));
        at = match (turned, page.older, page.newer) {
            (false, Some(older), _) => Some(At::After(older)),
            (false, None, _) => Some(At::Last),
            (true, _, Some(newer)) => Some(At::Before(newer)),
            (true, _, None) => break,
        };
        turned |= at == Some(At::Last);
    }
    for ids in seen {
        assert_eq!((ids.len(), ids.into_iter().collect::<BTreeSet<_>>().len()), (all, all), "there and back");
    }
    Ok(())
}

/// The value by which an order sorts.
fn rank(sort: Sort, listed: &MatchSummary) -> i32 {
    match sort {
        Sort::Newest => 0,
        Sort::Dramatic => listed.drama,
        Sort::Closest => listed.closeness.unwrap_or(-1),
        Sort::Late => listed.lateness.unwrap_or(-1),
        Sort::Longest => listed.rounds,
    }
}

/// Adds more matches than are counted, only to the lists: each a copy of an existing one.
async fn add_rows_like_one(site: &Site, more: i32) -> Result<()> {
    let rows = sqlx::query(
        "with added as ( \
             insert into archive select another.* from archive as one, generate_series(1, $1) as n, \
                 lateral jsonb_populate_record(one, jsonb_build_object('match_id', gen_random_uuid(), 'slug', 'more' || n)) \
                 as another \
             where one.match_id = (select match_id from archive order by match_id limit 1) \
             returning log_id, match_id, played_at \
         ), seats as ( \
             insert into archive_seats select another.* from added, archive_seats as one, \
                 lateral jsonb_populate_record(one, jsonb_build_object('match_id', added.match_id)) as another \
             where one.match_id = (select match_id from archive order by match_id limit 1) \
         ) insert into archive_words select added.*, one.words from added, \
             (select words from archive_words order by match_id limit 1) as one",
    );
    rows.bind(more).execute(site.app.pool()).await?;
    // Copies differ in what lists are sorted by, and some are equal.
    sqlx::query(
        "update archive set drama = abs(hashtext(slug)) % 90, closeness = abs(hashtext(slug)) % 50, \
             lateness = abs(hashtext(slug)) % 30, rounds = abs(hashtext(slug)) % 20",
    )
    .execute(site.app.pool())
    .await?;
    Ok(())
}
