//! Golden vectors of `fixtures/vectors`, which other programs computed from `docs/record-format.md`, part by part.

use serde::de::DeserializeOwned;
use serde_json::Value;

pub(crate) fn file(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The vectors of a kind, each with its position in the file, for reports of failures.
pub(crate) fn of_kind(file: &Value, kind: &str) -> Vec<(String, Value)> {
    let all = file["vectors"].as_array().unwrap().iter().enumerate().filter(|(_, vector)| vector["kind"] == kind);
    let of: Vec<_> = all.map(|(n, vector)| (format!("vector {n}, {kind}"), vector.clone())).collect();
    assert!(!of.is_empty(), "{kind}");
    of
}

/// A part of a vector, with its type.
pub(crate) fn part<T: DeserializeOwned>(vector: &Value, name: &str) -> T {
    serde_json::from_value(vector[name].clone()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub(crate) fn text<'v>(vector: &'v Value, name: &str) -> &'v str {
    vector[name].as_str().unwrap_or_else(|| panic!("{name} is no text"))
}

pub(crate) fn bytes<const N: usize>(vector: &Value, name: &str) -> [u8; N] {
    hex::decode(text(vector, name)).unwrap().try_into().unwrap()
}
