//! The address of a webhook.

use http::Uri;

const ADDRESS_MAX_CHARS: usize = 500;

#[must_use]
pub fn wrong_address(address: &str) -> Option<&'static str> {
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
