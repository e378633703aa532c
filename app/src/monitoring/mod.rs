//! The state of this node for whoever watches over it: metrics for Prometheus, and alerts for sites that have none. Both
//! are for the operator alone: how many receipts are outstanding says that a seat has sent something.

mod alert;
mod alert_webhook;
mod disk_space;
mod node_state;
mod outstanding_receipts;
mod text;

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::App;

pub use alert::Alert;
pub use alert_webhook::AlertWebhook;
pub use disk_space::DiskSpace;
pub use node_state::NodeState;
pub use text::CONTENT_TYPE;

#[derive(Clone, Debug)]
pub struct Monitor {
    app: Arc<App>,
    data: PathBuf,
}

impl Monitor {
    #[must_use]
    pub const fn new(app: Arc<App>, data: PathBuf) -> Self {
        Self { app, data }
    }
}
