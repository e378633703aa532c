//! Moments of the matches in `fixtures/`, as the public sees them while the match runs.

use std::fs;
use std::path::{Path, PathBuf};

use engine::dmn::Replay;
use engine::{Duel, Effect, Panel, Place, Sight, name_seats, ruleset};

use crate::picture::Scene;

pub(crate) fn matches() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/matches")
}

/// The scene after this many steps of a match, or after all if it has fewer, with the events of its last row, and the
/// hands that its last step showed.
pub(crate) fn after(file: &str, steps: usize) -> Scene {
    seen(file, steps, Sight::Public)
}

/// The same, as a viewer sees it.
pub(crate) fn seen(file: &str, steps: usize, sight: Sight) -> Scene {
    let path = matches().join(file).with_extension("dmn");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut replay = Replay::open(&text).expect("a match");
    let tags = replay.tags().clone();
    let mut duel = Duel::open(&tags.setup).expect("a setup");
    let (mut before, mut round, mut said, mut hands) = (duel.clone(), 0, Vec::new(), Vec::new());
    for _ in 0..steps {
        let Some(line) = replay.play(None) else { break };
        let (old, mut effects) = (duel.clone(), Vec::new());
        let played = duel.play(&line.expect("a legal step").played.text, Some(&mut effects)).expect("the same");
        if played.row.place != Place::Same || round != played.row.round {
            (before, round, said) = (old, played.row.round, Vec::new());
        }
        let names = tags.names.as_ref().map(String::as_str);
        let shown = effects.iter().filter_map(|effect| Some((effect.seat, effect.hand.clone()?)));
        hands = shown
            .map(|(seat, hand)| Panel::Cards { title: "Hand".into(), seat, groups: vec![hand], in_play: true })
            .collect();
        said.extend(effects.iter().map(|effect: &Effect| name_seats(&effect.text, names)));
    }
    let mut view = duel.view(sight);
    view.panels.splice(..0, hands);
    Scene {
        game: ruleset(&tags.setup.ruleset).expect("a ruleset").card().title.to_string(),
        moment: format!("Round {round}, after"),
        names: tags.names,
        winner: duel.outcome().winner(),
        view: Some(view),
        since: before.view(sight).figures,
        said,
    }
}
