//! Reads expressions.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::fault::{Fault, Result};
use crate::lexer::Token;
use crate::names::{self, Scope};
use crate::syntax::{Builtin, Comprehension, Expr, Node, Operator, Program};

/// How deep brackets and blocks may nest: the machine needs its own stack for each level.
const MOST_NESTED: usize = 24;
const MOST_DEPTH: usize = 16;

pub(crate) struct Parser {
    pub(crate) tokens: Vec<(u32, Token)>,
    pub(crate) at: usize,
    pub(crate) program: Program,
    pub(crate) scope: Scope,
    pub(crate) nested: usize,
    pub(crate) loops: usize,
    /// How deep the calls of the function that is being read go.
    pub(crate) depth: usize,
}

const COMPARISONS: [(&str, Operator); 6] = [
    ("==", Operator::Equal),
    ("!=", Operator::Unequal),
    ("<", Operator::Less),
    ("<=", Operator::LessOrEqual),
    (">", Operator::Greater),
    (">=", Operator::GreaterOrEqual),
];
const SUMS: [(&str, Operator); 2] = [("+", Operator::Add), ("-", Operator::Subtract)];
const PRODUCTS: [(&str, Operator); 3] =
    [("*", Operator::Multiply), ("//", Operator::Divide), ("%", Operator::Remainder)];

impl Parser {
    pub(crate) fn line(&self) -> u32 {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(0, |(line, _)| *line)
    }

    pub(crate) fn fault<T>(&self, text: impl Into<String>) -> Result<T> {
        Err(Fault::new(self.line(), text))
    }

    pub(crate) fn peek(&self) -> &Token {
        self.tokens.get(self.at).map_or(&Token::End, |(_, token)| token)
    }

    pub(crate) fn is(&self, sign: &str) -> bool {
        match self.peek() {
            Token::Sign(found) => *found == sign,
            Token::Name(found) => found == sign,
            _ => false,
        }
    }

    pub(crate) fn take(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        self.at += usize::from(found);
        found
    }

    pub(crate) fn found(&self) -> String {
        match self.peek() {
            Token::Name(name) => name.clone(),
            Token::Int(number) => number.to_string(),
            Token::Text(text) => format!("\"{text}\""),
            Token::Sign(sign) => (*sign).into(),
            Token::NewLine | Token::End => "the end of the line".into(),
            Token::Indent => "an indented line".into(),
            Token::Dedent => "the end of the block".into(),
        }
    }

    pub(crate) fn expect(&mut self, sign: &str) -> Result<()> {
        if self.take(sign) { Ok(()) } else { self.fault(format!("{sign} is due, and here is {}", self.found())) }
    }

    pub(crate) fn name(&mut self) -> Result<String> {
        let Token::Name(name) = self.peek().clone() else {
            return self.fault(format!("a name is due, and here is {}", self.found()));
        };
        self.at += 1;
        Ok(name)
    }

    pub(crate) fn nest<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.nested >= MOST_NESTED {
            return self.fault(format!("this is nested more than {MOST_NESTED} deep: give a part of it a name"));
        }
        self.nested += 1;
        let read = read(self);
        self.nested -= 1;
        read
    }

    pub(crate) fn expression(&mut self) -> Result<Node> {
        self.nest(|parser| {
            let line = parser.line();
            let value = parser.either()?;
            if !parser.take("if") {
                return Ok(value);
            }
            let condition = parser.either()?;
            parser.expect("else")?;
            let other = parser.expression()?;
            Ok(Node { line, expr: Expr::If(Box::new((condition, value, other))) })
        })
    }

    fn either(&mut self) -> Result<Node> {
        let mut left = self.both()?;
        while self.is("or") {
            let line = self.line();
            self.at += 1;
            left = self.deeper(line, left, |parser, left| Ok(Expr::Or(Box::new((left, parser.both()?)))))?;
        }
        Ok(left)
    }

    fn both(&mut self) -> Result<Node> {
        let mut left = self.negation()?;
        while self.is("and") {
            let line = self.line();
            self.at += 1;
            left = self.deeper(line, left, |parser, left| Ok(Expr::And(Box::new((left, parser.negation()?)))))?;
        }
        Ok(left)
    }

    fn negation(&mut self) -> Result<Node> {
        let line = self.line();
        if self.take("not") {
            let inner = self.nest(Self::negation)?;
            return Ok(Node { line, expr: Expr::Not(Box::new(inner)) });
        }
        let left = self.sum()?;
        let Some(operator) = self.comparison()? else { return Ok(left) };
        let right = self.sum()?;
        if self.comparison()?.is_some() {
            return self.fault("one comparison at a time: join two with and");
        }
        Ok(Node { line, expr: Expr::Binary(operator, Box::new((left, right))) })
    }

    fn comparison(&mut self) -> Result<Option<Operator>> {
        if self.take("in") {
            return Ok(Some(Operator::In));
        }
        if self.take("not") {
            self.expect("in")?;
            return Ok(Some(Operator::NotIn));
        }
        Ok(self.operator(&COMPARISONS))
    }

    pub(crate) fn operator(&mut self, known: &[(&str, Operator)]) -> Option<Operator> {
        let found = known.iter().find(|(sign, _)| self.is(sign))?;
        self.at += 1;
        Some(found.1)
    }

    fn sum(&mut self) -> Result<Node> {
        let mut left = self.product()?;
        loop {
            let line = self.line();
            let Some(operator) = self.operator(&SUMS) else { return Ok(left) };
            let binary = |parser: &mut Self, left| Ok(Expr::Binary(operator, Box::new((left, parser.product()?))));
            left = self.deeper(line, left, binary)?;
        }
    }

    fn product(&mut self) -> Result<Node> {
        let mut left = self.factor()?;
        loop {
            let line = self.line();
            let Some(operator) = self.operator(&PRODUCTS) else { return Ok(left) };
            let binary = |parser: &mut Self, left| Ok(Expr::Binary(operator, Box::new((left, parser.factor()?))));
            left = self.deeper(line, left, binary)?;
        }
    }

    /// A chain such as a + b + c nests to the left. It is bounded by counting what it is made of.
    fn deeper(&mut self, line: u32, left: Node, read: impl FnOnce(&mut Self, Node) -> Result<Expr>) -> Result<Node> {
        if height(&left) >= MOST_NESTED {
            return self.fault(format!("a chain of more than {MOST_NESTED} parts: give a part of it a name"));
        }
        Ok(Node { line, expr: read(self, left)? })
    }

    fn factor(&mut self) -> Result<Node> {
        let line = self.line();
        if self.take("-") {
            let inner = self.nest(Self::factor)?;
            return Ok(Node { line, expr: Expr::Minus(Box::new(inner)) });
        }
        let mut value = self.atom()?;
        loop {
            let line = self.line();
            if self.take("[") {
                value = self.deeper(line, value, |parser, value| {
                    let index = parser.expression()?;
                    if parser.is(":") {
                        return parser
                            .fault("there are no slices: write a list with for, as in [l[i] for i in range(2)]");
                    }
                    parser.expect("]")?;
                    Ok(Expr::Index(Box::new((value, index))))
                })?;
            } else if self.take(".") {
                let name = self.name()?;
                let method = names::method(line, &name)?;
                self.expect("(")?;
                value = self.deeper(line, value, |parser, value| {
                    let values = parser.values(&name, &method.takes())?;
                    Ok(Expr::Method(method, Box::new(value), values))
                })?;
            } else if self.is("(") {
                return self.fault("only a function is called: write its name before the bracket");
            } else {
                return Ok(value);
            }
        }
    }

    fn atom(&mut self) -> Result<Node> {
        let line = self.line();
        let expr = match self.peek().clone() {
            Token::Int(number) => Expr::Int(number),
            Token::Text(text) => {
                self.program.add_text(line, &text);
                Expr::Text(self.program.texts.len() - 1)
            }
            Token::Name(name) => {
                self.at += 1;
                return Ok(Node { line, expr: self.named(line, &name)? });
            }
            Token::Sign("(") => {
                self.at += 1;
                let inner = self.expression()?;
                if self.is(",") {
                    return self.fault("there are no tuples: write a list, as in [a, b]");
                }
                self.expect(")")?;
                return Ok(inner);
            }
            Token::Sign("[") => {
                self.at += 1;
                return Ok(Node { line, expr: self.list()? });
            }
            Token::Sign("{") => {
                self.at += 1;
                return Ok(Node { line, expr: self.dict()? });
            }
            _ => return self.fault(format!("a value is due, and here is {}", self.found())),
        };
        self.at += 1;
        Ok(Node { line, expr })
    }

    fn named(&mut self, line: u32, name: &str) -> Result<Expr> {
        match name {
            "None" => return Ok(Expr::None),
            "True" | "False" => return Ok(Expr::Bool(name == "True")),
            _ => {}
        }
        if !self.is("(") || self.scope.place(name).is_some() || names::KEYWORDS.contains(&name) {
            return self.program.value_of(&self.scope, line, name);
        }
        self.at += 1;
        if let Some(builtin) = Builtin::of(name) {
            return Ok(Expr::Builtin(builtin, self.values(name, &builtin.takes())?));
        }
        let place = self.program.callee(line, name)?;
        let Some(function) = self.program.functions.get(place) else { return self.fault("no such function") };
        let parameters = function.parameters;
        self.depth = self.depth.max(function.depth + 1);
        if self.depth > MOST_DEPTH {
            return self.fault(format!("functions call each other more than {MOST_DEPTH} deep: join some of them"));
        }
        Ok(Expr::Call(place, self.values(name, &(parameters..=parameters))?))
    }

    /// The values of a call, behind its bracket.
    fn values(&mut self, name: &str, takes: &core::ops::RangeInclusive<usize>) -> Result<Vec<Node>> {
        let values = self.nodes(")")?;
        if !takes.contains(&values.len()) {
            let due = match (takes.start(), takes.end()) {
                (least, most) if least == most => format!("{least}"),
                (least, most) => format!("{least} to {most}"),
            };
            return self.fault(format!("{name} takes {due} in its brackets, and here are {}", values.len()));
        }
        Ok(values)
    }

    fn nodes(&mut self, end: &str) -> Result<Vec<Node>> {
        let mut nodes = Vec::new();
        while !self.take(end) {
            nodes.push(self.expression()?);
            if self.is("=") {
                return self.fault("values are given by their place: leave the name and = out");
            }
            if !self.is(end) {
                self.expect(",")?;
            }
        }
        Ok(nodes)
    }

    fn list(&mut self) -> Result<Expr> {
        // The value of a comprehension is before its name, and is read again once the name is known.
        let start = self.at;
        if let Some(each) = self.comprehension_ahead() {
            self.at = each;
            let name = self.name()?;
            self.program.check_new(self.line(), &name)?;
            self.expect("in")?;
            let list = self.nest(Self::either)?;
            let local = self.scope.open(self.line(), &name)?;
            let condition = if self.take("if") { Some(self.nest(Self::either)?) } else { None };
            if self.is("for") {
                return self.fault("one for in a list: write the other as a loop");
            }
            self.expect("]")?;
            let end = core::mem::replace(&mut self.at, start);
            let value = self.expression()?;
            self.expect("for")?;
            self.scope.close();
            self.at = end;
            return Ok(Expr::Each(Box::new(Comprehension { value, local, list, condition })));
        }
        Ok(Expr::List(self.nodes("]")?))
    }

    /// The place behind the `for` of this list, if it has one.
    fn comprehension_ahead(&self) -> Option<usize> {
        let mut open = 0_usize;
        for (at, (_, token)) in self.tokens.iter().enumerate().skip(self.at) {
            match token {
                Token::Sign("(" | "[" | "{") => open += 1,
                Token::Sign(")" | "]" | "}") => open = open.checked_sub(1)?,
                Token::Name(name) if open == 0 && name == "for" => return Some(at + 1),
                Token::NewLine | Token::End => return None,
                _ => {}
            }
        }
        None
    }

    fn dict(&mut self) -> Result<Expr> {
        if self.comprehension_ahead().is_some() {
            return self.fault("there is no for within { }: begin with {} and add members in a loop");
        }
        let mut members = Vec::new();
        while !self.take("}") {
            let key = self.expression()?;
            self.expect(":")?;
            members.push((key, self.expression()?));
            if !self.is("}") {
                self.expect(",")?;
            }
        }
        Ok(Expr::Dict(members))
    }
}

/// How deep a chain of operators nests to the left.
fn height(node: &Node) -> usize {
    let (mut height, mut node) = (0, node);
    loop {
        node = match &node.expr {
            Expr::Binary(_, pair) | Expr::And(pair) | Expr::Or(pair) | Expr::Index(pair) => &pair.0,
            Expr::Method(_, value, _) => value,
            _ => return height,
        };
        height += 1;
    }
}
