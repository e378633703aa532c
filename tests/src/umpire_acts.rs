//! Acts of an umpire, with their fields as programs send them.

use std::sync::Arc;

use anyhow::Result;
use app::views::HeadJson;
use app::{Act, App, UmpireAct, form_of};
use ledger::Head;
use record::History;
use serde_json::{Value, json};

/// An act on this head.
pub(crate) fn act_on(head: Head, act: &str, mut fields: Value) -> Result<UmpireAct> {
    fields["head"] = json!(HeadJson::of(head));
    Ok(serde_json::from_value(json!({ act: fields }))?)
}

/// Acts on a match as it was read, as its umpire.
pub(crate) async fn perform(app: &App, history: &History, act: &str, fields: Value) -> Result<Arc<History>> {
    let form = form_of(&["act", &history.head.leaf.to_string(), act, &fields.to_string()]);
    let by = Act { by: history.umpire_now().clone(), form };
    Ok(app.commands.perform(&by, history.match_id, &act_on(history.head, act, fields)?).await?)
}
