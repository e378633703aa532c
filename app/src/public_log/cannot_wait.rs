//! The reason why a match cannot wait for witnesses.

use thiserror::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CannotWait {
    #[error("this site has no witnesses, so a match cannot wait for them")]
    NoWitnesses,
    #[error(
        "too few of this site\u{2019}s witnesses have an address, so a match cannot wait for them: its operator can add \
         addresses to the policy"
    )]
    NoAddresses,
    #[error("practice is in no public log, so no witness sees it: a practice match cannot wait for them")]
    Practice,
}
