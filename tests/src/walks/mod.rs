//! Walks under `fixtures/walks/`: what people do on a site, line by line, and what they must find there.
//!
//! [How a walk is written](../../../fixtures/walks/README.md)

mod page;
mod program;
mod table;
mod text;
mod walk;

use std::path::Path;
use std::sync::Mutex;
use std::{fs, thread};

use anyhow::{Context, Result, ensure};
use tokio::runtime::Builder;

use walk::Walk;

struct Case {
    /// File and title.
    name: String,
    /// Each with its number in the file.
    lines: Vec<(usize, String)>,
}

/// The walks of a file. Lines before the first title are its explanation.
fn cases(file: &str, text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(title) = line.strip_prefix("== ") {
            cases.push(Case { name: format!("{file}, {title}"), lines: Vec::new() });
        } else if let Some(case) = cases.last_mut()
            && !line.is_empty()
            && !line.starts_with('#')
        {
            case.lines.push((number, line.to_owned()));
        }
    }
    cases
}

fn goes(case: &Case) -> Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut walk = Walk::default();
        for (number, line) in &case.lines {
            walk.follow(line).await.with_context(|| format!("line {number}: {line}"))?;
        }
        walk.ends()
    })
}

#[test]
fn every_walk_goes_as_it_is_written() -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/walks");
    let mut all = Vec::new();
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            let name = path.file_stem().context("a name")?.to_string_lossy().into_owned();
            all.extend(cases(&name, &fs::read_to_string(&path)?));
        }
    }
    // Some of them alone, by a part of their names.
    let only = std::env::var("WALK").unwrap_or_default();
    all.retain(|case| case.name.contains(&only));
    ensure!(!all.is_empty(), "no walk is called {only}");
    let (waiting, failed) = (Mutex::new(all), Mutex::new(Vec::new()));
    let next = || waiting.lock().ok().and_then(|mut waiting| waiting.pop());
    // Each has a site of its own.
    let at_once = thread::available_parallelism()?.get();
    thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                while let Some(case) = next() {
                    let Err(error) = goes(&case) else { continue };
                    if let Ok(mut failed) = failed.lock() {
                        failed.push(format!("{}: {error:?}", case.name));
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap_or_default();
    ensure!(failed.is_empty(), "{}", failed.join("\n\n"));
    Ok(())
}
