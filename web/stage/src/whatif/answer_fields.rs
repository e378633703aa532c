//! The answer to one question, for both seats in one form.

use engine::{Form, Party};

use page::controls::compose;

#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) question: String,
    fields: Vec<(String, String)>,
}

pub(super) fn prefix(party: Party) -> String {
    format!("{party}-")
}

impl Answer {
    pub(super) fn of(parameters: &[(String, String)]) -> Option<Self> {
        let question = parameters.iter().find(|(name, _)| name == "ask").map(|(_, value)| value.clone());
        let fields = parameters.iter().filter(|(name, _)| name != "ask" && name != "line").cloned().collect();
        question.filter(|question| !question.is_empty()).map(|question| Self { question, fields })
    }

    pub(super) fn own(&self, party: Party) -> Vec<(String, String)> {
        let prefix = prefix(party);
        let own = |(name, value): &(String, String)| Some((name.strip_prefix(&prefix)?.to_owned(), value.clone()));
        self.fields.iter().filter_map(own).collect()
    }
}

pub(super) fn typed(fields: &[(String, String)]) -> &str {
    fields.iter().find(|(name, _)| name == "move").map_or("", |(_, typed)| typed.trim())
}

pub(super) fn line_of(form: &Form, fields: &[(String, String)]) -> String {
    match typed(fields) {
        "" => compose(form, fields).unwrap_or_default(),
        typed => typed.to_owned(),
    }
}
