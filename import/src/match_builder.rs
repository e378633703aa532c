//! A match that is put together from what was sent: who answers which question, until it is over. The engine decides what is legal,
//! so nothing in here knows a game.

use engine::{BySeat, Duel, Party, Refusal, Seat, SetupError, SplitMix64, To, name_seats};
use record::words::{capital, standing};

use super::facts::Facts;
use super::typed_move::{Answer, Typed, Vocabulary, is_asked, read, refusal, words};

/// Steps in the place of rounds that nobody has read.
const SKIPPED_MAX: usize = 80;
/// Words behind which a second answer may begin.
const WORDS_MAX: usize = 6;

/// An answer that came for a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    /// Canonically.
    pub(crate) text: String,
    /// The line that says it.
    pub(crate) line: usize,
}

/// A step of the match.
#[derive(Clone, Debug)]
pub(crate) struct BuiltStep {
    /// Canonically.
    pub(crate) text: String,
    /// The line that completes it.
    pub(crate) line: usize,
    /// The round that it belongs to, as far as rounds are counted.
    pub(crate) round: Option<u32>,
    /// The answers that it is made of.
    pub(crate) sent: BySeat<Option<Sent>>,
    /// True if it only stands in the place of a round that nobody has read, or a question is about it.
    pub(crate) is_unsure: bool,
}

/// The result of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Played {
    /// It waits for the other seat's; its words.
    Half(String),
    /// It completed a step; its text.
    Step(String),
}

/// A match as far as it is put together.
#[derive(Clone, Debug)]
pub(crate) struct MatchBuilder {
    duel: Duel,
    steps: Vec<BuiltStep>,
    waiting: BySeat<Option<Sent>>,
    names: BySeat<String>,
    vocabulary: BySeat<Vocabulary>,
    /// The words of all questions.
    pub(crate) game: Vocabulary,
}

impl MatchBuilder {
    /// Opens the match of these facts.
    pub(crate) fn open(facts: &Facts) -> Result<Self, SetupError> {
        let duel = Duel::open(&facts.setup())?;
        let name = |seat: Seat| {
            let name = &facts.names[seat];
            if name.is_empty() { seat.word().to_owned() } else { name.clone() }
        };
        let game = Vocabulary::of_the_game(&duel);
        let names = BySeat::from_fn(name);
        let (waiting, vocabulary) = (BySeat::default(), BySeat::default());
        let mut builder = Self { duel, steps: Vec::new(), waiting, names, vocabulary, game };
        builder.ask();
        Ok(builder)
    }

    fn ask(&mut self) {
        self.vocabulary = BySeat::from_fn(|seat: Seat| Vocabulary::of(&self.duel, seat.into()));
    }

    /// The match as it stands.
    pub(crate) const fn duel(&self) -> &Duel {
        &self.duel
    }

    /// The steps so far.
    pub(crate) fn steps(&self) -> &[BuiltStep] {
        &self.steps
    }

    /// The match as it stands, on one line.
    pub(crate) fn standing(&self) -> String {
        standing(&self.duel)
    }

    /// The players' names.
    pub(crate) const fn names(&self) -> BySeat<&str> {
        BySeat { p1: self.names.p1.as_str(), p2: self.names.p2.as_str() }
    }

    /// The seat whose part of a step is missing while the other's is there, and the line of that one.
    pub(crate) const fn missing(&self) -> Option<(Seat, usize)> {
        match (&self.waiting.p1, &self.waiting.p2) {
            (Some(sent), None) => Some((Seat::P2, sent.line)),
            (None, Some(sent)) => Some((Seat::P1, sent.line)),
            _ => None,
        }
    }

    /// The answer of a seat that waits for the other's.
    pub(crate) fn waiting(&self, seat: Seat) -> Option<&Sent> {
        self.waiting[seat].as_ref()
    }

    /// True if this party is asked for anything.
    pub(crate) fn is_asked(&self, party: Party) -> bool {
        self.duel.asks().iter().any(|ask| is_asked(ask.to, party))
    }

    /// True if the question that carries the game on is one to both seats.
    pub(crate) fn is_joint(&self) -> bool {
        self.duel.asks().last().is_some_and(|ask| ask.to == To::Both)
    }

    /// The number of the coming round; of a game that does not number its lines, the one in its question.
    pub(crate) fn round(&self) -> Option<u32> {
        self.duel.coming_round().or_else(|| {
            let prompt = self.duel.asks().pop()?.prompt;
            let digits: String = prompt.strip_prefix("Round ")?.chars().take_while(char::is_ascii_digit).collect();
            digits.parse().ok()
        })
    }

    /// The parties without whose answers the game does not go on.
    pub(crate) fn awaited(&self) -> Vec<Party> {
        let asked = self.duel.asks().pop();
        let all = [Party::Seat(Seat::P1), Party::Seat(Seat::P2), Party::Host].into_iter();
        let is_missing = |party: &Party| party.seat().is_none_or(|seat| self.waiting(seat).is_none());
        all.filter(|party| asked.as_ref().is_some_and(|ask| is_asked(ask.to, *party))).filter(is_missing).collect()
    }

    /// Says that a question is about this round.
    pub(crate) fn doubt(&mut self, round: u32) {
        self.steps.iter_mut().filter(|step| step.round == Some(round)).for_each(|step| step.is_unsure = true);
    }

    /// Two answers of a seat in one text: the first to a question to both, the rest to another one that comes then.
    pub(crate) fn read_in_turn(&self, seat: Seat, text: &str) -> Option<(Answer, String)> {
        let ask = self.duel.asks().pop().filter(|ask| ask.to == To::Both)?;
        let splits = text.match_indices(' ').filter_map(|(at, _)| text.split_at_checked(at));
        splits.take(WORDS_MAX).find_map(|(first, rest)| {
            let Typed::Answer(answer) = self.read(seat, first) else { return None };
            let mut next = self.clone();
            next.answer(seat, answer.clone(), 0).ok()?;
            if next.missing().is_some() {
                let text = self.duel.sample(seat.other(), &ask.what, &mut SplitMix64(1))?;
                next.answer(seat.other(), Answer { text, words: String::new(), joint: true }, 0).ok()?;
            }
            let is_other = next.duel.asks().pop().is_some_and(|coming| coming.what != ask.what);
            (is_other && matches!(next.read(seat, rest), Typed::Answer(_))).then(|| (answer, rest.to_owned()))
        })
    }

    /// Reads a text as a seat's answer.
    pub(crate) fn read(&self, seat: Seat, text: &str) -> Typed {
        match read(&self.duel, seat, &self.vocabulary[seat], text, self.names()) {
            Typed::Refused(_) if !self.is_asked(seat.into()) => Typed::Refused(self.not_asked(seat)),
            typed => typed,
        }
    }

    /// True if a text ends with a word that can name another.
    pub(crate) fn names_more(&self, seat: Seat, text: &str) -> bool {
        let last = words(text).last().unwrap_or_default().to_lowercase();
        let choices = &self.vocabulary[seat].choices;
        choices.iter().any(|choice| !choice.targets.is_empty() && choice.word.starts_with(&last))
            && !text.contains([':', '>', '(', '['])
    }

    /// Takes a seat's answer from a line.
    pub(crate) fn answer(&mut self, seat: Seat, answer: Answer, line: usize) -> Result<Played, Refusal> {
        let Answer { text, words, joint } = answer;
        let sent = Sent { text, line };
        if !joint {
            let step = format!("{seat}: {}", sent.text);
            let mut answers = BySeat::default();
            answers[seat] = Some(sent);
            return self.step(&step, line, answers);
        }
        self.waiting[seat] = Some(sent);
        let (Some(p1), Some(p2)) = (&self.waiting.p1, &self.waiting.p2) else {
            return Ok(Played::Half(capital(&name_seats(&words, self.names()))));
        };
        let step = self.duel.line(&BySeat { p1: Some(p1.text.clone()), p2: Some(p2.text.clone()) });
        let sent = std::mem::take(&mut self.waiting);
        self.step(&step, line, sent)
    }

    /// Plays a line of the notation.
    pub(crate) fn play(&mut self, text: &str, line: usize) -> Result<Played, Refusal> {
        self.step(text, line, BySeat::default())
    }

    fn step(&mut self, text: &str, line: usize, sent: BySeat<Option<Sent>>) -> Result<Played, Refusal> {
        let round = self.round();
        let played = self.duel.play(text, None)?;
        let text = played.text;
        self.steps.push(BuiltStep { text: text.clone(), line, round, sent, is_unsure: false });
        if !self.is_joint() {
            self.waiting = BySeat::default();
        }
        self.ask();
        Ok(Played::Step(text))
    }

    /// Puts nothing, or any legal moves, in the place of every round before this one, so that the later ones can be read. False if it cannot.
    pub(crate) fn skip_to(&mut self, round: u32, line: usize) -> bool {
        let (mut skipped, mut chance) = (self.clone(), SplitMix64(1));
        skipped.waiting = BySeat::default();
        for _ in 0..SKIPPED_MAX {
            if skipped.round().is_none_or(|coming| coming >= round) {
                break;
            }
            let Some(ask) = skipped.duel.asks().pop().filter(|ask| ask.to == To::Both) else { return false };
            let nothing = skipped.duel.line(&BySeat::from_fn(|_| Some("-".to_owned())));
            let before = (skipped.round(), Some(ask.what.clone()));
            let played = skipped.clone().step(&nothing, line, BySeat::default()).is_ok();
            let text = match played.then(|| skipped.after(&nothing)).filter(|after| *after != before) {
                Some(_) => nothing,
                // By some rules a round in which nobody sends anything does not count.
                None => skipped.duel.line(&BySeat::from_fn(|seat| skipped.duel.sample(seat, &ask.what, &mut chance))),
            };
            if skipped.step(&text, line, BySeat::default()).is_err() {
                return false;
            }
            skipped.steps.last_mut().into_iter().for_each(|step| step.is_unsure = true);
        }
        let reached = skipped.is_joint() && skipped.round() == Some(round);
        if reached {
            *self = skipped;
        }
        reached
    }

    /// The round and the question after a line.
    fn after(&self, text: &str) -> (Option<u32>, Option<engine::Word>) {
        let mut after = self.clone();
        let _ = after.step(text, 0, BySeat::default());
        (after.round(), after.duel.asks().pop().map(|ask| ask.what))
    }

    /// The host's draw that a text tells, with a verb of the notation or without.
    pub(crate) fn draw(&mut self, text: &str, line: usize) -> Result<Played, Refusal> {
        let Some(ask) = self.duel.asks().into_iter().rev().find(|ask| ask.to == To::Host) else {
            return Err(refusal(text, "no draw is due"));
        };
        let verb = match self.duel.form(Party::Host, &ask.what) {
            Some(engine::Form::Line { example, .. }) => example.split(' ').next().unwrap_or_default().to_owned(),
            _ => String::new(),
        };
        self.play(&format!("host: {text}"), line).or_else(|_| self.play(&format!("host: {verb} {text}"), line))
    }

    fn not_asked(&self, seat: Seat) -> Refusal {
        let name = self.names()[seat];
        let waits = self.duel.asks().last().map(|ask| name_seats(&ask.prompt, self.names()));
        let expected = match waits {
            Some(prompt) => format!("{name} is not asked now; the match waits for this: {prompt}"),
            None => "the match is over; only the umpire may still decide (umpire: result ...)".to_owned(),
        };
        refusal("", &expected)
    }
}
