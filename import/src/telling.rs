//! Moves that somebody tells of the players, as a host does after each round. What the players said themselves as well
//! counts once; what contradicts it is asked about.

use engine::{BySeat, Duel, Seat};

use super::fix::{Fix, Who};
use super::hearing::Past;
use super::listener::Listener;
use super::message::Message;
use super::nearest::nearest;
use super::row::Taken;
use super::told::{Half, Said, Told};

/// Who tells something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Voice {
    /// The host or the umpire.
    Host,
    /// Nobody is named.
    Nobody,
    /// A player was named before, and may have nothing to do with it.
    Unsure(Seat),
    /// Somebody who is not known.
    Stranger,
    /// A player.
    Player,
}

impl Voice {
    /// Whether moves that are told like this are taken from this voice.
    fn may(self, said: Said, headed: bool) -> bool {
        match said {
            Said::Marked => true,
            Said::Named => headed && matches!(self, Self::Host | Self::Nobody | Self::Unsure(_)),
            Said::Pair => matches!(self, Self::Host | Self::Nobody | Self::Unsure(_)),
            Said::OfOne => self == Self::Host,
        }
    }
}

/// The moves that a line tells, canonically.
pub(super) type Moves = BySeat<Option<String>>;

impl Listener<'_> {
    /// Takes the moves that a message tells; none where it tells nothing. `heading` is the round named right above it.
    pub(super) fn tells(&mut self, message: &Message, heading: Option<u32>) -> Option<bool> {
        let voice = match self.speakers.who(&message.name) {
            Some(Who::Host) => Voice::Host,
            Some(Who::Nobody) => return None,
            None if message.name.is_empty() => Voice::Nobody,
            None => Voice::Stranger,
            Some(who) => match who.seat().filter(|_| message.carried && !message.timed && heading.is_some()) {
                Some(seat) => Voice::Unsure(seat),
                None => Voice::Player,
            },
        };
        let mut told = None;
        let mut parts = message.parts.as_slice();
        while let Some(((at, words), behind)) = parts.split_first() {
            parts = behind;
            if voice != Voice::Player {
                self.meet(words);
            }
            let aside = message.asides.iter().find(|(row, _)| row == at).map(|(_, round)| *round);
            let round = heading.or(aside);
            // Each seat on a line of its own, with nothing between its name and its move.
            let two = |listener: &mut Self| {
                let ((below, more), _) = parts.split_first()?;
                let both = [words, more].iter().all(|words| Told::begins_with_a_player(words, &listener.speakers));
                let whole = listener.tell(*at, &format!("{words} / {more}"), round.filter(|_| both), voice)?;
                let line = listener.row(*at)?.line;
                let below = listener.row(*below)?;
                if whole {
                    below.taken = Taken::With(line);
                }
                Some((whole, usize::from(whole)))
            };
            let one = |listener: &mut Self| Some((listener.tell(*at, words, round, voice)?, 0));
            // Of whom nothing came, it is told alone or above the other's move.
            let silent = Told::is_of_silence(words, &self.speakers);
            let whole = if silent { two(self).or_else(|| one(self)) } else { one(self).or_else(|| two(self)) };
            let whole = whole.map(|(whole, more)| {
                parts = parts.get(more..).unwrap_or_default();
                whole
            });
            match whole {
                Some(false) => return Some(false),
                Some(true) => told = Some(true),
                None if told.is_some() && !self.beside(*at, words, voice) => return Some(false),
                None => {}
            }
        }
        told
    }

    /// Takes those for the players of whom the first moves are told, where no player is known.
    fn meet(&mut self, words: &str) {
        if self.names.each().iter().any(|(_, name)| !name.is_empty()) {
            return;
        }
        let Some(names) = Told::players(words, &self.speakers) else { return };
        for (seat, name) in Seat::BOTH.into_iter().zip(names) {
            self.hearing.call(seat, &name);
            self.speakers.add(&name, Who::of(seat));
            self.names[seat] = name;
        }
    }

    /// What else a message says that tells moves.
    fn beside(&mut self, at: usize, words: &str, voice: Voice) -> bool {
        let alone = || Message { parts: vec![(at, words.to_owned())], ..Message::default() };
        match voice {
            Voice::Host => self.host(&alone()),
            Voice::Nobody if Seat::BOTH.into_iter().any(|seat| self.hearing.reads(seat, words)) => {
                self.stranger(&alone())
            }
            Voice::Player | Voice::Unsure(_) => {
                self.pass(at);
                true
            }
            Voice::Nobody | Voice::Stranger => true,
        }
    }

    /// Takes what one line tells; none where it tells no moves.
    fn tell(&mut self, at: usize, words: &str, named: Option<u32>, voice: Voice) -> Option<bool> {
        let (number, words) = numbered(words);
        let coming = self.hearing.duel().coming_round();
        let named = named.or(number).filter(|_| coming.is_some());
        if let Voice::Unsure(seat) = voice
            && self.hearing.reads(seat, words)
        {
            return None;
        }
        let ways = Told::ways(words, &self.speakers).into_iter();
        let ways: Vec<Told> = ways.filter(|told| voice.may(told.said, named.is_some() || coming.is_none())).collect();
        if ways.is_empty() || self.hearing.duel().outcome().is_over() && named >= coming {
            return None;
        }
        let round = named.zip(coming);
        if let Some((named, coming)) = round.filter(|(named, coming)| named > coming) {
            return self.trial(&ways).map(|_| self.too_far(at, named, coming));
        }
        if let Some((named, _)) = round.filter(|(named, coming)| named < coming) {
            return self.told_of(at, &ways, Some(named), false);
        }
        let again = self.rounds.again != BySeat::default();
        if let Some(coming) = coming.filter(|_| again && named.is_none())
            && let Some(whole) = self.told_of(at, &ways, coming.checked_sub(1), false)
        {
            return Some(whole);
        }
        let waits = |told: &Told| told.seats().any(|seat| self.hearing.waiting(seat).is_some());
        let announced = named.is_some() || coming == Some(self.rounds.announced);
        if !announced
            && !ways.iter().any(waits)
            && self.own_before(&ways)
            && let Some(whole) = self.told_of(at, &ways, None, true)
        {
            return Some(whole);
        }
        let whole = self.told_now(at, words, &ways, voice);
        if let Some(named) = named.filter(|_| whole == Some(true)) {
            self.rounds.announced = self.rounds.announced.max(named);
        }
        whole
    }

    /// Whether the players themselves said what was done last.
    fn own_before(&self, ways: &[Told]) -> bool {
        let Some(last) = self.hearing.past().last() else { return false };
        let own = |seat: Seat| last.sent[seat].as_ref().is_some_and(|sent| !sent.told);
        ways.iter().any(|told| told.seats().all(own))
    }

    /// Holds moves that are told of a round that was played, or of the last step, against what is known of it.
    fn told_of(&mut self, at: usize, ways: &[Told], round: Option<u32>, perhaps_new: bool) -> Option<bool> {
        let past = self.hearing.past();
        let of: Vec<&Past> = match round {
            Some(round) => past.iter().filter(|past| past.round == Some(round)).collect(),
            None => past.last().into_iter().collect(),
        };
        let same = |told: &Told| {
            told.seats().all(|seat| {
                of.iter().any(|past| {
                    let sent = past.sent[seat].as_ref().map(|sent| sent.text.as_str());
                    sent.is_some() && self.then(past, seat, told, |text| Some(text) == sent).is_some()
                })
            })
        };
        let is_same = ways.iter().any(same);
        let new = if perhaps_new { self.trial(ways).map(|(_, moves)| moves) } else { None };
        let joint = of.iter().any(|past| past.is_joint());
        if is_same && (joint || new.is_none()) {
            let row = self.row(at)?;
            let words = round.map_or_else(|| "Told again".to_owned(), |round| format!("Round {round}, told again"));
            (row.taken, row.words) = (Taken::LeftOut, words);
            return Some(true);
        }
        // Only a step that reads then can contradict what was sent then.
        let differs = ways.iter().find_map(|told| {
            let past = *of.iter().rev().find(|past| told.seats().all(|seat| past.sent[seat].is_some()))?;
            let mut moves = Moves::default();
            for seat in told.seats() {
                moves[seat] = Some(self.then(past, seat, told, |_| true)?);
            }
            Some((past.sent.clone(), moves))
        });
        let (sent, moves) = differs?;
        let new = new.map(|moves| self.lines_of(&moves));
        Some(self.contradicts(at, &sent, &moves, None, new))
    }

    /// What is told of a seat as its answer before a step that was played, where it fits.
    fn then(&self, past: &Past, seat: Seat, told: &Told, fits: impl Fn(&str) -> bool) -> Option<String> {
        let half = told.moves[seat].as_ref()?;
        let fitting = |words: &str| self.hearing.answered(past, seat, words).filter(|text| fits(text));
        half.cuts.iter().filter(|(_, left)| self.may_leave(seat, left)).find_map(|(words, _)| fitting(words))
    }

    /// Whether what stands behind a move may be left out: it does not sound like more of it.
    fn may_leave(&self, seat: Seat, left: &str) -> bool {
        !self.hearing.vocabulary(seat.into()).sounds(left)
    }

    /// The first of these ways that reads by the rules as the match stands, with its moves.
    fn trial<'t>(&self, ways: &'t [Told]) -> Option<(&'t Told, Moves)> {
        ways.iter().find_map(|told| Some((told, self.moves_of(told)?)))
    }

    fn moves_of(&self, told: &Told) -> Option<Moves> {
        let answer = |duel: &Duel, seat: Seat, half: &Half| {
            let cuts = half.cuts.iter().filter(|(_, left)| self.may_leave(seat, left));
            cuts.map(|(words, _)| words).find_map(|words| self.hearing.answer(duel, seat, words))
        };
        let (now, mut moves) = (self.hearing.duel(), Moves::default());
        if Seat::BOTH.into_iter().all(|seat| self.hearing.is_asked(seat.into())) {
            for seat in told.seats() {
                moves[seat] = Some(answer(now, seat, told.moves[seat].as_ref()?)?);
            }
            return Some(moves);
        }
        // One after the other: whoever is asked first made the first.
        let mut duel = now.clone();
        let mut left: Vec<Seat> = told.seats().collect();
        while !left.is_empty() {
            let place = left.iter().position(|seat| {
                let text = told.moves[*seat].as_ref().and_then(|half| answer(&duel, *seat, half));
                let played = text.as_ref().is_some_and(|text| duel.play(&format!("{seat}: {text}"), None).is_ok());
                moves[*seat] = text.filter(|_| played);
                played
            })?;
            left.remove(place);
        }
        Some(moves)
    }

    /// Takes moves that are told of the step that comes.
    fn told_now(&mut self, at: usize, words: &str, ways: &[Told], voice: Voice) -> Option<bool> {
        let Some((_, moves)) = self.trial(ways) else { return self.told_wrong(at, words, ways, voice) };
        let waiting = BySeat::from_fn(|seat| self.hearing.waiting(seat).cloned());
        let known = |seat: Seat| waiting[seat].as_ref().map(|sent| &sent.text);
        if Seat::BOTH
            .into_iter()
            .any(|seat| moves[seat].is_some() && known(seat).is_some_and(|own| moves[seat].as_ref() != Some(own)))
        {
            let others = BySeat::from_fn(|seat| moves[seat].clone().filter(|_| waiting[seat].is_none()));
            let keep = self.lines_of(&others);
            return Some(self.contradicts(at, &waiting, &moves, Some(keep), None));
        }
        let line = self.row(at)?.line;
        let mut left: Vec<Seat> = Seat::BOTH.into_iter().filter(|seat| moves[*seat].is_some()).collect();
        left.retain(|seat| known(*seat).is_none());
        if left.is_empty() {
            let said = Seat::BOTH.into_iter().find_map(|seat| waiting[seat].as_ref()).map_or(0, |sent| sent.line);
            let row = self.row(at)?;
            (row.taken, row.words) = (Taken::LeftOut, format!("Said on line {said} already"));
            return Some(true);
        }
        while let Some(place) = left.iter().position(|seat| self.hearing.is_asked((*seat).into())) {
            let seat = left.remove(place);
            match self.hearing.told(seat, moves[seat].as_deref()?, line) {
                Ok(heard) => self.heard(&[at], heard),
                Err(why) => {
                    let expected = engine::name_seats(&why.expected, self.hearing.names());
                    let row = self.row(at)?;
                    row.refuse(&expected);
                    row.fixes = vec![Fix::ignore(row.line, &row.source.clone())];
                    return Some(false);
                }
            }
        }
        Some(true)
    }

    /// Moves that are surely told, and do not read.
    fn told_wrong(&mut self, at: usize, words: &str, ways: &[Told], voice: Voice) -> Option<bool> {
        if voice == Voice::Player {
            return None;
        }
        let sounds = |seat: Seat, half: &Half| self.hearing.vocabulary(seat.into()).sounds(half.whole());
        let told = ways.iter().find(|told| {
            told.said != Said::Pair
                && told.seats().all(|seat| told.moves[seat].as_ref().is_some_and(|half| sounds(seat, half)))
        })?;
        let duel = self.hearing.duel();
        let read = |seat: Seat| {
            let half = told.moves[seat].as_ref()?;
            self.hearing.answer(duel, seat, half.whole())
        };
        let wrong = told.seats().find(|seat| read(*seat).is_none())?;
        let near = |seat: Seat| nearest(duel, seat.into(), told.moves[seat].as_ref().map_or("", Half::whole));
        let mut moves = BySeat::from_fn(read);
        let other = wrong.other();
        if moves[other].is_none() && told.moves[other].is_some() {
            moves[other] = Some(near(other).first().cloned().unwrap_or_else(|| "-".to_owned()));
        }
        let mut offered = Vec::new();
        for near in near(wrong).into_iter().chain(["-".to_owned()]) {
            moves[wrong] = Some(near);
            offered.push(self.lines_of(&moves));
        }
        let name = self.hearing.names()[wrong].to_owned();
        let row = self.row(at)?;
        let source = row.source.clone();
        row.refuse(&format!("{name}’s move in this is not understood"));
        if let Some(wrong) = row.wrong.as_mut()
            && let Some((before, after)) = source.split_once(words)
        {
            (wrong.before, wrong.found, wrong.after) = (before.to_owned(), words.to_owned(), after.to_owned());
        }
        row.fixes = offered.into_iter().map(|now| Fix::line(now.join("; "), row.line, &source, now)).collect();
        row.fixes.push(Fix::ignore(row.line, &source));
        Some(false)
    }

    /// Moves as the players would say them, a line each.
    pub(super) fn lines_of(&self, moves: &Moves) -> Vec<String> {
        let line = |seat: Seat| Some(format!("{}: {}", self.hearing.names()[seat], moves[seat].as_ref()?));
        Seat::BOTH.into_iter().filter_map(line).collect()
    }
}

/// The number before a text, as in the notation: `1. score / grow`.
fn numbered(text: &str) -> (Option<u32>, &str) {
    let digits = text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let number = text.get(..digits).and_then(|number| number.parse().ok());
    match text.get(digits..).and_then(|rest| rest.strip_prefix(['.', ')', ':'])).filter(|rest| rest.starts_with(' ')) {
        Some(rest) if number.is_some() => (number, rest.trim_start()),
        _ => (None, text),
    }
}
