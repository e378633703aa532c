//! The ruleset in our own words, clause by clause, and the rulings where the rule post leaves something open.

use alloc::vec::Vec;

use crate::clause::ClauseList;
use crate::{Clause, RulingNote};

/// The clauses' numbers, as effects and refusals cite them.
pub(super) mod number {
    pub(crate) const BOARDS: &str = "5.1.1";
    pub(crate) const LAYOUT: &str = "5.1.2";
    pub(crate) const AGAIN: &str = "5.1.3";
    pub(crate) const COLOURS: &str = "5.2";
    pub(crate) const DECKS: &str = "5.3.1";
    pub(crate) const ASSIGNING: &str = "5.3.2";
    pub(crate) const FRUITS: &str = "5.3.3";
    pub(crate) const PATTERN: &str = "5.3.4";
    pub(crate) const SINGLE: &str = "5.3.5";
    pub(crate) const ONCE: &str = "5.3.6";
    pub(crate) const INVALID: &str = "5.3.7";
    pub(crate) const STANDS: &str = "5.3.8";
    pub(crate) const GREY: &str = "5.4.1";
    pub(crate) const PARITY: &str = "5.4.2";
    pub(crate) const APART: &str = "5.4.3";
    pub(crate) const PLACING: &str = "5.5.1";
    pub(crate) const ORDER: &str = "5.5.2";
    pub(crate) const BOARD: &str = "5.6";
    pub(crate) const TURNING: &str = "5.7.1";
    pub(crate) const PREDICTING: &str = "5.7.2";
    pub(crate) const STOPPING: &str = "5.7.3";
    pub(crate) const TURN_END: &str = "5.7.4";
    pub(crate) const BOARD_END: &str = "5.8";
    pub(crate) const END: &str = "5.9";
    pub(crate) const CLOCK: &str = "5.10.1";
    pub(crate) const MISSED_BOARD: &str = "5.10.2";
    pub(crate) const MISSES: &str = "5.10.3";
    pub(crate) const SECRETS: &str = "5.11";
}

pub(super) fn all() -> Vec<Clause> {
    let mut list = ClauseList::default();
    boards(&mut list);
    assigning(&mut list);
    patterns(&mut list);
    filling(&mut list);
    grey(&mut list);
    placing(&mut list);
    turns(&mut list);
    ending(&mut list);
    clock(&mut list);
    list.clauses
}

fn boards(list: &mut ClauseList) {
    list.ruled(
        number::BOARDS,
        "Boards",
        "Five boards, A to E, of five columns (a to e from the left) and five rows (1 to 5 from the top). A cell's front is cyan, pink or grey, and a circle, triangle or square. A card's back is a fruit (Apple, Blueberry, Clementine, Durian, Elderberry) and a number from 1 to 10. A card is face up when its number shows.",
        RulingNote {
            issue: "HL-1",
            question: "What do the boards look like? (The pictures of the post are lost.)",
            readings: &["Every match must lay them out.", "There is a default, which a match may replace board by board."],
            chosen: "There is a default, ours: 10 cyan, 10 pink and 5 grey cells on every board, so that each seat's fifty cards are all used.",
            option: None,
        },
    );
    list.ruled(
        number::LAYOUT,
        "Layout",
        "Before the colours are chosen the host may lay out boards otherwise; a board that is not laid out has the default. Every board has a grey cell, and fifty cards a colour and ten grey ones a board must be able to fill the boards by these rules.",
        RulingNote {
            issue: "HL-2",
            question: "What of a layout that no cards can fill, or in which no turn could begin?",
            readings: &[
                "It is accepted, and the match gets stuck when the boards are placed.",
                "It is refused as soon as nothing could make it right.",
            ],
            chosen: "A board is refused that cannot be filled together with those laid out before it. Where only boards that still have the default are in the way, the colour has to wait until the host has laid out another. So a match can always go on.",
            option: None,
        },
    );
    list.ruled(
        number::AGAIN,
        "Laying out again",
        "A board is laid out once. Only while the boards as they lie cannot all be filled, one that was laid out may be laid out anew.",
        RulingNote {
            issue: "HL-3",
            question: "May the host lay out one board twice?",
            readings: &["No: one layout a board.", "Yes: the last one holds, as with an assignment.", "Only where the match could not go on otherwise."],
            chosen: "Only where it could not go on: boards laid out early can leave no way to lay out the last.",
            option: None,
        },
    );
    list.ruled(
        number::COLOURS,
        "Colours",
        "When the boards are published, the Death Match Opponent takes cyan or pink; the other seat has the other colour. Grey is the host's.",
        RulingNote {
            issue: "HL-4",
            question: "When is the colour chosen, and what if none is named? (The post also puts the choice at the start of play.)",
            readings: &[
                "At the start of play, after the assignments.",
                "With the boards; without a choice the host draws.",
                "With the boards; without a choice it is cyan.",
            ],
            chosen: "With the boards, for nobody could assign cards without a colour; without a choice it is cyan.",
            option: None,
        },
    );
}

fn assigning(list: &mut ClauseList) {
    list.ruled(
        number::DECKS,
        "Decks",
        "Each seat has all fifty cards of its colour, one of each fruit and number. Grey cards come from decks of the host's.",
        RulingNote {
            issue: "HL-5",
            question: "Which cards does a seat start with? (The post refers to a picture.)",
            readings: &["Some cards of the seat's own.", "All fifty of its colour."],
            chosen: "All fifty. So with the default layout every card lies on a board.",
            option: None,
        },
    );
    list.ruled(
        number::ASSIGNING,
        "Assigning",
        "A group is all cells of one shape and one colour on one board. Until one hour before the match each seat may secretly name the cards of its groups, as many for each group as it has cells. A later assignment replaces the earlier one as a whole. Nobody waits for an assignment: a seat that sends none has none, and one that sends no more keeps what it sent.",
        RulingNote {
            issue: "HL-6",
            question: "Does a later assignment add to an earlier one, or replace it? And is sending nothing an assignment of nothing?",
            readings: &[
                "Group by group: groups that it leaves out stay.",
                "As a whole: groups that it leaves out are open again, and all of them if nothing is sent.",
                "As a whole; but sending nothing is no assignment, and changes nothing.",
            ],
            chosen: "As a whole: the last submission is the one that counts, as in every game here. Nothing is no submission where nobody waits for one, so that no line can say that an assignment was missed.",
            option: None,
        },
    );
}

fn patterns(list: &mut ClauseList) {
    list.clause(
        number::FRUITS,
        "Fruits of a board",
        "On board A lie Apple, Blueberry and Elderberry; on B Apple, Blueberry and Clementine; on C Blueberry, Clementine and Durian; on D Clementine, Durian and Elderberry; on E Apple, Durian and Elderberry. Grey cards have a rule of their own.",
    );
    list.ruled(
        number::PATTERN,
        "Patterns",
        "The cards of a seat's group are all of one fruit, or all of different fruits and with different numbers. Each group for itself.",
        RulingNote {
            issue: "HL-7",
            question: "The post says colour where it lists the patterns. Which colour?",
            readings: &["The colour of the front, which is the same in every group anyway.", "The fruit of the back."],
            chosen: "The fruit. With the front's colour the rule would say nothing.",
            option: None,
        },
    );
    list.ruled(
        number::SINGLE,
        "A single card",
        "A group of one cell takes any card of a fruit that its board allows.",
        RulingNote {
            issue: "HL-8",
            question: "Which pattern does a single card have?",
            readings: &["Neither, so that it cannot be assigned.", "Both."],
            chosen: "Both: one card is all of one fruit.",
            option: None,
        },
    );
    list.ruled(
        number::ONCE,
        "Each card once",
        "A card lies in one group. Where an assignment names it in two, the earlier group has it (A to E; circle, triangle, square), if that group counts; a group that names a card twice never counts.",
        RulingNote {
            issue: "HL-9",
            question: "What of a card that is named twice?",
            readings: &[
                "The whole assignment is illegal.",
                "All groups that name it are invalid.",
                "The later groups that name it are invalid.",
            ],
            chosen: "The later ones are: an assignment is gone through in the order in which groups are filled, and what is not right by then is invalid.",
            option: None,
        },
    );
}

fn filling(list: &mut ClauseList) {
    list.ruled(
        number::INVALID,
        "Invalid groups",
        "A group counts if the seat has it, if it has a card for each of its cells, and if the cards keep to the rules. A group that does not count is as one that was not assigned; the umpire warns of it, and the seat may send its assignment again in time. Cards for a group that the seat does not have mean nothing.",
        RulingNote {
            issue: "HL-10",
            question: "Is an assignment with a wrong group refused as a whole?",
            readings: &[
                "Yes: it is illegal, and nothing of it stands.",
                "No: it stands, and its wrong groups are filled at random.",
            ],
            chosen: "No. The post fills what is invalid group by group, and a seat should not lose fourteen groups over one. Refused is only what does not read.",
            option: None,
        },
    );
    list.ruled(
        number::STANDS,
        "Filling",
        "What counts when the first board is placed is fixed. The other groups are filled at random, in the order A to E and circle, triangle, square: each way to fill a group that leaves a way to fill the later ones is equally likely. If what counts leaves no way at all, its last groups in that order are dropped, one by one, until there is one. Nobody is told which cards were drawn.",
        RulingNote {
            issue: "HL-11",
            question: "How is a missing group drawn, and what if the groups that were assigned leave no way to fill it?",
            readings: &[
                "All missing groups at once, every way to fill them all equally likely; all that was assigned is dropped if there is none.",
                "Group by group, every way that can be completed equally likely; the last assigned groups are dropped until there is one.",
            ],
            chosen: "Group by group. It can be done and checked by hand, and it keeps as much of an assignment as its order allows.",
            option: None,
        },
    );
}

fn grey(list: &mut ClauseList) {
    list.clause(
        number::GREY,
        "Grey cards",
        "The grey cards of a board are all of one fruit: Apple on A, Blueberry on B, Clementine on C, Durian on D, Elderberry on E. No two of them have the same number. Otherwise they are random, each way equally likely.",
    );
    list.ruled(
        number::PARITY,
        "Two grey shapes",
        "On a board with grey cells of two shapes, the numbers of each shape are all even or all odd.",
        RulingNote {
            issue: "HL-12",
            question: "Must both shapes be alike, one even and one odd, or neither?",
            readings: &["Both the same.", "One of each.", "Each for itself."],
            chosen: "Each for itself: the post speaks of the cards of one group.",
            option: None,
        },
    );
    list.ruled(
        number::APART,
        "Three grey shapes",
        "On a board with grey cells of three shapes, no two numbers of one shape differ by 1.",
        RulingNote {
            issue: "HL-13",
            question: "When are the cards of a group not consecutive?",
            readings: &["When they are not one unbroken run.", "When no two of them follow each other."],
            chosen: "When no two follow each other. With the other reading a large group would hardly be limited.",
            option: None,
        },
    );
}

fn placing(list: &mut ClauseList) {
    list.clause(
        number::PLACING,
        "Placing",
        "The host shuffles the cards of each group onto its cells, and every board lies face down before play. What is placed must keep to all these rules: each card once a colour, the assigned groups as they were assigned, and the cells of the boards that are still missing must be possible to fill.",
    );
    list.ruled(
        number::ORDER,
        "Order of placing",
        "The five boards are placed in any order, each once. Whichever comes first, the assignments are fixed with it, for all boards.",
        RulingNote {
            issue: "HL-14",
            question: "In which order are the boards placed, and may one use up cards that a later one cannot do without?",
            readings: &[
                "In any order, each judged by itself.",
                "From A to E, each so that the rest can still be filled.",
                "In any order, each so that the rest can still be filled.",
            ],
            chosen: "In any order: all boards lie face down before play, and no rule says which one first. Each so that the rest can be filled, so that no placement leaves the match without a next step. What is drawn here is drawn from A to E, the order in which groups are filled.",
            option: None,
        },
    );
}

fn turns(list: &mut ClauseList) {
    list.clause(
        number::BOARD,
        "Choosing a board",
        "The Death Match Opponent chooses the first board, the loser of a board the next one, out of those that were not played. Whoever chooses also says who goes first on it.",
    );
    list.clause(
        number::TURNING,
        "The first card of a turn",
        "On a board the turns alternate. A turn begins with a grey card that lies face down: it is turned over, without a prediction and without a point.",
    );
    list.clause(
        number::PREDICTING,
        "Predicting",
        "Then the seat names a neighbour of the card turned last, to the north, east, south or west, of any colour and still face down, and says whether its number is higher or lower. It is turned over. If that was right, the seat has 1 point.",
    );
    list.ruled(
        number::STOPPING,
        "Stopping",
        "After each point the seat may stop instead of predicting again.",
        RulingNote {
            issue: "HL-15",
            question: "May a seat stop before its first prediction?",
            readings: &["Yes: no prediction is ever due.", "No: only what follows a point is optional."],
            chosen: "No. The post says may of the further cards alone.",
            option: None,
        },
    );
    list.clause(
        number::TURN_END,
        "The end of a turn",
        "A turn ends with a wrong prediction, which the same number always is; with the eighth card, the first one counted; where no neighbour lies face down; and with a stop. A card turned over stays face up.",
    );
}

fn ending(list: &mut ClauseList) {
    list.ruled(
        number::BOARD_END,
        "The end of a board",
        "Once all grey cards of a board are face up, it ends with the running turn. The seat with more points wins it; with equal points, the seat that went second on it. Points begin again at 0.",
        RulingNote {
            issue: "HL-16",
            question: "Is the turn that turned over the last grey card still played?",
            readings: &["No: the board ends at once.", "Yes, until it ends by itself."],
            chosen: "Yes: turns are begun until then, and a turn that has begun has a prediction due.",
            option: None,
        },
    );
    list.clause(number::END, "The end", "The first seat to win three boards wins the match.");
}

fn clock(list: &mut ClauseList) {
    list.ruled(
        number::CLOCK,
        "Clock",
        "23 hours for the assignments, until one hour before the match. 30 seconds for each choice, from the picture that shows the board. Each seat has three extensions of 30 seconds for the whole match, which begin by themselves when its time runs out. After those, a choice that does not come in time is missed. A missed prediction ends the turn.",
        RulingNote {
            issue: "HL-17",
            question: "Who counts the extensions?",
            readings: &["The rules: each choice that comes late uses one up.", "The clock: a choice is missed only once no extension is left."],
            chosen: "The clock. What reaches the rules is a choice, or that none came.",
            option: None,
        },
    );
    list.ruled(
        number::MISSED_BOARD,
        "A missed board",
        "Where no board is chosen in time, it is the first one that was not played, and the seat that should have chosen goes first.",
        RulingNote {
            issue: "HL-18",
            question: "What if no board is chosen in time?",
            readings: &["The other seat chooses.", "The host draws one.", "The first one left is played, and the chooser goes first."],
            chosen: "The first one left, and the chooser goes first: nobody gains by it, and nothing has to be drawn.",
            option: None,
        },
    );
    list.ruled(
        number::MISSES,
        "Missed grey cards",
        "A seat that chooses no grey card in time loses its turn. If the other seat then chooses none either, the first grey card that lies face down (row by row) is turned over without a point, and the turn goes to the seat that missed first; if it was the last one, the board ends. Any grey card turned over starts the count again.",
        RulingNote {
            issue: "HL-19",
            question: "A missed choice ends the turn. What if neither seat turns a grey card over any more?",
            readings: &["The turn goes to and fro until somebody does.", "The second miss in a row turns one over for nobody."],
            chosen: "The second miss in a row turns one over, so that every match ends.",
            option: None,
        },
    );
    list.ruled(
        number::SECRETS,
        "Secrets",
        "An assignment stays closed until the end of the match. Each back opens when its card is turned over, and the others at the end of the match. A seat knows what it assigned, but neither what was filled up nor where its cards lie.",
        RulingNote {
            issue: "HL-20",
            question: "When do the assignments and the backs that were never turned become public?",
            readings: &["Never.", "With the end of each board.", "With the end of the match."],
            chosen: "With the end of the match: until then they would tell which cards the later boards hold, and afterwards anybody can check the placing.",
            option: None,
        },
    );
}
