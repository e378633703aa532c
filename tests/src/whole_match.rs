//! Whole matches, recorded over HTTP like an umpire, then read and checked like anybody.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, ensure};
use engine::dmn::Replay;
use record::verify::Verdict;
use reqwest::StatusCode;

use crate::page::Page;
use crate::site::{Guest, Site};

/// A fixture's match, as an umpire would type it.
pub(crate) struct Played {
    pub(crate) text: String,
    pub(crate) steps: Vec<String>,
}

pub(crate) fn fixture(name: &str) -> Result<Played> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/matches").join(name);
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut steps = Vec::new();
    let mut replay = Replay::open(&text).map_err(|errors| anyhow::anyhow!("{errors:?}"))?;
    while let Some(played) = replay.play(None) {
        steps.push(played.map_err(|errors| anyhow::anyhow!("{errors:?}"))?.played.text);
    }
    Ok(Played { text, steps })
}

/// One finished match of each ruleset: the first without an umpire's ruling.
fn one_of_each() -> Result<Vec<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/matches");
    let mut names = Vec::new();
    for game in fs::read_dir(&root)? {
        for ruleset in fs::read_dir(game?.path())? {
            let mut files: Vec<PathBuf> =
                fs::read_dir(ruleset?.path())?.map(|file| Ok(file?.path())).collect::<std::io::Result<_>>()?;
            files.sort();
            let ruled =
                |file: &PathBuf| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("umpire"));
            let file = files.iter().find(|file| !ruled(file)).context("a finished match")?;
            names.push(file.strip_prefix(&root)?.to_string_lossy().into_owned());
        }
    }
    ensure!(names.len() == engine::rulesets().count(), "one of each ruleset: {names:?}");
    Ok(names)
}

/// Opens a fixture's match, and returns the path of its console.
pub(crate) async fn open(umpire: &Guest, played: &Played) -> Result<String> {
    let replay = Replay::open(&played.text).map_err(|errors| anyhow::anyhow!("{errors:?}"))?;
    let tags = replay.tags();
    let mut fields = vec![
        ("ruleset", tags.setup.ruleset.as_str()),
        ("p1", &tags.names.p1),
        ("p2", &tags.names.p2),
        ("dmo", tags.setup.dmo.map_or("", engine::Seat::word)),
        ("event", tags.event.as_deref().unwrap_or("")),
        ("date", tags.date.as_deref().unwrap_or("")),
        // The draws are in the file, and are typed in.
        ("draws", "umpire"),
    ];
    let items: Vec<(String, &str)> = tags
        .setup
        .items
        .each()
        .into_iter()
        .flat_map(|(seat, items)| items.iter().map(move |item| (format!("item-{item}"), seat.word())))
        .collect();
    fields.extend(items.iter().map(|(name, seat)| (name.as_str(), *seat)));
    let options: Vec<_> =
        tags.setup.options.iter().map(|(name, value)| (format!("option-{name}"), value.as_str())).collect();
    fields.extend(options.iter().map(|(name, value)| (name.as_str(), *value)));
    let console = umpire.opens(&fields).await?;
    ensure!(console.status == StatusCode::OK, "{}: {}", console.status, console.text);
    ensure!(console.address.starts_with("/umpire/m/"), "{}", console.address);
    Ok(console.address)
}

/// Types one step into the console and records it. If a seat is asked twice, the form that accepts it is the right one.
pub(crate) async fn record(umpire: &Guest, console: &str, step: &str) -> Result<Page> {
    let page = umpire.get(console).await?;
    let sent: Vec<(&str, &str)> = match step.split_once(" / ") {
        Some((p1, p2)) => vec![("p1", p1.split_once(". ").map_or(p1, |(_, sent)| sent)), ("p2", p2)],
        None => vec![step.split_once(": ").context("a step of one party")?],
    };
    let asked: Vec<&str> = sent.iter().map(|(who, _)| *who).collect();
    let mut answer = None;
    for form in page.questions(&asked)? {
        let page = umpire.sends(&format!("{console}/record"), &form.with_all(&sent)).await?;
        let taken = page.status == StatusCode::OK;
        answer = Some(page);
        if taken {
            break;
        }
    }
    answer.with_context(|| format!("nobody asks for {step} in:\n{}", page.text))
}

/// Decides a match by a ruling, and ends it.
pub(crate) async fn end(umpire: &Guest, console: &str, result: &str) -> Result<()> {
    let page = umpire.get(console).await?;
    let ruling = [("result", result), ("text", "Decided.")];
    let ruled = umpire.fills_in(&page, &format!("{console}/rule"), &ruling).await?;
    ruled.is(StatusCode::OK)?;
    umpire.fills_in(&ruled, &format!("{console}/end"), &[]).await?.is(StatusCode::OK)?;
    Ok(())
}

#[tokio::test]
async fn a_match_of_every_ruleset_is_recorded_ended_exported_and_verified() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let anybody = site.visitor()?;
    for name in one_of_each()? {
        let played = fixture(&name)?;
        let console = open(&umpire, &played).await?;
        for step in &played.steps {
            let page = record(&umpire, &console, step).await?;
            ensure!(page.status == StatusCode::OK, "{name}, {step}: {}: {}", page.status, page.text);
        }
        let page = umpire.get(&console).await?;
        umpire.fills_in(&page, &format!("{console}/end"), &[]).await?.says("is ended")?;

        let public = console.replace("/umpire", "");
        let exported = anybody.get(&format!("{public}.dmn")).await?;
        // The form has no field for a file's other tags.
        let expected: String = played.text.split_inclusive('\n').filter(|line| !line.starts_with("[Stage ")).collect();
        assert_eq!(exported.text, expected, "{name}");
        let bundle = anybody.http.get(format!("{}{public}.bundle", site.address)).send().await?.bytes().await?;
        let report = record::verify::verify(&record::Bundle::read(&bundle)?);
        assert_eq!(report.verdict.to_string(), "verified (recorded by the umpire)", "{name}");
        anybody.get(&format!("{public}/verify")).await?.says("verified")?;
        let page = anybody.get(&public).await?;
        let beats = page.attributes(&format!("[href^='{public}/r/']"), "href")?;
        for at in [0, beats.len() / 2, beats.len() - 1] {
            let beat = anybody.get(&beats[at]).await?;
            ensure!(beat.status == StatusCode::OK, "{name}: {}", beats[at]);
        }
        // A row of one act has its choices; one of several acts has its sides here, and its acts on the way.
        let has = |end: &str| beats.iter().any(|beat| beat.ends_with(end));
        ensure!(has("/before") && has("/after"), "{name}: {beats:?}");
    }
    Ok(())
}

#[tokio::test]
async fn a_file_that_is_taken_while_the_match_goes_on_holds_as_far_as_it_goes() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let played = fixture("five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn")?;
    let console = open(&umpire, &played).await?;
    let slug = console.rsplit('/').next().context("a name")?;
    let match_id = site.app.matches.match_of(slug).await?;
    let over = Arc::new(AtomicBool::new(false));
    let takers = (0..3).map(|_| {
        let (app, over) = (site.app.clone(), over.clone());
        tokio::spawn(async move {
            let mut lengths = BTreeSet::new();
            while !over.load(Ordering::Relaxed) {
                let bundle = app.public_log.bundle(match_id).await?;
                let report = record::verify::verify(&bundle);
                ensure!(
                    !matches!(report.verdict, Verdict::Failed { .. }),
                    "{} entries: {report:#?}",
                    bundle.lines.len()
                );
                lengths.insert(bundle.lines.len());
            }
            Ok(lengths)
        })
    });
    let takers: Vec<_> = takers.collect();
    for step in played.steps.iter().take(15) {
        let page = record(&umpire, &console, step).await?;
        ensure!(page.status == StatusCode::OK, "{step}: {}: {}", page.status, page.text);
    }
    over.store(true, Ordering::Relaxed);
    for taker in takers {
        let lengths = taker.await??;
        ensure!(lengths.len() > 5, "it was taken at {lengths:?} entries only");
    }
    Ok(())
}
