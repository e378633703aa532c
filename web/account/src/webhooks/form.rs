//! An umpire's form about a webhook.

use std::collections::HashMap;

use app::webhooks::EventKind;
use uuid::Uuid;

#[derive(Debug, Default)]
pub(super) struct Form(HashMap<String, String>);

impl Form {
    pub(super) fn of(fields: Vec<(String, String)>) -> Self {
        Self(fields.into_iter().collect())
    }

    pub(super) fn text(&self, name: &str) -> &str {
        self.0.get(name).map_or("", |text| text.trim())
    }

    pub(super) fn id(&self) -> Option<Uuid> {
        Uuid::try_parse(self.text("form")).ok()
    }

    pub(super) fn kinds(&self) -> Vec<EventKind> {
        EventKind::ALL.into_iter().filter(|kind| !self.text(kind.name()).is_empty()).collect()
    }
}
