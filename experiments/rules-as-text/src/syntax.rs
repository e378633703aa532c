//! A text that was read: names are places already.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) line: u32,
    pub(crate) expr: Expr,
}

#[derive(Debug)]
pub(crate) enum Expr {
    None,
    Bool(bool),
    Int(i64),
    /// A place in [`Program::texts`], so that it is known which texts a match used.
    Text(usize),
    Local(usize),
    Global(usize),
    List(Vec<Node>),
    Dict(Vec<(Node, Node)>),
    Not(Box<Node>),
    Minus(Box<Node>),
    Binary(Operator, Box<(Node, Node)>),
    And(Box<(Node, Node)>),
    Or(Box<(Node, Node)>),
    /// The condition, the value if it holds, and the other value.
    If(Box<(Node, Node, Node)>),
    Index(Box<(Node, Node)>),
    Call(usize, Vec<Node>),
    Builtin(Builtin, Vec<Node>),
    Method(Method, Box<Node>, Vec<Node>),
    Each(Box<Comprehension>),
}

#[derive(Debug)]
pub(crate) struct Comprehension {
    pub(crate) value: Node,
    pub(crate) local: usize,
    pub(crate) list: Node,
    pub(crate) condition: Option<Node>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    NotIn,
}

macro_rules! named {
    ($name:ident { $($variant:ident $word:literal $least:literal..=$most:literal),+ $(,)? }) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name { $($variant),+ }

        impl $name {
            pub(crate) const WORDS: &[&str] = &[$($word),+];

            pub(crate) fn of(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }

            /// How many values it takes.
            pub(crate) const fn takes(self) -> core::ops::RangeInclusive<usize> {
                match self { $(Self::$variant => $least..=$most),+ }
            }
        }
    };
}

named!(Builtin {
    Abs "abs" 1..=1, All "all" 1..=1, Any "any" 1..=1, Len "len" 1..=1, List "list" 1..=1, Max "max" 2..=8,
    Min "min" 2..=8, Range "range" 1..=3, Sorted "sorted" 1..=1, Str "str" 1..=1,
});
named!(Method {
    Append "append" 1..=1, Get "get" 2..=2, Index "index" 1..=1, Join "join" 1..=1, Pop "pop" 0..=1,
    Remove "remove" 1..=1,
});

#[derive(Debug)]
pub(crate) enum Statement {
    Value(Node),
    Assign(Target, Node),
    Change(Target, Operator, Node),
    /// Conditions in order with their blocks; the last one may always hold.
    If(Vec<(Option<Node>, Vec<Line>)>),
    For(usize, Node, Vec<Line>),
    Return(Option<Node>),
    Break,
    Continue,
    Pass,
}

#[derive(Debug)]
pub(crate) enum Target {
    Local(usize),
    Member(Box<(Node, Node)>),
}

#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) line: u32,
    pub(crate) statement: Statement,
}

#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) line: u32,
    pub(crate) parameters: usize,
    /// With the parameters.
    pub(crate) locals: usize,
    /// How deep its calls go; the functions that it calls are above it.
    pub(crate) depth: usize,
    pub(crate) body: Vec<Line>,
}

#[derive(Debug, Default)]
pub(crate) struct Program {
    pub(crate) functions: Vec<Function>,
    /// Constants by name, in order; how many functions were above each.
    pub(crate) constants: Vec<(String, Node)>,
    pub(crate) texts: Vec<(u32, Arc<str>)>,
    shared: Vec<Arc<str>>,
    /// The most locals that a constant needs, for its comprehensions.
    pub(crate) locals: usize,
}

impl Program {
    /// Equal texts share their letters, so that most comparisons of keys look at none.
    pub(crate) fn add_text(&mut self, line: u32, text: &str) {
        let known = self.shared.iter().find(|known| &***known == text).cloned();
        let shared = known.unwrap_or_else(|| {
            self.shared.push(text.into());
            self.shared.last().cloned().unwrap_or_else(|| text.into())
        });
        self.texts.push((line, shared));
    }

    pub(crate) fn function(&self, name: &str) -> Option<usize> {
        self.functions.iter().position(|function| function.name == name)
    }
}
