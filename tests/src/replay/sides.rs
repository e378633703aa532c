//! The replay from the second seat's side, and its speeds.

use anyhow::{Context, Result, ensure};
use serde_json::json;

use super::COLOSSEUM;
use crate::browser::Browser;
use crate::pages::import;
use crate::site::Site;
use crate::wait::until;
use crate::whole_match::fixture;

/// The seats from left to right, in what they have and in what they played; whether their sides are as wide as each other, on
/// one line; how many parts of them do not fit; and whether what is shared lies between them.
const SIDES: &str = "const box = (one) => one.getBoundingClientRect();
    const seats = (css) => [...document.querySelectorAll(css)].sort((one, other) => box(one).left - box(other).left)
        .map((one) => one.dataset.seat).join(' ');
    const [one, other] = ['p1', 'p2'].map((seat) => box(document.querySelector(`.state-seat[data-seat=${seat}]`)));
    // A torn card is turned a little, and may reach over its side.
    const parts = [...document.querySelectorAll('.state-seat, .state-held, .moved')].filter((part) => part.scrollWidth > part.clientWidth + (part.querySelector('.torn') ? 12 : 1));
    const pot = document.querySelector('.state-pot'), middle = pot ? box(pot) : null;
    const centre = middle ? Math.abs((middle.left + middle.right) / 2 - (Math.min(one.left, other.left) + Math.max(one.right, other.right)) / 2) : 0;
    return [seats('.state-seat'), seats('.state-held').replace(/^$/, seats('.state-seat')), Math.abs(one.width - other.width) < 2 && Math.abs(one.top - other.top) < 2, parts.length, centre < 2];";

const WIDTHS: [(u32, u32); 5] = [(390, 664), (768, 1024), (1024, 768), (1280, 800), (1920, 1080)];

#[tokio::test]
async fn seats_are_swapped_in_every_game_at_every_width() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let browser = Browser::open(1280, false, true).await?;
    for (name, played) in super::screens::MATCHES {
        let public = import(&umpire, &fixture(played)?.text).await?.address.replace(&site.address, "");
        let history = site.app.matches.history_of(public.trim_start_matches("/m/")).await?;
        let rows = history.rows();
        let row = rows.get(rows.len() / 2).context("a row")?;
        for (width, height) in WIDTHS {
            browser.resize((width, height)).await?;
            browser.client.goto(&format!("{}{public}/r/{}/after", site.address, row.label)).await?;
            for order in ["p1 p2", "p2 p1", "p1 p2"] {
                let sides = browser.client.execute(SIDES, vec![]).await?;
                assert_eq!(sides, json!([order, order, true, 0, true]), "{name}, {width}");
                if order == "p2 p1" {
                    browser.picture(&format!("replay-swapped-{name}-{width}")).await?;
                }
                browser.type_keys("s").await?;
            }
            // It is kept for every later match: so it is put back.
            browser.type_keys("s").await?;
        }
    }
    browser.close().await
}

/// Notes how long each moment would stay, and goes on at once instead.
const NOTES_WAITS: &str = "window.waits = []; const later = window.setTimeout;
    window.setTimeout = (act, ms, ...more) => { if (ms >= 250) waits.push(ms); return later(act, ms >= 250 ? 0 : ms, ...more); };
    document.querySelector('[data-pace]').value = arguments[0]; document.querySelector('[data-play]').click();";

#[tokio::test]
async fn it_plays_at_its_own_twice_and_four_times_its_speed() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let public = import(&umpire, &fixture(COLOSSEUM)?.text).await?.address.replace(&site.address, "");
    let page = super::found(&anybody, &format!("{public}/r/1/before")).await?;
    assert_eq!(page.contents("[data-pace] option")?, ["1\u{d7}", "2\u{d7}", "4\u{d7}"]);
    let browser = Browser::open(1100, false, true).await?;
    // One press a round, which is read for three seconds and a half.
    for (pace, round) in [("1", [1000, 3500, 3500]), ("2", [500, 1750, 1750]), ("4", [250, 875, 875])] {
        browser.client.goto(&format!("{}{public}/r/1/before", site.address)).await?;
        browser.client.execute(NOTES_WAITS, vec![json!(pace)]).await?;
        until(async || {
            let waits = browser.client.execute("return window.waits.slice(0, 3)", vec![]).await?;
            ensure!(waits == json!(round), "at {pace}\u{d7} it waits for {waits}");
            Ok(())
        })
        .await?;
    }
    browser.close().await
}
