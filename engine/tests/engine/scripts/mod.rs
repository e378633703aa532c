//! Scripts under `fixtures/scripts/`: a match line by line, with questions to it whose answers stand below them.
//!
//! `UPDATE=1 cargo test -p matchbook-engine scripts` rewrites the answers. [How a script is
//! written](../../../../fixtures/scripts/README.md)

mod answer;
mod fragment;
mod table;

use std::fs;
use std::path::{Path, PathBuf};

use fragment::Fragments;
use table::{Head, Table};

/// Answers are indented.
const ANSWER: &str = "    ";

/// The script with the answers that the engine gives now.
fn answered(name: &str, text: &str) -> String {
    let asked: Vec<&str> = text.lines().filter(|line| !line.starts_with(ANSWER)).collect();
    let (mut head, mut fragments) = (Head::default(), Fragments::default());
    let (mut table, mut out) = (None, String::new());
    for line in asked {
        out += &format!("{line}\n");
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(case) = line.strip_prefix("== ") {
            fragments.close();
            table = Some(Table::new(format!("{name}, {case}"), head.clone()));
        } else if let Some(table) = &mut table {
            for answer in table.follow(line, &fragments).lines() {
                out += &format!("{ANSWER}{answer}\n");
            }
        } else if !fragments.read(line) {
            head.read(line);
        }
    }
    out
}

fn scripts() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/scripts");
    let games = fs::read_dir(root).unwrap().map(|game| game.unwrap().path()).filter(|path| path.is_dir());
    let files = games.flat_map(|game| fs::read_dir(game).unwrap().map(|file| file.unwrap().path()));
    let mut files: Vec<PathBuf> = files.collect();
    files.sort();
    files
}

#[test]
fn every_script_is_answered_as_it_says() {
    let update = std::env::var_os("UPDATE").is_some();
    let mut differ = Vec::new();
    for path in scripts() {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().display().to_string();
        let now = answered(&name, &text);
        if update {
            fs::write(&path, now).unwrap();
        } else if let Some(difference) = crate::shown::difference(&text, &now) {
            differ.push(format!("{name}: {difference}"));
        }
    }
    assert!(differ.is_empty(), "UPDATE=1 writes what comes now:\n{}", differ.join("\n"));
}
