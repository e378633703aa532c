//! The state of the archive's list, all of it in the address: the filter, the page, and the visibility of results.

use app::archive::{At, Filter, Key, Sort, read_filter, unknown_parameter};

use page::with_parameters;
use web_http::Spoilers;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ListQuery {
    pub(super) filter: Filter,
    pub(super) sort: Sort,
    pub(super) at: Option<At>,
    pub(super) spoilers: Spoilers,
    pub(super) wrong: Vec<String>,
    pub(super) unknown: Option<String>,
    pub(super) no_page: bool,
}

/// The parameters of a list, besides those of its filter.
const LIST_PARAMETERS: [&str; 5] = ["after", "before", "page", SORT, Spoilers::PARAMETER.0];

pub(super) const SORT: &str = "sort";

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
            (SORT, order) => {
                match order.parse() {
                    Ok(sort) => query.sort = sort,
                    Err(_) => query.wrong.push(format!("There is no order “{order}”; there are {}.", orders())),
                }
                continue;
            }
            ("after", place) => place.parse().ok().map(At::After),
            ("before", place) => place.parse().ok().map(At::Before),
            ("page", "last") => Some(At::Last),
            ("page", _) => None,
            _ => continue,
        };
        query.no_page |= at.is_none();
        query.at = at.or(query.at);
    }
    if query.spoilers.hidden() && query.sort != Sort::Newest {
        query.sort = Sort::Newest;
        query.unknown =
            Some("This order would tell how matches went. Without spoilers the newest are first.".to_owned());
        query.at = None;
    }
    let is_elsewhere = |place: &At| match place {
        At::After(place) | At::Before(place) => !place.fits(query.sort),
        At::Last => false,
    };
    query.no_page |= query.at.as_ref().is_some_and(is_elsewhere);
    query
}

fn orders() -> String {
    let words: Vec<&str> = Sort::ALL.iter().map(|sort| sort.word()).collect();
    words.join(", ")
}

pub(super) fn address_at(path: &str, filter: &Filter, sort: Sort, at: Option<&At>) -> String {
    let parts = Key::ALL.into_iter().filter_map(|key| Some((key.name(), key.value(filter)?)));
    let parts = parts.chain((sort != Sort::Newest).then(|| (SORT, sort.word().to_owned())));
    let page = at.map(|at| match at {
        At::After(place) => ("after", place.to_string()),
        At::Before(place) => ("before", place.to_string()),
        At::Last => ("page", "last".to_owned()),
    });
    with_parameters(path, parts.chain(page))
}

pub(super) fn page_address(filter: &Filter, sort: Sort, spoilers: Spoilers, at: Option<&At>) -> String {
    spoilers.in_address(address_at("/archive", filter, sort, at))
}

pub(super) fn address(filter: &Filter, spoilers: Spoilers) -> String {
    page_address(filter, Sort::Newest, spoilers, None)
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
        let ranked = "7.12-000000000000000000000000000000ab".parse().unwrap();
        let newest =
            [None, Some(At::After(place)), Some(At::Before(place)), Some(At::Last)].map(|at| (Sort::Newest, at));
        let sorted = [None, Some(At::After(ranked)), Some(At::Last)].map(|at| (Sort::Dramatic, at));
        for (sort, at) in newest.into_iter().chain(sorted) {
            for (filter, spoilers) in [
                (filter.clone(), Spoilers::Shown),
                (filter.clone(), Spoilers::Hidden),
                (Filter::default(), Spoilers::Hidden),
            ] {
                if spoilers.hidden() && sort != Sort::Newest {
                    continue;
                }
                let uri: axum::http::Uri = page_address(&filter, sort, spoilers, at.as_ref()).parse().unwrap();
                let axum::extract::Query(parameters) =
                    axum::extract::Query::<Vec<(String, String)>>::try_from_uri(&uri).unwrap();
                assert_eq!(read(&parameters), ListQuery { filter, sort, at, spoilers, ..ListQuery::default() });
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
        assert!(page("after", "7.12-000000000000000000000000000000ab"), "a place of another order");
    }

    #[test]
    fn without_spoilers_no_order_tells_how_matches_went() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let query = read(&[pair("sort", "closest"), pair("spoilers", "no")]);
        assert_eq!((query.sort, query.unknown.is_some(), query.wrong.len()), (Sort::Newest, true, 0));
        assert_eq!(read(&[pair("sort", "best")]).wrong.len(), 1);
    }

    #[test]
    fn an_unknown_parameter_is_reported() {
        let unknown = |name: &str| read(&[(name.to_owned(), "x".to_owned())]).unknown;
        assert!(unknown("plaeyr").unwrap().contains("“plaeyr”"));
        assert_eq!(["player", "after", "page", "spoilers"].map(unknown), [const { None }; 4]);
    }
}
