//! `matchbook dump`: all finished matches, in a folder that is complete or does not exist.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;
use serde_json::Value;
use tokio::process::Command;

use crate::pages::{import, one_of_each};
use crate::program::{command, started};
use crate::site::Guest;
use crate::wait::until;
use crate::whole_match::{fixture, open, record};

/// The dumps in a folder, and its other contents.
fn listed(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    found.sort();
    Ok(found)
}

/// The short name of the match in a line of a dump, whose bundle verifies, and is of the same entries as the site's.
async fn verified(guest: &Guest, folder: &Path, line: &Value) -> Result<String> {
    let slug = line["slug"].as_str().context("a slug")?.to_owned();
    let bundle = line["bundle"].as_str().context("a bundle")?;
    let file = folder.join(format!("{slug}.bundle"));
    fs::write(&file, bundle)?;
    let file = file.to_string_lossy().into_owned();
    let verified = command(&folder.join("data"), &["verify", "--quiet", &file])?.output().await?;
    let said = String::from_utf8_lossy(&verified.stdout).into_owned();
    ensure!(
        verified.status.success()
            && (said.contains("verified") || said.contains("imported; the moves follow the rules")),
        "{slug}: {said}"
    );
    let entries = guest.get(&format!("/m/{slug}.ndjson")).await?.text;
    ensure!(entries.lines().all(|entry| bundle.contains(entry)), "{slug} is another match");
    guest.get(&format!("/m/{slug}/verify")).await?.is(StatusCode::OK)?;
    Ok(slug)
}

#[tokio::test]
async fn a_dump_has_every_match_that_ended_and_each_line_can_be_checked() -> Result<()> {
    let (folder, program, umpire) = started().await?;
    let (data, dumps) = (folder.path().join("data"), folder.path().join("dumps"));
    let mut ended = Vec::new();
    for file in one_of_each()?.iter().take(3) {
        ended.push(import(&umpire, &fs::read_to_string(file)?).await?.address.trim_start_matches("/m/").to_owned());
    }
    let console = open(&umpire, &fixture("five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn")?).await?;
    record(&umpire, &console, "1. grow / claim").await?;
    let running = console.trim_start_matches("/umpire/m/");

    // The folder does not exist yet: nothing is written, and the reason is reported.
    let place = dumps.to_string_lossy().into_owned();
    let refused = command(&data, &["dump", &place])?.output().await?;
    ensure!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("there is no folder"));
    fs::create_dir(&dumps)?;
    let licence = folder.path().join("terms");
    fs::write(&licence, "CC0-1.0\n")?;
    let licence = licence.to_string_lossy().into_owned();
    let made = command(&data, &["dump", &place, "--licence", &licence])?.output().await?;
    ensure!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let found = listed(&dumps)?;
    let [dump] = found.as_slice() else { anyhow::bail!("{found:?}") };
    let names: Vec<_> = listed(dump)?.iter().filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect();
    assert_eq!(names, ["LICENCE.txt", "README.txt", "SHA256SUMS", "checkpoint", "matches.ndjson.gz"]);
    assert_eq!(fs::read_to_string(dump.join("LICENCE.txt"))?, "CC0-1.0\n");
    let readme = fs::read_to_string(dump.join("README.txt"))?;
    ensure!(readme.contains("Matches   3\n") && readme.contains("matchbook verify"), "{readme}");

    // Standard tools confirm the file's hash.
    let checked =
        Command::new("sha256sum").args(["--check", "--strict", "SHA256SUMS"]).current_dir(dump).output().await?;
    ensure!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
    let unpacked = Command::new("gzip").arg("-dc").arg(dump.join("matches.ndjson.gz")).output().await?;
    ensure!(unpacked.status.success());
    let text = String::from_utf8(unpacked.stdout)?;
    let mut slugs = Vec::new();
    let head = fs::read_to_string(dump.join("checkpoint"))?;
    let size: u64 = head.lines().nth(1).context("a size")?.parse()?;
    for line in text.lines() {
        slugs.push(verified(&umpire, folder.path(), &serde_json::from_str(line)?).await?);
    }
    slugs.sort();
    ended.sort();
    assert_eq!(slugs, ended);
    ensure!(!text.contains(running), "a match that runs is in the dump");
    // The command signs what is new itself, and the server publishes it a moment later.
    until(async || {
        let entries: u64 = umpire.get("/checkpoint").await?.text.lines().nth(1).context("a size")?.parse()?;
        ensure!(size > 0 && size <= entries, "the head of the dump is the log's: {size} of {entries}");
        Ok(())
    })
    .await?;

    // A second dump is beside it, and only the newest are kept if requested.
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    fs::create_dir(dumps.join("matchbook-notes"))?;
    let made = command(&data, &["dump", &place, "--keep", "1"])?.output().await?;
    ensure!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    ensure!(!dump.exists(), "the older dump is still there");
    let left = listed(&dumps)?;
    ensure!(left.len() == 2 && left.contains(&dumps.join("matchbook-notes")), "{left:?}");
    let newest = left.iter().find(|path| path.join("README.txt").exists()).context("the newest")?;
    ensure!(fs::read_to_string(newest.join("README.txt"))?.contains("No licence is stated"));
    ensure!(!newest.join("LICENCE.txt").exists());
    program.kill().await
}
