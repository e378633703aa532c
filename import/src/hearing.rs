//! A match that is put together from what was written of it: who says what, in which order, until it is over.
//!
//! Each speaker is asked the engine's own questions, and the engine decides which reading of a line is legal. So nothing
//! in here knows a game.

use std::collections::HashSet;
use std::sync::Arc;

use engine::{BySeat, Duel, Party, Refusal, Seat, SetupError, SplitMix64, To, name_seats};
use record::words::{capital, standing};

use super::effort;
use super::facts::Facts;
use super::past::{Past, Sent};
use super::vocabulary::{Vocabulary, is_asked, stems};
use super::wording::{Sayer, candidates};

/// Steps of a match that are played to know its words.
const AHEAD: usize = 40;

/// A match as far as it was heard.
#[derive(Clone, Debug)]
pub(super) struct Hearing {
    pub(super) duel: Duel,
    pub(super) steps: Vec<String>,
    pub(super) lines: Vec<usize>,
    line: usize,
    /// What one seat sent while the other's is awaited.
    pub(super) waiting: BySeat<Option<Sent>>,
    names: BySeat<String>,
    /// What can be said now: by each seat, and by the host. It follows from the state, and is put together once for each.
    can_say: BySeat<Arc<Vocabulary>>,
    host_can_say: Arc<Vocabulary>,
    /// Every word that a seat can say in this game, as far as it is known.
    ever: Arc<HashSet<String>>,
    pub(super) host_draws: bool,
    /// What the seats have done, in order.
    pub(super) past: Vec<Past>,
    /// Whether what comes now is told by somebody else than whoever did it.
    telling: bool,
    /// Whether moves are written in the letters of the site's lamps.
    pub(super) in_letters: bool,
}

/// What became of something that was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// It waits for the other seat; its words, and the line that it takes the place of.
    Half(String, Option<usize>),
    Step(String),
}

impl Hearing {
    pub(super) fn open(facts: &Facts) -> Result<Self, SetupError> {
        let duel = Duel::open(&facts.setup())?;
        let name = |seat: Seat| {
            let name = &facts.names[seat];
            if name.is_empty() { seat.word().to_owned() } else { name.clone() }
        };
        let mut hearing = Self {
            duel,
            steps: Vec::new(),
            lines: Vec::new(),
            line: 0,
            waiting: BySeat::default(),
            names: BySeat::from_fn(name),
            can_say: BySeat::default(),
            host_can_say: Arc::default(),
            ever: Arc::default(),
            host_draws: false,
            past: Vec::new(),
            telling: false,
            in_letters: false,
        };
        hearing.listen();
        hearing.looks_ahead();
        Ok(hearing)
    }

    /// Learns the words of later questions from a match that is played at random.
    fn looks_ahead(&mut self) {
        let (mut duel, mut chance) = (self.duel.clone(), SplitMix64(1));
        for _ in 0..AHEAD {
            let Some(ask) = duel.asks().pop() else { break };
            self.host_draws |= ask.to == To::Host;
            let mut moves = BySeat::default();
            for seat in Seat::BOTH.into_iter().filter(|seat| is_asked(ask.to, (*seat).into())) {
                self.learns(&Vocabulary::without_letters(&duel, seat.into()));
                moves[seat] = duel.sample(seat, ask.what, &mut chance);
            }
            let line = match ask.to {
                To::Host => duel.draw(&mut chance).map(|drawn| format!("host: {drawn}")),
                _ => Some(duel.line(&moves)),
            };
            if line.is_none_or(|line| duel.play(&line, None).is_err()) {
                break;
            }
        }
    }

    fn learns(&mut self, can_say: &Vocabulary) {
        let new: Vec<String> = can_say.words.iter().filter(|word| !self.ever.contains(*word)).cloned().collect();
        if !new.is_empty() {
            Arc::make_mut(&mut self.ever).extend(new);
        }
    }

    /// The match as it stands, to try something on, without what led to it.
    pub(super) fn trial(&self) -> Self {
        Self {
            duel: self.duel.clone(),
            steps: Vec::new(),
            lines: Vec::new(),
            line: 0,
            waiting: self.waiting.clone(),
            names: self.names.clone(),
            can_say: self.can_say.clone(),
            host_can_say: self.host_can_say.clone(),
            ever: self.ever.clone(),
            host_draws: self.host_draws,
            past: Vec::new(),
            telling: self.telling,
            in_letters: self.in_letters,
        }
    }

    /// Takes in what can be said in the state that came.
    pub(super) fn listen(&mut self) {
        self.can_say = BySeat::from_fn(|seat| Arc::new(Vocabulary::of(&self.duel, seat.into())));
        self.host_can_say = Arc::new(Vocabulary::of(&self.duel, Party::Host));
        for seat in Seat::BOTH {
            let can_say = self.can_say[seat].clone();
            self.learns(&can_say);
        }
    }

    pub(super) const fn duel(&self) -> &Duel {
        &self.duel
    }

    pub(super) fn call(&mut self, seat: Seat, name: &str) {
        name.clone_into(&mut self.names[seat]);
    }

    /// The steps so far, canonically.
    pub(super) fn steps(&self) -> &[String] {
        &self.steps
    }

    /// How the match stands, on one line.
    pub(super) fn standing(&self) -> String {
        standing(&self.duel)
    }

    pub(super) const fn names(&self) -> BySeat<&str> {
        BySeat { p1: self.names.p1.as_str(), p2: self.names.p2.as_str() }
    }

    /// The seat whose part of a step is missing while the other's is there, and the line of that one.
    pub(super) const fn missing(&self) -> Option<(Seat, usize)> {
        match (&self.waiting.p1, &self.waiting.p2) {
            (Some(sent), None) => Some((Seat::P2, sent.line)),
            (None, Some(sent)) => Some((Seat::P1, sent.line)),
            _ => None,
        }
    }

    pub(super) fn is_asked(&self, party: Party) -> bool {
        self.duel.asks().iter().any(|ask| is_asked(ask.to, party))
    }

    /// The question that carries the game on, where this seat is asked one.
    pub(super) fn question(&self, seat: Seat) -> &'static str {
        Self::asked(&self.duel, seat)
    }

    /// The same in a match that stands like this.
    pub(super) fn asked(duel: &Duel, seat: Seat) -> &'static str {
        let asks = duel.asks();
        asks.iter().rev().find(|ask| is_asked(ask.to, seat.into())).map_or("", |ask| ask.what)
    }

    /// Every word of the game, as far as it is known.
    pub(super) fn ever(&self) -> impl Iterator<Item = &String> {
        self.ever.iter()
    }

    /// What this party could say now.
    pub(super) fn vocabulary(&self, party: Party) -> Arc<Vocabulary> {
        match party {
            Party::Seat(seat) => self.can_say[seat].clone(),
            Party::Host => self.host_can_say.clone(),
        }
    }

    /// Whether a word of the game is in a text, of this question or an earlier one, as it is or as people bend it.
    pub(super) fn is_of_the_game(&self, text: &str) -> bool {
        let names: Vec<String> = self.names().each().iter().map(|(_, name)| name.to_lowercase()).collect();
        let lower = text.to_lowercase();
        lower
            .split(|letter: char| !letter.is_alphanumeric())
            .any(|word| !names.iter().any(|name| name == word) && self.is_game_word(word))
    }

    /// Whether this is written like a card or a cell of the game, such as `10h`.
    pub(super) fn is_code(&self, word: &str) -> bool {
        let digit = |word: &str| word.contains(|letter: char| letter.is_ascii_digit());
        let short =
            (2..=3).contains(&word.len()) && digit(word) && word.contains(|letter: char| letter.is_alphabetic());
        // A letter that stands in no card or cell makes none: "7s" where the suits are colours.
        let letters = |word: &str, letter: char| word.len() < 4 && digit(word) && word.contains(letter);
        let known = |letter: char| letter.is_ascii_digit() || self.ever.iter().any(|word| letters(word, letter));
        (short && word.chars().all(|letter| known(letter.to_ascii_lowercase())))
            || (word.len() == 2 && self.ever.contains(word))
    }

    /// Whether a word is nearly one that a seat can say now.
    pub(super) fn is_slip(&self, word: &str) -> bool {
        let slip = |known: &String| known.len() > 4 && word.len() > 3 && strsim::osa_distance(word, known) == 1;
        let now = self.can_say.each().iter().any(|(_, can_say)| can_say.is_slip(word));
        now || (!self.is_game_word(word) && self.ever.iter().any(slip))
    }

    /// Whether a word of two letters or three begins one that a seat can say now.
    pub(super) fn begins_word(&self, word: &str) -> bool {
        (2..=3).contains(&word.len())
            && self.can_say.each().iter().any(|(_, can_say)| can_say.words.iter().any(|known| known.starts_with(word)))
    }

    /// The items that this seat can use with a move now, as the notation writes them.
    pub(super) fn items(&self, seat: Seat) -> Vec<&'static str> {
        let choices = self.can_say[seat].choices.iter().map(|choice| choice.word);
        choices.filter(|word| word.starts_with('+')).collect()
    }

    /// Whether a text sounds like something that this seat can say now.
    pub(super) fn sounds(&self, seat: Seat, text: &str) -> bool {
        self.can_say[seat].sounds(text)
    }

    /// Whether this is a word of this question or an earlier one, in lower case, as it is or as people bend it.
    pub(super) fn is_game_word(&self, word: &str) -> bool {
        let long = word.len() > 2 || word.contains(|letter: char| letter.is_ascii_digit());
        let seat = ["p1", "p2"].contains(&word);
        long && !seat && (self.ever.contains(word) || stems(word).any(|stem| self.ever.contains(&stem)))
    }

    pub(super) const fn waiting(&self, seat: Seat) -> Option<&Sent> {
        match seat {
            Seat::P1 => self.waiting.p1.as_ref(),
            Seat::P2 => self.waiting.p2.as_ref(),
        }
    }

    /// Whether a text reads as an answer of this seat, by the rules.
    pub(super) fn reads(&self, seat: Seat, text: &str) -> bool {
        self.answer(&self.duel, seat, text).is_some()
    }

    /// A text as this seat's answer in a match that stands like this, canonically.
    pub(super) fn answer(&self, duel: &Duel, seat: Seat, text: &str) -> Option<String> {
        answer(duel, &self.can_say_in(duel, seat), text, self.sayer(Some(seat)))
    }

    /// What a seat can say in this state of a match. For the states that this match went through, it is known already.
    fn can_say_in(&self, duel: &Duel, seat: Seat) -> Arc<Vocabulary> {
        if std::ptr::eq(duel, &raw const self.duel) {
            return self.can_say[seat].clone();
        }
        let past = self.past.iter().rev().find(|past| std::ptr::eq(duel, past.before()));
        past.map_or_else(|| Arc::new(Vocabulary::of(duel, seat.into())), |past| past.can_say[seat].clone())
    }

    /// A seat's move as somebody else tells it.
    pub(super) fn told(&mut self, seat: Seat, text: &str, line: usize) -> Result<Heard, Refusal> {
        self.telling = true;
        let heard = self.seat(seat, text, line);
        self.telling = false;
        heard
    }

    const fn sayer(&self, seat: Option<Seat>) -> Sayer<'_> {
        Sayer { seat, names: self.names(), in_letters: self.in_letters }
    }

    /// A seat's move, as somebody wrote it on a line.
    pub(super) fn seat(&mut self, seat: Seat, text: &str, line: usize) -> Result<Heard, Refusal> {
        let (party, mut refused) = (Party::Seat(seat), None);
        self.line = line;
        let candidates = candidates(&self.can_say[seat], text, self.sayer(Some(seat)));
        // The last question carries the game on; the others may be answered instead.
        for ask in self.duel.asks().iter().rev().filter(|ask| is_asked(ask.to, party)) {
            for candidate in &candidates {
                match self.duel.read(seat, ask.what, candidate) {
                    Ok(reading) => {
                        let words = self.words(&reading.words);
                        return match ask.to {
                            To::Both => self.joint(seat, reading.text, words, line),
                            _ => self.single(seat, reading.text, line),
                        };
                    }
                    Err(refusal) => {
                        // A rule says more than a word that does not read.
                        let better = |kept: &Refusal| kept.rule.is_none() && refusal.rule.is_some();
                        if refused.as_ref().is_none_or(better) {
                            refused = Some(refusal);
                        }
                    }
                }
            }
        }
        Err(refused.unwrap_or_else(|| self.not_asked(seat)))
    }

    pub(super) fn host(&mut self, text: &str) -> Result<Heard, Refusal> {
        let mut refused = None;
        for candidate in candidates(&self.host_can_say, text, self.sayer(None)) {
            match self.play(&format!("host: {candidate}")) {
                Ok(heard) => return Ok(heard),
                Err(refusal) => refused = refused.or(Some(refusal)),
            }
        }
        Err(refused.unwrap_or_else(|| refusal(text, "expected what the host drew")))
    }

    /// What was drawn on several lines, each of one seat or of both.
    pub(super) fn draws(&mut self, parts: &[(Option<Seat>, String)]) -> Result<Heard, Refusal> {
        effort::spend(parts.len());
        let of = |seat: Option<Seat>| {
            let parts = parts.iter().filter(|(of, _)| *of == seat).map(|(_, drawn)| drawn.as_str());
            parts.collect::<Vec<_>>().join(" ")
        };
        let pools = [of(Some(Seat::P1)), of(Some(Seat::P2))].join(" | ");
        // Cards that are told with a name may be drawn for all that.
        let all = parts.iter().map(|(_, drawn)| drawn.as_str()).collect::<Vec<_>>().join(" ");
        let verbs: Vec<String> = self.host_can_say.words.clone();
        let mut play = |verb: &String, drawn: &str| self.play(&format!("host: {verb} {drawn}")).ok();
        verbs
            .iter()
            .find_map(|verb| play(verb, &pools).or_else(|| play(verb, &all)))
            .ok_or_else(|| refusal(&all, "expected what the host drew"))
    }

    pub(super) fn play(&mut self, line: &str) -> Result<Heard, Refusal> {
        let played = self.duel.play(line, None)?;
        let words = played.text.clone();
        self.steps.push(played.text);
        self.lines.push(self.line);
        if !self.duel.asks().iter().any(|ask| ask.to == To::Both) {
            self.waiting = BySeat::default();
        }
        self.listen();
        Ok(Heard::Step(words))
    }

    fn joint(&mut self, seat: Seat, text: String, words: String, line: usize) -> Result<Heard, Refusal> {
        let sent = Sent { text, line, told: self.telling };
        let before = self.waiting[seat].replace(sent).map(|sent| sent.line);
        let sent = self.waiting.clone();
        let (BySeat { p1: Some(p1), p2: Some(p2) }, None) = (&sent, before) else {
            return Ok(Heard::Half(words, before));
        };
        let moves = BySeat { p1: Some(p1.text.clone()), p2: Some(p2.text.clone()) };
        let line = self.duel.line(&moves);
        let heard = self.done(&line, sent);
        match heard {
            Ok(_) => self.waiting = BySeat::default(),
            Err(_) => self.waiting[seat] = None,
        }
        heard
    }

    fn single(&mut self, seat: Seat, text: String, line: usize) -> Result<Heard, Refusal> {
        let mut sent = BySeat::default();
        let step = format!("{seat}: {text}");
        sent[seat] = Some(Sent { text, line, told: self.telling });
        self.done(&step, sent)
    }

    fn done(&mut self, step: &str, sent: BySeat<Option<Sent>>) -> Result<Heard, Refusal> {
        let (before, round, at) = (self.duel.clone(), self.duel.coming_round(), self.steps.len());
        let can_say = self.can_say.clone();
        let heard = self.play(step)?;
        self.past.push(Past { before, can_say, at, round, sent });
        Ok(heard)
    }

    fn words(&self, words: &str) -> String {
        capital(&name_seats(words, self.names()))
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

/// A text as an answer of whoever says it, in a match that stands like this, canonically.
pub(super) fn answer(duel: &Duel, can_say: &Vocabulary, text: &str, sayer: Sayer<'_>) -> Option<String> {
    let seat = sayer.seat?;
    effort::spend(1);
    let candidates = candidates(can_say, text, sayer);
    let asks = duel.asks();
    let mut asked = asks.iter().rev().filter(|ask| is_asked(ask.to, seat.into()));
    asked.find_map(|ask| candidates.iter().find_map(|said| Some(duel.read(seat, ask.what, said).ok()?.text)))
}

pub(super) fn refusal(found: &str, expected: &str) -> Refusal {
    Refusal { seat: None, at: 0, found: found.to_owned(), expected: expected.to_owned(), rule: None, sealed: false }
}
