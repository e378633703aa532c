//! Entering a match of the past.

use std::collections::BTreeMap;

use engine::dmn::quotes::{is_text, texts_or_signs, withhold};
use engine::dmn::{Error, Replay};
use engine::{Duel, Outcome};
use ledger::{Author, Seq};

use super::open::opened;
use super::{NewEntries, NewMatch, Pace, WriteContext, WriteError};
use crate::body::{Body, Ended, Imported, Mode};
use crate::digest::state_digest;
use crate::fold::REASON_ELSEWHERE;

/// A match of the past, read and replayed.
#[derive(Clone, Debug)]
pub struct Import {
    new: NewMatch,
    tags: Vec<String>,
    lines: Vec<String>,
    reasons: BTreeMap<u32, String>,
    /// The texts of the lines, none for one that was withdrawn.
    texts: Vec<Option<String>>,
    duel: Duel,
}

impl Import {
    /// Reads a match in Death Match Notation and replays it.
    pub fn read(text: &str) -> Result<Self, Vec<Error>> {
        let mut replay = Replay::open(text)?;
        let (mut lines, mut reasons, mut said) = (Vec::new(), BTreeMap::new(), Vec::new());
        while let Some(played) = replay.play(None) {
            let line = played?;
            let mut text = line.played.text;
            if let Some((head, reason)) = umpire_reason(&text) {
                let step = u32::try_from(line.step).unwrap_or(u32::MAX);
                reasons.insert(step, reason.to_owned());
                text = format!("{head}{REASON_ELSEWHERE}");
            } else {
                said.extend(texts_or_signs(&text).map(|text| is_text(text).then(|| text.to_owned())));
                text = withhold(&text);
            }
            lines.push(text);
        }
        replay.finish().map_err(|error| vec![error])?;
        let tags = replay.tags().clone();
        if !replay.duel().outcome().is_over() {
            let line = text.lines().count();
            let expected = "a finished match: this one still runs".to_owned();
            return Err(vec![Error { line, column: 1, found: String::new(), expected, sealed: false }]);
        }
        let new = NewMatch {
            setup: tags.setup,
            names: tags.names,
            event: tags.event,
            date: tags.date,
            draws: None,
            host_key: String::new(),
            pace: Pace::Recorded,
            looks: false,
            wait: None,
            beacon: None,
        };
        let tags = tags.others.into_iter().map(|(name, value)| format!("{name} {value}")).collect();
        Ok(Self { new, tags, lines, reasons, texts: said, duel: replay.duel().clone() })
    }

    /// The opening of the match.
    #[must_use]
    pub const fn new_match(&self) -> &NewMatch {
        &self.new
    }

    /// Other tags of the file, each with its name and its value.
    #[must_use]
    pub fn tags(&self) -> &[String] {
        &self.tags
    }

    /// The steps.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The result.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.duel.outcome()
    }

    /// The match at its end.
    #[must_use]
    pub const fn duel(&self) -> &Duel {
        &self.duel
    }
}

fn umpire_reason(line: &str) -> Option<(&str, &str)> {
    let said = line.strip_prefix("umpire: result ")?;
    let reason = said.split_once(' ')?.1;
    Some((line.get(..line.len() - reason.len())?, reason))
}

/// Enters a match of the past: its opening, its steps, its result.
pub fn import(
    context: &mut WriteContext<'_>,
    import: &Import,
    source: Option<&str>,
    host_key: &str,
) -> Result<NewEntries, WriteError> {
    let mut written = NewEntries::default();
    let new = NewMatch { host_key: host_key.to_owned(), ..import.new.clone() };
    let opened = opened(context, &new, import.duel.ruleset(), Mode::Imported, &import.tags, &mut written)?;
    written.drafts.push(context.draft(&Body::Opened(opened)));
    let second = Seq(1);
    let source = source.filter(|source| !source.trim().is_empty());
    let source = source.map(|source| context.word(&mut written, second, "source", source)).transpose()?;
    let mut reasons = BTreeMap::new();
    for (step, reason) in &import.reasons {
        reasons.insert(*step, context.word(&mut written, second, &format!("reason-{step}"), reason)?);
    }
    let digest = state_digest(&import.duel);
    let words = import.texts.iter().enumerate();
    let words = words.map(|(n, text)| {
        let text = text.as_ref().map(|text| context.quote(&mut written, second, &format!("text-{n}"), text));
        text.transpose()
    });
    let words = words.collect::<Result<_, WriteError>>()?;
    let imported = Imported { dmn: import.lines.clone(), source, reasons, words, digest };
    written.drafts.push(context.draft(&Body::Imported(imported)));
    let outcome = import.duel.outcome();
    let steps = u32::try_from(import.lines.len()).unwrap_or(u32::MAX);
    let ended = Ended { result: outcome.tag().to_owned(), reason: outcome.reason().to_owned(), steps };
    let server = WriteContext { by: Author::Server, entropy: &mut *context.entropy, ..*context };
    written.drafts.push(server.draft(&Body::Ended(ended)));
    Ok(written)
}
