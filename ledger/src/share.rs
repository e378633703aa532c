//! Shares: the contributions of host and players to a draw, so that none of them alone decides its result.

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::serde_as_text::{debug_hidden, secret_as_hex};

/// 32 bytes of the host's or of a seat's. Secret until they are opened; `Debug` does not show them.
#[derive(Clone, PartialEq, Eq)]
pub struct Share([u8; 32]);

/// The text is not a share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a share is 64 lower-case hex digits")]
pub struct ShareError;

impl Share {
    /// The share of a seat that gave none: 32 zero bytes.
    pub const NONE: Self = Self([0; 32]);

    /// A share of 32 bytes; the host's must be fresh and random.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The share of a typed line: 64 lower-case hex digits are the share itself; for any other line it is the SHA-256
    /// of its UTF-8.
    #[must_use]
    pub fn of_line(line: &str) -> Self {
        Self::from_hex(line).unwrap_or_else(|_| Self(Sha256::digest(line).into()))
    }

    /// The 32 bytes.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

secret_as_hex!(Share, ShareError, ShareError);
debug_hidden!(Share);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_gives_a_share() {
        let share = Share::of_line("the owl is late");
        assert_eq!(share.to_hex(), "c412f64290f8b20dfec0e74eaef53131a614fb2396a0db534290297cfd1db3b7");
        assert_eq!(Share::of_line(&share.to_hex()), share, "hex digits are the share itself");
        assert_ne!(Share::of_line(&share.to_hex().to_uppercase()), share, "in one notation only");
        assert_eq!(Share::from_hex(&share.to_hex()), Ok(share));
    }

    #[test]
    fn no_share_is_shown() {
        assert_eq!(format!("{:?}", Share::of_line("x")), "Share(..)");
        assert_eq!(Share::NONE.to_hex(), "0".repeat(64));
    }
}
