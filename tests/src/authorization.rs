//! Who may do what: every route with every kind of caller, asked one by one, as the table in `fixtures/authorization.txt`.
//!
//! `UPDATE=1 cargo test -p matchbook-tests authorization` rewrites the table; each change of it is a change of rights. The
//! routes come from the sources of `web` and from its OpenAPI document, so that a new route has a row or the test fails.

mod callers;
mod foreign;
mod laws;
mod objects;
mod requests;
pub(crate) mod routes;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use self::callers::{CALLERS, Callers};
use self::requests::{ACTS, Content};
use self::routes::{Row, Stage, routes};

/// The words above the table.
const HEAD: &str = "\
Every route, and what each kind of caller is answered that sends what its form or the API's document asks for.
401: sign in first. 403: not you. 404: to you there is nothing. 410: this link works no more. away: sent on to another page. yes: the caller may, and it is
done, or somebody was first. refused: the caller may, and the content or the state of the match is against it. Whoever is
answered 401, 403 or 404 is answered the same to an empty form or object. UPDATE=1 cargo test -p matchbook-tests authorization
rewrites the table.

The match runs, and has a step that counts and a step that was struck; a second line of a route has the answers about a match
that has ended, where they differ, and words in brackets are what is asked for, where the rights depend on it. Matches that are deleted are practice. What a request took away is there again for the next
caller. `player` and `opponent` sit in the match by links, `other player` in another; `umpire` opened it, and named `helper` and
`commentator`; `other umpire` has nothing to do with it; `demoted` was an admin once, and the account of `stopped` is closed.
The others are programs with a token: of the umpire with the scope read or umpire; of the helper, of the other umpire and of
the closed account with the scope umpire; of the admin with the scope admin or umpire; and of the player.

";

fn table() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/authorization.txt")
}

/// The answers to one request, in the order of the callers.
type Cells = Vec<String>;

fn written(rights: &BTreeMap<Row, Cells>) -> String {
    let width = rights.keys().map(|row| row.to_string().len()).max().unwrap_or(0);
    let line = |name: &str, cells: &[&str]| {
        let cells: Vec<String> =
            CALLERS.iter().zip(cells).map(|(caller, cell)| format!("{cell:<width$}", width = caller.len())).collect();
        format!("{name:<width$} | {}", cells.join(" | ")).trim_end().to_owned() + "\n"
    };
    let rows =
        rights.iter().map(|(row, cells)| line(&row.to_string(), &cells.iter().map(String::as_str).collect::<Vec<_>>()));
    HEAD.to_owned() + &line("", &CALLERS) + &rows.collect::<String>()
}

/// The lines of the table that were stored otherwise.
fn differences(found: &str, stored: &str) -> Vec<String> {
    let only = |one: &str, other: &str, mark: &str| {
        let lines = one.lines().filter(|line| !other.lines().any(|known| known == *line));
        lines.map(|line| format!("{mark} {line}")).collect::<Vec<_>>()
    };
    [only(found, stored, "is: "), only(stored, found, "was:")].concat()
}

/// Every route, also about a match that has ended, and with each act on which rights depend. What ends a session comes last.
fn rows(callers: &Callers) -> Result<Vec<Row>> {
    let mut all = Vec::new();
    for route in routes(callers.document())? {
        if route.method == "get" && route.is_of_a_match() {
            all.push(Row { route: route.clone(), stage: Stage::Ended, act: None });
        }
        let acts = ACTS.iter().filter(|(method, path, ..)| route.path == *path && route.method == *method);
        let acts = [None].into_iter().chain(acts.map(|act| Some(act.2)));
        all.extend(acts.map(|act| Row { route: route.clone(), stage: Stage::Running, act }));
    }
    all.sort_by_key(|row| row.route.path == "/sign-out");
    Ok(all)
}

#[tokio::test]
async fn every_route_answers_every_caller_as_the_table_says() -> Result<()> {
    let mut callers = Callers::gathered().await?;
    let (mut rights, mut broken) = (BTreeMap::new(), Vec::new());
    for row in rows(&callers)? {
        let cells = callers.ask(&CALLERS, &row, Content::Everything).await.with_context(|| row.to_string())?;
        let refused = laws::refused(&row, &cells);
        let bad = callers.ask(&refused, &row, Content::Nothing).await.with_context(|| row.to_string())?;
        broken.extend(laws::of_bad_requests(&row, &cells, &refused, &bad));
        broken.extend(laws::broken(&row, &cells));
        rights.insert(row, cells);
    }
    // A second line that says the same is left out.
    let both = rights.clone();
    rights.retain(|row, cells| {
        let running = Row { stage: Stage::Running, ..row.clone() };
        row.stage == Stage::Running || both.get(&running) != Some(cells)
    });
    ensure!(broken.is_empty(), "{broken:#?}");
    let found = written(&rights);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(table(), &found)?;
    }
    let differences = differences(&found, &fs::read_to_string(table()).unwrap_or_default());
    ensure!(differences.is_empty(), "{}\nUPDATE=1 rewrites the table", differences.join("\n"));
    Ok(())
}
