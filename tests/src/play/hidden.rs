//! Nothing of a seat's doings is public before its decision closes: two matches that differ in one hidden submission alone
//! look alike to everybody, byte for byte.

use anyhow::{Result, ensure};

use super::table::{RULESET, Table};
use crate::site::Guest;

/// Everything that anybody may fetch, and everything of the opponent's, with headers.
async fn everything(table: &Table) -> Result<Vec<(String, String)>> {
    let anybody = table.site.visitor()?;
    let public = table.public();
    // The log signs by a clock of its own; both are looked at when everything is signed.
    let id = table.site.book.match_of(&table.slug).await?;
    table.site.book.placed(id, &[ledger::Seq(1)]).await?;
    let mut read = Vec::new();
    let paths = [
        public.clone(),
        format!("{public}.json"),
        format!("{public}.ndjson"),
        format!("{public}.dmn"),
        format!("{public}.bundle"),
        format!("{public}/verify"),
        "/".to_owned(),
        "/archive".to_owned(),
        "/archive?running=on".to_owned(),
        "/checkpoint".to_owned(),
        "/tile/0/000".to_owned(),
        "/tile/entries/000".to_owned(),
        "/rules".to_owned(),
    ];
    for path in paths {
        read.push((path.clone(), answer(&anybody, &path).await?));
    }
    let home = &table.p2.home;
    for path in [home.clone(), format!("{home}/receipts.jsonl"), format!("{home}/receipt/d1/0")] {
        read.push((path.clone(), answer(&table.p2.guest, &path).await?));
    }
    Ok(read)
}

/// An answer with its headers; but the id that a form draws for itself, which says nothing. Under one name, since previews
/// say where they are.
async fn answer(guest: &Guest, path: &str) -> Result<String> {
    let asked = guest.http.get(format!("{}{path}", guest.address)).header("host", "matchbook.test");
    let answer = asked.send().await?;
    let mut headers: Vec<String> = answer
        .headers()
        .iter()
        .filter(|(name, _)| *name != "date")
        .map(|(name, value)| format!("{name}: {}", String::from_utf8_lossy(value.as_bytes())))
        .collect();
    headers.sort();
    let status = answer.status();
    let mut text = String::from_utf8_lossy(&answer.bytes().await?).into_owned();
    while let Some((before, rest)) = text.split_once("name=\"submit\" value=\"") {
        let rest = rest.split_once('"').map_or("", |(_, rest)| rest);
        text = format!("{before}name=submit {rest}");
    }
    Ok(format!("{status}\n{}\n{text}", headers.join("\n")))
}

#[tokio::test]
async fn what_a_seat_sends_is_told_nowhere_before_the_close() -> Result<()> {
    let scripts: [&[&str]; 4] = [&[], &["grow"], &["claim"], &["grow", "nonsense", "claim", "steal"]];
    let mut all = Vec::new();
    for script in scripts {
        let table = Table::laid(RULESET, true).await?;
        for text in script {
            table.p1.submits(text).await?;
        }
        all.push(everything(&table).await?);
        // The clock runs on, and still nothing is told.
        table.passes(5);
        all.push(everything(&table).await?);
    }
    let (first, later) = (&all[0], &all[1]);
    for pair in all.chunks(2).skip(1) {
        for (expected, found) in [(first, &pair[0]), (later, &pair[1])] {
            for ((path, one), (_, other)) in expected.iter().zip(found) {
                let differs = one.lines().zip(other.lines()).find(|(one, other)| one != other);
                ensure!(one == other, "{path} tells them apart: {differs:#?}");
            }
        }
    }
    Ok(())
}

#[tokio::test]
async fn the_umpire_reads_that_something_is_there_and_not_what() -> Result<()> {
    let mut consoles = Vec::new();
    for text in ["grow", "claim", "score steal"] {
        let table = Table::laid(RULESET, true).await?;
        table.p1.submits(text).await?;
        let console = table.umpire.get(&table.console).await?;
        console.says("valid, sent by the player")?;
        let id = console.field("form")?;
        let hidden = console
            .text
            .split("name=\"form\" value=\"")
            .map(|part| part.split_at_checked(32).map_or(part, |(_, rest)| rest));
        consoles.push((hidden.collect::<String>(), id));
    }
    assert_eq!(consoles[0].0, consoles[1].0);
    assert_eq!(consoles[0].0, consoles[2].0);
    Ok(())
}
