//! The verifier in a real browser: on the page of a check, and in the file that needs no network. Every message of the
//! module is compared with the native one.

use std::fs;

use anyhow::{Context, Result, ensure};
use fantoccini::Locator;
use fantoccini::key::Key;
use record::{Bundle, LogEvidence};
use serde_json::{Value, json};
use verifier::Session;

use super::{BOARDS, Browser, DEAL, FIXTURE, THWART, played};
use crate::site::Site;

/// The messages of the native code about a bundle.
fn native(bundle: &[u8], policy: &str) -> Vec<String> {
    let mut session = Session::start(bundle, policy.as_bytes());
    let rounds: Vec<bool> = session.rounds().iter().map(app::beacon_rounds::is_signed).collect();
    session.rounds_checked(&rounds);
    session.map(|message| message.to_json()).collect()
}

/// The messages of the module about it, on a page with its script.
async fn in_browser(browser: &Browser, bundle: &[u8], policy: &str) -> Result<Vec<String>> {
    let script = r#"
        const [bytes, policy, done] = arguments;
        (async () => {
            window.module ??= await WebAssembly.instantiateStreaming(fetch("/assets/verifier.wasm"), {});
            const checking = matchbook.check(window.module, Uint8Array.from(bytes), policy);
            await matchbook.beacon(checking, () => WebAssembly.instantiateStreaming(fetch("/assets/beacon.wasm"), {}));
            while (checking.next()) {}
            done(checking.said);
        })().catch((error) => done([String(error)]));
    "#;
    strings(&browser.client.execute_async(script, vec![json!(bundle), json!(policy)]).await?)
}

fn strings(value: &Value) -> Result<Vec<String>> {
    let list = value.as_array().with_context(|| format!("no list: {value}"))?;
    Ok(list.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

/// A change of the log's part of a bundle.
fn with_log(change: impl Fn(&mut LogEvidence)) -> impl Fn(&mut Bundle) {
    move |other| other.logged.iter_mut().for_each(&change)
}

/// A bundle changed in many ways, each with its name.
fn tampered(bundle: &Bundle) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    let mut with = |name: String, change: &dyn Fn(&mut Bundle)| {
        let mut other = bundle.clone();
        change(&mut other);
        all.push((name, other.write()));
    };
    let count = bundle.lines.len();
    for entry in (0..count).step_by((count / 12).max(1)) {
        with(format!("a byte of entry {entry} flipped"), &|other| {
            let middle = other.lines[entry].len() * 3 / 4;
            other.lines[entry][middle] ^= 1;
        });
        with(format!("entry {entry} deleted"), &|other| drop(other.lines.remove(entry)));
        with(format!("cut off before entry {entry}"), &|other| other.lines.truncate(entry));
    }
    with("two entries swapped".into(), &|other| other.lines.swap(1, 2));
    with("another log".into(), &|other| other.origin = "localhost/matchbook-ffffffff".parse().expect("an origin"));
    with("no word of the log".into(), &|other| other.logged = None);
    with("another place in the log".into(), &with_log(|log| log.index.0 += 1));
    with("a proof cut short".into(), &with_log(|log| _ = log.inclusion.path.pop()));
    with("trees left out".into(), &with_log(|log| log.trees.clear()));
    with("a tree without its checkpoint".into(), &with_log(|log| log.trees[0].checkpoint = None));
    with(
        "the checkpoint of another tree".into(),
        &with_log(|log| log.checkpoint = log.trees[0].checkpoint.clone().expect("one")),
    );
    with("a seal in another place".into(), &with_log(|log| log.seals[0].index.0 += 1));
    let mut cut = bundle.write();
    cut.truncate(cut.len() / 2);
    all.push(("the file cut in half".into(), cut));
    all.push(("no bundle".into(), b"{}".to_vec()));
    all
}

/// Matches whose draws waited for rounds of the beacon, with true and with false ones, as the rules' examples are.
fn with_beacon() -> Result<Vec<Vec<u8>>> {
    let mut bundles = Vec::new();
    for entry in fs::read_dir("../fixtures/rules")? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "bundle") {
            let bundle = fs::read(path)?;
            if !Session::start(&bundle, b"").rounds().is_empty() {
                bundles.push(bundle);
            }
        }
    }
    ensure!(bundles.len() > 10, "{} bundles with rounds", bundles.len());
    Ok(bundles)
}

/// The attacks that are kept as files, each with the reader's policy.
fn attacks() -> Result<Vec<(String, Vec<u8>, String)>> {
    let mut attacks = Vec::new();
    for entry in fs::read_dir("../fixtures/attacks")? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "bundle") {
            let policy = fs::read_to_string(path.with_extension("policy")).unwrap_or_default();
            let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            attacks.push((name, fs::read(path)?, policy));
        }
    }
    ensure!(attacks.len() > 20, "{} attacks", attacks.len());
    Ok(attacks)
}

#[tokio::test]
async fn the_readers_browser_finds_what_the_native_code_finds() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let browser = Browser::open(1100, false, true).await?;
    let (mut compared, policy) = (0, site.app.public_log.policy_text());
    for (fixture, steps) in [(FIXTURE, usize::MAX), (THWART, usize::MAX), (DEAL, 14), (BOARDS, 16)] {
        let address = played(&umpire, fixture, steps).await?;
        let bundle = site.visitor()?.get(&format!("{address}.bundle")).await?.text.into_bytes();
        browser.client.goto(&format!("{}{address}/verify", site.address)).await?;
        let button = "#here button";
        browser.client.find(Locator::Css(button)).await.context("the button")?.click().await?;
        browser.until("Every finding comes out as the server says").await?;
        let text = browser.text_of("#here output").await?;
        println!("{fixture}: {text}");
        let said = browser.client.execute("return document.getElementById('here').checking.said", vec![]).await?;
        assert_eq!(strings(&said)?, native(&bundle, &policy), "{fixture}");
        for (name, changed) in tampered(&Bundle::read(&bundle)?) {
            assert_eq!(in_browser(&browser, &changed, &policy).await?, native(&changed, &policy), "{fixture}: {name}");
            compared += 1;
        }
    }
    let own = "return performance.getEntriesByType('resource').some((one) => one.name.endsWith('beacon.wasm'))";
    ensure!(
        browser.client.execute(own, vec![]).await? == json!(false),
        "no match had a beacon, and the curve was loaded"
    );
    browser.picture("verified-here").await?;
    for bundle in with_beacon()? {
        assert_eq!(in_browser(&browser, &bundle, &policy).await?, native(&bundle, &policy));
    }
    ensure!(browser.client.execute(own, vec![]).await? == json!(true), "the curve was never loaded");
    for (name, bundle, policy) in attacks()? {
        assert_eq!(in_browser(&browser, &bundle, &policy).await?, native(&bundle, &policy), "{name}");
        compared += 1;
    }
    println!("{compared} altered bundles and 4 untouched ones: every message is the native one");
    browser.close().await
}

#[tokio::test]
async fn one_file_shows_and_checks_a_match_without_any_network() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let folder = tempfile::tempdir()?;
    let (mut files, policy) = (Vec::new(), site.app.public_log.policy_text());
    for (name, fixture, steps) in
        [("file", FIXTURE, 12), ("file-thwart", THWART, usize::MAX), ("file-boards", BOARDS, 16)]
    {
        let address = played(&umpire, fixture, steps).await?;
        let page = site.visitor()?.get(&format!("{address}/verify.html")).await?.text;
        let bundle = site.visitor()?.get(&format!("{address}.bundle")).await?.text.into_bytes();
        let path = folder.path().join(format!("{name}.html"));
        fs::write(&path, page)?;
        files.push((name, format!("file://{}", path.display()), bundle));
    }
    let browser = Browser::open(1100, false, true).await?;
    for (name, bundle, policy) in attacks()? {
        let path = folder.path().join(format!("{name}.html"));
        fs::write(&path, web::verify::file(&Bundle::read(&bundle)?, policy.clone())?)?;
        browser.client.goto(&format!("file://{}", path.display())).await?;
        browser.until("Checked by this file").await?;
        let said = browser.client.execute("return matchbook.checking.said", vec![]).await?;
        assert_eq!(strings(&said)?, native(&bundle, &policy), "{name}");
        let headed = browser.client.execute("return document.getElementById('result').textContent", vec![]).await?;
        let failed = browser.text_of("#verdict").await?.starts_with("Failed");
        ensure!(!failed || headed == json!(""), "{name}: {headed}");
    }
    browser.close().await?;
    for (theme, dark, width) in [("light", false, 1100), ("dark", true, 1100), ("phone", true, 320)] {
        let browser = Browser::open(width, dark, true).await?;
        let offline = json!({ "offline": true, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0 });
        browser.tells("Network.enable", json!({})).await?;
        browser.tells("Network.emulateNetworkConditions", offline).await?;
        for (name, address, bundle) in &files {
            browser.client.goto(address).await?;
            browser.until("Checked by this file").await?;
            let said = browser.client.execute("return matchbook.checking.said", vec![]).await?;
            assert_eq!(strings(&said)?, native(bundle, &policy), "{name}");
            browser.until("What happened").await?;
            browser.fits(name).await?;
            browser.picture(&format!("{name}-{theme}")).await?;
            browser.type_keys(&char::from(Key::Home).to_string()).await?;
            browser.type_keys(&char::from(Key::Left).to_string()).await?;
            browser.until("As recorded").await?;
            let shown =
                browser.client.execute("return document.querySelector('#moment h2').textContent", vec![]).await?;
            let first = shown.as_str().unwrap_or_default();
            ensure!(first.starts_with("Round 1") || first.starts_with("Before round 1"), "{name}: {first}");
            browser.fits(name).await?;
        }
        browser.close().await?;
    }
    Ok(())
}
