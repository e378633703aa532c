//! The keys of encrypted backups. Files are in the format of age (age-encryption.org/v1), which the programs `age` and
//! `rage` read as well.
//!
//! Encryption hides a backup and does not say who made it: `matchbook restore` checks the whole log either way.

use std::fs::{self, File};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use age::secrecy::SecretString;
use age::stream::StreamWriter;
use age::{DecryptError, Decryptor, Encryptor, Identity, IdentityFile, Recipient, scrypt, x25519};
use anyhow::{Context, anyhow, bail, ensure};
use clap::Args;

const ENDING: &str = ".age";

/// Who can open a new backup.
#[derive(Debug, Args)]
pub(super) struct RecipientArguments {
    /// Encrypt the backup for this recipient: age1..., as age-keygen prints it. Can be given several times.
    #[arg(long, value_name = "AGE1...", value_parser = recipient)]
    recipient: Vec<x25519::Recipient>,

    /// Encrypt the backup for the recipients in this file, one a line; lines that begin with # are comments.
    #[arg(long, env = "MATCHBOOK_BACKUP_RECIPIENTS", value_name = "FILE")]
    recipients_file: Option<PathBuf>,

    /// Encrypt the backup with the passphrase in the first line of this file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["recipient", "recipients_file"])]
    passphrase_file: Option<PathBuf>,
}

/// What opens an encrypted backup.
#[derive(Debug, Args)]
pub(super) struct IdentityArguments {
    /// The file with the secret key of a recipient, as age-keygen writes it. Can be given several times.
    #[arg(long, value_name = "FILE")]
    identity: Vec<PathBuf>,

    /// The file with the passphrase in its first line.
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
}

/// The recipients of a backup: people with a key, or whoever knows the passphrase.
pub(super) struct Recipients(Vec<Box<dyn Recipient + Send>>);

pub(super) struct Identities(Vec<Box<dyn Identity + Send + Sync>>);

impl RecipientArguments {
    pub(super) fn read(&self) -> anyhow::Result<Option<Recipients>> {
        if let Some(file) = &self.passphrase_file {
            return Ok(Some(Recipients(vec![Box::new(scrypt::Recipient::new(passphrase(file)?))])));
        }
        let mut all = self.recipient.clone();
        if let Some(file) = self.recipients_file.as_ref().filter(|file| !file.as_os_str().is_empty()) {
            let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
            let before = all.len();
            for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
                all.push(recipient(line).map_err(|why| anyhow!("{}: {line}: {why}", file.display()))?);
            }
            ensure!(all.len() > before, "there is no recipient in {}", file.display());
        }
        let boxed = |one: x25519::Recipient| -> Box<dyn Recipient + Send> { Box::new(one) };
        Ok((!all.is_empty()).then(|| Recipients(all.into_iter().map(boxed).collect())))
    }
}

impl Recipients {
    /// A writer that encrypts for them. Its `finish` writes the end, without which the file is not opened.
    pub(super) fn encrypt<W: Write>(&self, to: W) -> anyhow::Result<StreamWriter<W>> {
        let recipients = self.0.iter().map(|recipient| recipient.as_ref() as &dyn Recipient);
        let encryptor = Encryptor::with_recipients(recipients).map_err(|error| anyhow!("cannot encrypt: {error}"))?;
        Ok(encryptor.wrap_output(to)?)
    }
}

impl IdentityArguments {
    pub(super) fn read(&self) -> anyhow::Result<Identities> {
        let mut all: Vec<Box<dyn Identity + Send + Sync>> = Vec::new();
        for file in &self.identity {
            let opened = File::open(file).with_context(|| format!("cannot read {}", file.display()))?;
            let read = IdentityFile::from_buffer(BufReader::new(opened)).map(IdentityFile::into_identities);
            let Ok(Ok(identities)) = read else { bail!("{} has no secret key of age-keygen", file.display()) };
            all.extend(identities);
        }
        if let Some(file) = &self.passphrase_file {
            all.push(Box::new(scrypt::Identity::new(passphrase(file)?)));
        }
        Ok(Identities(all))
    }
}

impl Identities {
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn decrypt(&self, from: &Path, mut to: File) -> anyhow::Result<()> {
        let name = from.display();
        let opened = File::open(from).with_context(|| format!("cannot read {name}"))?;
        let failed = |error| match error {
            DecryptError::NoMatchingKeys | DecryptError::DecryptionFailed | DecryptError::KeyDecryptionFailed => {
                anyhow!("the key or the passphrase does not open {name}: the backup was encrypted for another one")
            }
            error => anyhow!("{name} cannot be decrypted: {error}"),
        };
        let decryptor = Decryptor::new(BufReader::new(opened)).map_err(failed)?;
        let identities = self.0.iter().map(|identity| identity.as_ref() as &dyn Identity);
        let mut plain = decryptor.decrypt(identities).map_err(failed)?;
        io::copy(&mut plain, &mut to).with_context(|| format!("{name} is damaged or cut short"))?;
        Ok(())
    }
}

pub(super) fn encrypted(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ENDING);
    name.into()
}

fn recipient(text: &str) -> Result<x25519::Recipient, String> {
    text.parse().map_err(|_| "a recipient is age1 and 58 characters, as age-keygen prints it".to_owned())
}

fn passphrase(file: &Path) -> anyhow::Result<SecretString> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let line = text.lines().next().unwrap_or_default();
    ensure!(!line.is_empty(), "the first line of {} has no passphrase", file.display());
    Ok(SecretString::from(line.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(folder: &Path, name: &str, text: &str) -> PathBuf {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path
    }

    #[test]
    fn a_passphrase_opens_what_it_closed_and_another_one_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let right = file(folder.path(), "right", "correct horse\nnot this line\n");
        let wrong = file(folder.path(), "wrong", "battery staple\n");
        let arguments =
            RecipientArguments { recipient: Vec::new(), recipients_file: None, passphrase_file: Some(right.clone()) };
        let sealed = folder.path().join("host.key.age");
        let mut writer = arguments.read().unwrap().unwrap().encrypt(File::create(&sealed).unwrap()).unwrap();
        writer.write_all(b"a key").unwrap();
        writer.finish().unwrap();
        let open = |passphrase: &Path, name: &str| {
            let arguments = IdentityArguments { identity: Vec::new(), passphrase_file: Some(passphrase.to_owned()) };
            let to = folder.path().join(name);
            let done = arguments.read().unwrap().decrypt(&sealed, File::create(&to).unwrap());
            done.map(|()| fs::read_to_string(to).unwrap())
        };
        assert_eq!(open(&right, "1").unwrap(), "a key");
        let said = open(&wrong, "2").unwrap_err().to_string();
        assert!(said.contains("the passphrase does not open") && said.ends_with("encrypted for another one"), "{said}");
        let cut = fs::read(&sealed).unwrap();
        fs::write(&sealed, &cut[..cut.len() - 1]).unwrap();
        assert!(open(&right, "3").unwrap_err().to_string().ends_with("is damaged or cut short"));
    }

    #[test]
    fn recipients_are_read_from_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let read = |text: &str| {
            let named = Some(file(folder.path(), "recipients", text));
            let arguments = RecipientArguments { recipient: Vec::new(), recipients_file: named, passphrase_file: None };
            arguments.read().map(|read| read.map_or(0, |recipients| recipients.0.len()))
        };
        let one = "age1t7rxyev2z3rw82stdlrrepyc39nvn86l5078zqkf5uasdy86jp6svpy7pa";
        assert_eq!(read(&format!("# Ursula\n{one}\n\n  {one}  \n")).unwrap(), 2);
        assert!(read("# nobody\n").unwrap_err().to_string().starts_with("there is no recipient in"));
        assert!(read("age1nobody\n").unwrap_err().to_string().ends_with("as age-keygen prints it"));
        let nothing = RecipientArguments { recipient: Vec::new(), recipients_file: None, passphrase_file: None };
        assert!(nothing.read().unwrap().is_none());
    }
}
