//! The vocabulary of this site, each word in a sentence or two, so that a newcomer can follow a match.

use askama::Template;
use axum::response::Response;

use page::{Frame, page};
use web_http::Problem;
use web_http::visitor::Visitor;

struct Term {
    word: &'static str,
    means: &'static str,
    /// The address and the words of a link.
    more: Option<(&'static str, &'static str)>,
}

#[derive(Template)]
#[template(path = "rules/glossary.html")]
struct Glossary {
    frame: Frame,
    groups: [(&'static str, &'static [Term]); 3],
}

impl Term {
    fn anchor(&self) -> String {
        self.word.to_lowercase().replace(' ', "-")
    }
}

const fn term(word: &'static str, means: &'static str) -> Term {
    Term { word, means, more: None }
}

const PEOPLE: &[Term] = &[
    term(
        "Death Match",
        "A duel of two players in a community tournament; whoever loses it usually leaves the tournament.",
    ),
    term("EC", "Elimination Candidate: the player who was put up to leave, and who has to play a Death Match."),
    term(
        "DMO",
        "Death Match Opponent: the player against whom the Elimination Candidate plays. Some rulesets give the DMO a right \
         of their own, such as winning a last tie.",
    ),
    term(
        "Seat",
        "One of the two places in a match. Pages mark seat 1 with a full square and seat 2 with an open circle.",
    ),
    term("Umpire", "Whoever runs a match: asks, types, closes rounds, and rules where the rules leave something open."),
    term("Host", "The side that belongs to no player: it deals cards and draws what comes by chance."),
];

const PLAY: &[Term] = &[
    term("Game", "A set of rules by one designer, such as Five-Card Trick."),
    Term {
        word: "Ruleset",
        means: "A game as one tournament hosted it, with every option settled. Each match names its ruleset and keeps it.",
        more: Some(("/rules", "All rulesets")),
    },
    term(
        "Round",
        "What is played before the same question comes again. A round in which nobody sent anything may be replayed under its number.",
    ),
    term(
        "Step",
        "The smallest thing that changes a match: both players\u{2019} choices of a round, one player\u{2019}s move, a draw, or a decision of the umpire.",
    ),
    term("Chip", "What is counted to tell who is ahead. Some hostings have another word for it, such as gems."),
    term("Pot", "Chips that lie between the players, until an action takes them."),
    term(
        "Light",
        "A lamp for each action in Five-Card Trick and Three-Card Trick. With all of them lit a player gets a chip, and they go out. Also called a torch.",
    ),
    term("Pool", "The cards that a player owns in Devil\u{2019}s Deal, from which the hands are made."),
    term("Board", "A field of five by five cells in Higher or Lower."),
    term("Hand", "Cards that count together: in Thwart 13 each player builds a front, a middle and a back hand."),
    term("Challenge", "In Thwart 13: the claim that the other player can no longer build three valid hands."),
    term("Item", "Something that a player received before the final and may use once in it."),
    term("Default", "What counts for a player who sends nothing in time. Written as a dash."),
    term("Undecided", "The rules name no winner. An umpire may name one by a ruling."),
    term("Void", "The match does not count."),
];

const RECORD: &[Term] = &[
    term("Entry", "One line of the record. Nothing in it is ever changed or removed; a correction is another entry."),
    term(
        "Seal",
        "A value that shows that a choice was made, without showing which. Only with its key can it be opened, and only to that choice.",
    ),
    term("Opening", "A choice with the key of its seal, so that everybody can see that they belong together."),
    term("Beat", "One of three looks at a round: before it, what was chosen, and what came of it."),
    term(
        "Ruling",
        "A decision of the umpire, with its reason: on the result, on a late move, on an objection, or on what the rules leave open.",
    ),
    term("Warning", "The umpire warns a player, with the reason. It changes neither moves nor the result."),
    term(
        "Correction",
        "The umpire replaces a move that was recorded wrongly. Later moves stay, and the match is replayed with them.",
    ),
    term(
        "Strike",
        "The umpire sets the match back to an earlier step. The steps from there on no longer count, and stay readable, crossed out.",
    ),
    term(
        "Intervention",
        "Any of these four: a ruling, a warning, a correction or a strike. Pages mark them in red. Lists count them together, and so are moves that the umpire typed for a seat with a key.",
    ),
    term("Remark", "What the umpire adds for everybody to read. It changes nothing, and is no intervention."),
    term(
        "Objection",
        "A player says of a recorded move: this is not what I sent. The umpire must answer before the match ends.",
    ),
    term(
        "Key of a seat",
        "What a player\u{2019}s browser signs with, so that nobody else can play for the seat. It comes with the first move and stays until the end of the match. The player can copy it to another device by a code, which the seat\u{2019}s page shows, and which also serves as a spare.",
    ),
    term("Receipt", "What a player gets for each move: a signed statement that it came, and when."),
    Term {
        word: "Log",
        means: "All entries of all matches in one order, signed over and over, so that nothing can be slipped in or taken out unseen.",
        more: Some(("/log", "The log of this site")),
    },
    term("Checkpoint", "A signed statement of how long the log is, and of a hash that depends on every entry in it."),
    term(
        "Witness",
        "Somebody else\u{2019}s server that signs a checkpoint too, after it has made sure that it contradicts no earlier one.",
    ),
    term(
        "Check",
        "Eight findings about a match. This site, your browser or a program can make them from its bytes alone. A match is verified if none of them is wrong.",
    ),
    Term {
        word: "Withdrawn",
        means: "Erased on request: a name, or words. The record keeps a commitment to them and can be verified as before.",
        more: Some(("/withdraw", "How that works")),
    },
];

pub(super) async fn glossary(visitor: Visitor) -> Result<Response, Problem> {
    let frame = Frame::titled("Glossary")
        .in_section("rules")
        .described("DMO, EC, chip, pot, seal: the words of Death Matches and of their record, in a sentence each.");
    let groups = [("People", PEOPLE), ("Playing", PLAY), ("The record", RECORD)];
    page(&Glossary { frame: Frame { umpire: visitor.name(), ..frame }, groups })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_its_own_anchor() {
        let mut anchors: Vec<String> = [PEOPLE, PLAY, RECORD].into_iter().flatten().map(Term::anchor).collect();
        let all = anchors.len();
        anchors.sort();
        anchors.dedup();
        assert_eq!(anchors.len(), all);
    }
}
