//! Pictures over HTTP, and their metadata for previews.

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;
use reqwest::header::{CONTENT_TYPE, ETAG, IF_NONE_MATCH};

use crate::page::Page;
use crate::pages::{import, one_of_each};
use crate::site::{Guest, Site};
use crate::wait::until;
use crate::whole_match::{fixture, open};

/// The page's metadata with this name.
fn said(page: &Page, name: &str) -> Result<String> {
    page.attribute(&format!("meta[property='{name}'], meta[name='{name}']"), "content")
}

/// The bytes of a picture, with their type and tag.
async fn get(guest: &Guest, url: &str) -> Result<(Vec<u8>, String, String)> {
    let answer = guest.http.get(url).send().await?;
    ensure!(answer.status() == StatusCode::OK, "{url}: {}", answer.status());
    let header = |name| answer.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let (kind, tag) = (header(CONTENT_TYPE), header(ETAG));
    Ok((answer.bytes().await?.to_vec(), kind, tag))
}

/// The size that a PNG states in its first chunk.
fn size(png: &[u8]) -> Result<(u32, u32)> {
    ensure!(png.starts_with(b"\x89PNG\r\n\x1a\n"), "no PNG");
    let number =
        |at: usize| -> Result<u32> { Ok(u32::from_be_bytes(png.get(at..at + 4).context("a size")?.try_into()?)) };
    Ok((number(16)?, number(20)?))
}

#[tokio::test]
async fn a_match_and_its_moments_have_pictures() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    for file in one_of_each()? {
        let sheet = import(&umpire, &std::fs::read_to_string(&file)?).await?;
        let address = sheet.address.replace(&site.address, "");
        for page in [anybody.get(&address).await?, anybody.get(&format!("{address}/r/1/after")).await?] {
            let image = said(&page, "og:image")?;
            let head = image.split_once(".png?head=").with_context(|| format!("no head in {image}"))?.1;
            let (png, kind, tag) = get(&anybody, &image).await?;
            ensure!(kind == "image/png" && tag.contains(&head[..16]), "{kind}, {tag}");
            let stated = (said(&page, "og:image:width")?.parse()?, said(&page, "og:image:height")?.parse()?);
            ensure!(size(&png)? == stated, "{stated:?}");
            ensure!(said(&page, "og:image:alt")? == said(&page, "twitter:image:alt")?, "one alt text");
            let seen = anybody.http.get(&image).header(IF_NONE_MATCH, &tag).send().await?;
            ensure!(seen.status() == StatusCode::NOT_MODIFIED, "{}", seen.status());

            let drawn = image.split('?').next().unwrap_or_default().replace(".png", ".svg");
            let (light, kind, _) = get(&anybody, &drawn).await?;
            let (dark, ..) = get(&anybody, &format!("{drawn}?theme=dark")).await?;
            ensure!(kind == "image/svg+xml" && light != dark, "{kind}");
            let told = String::from_utf8(light)?;
            let alt = said(&page, "og:image:alt")?;
            let first = alt.split('.').next().unwrap_or_default();
            ensure!(told.contains(&format!("<desc id=\"d\">{first}")), "{first} in {told}");
        }
    }
    Ok(())
}

#[tokio::test]
async fn a_match_without_a_round_is_animated_by_one_picture() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let played = fixture("three-card/simply-genius/dmo-25-p1-tindra-okapi.dmn")?;
    let public = open(&umpire, &played).await?.replace("/umpire", "");
    let (gif, kind, _) = get(&anybody, &format!("{}{public}.gif", site.address)).await?;
    ensure!(kind == "image/gif" && gif.starts_with(b"GIF89a"), "{kind}: {} bytes", gif.len());
    Ok(())
}

/// The most that a chat takes.
const ANIMATED_MAX: usize = 1_000_000;

#[tokio::test]
async fn a_match_and_a_round_are_animated_and_small() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    // The longest of each game.
    for played in [
        "five-card-trick/zeros-gauntlet-final/more-items-50-p1-saffron-marlowe.dmn",
        "three-card/simply-genius/dmo-25-p1-tindra-okapi.dmn",
        "thwart-13/dm-colosseum-2/challenge-met-17-p1-saffron-noor.dmn",
        "devils-deal/blooming-genius/no-chips-8-p1-quill-kestrel.dmn",
        "higher-lower/tempo-up/three-boards-5-p1-hexappeal-marlowe.dmn",
    ] {
        let sheet = import(&umpire, &fixture(played)?.text).await?;
        let animated = sheet.link("Animated")?.context("a link")?;
        // Where the machine is busy the time of a page is over first: then it is asked for again.
        let whole = format!("{}{animated}", site.address);
        let (gif, kind, _) = until(async || get(&anybody, &whole).await).await?;
        ensure!(kind == "image/gif" && gif.starts_with(b"GIF89a"), "{kind}");
        println!("{played}: {} bytes", gif.len());
        ensure!(gif.len() < ANIMATED_MAX, "{played}: {} bytes", gif.len());
        let address = sheet.address.replace(&site.address, "");
        let (begins, ..) = get(&anybody, &format!("{}{address}.gif?spoilers=no", site.address)).await?;
        ensure!(begins.len() * 3 < gif.len(), "without spoilers there is one picture: {} bytes", begins.len());
        // Whoever shares it can share its words, which tell how it ends.
        let result = sheet.content("p.result")?.trim().to_owned();
        let alt = sheet.attribute("[data-copy^='Animated: ']", "data-copy")?;
        ensure!(alt.ends_with(&result), "{alt}");
        let row = sheet.addresses(&format!("{address}/r/"))?.pop().context("a row")?;
        let moment = anybody.get(&row).await?;
        let alt = moment.attribute("[data-copy^='Animated: ']", "data-copy")?;
        let names = moment.content(".rbar a.title")?;
        ensure!(alt.contains(&format!("{names}, ")) && alt.len() > names.len() + 20, "{alt}");
        let hidden = anybody.get(&format!("{row}?spoilers=no")).await?;
        ensure!(!hidden.text.contains("Animated: "), "{row} without spoilers");
        let row = row.rsplit_once('/').context("a row")?.0.to_owned();
        let (round, kind, _) = get(&anybody, &format!("{}{row}.gif?theme=dark", site.address)).await?;
        ensure!(kind == "image/gif" && round.len() < ANIMATED_MAX / 4, "{row}: {} bytes", round.len());
    }
    Ok(())
}

#[tokio::test]
async fn a_picture_that_cannot_be_says_why() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let first = one_of_each()?.into_iter().next().context("a match")?;
    let sheet = import(&umpire, &std::fs::read_to_string(first)?).await?;
    let address = sheet.address.replace(&site.address, "");
    for (path, status, words) in [
        (".png?theme=blue", StatusCode::BAD_REQUEST, "?theme=light or ?theme=dark"),
        (".webp", StatusCode::NOT_FOUND, ".svg, .png and .gif"),
        ("/r/99.gif", StatusCode::NOT_FOUND, "There is no round"),
        ("/r/99/after.png", StatusCode::NOT_FOUND, "There is no round"),
        ("/r/1/later.png", StatusCode::NOT_FOUND, "Round 1 has three moments"),
        ("/r/1/after.gif", StatusCode::NOT_FOUND, "Round 1 has three moments"),
    ] {
        let page = anybody.get(&format!("{address}{path}")).await?;
        ensure!(page.status == status && page.text.contains(words), "{path}: {} {}", page.status, page.text);
    }
    Ok(())
}
