//! The umpire's word: what became of the answers, and what comes next.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::scanner::Scanner;
use super::{Act, Asked, Declaration, Quote};
use crate::{Refusal, Seat, Verdict};

const ACTS_MAX: usize = 50;
pub(super) const SENTENCE_MAX: usize = 300;

/// What the umpire says, act by act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// In the order in which they happen.
    pub acts: Vec<Act>,
    /// What comes after them.
    pub then: Then,
}

/// What comes after the umpire's acts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Then {
    /// The umpire says more.
    More,
    /// The same question is put to the same seats.
    Again,
    /// This question is put.
    Next(Asked),
    /// The match ends.
    Over(Verdict, Option<Quote>),
}

impl Announcement {
    /// Reads what the umpire says: `says ACT; ACT; ...`. A sentence may be withheld, which is `*`.
    ///
    /// # Errors
    /// The word that does not fit, in its place.
    pub fn read(text: &str, game: &Declaration) -> Result<Self, Refusal> {
        let mut words = Scanner::new(text);
        words.requires("says")?;
        let (mut acts, mut then) = (Vec::new(), Then::More);
        loop {
            if acts.len() == ACTS_MAX {
                return Err(words.refuse(format!("expected at most {ACTS_MAX} acts")));
            }
            match Then::read(&mut words, game)? {
                Some(last) => then = last,
                None => acts.push(Act::read(&mut words, game)?),
            }
            if words.is_done() {
                return Ok(Self { acts, then });
            }
            if then != Then::More {
                return Err(words.refuse("expected the end here: again, next and over come last"));
            }
            if !words.take(";") {
                words.end("; and another act, or the end")?;
            }
        }
    }

    /// Writes it, with `*` for each sentence if they are to `withhold`.
    #[must_use]
    pub fn write(&self, game: &Declaration, withhold: bool) -> String {
        let last = match &self.then {
            Then::More => None,
            Then::Again => Some("again".into()),
            Then::Next(asked) => Some(format!("next {}", asked.words(game))),
            Then::Over(verdict, None) => Some(format!("over {}", verdict.word())),
            Then::Over(verdict, Some(why)) => Some(format!("over {} {}", verdict.word(), why.written(withhold))),
        };
        let acts = self.acts.iter().map(|act| act.written(game, withhold)).chain(last);
        format!("says {}", acts.collect::<Vec<_>>().join("; "))
    }

    /// Its sentences, in order; none for one that is withheld.
    pub fn sentences(&self) -> impl Iterator<Item = Option<&str>> {
        let acts = self.acts.iter().filter_map(|act| if let Act::Say(quote) = act { Some(quote) } else { None });
        let why = if let Then::Over(_, why) = &self.then { why.as_ref() } else { None };
        acts.chain(why).map(|quote| if let Quote::Said(text) = quote { Some(text.as_str()) } else { None })
    }
}

impl Then {
    fn read(words: &mut Scanner<'_>, game: &Declaration) -> Result<Option<Self>, Refusal> {
        if words.take("again") {
            return Ok(Some(Self::Again));
        }
        if words.take("next") {
            return Asked::read(words, game).map(|asked| Some(Self::Next(asked)));
        }
        if !words.take("over") {
            return Ok(None);
        }
        let verdicts = [Verdict::Won(Seat::P1), Verdict::Won(Seat::P2), Verdict::Undecided, Verdict::Void];
        let verdict = words.one_of(&verdicts.map(|verdict| (verdict.word(), verdict)))?;
        let why = if Quote::is_next(words) { Some(Quote::read(words, SENTENCE_MAX)?) } else { None };
        Ok(Some(Self::Over(verdict, why)))
    }
}
