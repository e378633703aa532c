//! The verdict of a verification as a stamp.

use askama::Template;
use record::verify::Verdict;

use super::capital;

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
    /// The stamp of a verdict.
    #[must_use]
    pub fn of(verdict: &Verdict, address: Option<String>) -> Self {
        let mark = match verdict {
            Verdict::Verified { interventions: 0, .. } => "verified",
            Verdict::Verified { .. } => "rulings",
            Verdict::NotYet { .. } => "pending",
            Verdict::CannotCheck { .. } | Verdict::Practice => "unknown",
            Verdict::Failed { .. } => "failed",
        };
        Self { verdict: mark, words: capital(&verdict.to_string()), address }
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
