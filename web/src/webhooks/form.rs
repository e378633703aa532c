//! What an umpire fills in about a webhook.

use std::collections::HashMap;

use axum::http::Uri;
use uuid::Uuid;

use super::kind::EventKind;

/// The longest address.
const ADDRESS_MAX_CHARS: usize = 500;

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

/// What is wrong with an address, if anything is.
pub(super) fn wrong_address(address: &str) -> Option<&'static str> {
    let uri = address.parse::<Uri>().ok().filter(|uri| uri.host().is_some_and(|host| !host.is_empty()));
    let Some(uri) = uri.filter(|uri| matches!(uri.scheme_str(), Some("http" | "https"))) else {
        return Some("Give the whole address, such as https://example.com/matchbook.");
    };
    if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
        return Some("The address must not hold a name or a password: the signature says who sends.");
    }
    (address.chars().count() > ADDRESS_MAX_CHARS).then_some("An address has at most 500 characters.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_of_the_web() {
        for good in ["https://example.com/hook?a=b", "http://10.0.0.1:8080/", "https://[2606:4700::1]/x"] {
            assert_eq!(wrong_address(good), None, "{good}");
        }
        for bad in ["", "example.com", "/hook", "ftp://example.com/", "https://", "https://u:p@example.com/", "a b"] {
            assert!(wrong_address(bad).is_some(), "{bad}");
        }
        assert!(wrong_address(&format!("https://example.com/{}", "x".repeat(500))).is_some());
    }
}
