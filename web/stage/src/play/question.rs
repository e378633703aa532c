//! A question to a seat, as a form: the question, the deadline, the answers, and the answer that counts so far.

use std::time::Duration;

use app::App;
use app::account::player::SeatRef;
use app::receipts::SeatReceipt;
use app::views::{LineReading, asked_round, pause_reason};
use engine::{Ask, BySeat, Form, Party, Seat, SplitMix64, name_seats};
use ledger::{DecisionId, Moment};
use record::body::Closing;
use record::share::SHARE;
use record::words::capital;
use record::{History, OpenDecision};
use store::SubmitId;

use super::late_answer::late_inputs;
use super::player::Player;
use super::seat_page::{FormState, receipt_address};
use super::share;
use page::controls::{Controls, compose, fields_of};
use page::vocabulary::{LISTED, Vocabulary};
use page::{Played, When, barred_words, clock, prompt_head};
use web_http::Problem;

#[derive(Debug)]
pub(super) struct Question {
    pub(super) decision: String,
    title: String,
    pub(super) prompt: String,
    pub(super) round: Option<String>,
    /// The closing time as a sentence: the text before the time, the time, and the text after it.
    pub(super) closes: (&'static str, Option<When>, String),
    pub(super) at_once: &'static str,
    pub(super) default: String,
    pub(super) optional: bool,
    pub(super) until: String,
    pub(super) deadline: String,
    pub(super) controls: Option<Controls>,
    pub(super) line: LineReading,
    pub(super) hint: Option<(String, String)>,
    pub(super) vocabulary: Vocabulary,
    pub(super) barred: Vec<String>,
    pub(super) last_submission: Option<LastSubmission>,
    pub(super) submit: String,
    pub(super) asked: String,
    /// The place of the question in the log, which the tree that the script signs must hold; none in practice.
    pub(super) index: Option<u64>,
    pub(super) fields: String,
    pub(super) kept: bool,
    pub(super) early: bool,
    pub(super) open: bool,
    /// It shows what was filled in and not stored.
    pub(super) filled: bool,
    /// What was sent, as cards.
    pub(super) played: Option<Played>,
    /// The state of its clock, if it has one that does not run.
    rest: Option<&'static str>,
    changes: bool,
}

impl Question {
    pub(super) fn single(&self) -> Option<[&str; 3]> {
        self.controls.as_ref().filter(|_| self.optional && self.open)?.single()
    }

    /// What the bar says of it, in at most three words: "Round 12", "Divide 12 cards". The whole of it stands where it is
    /// asked.
    pub(super) fn title(&self) -> &str {
        &self.title
    }

    fn head(&self) -> &str {
        prompt_head(&self.prompt)
    }

    /// What is asked, without what the bar says already.
    pub(super) fn asks(&self) -> &str {
        let rest = self.prompt.get(self.head().len()..).unwrap_or_default().trim_start_matches([':', ',', ' ']);
        if rest.is_empty() { &self.prompt } else { rest }
    }

    pub(super) fn before_asks(&self) -> &str {
        self.prompt.strip_suffix(self.asks()).unwrap_or_default()
    }

    pub(super) fn sends_itself(&self) -> bool {
        self.controls.as_ref().is_some_and(Controls::sends_itself)
    }

    pub(super) fn called_final(&self) -> bool {
        self.last_submission.as_ref().is_some_and(|sent| sent.is_final)
    }

    /// Whether it can be changed, in one short sentence.
    pub(super) fn rule(&self) -> &'static str {
        match (self.rest, self.last_submission.is_some(), self.changes) {
            (Some(rest), ..) => rest,
            (None, _, false) => "Counts at once, no change.",
            (None, true, true) if self.called_final() => "The round closes at once when both are final.",
            (None, true, true) => "Choose again to change it.",
            (None, false, true) if self.early => "Change it until the round closes, or both are final.",
            (None, false, true) => "Change it until the round closes.",
        }
    }

    pub(super) const fn has_clock(&self) -> bool {
        self.rest.is_some() || !self.deadline.is_empty()
    }
}

#[derive(Debug)]
pub(super) struct LastSubmission {
    pub(super) text: String,
    line: String,
    pub(super) notes: Vec<String>,
    pub(super) at: When,
    pub(super) grade: &'static str,
    pub(super) is_final: bool,
    pub(super) address: String,
}

pub(super) fn form_of(player: &Player, history: &History, decision: &DecisionId) -> Option<Form> {
    let seat = player.chair.seat;
    if let Some(open) = history.open.iter().find(|open| open.asked.decision == *decision) {
        return history.form(seat, &open.asked.what);
    }
    let answers = record::StepSource::Decision(decision.clone());
    let step = history.steps.iter().find(|step| step.source == answers)?;
    history.before(step.number)?.form(seat, &step.what)
}

pub(super) fn composed_line(form: Option<&Form>, fields: &[(String, String)]) -> String {
    let typed = fields.iter().find(|(name, value)| name == "move" && !value.trim().is_empty());
    let typed = typed.map(|(_, typed)| typed.clone());
    typed.or_else(|| compose(form?, fields)).unwrap_or_default()
}

#[expect(clippy::too_many_lines, reason = "each part of the page is named once")]
pub(super) async fn question(
    player: &Player,
    history: &History,
    ask: &Ask,
    open: &OpenDecision,
    receipts: &[SeatReceipt],
    form_state: &FormState,
) -> Result<Question, Problem> {
    let (seat, names, duel) = (player.chair.seat, history.both_names(), history.duel());
    let decision = open.asked.decision.to_string();
    let sent = form_state.typed.as_ref().filter(|(of, _)| *of == decision).map_or(&[][..], |(_, fields)| fields);
    let form = history.form(seat, &ask.what);
    let text = composed_line(form.as_ref(), sent);
    let typed = sent.iter().find(|(name, _)| name == "move").map_or("", |(_, typed)| typed.trim());
    let mut line = LineReading::read(history, duel, seat, &ask.what, &text);
    // Picked values appear in the controls; the line holds only typed text.
    typed.clone_into(&mut line.typed);
    let view = player.access.view(history).view(duel);
    let nothing = duel.read(seat, &ask.what, "nothing").is_ok();
    let last = receipts.iter().rfind(|seat_receipt| seat_receipt.receipt.receipt.decision == open.asked.decision);
    let last_submission = match last {
        Some(seat_receipt) => Some(last_submission(player, history, open, seat_receipt).await?),
        None => None,
    };
    // What was sent stays picked, until something else is.
    let before = form.as_ref().zip(last_submission.as_ref()).filter(|_| sent.is_empty());
    let before = before.map(|(form, before)| fields_of(form, &before.line)).unwrap_or_default();
    let shown = if sent.is_empty() { &before[..] } else { sent };
    let controls = form.as_ref().and_then(|form| Controls::of(&decision, form, &view, names, nothing, shown));
    let refused = |one: &str, other: &str| refusal(history, seat, &ask.what, &format!("{one} {other}"));
    let controls = controls.map(|controls| controls.with_barred_pairs(refused).on_stage(history.ruleset()));
    let drawn = form.as_ref().filter(|_| shown.is_empty() && last_submission.is_none());
    let drawn = drawn.and_then(|form| Some((form, duel.fill(seat, &ask.what, &mut lot(player))?)));
    let controls = match (controls, drawn) {
        (Some(controls), Some((form, line))) => Some(controls.drawn_as(form, &line)),
        (controls, _) => controls,
    };
    let played = last_submission.as_ref().filter(|sent| !sent.line.is_empty());
    let played = played.map(|sent| Played::sent(seat, form.as_ref(), &sent.line, &sent.text));
    let hint = match &form {
        Some(Form::Line { hint, example, .. }) => Some((name_seats(hint, names), example.clone())),
        _ => None,
    };
    let barred = form.as_ref().filter(|_| controls.is_none()).map(|form| barred(form, names)).unwrap_or_default();
    let forms: Vec<(Party, Form)> = form.into_iter().map(|form| (seat.into(), form)).collect();
    let now = player.app.system().now();
    let deadline = history.clock(&open.asked.decision).and_then(record::Clock::deadline);
    // An extension of the seat's time begins by itself.
    let until = history.in_time_until(open);
    Ok(Question {
        title: title(history, ask, names),
        prompt: name_seats(&ask.prompt, names),
        round: asked_round(history, ask),
        closes: closes(history, open, now),
        at_once: at_once(history, open),
        default: name_seats(&ask.default, names),
        optional: ask.optional,
        deadline: deadline.map(|deadline| deadline.to_string()).unwrap_or_default(),
        controls,
        line,
        hint,
        vocabulary: Vocabulary::of(duel, ask, &forms),
        barred,
        last_submission,
        submit: fresh(&player.app, player.chair),
        asked: open.leaf.to_string(),
        index: player.app.public_log.place(player.chair.match_id, open.entry).await?.map(|place| place.0),
        fields: open.asked.fields.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        kept: share::is_kept(history, open),
        early: open.asked.closes == Closing::AllIn,
        played,
        filled: !sent.is_empty(),
        rest: rest(history, open),
        changes: open.asked.closes != Closing::FirstValid,
        open: until.is_none_or(|until| now <= until),
        until: until.map(|until| until.to_string()).unwrap_or_default(),
        decision,
    })
}

/// A question of a declared game has its own words, whatever it is called.
fn title(history: &History, ask: &Ask, names: BySeat<&str>) -> String {
    let own = match &*ask.what {
        SHARE => Some("Something random"),
        _ if history.ruleset().declaration().is_some() => None,
        "start" => Some("Who starts"),
        "discard" => Some("Discard"),
        "assign" => Some("Your 50 cards"),
        "answer" => Some("Challenged"),
        _ => None,
    };
    own.map_or_else(|| prompt_head(&name_seats(&ask.prompt, names)).to_owned(), str::to_owned)
}

/// Nobody else may know how things lie at first: whoever leaves them so plays them so.
fn lot(player: &Player) -> SplitMix64 {
    let SeatRef { match_id, seat } = player.chair;
    let [a, b, c, d, e, f, g, h, ..] = player.app.system().bytes32_for(&format!("things/{match_id}/{seat}"));
    SplitMix64(u64::from_be_bytes([a, b, c, d, e, f, g, h]))
}

fn barred(form: &Form, names: BySeat<&str>) -> Vec<String> {
    let Form::Words { choices, .. } = form else { return Vec::new() };
    let barred = choices.iter().filter_map(|choice| Some((&*choice.label, choice.barred.as_ref()?)));
    let barred = barred.filter(|_| choices.len() <= LISTED);
    barred.map(|(label, why)| name_seats(&barred_words(&[label], &why.expected), names)).collect()
}

fn refusal(history: &History, seat: Seat, what: &str, line: &str) -> Option<String> {
    LineReading::read(history, history.duel(), seat, what, line).error.map(|error| error.text)
}

async fn last_submission(
    player: &Player,
    history: &History,
    open: &OpenDecision,
    seat_receipt: &SeatReceipt,
) -> Result<LastSubmission, Problem> {
    let receipt = &seat_receipt.receipt.receipt;
    let secrets = player.app.receipts.own_secrets(receipt.match_id, std::slice::from_ref(seat_receipt)).await?;
    let values: Vec<&str> = secrets.iter().flatten().map(|(_, secret)| secret.value.as_str()).collect();
    let address = receipt_address(&player.slug, player.chair.seat, &receipt.decision, receipt.ordinal);
    let at = When::second_on(receipt.at, player.app.system().now());
    let (grade, is_final) = (grade(player, history, seat_receipt).await?, receipt.is_final);
    if values.is_empty() && share::is_kept(history, open) {
        let text = "A share, kept in the browser that sent it".to_owned();
        return Ok(LastSubmission { text, line: String::new(), notes: Vec::new(), at, grade, is_final, address });
    }
    if values.is_empty() {
        // The key was lost under which the server keeps it.
        let text = "The server cannot open it any more: send it again".to_owned();
        return Ok(LastSubmission { text, line: String::new(), notes: Vec::new(), at, grade, is_final, address });
    }
    let text = match values.as_slice() {
        [share] if open.asked.what == SHARE => (*share).to_owned(),
        values => history.duel().join(&open.asked.what, values),
    };
    let line = LineReading::read(history, history.duel(), player.chair.seat, &open.asked.what, &text);
    let words = if line.words.is_empty() { text.clone() } else { line.words };
    Ok(LastSubmission { text: words, line: text, notes: line.notes, at, grade, is_final, address })
}

pub(super) async fn grade(
    player: &Player,
    history: &History,
    seat_receipt: &SeatReceipt,
) -> Result<&'static str, Problem> {
    if !seat_receipt.typed {
        let seat = player.chair.seat;
        return Ok(match seat_receipt.signed {
            true if history.keys[seat].is_none() && history.has_several_senders(seat) => {
                "signed by the browser that sent it"
            }
            true => "signed with your key",
            false => "sealed by the server, unsigned",
        });
    }
    // What the umpire admits is stored with the time at which the player sent it.
    let receipt = &seat_receipt.receipt.receipt;
    let late = late_inputs(player, history).await?;
    let mut own = late.iter().filter(|late| late.is_of_player() && late.seat == player.chair.seat);
    let admitted = own.any(|late| late.decision == receipt.decision && late.sent == receipt.at);
    Ok(if admitted { "sent late, admitted by the umpire" } else { "typed for you by the umpire" })
}

fn closes(history: &History, open: &OpenDecision, now: Moment) -> (&'static str, Option<When>, String) {
    const UMPIRE: &str = "You can change your move until the umpire closes it.";
    let first = open.asked.closes == Closing::FirstValid;
    match history.clock(&open.asked.decision).map(|clock| (&clock.state, clock)) {
        Some((record::ClockState::Waiting, _)) => return ("", None, waits(open, first)),
        Some((record::ClockState::Paused { .. }, clock)) => {
            return ("", None, paused(clock, history.last_at, first));
        }
        Some((record::ClockState::Running { .. }, _)) | None => {}
    }
    let deadline = history.clock(&open.asked.decision).and_then(record::Clock::deadline);
    let deadline = deadline.map(|deadline| When::second_on(deadline, now));
    match (open.asked.closes, deadline) {
        (Closing::FirstValid, deadline @ Some(_)) => ("Send it by", deadline, ".".to_owned()),
        (Closing::FirstValid, None) => ("", None, String::new()),
        (Closing::AllIn, deadline @ Some(_)) => {
            ("You can change your move until", deadline, ", or until both of you call theirs final.".to_owned())
        }
        (_, deadline @ Some(_)) => ("You can change your move until", deadline, ".".to_owned()),
        (_, None) => {
            let has_time = !clock(open.asked.clock).is_empty();
            (UMPIRE, None, if has_time { " No clock runs.".to_owned() } else { String::new() })
        }
    }
}

fn at_once(history: &History, open: &OpenDecision) -> &'static str {
    if open.asked.closes != Closing::FirstValid {
        return "";
    }
    match history.clock(&open.asked.decision).map(|clock| &clock.state) {
        Some(record::ClockState::Paused { .. }) => "No change once it is sent",
        _ => "Counts at once, no change",
    }
}

fn waits(open: &OpenDecision, first: bool) -> String {
    let then =
        if first { "Even now your first valid move counts, for good." } else { "You can send now, and change it." };
    format!("{} once the umpire starts the clock. {then}", capital(&clock(open.asked.clock)))
}

fn paused(clock: &record::Clock, now: Moment, first: bool) -> String {
    let meanwhile = if first {
        "You can send your move now: it counts when the clock runs again."
    } else {
        "You can still send your move, and change it."
    };
    let why = pause_reason(clock).map_or_else(|| ".".to_owned(), |why| format!(": {why}"));
    format!("Paused{why} {} left. {meanwhile}", in_words(clock.remaining(now)))
}

fn in_words(left: Duration) -> String {
    match clock(u32::try_from(left.as_secs()).unwrap_or(u32::MAX)) {
        left if left.is_empty() => "Less than a second".to_owned(),
        left => left,
    }
}

fn rest(history: &History, open: &OpenDecision) -> Option<&'static str> {
    match history.clock(&open.asked.decision)?.state {
        record::ClockState::Waiting => Some("Counts when the umpire starts the clock."),
        record::ClockState::Paused { .. } => Some("The clock does not run."),
        record::ClockState::Running { .. } => None,
    }
}

pub(super) fn fresh(app: &App, chair: SeatRef) -> String {
    let place = format!("form/{}/{}", chair.match_id, chair.seat);
    let mut id = [0; 16];
    id.iter_mut().zip(app.system().bytes32_for(&place)).for_each(|(byte, from)| *byte = from);
    SubmitId(id).to_string()
}
