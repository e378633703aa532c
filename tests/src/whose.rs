//! The views of an imported match: a value that no rule opened is shown only to those who knew it.
//!
//! Each game with hidden values is entered twice, with different values. A reader who could not tell the two apart must
//! get the same bytes on every page, in its metadata, in every frame and in every picture.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use engine::Party;
use reqwest::StatusCode;

use crate::pages::{import, one_of_each};
use crate::site::{Guest, Site};
use crate::whole_match::fixture;

/// A match up to something hidden, and an alternative to it.
struct Hidden {
    fixture: &'static str,
    /// The number of steps taken from the fixture.
    steps: usize,
    /// The text to replace, and its replacement.
    instead: (&'static str, &'static str),
    /// The party that knows it.
    whose: Party,
    /// The moment that shows it to them.
    moment: &'static str,
}

const PUZZLER: &str = "five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn";
const DEAL: &str = "devils-deal/blooming-genius/no-ante-1-p2-bastion-quill.dmn";
const TEMPO: &str = "higher-lower/tempo-up/three-boards-3-p1-kestrel-marlowe.dmn";

const P1: Party = Party::Seat(engine::Seat::P1);
const P2: Party = Party::Seat(engine::Seat::P2);

const HIDDEN: [Hidden; 5] = [
    // Both Blocks of the fourth round are cancelled.
    Hidden {
        fixture: PUZZLER,
        steps: 4,
        instead: ("grow block:score /", "grow block:steal /"),
        whose: P1,
        moment: "4/choices",
    },
    Hidden {
        fixture: PUZZLER,
        steps: 4,
        instead: ("steal block:score", "steal block:claim"),
        whose: P2,
        moment: "4/choices",
    },
    // Private cards before the first is turned over.
    Hidden { fixture: DEAL, steps: 6, instead: ("\nG5 R9 /", "\nR9 G5 /"), whose: P1, moment: "1.2/after" },
    Hidden { fixture: DEAL, steps: 6, instead: ("/ G2 G7\n", "/ G7 G2\n"), whose: P2, moment: "1.2/after" },
    // An assignment.
    Hidden { fixture: TEMPO, steps: 7, instead: (" | C square D10 D7 D3 D1", ""), whose: P2, moment: "0/choices" },
];

/// Every view, and the party whose knowledge it shows besides the public's; all parties for the last.
const LENSES: [(&str, Option<Party>); 5] = [
    ("?as=public", None),
    ("?spoilers=no", None),
    ("?as=p1", Some(P1)),
    ("?as=p2", Some(P2)),
    ("?as=all", Some(Party::Host)),
];

impl Hidden {
    /// Both matches. An umpire ends them, so that no later step opens anything.
    fn both(&self) -> Result<[String; 2]> {
        let text = fixture(self.fixture)?.text;
        let tags = text
            .lines()
            .filter(|line| line.starts_with('['))
            .map(|tag| if tag.starts_with("[Result ") { "[Result \"p1\"]" } else { tag });
        let steps = text.lines().filter(|line| !line.is_empty() && !line.starts_with('['));
        let lines: Vec<&str> = tags.chain([""]).chain(steps.take(self.steps)).collect();
        let told = format!("{}\numpire: result p1 conceded\n", lines.join("\n"));
        let (was, is) = self.instead;
        let other = told.replacen(was, is, 1);
        ensure!(told != other, "{}: {was:?} is not there", self.fixture);
        Ok([told, other])
    }

    fn knows(&self, lens: Option<Party>) -> bool {
        lens == Some(Party::Host) || lens == Some(self.whose)
    }
}

/// A page without the differences between any two matches: their addresses and the hashes of their last entries.
async fn bare(guest: &Guest, address: &str, public: &str) -> Result<String> {
    let page = guest.get(address).await?;
    page.is(StatusCode::OK)?;
    // Its address may be part of another one.
    let text = page.text.replace(public, "/m/it").replace(&public.replace('/', "%2F"), "%2Fm%2Fit");
    let mut parts = text.split("?head=");
    let mut bare = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        bare.push_str(part.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    }
    Ok(bare)
}

#[tokio::test]
async fn a_match_of_the_past_tells_nobody_what_they_did_not_know() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    // A match is entered once, even if two of these have the same beginning.
    let mut entered: BTreeMap<String, String> = BTreeMap::new();
    for hidden in &HIDDEN {
        let mut publics = Vec::new();
        for told in hidden.both()? {
            if !entered.contains_key(&told) {
                let page = import(&umpire, &told).await?;
                entered.insert(told.clone(), page.address.replace(&site.address, ""));
            }
            publics.extend(entered.get(&told).cloned());
        }
        let row = hidden.moment.split('/').next().unwrap_or_default();
        for (lens, whose) in LENSES {
            for beat in ["before", "choices", "after"] {
                let moment = format!("/r/{row}/{beat}");
                for (what, suffix, frame) in [("page", "", ""), ("picture", ".svg", ""), ("frame", "", "/embed")] {
                    let mut seen = Vec::new();
                    for public in &publics {
                        let address = format!("{frame}{public}{moment}{suffix}{lens}");
                        seen.push(bare(&anybody, &address, public).await?);
                    }
                    let same = seen.first() == seen.last();
                    let name = format!("{}, {:?}, {what} of {moment}{lens}", hidden.fixture, hidden.instead);
                    if !hidden.knows(whose) {
                        ensure!(same, "{name} tells it:\n{}", seen.join("\n"));
                    } else if what == "page" && hidden.moment == format!("{row}/{beat}") {
                        ensure!(!same, "{name} keeps it from who knew it");
                    }
                }
            }
            if !hidden.knows(whose) {
                let mut seen = Vec::new();
                for public in &publics {
                    seen.push(sheet(&bare(&anybody, &format!("{public}{lens}"), public).await?));
                }
                ensure!(seen.first() == seen.last(), "{}: the sheet {lens} tells it: {seen:?}", hidden.fixture);
            }
        }
    }
    Ok(())
}

/// A match's page without the part about its entries: its metadata, and its score sheet.
fn sheet(page: &str) -> String {
    let Some((before, table)) = page.split_once("<table class=\"sheet\"") else { return page.to_owned() };
    let head = before.split("</head>").next().unwrap_or_default();
    format!("{head}{}", table.split("</table>").next().unwrap_or_default())
}

/// The moves on a page, and its metadata.
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
            all.says("No hidden information here.")?;
            for (lens, _) in LENSES {
                let page = anybody.get(&format!("{public}{moment}{lens}")).await?;
                assert_eq!(told(&page.text), told(&all.text), "{}: {moment}{lens}", file.display());
            }
        }
    }
    Ok(())
}
