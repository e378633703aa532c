//! What browsers and strangers are told about the site's safety: headers, and the addresses under `.well-known`.

use anyhow::{Context, Result, ensure};
use axum::Extension;
use reqwest::StatusCode;
use reqwest::header::{CONTENT_TYPE, LOCATION, STRICT_TRANSPORT_SECURITY};
use reqwest::redirect::Policy;
use web::security::SecurityContact;

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
