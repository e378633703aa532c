//! Examples in the document: what a program sends, and what it is answered, for the operations that most programs begin
//! with. They were answered by this program.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use utoipa::openapi::path::Operation;
use utoipa::openapi::{OpenApi as Document, RefOr};

/// The examples, by the id of their operation.
const EXAMPLES: &str = include_str!("examples.json");
const JSON: &str = "application/json";

/// What is sent in an operation, and what is answered; either may be missing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    sent: Option<Value>,
    answered: Option<Value>,
}

/// Puts the examples where the operations are told. One of an operation that is not there is left out; a test says so.
pub(super) fn put_into(document: &mut Document) {
    let Ok(mut examples) = serde_json::from_str::<BTreeMap<String, Example>>(EXAMPLES) else { return };
    for item in document.paths.paths.values_mut() {
        for operation in [&mut item.get, &mut item.post, &mut item.delete].into_iter().flatten() {
            if let Some(example) = operation.operation_id.as_ref().and_then(|id| examples.remove(id)) {
                put(operation, example);
            }
        }
    }
}

fn put(operation: &mut Operation, example: Example) {
    if let Some(RefOr::T(body)) = operation.request_body.as_mut()
        && let Some(RefOr::T(content)) = body.content.get_mut(JSON)
    {
        content.example = example.sent;
    }
    let answers = operation.responses.responses.iter_mut().filter(|(status, _)| status.starts_with('2'));
    for (_, answer) in answers {
        if let RefOr::T(answer) = answer
            && let Some(RefOr::T(content)) = answer.content.get_mut(JSON)
        {
            content.example.clone_from(&example.answered);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::parts;

    /// What a schema says, with references followed.
    fn schema<'d>(document: &'d Value, schema: &'d Value) -> &'d Value {
        match schema["$ref"].as_str() {
            Some(to) => self::schema(document, document.pointer(to.trim_start_matches('#')).unwrap()),
            None => schema,
        }
    }

    /// The schema with the parts that it is put together from.
    fn parts_of<'d>(document: &'d Value, told: &'d Value) -> Vec<&'d Value> {
        let told = schema(document, told);
        let all = told["allOf"].as_array().into_iter().flatten().flat_map(|part| parts_of(document, part));
        all.chain([told]).collect()
    }

    /// Says where a value has a field that the schema does not know, or lacks one that it wants.
    fn fits(document: &Value, told: &Value, value: &Value, at: &str) {
        let parts = parts_of(document, told);
        let told = schema(document, told);
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
            fits(document, &told["items"], value, &format!("{at}[]"));
        }
    }

    #[test]
    fn every_example_is_told_and_has_the_fields_of_its_schema() {
        let document = serde_json::to_value(parts().1).unwrap();
        let examples: BTreeMap<String, Example> = serde_json::from_str(EXAMPLES).unwrap();
        let mut told = 0;
        for operation in
            document["paths"].as_object().unwrap().values().flat_map(|item| item.as_object().unwrap().values())
        {
            let Some(example) = operation["operationId"].as_str().and_then(|id| examples.get(id)) else { continue };
            let id = operation["operationId"].as_str().unwrap();
            told += 1;
            let mut bodies = vec![(&operation["requestBody"]["content"][JSON], &example.sent)];
            let answers = operation["responses"].as_object().unwrap().iter();
            bodies.extend(
                answers
                    .filter(|(status, _)| status.starts_with('2'))
                    .map(|(_, it)| (&it["content"][JSON], &example.answered)),
            );
            for (body, example) in bodies {
                let Some(example) = example else { continue };
                assert_eq!(&body["example"], example, "{id}");
                fits(&document, &body["schema"], example, id);
            }
        }
        assert_eq!(told, examples.len(), "every example is of an operation that is there");
    }
}
