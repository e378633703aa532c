//! The words of a line.

use std::collections::BTreeMap;

use anyhow::{Context, Result};

/// The line with its names in braces replaced, and with characters that nobody can see written as `\u{200b}`.
pub(crate) fn filled(line: &str, names: &BTreeMap<String, String>) -> Result<String> {
    let mut out = line.to_owned();
    for (name, value) in names {
        out = out.replace(&format!("{{{name}}}"), value);
    }
    while let Some((before, rest)) = out.split_once("\\u{") {
        let (code, after) = rest.split_once('}').context("a code ends")?;
        let letter = char::from_u32(u32::from_str_radix(code, 16)?).context("a character")?;
        out = format!("{before}{letter}{after}");
    }
    Ok(out.replace("\\n", "\n"))
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
