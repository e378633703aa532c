//! The players that a reader knows, each with a key that the reader has from the player and not from the host.

use std::str::FromStr;

use ledger::PlayerKey;

use crate::name_key::name_key;

/// A player by name, and a key of the player's chain. Written `NAME=KEY`, the key in base64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownPlayer {
    /// The name, as matches have it.
    pub name: String,
    /// Any key that ever stood in the player's chain.
    pub key: PlayerKey,
    /// The reader asks for this player: a match without it fails, and so does one without keys.
    pub asked: bool,
}

/// The line is no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line:?} is no NAME=KEY, with an Ed25519 public key in base64")]
pub struct KnownPlayerError {
    line: String,
}

impl KnownPlayer {
    /// Reads a file of players: one `NAME=KEY` a line. Empty lines, and lines that begin with `#`, say nothing.
    pub fn read_all(text: &str) -> Result<Vec<Self>, KnownPlayerError> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines.map(str::parse).collect()
    }

    /// True if a match calls the player by this name: compared without case and accents, as everywhere.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        name_key(&self.name) == name_key(name)
    }
}

impl FromStr for KnownPlayer {
    type Err = KnownPlayerError;

    fn from_str(line: &str) -> Result<Self, KnownPlayerError> {
        let error = || KnownPlayerError { line: line.to_owned() };
        // A name may have the sign too; a key ends with it.
        let (name, key) = line.trim().strip_suffix('=').and_then(|line| line.rsplit_once('=')).ok_or_else(error)?;
        let key = format!("{}=", key.trim()).parse().map_err(|_| error())?;
        let name = name.trim();
        if name.is_empty() { Err(error()) } else { Ok(Self { name: name.to_owned(), key, asked: false }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=";

    #[test]
    fn a_file_of_players() {
        let file = format!("# who I know\n\nAda = {KEY}\nB=o={KEY}\n");
        let known = KnownPlayer::read_all(&file).unwrap();
        assert_eq!(known.iter().map(|known| known.name.as_str()).collect::<Vec<_>>(), ["Ada", "B=o"]);
        assert!(known[0].is_called("ÁDA") && !known[0].is_called("Bo"));
        assert_eq!(known[1].key.to_string(), KEY);
        for wrong in [KEY, "Ada=", "=A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=", "Ada=AAAA", "Ada"] {
            assert!(KnownPlayer::read_all(wrong).is_err(), "{wrong}");
        }
        let weak = format!("Ada={}=", "A".repeat(43));
        assert!(KnownPlayer::read_all(&weak).unwrap_err().to_string().starts_with(&format!("{weak:?} is no NAME=KEY")));
    }
}
