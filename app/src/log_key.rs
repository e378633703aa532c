//! The key that signs checkpoints: in a file, or behind a command, such as one that asks a piece of hardware.
//!
//! The file of such a key has one line: `signer`, the public key in base64, and the command. It is called with one more
//! word. `public` prints the public key, 32 bytes in base64; `sign` reads a text from its input to the end, and prints the
//! Ed25519 signature of it, 64 bytes in base64.

use std::fmt;
use std::io;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ledger::ed25519::{PublicKey, SecretKey};
use ledger::note::NoteText;
use ledger::{KeyName, Note, Signature, SignerKey, VerifierKey};
use thiserror::Error;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::time::timeout;

/// A piece of hardware answers in less than a second. One that waits for a finger is not for a log.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(10);
const MARK: &str = "signer ";

/// Its name is the log's origin, which is not in the file.
#[derive(Clone)]
pub enum LogKey {
    Seed([u8; 32]),
    Command(LogSigner),
}

#[derive(Clone)]
pub struct LogSigner {
    public: PublicKey,
    words: Arc<[String]>,
}

/// Everybody may read it, so it names neither the command, which may have a PIN in it, nor what it printed.
#[derive(Debug, Error)]
pub enum LogSignerError {
    #[error("it is empty")]
    Empty,
    #[error("it cannot be run: {0}")]
    Run(io::Error),
    #[error("it gave no answer in {n} seconds", n = ANSWER_TIME_MAX.as_secs())]
    Slow,
    #[error("it ended with {0}")]
    Failed(ExitStatus),
    #[error("it printed something else than {0} bytes in base64")]
    Answer(usize),
    #[error("it signed with another key than the one that this log has")]
    OtherKey,
}

impl LogKey {
    #[must_use]
    pub fn public(&self) -> PublicKey {
        match self {
            Self::Seed(seed) => SecretKey::from_seed(seed).public(),
            Self::Command(signer) => signer.public,
        }
    }

    /// The key itself under a name; none if it is behind a command.
    #[must_use]
    pub fn named(&self, origin: KeyName) -> Option<SignerKey> {
        match self {
            Self::Seed(seed) => Some(SignerKey::from_seed(origin, seed)),
            Self::Command(_) => None,
        }
    }

    pub async fn sign(&self, origin: KeyName, text: &NoteText) -> Result<Signature, LogSignerError> {
        match self {
            Self::Seed(seed) => Ok(SignerKey::from_seed(origin, seed).sign(text)),
            Self::Command(signer) => signer.sign(origin, text).await,
        }
    }

    /// Reads a line of a key's file that names a command; none if it names none.
    pub(crate) fn of_command(line: &str) -> Option<Self> {
        let (public, command) = line.strip_prefix(MARK)?.split_once(' ')?;
        let public = STANDARD.decode(public).ok()?.try_into().ok()?;
        Some(Self::Command(LogSigner { public: PublicKey::read(&public).ok()?, words: words(command)? }))
    }
}

impl LogSigner {
    /// Asks a command for its public key. It is split at spaces, and no shell sees it.
    pub async fn ask(command: &str) -> Result<Self, LogSignerError> {
        let words = words(command).ok_or(LogSignerError::Empty)?;
        let bytes: [u8; 32] = run(&words, "public", b"").await?;
        let public = PublicKey::read(&bytes).map_err(|_| LogSignerError::Answer(32))?;
        Ok(Self { public, words })
    }

    pub(crate) fn line(&self) -> String {
        format!("{MARK}{} {}", STANDARD.encode(self.public.bytes()), self.words.join(" "))
    }

    async fn sign(&self, origin: KeyName, text: &NoteText) -> Result<Signature, LogSignerError> {
        let bytes: [u8; 64] = run(&self.words, "sign", text.as_str().as_bytes()).await?;
        let key = VerifierKey::ed25519(origin, self.public);
        let line =
            format!("\u{2014} {} {}", key.name(), STANDARD.encode([key.id().bytes().as_slice(), &bytes].concat()));
        let signature: Signature = line.parse().map_err(|_| LogSignerError::OtherKey)?;
        let note = Note::with_signature(text.clone(), signature.clone());
        note.verify([&key]).map_err(|_| LogSignerError::OtherKey)?;
        Ok(signature)
    }
}

fn words(command: &str) -> Option<Arc<[String]>> {
    let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    (!words.is_empty()).then(|| words.into())
}

async fn run<const N: usize>(words: &[String], task: &str, input: &[u8]) -> Result<[u8; N], LogSignerError> {
    let (program, arguments) = words.split_first().ok_or(LogSignerError::Empty)?;
    let answer = async {
        let mut command = Command::new(program);
        command.args(arguments).arg(task).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut running = command.spawn()?;
        if let Some(mut stdin) = running.stdin.take() {
            // A command that needs no input may have ended.
            _ = stdin.write_all(input).await;
        }
        running.wait_with_output().await
    };
    let output = timeout(ANSWER_TIME_MAX, answer).await.map_err(|_| LogSignerError::Slow)?;
    let output = output.map_err(LogSignerError::Run)?;
    if !output.status.success() {
        return Err(LogSignerError::Failed(output.status));
    }
    let bytes = STANDARD.decode(output.stdout.trim_ascii()).ok().and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or(LogSignerError::Answer(N))
}

impl fmt::Debug for LogKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LogKey(..)")
    }
}
