//! Umpires sign in with an account at Discord that they have linked.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use app::account;
use fantoccini::Locator;
use reqwest::{Client, StatusCode, header};
use serde_json::json;
use tokio::net::TcpListener;
use web::routes::DiscordApps;

use super::arena::{STRANGER, UMPIRE};
use super::door::{ACCESS, CODE, Door, SECRET, granted};
use crate::browser::Browser;
use crate::heard::Heard;
use crate::page::Page;
use crate::site::{Guest, Site, routes};

/// A site where umpires can sign in with Discord.
struct Hall {
    site: Site,
    door: Door,
    address: String,
}

impl Hall {
    async fn open(seed: &str) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = format!("http://{}", listener.local_addr()?);
        let door = Door::open(&address).await?;
        let site = Site::seeded(seed).await?;
        serve(&site, listener, &door.address)?;
        Ok(Self { site, door, address })
    }

    /// With an umpire who has linked their account.
    async fn linked(seed: &str) -> Result<Self> {
        let hall = Self::open(seed).await?;
        hall.door.stands(Some(UMPIRE));
        let umpire = hall.umpire().await?;
        hall.links(&umpire).await?.says("it signs you in from now on")?;
        Ok(hall)
    }

    fn visitor(&self) -> Result<Guest> {
        Ok(Guest { http: self.site.visitor()?.http, address: self.address.clone() })
    }

    async fn umpire(&self) -> Result<Guest> {
        Ok(Guest { http: self.site.umpire().await?.http, address: self.address.clone() })
    }

    /// Begins, goes to Discord, and returns with its answer.
    async fn signs_in(&self, guest: &Guest) -> Result<Page> {
        let there = begins(guest, "/sign-in/discord", &[]).await?;
        guest.read(guest.http.get(there).send().await?).await
    }

    async fn links(&self, guest: &Guest) -> Result<Page> {
        let there = begins(guest, "/account/discord", &[("what", "link")]).await?;
        guest.read(guest.http.get(there).send().await?).await
    }

    /// The address to which Discord sends this browser back.
    async fn sent_back(&self, there: &str) -> Result<String> {
        let answer = plain()?.get(there).send().await?;
        Ok(answer.headers()[header::LOCATION].to_str()?.to_owned())
    }
}

fn serve(site: &Site, listener: TcpListener, discord: &str) -> Result<()> {
    let discord_apps = DiscordApps { commands: None, sign_in: Some(Door::application(discord)?) };
    let served = routes(&site.app, discord_apps);
    tokio::spawn(async move { drop(axum::serve(listener, served).await) });
    Ok(())
}

/// A client without redirects and cookies.
fn plain() -> Result<Client> {
    Ok(Client::builder().redirect(reqwest::redirect::Policy::none()).build()?)
}

/// Sends the form that leads to Discord; returns the address there.
async fn begins(guest: &Guest, path: &str, fields: &[(&str, &str)]) -> Result<String> {
    let page = guest.post(path, fields).await?;
    page.says("Go on to Discord")?.attribute("a[href*='/oauth2/authorize']", "href")
}

/// True if somebody can open the dashboard.
async fn is_in(guest: &Guest) -> Result<bool> {
    Ok(guest.get("/umpire").await?.status == StatusCode::OK)
}

#[tokio::test]
async fn an_umpire_links_an_account_and_signs_in_with_it() -> Result<()> {
    let (heard, _listening) = Heard::listening();
    let hall = Hall::open("sign in with discord").await?;
    hall.door.stands(Some(UMPIRE));
    let umpire = hall.umpire().await?;
    umpire.get("/account").await?.says("No account at Discord is linked to you")?;
    let linked = hall.links(&umpire).await?;
    assert_eq!(linked.address, "/account");
    linked.says("it signs you in from now on")?.says("One account at Discord is linked to you")?;

    let other = hall.visitor()?;
    other.get("/sign-in").await?.says("Sign in with Discord")?;
    let begun = other.http.post(format!("{}/sign-in/discord", hall.address)).send().await?;
    let cookie = begun.headers()[header::SET_COOKIE].to_str()?.to_owned();
    ensure!(cookie.ends_with("; Max-Age=600; Path=/sign-in/discord; HttpOnly; SameSite=Lax"), "{cookie}");
    assert_eq!(begun.headers()[header::CACHE_CONTROL], "no-store");
    let refresh = begun.headers()[header::REFRESH].to_str()?.to_owned();
    let there = refresh.strip_prefix("0; url=").context("an address")?.to_owned();
    let secret = cookie.split(['=', ';']).nth(1).context("a token")?.to_owned();
    ensure!(!there.contains(&secret), "what the cookie holds goes nowhere");
    let page = other.read(other.http.get(&there).send().await?).await?;
    assert_eq!((page.status, page.address.as_str()), (StatusCode::OK, "/umpire"));
    umpire.get("/account").await?.says("with Discord")?;
    assert_eq!(hall.door.asked()?, 2);
    // Setting the password needs the old one or a sign-in by link.
    umpire.post("/account/password", &[("new", "lantern orbit mustard nine")]).await?.says("The password is set")?;
    let third = hall.visitor()?;
    assert_eq!(hall.signs_in(&third).await?.address, "/umpire");
    third.get("/account").await?.says("Old password")?;

    // Nothing of it is stored or shown.
    let kept: i64 =
        sqlx::query_scalar("select count(*) from discord_sign_ins").fetch_one(&mut hall.site.owner().await?).await?;
    assert_eq!(kept, 0);
    let state = there.split("state=").nth(1).and_then(|rest| rest.split('&').next()).context("a state")?;
    let said = heard.said();
    for word in [CODE, ACCESS, SECRET, state, &secret] {
        ensure!(!said.contains(word), "{word} is in the log:\n{said}");
    }
    // An unlinked account cannot sign in.
    umpire.post("/account/discord", &[("what", "unlink")]).await?;
    let third = hall.visitor()?;
    hall.signs_in(&third).await?.says("belongs to no umpire here")?;
    ensure!(!is_in(&third).await?);
    Ok(())
}

#[tokio::test]
async fn whom_nobody_knows_is_told_how_to_link_and_gets_no_account() -> Result<()> {
    let hall = Hall::linked("unknown at discord").await?;
    hall.door.stands(Some(STRANGER));
    let umpires = account::all(hall.site.app.pool()).await?.len();
    let guest = hall.visitor()?;
    let page = hall.signs_in(&guest).await?;
    assert_eq!(page.address, "/sign-in");
    page.says("This account at Discord belongs to no umpire here, and no account was made for it")?;
    page.says("Link an account at Discord")?;
    ensure!(!is_in(&guest).await?);
    assert_eq!(account::all(hall.site.app.pool()).await?.len(), umpires);
    // A closed umpire account cannot be used either.
    hall.door.stands(Some(UMPIRE));
    let mut owner = hall.site.owner().await?;
    sqlx::query("update umpires set closed_at = now()").execute(&mut owner).await?;
    hall.signs_in(&guest).await?.says("belongs to no umpire here")?;
    ensure!(!is_in(&guest).await?);
    Ok(())
}

#[tokio::test]
async fn what_another_browser_began_is_ended_by_nobody_else_and_once() -> Result<()> {
    let hall = Hall::linked("begun elsewhere").await?;
    let asked = hall.door.asked()?;
    let stale = "This was begun in another browser, more than ten minutes ago, or ended before";
    // An attacker makes another browser sign in as the attacker: that browser has no cookie, or that of another
    // attempt.
    let (attacker, victim) = (hall.visitor()?, hall.visitor()?);
    let back = hall.sent_back(&begins(&attacker, "/sign-in/discord", &[]).await?).await?;
    for begun in [false, true] {
        if begun {
            begins(&victim, "/sign-in/discord", &[]).await?;
        }
        let page = victim.read(victim.http.get(&back).send().await?).await?;
        assert_eq!(page.address, "/sign-in");
        page.says(stale)?;
        ensure!(!is_in(&victim).await?);
    }
    // Missing or repeated parameters are refused, too.
    for query in ["", "?code=x", "?state=&code=x", "?state=a&state=b&code=x", "?code=%ff&state=%00"] {
        victim.get(&format!("/sign-in/discord/back{query}")).await?.says(stale)?;
    }
    assert_eq!(hall.door.asked()?, asked, "Discord was asked for nobody");

    // Copying the cookie and the address is useless once they were used.
    let begun = plain()?.post(format!("{}/sign-in/discord", hall.address)).send().await?;
    let cookie = begun.headers()[header::SET_COOKIE].to_str()?.split(';').next().context("a cookie")?.to_owned();
    let there = begun.headers()[header::REFRESH].to_str()?.trim_start_matches("0; url=").to_owned();
    let back = hall.sent_back(&there).await?;
    for (place, sessions) in [("/umpire", 2), ("/sign-in?discord=stale", 1)] {
        let answer = plain()?.get(&back).header(header::COOKIE, &cookie).send().await?;
        assert_eq!(answer.headers()[header::LOCATION], place);
        assert_eq!(answer.headers().get_all(header::SET_COOKIE).iter().count(), sessions, "{place}");
    }
    assert_eq!(hall.door.asked()?, asked + 1);

    // Ten minutes later it has expired.
    let guest = hall.visitor()?;
    let there = begins(&guest, "/sign-in/discord", &[]).await?;
    hall.site.app.system().pass(Duration::from_secs(601));
    guest.read(guest.http.get(there).send().await?).await?.says(stale)?;
    ensure!(!is_in(&guest).await?);
    assert_eq!(hall.door.asked()?, asked + 1);
    Ok(())
}

#[tokio::test]
async fn who_begins_to_link_an_account_ends_it_as_the_same_umpire() -> Result<()> {
    let hall = Hall::open("linking").await?;
    hall.door.stands(Some(UMPIRE));
    let guest = hall.umpire().await?;
    let there = begins(&guest, "/account/discord", &[("what", "link")]).await?;
    // Another umpire signs in on the same browser meanwhile.
    let token = account::add(hall.site.app.pool(), hall.site.app.system(), &account::OPERATOR, "Linus").await?;
    let token = account::link(hall.site.app.pool(), hall.site.app.system(), &account::OPERATOR, &token).await?;
    guest.post("/sign-in/link", &[("token", &token.reveal())]).await?;
    guest.get("/account").await?.says("Linus")?;
    let page = guest.read(guest.http.get(there).send().await?).await?;
    assert_eq!(page.address, "/account");
    page.says("This was begun in another browser")?.says("No account at Discord is linked to you")?;
    assert_eq!(hall.door.asked()?, 0);
    // A signed-out visitor cannot begin to link.
    let stranger = hall.visitor()?;
    assert_eq!(stranger.post("/account/discord", &[("what", "link")]).await?.status, StatusCode::UNAUTHORIZED);
    assert_eq!(guest.post("/account/discord", &[]).await?.status, StatusCode::UNPROCESSABLE_ENTITY);
    Ok(())
}

#[tokio::test]
async fn what_discord_does_not_confirm_does_nothing() -> Result<()> {
    let hall = Hall::linked("denied").await?;
    let guest = hall.visitor()?;
    hall.door.stands(None);
    hall.signs_in(&guest).await?.says("You did not allow it at Discord, so nothing was done")?;
    hall.door.stands(Some(UMPIRE));
    let (away, refused) = ("Discord does not answer just now", "Discord did not confirm who you are");
    for (status, body, why) in [
        (StatusCode::SERVICE_UNAVAILABLE, json!({ "message": "no", "code": 0 }), away),
        (StatusCode::TOO_MANY_REQUESTS, json!({ "retry_after": 5.0 }), away),
        (StatusCode::UNAUTHORIZED, json!({ "error": "invalid_client" }), refused),
        (StatusCode::BAD_REQUEST, json!({ "error": "invalid_grant" }), refused),
        (StatusCode::OK, json!(["nonsense"]), refused),
        (StatusCode::OK, granted("a", "guilds"), refused),
        (StatusCode::OK, granted("unknown", "identify"), refused),
        (StatusCode::OK, granted("two\nlines", "identify"), refused),
    ] {
        hall.door.answers(status, body.clone());
        let page = hall.signs_in(&guest).await?;
        assert_eq!(page.address, "/sign-in");
        page.says(why).with_context(|| format!("{status}: {body}"))?;
        ensure!(!is_in(&guest).await?, "{status}: {body}");
    }
    // Nothing answers at Discord's address.
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}", listener.local_addr()?);
    serve(&hall.site, listener, "http://127.0.0.1:1")?;
    let guest = Guest { http: hall.site.visitor()?.http, address };
    let there = begins(&guest, "/sign-in/discord", &[]).await?;
    let state = there.split("state=").nth(1).and_then(|rest| rest.split('&').next()).context("a state")?;
    guest.get(&format!("/sign-in/discord/back?code=x&state={state}")).await?.says(away)?;
    Ok(())
}

#[tokio::test]
async fn it_is_limited_begun_here_alone_and_only_where_it_is_set_up() -> Result<()> {
    let hall = Hall::linked("limits").await?;
    let guest = hall.visitor()?;
    let begin = format!("{}/sign-in/discord", hall.address);
    let foreign = guest.http.post(&begin).header("sec-fetch-site", "cross-site").send().await?;
    assert_eq!(foreign.status(), StatusCode::FORBIDDEN);
    ensure!(foreign.headers().get(header::SET_COOKIE).is_none());
    let mut refused = None;
    for _ in 0..31 {
        refused = Some(guest.http.post(&begin).send().await?).filter(|answer| answer.status() != StatusCode::OK);
    }
    let refused = refused.context("31 are too many")?;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    ensure!(refused.headers().get(header::RETRY_AFTER).is_some());

    let plain = hall.site.visitor()?;
    ensure!(!plain.get("/sign-in").await?.text.contains("Discord"), "nobody is offered what is not there");
    ensure!(!hall.site.umpire().await?.get("/account").await?.text.contains("account at Discord"));
    assert_eq!(plain.post("/sign-in/discord", &[]).await?.status, StatusCode::NOT_FOUND);
    plain.get("/sign-in/discord/back?code=x&state=y").await?.is(StatusCode::NOT_FOUND)?;
    Ok(())
}

#[tokio::test]
async fn a_real_browser_goes_there_and_back() -> Result<()> {
    let hall = Hall::linked("a browser at discord").await?;
    let browser = Browser::open(320, false, true).await?;
    browser.client.goto(&format!("{}/sign-in", hall.address)).await?;
    browser.axe("a sign-in page with Discord").await?;
    browser.fits("a sign-in page with Discord").await?;
    browser.picture("sign-in-discord-phone").await?;
    browser.press("form[action='/sign-in/discord'] button").await?;
    browser.until("Umpire\u{2019}s desk").await?;
    ensure!(browser.client.current_url().await?.path() == "/umpire", "{}", browser.client.current_url().await?);
    browser.client.goto(&format!("{}/account", hall.address)).await?;
    browser.axe("an account with Discord").await?;
    browser.press("form[action='/account/discord'] button[value=link]").await?;
    browser.until("it signs you in from now on").await?;
    browser.client.find(Locator::Css("form[action='/account/discord'] button[value=unlink]")).await?;
    hall.door.asked()?;
    browser.close().await
}
