//! Moves that somebody tells of the players, as a host does after each round. What the players said themselves as well
//! counts once; what contradicts it is asked about.

use engine::{BySeat, Seat};

use super::clause::{Clause, How, clauses, players};
use super::fix::{Fix, Who};
use super::hearing::Past;
use super::nearest::nearest;
use super::reader::Reader;
use super::row::Taken;
use super::sense::{self, Sense};

/// The moves that a line tells, canonically.
pub(super) type Moves = BySeat<Option<String>>;

/// What a line tells, held against the match as it stands.
#[derive(Clone, Debug, Default)]
struct Told {
    moves: Moves,
    /// More of the game behind a move.
    rest: BySeat<String>,
    /// The seat of whom something of the game is said that does not read.
    doubt: Option<Seat>,
    /// Whether something else is said beside the moves.
    beside: bool,
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
            let told = self.told(&clauses);
            if named > coming {
                let is_told = told.doubt.is_none() && told.seats().next().is_some();
                if is_told {
                    self.too_far(at, named, coming);
                }
                return is_told;
            }
            return self.told_of(at, &clauses, Some(named));
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

    /// What a line tells of each player; none where it tells of nobody. `cut` says that a program cut the last of it.
    fn clauses(&self, words: &str, cut: bool) -> Option<(How, Vec<Clause>)> {
        let (how, mut clauses) = clauses(words, &self.speakers).filter(|(_, clauses)| !clauses.is_empty())?;
        if let Some(whole) = self.whole(words) {
            clauses = vec![whole];
        }
        for clause in &mut clauses {
            if let Some([same]) = self.same(clause.seat, &clause.words, true).as_deref() {
                same.clone_into(&mut clause.words);
            }
        }
        clauses.last_mut().into_iter().for_each(|last| last.cut = cut);
        Some((how, clauses))
    }

    /// All behind the first name as one move, where it is one: "Black: White starts".
    fn whole(&self, words: &str) -> Option<Clause> {
        let (name, behind) = self.speakers.leading(words)?;
        let seat = self.speakers.who(name).and_then(Who::seat)?;
        let behind = behind.trim_start().strip_prefix(':')?.trim();
        let text = self.hearing.answer(self.hearing.duel(), seat, behind)?;
        Some(Clause { seat, words: text, marked: true, cut: false })
    }

    /// Whether a line without a round speaks of the last step, rather than of the next.
    fn is_of_the_last(&mut self, at: usize, words: &str, clauses: &[Clause], told: &Told) -> bool {
        let waits = told.seats().any(|seat| self.hearing.waiting(seat).is_some());
        let own = self.hearing.past().last().is_some_and(|last| {
            let own = |seat: Seat| last.sent[seat].as_ref().is_some_and(|sent| !sent.told);
            clauses.iter().all(|clause| own(clause.seat))
        });
        let one = clauses.iter().all(|clause| clauses.first().is_some_and(|first| first.seat == clause.seat));
        let part = one || told.beside;
        if !waits && own && part && clauses.iter().all(|clause| !clause.is_silence()) && self.agrees(at, words) {
            return true;
        }
        if !waits && own && self.told_of(at, clauses, None) {
            return true;
        }
        let reads = told.doubt.is_none() && told.seats().next().is_some();
        (!reads || told.beside) && !waits && self.agrees(at, words)
    }

    /// Whether a line only speaks of what was done last: each word of the game in it was said then.
    fn agrees(&mut self, at: usize, words: &str) -> bool {
        let lower = words.to_lowercase();
        let parts = || lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
        let codes: Vec<&str> = parts().filter(|word| self.hearing.is_code(word)).collect();
        let mut said = parts().filter(|word| self.hearing.is_game_word(word)).peekable();
        // A sum of who holds what names cards of any step.
        let sums_up = codes.len() > 1 && codes.iter().all(|code| self.hearing.was_named(&code.replace("10", "t")));
        let agrees = sums_up || said.peek().is_some() && said.all(|word| self.hearing.was_said(word));
        if agrees && let Some(row) = self.row(at) {
            (row.taken, row.words) = (Taken::LeftOut, "Speaks of the moves above".to_owned());
        }
        agrees
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

    /// These two are the players.
    pub(super) fn are_players(&mut self, names: [String; 2]) {
        for (seat, name) in Seat::BOTH.into_iter().zip(names) {
            self.hearing.call(seat, &name);
            self.speakers.add(&name, Who::of(seat));
            self.names[seat] = name;
        }
    }

    /// What clauses tell as the match stands: whoever is asked first made the first move.
    fn told(&self, clauses: &[Clause]) -> Told {
        let (mut told, mut trial) = (Told::default(), self.hearing.trial());
        let mut left: Vec<&Clause> = clauses.iter().collect();
        let joint = Seat::BOTH.into_iter().all(|seat| self.hearing.is_asked(seat.into()));
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

    /// Holds moves that are told of a round that was played, or of the last step, against what is known of it.
    fn told_of(&mut self, at: usize, clauses: &[Clause], round: Option<u32>) -> bool {
        let past = self.hearing.past();
        let of: Vec<&Past> = match round {
            Some(round) => past.iter().filter(|past| past.round == Some(round)).collect(),
            None => past.last().into_iter().collect(),
        };
        let then = |past: &Past, clause: &Clause| match sense::of_clause(&self.hearing, past.before(), clause) {
            Sense::Move { text, .. } => Some(text),
            _ => None,
        };
        let sent = |past: &Past, clause: &Clause| past.sent[clause.seat].as_ref().map(|sent| sent.text.clone());
        let same = clauses.iter().all(|clause| {
            of.iter().any(|past| sent(past, clause).is_some_and(|sent| then(past, clause) == Some(sent)))
        });
        let joint = of.iter().any(|past| past.is_joint());
        let perhaps_new = round.is_none();
        let now = if perhaps_new {
            Some(self.told(clauses)).filter(|told| told.doubt.is_none() && told.seats().next().is_some())
        } else {
            None
        };
        if same && !of.is_empty() && (joint || now.is_none()) {
            let Some(row) = self.row(at) else { return true };
            let words = round.map_or_else(|| "Told again".to_owned(), |round| format!("Round {round}, told again"));
            (row.taken, row.words) = (Taken::LeftOut, words);
            return true;
        }
        // Only a step that reads then can contradict what was sent then.
        let Some(past) = of.iter().rev().find(|past| clauses.iter().all(|clause| sent(past, clause).is_some())) else {
            return false;
        };
        let was = past.sent.clone();
        let mut moves = Moves::default();
        for clause in clauses {
            let Some(text) = then(past, clause) else { return false };
            moves[clause.seat] = Some(text);
        }
        // "Ada steals 3" says what came of it.
        let counts =
            |clause: &Clause| !clause.marked && clause.words.split(' ').any(|word| word.parse::<u32>().is_ok());
        if clauses.iter().all(counts) && self.agrees(at, &words_of(clauses)) {
            return true;
        }
        let new = now.map(|now| self.lines_of(&now.moves));
        self.contradicts(at, &was, &moves, None, new);
        true
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
                row.fixes = vec![Fix::ignore(row.line, &row.source.clone())];
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
        for near in near(wrong).into_iter().chain(["-".to_owned()]) {
            moves[wrong] = Some(near);
            offered.push(self.lines_of(&moves));
            likeliest.get_or_insert_with(|| moves.clone());
        }
        let name = self.hearing.names()[wrong].to_owned();
        let Some(row) = self.row(at) else { return true };
        let source = row.source.clone();
        let is_cut = clauses.iter().any(|clause| clause.cut);
        row.refuse(&match is_cut {
            true => format!("this was cut off where it was copied: what did {name} send?"),
            false => format!("{name}’s move in this is not understood"),
        });
        if let Some(wrong) = row.wrong.as_mut()
            && let Some((before, after)) = source.split_once(words)
        {
            (wrong.before, wrong.found, wrong.after) = (before.to_owned(), words.to_owned(), after.to_owned());
        }
        let line = row.line;
        row.fixes = offered.into_iter().map(|now| Fix::line(now.join("; "), line, &source, now)).collect();
        row.fixes.push(Fix::ignore(line, &source));
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
    /// The seats of which a move is told.
    fn seats(&self) -> impl Iterator<Item = Seat> {
        Seat::BOTH.into_iter().filter(|seat| self.moves[*seat].is_some())
    }
}

/// The words that clauses tell.
fn words_of(clauses: &[Clause]) -> String {
    clauses.iter().map(|clause| clause.words.as_str()).collect::<Vec<_>>().join(" ")
}

/// The number before a text, as in the notation, `1. score / grow`, or with a sign, `#1 score / grow`.
fn numbered(text: &str) -> (Option<u32>, &str) {
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
