//! A file played step by step.

use alloc::vec::Vec;

use super::{Error, Tags, tags, without_comment};
use crate::{Duel, Effect, Outcome, PlayedStep};

/// A file whose tags are in order, and the match up to the step that was played last.
#[derive(Clone, Debug)]
pub struct Replay<'t> {
    tags: Tags,
    duel: Duel,
    lines: Vec<Source<'t>>,
    next: usize,
    stated: Option<Error>,
}

#[derive(Clone, Copy, Debug)]
struct Source<'t> {
    line: usize,
    whole: &'t str,
    said: &'t str,
}

/// A step that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The step, from 1.
    pub step: usize,
    /// The line of the file, from 1.
    pub line: usize,
    /// The step as it was played, and its fields that stay sealed.
    pub played: PlayedStep,
}

impl<'t> Source<'t> {
    fn offset(&self) -> usize {
        self.said.as_ptr() as usize - self.whole.as_ptr() as usize
    }

    fn spelled(&self, duel: &Duel) -> Option<Error> {
        duel.spell(self.said).err().map(|refusal| Error::refused(self.line, self.whole, self.offset(), &refusal))
    }
}

impl<'t> Replay<'t> {
    /// Reads the tags and opens the match.
    ///
    /// # Errors
    /// Every error of the tags, and of the steps' spelling as far as the ruleset is known.
    pub fn open(text: &'t str) -> Result<Self, Vec<Error>> {
        let mut reader = tags::Reader::new();
        let mut lines = Vec::new();
        for (n, whole) in text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate() {
            let said = without_comment(whole).trim();
            if said.is_empty() {
                continue;
            }
            if lines.is_empty() && said.starts_with('[') {
                reader.line(n + 1, said, whole);
            } else {
                lines.push(Source { line: n + 1, whole, said });
            }
        }
        match reader.finish() {
            Ok(tags::Opened { tags, duel, stated }) => Ok(Self { tags, duel, lines, next: 0, stated }),
            Err((mut errors, duel)) => {
                if let Some(duel) = duel {
                    errors.extend(lines.iter().filter_map(|line| line.spelled(&duel)));
                }
                Err(errors)
            }
        }
    }

    /// Plays the next step; `None` after the last.
    ///
    /// # Errors
    /// The refusal of this step, then every other line in the rest of the file that does not read. Nothing can be
    /// played after that.
    pub fn play(&mut self, effects: Option<&mut Vec<Effect>>) -> Option<Result<Line, Vec<Error>>> {
        let source = *self.lines.get(self.next)?;
        self.next += 1;
        Some(match self.duel.play(source.said, effects) {
            Ok(played) => Ok(Line { step: self.next, line: source.line, played }),
            Err(refusal) => {
                let mut errors = alloc::vec![Error::refused(source.line, source.whole, source.offset(), &refusal)];
                // The rules would judge later lines from a state that nobody knows, so only their spelling is read.
                let rest = self.lines.get(self.next..).unwrap_or_default();
                errors.extend(rest.iter().filter_map(|line| line.spelled(&self.duel)));
                self.next = self.lines.len();
                Err(errors)
            }
        })
    }

    /// Compares the tag `Result` with the replay. Call it after the last step.
    ///
    /// # Errors
    /// The tag and the replay have different results.
    pub fn finish(&self) -> Result<Outcome, Error> {
        let outcome = self.duel.outcome();
        match &self.stated {
            Some(stated) if stated.found != outcome.tag() => {
                let expected = alloc::format!("the replay gives \"{}\"", outcome.tag());
                Err(Error { expected, ..stated.clone() })
            }
            _ => Ok(outcome),
        }
    }

    /// The file's tags.
    #[must_use]
    pub const fn tags(&self) -> &Tags {
        &self.tags
    }

    /// The match after the step that was played last.
    #[must_use]
    pub const fn duel(&self) -> &Duel {
        &self.duel
    }
}
