//! What the random matches have to contain: everything that can be done to a match, read off the program itself.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, ensure};
use ledger::Kind;
use syn::Item;

use crate::authorization::routes::routes;
use crate::database::database;
use crate::site::Site;
use crate::tidy::sources;

/// What was done in all matches, and how often.
#[derive(Debug, Default)]
pub(super) struct Covered {
    /// The routes and commands by which something was done, and not refused.
    pub(super) ways: BTreeMap<String, u32>,
    /// The kinds of entries that came of it, and the effects of rulings.
    pub(super) entries: BTreeSet<String>,
}

/// What no random match does, and why.
const LEFT_OUT: [(&str, &str); 19] = [
    ("delete /api/v1/matches/{slug}", "practice alone is deleted"),
    ("post /umpire/m/{slug}/delete", "practice alone is deleted"),
    ("post /umpire/m/{slug}/list-without", "no match of today lists its shares twice"),
    ("post /api/v1/matches/{slug}/shares/without", "no match of today lists its shares twice"),
    ("post /m/{slug}/round", "these matches wait for no beacon"),
    ("post /api/v1/matches/{slug}/round", "these matches wait for no beacon"),
    ("post /umpire/m/{slug}/without-round", "these matches wait for no beacon"),
    ("post /api/v1/matches/{slug}/without-round", "these matches wait for no beacon"),
    ("ruled: WithoutRound", "these matches wait for no beacon"),
    ("post /umpire/results/{slug}", "a known result is no match of the log"),
    ("imported", "nothing is done to a match of the past"),
    ("registered", "an entry of a player, and of no match"),
    ("rotated", "an entry of a player, and of no match"),
    ("revoked", "an entry of a player, and of no match"),
    ("/match open", "it opens as the API does, and posts"),
    ("/match here", "it posts"),
    ("/match leave", "it posts"),
    ("/match invite", "it posts"),
    ("/match ready", "it posts"),
];

/// The effects that a ruling can have.
fn effects() -> Result<Vec<String>> {
    let mut found = Vec::new();
    for (_, text) in sources("record/src/body") {
        for item in syn::parse_file(&text)?.items {
            if let Item::Enum(item) = item
                && item.ident == "RulingEffect"
            {
                found.extend(item.variants.iter().map(|variant| format!("ruled: {}", variant.ident)));
            }
        }
    }
    ensure!(found.len() > 3, "{found:?}");
    Ok(found)
}

/// Every way to act on a match or from a seat, every kind of entry, every effect of a ruling.
async fn all() -> Result<BTreeSet<String>> {
    let site = Site::without_deadlines("what there is", database().await?).await?;
    let document = serde_json::from_str(&site.visitor()?.get("/openapi.json").await?.text)?;
    let mut all: BTreeSet<String> = effects()?.into_iter().collect();
    all.extend(Kind::ALL.iter().map(ToString::to_string));
    for route in routes(&document)? {
        let of_seat = ["/api/v1/seat", "/play/"].iter().any(|begins| route.path.starts_with(begins));
        if route.method != "get" && (of_seat || route.is_of_a_match()) {
            all.insert(format!("{} {}", route.method, route.path));
        }
    }
    let commands = web::discord::commands();
    for command in commands.as_array().into_iter().flatten() {
        let name = command["name"].as_str().unwrap_or_default();
        for option in command["options"].as_array().into_iter().flatten().filter(|option| option["type"] == 1) {
            all.insert(format!("/{name} {}", option["name"].as_str().unwrap_or_default()));
        }
    }
    all.extend(["/submit", "time", "restart", "outage"].map(str::to_owned));
    Ok(all)
}

/// Fails if something can be done that these matches did not contain, or that was refused each time.
pub(super) async fn is_whole(covered: &Covered) -> Result<()> {
    let missing = |one: &&String| {
        let left_out = LEFT_OUT.iter().any(|(name, _)| name == *one);
        !left_out && !covered.ways.contains_key(*one) && !covered.entries.contains(*one)
    };
    let all = all().await?;
    println!("seldom: {:?}", covered.ways.iter().filter(|(_, times)| **times < 5).collect::<Vec<_>>());
    let missing: Vec<_> = all.iter().filter(missing).collect();
    ensure!(missing.is_empty(), "no honest match contains: {missing:#?}");
    Ok(())
}
