//! A log that goes on under a later name, with a key of its own. Each of its checkpoints says so, in a line for each name
//! before: `succeeds <name before> <size> <root> <verifier key> <host's key> <last size> <last root> <signature>`.
//!
//! The first tree is the one that both names have in common; the second is the last that the name before signed. The
//! signature is of the key before, over the rest of the line, so that nobody else names a successor. Where that key is lost or
//! stolen, `lost` stands there.

use std::fmt;

use ledger::note::NoteText;
use ledger::{Checkpoint, Hash, Note, Signature, SignerKey, Tree, VerifierKey};

/// The line of one succession.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Succession {
    /// The name of the log before.
    pub before: String,
    /// The tree from which it goes on.
    pub common: Tree,
    /// The key from there on, under the new name.
    pub key: VerifierKey,
    /// The host's key from there on, for receipts.
    pub host: Hash,
    /// The last tree that was signed under the name before.
    pub last: Tree,
    /// The signature of the key before; none if that is lost or stolen.
    pub named: Option<Signature>,
}

impl Succession {
    /// The same, named by the key before.
    #[must_use]
    pub fn named_by(self, key: &SignerKey) -> Self {
        let named = self.statement().map(|text| key.sign(&text));
        Self { named, ..self }
    }

    /// True if the key before names this one; false if it is said to be lost.
    ///
    /// # Errors
    /// The signature is not of that key, or the key is the same.
    pub fn is_named_by(&self, key: &VerifierKey) -> Result<bool, String> {
        if key.public() == self.key.public() {
            return Err(format!(
                "{} has the key of {}, and each name of a log has its own",
                self.key.name(),
                self.before
            ));
        }
        let Some(signature) = self.named.clone() else { return Ok(false) };
        let note = self.statement().map(|text| Note::with_signature(text, signature));
        let signed = note.is_some_and(|note| note.verify([key]).is_ok());
        signed
            .then_some(true)
            .ok_or_else(|| format!("it says that {} named {}, which is not so", self.before, self.key))
    }

    /// True if the line has a signature of the key before.
    #[must_use]
    pub const fn is_named(&self) -> bool {
        self.named.is_some()
    }

    /// The number of entries that were signed under the name before and are lost.
    #[must_use]
    pub const fn lost(&self) -> u64 {
        self.last.size.0.saturating_sub(self.common.size.0)
    }

    fn unsigned(&self) -> String {
        let Self { before, common, key, host, last, .. } = self;
        let [root, host, last_root] = [common.root, *host, last.root].map(|hash| hash.to_base64());
        format!("succeeds {before} {} {root} {key} {host} {} {last_root}", common.size, last.size)
    }

    /// The text that the key before signs. No checkpoint begins like it.
    #[must_use]
    pub fn statement(&self) -> Option<NoteText> {
        format!("matchbook/successor/1\n{}\n", self.unsigned()).parse().ok()
    }

    fn read(line: &str) -> Option<Self> {
        let &[_, before, size, root, key, host, last_size, last_root, named] =
            line.split(' ').collect::<Vec<_>>().as_slice()
        else {
            return None;
        };
        let tree = |size: &str, root: &str| {
            let text = format!("{before}\n{size}\n{root}\n").parse::<NoteText>().ok()?;
            Some(Checkpoint::read(&text).ok()?.tree())
        };
        let named = match named {
            "lost" => None,
            signature => Some(format!("\u{2014} {before} {signature}").parse().ok()?),
        };
        Some(Self {
            before: before.to_owned(),
            common: tree(size, root)?,
            key: key.parse().ok()?,
            host: Hash::from_base64(host).ok()?,
            last: tree(last_size, last_root)?,
            named,
        })
    }
}

impl fmt::Display for Succession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = self.named.as_ref().map(ToString::to_string);
        let named = named.as_deref().and_then(|line| line.rsplit(' ').next()).unwrap_or("lost");
        write!(f, "{} {named}", self.unsigned())
    }
}

/// The successions that a checkpoint says, oldest first: one for each name that the log had before; none under its first,
/// which is given where it is known. The roots, and the signature of the first key, are for the caller to compare.
///
/// # Errors
/// A line is missing, is there twice, or contradicts the checkpoint or a line before it: what is wrong, in half a sentence.
pub fn successions(checkpoint: &Checkpoint, first: Option<&str>) -> Result<Vec<Succession>, String> {
    let name = checkpoint.origin().as_str();
    let (first, number) = match first {
        Some(first) if first == name => (first, 1),
        _ => {
            let (read, number) = checkpoint.origin().term();
            (first.unwrap_or(read), number.unwrap_or(1))
        }
    };
    let lines = lines(checkpoint);
    if number == 1 && !lines.is_empty() {
        return Err("a log's first name succeeds none, and it has a succeeds line".to_owned());
    }
    if u32::try_from(lines.len()) != Ok(number.saturating_sub(1)) {
        return Err(format!("it has not one succeeds line for each name of {first} before its own"));
    }
    let named = |number: u32| if number == 1 { first.to_owned() } else { format!("{first}/{number}") };
    let mut found: Vec<Succession> = Vec::with_capacity(lines.len());
    for (line, term) in lines.iter().zip(1..) {
        let line = Succession::read(line).ok_or("its succeeds line is not written as it should be")?;
        let (before, next) = (named(term), named(term.saturating_add(1)));
        if line.before != before {
            return Err(format!("its succeeds line names {}, and its log was {before}", line.before));
        }
        if line.key.name().as_str() != next {
            return Err(format!("its succeeds line has a key of {}, and its log went on as {next}", line.key.name()));
        }
        for (tree, larger) in [(line.common, checkpoint.tree()), (line.common, line.last)] {
            if tree.size > larger.size {
                return Err("its succeeds line names a larger tree than the one that holds it".to_owned());
            }
            if tree.size == larger.size && tree != larger {
                return Err("its succeeds line names two roots for one size".to_owned());
            }
        }
        if line.common.size.0 == 0 && line.common != Tree::empty() {
            return Err("its succeeds line names a root for the empty tree that it does not have".to_owned());
        }
        if let Some(last) = found.last() {
            line.is_named_by(&last.key)?;
        }
        if found.iter().any(|known| known.key.public() == line.key.public()) {
            return Err("two names of the log have one key".to_owned());
        }
        found.push(line);
    }
    Ok(found)
}

fn lines(checkpoint: &Checkpoint) -> Vec<String> {
    let lines = checkpoint.extensions().iter().map(ToString::to_string);
    lines.filter(|line| line.split(' ').next() == Some("succeeds")).collect()
}
