//! The verdict of a verification in a line.

use app::archive::VerdictFilter;
use askama::Template;
use record::words::capital;

#[derive(Clone, Debug, Template)]
#[template(
    source = r#"{% if let Some(address) = address %}<a class="stamp" data-verdict="{{ verdict }}" href="{{ address }}"><span>{{ words }}</span></a>{% else %}<span class="stamp" data-verdict="{{ verdict }}"><span>{{ words }}</span></span>{% endif %}"#,
    ext = "html"
)]
pub struct VerdictBadge {
    pub verdict: &'static str,
    pub words: String,
    pub address: Option<String>,
}

impl VerdictBadge {
    #[must_use]
    pub fn of(verdict: VerdictFilter, words: &str, address: Option<String>) -> Self {
        Self { verdict: verdict.word(), words: capital(words), address }
    }

    /// The badge of a match whose outcomes are the umpire's word, where `declared` says so.
    #[must_use]
    pub fn of_declared(self, declared: bool) -> Self {
        let verdict = if declared && ["verified", "rulings"].contains(&self.verdict) { "sealed" } else { self.verdict };
        Self { verdict, ..self }
    }
}
