//! Finding 8: the limits of this verification.

use super::finding::{Detail, Finding, Grade, Status};
use super::signed;
use super::vouched::PlayerCheck;
use crate::history::{History, Mode};
use crate::rule::Rule;
use crate::seal::SealGrade;

const KEPT: &str =
    "that the server kept to itself what it held until the decision closed: it could open what players sent";

const LEFT_OUT: &str = "that a seat sent nothing where its default counted: if the server left something out, only the player's receipt shows it";

const REGISTERED: [&str; 2] = [
    "that a registered player is who the name says: compare the key with the one that the player publishes elsewhere",
    "that a player's chain had no further entry before the match was opened, such as a revocation: only an audit of the whole log shows one",
];

const KEYS_ALONE: &str =
    "who really sat at the browser with a seat's key: the host could have made the keys itself, and played both seats";

const TRUSTED_PAGE: &str = "that the host's page was honest, where a player signed in it or vouched for a key that it showed: it could use a key of the host's. A key does not depend on the page if the player's own program made it and signs with it over the API";

const KNEW_DRAWS: &str = "that the host told nobody its draws, and gave up no match because of them: it knew every coming and hidden draw from the seed on. A monitor of the log lists the matches that were seeded and never ended";

const KNEW_ROUNDS: &str = "that the host told nobody its draws, and gave up no match because of them: it knew each draw from its round on, and hidden ones longer than others did. A monitor of the log lists the matches that were seeded and never ended. Also, that too few members of the beacon worked together to know a round early";

pub(super) fn finding(history: &History, players: &PlayerCheck) -> Finding {
    let mut finding = Finding::new(8, Status::Reported, "What no record of this kind can show:");
    let mut say = |rule, text: &str| finding.details.push(Detail::note(rule, text, None, None));
    for (rule, text) in of_mode(history, players) {
        say(rule, text);
    }
    if !signed::sent_nothing(history).is_empty() {
        say(Rule::ServerHeld, LEFT_OUT);
    }
    if history.opened.mode == Mode::Live && history.keys.each().iter().any(|(_, key)| key.is_some()) {
        say(Rule::WhoPlayed, "that a key is the player's: compare it with what the player says it is");
        say(Rule::TrustedPage, TRUSTED_PAGE);
    }
    if !history.origin.is_practice() {
        say(
            Rule::SecondChain,
            "that the log has no second match with this id: only an audit of the whole log can tell",
        );
    }
    if history.seeds.iter().any(|seed| seed.fixed.is_some()) {
        say(Rule::KnewDraws, if history.beacon().is_some() { KNEW_ROUNDS } else { KNEW_DRAWS });
    }
    if !history.is_ended() {
        say(Rule::Runs, "how it ends: the match still runs, or this copy stops before its end");
    }
    if let (Some(p1), Some(p2)) = (history.names.p1.text(), history.names.p2.text())
        && skeleton(p1) == skeleton(p2)
    {
        say(
            Rule::NamesAlike,
            "which of the two is meant by their name: both seats have the same one, or ones that look alike",
        );
    }
    if history.names.p1 == crate::CommittedText::Withdrawn || history.names.p2 == crate::CommittedText::Withdrawn {
        say(Rule::NoNames, "the names: their text was withdrawn, and the record keeps only its commitment");
    }
    finding
}

fn of_mode(history: &History, players: &PlayerCheck) -> Vec<(Rule, &'static str)> {
    match (history.opened.mode, signed::grade(history, players)) {
        (Mode::Imported, _) => vec![(
            Rule::Imported,
            "that the match was played like this: only its source and the umpire who entered it say so",
        )],
        (Mode::Live, Grade::Registered) => {
            let who = REGISTERED.iter().map(|text| (Rule::WhoPlayed, *text));
            who.chain([(Rule::ServerHeld, KEPT)]).collect()
        }
        (Mode::Live, Grade::Signed) => vec![(Rule::WhoPlayed, KEYS_ALONE), (Rule::ServerHeld, KEPT)],
        (Mode::Live, Grade::Escrow { .. }) => {
            let held = history.seals.iter().any(|seal| seal.grade == Some(SealGrade::Escrow));
            let made_up = held.then_some((
                Rule::ServerHeld,
                "that the server made up nothing for a seat that does not sign: it sealed those moves itself",
            ));
            made_up.into_iter().chain([(Rule::ServerHeld, KEPT)]).collect()
        }
        (Mode::Live | Mode::Recorded, _) => vec![
            (Rule::Typed, "that the players sent what the umpire recorded, and in time: the umpire typed it"),
            (Rule::Typed, "that neither player knew the other's move: it was sent outside this record"),
        ],
    }
}

/// A name as it looks at a glance: without case, spaces and signs, and with Latin letters for those that look like them.
fn skeleton(name: &str) -> String {
    let letters = name.chars().filter(|sign| sign.is_alphanumeric()).flat_map(char::to_lowercase);
    let plain = letters.map(|letter| match letter {
        '0' | 'о' | 'ο' => 'o',
        '1' | 'i' | 'і' | 'ι' | 'ı' => 'l',
        'а' | 'α' => 'a',
        'в' | 'β' => 'b',
        'с' => 'c',
        'е' | 'ё' | 'ε' => 'e',
        'һ' | 'н' => 'h',
        'ј' => 'j',
        'к' | 'κ' => 'k',
        'м' => 'm',
        'п' | 'η' => 'n',
        'р' | 'ρ' => 'p',
        'ѕ' | '5' => 's',
        'т' | 'τ' => 't',
        'υ' => 'u',
        'ν' => 'v',
        'х' | 'χ' => 'x',
        'у' | 'γ' => 'y',
        other => other,
    });
    plain.collect()
}
