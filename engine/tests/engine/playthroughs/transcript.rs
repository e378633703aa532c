//! A playthrough as a text: the lines, their effects, and the state for four viewers. A panel is written when it
//! differs from the one a step before.

use std::collections::BTreeMap;
use std::fmt::Write;

use engine::{Ask, Duel, Effect, Party, PlayedStep, Seat, Sight, To};

use crate::seeded::Game;
use crate::shown;

const SIGHTS: [(&str, Sight); 4] = [
    ("public", Sight::Public),
    ("p1", Sight::Seat(Seat::P1)),
    ("p2", Sight::Seat(Seat::P2)),
    ("umpire", Sight::Everything),
];

/// A text that grows step by step. Writing to a String cannot fail.
pub(crate) struct Transcript {
    out: String,
    /// The panels of each viewer, one step ago.
    before: BTreeMap<&'static str, Vec<String>>,
    found: Vec<String>,
}

impl Transcript {
    /// The whole match.
    pub(crate) fn of(mut game: Game, seed: u64) -> String {
        let mut transcript = Self { out: String::new(), before: BTreeMap::new(), found: Vec::new() };
        let setup = &game.setup;
        transcript.line("", &format!("{}, seed {seed}", setup.ruleset));
        let options: Vec<String> = setup.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let dmo = setup.dmo.map_or("nobody", Seat::word);
        let items = [&setup.items.p1, &setup.items.p2].map(|items| items.join(" "));
        transcript
            .line("setup", &format!("dmo {dmo}; options [{}]; items [{}] [{}]", options.join(" "), items[0], items[1]));
        transcript.moment(&game.duel);
        let mut step = 0;
        while !game.duel.outcome().is_over() {
            let line = game.line();
            let mut effects = Vec::new();
            let played = game.duel.play(&line, Some(&mut effects)).unwrap();
            step += 1;
            transcript.step(step, &played, &effects);
            transcript.moment(&game.duel);
        }
        transcript.out
    }

    fn line(&mut self, head: &str, text: &str) {
        let _ = writeln!(self.out, "{}", format!("{head:<8} {text}").trim_end());
    }

    fn step(&mut self, step: usize, played: &PlayedStep, effects: &[Effect]) {
        let _ = writeln!(self.out, "\n== {step}. {}", played.text);
        let row = format!("{} {:?}", played.row.round, played.row.place);
        self.line("row", &row);
        if played.public != played.text {
            self.line("told", &played.public);
        }
        for (head, list) in [("keeps", &played.keeps), ("shows", &played.shows)] {
            if !list.is_empty() {
                self.line(head, &shown::fields(list));
            }
        }
        for effect in effects {
            self.line("effect", &shown::effect(effect));
        }
    }

    /// The current state.
    fn moment(&mut self, duel: &Duel) {
        let outcome = duel.outcome();
        if outcome.is_over() {
            let winner = outcome.winner().map_or("nobody", Seat::word);
            self.line("result", &format!("{} {winner} {}", outcome.status(), outcome.reason()));
        }
        let public = duel.state(Sight::Public);
        let mut alike = Vec::new();
        for (name, sight) in SIGHTS {
            let state = duel.state(sight);
            if sight != Sight::Public && state == public {
                alike.push(name);
            } else {
                self.line("state", &format!("{name} {state}"));
            }
        }
        self.alike("state", &alike);
        self.views(duel);
        for ask in duel.asks() {
            self.ask(duel, &ask);
        }
        let found: Vec<String> = duel
            .analyse()
            .iter()
            .map(|insight| format!("{} {} {}: {}", insight.seat, insight.what, insight.holds, insight.witness))
            .collect();
        if found != self.found {
            found.iter().for_each(|found| self.line("found", found));
            self.found = found;
        }
    }

    /// Names the viewers who see the same as the public.
    fn alike(&mut self, head: &str, names: &[&str]) {
        if !names.is_empty() {
            self.line(head, &format!("{} = public", names.join(" ")));
        }
    }

    fn views(&mut self, duel: &Duel) {
        let public = duel.view(Sight::Public);
        let mut alike = Vec::new();
        for (name, sight) in SIGHTS {
            let view = duel.view(sight);
            let panels: Vec<String> = view.panels.iter().map(shown::panel).collect();
            let before = self.before.insert(name, panels.clone()).unwrap_or_default();
            if sight != Sight::Public && view == public {
                alike.push(name);
                continue;
            }
            self.line("view", &format!("{name} {}", shown::figures(&view.figures)));
            for panel in panels.iter().filter(|panel| !before.contains(panel)) {
                self.line("", &format!("  {}", panel.replace('\n', "\n           ")));
            }
            let gone = before.iter().filter(|panel| !panels.contains(panel)).count();
            let kept = panels.iter().filter(|panel| before.contains(panel)).count();
            if kept > 0 || gone > 0 {
                self.line("", &format!("  {kept} panels as before, {gone} gone"));
            }
        }
        self.alike("view", &alike);
    }

    fn ask(&mut self, duel: &Duel, ask: &Ask) {
        let parties = match ask.to {
            To::Both => Seat::BOTH.map(Party::Seat).to_vec(),
            To::One(seat) => vec![Party::Seat(seat)],
            To::Host => vec![Party::Host],
        };
        self.line("asks", &shown::ask(ask));
        let forms: Vec<String> =
            parties.iter().filter_map(|party| duel.form(*party, &ask.what)).map(|form| shown::form(&form)).collect();
        match forms.as_slice() {
            [p1, p2] if p1 != p2 => {
                self.line("", &format!("  p1 {p1}"));
                self.line("", &format!("  p2 {p2}"));
            }
            [form, ..] => self.line("", &format!("  {form}")),
            [] => {}
        }
    }
}
