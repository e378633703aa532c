//! The addresses of the pages, written in one place.

use app::views::Beat;
use askama::filters::urlencode_strict;
use ledger::MatchId;
use record::name_key;

/// The page on which another move is tried from a moment of a match.
#[must_use]
pub fn what_if_address(match_id: MatchId, label: &str, beat: Beat) -> String {
    format!("{}/what-if", beat.address(match_id, label))
}

/// The archive with these query parameters.
#[must_use]
pub fn archive_of(parts: &[(&str, &str)]) -> String {
    let part = |(name, value): &(&str, &str)| match urlencode_strict(value) {
        Ok(value) => format!("{name}={value}"),
        Err(never) => match never {},
    };
    format!("/archive?{}", parts.iter().map(part).collect::<Vec<_>>().join("&"))
}

/// The oEmbed address of a page: it tells programs how to show that page in a frame on another site.
#[must_use]
pub fn oembed_address(site: &str, page: &str) -> String {
    match urlencode_strict(format!("{site}{page}")) {
        Ok(url) => format!("{site}/oembed?url={url}&format=json"),
        Err(never) => match never {},
    }
}

/// The page of a tournament.
#[must_use]
pub fn event_address(event: &str) -> String {
    format!("/events/{}", segment(&name_key(event)))
}

/// The page of a player.
#[must_use]
pub fn player_address(name: &str) -> String {
    format!("/players/{}", segment(&name_key(name)))
}

/// The page of two players' matches against each other.
#[must_use]
pub fn head_to_head_address(name: &str, other: &str) -> String {
    format!("{}/vs/{}", player_address(name), segment(&name_key(other)))
}

fn segment(text: &str) -> String {
    match urlencode_strict(text) {
        Ok(text) => text.to_string(),
        Err(never) => match never {},
    }
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
