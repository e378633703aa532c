//! Moves that somebody tells of the players, as a host does after each round. What the players said themselves as well
//! counts once; what contradicts it is asked about.

use engine::{BySeat, Seat};

use super::clause::{Clause, How, clauses, glued, players};
use super::fix::Who;
use super::line::behind_verb;
use super::nearest::nearest;
use super::reader::{Reader, sentences};
use super::row::Taken;
use super::same;
use super::sense::{self, Sense};

/// The moves that a line tells, canonically.
pub(super) type Moves = BySeat<Option<String>>;

/// What a line tells, held against the match as it stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    pub(super) moves: Moves,
    /// More of the game behind a move.
    pub(super) rest: BySeat<String>,
    /// The seat of whom something of the game is said that does not read.
    pub(super) doubt: Option<Seat>,
    /// Whether something else is said beside the moves.
    pub(super) beside: bool,
}

impl Reader<'_> {
    /// Takes the moves that a line tells; false where it tells none. `sure` says that it is a line of moves, whoever wrote it.
    pub(super) fn tells(&mut self, at: usize, words: &str, sure: bool) -> bool {
        self.meet(words);
        let (number, words) = numbered(words);
        // "r2 Ada score, Bo grow"
        let number = number.or_else(|| self.rounds.asides.get(&at).copied());
        let cut = sense::cut(&self.hearing, words);
        let words = cut.unwrap_or(words);
        let Some((how, mut clauses)) = self.clauses(words, cut.is_some()) else { return false };
        let coming = self.hearing.duel().coming_round();
        // Below a heading, the lines may be numbered as those of a list are.
        let named = number.filter(|_| number == coming).or(self.rounds.head).or(number).filter(|_| coming.is_some());
        for clause in &mut clauses {
            self.fills_target(at, named.or(coming), clause);
        }
        if let Some((named, coming)) = named.zip(coming)
            && named != coming
        {
            return self.tells_of_another(at, &clauses, named, coming);
        }
        if self.hearing.duel().outcome().is_over() {
            return self.agrees(at, words);
        }
        let again = self.rounds.again != BySeat::default() && named.is_none();
        if let Some(coming) = coming.filter(|_| again)
            && self.told_of(at, &clauses, coming.checked_sub(1))
        {
            return true;
        }
        let told = self.told(&clauses);
        let joint = Seat::BOTH.into_iter().all(|seat| self.hearing.is_asked(seat.into()));
        // "Ada had c3": it was sent before.
        let past = !joint && how == How::Named && clauses.iter().any(|clause| clause.words.starts_with("had "));
        if past && told.seats().next().is_some() {
            let seat = told.seats().next();
            let told = Told { doubt: seat, ..told };
            return self.agrees(at, words) || self.told_wrong(at, words, (how, false), &clauses, &told);
        }
        if how == How::Named && !joint && self.tells_in_turn(at, &clauses, told.doubt.is_some()) {
            return true;
        }
        let announced = named.is_some() || self.rounds.fresh || sure;
        if !announced && self.is_of_the_last(at, words, &clauses, &told) {
            return true;
        }
        if told.doubt.is_some() || told.seats().next().is_none() {
            return self.told_wrong(at, words, (how, announced), &clauses, &told);
        }
        if how == How::Pair && !Seat::BOTH.into_iter().all(|seat| told.moves[seat].is_some()) {
            return false;
        }
        self.told_now(at, &told);
        self.rounds.told = true;
        if let Some(named) = named {
            self.rounds.announced = self.rounds.announced.max(named);
        }
        true
    }

    /// Takes the moves of another round than the coming one; false where there are none.
    fn tells_of_another(&mut self, at: usize, clauses: &[Clause], named: u32, coming: u32) -> bool {
        if named < coming {
            return self.told_of(at, clauses, Some(named));
        }
        let told = self.told(clauses);
        let is_told = told.doubt.is_none() && told.seats().next().is_some();
        if is_told {
            self.too_far(at, named, coming);
        }
        is_told
    }

    /// Takes a move that a sentence tells beside what the line says of the match: "Ada is the DMO. Ada took pink". The seat of whom
    /// something of the game is said that does not read.
    pub(super) fn tells_beside(&mut self, at: usize, words: &str) -> Option<Seat> {
        let mut doubt = None;
        for sentence in sentences(words) {
            let Some((How::Named, mut clauses)) = self.clauses(sentence, false) else { continue };
            clauses.retain(|clause| self.hearing.is_asked(clause.seat.into()));
            let told = self.told(&clauses);
            let alone = told.seats().any(|seat| !self.hearing.is_asked(seat.other().into()));
            if told.doubt.is_none() && alone {
                self.told_now(at, &told);
            }
            doubt = doubt.or(told.doubt);
        }
        doubt
    }

    /// What a line tells of each player; none where it tells of nobody. `cut` says that a program cut the last of it.
    fn clauses(&self, words: &str, cut: bool) -> Option<(How, Vec<Clause>)> {
        if let Some(nobody) = self.nobody(words) {
            return Some((How::Named, nobody));
        }
        if let Some(pair) = self.pair_before(words) {
            return Some((How::Pair, pair));
        }
        if let Some(pair) = self.pair_with_name(words) {
            return Some((How::Named, pair));
        }
        let (how, mut clauses) = clauses(words, &self.speakers).filter(|(_, clauses)| !clauses.is_empty())?;
        if how == How::Pair
            && self.told(&clauses).seats().count() < 2
            && let Some(glued) = glued(words, &self.speakers)
        {
            return Some((How::Named, glued));
        }
        if let Some(whole) = self.whole(words) {
            clauses = vec![whole];
        }
        // "Ada: Grow, Bo: same" may be the same as Ada's move or as Bo's last.
        let alone = clauses.len() < 2 || clauses.first().is_some_and(|first| same::is_said(&first.words));
        for clause in clauses.iter_mut().filter(|clause| alone || !same::is_bare(&clause.words)) {
            if let Some([same]) = self.same(clause.seat, &clause.words, true).as_deref() {
                same.clone_into(&mut clause.words);
            }
        }
        clauses.last_mut().into_iter().for_each(|last| last.cut = cut);
        Some((how, clauses))
    }

    /// What nobody of both did, where each is asked for yes or no in turn: "No refills."
    fn nobody(&self, words: &str) -> Option<Vec<Clause>> {
        let said = words.trim_end_matches(['.', '!', ' ']).to_lowercase();
        let plural = said.ends_with('s') && said.starts_with("no ");
        let none = ["nobody ", "neither ", "no one "].iter().any(|none| said.starts_with(none));
        let seat = Seat::BOTH.into_iter().find(|seat| self.is_alone(*seat)).filter(|_| plural || none)?;
        let bare = said.split_once(' ').map_or("", |(_, bare)| bare);
        let no = self.hearing.answer(self.hearing.duel(), seat, &format!("no {bare}"))?;
        let mut trial = self.hearing.trial();
        let of_both = trial.told(seat, &no, 0).is_ok() && trial.reads(seat.other(), &no);
        let clause = |seat: Seat| Clause { seat, words: no.clone(), marked: true, cut: false };
        (of_both && said.split(' ').count() < 4).then(|| [seat, seat.other()].map(clause).into())
    }

    /// All behind the first name as one move, where it is one: "Black: White starts".
    fn whole(&self, words: &str) -> Option<Clause> {
        let Some((name, behind)) = self.speakers.leading(words) else { return self.around_name(words) };
        let seat = self.speakers.who(name).and_then(Who::seat)?;
        let for_seats = |seat: Seat| self.hearing.vocabulary(seat.into()).words.iter().any(|word| word == "p1");
        let asks_for_seats = Seat::BOTH.into_iter().any(for_seats);
        let behind = behind.trim_start();
        let behind = behind.strip_prefix(':').or_else(|| asks_for_seats.then_some(behind))?.trim();
        let of = |seat: Seat, said: &str| {
            let words = self.hearing.answer(self.hearing.duel(), seat, said)?;
            Some(Clause { seat, words, marked: true, cut: false })
        };
        // "Ada starts", where whoever is asked says who does.
        let starts = || of(Seat::BOTH.into_iter().find(|seat| self.is_alone(*seat))?, words);
        of(seat, behind).or_else(|| asks_for_seats.then(starts).flatten())
    }

    /// All of a line around a single name as one move, where it is one: "Board D (Black chose it and goes second)".
    fn around_name(&self, words: &str) -> Option<Clause> {
        let Some((How::Named, told)) = clauses(words, &self.speakers) else { return None };
        let [Clause { seat, .. }] = told.as_slice() else { return None };
        let name = self.hearing.names()[*seat];
        let text = self.hearing.answer(self.hearing.duel(), *seat, &words.replacen(name, " ", 1))?;
        let alone = self.is_alone(*seat) && !words.contains('?');
        alone.then_some(Clause { seat: *seat, words: text, marked: true, cut: false })
    }

    /// Takes those for the players of whom the first moves are told, where no player is known.
    fn meet(&mut self, words: &str) {
        if self.names.each().iter().any(|(_, name)| !name.is_empty()) {
            return;
        }
        let (_, words) = numbered(words);
        let is_move = |seat: Seat, words: &str| {
            let said = sense::of_player(&self.hearing, self.hearing.duel(), seat, words);
            matches!(said, Sense::Move { .. })
        };
        let Some(names) = players(words, &self.speakers, is_move) else { return };
        self.are_players(names);
    }

    pub(super) fn are_players(&mut self, names: [String; 2]) {
        for (seat, name) in Seat::BOTH.into_iter().zip(names) {
            self.hearing.call(seat, &name);
            self.speakers.add(&name, Who::of(seat));
            self.names[seat] = name;
        }
    }

    /// What clauses tell as the match stands: whoever is asked first made the first move.
    pub(super) fn told(&self, clauses: &[Clause]) -> Told {
        let (mut told, mut trial) = (Told::default(), self.hearing.trial());
        let joint = Seat::BOTH.into_iter().all(|seat| self.hearing.is_asked(seat.into()));
        // "Ada had chosen R1": what both sent may come to light later.
        let chosen = |clause: &Clause| {
            let behind = clause.words.strip_prefix("had ").filter(|behind| joint && behind_verb(behind).is_some());
            behind.map_or_else(|| clause.clone(), |behind| Clause::of(clause.seat, behind))
        };
        let all: Vec<Clause> = clauses.iter().map(chosen).collect();
        let mut left: Vec<&Clause> = all.iter().collect();
        loop {
            let asked = |clause: &&Clause| trial.is_asked(clause.seat.into()) && told.moves[clause.seat].is_none();
            let Some(place) = left.iter().position(asked) else { break };
            let clause = left.remove(place);
            match sense::of_clause(&trial, trial.duel(), clause) {
                Sense::Move { text, rest, beside } => {
                    told.beside |= beside && rest.is_empty();
                    if !joint && trial.told(clause.seat, &text, 0).is_err() {
                        told.doubt = Some(clause.seat);
                        break;
                    }
                    (told.moves[clause.seat], told.rest[clause.seat]) = (Some(text), rest);
                }
                Sense::Doubt => told.doubt = told.doubt.or(Some(clause.seat)),
                Sense::Remark | Sense::Talk if same::is_said(&clause.words) => {
                    told.doubt = told.doubt.or(Some(clause.seat));
                }
                Sense::Remark | Sense::Talk => told.beside = true,
            }
        }
        // What else is told of a seat may be of the next question, or is said beside.
        for clause in left {
            let of_game = self.hearing.is_of_the_game(&clause.words);
            let free = told.moves[clause.seat].is_some() && told.rest[clause.seat].is_empty();
            let next = free && of_game && sense::is_clean(&self.hearing, &clause.words);
            match next {
                true => told.rest[clause.seat].clone_from(&clause.words),
                false => told.beside |= of_game,
            }
        }
        told
    }

    /// Takes moves that are told of the step that comes.
    fn told_now(&mut self, at: usize, told: &Told) {
        let waiting = BySeat::from_fn(|seat| self.hearing.waiting(seat).cloned());
        let known = |seat: Seat| waiting[seat].as_ref().map(|sent| &sent.text);
        let differs = |seat: Seat| known(seat).is_some_and(|own| told.moves[seat].as_ref() != Some(own));
        if told.seats().any(differs) {
            let others = BySeat::from_fn(|seat| told.moves[seat].clone().filter(|_| waiting[seat].is_none()));
            let keep = self.lines_of(&others);
            self.contradicts(at, &waiting, &told.moves, Some(keep), None);
            for seat in told.seats().filter(|seat| waiting[*seat].is_none()).collect::<Vec<_>>() {
                let _ = self.hearing.told(seat, told.moves[seat].as_deref().unwrap_or_default(), self.line(at));
            }
            return;
        }
        let mut left: Vec<Seat> = told.seats().filter(|seat| known(*seat).is_none()).collect();
        if left.is_empty() {
            let said = Seat::BOTH.into_iter().find_map(|seat| waiting[seat].as_ref()).map_or(0, |sent| sent.line);
            if let Some(row) = self.row(at) {
                (row.taken, row.words) = (Taken::LeftOut, format!("Said on line {said} already"));
            }
        }
        while let Some(place) = left.iter().position(|seat| self.hearing.is_asked((*seat).into())) {
            let seat = left.remove(place);
            let text = told.moves[seat].as_deref().unwrap_or_default();
            if let Err(why) = self.plays(seat, text, &[at], true) {
                let expected = engine::name_seats(&why.expected, self.hearing.names());
                let Some(row) = self.row(at) else { return };
                row.refuse(&expected);
                row.fixes.clear();
                row.offer_ignore();
                return;
            }
        }
        for seat in Seat::BOTH.into_iter().filter(|seat| !told.rest[*seat].is_empty()) {
            self.follows(seat, at, told.rest[seat].clone(), true);
        }
    }

    /// A line that names players and holds words of the game, and does not read: it speaks of what was done, or is asked about.
    /// What stands below the heading of its round speaks of nothing else.
    fn told_wrong(
        &mut self,
        at: usize,
        words: &str,
        (how, announced): (How, bool),
        clauses: &[Clause],
        told: &Told,
    ) -> bool {
        let Some(wrong) = told.doubt.filter(|_| how == How::Named) else { return false };
        if !announced && self.agrees(at, words) {
            return true;
        }
        let duel = self.hearing.duel();
        let said =
            |seat: Seat| clauses.iter().find(|clause| clause.seat == seat).map_or("", |clause| clause.words.as_str());
        let near = |seat: Seat| nearest(duel, seat.into(), said(seat));
        let mut moves = told.moves.clone();
        let other = wrong.other();
        if moves[other].is_none()
            && clauses.iter().any(|clause| clause.seat == other && self.hearing.sounds(other, &clause.words))
        {
            moves[other] = Some(near(other).first().cloned().unwrap_or_else(|| "-".to_owned()));
        }
        let (mut offered, mut likeliest) = (Vec::new(), None);
        let last = || self.hearing.last_move(wrong).map(|sent| sent.text.clone());
        let same = if same::is_said(said(wrong)) { [moves[other].clone(), last()] } else { [None, None] };
        for near in same.into_iter().flatten().chain(near(wrong)).chain(["-".to_owned()]) {
            moves[wrong] = Some(near);
            offered.push(self.lines_of(&moves));
            likeliest.get_or_insert_with(|| moves.clone());
        }
        let name = self.hearing.names()[wrong].to_owned();
        let Some(row) = self.row(at) else { return true };
        let is_cut = clauses.iter().any(|clause| clause.cut);
        row.refuse(&match is_cut {
            true => format!("this was cut off where it was copied: what did {name} send?"),
            false => format!("{name}’s move in this is not understood"),
        });
        if let Some(wrong) = row.wrong.as_mut()
            && let Some((before, after)) = row.source.split_once(words)
        {
            (wrong.before, wrong.found, wrong.after) = (before.to_owned(), words.to_owned(), after.to_owned());
        }
        let line = row.line;
        row.fixes.clear();
        offered.into_iter().for_each(|now| row.offer(now.join("; "), now));
        row.offer_ignore();
        let likeliest = likeliest.unwrap_or_default();
        for seat in
            Seat::BOTH.into_iter().filter(|seat| announced && self.hearing.waiting(*seat).is_none()).collect::<Vec<_>>()
        {
            if let Some(text) = &likeliest[seat] {
                let _ = self.hearing.told(seat, text, line);
            }
        }
        true
    }

    /// Moves as the players would say them, a line each.
    pub(super) fn lines_of(&self, moves: &Moves) -> Vec<String> {
        let line = |seat: Seat| Some(format!("{}: {}", self.hearing.names()[seat], moves[seat].as_ref()?));
        Seat::BOTH.into_iter().filter_map(line).collect()
    }

    /// Whether a line tells a move of each player.
    pub(super) fn tells_of_both(&self, words: &str) -> bool {
        let told = clauses(words, &self.speakers).map(|(_, clauses)| self.told(&clauses));
        told.is_some_and(|told| told.doubt.is_none() && told.seats().count() == 2)
    }

    /// Whether a message tells moves of this round.
    pub(super) fn is_told(&self, parts: &[(usize, String)], round: u32) -> bool {
        let coming = self.hearing.duel().coming_round();
        parts.iter().any(|(_, words)| {
            let Some((_, clauses)) = clauses(numbered(words).1, &self.speakers) else { return false };
            if coming == Some(round) {
                let told = self.told(&clauses);
                return told.doubt.is_none() && told.seats().next().is_some();
            }
            let past = || self.hearing.past().iter().filter(|past| past.round == Some(round));
            let reads = |clause: &Clause| {
                past().any(|past| matches!(sense::of_clause(&self.hearing, past.before(), clause), Sense::Move { .. }))
            };
            !clauses.is_empty() && clauses.iter().all(reads)
        })
    }
}

impl Told {
    pub(super) fn seats(&self) -> impl Iterator<Item = Seat> {
        Seat::BOTH.into_iter().filter(|seat| self.moves[*seat].is_some())
    }
}

pub(super) fn words_of(clauses: &[Clause]) -> String {
    clauses.iter().map(|clause| clause.words.as_str()).collect::<Vec<_>>().join(" ")
}

/// The number before a text, as in the notation, `1. score / grow`, or with a sign, `#1 score / grow`.
pub(super) fn numbered(text: &str) -> (Option<u32>, &str) {
    let signed = text.strip_prefix('#');
    let bare = signed.unwrap_or(text);
    let digits = bare.len() - bare.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let number = bare.get(..digits).and_then(|number| number.parse().ok());
    let rest = bare.get(digits..).unwrap_or_default();
    let rest = rest.strip_prefix(['.', ')', ':']).or(signed.map(|_| rest)).filter(|rest| rest.starts_with(' '));
    // "12 b: score w: grow"
    let bare_number = || {
        let rest = bare.get(digits..)?.strip_prefix(' ')?.trim_start();
        let (name, behind) = rest.split_once(':')?;
        (name.chars().all(char::is_alphabetic) && name.len() < 20 && !behind.is_empty()).then_some(rest)
    };
    match rest.or_else(bare_number) {
        Some(rest) if number.is_some() => (number, rest.trim_start()),
        _ => (None, text),
    }
}
