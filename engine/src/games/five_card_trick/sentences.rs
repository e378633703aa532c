//! The events of a round, in one sentence each, with its rule, and the warnings for a seat before it sends.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::clauses::number;
use super::limits::LeftOutReason;
use super::resolution::{ActionFate, NoClaim};
use super::rules::Rules;
use super::{Action, FiveCardTrick, Item, Move, Resolution, Submission, Target};
use crate::effect::event;
use crate::game::Game;
use crate::{BySeat, Effect, EffectLog, Fate, Outcome, Seat, Verdict};

/// "1 chip", "3 gems".
pub(super) fn chips(rules: &Rules, count: u16) -> String {
    format!("{count} {}{}", rules.chip(), if count == 1 { "" } else { "s" })
}

/// Both submissions, and the fates of all actions but a Block that acts, in the order in which they happen: first what
/// does not act, then each action of both seats in turn. `game` is the match before the round.
pub(super) fn fates(game: &FiveCardTrick, sent: &BySeat<Move>, resolution: &Resolution, log: &mut impl EffectLog) {
    for (seat, sent) in sent.each() {
        submitted(seat, sent, log);
    }
    for turn in [None, Some(Action::Score), Some(Action::Grow), Some(Action::Claim), Some(Action::Steal)] {
        take_turn(game, sent, resolution, (turn, NextRound::Played), log);
    }
}

/// The Blocks that act. They bar something in the next round, so they come after everything else of this one.
pub(super) fn blocks(
    game: &FiveCardTrick,
    sent: &BySeat<Move>,
    resolution: &Resolution,
    next: NextRound,
    log: &mut impl EffectLog,
) {
    take_turn(game, sent, resolution, (Some(Action::Block), next), log);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NextRound {
    Played,
    /// The match first waits for Claim Priority, and may end then.
    Unsure,
    None,
}

/// One action of both seats if it acts; without one, everything that does not act.
fn take_turn(
    game: &FiveCardTrick,
    sent: &BySeat<Move>,
    resolution: &Resolution,
    (turn, next): (Option<Action>, NextRound),
    log: &mut impl EffectLog,
) {
    for (seat, sent) in sent.each() {
        let Move::Submission(sent) = sent else { continue };
        let now = |action: &Action| turn == resolution.live(seat, *action).then_some(*action);
        for action in sent.actions.kinds().filter(now) {
            log.note(|| fate(game, (seat, sent), action, resolution, next));
        }
    }
}

fn submitted(seat: Seat, sent: &Move, log: &mut impl EffectLog) {
    let Move::Submission(sent) = sent else {
        return log.note(|| Effect {
            fate: Fate::Defaulted,
            ..event(Some(seat), number::MISSING, format!("{} sent nothing in time and plays nothing.", seat.name()))
        });
    };
    if sent.actions.is_empty() {
        log.note(|| event(Some(seat), number::CHOOSING, format!("{} chose to play nothing.", seat.name())));
    }
    if sent.overload {
        log.note(|| event(Some(seat), number::OVERLOAD, format!("{} used Overload.", seat.name())));
    }
    if sent.limit_reset {
        log.note(|| event(Some(seat), number::LIMIT_RESET, format!("{} used Limit Reset.", seat.name())));
    }
}

fn fate(
    game: &FiveCardTrick,
    (seat, sent): (Seat, &Submission),
    action: Action,
    resolution: &Resolution,
    next: NextRound,
) -> Effect {
    let rules = &game.rules;
    let (name, me, you) = (rules.name(action), seat.name(), seat.other().name());
    let copies = |seat| resolution.counted(seat).copies(action);
    let (fate, rule, text) = match resolution.fate(seat, action) {
        ActionFate::LeftOut(LeftOutReason::NoTarget) => {
            (Fate::LeftOut, number::TARGET, format!("{me}'s Block named no action and was left out."))
        }
        ActionFate::LeftOut(LeftOutReason::ThirdInARow) => (
            Fate::LeftOut,
            number::THIRD_IN_A_ROW,
            format!("{me}'s {name} was left out: it counted in both of the last two rounds."),
        ),
        ActionFate::LeftOut(LeftOutReason::SamePair) => (
            Fate::LeftOut,
            number::SAME_PAIR,
            format!("{me}'s {name} was left out: the same two actions counted in the last round."),
        ),
        ActionFate::Blocked { met: true } => (
            Fate::Blocked,
            number::BLOCKING,
            format!(
                "{me}'s {name} was blocked by {you}'s Block of the last round; it still counts against {you}'s {name}."
            ),
        ),
        ActionFate::Blocked { met: false } => {
            (Fate::Blocked, number::BLOCKING, format!("{me}'s {name} was blocked by {you}'s Block of the last round."))
        }
        ActionFate::Cancelled if copies(seat) < copies(seat.other()) => (
            Fate::Cancelled,
            number::CANCELLING,
            format!("{me}'s {name} was cancelled: {you} played more copies of it."),
        ),
        ActionFate::Cancelled => {
            (Fate::Cancelled, number::CANCELLING, format!("{me}'s {name} was cancelled: both players played it."))
        }
        ActionFate::ClaimStolen => {
            (Fate::Failed, number::CLAIM, format!("{me}'s Claim failed: {you}'s Steal took the pot."))
        }
        ActionFate::NothingToSteal(why) => {
            let why = match why {
                NoClaim::NotPlayed => format!("{you} played no Claim"),
                NoClaim::Cancelled => format!("{you}'s Claim was cancelled"),
                NoClaim::Blocked => format!("{you}'s Claim was blocked"),
            };
            (Fate::Failed, number::STEAL, format!("{me}'s Steal failed: {why}."))
        }
        ActionFate::Resolved => {
            let (rule, text) = resolved(game, (seat, sent), action, resolution, next);
            (Fate::Resolved, rule, text)
        }
    };
    Effect { seat: Some(seat), subject: name.into(), fate, rule, text, hand: None }
}

fn resolved(
    game: &FiveCardTrick,
    (seat, sent): (Seat, &Submission),
    action: Action,
    resolution: &Resolution,
    next: NextRound,
) -> (&'static str, String) {
    let rules = &game.rules;
    let (me, you, name) = (seat.name(), seat.other().name(), rules.name(action));
    // The first seat's Grow comes before the second's, and both before Claim and Steal.
    let before = |grower: &Seat| action != Action::Grow || *grower <= seat;
    let grown = Seat::BOTH.into_iter().filter(before).filter(|grower| resolution.live(*grower, Action::Grow));
    let pot = chips(rules, grown.fold(game.pot, |pot, _| pot + 1));
    match action {
        Action::Score => (number::SCORE, format!("{me}'s {name} gained 1 {}.", rules.chip())),
        Action::Grow => (number::GROW, format!("{me}'s {name} added 1 {} to the pot, making {pot}.", rules.chip())),
        Action::Claim => (number::CLAIM, format!("{me}'s Claim took the pot of {pot}.")),
        Action::Steal => (number::STEAL, format!("{me}'s Steal took the pot of {pot} from {you}'s Claim.")),
        Action::Block => (number::BLOCK, block(rules, seat, sent.target, next)),
    }
}

fn block(rules: &Rules, seat: Seat, target: Target, next: NextRound) -> String {
    let (me, you) = (seat.name(), seat.other().name());
    let barred = match target {
        Target::Action(target) => rules.name(target),
        Target::None => "nothing",
    };
    match next {
        NextRound::Played => format!("{me}'s Block bars {barred} for {you} in the next round."),
        NextRound::Unsure => format!("{me}'s Block bars {barred} for {you} in the next round, if there is one."),
        NextRound::None => format!("{me}'s Block named {barred}."),
    }
}

pub(super) fn replayed(round: u16) -> Effect {
    event(None, number::REPLAY, format!("Nobody sent anything in time: round {round} is replayed."))
}

pub(super) fn all_lit(rules: &Rules, seat: Seat) -> Effect {
    let (_, lights) = rules.light();
    let lights = lights.to_ascii_lowercase();
    event(
        Some(seat),
        number::ROUND_END,
        format!("All five {lights} of {} are on: {0} gains 1 {}, and the {lights} go off.", seat.name(), rules.chip()),
    )
}

pub(super) fn new_pot(rules: &Rules) -> Effect {
    event(None, number::ROUND_END, format!("The pot was empty and now holds 1 {}.", rules.chip()))
}

pub(super) fn window(seat: Seat, pot: u16, rules: &Rules) -> Effect {
    let text = format!("Both Claims tied: {} may use Claim Priority now and take {}.", seat.name(), chips(rules, pot));
    event(Some(seat), number::CLAIM_PRIORITY, text)
}

pub(super) fn priority_used(seat: Seat, taken: u16, rules: &Rules) -> Effect {
    let text = format!("{} used Claim Priority and took {}; the pot holds 1 again.", seat.name(), chips(rules, taken));
    Effect { subject: "Claim Priority".into(), fate: Fate::Resolved, ..event(Some(seat), number::CLAIM_PRIORITY, text) }
}

pub(super) fn priority_declined(seat: Seat, missing: bool) -> Effect {
    let how = if missing { "did not answer in time, and keeps" } else { "declined, and keeps" };
    let fate = if missing { Fate::Defaulted } else { Fate::Event };
    Effect { fate, ..event(Some(seat), number::CLAIM_PRIORITY, format!("{} {how} Claim Priority.", seat.name())) }
}

pub(super) fn extended(round: u16) -> Effect {
    let text = format!("The score is tied after round {round}: five more rounds follow.");
    event(None, number::END, text)
}

pub(super) fn ended(game: &FiveCardTrick) -> Effect {
    let Outcome::Over(ending) = game.outcome() else {
        return event(None, number::END, "The match goes on.".into());
    };
    let rule = if ending.reason == super::state::MORE_CHIPS { number::END } else { number::TIE };
    let text = match ending.verdict {
        Verdict::Won(seat) => format!("{} wins: {}.", seat.name(), ending.reason.phrase),
        _ => format!("The rules name no winner: {}. The umpire decides.", ending.reason.phrase),
    };
    event(ending.verdict.winner(), rule, text)
}

pub(super) fn describe(rules: &Rules, sent: &Move) -> String {
    let sent = match sent {
        Move::Missing => return "no move".into(),
        Move::UseClaimPriority => return "uses Claim Priority".into(),
        Move::Decline => return "declines, and keeps Claim Priority".into(),
        Move::Submission(sent) => sent,
    };
    let mut parts = Vec::new();
    for action in sent.actions.kinds() {
        let name = rules.name(action);
        let twice = if sent.actions.copies(action) > 1 { " twice" } else { "" };
        parts.push(match (action, sent.target) {
            (Action::Block, Target::Action(target)) => format!("{name}{twice} on {}", rules.name(target)),
            (Action::Block, Target::None) => format!("{name}{twice} on nothing"),
            _ => format!("{name}{twice}"),
        });
    }
    if parts.is_empty() {
        parts.push("nothing, on purpose".into());
    }
    let mut text = parts.join(" and ");
    if sent.overload {
        text.push_str(", with Overload");
    }
    if sent.limit_reset {
        text.push_str(", with Limit Reset");
    }
    text
}

pub(super) fn kind(rules: &Rules, kind: &str) -> String {
    match kind {
        "nothing" => return "nothing, on purpose".into(),
        "use claim-priority" => return "uses Claim Priority".into(),
        "decline" => return "keeps Claim Priority".into(),
        _ => {}
    }
    let (mut names, mut items): (Vec<&str>, String) = (Vec::new(), String::new());
    for word in kind.split(' ') {
        if let Some(action) = Action::ALL.into_iter().find(|action| rules.word(*action) == word) {
            names.push(rules.name(action));
        } else if let Some(item) = Item::ALL.into_iter().find(|item| word.strip_prefix('+') == Some(item.word())) {
            items += ", with ";
            items += item.name();
        } else {
            return kind.into();
        }
    }
    let parts: Vec<String> = names
        .chunk_by(|a, b| a == b)
        .filter_map(|same| Some((same.len(), same.first()?)))
        .map(|(copies, name)| if copies > 1 { format!("{name} twice") } else { (*name).into() })
        .collect();
    parts.join(" and ") + &items
}

pub(super) fn forewarn(game: &FiveCardTrick, seat: Seat, sent: &Move) -> Vec<String> {
    let Move::Submission(sent) = sent else { return Vec::new() };
    let (rules, counting) = (game.rules, game.count(seat, Some(sent)));
    let left_out = sent.actions.kinds().filter_map(|action| {
        let name = rules.name(action);
        Some(match counting.left_out(action)? {
            LeftOutReason::NoTarget => {
                format!("Choose which action to block: without one, Block is left out (rule {}).", number::TARGET)
            }
            LeftOutReason::ThirdInARow => {
                format!(
                    "{name} counted in both of the last two rounds: it will be left out (rule {}).",
                    number::THIRD_IN_A_ROW
                )
            }
            LeftOutReason::SamePair => format!(
                "The same two actions counted in the last round: {name} will be left out (rule {}).",
                number::SAME_PAIR
            ),
        })
    });
    let barred = game.blocked[seat].filter(|action| counting.counted.has(*action)).map(|action| {
        format!(
            "{} is blocked this round: it counts and {}, but does not act (rule {}).",
            rules.name(action),
            match rules.words {
                super::rules::Words::Chips => "turns its light on",
                super::rules::Words::Gems => "lights its torch",
            },
            number::BLOCKING
        )
    });
    left_out.chain(barred).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{DM_COLOSSEUM_2, FiveCardTrick};
    use crate::game::Game;
    use crate::{GameMatch, Seat, Setup};

    #[test]
    fn who_names_the_blocked_action_is_warned_and_who_does_not_is_not() {
        let mut game = GameMatch::<FiveCardTrick>::start(&DM_COLOSSEUM_2.rules, &Setup::default());
        let round = game.read_step("1. score grow / score block:score").unwrap();
        game.play_step(&round, &mut ()).unwrap();
        let warnings =
            |text: &str| super::forewarn(game.game(), Seat::P1, &game.game().read_joint(Seat::P1, text).unwrap());
        assert_eq!(
            warnings("score claim"),
            ["Score is blocked this round: it counts and turns its light on, but does not act (rule 1.4)."]
        );
        assert!(warnings("grow claim").is_empty());
    }
}
