//! A case: a file in Death Match Notation whose comments state its question and its expectations. Its format is
//! described in `fixtures/dmtc/README.md`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::claim::Claim;

/// A case, as its file states it.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// Such as `FCT.1.3.04`.
    pub(crate) number: String,
    pub(crate) title: String,
    /// The clauses it is about; its number contains the first one.
    pub(crate) rules: Vec<String>,
    /// Its place in the rule posts, or that it is ours.
    pub(crate) seed: String,
    /// The issues that it decides.
    pub(crate) issues: Vec<String>,
    /// The options that it turns on, as `name=value`.
    pub(crate) options: Vec<String>,
    /// The rulesets in which it must hold.
    pub(crate) holds: Vec<String>,
    /// The game's other rulesets, each with the reason why it does not apply there.
    pub(crate) not: BTreeMap<String, String>,
    /// Its path below `fixtures/dmtc`.
    pub(crate) file: String,
    pub(crate) text: String,
}

/// The content of a line of a case.
#[derive(Clone, Debug)]
pub(crate) enum CaseLine {
    /// A step that is played.
    Step,
    /// Something that must hold now.
    Claim(Claim),
}

/// The letters in the numbers of a game's cases and issues.
pub(crate) const LETTERS: [(&str, &str); 5] = [
    ("five-card-trick", "FCT"),
    ("three-card", "TCT"),
    ("thwart-13", "T13"),
    ("devils-deal", "DD"),
    ("higher-lower", "HL"),
];

/// Every case, game by game, in the order of their numbers.
pub(crate) fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    for (game, _) in LETTERS {
        let folder = super::root().join(game);
        let mut files: Vec<_> = match fs::read_dir(&folder) {
            Ok(files) => files.map(|file| file.unwrap().path()).collect(),
            Err(_) => Vec::new(),
        };
        files.retain(|path| path.extension().is_some_and(|extension| extension == "dmn"));
        let mut of_game: Vec<Case> = files.iter().map(|path| read(game, path)).collect();
        of_game.sort_by_key(|case| place(&case.number));
        cases.extend(of_game);
    }
    cases
}

/// A case's number without its game, as numbers: `1.10` comes after `1.9`.
pub(crate) fn place(number: &str) -> Vec<u32> {
    number.split('.').filter_map(|part| part.parse().ok()).collect()
}

fn read(game: &str, path: &Path) -> Case {
    let name = path.file_name().unwrap().to_str().unwrap();
    let text = fs::read_to_string(path).unwrap();
    let head = |keyword: &str| -> Vec<&str> {
        let mark = format!("# {keyword} ");
        text.lines().filter_map(|line| line.strip_prefix(&mark)).map(str::trim).collect()
    };
    let one = |keyword: &str| match head(keyword)[..] {
        [value] => value.to_owned(),
        ref found => panic!("{game}/{name}: expected one line \"# {keyword} ...\", found {}", found.len()),
    };
    let words = |keyword: &str| -> Vec<String> {
        head(keyword)
            .iter()
            .flat_map(|value| value.split([',', ' ']))
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let full = |short: &str| format!("{game}/{}", short.trim());
    let mut not = BTreeMap::new();
    for line in head("not in") {
        let (rulesets, why) =
            line.split_once(": ").unwrap_or_else(|| panic!("{game}/{name}: \"# not in {line}\" gives no reason"));
        not.extend(rulesets.split(',').map(|ruleset| (full(ruleset), why.to_owned())));
    }
    let case = Case {
        number: one("case"),
        title: one("title"),
        rules: words("rule"),
        seed: one("seed"),
        issues: words("issue"),
        options: words("option"),
        holds: words("holds in").iter().map(|short| full(short)).collect(),
        not,
        file: format!("{game}/{name}"),
        text: text.clone(),
    };
    let expected = format!("{}-{}.dmn", case.number.split_once('.').unwrap().1, slug(&case.title));
    assert_eq!(name, expected, "{game}: a case's file is called by its number and its title");
    case
}

/// A title as part of a file's name.
fn slug(title: &str) -> String {
    let plain: String = title.to_ascii_lowercase().chars().filter(|c| *c != '\'').collect();
    plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

const HEAD: [&str; 9] = ["case", "title", "rule", "seed", "issue", "option", "holds in", "not in", "words"];

impl Case {
    pub(crate) fn game(&self) -> &str {
        self.file.split('/').next().unwrap()
    }

    /// The file's text for one of its rulesets.
    pub(crate) fn text_in(&self, ruleset: &str) -> String {
        let words = super::wording::of(ruleset);
        let line = |line: &str| {
            if line.starts_with("[Ruleset ") { format!("[Ruleset \"{ruleset}\"]") } else { words.put_in(line) }
        };
        self.text.lines().map(line).collect::<Vec<_>>().join("\n")
    }

    /// The content of a file's lines, each with its number. Comments that are sentences are not tested.
    pub(crate) fn said(&self, text: &str) -> Vec<(usize, CaseLine)> {
        let mut all = Vec::new();
        for (n, line) in (1..).zip(text.lines()) {
            let Some(comment) = line.strip_prefix('#') else {
                if !line.trim().is_empty() && !line.starts_with('[') {
                    all.push((n, CaseLine::Step));
                }
                continue;
            };
            let comment = comment.trim();
            let sentence = comment.chars().next().is_none_or(|c| !c.is_ascii_lowercase());
            let head = HEAD.iter().any(|word| comment.strip_prefix(word).is_some_and(|rest| rest.starts_with(' ')));
            if sentence || head {
                continue;
            }
            match Claim::read(comment) {
                Some(claim) => all.push((n, CaseLine::Claim(claim))),
                None => panic!("{} line {n}: no expectation reads \"{comment}\"", self.file),
            }
        }
        all
    }
}
