//! The table of the cases: the result of each in each ruleset. The website shows it; `UPDATE=1` rewrites it.

use serde_json::{Value, json};

use super::play::{self, Run};

const ADVICE: &str = "UPDATE=1 cargo test -p matchbook-engine conformance writes it anew";

fn row(run: &Run) -> Value {
    let case = &run.case;
    let passed = run.passed.iter().map(|(ruleset, passed)| (ruleset, json!(if *passed { "passed" } else { "failed" })));
    let results: serde_json::Map<String, Value> = passed.map(|(ruleset, result)| (ruleset.clone(), result)).collect();
    json!({
        "case": case.number,
        "title": case.title,
        "rules": case.rules,
        "issues": case.issues,
        "options": case.options,
        "seed": case.seed,
        "file": case.file,
        "results": results,
        "not": case.not,
        "text": case.text,
    })
}

#[test]
fn the_table_is_what_the_cases_give() {
    let rows: Vec<Value> = play::all().iter().map(row).collect();
    let text = format!("{:#}\n", Value::Array(rows));
    let path = super::root().join("table.json");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, text).unwrap();
        return;
    }
    let there = std::fs::read_to_string(path).unwrap_or_default();
    let differs = there.lines().zip(text.lines()).zip(1..).find(|((there, now), _)| there != now);
    if let Some(((there, now), line)) = differs {
        panic!("table.json line {line} says\n{there}\nand the cases give\n{now}\n{ADVICE}");
    }
    assert_eq!(there.len(), text.len(), "table.json is not of these cases; {ADVICE}");
}
