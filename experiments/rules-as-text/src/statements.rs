//! Reads functions and their blocks.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::fault::Result;
use crate::lexer::{self, Token};
use crate::names::Scope;
use crate::parser::Parser;
use crate::syntax::{Expr, Function, Line, Node, Operator, Program, Statement, Target};

const MOST_PARAMETERS: usize = 8;
const MOST_FUNCTIONS: usize = 100;
const CHANGES: [(&str, Operator); 5] = [
    ("+=", Operator::Add),
    ("-=", Operator::Subtract),
    ("*=", Operator::Multiply),
    ("//=", Operator::Divide),
    ("%=", Operator::Remainder),
];

pub(crate) fn read(text: &str) -> Result<Program> {
    let mut parser = Parser {
        tokens: lexer::read(text)?,
        at: 0,
        program: Program::default(),
        scope: Scope::default(),
        nested: 0,
        loops: 0,
        depth: 0,
    };
    while *parser.peek() != Token::End {
        match parser.peek() {
            Token::NewLine => parser.at += 1,
            Token::Name(name) if name == "def" => parser.function()?,
            Token::Name(_) => parser.constant()?,
            _ => {
                let found = parser.found();
                return parser
                    .fault(format!("outside functions there are constants, as in ROUNDS = 20, and here is {found}"));
            }
        }
    }
    Ok(parser.program)
}

impl Parser {
    fn constant(&mut self) -> Result<()> {
        let line = self.line();
        let name = self.name()?;
        if ["if", "for", "return"].contains(&name.as_str()) {
            return self.fault(format!("{name} is written within a function: begin one with def"));
        }
        self.program.check_new(line, &name)?;
        self.expect("=")?;
        self.scope = Scope::default();
        let value = self.expression()?;
        self.end_of_line()?;
        self.program.locals = self.program.locals.max(self.scope.places);
        self.program.constants.push((name, value));
        Ok(())
    }

    fn function(&mut self) -> Result<()> {
        self.expect("def")?;
        let line = self.line();
        let name = self.name()?;
        self.program.check_new(line, &name)?;
        if self.program.functions.len() >= MOST_FUNCTIONS {
            return self.fault(format!("more than {MOST_FUNCTIONS} functions: join some of them"));
        }
        self.expect("(")?;
        (self.scope, self.depth) = (Scope::default(), 1);
        let mut parameters = 0;
        while !self.take(")") {
            let parameter = self.name()?;
            self.program.check_new(line, &parameter)?;
            if self.scope.place(&parameter).is_some() {
                return self.fault(format!("{parameter} is named twice: choose another name"));
            }
            self.scope.open(line, &parameter)?;
            parameters += 1;
            if parameters > MOST_PARAMETERS {
                return self.fault(format!("{name} takes more than {MOST_PARAMETERS} values: hand over a list"));
            }
            if self.is("=") {
                return self.fault("a value is given with every call: leave = and what follows it out");
            }
            if !self.is(")") {
                self.expect(",")?;
            }
        }
        let body = self.block()?;
        let (locals, depth) = (self.scope.places, self.depth);
        self.program.functions.push(Function { name, line, parameters, locals, depth, body });
        Ok(())
    }

    fn end_of_line(&mut self) -> Result<()> {
        match self.peek() {
            Token::NewLine => self.at += 1,
            Token::Sign(",") => return self.fault("one value at a time: write a list, as in [a, b]"),
            _ => return self.fault(format!("the line ends here, and then comes {}: leave it out", self.found())),
        }
        Ok(())
    }

    fn block(&mut self) -> Result<Vec<Line>> {
        self.expect(":")?;
        if *self.peek() != Token::NewLine {
            return self.fault("a block begins on the next line, four spaces in");
        }
        self.at += 1;
        if *self.peek() != Token::Indent {
            return self.fault("a block is due: indent it by four spaces, and write pass if nothing happens");
        }
        self.at += 1;
        let lines = self.nest(|parser| {
            let mut lines = Vec::new();
            while !matches!(parser.peek(), Token::Dedent | Token::End) {
                let line = parser.line();
                lines.push(Line { line, statement: parser.statement()? });
            }
            Ok(lines)
        })?;
        self.at += usize::from(*self.peek() == Token::Dedent);
        Ok(lines)
    }

    fn statement(&mut self) -> Result<Statement> {
        let Token::Name(word) = self.peek().clone() else { return self.simple() };
        match word.as_str() {
            "if" => self.choice(),
            "for" => self.each(),
            "def" => self.fault("a function within a function: write it above this one"),
            "elif" | "else" => self.fault(format!("{word} follows the block of an if, at its indentation")),
            "return" => {
                self.at += 1;
                let value = if *self.peek() == Token::NewLine { None } else { Some(self.expression()?) };
                self.end_of_line()?;
                Ok(Statement::Return(value))
            }
            "break" | "continue" | "pass" => {
                if word != "pass" && self.loops == 0 {
                    return self.fault(format!("{word} belongs into a for: leave it out"));
                }
                self.at += 1;
                self.end_of_line()?;
                Ok(match word.as_str() {
                    "break" => Statement::Break,
                    "continue" => Statement::Continue,
                    _ => Statement::Pass,
                })
            }
            _ => self.simple(),
        }
    }

    fn choice(&mut self) -> Result<Statement> {
        let mut parts = Vec::new();
        self.expect("if")?;
        loop {
            let condition = self.expression()?;
            parts.push((Some(condition), self.block()?));
            if self.take("elif") {
                continue;
            }
            if self.take("else") {
                parts.push((None, self.block()?));
            }
            return Ok(Statement::If(parts));
        }
    }

    fn each(&mut self) -> Result<Statement> {
        self.expect("for")?;
        let line = self.line();
        let name = self.name()?;
        if self.is(",") {
            return self.fault("one name in a for: take the parts out of the list below it");
        }
        let local = self.local(line, &name)?;
        self.expect("in")?;
        let list = self.expression()?;
        self.loops += 1;
        let block = self.block();
        self.loops -= 1;
        Ok(Statement::For(local, list, block?))
    }

    fn local(&mut self, line: u32, name: &str) -> Result<usize> {
        match self.scope.place(name) {
            Some(place) => Ok(place),
            None => {
                self.program.check_new(line, name)?;
                self.scope.open(line, name)
            }
        }
    }

    /// An assignment, a change, or a value for what it does.
    fn simple(&mut self) -> Result<Statement> {
        let line = self.line();
        if let Some((name, sign)) = self.assigned_name() {
            if sign == "=" {
                self.at += 2;
                let value = self.expression()?;
                self.end_of_line()?;
                return Ok(Statement::Assign(Target::Local(self.local(line, &name)?), value));
            }
            if sign == "," {
                return self.fault("one name at a time: give each its value on a line of its own");
            }
            self.program.check_new(line, &name)?;
        }
        let value = self.expression()?;
        let change = self.operator(&CHANGES);
        if change.is_none() && !self.take("=") {
            self.end_of_line()?;
            return match value.expr {
                Expr::Call(..) | Expr::Method(..) => Ok(Statement::Value(value)),
                _ => Err(crate::Fault::new(
                    line,
                    "this line does nothing: give its value a name, as in x = ..., or return it",
                )),
            };
        }
        let target = target(value).map_or_else(
            || self.fault("only a name or a member of a list or a dict is given a value, as in s[\"pot\"] = 1"),
            Ok,
        )?;
        let value = self.expression()?;
        self.end_of_line()?;
        Ok(match change {
            Some(operator) => Statement::Change(target, operator, value),
            None => Statement::Assign(target, value),
        })
    }

    fn assigned_name(&self) -> Option<(String, &'static str)> {
        let (_, Token::Name(name)) = self.tokens.get(self.at)? else { return None };
        let (_, Token::Sign(sign)) = self.tokens.get(self.at + 1)? else { return None };
        (["=", ","].contains(sign) || CHANGES.iter().any(|(known, _)| known == sign)).then(|| (name.clone(), *sign))
    }
}

fn target(value: Node) -> Option<Target> {
    match value.expr {
        Expr::Local(place) => Some(Target::Local(place)),
        Expr::Index(pair) => Some(Target::Member(pair)),
        _ => None,
    }
}
