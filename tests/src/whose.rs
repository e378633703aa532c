//! Whose knowledge a match of the past is shown with: what no rule opened is told to nobody who did not know it.

use anyhow::Result;

use crate::pages::{import, one_of_each};
use crate::site::Site;

/// Every way to look.
const LENSES: [&str; 5] = ["?as=public", "?spoilers=no", "?as=p1", "?as=p2", "?as=all"];

/// What a page says was sent, and what it says to others.
fn told(text: &str) -> Vec<&str> {
    let (sent, others) = (text.split("<span class=\"dmn\">").skip(1), text.split("description\" content=\"").skip(1));
    sent.map(|part| part.split('<').next().unwrap_or_default())
        .chain(others.map(|part| part.split('"').next().unwrap_or_default()))
        .collect()
}

#[tokio::test]
async fn where_nothing_is_hidden_everybody_is_told_the_same() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let files = one_of_each()?.into_iter().filter(|file| {
        let file = file.to_string_lossy();
        file.contains("/three-card/") || file.contains("/thwart-13/")
    });
    for file in files {
        let public = import(&umpire, &std::fs::read_to_string(&file)?).await?.address.replace(&site.address, "");
        for moment in ["/r/1/choices", "/r/2/after"] {
            let all = anybody.get(&format!("{public}{moment}?as=all")).await?;
            all.says("All knew the same here.")?;
            for lens in LENSES {
                let page = anybody.get(&format!("{public}{moment}{lens}")).await?;
                assert_eq!(told(&page.text), told(&all.text), "{}: {moment}{lens}", file.display());
            }
        }
    }
    Ok(())
}
