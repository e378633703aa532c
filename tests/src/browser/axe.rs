//! The findings of axe-core on a page, in both themes. It is in `tests/axe` with its licence, and only tests use it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::Browser;

/// The rules whose findings depend on colours, and so on the theme.
const OF_COLOURS: [&str; 2] = ["color-contrast", "link-in-text-block"];

/// Axe's rules with these names, or all, best practice besides WCAG, with everything that moves at its end: what fades in is
/// pale for a moment. The report names the rule and the place.
const RUN: &str = "const [rules, done] = arguments; const only = rules ? { runOnly: rules } : {}; \
    for (const moving of document.getAnimations()) \
        if (moving.effect.getComputedTiming().endTime !== Infinity) moving.finish(); \
    axe.run(document, { resultTypes: ['violations'], ...only }).then((found) => done(found.violations.map((broken) => \
        `${broken.id}: ${broken.help}: ${broken.nodes.map((node) => node.target.join(' ')).join(', ')}`)), \
        (error) => done([String(error)]))";

impl Browser {
    /// Fails if axe finds anything on the page, in light or dark.
    pub(crate) async fn axe(&self, what: &str) -> Result<()> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("axe/axe.min.js");
        self.client.execute(&fs::read_to_string(source)?, vec![]).await?;
        for (theme, rules) in [("light", Value::Null), ("dark", json!(OF_COLOURS))] {
            self.theme(theme).await?;
            let found = self.client.execute_async(RUN, vec![rules]).await?;
            let found = found.as_array().context("what axe found")?;
            ensure!(found.is_empty(), "{what}, {theme}: {found:#?}");
        }
        Ok(())
    }
}

/// Without findings, the test must show that a fault would be found.
#[tokio::test]
async fn axe_finds_what_is_wrong() -> Result<()> {
    let browser = Browser::open(1100, false, true).await?;
    browser
        .client
        .goto("data:text/html,<html lang=en><title>Wrong</title><main><h1>Wrong</h1><img src=x></main>")
        .await?;
    let refused = browser.axe("a picture without words").await.err().context("axe finds nothing")?;
    ensure!(refused.to_string().contains("image-alt"), "{refused}");
    let none: Vec<Value> = vec![json!("none")];
    browser.client.execute("document.querySelector('img').alt = arguments[0]", none).await?;
    browser.axe("a picture with words").await?;
    // Colours are looked at in both themes.
    let pale = "data:text/html,<html lang=en><title>Pale</title><style>body { color: %23666; background: white }\
        @media (prefers-color-scheme: dark) { body { color: %23222; background: black } }</style>\
        <main><h1>Pale</h1></main>";
    browser.client.goto(pale).await?;
    let refused = browser.axe("dark on black").await.err().context("axe finds nothing")?.to_string();
    ensure!(refused.contains("dark on black, dark") && refused.contains("color-contrast"), "{refused}");
    // What fades in is looked at when it is there.
    let fading = "data:text/html,<html lang=en><title>Fading</title><style>h1 { animation: come 1s }\
        @keyframes come { from { opacity: 0 } }</style><main><h1>Fading</h1></main>";
    browser.client.goto(fading).await?;
    browser.axe("what fades in").await?;
    browser.close().await
}
