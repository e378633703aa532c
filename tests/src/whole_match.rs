//! Whole matches, recorded over HTTP as an umpire does, then read and checked as everybody can.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use engine::dmn::Replay;
use reqwest::StatusCode;

use crate::site::{Guest, Page, Site};

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

/// One finished match of each ruleset: the first that no umpire decided.
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
    ensure!(names.len() >= 6, "six rulesets: {names:?}");
    Ok(names)
}

/// Opens a fixture's match, and gives the path of its console.
pub(crate) async fn open(umpire: &Guest, played: &Played) -> Result<String> {
    let replay = Replay::open(&played.text).map_err(|errors| anyhow::anyhow!("{errors:?}"))?;
    let tags = replay.tags();
    let page = umpire.get("/umpire/open").await?;
    let form = page.field("form")?;
    let mut fields = vec![
        ("form", form.as_str()),
        ("ruleset", tags.setup.ruleset.as_str()),
        ("p1", &tags.names.p1),
        ("p2", &tags.names.p2),
        ("dmo", tags.setup.dmo.map_or("", engine::Seat::word)),
        ("event", tags.event.as_deref().unwrap_or("")),
        ("date", tags.date.as_deref().unwrap_or("")),
    ];
    let items: Vec<(String, &str)> = tags
        .setup
        .items
        .each()
        .into_iter()
        .flat_map(|(seat, items)| items.iter().map(move |item| (format!("item-{item}"), seat.word())))
        .collect();
    fields.extend(items.iter().map(|(name, seat)| (name.as_str(), *seat)));
    let console = umpire.post("/umpire/open", &fields).await?;
    ensure!(console.status == StatusCode::OK, "{}: {}", console.status, console.text);
    ensure!(console.address.starts_with("/umpire/m/"), "{}", console.address);
    Ok(console.address)
}

/// The part of the console that asks for what a step answers.
fn question(page: &Page, joint: bool) -> Result<&str> {
    let forms = page.text.split("<form ").filter(|form| form.contains("data-question"));
    let wanted = forms.into_iter().find(|form| (form.contains("name=\"p1\"") && form.contains("name=\"p2\"")) == joint);
    wanted.with_context(|| format!("no such question in:\n{}", page.text))
}

fn value(form: &str, name: &str) -> Result<String> {
    let rest = form.split_once(&format!("name=\"{name}\" value=\"")).with_context(|| format!("no {name}"))?.1;
    Ok(rest.split('"').next().unwrap_or_default().to_owned())
}

/// Types one step into the console and records it.
pub(crate) async fn record(umpire: &Guest, console: &str, step: &str) -> Result<Page> {
    let page = umpire.get(console).await?;
    let joint = step.contains(" / ");
    let form = question(&page, joint)?;
    let (decision, id, head) = (value(form, "decision")?, value(form, "form")?, value(form, "head")?);
    let mut fields = vec![("decision", decision.as_str()), ("form", &id), ("head", &head)];
    if let Some((p1, p2)) = step.split_once(" / ") {
        let p1 = p1.split_once(". ").map_or(p1, |(_, sent)| sent);
        fields.extend([("p1", p1), ("p2", p2)]);
    } else {
        fields.push(step.split_once(": ").context("a step of one seat")?);
    }
    umpire.post(&format!("{console}/record"), &fields).await
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
        let end = page.text.split("<form ").find(|form| form.contains("/end\"")).context("the match can be ended")?;
        let fields = [("form", value(end, "form")?), ("head", value(end, "head")?)];
        let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        umpire.post(&format!("{console}/end"), &fields).await?.says("is ended")?;

        let public = console.replace("/umpire", "");
        let exported = anybody.get(&format!("{public}.dmn")).await?;
        // A form has no place for a file's other tags.
        let expected: String = played.text.split_inclusive('\n').filter(|line| !line.starts_with("[Stage ")).collect();
        assert_eq!(exported.text, expected, "{name}");
        let bundle = anybody.http.get(format!("{}{public}.bundle", site.address)).send().await?.bytes().await?;
        let report = record::verify::verify(&record::Bundle::read(&bundle)?);
        assert_eq!(report.verdict.to_string(), "verified (recorded by the umpire)", "{name}");
        anybody.get(&format!("{public}/verify")).await?.says("verified")?;
        anybody.get(&format!("{public}/r/1/before")).await?.says("Round 1")?;
        anybody.get(&format!("{public}/r/7/choices")).await?.says("Round 7")?;
        anybody.get(&format!("{public}/r/20/after")).await?.says("Round 20")?;
    }
    Ok(())
}
