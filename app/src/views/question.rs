//! A question as a sentence.

use engine::Ask;

use super::Shown;

/// The question with the players' names, and a full stop if it has no final punctuation.
#[must_use]
pub fn prompt(shown: &Shown<'_>, ask: &Ask) -> String {
    let mut prompt = shown.name_in(&ask.prompt);
    if !prompt.ends_with(['.', '?', '!']) {
        prompt.push('.');
    }
    prompt
}
