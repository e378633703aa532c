//! The functions of the language.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::fault::Result;
use crate::heap::{Cell, Value};
use crate::machine::Machine;
use crate::syntax::{Builtin, Method};

impl Machine<'_> {
    pub(crate) fn builtin(&mut self, builtin: Builtin, values: &[Value]) -> Result<Value> {
        match (builtin, values) {
            (Builtin::Abs, [Value::Int(number)]) => match number.checked_abs() {
                Some(number) => Ok(Value::Int(number)),
                None => self.heap.fault("this number is too small for abs"),
            },
            (Builtin::All | Builtin::Any, [Value::List(place)]) => {
                let any = builtin == Builtin::Any;
                self.heap.pay(self.heap.items(*place).len())?;
                let mut found = false;
                for value in self.heap.items(*place) {
                    match value {
                        Value::Bool(holds) => found |= *holds == any,
                        other => {
                            return self
                                .heap
                                .fault(format!("True or False is due in this list, and here is {}", other.kind()));
                        }
                    }
                }
                Ok(Value::Bool(found == any))
            }
            (Builtin::Len, [list @ (Value::List(_) | Value::Dict(_))]) => self.int(self.heap.len(list)),
            (Builtin::List, [Value::List(place)]) => {
                self.heap.pay(self.heap.items(*place).len())?;
                let values = self.heap.items(*place).to_vec();
                self.heap.list(values)
            }
            (Builtin::List, [Value::Dict(place)]) => {
                self.heap.pay(self.heap.members(*place).len())?;
                let keys = self.heap.members(*place).iter().map(|(key, _)| Value::Text(key.clone())).collect();
                self.heap.list(keys)
            }
            (Builtin::Max, values) => self.furthest(values, |number, best| number > best),
            (Builtin::Min, values) => self.furthest(values, |number, best| number < best),
            (Builtin::Range, values) => self.range(values),
            (Builtin::Sorted, [Value::List(place)]) => self.sorted(*place),
            (Builtin::Str, [Value::Int(number)]) => self.heap.text(number.to_string()),
            (Builtin::Str, [Value::Text(text)]) => Ok(Value::Text(text.clone())),
            (_, values) => {
                let kind = values.first().map_or("nothing", Value::kind);
                let word = Builtin::WORDS.get(builtin as usize).copied().unwrap_or_default();
                self.heap.fault(format!("{word} does not take {kind}"))
            }
        }
    }

    fn int(&self, number: usize) -> Result<Value> {
        i64::try_from(number).map(Value::Int).or_else(|_| self.heap.fault("too many"))
    }

    fn furthest(&mut self, values: &[Value], better: impl Fn(i64, i64) -> bool) -> Result<Value> {
        let mut best = None;
        for value in values {
            let Value::Int(number) = value else {
                return self.heap.fault(format!("min and max compare numbers, and here is {}", value.kind()));
            };
            if best.is_none_or(|best| better(*number, best)) {
                best = Some(*number);
            }
        }
        Ok(best.map_or(Value::None, Value::Int))
    }

    fn range(&mut self, values: &[Value]) -> Result<Value> {
        let mut numbers = Vec::new();
        for value in values {
            let Value::Int(number) = value else {
                return self.heap.fault(format!("range takes numbers, and here is {}", value.kind()));
            };
            numbers.push(*number);
        }
        let (start, end, by) = match numbers.as_slice() {
            [end] => (0, *end, 1),
            [start, end] => (*start, *end, 1),
            [start, end, by] => (*start, *end, *by),
            _ => (0, 0, 1),
        };
        if by == 0 {
            return self.heap.fault("range goes by 0 and never ends: go by 1");
        }
        let (mut list, mut at) = (Vec::new(), start);
        while if by > 0 { at < end } else { at > end } {
            self.heap.room(1)?;
            list.push(Value::Int(at));
            match at.checked_add(by) {
                Some(next) => at = next,
                None => break,
            }
        }
        self.heap.list(list)
    }

    fn sorted(&mut self, place: u32) -> Result<Value> {
        let mut values = self.heap.items(place).to_vec();
        let bits = usize::BITS - values.len().leading_zeros();
        let long = |value: &Value| if let Value::Text(text) = value { 1 + text.len() / 64 } else { 1 };
        let work = values.iter().map(long).fold(0, usize::saturating_add);
        self.heap.pay(work.saturating_mul(bits as usize))?;
        let ints = values.iter().all(|value| matches!(value, Value::Int(_)));
        let texts = values.iter().all(|value| matches!(value, Value::Text(_)));
        if !ints && !texts {
            return self.heap.fault("sorted takes a list of numbers, or one of texts");
        }
        values.sort_by(|one, other| match (one, other) {
            (Value::Int(one), Value::Int(other)) => one.cmp(other),
            (Value::Text(one), Value::Text(other)) => one.cmp(other),
            _ => core::cmp::Ordering::Equal,
        });
        self.heap.list(values)
    }

    pub(crate) fn method(&mut self, method: Method, owner: &Value, mut values: Vec<Value>) -> Result<Value> {
        match (method, owner, values.as_slice()) {
            (Method::Append, Value::List(place), _) => {
                self.heap.room(1)?;
                if let Cell::List(list) = self.heap.change(*place)? {
                    list.append(&mut values);
                }
                Ok(Value::None)
            }
            (Method::Pop, Value::List(place), at) => {
                let last = self.int(self.heap.items(*place).len())?;
                let at = match (at, last) {
                    ([at], _) => at.clone(),
                    (_, Value::Int(length)) => Value::Int(length - 1),
                    _ => Value::None,
                };
                let at = self.position(owner, &at)?;
                self.remove(*place, at)
            }
            (Method::Index, Value::List(_), [part]) => match self.find(owner, part)? {
                Some(at) => self.int(at),
                None => self.heap.fault("this is not in the list: ask first with in"),
            },
            (Method::Remove, Value::List(place), [part]) => match self.find(owner, part)? {
                Some(at) => self.remove(*place, at).map(|_| Value::None),
                None => self.heap.fault("this is not in the list: ask first with in"),
            },
            (Method::Get, Value::Dict(place), [Value::Text(key), other]) => {
                Ok(self.heap.member(*place, key)?.unwrap_or_else(|| other.clone()))
            }
            (Method::Join, Value::Text(between), [Value::List(place)]) => self.join(between, *place),
            _ => {
                let word = Method::WORDS.get(method as usize).copied().unwrap_or_default();
                self.heap.fault(format!("{} has no .{word} with these values", owner.kind()))
            }
        }
    }

    fn remove(&mut self, place: u32, at: usize) -> Result<Value> {
        self.heap.pay(self.heap.items(place).len() / 8)?;
        match self.heap.change(place)? {
            Cell::List(list) if at < list.len() => Ok(list.remove(at)),
            _ => Ok(Value::None),
        }
    }

    fn join(&mut self, between: &str, place: u32) -> Result<Value> {
        let mut out = String::new();
        for at in 0..self.heap.items(place).len() {
            let value = self.heap.items(place).get(at).cloned().unwrap_or_default();
            let Value::Text(text) = value else {
                return self.heap.fault(format!("join takes a list of texts, and here is {}", value.kind()));
            };
            self.heap.room((between.len() + text.len()) / 16 + 1)?;
            out.push_str(if at > 0 { between } else { "" });
            out.push_str(&text);
        }
        self.heap.text(out)
    }
}
