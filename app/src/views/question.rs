//! A question as a sentence.

use engine::Ask;

use super::VisibleMatch;

#[must_use]
pub fn prompt(visible: &VisibleMatch<'_>, ask: &Ask) -> String {
    let mut prompt = visible.name_in(&ask.prompt);
    if !prompt.ends_with(['.', '?', '!']) {
        prompt.push('.');
    }
    prompt
}
