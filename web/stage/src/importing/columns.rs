//! The table format for a past match: its columns, the values for each question of a ruleset, and a file to fill in.
//! All of it comes from the engine, in an example match that it plays.

use std::sync::Arc;

use app::App;
use app::views::ruleset_name;
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use csv::WriterBuilder;
use engine::{Ask, BySeat, Duel, Party, Ruleset, Seat, Setup, SplitMix64, To, Word, name_seats};
use import::COLUMNS;
use record::words::sentence;
use serde::Deserialize;

use super::import_form::frame;
use page::{Frame, rendered};
use web_http::Problem;
use web_http::visitor::SignedIn;

const STEPS_MAX: usize = 400;
const ROWS_MAX: usize = 8;
const WORDS_MAX: usize = 8;

#[derive(Template)]
#[template(path = "importing/columns.html")]
struct ColumnsPage {
    frame: Frame,
    rulesets: Vec<(&'static str, String)>,
    chosen: &'static str,
    title: String,
    questions: Vec<Question>,
    rows: Vec<[String; 5]>,
    needs_dmo: bool,
    items: String,
}

struct Question {
    what: Word,
    prompt: String,
    column: &'static str,
    write: String,
    example: String,
}

#[derive(Deserialize)]
pub(super) struct ColumnsQuery {
    ruleset: Option<String>,
}

/// A match that the engine plays: every kind of question in order of appearance, and its rows.
struct ExampleMatch {
    questions: Vec<Question>,
    rows: Vec<[String; 5]>,
}

const NAMES: BySeat<&str> = BySeat { p1: "player 1", p2: "player 2" };

pub(super) async fn show(umpire: SignedIn, Query(query): Query<ColumnsQuery>) -> Result<Response, Problem> {
    let first = engine::rulesets().next().ok_or_else(|| Problem::not_found("There are no rules here."))?;
    let ruleset = match query.ruleset {
        Some(id) => engine::ruleset(&id).map_err(|error| Problem::not_found(sentence(&error.to_string())))?,
        None => first,
    };
    let (card, example) = (ruleset.card(), ExampleMatch::play(ruleset));
    let page = ColumnsPage {
        frame: frame("A table for a past match", &umpire),
        rulesets: engine::rulesets().map(|ruleset| (ruleset.card().id, ruleset_name(ruleset.card().id))).collect(),
        chosen: card.id,
        title: ruleset_name(card.id),
        questions: example.questions,
        rows: example.rows,
        needs_dmo: card.needs_dmo,
        items: card.items.join(", "),
    };
    rendered(StatusCode::OK, &page)
}

pub(super) async fn file(
    State(_): State<Arc<App>>,
    _: SignedIn,
    Path((game, file)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let none = || Problem::not_found("There is no table for these rules.");
    let name = file.strip_suffix(".csv").ok_or_else(none)?;
    let ruleset = engine::ruleset(&format!("{game}/{name}")).map_err(|_| none())?;
    let disposition = format!("attachment; filename=\"{game}-{name}.csv\"");
    let set =
        [(header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()), (header::CONTENT_DISPOSITION, disposition)];
    Ok((set, template(ruleset)).into_response())
}

pub(super) fn template(ruleset: &'static dyn Ruleset) -> String {
    let card = ruleset.card();
    let mut facts = vec![("ruleset", card.id), ("event", ""), ("date", ""), ("p1", ""), ("p2", "")];
    if card.needs_dmo {
        facts.push(("dmo", ""));
    }
    if !card.items.is_empty() {
        facts.extend([("p1items", ""), ("p2items", "")]);
    }
    facts.push(("result", ""));
    let mut out: String = facts.into_iter().map(|(name, value)| format!("{name},{value}\r\n")).collect();
    out.push_str(&format!("\r\n{},note\r\n", COLUMNS.join(",")));
    for row in ExampleMatch::play(ruleset).rows {
        out.push_str(&format!("# {}\r\n", line(&row)));
    }
    out
}

fn line(row: &[String; 5]) -> String {
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    let written = writer.write_record(row).ok().and_then(|()| writer.into_inner().ok()).unwrap_or_default();
    String::from_utf8(written).unwrap_or_default().trim_end().to_owned()
}

impl ExampleMatch {
    fn play(ruleset: &'static dyn Ruleset) -> Self {
        let mut example = Self { questions: Vec::new(), rows: Vec::new() };
        let setup = Setup { ruleset: ruleset.card().id.to_owned(), dmo: Some(Seat::P1), ..Setup::default() };
        let Ok(mut duel) = Duel::open(&setup) else { return example };
        let mut stream = SplitMix64(ruleset.card().id.len() as u64);
        for _ in 0..STEPS_MAX {
            for ask in duel.asks() {
                if !example.questions.iter().any(|question| question.what == ask.what) {
                    let question = Question::of(&duel, &ask, &mut stream);
                    example.questions.extend(question);
                }
            }
            let Some((line, row)) = step(&duel, &mut stream) else { break };
            if duel.play(&line, None).is_err() {
                break;
            }
            if example.rows.len() < ROWS_MAX {
                example.rows.push(row);
            }
        }
        example
    }
}

fn step(duel: &Duel, stream: &mut SplitMix64) -> Option<(String, [String; 5])> {
    let round = duel.coming_round().map(|round| round.to_string()).unwrap_or_default();
    duel.asks().iter().rev().find_map(|ask| {
        let mut row = <[String; 5]>::default();
        let [number, p1, p2, draws, _] = &mut row;
        let line = match ask.to {
            To::Host => {
                let draw = duel.draw(stream)?;
                draws.clone_from(&draw);
                format!("host: {draw}")
            }
            To::One(seat) => {
                let sent = duel.sample(seat, &ask.what, stream)?;
                sent.clone_into(if seat == Seat::P1 { p1 } else { p2 });
                format!("{seat}: {sent}")
            }
            To::Both => {
                let [first, second] = Seat::BOTH.map(|seat| legal(duel, seat, ask, stream));
                *number = round.clone();
                first.clone_into(p1);
                second.clone_into(p2);
                duel.line(&BySeat { p1: Some(first), p2: Some(second) })
            }
        };
        Some((line, row))
    })
}

fn legal(duel: &Duel, seat: Seat, ask: &Ask, stream: &mut SplitMix64) -> String {
    duel.sample(seat, &ask.what, stream).unwrap_or_else(|| "-".to_owned())
}

impl Question {
    fn of(duel: &Duel, ask: &Ask, stream: &mut SplitMix64) -> Option<Self> {
        let (column, party, example) = match ask.to {
            To::Host => ("draws", Party::Host, duel.draw(stream)),
            To::Both => ("p1 and p2", Party::Seat(Seat::P1), duel.sample(Seat::P1, &ask.what, stream)),
            To::One(seat) => ("p1 or p2, whoever is asked", Party::Seat(seat), duel.sample(seat, &ask.what, stream)),
        };
        let (write, form_example) = match duel.form(party, &ask.what)? {
            engine::Form::Line { hint, example, .. } => (sentence(&name_seats(&hint, NAMES)), example),
            engine::Form::Words { choices, least, most } => {
                let words: Vec<&str> = choices.iter().map(|choice| &*choice.word).collect();
                let more = words.len().saturating_sub(WORDS_MAX);
                let mut listed = words.iter().take(WORDS_MAX).copied().collect::<Vec<_>>().join(", ");
                if more > 0 {
                    listed.push_str(&format!(" and {more} more"));
                }
                let amount = if least == most { format!("{most} of") } else { format!("{least} to {most} of") };
                let with_target = choices.iter().find(|choice| !choice.targets.is_empty());
                let with_target = with_target.and_then(|choice| Some((&choice.word, choice.targets.first()?.0)));
                let with_target = with_target.map_or_else(String::new, |(word, target)| {
                    format!("; what it names after a colon, as in {word}:{target}")
                });
                (format!("{amount}: {listed}{with_target}."), String::new())
            }
        };
        let example = example.unwrap_or(form_example);
        let prompt = name_seats(&ask.prompt, NAMES);
        Some(Self { what: ask.what.clone(), prompt, column, write, example })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use import::{Facts, Form, Speakers, read};

    #[test]
    fn every_example_table_can_be_read() {
        for ruleset in engine::rulesets() {
            let id = ruleset.card().id;
            let text =
                template(ruleset).replace("# ", "").replace("p1,\r\n", "p1,Ada\r\n").replace("p2,\r\n", "p2,Bo\r\n");
            let text = text.replace("dmo,\r\n", "dmo,p1\r\n");
            assert_eq!(Form::of(&text), Form::Table, "{id}");
            let reading = read(&text, Form::Table, &Facts::default(), &Speakers::default());
            let wrong: Vec<_> = reading.rows.iter().filter_map(|row| Some((row, row.wrong.as_ref()?))).collect();
            assert_eq!(reading.problems, Vec::<String>::new(), "{id}");
            // The only fault of the example is that it breaks off.
            assert!(wrong.iter().all(|(_, wrong)| wrong.expected.contains("still runs")), "{id}: {wrong:#?}");
            assert!(wrong.len() == 1 || reading.import.is_some(), "{id}: {wrong:#?}\n{text}");
        }
    }

    #[test]
    fn every_kind_of_question_has_an_example() {
        for ruleset in engine::rulesets() {
            let example = ExampleMatch::play(ruleset);
            assert!(!example.questions.is_empty() && example.rows.len() >= 4, "{}", ruleset.card().id);
            assert!(
                example.questions.iter().all(|question| !question.write.is_empty() && !question.example.is_empty())
            );
        }
    }
}
