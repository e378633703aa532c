//! Checkpoints (C2SP tlog-checkpoint): the text by which a log states its size and root, to be signed as a note.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::decimal::read_decimal;
use crate::hash::{Hash, HashError};
use crate::id::TreeSize;
use crate::note::{KeyName, Note, NoteText, NoteTextError, SignerKey, VerifierKey, VerifyError};
use crate::serde_as_text::serde_as_text;
use crate::tree::Tree;
use crate::word::Origin;

/// The first line of a checkpoint: the name of any log. Our own names use the smaller alphabet of [`Origin`]; those of
/// others may contain spaces. Not empty, one line, no control characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OriginLine(Box<str>);

/// A log's statement of its size and root. Read from a text, it is only a claim; [`Checkpoint::open`] accepts only
/// signed ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    origin: OriginLine,
    tree: Tree,
    extensions: Vec<ExtensionLine>,
}

/// A line after the third, whose meaning the log defines itself. Not empty, no control characters. Nobody audits these
/// lines, and our logs write none.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ExtensionLine(Box<str>);

/// An error in the text of a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CheckpointError {
    /// The text is not the text of a note.
    #[error(transparent)]
    Text(#[from] NoteTextError),
    /// Fewer than three lines.
    #[error("a checkpoint has three lines: origin, size, root")]
    TooFewLines,
    /// An empty line.
    #[error("no line of a checkpoint is empty")]
    EmptyLine,
    /// The origin is more than one line, or has a control character.
    #[error("the origin of a log is one line without control characters")]
    Origin,
    /// The second line is not a number of leaves.
    #[error("the size of a tree is a decimal number below 2^64 without leading zeros")]
    Size,
    /// The third line is not a root.
    #[error("the root in a checkpoint: {0}")]
    Root(#[from] HashError),
}

/// The reason why a note is not a checkpoint of the requested log.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OpenError {
    /// Its text is not a checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// It is of another log.
    #[error("the checkpoint is of the log {found}, not of {expected}")]
    OtherLog {
        /// The requested origin.
        expected: OriginLine,
        /// The origin in the checkpoint.
        found: OriginLine,
    },
    /// The log has not signed it.
    #[error("the checkpoint is not signed by its log: {0}")]
    NotSigned(#[from] VerifyError),
}

impl OriginLine {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The log's first name, and the number of its term if this is a later name of it: `<first name>/<number>`, from 2.
    /// A first name does not end like this.
    #[must_use]
    pub fn term(&self) -> (&str, Option<u32>) {
        let later = self.0.rsplit_once('/').and_then(|(first, digits)| {
            let number: u32 = digits.parse().ok()?;
            (number >= 2 && number.to_string() == digits && !first.is_empty()).then_some((first, Some(number)))
        });
        later.unwrap_or((&self.0, None))
    }

    /// The name that the log had before this one; none if it is its first.
    #[must_use]
    pub fn before(&self) -> Option<String> {
        match self.term() {
            (_, None) => None,
            (first, Some(2)) => Some(first.to_owned()),
            (first, Some(number)) => Some(format!("{first}/{}", number - 1)),
        }
    }

    /// SHA-256 of the line, which is the log's path under the monitoring prefix of a witness. C2SP tlog-witness,
    /// "Monitor Retrieval Mechanism".
    #[must_use]
    pub fn hash(&self) -> Hash {
        Hash::new(Sha256::digest(self.as_str()).into())
    }
}

impl FromStr for OriginLine {
    type Err = CheckpointError;

    fn from_str(text: &str) -> Result<Self, CheckpointError> {
        read_line(text, CheckpointError::Origin).map(Self)
    }
}

impl From<&Origin> for OriginLine {
    fn from(origin: &Origin) -> Self {
        Self(origin.as_str().into())
    }
}

impl From<&KeyName> for OriginLine {
    fn from(name: &KeyName) -> Self {
        Self(name.as_str().into())
    }
}

impl PartialEq<Origin> for OriginLine {
    fn eq(&self, origin: &Origin) -> bool {
        self.as_str() == origin.as_str()
    }
}

impl fmt::Display for OriginLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

serde_as_text!(OriginLine);

impl FromStr for ExtensionLine {
    type Err = CheckpointError;

    fn from_str(text: &str) -> Result<Self, CheckpointError> {
        read_line(text, CheckpointError::Text(NoteTextError::ControlCharacter)).map(Self)
    }
}

impl fmt::Display for ExtensionLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn read_line(text: &str, control: CheckpointError) -> Result<Box<str>, CheckpointError> {
    if text.is_empty() {
        Err(CheckpointError::EmptyLine)
    } else if text.bytes().any(|byte| byte < 0x20) {
        Err(control)
    } else {
        Ok(text.into())
    }
}

impl Checkpoint {
    /// A checkpoint of this tree.
    #[must_use]
    pub fn new(origin: impl Into<OriginLine>, tree: Tree) -> Self {
        Self { origin: origin.into(), tree, extensions: Vec::new() }
    }

    /// The same checkpoint with one more line at its end.
    #[must_use]
    pub fn with_extension(mut self, line: ExtensionLine) -> Self {
        self.extensions.push(line);
        self
    }

    /// Reads the text of a note. This proves nothing about its content.
    pub fn read(text: &NoteText) -> Result<Self, CheckpointError> {
        let lines = text.as_str().strip_suffix('\n').ok_or(NoteTextError::NoLineBreak)?;
        let mut lines = lines.split('\n');
        let mut next = || lines.next().ok_or(CheckpointError::TooFewLines);
        let (origin, size, root) = (next()?, next()?, next()?);
        if size.is_empty() || root.is_empty() {
            return Err(CheckpointError::EmptyLine);
        }
        let origin = origin.parse()?;
        let size = read_decimal(size).map(TreeSize).ok_or(CheckpointError::Size)?;
        let tree = Tree { size, root: Hash::from_base64(root)? };
        Ok(Self { origin, tree, extensions: lines.map(str::parse).collect::<Result<_, _>>()? })
    }

    /// Reads a checkpoint that the log of that origin has signed with one of these keys.
    ///
    /// # Errors
    /// [`OpenError`] for another text, another log, no signature of these keys, or a false one.
    pub fn open<'k>(
        note: &Note,
        origin: &OriginLine,
        keys: impl IntoIterator<Item = &'k VerifierKey>,
    ) -> Result<Self, OpenError> {
        let read = Self::read(note.text())?;
        if read.origin != *origin {
            return Err(OpenError::OtherLog { expected: origin.clone(), found: read.origin });
        }
        note.verify(keys)?;
        Ok(read)
    }

    /// The text to sign or cosign.
    #[must_use]
    pub fn to_text(&self) -> NoteText {
        NoteText::trusted(self.to_string())
    }

    /// Signs it as the log. The tree must extend every tree that the log signed before.
    #[must_use]
    pub fn sign(&self, key: &SignerKey) -> Note {
        Note::sign(self.to_text(), key)
    }

    /// The log's name.
    #[must_use]
    pub const fn origin(&self) -> &OriginLine {
        &self.origin
    }

    /// Size and root.
    #[must_use]
    pub const fn tree(&self) -> Tree {
        self.tree
    }

    /// Lines after the third.
    #[must_use]
    pub fn extensions(&self) -> &[ExtensionLine] {
        &self.extensions
    }
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}\n{}", self.origin, self.tree.size, self.tree.root.to_base64())?;
        self.extensions.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: &str = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=";

    fn read(text: &str) -> Result<Checkpoint, CheckpointError> {
        Checkpoint::read(&text.parse()?)
    }

    #[test]
    fn one_notation() {
        for text in [
            format!("example.com/behind-the-sofa\n20852163\n{ROOT}\n"),
            format!("go.sum database tree\n0\n{ROOT}\n"),
            format!("a\n18446744073709551615\n{ROOT}\none line\nanother\n"),
        ] {
            let checkpoint = read(&text).unwrap();
            assert_eq!(checkpoint.to_string(), text);
            assert_eq!(Ok(checkpoint.to_text()), text.parse());
        }
        assert!("a\nb".parse::<ExtensionLine>().is_err());
    }

    #[test]
    fn a_later_name_of_a_log_has_the_number_of_its_term() {
        let names = |name: &str| {
            let line: OriginLine = name.parse().unwrap();
            let (first, number) = line.term();
            (first.to_owned(), number, line.before())
        };
        let first = |name: &str| (name.to_owned(), None, None);
        assert_eq!(names("a.example/log/2"), ("a.example/log".to_owned(), Some(2), Some("a.example/log".to_owned())));
        assert_eq!(names("a.example/log/3"), ("a.example/log".to_owned(), Some(3), Some("a.example/log/2".to_owned())));
        for name in
            ["a.example", "a.example/log", "log/1", "log/0", "log/02", "log/+2", "log/2x", "/2", "log/4294967296"]
        {
            assert_eq!(names(name), first(name));
        }
    }

    #[test]
    fn opens_for_its_log_alone() {
        let origin: Origin = "localhost/matchbook-0123abcd".parse().unwrap();
        let key = SignerKey::from_seed(KeyName::from(&origin), &[1; 32]);
        let other = SignerKey::from_seed(KeyName::from(&origin), &[2; 32]);
        let checkpoint = Checkpoint::new(&origin, Tree::empty());
        assert_eq!(*checkpoint.origin(), origin);
        let note = checkpoint.sign(&key);
        let line = OriginLine::from(&origin);
        assert_eq!(Checkpoint::open(&note, &line, [key.verifier()]), Ok(checkpoint));
        let refused = Checkpoint::open(&note, &line, [other.verifier()]).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "the checkpoint is not signed by its log: the note bears no signature of a known key"
        );
        let refused = Checkpoint::open(&note, &"elsewhere".parse().unwrap(), [key.verifier()]).unwrap_err();
        assert_eq!(refused.to_string(), "the checkpoint is of the log localhost/matchbook-0123abcd, not of elsewhere");
        assert_eq!(
            line.hash().to_string(),
            Hash::new(Sha256::digest("localhost/matchbook-0123abcd").into()).to_string()
        );
    }
}
