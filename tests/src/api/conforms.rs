//! Every operation of the document, with valid and invalid requests: each answer conforms to the document.

use anyhow::{Context, Result, bail, ensure};
use app::account::Scope;
use reqwest::{Method, StatusCode};
use serde_json::{Map, Value, json};

use super::{Answer, Program, RULESET};
use crate::site::Site;

/// An operation of the document.
pub(super) struct Operation<'d> {
    pub(super) method: Method,
    pub(super) path: String,
    told: &'d Value,
}

impl Operation<'_> {
    /// The address, with the document's examples or these values in its places.
    pub(super) fn address(&self, slug: &str) -> String {
        let path = self.path.replace("{slug}", slug).replace("{id}", self.id());
        let (game, ruleset) = RULESET.split_once('/').unwrap_or_default();
        let path = path.replace("{game}", game).replace("{ruleset}", ruleset).replace("{other}", "bo");
        path.replace("{name}", if path.contains("/events/") { "cup" } else { "ADA" })
    }

    /// An id with the right form and no target.
    fn id(&self) -> &'static str {
        match self.path.split('/').nth(3) {
            Some("umpires") => "000000000000",
            Some("plans") => "00000000000000000000000000000000",
            Some("webhooks") => "00000000-0000-0000-0000-000000000000",
            _ => "0000000000000000000000000000000000000000000000000000000000000000",
        }
    }

    pub(super) fn wants_key(&self) -> bool {
        let mut parameters = self.told["parameters"].as_array().into_iter().flatten();
        parameters.any(|parameter| parameter["name"] == "Idempotency-Key")
    }

    /// True if it deletes the match.
    pub(super) fn deletes(&self) -> bool {
        self.told["operationId"] == "deletePractice"
    }

    /// The schema of its body.
    pub(super) fn body(&self) -> Option<&Value> {
        self.told.pointer("/requestBody/content/application~1json/schema")
    }

    /// Fails unless its examples fit their types.
    fn shows(&self, document: &Value) -> Result<()> {
        let answers = self.told["responses"].as_object().into_iter().flat_map(Map::values);
        for told in answers.chain(self.told.get("requestBody")) {
            let told = told["$ref"].as_str().map_or(Some(told), |name| document.pointer(name.trim_start_matches('#')));
            for (kind, body) in told.and_then(|told| told["content"].as_object()).into_iter().flatten() {
                let at = || format!("{} {}: the example of {kind}", self.method, self.path);
                fits(document, &body["schema"], &body["example"]).with_context(at)?;
            }
        }
        Ok(())
    }

    /// Fails unless the document describes this answer.
    pub(super) fn tells(&self, document: &Value, answer: &Answer) -> Result<()> {
        let (method, path, status) = (&self.method, &self.path, answer.status);
        let told = self.told.pointer(&format!("/responses/{}", status.as_u16()));
        let told = told.with_context(|| format!("{method} {path} answers {status}, untold: {}", answer.text))?;
        let told = told["$ref"].as_str().map_or(Some(told), |name| document.pointer(name.trim_start_matches('#')));
        let told = told.with_context(|| format!("{method} {path}: {status} is told nowhere"))?;
        let Some(content) = told["content"].as_object() else {
            ensure!(answer.text.is_empty(), "{method} {path}: {status} has no body: {}", answer.text);
            return Ok(());
        };
        let kind = answer.kind.split(';').next().unwrap_or_default();
        let schema = content.get(kind).with_context(|| format!("{method} {path}: {status} is no {kind}"))?;
        if kind.ends_with("json") && !kind.contains("ndjson") {
            let body: Value = serde_json::from_str(&answer.text)?;
            fits(document, &schema["schema"], &body).with_context(|| format!("{method} {path}: {status}: {body}"))?;
        }
        Ok(())
    }
}

/// The part of JSON Schema that the document uses.
fn fits(document: &Value, schema: &Value, value: &Value) -> Result<()> {
    if let Some(name) = schema["$ref"].as_str() {
        let schema = document.pointer(name.trim_start_matches('#')).with_context(|| format!("no {name}"))?;
        return fits(document, schema, value);
    }
    if let Some(all) = schema["allOf"].as_array() {
        return all.iter().try_for_each(|schema| fits(document, schema, value));
    }
    if let Some(any) = schema["oneOf"].as_array().or(schema["anyOf"].as_array()) {
        ensure!(any.iter().any(|schema| fits(document, schema, value).is_ok()), "{value} fits none of {schema}");
        return Ok(());
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    match &schema["type"] {
        Value::String(wanted) => ensure!(wanted == kind, "{value} is no {wanted}"),
        Value::Array(wanted) => ensure!(wanted.iter().any(|wanted| wanted == kind), "{value} is none of {wanted:?}"),
        _ => {}
    }
    if let Some(all) = schema["enum"].as_array() {
        ensure!(all.contains(value), "{value} is none of {all:?}");
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        ensure!(value.get(name).is_some(), "{name} is missing");
    }
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(value) = value.get(name) {
            fits(document, schema, value).with_context(|| name.clone())?;
        }
    }
    if let (Some(items), Some(values)) = (schema.get("items"), value.as_array()) {
        values.iter().try_for_each(|value| fits(document, items, value))?;
    }
    Ok(())
}

/// A body that fits a schema.
pub(crate) fn sample(document: &Value, schema: &Value) -> Value {
    if let Some(example) = schema.get("example").or_else(|| schema["examples"].get(0)) {
        return example.clone();
    }
    if let Some(name) = schema["$ref"].as_str() {
        return document.pointer(name.trim_start_matches('#')).map_or(Value::Null, |schema| sample(document, schema));
    }
    if let Some(first) = schema["oneOf"].get(0).or_else(|| schema["allOf"].get(0)).or_else(|| schema["enum"].get(0)) {
        return if schema["enum"].is_array() { first.clone() } else { sample(document, first) };
    }
    match schema["type"].as_str().unwrap_or("object") {
        "string" => json!("x"),
        "integer" => json!(1),
        "boolean" => json!(true),
        "array" => json!([]),
        _ => {
            let required: Vec<&str> =
                schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let fields = schema["properties"].as_object().into_iter().flatten();
            let fields = fields.filter(|(name, _)| required.contains(&name.as_str()));
            Value::Object(fields.map(|(name, schema)| (name.clone(), sample(document, schema))).collect::<Map<_, _>>())
        }
    }
}

pub(super) fn operations(document: &Value) -> Result<Vec<Operation<'_>>> {
    let mut all = Vec::new();
    for (path, item) in document["paths"].as_object().context("paths")? {
        for (method, told) in item.as_object().context("operations")? {
            let method = Method::from_bytes(method.to_uppercase().as_bytes())?;
            all.push(Operation { method, path: path.clone(), told });
        }
    }
    Ok(all)
}

/// Invalid bodies, each in its own way, with their content types.
fn wrong(good: &Value) -> Vec<(&'static str, String)> {
    let mut bodies = vec![
        ("application/json", "{".to_owned()),
        ("application/json", String::new()),
        ("application/json", "null".to_owned()),
        ("application/json", "[1, 2]".to_owned()),
        ("application/json", "{\"\\u0000\": \"\\ud800\"}".to_owned()),
        ("application/json", format!("{{\"x\": \"{}\"}}", "x".repeat(300 * 1024))),
        ("text/plain", good.to_string()),
        ("application/x-www-form-urlencoded", "a=1".to_owned()),
        ("", good.to_string()),
    ];
    for name in good.as_object().into_iter().flat_map(Map::keys) {
        for value in [json!(null), json!(1e308), json!(-1), json!([]), json!({ "a": "\u{0}" }), json!("\u{0}\u{202e}é")]
        {
            let mut body = good.clone();
            body[name] = value;
            bodies.push(("application/json", body.to_string()));
        }
        bodies.push(("application/json", good.to_string().replace(':', ":99999999999999999999")));
    }
    bodies
}

#[tokio::test]
async fn every_operation_answers_what_the_document_tells() -> Result<()> {
    let site = Site::start().await?;
    let umpire = Program::of(&site, Scope::Umpire).await?;
    let admin = Program::of(&site, Scope::Admin).await?;
    let reader = Program::of(&site, Scope::Read).await?;
    let live = umpire.opens("live", "live").await?;
    let slug = live["match"].as_str().context("a match")?.to_owned();
    let practice = umpire.practises("practice", "live").await?;
    let practice = practice["match"].as_str().context("a match")?.to_owned();
    let link = umpire.post(&format!("/api/v1/matches/{slug}/links"), "link", &json!({ "seat": "p1" })).await?.json()?;
    let seat = Program::with(&site, link["token"].as_str().context("a token")?.to_owned());
    let nobody = Program::with(&site, "mb_nobody".to_owned());
    let document = umpire.get("/openapi.json").await?.json()?;
    assert_eq!(document["openapi"], "3.1.0");
    let mut operations = operations(&document)?;
    operations.sort_by_key(Operation::deletes);
    ensure!(operations.len() >= 56, "{} operations", operations.len());
    let mut n = 0;
    for operation in &operations {
        let (method, told) = (&operation.method, operation.told);
        for field in ["operationId", "summary"] {
            ensure!(told[field].is_string(), "{method} {} has no {field}", operation.path);
        }
        operation.shows(&document)?;
        let body = operation.body().map(|schema| sample(&document, schema));
        for program in [&admin, &umpire, &seat, &reader, &nobody] {
            for slug in [slug.as_str(), practice.as_str(), "0000000000", "%00", "é"] {
                n += 1;
                let key = operation.wants_key().then(|| format!("good-{n}"));
                let kind = if body.is_some() { "application/json" } else { "" };
                let text = body.as_ref().map(Value::to_string).unwrap_or_default();
                let answer = program.send(method.clone(), &operation.address(slug), key.as_deref(), kind, text).await?;
                operation.tells(&document, &answer)?;
                ensure!(!answer.status.is_server_error(), "{method} {}: {}", operation.path, answer.text);
            }
        }
    }
    Ok(())
}

#[tokio::test]
async fn what_does_not_read_is_refused_as_the_document_tells() -> Result<()> {
    let site = Site::start().await?;
    let admin = Program::of(&site, Scope::Admin).await?;
    let live = admin.opens("live", "live").await?;
    let slug = live["match"].as_str().context("a match")?.to_owned();
    let link = admin.post(&format!("/api/v1/matches/{slug}/links"), "link", &json!({ "seat": "p1" })).await?.json()?;
    let seat = Program::with(&site, link["token"].as_str().context("a token")?.to_owned());
    let document = admin.get("/openapi.json").await?.json()?;
    let mut n = 0;
    for operation in operations(&document)? {
        let address = operation.address(&slug);
        let program = if operation.path.contains("/seat") { &seat } else { &admin };
        if let Some(schema) = operation.body() {
            for (kind, body) in wrong(&sample(&document, schema)) {
                n += 1;
                let key = operation.wants_key().then(|| format!("bad-{n}"));
                let answer =
                    program.send(operation.method.clone(), &address, key.as_deref(), kind, body.clone()).await?;
                operation.tells(&document, &answer).with_context(|| body.chars().take(200).collect::<String>())?;
                if !answer.status.is_client_error() && kind != "application/json" {
                    bail!("{} took {kind}", operation.path);
                }
            }
        }
        if operation.method == Method::GET {
            for query in ["?result=drawn", "?after=x", "?from=-1", "?unknown=1", "?player=%00", "?player=%ff"] {
                let answer = program.send(Method::GET, &format!("{address}{query}"), None, "", String::new()).await?;
                operation.tells(&document, &answer).with_context(|| query.to_owned())?;
            }
        }
        if operation.wants_key() {
            for key in ["", "two words", "\"open"] {
                let answer =
                    program.send(Method::POST, &address, Some(key), "application/json", "{}".to_owned()).await?;
                ensure!(answer.status.is_client_error(), "{} took the key {key:?}", operation.path);
                operation.tells(&document, &answer)?;
            }
        }
        let answer = program.send(Method::PATCH, &address, None, "", String::new()).await?;
        ensure!(answer.status == StatusCode::METHOD_NOT_ALLOWED, "{}", answer.text);
        ensure!(answer.headers.contains_key("allow"), "{}: what it takes", operation.path);
        assert_eq!(answer.kind, "application/problem+json");
        let taken = operation.method.as_str();
        ensure!(answer.text.contains("This address takes ") && answer.text.contains(taken), "{}", answer.text);
        ensure!(answer.text.contains("not PATCH."), "{}", answer.text);
    }
    Ok(())
}
