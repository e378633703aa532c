//! The cells of a table's row behind the moves: a score, or a note, which may say a move.

use super::clause::players_named;
use super::nearest::nearest;
use super::reader::Reader;

impl Reader<'_> {
    /// Takes such a cell. So many steps came before its row.
    pub(super) fn cell(&mut self, at: usize, words: &str, before: usize) {
        let noted = self.notes(at, words);
        self.states(at, "", words, before);
        let named = players_named(words, &self.speakers);
        if noted || named.is_empty() || !self.hearing.is_of_the_game(words) {
            return;
        }
        let seat = named.into_iter().find(|seat| self.hearing.is_asked((*seat).into()));
        let near = seat.map_or_else(Vec::new, |seat| nearest(self.hearing.duel(), seat.into(), words));
        let written = self.row_in_lines(at);
        let names = self.hearing.names().map(str::to_owned);
        let Some(row) = self.row(at).filter(|row| row.wrong.is_none()) else { return };
        row.asks(&format!("\u{201c}{words}\u{201d} in this row is not understood"));
        row.fixes.clear();
        for (seat, near) in seat.iter().flat_map(|seat| near.iter().map(move |near| (*seat, near))) {
            let more = format!("{}: {near}", names[seat]);
            row.offer(more.clone(), written.iter().cloned().chain([more]).collect());
        }
        row.offer("It says nothing more", written);
        // Below, the likeliest is taken for granted.
        if let Some((seat, near)) = seat.zip(near.first()).filter(|(seat, _)| self.is_alone(*seat)) {
            let line = self.line(at);
            let _ = self.hearing.told(seat, near, line);
        }
    }

    /// A row of a table as lines: its round and the moves that were read in it.
    fn row_in_lines(&self, at: usize) -> Vec<String> {
        let line = self.line(at);
        let is_here = |past: &&super::past::Past| {
            past.sent.each().iter().any(|(_, sent)| sent.as_ref().is_some_and(|sent| sent.line == line))
        };
        let past = self.hearing.past().last().filter(is_here);
        let moves = past.map(|past| past.sent.as_ref().map(|sent| sent.as_ref().map(|sent| sent.text.clone())));
        let source = self.rows.get(at).map(|row| format!("# {}", row.source));
        let head = self.rounds.headed.get(&line).map(|round| format!("Round {round}"));
        source.into_iter().chain(head).chain(self.lines_of(&moves.unwrap_or_default())).collect()
    }
}
