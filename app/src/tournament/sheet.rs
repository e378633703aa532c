//! What the host of an event tells of it: the cast, the evenings, the winner, and the plan. None of it is derived.

use chrono::NaiveDate;
use record::limits::too_long;
use record::name_key;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::imports::unreadable;
use crate::known_results::RecordingLink;
use crate::text::{check_event, check_player};

/// The most people in a cast, and in a plan.
const ENTRANTS_MAX: usize = 64;
const POOLS_MAX: usize = 8;
const POOL_MAX: usize = 16;
const EVENINGS_MAX: usize = 60;
const ROUNDS_MAX: usize = 40;
const MONOGRAM_MAX_CHARS: usize = 3;
const TEXT_MAX_CHARS: usize = 1_000;
const ABOUT_MAX_CHARS: usize = 4_000;
const BYTES_MAX: usize = 100_000;

/// The sheet of an event, as its host wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct EventSheet {
    /// What the event is, in a few sentences.
    pub about: String,
    /// Who plays, in the host's order.
    pub cast: Vec<CastMember>,
    /// The winner's name; null until the host tells it.
    pub winner: Option<String>,
    pub evenings: Vec<Evening>,
    pub format: Format,
    /// Who takes part in the plan, the best seed first: one list, or one for each pool.
    pub groups: Vec<Vec<String>>,
    /// The Swiss rounds that were paired.
    pub rounds: Vec<Vec<Pairing>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct CastMember {
    #[schema(example = "Ada")]
    pub name: String,
    /// Such as `Runner-up`; empty if there is nothing to say.
    pub role: String,
    /// The letters on their cover; empty for the first two of the name.
    pub monogram: String,
    /// Null for who is still in, or won.
    pub out: Option<Out>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Out {
    /// The number of the evening, from 1; null if the host did not say.
    pub evening: Option<u16>,
    /// Against whom; empty if the host did not say.
    pub by: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Evening {
    #[schema(example = "Evening 1")]
    pub title: String,
    /// The first day, such as `2026-02-07`; empty if it is not known.
    pub date: String,
    /// The last day, if there are several.
    pub until: String,
    /// The address of a recording.
    pub recording: String,
    /// The main match, who was immune, and whatever else happened.
    pub notes: String,
}

/// How the matches follow from each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    #[default]
    None,
    SingleElimination,
    DoubleElimination,
    Pools,
    Swiss,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Pairing {
    pub one: String,
    /// Null for a bye.
    pub other: Option<String>,
}

/// The part of the sheet that something is wrong with, and a sentence.
pub type SheetError = (&'static str, String);

impl Format {
    pub const ALL: [Self; 5] = [Self::None, Self::SingleElimination, Self::DoubleElimination, Self::Pools, Self::Swiss];

    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::SingleElimination => "single-elimination",
            Self::DoubleElimination => "double-elimination",
            Self::Pools => "pools",
            Self::Swiss => "swiss",
        }
    }

    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::None => "No plan",
            Self::SingleElimination => "Knock-out",
            Self::DoubleElimination => "Double elimination",
            Self::Pools => "Pools",
            Self::Swiss => "Swiss rounds",
        }
    }

    #[must_use]
    pub fn of(word: &str) -> Self {
        Self::ALL.into_iter().find(|format| format.word() == word).unwrap_or_default()
    }
}

impl Evening {
    /// True for a day of this evening.
    #[must_use]
    pub fn has(&self, day: NaiveDate) -> bool {
        let Ok(first) = self.date.parse::<NaiveDate>() else { return false };
        (first..=self.until.parse().unwrap_or(first)).contains(&day)
    }
}

impl EventSheet {
    #[must_use]
    pub fn is_winner(&self, name: &str) -> bool {
        self.winner.as_deref().is_some_and(|winner| name_key(winner) == name_key(name))
    }

    /// How many play: those of the cast, or of the plan.
    #[must_use]
    pub fn entrants(&self) -> usize {
        if self.cast.is_empty() { self.groups.iter().map(Vec::len).sum() } else { self.cast.len() }
    }

    /// With a cast of these names, where the host has told none.
    #[must_use]
    pub fn with_cast(mut self, names: impl Iterator<Item = String>) -> Self {
        if self.cast.is_empty() {
            let names = names.take(ENTRANTS_MAX);
            self.cast = names.map(|name| CastMember { name, ..CastMember::default() }).collect();
        }
        self
    }

    /// The cast in the order of their going, the winner first. By name where the host has told neither.
    #[must_use]
    pub fn ordered_cast(&self) -> Vec<&CastMember> {
        let mut cast: Vec<&CastMember> = self.cast.iter().collect();
        if self.winner.is_none() && cast.iter().all(|member| member.out.is_none()) {
            cast.sort_by_key(|member| name_key(&member.name));
            return cast;
        }
        let last_out = |out: &Out| out.evening.map_or((1, 0), |evening| (1, u16::MAX - evening));
        cast.sort_by_key(|member| match &member.out {
            _ if self.is_winner(&member.name) => (0, 0, 0),
            None => (0, 1, 0),
            Some(out) => (1, last_out(out).0, last_out(out).1),
        });
        cast
    }

    /// The sheet without these names, if it has one: in the plan a number takes its place, so that no seed moves.
    #[must_use]
    pub fn without_names(&self, is_theirs: &impl Fn(&str) -> bool) -> Option<Self> {
        let mut without = self.clone();
        without.cast.retain(|member| !is_theirs(&member.name));
        without.winner = without.winner.filter(|winner| !is_theirs(winner));
        for out in without.cast.iter_mut().filter_map(|member| member.out.as_mut()).filter(|out| is_theirs(&out.by)) {
            out.by.clear();
        }
        let seeds: Vec<String> = self.groups.iter().flatten().map(|name| name_key(name)).collect();
        let number = |name: &str| seeds.iter().position(|seed| *seed == name_key(name)).map_or(0, |place| place + 1);
        let in_rounds =
            without.rounds.iter_mut().flatten().flat_map(|pair| pair.other.iter_mut().chain([&mut pair.one]));
        for name in without.groups.iter_mut().flatten().chain(in_rounds).filter(|name| is_theirs(name)) {
            *name = withdrawn_seed(number(name));
        }
        (without != *self).then_some(without)
    }

    /// The parts that differ from an earlier sheet.
    #[must_use]
    pub fn changes(&self, before: &Self) -> Vec<&'static str> {
        let parts = [
            ("about", self.about != before.about),
            ("cast", self.cast != before.cast),
            ("winner", self.winner != before.winner),
            ("evenings", self.evenings != before.evenings),
            ("plan", self.format != before.format || self.groups != before.groups),
            ("rounds", self.rounds != before.rounds),
        ];
        parts.into_iter().filter(|(_, differs)| *differs).map(|(part, _)| part).collect()
    }

    /// The sheet in lines, so that two of them can be compared.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let words =
            |parts: &[&str]| parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(", ");
        let mut lines: Vec<String> = self.about.lines().map(str::to_owned).collect();
        lines.extend(self.cast.iter().map(|member| {
            let out = member.out.as_ref().map_or(String::new(), |out| {
                let evening = out.evening.map_or(String::new(), |evening| format!(" in evening {evening}"));
                let by = if out.by.is_empty() { String::new() } else { format!(" against {}", out.by) };
                format!("out{evening}{by}")
            });
            words(&[&member.name, &member.monogram, &member.role, &out])
        }));
        lines.extend(self.winner.iter().map(|winner| format!("Winner: {winner}")));
        for evening in &self.evenings {
            lines.push(words(&[&evening.title, &evening.date, &evening.until, &evening.recording]));
            lines.extend(evening.notes.lines().map(str::to_owned));
        }
        lines.push(self.format.title().to_owned());
        lines.extend(self.groups.iter().map(|group| group.join(", ")));
        lines.extend(
            self.rounds
                .iter()
                .flatten()
                .map(|pair| format!("{} \u{2013} {}", pair.one, pair.other.as_deref().unwrap_or("bye"))),
        );
        lines.retain(|line| !line.trim().is_empty());
        lines
    }

    /// What is wrong with it; nothing if it can be saved.
    #[must_use]
    pub fn errors(&self) -> Vec<SheetError> {
        let mut errors = Vec::new();
        let mut failed = |part, why: String| errors.push((part, why));
        self.check_texts(&mut failed);
        self.check_cast(&mut failed);
        self.check_plan(&mut failed);
        if errors.is_empty() && serde_json::to_vec(self).is_ok_and(|bytes| bytes.len() > BYTES_MAX) {
            errors.push(("about", "All of it together is too long. Shorten the notes.".to_owned()));
        }
        errors
    }

    fn check_texts(&self, failed: &mut impl FnMut(&'static str, String)) {
        let mut text = |part, text: &str, most| {
            let is_plain = |sign: char| !unreadable(sign) || matches!(sign, '\n' | '\r');
            if let Some(long) = too_long(text, most) {
                failed(part, long);
            } else if !text.chars().all(is_plain) {
                failed(part, "A text has a character that nobody can see. Please write it without.".to_owned());
            }
        };
        text("about", &self.about, ABOUT_MAX_CHARS);
        for evening in &self.evenings {
            text("evenings", &evening.notes, TEXT_MAX_CHARS);
        }
        for member in &self.cast {
            text("cast", &member.monogram, MONOGRAM_MAX_CHARS);
        }
        let short = self.evenings.iter().map(|evening| ("evenings", &evening.title));
        for (part, word) in short.chain(self.cast.iter().map(|member| ("cast", &member.role))) {
            let _ = check_event(word).map_err(|why| failed(part, why.to_string()));
        }
        for evening in &self.evenings {
            let day = |date: &str| date.is_empty() || date.parse::<NaiveDate>().is_ok();
            if !day(&evening.date) || !day(&evening.until) {
                failed("evenings", "A day is written with year, month and day, such as 2026-02-07.".to_owned());
            }
            if !evening.until.is_empty() && evening.until < evening.date {
                failed("evenings", "The last day of an evening comes before its first.".to_owned());
            }
            if !evening.recording.is_empty() {
                let _ = RecordingLink::read(&evening.recording).map_err(|why| failed("evenings", why.to_string()));
            }
        }
        if self.evenings.len() > EVENINGS_MAX {
            failed("evenings", format!("There are {} evenings; {EVENINGS_MAX} are the most.", self.evenings.len()));
        }
    }

    fn check_cast(&self, failed: &mut impl FnMut(&'static str, String)) {
        let mut names: Vec<String> = self.cast.iter().map(|member| name_key(&member.name)).collect();
        for member in &self.cast {
            let _ = check_player(&member.name).map_err(|why| failed("cast", why.to_string()));
            if member.out.is_some() && self.is_winner(&member.name) {
                failed("winner", format!("{} cannot be both out and the winner.", member.name));
            }
            let evening = member.out.as_ref().and_then(|out| out.evening);
            if evening.is_some_and(|evening| evening == 0 || usize::from(evening) > self.evenings.len()) {
                failed("cast", format!("{} is out in an evening that is not in the list.", member.name));
            }
        }
        let by = self.cast.iter().filter_map(|member| member.out.as_ref()).map(|out| &out.by);
        let by = by.filter(|by| !by.is_empty()).map(|by| ("cast", by));
        for (part, name) in by.chain(self.winner.iter().map(|winner| ("winner", winner))) {
            if !names.contains(&name_key(name)) {
                failed(part, format!("{} is not in the cast. Add them there first.", shown(name)));
            }
        }
        if let Some(twice) = duplicate(&mut names) {
            failed("cast", format!("{twice} is in the cast twice."));
        }
        if self.cast.len() > ENTRANTS_MAX {
            failed("cast", format!("The cast has {} people; {ENTRANTS_MAX} are the most.", self.cast.len()));
        }
    }

    fn check_plan(&self, failed: &mut impl FnMut(&'static str, String)) {
        let mut names: Vec<String> = self.groups.iter().flatten().map(|name| name_key(name)).collect();
        let needs = self.format != Format::None;
        if needs && self.groups.iter().all(|group| group.len() < 2) {
            failed("plan", "A plan needs at least two names. Write one a line, the best seed first.".to_owned());
        }
        let pools = self.format == Format::Pools;
        if pools && (self.groups.len() > POOLS_MAX || self.groups.iter().any(|group| group.len() > POOL_MAX)) {
            failed("plan", format!("There can be {POOLS_MAX} pools of at most {POOL_MAX} players."));
        }
        if names.len() > ENTRANTS_MAX || self.rounds.len() > ROUNDS_MAX {
            failed("plan", format!("At most {ENTRANTS_MAX} players and {ROUNDS_MAX} rounds can be planned."));
        }
        for name in self.groups.iter().flatten() {
            let _ = check_player(name).map_err(|why| failed("plan", why.to_string()));
        }
        let mut paired = self.rounds.iter().flatten().flat_map(|pair| pair.other.iter().chain([&pair.one]));
        if let Some(name) = paired.find(|name| !names.contains(&name_key(name))) {
            failed("plan", format!("{} is in a round that was paired, and not among the seeds.", shown(name)));
        }
        if let Some(twice) = duplicate(&mut names) {
            failed("plan", format!("{twice} is in the plan twice."));
        }
    }
}

/// What stands in a plan for a name that was withdrawn.
fn withdrawn_seed(number: usize) -> String {
    format!("(withdrawn, seed {number})")
}

/// True for a seed whose name was withdrawn: its matches cannot be found any more.
pub(super) fn is_withdrawn(name: &str) -> bool {
    name.starts_with("(withdrawn, seed ")
}

fn shown(name: &str) -> String {
    name.chars().take(80).collect()
}

fn duplicate(names: &mut [String]) -> Option<String> {
    names.sort();
    names.windows(2).find_map(|two| (two.first() == two.last()).then(|| shown(two.first().map_or("", String::as_str))))
}
