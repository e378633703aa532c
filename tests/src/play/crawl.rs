//! A crawler for everything public on a site: every link of every page, every format of a match, every proof and tile
//! of the log, and every address in the source. A public address that is not crawled fails the test.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::site::Guest;

/// Addresses that are independent of the match.
const SAME_FOR_ALL: [&str; 3] = ["/assets/", "/rules/", "/favicon"];
/// The pages of people who are signed in, and of the program's other services.
const NOT_PUBLIC: [&str; 8] =
    ["/umpire", "/account", "/sign-in", "/sign-out", "/play/", "/add-checkpoint", "/join", "/withdraw"];

/// The time limit for the beginning of a stream.
const AT_FIRST: Duration = Duration::from_secs(20);
/// The pause after which a stream counts as silent.
const QUIET: Duration = Duration::from_millis(400);

/// Answers by address, each with its status and headers, byte for byte.
pub(super) type Read = BTreeMap<String, String>;

/// An answer with its headers. The site has a fixed name here, because previews contain its address.
pub(super) async fn answer(guest: &Guest, path: &str) -> Result<(String, Vec<u8>)> {
    let asked = guest.http.get(format!("{}{path}", guest.address)).header("host", "localhost");
    let mut answer = asked.send().await?;
    let headers = answer.headers().iter().filter(|(name, _)| *name != "date" && *name != "ratelimit");
    let mut headers: Vec<String> =
        headers.map(|(name, value)| format!("{name}: {}", String::from_utf8_lossy(value.as_bytes()))).collect();
    headers.sort();
    let stream = headers.iter().any(|header| header.contains("text/event-stream"));
    let head = format!("{}\n{}", answer.status(), headers.join("\n"));
    let mut body = Vec::new();
    // A stream has no end: only its first events count.
    if stream {
        let mut patience = AT_FIRST;
        while let Ok(Ok(Some(chunk))) = tokio::time::timeout(patience, answer.chunk()).await {
            body.extend_from_slice(&chunk);
            patience = QUIET;
        }
    } else {
        body = answer.bytes().await?.to_vec();
    }
    Ok((head, body))
}

/// The addresses on this site that a page names.
fn links(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for mark in ["href=\"", "src=\"", "content=\"http://localhost", "content=\"https://localhost"] {
        for rest in text.split(mark).skip(1) {
            let link = rest.split(['"', '#']).next().unwrap_or_default().replace("&amp;", "&").replace("&#38;", "&");
            if link.starts_with('/') && !link.starts_with("//") {
                found.insert(link);
            }
        }
    }
    found
}

/// The patterns of the readable addresses, from the source.
fn patterns() -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../web")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path: PathBuf = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let text = fs::read_to_string(&path)?;
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            for route in code.split(".route(").skip(1) {
                let mut parts = route.trim_start().split('"');
                let (before, pattern, rest) = (parts.next(), parts.next(), parts.next());
                let reads = rest.is_some_and(|rest| rest.split(".route(").next().unwrap_or(rest).contains("get("));
                if let (Some(""), Some(pattern)) = (before, pattern)
                    && reads
                    && !path.ends_with("witness/mod.rs")
                {
                    found.insert(pattern.to_owned());
                }
            }
        }
    }
    ensure!(found.len() > 20, "{found:?}");
    Ok(found)
}

/// True if an address matches a pattern.
fn is_of(pattern: &str, path: &str) -> bool {
    let path = path.split('?').next().unwrap_or(path);
    if let Some((before, _)) = pattern.split_once("{*") {
        return path.starts_with(before) && path.len() > before.len();
    }
    let (pattern, path): (Vec<_>, Vec<_>) = (pattern.split('/').collect(), path.split('/').collect());
    let part = |(pattern, part): (&&str, &&str)| {
        pattern == part || (pattern.starts_with('{') && pattern.ends_with('}') && !part.is_empty())
    };
    pattern.len() == path.len() && pattern.iter().zip(&path).all(part)
}

/// Reads everything from these addresses on, except addresses that begin with one of `never`.
async fn follow(guest: &Guest, from: Vec<String>, never: &[&str]) -> Result<Read> {
    let (mut read, mut queue) = (Read::new(), from);
    while let Some(path) = queue.pop() {
        if read.contains_key(&path) || never.iter().any(|never| path.starts_with(never)) {
            continue;
        }
        let (head, body) = answer(guest, &path).await?;
        if head.contains("content-type: text/html") {
            queue.extend(links(&String::from_utf8_lossy(&body)));
        }
        let text = String::from_utf8_lossy(&body);
        let answer = if path == "/healthz" { without_scrubbing(&head, &text)? } else { format!("{head}\n{text}") };
        read.insert(path, answer);
        ensure!(read.len() < 2_000, "a site without an end");
    }
    Ok(read)
}

/// The state of the site without the pace of scrubbing, which depends on the machine alone.
fn without_scrubbing(head: &str, body: &str) -> Result<String> {
    let head: Vec<&str> = head.lines().filter(|line| !line.starts_with("content-length")).collect();
    let mut state: serde_json::Value = serde_json::from_str(body)?;
    let scrubbing = state["log"].as_object_mut().and_then(|log| log.remove("scrubbing"));
    scrubbing.context("the state says how far scrubbing is")?;
    Ok(format!("{}\n{state}", head.join("\n")))
}

/// The files of a match, as the site itself lists them.
async fn files(guest: &Guest, slug: &str) -> Result<Vec<String>> {
    let (_, formats) = answer(guest, &format!("/m/{slug}.none")).await?;
    let formats = String::from_utf8_lossy(&formats).into_owned();
    let formats = formats.split("there are ").nth(1).and_then(|rest| rest.split('<').next());
    let formats = formats.context("the formats of a match")?;
    let words = formats.split([' ', ',']).filter_map(|word| word.strip_prefix('.'));
    let files: Vec<_> = words.map(|word| format!("/m/{slug}.{}", word.trim_end_matches('.'))).collect();
    ensure!(files.len() >= 6, "{files:?}");
    Ok(files)
}

/// Every proof and tile of the log.
async fn proofs_and_tiles(guest: &Guest) -> Result<Vec<String>> {
    let (_, note) = answer(guest, "/checkpoint").await?;
    let size: usize = String::from_utf8_lossy(&note).lines().nth(1).context("a checkpoint")?.parse()?;
    let consistency = (0..=size).map(|old| format!("/api/v1/proof/consistency?from={old}&to={size}"));
    let inclusion = (0..size).map(|leaf| format!("/api/v1/proof/inclusion?index={leaf}&size={size}"));
    let widths = 1..=size.min(255);
    let tiles = widths.flat_map(|width| [format!("/tile/0/000.p/{width}"), format!("/tile/entries/000.p/{width}")]);
    Ok(consistency.chain(inclusion).chain(tiles).collect())
}

/// The readable operations of the API document.
async fn operations(guest: &Guest, slug: &str, ruleset: &str) -> Result<Vec<String>> {
    let (_, document) = answer(guest, "/openapi.json").await?;
    let document: serde_json::Value = serde_json::from_slice(&document)?;
    let base = document["servers"][0]["url"].as_str().unwrap_or_default().trim_end_matches('/');
    let base = if base.starts_with('/') { base } else { "" };
    let mut operations = Vec::new();
    for (path, methods) in document["paths"].as_object().context("paths")? {
        let path = path.replace("{game}/{ruleset}", ruleset).replace("{other}", "bo");
        let path = path.replace("/events/{name}", "/events/cup").replace("{name}", "ada");
        let filled = path.split('/').map(|part| if part.starts_with('{') { slug } else { part }).collect::<Vec<_>>();
        if methods.get("get").is_some() {
            operations.push(format!("{base}{}", filled.join("/")));
        }
    }
    Ok(operations)
}

/// True for what is drawn, which is slow.
pub(super) fn is_picture(path: &str) -> bool {
    path.contains(".png") || path.contains(".gif")
}

/// Everything public, with pictures or without: drawing them is slow.
pub(super) async fn everything(guest: &Guest, slug: &str, pictures: bool) -> Result<Read> {
    let skipped: Vec<&str> = SAME_FOR_ALL.into_iter().chain(NOT_PUBLIC).collect();
    let patterns = patterns()?;
    let mut from: Vec<String> = patterns.iter().filter(|pattern| !pattern.contains('{')).cloned().collect();
    from.extend(files(guest, slug).await?);
    let (_, entries) = answer(guest, &format!("/m/{slug}.ndjson")).await?;
    let entries = String::from_utf8_lossy(&entries).into_owned();
    let ruleset = entries.split("\"ruleset\":\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
    from.extend(
        patterns
            .iter()
            .filter(|pattern| pattern.contains("{game}/{ruleset}"))
            .map(|pattern| pattern.replace("{game}/{ruleset}", ruleset)),
    );
    let entries = entries.lines().count();
    from.extend((0..entries).map(|seq| format!("/m/{slug}/entries/{seq}/proof")));
    from.extend(proofs_and_tiles(guest).await?);
    from.extend(operations(guest, slug, ruleset).await?);
    // Every address below a match in the source.
    for pattern in patterns.iter().filter(|pattern| pattern.matches('{').count() == 1 && pattern.contains("{slug}")) {
        from.push(pattern.replace("{slug}", slug));
    }
    from.extend([
        format!("/m/{slug}?theme=dark"),
        format!("/m/{slug}.svg?theme=dark"),
        format!("/m/{slug}/guess/p1"),
        "/archive?running=on".to_owned(),
        "/archive?sort=dramatic".to_owned(),
        "/suggest.json?q=a".to_owned(),
        "/sitemap/pages.xml".to_owned(),
    ]);
    // An event of which nobody told anything.
    let of_event = patterns.iter().filter(|pattern| pattern.starts_with("/events/{name}/"));
    from.extend(of_event.map(|pattern| pattern.replace("{name}", "nothing")));
    // A declared match leads to its game; here no other game is declared.
    from.push(format!("/games/{}", "0".repeat(64)));
    // Nobody is registered here: what a seat plays is in no player's chain.
    let of_player = patterns.iter().filter(|pattern| pattern.contains("{player}"));
    from.extend(of_player.map(|pattern| pattern.replace("{player}", "62f36beb-046d-4718-9e70-004f87cfddf9")));
    if !pictures {
        from.retain(|path| !is_picture(path));
    }
    let mut read = follow(guest, from, &skipped).await?;
    if !pictures {
        read.retain(|path, _| !is_picture(path));
    }
    // The answer for a missing page must be equal, too.
    for none in ["/m/nobody", "/nowhere", &format!("/m/{slug}/r/99/after")] {
        let (head, body) = answer(guest, none).await?;
        read.insert(none.to_owned(), format!("{head}\n{}", String::from_utf8_lossy(&body)));
    }
    for pattern in patterns.iter().filter(|pattern| !skipped.iter().any(|never| pattern.starts_with(never))) {
        let met = read.keys().any(|path| is_of(pattern, path));
        // Before the first step there is no moment to link to.
        ensure!(met || pattern.contains("{row}"), "{pattern} is public, and no page leads there: crawl it");
    }
    Ok(read)
}

/// Everything on a seat's own pages.
pub(super) async fn own(guest: &Guest, home: &str) -> Result<Read> {
    let mut from = vec![home.to_owned(), format!("{home}?received=d1.0"), format!("{home}/receipt/d1/0")];
    for pattern in patterns()?.iter().filter_map(|pattern| pattern.strip_prefix("/play/m/{slug}/{seat}")) {
        if !pattern.contains('{') {
            from.push(format!("{home}{pattern}"));
        }
    }
    let mut read =
        follow(guest, from, &["/assets/", "/rules", "/m/", "/archive", "/log", "/sign-in", "/umpire"]).await?;
    read.retain(|path, _| path.starts_with("/play/"));
    ensure!(read.len() >= 6, "{:?}", read.keys());
    Ok(read)
}
