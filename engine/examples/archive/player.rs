//! The players of the archive: weights for each style, and now and then a slip.

use engine::{BySeat, Choice, Duel, Form, Panel, Seat, Sight};

use crate::chance::Chance;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Player {
    pub(crate) name: &'static str,
    pub(crate) style: Style,
}

/// The habits of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// A bit of everything.
    Even,
    /// Score, and Claim whatever is in the pot.
    Greedy,
    /// Grow first, Claim later.
    Builder,
    /// Bars the actions that the other seat needs.
    Blocker,
    /// Waits for the other seat's Claim.
    Thief,
    /// Repeats the other seat's actions.
    Mirror,
    /// Never claims: the other seat might steal.
    Wary,
}

/// The facts that a seat sees before it chooses.
struct Table<'d> {
    duel: &'d Duel,
    state: String,
    pot: u32,
    lights: BySeat<Vec<bool>>,
}

/// The next line of the match: a window's answer, or both seats' moves.
pub(crate) fn line(duel: &Duel, styles: BySeat<Style>, chance: &mut Chance) -> String {
    let asks = duel.asks();
    let table = Table::of(duel);
    let window = asks.iter().find_map(|ask| match ask.to {
        engine::To::One(seat) => Some((seat, ask.optional)),
        _ => None,
    });
    if let Some((seat, optional)) = window {
        if chance.below(4) + 1 < table.pot {
            return format!("{seat}: use claim-priority");
        }
        if !optional && chance.thousandths(120) {
            return format!("{seat}: -");
        }
        if !optional || chance.thousandths(350) {
            return format!("{seat}: decline");
        }
    }
    let both_away = chance.thousandths(12);
    let moves = BySeat::from_fn(|seat| {
        if both_away || chance.thousandths(12) { "-".to_owned() } else { table.choose(seat, styles[seat], chance) }
    });
    duel.line(&moves.map(Some))
}

impl<'d> Table<'d> {
    fn of(duel: &'d Duel) -> Self {
        let view = duel.view(Sight::Public);
        let lamps = |whose: Seat| {
            let of = |panel: &Panel| match panel {
                Panel::Lamps { seat, lamps, .. } if *seat == whose => Some(lamps.iter().map(|lamp| lamp.lit).collect()),
                _ => None,
            };
            view.panels.iter().find_map(of).unwrap_or_default()
        };
        let pot = view.figures.iter().find(|figure| figure.name == "pot").map_or(1, |figure| figure.value.max(1));
        let pot = u32::try_from(pot).unwrap_or(1);
        Self { duel, state: duel.state(Sight::Public), pot, lights: BySeat::from_fn(lamps) }
    }

    /// A member of the state by seat, as text.
    fn member(&self, key: &str, seat: Seat) -> &str {
        let after = self.state.split_once(&format!("\"{key}\":{{")).map_or("", |(_, after)| after);
        let value = after.split_once(&format!("\"{seat}\":")).map_or("", |(_, value)| value);
        let end = if value.starts_with('[') { value.find(']') } else { value.find([',', '}']) };
        &value[..end.unwrap_or(0)]
    }

    fn choose(&self, seat: Seat, style: Style, chance: &mut Chance) -> String {
        let Some(Form::Words { choices, least, most }) = self.duel.form(seat, "round") else { return "-".to_owned() };
        let items: Vec<&Choice> = choices.iter().filter(|choice| choice.word.starts_with('+')).collect();
        let actions: Vec<&Choice> = choices.iter().filter(|choice| !choice.word.starts_with('+')).collect();
        let slip = chance.thousandths(30);
        if least == 0 && chance.thousandths(6) {
            return "nothing".to_owned();
        }
        let stuck = actions.iter().any(|action| action.barred.is_some());
        for _ in 0..80 {
            let overload = items.iter().any(|item| item.word == "+overload") && chance.thousandths(60);
            let reset = stuck && items.iter().any(|item| item.word == "+limit-reset") && chance.thousandths(60);
            let count = match (least, overload) {
                (_, true) => 3,
                (0, _) if actions.len() == 3 => 1 + chance.below(2),
                (0, _) if chance.thousandths(70) => 1,
                _ => u32::from(most.min(2)),
            };
            let weights: Vec<u32> =
                actions.iter().map(|action| self.weight(seat, style, action, slip || reset)).collect();
            let mut sent = self.draw(seat, &actions, weights, count, slip, chance);
            if overload {
                sent.push_str(" +overload");
            }
            if reset {
                sent.push_str(" +limit-reset");
            }
            if let Ok(reading) = self.duel.read(seat, "round", &sent) {
                let lost = reading.notes.iter().any(|note| note.contains("left out"));
                if slip || !lost {
                    return reading.text;
                }
            }
        }
        "-".to_owned()
    }

    fn draw(
        &self,
        seat: Seat,
        actions: &[&Choice],
        mut weights: Vec<u32>,
        count: u32,
        slip: bool,
        chance: &mut Chance,
    ) -> String {
        let mut words = Vec::new();
        let target = self.target(seat, chance);
        for _ in 0..count {
            let Some(at) = chance.weighted(&weights) else { break };
            let action = actions[at];
            let bare = action.targets.is_empty() || (slip && chance.thousandths(300));
            words.push(if bare { action.word.to_string() } else { format!("{}:{target}", action.word) });
            weights[at] = if action.copies > 1 { weights[at] / 4 } else { 0 };
        }
        words.join(" ")
    }

    /// The action of the other seat that this seat most wants to prevent.
    fn target(&self, seat: Seat, chance: &mut Chance) -> &'static str {
        let Some(Form::Words { choices, .. }) = self.duel.form(seat, "round") else { return "claim" };
        let raises = choices.iter().any(|choice| choice.word == "raise");
        let words = ["score", if raises { "raise" } else { "grow" }, "claim", "steal", "block"];
        let claim = 2 + self.pot;
        chance.weighted(&[4, 2, claim, self.pot, 1]).map_or("claim", |at| words[at])
    }

    fn weight(&self, seat: Seat, style: Style, action: &Choice, daring: bool) -> u32 {
        if action.barred.is_some() && !daring {
            return 0;
        }
        let pot = self.pot.min(8);
        let (score, grow, claim, steal, block) = match style {
            Style::Even | Style::Mirror => (8, 7, 4 + 3 * pot, 3 + 2 * pot, 7),
            Style::Greedy => (14, 4, 6 + 4 * pot, 3 + pot, 4),
            Style::Builder => (7, 16, 1 + 4 * pot, 2 + pot, 5),
            Style::Blocker => (8, 5, 3 + 3 * pot, 3 + 2 * pot, 18),
            Style::Thief => (7, 6, 2 + 2 * pot, 6 + 4 * pot, 6),
            Style::Wary => (12, 6, 0, 5, 9),
        };
        let mut weight = match &*action.word {
            "score" => score,
            "grow" | "raise" => grow,
            "claim" => claim,
            "steal" => steal,
            _ => block,
        } * 4;
        let lights = &self.lights[seat];
        let own = matches!(&*action.word, "score" | "grow" | "raise" | "claim" | "steal" | "block")
            && self.member("lights", seat).contains(&*action.word);
        let lit = lights.iter().filter(|lit| **lit).count();
        if !own && lit + 2 >= lights.len() && style != Style::Wary {
            weight *= 3;
        }
        if self.member("blocked", seat).contains(&*action.word) {
            weight /= 4;
        }
        if style == Style::Mirror && self.member("counted", seat.other()).contains(&*action.word) {
            weight *= 4;
        }
        weight
    }
}
