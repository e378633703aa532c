//! The main paths in a real browser. `make screenshots` leaves pictures of them in `target/screenshots/`.

mod axe;
mod first_screen;
mod narrow;
mod pages;
mod slider;
mod times;
mod verified;

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;
use std::{env, fs, io};

use anyhow::{Context, Result, anyhow, ensure};
use fantoccini::error::CmdError;
use fantoccini::key::Key;
use fantoccini::wd::{TimeoutConfiguration, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::runtime::{self, Runtime};
use tokio::sync::OnceCell;

use crate::site::{Guest, Site};
use crate::wait::until;
use crate::whole_match::{fixture, open, record};

/// The number of checks before a page counts as stuck, at an interval of 50 ms: half a minute in all.
const PATIENCE: u32 = 600;
const LOOK: Duration = Duration::from_millis(50);
/// The longest that a script of a test may take: a walk through a match is one script, and the machine may be busy.
const SCRIPT: Duration = Duration::from_secs(300);

/// Browsers that no test uses, with their pointers. Starting one takes longer than most tests do with it, so they go from
/// test to test.
static FREE: Mutex<Vec<(Pointer, Client)>> = Mutex::new(Vec::new());
/// Where the connections to browsers live, which outlast the runtime of the test that opened them.
static CONNECTIONS: LazyLock<io::Result<Runtime>> =
    LazyLock::new(|| runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build());
static DRIVER: OnceCell<Driver> = OnceCell::const_new();

/// What a browser points with. A browser without a window has nothing unless it is told, so pages hide the signs of keys.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pointer {
    None,
    Mouse,
}

/// The one chromedriver of this process.
struct Driver {
    address: String,
    /// The browsers' profiles.
    folder: PathBuf,
    /// Its standard input is a pipe from this process. When it closes, the shell ends driver and browsers.
    _watched: Child,
}

impl Driver {
    async fn start() -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("matchbook-browser").tempdir()?.keep();
        let end = "command -v chromedriver >/dev/null || exit 1; chromedriver --port=0 & read -r _; trap '' TERM; kill -TERM 0; wait; \
            for _ in 1 2 3 4 5; do rm -rf \"$0\" && break; sleep 1; done";
        let mut watched = Command::new("sh")
            .args(["-c", end])
            .arg(&folder)
            .env("TMPDIR", &folder)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut said = BufReader::new(watched.stdout.take().context("its output")?).lines();
        let port = loop {
            let line = said.next_line().await?.context("chromedriver is needed: apt-get install chromium-driver")?;
            if let Some(port) = line.strip_prefix("ChromeDriver was started successfully on port ") {
                break port.trim_end_matches('.').to_owned();
            }
        };
        tokio::spawn(async move { while let Ok(Some(_)) = said.next_line().await {} });
        Ok(Self { address: format!("http://127.0.0.1:{port}"), folder, _watched: watched })
    }

    /// A new browser with a profile of its own.
    async fn browser(&self, pointer: Pointer) -> Result<Client> {
        let profile = tempfile::tempdir_in(&self.folder)?.keep();
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
        arguments.push(format!("--user-data-dir={}", profile.display()));
        arguments.push("--window-size=1100,1400".to_owned());
        if pointer == Pointer::Mouse {
            let mouse = "primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4";
            arguments.push(format!("--blink-settings={mouse}"));
        }
        let mut capabilities = serde_json::Map::new();
        capabilities.insert("goog:chromeOptions".to_owned(), json!({ "args": arguments }));
        let client = ClientBuilder::new(HttpConnector::new()).capabilities(capabilities).connect(&self.address).await?;
        client.update_timeouts(TimeoutConfiguration::new(Some(SCRIPT), Some(SCRIPT), None)).await?;
        Ok(client)
    }
}

/// A browser that nobody else uses, without cookies or anything else that a test before left.
pub(crate) struct Browser {
    pub(crate) client: Client,
    pointer: Pointer,
    /// The width of the screen that it was given last; 0 for the window itself.
    width: AtomicU32,
}

impl Browser {
    pub(crate) async fn open(width: u32, dark: bool, scripts: bool) -> Result<Self> {
        Self::with(Pointer::None, width, dark, scripts).await
    }

    /// A browser at a desk: with a mouse, and so with the signs of keys.
    pub(crate) async fn at_a_desk() -> Result<Self> {
        Self::with(Pointer::Mouse, 1280, false, true).await
    }

    async fn with(pointer: Pointer, width: u32, dark: bool, scripts: bool) -> Result<Self> {
        let client = match free(pointer) {
            Some(client) => client,
            None => {
                let connections = CONNECTIONS.as_ref().map_err(|error| anyhow!("no runtime for browsers: {error}"))?;
                let started = async move { DRIVER.get_or_try_init(Driver::start).await?.browser(pointer).await };
                connections.spawn(started).await??
            }
        };
        let browser = Self { client, pointer, width: AtomicU32::new(0) };
        if width < 600 {
            browser.resize((width, 700)).await?;
        }
        browser.tells("Emulation.setScriptExecutionDisabled", json!({ "value": !scripts })).await?;
        browser.theme(if dark { "dark" } else { "light" }).await?;
        Ok(browser)
    }

    /// A command of the browser's own protocol.
    pub(crate) async fn tells(&self, cmd: &'static str, params: serde_json::Value) -> Result<()> {
        self.client.issue_cmd(Cdp { cmd, params }).await?;
        Ok(())
    }

    /// A screen of this size: a phone's if it is narrow.
    pub(crate) async fn resize(&self, (width, height): (u32, u32)) -> Result<()> {
        self.width.store(width, Ordering::Relaxed);
        let phone = width < 600;
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone });
        self.tells("Emulation.setDeviceMetricsOverride", metrics).await?;
        self.tells("Emulation.setTouchEmulationEnabled", json!({ "enabled": phone })).await
    }

    /// The reader's theme, by the browser's own protocol.
    async fn theme(&self, theme: &str) -> Result<()> {
        let features = json!([{ "name": "prefers-color-scheme", "value": theme }]);
        self.tells("Emulation.setEmulatedMedia", json!({ "features": features })).await
    }

    /// As for a reader who asked their system for reduced motion.
    pub(crate) async fn reduces_motion(&self) -> Result<()> {
        let features = json!([{ "name": "prefers-reduced-motion", "value": "reduce" }]);
        self.tells("Emulation.setEmulatedMedia", json!({ "features": features })).await
    }

    /// Leaves a picture of the window, for `make screenshots`: no test reads it.
    pub(crate) async fn picture(&self, name: &str) -> Result<()> {
        if env::var_os("MATCHBOOK_SCREENSHOTS").is_none() {
            return Ok(());
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/screenshots");
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("{name}.png")), self.client.screenshot().await?)?;
        Ok(())
    }

    /// Nothing is wider than the screen. A phone's window grows with the page, so the screen's own width is what counts.
    pub(crate) async fn fits(&self, what: &str) -> Result<()> {
        let script = "return [document.documentElement.scrollWidth, innerWidth, \
            [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility() && one.getBoundingClientRect().right \
            > document.documentElement.clientWidth + 1).map((one) => `${one.localName} in .${one.closest('[class]')?.className}`).slice(-3)]";
        let widths = self.client.execute(script, vec![]).await?;
        let (page, window) = (widths[0].as_u64().unwrap_or(0), widths[1].as_u64().unwrap_or(0));
        let screen = match u64::from(self.width.load(Ordering::Relaxed)) {
            0 => window,
            width => width,
        };
        ensure!(page <= screen, "{what} is {page} px wide on a screen of {screen} px: {}", widths[2]);
        Ok(())
    }

    /// The text of the page; empty while it loads.
    async fn text(&self) -> Result<String> {
        // Also what a phone keeps behind the menu of the stage.
        let script =
            "return (document.body?.innerText ?? '') + ' ' + (document.querySelector('.rail')?.textContent ?? '')";
        let text = self.client.execute(script, vec![]).await.unwrap_or_default();
        Ok(text.as_str().unwrap_or_default().to_owned())
    }

    pub(crate) async fn until(&self, words: &str) -> Result<()> {
        until(async || {
            let text = self.text().await?;
            ensure!(text.contains(words), "the page never says {words:?}:\n{text}");
            Ok(())
        })
        .await
    }

    /// Waits until a field of this name, or the button that records, has the focus.
    pub(crate) async fn at(&self, css: &str) -> Result<()> {
        let script = "return document.activeElement !== null && document.activeElement.matches(arguments[0])";
        until(async || {
            let is_there = self.client.execute(script, vec![json!(css)]).await? == json!(true);
            ensure!(is_there, "the keyboard never comes to {css}");
            Ok(())
        })
        .await
    }

    /// Presses the button of the current sign-in page.
    pub(crate) async fn sign_in(&self) -> Result<()> {
        self.client.find(Locator::Css("main form button")).await?.click().await?;
        self.until("Umpire’s desk").await
    }

    /// Presses the element with this selector anywhere on the page: the page scrolls smoothly, and the driver does not
    /// wait for it.
    pub(crate) async fn press(&self, css: &str) -> Result<()> {
        self.client.wait().for_element(Locator::Css(css)).await?;
        let script = "document.querySelector(arguments[0]).scrollIntoView({ block: 'center', behavior: 'instant' })";
        self.client.execute(script, vec![json!(css)]).await?;
        self.stays(css, async || self.client.find(Locator::Css(css)).await?.click().await).await
    }

    /// Types into the first element with this selector.
    pub(crate) async fn types_into(&self, css: &str, keys: &str) -> Result<()> {
        self.stays(css, async || self.client.find(Locator::Css(css)).await?.send_keys(keys).await).await
    }

    /// Types into the element with the focus.
    pub(crate) async fn type_keys(&self, keys: &str) -> Result<()> {
        self.stays("what has the focus", async || self.client.active_element().await?.send_keys(keys).await).await
    }

    /// The text of the first element with this selector.
    pub(crate) async fn text_of(&self, css: &str) -> Result<String> {
        self.stays(css, async || self.client.find(Locator::Css(css)).await?.text().await).await
    }

    /// True if the first element with this selector is displayed.
    pub(crate) async fn displays(&self, css: &str) -> Result<bool> {
        self.stays(css, async || self.client.find(Locator::Css(css)).await?.is_displayed().await).await
    }

    /// An attribute of the first element with this selector.
    pub(crate) async fn attribute(&self, css: &str, name: &str) -> Result<Option<String>> {
        self.stays(css, async || self.client.find(Locator::Css(css)).await?.attr(name).await).await
    }

    /// Does something to an element: a page that replaces another at this moment may remove it after it was found.
    async fn stays<T>(&self, what: &str, act: impl AsyncFn() -> Result<T, CmdError>) -> Result<T> {
        for _ in 0..PATIENCE {
            match act().await {
                Err(error) if error.is_stale_element_reference() => tokio::time::sleep(LOOK).await,
                done => return Ok(done?),
            }
        }
        anyhow::bail!("{what} never stays")
    }

    /// Gives the browser to the next test, with a new window and without anything that was stored. Where a test fails
    /// before it comes to this, its browser ends with it.
    pub(crate) async fn close(self) -> Result<()> {
        let origin = self.client.execute("return location.origin", vec![]).await?;
        if origin.as_str().is_some_and(|origin| origin.starts_with("http")) {
            self.tells("Storage.clearDataForOrigin", json!({ "origin": origin, "storageTypes": "all" })).await?;
        }
        self.tells("Network.clearBrowserCookies", json!({})).await?;
        self.tells("Network.clearBrowserCache", json!({})).await?;
        let next = self.client.new_window(true).await?;
        // On a busy machine a window sometimes does not close. Then the browser ends, and the next test starts another.
        if self.client.close_window().await.is_err() {
            return Ok(());
        }
        self.client.switch_to_window(next.handle).await?;
        FREE.lock().unwrap_or_else(PoisonError::into_inner).push((self.pointer, self.client));
        Ok(())
    }
}

/// Takes a browser with this pointer that no test uses.
fn free(pointer: Pointer) -> Option<Client> {
    let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
    let at = free.iter().rposition(|(has, _)| *has == pointer)?;
    Some(free.swap_remove(at).1)
}

/// A command of the browser's own protocol.
#[derive(Debug)]
struct Cdp {
    cmd: &'static str,
    params: serde_json::Value,
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
    let clock = client.execute("return document.getElementById('clock-length').textContent", vec![]).await?;
    assert_eq!(clock, json!("By the rules: 60 seconds for each move, without reserve. "));
    type_into(client, "#p1", "Black").await?;
    type_into(client, "#p2", "White").await?;
    type_into(client, "#event", "DM Colosseum 2").await?;
    browser.picture("open").await?;
    browser.press("input[name=live]").await?;
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
    browser.until("counted in both of the last two rounds").await?;
    browser.picture("beat").await?;
    browser.type_keys(&char::from(Key::Right).to_string()).await?;
    browser.until("Round 4").await?;
    browser.close().await
}
