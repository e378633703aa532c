//! A text as an answer to what a party is asked now. The engine reads it, as it reads what is typed at the console. Only the marks
//! that people put between words are evened out before, and what can be read in two ways is never decided here.

use std::collections::HashSet;

use engine::{BySeat, Choice, Duel, Form, Party, Refusal, Seat, SplitMix64, To};

/// The longest text that may be a move, in bytes.
pub(crate) const TYPED_MAX_BYTES: usize = 4 * record::limits::MOVE_MAX_CHARS;
/// Steps of a match that are played to know its words.
const AHEAD: usize = 40;
/// The most letters of one answer that stand for a word each.
const INITIALS_MAX: usize = 4;

/// Entries of a chat for a player of whom nothing came.
const NOTHING_CAME: &str = "-|–|—|late|too late|no move|no submission|no response|no answer|timed out|timeout|nothing in time|\
    nothing came|did not submit|didn't submit|did not send|didn't send|did not answer|did not respond|\
    sent nothing|sent nothing in time|afk|missed|absent";
/// Short answers to a question of yes or no, and the words of the notation for them.
const YES_OR_NO: [(&str, &str); 4] = [("yes", "refill"), ("no", "stand"), ("nope", "stand"), ("no refill", "stand")];
/// Marks before what a word names, as in `block -> score` or `block (score)`.
const TARGET_MARKS: [&str; 8] = ["->", "=>", "→", "➡", ">", "@", "(", "["];
/// Marks between words.
const BETWEEN_MARKS: [&str; 10] = [")", "]", "/", "·", "・", "•", "\"", "“", "”", "…"];
/// Words for such marks.
const TARGET_WORDS: [&str; 3] = ["on", "to", "the"];
pub(crate) const BETWEEN_WORDS: [&str; 2] = ["and", "then"];

/// What a text comes to.
#[derive(Clone, Debug)]
pub(crate) enum Typed {
    /// A legal answer.
    Answer(Answer),
    /// Legal answers of which nobody knows which was meant.
    Several(Vec<String>),
    /// None.
    Refused(Refusal),
}

/// A legal answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Canonically.
    pub(crate) text: String,
    /// For people.
    pub(crate) words: String,
    /// True if both seats answer the question together.
    pub(crate) joint: bool,
}

/// The words that a party can say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vocabulary {
    /// The words on offer.
    pub(crate) choices: Vec<Choice>,
    /// Each word that can stand in an answer, in lower case.
    pub(crate) words: HashSet<String>,
}

impl Vocabulary {
    /// The words of every question that this party is asked now.
    pub(crate) fn of(duel: &Duel, party: Party) -> Self {
        let mut all = Self::default();
        for ask in duel.asks().into_iter().filter(|ask| is_asked(ask.to, party)) {
            match duel.form(party, &ask.what) {
                Some(Form::Words { choices, .. }) => {
                    for choice in &choices {
                        all.add(&choice.word);
                        all.add(&choice.label);
                        choice.targets.iter().for_each(|(word, _)| all.add(word));
                    }
                    all.choices.extend(choices);
                }
                Some(Form::Line { example, places, .. }) => {
                    all.add(example.split(' ').next().unwrap_or_default());
                    if let Some(places) = places {
                        all.add(places.verb);
                        places.things.iter().for_each(|thing| all.add(&thing.word));
                        places.things.iter().for_each(|thing| all.add(&thing.label));
                        places.places.iter().for_each(|place| all.add(&place.lead));
                    }
                }
                None => {}
            }
        }
        all
    }

    /// The words of all questions to the seats, as far as a match played at random meets them.
    pub(crate) fn of_the_game(duel: &Duel) -> Self {
        let (mut duel, mut chance, mut all) = (duel.clone(), SplitMix64(1), Self::default());
        all.words.insert("nothing".to_owned());
        for _ in 0..AHEAD {
            let Some(ask) = duel.asks().pop() else { break };
            let mut moves = BySeat::default();
            for seat in Seat::BOTH.into_iter().filter(|seat| is_asked(ask.to, (*seat).into())) {
                all.words.extend(Self::of(&duel, seat.into()).words);
                moves[seat] = duel.sample(seat, &ask.what, &mut chance);
            }
            let line = match ask.to {
                To::Host => duel.draw(&mut chance).map(|drawn| format!("host: {drawn}")),
                _ => Some(duel.line(&moves)),
            };
            if line.is_none_or(|line| duel.play(&line, None).is_err()) {
                break;
            }
        }
        all
    }

    fn add(&mut self, words: &str) {
        let words = words.split(|sign: char| sign.is_whitespace() || "+-".contains(sign)).map(str::to_lowercase);
        self.words.extend(words.filter(|word| word.chars().any(char::is_alphanumeric) && word != "of"));
    }

    /// True if a text may hold a move: a word in it is one of the game's, cut short or mistyped, or all of it is initials.
    pub(crate) fn may_be_in(&self, text: &str) -> bool {
        let lower = text.get(..TYPED_MAX_BYTES).unwrap_or(text).to_lowercase();
        let said: Vec<&str> = words(&lower).collect();
        let initials = said.iter().all(|said| said.chars().count() < 3) && self.is_of_initials(&said);
        initials || said.iter().any(|said| self.words.iter().any(|word| is_near(said, word)))
    }

    /// True if a text says nothing but words of the game, whole or cut short, and numbers.
    pub(crate) fn is_all_of(&self, text: &str) -> bool {
        let lower = even(text, true).to_lowercase();
        let said: Vec<&str> = words(&lower).collect();
        let known = |said: &&str| {
            self.words.iter().any(|word| word.starts_with(*said)) || said.parse::<u32>().is_ok() || self.is_run(said)
        };
        is_nothing(text) || (!said.is_empty() && said.iter().all(known))
    }

    fn is_of_initials(&self, said: &[&str]) -> bool {
        let begins = |letter: char| self.words.iter().any(|word| word.starts_with(letter));
        !said.is_empty() && said.iter().all(|said| said.chars().all(begins))
    }

    /// True for a run of letters that stand for a word each: `cg`.
    fn is_run(&self, said: &str) -> bool {
        let twice =
            said.char_indices().any(|(at, letter)| said.get(..at).is_some_and(|before| before.contains(letter)));
        !twice
            && (2..=INITIALS_MAX).contains(&said.chars().count())
            && said.chars().all(|letter| self.words.iter().filter(|word| word.starts_with(letter)).count() == 1)
    }

    /// A text of such letters, one after the other: `c, g` or `cg`. A letter that begins two words stands for none.
    fn spelled(&self, text: &str) -> Option<String> {
        let lower = text.to_lowercase();
        let is_cut = |run: &str| run.chars().count() > 1 && self.words.iter().any(|word| word.starts_with(run));
        if words(&lower).any(is_cut) {
            return None;
        }
        let letters: Vec<char> = words(&lower).flat_map(str::chars).take(INITIALS_MAX + 1).collect();
        let word = |letter: &char| {
            let mut begun = self.choices.iter().map(|choice| &*choice.word).filter(|word| word.starts_with(*letter));
            begun.next().filter(|_| begun.next().is_none())
        };
        let words: Option<Vec<&str>> = letters.iter().map(word).collect();
        words.filter(|words| (1..=INITIALS_MAX).contains(&words.len())).map(|words| words.join(" "))
    }

    /// A text in which each word that can name another is joined with the one after it: `block:claim`.
    fn with_targets(&self, text: &str) -> String {
        let mut out = String::new();
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let lower = word.trim_end_matches([',', ';']).to_lowercase();
            let mut begun = self.choices.iter().filter(|choice| choice.word.starts_with(&lower));
            let choice = begun.next().filter(|choice| begun.next().is_none() && !choice.targets.is_empty());
            let names = |next: &&str| {
                let next = next.trim_end_matches([',', ';']).to_lowercase();
                choice.is_some_and(|choice| choice.targets.iter().any(|(target, _)| target.starts_with(&next)))
            };
            if !out.is_empty() {
                out.push(' ');
            }
            match words.next_if(names) {
                Some(next) => out.push_str(&format!("{lower}:{}", next.trim_end_matches([',', ';']))),
                None => out.push_str(word),
            }
        }
        out
    }
}

/// Reads a text as a seat's answer.
pub(crate) fn read(duel: &Duel, seat: Seat, vocabulary: &Vocabulary, text: &str, names: BySeat<&str>) -> Typed {
    let (mut found, mut refused): (Vec<Answer>, Option<Refusal>) = (Vec::new(), None);
    let candidates = if text.len() > TYPED_MAX_BYTES { Vec::new() } else { candidates(vocabulary, seat, text, names) };
    // The last question carries the game on; the others may be answered instead.
    for ask in duel.asks().iter().rev().filter(|ask| is_asked(ask.to, seat.into())) {
        for candidate in &candidates {
            match duel.read(seat, &ask.what, candidate) {
                Ok(read) if found.iter().any(|answer| answer.text == read.text) => {}
                Ok(read) => found.push(Answer { text: read.text, words: read.words, joint: ask.to == To::Both }),
                // A rule says more than a word that does not read.
                Err(why) if refused.as_ref().is_none_or(|kept| kept.rule.is_none() && why.rule.is_some()) => {
                    refused = Some(why);
                }
                Err(_) => {}
            }
        }
        if !found.is_empty() {
            break;
        }
    }
    match found.len() {
        0 => Typed::Refused(refused.unwrap_or_else(|| refusal(text, "not asked now"))),
        1 => Typed::Answer(found.remove(0)),
        _ => Typed::Several(found.into_iter().map(|answer| answer.text).collect()),
    }
}

/// A text as the notation may write it.
fn candidates(vocabulary: &Vocabulary, seat: Seat, text: &str, names: BySeat<&str>) -> Vec<String> {
    if is_nothing(text) {
        return vec!["-".to_owned()];
    }
    let bare = text.trim().trim_end_matches(['.', '!', ',', ';', ' ']);
    let mut all = vec![bare.to_owned(), even(bare, true)];
    let named = vocabulary.choices.iter().any(|choice| !choice.targets.is_empty());
    if !named {
        all.push(even(bare, false));
        all.extend(vocabulary.spelled(bare));
    }
    let joined: Vec<String> = all.iter().map(|text| vocabulary.with_targets(text)).collect();
    all.extend(joined);
    if vocabulary.choices.iter().any(|choice| choice.word.contains(Seat::P1.word())) {
        let by_name = names.each().into_iter().find(|(_, name)| name.eq_ignore_ascii_case(bare)).map(|(seat, _)| seat);
        let own = bare.eq_ignore_ascii_case("me").then_some(seat);
        all.extend(by_name.or(own).map(|seat| seat.word().to_owned()));
    }
    all.extend(
        YES_OR_NO.iter().filter(|(said, _)| said.eq_ignore_ascii_case(bare)).map(|(_, word)| (*word).to_owned()),
    );
    if let (Ok(number), Some(choice)) =
        (bare.parse::<u32>(), vocabulary.choices.iter().find(|choice| choice.amounts.is_some()))
    {
        all.push(format!("{} {number}", choice.word));
    }
    all.retain(|text| !text.is_empty());
    all
}

/// A text with one mark for each of the many that people write: spaces between words, and a colon before what a word names.
fn even(text: &str, with_targets: bool) -> String {
    let mut text = text.to_owned();
    for mark in TARGET_MARKS {
        text = text.replace(mark, if with_targets { " : " } else { " " });
    }
    for mark in BETWEEN_MARKS {
        text = text.replace(mark, " ");
    }
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        // An item begins with a plus; between words it joins them.
        let item = before.is_whitespace() && letters.peek().is_some_and(|next| next.is_alphabetic());
        out.push(if matches!(letter, ',' | ';' | '&') || (letter == '+' && !item) { ' ' } else { letter });
        before = letter;
    }
    let mut joined = String::new();
    for word in out.split_whitespace() {
        let lower = word.to_lowercase();
        if BETWEEN_WORDS.contains(&lower.as_str()) {
            continue;
        }
        if word == ":" || TARGET_WORDS.contains(&lower.as_str()) {
            let open = joined.is_empty() || joined.ends_with(':');
            joined.push_str(if open { "" } else { ":" });
            continue;
        }
        joined.push_str(if joined.is_empty() || joined.ends_with(':') || word.starts_with(':') { "" } else { " " });
        joined.push_str(word);
    }
    joined.trim_end_matches(':').to_owned()
}

/// The words of a text: letters and figures, without what stands between them.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// True if a text says that nothing came.
pub(crate) fn is_nothing(text: &str) -> bool {
    let bare = text.trim().trim_matches(['(', ')', '[', ']', '.', '!', ' ']).replace('’', "'");
    NOTHING_CAME.split('|').any(|said| bare.eq_ignore_ascii_case(said))
}

/// True if a question to somebody is one to this party.
pub(crate) const fn is_asked(to: To, party: Party) -> bool {
    match (to, party) {
        (To::Both, Party::Seat(_)) | (To::Host, Party::Host) => true,
        (To::One(turn), Party::Seat(seat)) => matches!((turn, seat), (Seat::P1, Seat::P1) | (Seat::P2, Seat::P2)),
        _ => false,
    }
}

/// A refusal of a whole text.
pub(crate) fn refusal(found: &str, expected: &str) -> Refusal {
    Refusal { seat: None, at: 0, found: found.to_owned(), expected: expected.to_owned(), rule: None, sealed: false }
}

/// True if a word was meant as one of the game's, perhaps cut short or mistyped.
fn is_near(said: &str, word: &str) -> bool {
    let (length, letters) = (said.chars().count(), word.chars().count());
    if length > 1 && word.starts_with(said) {
        return true;
    }
    let slips = if letters > 3 { 1 + usize::from(letters > 6) } else { 0 };
    length.abs_diff(letters) <= slips + 1 && strsim::osa_distance(said, word) <= slips
        || (letters > 3 && said.starts_with(word))
}
