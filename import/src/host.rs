//! What the host says, or somebody of whom nobody knows: draws, moves of the players, scores, decisions.

use engine::{Party, name_seats};

use super::fix::Fix;
use super::message::Message;
use super::naming;
use super::reader::{Reader, sentences};
use super::row::Taken;
use super::score::Score;

impl Reader<'_> {
    /// The host, or somebody of whom nobody knows, speaks.
    pub(super) fn report(&mut self, message: &Message) {
        let mut draws = std::mem::take(&mut self.draws);
        let drawing = self.hearing.is_asked(Party::Host) && !draws.is_empty();
        if !drawing {
            draws.drain(..).for_each(|(at, _)| self.is_no_draw(at));
        }
        self.draws = draws;
        let parts = match self.asked_seat() {
            Some(seat) => self.takes_groups(seat, &message.parts, true),
            None => message.parts.clone(),
        };
        for (at, words) in &parts {
            let taken = self.rows.get(*at).is_some_and(|row| matches!(row.taken, Taken::Step | Taken::With(_)));
            if !taken && !self.boards.iter().any(|(rows, _)| rows.contains(at)) {
                self.report_line(*at, words);
            }
        }
    }

    fn report_line(&mut self, at: usize, words: &str) {
        if words.to_lowercase().starts_with("result ") {
            self.decides(at, words);
            return;
        }
        // What says by which rules or who played says no move.
        if self.rows.get(at).is_some_and(|row| row.taken == Taken::Later && row.words.contains(": ")) {
            return;
        }
        if self.hearing.is_asked(Party::Host) && self.draws_from(at, words) {
            return;
        }
        if naming::is_replay(words) && self.is_replayed(at, words) {
            return;
        }
        // "1. B score  W grow  = 1-0"
        let scored =
            words.rsplit_once(" = ").and_then(|(said, score)| Some((said, Score::read(score, &self.speakers)?)));
        if let Some((said, score)) = scored
            && self.tells(at, said, false)
        {
            self.compares(at, score);
            return;
        }
        // A score in a sentence of its own is no move of whoever is named there.
        let scores: Vec<&str> = sentences(words).filter(|said| Score::read(said, &self.speakers).is_some()).collect();
        let rest = scores.iter().fold(words.to_owned(), |rest, score| rest.replace(score, " "));
        let told = rest.chars().any(char::is_alphanumeric) && self.tells(at, rest.trim(), false);
        let noted = scores.iter().filter(|score| self.notes(at, score)).count() > 0;
        if told || noted || self.notes(at, words) {
            return;
        }
        if self.is_of_somebody(at, words) {
            return;
        }
        if self.hearing.is_of_the_game(words) {
            self.remark(None, at, words);
        }
    }

    /// A decision of the umpire.
    fn decides(&mut self, at: usize, words: &str) {
        match self.hearing.play(&format!("umpire: {words}")) {
            Ok(heard) => self.heard(&[at], heard),
            Err(why) => {
                let expected = name_seats(&why.expected, self.hearing.names());
                let Some(row) = self.row(at) else { return };
                row.refuse(&expected);
                let source = row.source.clone();
                let reason = words.get("result ".len()..).unwrap_or_default().trim();
                let decided = |verdict: &str| {
                    let now = format!("umpire: result {verdict} {reason}");
                    Fix::line(now.clone(), row.line, &source, vec![now])
                };
                let fixes = ["p1", "p2", "undecided", "void"].map(decided);
                row.fixes = fixes.into();
                row.fixes.push(Fix::ignore(row.line, &row.source.clone()));
            }
        }
    }
}
