//! The preview of a page when its address is shared: words, and a picture with its size and its alternative text.

use app::half_hash;
use app::is_practice;
use askama::Template;
use ledger::Hash;
use picture::{HEIGHT, Scene, WIDTH};

use super::oembed_address;
use web_http::ViewParams;

const ALT_MAX_CHARS: usize = 400;

/// Open Graph tags, and the tags that some sites read instead. Addresses are absolute. The picture's address carries
/// the head, so that nobody shows an outdated picture.
#[derive(Clone, Debug, Template)]
#[template(path = "preview.html")]
pub struct Preview {
    title: String,
    description: String,
    site: String,
    path: String,
    address: String,
    head: String,
    alt: String,
    params: ViewParams,
}

/// The version of a picture under one address: the head, and the words, which change when a name is withdrawn.
fn mark(head: Hash, title: &str, description: &str) -> String {
    let words = hex::encode(half_hash(&format!("{title}\n{description}")));
    let first = |text: String, most| text.chars().take(most).collect::<String>();
    format!("{}{}", first(head.to_string(), 16), first(words, 8))
}

impl Preview {
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
            params: ViewParams::default(),
        }
    }

    #[must_use]
    pub fn with_params(self, params: ViewParams) -> Self {
        Self { params, ..self }
    }

    fn oembed(&self) -> Option<String> {
        let slug = self.path.strip_prefix("/m/")?.split('/').next()?;
        let framed = !self.site.is_empty() && !self.path.contains("/struck/") && !is_practice(slug);
        framed.then(|| oembed_address(&self.site, &format!("{}{}", self.path, self.params.query())))
    }

    const fn width(&self) -> i32 {
        WIDTH
    }

    const fn height(&self) -> i32 {
        HEIGHT
    }
}
