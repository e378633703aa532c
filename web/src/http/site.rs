//! The address of this site as the browser wrote it.

use axum::http::{HeaderMap, header};

/// Such as `https://matchbook.example`; empty if the request lacks it or has characters that no address can hold.
#[must_use]
pub fn site(headers: &HeaderMap) -> String {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let scheme = text("x-forwarded-proto").filter(|scheme| *scheme == "https").unwrap_or("http");
    let named = |host: &&str| {
        let may = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
        !host.is_empty() && host.len() <= HOST_MAX_BYTES && host.bytes().all(may)
    };
    text(header::HOST.as_str()).filter(named).map(|host| format!("{scheme}://{host}")).unwrap_or_default()
}

/// A DNS name has at most 253 bytes; a port follows.
const HOST_MAX_BYTES: usize = 260;

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn only_a_host_is_a_site() {
        let called = |host: &'static str, scheme: &'static str| {
            let pairs = [("host", host), ("x-forwarded-proto", scheme)];
            site(
                &pairs
                    .map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)))
                    .into_iter()
                    .collect(),
            )
        };
        assert_eq!(called("matchbook.example", "https"), "https://matchbook.example");
        assert_eq!(called("127.0.0.1:8080", "http"), "http://127.0.0.1:8080");
        assert_eq!(called("[::1]:8080", "gopher"), "http://[::1]:8080");
        assert_eq!(called("evil.example/<b>", "https"), "");
        assert_eq!(site(&HeaderMap::new()), "");
    }
}
