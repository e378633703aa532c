//! The posts about a match in a channel: one for each public moment, with the next question, its deadline, and the hash
//! of the last entry that it covers. So the channel is a witness: later readers can compare the record with it.

use engine::name_seats;
use ledger::{Entry, Hash, Head, Kind, Seq};
use picture::Scene;
use record::words::result_sentence;
use record::{Change, ClockState, History};
use store::Stored;

use super::message::{bout, cut, newest_entry, plain};
use crate::slug;
use crate::views::{ActWords, match_scene, open_asks, step_scene};

#[derive(Debug)]
pub(super) struct Post {
    pub(super) content: String,
    pub(super) scene: Scene,
    pub(super) file: String,
    pub(super) next: Seq,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) seq: Seq,
    pub(super) kind: Kind,
    pub(super) leaf: Hash,
}

impl Line {
    pub(super) fn all(stored: &[Stored]) -> Vec<Self> {
        let line = |stored: &Stored| {
            let entry = Entry::read(&stored.bytes).ok()?;
            Some(Self { seq: stored.seq, kind: entry.kind, leaf: stored.leaf })
        };
        stored.iter().filter_map(line).collect()
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    moment: Line,
    last: Line,
}

impl Span {
    pub(super) fn next(lines: &[Line], from: Seq) -> Option<Self> {
        let lines = lines.get(lines.partition_point(|line| line.seq < from)..)?;
        let first = lines
            .iter()
            .position(|line| !matches!(line.kind, Kind::Key | Kind::Linked | Kind::Sealed | Kind::Unsealed))?;
        let moment = *lines.get(first)?;
        // A question or an opening belongs to the entry that caused it, and several clocks may start or stop at once. Keys
        // and links are no news.
        let with = |line: &&Line| match line.kind {
            Kind::Asked | Kind::Unsealed | Kind::Key | Kind::Linked => true,
            Kind::Resumed | Kind::Paused => line.kind == moment.kind,
            _ => false,
        };
        let along = lines.iter().skip(first + 1).take_while(with).count();
        Some(Self { moment, last: *lines.get(first + along)? })
    }

    pub(super) const fn after(self) -> Seq {
        Seq(self.last.seq.0.saturating_add(1))
    }

    pub(super) const fn after_moment(self) -> Seq {
        Seq(self.moment.seq.0.saturating_add(1))
    }

    /// Their post, given the match right after the last of them; none if their moment has nothing to post. An open
    /// question is part of it as long as nothing came after it.
    pub(super) fn post(self, then: &History, is_newest: bool, site: &str) -> Option<Post> {
        let (what, scene) = moment_of(then, &self.moment)?;
        let mut parts = vec![format!("**{}**", bout(then)), what];
        if is_newest {
            parts.extend(questions(then));
        }
        let slug = slug(then.match_id);
        if !site.is_empty() {
            parts.push(format!("<{site}/m/{slug}>"));
        }
        parts.push(newest_entry(Head { next: self.after(), leaf: self.last.leaf }));
        let file = format!("{slug}-{}.png", self.last.seq.0);
        Some(Post { content: fitting(parts), scene, file, next: self.after() })
    }
}

/// All parts within the limit of a post: the text about the moment is cut, and the hash never.
fn fitting(mut parts: Vec<String>) -> String {
    const ROOM: usize = 2000;
    let length = |parts: &[String]| parts.iter().map(|part| part.encode_utf16().count() + 1).sum::<usize>();
    let over = length(&parts).saturating_sub(ROOM);
    if let Some(what) = parts.get_mut(1).filter(|_| over > 0) {
        *what = cut(what, what.encode_utf16().count().saturating_sub(over));
    }
    parts.join("\n")
}

fn moment_of(history: &History, line: &Line) -> Option<(String, Scene)> {
    let said = |words: String| Some((words, match_scene(history)));
    match line.kind {
        Kind::Opened | Kind::Imported => said(opened(history)),
        Kind::Asked => said("A new question is open.".to_owned()),
        Kind::Resolved | Kind::Announced | Kind::Drawn => step(history, line.seq),
        Kind::Paused | Kind::Resumed | Kind::Extended => said(clock(history, line.seq)?),
        Kind::Handed => {
            let handover = history.handovers.iter().find(|handover| handover.entry == line.seq)?;
            said(act(&ActWords::handover(handover)))
        }
        Kind::Ruled | Kind::Noted => {
            let remark = history.remarks.iter().find(|remark| remark.entry == line.seq)?;
            said(act(&ActWords::remark(history, remark)))
        }
        Kind::Objected => said("A player objects: this is not what was sent. The umpire will rule on it.".to_owned()),
        Kind::Struck => {
            let strike = history.strikes.iter().find(|strike| strike.entry == line.seq)?;
            said(act(&ActWords::strike(history, strike)))
        }
        Kind::Ended => said(format!("**The match is over.** {}", result(history))),
        Kind::Key | Kind::Linked | Kind::Sealed | Kind::Unsealed => None,
        // The chain of a player is no match, and nobody posts it.
        Kind::Registered | Kind::Rotated | Kind::Revoked => None,
    }
}

fn act(words: &ActWords) -> String {
    let text = words.text.lines().map(plain).collect::<Vec<_>>().join("\n");
    format!("**{}{}** {text}", plain(&words.heading), words.mark).trim_end().to_owned()
}

fn clock(history: &History, entry: Seq) -> Option<String> {
    let change = history.clocks.iter().flat_map(|clock| &clock.changes).find(|change| change.entry == entry)?;
    if let Some(words) = ActWords::clock(&change.change) {
        return Some(act(&words));
    }
    match &change.change {
        Change::Started => Some("**The clock starts.**".to_owned()),
        Change::Spent { seat, seconds, left } => {
            Some(format!("{} uses an extension: {seconds} s more, {left} left.", plain(history.name(*seat))))
        }
        Change::MadeUp { seconds, .. } => {
            Some(format!("The server was offline. {seconds} s were added to make up for it."))
        }
        Change::Paused { .. } | Change::Resumed { .. } | Change::Extended { .. } => None,
    }
}

fn result(history: &History) -> String {
    let names = history.both_names();
    let names = engine::BySeat { p1: plain(names.p1), p2: plain(names.p2) };
    result_sentence(history.outcome(), engine::BySeat { p1: &names.p1, p2: &names.p2 })
}

fn opened(history: &History) -> String {
    let game = &history.ruleset().card().title;
    let event = history.event.as_ref().map(|event| format!(", {}", plain(event.or("event withdrawn"))));
    format!("**A match begins**: {game}{}.", event.unwrap_or_default())
}

fn step(history: &History, entry: Seq) -> Option<(String, Scene)> {
    let step = history.steps.iter().find(|step| step.entry == entry)?;
    let scene = step_scene(history, step.number)?;
    let said: Vec<String> = scene.said.iter().map(|said| plain(said)).collect();
    Some((format!("**{}**\n{}", plain(&scene.moment), said.join("\n")), scene))
}

#[must_use]
pub fn questions(history: &History) -> Vec<String> {
    if history.is_ended() {
        return Vec::new();
    }
    let names = history.both_names();
    let mut questions = Vec::new();
    if let Some(waiting) = history.waiting() {
        let until = waiting.until.micros().div_euclid(1_000_000);
        questions.push(format!(
            "Sealed. It opens when the log\u{2019}s witnesses have seen it, at <t:{until}:T> at the latest"
        ));
    }
    for ask in open_asks(history) {
        let Some(open) = history.open.iter().find(|open| open.puts(&ask)) else { continue };
        let due = match history.clock(&open.asked.decision).map(|clock| clock.state) {
            Some(ClockState::Running { deadline }) => due(deadline),
            Some(ClockState::Waiting) => " \u{2013} its clock has not started".to_owned(),
            Some(ClockState::Paused { .. }) => " \u{2013} its clock is paused".to_owned(),
            None => String::new(),
        };
        questions.push(format!("{}{due}", plain(&name_seats(&ask.prompt, names))));
    }
    questions
}

/// A deadline in every reader's own time zone (<https://docs.discord.com/developers/reference#message-formatting>). It
/// is the last second in time, not the one after it.
#[must_use]
pub fn due(deadline: ledger::Moment) -> String {
    let seconds = deadline.micros().div_euclid(1_000_000);
    format!(" \u{2013} due <t:{seconds}:R>, at <t:{seconds}:T>")
}
