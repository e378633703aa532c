//! The keys of encrypted backups. The program `age` (age-encryption.org) encrypts and opens them.
//!
//! Encryption hides a backup and does not say who made it: `matchbook restore` checks the whole log either way.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, anyhow, bail, ensure};
use clap::Args;
use tokio::process::{Child, Command};

const ENDING: &str = ".age";

/// Who can open a new backup.
#[derive(Debug, Args)]
pub(super) struct RecipientArguments {
    /// Encrypt the backup for this recipient: age1..., as age-keygen prints it. Can be given several times.
    #[arg(long, value_name = "AGE1...", value_parser = recipient)]
    recipient: Vec<String>,

    /// Encrypt the backup for the recipients in this file, one a line; lines that begin with # are comments.
    #[arg(long, env = "MATCHBOOK_BACKUP_RECIPIENTS", value_name = "FILE")]
    recipients_file: Option<PathBuf>,
}

/// What opens an encrypted backup.
#[derive(Debug, Args)]
pub(super) struct IdentityArguments {
    /// The file with the secret key of a recipient, as age-keygen writes it. Can be given several times.
    #[arg(long, value_name = "FILE")]
    pub(super) identity: Vec<PathBuf>,
}

/// The public keys that a backup is encrypted for.
pub(super) struct Recipients(Vec<String>);

impl RecipientArguments {
    /// Tries them as well: a backup that cannot be encrypted is not begun.
    pub(super) async fn read(&self) -> anyhow::Result<Option<Recipients>> {
        let mut all = self.recipient.clone();
        if let Some(file) = self.recipients_file.as_ref().filter(|file| !file.as_os_str().is_empty()) {
            let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
            let before = all.len();
            for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
                all.push(recipient(line).map_err(|why| anyhow!("{}: {line}: {why}", file.display()))?);
            }
            ensure!(all.len() > before, "there is no recipient in {}", file.display());
        }
        if all.is_empty() {
            return Ok(None);
        }
        let recipients = Recipients(all);
        ended(recipients.encrypt(Stdio::null(), Stdio::null())?).await?;
        Ok(Some(recipients))
    }
}

impl Recipients {
    /// Begins to encrypt for them. It is done when [`ended`] says so.
    pub(super) fn encrypt(&self, from: impl Into<Stdio>, to: impl Into<Stdio>) -> anyhow::Result<Child> {
        let mut command = Command::new("age");
        for recipient in &self.0 {
            command.args(["--recipient", recipient]);
        }
        run(command.stdin(from).stdout(to))
    }
}

impl IdentityArguments {
    pub(super) async fn decrypt(&self, from: &Path, to: File) -> anyhow::Result<()> {
        let name = from.display();
        let opened = File::open(from).with_context(|| format!("cannot read {name}"))?;
        let mut command = Command::new("age");
        command.arg("--decrypt");
        for file in &self.identity {
            command.arg("--identity").arg(file);
        }
        let child = run(command.stdin(opened).stdout(to).stderr(Stdio::piped()))?;
        let output = child.wait_with_output().await?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(
            !said.contains("no identity matched"),
            "the key does not open {name}: the backup was encrypted for another one"
        );
        ensure!(
            output.status.success(),
            "{name} cannot be decrypted with this key, or it is damaged or cut short. {said}"
        );
        Ok(())
    }
}

/// Waits until `age` has written the last of it, without which nothing opens the file.
pub(super) async fn ended(mut child: Child) -> anyhow::Result<()> {
    ensure!(child.wait().await?.success(), "age failed; its own words are above");
    Ok(())
}

fn run(command: &mut Command) -> anyhow::Result<Child> {
    match command.kill_on_drop(true).spawn() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!("an encrypted backup needs the program age, which is not installed (Debian's package age)")
        }
        spawned => spawned.context("cannot run age"),
    }
}

pub(super) fn encrypted(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ENDING);
    name.into()
}

fn recipient(text: &str) -> Result<String, String> {
    let is_one = text.starts_with("age1") && text.len() == 62 && text.chars().all(|sign| sign.is_ascii_alphanumeric());
    is_one
        .then(|| text.to_owned())
        .ok_or_else(|| "a recipient is age1 and 58 characters, as age-keygen prints it".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    // Key pairs of age's own tests.
    const ONE: &str = "age1t7rxyev2z3rw82stdlrrepyc39nvn86l5078zqkf5uasdy86jp6svpy7pa";
    const RIGHT: &str = "AGE-SECRET-KEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33\n";
    const WRONG: &str = "AGE-SECRET-KEY-1YSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJQMG2N0K\n";

    fn file(folder: &Path, name: &str, text: &str) -> PathBuf {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path
    }

    #[tokio::test]
    async fn a_key_opens_what_is_encrypted_for_it_and_another_one_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let [right, wrong] = [RIGHT, WRONG].map(|key| file(folder.path(), &key[17..25], key));
        let plain = file(folder.path(), "host.key", "a key");
        let sealed = encrypted(&plain);
        let recipients = RecipientArguments { recipient: vec![ONE.to_owned()], recipients_file: None };
        let recipients = recipients.read().await.unwrap().unwrap();
        let age = recipients.encrypt(File::open(&plain).unwrap(), File::create(&sealed).unwrap()).unwrap();
        ended(age).await.unwrap();
        let open = async |identity: &Path, name: &str| {
            let to = folder.path().join(name);
            let arguments = IdentityArguments { identity: vec![identity.to_owned()] };
            arguments.decrypt(&sealed, File::create(&to).unwrap()).await.map(|()| fs::read_to_string(to).unwrap())
        };
        assert_eq!(open(&right, "1").await.unwrap(), "a key");
        let said = open(&wrong, "2").await.unwrap_err().to_string();
        assert!(said.contains("the key does not open") && said.ends_with("encrypted for another one"), "{said}");
        File::options().write(true).open(&sealed).unwrap().set_len(204).unwrap();
        assert!(open(&right, "3").await.unwrap_err().to_string().contains("is damaged or cut short"));
    }

    #[tokio::test]
    async fn recipients_are_read_from_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let read = async |text: &str| {
            let named = Some(file(folder.path(), "recipients", text));
            let arguments = RecipientArguments { recipient: Vec::new(), recipients_file: named };
            arguments.read().await.map(|read| read.map_or(0, |recipients| recipients.0.len()))
        };
        assert_eq!(read(&format!("# Ursula\n{ONE}\n\n  {ONE}  \n")).await.unwrap(), 2);
        assert!(read("# nobody\n").await.unwrap_err().to_string().starts_with("there is no recipient in"));
        assert!(read("age1nobody\n").await.unwrap_err().to_string().ends_with("as age-keygen prints it"));
        // Its checksum shows a wrong letter.
        assert!(read(&ONE.replace("pa", "pp")).await.unwrap_err().to_string().starts_with("age failed"));
        let nothing = RecipientArguments { recipient: Vec::new(), recipients_file: None }.read().await;
        assert!(nothing.unwrap().is_none());
    }
}
