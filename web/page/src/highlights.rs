//! The highlights of a match as links to its moments. Pages without spoilers must not show them.

use app::views::{Beat, Highlight, Highlights};
use askama::Template;
use engine::{BySeat, Ruleset};
use record::words::{in_unit, row_words};

use super::Urls;
use super::urls::Link;

const LEAD_CHANGES_LINKED: usize = 8;

#[derive(Debug, Template)]
#[template(path = "highlights.html")]
pub struct HighlightList {
    lines: Vec<Line>,
}

#[derive(Debug)]
struct Line {
    before: Option<String>,
    links: Vec<Link>,
    more: usize,
}

impl HighlightList {
    /// The highlights with these players, their margins in what this ruleset counts; none if nothing stands out.
    pub fn of(found: &Highlights, names: BySeat<&str>, ruleset: &dyn Ruleset, urls: &Urls) -> Option<Self> {
        let line =
            |row: &str, words: String| Line { before: None, links: vec![urls.link(row, Beat::After, words)], more: 0 };
        let with_margin = |highlight: &Highlight, margin: &str, words: &str| {
            let (round, name) = (in_a_sentence(&highlight.row), names[highlight.seat]);
            let words = words.replace("{round}", &round).replace("{margin}", margin);
            line(&highlight.row, words.replace("{name}", name))
        };
        let mut lines = Vec::new();
        if let Some(decision) = &found.decision {
            let (round, name) = (in_a_sentence(&decision.row), names[decision.seat]);
            let words = if decision.led {
                format!("{name} led for good from {round}")
            } else {
                format!("Decided at the end, in {round}")
            };
            lines.push(line(&decision.row, words));
        }
        lines.extend(lead_changes(&found.lead_changes, urls));
        lines.extend(found.swing.as_ref().map(|swing| {
            let margin = in_unit(swing.points, &ruleset.lead_unit());
            with_margin(swing, &margin, "Largest swing: {margin} for {name}, in {round}")
        }));
        lines.extend(found.comeback.as_ref().map(|back| {
            let margin = in_unit(back.points, &ruleset.score_unit());
            with_margin(back, &margin, "{name} was {margin} behind after {round}, and won")
        }));
        if let Some(finish) = &found.finish {
            let words = match finish.points {
                0 => "Tied at the end".to_owned(),
                points => format!("{} apart at the end", in_unit(points, &ruleset.score_unit())),
            };
            lines.push(line(&finish.row, words));
        }
        (!lines.is_empty()).then_some(Self { lines })
    }
}

fn lead_changes(rows: &[String], urls: &Urls) -> Option<Line> {
    let count = match rows.len() {
        0 => return None,
        1 => "The lead changed once:".to_owned(),
        2 => "The lead changed twice:".to_owned(),
        n => format!("The lead changed {n} times:"),
    };
    let links = rows.iter().take(LEAD_CHANGES_LINKED).map(|row| urls.link(row, Beat::After, in_a_sentence(row)));
    let more = rows.len().saturating_sub(LEAD_CHANGES_LINKED);
    Some(Line { before: Some(count), links: links.collect(), more })
}

pub(super) fn in_a_sentence(row: &str) -> String {
    row_words(row).replacen("Round", "round", 1).replacen("Before", "before", 1)
}

#[cfg(test)]
mod tests {
    use app::views::Finish;
    use engine::Seat;
    use ledger::MatchId;

    use super::*;
    use web_http::ViewParams;

    #[test]
    fn each_highlight_leads_to_its_moment() {
        let urls = Urls::of(MatchId(uuid::Uuid::nil()), ViewParams::default());
        let found = Highlights {
            lead_changes: (1..=10).map(|row| row.to_string()).collect(),
            swing: Some(Highlight { row: "7b".to_owned(), seat: Seat::P2, points: 5 }),
            finish: Some(Finish { row: "25".to_owned(), points: 0 }),
            ..Highlights::default()
        };
        let rules = |id| engine::ruleset(id).unwrap();
        let (ruleset, names) = (rules("five-card-trick/dm-colosseum-2"), BySeat { p1: "Ada", p2: "<Bo>" });
        let drawn = HighlightList::of(&found, names, ruleset, &urls).unwrap().render().unwrap();
        assert!(drawn.contains("The lead changed 10 times: <a href=\"/m/"), "{drawn}");
        assert!(drawn.contains("/r/8/after\">round 8</a> and 2 more</li>"), "{drawn}");
        assert!(drawn.contains("/r/7b/after\">Largest swing: 5 chips for &#60;Bo&#62;, in round 7b</a>"), "{drawn}");
        assert!(drawn.contains("/r/25/after\">Tied at the end</a>"), "{drawn}");
        let hands = Highlights { finish: Some(Finish { row: "17".to_owned(), points: 1 }), ..found };
        let drawn =
            HighlightList::of(&hands, names, rules("thwart-13/legends-untold"), &urls).unwrap().render().unwrap();
        assert!(drawn.contains("Largest swing: 5 claimed cards for "), "{drawn}");
        assert!(drawn.contains(">1 hand apart at the end</a>"), "{drawn}");
        assert!(HighlightList::of(&Highlights::default(), names, ruleset, &urls).is_none());
    }
}
