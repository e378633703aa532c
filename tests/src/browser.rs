//! The main paths in a real browser. Screenshots are written to `target/screenshots/`; `make screenshots` renews them.

mod axe;
mod narrow;
mod pages;
mod slider;
mod times;

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use fantoccini::key::Key;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::site::{Guest, Site};
use crate::whole_match::{fixture, open, record};

/// The number of checks before a page counts as stuck, at an interval of 50 ms: half a minute in all.
const PATIENCE: u32 = 600;
const LOOK: Duration = Duration::from_millis(50);

/// A browser with a profile of its own.
pub(crate) struct Browser {
    pub(crate) client: Client,
    _driver: Child,
    profile: TempDir,
}

impl Browser {
    pub(crate) async fn open(width: u32, dark: bool, scripts: bool) -> Result<Self> {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .context("chromedriver is needed: apt-get install chromium-driver")?;
        let mut said = BufReader::new(driver.stdout.take().context("its output")?).lines();
        let port = loop {
            let line = said.next_line().await?.context("chromedriver ended")?;
            if let Some(port) = line.strip_prefix("ChromeDriver was started successfully on port ") {
                break port.trim_end_matches('.').to_owned();
            }
        };
        tokio::spawn(async move { while let Ok(Some(_)) = said.next_line().await {} });
        let profile = tempfile::Builder::new().prefix("matchbook-browser").tempdir()?;
        let mut arguments: Vec<String> = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
        ]
        .map(str::to_owned)
        .to_vec();
        arguments.push(format!("--user-data-dir={}", profile.path().display()));
        arguments.push("--window-size=1100,1400".to_owned());
        let mut options = json!({ "args": arguments });
        if !scripts {
            options["prefs"] = json!({ "profile.managed_default_content_settings.javascript": 2 });
        }
        if width < 600 {
            options["mobileEmulation"] =
                json!({ "deviceMetrics": { "width": width, "height": 700, "pixelRatio": 1.0 } });
        }
        let mut capabilities = serde_json::Map::new();
        capabilities.insert("goog:chromeOptions".to_owned(), options);
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&format!("http://127.0.0.1:{port}"))
            .await?;
        let browser = Self { client, _driver: driver, profile };
        browser.theme(if dark { "dark" } else { "light" }).await?;
        Ok(browser)
    }

    /// Sets the reader's theme, by the browser's own protocol.
    async fn theme(&self, theme: &str) -> Result<()> {
        let features = json!([{ "name": "prefers-color-scheme", "value": theme }]);
        self.client
            .issue_cmd(Cdp { cmd: "Emulation.setEmulatedMedia", params: json!({ "features": features }) })
            .await?;
        Ok(())
    }

    /// Saves a picture of the window.
    pub(crate) async fn picture(&self, name: &str) -> Result<()> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/screenshots");
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("{name}.png")), self.client.screenshot().await?)?;
        Ok(())
    }

    pub(crate) async fn fits(&self, what: &str) -> Result<()> {
        let script = "return [document.documentElement.scrollWidth, window.innerWidth]";
        let widths = self.client.execute(script, vec![]).await?;
        let (page, window) = (widths[0].as_u64().unwrap_or(0), widths[1].as_u64().unwrap_or(0));
        ensure!(page <= window, "{what} is {page} px wide in a window of {window} px");
        Ok(())
    }

    /// The text of the page; empty while it loads.
    async fn text(&self) -> Result<String> {
        let script = "return document.body ? document.body.innerText : \"\"";
        let text = self.client.execute(script, vec![]).await.unwrap_or_default();
        Ok(text.as_str().unwrap_or_default().to_owned())
    }

    pub(crate) async fn until(&self, words: &str) -> Result<()> {
        for _ in 0..PATIENCE {
            if self.text().await?.contains(words) {
                return Ok(());
            }
            tokio::time::sleep(LOOK).await;
        }
        anyhow::bail!("the page never says {words:?}:\n{}", self.text().await?)
    }

    /// Waits until a field of this name, or the button that records, has the focus.
    pub(crate) async fn at(&self, css: &str) -> Result<()> {
        let script = "return document.activeElement !== null && document.activeElement.matches(arguments[0])";
        for _ in 0..PATIENCE {
            if self.client.execute(script, vec![json!(css)]).await.unwrap_or_default() == json!(true) {
                return Ok(());
            }
            tokio::time::sleep(LOOK).await;
        }
        anyhow::bail!("the keyboard never comes to {css}")
    }

    /// Presses the button of the current sign-in page.
    pub(crate) async fn sign_in(&self) -> Result<()> {
        self.client.find(Locator::Css("main form button")).await?.click().await?;
        self.until("Umpire’s desk").await
    }

    /// Presses the element with this selector anywhere on the page: the page scrolls smoothly, and the driver does not
    /// wait for it.
    pub(crate) async fn press(&self, css: &str) -> Result<()> {
        let script = "document.querySelector(arguments[0]).scrollIntoView({ block: 'center', behavior: 'instant' })";
        self.client.execute(script, vec![json!(css)]).await?;
        self.client.find(Locator::Css(css)).await?.click().await?;
        Ok(())
    }

    /// Types into the element with the focus. A page that replaces another at this moment may remove that element.
    pub(crate) async fn type_keys(&self, keys: &str) -> Result<()> {
        for _ in 0..PATIENCE {
            match self.client.active_element().await?.send_keys(keys).await {
                Err(error) if error.is_stale_element_reference() => tokio::time::sleep(LOOK).await,
                typed => return Ok(typed?),
            }
        }
        anyhow::bail!("what has the focus never stays")
    }

    pub(crate) async fn close(self) -> Result<()> {
        self.client.clone().close().await?;
        Ok(())
    }
}

impl Drop for Browser {
    /// A test that failed has not closed its browser, which outlives its driver. The name of its profile identifies it.
    fn drop(&mut self) {
        let profile = self.profile.path().to_string_lossy().into_owned();
        for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let command = fs::read(process.path().join("cmdline")).unwrap_or_default();
            if String::from_utf8_lossy(&command).contains(&profile) {
                let id = process.file_name().to_string_lossy().into_owned();
                // It may have ended by now, which is fine.
                let _ =
                    std::process::Command::new("sh").args(["-c", "kill -9 \"$0\"", &id]).stderr(Stdio::null()).status();
            }
        }
    }
}

/// A command of the browser's own protocol.
#[derive(Debug)]
pub(crate) struct Cdp {
    pub(crate) cmd: &'static str,
    pub(crate) params: serde_json::Value,
}

impl WebDriverCompatibleCommand for Cdp {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(json!({ "cmd": self.cmd, "params": self.params }).to_string()))
    }
}

pub(crate) const FIXTURE: &str = "five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn";
pub(crate) const THWART: &str = "thwart-13/dm-colosseum-2/challenge-met-12-p2-ilse-noor.dmn";
pub(crate) const DEAL: &str = "devils-deal/blooming-genius/no-chips-5-p2-ilse-marlowe.dmn";
pub(crate) const BOARDS: &str = "higher-lower/tempo-up/three-boards-3-p1-kestrel-marlowe.dmn";

/// Opens a match, records its first `steps` steps, and returns the path of its page.
pub(crate) async fn played(umpire: &Guest, fixture_name: &str, steps: usize) -> Result<String> {
    let played = fixture(fixture_name)?;
    let console = open(umpire, &played).await?;
    for step in played.steps.iter().take(steps) {
        record(umpire, &console, step).await?;
    }
    Ok(console.replace("/umpire", ""))
}

async fn type_into(client: &Client, css: &str, text: &str) -> Result<()> {
    client.find(Locator::Css(css)).await.with_context(|| css.to_owned())?.send_keys(text).await?;
    Ok(())
}

#[tokio::test]
async fn an_umpire_signs_in_opens_a_match_and_records_it_by_keyboard() -> Result<()> {
    let site = Site::start().await?;
    let browser = Browser::open(1100, false, true).await?;
    let client = &browser.client;
    client.goto(&site.sign_in_link().await?).await?;
    browser.picture("sign-in").await?;
    client.find(Locator::Css("main form button")).await?.click().await?;
    browser.until("You are signed in.").await?;
    browser.until("Open a match").await?;
    browser.picture("desk").await?;
    client.goto(&format!("{}/account", site.address)).await?;
    browser.until("Browsers that are signed in").await?;
    browser.picture("account").await?;

    client.goto(&format!("{}/umpire/open", site.address)).await?;
    let select = client.find(Locator::Css("#ruleset")).await?;
    select.select_by_value("five-card-trick/dm-colosseum-2").await?;
    type_into(client, "#p1", "Black").await?;
    type_into(client, "#p2", "White").await?;
    type_into(client, "#event", "DM Colosseum 2").await?;
    browser.picture("open").await?;
    type_into(client, "#event", &char::from(Key::Enter).to_string()).await?;
    browser.until("Round 1").await?;

    // The worked example of the rule post, typed like an umpire: both lines, Enter between them, Enter to record.
    let rounds = [("sc g", "sc st"), ("sc st", "c b:c"), ("sc c", "g c"), ("c sc", "g b:sc")];
    let enter = char::from(Key::Enter).to_string();
    for (n, (p1, p2)) in rounds.into_iter().enumerate() {
        browser.at("input[name=p1]").await?;
        browser.type_keys(p1).await?;
        if n == 2 {
            browser.until("left out").await?;
            browser.picture("read-back").await?;
        }
        browser.type_keys(&enter).await?;
        browser.at("input[name=p2]").await?;
        browser.type_keys(p2).await?;
        browser.type_keys(&enter).await?;
        browser.until("Ready. Nothing is recorded yet.").await?;
        browser.at("button[data-record]").await?;
        browser.type_keys(&enter).await?;
        browser.until(&format!("Round {}:", n + 2)).await?;
    }
    browser.picture("console").await?;
    let address = client.current_url().await?.path().replace("/umpire", "");
    let text = site.visitor()?.get(&format!("{address}.dmn")).await?.text;
    ensure!(text.ends_with(
        "1. score grow / score steal\n2. score steal / claim block:claim\n3. score claim / grow claim\n4. score claim / grow block:score\n"
    ), "{text}");

    client.goto(&format!("{}{address}/r/3/after", site.address)).await?;
    browser.until("third time in a row").await?;
    browser.picture("beat").await?;
    browser.type_keys(&char::from(Key::Right).to_string()).await?;
    browser.until("Round 4").await?;
    browser.close().await
}
