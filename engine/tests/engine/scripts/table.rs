//! A match that is played line by line.

use engine::{Duel, Effect, PlayedStep, Seat, Setup, Sight};

use super::answer;
use super::fragment::Fragments;

/// How the matches of a script are opened.
#[derive(Clone, Default)]
pub(crate) struct Head(pub(crate) Setup);

impl Head {
    /// `ruleset devils-deal/blooming-genius`, `dmo p1`, `option community=before-refill`.
    pub(crate) fn read(&mut self, line: &str) {
        match line.split_once(' ') {
            Some(("ruleset", id)) => self.0.ruleset = id.to_owned(),
            Some(("dmo", seat)) => self.0.dmo = seat.parse::<Seat>().ok(),
            Some(("option", option)) => {
                let (name, value) = option.split_once('=').expect("an option has a value");
                self.0.options.push((name.to_owned(), value.to_owned()));
            }
            _ => panic!("{line} is not a line of a head"),
        }
    }

    fn reads(line: &str) -> bool {
        ["ruleset ", "dmo ", "option "].iter().any(|word| line.starts_with(word))
    }
}

pub(crate) struct Table {
    name: String,
    pub(crate) head: Head,
    duel: Option<Duel>,
    /// The last step and its effects.
    pub(crate) last: Option<(PlayedStep, Vec<Effect>)>,
    marked: Option<Duel>,
}

impl Table {
    pub(crate) const fn new(name: String, head: Head) -> Self {
        Self { name, head, duel: None, last: None, marked: None }
    }

    pub(crate) fn duel(&mut self) -> &mut Duel {
        let open = || Duel::open(&self.head.0).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        self.duel.get_or_insert_with(open)
    }

    /// Does what a line says, and gives the answer to it if it asks something.
    pub(crate) fn follow(&mut self, line: &str, fragments: &Fragments) -> String {
        if let Some(question) = line.strip_prefix("? ") {
            return answer::answer(self, question);
        }
        if let Some(called) = line.strip_prefix("@ ") {
            return fragments.lines(called).iter().map(|line| self.follow(line, fragments)).collect();
        }
        match line {
            "mark" => self.marked = Some(self.duel().clone()),
            "back" => self.duel = Some(self.marked.clone().expect("a mark to go back to")),
            line if Head::reads(line) => self.head.read(line),
            line => self.play(line),
        }
        String::new()
    }

    fn play(&mut self, line: &str) {
        let mut effects = Vec::new();
        let played = self.duel().play(line, Some(&mut effects));
        let played = played.unwrap_or_else(|refusal| panic!("{}: {line}: {refusal}", self.name));
        self.last = Some((played, effects));
    }

    /// The line as it would be accepted, or its refusal, which must change nothing. The match stays where it is.
    pub(crate) fn attempt(&mut self, line: &str) -> Result<PlayedStep, engine::Refusal> {
        let (mut after, mut effects) = (self.duel().clone(), Vec::new());
        let played = after.play(line, Some(&mut effects));
        if played.is_err() {
            let before = self.duel();
            assert!(effects.is_empty(), "{line}");
            assert_eq!(format!("{after:?}"), format!("{before:?}"), "{line}");
            assert_eq!(after.state(Sight::Everything), before.state(Sight::Everything), "{line}");
            assert_eq!(after.view(Sight::Everything), before.view(Sight::Everything), "{line}");
        }
        played
    }
}
