//! Messages become rounds. A round is a pair of moves, or what the host tells of both; the host's numbers say which round it is.
//! Where a number, a pair or a score does not fit, somebody is asked, and nothing is guessed across the gap: behind it only what
//! has a number of its own is read.

use engine::{BySeat, Refusal, Seat};

use super::match_builder::{BuiltStep, MatchBuilder, Played, Sent};
use super::preview::{Row, Taken};
use super::questions::{
    BLANK, ask_before, ask_missing, ask_move, ask_repeated, ask_round_missing, ask_score, ask_second, ask_told,
};
use super::speakers::Speakers;
use super::stated_score::StatedScore;
use super::typed_move::{Answer, Typed};

/// More rounds than this between two numbers are no gap, but another count.
const GAP_MAX: u32 = 30;

/// The reading of a chat, message by message.
pub(crate) struct Rounds<'r> {
    pub(crate) builder: MatchBuilder,
    pub(crate) rows: &'r mut [Row],
    pub(crate) speakers: &'r Speakers,
    /// True if `R3` may be a round.
    pub(crate) short: bool,
    /// Players whose names are not known are empty.
    pub(crate) players: BySeat<String>,
    /// The round that the last number named.
    pub(crate) head: Option<u32>,
    /// True if the number stood alone, above the moves.
    pub(crate) is_headed: bool,
    /// True if the host numbers the rounds.
    pub(crate) is_numbered: bool,
    /// Rounds whose moves the host told, and what the players said of the next one themselves.
    pub(crate) told: usize,
    pub(crate) said: BySeat<Option<Sent>>,
    /// The line of the question behind which nothing is read but what has a number.
    pub(crate) stop: Option<usize>,
    /// The line of the question that may change all that is read behind it.
    pub(crate) unsure: Option<usize>,
    /// True if a question since the last step is about a move of its round.
    pub(crate) is_asked: bool,
    /// The line of a score that does not fit.
    pub(crate) differs: Option<usize>,
    /// What a line says behind a seat's first answer, for the question that comes then, and its row.
    pub(crate) rests: BySeat<Option<(usize, String)>>,
    /// Cards that were drawn for one player, while the other's are awaited.
    pub(crate) pools: BySeat<String>,
    /// Who won, as somebody says, and on which row.
    pub(crate) winner: Option<(usize, Seat, Option<StatedScore>)>,
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
        let (told, said, rests, pools) = (0, BySeat::default(), BySeat::default(), BySeat::default());
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
            rests,
            pools,
            winner,
            strangers,
        }
    }

    pub(crate) fn row(&mut self, at: usize) -> Option<&mut Row> {
        self.rows.get_mut(at).filter(|row| row.wrong.is_none())
    }

    pub(crate) fn line(&self, at: usize) -> usize {
        self.rows.get(at).map_or(0, |row| row.line)
    }

    pub(crate) fn take(&mut self, at: usize, taken: Taken) {
        if let Some(row) = self.row(at).filter(|row| !matches!(row.taken, Taken::Step | Taken::Half)) {
            row.taken = taken;
        }
    }

    /// The lines that said the steps of a round, with their source; without its number those of the last step.
    pub(crate) fn lines_of(&self, round: Option<u32>) -> Vec<(usize, String)> {
        let steps = self.builder.steps();
        let last = steps.len().saturating_sub(1);
        let of_round = steps.iter().enumerate().filter(|(at, step)| round.map_or(*at == last, |_| step.round == round));
        let sent = of_round.flat_map(|(_, step)| step.sent.each());
        let waiting = Seat::BOTH.into_iter().filter_map(|seat| self.builder.waiting(seat));
        let waiting = waiting.filter(|_| round.is_some() && round == self.builder.round());
        let sent = sent.filter_map(|(_, sent)| sent.as_ref()).chain(waiting);
        let mut lines: Vec<usize> = sent.map(|sent| sent.line).collect();
        lines.sort_unstable();
        lines.dedup();
        lines.into_iter().map(|line| (line, self.source(line))).collect()
    }

    pub(crate) fn source(&self, line: usize) -> String {
        let at = self.rows.binary_search_by_key(&line, |row| row.line);
        at.ok().and_then(|at| self.rows.get(at)).map_or_else(String::new, |row| row.source.clone())
    }

    /// Says that a question was asked on a row: of the round that comes, or so that nothing behind it can be read.
    pub(crate) fn asked(&mut self, at: usize, stops: bool) {
        let line = self.line(at);
        self.is_asked = true;
        if stops {
            self.stop = self.stop.or(Some(line));
            self.unsure = self.unsure.or(Some(line));
        }
    }

    /// What is asked there can be written before a line.
    fn offer_missing(&mut self, at: usize) {
        let label = if self.builder.is_joint() { "A round is missing here" } else { "A move is missing here" };
        let number = self.builder.round().filter(|_| self.is_numbered).map(|round| format!("Round {round}"));
        let blanks = self.builder.awaited().into_iter().map(|party| format!("{party}: {BLANK}"));
        let Some(row) = self.rows.get_mut(at) else { return };
        row.offer(label, number.into_iter().chain(blanks).chain([row.source.clone()]).collect());
    }

    /// Something that may be a move and does not read: a question where one is awaited, and marked where none is.
    pub(crate) fn doubt(&mut self, at: usize, seat: Seat, words: &str, why: &Refusal, beside: &[String]) {
        if let Some(first) = self.builder.waiting(seat).cloned() {
            return self.second(at, seat, words, &first);
        }
        if !self.builder.is_asked(seat.into()) || (self.is_headed && self.is_over(self.head)) {
            self.take(at, Taken::Passed);
            return self.insist(at, seat, words);
        }
        if let Some(row) = self.rows.get_mut(at).filter(|row| row.wrong.is_none()) {
            ask_move(row, &self.builder, seat, words, why, beside);
            self.offer_missing(at);
            // Without numbers nobody knows to which round belongs what follows.
            self.asked(at, !self.is_numbered || !self.builder.is_joint());
        }
    }

    /// A move of a seat that is not asked: what comes before it may be missing.
    fn insist(&mut self, at: usize, seat: Seat, words: &str) {
        let awaited = self.builder.awaited();
        let says_move = words.len() > 2 && self.builder.game.is_all_of(words);
        if says_move && !awaited.is_empty() && !awaited.contains(&seat.into()) {
            let builder = self.builder.clone();
            let Some(row) = self.row(at) else { return };
            ask_before(row, &builder);
            self.offer_missing(at);
            self.asked(at, true);
        }
    }

    /// True if the round of this number is over, and no other has begun.
    pub(crate) fn is_over(&self, head: Option<u32>) -> bool {
        head.is_some() && head.map(|head| head + 1) == self.builder.round()
    }

    pub(crate) fn talk(&mut self, at: usize, words: &str) {
        let marked = self.builder.game.may_be_in(words);
        let states = self.rows.get(at).is_some_and(|row| row.words.contains(": "));
        self.take(
            at,
            if states {
                Taken::Fact
            } else if marked {
                Taken::Passed
            } else {
                Taken::LeftOut
            },
        );
    }

    /// A move of a seat. Where the line says more than one, it is taken apart before; `beside` are its lines before this move.
    pub(crate) fn play(&mut self, at: usize, seat: Seat, answer: Answer, beside: &[String]) {
        let line = self.line(at);
        if let Some(first) = self.builder.waiting(seat).cloned().filter(|_| answer.joint) {
            self.second(at, seat, &answer.text, &first);
            return;
        }
        let past = self.head.filter(|head| self.is_headed && self.builder.round().is_some_and(|coming| *head < coming));
        if let Some(head) = past.filter(|_| answer.joint) {
            // The round of the last heading is over, and nobody began another.
            self.compare(at, head, &[(seat, answer)]);
            return;
        }
        match self.builder.answer(seat, answer, line) {
            Ok(played) => self.played(at, played),
            Err(why) => self.doubt(at, seat, "", &why, beside),
        }
    }

    pub(crate) fn played(&mut self, at: usize, played: Played) {
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
            self.play_rests();
        }
    }

    /// What lines say behind their first answers, once the next question is asked.
    fn play_rests(&mut self) {
        for (seat, rest) in std::mem::take(&mut self.rests).each() {
            let Some((at, words)) = rest else { continue };
            match self.builder.read(seat, words) {
                Typed::Answer(answer) => self.play(*at, seat, answer, &[]),
                Typed::Refused(why) => self.doubt(*at, seat, words, &why, &[]),
                Typed::Several(_) => {}
            }
        }
    }

    /// A second move of a seat before anything of the other.
    pub(crate) fn second(&mut self, at: usize, seat: Seat, text: &str, first: &Sent) {
        if first.text == text {
            let words = format!("Said on line {}", first.line);
            if let Some(row) = self.row(at).filter(|row| row.line != first.line) {
                (row.taken, row.words) = (Taken::LeftOut, words);
                return;
            }
        }
        let source = self.source(first.line);
        let Some(row) = self.rows.get_mut(at).filter(|row| row.wrong.is_none()) else { return };
        ask_second(row, &self.builder, first, &source, seat, text);
        self.offer_missing(at);
        self.asked(at, true);
    }

    /// A number of a round. False if the line is not read.
    pub(crate) fn heading(&mut self, at: usize, number: u32, alone: bool) -> bool {
        let coming = self.builder.round();
        let counted = coming.filter(|_| !self.builder.duel().outcome().is_over());
        self.take(at, if alone { Taken::Heading } else { Taken::Later });
        let Some(coming) = counted else {
            self.ask_over(at, number);
            return !alone && self.stop.is_none();
        };
        let (missing, names) = (self.builder.missing(), self.builder.names().map(str::to_owned));
        let (head, is_headed) = (self.head.replace(number), self.is_headed);
        self.is_headed = alone;
        if number == coming && self.stop.is_none() {
            return true;
        }
        if number < coming {
            // What was read is told again, or the results of the last round are announced.
            self.is_headed = (is_headed && head == Some(number)) || number + 1 < coming;
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
            self.offer_missing(at);
        }
        self.asked(at, true);
        self.resume(at, number)
    }

    /// A later round behind the end: what was put in the place of a round that is missing may have ended the match.
    fn ask_over(&mut self, at: usize, number: u32) {
        let is_later = self.head.is_some_and(|head| number > head) && self.builder.duel().outcome().is_over();
        let Some(line) = self.unsure.filter(|_| is_later) else { return };
        if let Some(row) = self.row(at) {
            row.refuse(&format!("the match was over above, unless line {line} is answered otherwise"));
            row.offer_ignore();
            self.asked(at, true);
        }
    }

    /// Goes on with the round of this number behind a question. False if it cannot.
    pub(crate) fn resume(&mut self, at: usize, number: u32) -> bool {
        let line = self.line(at);
        let resumed = self.builder.skip_to(number, line);
        if resumed {
            (self.stop, self.is_asked) = (None, false);
            (self.said, self.rests) = (BySeat::default(), BySeat::default());
        }
        resumed
    }

    /// Compares moves that are told of an earlier round with those that were read.
    pub(crate) fn compare(&mut self, at: usize, round: u32, told: &[(Seat, Answer)]) -> bool {
        let said = |step: &&BuiltStep| {
            told.iter().all(|(seat, answer)| step.sent[*seat].as_ref().is_some_and(|sent| sent.text == answer.text))
        };
        let of_round = || self.builder.steps().iter().filter(|step| step.round == Some(round));
        let Some(step) = of_round().find(said).or_else(|| of_round().next_back()) else { return false };
        let lines = self.lines_of(Some(round));
        if said(&step) {
            let words = format!("Said on line {}", step.line);
            if let Some(row) = self.row(at).filter(|row| row.taken == Taken::Later) {
                (row.taken, row.words) = (Taken::LeftOut, words);
            }
            return true;
        }
        let differ: Vec<_> = told
            .iter()
            .filter(|(seat, answer)| step.sent[*seat].as_ref().is_some_and(|sent| sent.text != answer.text))
            .collect();
        if let ([(seat, answer)], true) = (differ.as_slice(), lines.len() > 1)
            && let Some(first) = step.sent[*seat].clone()
        {
            let (source, name) = (self.source(first.line), self.builder.names()[*seat].to_owned());
            if let Some(row) = self.row(at) {
                ask_told(row, &name, &first, &source, &answer.text);
                self.asked(at, false);
            }
            return true;
        }
        if let Some(row) = self.row(at) {
            ask_repeated(row, round, &lines);
            self.asked(at, false);
        }
        true
    }

    pub(crate) fn score(&mut self, at: usize, score: StatedScore) {
        self.score_of(at, score, &[]);
    }

    pub(crate) fn score_of(&mut self, at: usize, score: StatedScore, moves: &[String]) {
        self.take(at, Taken::LeftOut);
        let unsure = self.unsure.or(self.differs);
        if unsure.is_none() && self.builder.steps().is_empty() {
            return;
        }
        let found = score.compare(self.builder.duel());
        let lines = if moves.is_empty() { self.lines_of(None) } else { Vec::new() };
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
                if moves.is_empty() {
                    self.offer_missing(at);
                }
            }
        }
    }
}
