//! The address of a recording.

use record::limits::too_long;
use thiserror::Error;
use url::Url;

const LINK_MAX_CHARS: usize = 1_000;

/// An address of the web with a host, and without a user's name, which could pass for the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordingLink(Url);

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LinkError {
    #[error("A recording is linked by its address, which begins with https:// or http://.")]
    NoAddress,
    #[error("{0}")]
    TooLong(String),
}

impl RecordingLink {
    pub fn read(text: &str) -> Result<Self, LinkError> {
        if let Some(long) = too_long(text.trim(), LINK_MAX_CHARS) {
            return Err(LinkError::TooLong(long));
        }
        let url = Url::parse(text.trim()).map_err(|_| LinkError::NoAddress)?;
        let plain = matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none();
        if plain && url.host_str().is_some() { Ok(Self(url)) } else { Err(LinkError::NoAddress) }
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    #[must_use]
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default().trim_start_matches("www.")
    }

    /// The same recording from this second on.
    #[must_use]
    pub fn at(mut self, seconds: i32) -> Self {
        let pairs = self.0.query_pairs().filter(|(name, _)| name != "t");
        let others: Vec<(String, String)> = pairs.map(|(name, value)| (name.into(), value.into())).collect();
        self.0.query_pairs_mut().clear().extend_pairs(others).append_pair("t", &seconds.to_string());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_are_recordings() {
        let host = |text: &str| RecordingLink::read(text).map(|link| link.host().to_owned()).ok();
        assert_eq!(host(" https://www.youtube.com/watch?v=x ").as_deref(), Some("youtube.com"));
        assert_eq!(host("http://clips.example:8080/a").as_deref(), Some("clips.example"));
        assert_eq!(host("https://ex\u{430}mple.org/").as_deref(), Some("xn--exmple-4nf.org"));
        let script = "javascript:alert(1)";
        for other in [script, "data:text/html,x", "ftp://a/b", "https://", "a.b", "https://youtube.com@evil.example/"] {
            assert_eq!(host(other), None, "{other}");
        }
        assert!(RecordingLink::read(&format!("https://a.example/{}", "x".repeat(1_000))).is_err());
    }

    #[test]
    fn a_moment_begins_at_its_second() {
        let link = RecordingLink::read("https://youtu.be/abc?si=q&t=5").unwrap();
        assert_eq!(link.at(3_753).as_str(), "https://youtu.be/abc?si=q&t=3753");
    }
}
