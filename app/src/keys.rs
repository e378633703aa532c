//! The keys outside the database, in files that only this system's user can read: the host's signing key, the log's,
//! and the key that encrypts openings until they are public. Each later term of the log has a host's and a log's key of its
//! own, in files with the term's number (`log-2.key`).

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use ed25519_dalek::SigningKey;
use hmac::{Hmac, Mac};
use ledger::ed25519::PublicKey;
use ledger::{Hash, KeyName, SignerKey};
use sha2::Sha256;
use thiserror::Error;

use crate::log_key::{LogKey, LogSigner};
use crate::system::System;

pub struct Keys {
    folder: PathBuf,
    host: SigningKey,
    log: LogKey,
    /// The keys of all terms that are here, the newest first.
    hosts: Vec<SigningKey>,
    logs: Vec<LogKey>,
    escrow: XChaCha20Poly1305,
    escrow_check: [u8; 32],
    digest: Hmac<Sha256>,
}

/// The files of the keys, in the folder `keys` of the data folder.
const HOST: &str = "host";
const LOG: &str = "log";
const ESCROW: &str = "escrow.key";

/// The name of a key's file in a term, from 1: `log.key`, `log-2.key`.
fn file_name(stem: &str, term: u32) -> String {
    if term == 1 { format!("{stem}.key") } else { format!("{stem}-{term}.key") }
}

#[derive(Clone, Copy, Debug)]
pub struct TermPublicKeys {
    pub host: [u8; 32],
    pub log: PublicKey,
}

#[derive(Debug, Error)]
pub enum KeysError {
    /// A file cannot be read or created.
    #[error("the key file {}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// Other users can read a file.
    #[error("the key file {} can be read by others: chmod 600 it, and ask yourself who has", path.display())]
    Open {
        /// The file.
        path: PathBuf,
    },
    /// Files are missing, and the database has a log that was written with them.
    #[error(
        "{} missing in {}, and this database already has a log, so no new key is made. Put back the files that belong to \
         this database: from another node, or from your copy of keys/ (docs/operating.md: \u{201c}A key is lost. What \
         now?\u{201d})",
        are(missing), folder.display()
    )]
    Missing {
        /// The folder of the keys.
        folder: PathBuf,
        /// The names of the files.
        missing: Vec<String>,
    },
    /// The file is not the one that this log's checkpoints are signed with.
    #[error(
        "keys/{name} is not the key of this log: checkpoints under another key would be another log to everybody who \
         follows it. Put the file back that belongs to this database"
    )]
    OtherLog {
        /// The name of the file.
        name: String,
    },
    /// The file is not the one that the log's receipts are signed with.
    #[error(
        "keys/{name} is not the key of this log: its matches name another, so receipts under this one prove nothing. Put \
         the file back that belongs to this database"
    )]
    OtherHost {
        /// The name of the file.
        name: String,
    },
    /// The log has a key already.
    #[error(
        "{} is there and holds another key, so no command is asked to sign: \u{201c}matchbook log rotate --log-signer\u{201d} \
         gives the log a new key behind one", path.display()
    )]
    Taken {
        /// The file.
        path: PathBuf,
    },
    /// A file does not hold 32 bytes in base64.
    #[error("the key file {} holds no key", path.display())]
    Content {
        /// The file.
        path: PathBuf,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("an opening in escrow cannot be read: it was kept under another key")]
pub struct EscrowError;

const NONCE_BYTES: usize = 24;

impl Keys {
    /// Reads the keys of a data folder, for a database without a log: those that are not there yet are created.
    pub fn open(data: &Path, system: &System) -> Result<Self, KeysError> {
        let folder = data.join("keys");
        make_folder(&folder)?;
        for stem in [HOST, LOG] {
            if files(&folder, stem)?.is_empty() {
                create(&folder.join(file_name(stem, 1)), system)?;
            }
        }
        create(&folder.join(ESCROW), system)?;
        Self::read(&folder)
    }

    /// Reads the keys of a data folder, for a database that has a log. Nothing is created: another key would not fit what
    /// is recorded.
    pub fn existing(data: &Path) -> Result<Self, KeysError> {
        let folder = data.join("keys");
        let mut missing = missing(&folder)?;
        missing.extend((!folder.join(ESCROW).exists()).then(|| ESCROW.to_owned()));
        if missing.is_empty() { Self::read(&folder) } else { Err(KeysError::Missing { folder, missing }) }
    }

    pub fn log_of(data: &Path, public: &[u8]) -> Result<Option<LogKey>, KeysError> {
        let files = files(&data.join("keys"), LOG)?;
        let keys = files.iter().map(|(_, path)| read_log(path)).collect::<Result<Vec<_>, KeysError>>()?;
        Ok(keys.into_iter().find(|key| key.public().bytes().as_slice() == public))
    }

    /// Creates the keys of a new term, from 2. A crash before the log knows them leaves files that the next call finds.
    pub fn create_term(data: &Path, term: u32, system: &System) -> Result<TermPublicKeys, KeysError> {
        let folder = data.join("keys");
        let [host, log] = [HOST, LOG].map(|stem| folder.join(file_name(stem, term)));
        create(&host, system)?;
        create(&log, system)?;
        let host = SigningKey::from_bytes(&read(&host)?).verifying_key().to_bytes();
        Ok(TermPublicKeys { host, log: read_log(&log)?.public() })
    }

    /// Has a command sign as the log from a term on, counted from 1: its file takes the place of a key's.
    pub fn sign_by(data: &Path, term: u32, signer: &LogSigner) -> Result<(), KeysError> {
        let folder = data.join("keys");
        make_folder(&folder)?;
        // Keys are made together: where the host's is alone, the log's is lost, and nothing replaces it.
        let is_due = if term == 1 { files(&folder, HOST)?.is_empty() } else { true };
        if is_due && files(&folder, LOG)?.first().is_none_or(|(newest, _)| *newest < term) {
            create_with(&folder.join(file_name(LOG, term)), &signer.line())?;
        }
        match files(&folder, LOG)?.into_iter().next() {
            Some((_, path)) if text(&path)? != signer.line() => Err(KeysError::Taken { path }),
            _ => Ok(()),
        }
    }

    pub fn choose(&mut self, term: u32, log: &[u8; 32], host: &[u8; 32]) -> Result<(), KeysError> {
        let [log_name, host_name] = [LOG, HOST].map(|stem| file_name(stem, term));
        let names = [&log_name, &host_name].map(|name| (!self.folder.join(name).exists()).then(|| name.clone()));
        let log = self.logs.iter().find(|key| key.public().bytes() == log);
        let host = self.hosts.iter().find(|key| key.verifying_key().as_bytes() == host);
        let (Some(log), Some(host)) = (log, host) else {
            let missing: Vec<String> = names.into_iter().flatten().collect();
            return Err(match (log, missing.is_empty()) {
                (_, false) => KeysError::Missing { folder: self.folder.clone(), missing },
                (None, true) => KeysError::OtherLog { name: log_name },
                (Some(_), true) => KeysError::OtherHost { name: host_name },
            });
        };
        (self.log, self.host) = (log.clone(), host.clone());
        Ok(())
    }

    /// Reads the keys of a data folder, and creates an escrow key if there is none: the one before is lost for good.
    pub fn with_new_escrow(data: &Path, system: &System) -> Result<Self, KeysError> {
        let folder = data.join("keys");
        let missing = missing(&folder)?;
        if !missing.is_empty() {
            return Err(KeysError::Missing { folder, missing });
        }
        create(&folder.join(ESCROW), system)?;
        Self::read(&folder)
    }

    fn read(folder: &Path) -> Result<Self, KeysError> {
        let host = |(_, path): &(u32, PathBuf)| Ok(SigningKey::from_bytes(&read(path)?));
        let hosts = files(folder, HOST)?.iter().map(host).collect::<Result<Vec<_>, KeysError>>()?;
        let logs = files(folder, LOG)?.iter().map(|(_, path)| read_log(path)).collect::<Result<Vec<_>, _>>()?;
        let (Some(host), Some(log)) = (hosts.first().cloned(), logs.first().cloned()) else {
            return Err(KeysError::Missing { folder: folder.to_owned(), missing: missing(folder)? });
        };
        let escrow = read(&folder.join(ESCROW))?;
        // HMAC fills a key up with zeros to the 64 bytes of its hash's blocks.
        let mut block = [0; 64];
        block.iter_mut().zip(escrow).for_each(|(byte, key)| *byte = key);
        let under = |purpose: &str| <Hmac<Sha256> as KeyInit>::new(&block.into()).chain_update(purpose);
        let escrow_check = under("matchbook/escrow-key/1\n").finalize().into_bytes().into();
        let digest = under("matchbook/form-digest/1\n");
        let folder = folder.to_owned();
        Ok(Self {
            folder,
            host,
            log,
            hosts,
            logs,
            escrow: XChaCha20Poly1305::new(&escrow.into()),
            escrow_check,
            digest,
        })
    }

    #[must_use]
    pub fn host_public(&self) -> [u8; 32] {
        self.host.verifying_key().to_bytes()
    }

    /// The host's key for signing the receipts of a match, under a name: the one that the match names, so that a receipt stays
    /// the same. If that is not here any more, because it was lost or stolen, the present one.
    #[must_use]
    pub fn host_signer(&self, public: &str, name: KeyName) -> SignerKey {
        let is_named = |key: &&SigningKey| STANDARD.encode(key.verifying_key().as_bytes()) == public;
        SignerKey::from_seed(name, &self.hosts.iter().find(is_named).unwrap_or(&self.host).to_bytes())
    }

    #[must_use]
    pub fn host_public_text(&self) -> String {
        STANDARD.encode(self.host_public())
    }

    #[must_use]
    pub const fn log(&self) -> &LogKey {
        &self.log
    }

    /// A number that tells the escrow key from others and says nothing about it: the database keeps it.
    #[must_use]
    pub const fn escrow_check(&self) -> [u8; 32] {
        self.escrow_check
    }

    /// A keyed hash that distinguishes the contents of two forms. It must be keyed: there are so few moves that
    /// somebody with the database could find each from a plain hash.
    #[must_use]
    pub fn digest<'a>(&self, parts: impl IntoIterator<Item = &'a [u8]>) -> Hash {
        let mut digest = self.digest.clone();
        for part in parts {
            digest.update(&(part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        Hash::new(digest.finalize().into_bytes().into())
    }

    /// Encrypts an opening. `place` says where it belongs, and it can be decrypted only there.
    pub fn lock(&self, system: &System, place: &str, opening: &[u8]) -> Result<Vec<u8>, EscrowError> {
        let random = system.bytes32_for(place);
        let nonce: [u8; NONCE_BYTES] = std::array::from_fn(|at| random.get(at).copied().unwrap_or(0));
        let payload = Payload { msg: opening, aad: place.as_bytes() };
        let locked = self.escrow.encrypt(&XNonce::from(nonce), payload).map_err(|_| EscrowError)?;
        Ok([nonce.as_slice(), &locked].concat())
    }

    pub fn unlock(&self, place: &str, locked: &[u8]) -> Result<Vec<u8>, EscrowError> {
        let (nonce, locked) = locked.split_at_checked(NONCE_BYTES).ok_or(EscrowError)?;
        let nonce: [u8; NONCE_BYTES] = nonce.try_into().map_err(|_| EscrowError)?;
        let payload = Payload { msg: locked, aad: place.as_bytes() };
        self.escrow.decrypt(&XNonce::from(nonce), payload).map_err(|_| EscrowError)
    }
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Keys(..)")
    }
}

fn are(missing: &[String]) -> String {
    match missing {
        [] => String::new(),
        [one] => format!("{one} is"),
        [some @ .., last] => format!("{} and {last} are", some.join(", ")),
    }
}

/// The key files of a kind, of any term, the newest first; none if there is no folder.
fn files(folder: &Path, stem: &str) -> Result<Vec<(u32, PathBuf)>, KeysError> {
    let file = |error| KeysError::File { path: folder.to_owned(), error };
    let names = match fs::read_dir(folder) {
        Ok(names) => names,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(file(error)),
    };
    let mut files = Vec::new();
    for entry in names {
        let entry = entry.map_err(file)?;
        let name = entry.file_name();
        let term = name.to_str().and_then(|name| name.strip_prefix(stem)?.strip_suffix(".key"));
        let term = term.and_then(|term| if term.is_empty() { Some(1) } else { term.strip_prefix('-')?.parse().ok() });
        files.extend(term.map(|term| (term, entry.path())));
    }
    files.sort_unstable_by(|one, other| other.cmp(one));
    Ok(files)
}

fn missing(folder: &Path) -> Result<Vec<String>, KeysError> {
    let mut missing = Vec::new();
    for stem in [HOST, LOG] {
        missing.extend(files(folder, stem)?.is_empty().then(|| file_name(stem, 1)));
    }
    Ok(missing)
}

fn make_folder(folder: &Path) -> Result<(), KeysError> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|error| KeysError::File { path: folder.to_owned(), error })
}

fn create(path: &Path, system: &System) -> Result<(), KeysError> {
    create_with(path, &STANDARD.encode(system.bytes32()))
}

/// Creates a key's file, unless it is there. Of two simultaneous first starts, one creates it.
fn create_with(path: &Path, line: &str) -> Result<(), KeysError> {
    let file = |error| KeysError::File { path: path.to_owned(), error };
    let new_path = path.with_extension("new");
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new_path) {
        Ok(mut new) if !path.exists() => {
            writeln!(new, "{line}").map_err(file)?;
            new.sync_all().map_err(file)?;
            // A hard link never replaces a key that another process created in between.
            match fs::hard_link(&new_path, path) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(file(error)),
                _ => {}
            }
            fs::remove_file(&new_path).map_err(file)?;
            // A log is begun with the key next: it must not forget the file when the power fails.
            let folders = [path.parent(), path.parent().and_then(Path::parent)];
            folders.into_iter().flatten().try_for_each(|folder| File::open(folder)?.sync_all()).map_err(file)
        }
        Ok(_) => fs::remove_file(&new_path).map_err(file),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            // Left over by a start that was killed: the key was not in use yet.
            if path.exists() {
                return Ok(());
            }
            fs::remove_file(&new_path).map_err(file)?;
            create_with(path, line)
        }
        Err(error) => Err(file(error)),
    }
}

fn read(path: &Path) -> Result<[u8; 32], KeysError> {
    seed(path, &text(path)?)
}

fn read_log(path: &Path) -> Result<LogKey, KeysError> {
    let text = text(path)?;
    LogKey::of_command(&text).map_or_else(|| Ok(LogKey::Seed(seed(path, &text)?)), Ok)
}

fn seed(path: &Path, text: &str) -> Result<[u8; 32], KeysError> {
    let bytes = STANDARD.decode(text).ok().and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or_else(|| KeysError::Content { path: path.to_owned() })
}

/// The text of a key's file, which nobody else may read: the command of a log's key may say more than it should.
fn text(path: &Path) -> Result<String, KeysError> {
    let file = |error| KeysError::File { path: path.to_owned(), error };
    let mut text = String::new();
    let mut open = OpenOptions::new().read(true).open(path).map_err(file)?;
    if open.metadata().map_err(file)?.permissions().mode() & 0o077 != 0 {
        return Err(KeysError::Open { path: path.to_owned() });
    }
    open.read_to_string(&mut text).map_err(file)?;
    Ok(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_locks_for_one_place() {
        let folder = tempfile::tempdir().unwrap();
        let system = System::real();
        let keys = Keys::open(folder.path(), &system).unwrap();
        let locked = keys.lock(&system, "m/d1/p1", b"score grow").unwrap();
        let again = Keys::open(folder.path(), &system).unwrap();
        assert_eq!(again.host_public(), keys.host_public());
        assert_eq!(again.log().public(), keys.log().public());
        assert_ne!(keys.log().public().bytes(), &keys.host_public());
        assert_eq!(again.unlock("m/d1/p1", &locked).unwrap(), b"score grow");
        assert_eq!(again.unlock("m/d1/p2", &locked), Err(EscrowError));
        assert_eq!(again.unlock("m/d1/p1", &locked[..9]), Err(EscrowError));
    }

    #[test]
    fn no_key_is_made_for_a_database_that_has_a_log() {
        let folder = tempfile::tempdir().unwrap();
        let refused = Keys::existing(folder.path()).unwrap_err().to_string();
        assert!(refused.starts_with("host.key, log.key and escrow.key are missing in "), "{refused}");
        assert!(!folder.path().join("keys").exists(), "nothing was made");
        let keys = Keys::open(folder.path(), &System::real()).unwrap();
        fs::remove_file(folder.path().join("keys/escrow.key")).unwrap();
        let refused = Keys::existing(folder.path()).unwrap_err().to_string();
        assert!(refused.starts_with("escrow.key is missing in "), "{refused}");
        let renewed = Keys::with_new_escrow(folder.path(), &System::real()).unwrap();
        assert_eq!(renewed.host_public(), keys.host_public());
        assert_ne!(renewed.escrow_check(), keys.escrow_check());
        fs::remove_file(folder.path().join("keys/log.key")).unwrap();
        let refused = Keys::with_new_escrow(folder.path(), &System::real()).unwrap_err().to_string();
        assert!(refused.starts_with("log.key is missing in "), "{refused}");
    }

    #[test]
    fn a_digest_needs_the_key_and_keeps_parts_apart() {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let of = |folder: &tempfile::TempDir| Keys::open(folder.path(), &System::real()).unwrap();
        let digest = |keys: &Keys, parts: &[&str]| keys.digest(parts.iter().map(|part| part.as_bytes()));
        assert_eq!(digest(&of(&one), &["d1", "grow"]), digest(&of(&one), &["d1", "grow"]));
        assert_ne!(digest(&of(&one), &["d1", "grow"]), digest(&of(&one), &["d1g", "row"]));
        assert_ne!(digest(&of(&one), &["d1", "grow"]), digest(&of(&two), &["d1", "grow"]));
    }

    #[test]
    fn a_key_that_others_can_read_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        Keys::open(folder.path(), &System::real()).unwrap();
        let path = folder.path().join("keys/host.key");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let refused = Keys::open(folder.path(), &System::real()).unwrap_err().to_string();
        assert!(refused.ends_with("can be read by others: chmod 600 it, and ask yourself who has"), "{refused}");
    }
}
