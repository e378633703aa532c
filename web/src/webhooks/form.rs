//! What an umpire fills in about a webhook.

use std::collections::HashMap;

use app::book::hooks::EventKind;
use uuid::Uuid;

/// A form that was sent.
#[derive(Debug, Default)]
pub(super) struct Form(HashMap<String, String>);

impl Form {
    pub(super) fn of(fields: Vec<(String, String)>) -> Self {
        Self(fields.into_iter().collect())
    }

    /// A field, without blanks around it; empty where there is none.
    pub(super) fn text(&self, name: &str) -> &str {
        self.0.get(name).map_or("", |text| text.trim())
    }

    /// The form's own id.
    pub(super) fn id(&self) -> Option<Uuid> {
        Uuid::try_parse(self.text("form")).ok()
    }

    /// What it is to be told.
    pub(super) fn kinds(&self) -> Vec<EventKind> {
        EventKind::ALL.into_iter().filter(|kind| !self.text(kind.name()).is_empty()).collect()
    }
}
