//! A move that is said to be the same as another: "same again", "ditto", "same as in round 3". Whoever answers another player
//! with "same" may mean either: that is asked.

use engine::Seat;

use super::naming::Named;
use super::past::Past;
use super::reader::{Reader, sentences};
use super::wording::is_in;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Same {
    /// The player's move before.
    Last,
    /// The player's move of that round.
    Of(u32),
    Others,
    /// It is not said.
    Bare,
}

/// Words around it that say nothing else.
const AROUND: &str = "i i'll i'm the a my move moves actions thing one please pls for me in do play plays played it is it's \
    that this just go with goes going once ok and";
const BARE: &str = "same|ditto|repeat|again|more|idem";
const LAST: &str = "same again|same as before|same before|same as last|same as last round|same as last time|\
    same as previous round|same as previously|as before|as last round|as last time|repeat last|repeat last round|repeat again";
const OTHERS: &str =
    "same as you|same as him|same as her|same as them|same as opponent|same as yours|same as his|same as hers";

impl Same {
    /// What a text says, where it says nothing else.
    pub(super) fn read(text: &str) -> Option<Self> {
        let lower = text.to_lowercase().replace('’', "'");
        let words = lower.split(|letter: char| !letter.is_alphanumeric() && letter != '\'');
        let said: Vec<&str> = words.filter(|word| !word.is_empty() && !is_in(AROUND, word)).take(6).collect();
        let said = said.join(" ");
        let is = |known: &str| known.split('|').any(|known| known == said);
        let of = || {
            let (named, behind) =
                Named::read(said.strip_prefix("same as ").or_else(|| said.strip_prefix("as "))?, true)?;
            (behind.is_empty() || behind == said).then_some(Self::Of(named.round))
        };
        match () {
            () if is(BARE) => Some(Self::Bare),
            () if is(LAST) => Some(Self::Last),
            () if is(OTHERS) => Some(Self::Others),
            () => of(),
        }
    }
}

/// Whether the first sentence of a text says such a thing.
pub(super) fn is_said(text: &str) -> bool {
    sentences(text).next().is_some_and(|said| Same::read(said).is_some())
}

/// Whether it does not say as what.
pub(super) fn is_bare(text: &str) -> bool {
    sentences(text).next().and_then(Same::read) == Some(Same::Bare)
}

impl Reader<'_> {
    /// The moves that may be meant, the likeliest first; none where a text says no such thing, or nothing came before.
    /// `told` says that somebody else tells it, who speaks of no other player.
    pub(super) fn same(&self, seat: Seat, text: &str, told: bool) -> Option<Vec<String>> {
        let named = text.to_lowercase().replace(&self.hearing.names()[seat.other()].to_lowercase(), "you");
        let same = Same::read(&named)?;
        let of = |past: &Past| past.sent[seat].as_ref().map(|sent| sent.text.clone());
        let last = || self.hearing.last_move(seat).map(|sent| sent.text.clone());
        let other = || self.hearing.waiting(seat.other()).or_else(|| self.hearing.last_move(seat.other()));
        let other = || other().map(|sent| sent.text.clone());
        let is_new = self.hearing.waiting(seat.other()).is_none() && self.rounds.head.is_some();
        let mut meant: Vec<String> = match same {
            Same::Last => last().into_iter().collect(),
            Same::Of(round) => {
                self.hearing.past().iter().find(|past| past.round == Some(round)).and_then(of).into_iter().collect()
            }
            Same::Bare if told || is_new => last().into_iter().collect(),
            Same::Others | Same::Bare => last().into_iter().chain(other()).collect(),
        };
        if same == Same::Others {
            meant.reverse();
        }
        meant.dedup();
        Some(meant).filter(|meant| !meant.is_empty())
    }

    /// Takes a player's line that says such a thing; false where it says none.
    pub(super) fn says_same(&mut self, seat: Seat, at: usize, text: &str) -> bool {
        if !self.hearing.is_asked(seat.into()) || self.hearing.waiting(seat).is_some() {
            return false;
        }
        let Some(meant) = self.same(seat, text, false) else { return false };
        let why = match meant.as_slice() {
            [one] => self.plays(seat, one, &[at], false).err(),
            _ => Some(super::hearing::refusal("", "the same as which move?")),
        };
        if let Some(why) = why {
            self.doubt(seat, at, &meant.join(" "), &why);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_is_told_from_talk() {
        for (text, same) in [
            ("same again", Some(Same::Last)),
            ("The same as last round, please!", Some(Same::Last)),
            ("Ditto.", Some(Same::Bare)),
            ("once more", Some(Same::Bare)),
            ("same as in round 3", Some(Same::Of(3))),
            ("as in round two", Some(Same::Of(2))),
            ("same as you", Some(Same::Others)),
            ("same here, so tired", None),
            ("again and again he does that", None),
            ("", None),
        ] {
            assert_eq!(Same::read(text), same, "{text}");
        }
    }
}
