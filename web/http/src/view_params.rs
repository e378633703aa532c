//! A reader's way of looking at a match: with whose knowledge, and with or without later results. Both are part of the
//! address, so that a link shows what its sender saw, and nothing is remembered about anybody.

use app::views::VisibleMatch;
use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use engine::{Seat, Sight};
use record::History;
use serde::Deserialize;

use super::problem::{ErrorKind, Problem};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Spoilers {
    #[default]
    Shown,
    Hidden,
}

impl Spoilers {
    pub const PARAMETER: (&'static str, &'static str) = ("spoilers", "no");

    #[must_use]
    pub fn read(value: &str) -> Option<Self> {
        match value {
            "" | "yes" => Some(Self::Shown),
            "no" => Some(Self::Hidden),
            _ => None,
        }
    }

    pub fn of(parameters: &[(String, String)]) -> Result<Self, Problem> {
        let raw = parameters.iter().rfind(|(name, _)| name == Self::PARAMETER.0);
        let spoilers = raw.map_or(Some(Self::Shown), |(_, value)| Self::read(value));
        spoilers.ok_or_else(|| {
            Problem::of(ErrorKind::BadParameter, "Results are left out with ?spoilers=no, and by no other word.")
        })
    }

    #[must_use]
    pub const fn hidden(self) -> bool {
        matches!(self, Self::Hidden)
    }

    #[must_use]
    pub fn query(self) -> String {
        self.in_address(String::new())
    }

    #[must_use]
    pub fn in_address(self, mut address: String) -> String {
        if self.hidden() {
            let (name, value) = Self::PARAMETER;
            let mark = if address.contains('?') { '&' } else { '?' };
            address.push_str(&format!("{mark}{name}={value}"));
        }
        address
    }

    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Shown => Self::Hidden,
            Self::Hidden => Self::Shown,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ViewParams {
    pub sight: Option<Sight>,
    pub spoilers: Spoilers,
}

#[derive(Debug, Default, Deserialize)]
struct RawParams {
    #[serde(rename = "as", default)]
    whose: String,
    #[serde(default)]
    spoilers: String,
}

impl ViewParams {
    pub const SIGHTS: [(&'static str, Sight); 4] = [
        ("public", Sight::Public),
        ("p1", Sight::Seat(Seat::P1)),
        ("p2", Sight::Seat(Seat::P2)),
        ("all", Sight::Everything),
    ];

    fn read(raw: &RawParams) -> Result<Self, Problem> {
        let bad = |detail: &str| Problem::of(ErrorKind::BadParameter, detail);
        let sight = match raw.whose.as_str() {
            "" => None,
            word => match Self::SIGHTS.into_iter().find(|(known, _)| *known == word) {
                Some((_, sight)) => Some(sight),
                None => return Err(bad("A match is shown with ?as=public, ?as=p1, ?as=p2 or ?as=all.")),
            },
        };
        let spoilers = Spoilers::read(&raw.spoilers);
        let spoilers =
            spoilers.ok_or_else(|| bad("What is to come is hidden with ?spoilers=no, and by no other word."))?;
        Ok(Self { sight, spoilers })
    }

    pub fn of(parameters: &[(String, String)]) -> Option<Self> {
        let value = |name: &str| parameters.iter().find(|(named, _)| named == name).map(|(_, value)| value.clone());
        let raw = RawParams {
            whose: value("as").unwrap_or_default(),
            spoilers: value(Spoilers::PARAMETER.0).unwrap_or_default(),
        };
        Self::read(&raw).ok()
    }

    /// The match as these parameters show it. With spoilers hidden, a reader sees what everybody could see at that time.
    pub fn visible<'h>(&self, history: &'h History) -> Result<VisibleMatch<'h>, Problem> {
        let visible = match (self.sight, self.spoilers) {
            (None, Spoilers::Shown) => return Ok(VisibleMatch::public(history)),
            (None, Spoilers::Hidden) => VisibleMatch::with_sight(history, Sight::Public),
            (Some(sight), _) => VisibleMatch::with_sight(history, sight),
        };
        visible.ok_or_else(|| {
            let detail = "This match still runs. What only one player knows is shown to everybody once its result is \
                          entered, and to nobody else before.";
            Problem::of(ErrorKind::MatchRuns, detail)
        })
    }

    #[must_use]
    pub const fn with_sight(self, sight: Option<Sight>) -> Self {
        Self { sight, ..self }
    }

    #[must_use]
    pub const fn with_spoilers(self, spoilers: Spoilers) -> Self {
        Self { spoilers, ..self }
    }

    #[must_use]
    pub fn query(&self) -> String {
        self.after("?")
    }

    #[must_use]
    pub fn more(&self) -> String {
        self.after("&")
    }

    fn after(&self, mark: &str) -> String {
        let whose = self.sight.and_then(|sight| Self::SIGHTS.into_iter().find(|(_, known)| *known == sight));
        let whose = whose.map(|(word, _)| format!("as={word}"));
        let (name, value) = Spoilers::PARAMETER;
        let spoilers = self.spoilers.hidden().then(|| format!("{name}={value}"));
        let parts: Vec<String> = whose.into_iter().chain(spoilers).collect();
        if parts.is_empty() { String::new() } else { format!("{mark}{}", parts.join("&")) }
    }
}

fn unreadable() -> Problem {
    Problem::of(ErrorKind::BadParameter, "What follows the question mark of this address cannot be read.")
}

impl<S: Send + Sync> FromRequestParts<S> for ViewParams {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let raw: Result<Query<RawParams>, QueryRejection> = Query::from_request_parts(parts, state).await;
        match raw {
            Ok(Query(raw)) => Self::read(&raw),
            // A repeated parameter, for example.
            Err(_) => Err(unreadable()),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Spoilers {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let query = Query::<Vec<(String, String)>>::from_request_parts(parts, state).await;
        let Query(parameters) = query.map_err(|_| unreadable())?;
        Self::of(&parameters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_keeps_that_results_are_hidden() {
        let kept = |spoilers: Spoilers, address: &str| spoilers.in_address(address.to_owned());
        assert_eq!(kept(Spoilers::Hidden, "/players/ada"), "/players/ada?spoilers=no");
        assert_eq!(kept(Spoilers::Hidden, "/archive?player=ada"), "/archive?player=ada&spoilers=no");
        assert_eq!(kept(Spoilers::Shown, "/players/ada"), "/players/ada");
    }

    fn read(whose: &str, spoilers: &str) -> Option<ViewParams> {
        ViewParams::read(&RawParams { whose: whose.to_owned(), spoilers: spoilers.to_owned() }).ok()
    }

    #[test]
    fn every_view_comes_back_from_its_address() {
        for (word, sight) in ViewParams::SIGHTS {
            let params = read(word, "no").unwrap();
            assert_eq!(params, ViewParams { sight: Some(sight), spoilers: Spoilers::Hidden });
            assert_eq!(params.query(), format!("?as={word}&spoilers=no"));
        }
        assert_eq!(read("", "").unwrap().query(), "");
        assert_eq!(read("", "no").unwrap().more(), "&spoilers=no");
        assert!(read("umpire", "").is_none() && read("", "maybe").is_none());
    }
}
