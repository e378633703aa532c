//! The system account of the private PostgreSQL. PostgreSQL refuses to run as root, so root switches to an account that
//! owns nothing else of Matchbook's.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use nix::unistd::{Gid, Uid, User};
use thiserror::Error;

const SYSTEM_ACCOUNTS: [&str; 2] = ["matchbook", "postgres"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Account {
    pub(super) uid: Uid,
    pub(super) gid: Gid,
    pub(super) name: String,
}

#[derive(Debug, Error)]
pub enum AccountError {
    /// The user has no name, which peer authentication and initdb need.
    #[error("the user id {0} has no name on this system, and PostgreSQL needs one: add it to /etc/passwd")]
    Nameless(Uid),
    /// The process runs as root, and there is no account to switch to.
    #[error(
        "PostgreSQL does not run as root, and this system has neither a user \"matchbook\" nor a user \"postgres\": \
         create one (useradd --system matchbook), or run matchbook as an ordinary user"
    )]
    NobodyToStepDownTo,
    /// The list of users cannot be read.
    #[error("the system's list of users cannot be read: {0}")]
    Users(io::Error),
    /// The system refused the change of user.
    #[error("cannot step down from root to the user {name}: {said}")]
    StepDown {
        /// The chosen account.
        name: String,
        /// The system's message.
        said: io::Error,
    },
}

impl Account {
    pub(super) fn of(uid: Uid) -> Result<Self, AccountError> {
        let user = User::from_uid(uid).map_err(|e| AccountError::Users(e.into()))?;
        user.map(Self::from).ok_or(AccountError::Nameless(uid))
    }

    pub(super) fn system() -> Result<Self, AccountError> {
        for name in SYSTEM_ACCOUNTS {
            if let Some(user) = User::from_name(name).map_err(|e| AccountError::Users(e.into()))? {
                return Ok(user.into());
            }
        }
        Err(AccountError::NobodyToStepDownTo)
    }

    /// True if this account can enter `folder`. It is tried and not calculated, because modes are not the only
    /// condition.
    pub(super) fn can_enter(&self, folder: &Path) -> bool {
        Command::new("true")
            .uid(self.uid.as_raw())
            .gid(self.gid.as_raw())
            .current_dir(folder)
            .stdin(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    }

    /// If this process runs as root, switches it to this account permanently.
    pub(super) fn step_down(&self) -> Result<(), AccountError> {
        if !Uid::effective().is_root() {
            return Ok(());
        }
        let refused = |e: nix::Error| AccountError::StepDown { name: self.name.clone(), said: e.into() };
        // The groups first: without root they can no longer be given up.
        #[cfg(not(target_vendor = "apple"))]
        nix::unistd::setgroups(&[self.gid]).map_err(refused)?;
        nix::unistd::setgid(self.gid).map_err(refused)?;
        nix::unistd::setuid(self.uid).map_err(refused)
    }
}

impl From<User> for Account {
    fn from(user: User) -> Self {
        Self { uid: user.uid, gid: user.gid, name: user.name }
    }
}
