//! Rulings and remarks.

use engine::Verdict;

use super::{Desk, WriteError, Written, place};
use crate::body::{Body, Decided, Noted, Ruled};
use crate::digest::state_digest;
use crate::fold::decision_line;
use crate::history::History;
use crate::word::one_line;

/// Records a ruling, and the result where it decides one.
///
/// # Errors
/// It says nothing.
pub fn rule(
    desk: &mut Desk<'_>,
    history: &History,
    clause: Option<&str>,
    text: &str,
    verdict: Option<Verdict>,
) -> Result<Written, WriteError> {
    if text.trim().is_empty() {
        return Err(WriteError::Missing("a ruling says what was decided, and why"));
    }
    if history.opened.mode == crate::Mode::Imported {
        return Err(WriteError::NotNow("a match of the past is not ruled on here"));
    }
    let mut written = Written::default();
    let mut result = None;
    if let Some(verdict) = verdict {
        let mut duel = history.duel().clone();
        duel.play(&decision_line(verdict, &one_line(text)), None)?;
        let verdict = verdict.word().to_owned();
        result = Some(Decided { step: history.next_step(), verdict, digest: state_digest(&duel) });
    }
    let text = desk.word(&mut written, place(history, 0), "text", text)?;
    let clause = clause.map(str::trim).filter(|clause| !clause.is_empty()).map(one_line);
    written.drafts.push(desk.draft(&Body::Ruled(Ruled { rule: clause, text, result })));
    Ok(written)
}

/// Records a public remark.
///
/// # Errors
/// It says nothing.
pub fn note(desk: &mut Desk<'_>, history: &History, text: &str) -> Result<Written, WriteError> {
    if text.trim().is_empty() {
        return Err(WriteError::Missing("a remark says something"));
    }
    let mut written = Written::default();
    let text = desk.word(&mut written, place(history, 0), "text", text)?;
    written.drafts.push(desk.draft(&Body::Noted(Noted { text })));
    Ok(written)
}
