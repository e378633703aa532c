//! `matchbook dump`: every finished match, in one file that anybody can keep and check.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use app::archive::{Filter, ResultFilter};
use app::{App, AppError};
use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;
use ledger::MatchId;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::DatabasePlace;
use super::open::OpenApp;

const MATCHES: &str = "matches.ndjson.gz";
const HASH: &str = "SHA256SUMS";
/// The signed head of the log.
const CHECKPOINT: &str = "checkpoint";
const README: &str = "README.txt";
const LICENCE: &str = "LICENCE.txt";
const PREFIX: &str = "matchbook-";

/// Write every match that has ended to a new folder below this one, for publishing.
///
/// The folder is called after the time, such as matchbook-20261122T030000Z, and is there whole or not at all. In it are the
/// matches (gzip, one bundle a line), their SHA-256, the log's signed head, a text that says how to check them, and the
/// licence where you name one. Nothing that is still sealed is in it: only what anybody may download match by match.
///
/// Words that people have withdrawn since are in the dumps of before: keep few of them (--keep), and publish the newest.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The folder that the dumps are in.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// A text with the terms under which the data is given.
    #[arg(long, value_name = "FILE")]
    licence: Option<PathBuf>,
    /// Delete all dumps in the folder but the newest, this many.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    keep: Option<u32>,
}

#[derive(Debug, Serialize)]
struct Line<'m> {
    #[serde(rename = "match")]
    match_id: String,
    slug: &'m str,
    ruleset: &'m str,
    /// The bundle, byte for byte the same as the download.
    bundle: &'m str,
}

struct HashingWriter<W> {
    inner: W,
    hash: Sha256,
}

impl<W: Write> Write for HashingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.update(bytes.get(..written).unwrap_or_default());
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl Arguments {
    pub(crate) async fn run(self, place: &DatabasePlace) -> anyhow::Result<ExitCode> {
        let licence = self.licence.as_ref().map(fs::read).transpose().context("cannot read the licence")?;
        ensure!(self.folder.is_dir(), "there is no folder {}: make it", self.folder.display());
        let open_app = OpenApp::open(place, None).await?;
        let (app, now) = (&open_app.app, open_app.app.system().now().to_utc());
        app.index.follow().await?;
        let name = format!("{PREFIX}{}", now.format("%Y%m%dT%H%M%SZ"));
        let (whole, part) = (self.folder.join(&name), self.folder.join(format!(".{name}.part")));
        ensure!(!whole.exists(), "{} is there already", whole.display());
        // Removes the leftovers of an interrupted run in the same second.
        if part.exists() {
            fs::remove_dir_all(&part).with_context(|| format!("cannot remove {}", part.display()))?;
        }
        fs::create_dir(&part).with_context(|| format!("cannot make {}", part.display()))?;
        let made = write(app, &part, licence.as_deref()).await;
        let matches = match made {
            Ok(matches) => matches,
            Err(error) => {
                // An incomplete dump is removed; if that fails, its name marks it as incomplete.
                let _ = fs::remove_dir_all(&part);
                return Err(error);
            }
        };
        fs::rename(&part, &whole).with_context(|| format!("cannot name {}", whole.display()))?;
        synced(&self.folder)?;
        open_app.close().await?;
        say!("{}: {matches} matches.", whole.display())?;
        if let Some(keep) = self.keep {
            for old in older(&self.folder, usize::try_from(keep)?)? {
                fs::remove_dir_all(&old).with_context(|| format!("cannot remove {}", old.display()))?;
                say!("{}: removed.", old.display())?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Writes the files of a dump; returns the number of matches. Only one match at a time is in memory.
async fn write(app: &App, folder: &Path, licence: Option<&[u8]>) -> anyhow::Result<usize> {
    let file = BufWriter::new(new(&folder.join(MATCHES))?);
    let mut gzip = GzEncoder::new(HashingWriter { inner: file, hash: Sha256::new() }, Compression::default());
    let ended = Filter { result: Some(ResultFilter::Ended), ..Filter::default() };
    let (mut matches, mut after) = (0, None);
    loop {
        let (found, next) = app.archive().walk(&ended, after.as_ref()).await?;
        // Of a match that is known by its result there is nothing to check.
        for listed in found.iter().filter(|listed| listed.mode != "result") {
            let bundle = match app.public_log.bundle(MatchId(listed.match_id)).await {
                Ok(bundle) => bundle.write(),
                Err(error @ AppError::Store(_)) => return Err(error.into()),
                // The stored match is invalid; the audit gives the reason. The other matches are still written.
                Err(error) => {
                    tracing::error!(slug = listed.slug, %error, "a match is left out of the dump");
                    continue;
                }
            };
            let bundle = String::from_utf8(bundle).context("a bundle is text")?;
            let (match_id, slug, ruleset) = (listed.match_id.to_string(), &listed.slug, &listed.ruleset);
            serde_json::to_writer(&mut gzip, &Line { match_id, slug, ruleset, bundle: &bundle })?;
            gzip.write_all(b"\n")?;
            matches += 1;
        }
        match next {
            Some(next) => after = Some(next),
            None => break,
        }
    }
    let HashingWriter { inner, hash } = gzip.finish()?;
    inner.into_inner().map_err(|error| error.into_error())?.sync_all()?;
    let hash: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    text(&folder.join(HASH), &format!("{hash}  {MATCHES}\n"))?;
    // Signed after the matches were read, so that it covers all of them.
    let size = app.logs.record().tree_head().await?.size;
    let head = match app.signer().covering(size).await {
        Ok(signed) => Some(app.public_log.cosigned(&signed).await?),
        Err(_) => None,
    };
    if let Some(head) = &head {
        text(&folder.join(CHECKPOINT), head)?;
    }
    if let Some(licence) = licence {
        let mut file = new(&folder.join(LICENCE))?;
        file.write_all(licence)?;
        file.sync_all()?;
    }
    text(&folder.join(README), &readme(app, matches, head.is_some(), licence.is_some()))?;
    synced(folder)?;
    Ok(matches)
}

fn readme(app: &App, matches: usize, signed: bool, licensed: bool) -> String {
    let signed = if signed {
        "checkpoint         the head of the log, signed; it covers every entry in here"
    } else {
        "(no checkpoint     the log is not signed at present)"
    };
    let licence = if licensed {
        "The terms under which this is given are in LICENCE.txt."
    } else {
        "No licence is stated: ask whoever runs the site before you publish any of it."
    };
    format!(
        "Matchbook: all matches that have ended\n\
         \n\
         Log       {origin}\n\
         Written   {at}\n\
         Matches   {matches}\n\
         \n\
         {MATCHES}  a JSON object a line, newest match first: match (its id), slug (its short\n\
         \u{20}                  name), ruleset, and bundle, a text that is its file for checking\n\
         {HASH}         the hash of that file: sha256sum --check {HASH}\n\
         {signed}\n\
         \n\
         To check a match, give its bundle to matchbook verify, which needs no network:\n\
         \n\
         \u{20}   zcat {MATCHES} | jq -r 'select(.slug == \"NAME\").bundle' | matchbook verify -\n\
         \n\
         Names and remarks can be withdrawn. What was withdrawn before this was written is not in it, and the record is\n\
         checked without it. Please replace copies of this by the next one, so that what was withdrawn since goes there too.\n\
         \n\
         {licence}\n",
        origin = app.origin(),
        at = app.system().now(),
    )
}

/// All but the newest dumps in a folder. Their names are in the order of their times.
fn older(folder: &Path, keep: usize) -> anyhow::Result<Vec<PathBuf>> {
    let mut dumps = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        let named = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(PREFIX));
        if named && path.join(MATCHES).is_file() && path.join(README).is_file() {
            dumps.push(path);
        }
    }
    dumps.sort();
    dumps.truncate(dumps.len().saturating_sub(keep));
    Ok(dumps)
}

fn new(path: &Path) -> anyhow::Result<File> {
    File::create_new(path).with_context(|| format!("cannot make {}", path.display()))
}

fn text(path: &Path, text: &str) -> anyhow::Result<()> {
    let mut file = new(path)?;
    file.write_all(text.as_bytes())?;
    Ok(file.sync_all()?)
}

/// A file's name is durable only when its folder is.
fn synced(folder: &Path) -> anyhow::Result<()> {
    File::open(folder).and_then(|folder| folder.sync_all()).with_context(|| format!("cannot sync {}", folder.display()))
}
