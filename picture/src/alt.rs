//! The same moment in words, for people who cannot see the picture.

use engine::{BySeat, Panel, Seat};

use crate::panels::whose;
use crate::scene::Scene;
use crate::text::plain;

/// Up to this many cards are named one by one.
const TOLD: usize = 6;

pub(crate) fn heading(scene: &Scene) -> String {
    format!("{} \u{2013} {}. {}", scene.name(Seat::P1), scene.name(Seat::P2), plain(&scene.moment))
}

#[must_use]
pub fn alt(scene: &Scene) -> String {
    let mut sentences = vec![format!("{}, {}.", plain(&scene.game), lower(&plain(&scene.moment)))];
    for seat in Seat::BOTH {
        let own: Vec<String> = figures(scene, Some(seat)).chain(panels(scene, Some(seat))).collect();
        let name = scene.name(seat);
        sentences.push(if own.is_empty() { format!("{name}.") } else { format!("{name}: {}.", own.join("; ")) });
    }
    let shared: Vec<String> = figures(scene, None).chain(panels(scene, None)).collect();
    if !shared.is_empty() {
        sentences.push(capital(&format!("{}.", shared.join("; "))));
    }
    sentences.extend(scene.said.iter().map(|said| plain(said)));
    sentences.join(" ")
}

/// The text in at most `most` characters, in whole sentences if possible.
#[must_use]
pub fn short(scene: &Scene, most: usize) -> String {
    let all = alt(scene);
    let Some((end, _)) = all.char_indices().nth(most) else { return all };
    let cut = all.get(..end).unwrap_or_default();
    match cut.rfind(". ") {
        Some(stop) if stop * 2 > end => cut.get(..=stop).unwrap_or_default().to_owned(),
        _ => format!("{}\u{2026}", cut.chars().take(most.saturating_sub(1)).collect::<String>().trim_end()),
    }
}

/// "chips 12 (+2)".
fn figures(scene: &Scene, seat: Option<Seat>) -> impl Iterator<Item = String> {
    scene.figures(seat).map(|(figure, change)| {
        let change = change.map(|change| format!(" ({change})")).unwrap_or_default();
        format!("{} {}{change}", lower(&figure.label), figure.value)
    })
}

fn panels(scene: &Scene, seat: Option<Seat>) -> impl Iterator<Item = String> {
    let panels = scene.view.iter().flat_map(|view| &view.panels).filter(move |panel| whose(panel) == seat);
    panels.filter_map(|panel| told(scene, panel))
}

fn told(scene: &Scene, panel: &Panel) -> Option<String> {
    match panel {
        Panel::Lamps { title, lamps, .. } => {
            let lit: Vec<&str> = lamps.iter().filter(|lamp| lamp.lit).map(|lamp| lamp.name).collect();
            let lit = if lit.is_empty() { "none".to_owned() } else { lit.join(", ") };
            Some(format!("{} on: {lit}", lower(title)))
        }
        Panel::Notice { title, text, .. } => Some(format!("{}: {}", lower(title), bare(&scene.named(text)))),
        Panel::Cards { title, groups, .. } => {
            let groups = groups.iter().filter(|group| !group.cards.is_empty()).map(|group| {
                let names: Vec<&str> = group.cards.iter().map(|card| card.name.as_str()).collect();
                let cards = if names.len() > TOLD { format!("{} cards", names.len()) } else { names.join(", ") };
                if group.label.is_empty() { cards } else { format!("{} {cards}", lower(&group.label)) }
            });
            let groups: Vec<String> = groups.collect();
            (!groups.is_empty()).then(|| format!("{}: {}", lower(title), groups.join(", ")))
        }
        Panel::Grid { title, rows, current: true, .. } => {
            let cells = rows.iter().flat_map(|(_, cells)| cells);
            let up = cells.clone().filter(|cell| cell.up).count();
            Some(format!("{}: {up} of {} cards face up", plain(title), cells.count()))
        }
        Panel::Grid { .. } => None,
        Panel::Track { title, said } => {
            let (seat, last) = said.last()?;
            let names = BySeat::from_fn(|seat| scene.name(seat));
            Some(format!("{}: at last {} {}", lower(title), names[*seat], bare(&scene.named(last))))
        }
    }
}

fn bare(text: &str) -> &str {
    text.trim_end_matches('.')
}

fn lower(text: &str) -> String {
    let mut signs = text.chars();
    signs.next().map_or_else(String::new, |first| first.to_lowercase().chain(signs).collect())
}

fn capital(text: &str) -> String {
    let mut signs = text.chars();
    signs.next().map_or_else(String::new, |first| first.to_uppercase().chain(signs).collect())
}
