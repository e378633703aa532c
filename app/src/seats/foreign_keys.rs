//! Keys that are somebody else's, and so no seat's: the host's, the log's, and those of the registered players who vouch in
//! the match. Everybody can read them. A seat that handed one in would make the match fail its check for good.

use ledger::{PlayerId, PlayerKey};
use record::History;
use record::write::WriteError;

use crate::error::AppError;
use crate::recorder::Recorder;

impl Recorder {
    /// The reason why a key is no seat's, where these players vouch; none if it may be one.
    pub(crate) async fn foreign_key(
        &self,
        history: &History,
        key: &PlayerKey,
        vouching: impl IntoIterator<Item = PlayerId>,
    ) -> Result<Option<WriteError>, AppError> {
        let log = self.public_log.signer().verifier(&history.origin);
        if history.opened.host_key == key.to_string() || log.public() == key.bytes() {
            return Ok(Some(WriteError::NotNow("this key is the site's own, and each seat has a key of its own")));
        }
        for player in vouching {
            if self.public_log.chain(player).await?.is_some_and(|stored| stored.chain.commits_to(key)) {
                let why = "this key is a registered player's, and each seat has a key of its own for a match";
                return Ok(Some(WriteError::NotNow(why)));
            }
        }
        Ok(None)
    }
}
