//! All addresses for search engines (sitemaps.org): an index, a file of lists and names, and files of matches.

use std::fmt::Write;
use std::sync::Arc;

use app::App;
use app::archive::NameKind;
use app::queue::Queue;
use app::views::ruleset_address;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use uuid::Uuid;

use page::{event_address, player_address};
use web_http::{ErrorKind, Problem, Segments, is_known, site};

const PAGES: [&str; 9] = ["/", "/archive", "/players", "/events", "/statistics", "/rules", "/glossary", "/log", "/api"];
static FILES: Queue = Queue::of(1);

pub(super) async fn index(State(app): State<Arc<App>>, request: HeaderMap) -> Result<Response, Problem> {
    answer(&app, &request, async {
        let (site, mut xml) = (site(&request), String::new());
        let parts = app.archive().sitemap_starts().await?;
        let names = std::iter::once("pages".to_owned()).chain(parts.iter().map(|start| start.simple().to_string()));
        for name in names {
            let _ = writeln!(xml, "<sitemap><loc>{site}/sitemap/{name}.xml</loc></sitemap>");
        }
        Ok(document("sitemapindex", &xml))
    })
    .await
}

pub(super) async fn part(
    State(app): State<Arc<App>>,
    Segments(name): Segments<String>,
    request: HeaderMap,
) -> Result<Response, Problem> {
    let nowhere = || Problem::not_found("There is no such list of addresses. All of them are in /sitemap.xml.");
    let name = name.strip_suffix(".xml").ok_or_else(nowhere)?;
    let start = if name == "pages" { None } else { Some(Uuid::try_parse(name).map_err(|_| nowhere())?) };
    answer(&app, &request, async {
        let site = site(&request);
        let xml = match start {
            None => pages(&app, &site).await?,
            Some(start) => matches(&app, &site, start).await?,
        };
        Ok(document("urlset", &xml))
    })
    .await
}

async fn answer(
    app: &App,
    request: &HeaderMap,
    xml: impl Future<Output = Result<String, Problem>>,
) -> Result<Response, Problem> {
    // The version first: then the file is at least as new.
    let tag = app.archive().archive_version().await?.tag();
    let known = is_known(request, &tag);
    let headers = [(header::ETAG, tag), (header::CACHE_CONTROL, "no-cache".to_owned())];
    if known {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    let busy = || Problem::of(ErrorKind::Busy, "Other lists of addresses are being written. Ask again in a moment.");
    let _turn = FILES.turn().await.ok_or_else(busy)?;
    Ok((headers, [(header::CONTENT_TYPE, "application/xml; charset=utf-8")], xml.await?).into_response())
}

async fn pages(app: &App, site: &str) -> Result<String, Problem> {
    let mut xml = String::new();
    let names = app.archive().known_names().await?;
    let rulesets = engine::rulesets().flat_map(|ruleset| {
        let id = ruleset.card().id;
        [ruleset_address(id), format!("/statistics/{id}")]
    });
    let names = names.iter().map(|known| match known.kind {
        NameKind::Player => player_address(&known.name),
        NameKind::Event => event_address(&known.name),
    });
    for path in PAGES.into_iter().map(str::to_owned).chain(rulesets).chain(names) {
        let _ = writeln!(xml, "<url><loc>{site}{}</loc></url>", escaped(&path));
    }
    Ok(xml)
}

async fn matches(app: &App, site: &str, start: Uuid) -> Result<String, Problem> {
    let mut xml = String::new();
    for (slug, changed) in app.archive().sitemap_part(start).await? {
        let changed = changed.format("%Y-%m-%dT%H:%M:%SZ");
        let _ = writeln!(xml, "<url><loc>{site}/m/{slug}</loc><lastmod>{changed}</lastmod></url>");
    }
    Ok(xml)
}

fn document(root: &str, inside: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{root} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{inside}</{root}>\n"
    )
}

fn escaped(path: &str) -> String {
    path.replace('&', "&amp;").replace('<', "&lt;").replace('\'', "&apos;")
}
