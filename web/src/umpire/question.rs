//! An open decision as a form: one line a seat, what is barred now, and what can be typed.

use engine::{Ask, BySeat, Choice, Duel, Form, Seat, To, name_seats};
use record::{History, OpenDecision};

use super::line::{Line, State, sentence};

/// A form for one open decision.
#[derive(Debug)]
pub(super) struct Question {
    /// The decision's id.
    pub(super) decision: String,
    /// What is asked.
    pub(super) prompt: String,
    /// What counts when nothing comes.
    pub(super) default: String,
    /// How long the seats have.
    pub(super) seconds: u32,
    /// Whether the match goes on without an answer.
    pub(super) optional: bool,
    /// A line for each seat that is asked.
    pub(super) seats: Vec<Asked>,
    /// The words to type.
    pub(super) words: Vec<Word>,
    /// How many of them.
    pub(super) amount: String,
    /// Lines as they can be typed.
    pub(super) examples: Vec<String>,
    /// What the button records, such as "round 7".
    pub(super) button: String,
    /// Whether every line can be recorded.
    pub(super) ready: bool,
    /// The form's own id.
    pub(super) form: String,
}

/// A seat that is asked.
#[derive(Debug)]
pub(super) struct Asked {
    /// The player.
    pub(super) name: String,
    /// `1` or `2`.
    pub(super) mark: &'static str,
    /// What was typed for it.
    pub(super) line: Line,
    /// What would not count now, each with its rule.
    pub(super) barred: Vec<(String, Option<&'static str>)>,
    /// The answers, where one of a few is picked.
    pub(super) picks: Vec<Pick>,
    /// Whether the page opens with the cursor here.
    pub(super) first: bool,
}

/// An answer to pick.
#[derive(Debug)]
pub(super) struct Pick {
    /// As it is typed.
    pub(super) word: &'static str,
    /// For people.
    pub(super) label: String,
    /// Whether it is picked.
    pub(super) picked: bool,
}

/// A word to type, in two: what is enough of it, and the rest.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// Enough to be understood.
    pub(super) start: String,
    /// The rest.
    pub(super) rest: String,
    /// Whether a colon and another word follow.
    pub(super) targets: bool,
    /// What it does.
    pub(super) hint: String,
}

/// What was typed, and for which decision.
#[derive(Debug, Default, Clone)]
pub(super) struct Typed {
    /// The decision.
    pub(super) decision: String,
    /// What was typed for each seat.
    pub(super) moves: BySeat<String>,
}

/// `1` and `2`, as seats are marked.
pub(super) const fn mark(seat: Seat) -> &'static str {
    match seat {
        Seat::P1 => "1",
        Seat::P2 => "2",
    }
}

impl Question {
    /// The form for an open decision; none where the state no longer asks it.
    pub(super) fn of(history: &History, open: &OpenDecision, typed: Option<&Typed>, form: String) -> Option<Self> {
        let duel = history.duel();
        let ask = duel.asks().into_iter().find(|ask| ask.what == open.asked.what)?;
        let decision = open.asked.decision.to_string();
        let typed = typed.filter(|typed| typed.decision == decision);
        let seats: Vec<Seat> = open.asked.seats.iter().map(|seat| seat.0).collect();
        let forms: Vec<_> = seats.iter().filter_map(|seat| Some((*seat, duel.form(*seat, ask.what)?))).collect();
        let mut asked: Vec<Asked> = forms
            .iter()
            .map(|(seat, form)| {
                let Form::Words { choices, .. } = form;
                let sent = typed.map_or("", |typed| typed.moves[*seat].as_str());
                let line = Line::read(history, duel, *seat, ask.what, sent);
                let barred = choices.iter().filter_map(|choice| choice.barred.as_ref());
                Asked {
                    name: history.name(*seat).to_owned(),
                    mark: mark(*seat),
                    barred: barred.map(|why| (sentence(&why.expected), why.rule)).collect(),
                    picks: picks(form, &ask, &line),
                    line,
                    first: false,
                }
            })
            .collect();
        let ready = asked.iter().all(|asked| asked.line.counts());
        if let Some(first) = asked.iter_mut().find(|asked| !asked.line.counts()) {
            first.first = true;
        }
        let (words, amount, examples) = vocabulary(duel, &ask, &forms);
        let round = duel.coming_round().filter(|_| ask.to == To::Both);
        Some(Self {
            decision,
            prompt: name_seats(&ask.prompt, history.both_names()),
            default: name_seats(ask.default, history.both_names()),
            seconds: ask.clock_seconds,
            optional: ask.optional,
            seats: asked,
            words,
            amount,
            examples,
            button: round.map_or_else(|| "the answer".to_owned(), |round| format!("round {round}")),
            ready,
            form,
        })
    }

    /// Whether it is answered by typing, rather than by picking.
    pub(super) fn has_lines(&self) -> bool {
        self.seats.iter().any(|asked| asked.picks.is_empty())
    }

    /// Whether something was typed for it.
    pub(super) fn is_begun(&self) -> bool {
        self.seats.iter().any(|asked| asked.line.state != State::Nothing)
    }
}

/// The answers of a question of which one is picked: each of them, and that nothing came.
fn picks(form: &Form, ask: &Ask, line: &Line) -> Vec<Pick> {
    let Form::Words { choices, least: 1, most: 1, .. } = form else { return Vec::new() };
    if ask.to == To::Both || choices.iter().any(|choice| !choice.targets.is_empty()) {
        return Vec::new();
    }
    let pick = |word, label| Pick { word, label, picked: line.typed == word };
    let answers = choices.iter().map(|choice| pick(choice.word, format!("{}: {}", choice.label, choice.hint)));
    answers.chain([pick("-", "Nothing came in time".to_owned())]).collect()
}

/// The words that can be typed, how many, and examples. All of it is held against the engine, which decides.
fn vocabulary(duel: &Duel, ask: &Ask, forms: &[(Seat, Form)]) -> (Vec<Word>, String, Vec<String>) {
    let mut choices: Vec<&Choice> = Vec::new();
    let (mut fewest, mut most) = (u8::MAX, 0);
    for (_, Form::Words { choices: offered, least, most: up_to, .. }) in forms {
        (fewest, most) = (fewest.min(*least), most.max(*up_to));
        choices.extend(
            offered.iter().filter(|choice| !choices.iter().any(|known| known.word == choice.word)).collect::<Vec<_>>(),
        );
    }
    let reads = |text: &str| forms.iter().any(|(seat, _)| duel.read(*seat, ask.what, text).is_ok());
    let nothing = fewest == 0 && reads("nothing");
    let all: Vec<&str> = choices.iter().map(|choice| choice.word).chain(nothing.then_some("nothing")).collect();
    let words = all.iter().map(|word| {
        let enough = (1..=word.len()).find(|length| {
            let start = word.get(..*length).unwrap_or(word);
            start != "+" && all.iter().filter(|other| other.starts_with(start)).count() == 1
        });
        let (start, rest) = word.split_at_checked(enough.unwrap_or(word.len())).unwrap_or((word, ""));
        let choice = choices.iter().find(|choice| choice.word == *word);
        Word {
            start: start.to_owned(),
            rest: rest.to_owned(),
            targets: choice.is_some_and(|choice| !choice.targets.is_empty()),
            hint: choice.map_or_else(|| "deliberately nothing".to_owned(), |choice| choice.hint.clone()),
        }
    });
    let words: Vec<Word> = words.collect();
    let amount = match (fewest, most) {
        (fewest, most) if fewest == most => format!("exactly {most}"),
        (0, most) => format!("up to {most}"),
        (fewest, most) => format!("{fewest} to {most}"),
    };
    let mut examples = Vec::new();
    let typed = |word: &Word, rest: bool| format!("{}{}", word.start, if rest { word.rest.as_str() } else { "" });
    let targets = choices.iter().flat_map(|choice| choice.targets.iter().map(move |target| (choice.word, target.0)));
    let target = targets.rev().find(|(word, target)| word != target).map_or("", |(_, target)| target);
    let plain: Vec<&Word> = words.iter().filter(|word| !word.targets && !word.start.starts_with('+')).collect();
    for (n, first) in plain.iter().enumerate() {
        let second = words.iter().find(|word| word.targets).or(plain.get(n + 1).copied());
        let Some(second) = second else { continue };
        let colon = |short: bool| match (second.targets, short) {
            (true, false) => format!(":{target}"),
            (true, true) => {
                format!(":{}", words.iter().find(|word| typed(word, true) == target).map_or(target, |word| &word.start))
            }
            (false, _) => String::new(),
        };
        let long = format!("{} {}{}", typed(first, true), typed(second, true), colon(false));
        let short = format!("{} {}{}", typed(first, false), typed(second, false), colon(true));
        if examples.is_empty() && reads(&long) && reads(&short) {
            examples = vec![long, short];
        }
    }
    (words, amount, examples)
}
