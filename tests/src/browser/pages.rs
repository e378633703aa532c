//! Every kind of page, for every kind of reader: axe finds nothing in either theme, and it fits a phone.

use anyhow::{Context, Result, ensure};
use fantoccini::Locator;

use super::{BOARDS, Browser, DEAL, FIXTURE, THWART, played};
use crate::pages::import;
use crate::play::table::{RULESET, Table};
use crate::site::Site;
use crate::whole_match::fixture;

/// A page's name, and its path.
type Named = (&'static str, String);

/// A phone's width in CSS pixels, the narrowest that is supported.
const PHONE: u32 = 320;

/// Checks pages as the users of these browsers: with axe, for their width on a desk and on a phone, and in pictures.
async fn looked_at(desk: &Browser, phone: &Browser, address: &str, pages: &[Named]) -> Result<()> {
    for (name, path) in pages {
        desk.client.goto(&format!("{address}{path}")).await?;
        desk.has_content(name).await?;
        desk.fits(name).await?;
        desk.axe(name).await?;
        desk.picture(&format!("{name}-dark")).await?;
        desk.theme("light").await?;
        desk.picture(&format!("{name}-light")).await?;
        phone.client.goto(&format!("{address}{path}")).await?;
        phone.fits(name).await?;
        phone.picture(&format!("{name}-phone")).await?;
    }
    Ok(())
}

impl Browser {
    /// Fails unless it has a title and, in its body, words.
    async fn has_content(&self, name: &str) -> Result<()> {
        let title = self.client.title().await?;
        ensure!(title.contains("Matchbook") && !self.text().await?.trim().is_empty(), "{name} is empty");
        Ok(())
    }
}

/// Pages whose address names no match of the test.
const FIXED: [(&str, &str); 26] = [
    ("home", "/"),
    ("archive", "/archive"),
    ("archive-filtered", "/archive?player=nobody&as=p1&from=2019-01-01"),
    ("archive-wrong", "/archive?from=yesterday"),
    ("players", "/players"),
    ("player", "/players/quill"),
    ("versus", "/players/quill/vs/okapi"),
    ("prepare", "/players/quill/prepare"),
    ("prepare-you", "/players/quill/prepare?you=okapi"),
    ("events", "/events"),
    ("event", "/events/two%20towers%202021"),
    ("statistics", "/statistics"),
    ("statistics-ruleset", "/statistics/five-card-trick/dm-colosseum-2"),
    ("explorer", "/statistics/five-card-trick/dm-colosseum-2/explore"),
    ("glossary", "/glossary"),
    ("style", "/style"),
    ("programs", "/api"),
    ("programs-notation", "/api/notation"),
    ("withdrawing", "/withdraw"),
    ("archive-unspoiled", "/archive?spoilers=no"),
    ("rules", "/rules"),
    ("ruleset", "/rules/five-card-trick/dm-colosseum-2"),
    ("conformance", "/rules/thwart-13/dm-colosseum-2/conformance"),
    ("log", "/log"),
    ("sign-in", "/sign-in"),
    ("nowhere", "/nowhere"),
];

/// Every kind of public page, of matches in several states.
async fn public_pages(site: &Site) -> Result<Vec<Named>> {
    let umpire = site.umpire().await?;
    let public = played(&umpire, FIXTURE, 12).await?;
    let thwart = played(&umpire, THWART, usize::MAX).await?;
    let deal = played(&umpire, DEAL, 14).await?;
    let boards = played(&umpire, BOARDS, 16).await?;
    // Variations begin in finished matches.
    let over = import(&umpire, &fixture(FIXTURE)?.text).await?.address.replace(&site.address, "");
    let dealt = import(&umpire, &fixture(DEAL)?.text).await?.address.replace(&site.address, "");
    let what_if = format!("{over}/r/3/before/what-if");
    while app::statistics::count_some(&site.app).await? > 0 {}
    let statistics = "/statistics/five-card-trick/dm-colosseum-2";
    let anybody = site.visitor()?;
    let guess = format!("{over}/guess/p1");
    let guessed = anybody.get(&guess).await?.addresses(&format!("{guess}?g="))?;
    let moment = format!("{statistics}/explore?match={}&step=3", over.trim_start_matches("/m/"));
    let of_matches = [
        ("explorer-moment", moment),
        ("counted-matches", format!("{statistics}/matches?what=round&sent=grow%20claim")),
        ("guess", format!("{over}/guess")),
        ("guess-asked", guess),
        ("guess-told", guessed.first().context("a choice")?.clone()),
        ("match", public.clone()),
        ("before", format!("{public}/r/3/before")),
        ("choices", format!("{public}/r/3/choices")),
        ("after", format!("{public}/r/3/after")),
        ("after-as-p1", format!("{public}/r/3/after?as=p1")),
        ("after-embedded", format!("/embed{public}/r/3/after")),
        ("match-embedded", format!("/embed{public}")),
        ("match-unspoiled", format!("{public}?spoilers=no")),
        ("verify", format!("{public}/verify")),
        ("live", format!("{public}/live")),
        ("thwart", thwart.clone()),
        ("thwart-selecting", format!("{thwart}/r/12/before")),
        ("thwart-found", format!("{thwart}/r/12/after")),
        ("deal", deal.clone()),
        ("deal-live", format!("{deal}/live")),
        ("deal-face-down", format!("{deal}/r/1.2/after")),
        ("boards", boards.clone()),
        ("boards-placed", format!("{boards}/r/1/after")),
        ("what-if", what_if.clone()),
        ("what-if-tried", format!("{what_if}?line=score+block:grow+/+claim")),
        ("what-if-as-played", format!("{what_if}?line=score+steal+/+claim")),
        ("what-if-refused", format!("{what_if}?line=claim+/+grow&line=jump+/+grow&line=grow+/+grow")),
        ("what-if-dealt", format!("{dealt}/r/0/before/what-if")),
        ("what-if-bet", format!("{dealt}/r/1.2/before/what-if")),
    ];
    Ok(FIXED.map(|(name, path)| (name, path.to_owned())).into_iter().chain(of_matches).collect())
}

#[tokio::test]
async fn every_public_page_is_for_everyone() -> Result<()> {
    let site = Site::start().await?;
    let pages = public_pages(&site).await?;
    let (desk, phone) = (Browser::open(1100, false, true).await?, Browser::open(PHONE, false, true).await?);
    looked_at(&desk, &phone, &site.address, &pages).await?;
    desk.close().await?;
    phone.close().await?;
    // Also without scripts: then only pictures can be taken of a page.
    let without = Browser::open(PHONE, true, false).await?;
    for (name, path) in &pages {
        without.client.goto(&format!("{}{path}", site.address)).await?;
        without.has_content(name).await?;
        without.picture(&format!("{name}-phone-without-scripts")).await?;
    }
    without.close().await
}

#[tokio::test]
async fn every_page_of_an_umpire_is_for_everyone() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let recorded = format!("/umpire{}", played(&umpire, FIXTURE, 12).await?);
    let over = format!("/umpire{}", played(&umpire, THWART, usize::MAX).await?);
    let deal = format!("/umpire{}", played(&umpire, DEAL, 14).await?);
    let boards = format!("/umpire{}", played(&umpire, BOARDS, 16).await?);
    let pages = [
        ("desk", "/umpire".to_owned()),
        ("opening", "/umpire/open".to_owned()),
        ("importing", "/umpire/import".to_owned()),
        ("webhooks", "/umpire/webhooks".to_owned()),
        ("discord", "/umpire/discord".to_owned()),
        ("console-recorded", recorded.clone()),
        ("console-over", over),
        ("console-deal", deal),
        ("console-boards", boards),
        ("strike", format!("{recorded}/strike?from=5")),
        ("correct", format!("{recorded}/correct?step=5")),
        ("links", format!("{recorded}/links")),
        ("withdrawing-words", format!("/withdraw{}", recorded.trim_start_matches("/umpire"))),
        ("your-account", "/account".to_owned()),
        ("umpires", "/account/umpires".to_owned()),
    ];
    let (desk, phone) = (Browser::open(1100, false, true).await?, Browser::open(PHONE, true, true).await?);
    for browser in [&desk, &phone] {
        browser.client.goto(&site.sign_in_link().await?).await?;
        browser.sign_in().await?;
    }
    looked_at(&desk, &phone, &site.address, &pages).await?;
    // A preview is the answer to a form: one of a match that can be entered, and one with a line that was not understood.
    let text = fixture(FIXTURE)?.text;
    let wrong = format!("{text}26. scroe / nobody knows\n");
    for (name, text, there) in
        [("import-preview", text, "section .facts"), ("import-wrong", wrong, "main [role=alert]")]
    {
        for browser in [&desk, &phone] {
            browser.client.goto(&format!("{}/umpire/import", site.address)).await?;
            let fill = "document.querySelector('textarea[name=text]').value = arguments[0]";
            browser.client.execute(fill, vec![text.clone().into()]).await?;
            browser.press(".buttons button[name=do][value=read]").await?;
            browser.client.wait().for_element(Locator::Css(there)).await?;
            browser.fits(name).await?;
            browser.axe(name).await?;
        }
    }
    desk.close().await?;
    phone.close().await
}

#[tokio::test]
async fn every_page_of_a_player_is_for_everyone() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    let (desk, phone) = (Browser::open(1100, false, true).await?, Browser::open(PHONE, true, true).await?);
    for browser in [&desk, &phone] {
        browser.client.goto(&table.link("p1").await?).await?;
        browser.fits("a link to a seat").await?;
        browser.axe("a link to a seat").await?;
        browser.press("main form button").await?;
        browser.until("Your receipts").await?;
    }
    let (address, home) = (&table.site.address, table.p1.home.clone());
    looked_at(&desk, &phone, address, &[("seat-asked", home.clone())]).await?;
    desk.press(".pick-main:has([value=grow])").await?;
    desk.press("form[data-asked] .act-buttons .send").await?;
    desk.until("move received.").await?;
    let receipt = desk.attribute("li[data-receipt] a", "href").await?.unwrap_or_default();
    looked_at(&desk, &phone, address, &[("seat-received", home.clone()), ("seat-receipt", receipt)]).await?;
    // The umpire's side of a live match, while one seat has answered and while nobody is asked.
    let (table_of, phone_of) = (Browser::open(1100, false, true).await?, Browser::open(PHONE, true, true).await?);
    for browser in [&table_of, &phone_of] {
        browser.client.goto(&table.site.sign_in_link().await?).await?;
        browser.sign_in().await?;
    }
    let console = [("console-asked", table.console.clone()), ("console-links", format!("{}/links", table.console))];
    looked_at(&table_of, &phone_of, address, &console).await?;
    table.p2.submits("claim").await?.says("move received.")?;
    table.closes().await?;
    looked_at(&desk, &phone, address, &[("seat-next", home), ("live-asked", format!("{}/live", table.public()))])
        .await?;
    for browser in [desk, phone, table_of, phone_of] {
        browser.close().await?;
    }
    Ok(())
}
