//! Who may do what: every route with every kind of caller, asked one by one, as the table in `fixtures/authorization.txt`.
//!
//! `UPDATE=1 cargo test -p matchbook-tests authorization` rewrites the table; each change of it is a change of rights. The
//! routes come from the sources of `web` and from its OpenAPI document, so that a new route has a row or the test fails.

mod callers;
mod foreign;
mod routes;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use self::callers::{CALLERS, Callers};
use self::routes::{Route, routes};

/// The words above the table.
const HEAD: &str = "\
Every route, and what each kind of caller is answered that sends an empty form or an empty object there.
401: sign in first. 403: not you. 404: to you there is nothing. away: sent on to another page. yes: the caller may; what was
sent is done or refused for what it is. UPDATE=1 cargo test -p matchbook-tests authorization rewrites the table.

The match runs. `player` sits in it by a link, `other player` in another match; `umpire` opened it, `other umpire` did not;
`demoted` was an admin once, and the account of `stopped` is closed. The last four are programs with a token: of the umpire
with the scope read or umpire, of the admin with the scope admin, and of the player.

";

fn table() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/authorization.txt")
}

/// The answers to each route, in the order of the callers.
type Rights = BTreeMap<Route, Vec<String>>;

fn written(rights: &Rights) -> String {
    let width = rights.keys().map(|route| route.to_string().len()).max().unwrap_or(0);
    let line = |name: &str, cells: &[&str]| {
        let cells: Vec<String> =
            CALLERS.iter().zip(cells).map(|(caller, cell)| format!("{cell:<width$}", width = caller.len())).collect();
        format!("{name:<width$} | {}", cells.join(" | ")).trim_end().to_owned() + "\n"
    };
    let rows = rights
        .iter()
        .map(|(route, cells)| line(&route.to_string(), &cells.iter().map(String::as_str).collect::<Vec<_>>()));
    HEAD.to_owned() + &line("", &CALLERS) + &rows.collect::<String>()
}

/// The laws of the table, whatever it says in detail.
fn laws(rights: &Rights) -> Vec<String> {
    let mut broken = Vec::new();
    for (route, cells) in rights {
        let of = |caller: &str| {
            let at = CALLERS.iter().position(|known| *known == caller);
            at.and_then(|at| cells.get(at)).map_or("", String::as_str)
        };
        let mut law = |holds: bool, law: &str| {
            if !holds {
                broken.push(format!("{route}: {law}"));
            }
        };
        law(of("stopped") == of("nobody"), "a closed account has no more rights than nobody");
        law(of("demoted") == of("other umpire"), "who was an admin has the rights of an umpire");
        law(of("other player") != "yes" || of("nobody") == "yes", "a player has no rights in another match");
        let private = ["/umpire", "/account", "/withdraw/"].iter().any(|begins| route.path.starts_with(begins));
        law(!private || of("nobody") != "yes", "nobody may who is not signed in");
        let seat = route.path.starts_with("/play/m/") || route.path.starts_with("/api/v1/seat");
        law(!seat || route.method == "get" || of("umpire") != "yes", "an umpire does not act for a seat there");
        let changes = route.method != "get" && !route.path.ends_with("/read");
        law(
            !changes || of("read token") != "yes" || of("nobody") == "yes",
            "a token of the scope read changes nothing",
        );
        law(
            of("umpire token") != "yes" || of("umpire") == "yes" || route.is_api(),
            "no token has more than its umpire",
        );
    }
    broken
}

#[tokio::test]
async fn every_route_answers_every_caller_as_the_table_says() -> Result<()> {
    let callers = Callers::gathered().await?;
    let mut rights = Rights::new();
    let mut all: Vec<Route> = routes(&callers.document().await?)?.into_iter().collect();
    // What removes something, or ends a session, comes last.
    all.sort_by_key(|route| (route.path == "/sign-out", route.method == "delete"));
    for route in all {
        let mut cells = Vec::new();
        for caller in CALLERS {
            cells.push(callers.asks(caller, &route).await.with_context(|| format!("{route} as {caller}"))?);
        }
        rights.insert(route, cells);
    }
    let broken = laws(&rights);
    ensure!(broken.is_empty(), "{broken:#?}");
    let found = written(&rights);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(table(), &found)?;
    }
    let stored = fs::read_to_string(table()).unwrap_or_default();
    let differences: Vec<String> = found
        .lines()
        .filter(|line| !stored.lines().any(|known| known == *line))
        .map(|line| format!("is:  {line}"))
        .chain(
            stored.lines().filter(|line| !found.lines().any(|known| known == *line)).map(|line| format!("was: {line}")),
        )
        .collect();
    ensure!(differences.is_empty(), "{}\nUPDATE=1 rewrites the table", differences.join("\n"));
    Ok(())
}
