//! Texts that are wrong, or odd, in many ways: a small game with lines of a grammar and with damage.

use rules_as_text::SplitMix64;

/// A game of one question. `@` is where lines go.
const GAME: &str = "\
TITLE = \"Last Match\"
HIDDEN = {\"hand\": \"owner\"}
N = [1, 2, [3, 4], \"a\"]
def f(x, y):
    @
    return x
def start(setup):
    return {\"heap\": 15, \"turn\": \"p1\", \"hand\": {\"p1\": [1], \"p2\": [2]}, \"l\": [1, 2, 3], \"over\": None}
def asks(s):
    if s[\"heap\"] <= 0:
        return []
    return [{\"to\": s[\"turn\"], \"what\": \"take\", \"prompt\": \"Take\", \"number\": [1, 3], \"clock\": 20, \"default\": \"1\"}]
def refuse(s, who, what, sent):
    return {\"rule\": \"1\", \"why\": \"too many\"} if sent != None and sent > s[\"heap\"] else None
def play(s, what, sent):
    x = 3
    y = [1, 2]
    @
    s[\"heap\"] -= 1 if sent[s[\"turn\"]] == None else sent[s[\"turn\"]]
    s[\"turn\"] = \"p2\" if s[\"turn\"] == \"p1\" else \"p1\"
    @
    return [{\"seat\": None, \"text\": str(s[\"heap\"]) + \" left\"}]
def over(s):
    return {\"winner\": s[\"turn\"], \"why\": \"last\"} if s[\"heap\"] <= 0 else None
def figures(s):
    return [{\"name\": \"heap\", \"value\": s[\"heap\"]}]
def panels(s, who):
    @
    return [s[\"hand\"], s[\"l\"]]
";

const ATOMS: [&str; 22] = [
    "x",
    "y",
    "s",
    "s[\"l\"]",
    "s[\"heap\"]",
    "s[\"hand\"]",
    "N",
    "N[2]",
    "0",
    "1",
    "-1",
    "7",
    "9223372036854775807",
    "4294967296",
    "\"a\"",
    "\"heap\"",
    "None",
    "True",
    "False",
    "[]",
    "{}",
    "[x, x]",
];
const OPERATORS: [&str; 16] =
    ["+", "-", "*", "//", "%", "==", "!=", "<", "<=", ">", ">=", "in", "not in", "and", "or", "+"];
const CALLS: [&str; 16] = [
    "f(",
    "len(",
    "range(",
    "str(",
    "sorted(",
    "abs(",
    "list(",
    "max(1, ",
    "min(",
    "any(",
    "all(",
    "y.append(",
    "y.pop(",
    "y.index(",
    "\"-\".join(",
    "s.get(\"l\", ",
];
const TOKENS: [&str; 34] = [
    "x", "y", "(", ")", "[", "]", "{", "}", ",", ":", ".", "=", "+=", "==", "+", "-", "*", "//", "%", "for", "in",
    "if", "else", "def", "return", "not", "\"", "\n", "    ", "0", "é", "while", "'", "\t",
];

fn one<'t>(list: &[&'t str], stream: &mut SplitMix64) -> &'t str {
    let place = usize::try_from(stream.below(list.len() as u64)).unwrap_or(0);
    list.get(place).copied().unwrap_or_default()
}

fn expression(stream: &mut SplitMix64, deep: u32, out: &mut String) {
    let operator = format!(" {} ", one(&OPERATORS, stream));
    let parts: &[&str] = match if deep == 0 { 0 } else { stream.below(10) } {
        0..=2 => &[one(&ATOMS, stream)],
        3..=5 => &["(", &operator, ")"],
        6 => &[one(&CALLS, stream), ")"],
        7 => &["", "[", "]"],
        8 => &["[", " for x in ", "]"],
        _ => &["(", " if ", " else ", ")"],
    };
    for (place, part) in parts.iter().enumerate() {
        if place > 0 {
            expression(stream, deep - 1, out);
        }
        out.push_str(part);
    }
}

fn line(stream: &mut SplitMix64, indent: usize, out: &mut String) {
    let begin = match stream.below(9) {
        0 | 1 => "x = ",
        2 => "y = ",
        3 => "x += ",
        4 => "s[\"l\"] = ",
        5 => "y.append(",
        6 => "if ",
        7 => "for x in ",
        _ => "y[0] = ",
    };
    *out += &" ".repeat(indent);
    out.push_str(begin);
    expression(stream, 3, out);
    match begin {
        "y.append(" => out.push_str(")\n"),
        "if " | "for x in " => {
            out.push_str(":\n");
            let deeper = indent + 4;
            if indent < 12 { line(stream, deeper, out) } else { *out += &format!("{}pass\n", " ".repeat(deeper)) }
        }
        _ => out.push('\n'),
    }
}

/// A text: lines where the game has room for them, and now and then tokens that are lost, doubled or strange.
pub(crate) fn text(stream: &mut SplitMix64) -> String {
    let mut text = String::new();
    for part in GAME.lines() {
        if part.trim() != "@" {
            text += part;
            text.push('\n');
        } else if stream.below(3) == 0 {
            (0..=stream.below(3)).for_each(|_| line(stream, 4, &mut text));
        }
    }
    if stream.below(3) == 0 {
        for _ in 0..=stream.below(3) {
            let at = usize::try_from(stream.below(text.len() as u64)).unwrap_or(0);
            let at = (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
            let end = usize::try_from(stream.below(6)).unwrap_or(0);
            let end = (at + end..=text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(at);
            text.replace_range(at..end.max(at), one(&TOKENS, stream));
        }
    }
    text
}
