//! The guesses so far, as the address has them: one digit each.

use super::question::Question;

pub(super) struct Guess<'q, 'h> {
    pub(super) question: &'q Question<'h>,
    pub(super) chosen: usize,
}

impl Guess<'_, '_> {
    pub(super) fn is_right(&self) -> bool {
        self.chosen == self.question.right
    }
}

pub(super) fn read<'q, 'h>(digits: &str, questions: &'q [Question<'h>]) -> Option<Vec<Guess<'q, 'h>>> {
    let mut guesses = Vec::new();
    for (n, digit) in digits.chars().enumerate() {
        let question = questions.get(n)?;
        let chosen = usize::try_from(digit.to_digit(10)?).ok().filter(|chosen| *chosen < question.choices.len())?;
        guesses.push(Guess { question, chosen });
    }
    Some(guesses)
}

pub(super) fn by_chance_tenths(questions: &[Question<'_>]) -> usize {
    // Twelfths are exact for two, three and four choices.
    let twelfths: usize = questions.iter().map(|question| 12 / question.choices.len().max(1)).sum();
    (twelfths * 10 + 6) / 12
}
