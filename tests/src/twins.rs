//! Two running matches that differ only in sealed values: everything public about them is equal, except for hashes,
//! keys and times.

use anyhow::{Context, Result, ensure};
use engine::dmn::Replay;
use reqwest::header::{CACHE_CONTROL, ETAG};

use crate::site::{Guest, Site};
use crate::whole_match::{Played, open, record};

/// Devil's Deal: two rounds that end with a fold, the second after the first cards were shown. The two matches differ
/// in the cards that stayed face down.
fn deals(first: &str, second: &str) -> Vec<String> {
    let script = [
        "deal B4 R1 R8 R9 G5 | B2 R6 B3 G2 G7",
        "start p1",
        "stand",
        "stand",
        "community G8",
        first,
        "raise 2",
        "fold",
    ];
    let more = ["stand", "stand", "community B5", second, "raise 2", "call", "raise 1", "fold"];
    script.into_iter().chain(more).map(str::to_owned).collect()
}

/// Higher or Lower: the assignment, and two face-down cards of one group.
fn boards(assigned: &str, circles: [&str; 2]) -> Vec<String> {
    let [one, other] = circles;
    let board_a =
        format!("place A A9 {one} A10 A10 A3 {other} A5 A4 E6 B10 B1 E6 A5 E2 A2 A2 E5 B9 A8 E8 A10 B6 E7 E7 A1");
    let script = [
        "colour pink",
        assigned,
        &board_a,
        "place B C5 C6 B6 B7 C4 A3 B3 B2 B9 C5 B5 B3 B8 C3 B9 C1 B4 C2 A8 B1 B5 A7 B10 B5 B10",
        "place C D4 D6 C7 B6 C2 D3 C2 B7 C4 B8 B8 B2 C3 D5 D5 C8 C7 D6 C6 D9 C7 D10 D9 C9 B4",
        "place D D1 E1 C10 E3 E9 C4 D2 D4 C6 C1 D4 D9 D7 D5 E9 C9 D8 D6 E4 C8 C3 D10 C10 D8 E5",
        "place E A9 E7 D2 E1 A7 E4 E10 A5 D1 E6 D3 A1 E9 A4 D7 E1 E10 A1 A9 D7 A6 A6 E3 E5 A3",
        "board D second",
        "turn d3",
        "north higher",
        "east lower",
    ];
    script.map(str::to_owned).to_vec()
}

/// Opens and plays the match, each line for the parties that are asked.
async fn play(umpire: &Guest, ruleset: &str, script: &[String]) -> Result<String> {
    let text = format!(
        "[DMN \"1\"]\n[Ruleset \"{ruleset}\"]\n[Event \"Cup\"]\n[P1 \"Ada\"]\n[P2 \"Bo\"]\n[DMO \"p2\"]\n[Result \"*\"]\n\n"
    );
    let replay = Replay::open(&text).map_err(|errors| anyhow::anyhow!("{errors:?}"))?;
    let mut duel = engine::Duel::open(&replay.tags().setup)?;
    let console = open(umpire, &Played { text, steps: Vec::new() }).await?;
    for line in script {
        let asked = ["host: ", "p1: ", "p2: ", ""].map(|who| format!("{who}{line}"));
        let step = asked.into_iter().find(|step| duel.clone().play(step, None).is_ok());
        let step = step.with_context(|| format!("nobody is asked for {line}: {:?}", duel.asks()))?;
        duel.play(&step, None).map_err(|refusal| anyhow::anyhow!("{refusal:?}"))?;
        let page = record(umpire, &console, &step).await?;
        ensure!(page.status.is_success(), "{step}: {}", page.text);
    }
    Ok(console)
}

/// The public addresses of a match with this page, and of the lists that it is in.
fn addresses(public: &str, page: &str) -> Result<Vec<String>> {
    let mut paths = vec![
        public.to_owned(),
        format!("{public}.json"),
        format!("{public}.ndjson"),
        format!("{public}.dmn"),
        format!("{public}.bundle"),
        format!("{public}/verify"),
        format!("{public}.svg"),
        format!("{public}.png"),
        format!("{public}.svg?theme=dark"),
        "/".to_owned(),
        "/archive".to_owned(),
        "/archive?running=on".to_owned(),
    ];
    let mut rows: Vec<&str> = page.split('"').filter_map(|text| text.strip_prefix(&format!("{public}/r/"))).collect();
    rows.sort_unstable();
    rows.dedup_by_key(|row| row.split_once('/').map_or(row.to_owned(), |(row, _)| row.to_owned()));
    ensure!(rows.len() >= 3, "{rows:?}");
    for row in rows {
        let row = row.split_once('/').context("a beat")?.0;
        // A PNG is drawn only from the SVG; one for each round is enough.
        for beat in ["before", "choices", "after", "before.svg", "choices.svg", "after.svg", "after.png"] {
            paths.push(format!("{public}/r/{row}/{beat}"));
        }
    }
    Ok(paths)
}

/// Everything public about a match, and the texts for the chat.
async fn everything(site: &Site, umpire: &Guest, console: &str) -> Result<Vec<(String, String)>> {
    let (anybody, public) = (site.visitor()?, console.replace("/umpire", ""));
    let page = anybody.get(&public).await?.text;
    let slug = public.rsplit('/').next().context("a slug")?.to_owned();
    let id = site.app.matches.match_of(&slug).await?.to_string();
    let opened = anybody.get(&format!("{public}.ndjson")).await?.text;
    let value = |name: &str| {
        let rest = opened.split_once(&format!("\"{name}\":\"")).map(|(_, rest)| rest);
        rest.and_then(|rest| rest.split('"').next()).with_context(|| format!("no {name}"))
    };
    let (host_key, by) = (value("host_key")?, value("by")?);
    // The code contains the address, and nothing else.
    let code = web::page::Qr::of(&format!("{}{public}/verify", site.address)).context("a code")?.to_string();
    ensure!(page.contains(&code), "no code of the address: {page}");
    // In the form used in the query of another address.
    let within = site.address.replace(':', "%3A").replace('/', "%2F");
    let plain = |text: &str| {
        let text = text
            .replace(&code, "CODE")
            .replace(&within, "SITE")
            .replace(&slug, "SLUG")
            .replace(&id, "ID")
            .replace(host_key, "KEY")
            .replace(by, "BY");
        plain(&without_waits(&without_base64(&text)))
    };
    let mut read = Vec::new();
    for path in addresses(&public, &page)? {
        let answer = anybody.http.get(format!("{}{path}", site.address)).send().await?;
        ensure!(answer.status().is_success(), "{path}: {}", answer.status());
        let tag = answer.headers().get(ETAG).map(|tag| tag.to_str().map(plain)).transpose()?;
        read.push((format!("{}, its tag", plain(&path)), tag.unwrap_or_default()));
        if path.ends_with(".png") {
            // Byte by byte: neither the picture nor its size may reveal anything.
            read.push((plain(&path), format!("{:?}", answer.bytes().await?)));
            continue;
        }
        let text = answer.text().await?;
        let mut lines: Vec<String> = plain(&text).lines().map(str::to_owned).collect();
        if path.ends_with(".bundle") {
            // Texts are in the order of their commitments.
            lines.sort_unstable();
        }
        read.push((plain(&path), lines.join("\n")));
    }
    let desk = umpire.get(console).await?.text;
    let posts = desk.split("id=\"post-").skip(1).map(|post| plain(post.split("</").next().unwrap_or_default()));
    read.extend(posts.enumerate().map(|(n, post)| (format!("post {n}"), post)));
    ensure!(read.iter().any(|(name, _)| name == "post 1"), "{desk}");
    Ok(read)
}

/// The text without hashes, keys and times.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut run = String::new();
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_hexdigit() || (c == ':' && !run.is_empty()) || (c == '.' && run.contains(':')) {
            run.push(c);
            continue;
        }
        let digit = |at: usize| run.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
        let is_time = run.match_indices(':').any(|(at, _)| at > 0 && digit(at - 1) && digit(at + 1));
        out.push_str(if is_time || run.len() >= 8 { "#" } else { &run });
        run.clear();
        out.push(c);
    }
    out
}

/// The text without the milliseconds between steps, which follow from the times of public entries.
fn without_waits(text: &str) -> String {
    let mut pieces = text.split("data-wait=\"");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| text + "data-wait=\"#" + piece.trim_start_matches(|c: char| c.is_ascii_digit()))
}

/// The text without base64 values as long as a key, a hash or a signature.
fn without_base64(text: &str) -> String {
    let in_base64 = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
    let runs = text.split_inclusive(|c| !in_base64(c)).map(|run| match run.trim_end_matches(|c| !in_base64(c)) {
        long if long.len() >= 40 => format!("#{}", run.trim_start_matches(in_base64)),
        _ => run.to_owned(),
    });
    runs.collect()
}

async fn look_alike(ruleset: &str, one: &[String], other: &[String]) -> Result<()> {
    let mut both = Vec::new();
    for script in [one, other] {
        // Each has its own log, so that both have the same positions in it.
        let site = Site::start().await?;
        let umpire = site.umpire().await?;
        let console = play(&umpire, ruleset, script).await?;
        both.push(everything(&site, &umpire, &console).await?);
    }
    let [one, other] = [both.remove(0), both.remove(0)];
    ensure!(one.len() == other.len(), "{} pages and {}", one.len(), other.len());
    for ((name, one), (_, other)) in one.iter().zip(&other) {
        let differs = one.lines().zip(other.lines()).find(|(one, other)| one != other);
        ensure!(one == other, "{name} tells them apart: {differs:#?}");
    }
    println!("{} pages and files, all alike", one.len());
    Ok(())
}

#[tokio::test]
async fn cards_that_left_face_down_are_told_nowhere() -> Result<()> {
    // The cost of a fold depends on the hand that is given up: these cost nothing.
    let one = deals("G5 R9 / B2 R6", "R1 B4 / G7 B3");
    let other = deals("B4 R8 / B3 R6", "R1 R9 / G7 B2");
    look_alike("devils-deal/blooming-genius", &one, &other).await
}

#[tokio::test]
async fn cells_that_lie_face_down_are_told_nowhere() -> Result<()> {
    let one = boards("assign A square B1 B9 B6", ["E2", "E8"]);
    let other = boards("assign A circle E6 E2 E7", ["E8", "E2"]);
    look_alike("higher-lower/tempo-up", &one, &other).await
}

#[tokio::test]
async fn no_cache_keeps_what_an_umpire_reads() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let console = play(&umpire, "higher-lower/tempo-up", &["colour pink".to_owned()]).await?;
    let page = umpire.get(&console).await?;
    let fields = [("decision", "host".to_owned()), ("form", page.field("form")?), ("head", page.field("head")?)];
    let url = |path: &str| format!("{}{path}", site.address);
    let (get, post) = (|path: &str| umpire.http.get(url(path)), |path: &str| umpire.http.post(url(path)).form(&fields));
    let json = |request: reqwest::RequestBuilder| request.header("accept", "application/json");
    let drawn = post(&format!("{console}/draw")).send().await?;
    for (what, answer) in [
        ("the desk", get("/umpire").send().await?),
        ("the console", get(&console).send().await?),
        ("a step to correct", get(&format!("{console}/correct?step=1")).send().await?),
        ("a step to strike", get(&format!("{console}/strike?from=1")).send().await?),
        ("no such step", get(&format!("{console}/correct?step=9")).send().await?),
        ("no such step, for a program", json(get(&format!("{console}/correct?step=9"))).send().await?),
        ("a line that is read back", post(&format!("{console}/read")).send().await?),
        ("a line that is read back for the script", json(post(&format!("{console}/read"))).send().await?),
        ("a line that is refused", post(&format!("{console}/record")).send().await?),
        ("a line that is refused for a program", json(post(&format!("{console}/record"))).send().await?),
        ("a stranger", site.visitor()?.http.get(url(&console)).send().await?),
        ("a draw", drawn),
    ] {
        let kept = answer.headers().get(CACHE_CONTROL).and_then(|kept| kept.to_str().ok());
        ensure!(kept == Some("no-store"), "{what}, {}: {kept:?}", answer.status());
    }
    Ok(())
}
