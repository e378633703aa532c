//! Waiting for what nobody announces: it is tried again until it is there.

use std::time::Duration;

use anyhow::Result;
use tokio::time::sleep;

/// A minute in all, which is longer than anything here takes on a machine with more to do.
const ATTEMPTS: u32 = 2_400;
const BETWEEN: Duration = Duration::from_millis(25);

/// Tries until it succeeds. What never does fails with the last error.
pub(crate) async fn until<T>(attempt: impl AsyncFn() -> Result<T>) -> Result<T> {
    for _ in 1..ATTEMPTS {
        if let Ok(done) = attempt().await {
            return Ok(done);
        }
        sleep(BETWEEN).await;
    }
    attempt().await
}
