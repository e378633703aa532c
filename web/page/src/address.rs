//! The addresses of the pages, written in one place.

use app::views::Beat;
use askama::filters::urlencode_strict;
use ledger::MatchId;
use record::name_key;

#[must_use]
pub fn what_if_address(match_id: MatchId, label: &str, beat: Beat) -> String {
    format!("{}/what-if", beat.address(match_id, label))
}

#[must_use]
pub fn escaped(text: &str) -> String {
    let Ok(text) = urlencode_strict(text);
    text.to_string()
}

#[must_use]
pub fn with_parameters<'n, V: AsRef<str>>(
    address: impl Into<String>,
    parameters: impl IntoIterator<Item = (&'n str, V)>,
) -> String {
    let mut address = address.into();
    for (name, value) in parameters {
        let mark = if address.contains('?') { '&' } else { '?' };
        address.push_str(&format!("{mark}{name}={}", escaped(value.as_ref())));
    }
    address
}

#[must_use]
pub fn archive_of(parameters: &[(&str, &str)]) -> String {
    with_parameters("/archive", parameters.iter().copied())
}

/// The oEmbed address of a page: it tells programs how to show that page in a frame on another site.
#[must_use]
pub fn oembed_address(site: &str, page: &str) -> String {
    format!("{site}/oembed?url={}&format=json", escaped(&format!("{site}{page}")))
}

#[must_use]
pub fn event_address(event: &str) -> String {
    format!("/events/{}", escaped(&name_key(event)))
}

#[must_use]
pub fn player_address(name: &str) -> String {
    format!("/players/{}", escaped(&name_key(name)))
}

#[must_use]
pub fn prepare_address(name: &str) -> String {
    format!("{}/prepare", player_address(name))
}

#[must_use]
pub fn head_to_head_address(name: &str, other: &str) -> String {
    format!("{}/vs/{}", player_address(name), escaped(&name_key(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_in_an_address_cannot_become_another_parameter() {
        let parts = [("player", "A & B=c/ü+"), ("result", "won")];
        assert_eq!(archive_of(&parts), "/archive?player=A%20%26%20B%3Dc%2F%C3%BC%2B&result=won");
    }

    #[test]
    fn an_address_in_an_address_stays_one() {
        let address = oembed_address("https://matchbook.example", "/m/x/r/1/after?as=p1&spoilers=no");
        let url = "https%3A%2F%2Fmatchbook.example%2Fm%2Fx%2Fr%2F1%2Fafter%3Fas%3Dp1%26spoilers%3Dno";
        assert_eq!(address, format!("https://matchbook.example/oembed?url={url}&format=json"));
    }
}
