//! Each act of a row that has several, such as a bet, a refill or a card that is turned, is a moment of its own.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;

use super::found;
use crate::pages::import;
use crate::site::Site;
use crate::whole_match::fixture;

const DEAL: &str = "devils-deal/blooming-genius/no-ante-6-p1-omalley-bastion.dmn";
const CHALLENGES: [&str; 2] = [
    "thwart-13/dm-colosseum-2/challenge-failed-11-p2-okapi-drpelican.dmn",
    "thwart-13/dm-colosseum-2/challenge-met-12-p2-ilse-noor.dmn",
];
const BOARDS: &str = "higher-lower/tempo-up/three-boards-3-p1-kestrel-marlowe.dmn";

#[tokio::test]
async fn each_act_has_an_address_a_picture_and_its_place_in_the_replay() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    for played in [DEAL, BOARDS] {
        let public = import(&umpire, &fixture(played)?.text).await?.address.replace(&site.address, "");
        let history = site.app.matches.history_of(public.trim_start_matches("/m/")).await?;
        let rows = history.rows();
        let row = rows.iter().max_by_key(|row| row.steps.len()).context("a row")?;
        let (acts, label) = (row.steps.len(), &row.label);
        ensure!(acts > 3, "{played}: {acts}");
        // One steps from the row's beginning through every act to its end, and each act is told once on the way.
        let (mut address, mut told) = (format!("{public}/r/{label}/before"), Vec::new());
        for number in 1..=acts {
            let page = found(&anybody, &address).await?;
            address = page.related("next")?.context("a next moment")?;
            let word = if number == acts { "after".to_owned() } else { format!("act-{number}") };
            assert_eq!(address, format!("{public}/r/{label}/{word}"));
            let page = found(&anybody, &address).await?;
            let back = page.related("prev")?.context("a moment before")?;
            // The state before a row is the last one of the row before it.
            let before = format!("/r/{label}/act-{}", number - 1);
            ensure!(
                if number == 1 {
                    back.ends_with("/after") || back.ends_with("/before")
                } else {
                    back.ends_with(&before)
                },
                "{back}"
            );
            if number < acts {
                told.extend(page.contents(".told-steps .recorded .dmn")?.into_iter().map(|act| act.trim().to_owned()));
                let picture = anybody.get(&format!("{address}.svg")).await?;
                picture.is(StatusCode::OK)?.says(&format!("act {number}"))?;
            }
        }
        // At the end of the row all of them are told, as before.
        let whole = found(&anybody, &format!("{public}/r/{label}/after")).await?.text;
        let missing: BTreeSet<&String> = told.iter().filter(|act| !whole.contains(act.as_str())).collect();
        ensure!(missing.is_empty(), "{missing:?} of {told:?}");
        found(&anybody, &format!("{public}/r/{label}/choices")).await?;
        for word in [format!("act-{acts}"), "act-0".to_owned(), "act-01".to_owned()] {
            let none = anybody.get(&format!("{public}/r/{label}/{word}")).await?;
            none.is(StatusCode::NOT_FOUND)?.says(&format!("Round {label} has three moments"))?;
        }
        // Without spoilers a moment names the next one, and none after it: their number tells how the row goes on.
        for (word, later) in [("before", "act-2"), ("act-1", "act-3")] {
            let page = found(&anybody, &format!("{public}/r/{label}/{word}?spoilers=no")).await?;
            ensure!(!page.text.contains(later), "{word} without spoilers names {later}");
            ensure!(found(&anybody, &format!("{public}/r/{label}/{word}")).await?.text.contains(later), "{word}");
        }
        // Another move can be tried from the middle of the row.
        found(&anybody, &format!("{public}/r/{label}/act-1/what-if")).await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_challenge_and_its_judgement_are_moments_of_their_own() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    for played in CHALLENGES {
        let sheet = import(&umpire, &fixture(played)?.text).await?;
        let (public, result) = (sheet.address.replace(&site.address, ""), sheet.content("p.result")?);
        let history = site.app.matches.history_of(public.trim_start_matches("/m/")).await?;
        let rows = history.rows();
        let [.., challenge, judged] = &rows[..] else { anyhow::bail!("{played}: two rows") };
        assert_eq!((challenge.steps.len(), judged.steps.len()), (1, 1), "{played}");
        let moment = |label: &str, beat: &str| format!("{public}/r/{label}/{beat}");
        let told = found(&anybody, &moment(&challenge.label, "after")).await?;
        ensure!(told.content("[data-part=told]")?.to_lowercase().contains("challenge"), "{played}: {}", told.text);
        ensure!(!told.text.contains(result.trim()), "{played}: the challenge alone decides nothing");
        // The question that is judged, and then what was found.
        assert_eq!(told.related("next")?, Some(moment(&judged.label, "after")));
        found(&anybody, &moment(&judged.label, "before")).await?.says("Can they still complete a set?")?;
        found(&anybody, &moment(&judged.label, "after")).await?.says(result.trim())?;
        for (label, beat) in [(&challenge.label, "after"), (&judged.label, "before"), (&judged.label, "after")] {
            let picture = anybody.get(&format!("{}.svg", moment(label, beat))).await?;
            picture.is(StatusCode::OK)?.says(&format!(", {beat}"))?;
        }
    }
    Ok(())
}
