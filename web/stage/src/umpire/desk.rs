//! One match around its clock: two seats with a lamp each, and between them the one button that the moment asks for.
//!
//! It says that a seat has sent, to the umpire alone, and never what.

use app::commands::{Clock, ClockState};
use app::views::VisibleMatch;
use engine::{BySeat, Seat};
use ledger::Moment;
use page::{BetweenSeats, EffectList, Played, SeatPlate, Sentence, StageClock, When, party_moves};
use record::History;
use record::words::{listed, row_words, sentence};
use record::write::plan_strike;

use super::console::place_in_sentence;
use super::live_question::{LiveQuestion, LiveSeat};
use super::match_facts::Presence;
use super::question::Question;

/// What one press gives, as far as the rules allow it.
const GIVEN_SECONDS: u32 = 30;

#[derive(Debug)]
pub(super) struct Desk {
    pub(super) heading: String,
    pub(super) seats: [DeskSeat; 2],
    pub(super) between: BetweenSeats,
    pub(super) clock: StageClock,
    pub(super) button: Button,
    /// The question that the button is about, and the last part of the address that it sends to.
    pub(super) decision: Option<String>,
    pub(super) to: &'static str,
    pub(super) runs: bool,
    pub(super) give: Option<Give>,
    pub(super) undo: Option<Undo>,
    pub(super) last: Option<LastRow>,
}

#[derive(Debug)]
pub(super) struct DeskSeat {
    pub(super) seat: Seat,
    pub(super) name: String,
    pub(super) plate: SeatPlate,
    pub(super) lamp: Lamp,
    /// The umpire types for it, all the time.
    pub(super) is_typed: bool,
}

/// What a seat's lamp shows, in three levels, and the same in a word or two.
#[derive(Debug)]
pub(super) struct Lamp {
    pub(super) level: &'static str,
    pub(super) word: String,
    pub(super) about: String,
    pub(super) at: Option<When>,
}

/// The one button: what it does, in words and for the script and the style sheet.
#[derive(Debug)]
pub(super) struct Button {
    pub(super) kind: &'static str,
    pub(super) label: String,
    pub(super) about: String,
}

#[derive(Debug)]
pub(super) struct Give {
    pub(super) decision: String,
    pub(super) seconds: u32,
}

#[derive(Debug)]
pub(super) struct Undo {
    pub(super) from: u32,
    /// What is taken back: a round, or less.
    pub(super) what: String,
}

#[derive(Debug)]
pub(super) struct LastRow {
    pub(super) title: String,
    pub(super) played: Vec<(Seat, String, Vec<Played>)>,
    pub(super) effects: Vec<Sentence>,
}

/// The question that the match waits for, and the other ones, which are read beside it.
pub(super) enum Main<'q> {
    Live(&'q LiveQuestion),
    Typed(&'q Question),
    None,
}

impl<'q> Main<'q> {
    pub(super) fn of(questions: &'q [Question], live: &'q [LiveQuestion]) -> Self {
        let needed = live.iter().find(|live| !live.question.optional).map(Self::Live);
        let typed = || questions.iter().find(|question| !question.optional).map(Self::Typed);
        let typed_other = || questions.iter().find(|question| !question.is_button()).map(Self::Typed);
        let other = || live.first().map(Self::Live).or_else(typed_other);
        needed.or_else(typed).or_else(other).unwrap_or(Self::None)
    }

    fn question(&self) -> Option<&'q Question> {
        match self {
            Self::Live(live) => Some(&live.question),
            Self::Typed(question) => Some(question),
            Self::None => None,
        }
    }

    fn seat(&self, seat: Seat) -> Option<&'q LiveSeat> {
        let Self::Live(live) = self else { return None };
        live.seats.iter().find(|asked| asked.asked.party.seat() == Some(seat))
    }
}

impl Desk {
    pub(super) fn of(history: &History, main: &Main<'_>, presence: &[Presence; 2], now: Moment) -> Self {
        let visible = VisibleMatch::umpire(history);
        let rows = history.rows();
        let since = rows.last().and_then(|row| history.before(row.steps.first()?.number));
        let BySeat { p1, p2 } = SeatPlate::both(&visible, since);
        let asked = history.open.iter().filter(|open| open.sealed.is_empty());
        let mut clocks: Vec<Clock> = asked.filter_map(|open| Clock::of(history, open, now)).collect();
        clocks.sort_by_key(|clock| {
            (main.question().is_none_or(|main| main.decision != clock.decision.to_string()), clock.deadline)
        });
        let state = clocks.first().map(|clock| clock.state);
        let [one, two] = presence;
        let seat = |seat, plate, presence| DeskSeat {
            seat,
            name: history.name(seat).to_owned(),
            plate,
            lamp: Lamp::of(history, main, seat, (presence, state)),
            is_typed: main.seat(seat).map_or(matches!(main, Main::Typed(_)), |seat| !seat.by_itself),
        };
        let seats = [seat(Seat::P1, p1, one), seat(Seat::P2, p2, two)];
        let runs = clocks.iter().any(|clock| clock.state == ClockState::Running);
        let (to, button) = Button::of(history, main, state, &seats);
        let give = clocks.iter().find(|clock| clock.state == ClockState::Running).and_then(|clock| {
            let may = history.clock(&clock.decision).map_or(0, record::Clock::may_give);
            (may > 0).then(|| Give { decision: clock.decision.to_string(), seconds: may.min(GIVEN_SECONDS) })
        });
        Self {
            heading: heading(history, main),
            seats,
            between: BetweenSeats::of(&visible),
            clock: stage_clock(history, clocks.first(), main, now),
            decision: main.question().map(|question| question.decision.clone()),
            button,
            to,
            runs,
            give,
            undo: Undo::of(history),
            last: LastRow::of(&visible),
        }
    }
}

impl Desk {
    pub(super) fn is_complete(&self) -> bool {
        self.seats.iter().all(|seat| seat.lamp.level != "here" && seat.lamp.level != "away")
    }
}

fn heading(history: &History, main: &Main<'_>) -> String {
    let question = main.question().filter(|question| !question.is_share());
    let round = question.and_then(|_| history.duel().coming_round());
    let prompt = question.map(|question| question.prompt.as_str());
    // "Round 1, second bets: raise or fold?" is read in whole below the clock.
    let prompt = prompt.map(|prompt| prompt.split_once(": ").map_or(prompt, |(first, _)| first).to_owned());
    round.map(|round| format!("Round {round}")).or(prompt).unwrap_or_else(|| "The match".to_owned())
}

fn stage_clock(history: &History, first: Option<&Clock>, main: &Main<'_>, now: Moment) -> StageClock {
    if history.outcome().is_over() {
        return StageClock::word("Final");
    }
    let clock = first.and_then(|clock| history.clock(&clock.decision));
    let word = if matches!(main, Main::None) { "Waiting" } else { "No clock" };
    clock.map_or_else(|| StageClock::word(word), |clock| StageClock::of(clock, now))
}

impl Lamp {
    fn new(level: &'static str, word: &str, about: &str) -> Self {
        Self { level, word: word.to_owned(), about: about.to_owned(), at: None }
    }

    fn of(history: &History, main: &Main<'_>, seat: Seat, (presence, clock): (&Presence, Option<ClockState>)) -> Self {
        if history.outcome().is_over() {
            return match history.outcome().winner() {
                Some(winner) if winner == seat => Self::new("sent", "Won", ""),
                Some(_) => Self::new("idle", "Lost", ""),
                None => Self::new("idle", "Over", ""),
            };
        }
        // The umpire says what became of what both sent.
        let sent = Some(history).filter(|_| matches!(main, Main::None)).and_then(|history| answered(history, seat));
        if let Some(sent) = sent {
            return Self::new("idle", &sent, "");
        }
        if !history.is_live() {
            return Self::new("idle", "", "");
        }
        let (is_here, place, since) = presence.place();
        let (level, here) = if is_here { ("here", "Here") } else { ("away", "Away") };
        let present = |word: &str| {
            let about = if word.eq_ignore_ascii_case(place) { "" } else { place };
            Self { at: since.clone(), ..Self::new(level, word, about) }
        };
        let Some(asked) = main.seat(seat) else { return present(here) };
        match asked.state {
            "valid" => {
                let about = asked.content.as_deref();
                let about = about.unwrap_or(match (&asked.sent_when, is_here) {
                    (Some(_), _) => "at",
                    (None, true) => "here",
                    (None, false) => "page not open now",
                });
                Self { at: asked.sent_when.clone(), ..Self::new("sent", asked.sent_word(), about) }
            }
            "late" => Self::new(level, "Late", "not counted yet"),
            _ if asked.lost => Self::new(level, "Lost key", "ask for the move again"),
            _ if clock == Some(ClockState::Waiting) && asked.by_itself && since.is_none() && is_here => {
                Self::new(level, here, "may send already")
            }
            _ if clock == Some(ClockState::Waiting) && asked.by_itself => present(here),
            _ => present("Not yet"),
        }
    }
}

/// What a seat answered last, where the umpire says what became of it.
fn answered(history: &History, seat: Seat) -> Option<String> {
    history.ruleset().declaration()?;
    let step = history.steps.iter().rfind(|step| !step.is_said())?;
    let visible = VisibleMatch::umpire(history);
    let moves = party_moves(&visible, step, history.before(step.number));
    let own = moves.iter().find(|done| done.seat.as_ref().is_some_and(|name| name.seat == seat))?;
    Some(sentence(own.words()).trim_end_matches('.').to_owned())
}

impl Button {
    fn new(kind: &'static str, label: impl Into<String>, about: impl Into<String>) -> Self {
        Self { kind, label: label.into(), about: about.into() }
    }

    /// Where it sends to, and what it says.
    fn of(
        history: &History,
        main: &Main<'_>,
        clock: Option<ClockState>,
        seats: &[DeskSeat; 2],
    ) -> (&'static str, Self) {
        let away = seats.iter().filter(|seat| !seat.is_typed && seat.lamp.level == "away");
        let away: Vec<String> = away.map(|seat| seat.name.clone()).collect();
        let is_away = match away.len() {
            0 => String::new(),
            1 => format!("{} is away", listed(&away)),
            _ => "Both are away".to_owned(),
        };
        match main {
            _ if history.is_ended() => {
                ("", Self::new("watch", "Watch the match", "It is ended, and everything is open"))
            }
            _ if history.outcome().is_over() => {
                ("end", Self::new("end", "Confirm the result", "Ends the match and opens everything"))
            }
            Main::None => ("", Self::new("none", "Waiting", "Nothing to do right now")),
            Main::Typed(question) if question.keyed => {
                ("record", Self::new("draw", "Draw", "By a key that was fixed before"))
            }
            Main::Typed(question) => ("record", Self::new("record", format!("Record {}", question.button), "")),
            Main::Live(live) => ("close", Self::of_live(history, live, clock, &is_away)),
        }
    }

    fn of_live(history: &History, live: &LiveQuestion, clock: Option<ClockState>, is_away: &str) -> Self {
        let what = history.duel().coming_round().filter(|_| live.seats.len() > 1);
        let what = what.map_or_else(|| "this turn".to_owned(), |round| format!("round {round}"));
        match clock {
            Some(ClockState::Waiting) if !live.unsure => {
                let seconds = live.question.clock.clone();
                let about = if is_away.is_empty() { seconds } else { format!("{seconds}. {is_away}") };
                return Self::new("run", format!("Start {what}"), about);
            }
            Some(ClockState::Paused) if !live.unsure => {
                return Self::new("run", "Resume", "The time left does not change");
            }
            _ => {}
        }
        if live.unsure {
            return Self::new("sure", live.asks_to_close().trim_end_matches('?'), live.consequence());
        }
        match live.seats.as_slice() {
            _ if live.is_complete() => Self::new("close", format!("Close {what}"), "All have sent"),
            [only] if only.by_itself => {
                Self::new("turn", format!("Waiting for {}", only.asked.name), "Press to go on without")
            }
            _ => Self::new("close", format!("Close {what}"), format!("{} not sent", live.missing())),
        }
    }

    /// What the browser and the script need to know about it.
    pub(super) fn attributes(&self) -> &'static str {
        match self.kind {
            "run" => r#"form="clock-run" name="act" value="run" data-run"#,
            "sure" => r#"name="sure" value="yes" data-close data-unsure"#,
            "close" | "turn" => "data-close",
            "record" => "data-record",
            _ => "",
        }
    }
}

impl Undo {
    /// The last step, unless the clock of the next one already runs or the match cannot be changed.
    fn of(history: &History) -> Option<Self> {
        let step = history.steps.last()?;
        let can = !history.is_ended()
            && history.opened.mode != record::Mode::Imported
            && plan_strike(history, step.number).is_ok();
        let rows = history.rows();
        let row = rows.last().filter(|row| row.round > 0 && row.steps.len() == 1);
        let what = row.map_or_else(|| "the last step".to_owned(), |row| place_in_sentence(&row_words(&row.label)));
        can.then_some(Self { from: step.number, what })
    }
}

impl LastRow {
    fn of(shown: &VisibleMatch<'_>) -> Option<Self> {
        let history = shown.history;
        let row = history.rows().into_iter().next_back()?;
        let moves = row.steps.iter().flat_map(|step| party_moves(shown, step, history.before(step.number)));
        let done: Vec<_> = moves.collect();
        let of = |seat: Seat| {
            let own = done.iter().filter(|done| done.seat.as_ref().is_some_and(|name| name.seat == seat));
            (
                seat,
                history.name(seat).to_owned(),
                own.filter_map(|done| Played::of(history.ruleset(), done)).collect::<Vec<_>>(),
            )
        };
        let played = Seat::BOTH.map(of).into_iter().filter(|(.., cards)| !cards.is_empty()).collect();
        let effects = EffectList::of(shown, row.steps.iter().copied()).sentences;
        Some(Self { title: row_words(&row.label), played, effects })
    }
}
