//! The phases of a match in which pairs are counted together: all of it, some rounds, a score.

use crate::archive::Situation;

pub const LAST_FIVES: i32 = 9;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Any,
    /// Rounds 1 to 5 for 0, 6 to 10 for 1 and so on.
    Rounds(i32),
    /// Seat 1 is behind (-1), level (0) or ahead (1).
    Score(i16),
}

impl Phase {
    pub fn read(word: &str) -> Option<Self> {
        let rounds = (0..=LAST_FIVES).map(Self::Rounds);
        let scores = [-1, 0, 1].map(Self::Score);
        [Self::Any].into_iter().chain(rounds).chain(scores).find(|phase| phase.word() == word)
    }

    pub fn word(self) -> String {
        match self {
            Self::Any => String::new(),
            Self::Rounds(fives) => format!("rounds-{}-{}", fives * 5 + 1, fives * 5 + 5),
            Self::Score(-1) => "behind".to_owned(),
            Self::Score(1) => "ahead".to_owned(),
            Self::Score(_) => "level".to_owned(),
        }
    }

    pub fn label(self) -> String {
        match self {
            Self::Any => "in any situation".to_owned(),
            Self::Rounds(fives) => format!("in rounds {} to {}", fives * 5 + 1, fives * 5 + 5),
            Self::Score(-1) => "with seat 2 ahead".to_owned(),
            Self::Score(1) => "with seat 1 ahead".to_owned(),
            Self::Score(_) => "at equal score".to_owned(),
        }
    }

    pub fn situation(self) -> Situation {
        match self {
            Self::Any => Situation::any(),
            Self::Rounds(fives) => Situation::rounds(fives),
            Self::Score(standing) => Situation::standing(standing),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phase_has_a_word_of_its_own_and_is_read_from_it() {
        let all = (0..=LAST_FIVES).map(Phase::Rounds).chain([-1, 0, 1].map(Phase::Score)).chain([Phase::Any]);
        for phase in all {
            assert_eq!(Phase::read(&phase.word()), Some(phase));
        }
        assert_eq!((Phase::read("rounds-6-10"), Phase::read("ahead")), (Some(Phase::Rounds(1)), Some(Phase::Score(1))));
        assert_eq!((Phase::read("rounds-2-6"), Phase::read("x")), (None, None));
    }
}
