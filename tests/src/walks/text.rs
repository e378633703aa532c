//! The words of a line.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

/// The line with line breaks written as `\n`, with characters that nobody can see written as `\u{200b}`, and with its names in
/// braces replaced. What a name stands for is taken as it is: it may hold the marks of another language.
pub(crate) fn filled(line: &str, names: &BTreeMap<String, String>) -> Result<String> {
    let mut out = line.to_owned();
    while let Some((before, rest)) = out.split_once("\\u{") {
        let (code, after) = rest.split_once('}').context("a code ends")?;
        let letter = char::from_u32(u32::from_str_radix(code, 16)?).context("a character")?;
        out = format!("{before}{letter}{after}");
    }
    let named = |out: String, (name, value): (&String, &String)| out.replace(&format!("{{{name}}}"), value);
    Ok(names.iter().fold(out.replace("\\n", "\n"), named))
}

/// The first word, and the rest.
pub(crate) fn word(line: &str) -> (&str, &str) {
    line.split_once(' ').unwrap_or((line, ""))
}

/// `/archive | text=wrong | do=enter`: an address, and fields.
pub(crate) fn fields(line: &str) -> Result<(&str, Vec<(&str, &str)>)> {
    let mut parts = line.split(" | ");
    let head = parts.next().unwrap_or_default();
    let field = |part| str::split_once(part, '=').with_context(|| format!("{part} is no field"));
    Ok((head, parts.map(field).collect::<Result<_>>()?))
}

/// What is looked for, and the value it must have.
pub(crate) fn equation(line: &str) -> Result<(&str, &str)> {
    line.split_once(" = ").or_else(|| Some((line.strip_suffix(" =")?, ""))).with_context(|| format!("{line} has no ="))
}
