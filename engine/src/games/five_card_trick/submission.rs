//! A seat's move, read leniently and written canonically.

use alloc::string::String;

use super::rules::Rules;
use super::{Action, Actions};
use crate::{Refusal, Stream, vocabulary};

/// A seat's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Nothing came in time: `-`.
    Missing,
    /// A round's submission.
    Submission(Submission),
    /// `use claim-priority`, in its window.
    UseClaimPriority,
    /// `decline`, in its window.
    Decline,
}

/// A round's submission, as it is written. No action at all is a deliberate `nothing`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Submission {
    /// The actions with their copies.
    pub actions: Actions,
    /// The target of the Block.
    pub target: Target,
    /// The item is used with it.
    pub overload: bool,
    /// The item is used with it.
    pub limit_reset: bool,
}

/// The target of a Block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// None.
    #[default]
    None,
    /// This action of the opponent.
    Action(Action),
}

/// An item of the final.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// Three actions in one round.
    Overload,
    /// The pot after tied Claims.
    ClaimPriority,
    /// One round without limits.
    LimitReset,
}

impl Item {
    /// All three, in canonical order.
    pub const ALL: [Self; 3] = [Self::Overload, Self::ClaimPriority, Self::LimitReset];
    /// Their words, in the same order.
    pub const WORDS: [&'static str; 3] = ["overload", "claim-priority", "limit-reset"];

    /// The notation's word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Overload => "overload",
            Self::ClaimPriority => "claim-priority",
            Self::LimitReset => "limit-reset",
        }
    }

    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Overload => "Overload",
            Self::ClaimPriority => "Claim Priority",
            Self::LimitReset => "Limit Reset",
        }
    }
}

#[derive(Clone, Copy)]
enum Word {
    Action(Action),
    Nothing,
}

pub(super) fn sample(rules: &Rules, stream: &mut impl Stream) -> Submission {
    let (least, most) = rules.picks();
    let mut sent = Submission::default();
    if rules.has_items() {
        sent.overload = stream.below(16) == 0;
        sent.limit_reset = stream.below(16) == 0;
    }
    let count = u64::from(least) + stream.below(u64::from(most - least) + 1) + u64::from(sent.overload);
    while u64::from(sent.actions.count()) < count {
        let action = usize::try_from(stream.below(5)).ok().and_then(|at| Action::ALL.get(at)).copied();
        let Some(action) = action.filter(|action| rules.doubles() || !sent.actions.has(*action)) else { continue };
        sent.actions.add(action);
    }
    let target = usize::try_from(stream.below(5)).ok().and_then(|at| Action::ALL.get(at));
    if let Some(target) = target.filter(|_| sent.actions.has(Action::Block)) {
        sent.target = Target::Action(*target);
    }
    sent
}

pub(super) fn read(rules: &Rules, text: &str) -> Result<Move, Refusal> {
    if text == "-" {
        return Ok(Move::Missing);
    }
    let all = Action::ALL.map(|action| (rules.word(action), Word::Action(action)));
    let [a, b, c, d, e] = all;
    let with_nothing = [a, b, c, d, e, ("nothing", Word::Nothing)];
    let vocabulary: &[(&str, Word)] = if rules.picks().0 == 0 { &with_nothing } else { &all };
    let mut sent = Submission::default();
    let mut nothing = None;
    let mut blocks = (0_u8, 0_u8);
    let mut tokens = vocabulary::split(text);
    while let Some((at, token)) = tokens.next() {
        if let Some(item) = token.strip_prefix('+') {
            read_item(rules, item, at, token, &mut sent)?;
            continue;
        }
        let (word, target) = match token.split_once(':') {
            // "Block: Claim"
            Some((word, "")) => (word, tokens.next().or(Some((at + token.len(), "")))),
            Some((word, target)) => (word, Some((at + word.len() + 1, target))),
            None => (token, None),
        };
        match (vocabulary::find(word, at, vocabulary)?, target) {
            (Word::Nothing, None) if nothing.is_some() => {
                return Err(Refusal::of_text(at, token, "nothing is said once"));
            }
            (Word::Nothing, None) => nothing = Some((at, token)),
            (Word::Action(action), None) => {
                blocks.0 += u8::from(action == Action::Block);
                sent.actions.add(action);
            }
            (Word::Action(Action::Block), Some((at, target))) => {
                let target = read_target(rules, target, at)?;
                if blocks.1 > 0 && sent.target != target {
                    return Err(Refusal::of_text(at, token, "a doubled Block names one target"));
                }
                blocks.1 += 1;
                sent.actions.add(Action::Block);
                sent.target = target;
            }
            (_, Some(_)) => return Err(Refusal::of_text(at, token, "only Block names a target")),
        }
        if sent.actions.count() > 5 {
            return Err(Refusal::of_text(at, token, "expected the end of the move: these are too many actions"));
        }
    }
    if let Some((at, token)) = nothing
        && sent != Submission::default()
    {
        return Err(Refusal::of_text(at, token, "nothing must be the only word"));
    }
    if nothing.is_none() && sent.actions.is_empty() {
        return Err(Refusal::of_text(0, text, "expected actions beside the items"));
    }
    if blocks.0 > 0 && blocks.1 > 0 && rules.doubles() {
        return Err(Refusal::of_text(0, text, "a doubled Block names one target, and names it twice"));
    }
    Ok(Move::Submission(sent))
}

fn read_item(rules: &Rules, item: &str, at: usize, token: &str, sent: &mut Submission) -> Result<(), Refusal> {
    if !rules.has_items() {
        return Err(Refusal::of_text(at, token, "this ruleset has no items"));
    }
    let used = match vocabulary::find(item, at + 1, &[("overload", Item::Overload), ("limit-reset", Item::LimitReset)])?
    {
        Item::Overload => &mut sent.overload,
        _ => &mut sent.limit_reset,
    };
    if core::mem::replace(used, true) {
        return Err(Refusal::of_text(at, token, "an item is used once"));
    }
    Ok(())
}

fn read_target(rules: &Rules, target: &str, at: usize) -> Result<Target, Refusal> {
    if target == "?" {
        return Err(Refusal::of_sealed(at));
    }
    vocabulary::find(target, at, &Action::ALL.map(|action| (rules.word(action), action))).map(Target::Action)
}

pub(super) fn read_window(text: &str) -> Result<Move, Refusal> {
    #[derive(Clone, Copy, PartialEq)]
    enum Word {
        Use,
        Item,
        Decline,
    }
    if text == "-" {
        return Ok(Move::Missing);
    }
    let vocabulary = [("use", Word::Use), ("claim-priority", Word::Item), ("decline", Word::Decline)];
    let (mut first, mut second) = (None, None);
    for (at, token) in vocabulary::split(text) {
        let word = vocabulary::find(token, at, &vocabulary)?;
        match (first, second) {
            (None, _) => first = Some(word),
            (Some(_), None) => second = Some(word),
            _ => return Err(Refusal::of_text(at, token, "expected the end of the line")),
        }
    }
    match (first, second) {
        (Some(Word::Decline), None) => Ok(Move::Decline),
        (Some(Word::Use), Some(Word::Item)) | (Some(Word::Item), Some(Word::Use)) => Ok(Move::UseClaimPriority),
        _ => Err(Refusal::of_text(0, text, "expected \"use claim-priority\" or \"decline\"")),
    }
}

pub(super) fn write(rules: &Rules, sent: &Move, hide_target: bool, out: &mut String) {
    let sent = match sent {
        Move::Missing => return out.push('-'),
        Move::UseClaimPriority => return out.push_str("use claim-priority"),
        Move::Decline => return out.push_str("decline"),
        Move::Submission(sent) => sent,
    };
    if sent.actions.is_empty() {
        out.push_str("nothing");
    }
    for (n, action) in sent.actions.each().enumerate() {
        if n > 0 {
            out.push(' ');
        }
        out.push_str(rules.word(action));
        match sent.target {
            Target::Action(_) if action == Action::Block && hide_target => out.push_str(":?"),
            Target::Action(target) if action == Action::Block => {
                out.push(':');
                out.push_str(rules.word(target));
            }
            _ => {}
        }
    }
    if sent.overload {
        out.push_str(" +overload");
    }
    if sent.limit_reset {
        out.push_str(" +limit-reset");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::five_card_trick::DM_COLOSSEUM_2;

    #[test]
    fn moves_are_read_as_people_write_them() {
        let rules = &DM_COLOSSEUM_2.rules;
        for (typed, written) in [
            ("Score + Grow", "score grow"),
            ("Score, Block: Claim", "score block:claim"),
            ("block:claim; grow", "grow block:claim"),
            ("Block:Claim & Steal,", "steal block:claim"),
        ] {
            let mut canonical = String::new();
            write(rules, &read(rules, typed).unwrap(), false, &mut canonical);
            assert_eq!(canonical, written, "{typed}");
        }
        for (typed, found) in [("Score, Block:", ""), ("score,, grog", "grog"), ("score: grow", "score:")] {
            assert_eq!(read(rules, typed).unwrap_err().found, found, "{typed}");
        }
    }
}
