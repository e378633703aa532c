//! The verdict of a verification in a line.

use app::archive::VerdictFilter;
use askama::Template;
use record::words::capital;

/// A verdict, ready to be drawn.
#[derive(Clone, Debug, Template)]
#[template(
    source = r#"{% if let Some(address) = address %}<a class="stamp" data-verdict="{{ verdict }}" href="{{ address }}">{{ words }}</a>{% else %}<span class="stamp" data-verdict="{{ verdict }}">{{ words }}</span>{% endif %}"#,
    ext = "html"
)]
pub struct VerdictBadge {
    /// The verdict's class in the style sheet.
    pub verdict: &'static str,
    /// The verdict in a line.
    pub words: String,
    /// The address that it links to.
    pub address: Option<String>,
}

impl VerdictBadge {
    /// A verdict with its sentence.
    #[must_use]
    pub fn of(verdict: VerdictFilter, words: &str, address: Option<String>) -> Self {
        Self { verdict: verdict.word(), words: capital(words), address }
    }
}
