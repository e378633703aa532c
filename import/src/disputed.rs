//! What is told of a player and is not what that player said, or said as well: either may be right, and somebody is asked.

use engine::{BySeat, Duel, Seat};

use super::clause::players_named;
use super::fix::{Change, Fix};
use super::hearing::Hearing;
use super::message::Message;
use super::past::{Past, Sent};
use super::reader::Reader;
use super::report::Moves;
use super::row::{Row, Taken};
use super::sense;

/// Words with which a move is taken back.
const BACK: [&str; 5] = ["takes back", "took back", "taken back", "retracts", "withdraws"];

impl Reader<'_> {
    /// What is told is not what was sent: either may be right. `keep` is what the line says beside it, and `new` what it says
    /// where it is of another step.
    pub(super) fn contradicts(
        &mut self,
        at: usize,
        sent: &BySeat<Option<Sent>>,
        moves: &Moves,
        keep: Option<Vec<String>>,
        new: Option<Vec<String>>,
    ) {
        let differs = |seat: &Seat| {
            moves[*seat].is_some() && sent[*seat].as_ref().is_some_and(|sent| moves[*seat].as_ref() != Some(&sent.text))
        };
        let seats: Vec<Seat> = Seat::BOTH.into_iter().filter(differs).collect();
        let mut differing = Vec::new();
        for seat in &seats {
            let (Some(told), Some(sent)) = (&moves[*seat], &sent[*seat]) else { continue };
            let name = self.hearing.names()[*seat];
            differing.push(format!(
                "{name} sent \u{201c}{told}\u{201d}, and line {} says \u{201c}{}\u{201d}",
                sent.line, sent.text
            ));
        }
        let mut why = format!("this tells that {}", differing.join("; "));
        if new.is_some() {
            why.push_str(": is one of them wrong, or is this told of the next step?");
        }
        let mut taken = sent.clone();
        for seat in &seats {
            if let (Some(sent), Some(told)) = (&mut taken[*seat], &moves[*seat]) {
                sent.text.clone_from(told);
            }
        }
        let lines: Vec<usize> = seats.iter().filter_map(|seat| Some(sent[*seat].as_ref()?.line)).collect();
        // A line that tells all of its step stays, and what says otherwise goes.
        let changes = if keep.is_some() { self.left_out(&lines) } else { self.rewritten(sent, &taken, &lines) };
        let Some(row) = self.row(at) else { return };
        row.refuse(&why);
        let right = match lines.as_slice() {
            [one, other] if one != other => format!("Lines {one} and {other} are right"),
            _ => format!("Line {} is right", lines.first().copied().unwrap_or_default()),
        };
        let keep = keep.filter(|lines| !lines.is_empty()).unwrap_or_else(|| vec![format!("# {}", row.source)]);
        row.offer(right, keep);
        row.fixes.push(Fix::lines("This line is right", changes));
        if let Some(new) = new {
            row.offer("This describes the next step", new);
        }
    }

    /// Somebody tells that a player takes a move back: it is asked, and until then the move counts. In some games cards are
    /// laid to the back.
    pub(super) fn takes_back(&mut self, at: usize, words: &str) -> bool {
        let lower = words.to_lowercase();
        let taken = BACK.iter().any(|back| lower.contains(back)) && !self.hearing.is_game_word("back");
        let named = players_named(words, &self.speakers);
        let [seat] = named.as_slice() else { return false };
        let sent = self.hearing.waiting(*seat).or_else(|| self.hearing.last_move(*seat)).cloned();
        let Some(sent) = sent.filter(|_| taken && !words.contains('?')) else { return false };
        let (name, mut changes) = (self.hearing.names()[*seat].to_owned(), self.left_out(&[sent.line]));
        let Some(row) = self.row(at) else { return false };
        row.refuse(&format!(
            "does {name} take back the move \u{201c}{}\u{201d} of line {} here?",
            sent.text, sent.line
        ));
        let gone = vec![format!("# {}", row.source)];
        changes.push(Change { at: row.line, was: row.source.clone(), now: gone.clone() });
        row.fixes = vec![Fix::lines(format!("Line {} counts no more", sent.line), changes)];
        row.offer(format!("Line {} counts as it is", sent.line), gone);
        true
    }

    /// A player says that a move was meant otherwise: it is asked which one counts, and until then the first does.
    pub(super) fn corrects(&mut self, seat: Seat, at: usize, words: &str) {
        let name = self.hearing.names()[seat].to_owned();
        let last = self
            .hearing
            .past()
            .last()
            .and_then(|past| past.sent[seat].clone().map(|sent| (past.before().clone(), sent)));
        let waiting = self.hearing.waiting(seat).cloned().map(|sent| (self.hearing.duel().clone(), sent));
        let Some((before, sent)) = waiting.or(last) else {
            let why = super::hearing::refusal("", &format!("is this a move of {name}?"));
            self.doubt(seat, at, words, &why);
            return;
        };
        let meant = corrected(&self.hearing, &before, seat, &sent.text, words);
        let likeliest = match meant.as_slice() {
            [one] if self.hearing.waiting(seat).is_none() => Some(one.clone()),
            _ => None,
        };
        let changes: Vec<(String, Vec<Change>)> = meant
            .into_iter()
            .map(|meant| {
                let mut taken = BySeat::default();
                taken[seat] = Some(Sent { text: meant.clone(), ..sent.clone() });
                let mut was = BySeat::default();
                was[seat] = Some(sent.clone());
                let mut changes = self.rewritten(&was, &taken, &[sent.line]);
                changes.extend(self.rows.get(at).map(|row| Change {
                    at: row.line,
                    was: row.source.clone(),
                    now: vec![format!("# {}", row.source)],
                }));
                (format!("{name} changed it to {meant}"), changes)
            })
            .collect();
        let Some(row) = self.row(at) else { return };
        row.refuse(&format!("does {name} change the move \u{201c}{}\u{201d} of line {} here?", sent.text, sent.line));
        row.fixes = changes.into_iter().map(|(label, changes)| Fix::lines(label, changes)).collect();
        row.offer(format!("Line {} counts as it is", sent.line), vec![format!("# {}", row.source)]);
        // Until that is said, the game goes on with what was meant, where nothing came between.
        let line = row.line;
        if let Some(meant) = likeliest
            && self.hearing.take_back(seat).is_some()
        {
            let _ = self.hearing.seat(seat, &meant, line).or_else(|_| self.hearing.seat(seat, &sent.text, line));
        }
    }

    /// Asks about a move that was told of the last round before its player said the same, where players have said nothing yet.
    pub(super) fn is_told_already(&mut self, seat: Seat, message: &Message) -> bool {
        let own = |past: &Past| past.sent.each().iter().any(|(_, sent)| sent.as_ref().is_some_and(|sent| !sent.told));
        let Some(coming) = self.hearing.duel().coming_round().filter(|coming| *coming != self.rounds.announced) else {
            return false;
        };
        let joined = message.parts.iter().map(|(_, words)| words.as_str()).collect::<Vec<_>>().join(" ");
        if self.hearing.waiting(seat).is_some()
            || self.hearing.past().iter().any(own)
            || !self.hearing.said_before(seat, &joined)
        {
            return false;
        }
        let name = self.hearing.names()[seat].to_owned();
        let (told, played) = (self.hearing.last_move(seat).map_or(0, |sent| sent.line), coming.saturating_sub(1));
        let rows = message.parts.iter().filter_map(|(at, _)| self.rows.get(*at));
        let leave_out =
            |row: &Row| Change { at: row.line, was: row.source.clone(), now: vec![format!("# {}", row.source)] };
        let leave_out: Vec<Change> = rows.map(leave_out).collect();
        let Some(row) = message.parts.first().and_then(|(at, _)| self.rows.get_mut(*at)) else { return false };
        row.refuse(&format!(
            "line {told} tells this of {name} in round {played}: is it that, or {name}’s move for round {coming}?"
        ));
        row.fixes.push(Fix::lines(format!("It is round {played}: leave it out"), leave_out));
        row.offer(format!("It is for round {coming}"), vec![format!("Round {coming}"), row.source.clone()]);
        true
    }

    /// What a player says where the moves of the last round may be told once more; false where it is nothing of the kind.
    pub(super) fn again(&mut self, seat: Seat, at: usize, words: &str) -> bool {
        let Some(coming) = self.hearing.duel().coming_round() else { return false };
        let (same, reads) = (self.hearing.said_before(seat, words), self.hearing.reads(seat, words));
        if !same && !reads {
            return false;
        }
        self.rounds.again[seat] = false;
        let played = coming.saturating_sub(1);
        let before = self.hearing.last_move(seat).map_or("-", |sent| sent.text.as_str()).to_owned();
        let (name, results) = (self.hearing.names()[seat].to_owned(), self.rounds.results);
        let Some(row) = self.row(at) else { return true };
        // Under announced results the same moves are those; elsewhere somebody may have made them once more.
        if same && (results || !reads) {
            (row.taken, row.words) = (Taken::LeftOut, format!("Round {played}, told again"));
            return true;
        }
        row.refuse(&if same {
            format!("is this round {played}, told again, or {name}’s move for round {coming}?")
        } else {
            format!("{name} sent \u{201c}{before}\u{201d} in round {played}, and this says something else: is it for round {coming}?")
        });
        row.offer(format!("It is for round {coming}"), vec![format!("Round {coming}"), row.source.clone()]);
        row.offer(format!("It is round {played}, told again: leave it out"), vec![format!("# {}", row.source)]);
        true
    }

    /// These lines, and those that go with them, left out but for the round that they name.
    fn left_out(&self, lines: &[usize]) -> Vec<Change> {
        let goes = |row: &&Row| match row.taken {
            Taken::With(line) => lines.contains(&line),
            _ => lines.contains(&row.line),
        };
        let change = |row: &Row| {
            let head = self.rounds.headed.get(&row.line).map(|round| format!("Round {round}"));
            let now = head.into_iter().chain([format!("# {}", row.source)]).collect();
            Change { at: row.line, was: row.source.clone(), now }
        };
        self.rows.iter().filter(goes).map(change).collect()
    }

    /// The lines that said some moves, changed to say these, and what else was taken of them.
    fn rewritten(&self, was: &BySeat<Option<Sent>>, now: &BySeat<Option<Sent>>, lines: &[usize]) -> Vec<Change> {
        let waiting = BySeat::from_fn(|seat| self.hearing.waiting(seat).cloned());
        let mut said: Vec<_> = self.hearing.past().iter().map(|past| past.sent.clone()).chain([waiting]).collect();
        let is = |sent: &BySeat<Option<Sent>>, seat: Seat| now[seat].is_some() && sent[seat] == was[seat];
        if let Some(sent) = said.iter_mut().rfind(|sent| Seat::BOTH.into_iter().any(|seat| is(sent, seat))) {
            for seat in Seat::BOTH.into_iter().filter(|seat| is(sent, *seat)).collect::<Vec<_>>() {
                sent[seat].clone_from(&now[seat]);
            }
        }
        let mut changes: Vec<Change> = Vec::new();
        for line in lines.iter().filter(|line| !changes.iter().any(|change| change.at == **line)).collect::<Vec<_>>() {
            if changes.iter().any(|change| change.at == *line) {
                continue;
            }
            for row in self.rows.iter() {
                let with = row.taken == Taken::With(*line);
                if !with && row.line != *line {
                    continue;
                }
                let mut now = Vec::new();
                if with {
                    now.push(format!("# {}", row.source));
                } else {
                    now.extend(self.rounds.headed.get(line).map(|round| format!("Round {round}")));
                    for sent in &said {
                        let here = |seat: Seat| sent[seat].as_ref().filter(|sent| sent.line == *line);
                        now.extend(self.lines_of(&BySeat::from_fn(|seat| here(seat).map(|sent| sent.text.clone()))));
                    }
                }
                changes.push(Change { at: row.line, was: row.source.clone(), now });
            }
        }
        changes
    }
}

/// What a move may be changed to: what is said now alone, or in the place of one of its words.
fn corrected(hearing: &Hearing, before: &Duel, seat: Seat, sent: &str, words: &str) -> Vec<String> {
    let lower = words.to_lowercase();
    let said: Vec<&str> = lower
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| sense::is_of_the_game(hearing, word))
        .collect();
    let said = said.join(" ");
    let parts: Vec<&str> = sent.split(' ').collect();
    let replaced = (0..parts.len()).filter(|_| parts.len() > 1).map(|at| {
        let with = |(n, part): (usize, &&str)| if n == at { said.clone() } else { (*part).to_owned() };
        parts.iter().enumerate().map(with).collect::<Vec<_>>().join(" ")
    });
    let mut meant: Vec<String> = Vec::new();
    for text in [words.to_owned(), said.clone()].into_iter().chain(replaced) {
        let read = hearing.answer(before, seat, &text).filter(|read| read != sent && !meant.contains(read));
        meant.extend(read);
    }
    meant.truncate(4);
    meant
}

#[cfg(test)]
mod tests {
    use crate::{Facts, Form, Speakers, read};

    /// The steps that come of a text once these buttons were pressed, one after the other.
    fn pressed(text: &str, labels: &[&str]) -> Vec<String> {
        let mut given = Facts { ruleset: "five-card-trick/dm-colosseum-2".into(), ..Facts::default() };
        (given.names.p1, given.names.p2) = ("Black".into(), "White".into());
        let mut text = format!("{text}\numpire: result p1 it ends here\n");
        for label in labels {
            let reading = read(&text, Form::Chat, &given, &Speakers::everywhere());
            let fixes: Vec<_> = reading.rows.into_iter().flat_map(|row| row.fixes).collect();
            let fix = fixes.iter().find(|fix| fix.label == *label).unwrap_or_else(|| panic!("{label}: {fixes:#?}"));
            text = fix.does.apply(&text).unwrap();
        }
        let reading = read(&text, Form::Chat, &given, &Speakers::everywhere());
        let wrong: Vec<_> = reading.rows.iter().filter(|row| row.wrong.is_some()).collect();
        let import = reading.import.unwrap_or_else(|| panic!("{text}{:?} {wrong:#?}", reading.problems));
        import.lines().iter().filter(|line| !line.starts_with("umpire")).cloned().collect()
    }

    #[test]
    fn either_of_two_that_contradict_can_be_right() {
        let past = "Round 1\nBlack — Today at 8:42 PM\nScore\nClaim\nWhite: Grow\nGM: Round 1 results: Black: Score, Grow / White: Grow";
        assert_eq!(pressed(past, &["Line 3 is right"]), ["1. score claim / grow"]);
        assert_eq!(pressed(past, &["This line is right"]), ["1. score grow / grow"]);
        let one_line = "Round 1: Black: Score / White: Grow\nGM: Round 1 results: Black: Score, Grow / White: Steal";
        assert_eq!(pressed(one_line, &["Line 1 is right"]), ["1. score / grow"]);
        assert_eq!(pressed(one_line, &["This line is right"]), ["1. score grow / steal"]);
        let half = "Black: Score, Claim\nGM: Black played Score, Grow. White played Grow.";
        assert_eq!(pressed(half, &["Line 1 is right"]), ["1. score claim / grow"]);
        assert_eq!(pressed(half, &["This line is right"]), ["1. score grow / grow"]);
    }

    #[test]
    fn what_is_told_without_a_round_may_be_of_the_next() {
        let text = "Black: Score, Claim\nWhite: Grow\nGM: Black played Score, Grow. White played Claim.";
        assert_eq!(pressed(text, &["Lines 1 and 2 are right"]), ["1. score claim / grow"]);
        assert_eq!(pressed(text, &["This line is right"]), ["1. score grow / claim"]);
        assert_eq!(
            pressed(text, &["This describes the next step"]),
            ["1. score claim / grow", "2. score grow / claim"]
        );
    }

    #[test]
    fn what_was_told_first_is_said_again_or_for_the_next_round() {
        let text = "GM: Round 1: Black played Score. White played Grow.\nBlack — Today at 8:42 PM\nsco\nWhite: Grow";
        let leave_out = "It is round 1: leave it out";
        assert_eq!(pressed(text, &[leave_out, leave_out]), ["1. score / grow"]);
        assert_eq!(pressed(text, &["It is for round 2"]), ["1. score / grow", "2. score / grow"]);
    }
}
