//! Moves that stay hidden when they are sent and are shown later, part by part: two private cards, the first after the first
//! bets. A chat tells them where they were shown, and the match needs them before what follows them.

use engine::{BySeat, Form, Opens, Party, Places, Seat, To};

use super::clause::{Clause, clauses};
use super::drawing::drawn;
use super::fix::Who;
use super::hearing::Hearing;
use super::message::Item;
use super::reader::{Reader, sentences};
use super::row::Taken;
use super::sense::{self, Sense};
use super::wording;

/// What is told of one seat's hidden move.
#[derive(Clone, Debug, Default)]
struct Shown {
    /// Its parts, in the order in which they were shown.
    parts: Vec<String>,
    rows: Vec<usize>,
    /// Parts that its player names, who may speak of anything: the likeliest where one is missing.
    named: Vec<String>,
    /// Whether a line shows more than there can be.
    unsure: bool,
}

/// Words beside which cards are told of something else than of a hidden move.
const OTHERS: &str = "pool pools left take takes took discard discards keep keeps offer refill selection may";
/// Messages below the question in which its answer may be shown. They are looked through at each message until it is found.
const BELOW_MOST: usize = 100;
/// Buttons for a part that nobody showed.
const OFFERED: usize = 8;

impl Reader<'_> {
    /// Fills in a hidden move of both that is due now and shown below, where what comes before that goes on without it.
    pub(super) fn looks_for_shown(&mut self, items: &[Item]) {
        let Some(places) = self.hidden_in_parts() else { return };
        let items = items.get(..BELOW_MOST).unwrap_or(items);
        let shown = self.shown(items, &places);
        let mut trial = self.hearing.trial();
        // What one of both sent is known, where a button wrote it.
        let waiting = BySeat::from_fn(|seat| self.hearing.waiting(seat).map(|sent| sent.text.clone()));
        let text = BySeat::from_fn(|seat| waiting[seat].clone().or_else(|| self.whole_of(seat, &shown[seat], &places)));
        for seat in Seat::BOTH.into_iter().filter(|seat| waiting[*seat].is_none()) {
            if trial.told(seat, text[seat].as_deref().unwrap_or("-"), 0).is_err() {
                return;
            }
        }
        let first = Seat::BOTH.into_iter().filter_map(|seat| shown[seat].rows.first()).min().copied();
        let Some(early) = self.goes_on_without(items, &trial, first) else { return };
        for seat in Seat::BOTH {
            if text[seat].is_none() {
                self.is_not_shown(early, seat, &shown[seat], &places[seat]);
            }
            let rows = &shown[seat].rows;
            let line = self.line(rows.first().copied().unwrap_or(early));
            let played = self.likeliest(seat, &text[seat], &shown[seat], &places[seat]);
            if waiting[seat].is_none() && self.hearing.told(seat, &played, line).is_err() {
                continue;
            }
            for at in rows {
                self.show(seat, *at, &played);
            }
        }
        self.goes_on();
    }

    /// The parts of a hidden move that both are asked for now.
    fn hidden_in_parts(&self) -> Option<BySeat<Places>> {
        let duel = self.hearing.duel();
        let ask = duel.asks().into_iter().next_back().filter(|ask| ask.to == To::Both)?;
        let later = ask.fields.len() > 1 && ask.fields.iter().all(|field| field.opens == Opens::WhenItActs);
        if !later {
            return None;
        }
        let of = |seat: Seat| match duel.form(Party::Seat(seat), ask.what) {
            Some(Form::Line { places, .. }) => places,
            _ => None,
        };
        Some(BySeat { p1: of(Seat::P1)?, p2: of(Seat::P2)? })
    }

    /// What is shown of each until the next draw, or the next round.
    fn shown(&self, items: &[Item], places: &BySeat<Places>) -> BySeat<Shown> {
        let mut all: BySeat<Shown> = BySeat::default();
        let drawn_last = self.hearing.steps().iter().rev().find_map(|step| step.strip_prefix("host: "));
        let verb = drawn_last.and_then(|step| step.split(' ').next()).unwrap_or_default();
        for item in items {
            let Item::Message(message) = item else { break };
            let by = self.speakers.who(&message.name);
            if let Some(seat) = by.and_then(Who::seat) {
                for (_, cards) in message.parts.iter().flat_map(|(_, words)| drawn(words, &self.speakers)) {
                    all[seat].named.extend(cards.split(' ').map(str::to_owned));
                }
            }
            if by.is_some_and(|who| who.seat().is_some() || who == Who::Nobody) {
                continue;
            }
            for (at, words) in &message.parts {
                let has = |words: &str, known: &str| wording::words(words).any(|word| word.eq_ignore_ascii_case(known));
                if message.asides.iter().any(|(row, _)| row == at) || has(words, verb) {
                    return all;
                }
                let shows = sentences(words).filter(|said| !OTHERS.split(' ').any(|known| has(said, known)));
                for (seat, cards) in shows.flat_map(|said| drawn(said.trim_start_matches('('), &self.speakers)) {
                    // "First cards: R1 and R1": both are the same, whoever showed which.
                    let same = cards.split_once(' ').filter(|(one, other)| one == other).map(|(one, _)| one);
                    match (seat, same) {
                        (Some(seat), _) => all[seat].shows(*at, &cards, &places[seat]),
                        (None, Some(one)) => {
                            Seat::BOTH.into_iter().for_each(|seat| all[seat].shows(*at, one, &places[seat]));
                        }
                        (None, None) => {}
                    }
                }
            }
        }
        all
    }

    /// The move that was shown whole; none where a part is missing, or where it can be another.
    fn whole_of(&self, seat: Seat, shown: &Shown, places: &BySeat<Places>) -> Option<String> {
        if shown.unsure || shown.parts.len() != places[seat].places.len() {
            return None;
        }
        self.hearing.answer(self.hearing.duel(), seat, &shown.parts.join(" "))
    }

    /// The row of what can only come behind the hidden move, before anything of that is shown.
    fn goes_on_without(&self, items: &[Item], trial: &Hearing, first: Option<usize>) -> Option<usize> {
        let messages = items.iter().map_while(|item| match item {
            Item::Message(message) => Some(message),
            Item::Round(..) => None,
        });
        let next = Seat::BOTH.map(|seat| trial.vocabulary(seat.into()));
        let moves = |clause: &Clause| matches!(sense::of_clause(trial, trial.duel(), clause), Sense::Move { .. });
        for message in messages {
            let by = self.speakers.who(&message.name).and_then(Who::seat);
            for (at, words) in &message.parts {
                if first.is_some_and(|first| first <= *at) {
                    return None;
                }
                let lower = words.to_lowercase();
                let mut said = lower.split(|letter: char| !letter.is_alphanumeric());
                let told = || clauses(words, &self.speakers).map(|(_, told)| told).unwrap_or_default();
                let (now, later) = match by {
                    Some(seat) => (
                        self.hearing.reads(seat, words),
                        said.any(|word| word.len() > 2 && next.iter().any(|next| next.bent(word).is_some())),
                    ),
                    None => (
                        told().iter().any(|clause| self.hearing.reads(clause.seat, &clause.words)),
                        told().first().is_some_and(moves),
                    ),
                };
                if now {
                    return None;
                }
                if later {
                    return Some(*at);
                }
            }
        }
        None
    }

    /// What is taken for granted where a part was not shown.
    fn likeliest(&self, seat: Seat, text: &Option<String>, shown: &Shown, places: &Places) -> String {
        text.clone()
            .or_else(|| self.completions(seat, shown, places).into_iter().next())
            .unwrap_or_else(|| "-".to_owned())
    }

    fn completions(&self, seat: Seat, shown: &Shown, places: &Places) -> Vec<String> {
        let [part] = shown.parts.as_slice() else { return Vec::new() };
        let named = |thing: &&engine::Thing| shown.named.iter().any(|named| named.eq_ignore_ascii_case(&thing.word));
        let (first, rest): (Vec<_>, Vec<_>) = places.things.iter().partition(named);
        let words = first.into_iter().chain(rest).map(|thing| format!("{part} {}", thing.word));
        words.filter_map(|words| self.hearing.answer(self.hearing.duel(), seat, &words)).take(OFFERED).collect()
    }

    /// Asks for a part that was not shown, above the row that goes on without it.
    fn is_not_shown(&mut self, at: usize, seat: Seat, shown: &Shown, places: &Places) {
        let name = self.hearing.names()[seat].to_owned();
        let offered = self.completions(seat, shown, places);
        let asked = self.hearing.duel().asks().last().map_or_else(String::new, |ask| ask.prompt.clone());
        let Some(row) = self.row(at) else { return };
        let shown = match shown.parts.as_slice() {
            [] => "nothing of this is shown below".to_owned(),
            parts => format!("only {} is shown below, or more than can be", parts.join(" ")),
        };
        row.refuse(&format!("{name} was asked for this before: {asked}; {shown}"));
        for text in offered.iter().map(String::as_str).chain(["-"]) {
            let label = if text == "-" { format!("Nothing came from {name}") } else { format!("{name}: {text}") };
            row.offer(label, vec![format!("{name}: {text}"), row.source.clone()]);
        }
    }

    /// A row shows a part of a hidden move, and may say more.
    fn show(&mut self, seat: Seat, at: usize, played: &str) {
        self.rounds.shown.insert(at);
        let said = format!("Shows what {} had sent: {played}", self.hearing.names()[seat]);
        let Some(row) = self.row(at) else { return };
        row.taken = Taken::Step;
        row.words = if row.words.is_empty() { said } else { format!("{}; {said}", row.words) };
    }
}

impl Shown {
    /// Takes in the cards that a row names of this seat.
    fn shows(&mut self, at: usize, cards: &str, places: &Places) {
        let had = self.parts.len();
        if had == places.places.len() {
            return;
        }
        for card in cards.split(' ') {
            let Some(thing) = places.things.iter().find(|thing| thing.word.eq_ignore_ascii_case(card)) else {
                continue;
            };
            if !self.parts.contains(&thing.word) {
                self.parts.push(thing.word.clone());
            }
        }
        if self.parts.len() > had {
            self.rows.push(at);
        }
        if self.parts.len() > places.places.len() {
            self.unsure = true;
            self.parts.truncate(had);
        }
    }
}
