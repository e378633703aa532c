//! The state of the archive's list, all of it in the address: the filter, the page, and the visibility of results.

use app::archive::{At, Filter, Key, read_filter, unknown_parameter};

use crate::http::Spoilers;
use crate::page::with_parameters;

/// The values of an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ListQuery {
    pub(super) filter: Filter,
    /// The page; the first by default.
    pub(super) at: Option<At>,
    /// The visibility of results.
    pub(super) spoilers: Spoilers,
    /// The invalid values of the filter, in sentences.
    pub(super) wrong: Vec<String>,
    /// The first unknown parameter, in a sentence.
    pub(super) unknown: Option<String>,
    /// True if the page is invalid.
    pub(super) no_page: bool,
}

/// The parameters of a list, besides those of its filter.
const LIST_PARAMETERS: [&str; 4] = ["after", "before", "page", Spoilers::PARAMETER.0];

pub(super) fn read(parameters: &[(String, String)]) -> ListQuery {
    let (filter, wrong) = read_filter(parameters);
    let unknown = unknown_parameter(parameters, &LIST_PARAMETERS);
    let mut query = ListQuery { filter, wrong, unknown, ..ListQuery::default() };
    for (name, value) in parameters {
        if name == Spoilers::PARAMETER.0 {
            match Spoilers::read(value) {
                Some(spoilers) => query.spoilers = spoilers,
                None => query.wrong.push("Results are left out with ?spoilers=no, and by no other word.".to_owned()),
            }
        }
        let at = match (name.as_str(), value.as_str()) {
            (_, "") => continue,
            ("after", place) => place.parse().ok().map(At::After),
            ("before", place) => place.parse().ok().map(At::Before),
            ("page", "last") => Some(At::Last),
            ("page", _) => None,
            _ => continue,
        };
        query.no_page |= at.is_none();
        query.at = at.or(query.at);
    }
    query
}

/// The address of a page of a filter; `path` is that of the list, or of a file with the same matches.
pub(super) fn address_at(path: &str, filter: &Filter, at: Option<&At>) -> String {
    let parts = Key::ALL.into_iter().filter_map(|key| Some((key.name(), key.value(filter)?)));
    let page = at.map(|at| match at {
        At::After(place) => ("after", place.to_string()),
        At::Before(place) => ("before", place.to_string()),
        At::Last => ("page", "last".to_owned()),
    });
    with_parameters(path, parts.chain(page))
}

/// The address of a page of the list.
pub(super) fn page_address(filter: &Filter, spoilers: Spoilers, at: Option<&At>) -> String {
    spoilers.in_address(address_at("/archive", filter, at))
}

/// The address of the first page of a filter.
pub(super) fn address(filter: &Filter, spoilers: Spoilers) -> String {
    page_address(filter, spoilers, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_and_its_page_round_trip() {
        let filter = Filter {
            event: Some("Winter & Duels = 50% + 1".into()),
            player: Some("Zoë #1".into()),
            ..Filter::default()
        };
        let place = "12-000000000000000000000000000000ab".parse().unwrap();
        for at in [None, Some(At::After(place)), Some(At::Before(place)), Some(At::Last)] {
            for (filter, spoilers) in [
                (filter.clone(), Spoilers::Shown),
                (filter.clone(), Spoilers::Hidden),
                (Filter::default(), Spoilers::Hidden),
            ] {
                let uri: axum::http::Uri = page_address(&filter, spoilers, at.as_ref()).parse().unwrap();
                let axum::extract::Query(parameters) =
                    axum::extract::Query::<Vec<(String, String)>>::try_from_uri(&uri).unwrap();
                assert_eq!(read(&parameters), ListQuery { filter, at, spoilers, ..ListQuery::default() });
            }
        }
        assert_eq!(address(&Filter::default(), Spoilers::Shown), "/archive");
        assert_eq!(address(&Filter::default(), Spoilers::Hidden), "/archive?spoilers=no");
        assert_eq!(read(&[("spoilers".to_owned(), "maybe".to_owned())]).wrong.len(), 1);
    }

    #[test]
    fn an_invalid_page_is_not_the_first_page() {
        let page = |name: &str, value: &str| read(&[(name.to_owned(), value.to_owned())]).no_page;
        assert!(page("after", "x") && page("before", "12") && page("page", "2"));
        assert!(!page("after", "") && !page("page", "last") && !page("player", "x"));
    }

    #[test]
    fn an_unknown_parameter_is_reported() {
        let unknown = |name: &str| read(&[(name.to_owned(), "x".to_owned())]).unknown;
        assert!(unknown("plaeyr").unwrap().contains("“plaeyr”"));
        assert_eq!(["player", "after", "page", "spoilers"].map(unknown), [const { None }; 4]);
    }
}
