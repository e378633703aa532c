//! What each name is: a local of the function, a constant, a function above, or one of the language.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::fault::{Fault, Result};
use crate::syntax::{Builtin, Expr, Method, Program};

const MOST_LOCALS: usize = 100;
pub(crate) const KEYWORDS: [&str; 16] = [
    "and", "or", "not", "in", "if", "elif", "else", "for", "def", "return", "break", "continue", "pass", "True",
    "False", "None",
];

/// The locals of the function that is being read.
#[derive(Default)]
pub(crate) struct Scope {
    names: Vec<(String, usize)>,
    /// How many places they take.
    pub(crate) places: usize,
}

impl Scope {
    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().rev().find(|(known, _)| known == name).map(|(_, place)| *place)
    }

    /// A new local, which hides another of its name until it is closed.
    pub(crate) fn open(&mut self, line: u32, name: &str) -> Result<usize> {
        if self.places >= MOST_LOCALS {
            return Err(Fault::new(line, format!("more than {MOST_LOCALS} names in one function: divide it into two")));
        }
        self.names.push((name.to_string(), self.places));
        self.places += 1;
        Ok(self.places - 1)
    }

    pub(crate) fn close(&mut self) {
        self.names.pop();
    }
}

impl Program {
    /// Checks that a name may be given to something new.
    pub(crate) fn check_new(&self, line: u32, name: &str) -> Result<()> {
        let what = if KEYWORDS.contains(&name) || Builtin::of(name).is_some() || ["int", "bool", "dict"].contains(&name)
        {
            "a word of the language"
        } else if self.function(name).is_some() {
            "a function"
        } else if self.constants.iter().any(|(known, _)| known == name) {
            "a constant, which never changes"
        } else {
            return Ok(());
        };
        Err(Fault::new(line, format!("{name} is {what}: choose another name")))
    }

    /// What a name means where a value is due.
    pub(crate) fn value_of(&self, scope: &Scope, line: u32, name: &str) -> Result<Expr> {
        if let Some(place) = scope.place(name) {
            return Ok(Expr::Local(place));
        }
        if let Some(place) = self.constants.iter().position(|(known, _)| known == name) {
            return Ok(Expr::Global(place));
        }
        let right = if self.function(name).is_some() || Builtin::of(name).is_some() {
            format!("{name} is a function: call it, as in {name}(...)")
        } else if KEYWORDS.contains(&name) {
            format!("a value is due, and {name} is none")
        } else {
            format!("{name} has no value here: give it one above, as in {name} = 0")
        };
        Err(Fault::new(line, right))
    }

    /// The function of a call, which is above it: so nothing ever calls itself.
    pub(crate) fn callee(&self, line: u32, name: &str) -> Result<usize> {
        self.function(name).ok_or_else(|| {
            let words = Builtin::WORDS.join(", ");
            Fault::new(
                line,
                format!("no function {name} is above this line: move it up (none calls itself), or use {words}"),
            )
        })
    }
}

pub(crate) fn method(line: u32, name: &str) -> Result<Method> {
    Method::of(name).ok_or_else(|| {
        let known = Method::WORDS.join(", ");
        Fault::new(
            line,
            format!("no value has .{name}: there are {known}; a member of a dict is written d[\"{name}\"]"),
        )
    })
}
