//! Runs functions.

use alloc::borrow::Cow;
use alloc::format;
use alloc::vec::Vec;
use core::cell::Cell as Flag;

use crate::data::Data;
use crate::fault::{Fault, Result};
use crate::heap::{Cell, Heap, Value};
use crate::syntax::{Line, Program, Statement, Target};

/// How deep calls, blocks and brackets together may go: each level takes some of the machine's own stack.
const MOST_LEVELS: u32 = 200;

/// What a call took of what it may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    pub steps: u32,
    pub room: u32,
}

impl Spent {
    #[must_use]
    pub fn most(self, other: Self) -> Self {
        Self { steps: self.steps.max(other.steps), room: self.room.max(other.room) }
    }
}

pub(crate) struct Machine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) constants: Cow<'p, [Value]>,
    pub(crate) used: &'p [Flag<bool>],
    pub(crate) heap: Heap<'p>,
    pub(crate) levels: u32,
}

pub(crate) enum Flow {
    On,
    Break,
    Continue,
    Return(Value),
}

/// The constants of a text: their values, and the lists among them.
pub(crate) fn constants(program: &Program, used: &[Flag<bool>], steps: u32) -> Result<(Vec<Value>, Vec<Cell>)> {
    let constants = Cow::Owned(Vec::new());
    let mut machine = Machine { program, constants, used, heap: Heap::new(&[], steps), levels: 0 };
    for (_, node) in &program.constants {
        let mut locals = alloc::vec![Value::Unset; program.locals];
        let value = machine.value(node, &mut locals)?;
        machine.constants.to_mut().push(value);
    }
    Ok((machine.constants.into_owned(), machine.heap.into_cells()))
}

impl<'p> Machine<'p> {
    pub(crate) fn new(
        program: &'p Program,
        (constants, cells): &'p (Vec<Value>, Vec<Cell>),
        used: &'p [Flag<bool>],
        steps: u32,
    ) -> Self {
        Self { program, constants: Cow::Borrowed(constants), used, heap: Heap::new(cells, steps), levels: 0 }
    }

    /// Calls a function of the text from outside, with a first value that is in the heap already.
    pub(crate) fn run(&mut self, name: &str, first: Value, others: &[&Data]) -> Result<Data> {
        let place = self.program.function(name).ok_or_else(|| Fault::new(0, format!("there is no function {name}")))?;
        let mut values = alloc::vec![first];
        for value in others {
            values.push(self.heap.import(value)?);
        }
        let given = self.call(place, values)?;
        self.heap.export(&given, 0)
    }

    pub(crate) fn call(&mut self, place: usize, mut values: Vec<Value>) -> Result<Value> {
        let Some(function) = self.program.functions.get(place) else { return self.heap.fault("no such function") };
        self.heap.pay(1 + function.locals / 8)?;
        values.resize(function.locals, Value::Unset);
        match self.block(&function.body, &mut values)? {
            Flow::Return(value) => Ok(value),
            _ => Ok(Value::None),
        }
    }

    pub(crate) fn level<T>(&mut self, run: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.levels >= MOST_LEVELS {
            return self.heap.fault("calls and brackets go too deep here: give a part a name of its own");
        }
        self.levels += 1;
        let run = run(self);
        self.levels -= 1;
        run
    }

    fn block(&mut self, lines: &'p [Line], locals: &mut Vec<Value>) -> Result<Flow> {
        self.level(|machine| {
            for line in lines {
                machine.heap.line = line.line;
                machine.heap.pay(1)?;
                match machine.statement(&line.statement, locals)? {
                    Flow::On => {}
                    flow => return Ok(flow),
                }
            }
            Ok(Flow::On)
        })
    }

    fn statement(&mut self, statement: &'p Statement, locals: &mut Vec<Value>) -> Result<Flow> {
        match statement {
            Statement::Value(node) => drop(self.value(node, locals)?),
            Statement::Assign(target, node) => {
                let value = self.value(node, locals)?;
                self.assign(target, value, locals)?;
            }
            Statement::Change(Target::Local(place), operator, node) => {
                let before = self.local(*place, locals)?;
                let value = self.value(node, locals)?;
                let value = self.change(*operator, before, value)?;
                locals.get_mut(*place).into_iter().for_each(|local| *local = value.clone());
            }
            Statement::Change(Target::Member(pair), operator, node) => {
                let whole = self.value(&pair.0, locals)?;
                let index = self.value(&pair.1, locals)?;
                let before = self.index(&whole, &index)?;
                let value = self.value(node, locals)?;
                let value = self.change(*operator, before, value)?;
                self.set(&whole, &index, value)?;
            }
            Statement::If(parts) => {
                for (condition, lines) in parts {
                    let holds = match condition {
                        Some(condition) => self.truth(condition, locals)?,
                        None => true,
                    };
                    if holds {
                        return self.block(lines, locals);
                    }
                }
            }
            Statement::For(place, list, lines) => return self.each(*place, list, lines, locals),
            Statement::Return(None) => return Ok(Flow::Return(Value::None)),
            Statement::Return(Some(node)) => return Ok(Flow::Return(self.value(node, locals)?)),
            Statement::Break => return Ok(Flow::Break),
            Statement::Continue => return Ok(Flow::Continue),
            Statement::Pass => {}
        }
        Ok(Flow::On)
    }

    fn assign(&mut self, target: &'p Target, value: Value, locals: &mut Vec<Value>) -> Result<()> {
        match target {
            Target::Local(place) => {
                locals.get_mut(*place).into_iter().for_each(|local| *local = value.clone());
                Ok(())
            }
            Target::Member(pair) => {
                let whole = self.value(&pair.0, locals)?;
                let index = self.value(&pair.1, locals)?;
                self.set(&whole, &index, value)
            }
        }
    }

    fn set(&mut self, whole: &Value, index: &Value, value: Value) -> Result<()> {
        match (whole, index) {
            (Value::List(place), Value::Int(_)) => {
                let at = self.position(whole, index)?;
                if let Cell::List(values) = self.heap.change(*place)?
                    && let Some(old) = values.get_mut(at)
                {
                    *old = value;
                }
                Ok(())
            }
            (Value::Dict(place), Value::Text(key)) => {
                self.heap.check_key(key)?;
                let known = self.heap.member(*place, key)?.is_some();
                if !known {
                    self.heap.room(2)?;
                }
                if let Cell::Dict(members) = self.heap.change(*place)? {
                    match members.iter_mut().find(|(name, _)| name == key) {
                        Some((_, old)) => *old = value,
                        None => members.push((key.clone(), value)),
                    }
                }
                Ok(())
            }
            _ => self.heap.fault(format!(
                "{} has no member {}: a list takes a number, a dict a text",
                whole.kind(),
                index.kind()
            )),
        }
    }

    fn each(
        &mut self,
        place: usize,
        list: &'p crate::syntax::Node,
        lines: &'p [Line],
        locals: &mut Vec<Value>,
    ) -> Result<Flow> {
        let list = self.value(list, locals)?;
        self.walk(&list, |machine, value| {
            if let Some(local) = locals.get_mut(place) {
                *local = value;
            }
            machine.block(lines, locals)
        })
    }

    /// Goes through a list, or the keys of a dict.
    pub(crate) fn walk(&mut self, list: &Value, mut run: impl FnMut(&mut Self, Value) -> Result<Flow>) -> Result<Flow> {
        let (Value::List(place) | Value::Dict(place)) = list else {
            return self.heap.fault(format!("for goes through a list or a dict, and this is {}", list.kind()));
        };
        self.heap.lock(*place);
        for at in 0..self.heap.len(list) {
            self.heap.pay(1)?;
            let value = match list {
                Value::List(place) => self.heap.items(*place).get(at).cloned(),
                _ => self.heap.members(*place).get(at).map(|(key, _)| Value::Text(key.clone())),
            };
            match run(self, value.unwrap_or_default())? {
                Flow::On | Flow::Continue => {}
                Flow::Break => break,
                flow => {
                    self.heap.unlock();
                    return Ok(flow);
                }
            }
        }
        self.heap.unlock();
        Ok(Flow::On)
    }
}
