//! Takes a text apart into words and signs, and says what lies outside the language.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::fault::{Fault, Result};

const MOST_BYTES: usize = 64_000;
const INDENT: usize = 4;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Name(String),
    Int(i64),
    Text(String),
    Sign(&'static str),
    NewLine,
    Indent,
    Dedent,
    End,
}

/// The longer ones first.
const SIGNS: [&str; 27] = [
    "//=", "==", "!=", "<=", ">=", "//", "+=", "-=", "*=", "%=", "(", ")", "[", "]", "{", "}", ",", ":", ".", "+", "-",
    "*", "%", "<", ">", "=", "\n",
];

const FOREIGN: [(&str, &str); 22] = [
    ("while", "there is no while: write for i in range(100): and leave it with break"),
    ("lambda", "there is no lambda: write a function with def"),
    ("import", "a text uses nothing from elsewhere: leave import out"),
    ("load", "a text uses nothing from elsewhere: leave load out"),
    ("from", "a text uses nothing from elsewhere: leave from out"),
    ("class", "there are no classes: write a dict, as in {\"pot\": 1}"),
    ("try", "there is no try: ask first with if"),
    ("except", "there is no except: ask first with if"),
    ("finally", "there is no finally: ask first with if"),
    ("raise", "there is no raise: return the refusal"),
    ("with", "there is no with: leave it out"),
    ("assert", "there is no assert: write if"),
    ("global", "a constant cannot be changed: keep the value in the state"),
    ("nonlocal", "a constant cannot be changed: keep the value in the state"),
    ("is", "there is no is: write =="),
    ("del", "there is no del: write pop or remove, or set the value to None"),
    ("yield", "there is no yield: return a list"),
    ("async", "there is no async: write def"),
    ("await", "there is no await: leave it out"),
    ("print", "nothing is printed: return an effect"),
    ("fail", "there is no fail: return the refusal"),
    ("float", "there are whole numbers alone: count in a smaller unit"),
];

struct Lexer<'t> {
    rest: &'t str,
    line: u32,
    /// How many brackets are open: line breaks within them mean nothing.
    open: usize,
    depth: usize,
    tokens: Vec<(u32, Token)>,
}

pub(crate) fn read(text: &str) -> Result<Vec<(u32, Token)>> {
    if text.len() > MOST_BYTES {
        return Err(Fault::new(0, format!("the text has {} bytes, and {MOST_BYTES} are the most", text.len())));
    }
    let mut lexer = Lexer { rest: text, line: 1, open: 0, depth: 0, tokens: Vec::new() };
    lexer.indent()?;
    while !lexer.rest.is_empty() {
        lexer.next()?;
    }
    if lexer.open > 0 {
        return Err(lexer.fault("a bracket is open at the end: close it"));
    }
    if !matches!(lexer.tokens.last(), Some((_, Token::NewLine)) | None) {
        lexer.push(Token::NewLine);
    }
    (0..lexer.depth).for_each(|_| lexer.tokens.push((lexer.line, Token::Dedent)));
    lexer.push(Token::End);
    Ok(lexer.tokens)
}

impl<'t> Lexer<'t> {
    fn fault(&self, text: impl Into<String>) -> Fault {
        Fault::new(self.line, text)
    }

    fn push(&mut self, token: Token) {
        self.tokens.push((self.line, token));
    }

    fn take(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    fn take_while(&mut self, holds: impl Fn(char) -> bool) -> &'t str {
        self.take(self.rest.find(|sign| !holds(sign)).unwrap_or(self.rest.len()))
    }

    fn next(&mut self) -> Result<()> {
        let Some(first) = self.rest.chars().next() else { return Ok(()) };
        match first {
            ' ' => drop(self.take(1)),
            '#' => drop(self.take_while(|sign| sign != '\n')),
            '"' => self.text()?,
            '0'..='9' => self.number()?,
            'a'..='z' | 'A'..='Z' | '_' => self.name()?,
            _ => {
                let Some(sign) = SIGNS.into_iter().find(|sign| self.rest.starts_with(sign)) else {
                    return Err(self.foreign(first));
                };
                self.take(sign.len());
                self.sign(sign)?;
            }
        }
        Ok(())
    }

    fn sign(&mut self, sign: &'static str) -> Result<()> {
        match sign {
            "\n" => {
                if self.open == 0 {
                    self.push(Token::NewLine);
                }
                self.line += 1;
                return if self.open == 0 { self.indent() } else { Ok(()) };
            }
            "(" | "[" | "{" => self.open += 1,
            ")" | "]" | "}" => {
                self.open =
                    self.open.checked_sub(1).ok_or_else(|| self.fault(format!("this {sign} closes nothing")))?;
            }
            _ => {}
        }
        if sign == "*" && self.rest.starts_with('*') {
            return Err(self.fault("there is no **: multiply with *"));
        }
        self.push(Token::Sign(sign));
        Ok(())
    }

    fn foreign(&self, sign: char) -> Fault {
        self.fault(match sign {
            '\t' => "a tab: indent with four spaces".into(),
            '\r' => "a line ends with a carriage return: save the text with plain line breaks".into(),
            '\'' => "write texts in double quotes, as in \"grow\"".into(),
            '/' => "there are whole numbers alone: divide with //".into(),
            ';' => "write each statement on a line of its own".into(),
            '&' => "write and".into(),
            '|' => "write or".into(),
            '!' => "write not, or != between two values".into(),
            _ => format!("the sign {sign} means nothing outside texts: leave it out"),
        })
    }

    /// The indentation of the next line that is not empty.
    fn indent(&mut self) -> Result<()> {
        loop {
            let spaces = self.take_while(|sign| sign == ' ').len();
            if self.rest.starts_with('#') {
                self.take_while(|sign| sign != '\n');
            }
            if self.rest.starts_with('\n') {
                self.take(1);
                self.line += 1;
                continue;
            }
            if self.rest.is_empty() {
                return Ok(());
            }
            if !spaces.is_multiple_of(INDENT) || spaces / INDENT > self.depth + 1 {
                return Err(self.fault(format!(
                    "{spaces} spaces before this line: indent a block by four more than the line that begins it"
                )));
            }
            if spaces / INDENT > self.depth {
                self.push(Token::Indent);
            }
            for _ in spaces / INDENT..self.depth {
                self.push(Token::Dedent);
            }
            self.depth = spaces / INDENT;
            return Ok(());
        }
    }

    fn number(&mut self) -> Result<()> {
        let digits = self.take_while(|sign| sign.is_ascii_alphanumeric() || sign == '_');
        if self.rest.starts_with('.') {
            return Err(self.fault(format!("{digits}. is no whole number: count in a smaller unit")));
        }
        if digits.len() > 1 && digits.starts_with('0') {
            return Err(self.fault(format!("{digits} is no number: write it without 0 before it")));
        }
        let number = digits
            .parse()
            .map_err(|_| self.fault(format!("{digits} is no whole number up to {}: write digits alone", i64::MAX)))?;
        self.push(Token::Int(number));
        Ok(())
    }

    fn name(&mut self) -> Result<()> {
        let name = self.take_while(|sign| sign.is_ascii_alphanumeric() || sign == '_');
        if let Some((_, right)) = FOREIGN.into_iter().find(|(word, _)| *word == name) {
            return Err(self.fault(right));
        }
        if self.rest.starts_with(['"', '\'']) {
            return Err(
                self.fault(format!("a text begins with its quote alone: leave {name} out, and join texts with +"))
            );
        }
        self.push(Token::Name(name.to_string()));
        Ok(())
    }

    fn text(&mut self) -> Result<()> {
        if self.rest.starts_with("\"\"\"") {
            return Err(self.fault("write notes with # and each text on one line"));
        }
        self.take(1);
        let mut text = String::new();
        loop {
            text.push_str(self.take_while(|sign| !matches!(sign, '"' | '\\' | '\n' | '\r')));
            match self.take(1) {
                "\"" => break,
                "\\" if self.rest.starts_with(['"', '\\']) => text.push_str(self.take(1)),
                "\\" => return Err(self.fault("after a backslash there is \" or another backslash, and nothing else")),
                _ => return Err(self.fault("this text does not end on its line: close it with \"")),
            }
        }
        self.push(Token::Text(text));
        Ok(())
    }
}
