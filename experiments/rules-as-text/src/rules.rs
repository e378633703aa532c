//! The rules of one game: a text that was read, and the questions that a match puts to it.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::Cell as Flag;

use crate::data::Data;
use crate::fault::{Fault, Result};
use crate::heap::{Cell, ROOM, STEPS, Value};
use crate::machine::{self, Machine, Spent};
use crate::statements;
use crate::syntax::Program;

/// The functions of every text, with how many values each takes.
const DUE: [(&str, usize, &str); 7] = [
    ("start", 1, "def start(setup):"),
    ("asks", 1, "def asks(s):"),
    ("refuse", 4, "def refuse(s, who, what, sent):"),
    ("play", 3, "def play(s, what, sent):"),
    ("over", 1, "def over(s):"),
    ("figures", 1, "def figures(s):"),
    ("panels", 2, "def panels(s, who):"),
];

/// Who looks at a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    Public,
    P1,
    P2,
    Everything,
}

impl Sight {
    pub const ALL: [Self; 4] = [Self::Public, Self::P1, Self::P2, Self::Everything];

    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::P1 => "p1",
            Self::P2 => "p2",
            Self::Everything => "everything",
        }
    }

    /// The sight of whoever answers a question. The host sees everything.
    #[must_use]
    pub fn of(who: &str) -> Self {
        Self::ALL.into_iter().find(|sight| sight.word() == who).unwrap_or(Self::Everything)
    }
}

/// Rules that were read and whose constants are known.
#[derive(Debug)]
pub struct Rules {
    program: Program,
    constants: (Vec<Value>, Vec<Cell>),
    used: Vec<Flag<bool>>,
    steps: u32,
    hidden: Vec<(String, bool)>,
    most: Flag<Spent>,
    pub title: String,
}

/// A text within the rules: its line, the function around it, and whether any call used it.
#[derive(Clone, Debug)]
pub struct Coverage {
    pub line: u32,
    pub function: String,
    pub text: String,
    pub used: bool,
}

impl Rules {
    /// Reads a text.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn read(text: &str) -> Result<Self> {
        Self::read_within(text, STEPS)
    }

    /// As [`Self::read`], with fewer steps for each call.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn read_within(text: &str, steps: u32) -> Result<Self> {
        let program = statements::read(text)?;
        for (name, takes, example) in DUE {
            let found = program.function(name).and_then(|place| program.functions.get(place));
            match found {
                None => return Err(Fault::new(0, format!("a function is missing: {example}"))),
                Some(function) if function.parameters != takes => {
                    return Err(Fault::new(function.line, format!("{name} takes {takes} values: write {example}")));
                }
                Some(_) => {}
            }
        }
        let used = alloc::vec![Flag::new(false); program.texts.len()];
        let constants = machine::constants(&program, &used, steps)?;
        let (hidden, title) = (Vec::new(), String::new());
        let mut rules = Self { program, constants, used, steps, hidden, most: Flag::default(), title };
        let Some(Data::Text(title)) = rules.constant("TITLE")? else {
            return Err(Fault::new(0, "the name of the game is missing: TITLE = \"Three-Card Trick\""));
        };
        rules.title = (&*title).into();
        rules.hidden = rules.read_hidden()?;
        Ok(rules)
    }

    fn constant(&self, name: &str) -> Result<Option<Data>> {
        let Some(place) = self.program.constants.iter().position(|(known, _)| known == name) else { return Ok(None) };
        let mut machine = Machine::new(&self.program, &self.constants, &self.used, self.steps);
        let value = self.constants.0.get(place).cloned().unwrap_or_default();
        machine.heap.export(&value, 0).map(Some)
    }

    fn read_hidden(&self) -> Result<Vec<(String, bool)>> {
        let due = || {
            Fault::new(
                0,
                "say what is hidden, and from whom: HIDDEN = {\"hands\": \"owner\", \"deck\": \"host\"}, or {}",
            )
        };
        let Some(Data::Dict(members)) = self.constant("HIDDEN")? else { return Err(due()) };
        let hidden = members.iter().map(|(key, whose)| match whose.as_text() {
            Some("owner") => Ok(((&**key).into(), true)),
            Some("host") => Ok(((&**key).into(), false)),
            _ => Err(due()),
        });
        hidden.collect()
    }

    fn run<T>(&self, run: impl FnOnce(&mut Machine<'_>) -> Result<T>) -> Result<T> {
        let mut machine = Machine::new(&self.program, &self.constants, &self.used, self.steps);
        let given = run(&mut machine);
        let spent = Spent { steps: self.steps - machine.heap.steps, room: ROOM.min(self.steps) - machine.heap.room };
        self.most.set(self.most.get().most(spent));
        given
    }

    /// The state as this sight may know it. What it may not know is replaced before the text sees anything.
    #[must_use]
    pub fn redact(&self, state: &Data, sight: Sight, by: &Data) -> Data {
        let mut state = state.clone();
        if sight == Sight::Everything {
            return state;
        }
        for (key, owners) in &self.hidden {
            let Some(value) = state.get_mut(key) else { continue };
            match value {
                Data::Dict(members) if *owners => {
                    for (whose, value) in members {
                        if &**whose != sight.word() {
                            *value = by.clone();
                        }
                    }
                }
                value => *value = by.clone(),
            }
        }
        state
    }

    fn seen(&self, name: &str, state: &Data, sight: Sight, values: &[&Data]) -> Result<Data> {
        self.run(|machine| {
            let seen = match sight {
                Sight::Everything => machine.heap.import(state)?,
                sight => machine.heap.import_seen(state, &self.hidden, sight.word())?,
            };
            machine.run(name, seen, values)
        })
    }

    /// The state before the first step. The setup says which seat is the DMO.
    ///
    /// # Errors
    /// Where the text stopped; as for all that follows.
    pub fn start(&self, setup: &Data) -> Result<Data> {
        let state = self.seen("start", setup, Sight::Everything, &[])?;
        match self.hidden.iter().find(|(key, _)| state.get(key).is_none()) {
            Some((key, _)) => {
                Err(Fault::new(0, format!("HIDDEN names \"{key}\", and the state has none: start with it")))
            }
            None => Ok(state),
        }
    }

    /// The open questions. Everybody may know them.
    pub fn asks(&self, state: &Data) -> Result<Vec<Data>> {
        match self.seen("asks", state, Sight::Public, &[])? {
            Data::List(asks) => Ok(asks),
            _ => Err(Fault::new(0, "asks returns a list of questions, and [] once the match is over")),
        }
    }

    /// Why this answer may not be sent now: a rule and a sentence. It may know what its sender knows.
    pub fn refuse(&self, state: &Data, who: &str, what: &str, sent: &Data) -> Result<Option<Data>> {
        let values = [&Data::text(who), &Data::text(what), sent];
        match self.seen("refuse", state, Sight::of(who), &values)? {
            Data::None => Ok(None),
            refusal => Ok(Some(refusal)),
        }
    }

    /// Plays answers that nothing refuses: the state after them, and the effects. Only this sees everything.
    pub fn play(&self, state: &Data, what: &str, sent: &Data) -> Result<(Data, Vec<Data>)> {
        let played = self.run(|machine| {
            let state = machine.heap.import(state)?;
            let effects = machine.run("play", state.clone(), &[&Data::text(what), sent])?;
            Ok((machine.heap.export(&state, 0)?, effects))
        });
        match played? {
            (state, Data::List(effects)) => Ok((state, effects)),
            _ => Err(Fault::new(0, "play returns a list of effects, and [] if there is nothing to say")),
        }
    }

    /// The winner and the reason, once the match is over.
    pub fn over(&self, state: &Data) -> Result<Option<Data>> {
        match self.seen("over", state, Sight::Public, &[])? {
            Data::None => Ok(None),
            over => Ok(Some(over)),
        }
    }

    /// The numbers that everybody sees.
    pub fn figures(&self, state: &Data) -> Result<Data> {
        self.seen("figures", state, Sight::Public, &[])
    }

    /// The rest of what this sight sees.
    pub fn panels(&self, state: &Data, sight: Sight) -> Result<Data> {
        self.seen("panels", state, sight, &[&Data::text(sight.word())])
    }

    /// An answer that the text makes of numbers of the host's stream, where there are too many to list.
    pub fn suggest(&self, state: &Data, who: &str, what: &str, lots: &Data) -> Result<Data> {
        self.seen("suggest", state, Sight::of(who), &[&Data::text(who), &Data::text(what), lots])
    }

    /// The state object of the notation: what begins with `_` is the text's own.
    #[must_use]
    pub fn state(&self, state: &Data, sight: Sight) -> String {
        let mut state = self.redact(state, sight, &Data::text("?"));
        if let Data::Dict(members) = &mut state {
            members.retain(|(key, _)| !key.starts_with('_'));
        }
        state.json()
    }

    /// The most that any call took so far.
    #[must_use]
    pub fn most(&self) -> Spent {
        self.most.get()
    }

    /// What the state hides, and whether the owner may see it.
    #[must_use]
    pub fn hidden(&self) -> &[(String, bool)] {
        &self.hidden
    }

    /// Every text within the functions, and whether a call used it.
    #[must_use]
    pub fn coverage(&self) -> Vec<Coverage> {
        let around = |line: u32| self.program.functions.iter().rev().find(|function| function.line <= line);
        let texts = self.program.texts.iter().zip(&self.used);
        texts
            .filter_map(|((line, text), used)| {
                let function = around(*line)?.name.clone();
                Some(Coverage { line: *line, function, text: (&**text).into(), used: used.get() })
            })
            .collect()
    }
}
