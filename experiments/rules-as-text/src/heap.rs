//! The values of one call, and what they cost. Everything that a call makes is gone after it.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::data::Data;
use crate::fault::{Fault, Result};

/// Steps of one call: each is bounded work.
pub(crate) const STEPS: u32 = 2_000_000;
/// Values that one call may make; see [`Heap::room`].
pub(crate) const ROOM: u32 = 100_000;
/// How deep lists and dicts may lie in each other.
const MOST_DEEP: u32 = 24;

const LONGEST_KEY: usize = 64;

/// A value; lists and dicts are places in the heap. Sizes are the same on every machine.
#[derive(Clone, Debug, Default)]
pub(crate) enum Value {
    /// A local without a value yet.
    #[default]
    Unset,
    None,
    Bool(bool),
    Int(i64),
    Text(Arc<str>),
    List(u32),
    Dict(u32),
}

#[derive(Clone, Debug)]
pub(crate) enum Cell {
    List(Vec<Value>),
    Dict(Vec<(Arc<str>, Value)>),
}

#[derive(Debug)]
pub(crate) struct Heap<'p> {
    /// Those of the constants, which nothing changes.
    frozen: &'p [Cell],
    cells: Vec<Cell>,
    /// What loops go through, which keeps as it is.
    locked: Vec<u32>,
    pub(crate) steps: u32,
    pub(crate) room: u32,
    /// The line that is being run.
    pub(crate) line: u32,
}

impl Value {
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::Unset => "nothing",
            Self::None => "None",
            Self::Bool(_) => "True or False",
            Self::Int(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Dict(_) => "a dict",
        }
    }
}

impl<'p> Heap<'p> {
    pub(crate) fn new(frozen: &'p [Cell], steps: u32) -> Self {
        Self { frozen, cells: Vec::new(), locked: Vec::new(), steps, room: ROOM.min(steps), line: 0 }
    }

    pub(crate) fn into_cells(self) -> Vec<Cell> {
        self.cells
    }

    pub(crate) fn fault<T>(&self, text: impl Into<String>) -> Result<T> {
        Err(Fault::new(self.line, text))
    }

    /// Pays for work.
    pub(crate) fn pay(&mut self, steps: usize) -> Result<()> {
        match u32::try_from(steps).ok().and_then(|steps| self.steps.checked_sub(steps)) {
            Some(left) => {
                self.steps = left;
                Ok(())
            }
            None => self.fault("this takes more steps than a call may: let loops end earlier"),
        }
    }

    /// Pays for values before they are made: 1 for each in a list, 2 in a dict, 2 for a list or a dict itself, 1 for every
    /// 16 bytes of a text.
    pub(crate) fn room(&mut self, values: usize) -> Result<()> {
        self.pay(values)?;
        match u32::try_from(values).ok().and_then(|values| self.room.checked_sub(values)) {
            Some(left) => {
                self.room = left;
                Ok(())
            }
            None => self.fault("this makes more values than a call may: keep fewer, and make lists shorter"),
        }
    }

    fn make(&mut self, cell: Cell) -> Result<u32> {
        let place = u32::try_from(self.frozen.len() + self.cells.len());
        self.cells.push(cell);
        place.or_else(|_| self.fault("too many lists"))
    }

    pub(crate) fn list(&mut self, values: Vec<Value>) -> Result<Value> {
        self.room(2 + values.len())?;
        self.make(Cell::List(values)).map(Value::List)
    }

    pub(crate) fn dict(&mut self, members: Vec<(Arc<str>, Value)>) -> Result<Value> {
        self.room(2 + 2 * members.len())?;
        self.make(Cell::Dict(members)).map(Value::Dict)
    }

    pub(crate) fn text(&mut self, text: String) -> Result<Value> {
        self.room(1 + text.len() / 16)?;
        Ok(Value::Text(text.into()))
    }

    fn cell(&self, place: u32) -> Option<&Cell> {
        let place = place as usize;
        self.frozen.get(place).or_else(|| self.cells.get(place.checked_sub(self.frozen.len())?))
    }

    pub(crate) fn items(&self, place: u32) -> &[Value] {
        match self.cell(place) {
            Some(Cell::List(values)) => values,
            _ => &[],
        }
    }

    pub(crate) fn members(&self, place: u32) -> &[(Arc<str>, Value)] {
        match self.cell(place) {
            Some(Cell::Dict(members)) => members,
            _ => &[],
        }
    }

    pub(crate) fn len(&self, value: &Value) -> usize {
        match value {
            Value::List(place) => self.items(*place).len(),
            Value::Dict(place) => self.members(*place).len(),
            _ => 0,
        }
    }

    /// A cell that may be changed.
    pub(crate) fn change(&mut self, place: u32) -> Result<&mut Cell> {
        if self.locked.contains(&place) {
            return self.fault("a loop goes through this: go through list(...) of it instead");
        }
        let line = self.line;
        let own = (place as usize).checked_sub(self.frozen.len()).and_then(|place| self.cells.get_mut(place));
        own.ok_or_else(|| {
            Fault::new(line, "a constant cannot be changed: take a copy with list(...), or keep it in the state")
        })
    }

    pub(crate) fn lock(&mut self, place: u32) {
        self.locked.push(place);
    }

    pub(crate) fn unlock(&mut self) {
        self.locked.pop();
    }

    /// The member of a dict.
    pub(crate) fn member(&mut self, place: u32, key: &Arc<str>) -> Result<Option<Value>> {
        let members = self.members(place).len();
        self.pay(1 + members / 8)?;
        let found = self.members(place).iter().find(|(known, _)| Arc::ptr_eq(known, key) || known == key);
        Ok(found.map(|(_, value)| value.clone()))
    }

    /// Looking for a key costs the same for every key, so none is long.
    pub(crate) fn check_key(&self, key: &str) -> Result<()> {
        if key.len() <= LONGEST_KEY {
            return Ok(());
        }
        self.fault(format!("a key of {} bytes: {LONGEST_KEY} are the most", key.len()))
    }

    /// Takes a value in from outside.
    pub(crate) fn import(&mut self, data: &Data) -> Result<Value> {
        self.pay(1)?;
        Ok(match data {
            Data::None => Value::None,
            Data::Bool(holds) => Value::Bool(*holds),
            Data::Int(number) => Value::Int(*number),
            Data::Text(text) => {
                self.room(text.len() / 16)?;
                Value::Text(text.clone())
            }
            Data::List(list) => {
                let values = list.iter().map(|value| self.import(value)).collect::<Result<_>>()?;
                self.list(values)?
            }
            Data::Dict(dict) => {
                let members = dict.iter().map(|(key, value)| Ok((key.clone(), self.import(value)?)));
                let members = members.collect::<Result<_>>()?;
                self.dict(members)?
            }
        })
    }

    /// Takes a state in without what this seat may not see.
    pub(crate) fn import_seen(&mut self, state: &Data, hidden: &[(String, bool)], seat: &str) -> Result<Value> {
        let Data::Dict(members) = state else { return self.import(state) };
        let mut seen = Vec::new();
        for (key, value) in members {
            let hides = hidden.iter().find(|(name, _)| **name == **key).map(|(_, owner)| *owner);
            let value = match (hides, value) {
                (None, value) => self.import(value)?,
                (Some(true), Data::Dict(owned)) => {
                    let owned = owned.iter().map(|(whose, value)| {
                        let shown = if **whose == *seat { self.import(value)? } else { Value::None };
                        Ok((whose.clone(), shown))
                    });
                    let owned = owned.collect::<Result<_>>()?;
                    self.dict(owned)?
                }
                (Some(_), _) => Value::None,
            };
            seen.push((key.clone(), value));
        }
        self.dict(seen)
    }

    /// Hands a value out: what lies in two places becomes two, and each is paid for.
    pub(crate) fn export(&mut self, value: &Value, deep: u32) -> Result<Data> {
        self.check_deep(deep)?;
        Ok(match value {
            Value::Unset | Value::None => Data::None,
            Value::Bool(holds) => Data::Bool(*holds),
            Value::Int(number) => Data::Int(*number),
            Value::Text(text) => {
                self.room(text.len() / 16)?;
                Data::Text(text.clone())
            }
            Value::List(place) => {
                self.room(2 + self.items(*place).len())?;
                let values = self.items(*place).to_vec();
                Data::List(values.iter().map(|value| self.export(value, deep + 1)).collect::<Result<_>>()?)
            }
            Value::Dict(place) => {
                self.room(2 + 2 * self.members(*place).len())?;
                let members = self.members(*place).to_vec();
                let members = members.into_iter().map(|(key, value)| Ok((key, self.export(&value, deep + 1)?)));
                Data::Dict(members.collect::<Result<_>>()?)
            }
        })
    }

    fn check_deep(&self, deep: u32) -> Result<()> {
        if deep <= MOST_DEEP {
            return Ok(());
        }
        self.fault(format!("lists lie in each other more than {MOST_DEEP} deep, or one lies in itself: keep them flat"))
    }

    /// True if both are the same, value by value. Every look is paid for.
    pub(crate) fn same(&mut self, one: &Value, other: &Value, deep: u32) -> Result<bool> {
        self.check_deep(deep)?;
        self.pay(1)?;
        Ok(match (one, other) {
            (Value::None, Value::None) => true,
            (Value::None, _) | (_, Value::None) => false,
            (Value::Bool(one), Value::Bool(other)) => one == other,
            (Value::Int(one), Value::Int(other)) => one == other,
            (Value::Text(one), Value::Text(other)) => {
                self.pay(one.len().min(other.len()) / 64)?;
                one == other
            }
            (Value::List(one), Value::List(other)) => {
                let length = self.items(*one).len();
                if length != self.items(*other).len() {
                    return Ok(false);
                }
                for at in 0..length {
                    let pair = (self.items(*one).get(at).cloned(), self.items(*other).get(at).cloned());
                    if !self.same(&pair.0.unwrap_or_default(), &pair.1.unwrap_or_default(), deep + 1)? {
                        return Ok(false);
                    }
                }
                true
            }
            (Value::Unset, Value::Unset) => true,
            _ => {
                let (one, other) = (one.kind(), other.kind());
                return self.fault(if one == other {
                    "dicts are not compared: compare their members".into()
                } else {
                    format!("{one} and {other} are never the same: compare like with like, or with None")
                });
            }
        })
    }
}
