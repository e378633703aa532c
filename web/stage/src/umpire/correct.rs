//! Correcting the moves of one step while keeping the later ones: retype, review all changes, confirm.

use app::UmpireAct;
use app::umpire_act::NewCorrection;
use app::views::{LineReading, Lines, VisibleMatch};
use askama::Template;
use axum::extract::RawQuery;
use axum::response::Response;
use engine::{BySeat, Party, Seat};
use ledger::Head;
use record::words::{in_a_line, standing};
use record::write::{Amendment, Plan, plan_correction};
use record::{History, StepRecord};

use super::act_form::{ActForm, Outcome, reason};
use super::activity::spelled_out;
use super::console::{line_of, place_in_sentence, step_words};
use super::match_context::MatchContext;
use super::question::{TypedLines, mark};
use super::strike::number_in;
use super::{console, form, shown};
use page::Frame;
use web_http::Problem;

#[derive(Template)]
#[template(path = "umpire/correct.html")]
struct Correct<'c> {
    frame: Frame,
    context: &'c MatchContext,
    title: String,
    place: String,
    late: Option<(Seat, String)>,
    step: u32,
    line: String,
    seats: Vec<RetypedLine>,
    /// The umpire's word, where that is corrected.
    said: Option<String>,
    refused: Option<String>,
    dry_run: Option<DryRun>,
    reason: String,
    reason_error: Option<String>,
    form: String,
    head: String,
}

enum Stage {
    Input,
    Preview,
    Refused { reason: String, why: String },
}

struct RetypedLine {
    name: String,
    mark: &'static str,
    line: LineReading,
}

struct DryRun {
    rows: Vec<Row>,
    changed: usize,
    stands: String,
    would_stand: String,
}

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

    /// The old line where it is crossed out: a dash could not be seen there.
    fn crossed_out(&self) -> String {
        spelled_out(&self.was)
    }
}

pub(super) async fn show(context: MatchContext, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let step = step(&context, number_in(query.as_deref(), "step"))?;
    let shown = VisibleMatch::umpire(&context.history);
    let moves = BySeat::from_fn(|seat| shown.seat_line(step, seat).unwrap_or_default().to_owned());
    let draw = line_of(step).strip_prefix("host: ").unwrap_or_default().to_owned();
    let said = line_of(step).strip_prefix("umpire: says ").unwrap_or_default().to_owned();
    let recorded = TypedLines { moves, draw, said, ..TypedLines::default() };
    render(&context, step, &recorded, &Stage::Input, None, context.history.head)
}

pub(super) async fn send(form: ActForm) -> Result<Response, Problem> {
    let number = form.text("step").parse().ok();
    let retyped = TypedLines::of_form(&form.sent);
    let late = form.text("late").parse().ok();
    if form.text("do") != "correct" {
        let step = step(&form.context, number)?;
        return render(&form.context, step, &retyped, &Stage::Preview, late, form.seen);
    }
    let reason = form.text("reason").to_owned();
    let line = |party| Some(retyped.of(party).to_owned());
    let moves = Lines { p1: line(Party::Seat(Seat::P1)), p2: line(Party::Seat(Seat::P2)) };
    let (head, draw, said) = (form.head(), line(Party::Host), Some(retyped.said.clone()));
    let corrected = NewCorrection { head, step: number.unwrap_or(0), moves, draw, said, reason, dry_run: false };
    let act = UmpireAct::Correct(corrected);
    let mut copies = form.copy("The reason", "reason");
    copies.extend(retyped.copies(&form.context.history));
    match form.outcome(form.perform(&act, "corrected").await, copies).await? {
        Outcome::Answered(answer) => Ok(answer),
        Outcome::Refused(why) => {
            let refused = Stage::Refused { reason: form.text("reason").to_owned(), why };
            render(&form.context, step(&form.context, number)?, &retyped, &refused, late, form.seen)
        }
    }
}

fn step(context: &MatchContext, number: Option<u32>) -> Result<&StepRecord, Problem> {
    let refused = |why: &str| Problem::refused(why).back(console::address(&context.slug), "Go back to the console");
    let found = context.history.steps.iter().find(|step| Some(step.number) == number);
    match found {
        None => Err(refused("There is no such step. It may have been struck meanwhile.")),
        Some(step) if step.is_ruling() => Err(refused("A ruling is not corrected: strike it, and rule again.")),
        Some(step) => Ok(step),
    }
}

fn lines(history: &History, step: &StepRecord, retyped: &TypedLines) -> Vec<RetypedLine> {
    let before = history.before(step.number).unwrap_or(&history.start);
    let drawn = line_of(step).starts_with("host:").then_some(Party::Host);
    let moved = Seat::BOTH.into_iter().filter(|seat| step.moves[*seat].is_some()).map(Party::Seat);
    let line = |party: Party| RetypedLine {
        name: party.seat().map_or("Host", |seat| history.name(seat)).to_owned(),
        mark: party.seat().map_or("H", mark),
        line: LineReading::read(history, before, party, &step.what, retyped.of(party)),
    };
    moved.chain(drawn).map(line).collect()
}

fn amended(retyped: &TypedLines) -> Amendment<'_> {
    let line = |party| Some(retyped.of(party)).filter(|line| !line.is_empty());
    Amendment {
        moves: BySeat::from_fn(|seat| line(seat.into())),
        draw: line(Party::Host),
        said: Some(&*retyped.said).filter(|said| !said.is_empty()),
    }
}

fn render(
    context: &MatchContext,
    step: &StepRecord,
    retyped: &TypedLines,
    stage: &Stage,
    late: Option<Seat>,
    seen: Head,
) -> Result<Response, Problem> {
    let history = &context.history;
    let seats = lines(history, step, retyped);
    let valid = seats.iter().all(|typed| typed.line.counts());
    let (refused, dry_run) = match stage {
        Stage::Input => (None, None),
        _ if !valid => (Some("Each line has to be valid; type - for no move.".to_owned()), None),
        _ => match plan_correction(history, step.number, amended(retyped)) {
            Ok(plan) => (None, Some(compare(history, &plan))),
            Err(why) => (Some(reason(history, &why)), None),
        },
    };
    let (reason, reason_error) = match stage {
        Stage::Refused { reason, why } => (reason.clone(), Some(why.clone())),
        _ => (String::new(), None),
    };
    let place = place_in_sentence(&step_words(history, step.number));
    let late = late.map(|seat| (seat, history.name(seat).to_owned()));
    let title = match &late {
        Some((_, name)) => format!("Admit {name}’s late move: correct {place}"),
        None => format!("Correct {place}"),
    };
    let correct = Correct {
        frame: context.frame(title.clone()),
        context,
        title,
        place,
        late,
        step: step.number,
        line: line_of(step).to_owned(),
        seats,
        said: step.is_said().then(|| retyped.said.clone()),
        refused,
        dry_run,
        reason,
        reason_error,
        form: context.fresh_form(),
        head: form::write_head(seen),
    };
    shown(&correct, correct.refused.as_deref().or(correct.reason_error.as_deref()))
}

fn compare(history: &History, plan: &Plan) -> DryRun {
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
