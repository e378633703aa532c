//! What a page says of itself where somebody shares its address: words, and a picture with its size and its own words.

use app::book::{half, is_practice};
use askama::Template;
use ledger::Hash;
use picture::{HEIGHT, Scene, WIDTH};

use super::{Lens, oembed_address};

/// Readers of previews are told no more characters than this of a picture.
const ALT_MAX_CHARS: usize = 400;

/// Open Graph, and what some take instead of it. Addresses are absolute; the picture's carries the head, so that nobody
/// shows one that is out of date.
#[derive(Clone, Debug, Template)]
#[template(path = "page/preview.html")]
pub struct Preview {
    title: String,
    description: String,
    site: String,
    /// Without the site.
    path: String,
    /// With it.
    address: String,
    head: String,
    alt: String,
    lens: Lens,
}

/// What tells one picture from another under the same address: the head, and the words, which change where a name is
/// withdrawn.
fn mark(head: Hash, title: &str, description: &str) -> String {
    let words = hex::encode(half(&format!("{title}\n{description}")));
    let first = |text: String, most| text.chars().take(most).collect::<String>();
    format!("{}{}", first(head.to_string(), 16), first(words, 8))
}

impl Preview {
    /// Of a page at `address` of this site, whose picture shows the scene.
    #[must_use]
    pub fn of(site: &str, address: &str, title: &str, description: &str, scene: &Scene, head: Hash) -> Self {
        Self {
            title: title.to_owned(),
            description: description.to_owned(),
            site: site.to_owned(),
            path: address.to_owned(),
            address: format!("{site}{address}"),
            head: mark(head, title, description),
            alt: picture::short(scene, ALT_MAX_CHARS),
            lens: Lens::default(),
        }
    }

    /// Of the page as it is seen through a lens, and of the picture as well.
    #[must_use]
    pub fn through(self, lens: Lens) -> Self {
        Self { lens, ..self }
    }

    /// Where a program learns how to show the page in a frame; none for what is in no frame: rounds that were struck, and
    /// practice.
    fn oembed(&self) -> Option<String> {
        let slug = self.path.strip_prefix("/m/")?.split('/').next()?;
        let framed = !self.site.is_empty() && !self.path.contains("/struck/") && !is_practice(slug);
        framed.then(|| oembed_address(&self.site, &format!("{}{}", self.path, self.lens.query())))
    }

    const fn width(&self) -> i32 {
        WIDTH
    }

    const fn height(&self) -> i32 {
        HEIGHT
    }
}
