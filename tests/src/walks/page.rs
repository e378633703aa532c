//! What must be on a page.

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::text::{equation, word};
use crate::page::Page;

fn same(found: &str, expected: &str, page: &Page) -> Result<()> {
    ensure!(found == expected, "found {found:?} at {}:\n{}", page.address, page.text);
    Ok(())
}

/// A value by a path, such as `matches.0.umpire`.
fn value(page: &Page, path: &str) -> Result<Value> {
    let all: Value = serde_json::from_str(&page.text).with_context(|| page.text.clone())?;
    let mut value = &all;
    for key in path.split('.') {
        value = key.parse::<usize>().map_or_else(|_| &value[key], |at| &value[at]);
    }
    Ok(value.clone())
}

fn json(page: &Page, path: &str) -> Result<String> {
    let value = value(page, path)?;
    Ok(value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}

/// What a page has there: `attr main a href`, `text h1`, `beside Seat 1 won`, `link Older`, `json matches.0.slug`.
pub(crate) fn found(page: &Page, what: &str) -> Result<String> {
    let (kind, rest) = word(what);
    Ok(match kind {
        "attr" => {
            let (css, name) = rest.rsplit_once(' ').context("a selector and a name")?;
            page.attributes(css, name)?.join(" | ")
        }
        "text" => page.contents(rest)?.iter().map(|text| text.trim()).collect::<Vec<_>>().join(" | "),
        "first" => {
            let (css, name) = rest.rsplit_once(' ').context("a selector and a name")?;
            page.attribute(css, name)?
        }
        "beside" => page.beside(rest)?,
        "link" => page.link(rest)?.unwrap_or_default(),
        "option" => page.option(rest)?,
        "button" => page.button(rest)?,
        "field" => page.field(rest)?,
        "related" => page.related(rest)?.unwrap_or_default(),
        "json" => json(page, rest)?,
        "body" => page.text.trim().to_owned(),
        "count" => page.text.matches(rest).count().to_string(),
        "how-many" => page.contents(rest)?.len().to_string(),
        "how-many-of" => value(page, rest)?.as_array().context("a list")?.len().to_string(),
        "private-link" => page.private_link()?,
        _ => anyhow::bail!("{what} is nothing that a page has"),
    })
}

/// True if the line was a check of a page, and it holds.
pub(crate) fn checks(page: &Page, kind: &str, rest: &str) -> Result<bool> {
    match kind {
        "says" => {
            page.says(rest)?;
        }
        "never" => ensure!(!page.text.contains(rest), "{} says {rest:?}:\n{}", page.address, page.text),
        "begins" => ensure!(page.text.starts_with(rest), "{}", page.text),
        "ends" => ensure!(page.text.ends_with(rest), "{}", page.text),
        "without" => {
            let (css, words) = rest.split_once(" says ").context("a selector and words")?;
            ensure!(!page.content(css)?.contains(words), "{words:?} at {}:\n{}", page.address, page.text);
        }
        "first-line" => {
            let (css, lines) = equation(rest)?;
            let text = page.content(css)?;
            ensure!(text.starts_with(&format!("{lines}\n")), "{text:?} begins otherwise");
        }
        "order" => {
            let places = rest.split(" | ").map(|words| {
                page.text
                    .find(words)
                    .with_context(|| format!("{} does not say {words:?}:\n{}", page.address, page.text))
            });
            ensure!(
                places.collect::<Result<Vec<_>>>()?.is_sorted(),
                "another order at {}:\n{}",
                page.address,
                page.text
            );
        }
        "within" => {
            let (css, words) = rest.split_once(" says ").context("a selector and words")?;
            let texts = page.contents(css)?;
            ensure!(texts.iter().any(|text| text.contains(words)), "{texts:?} at {}:\n{}", page.address, page.text);
        }
        "no" => same(&found(page, rest).unwrap_or_default(), "", page)?,
        "has" => ensure!(!found(page, rest)?.is_empty(), "no {rest} at {}:\n{}", page.address, page.text),
        "beside-begins" => {
            let (term, words) = equation(rest)?;
            let found = page.beside(term)?;
            ensure!(found.starts_with(words), "{found:?} is beside {term}");
        }
        "json" => {
            let (path, expected) = equation(rest)?;
            let found = value(page, path)?;
            let same = found == *expected || serde_json::from_str::<Value>(expected).is_ok_and(|value| value == found);
            ensure!(same, "found {found} at {}:\n{}", page.address, page.text);
        }
        "attr" | "text" | "first" | "beside" | "link" | "option" | "button" | "field" | "related" | "count"
        | "how-many" | "how-many-of" => {
            let (what, expected) = equation(rest)?;
            same(&found(page, format!("{kind} {what}").trim())?, expected, page)?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}
