//! The form of a question is correct: its offers can be sent, its barred words are refused or left out by the clause
//! that it cites, and one more than it allows is one too many.

use engine::{Ask, Choice, Duel, Form, Party, Places, Seat, Slot, Stream, To};
use proptest::prelude::*;

use super::{law, play};

fn asked(ask: &Ask) -> Vec<Party> {
    match ask.to {
        To::Both => Seat::BOTH.map(Party::Seat).to_vec(),
        To::One(seat) => vec![Party::Seat(seat)],
        To::Host => vec![Party::Host],
    }
}

/// The result of reading an answer, with the rules that refuse it or leave a part of it out.
struct Answer {
    taken: bool,
    left_out: bool,
    cited: Vec<String>,
}

fn read(duel: &Duel, party: Party, what: &str, text: &str) -> Answer {
    let of = |text: &str| {
        let numbers = text.split("(rule ").skip(1).filter_map(|rest| rest.split_once(')'));
        numbers.map(|(number, _)| number.to_owned()).collect::<Vec<_>>()
    };
    match duel.read(party, what, text) {
        Ok(reading) => Answer {
            taken: true,
            left_out: reading.notes.iter().any(|note| note.contains("left out")),
            cited: reading.notes.iter().flat_map(|note| of(note)).collect(),
        },
        Err(refusal) => Answer { taken: false, left_out: false, cited: of(&refusal.sentence()) },
    }
}

/// A word as it can be sent alone: with each of its targets, or with its least and its largest number.
fn spelled(choice: &Choice) -> Vec<String> {
    let word = &choice.word;
    match (choice.amounts, choice.targets.as_slice()) {
        (Some((least, most)), _) => vec![format!("{word} {least}"), format!("{word} {most}")],
        (None, []) => vec![word.to_string()],
        (None, targets) => targets.iter().map(|(target, _)| format!("{word}:{target}")).collect(),
    }
}

fn is_extra(choice: &Choice) -> bool {
    choice.word.starts_with('+')
}

/// The word with as few others as an answer needs, in every way.
fn completions(sent: &str, extra: bool, choices: &[Choice], counts: std::ops::RangeInclusive<usize>) -> Vec<String> {
    let others: Vec<String> = choices
        .iter()
        .filter(|choice| !is_extra(choice))
        .flat_map(|choice| vec![spelled(choice)[0].clone(); usize::from(choice.copies)])
        .collect();
    let mut all = Vec::new();
    let mut lists: Vec<(usize, String)> = vec![(0, String::new())];
    for count in 0..=*counts.end() {
        let own = usize::from(!extra);
        let whole = |list: &String| if extra { format!("{list} {sent}") } else { format!("{sent} {list}") };
        if counts.contains(&(count + own)) {
            all.extend(lists.iter().map(|(_, list)| whole(list).trim().to_owned()));
        }
        if count + own >= *counts.end() {
            break;
        }
        let longer = lists.iter().flat_map(|(from, list)| {
            others[*from..].iter().zip(*from + 1..).map(move |(other, next)| (next, format!("{list} {other}")))
        });
        lists = longer.collect();
    }
    all
}

/// A question to a party, and the words on offer.
struct Offer<'f> {
    duel: &'f Duel,
    party: Party,
    what: &'f str,
    choices: &'f [Choice],
    least: usize,
    most: usize,
}

impl Offer<'_> {
    fn read(&self, text: &str) -> Answer {
        read(self.duel, self.party, self.what, text)
    }

    /// A word that is not barred counts in some answer, with each of its targets, and within its numbers only.
    fn open(&self, choice: &Choice) -> Result<(), TestCaseError> {
        let Self { party, what, choices, least, most, .. } = *self;
        let extra = is_extra(choice);
        for sent in spelled(choice) {
            let mut ways = completions(&sent, extra, choices, least.max(1)..=most);
            let counts = |text: &String| {
                let answer = self.read(text);
                answer.taken && !answer.left_out
            };
            let good = ways.iter().any(counts);
            ways.truncate(9);
            prop_assert!(good, "{party} cannot send {sent}, asked {what}: {ways:?}");
        }
        if let Some((least, most)) = choice.amounts {
            for beyond in [least.checked_sub(1), most.checked_add(1)].into_iter().flatten() {
                let text = format!("{} {beyond}", choice.word);
                prop_assert!(!self.read(&text).taken, "{party} may send {text}, asked {what}, beyond the form");
            }
        }
        if !choice.targets.is_empty() && !extra {
            for text in completions(&choice.word, false, choices, least.max(1)..=least.max(1)) {
                let answer = self.read(&text);
                prop_assert!(!answer.taken || answer.left_out, "{text}: no target, and it counts");
            }
        }
        Ok(())
    }

    /// A barred word is refused or left out by the clause that bars it.
    fn barred(&self, choice: &Choice, rule: &str) -> Result<(), TestCaseError> {
        let shortest = self.least.max(1);
        let ways = spelled(choice)
            .into_iter()
            .flat_map(|sent| completions(&sent, is_extra(choice), self.choices, shortest..=shortest));
        let mut cites = false;
        for text in ways {
            let answer = self.read(&text);
            cites |= answer.cited.iter().any(|cited| cited == rule);
            prop_assert!(!answer.taken || !answer.cited.is_empty(), "{} is barred, and {text} counts", choice.word);
        }
        prop_assert!(cites, "{} is barred by {rule}, and nothing cites it", choice.word);
        Ok(())
    }

    /// One word more than the form allows is too many, and one fewer too few.
    fn counts(&self) -> Result<(), TestCaseError> {
        let words = || self.choices.iter().filter(|choice| !is_extra(choice));
        for choice in words() {
            let often = vec![spelled(choice).swap_remove(0); usize::from(choice.copies) + 1].join(" ");
            prop_assert!(!self.read(&often).taken, "{often}: more copies than the form allows");
        }
        let one_each: Vec<String> = words().flat_map(|choice| spelled(choice).into_iter().take(1)).collect();
        if one_each.len() > self.most {
            let text = one_each[..=self.most].join(" ");
            prop_assert!(!self.read(&text).taken, "{text}: more words than the form allows");
        }
        for sent in one_each.iter().filter(|_| self.least > 1) {
            prop_assert!(!self.read(sent).taken, "{sent}: fewer words than the form wants");
        }
        Ok(())
    }
}

fn words(duel: &Duel, party: Party, what: &str, form: (&[Choice], u8, u8)) -> Result<(), TestCaseError> {
    let (choices, least, most) = form;
    let offer = Offer { duel, party, what, choices, least: usize::from(least), most: usize::from(most) };
    for choice in choices {
        match &choice.barred {
            None => offer.open(choice)?,
            Some(why) => offer.barred(choice, why.rule.unwrap())?,
        }
    }
    offer.counts()
}

/// Every answer that can be sent can be laid: taken apart and put together again, it is the same answer.
fn laid(duel: &Duel, seat: Seat, what: &str, places: &Places, chance: &mut impl Stream) -> Result<(), TestCaseError> {
    let Some(sent) = duel.sample(seat, what, chance) else { return Ok(()) };
    let sent = duel.read(seat, what, &sent).unwrap().text;
    if sent == "-" {
        return Ok(());
    }
    if sent == places.nothing {
        prop_assert_eq!(places.line(&[]), sent);
        return Ok(());
    }
    let body = sent.strip_prefix(places.verb).unwrap_or(&sent).trim();
    let mut parts: Vec<&str> = body.split(" | ").collect();
    if !places.parted {
        parts = match places.places.as_slice() {
            [_] => vec![body],
            _ => body.split(' ').collect(),
        };
    }
    let mut lying: Vec<Vec<&str>> = vec![Vec::new(); places.places.len()];
    let mut next = 0;
    for part in parts {
        let leads = |slot: &Slot| !slot.lead.is_empty() && part.starts_with(&format!("{} ", slot.lead));
        let at = places.places.iter().position(leads).unwrap_or(next);
        let slot = places.places.get(at);
        prop_assert!(slot.is_some(), "{sent} needs more places than there are");
        let words: Vec<&str> = part[slot.unwrap().lead.len()..].split_whitespace().collect();
        for word in &words {
            prop_assert!(places.things.iter().any(|thing| thing.word == *word), "{word} of {sent} is nothing to lay");
        }
        lying[at] = words;
        next = at + 1;
    }
    let again = duel.read(seat, what, &places.line(&lying));
    prop_assert!(again.is_ok(), "{sent} becomes {}: {again:?}", places.line(&lying));
    let sorted = |text: &str| {
        let mut words: Vec<&str> = text.split(' ').collect();
        words.sort_unstable();
        words.join(" ")
    };
    // Things that were there already are written first, whatever their place in the answer was.
    prop_assert_eq!(sorted(&again.unwrap().text), sorted(&sent));
    Ok(())
}

/// The notation of a card in a text for players, such as `R7`, `A10` or `TH`: players read its name.
fn card_code(text: &str) -> Option<&str> {
    let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.find(|word| match word.as_bytes() {
        [rank, suit] if is_rank(*rank) && is_suit(*suit) => true,
        [letter, number @ ..] => {
            letter.is_ascii_uppercase() && !number.is_empty() && number.iter().all(u8::is_ascii_digit)
        }
        [] => false,
    })
}

const fn is_rank(letter: u8) -> bool {
    matches!(letter, b'2'..=b'9' | b'T' | b'J' | b'Q' | b'K' | b'A')
}

const fn is_suit(letter: u8) -> bool {
    matches!(letter, b'C' | b'D' | b'H' | b'S')
}

/// The texts of a form that a player reads: labels, what they do, and why they are barred.
fn texts(form: &Form) -> Vec<String> {
    match form {
        Form::Words { choices, .. } => {
            let texts = |choice: &Choice| {
                let barred = choice.barred.as_ref().map(|why| why.expected.clone());
                [choice.label.to_string(), choice.hint.clone()].into_iter().chain(barred).collect::<Vec<_>>()
            };
            choices.iter().flat_map(texts).collect()
        }
        Form::Line { places: Some(places), .. } => {
            let things = places.things.iter().map(|thing| thing.label.clone());
            things.chain(places.places.iter().map(|slot| slot.label.clone())).collect()
        }
        Form::Line { places: None, fields, .. } => fields.iter().map(|field| field.label.clone()).collect(),
    }
}

#[test]
fn a_player_reads_the_names_of_cards() {
    law(|game| {
        play(game, |moment, chance| {
            let duel = &moment.before;
            for ask in duel.asks() {
                for seat in asked(&ask).into_iter().filter_map(Party::seat) {
                    let Some(form) = duel.form(seat, &ask.what) else { continue };
                    let sent = duel.sample(seat, &ask.what, chance);
                    let reading = sent.and_then(|sent| duel.read(seat, &ask.what, &sent).ok());
                    for text in texts(&form).into_iter().chain(reading.map(|reading| reading.words)) {
                        prop_assert_eq!(card_code(&text), None, "{}, asked {}: {}", seat, ask.what, text);
                    }
                }
            }
            Ok(())
        })?;
        Ok(())
    });
}

#[test]
fn what_a_form_offers_can_be_played() {
    law(|game| {
        let mut some = game.chance.clone();
        play(game, |moment, chance| {
            // A form has many combinations; a part of the steps is enough.
            if some.below(8) > 0 {
                return Ok(());
            }
            let duel = &moment.before;
            for ask in duel.asks() {
                for party in asked(&ask) {
                    match duel.form(party, &ask.what) {
                        Some(Form::Words { choices, least, most }) => {
                            words(duel, party, &ask.what, (&choices, least, most))?;
                        }
                        Some(Form::Line { hint, example, places, .. }) => {
                            prop_assert!(!hint.is_empty());
                            if let (Some(places), Party::Seat(seat)) = (places, party) {
                                laid(duel, seat, &ask.what, &places, chance)?;
                            }
                            let line = match ask.to {
                                To::Both => format!("{example} / {example}"),
                                _ => format!("{party}: {example}"),
                            };
                            let spelled = duel.spell(&line);
                            prop_assert!(spelled.is_ok(), "{line}: {spelled:?}");
                        }
                        None => prop_assert_eq!(party, Party::Host, "{} has no form", ask.what),
                    }
                    let sent = match party {
                        Party::Seat(seat) => duel.sample(seat, &ask.what, chance),
                        Party::Host => duel.draw(chance),
                    };
                    let Some(sent) = sent else {
                        return Err(TestCaseError::fail(format!("{party} has no answer to {}", ask.what)));
                    };
                    let reading = duel.read(party, &ask.what, &sent);
                    prop_assert!(reading.is_ok(), "{party}: {sent}: {reading:?}");
                }
            }
            Ok(())
        })?;
        Ok(())
    });
}

/// A seat may miss a question, alone or together with the other seat. A question without which the game goes on may
/// have no default.
#[test]
fn nothing_is_an_answer_to_everything_that_a_seat_is_asked() {
    law(|game| {
        play(game, |moment, chance| {
            let duel = &moment.before;
            // The match does not wait for an optional question, which may refuse a missing answer.
            for ask in duel.asks().into_iter().filter(|ask| !ask.optional) {
                prop_assert_eq!(ask.clock_seconds == 0, ask.to == To::Host, "{}", ask.what);
                prop_assert!(!ask.prompt.is_empty() && (ask.to == To::Host || !ask.default.is_empty()), "{ask:?}");
                let mut lines = Vec::new();
                match ask.to {
                    To::Both => {
                        let mut sample = |seat| duel.sample(seat, &ask.what, chance).unwrap();
                        let (p1, p2) = (sample(Seat::P1), sample(Seat::P2));
                        lines.extend(["- / -".to_owned(), format!("{p1} / -"), format!("- / {p2}")]);
                    }
                    To::One(seat) => lines.push(format!("{seat}: -")),
                    To::Host => {}
                }
                if ask.optional && lines.iter().all(|line| duel.clone().play(line, None).is_err()) {
                    continue;
                }
                for line in lines {
                    let played = duel.clone().play(&line, None);
                    prop_assert!(played.is_ok(), "{line}, asked {}: {played:?}", ask.what);
                }
                for party in asked(&ask).into_iter().filter(|party| *party != Party::Host) {
                    let reading = duel.read(party, &ask.what, "-");
                    prop_assert!(reading.is_ok_and(|reading| reading.text == "-"), "{party}, asked {}", ask.what);
                }
            }
            if let Some(last) = duel.asks().last() {
                prop_assert!(!last.optional, "the last question carries the game on: {last:?}");
            }
            Ok(())
        })?;
        Ok(())
    });
}
