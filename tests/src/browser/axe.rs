//! The findings of axe-core on a page, in both themes. It is in `tests/axe` with its licence, and only tests use it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::Browser;

/// All of axe's rules, best practice besides WCAG. The report names the rule and the place.
const RUN: &str = "const done = arguments[arguments.length - 1]; \
    axe.run(document, { resultTypes: ['violations'] }).then((found) => done(found.violations.map((broken) => \
        `${broken.id}: ${broken.help}: ${broken.nodes.map((node) => node.target.join(' ')).join(', ')}`)), \
        (error) => done([String(error)]))";

impl Browser {
    /// Fails if axe finds anything on the page, in light or dark.
    pub(crate) async fn axe(&self, what: &str) -> Result<()> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("axe/axe.min.js");
        self.client.execute(&fs::read_to_string(source)?, vec![]).await?;
        for theme in ["light", "dark"] {
            self.theme(theme).await?;
            let found = self.client.execute_async(RUN, vec![]).await?;
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
    browser.close().await
}
