//! The policy file of this site (C2SP tlog-policy): the witnesses to ask, and the quorum for a witnessed checkpoint.
//! Both are in one file, so that they cannot disagree.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ledger::policy::{JudgeError, PolicyError};
use ledger::{CosignedAt, Note, Policy, VerifierKey};
use thiserror::Error;

use super::client::Witness;

#[derive(Debug, Clone)]
pub struct SitePolicy {
    policy: Policy,
    others: String,
}

#[derive(Debug, Error)]
pub enum PolicyFileError {
    /// The file cannot be read.
    #[error("the policy file {}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// It is not a policy.
    #[error("the policy file {}: {error}", path.display())]
    Policy {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: PolicyError,
    },
    /// A witness has an unusable address.
    #[error("the witness {witness} has the address {address}: it starts with http:// or https://")]
    Address {
        /// Its name in the policy.
        witness: String,
        /// The address.
        address: String,
    },
    /// A witness to ask has a key that this program cannot verify.
    #[error(
        "the witness {0} has a key that this program cannot verify with (ML-DSA): take its address away, and it is not asked"
    )]
    Key(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PolicyStatus {
    pub cosigned: usize,
    pub known: usize,
    pub met: bool,
    pub asks: bool,
    pub reached: Option<CosignedAt>,
}

impl SitePolicy {
    pub fn read(path: &Path) -> Result<Self, PolicyFileError> {
        let file = fs::read(path).map_err(|error| PolicyFileError::File { path: path.to_owned(), error })?;
        let policy = Policy::read(&file).map_err(|error| PolicyFileError::Policy { path: path.to_owned(), error })?;
        let lines =
            String::from_utf8_lossy(&file).lines().map(str::trim).map(|line| format!("{line}\n")).collect::<Vec<_>>();
        let said = |line: &&String| {
            !line.starts_with('#') && !line.starts_with("log") && !line.starts_with("ended") && !line.trim().is_empty()
        };
        let others = lines.iter().filter(said).map(String::as_str).collect();
        Ok(Self { others, ..Self::of(policy)? })
    }

    #[must_use]
    pub fn others(&self) -> &str {
        &self.others
    }

    pub fn of(policy: Policy) -> Result<Self, PolicyFileError> {
        for witness in policy.witnesses() {
            let Some(address) = witness.url.as_ref().map(ToString::to_string) else { continue };
            if !address.starts_with("http://") && !address.starts_with("https://") {
                return Err(PolicyFileError::Address { witness: witness.name.to_string(), address });
            }
            if !witness.key.can_verify() {
                return Err(PolicyFileError::Key(witness.name.to_string()));
            }
        }
        Ok(Self { policy, others: "quorum none\n".to_owned() })
    }

    #[must_use]
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    #[must_use]
    pub fn witnesses(&self) -> Vec<Witness> {
        let asked = self.policy.witnesses().iter().filter_map(|witness| {
            let (name, key) = (witness.name.to_string(), witness.key.clone());
            Some(Witness { name, key, prefix: witness.url.as_ref()?.to_string() })
        });
        asked.collect()
    }

    pub fn status(&self, checkpoint: &Note, log: &VerifierKey) -> Result<PolicyStatus, JudgeError> {
        let judged = self.policy.judge_as_of(checkpoint, [log])?;
        Ok(PolicyStatus {
            cosigned: judged.cosigned.len(),
            known: self.policy.witnesses().len(),
            met: judged.quorum == ledger::policy::QuorumStatus::Witnessed,
            asks: !self.policy.asks_for_nobody(),
            reached: self.policy.reached_at(&judged.cosigned),
        })
    }

    #[must_use]
    pub fn can_be_asked(&self) -> bool {
        !self.policy.asks_for_nobody() && self.policy.is_met_by(|witness| witness.url.is_some())
    }
}

impl fmt::Display for PolicyStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cosigned, known, met, asks, .. } = self;
        match (asks, met) {
            (false, _) if *known == 0 => f.write_str("not witnessed by anybody, and the policy asks for nobody"),
            (false, _) => write!(f, "witnessed by {cosigned} of {known}, and the policy asks for nobody"),
            (true, true) => write!(f, "witnessed by {cosigned} of {known}, as the policy asks"),
            (true, false) => write!(f, "witnessed by {cosigned} of {known}, fewer or others than the policy asks for"),
        }
    }
}

#[cfg(test)]
mod tests {
    use ledger::checkpoint::Checkpoint;
    use ledger::{CosignedAt, CosignerKey, OriginLine, SignerKey, Tree};

    use super::*;

    fn witness(name: &str, seed: u8) -> CosignerKey {
        CosignerKey::from_seed(name.parse().unwrap(), &[seed; 32])
    }

    fn policy(lines: &str) -> Result<SitePolicy, PolicyFileError> {
        SitePolicy::of(Policy::read(lines.as_bytes()).unwrap())
    }

    #[test]
    fn in_words() {
        let (a, b) = (witness("a", 1), witness("b", 2));
        let file = format!(
            "witness a {} http://127.0.0.1:1\nwitness b {}\ngroup both all a b\nquorum both\n",
            a.verifier(),
            b.verifier()
        );
        let policy = policy(&file).unwrap();
        assert_eq!(policy.witnesses().iter().map(|asked| asked.name.as_str()).collect::<Vec<_>>(), ["a"]);
        let log = SignerKey::from_seed("example.com/log".parse().unwrap(), &[3; 32]);
        let origin: OriginLine = "example.com/log".parse().unwrap();
        let mut note = Checkpoint::new(origin, Tree::empty()).sign(&log);
        let said = |note: &Note| policy.status(note, log.verifier()).unwrap().to_string();
        assert_eq!(said(&note), "witnessed by 0 of 2, fewer or others than the policy asks for");
        for key in [&a, &b] {
            note.add(key.cosign(note.text(), CosignedAt::from_seconds(1).unwrap())).unwrap();
        }
        assert_eq!(said(&note), "witnessed by 2 of 2, as the policy asks");
        let nobody = SitePolicy::of(Policy::read(b"quorum none\n").unwrap()).unwrap();
        let said = nobody.status(&note, log.verifier()).unwrap().to_string();
        assert_eq!(said, "not witnessed by anybody, and the policy asks for nobody");
    }

    #[test]
    fn what_cannot_be_asked_is_refused_at_the_start() {
        let key = witness("a", 1).verifier().clone();
        let refused = policy(&format!("witness a {key} example.com\nquorum a\n")).unwrap_err().to_string();
        assert_eq!(refused, "the witness a has the address example.com: it starts with http:// or https://");
        let missing = SitePolicy::read(Path::new("no-such-policy")).unwrap_err().to_string();
        assert!(missing.starts_with("the policy file no-such-policy: "), "{missing}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("policy");
        fs::write(&path, "quorum a\n").unwrap();
        let wrong = SitePolicy::read(&path).unwrap_err().to_string();
        assert!(wrong.ends_with("line 1 of the policy: no earlier line defines a"), "{wrong}");
    }
}
