//! The umpire's word in a declared game, as a form: the counters as numbers, a sentence, and what comes next.

use engine::dmn::quotes::quoted;
use engine::games::declared::{Audience, Counter, Declaration, Hand, Owner};
use engine::{BySeat, Seat, Verdict};
use record::History;
use record::words::row_words;

use super::act_form::{ActForm, Refusal};
use super::form_state::FormState;

/// The form, where the umpire speaks next.
#[derive(Debug)]
pub(super) struct WordForm {
    pub(super) heading: String,
    /// Every counter under its label, with a field for each seat that has one.
    pub(super) counters: Vec<(String, Vec<CounterField>)>,
    pub(super) sentence: String,
    /// Other acts, in the notation.
    pub(super) more: String,
    /// One such act in this game.
    pub(super) example: String,
    pub(super) next: Vec<NextChoice>,
    pub(super) why: String,
}

/// A number of the table, with its value now.
#[derive(Debug)]
pub(super) struct CounterField {
    pub(super) name: String,
    /// Whose it is, as the page marks it; empty if it is shared.
    pub(super) seat: &'static str,
    pub(super) whose: String,
    pub(super) value: String,
    pub(super) least: i32,
    pub(super) most: Option<i32>,
}

/// What can come next.
#[derive(Debug)]
pub(super) struct NextChoice {
    pub(super) word: String,
    pub(super) label: String,
    pub(super) is_chosen: bool,
}

fn field_name(counter: &str, seat: Option<Seat>) -> String {
    seat.map_or_else(|| format!("count-{counter}"), |seat| format!("count-{counter}-{seat}"))
}

const fn owners(counter: &Counter) -> &'static [Option<Seat>] {
    if matches!(counter.owner, Owner::Each) { &[Some(Seat::P1), Some(Seat::P2)] } else { &[None] }
}

fn value(history: &History, counter: &str, seat: Option<Seat>) -> Option<i32> {
    let figures = history.duel().figures();
    figures.iter().find(|figure| figure.name == *counter && figure.seat == seat).map(|figure| figure.value)
}

impl WordForm {
    pub(super) fn of(history: &History, state: &FormState) -> Option<Self> {
        let game = history.ruleset().declaration()?;
        let runs = !history.is_ended() && !history.outcome().is_over() && history.closed_at.is_none();
        // The seats are asked for their shares, or the host draws.
        if !runs || history.host_act().is_some() || !history.asks().is_empty() || !history.duel().asks().is_empty() {
            return None;
        }
        let refused = state.error("announced").is_some();
        let sent = |name: &str| refused.then(|| state.typed("announced", name).to_owned());
        let names = history.both_names();
        let field = |counter: &Counter, seat: Option<Seat>| {
            let name = field_name(&counter.name, seat);
            CounterField {
                value: sent(&name).unwrap_or_else(|| value(history, &counter.name, seat).unwrap_or(0).to_string()),
                whose: seat.map_or_else(String::new, |seat| format!(", {}", names[seat])),
                seat: seat.map_or("", Seat::word),
                name,
                least: counter.least,
                most: counter.most,
            }
        };
        let row = |counter: &Counter| {
            let fields = owners(counter).iter().map(|seat| field(counter, *seat));
            (game.label(&counter.name).to_owned(), fields.collect())
        };
        let last = history.rows().last().map(|row| row_words(&row.label));
        Some(Self {
            heading: last.map_or_else(|| "What comes first?".to_owned(), |row| format!("{row}: what happened?")),
            counters: game.counters.iter().map(row).collect(),
            sentence: sent("sentence").unwrap_or_default(),
            more: sent("more").unwrap_or_default(),
            example: example(game),
            next: next(history, game, names, sent("next").as_deref()),
            why: sent("why").unwrap_or_default(),
        })
    }
}

fn example(game: &Declaration) -> String {
    let own = |hand: &Hand| if matches!(hand.owner, Owner::Each) { " p1" } else { "" };
    match (game.boards.as_slice(), game.hands.as_slice()) {
        ([board, ..], _) => format!("put X at a1 of {}", board.name),
        ([], [from, to, ..]) => format!("move 7 from {}{} to {}{}", from.name, own(from), to.name, own(to)),
        ([], _) => String::new(),
    }
}

fn next(history: &History, game: &Declaration, names: BySeat<&str>, chosen: Option<&str>) -> Vec<NextChoice> {
    let mut all: Vec<(String, String)> = Vec::new();
    for ask in &game.asks {
        let label = game.label(&ask.name);
        if ask.to == Audience::Both {
            all.push((format!("next {} both", ask.name), format!("{label}, to both")));
        } else {
            let to = |seat: Seat| (format!("next {} {seat}", ask.name), format!("{label}, to {}", names[seat]));
            all.extend(Seat::BOTH.map(to));
        }
    }
    all.push((String::new(), "Nothing yet: I say more after this".to_owned()));
    for verdict in [Verdict::Won(Seat::P1), Verdict::Won(Seat::P2), Verdict::Undecided, Verdict::Void] {
        let label = match verdict {
            Verdict::Won(seat) => format!("The end: {} wins", names[seat]),
            Verdict::Undecided => "The end: undecided".to_owned(),
            Verdict::Void => "The end: void".to_owned(),
        };
        all.push((format!("over {}", verdict.word()), label));
    }
    let chosen = chosen.map(str::to_owned).or_else(|| usual(history));
    let chosen = chosen.filter(|chosen| all.iter().any(|(word, _)| word == chosen)).unwrap_or_else(|| all[0].0.clone());
    all.into_iter().map(|(word, label)| NextChoice { is_chosen: word == chosen, word, label }).collect()
}

/// The same question again; to the other seat, if one was asked.
fn usual(history: &History) -> Option<String> {
    let asked = history.steps.iter().rfind(|step| step.moves.p1.is_some() || step.moves.p2.is_some())?;
    let to = match (&asked.moves.p1, &asked.moves.p2) {
        (Some(_), Some(_)) => "both",
        (Some(_), None) => Seat::P2.word(),
        _ => Seat::P1.word(),
    };
    Some(format!("next {} {to}", asked.what))
}

/// A text as it was typed, on one line and in quotes.
fn said(text: &str) -> String {
    quoted(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The line that the form says: only the counters that changed, then the rest.
pub(super) fn line(form: &ActForm) -> Result<String, Refusal> {
    if form.text("show") == "yes" {
        return Err("Nothing is said yet: press the button below to say it.".into());
    }
    let history = &form.context.history;
    let whole = form.text("line").trim();
    if !whole.is_empty() {
        return Ok(whole.to_owned());
    }
    let game = history.ruleset().declaration().ok_or("In this game the rules say what becomes of an answer.")?;
    let mut acts = Vec::new();
    let counters = game.counters.iter().flat_map(|counter| owners(counter).iter().map(move |seat| (counter, *seat)));
    for (counter, seat) in counters {
        let sent = form.text(&field_name(&counter.name, seat)).trim();
        let was = value(history, &counter.name, seat).map(|value| value.to_string());
        if !sent.is_empty() && Some(sent) != was.as_deref() {
            let seat = seat.map_or_else(String::new, |seat| format!(" {seat}"));
            acts.push(format!("{}{seat} {sent}", counter.name));
        }
    }
    let sentence = form.text("sentence").trim();
    acts.extend((!sentence.is_empty()).then(|| said(sentence)));
    let more = form.text("more").trim();
    acts.extend((!more.is_empty()).then(|| more.trim_end_matches(';').to_owned()));
    let (next, why) = (form.text("next").trim(), form.text("why").trim());
    let why = if next.starts_with("over ") && !why.is_empty() { format!(" {}", said(why)) } else { String::new() };
    acts.extend((!next.is_empty()).then(|| format!("{next}{why}")));
    if acts.is_empty() {
        return Err("Say what became of the answers, or what comes next.".into());
    }
    Ok(acts.join("; "))
}
