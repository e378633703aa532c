//! An open decision as a form: a line for each seat, the barred choices, and the words to type.

use app::views::{LineReading, LineState};
use engine::{Ask, BySeat, Choice, Form, Party, Seat, To, Word, name_seats};
use record::History;
use record::share::SHARE;
use record::words::sentence;

use super::form_data::FormData;
use page::vocabulary::{LISTED, Vocabulary};
use page::{barred_words, clock};

#[derive(Debug)]
pub(super) struct Question {
    pub(super) decision: String,
    pub(super) prompt: String,
    pub(super) default: String,
    pub(super) clock: String,
    pub(super) optional: bool,
    pub(super) seats: Vec<AskedSeat>,
    /// A description of the answer if there are too many to list, and an example line.
    pub(super) line: Option<(String, String)>,
    pub(super) vocabulary: Vocabulary,
    pub(super) button: String,
    pub(super) ready: bool,
    pub(super) keyed: bool,
    pub(super) early: bool,
    share: bool,
}

#[derive(Debug)]
pub(super) struct AskedSeat {
    pub(super) party: Party,
    pub(super) name: String,
    pub(super) mark: &'static str,
    pub(super) line: LineReading,
    pub(super) sent: Option<String>,
    pub(super) barred: Vec<(String, Option<&'static str>)>,
    pub(super) picks: Vec<Pick>,
    pub(super) first: bool,
}

#[derive(Debug)]
pub(super) struct Pick {
    pub(super) word: Word,
    pub(super) label: String,
    pub(super) picked: bool,
}

#[derive(Debug, Default, Clone)]
pub(super) struct TypedLines {
    pub(super) decision: String,
    pub(super) moves: BySeat<String>,
    pub(super) draw: String,
    /// The umpire's word on the answers.
    pub(super) said: String,
    pub(super) times: BySeat<String>,
    pub(super) unsure: bool,
}

/// The value in place of a decision's id when the host draws, because nobody is asked.
pub(super) const HOST: &str = "host";

/// The largest number of answers that are picked instead of typed.
const PICKED: usize = 4;

impl TypedLines {
    pub(super) fn of_form(sent: &FormData) -> Self {
        Self {
            decision: sent.text("decision").to_owned(),
            moves: BySeat::from_fn(|seat| sent.text(seat.word()).to_owned()),
            draw: sent.text(Party::Host.word()).to_owned(),
            said: sent.text("said").to_owned(),
            times: BySeat::from_fn(|seat| sent.text(&format!("sent-{seat}")).to_owned()),
            unsure: false,
        }
    }

    pub(super) fn copies(&self, history: &History) -> Vec<(String, String)> {
        let seats = Seat::BOTH.map(|seat| (history.name(seat).to_owned(), self.moves[seat].clone()));
        let others = [("Host".to_owned(), self.draw.clone()), ("Your word".to_owned(), self.said.clone())];
        let all = seats.into_iter().chain(others);
        all.filter(|(_, text)| !text.is_empty()).collect()
    }

    pub(super) fn of(&self, party: Party) -> &str {
        match party {
            Party::Seat(seat) => &self.moves[seat],
            Party::Host => &self.draw,
        }
    }
}

pub(super) const fn mark(seat: Seat) -> &'static str {
    match seat {
        Seat::P1 => "1",
        Seat::P2 => "2",
    }
}

pub(super) fn parties(to: To) -> Vec<Party> {
    match to {
        To::Both => Seat::BOTH.map(Party::Seat).to_vec(),
        To::One(seat) => vec![seat.into()],
        To::Host => vec![Party::Host],
    }
}

impl Question {
    pub(super) fn no_clock(&self) -> String {
        if self.clock.is_empty() {
            return String::new();
        }
        format!(" No clock runs here; the rules give {}.", self.clock)
    }

    pub(super) fn all(history: &History, typed: Option<&TypedLines>) -> Vec<Self> {
        if history.is_ended() {
            return Vec::new();
        }
        let asks = history.asks().into_iter().filter_map(|ask| {
            let open = history.open.iter().find(|open| open.puts(&ask)).map(|open| open.asked.decision.to_string());
            let decision = if ask.to == To::Host { Some(HOST.to_owned()) } else { open };
            decision.map(|decision| Self::of(history, &ask, decision, typed))
        });
        asks.collect()
    }

    fn of(history: &History, ask: &Ask, decision: String, typed: Option<&TypedLines>) -> Self {
        let (duel, names) = (history.duel(), history.both_names());
        let typed = typed.filter(|typed| typed.decision == decision);
        let form = |party| Some((party, history.form(party, &ask.what)?));
        let forms: Vec<(Party, Form)> = parties(ask.to).into_iter().filter_map(form).collect();
        let seat = |(party, form): &(Party, Form)| AskedSeat::of(history, ask, *party, form, typed);
        let mut seats: Vec<AskedSeat> = forms.iter().map(seat).collect();
        let ready = seats.iter().all(|asked| asked.line.counts());
        if let Some(first) = seats.iter_mut().find(|asked| !asked.line.counts()) {
            first.first = true;
        }
        let round = duel.coming_round().filter(|_| ask.to == To::Both && ask.what != SHARE);
        let button = match (ask.to, &*ask.what) {
            (To::Host, _) => "the draw",
            (_, SHARE) => "the shares",
            _ => "the answer",
        };
        Self {
            decision,
            prompt: name_seats(&ask.prompt, names),
            default: name_seats(&ask.default, names),
            clock: clock(ask.clock_seconds),
            optional: ask.optional,
            seats,
            line: line_hint(history, &forms),
            vocabulary: Vocabulary::of(duel, ask, &forms),
            button: round.map_or_else(|| button.to_owned(), |round| format!("round {round}")),
            ready,
            share: ask.what == SHARE,
            keyed: ask.to == To::Host && history.due_draw().is_some(),
            early: false,
        }
    }

    /// Sorts the questions of a page. Optional ones come first, except for a single button and a draw that nobody waits
    /// for, which come last.
    pub(super) fn sort(questions: &mut [Self]) {
        questions.sort_by_key(|question| question.is_button() || (question.optional && question.is_draw()));
    }

    pub(super) fn has_lines(&self) -> bool {
        self.seats.iter().any(|asked| asked.picks.is_empty())
    }

    pub(super) fn is_button(&self) -> bool {
        self.optional && matches!(self.seats.as_slice(), [only] if only.picks.len() == 1)
    }

    pub(super) fn is_draw(&self) -> bool {
        self.decision == HOST
    }

    pub(super) fn is_share(&self) -> bool {
        self.share
    }

    pub(super) fn is_timed(&self) -> bool {
        self.seats.iter().any(|asked| asked.sent.as_ref().is_some_and(|sent| !sent.is_empty()))
    }

    pub(super) fn is_wrong(&self) -> bool {
        self.seats.iter().any(|asked| asked.line.error.is_some())
    }

    pub(super) fn is_begun(&self) -> bool {
        self.seats.iter().any(|asked| asked.line.state != LineState::Nothing)
    }
}

impl AskedSeat {
    fn of(history: &History, ask: &Ask, party: Party, form: &Form, typed: Option<&TypedLines>) -> Self {
        let line =
            LineReading::read(history, history.duel(), party, &ask.what, typed.map_or("", |typed| typed.of(party)));
        Self {
            party,
            name: party.seat().map_or("Host", |seat| history.name(seat)).to_owned(),
            mark: party.seat().map_or("H", mark),
            barred: barred(form),
            picks: picks(history, party, form, ask, &line),
            sent: party.seat().map(|seat| typed.map(|typed| typed.times[seat].clone()).unwrap_or_default()),
            line,
            first: false,
        }
    }
}

fn line_hint(history: &History, forms: &[(Party, Form)]) -> Option<(String, String)> {
    forms.iter().find_map(|(_, form)| match form {
        Form::Line { hint, example, .. } => Some((sentence(&name_seats(hint, history.both_names())), example.clone())),
        Form::Words { .. } => None,
    })
}

/// The choices that would not count now, each with its rule. A long list of them says less than the list of allowed
/// ones.
fn barred(form: &Form) -> Vec<(String, Option<&'static str>)> {
    match form {
        Form::Words { choices, .. } if choices.len() <= LISTED => {
            let barred = choices.iter().filter_map(|choice| Some((&*choice.label, choice.barred.as_ref()?)));
            barred.map(|(label, why)| (sentence(&barred_words(&[label], &why.expected)), why.rule)).collect()
        }
        _ => Vec::new(),
    }
}

fn picks(history: &History, party: Party, form: &Form, ask: &Ask, line: &LineReading) -> Vec<Pick> {
    let Form::Words { choices, least: 1, most: 1, .. } = form else { return Vec::new() };
    let more = |choice: &Choice| !choice.targets.is_empty() || choice.amounts.is_some();
    if ask.to == To::Both || choices.len() > PICKED || choices.iter().any(more) {
        return Vec::new();
    }
    let names = history.both_names();
    let pick = |word: Word, label: String| {
        let picked = word == line.typed.as_str();
        Pick { word, label: name_seats(&label, names), picked }
    };
    let answers = choices.iter().map(|choice| pick(choice.word.clone(), format!("{}: {}", choice.label, choice.hint)));
    let nothing = history.duel().read(party, &ask.what, "-").is_ok();
    let nothing = nothing.then(|| pick("-".into(), "No move".to_owned()));
    answers.chain(nothing).collect()
}
