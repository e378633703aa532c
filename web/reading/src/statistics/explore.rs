//! The explorer: the pairs of moves in a situation, and their outcomes. The situation is the state after the moves in
//! the address, from the beginning or from a moment of a match, so that different ways to the same state share it.

use std::collections::BTreeMap;
use std::sync::Arc;

use app::App;
use app::archive::{PairCount, Situation};
use app::statistics::{CountKey, OPENING_STEPS, PairKey, counts};
use app::views::{Beat, ruleset_name};
use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use engine::{BySeat, Duel, Ruleset, Seat, Setup, To};
use record::words::{capital, counted, row_rules, row_words, sent_words};

use super::find_ruleset;
use super::matches::{self, CountDescription};
use super::matrix::{Matrix, NOT_ASKED};
use super::pair_row::{PairRow, met};
use page::{Board, Frame, page, with_parameters};
use web_http::visitor::Visitor;
use web_http::{Problem, Segments};

const PAIRS_MAX: i64 = 100;

#[derive(Template)]
#[template(path = "statistics/explore.html")]
struct ExplorerPage {
    frame: Frame,
    name: String,
    address: String,
    home: String,
    path: Vec<(String, String)>,
    after: String,
    origin: Option<(String, String)>,
    board: Board,
    n: i64,
    scored: bool,
    matrices: Vec<Matrix>,
    pairs: Vec<PairRow>,
    groups: Vec<PairGroup>,
    late: bool,
}

struct PairGroup {
    id: String,
    heading: String,
    pairs: Vec<PairRow>,
}

struct Explorer {
    id: &'static str,
    duel: Duel,
    address: String,
    path: Vec<(String, String)>,
    here: String,
    steps: usize,
    /// The match from which it was entered: its moment in words, and the address.
    origin: Option<(String, String)>,
}

fn start(ruleset: &dyn Ruleset) -> Option<Duel> {
    let card = ruleset.card();
    let setup = Setup {
        ruleset: card.id.to_owned(),
        options: Vec::new(),
        dmo: card.needs_dmo.then_some(Seat::P2),
        items: BySeat { p1: Vec::new(), p2: Vec::new() },
        declared: None,
    };
    Duel::open(&setup).ok()
}

pub(super) fn begins_with_players(ruleset: &dyn Ruleset) -> bool {
    start(ruleset).is_some_and(|duel| duel.asks().last().is_some_and(|ask| ask.to != To::Host))
}

impl Explorer {
    async fn of(app: &App, ruleset: &'static dyn Ruleset, parameters: &[(String, String)]) -> Result<Self, Problem> {
        let mut explorer = match (value(parameters, "match"), value(parameters, "step")) {
            (Some(slug), step) => Self::in_match(app, ruleset, slug, step.unwrap_or_default()).await?,
            (None, _) => Self::beginning(ruleset)?,
        };
        let lines = parameters.iter().filter(|(name, _)| name == "line").map(|(_, line)| line);
        for line in lines.take(OPENING_STEPS) {
            explorer.play(line)?;
        }
        Ok(explorer)
    }

    fn beginning(ruleset: &'static dyn Ruleset) -> Result<Self, Problem> {
        let id = ruleset.card().id;
        let back = || Problem::not_found("No two matches of this ruleset begin alike, so there is nothing to explore.");
        let duel = start(ruleset)
            .filter(|_| begins_with_players(ruleset))
            .ok_or_else(|| back().back(format!("/statistics/{id}"), "See its statistics"))?;
        let address = format!("/statistics/{id}/explore");
        Ok(Self { id, duel, address, path: Vec::new(), here: String::new(), steps: 0, origin: None })
    }

    async fn in_match(app: &App, ruleset: &'static dyn Ruleset, slug: &str, step: &str) -> Result<Self, Problem> {
        let id = ruleset.card().id;
        let none = || {
            Problem::not_found("This moment of a match is not among those that are counted.")
                .back(format!("/statistics/{id}"), "See the statistics of this ruleset")
        };
        let history = app.matches.recorded_history_of(slug).await?;
        let number: u32 = step.parse().map_err(|_| none())?;
        let steps = usize::try_from(number).ok().and_then(|number| number.checked_sub(1)).ok_or_else(none)?;
        if history.opened.ruleset != id || !counts(&history) || steps >= history.steps.len() {
            return Err(none());
        }
        let duel = history.before(number).ok_or_else(none)?.clone();
        let rows = history.rows();
        let row = rows.iter().find(|row| row.steps.iter().any(|step| step.number == number)).ok_or_else(none)?;
        let names = history.both_names();
        let origin = (
            format!("{} – {}, {}", names.p1, names.p2, row_words(&row.label)),
            Beat::Before.address(history.match_id, &row.label),
        );
        Ok(Self {
            id,
            duel,
            address: format!("/statistics/{id}/explore"),
            path: Vec::new(),
            here: format!("?match={slug}&step={number}"),
            steps,
            origin: Some(origin),
        })
    }

    fn play(&mut self, line: &str) -> Result<(), Problem> {
        let before = self.duel.clone();
        let played = self.duel.play(line, None).map_err(|refusal| {
            Problem::refused(format!("\u{201c}{line}\u{201d} cannot be played there: {refusal}"))
                .back(format!("{}{}", self.address, self.here), "Go to the situation before it")
        })?;
        self.here = with_parameters(self.here.as_str(), [("line", &played.text)]);
        let sent = Seat::BOTH.into_iter().filter_map(|seat| {
            let sent = played.moves[seat].as_deref()?;
            before.asks().iter().find_map(|ask| move_words(&before, seat, &ask.what, sent))
        });
        let sent: Vec<String> = sent.collect();
        let said = if sent.is_empty() { played.text } else { sent.join(" against ") };
        self.path.push((said, format!("{}{}", self.address, self.here)));
        self.steps += 1;
        Ok(())
    }

    const fn is_late(&self) -> bool {
        self.steps >= OPENING_STEPS
    }

    fn situation(&self) -> Situation {
        Situation::state(&self.duel)
    }

    fn matches_address(&self, what: &str, p1: &str, p2: &str) -> String {
        let parameters = [("what", what), ("p1", p1), ("p2", p2)];
        with_parameters(format!("{}/matches{}", self.address, self.here), parameters)
    }

    fn by_kinds<'p>(&self, pairs: &'p [PairCount]) -> Vec<Vec<&'p PairCount>> {
        let mut groups: BTreeMap<(&str, String, String), Vec<&PairCount>> = BTreeMap::new();
        for pair in pairs {
            let kinds = (pair.what.as_str(), self.duel.kind(&pair.p1), self.duel.kind(&pair.p2));
            groups.entry(kinds).or_default().push(pair);
        }
        groups.into_values().collect()
    }

    fn group(&self, alike: &[&PairCount], number: usize) -> (PairRow, PairGroup) {
        let mut sum = PairCount::default();
        for pair in alike {
            for (whole, part) in [(&mut sum.what, &pair.what), (&mut sum.p1, &pair.p1), (&mut sum.p2, &pair.p2)] {
                whole.clone_from(part);
            }
            sum.n += pair.n;
            sum.won_p1 += pair.won_p1;
            sum.won_p2 += pair.won_p2;
            sum.gain_p1 += pair.gain_p1;
            sum.gain_p2 += pair.gain_p2;
        }
        let [p1, p2] = self.kind_words(&sum);
        let (id, heading) = (format!("alike-{number}"), met(&p1, &p2));
        let all = PairRow::of(&sum, [p1, p2], Some(format!("#{id}")), None);
        let full = |pair: &&PairCount| self.row(pair, self.both_words(&pair.what, &pair.p1, &pair.p2));
        (all, PairGroup { id, heading, pairs: alike.iter().map(full).collect() })
    }

    fn row(&self, pair: &PairCount, words: [String; 2]) -> PairRow {
        let sent = |sent: &String| Some(sent.clone()).filter(|sent| !sent.is_empty());
        let line = self.duel.line(&BySeat { p1: sent(&pair.p1), p2: sent(&pair.p2) });
        let next = format!("{}{}", self.address, with_parameters(self.here.as_str(), [("line", line)]));
        PairRow::of(pair, words, Some(next), Some(self.matches_address(&pair.what, &pair.p1, &pair.p2)))
    }

    fn has_targets(&self, pair: &PairCount) -> bool {
        [&pair.p1, &pair.p2].into_iter().any(|sent| self.duel.kind(sent) != *sent)
    }

    fn kind_words(&self, pair: &PairCount) -> [String; 2] {
        [&pair.p1, &pair.p2].map(|sent| sent_words(row_rules(self.id), &self.duel.kind(sent)))
    }

    fn both_words(&self, what: &str, p1: &str, p2: &str) -> [String; 2] {
        [(Seat::P1, p1), (Seat::P2, p2)].map(|(seat, sent)| match sent {
            "" => NOT_ASKED.to_owned(),
            sent => move_words(&self.duel, seat, what, sent).unwrap_or_else(|| sent.to_owned()),
        })
    }
}

/// `GET /statistics/{game}/{ruleset}/explore?line=...&line=...`, from the beginning; preceded by `?match=...&step=...`,
/// from a moment of that match.
pub(super) async fn explore(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Segments((game, id)): Segments<(String, String)>,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let explorer = Explorer::of(&app, find_ruleset(&game, &id)?, &parameters).await?;
    let (id, late) = (explorer.id, explorer.is_late());
    let found =
        if late { Vec::new() } else { app.archive().pair_counts(id, explorer.situation(), None, PAIRS_MAX).await? };
    let (mut pairs, mut groups) = (Vec::new(), Vec::new());
    for alike in explorer.by_kinds(&found) {
        match alike.as_slice() {
            [one] if !explorer.has_targets(one) => pairs.push(explorer.row(one, explorer.kind_words(one))),
            several => {
                let group = explorer.group(several, groups.len() + 1);
                pairs.push(group.0);
                groups.push(group.1);
            }
        }
    }
    pairs.sort_by_key(|pair| -pair.n);
    let frame = Frame::titled(format!("Explore {}", ruleset_name(id)))
        .in_section("statistics")
        .described("From a situation: which moves met, how often, and what came of it.");
    page(&ExplorerPage {
        frame: Frame { umpire: visitor.name(), ..frame },
        name: ruleset_name(id),
        n: found.iter().map(|pair| pair.n).sum(),
        scored: explorer.duel.score().is_some(),
        matrices: Matrix::all(&pairs.iter().map(PairRow::kind_pair).collect::<Vec<_>>()),
        pairs,
        groups,
        board: Board::without_match("The situation", &explorer.duel, engine::Sight::Everything),
        after: match explorer.steps {
            0 => "Before the first move.".to_owned(),
            steps => format!("After {}.", counted(steps, "step", "steps")),
        },
        home: format!("/statistics/{id}"),
        path: explorer.path,
        origin: explorer.origin,
        address: explorer.address,
        late,
    })
}

/// `GET /statistics/{game}/{ruleset}/explore/matches?...&what=...&p1=...&p2=...`: the matches with these moves in the
/// situation given by the rest of the address.
pub(super) async fn explore_matches(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Segments((game, id)): Segments<(String, String)>,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let explorer = Explorer::of(&app, find_ruleset(&game, &id)?, &parameters).await?;
    let [what, p1, p2] = ["what", "p1", "p2"].map(|name| value(&parameters, name).unwrap_or_default().to_owned());
    let [first, second] = explorer.both_words(&what, &p1, &p2);
    let address = explorer.matches_address(&what, &p1, &p2);
    let pair = PairKey { situation: explorer.situation().0, what, p1, p2 };
    let count = CountDescription {
        ruleset: explorer.id,
        heading: met(&first, &second),
        lead: "The finished matches in which this came in exactly this situation.",
        back: ("The situation", format!("{}{}", explorer.address, explorer.here)),
        address,
        counted_for: CountKey::pair(explorer.id, &pair),
    };
    matches::match_list_page(&app, visitor, &count, value(&parameters, "after")).await
}

fn value<'a>(parameters: &'a [(String, String)], name: &str) -> Option<&'a str> {
    parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

fn move_words(duel: &Duel, seat: Seat, what: &str, sent: &str) -> Option<String> {
    duel.read(seat, what, sent).ok().map(|reading| capital(&reading.words))
}
