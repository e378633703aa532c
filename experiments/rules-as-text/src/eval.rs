//! Works out values.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::fault::Result;
use crate::heap::Value;
use crate::machine::{Flow, Machine};
use crate::syntax::{Comprehension, Expr, Node, Operator};

type Locals = Vec<Value>;

impl<'p> Machine<'p> {
    pub(crate) fn value(&mut self, node: &'p Node, locals: &mut Locals) -> Result<Value> {
        self.heap.pay(1)?;
        match &node.expr {
            Expr::None => Ok(Value::None),
            Expr::Bool(holds) => Ok(Value::Bool(*holds)),
            Expr::Int(number) => Ok(Value::Int(*number)),
            Expr::Text(place) => {
                self.used.get(*place).into_iter().for_each(|used| used.set(true));
                Ok(self.program.texts.get(*place).map_or(Value::None, |(_, text)| Value::Text(text.clone())))
            }
            Expr::Local(place) => self.local(*place, locals),
            Expr::Global(place) => Ok(self.constants.get(*place).cloned().unwrap_or(Value::None)),
            _ => self.level(|machine| machine.compound(node, locals)),
        }
    }

    pub(crate) fn local(&self, place: usize, locals: &Locals) -> Result<Value> {
        match locals.get(place) {
            None | Some(Value::Unset) => {
                self.heap.fault("a name has no value yet on this way through the function: give it one above the if")
            }
            Some(value) => Ok(value.clone()),
        }
    }

    fn compound(&mut self, node: &'p Node, locals: &mut Locals) -> Result<Value> {
        self.heap.line = node.line;
        match &node.expr {
            Expr::List(nodes) => {
                let values = self.values(nodes, locals)?;
                self.heap.list(values)
            }
            Expr::Dict(members) => self.dict(members, locals),
            Expr::Not(inner) => Ok(Value::Bool(!self.truth(inner, locals)?)),
            Expr::Minus(inner) => match self.value(inner, locals)? {
                Value::Int(number) => self.number(number.checked_neg()),
                other => self.heap.fault(format!("- takes a number, and this is {}", other.kind())),
            },
            Expr::Binary(operator, pair) => {
                let one = self.value(&pair.0, locals)?;
                let other = self.value(&pair.1, locals)?;
                self.heap.line = node.line;
                self.binary(*operator, one, other)
            }
            Expr::And(pair) => Ok(Value::Bool(self.truth(&pair.0, locals)? && self.truth(&pair.1, locals)?)),
            Expr::Or(pair) => Ok(Value::Bool(self.truth(&pair.0, locals)? || self.truth(&pair.1, locals)?)),
            Expr::If(parts) => {
                let (condition, value, other) = &**parts;
                let holds = self.truth(condition, locals)?;
                self.value(if holds { value } else { other }, locals)
            }
            Expr::Index(pair) => {
                let whole = self.value(&pair.0, locals)?;
                let index = self.value(&pair.1, locals)?;
                self.heap.line = node.line;
                self.index(&whole, &index)
            }
            Expr::Call(place, nodes) => {
                let values = self.values(nodes, locals)?;
                let value = self.call(*place, values)?;
                self.heap.line = node.line;
                Ok(value)
            }
            Expr::Builtin(builtin, nodes) => {
                let values = self.values(nodes, locals)?;
                self.heap.line = node.line;
                self.builtin(*builtin, &values)
            }
            Expr::Method(method, owner, nodes) => {
                let owner = self.value(owner, locals)?;
                let values = self.values(nodes, locals)?;
                self.heap.line = node.line;
                self.method(*method, &owner, values)
            }
            Expr::Each(each) => self.comprehension(each, locals),
            _ => self.value(node, locals),
        }
    }

    fn values(&mut self, nodes: &'p [Node], locals: &mut Locals) -> Result<Vec<Value>> {
        nodes.iter().map(|node| self.value(node, locals)).collect()
    }

    fn dict(&mut self, nodes: &'p [(Node, Node)], locals: &mut Locals) -> Result<Value> {
        let mut members: Vec<(Arc<str>, Value)> = Vec::new();
        for (key, value) in nodes {
            let Value::Text(key) = self.value(key, locals)? else {
                return self.heap.fault("the keys of a dict are texts, as in {\"pot\": 1}");
            };
            let value = self.value(value, locals)?;
            self.heap.check_key(&key)?;
            self.heap.pay(1 + members.len() / 8)?;
            if members.iter().any(|(known, _)| *known == key) {
                return self.heap.fault(format!("the key \"{key}\" is there twice: leave one out"));
            }
            members.push((key, value));
        }
        self.heap.dict(members)
    }

    fn comprehension(&mut self, each: &'p Comprehension, locals: &mut Locals) -> Result<Value> {
        let list = self.value(&each.list, locals)?;
        let mut values = Vec::new();
        self.walk(&list, |machine, value| {
            if let Some(local) = locals.get_mut(each.local) {
                *local = value;
            }
            let holds = match &each.condition {
                Some(condition) => machine.truth(condition, locals)?,
                None => true,
            };
            if holds {
                machine.heap.room(1)?;
                values.push(machine.value(&each.value, locals)?);
            }
            Ok(Flow::On)
        })?;
        self.heap.list(values)
    }

    pub(crate) fn truth(&mut self, node: &'p Node, locals: &mut Locals) -> Result<bool> {
        match self.value(node, locals)? {
            Value::Bool(holds) => Ok(holds),
            other => {
                self.heap.line = node.line;
                self.heap.fault(format!("True or False is due, and this is {}: compare it, as in x > 0", other.kind()))
            }
        }
    }

    fn number(&self, number: Option<i64>) -> Result<Value> {
        number
            .map(Value::Int)
            .map_or_else(|| self.heap.fault(format!("a number outside {} to {}: count less", i64::MIN, i64::MAX)), Ok)
    }

    /// As [`Self::binary`], for `+=` and its like: a list is changed with append instead.
    pub(crate) fn change(&mut self, operator: Operator, one: Value, other: Value) -> Result<Value> {
        if matches!(one, Value::List(_)) {
            return self.heap.fault("a list does not change with an operator: add to it with append");
        }
        self.binary(operator, one, other)
    }

    pub(crate) fn binary(&mut self, operator: Operator, one: Value, other: Value) -> Result<Value> {
        match (operator, &one, &other) {
            (Operator::Equal, ..) => self.heap.same(&one, &other, 0).map(Value::Bool),
            (Operator::Unequal, ..) => self.heap.same(&one, &other, 0).map(|same| Value::Bool(!same)),
            (Operator::In, ..) => self.contains(&other, &one).map(Value::Bool),
            (Operator::NotIn, ..) => self.contains(&other, &one).map(|found| Value::Bool(!found)),
            (_, Value::Int(one), Value::Int(other)) => self.count(operator, *one, *other),
            (Operator::Add, Value::Text(one), Value::Text(other)) => {
                self.heap.room((one.len() + other.len()) / 16)?;
                self.heap.text([&**one, &**other].concat())
            }
            (Operator::Add, Value::List(one), Value::List(other)) => {
                self.heap.room(self.heap.items(*one).len() + self.heap.items(*other).len())?;
                let values = [self.heap.items(*one), self.heap.items(*other)].concat();
                self.heap.list(values)
            }
            (Operator::Multiply, Value::List(one), Value::Int(times)) => {
                let length = self.heap.items(*one).len();
                let times = if length > 0 && *times > 0 { usize::try_from(*times).unwrap_or(usize::MAX) } else { 0 };
                self.heap.room(length.saturating_mul(times))?;
                let values = (0..times).flat_map(|_| self.heap.items(*one).iter().cloned()).collect();
                self.heap.list(values)
            }
            (Operator::Add, Value::Text(_), Value::Int(_)) | (Operator::Add, Value::Int(_), Value::Text(_)) => {
                self.heap.fault("a number joins a text as str(...) of it")
            }
            _ => self.heap.fault(format!("{} and {} do not go together here", one.kind(), other.kind())),
        }
    }

    /// Quotients are rounded down, and remainders have the sign of the divisor.
    fn count(&mut self, operator: Operator, one: i64, other: i64) -> Result<Value> {
        if matches!(operator, Operator::Divide | Operator::Remainder) && other == 0 {
            return self.heap.fault("nothing is divided by 0: ask first with if");
        }
        let uneven = |rest: i64| rest != 0 && (rest < 0) != (other < 0);
        let number = match operator {
            Operator::Add => one.checked_add(other),
            Operator::Subtract => one.checked_sub(other),
            Operator::Multiply => one.checked_mul(other),
            Operator::Divide => one.checked_div(other).map(|times| times - i64::from(uneven(one.wrapping_rem(other)))),
            Operator::Remainder => {
                let rest = one.wrapping_rem(other);
                Some(if uneven(rest) { rest + other } else { rest })
            }
            Operator::Less => return Ok(Value::Bool(one < other)),
            Operator::LessOrEqual => return Ok(Value::Bool(one <= other)),
            Operator::Greater => return Ok(Value::Bool(one > other)),
            _ => return Ok(Value::Bool(one >= other)),
        };
        self.number(number)
    }

    fn contains(&mut self, whole: &Value, part: &Value) -> Result<bool> {
        match (whole, part) {
            (Value::Dict(place), Value::Text(key)) => Ok(self.heap.member(*place, key)?.is_some()),
            (Value::List(_), _) => Ok(self.find(whole, part)?.is_some()),
            _ => {
                self.heap.fault(format!("in looks into a list, or for a text in a dict, and this is {}", whole.kind()))
            }
        }
    }

    /// The first place of a value in a list.
    pub(crate) fn find(&mut self, list: &Value, part: &Value) -> Result<Option<usize>> {
        let Value::List(place) = list else { return Ok(None) };
        for at in 0..self.heap.items(*place).len() {
            let value = self.heap.items(*place).get(at).cloned().unwrap_or_default();
            if self.heap.same(&value, part, 0)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// A place in a list that exists. Counting from the end is no place.
    pub(crate) fn position(&self, list: &Value, index: &Value) -> Result<usize> {
        let Value::Int(number) = index else {
            return self.heap.fault(format!("a place in a list is a number, and this is {}", index.kind()));
        };
        let length = self.heap.len(list);
        usize::try_from(*number).ok().filter(|at| *at < length).map_or_else(
            || self.heap.fault(format!("there is no place {number} in a list of {length}: the first is 0")),
            Ok,
        )
    }

    pub(crate) fn index(&mut self, whole: &Value, index: &Value) -> Result<Value> {
        match (whole, index) {
            (Value::List(place), Value::Int(_)) => {
                let at = self.position(whole, index)?;
                Ok(self.heap.items(*place).get(at).cloned().unwrap_or_default())
            }
            (Value::Dict(place), Value::Text(key)) => match self.heap.member(*place, key)? {
                Some(value) => Ok(value),
                None => {
                    let known = self.heap.members(*place).iter().take(12).map(|(key, _)| &**key);
                    let known = known.collect::<Vec<_>>().join(", ");
                    self.heap.fault(format!("this dict has no \"{key}\": it has {known}"))
                }
            },
            (Value::None, _) => {
                let text = String::from("this is None, or hidden from this view: ask first, as in if x != None");
                self.heap.fault(text)
            }
            _ => self.heap.fault(format!(
                "{} has no member {}: a list takes a number, a dict a text",
                whole.kind(),
                index.kind()
            )),
        }
    }
}
