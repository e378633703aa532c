//! Examples in the document: a request and an answer for each operation. The answers come from this program.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use utoipa::openapi::path::{Operation, ParameterBuilder};
use utoipa::openapi::{Content, OpenApi as Document, RefOr};

use super::parameters::KEY_NAME;

/// The examples, by the id of their operation.
const EXAMPLES: &str = include_str!("examples.json");

/// The key, the request and the answer of an operation: JSON, or text for other types. Each may be missing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    key: Option<String>,
    sent: Option<Value>,
    answered: Option<Value>,
}

/// Adds the examples to their operations. An example for an unknown operation is skipped; a test reports it.
pub(super) fn put_into(document: &mut Document) {
    let Ok(mut examples) = serde_json::from_str::<BTreeMap<String, Example>>(EXAMPLES) else { return };
    for item in document.paths.paths.values_mut() {
        for operation in [&mut item.get, &mut item.post, &mut item.delete].into_iter().flatten() {
            if let Some(example) = operation.operation_id.as_ref().and_then(|id| examples.remove(id)) {
                put(operation, &example);
            }
        }
    }
}

fn put(operation: &mut Operation, example: &Example) {
    for parameter in operation.parameters.iter_mut().flatten() {
        if let RefOr::T(parameter) = parameter
            && parameter.name == KEY_NAME
        {
            let shown = ParameterBuilder::from(parameter.clone()).example(example.key.clone().map(Value::String));
            *parameter = shown.build();
        }
    }
    if let Some(RefOr::T(body)) = operation.request_body.as_mut() {
        show(body.content.values_mut(), example.sent.as_ref());
    }
    let answers = operation.responses.responses.iter_mut().filter(|(status, _)| status.starts_with('2'));
    for (_, answer) in answers {
        if let RefOr::T(answer) = answer {
            show(answer.content.values_mut(), example.answered.as_ref());
        }
    }
}

fn show<'c>(kinds: impl Iterator<Item = &'c mut RefOr<Content>>, example: Option<&Value>) {
    for kind in kinds {
        if let RefOr::T(kind) = kind {
            kind.example = example.cloned();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts;

    /// A schema with its references followed.
    fn schema<'d>(document: &'d Value, schema: &'d Value) -> &'d Value {
        match schema["$ref"].as_str() {
            Some(to) => self::schema(document, document.pointer(to.trim_start_matches('#')).unwrap()),
            None => schema,
        }
    }

    /// The schema with the parts that it is composed of.
    fn parts_of<'d>(document: &'d Value, node: &'d Value) -> Vec<&'d Value> {
        let node = schema(document, node);
        let all = node["allOf"].as_array().into_iter().flatten().flat_map(|part| parts_of(document, part));
        all.chain([node]).collect()
    }

    /// Fails if a value has a field that the schema lacks, or lacks one that it requires.
    fn fits(document: &Value, node: &Value, value: &Value, at: &str) {
        let parts = parts_of(document, node);
        let node = schema(document, node);
        let properties: Vec<_> = parts.iter().filter_map(|part| part["properties"].as_object()).collect();
        if let Some(object) = value.as_object().filter(|_| !properties.is_empty()) {
            for (name, value) in object {
                let of = properties.iter().find_map(|properties| properties.get(name));
                let of = of.unwrap_or_else(|| panic!("{at}.{name}: no such field"));
                fits(document, of, value, &format!("{at}.{name}"));
            }
            let required = parts.iter().filter_map(|part| part["required"].as_array()).flatten();
            for name in required.filter_map(Value::as_str) {
                assert!(object.contains_key(name), "{at}.{name} is missing");
            }
        }
        for value in value.as_array().into_iter().flatten() {
            fits(document, &node["items"], value, &format!("{at}[]"));
        }
    }

    /// The operations of the document, with their ids.
    fn operations(document: &Value) -> impl Iterator<Item = (&str, &Value)> {
        let items = document["paths"].as_object().unwrap().values();
        let operations = items.flat_map(|item| item.as_object().unwrap().values());
        operations.map(|operation| (operation["operationId"].as_str().unwrap(), operation))
    }

    /// Every body of an operation, in requests and answers, by its media type.
    fn bodies<'d>(document: &'d Value, operation: &'d Value) -> Vec<(String, &'d Value)> {
        let answers = operation["responses"].as_object().unwrap().iter();
        let answers = answers.map(|(status, node)| (status.as_str(), schema(document, node)));
        let all = [("sent", &operation["requestBody"])].into_iter().chain(answers);
        let all = all.filter_map(|(what, node)| Some((what, node["content"].as_object()?)));
        all.flat_map(|(what, content)| content.iter().map(move |(kind, body)| (format!("{what} {kind}"), body)))
            .collect()
    }

    #[test]
    fn everything_that_is_sent_or_answered_has_an_example_with_the_fields_of_its_schema() {
        let document = serde_json::to_value(parts().1).unwrap();
        let mut count = 0;
        for (id, operation) in operations(&document) {
            for (what, body) in bodies(&document, operation) {
                let at = format!("{id}, {what}");
                assert!(!body["example"].is_null(), "{at} has no example");
                fits(&document, &body["schema"], &body["example"], &at);
                count += 1;
            }
        }
        assert!(count > 600, "{count}");
    }

    #[test]
    fn every_example_is_of_an_operation_that_sends_and_answers_so() {
        let document = serde_json::to_value(parts().1).unwrap();
        let mut examples: BTreeMap<String, Example> = serde_json::from_str(EXAMPLES).unwrap();
        for (id, operation) in operations(&document) {
            let Some(example) = examples.remove(id) else { continue };
            let node: Vec<_> = bodies(&document, operation).into_iter().map(|(_, body)| &body["example"]).collect();
            for example in [example.sent, example.answered].into_iter().flatten() {
                assert!(node.contains(&&example), "{id}: {example}");
            }
        }
        assert_eq!(examples.keys().collect::<Vec<_>>(), Vec::<&String>::new());
    }

    #[test]
    fn the_document_stays_small_enough_to_be_read_at_once() {
        let size = serde_json::to_vec(&parts().1).unwrap().len();
        assert!(size < 256 * 1024, "{size} bytes");
    }
}
