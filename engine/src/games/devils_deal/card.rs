//! The 27 cards: three colours, each with the numbers 1 to 9.

/// The colour of a card, in canonical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// Written R.
    Red,
    /// Written G.
    Green,
    /// Written B.
    Blue,
}

impl Colour {
    /// All three, in canonical order.
    pub const ALL: [Self; 3] = [Self::Red, Self::Green, Self::Blue];

    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Green => "green",
            Self::Blue => "blue",
        }
    }
}

/// One of the 27 cards. The order of cards is R, G, B, then by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

/// Writes something before the word of every card, in their order.
macro_rules! with_each_card {
    ($before:literal) => {
        with_each_card!(@ $before "R1" "R2" "R3" "R4" "R5" "R6" "R7" "R8" "R9" "G1" "G2" "G3" "G4" "G5" "G6" "G7" "G8"
            "G9" "B1" "B2" "B3" "B4" "B5" "B6" "B7" "B8" "B9")
    };
    (@ $before:literal $($word:literal)*) => { [$(concat!($before, $word)),*] };
}

/// Writes "Take red 1" and so on, in the order of the cards.
macro_rules! take_labels {
    ($($colour:literal)*) => {
        [$(
            concat!("Take ", $colour, " 1"), concat!("Take ", $colour, " 2"), concat!("Take ", $colour, " 3"),
            concat!("Take ", $colour, " 4"), concat!("Take ", $colour, " 5"), concat!("Take ", $colour, " 6"),
            concat!("Take ", $colour, " 7"), concat!("Take ", $colour, " 8"), concat!("Take ", $colour, " 9"),
        )*]
    };
}

const WORDS: [&str; Card::COUNT] = with_each_card!("");
const TAKES: [&str; Card::COUNT] = with_each_card!("take ");
const TAKE_LABELS: [&str; Card::COUNT] = take_labels!("red" "green" "blue");

impl Card {
    /// The number of cards.
    pub const COUNT: usize = 27;
    /// All cards, in order.
    pub const ALL: [Self; Self::COUNT] = ordered(false);
    /// All cards, lowest numbers first, then R, G, B.
    pub const LOWEST_FIRST: [Self; Self::COUNT] = ordered(true);

    /// The card of this colour and number; none if the number is not 1 to 9.
    #[must_use]
    pub const fn of(colour: Colour, number: u8) -> Option<Self> {
        match number {
            1..=9 => Some(Self(colour as u8 * 9 + number - 1)),
            _ => None,
        }
    }

    /// Its colour.
    #[must_use]
    pub const fn colour(self) -> Colour {
        match self.0 / 9 {
            0 => Colour::Red,
            1 => Colour::Green,
            _ => Colour::Blue,
        }
    }

    /// Its number, 1 to 9.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0 % 9 + 1
    }

    /// As the notation writes it, such as `R7`.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.among(&WORDS)
    }

    pub(super) fn take(self) -> (&'static str, &'static str) {
        (self.among(&TAKES), self.among(&TAKE_LABELS))
    }

    /// Its place in the order of cards, from 0.
    pub(super) const fn index(self) -> u8 {
        self.0
    }

    fn among(self, words: &[&'static str; Self::COUNT]) -> &'static str {
        words.get(usize::from(self.0)).copied().unwrap_or_default()
    }
}

const fn ordered(by_number: bool) -> [Card; Card::COUNT] {
    let mut cards = [Card(0); Card::COUNT];
    let mut rest: &mut [Card] = &mut cards;
    let mut at = 0;
    while let Some((card, others)) = rest.split_first_mut() {
        *card = Card(if by_number { at % 3 * 9 + at / 3 } else { at });
        rest = others;
        at += 1;
    }
    cards
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_know_their_words_and_both_orders() {
        let words: alloc::vec::Vec<_> = Card::LOWEST_FIRST.map(Card::word).into_iter().take(4).collect();
        assert_eq!(words, ["R1", "G1", "B1", "R2"]);
        for card in Card::ALL {
            assert_eq!(Card::of(card.colour(), card.number()), Some(card));
            let label = alloc::format!("Take {} {}", card.colour().name(), card.number());
            assert_eq!(card.take(), (&*alloc::format!("take {}", card.word()), &*label));
        }
        assert!(Card::ALL.is_sorted());
        assert_eq!((Card::of(Colour::Red, 0), Card::of(Colour::Blue, 10)), (None, None));
    }
}
