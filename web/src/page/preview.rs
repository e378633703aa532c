//! What a page says of itself where somebody shares its address: words, and a picture with its size and its own words.

use askama::Template;
use ledger::Hash;
use picture::{HEIGHT, Scene, WIDTH};

use super::Lens;

/// Readers of previews are told no more characters than this of a picture.
const ALT_MAX_CHARS: usize = 400;

/// Open Graph, and what some take instead of it. Addresses are absolute; the picture's carries the head, so that nobody
/// shows one that is out of date.
#[derive(Clone, Debug, Template)]
#[template(path = "page/preview.html")]
pub struct Preview {
    title: String,
    description: String,
    address: String,
    head: String,
    alt: String,
    lens: Lens,
}

impl Preview {
    /// Of a page at `address` of this site, whose picture shows the scene.
    #[must_use]
    pub fn of(site: &str, address: &str, title: &str, description: &str, scene: &Scene, head: Hash) -> Self {
        Self {
            title: title.to_owned(),
            description: description.to_owned(),
            address: format!("{site}{address}"),
            head: head.to_string().chars().take(16).collect(),
            alt: picture::short(scene, ALT_MAX_CHARS),
            lens: Lens::default(),
        }
    }

    /// Of the page as it is seen through a lens, and of the picture as well.
    #[must_use]
    pub fn through(self, lens: Lens) -> Self {
        Self { lens, ..self }
    }

    const fn width(&self) -> i32 {
        WIDTH
    }

    const fn height(&self) -> i32 {
        HEIGHT
    }
}
