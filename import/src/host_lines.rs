//! Lines of the host, or of nobody: draws, moves of the players, scores, decisions.

use engine::{BySeat, Party, Seat, name_seats};

use super::messages::Message;
use super::preview::Taken;
use super::questions::{BLANK, ask_draw, ask_earlier, ask_missing, ask_speaker, ask_told, ask_void, ask_which};
use super::round_numbers::{self, RoundNumber};
use super::rounds::Rounds;
use super::sentences::{Clause, bare, clauses, endings, sentences};
use super::stated_score::StatedScore;
use super::typed_move::{Answer, Typed, refusal, words};

/// Words behind a player's name that say that the match was won.
const WINS: [&str; 4] = ["wins the match", "wins", "won", "has won"];
/// Words of a host for a round that does not count.
const VOID: &str = "void|replay|redo|redone|annulled|not count|n't count|struck";
/// Words of a host for a round in which nobody sent anything.
const SILENT: &str = "nobody s|neither s|no submission|timeout|timed out|no moves";

/// Moves, what stands behind each of them with its row, and behind all.
type Told<'t> = (Vec<(Seat, Answer)>, BySeat<Option<(usize, String)>>, &'t str);

impl Rounds<'_> {
    /// The host speaks, or somebody whose name nobody wrote.
    pub(crate) fn host(&mut self, message: &Message) {
        for (at, words) in &message.parts {
            self.host_line(*at, words, message);
        }
    }

    fn host_line(&mut self, at: usize, words: &str, message: &Message) {
        if words.to_lowercase().starts_with("result ") && (message.is_own || self.stop.is_none()) {
            return self.decide(at, words);
        }
        let named = round_numbers::read(words, self.short).or_else(|| self.bare_number(words));
        let mut rest = words;
        if let Some(named) = named {
            if !self.heading(at, named.number, named.rest.is_empty()) || named.rest.is_empty() {
                return;
            }
            rest = named.rest;
        }
        if self.stop.is_some() {
            return;
        }
        if self.builder.is_asked(Party::Host) && self.draw(at, rest) {
            return;
        }
        if let Some(score) = StatedScore::read(rest, self.speakers) {
            return self.score(at, score);
        }
        if self.tell(at, rest, named.map(|named| named.number)) {
            return;
        }
        let parts: Vec<&str> = sentences(rest).collect();
        let mut told = false;
        for part in &parts {
            if let Some(score) = StatedScore::read(part, self.speakers) {
                self.score(at, score);
                told = true;
            } else if parts.len() > 1 && self.tell(at, part, named.map(|named| named.number)) {
                told = true;
            }
        }
        if told {
            return;
        }
        self.untold(at, rest, named.map(|named| named.number), message);
        if rest == BLANK {
            self.own_line(at, Party::Host, rest);
        }
    }

    /// The number of a round alone before what both sent: `4 Black: Score, White: Steal`.
    fn bare_number<'t>(&self, words: &'t str) -> Option<RoundNumber<'t>> {
        let (number, rest) = words.split_once(' ')?;
        let number = number.parse().ok()?;
        (clauses(rest, self.speakers).len() == 2).then_some(RoundNumber { number, rest })
    }

    /// Keeps who won, and with which score, as a line says. False if it does not.
    pub(crate) fn claim_win(&mut self, at: usize, words: &str) -> bool {
        let Some((seat, behind)) = self.speakers.leading_seat(words) else { return false };
        let behind = bare(behind).to_lowercase();
        let Some(score) = WINS.iter().find_map(|wins| behind.strip_prefix(wins)) else { return false };
        let score = StatedScore::read(score, self.speakers);
        if score.is_none() && !WINS.contains(&behind.as_str()) {
            return false;
        }
        self.winner = Some((at, seat, score));
        self.take(at, Taken::LeftOut);
        true
    }

    /// Asks about a line that may say that a round was void, or that nobody sent anything. False if it says neither.
    fn ask_round(&mut self, at: usize, words: &str, number: Option<u32>) -> bool {
        let lower = words.to_lowercase();
        let says = |known: &str| known.split('|').any(|known| lower.contains(known));
        let (void, silent) = (says(VOID), says(SILENT) && self.builder.is_joint());
        let lines = self.lines_of(number);
        let names = self.builder.names().map(str::to_owned);
        let Some(row) = self.row(at).filter(|_| void || silent) else { return false };
        let label =
            number.map_or_else(|| "The last round was void".to_owned(), |number| format!("Round {number} was void"));
        ask_void(row, &label, if void { &lines } else { &[] }, silent, &names);
        self.asked(at, false);
        true
    }

    /// A line of the host that tells no move in full.
    fn untold(&mut self, at: usize, words: &str, number: Option<u32>, message: &Message) {
        if self.claim_win(at, words) || self.ask_round(at, words, number) {
            return;
        }
        let clauses = clauses(words, self.speakers);
        let reads = |seat: Seat, text: &str| matches!(self.read_clause(seat, text), Some((Typed::Answer(_), _)));
        let may_be = |text: &str| self.builder.game.may_be_in(text);
        // A question to a player is no move.
        let told = clauses.iter().filter(|_| !words.trim_end().ends_with('?'));
        let doubted = told.clone().find(|clause| may_be(clause.text) && !reads(clause.seat, clause.text));
        if let Some(clause) = doubted
            && self.builder.is_asked(clause.seat.into())
        {
            if number
                .is_some_and(|number| self.told_again(Some(number)).is_some() && self.ask_earlier(at, number, words))
            {
                return;
            }
            let (seat, said) = (clause.seat, clause.text.to_owned());
            let mut beside = vec![format!("# {}", self.rows.get(at).map_or("", |row| row.source.as_str()))];
            beside.extend(self.head.map(|head| format!("Round {head}")));
            for other in clauses.iter().filter(|other| other.seat != seat) {
                if let Some(Typed::Answer(answer)) = self.read_clause(other.seat, other.text).map(|(typed, _)| typed) {
                    beside.push(format!("{}: {}", other.seat, answer.text));
                }
            }
            let typed = self.read_clause(seat, &said).map(|(typed, _)| typed);
            let why = match typed {
                Some(Typed::Refused(why)) => why,
                Some(Typed::Several(moves)) => {
                    let name = self.builder.names()[seat].to_owned();
                    let Some(row) = self.row(at) else { return };
                    ask_which(row, &name, seat, &moves, &beside);
                    return self.asked(at, true);
                }
                _ => refusal(&said, "this is not understood"),
            };
            return self.doubt(at, seat, &said, &why, &beside);
        }
        let alone = message.name.is_empty() && clauses.is_empty();
        if alone && Seat::BOTH.into_iter().any(|seat| matches!(self.builder.read(seat, words), Typed::Answer(_))) {
            let players = self.players.clone();
            let Some(row) = self.row(at) else { return };
            ask_speaker(row, "", words, players.as_ref().map(String::as_str));
            return self.asked(at, false);
        }
        if self.builder.is_asked(Party::Host) && !self.builder.is_joint() && self.is_draw(words) {
            let builder = self.builder.clone();
            let Some(row) = self.row(at) else { return };
            ask_draw(row, &builder, words);
            return self.asked(at, true);
        }
        let behind = words.match_indices(' ').filter_map(|(at, _)| words.get(at + 1..));
        let named = behind.filter_map(|rest| round_numbers::read(rest, self.short)).next();
        if !named.is_some_and(|named| self.ask_earlier(at, named.number, named.rest)) {
            self.talk(at, words);
        }
    }

    /// Asks about a line that speaks of an earlier round, and may say a move of it. False if it does not.
    fn ask_earlier(&mut self, at: usize, round: u32, words: &str) -> bool {
        let lines = self.lines_of(Some(round));
        let says_move = !lines.is_empty() && self.builder.game.may_be_in(words);
        let blanks = Seat::BOTH.map(|seat| format!("{seat}: {BLANK}"));
        let Some(row) = self.row(at).filter(|_| says_move) else { return false };
        ask_earlier(row, round, &lines, &blanks);
        self.builder.doubt(round);
        self.asked(at, false);
        true
    }

    /// Takes a draw: as the notation writes it, or the cards that a line names, of each player or of nobody. False if it is none.
    fn draw(&mut self, at: usize, words: &str) -> bool {
        let line = self.line(at);
        let owned = words.replace("'s ", ": ").replace("’s ", ": ");
        let named = clauses(&owned, self.speakers);
        for clause in &named {
            let cards = cards(clause.text);
            if !cards.is_empty() {
                self.pools[clause.seat] = cards;
            }
        }
        let pools = [self.pools.p1.as_str(), self.pools.p2.as_str()].join(" | ");
        let of_board = format!("{} {}", board(words).unwrap_or_default(), cards(words));
        let drawn = [words.to_owned(), if named.is_empty() { cards(words) } else { pools }, of_board];
        let drawn = drawn.iter().find_map(|drawn| self.builder.draw(drawn, line).ok());
        let has_half = !named.is_empty() && (self.pools.p1.is_empty() != self.pools.p2.is_empty());
        match drawn {
            Some(played) => {
                self.pools = BySeat::default();
                self.played(at, played);
                true
            }
            None => has_half && named.iter().all(|clause| !self.pools[clause.seat].is_empty()),
        }
    }

    /// True if a text names cards where the host has to draw some.
    fn is_draw(&self, words: &str) -> bool {
        let required = self.builder.duel().asks().last().is_some_and(|ask| ask.to == engine::To::Host && !ask.optional);
        required && !cards(words).is_empty()
    }

    /// A text as a seat's move, also with something behind it that is none; that comes with it.
    fn read_clause<'t>(&self, seat: Seat, text: &'t str) -> Option<(Typed, &'t str)> {
        let whole = self.builder.read(seat, text);
        if !matches!(whole, Typed::Refused(_)) {
            return Some((whole, ""));
        }
        let ended = endings(text).find_map(|(before, behind)| {
            let says_more = StatedScore::read(behind, self.speakers).is_some() || !self.builder.game.may_be_in(behind);
            match self.builder.read(seat, before) {
                Typed::Refused(_) => None,
                // What stands behind a Block may be its target.
                _ if self.builder.names_more(seat, before) => None,
                typed => says_more.then_some((typed, behind)),
            }
        });
        Some(ended.unwrap_or((whole, "")))
    }

    /// Takes the moves that a line tells of the players. False if it does not tell a move of each player whom it names.
    fn tell(&mut self, at: usize, words: &str, number: Option<u32>) -> bool {
        let mut clauses = clauses(words, self.speakers);
        if clauses.is_empty() && number.is_some() {
            clauses = self.pair(words);
        }
        let mut seats: Vec<Seat> = clauses.iter().map(|clause| clause.seat).collect();
        seats.dedup();
        if clauses.is_empty() || seats.len() != clauses.len() {
            return false;
        }
        let past = self.told_again(number);
        let Some((told, rests, more)) = self.read_told(at, &clauses, past.is_none()) else { return false };
        if let Some(round) = past {
            return self.compare(at, round, &told);
        }
        if let Some(last) = self.builder.steps().last().filter(|last| number.is_some() && last.round == number) {
            // A line that stands twice is of one round.
            let same = |(seat, answer): &(Seat, Answer)| {
                last.sent[*seat].as_ref().is_some_and(|sent| sent.text == answer.text)
            };
            if told.iter().all(same) {
                self.take(at, Taken::LeftOut);
                return true;
            }
        }
        if self.is_told_otherwise(at, &told) {
            return true;
        }
        let is_both = told.len() == 2;
        let mut beside = vec![format!("# {}", self.rows.get(at).map_or("", |row| row.source.as_str()))];
        beside.extend(number.map(|number| format!("Round {number}")));
        let behind = rests.each().into_iter().filter_map(|(seat, rest)| Some((seat, &rest.as_ref()?.1)));
        let moves = told.iter().map(|(seat, answer)| (*seat, &answer.text)).chain(behind);
        let moves: Vec<String> = moves.map(|(seat, text)| format!("{seat}: {text}")).collect();
        // What a seat sent above is not sent once more, also where the other's move completes the pair.
        let known =
            |(seat, answer): &(Seat, Answer)| self.builder.waiting(*seat).is_some_and(|said| said.text == answer.text);
        let told: Vec<_> = told.into_iter().filter(|one| !known(one)).collect();
        self.rests = rests;
        for (seat, answer) in told {
            if self.stop.is_none() {
                self.play(at, seat, answer, &beside);
            }
        }
        self.told += usize::from(is_both);
        if let Some(score) = StatedScore::read(more, self.speakers).filter(|_| self.builder.missing().is_none()) {
            beside.extend(moves);
            self.score_of(at, score, &beside);
        }
        true
    }

    /// The moves of both before a score, without their names, as the site writes a round: `score / claim block:score 0-1`.
    fn pair<'t>(&self, words: &'t str) -> Vec<Clause<'t>> {
        let parts = words.split_once(" / ").filter(|(_, other)| !other.contains(" / "));
        let clauses = parts.map_or_else(Vec::new, |(one, other)| {
            vec![Clause { seat: Seat::P1, text: bare(one) }, Clause { seat: Seat::P2, text: bare(other) }]
        });
        let told = self.read_told(0, &clauses, false);
        let is_scored = told.is_some_and(|(.., more)| StatedScore::read(more, self.speakers).is_some());
        if is_scored { clauses } else { Vec::new() }
    }

    /// The move that each clause tells, what each says behind it, and what stands behind all of them; none if one tells none.
    fn read_told<'t>(&self, at: usize, clauses: &[Clause<'t>], in_turn: bool) -> Option<Told<'t>> {
        let (mut told, mut rests, mut more) = (Vec::new(), BySeat::default(), "");
        for clause in clauses {
            if let (Typed::Answer(answer), behind) = self.read_clause(clause.seat, clause.text)? {
                told.push((clause.seat, answer));
                more = behind;
                continue;
            }
            let (answer, rest) = self.builder.read_in_turn(clause.seat, clause.text).filter(|_| in_turn)?;
            told.push((clause.seat, answer));
            rests[clause.seat] = Some((at, rest));
        }
        Some((told, rests, more))
    }

    /// Asks where a player sent something else than is told. False if not.
    fn is_told_otherwise(&mut self, at: usize, told: &[(Seat, Answer)]) -> bool {
        let said = |seat: Seat| self.builder.waiting(seat).or(self.said[seat].as_ref()).cloned();
        let other = told.iter().find_map(|(seat, answer)| {
            Some((*seat, answer.text.clone(), said(*seat).filter(|said| said.text != answer.text)?))
        });
        let Some((seat, text, first)) = other else { return false };
        let (source, name) = (self.source(first.line), self.builder.names()[seat].to_owned());
        if let Some(row) = self.rows.get_mut(at).filter(|row| row.wrong.is_none()) {
            ask_told(row, &name, &first, &source, &text);
            self.asked(at, true);
        }
        true
    }

    /// The round of an earlier number, if what a line tells is of that.
    fn told_again(&self, number: Option<u32>) -> Option<u32> {
        let number = number.or(self.head)?;
        let coming = self.builder.round()?;
        (self.builder.duel().coming_round().is_some() && number < coming).then_some(number)
    }

    /// A decision of the umpire.
    fn decide(&mut self, at: usize, words: &str) {
        let line = self.line(at);
        if let Some((seat, _)) = self.builder.missing() {
            let names = self.builder.names().map(str::to_owned);
            if let Some(row) = self.row(at) {
                ask_missing(row, seat, names.as_ref().map(String::as_str), None);
            }
            return;
        }
        match self.builder.play(&format!("umpire: {words}"), line) {
            Ok(played) => self.played(at, played),
            Err(why) => {
                let expected = name_seats(&why.expected, self.builder.names());
                let Some(row) = self.row(at) else { return };
                row.refuse(&expected);
                row.fixes.clear();
                let reason = words.get("result ".len()..).unwrap_or_default().trim();
                for verdict in ["p1", "p2", "undecided", "void"] {
                    let now = format!("umpire: result {verdict} {reason}");
                    row.offer(now.clone(), vec![now]);
                }
                row.offer_ignore();
            }
        }
    }
}

/// The board that a text names: a letter alone, in front of its cards.
fn board(text: &str) -> Option<&str> {
    words(text).find(|word| word.len() == 1 && word.starts_with(char::is_uppercase))
}

/// The cards that a text names: a letter with a number.
fn cards(text: &str) -> String {
    let card = |word: &&str| {
        (2..4).contains(&word.len())
            && word.bytes().filter(u8::is_ascii_alphabetic).count() == 1
            && !word.ends_with('d')
    };
    words(text).filter(card).collect::<Vec<_>>().join(" ")
}
