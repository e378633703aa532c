//! The reason why a match cannot wait for witnesses.

use thiserror::Error;

/// The reason why a match cannot wait for witnesses. Displayed as a sentence for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CannotWait {
    /// The site has no policy, or one that asks for nobody.
    #[error("this site has no witnesses, so a match cannot wait for them")]
    NoWitnesses,
    /// The witnesses that can be asked are too few for the quorum.
    #[error(
        "too few of this site\u{2019}s witnesses have an address, so a match cannot wait for them: its operator can add \
         addresses to the policy"
    )]
    NoAddresses,
    /// Practice is in no public log.
    #[error("practice is in no public log, so no witness sees it: a practice match cannot wait for them")]
    Practice,
}
