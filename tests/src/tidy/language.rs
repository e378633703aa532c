//! The words that people read: the short list of docs/language.md, over templates, scripts and messages.

use super::{files, root, sources};

/// Idioms that have to be read twice. Each is looked for as whole words, whatever its case.
const BANNED: [&str; 40] = [
    "stands",
    "stand for",
    "rests on",
    "rest on",
    "is told",
    "are told",
    "was told",
    "of which",
    "but for",
    "what is more",
    "all the same",
    "anew",
    "in force",
    "if nothing comes",
    "asked of",
    "barred now",
    "as it stood",
    "a letter missing",
    "line of thought",
    "naming nothing",
    "holds here",
    "hold here",
    "whoever keeps this record",
    "your answer",
    "signed by your browser",
    "signing browser",
    "put in",
    "received and kept",
    "is level",
    "verdicts",
    "the verdict",
    "struck through",
    "time is over",
    "without an answer",
    "standing still",
    "clock is stopped",
    "what was really played",
    "barred",
    "nothing came in time",
    "nothing sent",
];

/// What is left, by file: the number of idioms in it. The numbers may only shrink, here too once the text has.
const LEFT: [(&str, usize); 0] = [];

/// The texts of a Rust file or a script: its string literals, without comments and without the tests.
fn literals(text: &str) -> Vec<String> {
    let code = super::code(text).lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = code.collect::<Vec<_>>().join("\n");
    let mut found = Vec::new();
    let mut rest = code.as_str();
    while let Some((_, from)) = rest.split_once('"') {
        let mut end = from.len();
        let mut escaped = false;
        for (at, letter) in from.char_indices() {
            if letter == '"' && !escaped {
                end = at;
                break;
            }
            escaped = letter == '\\' && !escaped;
        }
        // A word alone is a key, a class or a field, and no sentence.
        let literal = from.get(..end).unwrap_or_default();
        if literal.contains(' ') {
            found.push(without_names(&literal.replace("\\\n", " ")));
        }
        rest = from.get(end + 1..).unwrap_or_default();
    }
    found
}

/// A text without the names of the values that are put into it: `{barred}` is no word that people read.
fn without_names(text: &str) -> String {
    let mut depth = 0_usize;
    let mut words = String::new();
    for letter in text.chars() {
        match letter {
            '{' => {
                depth += 1;
                words.push('_');
            }
            '}' => depth = depth.saturating_sub(1),
            _ if depth == 0 => words.push(letter),
            _ => {}
        }
    }
    words
}

/// The text of a template, without tags and expressions.
fn prose(text: &str) -> String {
    let mut prose = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['<', '{']) {
        let (before, from) = rest.split_at(at);
        prose.push_str(before);
        let close = match from.get(..2) {
            Some("{%") => "%}",
            Some("{{") => "}}",
            Some("{#") => "#}",
            Some(tag) if tag.starts_with('<') => ">",
            _ => "",
        };
        // An expression is one word, and a tag is a gap.
        prose.push_str(if close == "}}" { "_" } else { " " });
        let end = from.find(close).map_or(from.len(), |end| end + close.len());
        rest = from.get(end.max(1)..).unwrap_or_default();
    }
    prose + rest
}

/// The banned idioms in a text.
fn idioms(text: &str) -> Vec<String> {
    let words = text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    let is_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    let mut found = Vec::new();
    for idiom in BANNED {
        for (at, _) in words.match_indices(idiom) {
            let (before, after) = (words[..at].chars().next_back(), words[at + idiom.len()..].chars().next());
            if !is_word(before) && !is_word(after) {
                let start = words[..at].char_indices().rev().nth(30).map_or(0, |(start, _)| start);
                found.push(format!("“{idiom}” in “{}”", &words[start..at + idiom.len()]));
            }
        }
    }
    found
}

#[test]
fn texts_for_people_use_plain_words() {
    let rooms = [
        "engine/src",
        "record/src",
        "app/src",
        "web",
        "server/src",
        "import/src",
        "verifier/src",
        "picture/src",
        "beacon/src",
    ];
    let code = rooms.into_iter().flat_map(sources).chain(files("web/assets", &["js"]));
    let code = code.map(|(path, text)| (path, literals(&text).join("\n")));
    let pages = files("web", &["html"]).into_iter().map(|(path, text)| (path, prose(&text)));
    let (mut wrong, mut known) = (Vec::new(), 0);
    for (path, text) in code.chain(pages) {
        let place = path.strip_prefix(root()).expect("below the workspace").to_string_lossy().into_owned();
        let left = LEFT.iter().find(|(file, _)| *file == place).map(|(_, left)| *left);
        known += usize::from(left.is_some());
        let found = idioms(&text);
        if found.len() != left.unwrap_or(0) {
            wrong.push(format!("{place}, where {} may be left: {found:#?}", left.unwrap_or(0)));
        }
    }
    assert_eq!(known, LEFT.len(), "a file that LEFT names is gone");
    assert!(wrong.is_empty(), "docs/language.md says how to write this: {wrong:#?}");
}

#[test]
fn an_idiom_is_found_in_a_page_and_in_a_message() {
    assert_eq!(idioms(&prose("<p>Round {{ round }} <b>rests</b> on it.</p>")).len(), 1);
    assert_eq!(idioms(&prose("<p>The stand {% if rests on %}is{% endif %} here.</p>")).len(), 0);
    assert_eq!(idioms(&literals("say(\"It stands \\\"alone\\\"\"); // it rests on nothing").join("")).len(), 1);
    assert_eq!(idioms(&literals("say!(\"The {barred} card of {name} is barred.\")").join("")).len(), 1);
    assert_eq!(idioms("He understands; a grandstand of whichever kind.").len(), 0);
}
