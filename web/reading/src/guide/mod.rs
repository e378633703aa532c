//! The guide for programmers: pages of `docs/` that this site serves from the same files. A test runs their examples.

use std::sync::Arc;

use app::App;
use askama::Template;
use axum::Router;
use axum::http::HeaderMap;
use axum::response::{Redirect, Response};
use axum::routing::get;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

use page::{Frame, page};
use web_http::visitor::Visitor;
use web_http::{Problem, site};

struct Text {
    file: &'static str,
    address: &'static str,
    name: &'static str,
    text: &'static str,
}

const API: Text =
    Text { file: "api.md", address: "/api", name: "The API", text: include_str!("../../../../docs/api.md") };
const NOTATION: Text = Text {
    file: "notation.md",
    address: "/api/notation",
    name: "The notation",
    text: include_str!("../../../../docs/notation.md"),
};
const RECORD: Text = Text {
    file: "record-format.md",
    address: "/api/record-format",
    name: "The record\u{2019}s format",
    text: include_str!("../../../../docs/record-format.md"),
};
const ALL: [&Text; 3] = [&API, &NOTATION, &RECORD];

const EXAMPLE_SITE: &str = "http://127.0.0.1:8080";

#[derive(Template)]
#[template(path = "guide/guide.html")]
struct Guide {
    frame: Frame,
    title: String,
    body: String,
    /// The title, the address, and true for this page.
    texts: [(&'static str, &'static str, bool); 3],
}

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api", get(|visitor: Visitor, headers: HeaderMap| async move { show(&API, &visitor, &headers) }))
        .route(
            NOTATION.address,
            get(|visitor: Visitor, headers: HeaderMap| async move { show(&NOTATION, &visitor, &headers) }),
        )
        .route(
            RECORD.address,
            get(|visitor: Visitor, headers: HeaderMap| async move { show(&RECORD, &visitor, &headers) }),
        )
        .route("/api/v1", get(async || Redirect::temporary(API.address)))
}

fn show(text: &'static Text, visitor: &Visitor, headers: &HeaderMap) -> Result<Response, Problem> {
    let (title, body) = render(text.text);
    let site = site(headers);
    let body = if site.is_empty() { body } else { body.replace(EXAMPLE_SITE, &site) };
    let described = "For programs: reading, recording and playing Death Matches, with examples that run unchanged.";
    page(&Guide {
        frame: Frame { umpire: visitor.name(), ..Frame::titled(&title).described(described) },
        title,
        body,
        texts: ALL.map(|other| (other.name, other.address, other.file == text.file)),
    })
}

/// The title of a page, and the rest of it as HTML. Headings can be linked to, as in the repository, and wide parts
/// scroll sideways on their own.
fn render(text: &str) -> (String, String) {
    let (mut title, mut events, mut heading) = (String::new(), Vec::new(), None);
    let (mut dropped, mut tables) = (false, 0);
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => heading = Some((level as usize, Vec::new(), String::new())),
            Event::End(TagEnd::Heading(level)) => {
                let Some((_, inner, words)) = heading.take() else { continue };
                if level as usize == 1 && title.is_empty() {
                    title = words;
                    continue;
                }
                let id = Some(CowStr::from(anchor(&words)));
                events.push(Event::Start(Tag::Heading { level, id, classes: Vec::new(), attrs: Vec::new() }));
                events.extend(inner);
                events.push(Event::End(TagEnd::Heading(level)));
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => match served_link(&dest_url) {
                Some(dest_url) => {
                    let link = Event::Start(Tag::Link { link_type, dest_url, title, id });
                    push(&mut heading, &mut events, link);
                }
                // A link to a file that this site does not serve becomes plain text.
                None => dropped = true,
            },
            Event::End(TagEnd::Link) if dropped => dropped = false,
            Event::Start(Tag::Table(alignment)) => {
                tables += 1;
                let label = format!("Table {tables}");
                let region = format!("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\">");
                events.push(Event::Html(region.into()));
                events.push(Event::Start(Tag::Table(alignment)));
            }
            Event::End(TagEnd::Table) => {
                events.push(Event::End(TagEnd::Table));
                events.push(Event::Html("</div>".into()));
            }
            other => push(&mut heading, &mut events, other),
        }
    }
    let mut body = String::new();
    html::push_html(&mut body, events.into_iter());
    (title, body)
}

type Heading<'t> = Option<(usize, Vec<Event<'t>>, String)>;

fn push<'t>(heading: &mut Heading<'t>, events: &mut Vec<Event<'t>>, event: Event<'t>) {
    match heading {
        Some((_, inner, words)) => {
            if let Event::Text(text) | Event::Code(text) = &event {
                words.push_str(text);
            }
            inner.push(event);
        }
        None => events.push(event),
    }
}

fn served_link<'t>(link: &CowStr<'t>) -> Option<CowStr<'t>> {
    if link.starts_with('#') || link.starts_with("https://") {
        return Some(link.clone());
    }
    let (file, place) =
        link.split_once('#').map_or((&**link, String::new()), |(file, place)| (file, format!("#{place}")));
    ALL.into_iter().find(|text| text.file == file).map(|text| format!("{}{place}", text.address).into())
}

fn anchor(words: &str) -> String {
    let kept = words.chars().filter(|sign| sign.is_alphanumeric() || [' ', '-'].contains(sign));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_of_these_pages_leads_to_a_heading_that_is_there() {
        for text in ALL {
            let (title, body) = render(text.text);
            assert!(!title.is_empty() && !body.contains("<h1"), "{}", text.file);
            for link in body.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
                let Some((address, place)) = link.split_once('#') else { continue };
                if address.starts_with("https") {
                    continue;
                }
                let there = ALL.into_iter().find(|text| text.address == address).unwrap_or(text);
                let (_, body) = render(there.text);
                assert!(body.contains(&format!("id=\"{place}\"")), "{}: {link}", text.file);
            }
            assert!(!body.contains(".md\"") && !body.contains(".md#"), "{}: a link to a file", text.file);
        }
    }
}
