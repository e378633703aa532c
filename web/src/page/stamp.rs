//! The verdict of a verification as a stamp.

use app::book::VerdictFilter;
use askama::Template;
use record::words::capital;

/// A verdict, ready to be drawn.
#[derive(Clone, Debug, Template)]
#[template(
    source = r#"{% if let Some(address) = address %}<a class="stamp" data-verdict="{{ verdict }}" href="{{ address }}">{{ words }}</a>{% else %}<span class="stamp" data-verdict="{{ verdict }}">{{ words }}</span>{% endif %}"#,
    ext = "html"
)]
pub struct Stamp {
    /// The verdict's name for the style sheet.
    pub verdict: &'static str,
    /// The verdict in a line.
    pub words: String,
    /// Where it leads.
    pub address: Option<String>,
}

impl Stamp {
    /// The stamp of a verdict: what kind it is, and its sentence.
    #[must_use]
    pub fn of(verdict: VerdictFilter, words: &str, address: Option<String>) -> Self {
        Self { verdict: verdict.word(), words: capital(words), address }
    }

    /// The same of a match that still runs: what holds so far is no verdict yet.
    #[must_use]
    pub fn so_far(self) -> Self {
        match self.verdict {
            "verified" | "rulings" => {
                Self { verdict: "pending", words: format!("So far {}", lower(&self.words)), ..self }
            }
            _ => self,
        }
    }
}

fn lower(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
