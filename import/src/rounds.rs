//! Messages become rounds. A round is a pair of moves, or what the host tells of both; the host's numbers say which round it is.
//! Where a number, a pair or a score does not fit, somebody is asked, and nothing is guessed across the gap: behind it only what
//! has a number of its own is read.

use engine::{BySeat, Party, Refusal, Seat, name_seats};

use super::line_parts::{bare, clauses, endings, sentences};
use super::match_builder::{MatchBuilder, Played, Sent};
use super::messages::Message;
use super::preview::{Row, Taken};
use super::questions::{
    ask_draw, ask_missing, ask_move, ask_repeated, ask_round_missing, ask_score, ask_second, ask_speaker, ask_which,
};
use super::round_numbers;
use super::speakers::Speakers;
use super::stated_score::StatedScore;
use super::typed_move::{Answer, Typed, refusal, words};

/// More rounds than this between two numbers are no gap, but another count.
const GAP_MAX: u32 = 30;
/// Words behind a player's name that say that the match was won.
const WINS: [&str; 4] = ["wins", "won", "has won", "wins the match"];

/// The reading of a chat, message by message.
pub(crate) struct Rounds<'r> {
    pub(crate) builder: MatchBuilder,
    rows: &'r mut [Row],
    speakers: &'r Speakers,
    /// True if `R3` may be a round.
    short: bool,
    /// Players whose names are not known are empty.
    players: BySeat<String>,
    /// The round that the last number named.
    head: Option<u32>,
    /// True if the number stood alone, above the moves.
    is_headed: bool,
    /// True if the host numbers the rounds.
    is_numbered: bool,
    /// Rounds whose moves the host told, and what the players said of the next one themselves.
    told: usize,
    said: BySeat<Option<Sent>>,
    /// The line of the question behind which nothing is read but what has a number.
    stop: Option<usize>,
    /// The line of the question that may change all that is read behind it.
    unsure: Option<usize>,
    /// True if a question since the last step is about a move of its round.
    is_asked: bool,
    /// The line of a score that does not fit.
    differs: Option<usize>,
    /// Cards that were drawn for one player, while the other's are awaited.
    pools: BySeat<String>,
    /// Who won, as somebody says, and on which row.
    winner: Option<(usize, Seat)>,
    /// Names of whom nobody knows who they are, of those who may have made a move.
    pub(crate) strangers: Vec<String>,
}

impl<'r> Rounds<'r> {
    pub(crate) fn new(
        builder: MatchBuilder,
        rows: &'r mut [Row],
        speakers: &'r Speakers,
        short: bool,
        players: BySeat<String>,
    ) -> Self {
        let (head, stop, unsure, differs, winner) = (None, None, None, None, None);
        let (is_headed, is_numbered, is_asked, strangers) = (false, false, false, Vec::new());
        let (told, said, pools) = (0, BySeat::default(), BySeat::default());
        Self {
            builder,
            rows,
            speakers,
            short,
            players,
            head,
            is_headed,
            is_numbered,
            told,
            said,
            stop,
            unsure,
            is_asked,
            differs,
            pools,
            winner,
            strangers,
        }
    }

    /// Reads all messages.
    pub(crate) fn read(&mut self, messages: &[Message]) {
        let parts = messages.iter().flat_map(|message| &message.parts);
        let numbers = parts.filter(|(_, words)| round_numbers::read(words, self.short).is_some()).count();
        self.is_numbered = numbers > 1 && self.builder.round().is_some();
        for message in messages {
            let who = if message.name.is_empty() { Some(super::fix::Who::Host) } else { self.speakers.who(&message.name) };
            match who {
                Some(super::fix::Who::Nobody) => message.parts.iter().for_each(|(at, _)| self.take(*at, Taken::LeftOut)),
                Some(who) => match who.seat() {
                    Some(seat) => self.player(seat, message),
                    None => self.host(message),
                },
                None => self.stranger(message),
            }
        }
        if let Some((at, seat)) = self.winner {
            let other = self.builder.duel().outcome();
            let won = match other {
                engine::Outcome::Over(ending) => ending.verdict.winner(),
                engine::Outcome::Running => None,
            };
            let name = self.builder.names()[won.unwrap_or(seat)].to_owned();
            if let Some(row) = self.row(at).filter(|_| won.is_some_and(|won| won != seat)) {
                row.asks(&format!("this says otherwise, and the moves above come to a win of {name}"));
                row.offer_ignore();
            }
        }
    }

    fn row(&mut self, at: usize) -> Option<&mut Row> {
        self.rows.get_mut(at).filter(|row| row.wrong.is_none())
    }

    fn line(&self, at: usize) -> usize {
        self.rows.get(at).map_or(0, |row| row.line)
    }

    fn take(&mut self, at: usize, taken: Taken) {
        if let Some(row) = self.row(at).filter(|row| !matches!(row.taken, Taken::Step | Taken::Half)) {
            row.taken = taken;
        }
    }

    /// The lines that said the last step, with their source.
    fn lines_of_last(&self) -> Vec<(usize, String)> {
        let Some(step) = self.builder.steps().last() else { return Vec::new() };
        let lines = step.sent.each().into_iter().filter_map(|(_, sent)| sent.as_ref().map(|sent| sent.line));
        let mut lines: Vec<usize> = lines.collect();
        lines.dedup();
        lines.into_iter().map(|line| (line, self.source(line))).collect()
    }

    fn source(&self, line: usize) -> String {
        self.rows.iter().find(|row| row.line == line).map_or_else(String::new, |row| row.source.clone())
    }

    /// Says that a question was asked on a row: of the round that comes, or so that nothing behind it can be read.
    fn asked(&mut self, at: usize, stops: bool) {
        let line = self.line(at);
        self.is_asked = true;
        if stops {
            self.stop = self.stop.or(Some(line));
            self.unsure = self.unsure.or(Some(line));
        }
    }

    /// A player speaks: all of the message is a move, or each of its lines is read alone.
    fn player(&mut self, seat: Seat, message: &Message) {
        if message.parts.len() > 1 && self.stop.is_none() {
            for between in [" ", " | "] {
                let words: Vec<&str> = message.parts.iter().map(|(_, words)| words.as_str()).collect();
                if let (Typed::Answer(answer), Some((first, _))) =
                    (self.builder.read(seat, &words.join(between)), message.parts.first())
                {
                    let line = self.line(*first);
                    message.parts.iter().skip(1).for_each(|(at, _)| self.take(*at, Taken::With(line)));
                    return self.play(*first, seat, answer, &[]);
                }
            }
        }
        for (at, words) in &message.parts {
            match round_numbers::read(words, self.short) {
                Some(named) if !self.heading(*at, named.number, named.rest.is_empty()) => {}
                Some(named) if named.rest.is_empty() => {}
                Some(named) => self.player_line(seat, *at, named.rest),
                None => self.player_line(seat, *at, words),
            }
        }
    }

    fn player_line(&mut self, seat: Seat, at: usize, words: &str) {
        if self.stop.is_some() {
            return;
        }
        match self.builder.read(seat, words) {
            Typed::Answer(answer) if answer.joint && self.told > 1 => {
                // The host tells the moves of this match: what the players say themselves is compared with that.
                self.said[seat] = Some(Sent { text: answer.text, line: self.line(at) });
                self.take(at, Taken::Passed);
            }
            Typed::Answer(answer) => self.play(at, seat, answer, &[]),
            Typed::Several(moves) => {
                let name = self.builder.names()[seat].to_owned();
                let Some(row) = self.row(at) else { return };
                ask_which(row, &name, seat, &moves, &[]);
                self.asked(at, true);
            }
            Typed::Refused(_) if !self.builder.game.may_be_in(words) => self.talk(at, words),
            Typed::Refused(why) => self.doubt(at, seat, words, &why, &[]),
        }
    }

    /// Something that may be a move and does not read: a question where one is awaited, and marked where none is.
    fn doubt(&mut self, at: usize, seat: Seat, words: &str, why: &Refusal, beside: &[String]) {
        let awaited = self.builder.is_asked(seat.into()) && self.builder.waiting(seat).is_none();
        if !awaited || (self.unsure.is_some() && why.rule.is_some()) {
            self.take(at, Taken::Passed);
            let stops = why.rule.is_some();
            if stops && self.unsure.is_some() {
                self.stop = self.unsure;
            }
            return;
        }
        if let Some(row) = self.rows.get_mut(at).filter(|row| row.wrong.is_none()) {
            ask_move(row, &self.builder, seat, words, why, beside);
            // Without numbers nobody knows to which round belongs what follows.
            self.asked(at, !self.is_numbered || !self.builder.is_joint());
        }
    }

    fn talk(&mut self, at: usize, words: &str) {
        let marked = self.builder.game.may_be_in(words);
        self.take(at, if marked { Taken::Passed } else { Taken::LeftOut });
    }

    /// A move of a seat. Where the line says more than one, it is taken apart before; `beside` are its lines before this move.
    fn play(&mut self, at: usize, seat: Seat, answer: Answer, beside: &[String]) {
        let line = self.line(at);
        if let Some(first) = self.builder.waiting(seat).cloned().filter(|_| answer.joint) {
            self.second(at, seat, &answer, &first);
            return;
        }
        if answer.joint && self.is_headed && self.head.is_some() && self.head.map(|head| head + 1) == self.builder.round() {
            // The round of the last heading is over, and nobody began another.
            let last = self.builder.steps().last().and_then(|step| step.sent[seat].clone());
            let same = last.is_some_and(|sent| sent.text == answer.text);
            if same {
                return self.take(at, Taken::LeftOut);
            }
            let (lines, head) = (self.lines_of_last(), self.head.unwrap_or_default());
            if let Some(row) = self.row(at) {
                ask_repeated(row, head, &lines);
                self.asked(at, false);
            }
            return;
        }
        match self.builder.answer(seat, answer, line) {
            Ok(played) => self.played(at, played),
            Err(why) => self.doubt(at, seat, "", &why, beside),
        }
    }

    fn played(&mut self, at: usize, played: Played) {
        let standing = if self.unsure.is_some() { String::new() } else { self.builder.standing() };
        let Some(row) = self.rows.get_mut(at) else { return };
        let (taken, words) = match played {
            Played::Half(words) => (Taken::Half, words),
            Played::Step(text) => (Taken::Step, text),
        };
        if row.wrong.is_none() || taken == Taken::Step {
            row.taken = taken;
        }
        row.words = words;
        if taken == Taken::Step {
            row.standing = standing;
            self.is_asked = false;
            self.said = BySeat::default();
        }
    }

    /// A second move of a seat before anything of the other.
    fn second(&mut self, at: usize, seat: Seat, answer: &Answer, first: &Sent) {
        if first.text == answer.text {
            let words = format!("Said on line {}", first.line);
            if let Some(row) = self.row(at).filter(|row| row.line != first.line) {
                (row.taken, row.words) = (Taken::LeftOut, words);
                return;
            }
        }
        let source = self.source(first.line);
        let names = self.builder.names().map(str::to_owned);
        let Some(row) = self.row(at) else { return };
        ask_second(row, first, &source, seat, &answer.text, names.as_ref().map(String::as_str));
        self.asked(at, true);
    }

    /// A number of a round. False if the line is not read.
    fn heading(&mut self, at: usize, number: u32, alone: bool) -> bool {
        let coming = self.builder.round();
        let counted = coming.filter(|_| !self.builder.duel().outcome().is_over());
        self.take(at, if alone { Taken::Heading } else { Taken::Later });
        let Some(coming) = counted else { return !alone && self.stop.is_none() };
        let (missing, names) = (self.builder.missing(), self.builder.names().map(str::to_owned));
        let (head, is_headed) = (self.head.replace(number), self.is_headed);
        self.is_headed = alone;
        if number == coming && self.stop.is_none() {
            return true;
        }
        if number < coming {
            // What was read is told again, or the results of the last round are announced.
            self.is_headed = is_headed && head == Some(number);
            return self.stop.is_none();
        }
        if number == coming || number > coming + GAP_MAX {
            // Behind a question its round begins anew.
            return number == coming && self.resume(at, number);
        }
        // The first round of a log that begins later counts from one all the same.
        let asks = !self.is_asked;
        if let Some(row) = self.rows.get_mut(at).filter(|row| asks && row.wrong.is_none()) {
            match missing.filter(|_| number == coming + 1) {
                Some((seat, _)) => ask_missing(row, seat, names.as_ref().map(String::as_str), Some(coming)),
                None => ask_round_missing(row, coming, number),
            }
        }
        self.asked(at, true);
        self.resume(at, number)
    }

    /// Goes on with the round of this number behind a question. False if it cannot.
    fn resume(&mut self, at: usize, number: u32) -> bool {
        let line = self.line(at);
        let resumed = self.builder.skip_to(number, line);
        if resumed {
            (self.stop, self.is_asked) = (None, false);
        }
        resumed
    }

    /// The host speaks, or somebody whose name nobody wrote.
    fn host(&mut self, message: &Message) {
        for (at, words) in &message.parts {
            self.host_line(*at, words, message);
        }
    }

    fn host_line(&mut self, at: usize, words: &str, message: &Message) {
        if words.to_lowercase().starts_with("result ") && (message.is_own || self.stop.is_none()) {
            return self.decide(at, words);
        }
        let named = round_numbers::read(words, self.short);
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
        self.untold(at, rest, message);
    }

    /// A line of the host that tells no move in full.
    fn untold(&mut self, at: usize, words: &str, message: &Message) {
        if let Some((name, behind)) = self.speakers.leading(words)
            && let Some(seat) = self.speakers.seat(name)
            && WINS.contains(&bare(behind).to_lowercase().as_str())
        {
            self.winner = Some((at, seat));
            return self.take(at, Taken::LeftOut);
        }
        let clauses = clauses(words, self.speakers);
        let doubted = clauses.iter().find(|clause| self.builder.game.may_be_in(clause.text));
        if let Some(clause) = doubted
            && self.builder.is_joint()
            && self.builder.is_asked(clause.seat.into())
            && self.builder.waiting(clause.seat).is_none()
        {
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
        self.talk(at, words);
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
        let drawn = [words.to_owned(), if named.is_empty() { cards(words) } else { pools }];
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
                typed => says_more.then_some((typed, behind)),
            }
        });
        Some(ended.unwrap_or((whole, "")))
    }

    /// Takes the moves that a line tells of the players. False if it does not tell a move of each player whom it names.
    fn tell(&mut self, at: usize, words: &str, number: Option<u32>) -> bool {
        let clauses = clauses(words, self.speakers);
        let mut seats: Vec<Seat> = clauses.iter().map(|clause| clause.seat).collect();
        seats.dedup();
        if clauses.is_empty() || seats.len() != clauses.len() {
            return false;
        }
        let past = self.told_again(number);
        let mut told: Vec<(Seat, Answer)> = Vec::new();
        let mut more = "";
        for clause in &clauses {
            match self.read_clause(clause.seat, clause.text) {
                Some((Typed::Answer(answer), behind)) => {
                    told.push((clause.seat, answer));
                    more = behind;
                }
                _ => return false,
            }
        }
        if let Some(round) = past {
            return self.compare(at, round, &told);
        }
        let said = |seat: Seat| self.builder.waiting(seat).or(self.said[seat].as_ref()).cloned();
        let other = told.iter().find_map(|(seat, answer)| Some((*seat, answer, said(*seat).filter(|said| said.text != answer.text)?)));
        if let Some((seat, answer, first)) = other {
            self.second(at, seat, &answer.clone(), &first);
            return true;
        }
        let is_both = told.len() == 2;
        let mut beside = vec![format!("# {}", self.rows.get(at).map_or("", |row| row.source.as_str()))];
        beside.extend(number.map(|number| format!("Round {number}")));
        let moves: Vec<String> = told.iter().map(|(seat, answer)| format!("{seat}: {}", answer.text)).collect();
        for (seat, answer) in told {
            if self.stop.is_none() && self.builder.waiting(seat).is_none_or(|said| said.text != answer.text) {
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

    /// The round of an earlier number, if what a line tells is of that.
    fn told_again(&self, number: Option<u32>) -> Option<u32> {
        let number = number.or(self.head)?;
        let coming = self.builder.round()?;
        (self.builder.duel().coming_round().is_some() && number < coming).then_some(number)
    }

    /// Compares moves that are told of an earlier round with those that were read.
    fn compare(&mut self, at: usize, round: u32, told: &[(Seat, Answer)]) -> bool {
        let Some(step) = self.builder.steps().iter().rfind(|step| step.round == Some(round)) else { return false };
        let same = told.iter().all(|(seat, answer)| step.sent[*seat].as_ref().is_some_and(|sent| sent.text == answer.text));
        let mut lines: Vec<usize> = step.sent.each().into_iter().filter_map(|(_, sent)| Some(sent.as_ref()?.line)).collect();
        lines.dedup();
        if same {
            let words = format!("Said on line {}", step.line);
            if let Some(row) = self.row(at) {
                (row.taken, row.words) = (Taken::LeftOut, words);
            }
            return true;
        }
        let lines: Vec<(usize, String)> = lines.into_iter().map(|line| (line, self.source(line))).collect();
        if let Some(row) = self.row(at) {
            ask_repeated(row, round, &lines);
            self.asked(at, false);
        }
        true
    }

    fn score(&mut self, at: usize, score: StatedScore) {
        self.score_of(at, score, &[]);
    }

    fn score_of(&mut self, at: usize, score: StatedScore, moves: &[String]) {
        self.take(at, Taken::LeftOut);
        let unsure = self.unsure.or(self.differs);
        if unsure.is_none() && self.builder.steps().is_empty() {
            return;
        }
        let found = score.compare(self.builder.duel());
        let lines = if moves.is_empty() { self.lines_of_last() } else { Vec::new() };
        let Some(row) = self.rows.get_mut(at).filter(|row| row.wrong.is_none()) else { return };
        match (found, unsure) {
            (Ok(()), _) => {
                if row.words.is_empty() {
                    row.words = "Score: matches the moves".to_owned();
                }
                self.differs = None;
            }
            (Err(_), Some(line)) => {
                if row.words.is_empty() {
                    row.words = format!("Score: compared once line {line} is answered");
                }
            }
            (Err(why), None) => {
                ask_score(row, &why, moves, &lines);
                self.differs = Some(row.line);
            }
        }
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

    /// Somebody of whom nobody knows who it is: asked about where it may be a move.
    fn stranger(&mut self, message: &Message) {
        for (at, words) in &message.parts {
            let moves = |seat: Seat| !matches!(self.builder.read(seat, words), Typed::Refused(_));
            let sounds = self.stop.is_none() && Seat::BOTH.into_iter().any(moves);
            if !sounds {
                self.talk(*at, words);
                continue;
            }
            if !self.strangers.contains(&message.name) {
                self.strangers.push(message.name.clone());
            }
            let players = self.players.clone();
            if let Some(row) = self.row(*at) {
                ask_speaker(row, &message.name, words, players.as_ref().map(String::as_str));
                self.asked(*at, false);
            }
        }
    }
}

/// The cards that a text names: a letter with a number.
fn cards(text: &str) -> String {
    let card = |word: &&str| {
        (2..4).contains(&word.len()) && word.bytes().filter(u8::is_ascii_alphabetic).count() == 1 && !word.ends_with('d')
    };
    words(text).filter(card).collect::<Vec<_>>().join(" ")
}
