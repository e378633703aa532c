//! Files on the command line, and the files in folders.

use std::collections::HashSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::Context;

#[derive(Debug)]
pub(super) struct Files {
    pub(super) found: Vec<PathBuf>,
    pub(super) others: usize,
}

/// The named files; for a folder, all files of these kinds in it and below it, sorted by name. The case of a kind does
/// not matter. A folder is read once, however many links lead to it; another link to it is skipped and reported on the
/// standard error.
pub(super) fn of_kinds(named: &[PathBuf], kinds: &[&str]) -> anyhow::Result<Files> {
    let mut search = FileSearch::default();
    search.at(named, kinds)?;
    for (path, folder) in &search.passed_over {
        eprintln!("{}: passed over, it leads to {}, which is read already", shown(path), shown(folder));
    }
    let FileSearch { found, others, .. } = search;
    if found.is_empty() {
        let kinds: Vec<String> = kinds.iter().map(|kind| format!(".{kind}")).collect();
        let others = passed_over(others).map(|others| format!("; {others}")).unwrap_or_default();
        anyhow::bail!("there is nothing to read: no file here ends in {}{others}", kinds.join(" or "));
    }
    Ok(Files { found, others })
}

pub(super) fn passed_over(others: usize) -> Option<String> {
    match others {
        0 => None,
        1 => Some("1 file of another kind passed over".to_owned()),
        others => Some(format!("{others} files of other kinds passed over")),
    }
}

/// A file's name for a terminal, with control characters made harmless.
pub(super) fn shown(file: &Path) -> String {
    let mut out = String::new();
    for sign in file.display().to_string().chars() {
        match sign {
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.extend(sign.escape_default()),
            sign if sign.is_control() => out.extend(sign.escape_default()),
            sign => out.push(sign),
        }
    }
    out
}

pub(super) fn bytes(file: &Path) -> io::Result<Vec<u8>> {
    if file != Path::new("-") {
        return std::fs::read(file);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[derive(Debug, Default)]
struct FileSearch {
    found: Vec<PathBuf>,
    others: usize,
    folders: HashSet<PathBuf>,
    /// The skipped links, with the canonical names of their folders.
    passed_over: Vec<(PathBuf, PathBuf)>,
}

impl FileSearch {
    fn at(&mut self, named: &[PathBuf], kinds: &[&str]) -> anyhow::Result<()> {
        for path in named {
            if !path.is_dir() {
                self.found.push(path.clone());
                continue;
            }
            let listed = || format!("cannot list {}", shown(path));
            let folder = path.canonicalize().with_context(listed)?;
            if !self.folders.insert(folder.clone()) {
                self.passed_over.push((path.clone(), folder));
                continue;
            }
            let mut inside = std::fs::read_dir(path)
                .and_then(|entries| {
                    entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()
                })
                .with_context(listed)?;
            let is_of = |path: &Path, kind: &str| path.extension().is_some_and(|of| of.eq_ignore_ascii_case(kind));
            let all = inside.len();
            inside.retain(|inside| inside.is_dir() || kinds.iter().any(|kind| is_of(inside, kind)));
            self.others += all - inside.len();
            // Folders come before links to them, so that a file is named by its real place.
            inside.sort_by_cached_key(|inside| (inside.is_symlink(), inside.clone()));
            self.at(&inside, kinds)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_folder_is_read_once_however_many_links_lead_to_it() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        fs::create_dir_all(at("past/deeper")).unwrap();
        fs::create_dir_all(at("elsewhere")).unwrap();
        for file in ["past/b.DMN", "past/deeper/a.dmn", "past/deeper/note.txt", "elsewhere/c.dmn"] {
            fs::write(at(file), "").unwrap();
        }
        symlink(at("past"), at("past/deeper/back")).unwrap();
        symlink(at("past/deeper"), at("past/again")).unwrap();
        symlink(at("elsewhere"), at("past/other")).unwrap();
        let mut search = FileSearch::default();
        search.at(&[at("past"), at("elsewhere/c.dmn")], &["dmn"]).unwrap();
        let found: Vec<_> = ["past/b.DMN", "past/deeper/a.dmn", "past/other/c.dmn", "elsewhere/c.dmn"].map(at).into();
        assert_eq!((search.found, search.others), (found, 1));
        let passed: Vec<_> = search.passed_over.into_iter().map(|(path, _)| path).collect();
        assert_eq!(passed, ["past/deeper/back", "past/again"].map(at));
    }
    #[test]
    fn names_of_files_are_shown_and_not_obeyed() {
        assert_eq!(shown(Path::new("päst/a\u{1b}[2J\n\u{9b}b.dmn")), "päst/a\\u{1b}[2J\\n\\u{9b}b.dmn");
        assert_eq!(shown(Path::new("\u{202e}nmd.dmn")), "\\u{202e}nmd.dmn");
    }

    #[test]
    fn where_nothing_is_to_be_read_it_is_said() {
        let root = tempfile::tempdir().unwrap();
        let folder = [root.path().to_owned()];
        let said = |kinds: &[&str]| of_kinds(&folder, kinds).unwrap_err().to_string();
        assert_eq!(said(&["dmn"]), "there is nothing to read: no file here ends in .dmn");
        fs::write(root.path().join("note.txt"), "").unwrap();
        let why = "there is nothing to read: no file here ends in .dmn or .csv; 1 file of another kind passed over";
        assert_eq!(said(&["dmn", "csv"]), why);
    }
}
