//! The house rules that a machine can check.

mod budget;
mod circles;
mod language;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// The crates of the program, by folder.
const CRATES: [&str; 19] = [
    "app",
    "audit",
    "beacon",
    "engine",
    "import",
    "ledger",
    "picture",
    "record",
    "server",
    "store",
    "verifier",
    "web",
    "web/account",
    "web/api",
    "web/discord",
    "web/http",
    "web/page",
    "web/reading",
    "web/stage",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

/// The Rust files below a folder, with their text.
pub(crate) fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    files(folder, &["rs"])
}

fn files(folder: &str, extensions: &[&str]) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|extension| extensions.iter().any(|known| extension == *known)) {
                let text = fs::read_to_string(&entry).expect("text");
                found.push((entry, text));
            }
        }
    }
    found.sort();
    found
}

/// The part of a file before its tests.
fn code(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text)
}

#[test]
fn features_of_the_site_never_know_each_other() {
    let mut wrong = Vec::new();
    for room in ["account", "reading", "stage"] {
        let folder = root().join("web").join(room).join("src");
        let feature = |path: &Path| {
            let place = path.strip_prefix(&folder).expect("below its crate").with_extension("");
            place.iter().next().map(|first| first.to_string_lossy().into_owned()).unwrap_or_default()
        };
        let files = sources(&format!("web/{room}/src"));
        let features: BTreeSet<String> = files.iter().map(|(path, _)| feature(path)).collect();
        for (path, text) in files.iter().filter(|(path, _)| !path.ends_with("src/lib.rs")) {
            for other in features.iter().filter(|other| **other != feature(path)) {
                if code(text).contains(&format!("crate::{other}::")) {
                    wrong.push(format!("{} knows {other}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn json_does_not_depend_on_html() {
    // Feeds are templates of XML; what is posted at Discord and sent to spectators is beside pages.
    for file in [
        "reading/src/feeds/mod.rs",
        "discord/src/match_commands.rs",
        "discord/src/state.rs",
        "stage/src/live/event_view.rs",
    ] {
        let text = fs::read_to_string(root().join("web").join(file)).expect("text");
        assert!(!code(&text).contains("page::"), "{file} imports the pages");
    }
}

/// How a manifest names a crate. `http` is the name of somebody else's.
fn imported_as(folder: &'static str) -> &'static str {
    if folder == "web/http" { "web-http" } else { folder.trim_start_matches("web/") }
}

#[test]
fn crates_import_one_way() {
    let allowed = [
        ("engine", vec![]),
        ("ledger", vec![]),
        ("beacon", vec!["ledger"]),
        ("picture", vec!["engine"]),
        ("record", vec!["engine", "ledger"]),
        ("verifier", vec!["engine", "ledger", "record"]),
        ("import", vec!["engine", "record"]),
        ("store", vec!["ledger"]),
        ("app", vec!["beacon", "engine", "ledger", "picture", "record", "store"]),
        ("audit", vec!["app", "engine", "ledger", "record", "store"]),
        ("web/http", vec!["app", "engine", "ledger", "record"]),
        ("web/page", vec!["app", "engine", "import", "ledger", "picture", "record", "store", "web-http"]),
        ("web/account", vec!["app", "ledger", "page", "record", "store", "web-http"]),
        ("web/api", vec!["app", "engine", "ledger", "record", "store", "web-http"]),
        ("web/discord", vec!["app", "engine", "ledger", "page", "record", "store", "web-http"]),
        ("web/reading", vec!["app", "engine", "import", "ledger", "page", "picture", "record", "store", "web-http"]),
        ("web/stage", vec!["app", "engine", "import", "ledger", "page", "record", "store", "web-http"]),
        ("web", vec!["account", "api", "app", "discord", "page", "reading", "stage", "web-http"]),
        ("server", vec!["app", "audit", "engine", "import", "ledger", "record", "store", "web"]),
    ];
    assert_eq!(allowed.len(), CRATES.len());
    for (name, may) in allowed {
        let manifest = fs::read_to_string(root().join(name).join("Cargo.toml")).expect("a manifest");
        // A test may know more than what it tests.
        let built = manifest.split("[dev-dependencies]").next().unwrap_or_default();
        for other in CRATES.map(imported_as) {
            let uses = built
                .lines()
                .any(|line| line.starts_with(&format!("{other}.")) || line.starts_with(&format!("{other} =")));
            assert_eq!(uses, may.contains(&other), "{name} and {other}");
        }
    }
}

#[test]
fn the_pure_crates_have_no_panics_in_them() {
    let mut wrong = Vec::new();
    for folder in ["engine/src", "ledger/src", "picture/src", "record/src", "verifier/src", "beacon/src"] {
        for (path, text) in sources(folder).into_iter().filter(|(path, _)| !path.ends_with("tests.rs")) {
            for (n, line) in code(&text).lines().enumerate() {
                let bare = line.split("//").next().unwrap_or(line);
                for word in [".unwrap()", ".expect(\"", "panic!(", "unreachable!(", "todo!(", "unimplemented!("] {
                    if bare.contains(word) {
                        wrong.push(format!("{}:{}: {word}", path.display(), n + 1));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_file_is_one_noun() {
    let folders = CRATES.into_iter().chain(["tests"]).map(|name| format!("{name}/src"));
    let long = folders.flat_map(|folder| sources(&folder)).filter(|(_, text)| code(text).lines().count() > 480);
    let long: Vec<_> =
        long.map(|(path, text)| format!("{} lines: {}", code(&text).lines().count(), path.display())).collect();
    assert!(long.is_empty(), "what do these hide? {long:#?}");
}

/// A file without its comments and tests.
fn bare(text: &str) -> String {
    code(text).lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

#[test]
fn sql_is_in_the_store_alone() {
    let says = [
        "sqlx::query",
        "query!(",
        "query_as!(",
        "query_scalar!(",
        "QueryBuilder",
        "raw_sql",
        ".execute(",
        ".fetch_all(",
        ".fetch_one(",
        ".fetch_optional(",
    ];
    let others = CRATES.into_iter().filter(|name| *name != "store").flat_map(|name| sources(&format!("{name}/src")));
    for (path, text) in others {
        let found = says.iter().find(|word| bare(&text).contains(**word));
        assert!(found.is_none(), "{} says {found:?}", path.display());
    }
    for name in CRATES {
        let manifest = fs::read_to_string(root().join(name).join("Cargo.toml")).expect("a manifest");
        let may = ["server", "store"].contains(&name);
        assert_eq!(manifest.contains("\nsqlx."), may, "{name} and sqlx");
    }
}

#[test]
fn sql_for_entries_is_in_the_store_alone() {
    let tables = ["entries", "tree_heads", "submissions", "escrow", "texts"];
    for (path, text) in ["app/src", "server/src", "web"].into_iter().flat_map(sources) {
        let text = bare(&text);
        for table in tables {
            for verb in ["from", "into", "update", "join"] {
                assert!(!text.contains(&format!("{verb} {table} ")), "{} asks {table} itself", path.display());
            }
        }
    }
}

#[test]
fn nothing_names_the_machine_that_it_was_written_on() {
    for (path, text) in CRATES.into_iter().flat_map(|name| sources(&format!("{name}/src"))) {
        for place in ["/root/", "/Users/"] {
            assert!(!text.contains(place), "{} names {place}", path.display());
        }
    }
}

#[test]
fn the_boundaries_to_browsers_alone_may_say_that_word() {
    let folders: Vec<&str> = CRATES.into_iter().chain(["tests"]).collect();
    for (path, text) in folders.iter().flat_map(|folder| sources(&format!("{folder}/src"))) {
        let may = path.ends_with("verifier/src/boundary.rs") || path.ends_with("beacon/src/boundary.rs");
        // Concatenated, so that this file does not contain it.
        let says = text.contains(&["unsafe", "("].concat()) || text.contains(&["unsafe", "_code, "].concat());
        assert_eq!(says, may, "{}", path.display());
        assert!(!text.contains(&["unsafe", " {"].concat()), "{} follows a pointer", path.display());
    }
    for crate_name in folders {
        let manifest = fs::read_to_string(root().join(crate_name).join("Cargo.toml")).expect("a manifest");
        assert_eq!(
            manifest.contains("[lints]\nworkspace = true"),
            !["beacon", "verifier"].contains(&crate_name),
            "{crate_name}"
        );
    }
}

#[test]
fn the_modules_for_browsers_are_built_from_these_sources() {
    built_from("verifier", &["engine/src", "ledger/src", "record/src", "verifier/src"]);
    built_from("beacon", &["beacon/src", "ledger/src"]);
}

#[test]
fn the_verifier_that_every_reader_loads_is_under_500_kb() {
    let size = fs::metadata(root().join("web/assets/verifier.wasm.gz")).expect("a module").len();
    assert!(size < 500_000, "{size} bytes");
}

/// The same as in scripts/wasm.sh: the lines of all files, without tests and comments.
fn built_from(module: &str, folders: &[&str]) {
    let mut files: Vec<_> = folders.iter().flat_map(|folder| files(folder, &["rs", "txt"])).collect();
    files.sort_by_key(|(path, _)| path.to_string_lossy().into_owned());
    let mut hash = Sha256::new();
    for (_, text) in files {
        let lines = text.lines().take_while(|line| *line != "#[cfg(test)]");
        for line in lines.filter(|line| !line.trim_start_matches(' ').starts_with("//")) {
            hash.update(line);
            hash.update("\n");
        }
    }
    let built = fs::read_to_string(root().join(format!("web/assets/{module}.sources"))).expect("a hash");
    let now: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(built.trim(), now, "the sources have changed since: run `make wasm`, which takes half a minute");
}
