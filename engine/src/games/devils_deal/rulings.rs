//! The questions that the rule post leaves open, each with the possible readings and the one that is used.

use crate::RulingNote;

/// An open question of the post.
pub(super) struct Open(RulingNote);

impl Open {
    pub(super) const fn note(&self) -> RulingNote {
        self.0
    }
}

const fn open(
    issue: &'static str,
    question: &'static str,
    readings: &'static [&'static str],
    chosen: &'static str,
) -> Open {
    Open(RulingNote { issue, question, readings, chosen, option: None })
}

const COMMUNITY_QUESTION: &str = "When is the community card drawn?";
const COMMUNITY_READINGS: &[&str] = &[
    "When the poker step begins, after the refills: it stands in the text of that step.",
    "When the round begins, before the refills: so that text words it.",
];

pub(super) const COMMUNITY_AFTER: Open = Open(RulingNote {
    issue: "DD-1",
    question: COMMUNITY_QUESTION,
    readings: COMMUNITY_READINGS,
    chosen: "After the refills. It is part of the poker step, and a refill is a gamble on what will come.",
    option: Some("community=after-refill"),
});

pub(super) const COMMUNITY_FIRST: Open = Open(RulingNote {
    chosen: "Before the refills, as this match was set up. Without that option it is drawn after them.",
    option: Some("community=before-refill"),
    ..COMMUNITY_AFTER.0
});

pub(super) const ORDER: Open = open(
    "DD-2",
    "Does the refiller discard before the opponent takes a card?",
    &["Yes.", "No: the opponent takes first.", "It does not matter, so at the same time."],
    "Yes. It may matter, because discards are open; and a refill is carried through from its owner's side first.",
);

pub(super) const TAKING: Open = open(
    "DD-3",
    "May the opponent take a card that the refiller took and at once discarded?",
    &["Yes: it lies there.", "No: only what the refiller did not take."],
    "No. Discards are gone; the pile set aside and the cards in no pile are what is left.",
);

pub(super) const MARK: Open = open(
    "DD-4",
    "Which pile is set aside if none is marked?",
    &["The last one.", "None, so that the division takes everything.", "The division is not valid."],
    "It is not valid, and may be sent again. Also a single pile is marked; it is then the one set aside.",
);

pub(super) const POOR: Open = open(
    "DD-5",
    "Is a seat with fewer than 5 chips asked whether it refills?",
    &["Yes; it can only say no.", "No: it stands by itself."],
    "It is not asked, and no step is recorded. A seat with exactly 5 chips may spend them, and then cannot pay the ante.",
);

pub(super) const OPENING: Open = open(
    "DD-6",
    "What can a seat say when nobody has bet?",
    &["Call, which bets nothing.", "Raise or fold."],
    "Raise or fold. The post has no checking: who wants to stay in must bet.",
);

pub(super) const TOTAL: Open = open(
    "DD-7",
    "What does the number of a raise count?",
    &[
        "The chips that are added to the opponent's bet.",
        "The seat's whole bet in this phase.",
        "Its whole bet in this round.",
    ],
    "The whole bet in this phase: one number that both seats can compare.",
);

pub(super) const CAP: Open = open(
    "DD-8",
    "What if a seat cannot pay a call? (The clarification's text is lost.)",
    &[
        "It calls with what it has, and the rest is given back.",
        "It must fold.",
        "Nobody may bet what the other cannot match.",
    ],
    "Nobody may: a bet goes up to what the poorer seat had when the phase began.",
);

pub(super) const SKIPPED: Open = open(
    "DD-9",
    "Is a phase without bets a step of its own?",
    &["Yes: both seats are asked and can say nothing.", "No: its cards are shown with the step before."],
    "No. Both phases may be passed over at once, and then the private cards are shown as soon as both are in.",
);

pub(super) const PENALTY: Open = open(
    "DD-10",
    "In which order are the pot and the price of a fold paid?",
    &[
        "The pot first; then the price, out of what the folder has.",
        "Nothing is paid by a seat that cannot pay the price.",
    ],
    "The pot first. A seat that cannot pay the price keeps what it has, and loses; the round counts as completed.",
);

pub(super) const EQUAL: Open = open(
    "DD-11",
    "What of the chip that left the game when hands are equal?",
    &["It stays out, so that one seat is short of it.", "It comes back."],
    "It comes back: both take back all that they put in.",
);

pub(super) const HANDS: Open = open(
    "DD-12",
    "In which order do the kinds of hand stand? (The list is lost.)",
    &["As in usual three-card games.", "By how rare they are, where the post does not say."],
    "The post says that three of a kind beats a straight flush, and a straight a flush. Rarity orders the rest: 9, 21, 168, 231, 648 and 1,848 of all 2,925 hands.",
);

pub(super) const STARTER: Open = open(
    "DD-13",
    "Who starts after equal hands?",
    &["The same seat again.", "The other seat."],
    "The same seat: nobody has won.",
);

pub(super) const END: Open = open(
    "DD-14",
    "In which order are the ways of losing looked at? (The list is lost.)",
    &["As they come in a round.", "A seat without chips loses at once, also during a refill."],
    "As they come in a round. Chips are counted when the ante is due and after the poker step, not between.",
);

pub(super) const DEFAULTS: Open = open(
    "DD-15",
    "What holds when nothing comes in time? (The post says it of divisions only.)",
    &["The umpire decides each time.", "A default that gains nothing."],
    "A default that gains nothing, so that a match always goes on.",
);

pub(super) const CLOCKS: Open = open(
    "DD-16",
    "Which decisions are simple, and which complicated? (The list is lost.)",
    &["Dividing alone is complicated.", "Dividing, choosing private cards, and choosing who starts."],
    "Those three have 90 seconds; everything else has 20.",
);

pub(super) const ANTE: Open = open(
    "DD-17",
    "Does a seat that cannot pay the ante lose before private cards are chosen?",
    &["Yes: nothing depends on them any more.", "No: they are chosen first."],
    "They are chosen first, because the match is lost in the order of a round. They are not shown then.",
);

pub(super) const VEIL: Open = open(
    "DD-18",
    "How much of a pool is public after an unshown card has left it?",
    &[
        "Every card that can be worked out, at any time.",
        "Only how many cards there are, until the pool is certain again.",
        "Only how many cards there are, for the rest of the match.",
    ],
    "Only how many, for the rest of the match. What the record calls public must not hang on a chain of inferences; pages may draw it.",
);

pub(super) const DEFAULT_PRIVATE: Open = open(
    "DD-19",
    "Are private cards that nobody named secret?",
    &["No: the line says -, and who knows the pool can work them out.", "Yes, like any others."],
    "The line says -, and nothing of it is sealed. The state still calls them secret until they are shown, and they leave the pool unshown after a fold: one reading for both ways of choosing.",
);

pub(super) const TABLE: Open = open(
    "DD-20",
    "What of the private cards and the pot when a round is broken off?",
    &[
        "The cards are used and leave the pools, and what was bet is given back.",
        "The round was never played to its end: the cards stay, and the pot is nobody's.",
    ],
    "The cards stay, and the round does not count as completed. The rules break a round off before anything is paid; whether an umpire who does so later gives chips back is the umpire's to say. After the price of a fold that cannot be paid the round counts.",
);

pub(super) const NUMBERS: Open = open(
    "DD-22",
    "By which numbers are two hands of one kind compared? (The list is lost.)",
    &["From the highest number down, in every kind.", "From the highest number down, but of pairs the pair first."],
    "Of pairs the pair first, as in poker; otherwise from the highest down. The post has the higher number win and goes on to the next where two are equal.",
);

pub(super) const CHANGES: Open = open(
    "DD-23",
    "The post ends with changes that make the game faster, of clocks and of amounts; their lists are lost. What holds?",
    &["The text as it stands, with the changes in it.", "An older text, with changes that nobody knows."],
    "The text as it stands: of anything else nothing can be known.",
);

pub(super) const UNSHOWN: Open = open(
    "DD-24",
    "Do private cards that were folded unshown ever become public?",
    &["Never.", "When the match is over."],
    "When the match is over. Nothing hangs on them any more, and everybody can check what each fold cost.",
);

pub(super) const EXACT: Open = open(
    "DD-21",
    "May a seat discard more cards than it must?",
    &["Yes.", "No: down to 10 and no further."],
    "No. Cards are only ever discarded because of the limit.",
);
