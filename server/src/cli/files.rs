//! Files on the command line, and the folders that stand for those in them.

use std::collections::HashSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::Context;

/// Files to read.
#[derive(Debug)]
pub(super) struct Files {
    /// By name, at least one.
    pub(super) found: Vec<PathBuf>,
    /// How many in the folders are of other kinds.
    pub(super) others: usize,
}

/// The files named, and in place of each folder those of these kinds in it and below it, by name; a kind in any case. A
/// folder is read once, however many links lead to it; a link that leads to one that was read is passed over, and said on
/// the standard error.
pub(super) fn of_kinds(named: &[PathBuf], kinds: &[&str]) -> anyhow::Result<Files> {
    let mut looked = Looked::default();
    looked.at(named, kinds)?;
    for (path, folder) in &looked.passed_over {
        eprintln!("{}: passed over, it leads to {}, which is read already", shown(path), shown(folder));
    }
    let Looked { found, others, .. } = looked;
    if found.is_empty() {
        let kinds: Vec<String> = kinds.iter().map(|kind| format!(".{kind}")).collect();
        let others = passed_over(others).map(|others| format!("; {others}")).unwrap_or_default();
        anyhow::bail!("there is nothing to read: no file here ends in {}{others}", kinds.join(" or "));
    }
    Ok(Files { found, others })
}

/// What is said of files of other kinds; nothing where there are none.
pub(super) fn passed_over(others: usize) -> Option<String> {
    match others {
        0 => None,
        1 => Some("1 file of another kind passed over".to_owned()),
        others => Some(format!("{others} files of other kinds passed over")),
    }
}

/// A file's name for a terminal, which would obey the signs that nobody can see.
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

/// All of a file, or of the standard input where its name is `-`.
pub(super) fn bytes(file: &Path) -> io::Result<Vec<u8>> {
    if file != Path::new("-") {
        return std::fs::read(file);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What a search for files came to.
#[derive(Debug, Default)]
struct Looked {
    found: Vec<PathBuf>,
    /// How many files are of no kind that was looked for.
    others: usize,
    /// The folders that were read, by their true names.
    folders: HashSet<PathBuf>,
    /// What was not read again, and the true name of its folder.
    passed_over: Vec<(PathBuf, PathBuf)>,
}

impl Looked {
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
            // Folders before links to them, so that what is read is named by where it lies.
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
        let mut looked = Looked::default();
        looked.at(&[at("past"), at("elsewhere/c.dmn")], &["dmn"]).unwrap();
        let found: Vec<_> = ["past/b.DMN", "past/deeper/a.dmn", "past/other/c.dmn", "elsewhere/c.dmn"].map(at).into();
        assert_eq!((looked.found, looked.others), (found, 1));
        let passed: Vec<_> = looked.passed_over.into_iter().map(|(path, _)| path).collect();
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
