//! Correcting the moves of one step while keeping the later ones: retype, review all changes, confirm.

use app::book::{BookError, Moves};
use askama::Template;
use axum::extract::RawQuery;
use axum::http::StatusCode;
use axum::response::Response;
use engine::{BySeat, Party, Seat};
use ledger::Head;
use record::StepRecord;
use record::words::{in_a_line, standing};
use record::write::{Amended, Plan, plan_correction};

use super::allowed::{TEXT_MAX_CHARS, unsaid};
use super::chair::{Chair, reason};
use super::console::{is_decision, line_of};
use super::question::mark;
use super::sent::Sent;
use super::strike::asked;
use super::{console, form, frame, shown};
use crate::page::typed::Line;
use crate::page::{Frame, Problem, Shown};

#[derive(Template)]
#[template(path = "umpire/correct.html")]
struct Correct {
    frame: Frame,
    slug: String,
    bout: String,
    step: u32,
    line: String,
    seats: Vec<Typed>,
    /// The reason why this is not possible.
    refused: Option<String>,
    /// The changes.
    dry_run: Option<DryRun>,
    reason: String,
    reason_error: Option<String>,
    form: String,
    head: String,
}

/// The input for a step.
#[derive(Default)]
struct Retyped {
    /// The moves of the seats.
    moves: Moves,
    /// The host's draw.
    draw: Option<String>,
}

impl Retyped {
    fn of(&self, party: Party) -> &str {
        match party {
            Party::Seat(seat) => self.moves[seat].as_deref().unwrap_or_default(),
            Party::Host => self.draw.as_deref().unwrap_or_default(),
        }
    }

    fn amended(&self) -> Amended<'_> {
        Amended { moves: self.moves.as_ref().map(Option::as_deref), draw: self.draw.as_deref() }
    }
}

/// A seat's move or the host's draw, retyped.
struct Typed {
    name: String,
    mark: &'static str,
    line: Line,
}

/// The changes that a correction would make.
struct DryRun {
    rows: Vec<Row>,
    changed: usize,
    stands: String,
    would_stand: String,
}

/// The change to one step.
struct Row {
    number: u32,
    was: String,
    becomes: String,
    figures: String,
    new_figures: String,
}

impl Row {
    fn differs(&self) -> bool {
        self.was != self.becomes || self.figures != self.new_figures
    }
}

/// `GET .../correct?step=N`: the current step, to be retyped.
pub(super) async fn show(chair: Chair, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let step = step(&chair, asked(query.as_deref(), "step"))?;
    let shown = Shown::umpire(&chair.history);
    let moves = BySeat::from_fn(|seat| shown.sent(step, seat).map(str::to_owned));
    let draw = line_of(step).strip_prefix("host: ").map(str::to_owned);
    render(&chair, step, &Retyped { moves, draw }, None, chair.history.head)
}

/// `POST .../correct`: previews the changes, or makes them.
pub(super) async fn send(chair: Chair, sent: Sent) -> Result<Response, Problem> {
    let (act, seen) = (chair.act(&sent)?, sent.head()?);
    let number = sent.text("step").parse().ok();
    let text = sent.text("reason");
    let said = |party: Party| Some(sent.text(party.word()).to_owned()).filter(|sent| !sent.is_empty());
    let retyped = Retyped { moves: BySeat::from_fn(|seat| said(seat.into())), draw: said(Party::Host) };
    if sent.text("do") != "correct" {
        return render(&chair, step(&chair, number)?, &retyped, Some(Ok("")), seen);
    }
    let why = match unsaid(text, TEXT_MAX_CHARS, "Say why: everybody reads it.") {
        Some(error) => error,
        None => {
            let number = number.unwrap_or(0);
            let done = chair.book.correct(&act, chair.match_id, seen, number, retyped.amended(), text).await;
            match done {
                Ok(_) => return Ok(chair.done("corrected")),
                Err(BookError::Refused(why)) => reason(&chair.history, &why),
                Err(error) => {
                    let mut typed = vec![("The reason".to_owned(), text.to_owned())];
                    for (seat, sent) in retyped.moves.each() {
                        typed.push((chair.history.name(seat).to_owned(), sent.clone().unwrap_or_default()));
                    }
                    typed.push(("Host".to_owned(), retyped.draw.unwrap_or_default()));
                    typed.retain(|(_, text)| !text.is_empty());
                    return chair.lost(error, seen.next, typed).await;
                }
            }
        }
    };
    render(&chair, step(&chair, number)?, &retyped, Some(Err((text, why))), seen)
}

/// The step to correct.
fn step(chair: &Chair, number: Option<u32>) -> Result<&StepRecord, Problem> {
    let refused = |why: &str| Problem::refused(why).back(console::address(&chair.slug), "Go back to the console");
    let found = chair.history.steps.iter().find(|step| Some(step.number) == number);
    match found {
        None => Err(refused("There is no such step. It may have been struck meanwhile.")),
        Some(step) if is_decision(step) => Err(refused("A ruling is not corrected: strike it, and rule again.")),
        Some(step) => Ok(step),
    }
}

/// The page: before any change (`tried` is none), after a dry run, or after a refusal with the reason that was typed.
fn render(
    chair: &Chair,
    step: &StepRecord,
    retyped: &Retyped,
    tried: Option<Result<&str, (&str, String)>>,
    seen: Head,
) -> Result<Response, Problem> {
    let history = &chair.history;
    let before = history.before(step.number).unwrap_or(&history.start);
    let drawn = line_of(step).starts_with("host:").then_some(Party::Host);
    let sent = Seat::BOTH.into_iter().filter(|seat| step.moves[*seat].is_some()).map(Party::Seat);
    let seats: Vec<Typed> = sent
        .chain(drawn)
        .map(|party| Typed {
            name: party.seat().map_or("Host", |seat| history.name(seat)).to_owned(),
            mark: party.seat().map_or("H", mark),
            line: Line::read(history, before, party, &step.what, retyped.of(party)),
        })
        .collect();
    let (mut refused, mut dry_run) = (None, None);
    if tried.is_some() && seats.iter().all(|typed| typed.line.counts()) {
        match plan_correction(history, step.number, retyped.amended()) {
            Ok(plan) => dry_run = Some(compare(chair, &plan)),
            Err(why) => refused = Some(reason(history, &why)),
        }
    } else if tried.is_some() {
        refused = Some("Each line has to be valid, and - stands for nothing sent in time.".to_owned());
    }
    let (reason, reason_error) = match tried {
        Some(Err((typed, why))) => (typed.to_owned(), Some(why)),
        _ => (String::new(), None),
    };
    let problem = refused.clone().or(reason_error.clone()).map(Problem::refused);
    let names = history.both_names();
    let correct = Correct {
        frame: frame(format!("Correct step {}", step.number), &chair.umpire),
        slug: chair.slug.clone(),
        bout: format!("{} – {}", names.p1, names.p2),
        step: step.number,
        line: line_of(step).to_owned(),
        seats,
        refused,
        dry_run,
        reason,
        reason_error,
        form: form::fresh(chair.book.mint()),
        head: form::write_head(seen),
    };
    let status = problem.as_ref().map_or(StatusCode::OK, |problem| problem.status());
    let mut response = shown(status, &correct)?;
    problem.and_then(|problem| response.extensions_mut().insert(problem));
    Ok(response)
}

fn compare(chair: &Chair, plan: &Plan) -> DryRun {
    let history = &chair.history;
    let rows = plan.changes.iter().zip(plan.lines()).map(|(change, line)| {
        let step = history.steps.iter().find(|step| step.number == change.number);
        let now = change.figures.iter().filter_map(|(was, now)| Some(engine::Figure { value: (*now)?, ..was.clone() }));
        Row {
            number: change.number,
            was: step.map_or(change.was.as_str(), line_of).to_owned(),
            becomes: line.clone(),
            figures: in_a_line(change.figures.iter().map(|(was, _)| was.clone())),
            new_figures: in_a_line(now),
        }
    });
    let rows: Vec<Row> = rows.collect();
    DryRun {
        changed: rows.iter().filter(|row| row.differs()).count(),
        rows,
        stands: standing(history.duel()),
        would_stand: standing(&plan.after),
    }
}
