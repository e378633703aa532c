//! Texts that people may want withdrawn: names, events, reasons, remarks, sources.
//!
//! An entry contains a commitment. Text and key are stored outside the record, can be erased, and are part of exports
//! while they exist. The commitment is a [seal](ledger::SealMessage) by the host for the decision `word-<seq>`, with
//! zeros for the entry that asked.

use std::collections::BTreeMap;

use ledger::{Commitment, DecisionId, Field, Hash, MatchId, Origin, SealError, SealKey, SealMessage, Sealer, Seq};

/// The longest text, in bytes.
pub const TEXT_MAX_BYTES: usize = 2_000;

/// A text with its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The key of its commitment.
    pub key: SealKey,
    /// The text, on one line.
    pub text: String,
}

/// The texts of a match that still exist, by their commitments.
pub type Texts = BTreeMap<Commitment, Text>;

/// The place of a commitment to a text.
#[derive(Clone, Debug)]
pub struct TextPlace<'a> {
    /// The log's name.
    pub origin: &'a Origin,
    /// The match.
    pub match_id: MatchId,
    /// The entry that contains the commitment.
    pub seq: Seq,
}

/// The state of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommittedText {
    /// It exists, and fits its commitment.
    Text(String),
    /// It was withdrawn, or is not part of this copy.
    Withdrawn,
}

impl CommittedText {
    /// The text; none if it was withdrawn.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Withdrawn => None,
        }
    }

    /// The text, or a replacement.
    #[must_use]
    pub fn or<'s>(&'s self, instead: &'s str) -> &'s str {
        self.text().unwrap_or(instead)
    }
}

/// Characters that change the direction of the text after them (Unicode's bidirectional embeddings, overrides and
/// isolates). Writing from right to left needs none of them.
const TURNS: [char; 9] =
    ['\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}', '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}'];

/// A text in the form for a commitment: on one line, white space folded, without characters that change its direction,
/// cut at [`TEXT_MAX_BYTES`].
#[must_use]
pub fn one_line(text: &str) -> String {
    let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.retain(|c| !c.is_control() && !TURNS.contains(&c));
    let mut end = line.len().min(TEXT_MAX_BYTES);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    line.truncate(end);
    line
}

impl TextPlace<'_> {
    fn message<'m>(&'m self, decision: &'m DecisionId, field: &'m Field, text: &'m str) -> SealMessage<'m> {
        SealMessage {
            origin: self.origin,
            match_id: self.match_id,
            decision,
            seat: Sealer::Host,
            field,
            asked: Hash::ZERO,
            value: text,
        }
    }

    fn decision(&self) -> Result<DecisionId, SealError> {
        format!("word-{}", self.seq.0).parse().map_err(|_| SealError::DoesNotOpen)
    }

    /// Commits to a text.
    pub fn commit(&self, field: &Field, text: &Text) -> Result<Commitment, SealError> {
        self.message(&self.decision()?, field, &text.text).seal(&text.key)
    }

    /// Checks a text against its commitment.
    pub fn check(&self, field: &Field, text: &Text, commitment: &Commitment) -> Result<(), SealError> {
        self.message(&self.decision()?, field, &text.text).open(&text.key, commitment)
    }
}
