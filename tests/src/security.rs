//! What browsers and strangers are told about the site's safety: headers, and the addresses under `.well-known`.

use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use app::account::RateLimits;
use axum::Extension;
use reqwest::StatusCode;
use reqwest::header::{CONTENT_TYPE, COOKIE, LOCATION, RETRY_AFTER, SET_COOKIE, STRICT_TRANSPORT_SECURITY};
use reqwest::redirect::Policy;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use web::http::SiteAddress;
use web::routes::DiscordApps;
use web::security::SecurityContact;

use crate::play::table::{RULESET, Table};
use crate::program::{Program, command, started};
use crate::site::{Site, routes, serve};

#[tokio::test]
async fn every_answer_keeps_other_sites_and_devices_out_and_https_stays_https() -> Result<()> {
    let site = Site::start().await?;
    for path in ["/", "/archive", "/sign-in", "/nowhere", "/api/v1/matches", "/checkpoint"] {
        let ask = |scheme| {
            site.visitor()
                .map(|guest| guest.http.get(format!("{}{path}", site.address)).header("x-forwarded-proto", scheme))
        };
        let plain = ask("http")?.send().await?;
        let header = |name: &str| plain.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        assert_eq!(header("cross-origin-opener-policy").as_deref(), Some("same-origin"), "{path}");
        ensure!(header("permissions-policy").context("a policy")?.contains("camera=()"), "{path}");
        assert_eq!(header("strict-transport-security"), None, "{path}: nobody came by https");
        let secure = ask("https")?.send().await?;
        assert_eq!(secure.headers()[STRICT_TRANSPORT_SECURITY], "max-age=31536000", "{path}");
    }
    Ok(())
}

#[tokio::test]
async fn whoever_asks_for_many_dear_pages_waits_and_reads_the_cheap_ones_meanwhile() -> Result<()> {
    let site = Site::start().await?;
    let limits = Arc::new(RateLimits::default());
    let (address, _) = serve(web::routes::site(site.app.clone(), limits, DiscordApps::default())).await?;
    let guest = site.visitor()?;
    for _ in 0..100 {
        let file = guest.http.get(format!("{address}/archive.dmn")).send().await?;
        if file.status() == StatusCode::TOO_MANY_REQUESTS {
            ensure!(file.headers().contains_key(RETRY_AFTER), "when to come again");
            let list = guest.http.get(format!("{address}/archive")).send().await?;
            assert_eq!(list.status(), StatusCode::OK, "the list itself costs little");
            return Ok(());
        }
        assert_eq!(file.status(), StatusCode::OK);
    }
    bail!("a hundred files were sent")
}

/// The status of the answer to these lines.
async fn answer_to(site: &Site, head: &str) -> Result<String> {
    let mut connection = TcpStream::connect(site.address.trim_start_matches("http://")).await?;
    connection.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes()).await?;
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await?;
    Ok(answer.split(' ').nth(1).context("a status")?.to_owned())
}

#[tokio::test]
async fn a_request_names_one_host() -> Result<()> {
    let site = Site::start().await?;
    for (head, status) in [
        ("GET /livez HTTP/1.1\r\nHost: a\r\n", "200"),
        ("GET /livez HTTP/1.0\r\n", "200"),
        ("GET /livez HTTP/1.1\r\n", "400"),
        ("GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n", "400"),
        ("GET /livez HTTP/1.1\r\nHost: a\r\nHost: a\r\n", "400"),
    ] {
        assert_eq!(answer_to(&site, head).await?, status, "{head}");
    }
    Ok(())
}

#[tokio::test]
async fn programs_find_whom_to_write_to_and_where_a_password_is_changed() -> Result<()> {
    let site = Site::start().await?;
    let http = reqwest::Client::builder().redirect(Policy::none()).build()?;
    let change = http.get(format!("{}/.well-known/change-password", site.address)).send().await?;
    assert_eq!((change.status(), &change.headers()[LOCATION]), (StatusCode::SEE_OTHER, &"/account".parse()?));
    let nobody = http.get(format!("{}/.well-known/security.txt", site.address)).send().await?;
    assert_eq!(nobody.status(), StatusCode::NOT_FOUND);
    let contact = SecurityContact("mailto:holes@example.org".to_owned());
    let (address, _) = serve(routes(&site.app, Default::default()).layer(Extension(contact))).await?;
    let somebody = http.get(format!("{address}/.well-known/security.txt")).send().await?;
    assert_eq!(
        (somebody.status(), &somebody.headers()[CONTENT_TYPE]),
        (StatusCode::OK, &"text/plain; charset=utf-8".parse()?)
    );
    let text = somebody.text().await?;
    ensure!(text.starts_with("Contact: mailto:holes@example.org\nExpires: 20"), "{text}");
    Ok(())
}

#[tokio::test]
async fn links_begin_with_the_given_address_and_never_with_what_a_browser_claims() -> Result<()> {
    let site = Site::start().await?;
    let given: SiteAddress = "https://record.example.org".parse()?;
    let umpire = site.umpire().await?;
    let served = routes(&site.app, Default::default());
    let (address, _) = serve(served.layer(Extension(given))).await?;
    let http = reqwest::Client::new();
    for claimed in ["evil.example", "127.0.0.1:1"] {
        let feed = http.get(format!("{address}/feed.atom")).header("host", claimed).send().await?.text().await?;
        ensure!(feed.contains("https://record.example.org/") && !feed.contains(claimed), "{feed}");
        // Without a given address, links begin with the one where the site listens.
        let local = http.get(format!("{}/api", site.address)).header("host", claimed).send().await?.text().await?;
        ensure!(!local.contains("evil.example"), "{local}");
    }
    // With HTTPS the cookie of a session has a name that no other site can give one.
    let secure = reqwest::Client::builder().redirect(Policy::none()).build()?;
    let link = site.sign_in_link().await?;
    let code = link.split_once('#').context("a code")?.1;
    let signed_in = secure.post(format!("{address}/sign-in/link")).form(&[("token", code)]).send().await?;
    let cookie = signed_in.headers()[SET_COOKIE].to_str()?.to_owned();
    ensure!(cookie.starts_with("__Host-matchbook-session=") && cookie.contains("; Path=/; "), "{cookie}");
    ensure!(cookie.ends_with("; Secure") && !cookie.contains("Domain"), "{cookie}");
    let pair = cookie.split(';').next().context("a pair")?;
    let ask = |cookie: String| secure.get(format!("{address}/account")).header(COOKIE, cookie).send();
    assert_eq!(ask(pair.to_owned()).await?.status(), StatusCode::OK);
    assert_eq!(ask(pair.replace("__Host-", "")).await?.status(), StatusCode::UNAUTHORIZED);
    umpire.get("/account").await?.is(StatusCode::OK)?;
    Ok(())
}

#[tokio::test]
async fn a_seats_forms_are_counted_however_its_address_is_written() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p1"]).await?;
    // All at once: counts are given back while time passes.
    let mut asked = JoinSet::new();
    for seat in ["p1", "%701", "p%31"].into_iter().cycle().take(180) {
        let address = format!("{}/play/m/{}/{seat}/read", table.site.address, table.slug);
        asked.spawn(table.p1.guest.http.post(address).form(&[("decision", "d1")]).send());
    }
    let mut statuses = Vec::new();
    while let Some(answer) = asked.join_next().await {
        statuses.push(answer??.status());
    }
    ensure!(statuses.iter().filter(|status| status.is_success()).count() >= 120, "{statuses:?}");
    ensure!(statuses.contains(&StatusCode::TOO_MANY_REQUESTS), "{statuses:?}");
    Ok(())
}

#[tokio::test]
async fn private_links_cannot_be_tried_without_end() -> Result<()> {
    let site = Site::start().await?;
    let guest = site.visitor()?;
    let path = format!("/play/{}", "ab".repeat(32));
    let mut tries = 0;
    let refused = loop {
        let answer = guest.http.post(format!("{}{path}", site.address)).send().await?;
        match answer.status() {
            StatusCode::GONE if tries < 300 => tries += 1,
            _ => break answer,
        }
    };
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS, "after {tries}");
    ensure!(tries >= 120 && refused.headers().contains_key("retry-after"), "{tries}");
    Ok(())
}

#[tokio::test]
async fn the_program_is_told_its_address_or_says_that_it_lacks_one() -> Result<()> {
    let (folder, program, _umpire) = started().await?;
    let data = folder.path().join("data");
    let wrong = command(&data, &["serve", "--listen", "127.0.0.1:0", "--site", "record.example.org"])?.output().await?;
    let said = String::from_utf8(wrong.stderr)?;
    ensure!(!wrong.status.success() && said.contains("https://record.example.org"), "{said}");
    program.kill().await?;
    let program = Program::start_at(&data, "127.0.0.1:0", &["--site", "https://record.example.org/"]).await?;
    let feed = reqwest::get(format!("{}/feed.atom", program.address)).await?.text().await?;
    ensure!(feed.contains("https://record.example.org/") && !feed.contains(&program.address), "{feed}");
    Ok(())
}
