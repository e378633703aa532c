//! The witness's own key: given as text or as a file, or created once and stored in the data folder.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use app::system::System;
use ledger::note::SignerError;
use ledger::{CosignerKey, KeyName};
use thiserror::Error;

const NOTATION: &str = "PRIVATE+KEY+";

#[derive(Debug, Error)]
pub enum KeyError {
    #[error("the key file {}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        error: io::Error,
    },
    #[error(transparent)]
    NotAKey(#[from] SignerError),
    #[error("the key in {} is that of {found}: a witness keeps its name, or starts again in another data folder", path.display())]
    OtherName {
        /// The file.
        path: PathBuf,
        /// Its name.
        found: KeyName,
    },
}

pub fn read_key(text_or_path: &str) -> Result<CosignerKey, KeyError> {
    if text_or_path.starts_with(NOTATION) {
        return Ok(CosignerKey::read_either(text_or_path.trim_end())?);
    }
    let path = Path::new(text_or_path);
    let file = |error| KeyError::File { path: path.to_owned(), error };
    if fs::metadata(path).map_err(file)?.permissions().mode() & 0o077 != 0 {
        tracing::warn!("the key file {} can be read by others: chmod 600 it, and ask yourself who has", path.display());
    }
    Ok(CosignerKey::read_either(fs::read_to_string(path).map_err(file)?.trim_end())?)
}

/// Reads the key of a data folder; creates it at the first start.
pub fn make_key(data: &Path, name: &KeyName, system: &System) -> Result<CosignerKey, KeyError> {
    let path = data.join("keys").join("witness.key");
    let file = |error| KeyError::File { path: path.clone(), error };
    if !path.exists() {
        let folder = data.join("keys");
        DirBuilder::new().recursive(true).mode(0o700).create(&folder).map_err(file)?;
        let key = CosignerKey::from_seed(name.clone(), &system.bytes32());
        let new = folder.join(format!("witness.{}.new", system.uuid().simple()));
        let mut made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new).map_err(file)?;
        writeln!(made, "{}", key.to_private_text()).and_then(|()| made.sync_all()).map_err(file)?;
        // A hard link never replaces a key that a simultaneous first start created.
        match fs::hard_link(&new, &path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(file(error)),
            _ => fs::remove_file(&new).map_err(file)?,
        }
    }
    let key = read_key(&path.to_string_lossy())?;
    if key.verifier().name() == name {
        Ok(key)
    } else {
        Err(KeyError::OtherName { found: key.verifier().name().clone(), path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_text_or_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let key = CosignerKey::from_seed("witness.example/w1".parse().unwrap(), &[7; 32]);
        let text = key.to_private_text();
        assert_eq!(read_key(&text).unwrap().verifier(), key.verifier());
        let path = folder.path().join("key");
        fs::write(&path, format!("{text}\n")).unwrap();
        assert_eq!(read_key(path.to_str().unwrap()).unwrap().verifier(), key.verifier());
        let altered = read_key(&text.replace("w1", "w2")).unwrap_err().to_string();
        assert!(!altered.contains(&text[40..]), "{altered}");
        assert!(read_key("no-such-file").unwrap_err().to_string().starts_with("the key file no-such-file: "));
    }

    #[test]
    fn a_key_is_made_once() {
        let folder = tempfile::tempdir().unwrap();
        let (name, system) = ("witness.example/w1".parse().unwrap(), System::real());
        let key = make_key(folder.path(), &name, &system).unwrap();
        assert_eq!(make_key(folder.path(), &name, &system).unwrap().verifier(), key.verifier());
        let mode = fs::metadata(folder.path().join("keys/witness.key")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let other = make_key(folder.path(), &"witness.example/w2".parse().unwrap(), &system).unwrap_err().to_string();
        assert!(other.contains("is that of witness.example/w1: a witness keeps its name"), "{other}");
    }
}
